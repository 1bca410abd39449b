/* Slides of ground above the talus angle (Jako 2011, eq. 17 and 18): gles_shaders/lib/pipes_slides.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PIPES_SLIDES_H
#define ORO_TERRAIN_PROCESSOR_LIB_PIPES_SLIDES_H

#include "terrain/processor/lib/pipes_patch.h"

/* Drops that are above the talus angle, and the greatest of all. */
struct oro_drops {
    float counted, greatest;
};
ORO_INLINE struct oro_drops oro_two_drops(int32_t here, int32_t one, int32_t other, float talus)
{
    float a = (float)oro_less(here, one), b = (float)oro_less(here, other);
    return (struct oro_drops){(a > talus ? a : 0) + (b > talus ? b : 0), oro_max(a, b)};
}

/* What slides from cells to all neighbours together, as a share of the drops to them. */
ORO_INLINE void oro_pipes_loosen(const struct oro_pipes *k, struct oro_span ring, int y, const float *rate,
                                 const float *bias, struct oro_pipes_rows *t)
{
    const float most = 0.2F, diagonal = 1.41421356F; /* most: eight neighbours may give to one cell */
    const int32_t *here = t->ground[y & 3] + ORO_PIPES_FIRST;
    const int32_t *above = t->ground[(y - 1) & 3] + ORO_PIPES_FIRST;
    const int32_t *below = t->ground[(y + 1) & 3] + ORO_PIPES_FIRST;
    const float *softness = t->softness[y & 3] + ORO_PIPES_FIRST;
    float *share = t->share[y & 3] + ORO_PIPES_FIRST, *talus = t->talus[y & 3] + ORO_PIPES_FIRST;
#pragma omp simd
    for (int x = ring.first; x < ring.end; x++) {
        int32_t h = here[x];
        float soft = softness[x];
        float least = ((1 - soft) * k->talus_hardness + oro_guarded(bias[x])) * k->drop;
        struct oro_drops row = oro_two_drops(h, here[x + 1], here[x - 1], least);
        struct oro_drops column = oro_two_drops(h, below[x], above[x], least);
        struct oro_drops falling = oro_two_drops(h, below[x + 1], above[x - 1], diagonal * least);
        struct oro_drops rising = oro_two_drops(h, below[x - 1], above[x + 1], diagonal * least);
        float sum = (row.counted + falling.counted) + (column.counted + rising.counted);
        float greatest =
            oro_max(oro_max(row.greatest, column.greatest), oro_max(falling.greatest, rising.greatest));
        float loose = oro_min(k->slides * oro_guarded(rate[x]) * soft, most);
        float each = 0.5F * loose * oro_max(greatest, 0) / sum;
        share[x] = sum > 0 ? each : 0;
        talus[x] = least;
    }
}

/* What slides from the cells of a row to one of the neighbours, E, S, SE, SW; negative when it comes from
 * there. */
ORO_INLINE void oro_pipes_slide_row(struct oro_span faces, int y, int pipe, struct oro_pipes_rows *t)
{
    static const int down[4] = {0, 1, 1, 1}, across[4] = {1, 0, 1, -1};
    int row = y & 3, other = (y + down[pipe]) & 3, step = across[pipe];
    const int32_t *here = t->ground[row], *there = t->ground[other];
    const float *share = t->share[row], *share_there = t->share[other];
    const float *talus = t->talus[row], *talus_there = t->talus[other];
    const float *strength = t->strength[row], *strength_there = t->strength[other];
    const float distance = pipe < 2 ? 1 : 1.41421356F;
    int32_t *slid = t->slid[pipe][row];
#pragma omp simd
    for (int x = faces.first + ORO_PIPES_FIRST; x < faces.end + ORO_PIPES_FIRST; x++) {
        int32_t drop = oro_less(here[x], there[x + step]);
        float share_here = share[x], share_beyond = share_there[x + step];
        float talus_here = talus[x], talus_beyond = talus_there[x + step];
        float least = (drop > 0 ? talus_here : talus_beyond) * distance, height = (float)drop;
        float each = (drop > 0 ? share_here : share_beyond) * oro_min(strength[x], strength_there[x + step]);
        slid[x] = (int32_t)(oro_abs(height) > least ? height * each : 0);
    }
}

/* What the cells of a row of the tile lose to all neighbours. */
ORO_INLINE void oro_pipes_slid_away(const struct oro_tile *tile, int y, const struct oro_pipes_rows *t,
                                    int32_t *ground)
{
    int row = y & 3, above = (y - 1) & 3;
    const int32_t *east = t->slid[0][row] + ORO_PIPES_FIRST, *south = t->slid[1][row] + ORO_PIPES_FIRST;
    const int32_t *south_east = t->slid[2][row] + ORO_PIPES_FIRST,
                  *south_west = t->slid[3][row] + ORO_PIPES_FIRST;
    const int32_t *north = t->slid[1][above] + ORO_PIPES_FIRST;
    const int32_t *north_west = t->slid[2][above] + ORO_PIPES_FIRST;
    const int32_t *north_east = t->slid[3][above] + ORO_PIPES_FIRST;
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        ground[x] -= east[x] - east[x - 1] + south[x] - north[x] + south_east[x] - north_west[x - 1] +
                     south_west[x] - north_east[x + 1];
}

#endif
