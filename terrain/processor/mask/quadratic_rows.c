#include "terrain/processor/lib/parabola.h"

struct rows {
    struct oro_fit_window window;
    int width;
    const float *terrain;
    float *value, *slope, *bend;
};

/* Cells `x` to `end` of a row, which have samples at the same distances. */
ORO_INLINE void fit(const struct rows *k, const struct oro_parabola *line, int x, int end, int y)
{
    float one[ORO_TILE_WIDTH], straight[ORO_TILE_WIDTH], bent[ORO_TILE_WIDTH];
    size_t at = (size_t)y * (size_t)k->width + (size_t)x;
    const float *here = k->terrain + at;
    float *value = k->value + at, *slope = k->slope + at, *bend = k->bend + at;
#pragma omp simd
    for (int i = 0; i < end - x; i++)
        one[i] = straight[i] = bent[i] = 0;
    for (int sample = line->first; sample <= line->last; sample++) {
        const float *there = here + (ptrdiff_t)sample * k->window.stride;
        float b0 = line->basis[0][sample + ORO_SAMPLES_SIDE], b1 = line->basis[1][sample + ORO_SAMPLES_SIDE];
        float b2 = line->basis[2][sample + ORO_SAMPLES_SIDE];
#pragma omp simd
        for (int i = 0; i < end - x; i++) {
            float rise = there[i] - here[i];
            one[i] += rise * b0;
            straight[i] += rise * b1;
            bent[i] += rise * b2;
        }
    }
#pragma omp simd
    for (int i = 0; i < end - x; i++) {
        struct oro_fitted fitted = oro_fitted(line, one[i], straight[i], bent[i]);
        value[i] = here[i] + fitted.level;
        slope[i] = fitted.slope;
        bend[i] = fitted.bend;
    }
}

static ORO_CLONES void fit_rows(const void *user, const struct oro_tile *tile)
{
    const struct rows *k = user;
    int last = tile->x + tile->width;
    for (int x = tile->x, end = x; x < last; x = end) {
        struct oro_parabola line = oro_parabola_around(&k->window, x, k->width);
        while (end < last && oro_parabola_has(&k->window, end, k->width, &line))
            end++;
        for (int y = tile->y; y < tile->y + tile->height; y++)
            fit(k, &line, x, end, y);
    }
}

ORO_PROCESSOR(mask, quadratic_rows)
{
    struct rows k = {.window = oro_fit_window_of(run),
                     .width = run->grid.width,
                     .terrain = oro_run_buffer(run, "terrain"),
                     .value = oro_run_buffer(run, "row_value"),
                     .slope = oro_run_buffer(run, "row_slope"),
                     .bend = oro_run_buffer(run, "row_bend")};
    if (oro_run_ready(run))
        oro_run_tiles(run, fit_rows, &k);
}
