/* Slides of ground above the talus angle (Jako 2011, eq. 17 and 18): gles_shaders/lib/pipes_slides.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PIPES_SLIDES_H
#define ORO_TERRAIN_PROCESSOR_LIB_PIPES_SLIDES_H

#include "terrain/processor/lib/pipes_patch.h"

/* The share of the ground of cells that slides at a time, and the drop per cell width that is stable. */
ORO_INLINE void oro_pipes_loosen(const struct oro_pipes *k, struct oro_span ring, int y, const float *rate,
                                 const float *bias, struct oro_pipes_rows *t)
{
    const float most = 0.2F; /* eight neighbours may give to one cell */
    const float *softness = t->softness[y & 3] + ORO_PIPES_FIRST;
    float *share = t->share[y & 3] + ORO_PIPES_FIRST, *talus = t->talus[y & 3] + ORO_PIPES_FIRST;
#pragma omp simd
    for (int x = ring.first; x < ring.end; x++) {
        float soft = softness[x];
        share[x] = oro_min(k->slides * oro_guarded(rate[x]) * soft, most);
        talus[x] = ((1 - soft) * k->talus_hardness + oro_guarded(bias[x])) * k->drop;
    }
}

/* A value inside the world, for the mirror image of one outside: along a side, or else across. */
ORO_INLINE int32_t oro_mirror(int32_t here, int32_t along, int32_t across)
{
    return oro_either(here != ORO_OUTSIDE, here, oro_either(along != ORO_OUTSIDE, along, across));
}

/* As product() in gles_shaders/lib/corner.glsl, whose bits this follows. */
ORO_INLINE float oro_product(float x)
{
    return oro_of_bits(oro_bits(x) & ~1);
}

ORO_INLINE float oro_corner_drop(int32_t nw, int32_t ne, int32_t sw, int32_t se)
{
    float north = (float)oro_less(ne, nw), south = (float)oro_less(se, sw);
    float west = (float)oro_less(sw, nw), east = (float)oro_less(se, ne);
    float squares = (oro_product(north * north) + oro_product(south * south)) +
                    (oro_product(west * west) + oro_product(east * east));
    return sqrtf(oro_max(0.5F * squares, 1e-30F));
}

/* By which part the slope at corners between row y and the next is too steep, times the share that slides. */
ORO_INLINE void oro_pipes_steep_row(struct oro_span corners, int y, struct oro_pipes_rows *t)
{
    const int32_t *here = t->ground[y & 3], *below = t->ground[(y + 1) & 3];
    const float *share = t->share[y & 3], *share_below = t->share[(y + 1) & 3];
    const float *talus = t->talus[y & 3], *talus_below = t->talus[(y + 1) & 3];
    float *moving = t->moving[y & 3];
#pragma omp simd
    for (int x = corners.first + ORO_PIPES_FIRST; x < corners.end + ORO_PIPES_FIRST; x++) {
        int32_t a = here[x], b = here[x + 1], c = below[x], d = below[x + 1];
        int32_t nw = oro_mirror(a, b, c), ne = oro_mirror(b, a, d), sw = oro_mirror(c, d, a),
                se = oro_mirror(d, c, b);
        float cells =
            (float)((a != ORO_OUTSIDE) + (b != ORO_OUTSIDE) + (c != ORO_OUTSIDE) + (d != ORO_OUTSIDE));
        float drop = oro_corner_drop(nw, ne, sw, se), inside = oro_max(cells, 1);
        float stable =
            oro_product(((talus[x] + talus[x + 1]) + (talus_below[x] + talus_below[x + 1])) / inside);
        float slides = ((share[x] + share[x + 1]) + (share_below[x] + share_below[x + 1])) / inside;
        moving[x] = oro_product(slides * oro_max(drop - stable, 0) / drop);
    }
}

/* What slides from the cells of a row to one of the neighbours, E, S, SE, SW; negative when it comes from
 * there. Two corners lie beside a straight way, one in a slanting one. */
ORO_INLINE void oro_pipes_slide_row(struct oro_span faces, int y, int pipe, struct oro_pipes_rows *t)
{
    static const int down[4] = {0, 1, 1, 1}, across[4] = {1, 0, 1, -1};
    static const int up[4] = {1, 0, 0, 0}, before[4] = {0, -1, 0, -1}; /* to the other corner */
    int row = y & 3, other = (y + down[pipe]) & 3, step = across[pipe], beside = before[pipe];
    const int32_t *here = t->ground[row], *there = t->ground[other];
    const float *one = t->moving[row], *two = t->moving[(y - up[pipe]) & 3];
    const float *strength = t->strength[row], *strength_there = t->strength[other];
    const float side = 1.0F / 6, slant = 1.0F / 12;
    int32_t *slid = t->slid[pipe][row];
#pragma omp simd
    for (int x = faces.first + ORO_PIPES_FIRST; x < faces.end + ORO_PIPES_FIRST; x++) {
        float part = pipe < 2 ? side * (one[x] + two[x + beside]) : slant * two[x + beside];
        part *= oro_min(strength[x], strength_there[x + step]);
        float height = (float)oro_less(here[x], there[x + step]);
        bool inside = (here[x] != ORO_OUTSIDE) & (there[x + step] != ORO_OUTSIDE);
        slid[x] = inside ? (int32_t)(height * part) : 0;
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
