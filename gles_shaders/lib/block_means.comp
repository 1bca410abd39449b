// The mean of every block of pass.side cells; with TARGET, what is missing to the mean that is wanted. Sums are taken
// relative to a cell: large numbers do not cost the small ones.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int side = int(pass.side);
    ivec2 first = p * side, last = min(first + side, source.size) - 1;
    float middle = values[oro_source_cell(first)], sum = 0.0;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++)
            sum += values[oro_source_cell(ivec2(x, y))] - middle;
    ivec2 covered = last - first + 1;
    float offset = sum / float(covered.x * covered.y);
#if TARGET
    means[oro_index(p)] = (wanted[oro_index(p)] - middle) - offset;
#else
    means[oro_index(p)] = middle + offset;
#endif
}
