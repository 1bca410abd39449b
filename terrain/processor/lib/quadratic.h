/* The second half of a quadratic fit, along the columns, and curvatures of the fitted surface:
 * gles_shaders/lib/quadratic.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_QUADRATIC_H
#define ORO_TERRAIN_PROCESSOR_LIB_QUADRATIC_H

#include <math.h>

#include "terrain/processor/lib/parabola.h"

struct oro_quadratic_rows {
    struct oro_fit_window window;
    int width, height;
    const float *value, *slope, *bend;
};

ORO_INLINE struct oro_quadratic_rows oro_quadratic_of(struct oro_run *run)
{
    return (struct oro_quadratic_rows){oro_fit_window_of(run),
                                       run->grid.width,
                                       run->grid.height,
                                       oro_run_buffer(run, "row_value"),
                                       oro_run_buffer(run, "row_slope"),
                                       oro_run_buffer(run, "row_bend")};
}

/* Along a row of a tile: of the plane fitted alone, its level; slopes in metres per metre; second
 * derivatives, per metre. */
typedef float oro_quadratic_part[ORO_TILE_WIDTH];
struct oro_quadratic {
    oro_quadratic_part level, east, south, east_east, east_south, south_south;
};

ORO_INLINE void oro_quadratic_add(const struct oro_quadratic_rows *k, const struct oro_parabola *line,
                                  int sample, size_t here, int width, struct oro_quadratic *sums)
{
    size_t there = here + (size_t)((ptrdiff_t)sample * k->window.stride * k->width);
    const float *value = k->value + there, *slope = k->slope + there, *bend = k->bend + there;
    const float *middle = k->value + here;
    float b0 = line->basis[0][sample + ORO_SAMPLES_SIDE], b1 = line->basis[1][sample + ORO_SAMPLES_SIDE];
    float b2 = line->basis[2][sample + ORO_SAMPLES_SIDE];
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float rise = value[x] - middle[x];
        sums->level[x] += rise * b0;
        sums->south[x] += rise * b1;
        sums->south_south[x] += rise * b2;
        sums->east[x] += slope[x] * b0;
        sums->east_south[x] += slope[x] * b1;
        sums->east_east[x] += bend[x] * b0;
    }
}

/* `line` is that of row y. */
ORO_INLINE void oro_quadratic_row(const struct oro_quadratic_rows *k, const struct oro_tile *tile, int y,
                                  const struct oro_parabola *line, struct oro_quadratic *fit)
{
    size_t here = (size_t)y * (size_t)k->width + (size_t)tile->x;
    const float *middle = k->value + here;
    memset(fit, 0, sizeof *fit);
    for (int sample = line->first; sample <= line->last; sample++)
        oro_quadratic_add(k, line, sample, here, tile->width, fit);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        struct oro_fitted along = oro_fitted(line, fit->level[x], fit->south[x], fit->south_south[x]);
        struct oro_fitted across = oro_fitted(line, fit->east[x], fit->east_south[x], 0);
        fit->level[x] = middle[x] + along.level;
        fit->east[x] = across.level;
        fit->south[x] = along.slope;
        fit->east_east[x] = fit->east_east[x] / line->norms[0];
        fit->east_south[x] = across.slope;
        fit->south_south[x] = along.bend;
    }
}

/* ---- Curvatures of the surface in column x, in 1/m ---- */

ORO_INLINE float oro_mean_curvature(const struct oro_quadratic *f, int x)
{
    float p = f->east[x], q = f->south[x], steep = 1 + (p * p + q * q);
    float bent =
        (1 + q * q) * f->east_east[x] - 2 * p * q * f->east_south[x] + (1 + p * p) * f->south_south[x];
    return -0.5F * bent / (steep * sqrtf(steep));
}

/* The second derivative in a direction. */
ORO_INLINE float oro_bend_along(const struct oro_quadratic *f, int x, float east, float south)
{
    return east * east * f->east_east[x] + 2 * east * south * f->east_south[x] +
           south * south * f->south_south[x];
}

ORO_INLINE float oro_profile_curvature(const struct oro_quadratic *f, int x)
{
    float p = f->east[x], q = f->south[x], tangent = sqrtf(p * p + q * q), steep = 1 + tangent * tangent;
    float safe = oro_max(tangent, 1e-37F), bent = oro_bend_along(f, x, p / safe, q / safe);
    return tangent > 0 ? -bent / (steep * sqrtf(steep)) : 0;
}

/* At most a circle of one cell. */
ORO_INLINE float oro_plan_curvature(const struct oro_quadratic *f, int x, float cell)
{
    float p = f->east[x], q = f->south[x], tangent = sqrtf(p * p + q * q), limit = 1 / cell;
    float safe = oro_max(tangent, 1e-37F), bent = -oro_bend_along(f, x, -q / safe, p / safe);
    float held = oro_clamp(bent / safe, -limit, limit);
    return tangent > 0 ? held : 0;
}

ORO_INLINE float oro_bulge(const struct oro_quadratic *f, int x, float radius, float contrast)
{
    float turn = contrast * oro_mean_curvature(f, x) * radius;
    return turn / sqrtf(1 + turn * turn);
}

#endif
