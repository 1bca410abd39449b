// Sets all words to NaN but those of a rectangle: tests see what was read there.
void main()
{
    ivec2 p = oro_cell();
    ivec2 spared = p - ivec2(spared_x, spared_y);
    bool is_spared = all(greaterThanEqual(spared, ivec2(0))) && all(lessThan(spared, ivec2(columns, rows)));
    if (p.x < stride && p.y * stride + p.x < words && !is_spared)
        to[p.y * stride + p.x] = 0x7fc00000u;
}
