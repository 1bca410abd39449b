/* Lays the kernels of noise over the world, as they are guided. */
#include "lib/gabor.glsl"
#include "lib/gabor_lay.glsl"

void main()
{
    gabor_lattice lattice = gabor_lattice_at(int(pass.lattice));
    gabor_seedling kernel;
    if (!gabor_seed(lattice, kernel))
        return;
    vec4 guide = gabor_guide(lattice, kernel);
    gabor_put(lattice, kernel, guide.xy, guide.z);
}
