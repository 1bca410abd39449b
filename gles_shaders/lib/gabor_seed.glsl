/* Where the kernels of a lattice lie: for dispatches of oro_gabor_lay (nodes/lib/gabor_lattice.h), one invocation for each
 * lattice cell. */
#include "lib/gabor_lattice.glsl"
#include "lib/hash.glsl"

/* A kernel before it has a direction. */
struct gabor_seedling {
    int index;   /* among all kernels */
    vec2 centre; /* cells of the raster, from the centre of the first */
    vec2 jitter; /* place within its lattice cell */
    uint random;
};

/* False: there is none for this invocation. */
bool gabor_seed(gabor_lattice lattice, out gabor_seedling kernel)
{
    ivec2 cell = oro_cell();
    if (cell.x >= lattice.size.x || cell.y >= lattice.size.y)
        return false;
    kernel.index = lattice.first + cell.y * lattice.size.x + cell.x;
    kernel.random = hash(lattice.corner + cell, lattice.seed);
    kernel.jitter = hash_point(kernel.random);
    kernel.centre = gabor_raster_place(lattice, cell - GABOR_MARGIN, kernel.jitter);
    return true;
}
