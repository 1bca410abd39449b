/* One iteration of thermal erosion (Schott 2024, 4.3, made conservative): where the slope between two cells
 * exceeds the critical one, matter moves from the higher to the lower, in whole steps of `least`. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct thermal {
    int width, height;
    const float *from, *critical;
    struct oro_map mask;
    bool masked;
    float least, limit, share, cell;
    float *to;
};

/* Rows of a tile with a ring of one cell, mirrored at the border: nothing is given or taken over it. */
enum { COLUMNS = ORO_TILE_WIDTH + 2 };
struct row {
    float height[COLUMNS];
    float stable[COLUMNS]; /* half of the largest stable step to a straight neighbour */
    float mask[COLUMNS];
};

/* x rounded to a whole number, for |x| < 2^22. */
ORO_INLINE int32_t whole(float x)
{
    const float rounder = 12582912.0F; /* 1.5 * 2^23: floats of this size are whole numbers */
    return oro_bits(x + rounder) - oro_bits(rounder);
}

/* What comes to a cell from a neighbour, in steps; negative when it goes there. */
ORO_INLINE int32_t moved(const struct thermal *k, const struct row *row, int x, const struct row *other,
                         int there, float distance)
{
    float rise = other->height[there] - row->height[x];
    float stable = (row->stable[x] + other->stable[there]) * distance;
    float excess = oro_clamp(rise - oro_clamp(rise, -stable, stable), -k->limit, k->limit);
    return whole(k->share * (excess * oro_min(row->mask[x], other->mask[there])));
}

ORO_INLINE void slide_row(const struct thermal *k, int width, const struct row *above, const struct row *here,
                          const struct row *below, float *out)
{
    const float straight = 1, across = 1.41421356F;
    float least = k->least;
#pragma omp simd
    for (int i = 0; i < width; i++) {
        int x = i + 1;
        int32_t gained = moved(k, here, x, here, x - 1, straight) + moved(k, here, x, here, x + 1, straight) +
                         moved(k, here, x, above, x, straight) + moved(k, here, x, below, x, straight) +
                         moved(k, here, x, above, x - 1, across) + moved(k, here, x, above, x + 1, across) +
                         moved(k, here, x, below, x - 1, across) + moved(k, here, x, below, x + 1, across);
        out[i] = here->height[x] + least * (float)gained;
    }
}

ORO_INLINE void repeat(struct row *row, int from, int to)
{
    row->height[to] = row->height[from];
    row->stable[to] = row->stable[from];
    row->mask[to] = row->mask[from];
}

ORO_INLINE void read_row(const struct thermal *k, const struct oro_tile *tile, int y, struct row *row)
{
    int inside = oro_within(y, k->height);
    bool at_west = tile->x == 0, at_east = tile->x + tile->width == k->width;
    int first = at_west ? 1 : 0, end = tile->width + (at_east ? 1 : 2);
    size_t at = (size_t)inside * (size_t)k->width + (size_t)tile->x;
    float half = 0.5F * k->cell;
    for (int i = first; i < end; i++) {
        row->height[i] = k->from[at + (size_t)i - 1];
        row->stable[i] = half * k->critical[at + (size_t)i - 1];
        row->mask[i] = 1;
    }
    for (int i = first; k->masked && i < end; i++)
        row->mask[i] = oro_map_at(&k->mask, tile->x + i - 1, inside);
    if (at_west)
        repeat(row, 1, 0);
    if (at_east)
        repeat(row, tile->width, tile->width + 1);
}

static ORO_CLONES void slide(const void *user, const struct oro_tile *tile)
{
    const struct thermal *k = user;
    struct row rows[3];
    read_row(k, tile, tile->y - 1, &rows[0]);
    read_row(k, tile, tile->y, &rows[1]);
    for (int y = 0; y < tile->height; y++) {
        read_row(k, tile, tile->y + y + 1, &rows[(y + 2) % 3]);
        slide_row(k, tile->width, &rows[y % 3], &rows[(y + 1) % 3], &rows[(y + 2) % 3],
                  k->to + (size_t)(tile->y + y) * (size_t)k->width + tile->x);
    }
}

ORO_PROCESSOR(erosion, thermal_erosion)
{
    struct thermal k = {.width = run->grid.width,
                        .height = run->grid.height,
                        .from = oro_run_buffer(run, "height"),
                        .critical = oro_run_buffer(run, "critical"),
                        .mask = oro_run_map(run, "mask"),
                        .masked = oro_run_linked(run, "mask"),
                        .least = oro_run_number(run, "least"),
                        .cell = run->grid.cell,
                        .to = oro_run_buffer(run, "height_out")};
    float reference = oro_run_float(run, "reference_cell");
    k.limit = oro_run_number(run, "limit") * (10 * oro_run_float(run, "amount") * reference * reference);
    k.share = oro_run_number(run, "share") * 0.1F * (k.masked ? 1 : k.mask.number) / k.least;
    if (oro_run_ready(run))
        oro_run_tiles(run, slide, &k);
}
