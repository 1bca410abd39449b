#include "terrain/processor/lib/stream_power.h"

struct oro_power_law oro_power_law_of(struct oro_run *run)
{
    return oro_power_law_in(run, oro_run_int(run, "iterations") == 0);
}

struct oro_power_law oro_power_law_in(struct oro_run *run, bool physical_time)
{
    enum { CELLS, SQUARE_METRES };
    float cell = run->grid.cell, reference = oro_run_float(run, "reference_cell");
    float side = physical_time ? reference : cell;
    struct oro_power_law law = {.steepest =
                                    oro_tangent(oro_radians(oro_run_float(run, "slope_limit"))) * cell,
                                .largest = oro_run_float(run, "area_limit"),
                                .slope_exponent = oro_run_float(run, "slope_exponent"),
                                .area_exponent = oro_run_float(run, "area_exponent")};
    if (oro_run_int(run, "area_unit") == CELLS)
        law.largest *= side * side;
    law.scale = -law.slope_exponent * oro_log2(cell) - law.area_exponent * oro_log2(reference * reference);
    return law;
}
