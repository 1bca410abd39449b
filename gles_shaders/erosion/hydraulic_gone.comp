// What has left over the border from every block of 32 x 32 cells: water and sediment, each a sum in 64 bits.
const int SIDE = 32;

ivec2 added(ivec2 sum, ivec2 more)
{
    uint low = uint(sum.x) + uint(more.x);
    return ivec2(int(low), sum.y + more.y + (low < uint(sum.x) ? 1 : 0));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 first = p * SIDE, end = min(first + SIDE, source.size);
    ivec4 sum = ivec4(0);
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++) {
            ivec4 here = gone[oro_source_cell(ivec2(x, y))];
            sum = ivec4(added(sum.xy, here.xy), added(sum.zw, here.zw));
        }
    sums[oro_index(p)] = sum;
}
