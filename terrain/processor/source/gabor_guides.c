/* Directions and frequencies of the kernels of noise over the world: those of the cell that a kernel's centre
 * is in. */
#include "base/parallel.h"
#include "terrain/processor/lib/gabor_lay.h"

struct guides {
    struct oro_gabor_guides lay;
    struct oro_map angle;
    float spread;
    const float *orientation; /* NULL: none is linked */
};

static void guide_rows(void *user, size_t first, size_t end)
{
    const struct guides *k = user;
    for (int y = (int)first; y < (int)end; y++)
        for (int x = 0; x < k->lay.lattice.size[0]; x++) {
            struct oro_gabor_seedling kernel = oro_gabor_seed(&k->lay.lattice, x, y);
            int cell_x = (int)oro_floor(kernel.centre_x + 0.5F),
                cell_y = (int)oro_floor(kernel.centre_y + 0.5F);
            size_t nearest = oro_source_index(&k->lay.source, cell_x, cell_y);
            float along_x = k->orientation ? k->orientation[2 * nearest] : 0;
            float along_y = k->orientation ? k->orientation[2 * nearest + 1] : -1; /* north */
            float astray = k->spread * (2 * oro_hash_unit(oro_hash_number(kernel.random ^ 0x2545f491u)) - 1);
            float angle = oro_map_at(&k->angle, cell_x, cell_y) + astray;
            struct oro_turn turn = oro_sincos(oro_radians(angle));
            float *out = k->lay.out + ORO_GABOR_GUIDE_WORDS * kernel.cell;
            out[ORO_GABOR_ALONG_X] = turn.cosine * along_x - turn.sine * along_y;
            out[ORO_GABOR_ALONG_Y] = turn.sine * along_x + turn.cosine * along_y;
            out[ORO_GABOR_PITCH] = oro_gabor_frequency(&k->lay, nearest, 1);
            out[ORO_GABOR_GUIDED_BY] = 0;
        }
}

ORO_PROCESSOR(source, gabor_guides)
{
    struct guides k = {.lay = oro_gabor_guides_of(run),
                       .angle = oro_run_map(run, "angle"),
                       .spread = oro_run_float(run, "spread"),
                       .orientation =
                           oro_run_linked(run, "orientation") ? oro_run_buffer(run, "orientation") : NULL};
    if (oro_run_ready(run))
        oro_parallel((size_t)k.lay.lattice.size[1], 4, guide_rows, &k);
}
