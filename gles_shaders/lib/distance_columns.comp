/*
 * One step of jump flooding (Rong 2006) along the columns: the row of the nearest marked cell that is known; -1: none
 * is known.
 *
 * Along a line, jump flooding is exact. Let a marked cell lie d cells from a cell, none nearer. To every cell between
 * the two it is a nearest one as well, so none of them prefers one that is farther from the cell. The strides that add
 * up to d lead from the marked cell to the cell over such cells, the longest first; they are all tried in that order.
 */

void take(ivec2 p, int stride, inout int best)
{
    int y = p.y + stride;
    int other = uint(y) < uint(grid.size.y) ? nearest[oro_index(ivec2(p.x, y))] : -1;
    if (other >= 0 && (best < 0 || abs(other - p.y) < abs(best - p.y)))
        best = other;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int stride = int(pass.stride), best = nearest[oro_index(p)];
    take(p, -stride, best);
    take(p, stride, best);
    nearest_out[oro_index(p)] = best;
}
