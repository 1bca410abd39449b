// Marks the cells that something leads to; for lakes, something other than the cell itself.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p));
    if (pass.lakes == 0.0 || end[cell] != cell)
        mark[end[cell]] = 1u;
}
