// Drainage area in m^2 from what drains through each cell.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
#if RAIN
    float amount = float(rain_high[cell]) * 4096.0 + float(rain_low[cell]) * (1.0 / 1048576.0);
#else
    float amount = float(cells[cell]);
#endif
    area[cell] = amount * (grid.cell * grid.cell);
}
