/* Cells where nothing is carved have no share in a sum: along the rows, the others are added to what is
 * around them, which is the same sum in the same order. */
#include <string.h>

#include "base/memory.h"
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct spread {
    struct oro_run_grid grid;
    int side;
    const float *weights;      /* of the middle and of one side */
    const float *breached;     /* across */
    float *ground, *rows;      /* rows: depth, depth times height of the bed */
    float *both_sides, *total; /* weights from -side to side; sums of the weights inside, along the way */
};

/* ---- Along the rows ---- */

ORO_INLINE void add_around(const struct spread *s, int x, float depth, float bed, float *sums)
{
    int first = x < s->side ? 0 : x - s->side;
    int last = x + s->side < s->grid.width ? x + s->side : s->grid.width - 1;
    const float *weights = s->both_sides + (first - (x - s->side));
    float *around = sums + 2 * (size_t)first;
#pragma omp simd
    for (int i = 0; i <= last - first; i++) {
        float share = weights[i] * depth;
        around[2 * i] += share;
        around[2 * i + 1] += share * bed;
    }
}

ORO_INLINE int differ(const float *a, const float *b, int count)
{
    int bits = 0;
#pragma omp simd reduction(| : bits)
    for (int i = 0; i < count; i++)
        bits |= a[i] != b[i];
    return bits;
}

ORO_INLINE void spread_row(const struct spread *s, const float *ground, const float *breached, float *sums)
{
    enum { AT_ONCE = 64 };
    int width = s->grid.width;
    memset(sums, 0, 2 * (size_t)width * sizeof *sums);
    for (int first = 0; first < width; first += AT_ONCE) {
        int end = first + AT_ONCE < width ? first + AT_ONCE : width;
        if (!differ(ground + first, breached + first, end - first))
            continue;
        for (int x = first; x < end; x++)
            if (ground[x] != breached[x])
                add_around(s, x, ground[x] - breached[x], breached[x], sums);
    }
#pragma omp simd
    for (int x = 0; x < width; x++) {
        sums[2 * x] /= s->total[x];
        sums[2 * x + 1] /= s->total[x];
    }
}

static ORO_CLONES void spread_across(const void *user, const struct oro_tile *tile)
{
    const struct spread *s = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t row = (size_t)y * (size_t)s->grid.width;
        spread_row(s, s->ground + row, s->breached + row, s->rows + 2 * row);
    }
}

/* ---- Down the columns ---- */

typedef float tile_sums[ORO_TILE_HEIGHT][2 * ORO_TILE_WIDTH];

ORO_INLINE void add_row(const struct spread *s, const struct oro_tile *tile, int from, tile_sums sums)
{
    const float *there = s->rows + 2 * ((size_t)from * (size_t)s->grid.width + (size_t)tile->x);
    int first = from - s->side - tile->y, last = from + s->side - tile->y, count = 2 * tile->width;
    for (int k = first < 0 ? 0 : first; k <= last && k < tile->height; k++) {
        float weight = s->both_sides[k - first], *sum = sums[k];
#pragma omp simd
        for (int x = 0; x < count; x++)
            sum[x] += weight * there[x];
    }
}

ORO_INLINE void take_off(const float *sums, float total, int width, float *ground)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float depth = sums[2 * x], bed = sums[2 * x + 1] / depth;
        float low = depth > 0 ? oro_min(ground[x], bed) : ground[x];
        ground[x] = oro_max(ground[x] - depth / total, low);
    }
}

static ORO_CLONES void spread_down(const void *user, const struct oro_tile *tile)
{
    const struct spread *s = user;
    tile_sums sums;
    memset(sums, 0, (size_t)tile->height * sizeof sums[0]);
    int first = tile->y - s->side, end = tile->y + tile->height + s->side;
    for (int y = first < 0 ? 0 : first; y < end && y < s->grid.height; y++)
        add_row(s, tile, y, sums);
    for (int y = 0; y < tile->height; y++)
        take_off(sums[y], s->total[tile->y + y], tile->width,
                 s->ground + (size_t)(tile->y + y) * (size_t)s->grid.width + tile->x);
}

/* ---- Weights ---- */

static void sum_weights(const struct spread *s, int size)
{
    for (int i = -s->side; i <= s->side; i++)
        s->both_sides[i + s->side] = s->weights[i < 0 ? -i : i];
    for (int at = 0; at < size; at++) {
        int first = at < s->side ? -at : -s->side, end = size - at < s->side + 1 ? size - at : s->side + 1;
        bool same = at > s->side && end == s->side + 1;
        float total = same ? s->total[at - 1] : 0;
        for (int i = first; !same && i < end; i++)
            total += s->weights[i < 0 ? -i : i];
        s->total[at] = total;
    }
}

ORO_PROCESSOR(flow, breach_spread)
{
    bool down = oro_run_defined(run, "DOWN");
    struct spread s = {.grid = run->grid,
                       .side = (int)oro_run_number(run, "side"),
                       .weights = oro_run_buffer(run, "weights"),
                       .breached = down ? NULL : oro_run_buffer(run, "breached"),
                       .ground = oro_run_buffer(run, "ground"),
                       .rows = oro_run_buffer(run, "rows")};
    int size = down ? s.grid.height : s.grid.width;
    if (!oro_run_ready(run))
        return;
    s.both_sides = oro_alloc((size_t)s.side * 2 + 1, sizeof *s.both_sides);
    s.total = oro_alloc((size_t)size, sizeof *s.total);
    run->no_memory = !s.both_sides || !s.total;
    if (!run->no_memory) {
        sum_weights(&s, size);
        if (down)
            oro_run_tiles(run, spread_down, &s);
        else
            oro_run_rows(run, spread_across, &s);
    }
    oro_free(s.both_sides);
    oro_free(s.total);
}
