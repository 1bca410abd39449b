// The drainage tree (terrain/hydrology/routing.h has the rules, nodes/flow/drainage_tree.c the order of the
// dispatches). Cells are known by their number, row by row; NONE is no cell, and the component of all that drains to an
// outlet.

const uint NONE = 0xffffffffu;

uint cell_number(ivec2 p)
{
    return uint(p.y) * uint(grid.size.x) + uint(p.x);
}

ivec2 place_of(uint cell)
{
    return ivec2(cell % uint(grid.size.x), cell / uint(grid.size.x));
}

// The number of a saddle between neighbouring cells: 4 * (the lower number) + its direction.
const ivec2 SADDLE_STEPS[4] = ivec2[4](ivec2(1, 0), ivec2(-1, 1), ivec2(0, 1), ivec2(1, 1));

uint saddle_first(uint number)
{
    return number >> 2;
}

uint saddle_second(uint number)
{
    ivec2 d = SADDLE_STEPS[number & 3u];
    return (number >> 2) + uint(d.y * grid.size.x + d.x);
}
