#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { AT_ONCE = 4 }; /* weights that are added in one sweep over a row */

struct blur {
    const float *from, *original, *weights;
    struct oro_map mask;
    int width, height, east, south, count;
    bool last;
    float *out;
};

/* The index of a cell among those of the raster and its mirror image, which is read backwards. */
static int unfolded(int i, int n)
{
    int rest = i % (2 * n);
    return rest < 0 ? rest + 2 * n : rest;
}

static int mirrored(int i, int n)
{
    int at = unfolded(i, n);
    return at < n ? at : 2 * n - 1 - at;
}

/* `count` cells of row y, from column x on; either may lie beyond the edges. Where they are, or made in
 * `scratch`. */
static const float *row_from(const struct blur *k, int x, int y, int count, float *scratch)
{
    const float *row = k->from + (size_t)mirrored(y, k->height) * (size_t)k->width;
    if (x >= 0 && x + count <= k->width)
        return row + x;
    for (int i = 0; i < count;) {
        int at = unfolded(x + i, k->width), end = at < k->width ? k->width : 2 * k->width;
        int run = end - at < count - i ? end - at : count - i;
        const float *back = row + (2 * k->width - 1 - at);
        if (at < k->width)
            memcpy(scratch + i, row + at, (size_t)run * sizeof *scratch);
        for (int j = 0; at >= k->width && j < run; j++)
            scratch[i + j] = back[-j];
        i += run;
    }
    return scratch;
}

/* What the cells before and after one change of it, by a weight. Relative to it: level ground stays exactly
 * level. */
ORO_INLINE float changed(float weight, float before, float middle, float after)
{
    return weight * ((before - middle) + (after - middle));
}

/* Cells of four taps, and weights. */
struct taps {
    const float *before[AT_ONCE], *after[AT_ONCE];
    float weight[AT_ONCE];
};

ORO_INLINE void add_taps(const struct taps *taps, const float *middle, int width, float *change)
{
    const float *b0 = taps->before[0], *b1 = taps->before[1], *b2 = taps->before[2], *b3 = taps->before[3];
    const float *a0 = taps->after[0], *a1 = taps->after[1], *a2 = taps->after[2], *a3 = taps->after[3];
    float w0 = taps->weight[0], w1 = taps->weight[1], w2 = taps->weight[2], w3 = taps->weight[3];
#pragma omp simd
    for (int x = 0; x < width; x++)
        change[x] = change[x] + changed(w0, b0[x], middle[x], a0[x]) + changed(w1, b1[x], middle[x], a1[x]) +
                    changed(w2, b2[x], middle[x], a2[x]) + changed(w3, b3[x], middle[x], a3[x]);
}

ORO_INLINE void find_change(const struct blur *k, const struct oro_tile *tile, int y, const float *middle,
                            float *change)
{
    float scratch[2 * AT_ONCE][ORO_TILE_WIDTH];
    struct taps taps;
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        change[x] = 0;
    for (int first = 1; first < k->count; first += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++) {
            bool counts = first + i < k->count;
            int away = counts ? first + i : 0, east = away * k->east, south = away * k->south;
            taps.weight[i] = counts ? k->weights[away] : 0;
            taps.before[i] = row_from(k, tile->x - east, y - south, tile->width, scratch[i]);
            taps.after[i] = row_from(k, tile->x + east, y + south, tile->width, scratch[AT_ONCE + i]);
        }
        add_taps(&taps, middle, tile->width, change);
    }
}

static ORO_CLONES void blur(const void *user, const struct oro_tile *tile)
{
    const struct blur *k = user;
    float scratch[ORO_TILE_WIDTH], change[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const float *middle = k->from + at, *original = k->original + at;
        float *out = k->out + at;
        find_change(k, tile, y, middle, change);
        if (k->last) {
            const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch);
#pragma omp simd
            for (int x = 0; x < tile->width; x++)
                out[x] = oro_mix(original[x], middle[x] + change[x], mask[x]);
        } else {
#pragma omp simd
            for (int x = 0; x < tile->width; x++)
                out[x] = middle[x] + change[x];
        }
    }
}

ORO_PROCESSOR(filter, blur)
{
    struct blur k = {.from = oro_run_buffer(run, "from"),
                     .original = oro_run_buffer(run, "original"),
                     .weights = oro_run_buffer(run, "weights"),
                     .mask = oro_run_map(run, "mask"),
                     .width = run->grid.width,
                     .height = run->grid.height,
                     .east = (int)oro_run_number(run, "east"),
                     .south = (int)oro_run_number(run, "south"),
                     .count = (int)oro_run_number(run, "count"),
                     .last = oro_run_number(run, "last") != 0,
                     .out = oro_run_buffer(run, "field_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, blur, &k);
}
