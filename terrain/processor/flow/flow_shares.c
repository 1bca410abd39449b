#include <math.h>

#include "terrain/processor/lib/ring.h"
#include "terrain/processor/vector.h"

/* Words of the input `borders`. */
enum { OUTFLOW, WALLS };

struct shares {
    struct oro_run_grid grid;
    const float *z;
    struct oro_map sea;
    float exponent;
    bool walls;
    float *steepest, *share;
};

/* How far it is down to the neighbours, per straight way: below 0 to those that are higher. */
struct drops {
    float nw, n, ne, w, e, sw, s, se;
};
ORO_INLINE struct drops drops_from(const float *z)
{
    const float across = 0.70710678F;
    return (struct drops){(*z - z[ORO_RING_NW]) * across,
                          *z - z[ORO_RING_N],
                          (*z - z[ORO_RING_NE]) * across,
                          *z - z[ORO_RING_W],
                          *z - z[ORO_RING_E],
                          (*z - z[ORO_RING_SW]) * across,
                          *z - z[ORO_RING_S],
                          (*z - z[ORO_RING_SE]) * across};
}

ORO_INLINE float part(float drop, float most, float exponent)
{
    float power = oro_power(drop / oro_max(most, 1e-37F), exponent);
    return drop > 0 ? power : 0;
}

ORO_INLINE void share_row(const float *z, const float *sea, int width, float exponent, float *steepest,
                          float *share)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct drops d = drops_from(z + x);
        float most = oro_max(oro_max(oro_max(d.nw, d.n), oro_max(d.ne, d.w)),
                             oro_max(oro_max(d.e, d.sw), oro_max(d.s, d.se)));
        float sum = part(d.nw, most, exponent) + part(d.n, most, exponent);
        sum += part(d.ne, most, exponent);
        sum += part(d.w, most, exponent);
        sum += part(d.e, most, exponent);
        sum += part(d.sw, most, exponent);
        sum += part(d.s, most, exponent);
        sum += part(d.se, most, exponent);
        int leaves = (sea[x] > 0.5F) | (most <= 0);
        steepest[x] = leaves ? 0 : most;
        share[x] = leaves ? 0 : 1 / oro_max(sum, 1e-37F);
    }
}

/* Where the grid ends water leaves, unless there are walls. */
static void open_border(const struct shares *s, const struct oro_tile *tile, int y)
{
    int right = tile->x + tile->width;
    bool all = y == 0 || y == s->grid.height - 1;
    for (int x = tile->x; x < right; x++)
        if (all || x == 0 || x == s->grid.width - 1) {
            size_t i = (size_t)y * (size_t)s->grid.width + (size_t)x;
            s->steepest[i] = s->share[i] = 0;
        }
}

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct shares *s = user;
    oro_ring z;
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t first = (size_t)y * (size_t)s->grid.width + (size_t)tile->x;
        oro_ring_read(&s->grid, s->z, tile, y, INFINITY, z);
        share_row(z + ORO_RING_HERE, oro_map_row(&s->sea, tile->x, y, tile->width, scratch), tile->width,
                  s->exponent, s->steepest + first, s->share + first);
        if (!s->walls)
            open_border(s, tile, y);
    }
}

ORO_PROCESSOR(flow, flow_shares)
{
    struct shares k = {.grid = run->grid,
                       .z = oro_run_buffer(run, "z"),
                       .sea = oro_run_map(run, "sea"),
                       .exponent = oro_run_float(run, "flow_exponent"),
                       .walls = oro_run_int(run, "borders") == WALLS,
                       .steepest = oro_run_buffer(run, "steepest"),
                       .share = oro_run_buffer(run, "share")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
