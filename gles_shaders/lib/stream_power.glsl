// Stream power with bounds (Schott 2024, eq. 5). The coefficients are those of the paper, whose unit of area is one cell;
// here it is the area of a reference cell of fixed size, so that they mean the same at every resolution. The bound of the
// area alone is in cells of the level, as in the paper, or in m^2. Where time is physical (docs/time.md) no level may
// differ from another, and cells are reference cells.

#ifndef PHYSICAL_TIME // defined by kernels of simulations that may run by duration
#define PHYSICAL_TIME false
#endif

// slope^n area^m in logarithms, with what depends on parameters alone computed once.
struct power_law {
    float steepest, largest; // bounds: of the drop per cell, of the area in m^2
    float scale;             // log2 of what turns drop and area into slope and reference cells
};

// The bound of the drainage area, in m^2.
float largest_area()
{
    float side = PHYSICAL_TIME ? params.reference_cell : grid.cell;
    return params.area_limit * (params.area_unit == AREA_UNIT_CELLS ? side * side : 1.0);
}

power_law make_power_law()
{
    float reference = params.reference_cell * params.reference_cell;
    power_law law;
    law.steepest = tan(radians(params.slope_limit)) * grid.cell;
    law.largest = largest_area();
    law.scale = -params.slope_exponent * log2(grid.cell) - params.area_exponent * log2(reference);
    return law;
}

// `drop` is the drop per cell width, `area` in m^2, both >= 0. Nothing where there is no drop.
float stream_power(power_law law, float drop, float area)
{
    float power = params.slope_exponent * log2(clamp(drop, 1e-37, law.steepest)) +
                  params.area_exponent * log2(clamp(area, 1e-37, law.largest)) + law.scale;
    return drop > 0.0 ? exp2(power) : 0.0;
}

// What ground that falls by `drop` loses where `carved` were due at this slope: that, where it is little beside the drop, and
// never more than the drop down the fall line, which strong erosion approaches slowly, as the slope lessens while it is carved
// (implicitly, by its square; a second-order part makes up for the ground below, which sinks as well). Were it cut off at a
// share of the drop to one of eight neighbours, all channels would turn that way; that bound of the kernels is seldom reached.
float yielded(float carved, float drop)
{
    float ratio = min(carved / max(drop, 1e-37), 1e18);
    float more = (1.0 + 4.0 * ratio) / (1.0 + 2.0 * ratio);
    float left = 1.0 + sqrt(1.0 + 4.0 * ratio * more);
    return 4.0 * more * carved / (left * left);
}

// Stream power without bounds, in logarithms, where nothing of it is lost: n log2(drop) + area_part(area).
float area_part(power_law law, float area)
{
    return params.area_exponent * log2(max(area, 1e-37)) + law.scale;
}
