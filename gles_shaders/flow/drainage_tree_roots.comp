// Pointers that, followed to their end, lead to the cell that names a cell's watershed (its outlet) or lake (the first
// dry cell on its way down, where it spills over). Nothing is marked yet.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
#if LAKES
    pointer[i] = level[i] > z[i] ? next[i] : uint(i);
#else
    pointer[i] = next[i];
#endif
    mark[i] = 0u;
}
