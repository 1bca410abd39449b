// Stream power with bounds (Schott 2024, eq. 5). The coefficients are those of the paper, whose unit of area is one cell;
// here it is the area of a reference cell of fixed size, so that they mean the same at every resolution. The bound of the
// area alone is in cells of the level, as in the paper, or in m^2. Where time is physical (docs/time.md) no level may
// differ from another, and cells are reference cells.

// slope^n area^m in logarithms, with what depends on parameters alone computed once.
struct power_law {
    float steepest, largest; // bounds: of the drop per cell, of the area in m^2
    float scale;             // log2 of what turns drop and area into slope and reference cells
};

// The bound of the drainage area, in m^2.
float largest_area()
{
    float side = params.iterations > 0 ? grid.cell : params.reference_cell;
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

float log_area(float area)
{
    return params.area_exponent * log2(max(area, 1e-37));
}

// The same without bounds: no canyon comes of what a stream can carry.
float unbounded_power(power_law law, float drop, float area)
{
    float power = params.slope_exponent * log2(max(drop, 1e-37)) + log_area(area) + law.scale;
    return drop > 0.0 ? exp2(min(power, 100.0)) : 0.0;
}

// The drop per cell width at which that is `power`, up to the bound of the drop.
float drop_of_power(power_law law, float power, float area)
{
    float drop = (log2(clamp(power, 1e-37, 1e37)) - log_area(area) - law.scale) / max(params.slope_exponent, 1e-3);
    return min(exp2(clamp(drop, -100.0, 100.0)), law.steepest);
}

// `drop` is the drop per cell width, `area` in m^2, both >= 0. Nothing where there is no drop.
float stream_power(power_law law, float drop, float area)
{
    float power = params.slope_exponent * log2(clamp(drop, 1e-37, law.steepest)) +
                  params.area_exponent * log2(clamp(area, 1e-37, law.largest)) + law.scale;
    return drop > 0.0 ? exp2(power) : 0.0;
}
