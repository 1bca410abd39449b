// Ground between coarse cells is no lower and no higher than those around, unless the cell is a valley's or a crest's: where the
// ground rises, or falls, on both sides of it within two cells on some line, it may be as much lower, or higher, again. So what
// a smooth surface leaves at the feet and the edges of slopes, moats and rims, is cut off; the rest of a cell's ground moves
// towards the cut, in proportion to the room that it has, and the cell's mean stays (as fluxes are limited by Zalesak 1979).
#include "lib/terrain.glsl"

struct limits {
    float low, high; // relative to the cell
};

// The lowest and the highest of the two next cells on one side.
vec2 side_at(ivec2 q, ivec2 step_to, float middle)
{
    float near = terrain_beyond(q + step_to) - middle, far = terrain_beyond(q + 2 * step_to) - middle;
    return vec2(min(near, far), max(near, far));
}

limits limits_of(ivec2 q, float middle)
{
    limits around = limits(0.0, 0.0);
    float valley = 0.0, crest = 0.0;
    const ivec2 lines[4] = ivec2[4](ivec2(1, 0), ivec2(0, 1), ivec2(1, 1), ivec2(1, -1));
    for (int k = 0; k < 4; k++) {
        vec2 one = side_at(q, lines[k], middle), other = side_at(q, -lines[k], middle);
        around = limits(min(around.low, min(one.x, other.x)), max(around.high, max(one.y, other.y)));
        valley = max(valley, min(one.y, other.y));
        crest = min(crest, max(one.x, other.x));
    }
    return limits(around.low - valley, around.high - crest);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int side = int(pass.side);
    ivec2 q = p / side;
    float middle = terrain_beyond(q), mean = 0.0, cut = 0.0;
    limits within = limits_of(q, middle);
    for (int k = 0; k < side * side; k++) {
        float h = surface[oro_index(q * side + ivec2(k % side, k / side))] - middle;
        mean += h;
        cut += clamp(h, within.low, within.high);
    }
    mean /= float(side * side);
    cut /= float(side * side);
    float whole = surface[oro_index(p)], h = clamp(whole - middle, within.low, within.high);
    if (cut > mean && cut > within.low)
        h = within.low + (h - within.low) * max(mean - within.low, 0.0) / (cut - within.low);
    else if (cut < mean && cut < within.high)
        h = within.high - (within.high - h) * max(within.high - mean, 0.0) / (within.high - cut);
    terrain_out[oro_index(p)] = cut == mean && h == whole - middle ? whole : middle + h;
}
