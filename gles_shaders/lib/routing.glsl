// Exact drainage (terrain/hydrology/routing.h has the rules; nodes/flow/drainage_tree.c the order of the passes). Cells are known by their
// number, row by row; NONE is no cell, and the component of all that drains to an outlet.

const uint NONE = 0xffffffffu;

uint cell_number(ivec2 p)
{
    return uint(p.y) * uint(grid.size.x) + uint(p.x);
}

ivec2 place_of(uint cell)
{
    return ivec2(cell % uint(grid.size.x), cell / uint(grid.size.x));
}

// A pass between neighbouring cells: 4 * (the lower number) + its direction.
const ivec2 PASS_STEPS[4] = ivec2[4](ivec2(1, 0), ivec2(-1, 1), ivec2(0, 1), ivec2(1, 1));

uint pass_first(uint number)
{
    return number >> 2;
}

uint pass_second(uint number)
{
    ivec2 d = PASS_STEPS[number & 3u];
    return (number >> 2) + uint(d.y * grid.size.x + d.x);
}
