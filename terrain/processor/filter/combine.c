#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum method { ADD, SUBTRACT, MULTIPLY, MIN, MAX, SMOOTH_MIN, SMOOTH_MAX, LERP };

struct combine {
    struct oro_map a, b, t, mask;
    enum method method;
    float smoothness;
    struct oro_setter field;
};

ORO_INLINE float rounding(float a, float b, float k)
{
    float overlap = oro_max(k - oro_abs(a - b), 0);
    return k > 0 ? overlap * overlap / (4 * k) : 0;
}

/* `method` is known when the function is compiled. */
ORO_INLINE float combined(enum method method, float a, float b, float t, float smoothness)
{
    switch (method) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case MIN:
        return oro_min(a, b);
    case MAX:
        return oro_max(a, b);
    case SMOOTH_MIN:
        return oro_min(a, b) - rounding(a, b, smoothness);
    case SMOOTH_MAX:
        return oro_max(a, b) + rounding(a, b, smoothness);
    case LERP:
        return oro_mix(a, b, t);
    }
    return a;
}

ORO_INLINE void combine_tile(const struct combine *k, const struct oro_tile *tile, enum method method)
{
    float scratch[4][ORO_TILE_WIDTH], field[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *a = oro_map_row(&k->a, tile->x, y, tile->width, scratch[0]);
        const float *b = oro_map_row(&k->b, tile->x, y, tile->width, scratch[1]);
        const float *t = oro_map_row(&k->t, tile->x, y, tile->width, scratch[2]);
        const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch[3]);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            field[x] = oro_mix(a[x], combined(method, a[x], b[x], t[x], k->smoothness), mask[x]);
        oro_set_row(&k->field, tile->x, y, tile->width, field);
    }
}

static ORO_CLONES void combine(const void *user, const struct oro_tile *tile)
{
    const struct combine *k = user;
    switch (k->method) {
    case ADD:
        combine_tile(k, tile, ADD);
        break;
    case SUBTRACT:
        combine_tile(k, tile, SUBTRACT);
        break;
    case MULTIPLY:
        combine_tile(k, tile, MULTIPLY);
        break;
    case MIN:
        combine_tile(k, tile, MIN);
        break;
    case MAX:
        combine_tile(k, tile, MAX);
        break;
    case SMOOTH_MIN:
        combine_tile(k, tile, SMOOTH_MIN);
        break;
    case SMOOTH_MAX:
        combine_tile(k, tile, SMOOTH_MAX);
        break;
    case LERP:
        combine_tile(k, tile, LERP);
        break;
    }
}

ORO_PROCESSOR(filter, combine)
{
    struct combine k = {.a = oro_run_map(run, "a"),
                        .b = oro_run_map(run, "b"),
                        .t = oro_run_map(run, "t"),
                        .mask = oro_run_map(run, "mask"),
                        .method = (enum method)oro_run_int(run, "method"),
                        .smoothness = oro_run_float(run, "smoothness"),
                        .field = oro_run_setter(run, "field")};
    if (oro_run_ready(run))
        oro_run_tiles(run, combine, &k);
}
