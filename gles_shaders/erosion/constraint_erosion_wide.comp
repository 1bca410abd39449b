// The heights of the grid of gorges, whose cells are `factor` times as wide: the means of theirs.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int factor = int(pass.factor);
    ivec2 first = p * factor, end = min(first + factor, source.size);
    float sum = 0.0;
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++)
            sum += ground[y * source.size.x + x];
    height[oro_index(p)] = sum / float((end.x - first.x) * (end.y - first.y));
}
