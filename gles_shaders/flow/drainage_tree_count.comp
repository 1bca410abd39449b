// Counts the marked cells of every block of 256, or numbers them on from what comes before their block.

void main()
{
    ivec2 p = oro_cell();
    int block = p.y * grid.size.x + p.x, cells = source.size.x * source.size.y;
    if (p.x >= grid.size.x || block * 256 >= cells)
        return;
#if ASSIGN
    uint count = counts[block];
#else
    uint count = 0u;
#endif
    for (int i = block * 256; i < min(block * 256 + 256, cells); i++) {
        if (mark[i] == 0u)
            continue;
        count++;
#if ASSIGN
        mark[i] = count;
#endif
    }
#if !ASSIGN
    counts[block] = count;
#endif
}
