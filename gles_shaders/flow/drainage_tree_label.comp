// The number of the cell that the pointer leads to; 0 for dry cells.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p));
    label[cell] = pass.lakes != 0.0 && end[cell] == cell ? 0.0 : float(mark[end[cell]]);
}
