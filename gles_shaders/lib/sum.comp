// Sums blocks of 32 x 32 cells: eight runs side by side in every row, and in every run the rows, so that rounding does
// not pile up.
const int SIDE = 32;

// Four cells of a row, and 0 for those from `end` on.
vec4 four_at(ivec2 q, int end)
{
    int i = oro_source_cell(q);
    return vec4(q.x < end ? values[i] : 0.0, q.x + 1 < end ? values[i + 1] : 0.0, q.x + 2 < end ? values[i + 2] : 0.0,
                q.x + 3 < end ? values[i + 3] : 0.0);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 first = p * SIDE, end = min(first + SIDE, source.size);
    vec4 west = vec4(0.0), east = vec4(0.0);
    for (int y = first.y; y < end.y; y++) {
        vec4 row_west = vec4(0.0), row_east = vec4(0.0);
        for (int x = first.x; x < end.x; x += 8) {
            row_west += four_at(ivec2(x, y), end.x);
            row_east += four_at(ivec2(x + 4, y), end.x);
        }
        west += row_west;
        east += row_east;
    }
    vec4 both = west + east;
    sums[oro_index(p)] = (both.x + both.y) + (both.z + both.w);
}
