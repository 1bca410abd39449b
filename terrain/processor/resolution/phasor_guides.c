/* What guides the kernels of ravines, where they are: the slope of the smoothed terrain, the frequency, and
 * the amplitude before the mask. */
#include "base/parallel.h"
#include "terrain/processor/lib/gabor_lay.h"

struct guides {
    struct oro_gabor_guides lay;
    float times;                /* the level's frequency, relative to the first level's */
    float coarser_x, coarser_y; /* coarse cells for each of the fine ones */
    const float *slope, *full;
};

static void slope_between(const struct guides *k, float x, float y, float along[2])
{
    float west = oro_floor(x), north = oro_floor(y), s = x - west, t = y - north;
    const struct oro_run_grid *source = &k->lay.source;
    const float *nw = k->slope + 2 * oro_source_index(source, (int)west, (int)north);
    const float *ne = k->slope + 2 * oro_source_index(source, (int)west + 1, (int)north);
    const float *sw = k->slope + 2 * oro_source_index(source, (int)west, (int)north + 1);
    const float *se = k->slope + 2 * oro_source_index(source, (int)west + 1, (int)north + 1);
    for (int axis = 0; axis < 2; axis++)
        along[axis] = oro_mix(oro_mix(nw[axis], ne[axis], s), oro_mix(sw[axis], se[axis], s), t);
}

static void guide_rows(void *user, size_t first, size_t end)
{
    const struct guides *k = user;
    for (int y = (int)first; y < (int)end; y++)
        for (int x = 0; x < k->lay.lattice.size[0]; x++) {
            struct oro_gabor_seedling kernel = oro_gabor_seed(&k->lay.lattice, x, y);
            float px = (kernel.centre_x + 0.5F) * k->coarser_x - 0.5F;
            float py = (kernel.centre_y + 0.5F) * k->coarser_y - 0.5F;
            size_t nearest =
                oro_source_index(&k->lay.source, (int)oro_floor(px + 0.5F), (int)oro_floor(py + 0.5F));
            float *out = k->lay.out + ORO_GABOR_GUIDE_WORDS * kernel.cell;
            slope_between(k, px, py, out + ORO_GABOR_ALONG_X);
            out[ORO_GABOR_PITCH] = oro_gabor_frequency(&k->lay, nearest, k->times);
            out[ORO_GABOR_GUIDED_BY] = k->full[nearest];
        }
}

ORO_PROCESSOR(resolution, phasor_guides)
{
    struct guides k = {.lay = oro_gabor_guides_of(run),
                       .times = 1,
                       .coarser_x = oro_run_number(run, "coarser_x"),
                       .coarser_y = oro_run_number(run, "coarser_y"),
                       .slope = oro_run_buffer(run, "slope"),
                       .full = oro_run_buffer(run, "full")};
    float ratio = oro_run_float(run, "ratio");
    for (int level = (int)oro_run_number(run, "level"); level > 0; level--)
        k.times *= ratio;
    if (oro_run_ready(run))
        oro_parallel((size_t)k.lay.lattice.size[1], 4, guide_rows, &k);
}
