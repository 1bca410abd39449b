// The gradient constraint of step 5, and land that stays above the sea. `difference` is h - c; wide neighbourhoods come as
// means along the rows.
#include "lib/constraint_erosion.glsl"

const float STRONGEST = 0.9;

#if WIDE
float mean_around(ivec2 p)
{
    int reach = int(pass.reach), first = max(p.y - reach, 0), end = min(p.y + reach, grid.size.y - 1);
    float sum = 0.0;
    for (int y = first; y <= end; y++)
        sum += rows[oro_index(ivec2(p.x, y))];
    float weight = float(end - first + 1);
    if (first > 0) {
        sum += pass.rim * rows[oro_index(ivec2(p.x, first - 1))];
        weight += pass.rim;
    }
    if (end + 1 < grid.size.y) {
        sum += pass.rim * rows[oro_index(ivec2(p.x, end + 1))];
        weight += pass.rim;
    }
    return sum / weight;
}
#else
float mean_around(ivec2 p)
{
    float sum = 0.0, count = 0.0;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1;
        if (!is_neighbour(d) || !oro_inside(p + d))
            continue;
        sum += difference[oro_index(p + d)];
        count += 1.0;
    }
    return count > 0.0 ? sum / count : difference[oro_index(p)];
}
#endif

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float own = difference[i], c = constraint[i];
    float weight = min(gradient_strength_at(p) * pass.gradient, STRONGEST) * (1.0 - uintBitsToFloat(gorge[i]));
    float h = c + mix(own, mean_around(p), weight);
    if (!(abs(h) < 1e37)) // has left the range of floats
        h = c;
    height[i] = c > params.sea_level ? max(h, min(c, params.sea_level + pass.coast)) : h;
}
