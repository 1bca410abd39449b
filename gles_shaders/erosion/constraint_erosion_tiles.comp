// Sums of relief (c - h) and of relief: along rows of tiles, then down their columns.
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
        sum += relief[i] * vec2(constraint[i] - height[i], 1.0);
    }
#endif
    sums[oro_index(p)] = sum;
}
