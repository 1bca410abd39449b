#include "terrain/processor/lib/incision.h"

struct oro_incision oro_incision_of(struct oro_run *run)
{
    struct oro_map correction = {.width = run->grid.width, .height = run->grid.height};
    bool corrected = oro_run_defined(run, "CORRECTED") == 1;
    if (corrected)
        correction.values = oro_run_buffer(run, "correction");
    return (struct oro_incision){.mask = oro_run_map(run, "mask"),
                                 .uplift = oro_run_map(run, "uplift"),
                                 .erodibility = oro_run_map(run, "erodibility"),
                                 .hillslope = oro_run_map(run, "hillslope"),
                                 .correction = correction,
                                 .rain = oro_run_map(run, "rain"),
                                 .cell = run->grid.cell,
                                 .head = oro_run_float(run, "channel_head"),
                                 .came = oro_run_flag(run, "coarse") ? 0 : 0.5F,
                                 .least = corrected && oro_run_flag(run, "subsidence") ? -1e30F : 0,
                                 .n = oro_run_float(run, "n"),
                                 .m = oro_run_float(run, "m"),
                                 .slope_limit = oro_tangent(oro_radians(oro_run_float(run, "slope_limit"))),
                                 .pull = 8 / (3 * run->grid.cell * run->grid.cell)};
}

/* The same number in every row is put there once for a tile. */
static const float *row_of(const struct oro_map *map, const struct oro_tile *tile, int y, float *scratch)
{
    bool known = y > tile->y && !map->values;
    return known ? scratch : oro_map_row(map, tile->x, y, tile->width, scratch);
}

struct oro_incision_row oro_incision_row(const struct oro_incision *law, const struct oro_tile *tile, int y,
                                         struct oro_incision_scratch *scratch)
{
    return (struct oro_incision_row){.mask = row_of(&law->mask, tile, y, scratch->mask),
                                     .uplift = row_of(&law->uplift, tile, y, scratch->uplift),
                                     .erodibility = row_of(&law->erodibility, tile, y, scratch->erodibility),
                                     .hillslope = row_of(&law->hillslope, tile, y, scratch->hillslope),
                                     .correction = row_of(&law->correction, tile, y, scratch->correction),
                                     .rain = row_of(&law->rain, tile, y, scratch->rain),
                                     .least = law->least};
}
