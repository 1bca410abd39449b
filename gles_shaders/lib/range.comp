// The lowest and the highest value in every block of 32 x 32 cells; 1 and -1 if one of them is infinite, or no number.
const int SIDE = 32;

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 first = p * SIDE, end = min(first + SIDE, source.size);
    float low = values[oro_source_cell(first)], high = low;
    bool is_finite = true;
    for (int y = first.y; y < end.y; y++) {
        int i = oro_source_cell(ivec2(first.x, y));
        for (int last = i + end.x - first.x; i < last; i++) {
            float value = values[i];
            is_finite = is_finite && (floatBitsToUint(value) & 0x7fffffffu) < 0x7f800000u;
            low = min(low, value);
            high = max(high, value);
        }
    }
    range[oro_index(p)] = is_finite ? vec2(low, high) : vec2(1.0, -1.0);
}
