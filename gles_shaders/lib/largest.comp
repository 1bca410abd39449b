// The largest magnitude of every block of 1024 values.

void main()
{
    ivec2 p = oro_cell();
    int block = p.y * grid.size.x + p.x, cells = source.size.x * source.size.y;
    if (p.x >= grid.size.x || block * 1024 >= cells)
        return;
    float most = 0.0;
    for (int i = block * 1024; i < min(block * 1024 + 1024, cells); i++)
        most = max(most, abs(values[i]));
    largest[block] = most;
}
