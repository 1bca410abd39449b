// The largest magnitude in every block of 32 x 32 cells; of VECTORS, that of their components.
const int SIDE = 32;

#if VECTORS
float magnitude(vec2 v)
{
    return max(abs(v.x), abs(v.y));
}
#else
float magnitude(float v)
{
    return abs(v);
}
#endif

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 first = p * SIDE, end = min(first + SIDE, source.size);
    float most = 0.0;
    for (int y = first.y; y < end.y; y++) {
        int i = oro_source_cell(ivec2(first.x, y));
        for (int last = i + end.x - first.x; i < last; i++)
            most = max(most, magnitude(values[i]));
    }
    largest[oro_index(p)] = most;
}
