// Marks the places that get their height back: RIDGES by drainage area, PEAKS that are the highest cell around them,
// FIELD where a field says so, or NONE.

bool is_place(ivec2 p)
{
    int i = oro_index(p);
#if defined(RIDGES)
    float area = ridge_area_at(p);
    return value[i] < (area > 0.0 ? area : 2.0 * grid.cell * grid.cell);
#elif defined(PEAKS)
    return floatBitsToInt(value[i]) == p.y * grid.size.x + p.x;
#elif defined(FIELD)
    return value[i] > 0.5;
#else
    return false;
#endif
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    bool was = pass.add != 0.0 && fixed_out[i] > 0.5;
    fixed_out[i] = was || is_place(p) ? 1.0 : 0.0;
}
