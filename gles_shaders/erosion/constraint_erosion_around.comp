// Sums over the tiles within a distance, along one axis.
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 axis = ivec2(pass.east, pass.south);
    int reach = int(pass.reach), at = p.x * axis.x + p.y * axis.y, end = grid.size.x * axis.x + grid.size.y * axis.y - 1;
    vec2 sum = vec2(0.0);
    for (int k = max(at - reach, 0); k <= min(at + reach, end); k++)
        sum += from[oro_index(p + (k - at) * axis)];
    sums[oro_index(p)] = sum;
}
