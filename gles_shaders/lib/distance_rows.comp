/*
 * The column whose marked cell is nearest to a cell: the one with the least (x - x')^2 + g(x')^2, where g is the
 * distance along the column x'; the westernmost of equals; -1: there is none at all.
 *
 * Of two columns, the eastern one gains 2 (x'' - x') on the other with every step east. So the best column never moves
 * west while x moves east, and once it is known for the cells a stride to the west and to the east, it need only be
 * looked for from the one to the other. Cells are counted from 1: a dispatch takes odd multiples of its stride, and all
 * even ones are done. For a row, a dispatch looks at about as many columns as the row has, and at those of the bounds.
 */
#include "lib/distance_square.glsl"

struct found {
    int column;
    uvec2 squared;
};

void take(inout found best, int x, int last, int row, ivec2 p)
{
    int y = nearest[row + min(x, last)];
    uvec2 squared = distance_square(ivec2(x, y) - p);
    if (x <= last && y >= 0 && is_nearer(squared, best.squared))
        best = found(x, squared);
}

void main()
{
    int stride = int(pass.stride);
    ivec2 p = oro_cell() * ivec2(2 * stride, 1) + ivec2(stride - 1, 0);
    if (!oro_inside(p))
        return;
    int row = oro_index(ivec2(0, p.y)), west = p.x - stride, east = p.x + stride;
    int first = west < 0 ? 0 : max(column[row + west], 0);
    int last = east < grid.size.x ? column[row + east] : grid.size.x - 1;
    found best = found(-1, uvec2(0xffffffffu));
    for (int x = first; x <= last; x += 4) { /* llvmpipe leaves loops after 65535 rounds */
        take(best, x, last, row, p);
        take(best, x + 1, last, row, p);
        take(best, x + 2, last, row, p);
        take(best, x + 3, last, row, p);
    }
    column[row + p.x] = best.column;
}
