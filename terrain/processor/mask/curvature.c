#include "terrain/processor/lib/quadratic.h"

struct curvature {
    struct oro_quadratic_rows rows;
    struct oro_map contrast;
    float radius, cell; /* radius: a cell at least */
    struct oro_setter field, mean, profile, plan;
};

ORO_INLINE void measure_row(const struct curvature *k, const struct oro_tile *tile, int y,
                            const struct oro_quadratic *fit)
{
    float scratch[ORO_TILE_WIDTH], field[ORO_TILE_WIDTH], mean[ORO_TILE_WIDTH], profile[ORO_TILE_WIDTH];
    float plan[ORO_TILE_WIDTH];
    const float *contrast = oro_map_row(&k->contrast, tile->x, y, tile->width, scratch);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        field[x] = 0.5F + 0.5F * oro_bulge(fit, x, k->radius, contrast[x]);
        mean[x] = oro_mean_curvature(fit, x);
        profile[x] = oro_profile_curvature(fit, x);
        plan[x] = oro_plan_curvature(fit, x, k->cell);
    }
    oro_set_row(&k->field, tile->x, y, tile->width, field);
    oro_set_row(&k->mean, tile->x, y, tile->width, mean);
    oro_set_row(&k->profile, tile->x, y, tile->width, profile);
    oro_set_row(&k->plan, tile->x, y, tile->width, plan);
}

static ORO_CLONES void measure(const void *user, const struct oro_tile *tile)
{
    const struct curvature *k = user;
    struct oro_parabola line = oro_parabola_around(&k->rows.window, tile->y, k->rows.height);
    struct oro_quadratic fit;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        if (!oro_parabola_has(&k->rows.window, y, k->rows.height, &line))
            line = oro_parabola_around(&k->rows.window, y, k->rows.height);
        oro_quadratic_row(&k->rows, tile, y, &line, &fit);
        measure_row(k, tile, y, &fit);
    }
}

ORO_PROCESSOR(mask, curvature)
{
    struct curvature k = {.rows = oro_quadratic_of(run),
                          .contrast = oro_run_map(run, "contrast"),
                          .radius = oro_max(oro_run_float(run, "radius"), run->grid.cell),
                          .cell = run->grid.cell,
                          .field = oro_run_setter(run, "field"),
                          .mean = oro_run_setter(run, "mean"),
                          .profile = oro_run_setter(run, "profile"),
                          .plan = oro_run_setter(run, "plan")};
    if (oro_run_ready(run))
        oro_run_tiles(run, measure, &k);
}
