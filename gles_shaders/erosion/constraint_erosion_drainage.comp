// Converts what drains through each cell from fixed point.
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    drained[i] = float(sum[i]) * pass.unit;
}
