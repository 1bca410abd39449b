// Sums of c - h, and counts, where c is above the sea: along rows of tiles, then down their columns.
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int side = int(pass.tile);
    vec2 sum = vec2(0.0);
#if DOWN
    for (int y = p.y * side; y < min(p.y * side + side, source.size.y); y++)
        sum += rows[y * grid.size.x + p.x];
#else
    for (int x = p.x * side; x < min(p.x * side + side, source.size.x); x++) {
        int i = p.y * source.size.x + x;
        float c = constraint[i];
        if (c > params.sea_level)
            sum += vec2(c - height[i], 1.0);
    }
#endif
    sums[oro_index(p)] = sum;
}
