/* Gabor noise: the real part of the field (Lagae 2009; Grenier 2023, eq. 13). */
#include "terrain/processor/lib/gabor_noise.h"

static ORO_CLONES void fill_gabor(const void *user, const struct oro_tile *tile)
{
    const struct oro_gabor_surface *k = user;
    struct oro_gabor_row row;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_gabor_level_row(&k->gabor, 0, k->each, tile, y, false, &row);
        for (int x = 0; x < tile->width; x++)
            row.re[x] *= k->scale;
        oro_gabor_noise_set(k, tile, y, row.re);
    }
}

ORO_PROCESSOR(source, gabor)
{
    struct oro_gabor_surface k = oro_gabor_noise_of(run);
    if (oro_run_ready(run))
        oro_run_tiles(run, fill_gabor, &k);
}
