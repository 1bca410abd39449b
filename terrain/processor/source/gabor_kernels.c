/* Lays the kernels of noise over the world, as they are guided. */
#include "base/parallel.h"
#include "terrain/processor/lib/gabor_lay.h"

static void lay_rows(void *user, size_t first, size_t end)
{
    const struct oro_gabor_lay *k = user;
    for (int y = (int)first; y < (int)end; y++)
        for (int x = 0; x < k->lattice.size[0]; x++) {
            struct oro_gabor_seedling kernel = oro_gabor_seed(&k->lattice, x, y);
            const float *guide = oro_gabor_guide(k, &kernel);
            oro_gabor_put(k, &kernel, guide[ORO_GABOR_ALONG_X], guide[ORO_GABOR_ALONG_Y],
                          guide[ORO_GABOR_PITCH]);
        }
}

ORO_PROCESSOR(source, gabor_kernels)
{
    struct oro_gabor_lay k = oro_gabor_lay_of(run);
    if (oro_run_ready(run))
        oro_parallel((size_t)k.lattice.size[1], 4, lay_rows, &k);
}
