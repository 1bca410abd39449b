// Points, as row and column of the cell, and elevation: their CORRECTIONS, or their ELEVATIONS where the mask allows. They are sorted,
// no cell comes twice, and every cell looks whether it has one. Where the ground is no number, or beyond all ground,
// there is nothing to correct, as in retarget_delta.comp.
#include "lib/retarget.glsl"

// The first point that does not come before a cell.
int find_point(ivec2 p)
{
    int first = 0, end = int(pass.count);
    while (first < end) {
        int middle = (first + end) / 2;
        ivec4 point = points[middle];
        if (point.x < p.y || (point.x == p.y && point.y < p.x))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int point = find_point(p);
    if (point >= int(pass.count) || points[point].xy != p.yx)
        return;
    int i = oro_index(p);
    float elevation = intBitsToFloat(points[point].z);
#if defined(CORRECTIONS)
    float difference = elevation - ground[i];
    bool known = abs(difference) < 1e30;
    fixed_out[i] = known ? 1.0 : 0.0;
    to[i] = known ? difference : 0.0;
#else
    if (fixed_out[i] > 0.5)
        to[i] = masked(p, ground[i], elevation);
#endif
}
