// Step 3: every minimum carves towards the basin across its lowest saddle. Where paths meet, the lowest height counts and the
// largest weight, so that their order does not matter. WIDE: the paths are those of the grid of gorges, and what is carved
// is the ground of the finer one.
#include "lib/constraint_erosion.glsl"
#include "lib/steps.glsl"

float step_length(uint from, uint to)
{
    return node_distance(place_of(from), place_of(to));
}

// From `cell` down to the end of its receivers: the way's length, and the end.
float way_down(uint cell, out uint end)
{
    float length_so_far = 0.0;
    for (uint to = next[cell]; to != cell; to = next[cell]) {
        length_so_far += step_length(cell, to);
        cell = to;
    }
    end = cell;
    return length_so_far;
}

// What all cells of a path share.
struct way {
    vec2 ends; // heights
    float whole; // length
    float weight;
};

// Carves a cell of height h that is `s` of the path from its beginning.
void carve_cell(int i, float h, float s, way path)
{
    float ideal = mix(path.ends.x, path.ends.y, clamp(s / path.whole, 0.0, 1.0));
    if (h > ideal && !under_water(h))
        atomicMin(carved[i], level_of(mix(h, ideal, path.weight)));
    atomicMax(gorge[i], floatBitsToUint(path.weight));
}

#if WIDE
// Carves the finer cells along the stretch between two neighbours, which are s.x and s.y of the path from its beginning.
void carve_stretch(uint from, uint to, vec2 s, way path)
{
    float half_width = 0.5 * pass.factor;
    vec2 a = (vec2(place_of(from)) + 0.5) * pass.factor, along = (vec2(place_of(to)) + 0.5) * pass.factor - a;
    ivec2 last = source.size - 1, low = clamp(ivec2(min(a, a + along) - half_width), ivec2(0), source.size);
    ivec2 high = clamp(ivec2(max(a, a + along) + half_width), ivec2(0), last);
    for (int y = low.y; y <= high.y; y++)
        for (int x = low.x; x <= high.x; x++) {
            vec2 d = vec2(x, y) + 0.5 - a;
            float t = clamp(dot(d, along) / dot(along, along), 0.0, 1.0);
            d -= t * along;
            int i = y * source.size.x + x;
            if (dot(d, d) <= half_width * half_width)
                carve_cell(i, ground[i], mix(s.x, s.y, t), path);
        }
}
#endif

// Carves from `cell` down, which is `s` of the path from its beginning; `forward` is 1 if s rises on the way.
void carve(uint cell, float s, float forward, way path)
{
    for (;;) {
#if !WIDE
        carve_cell(int(cell), height[cell], s, path);
#endif
        uint to = next[cell];
        if (to == cell)
            return;
        float then = s + forward * step_length(cell, to);
#if WIDE
        carve_stretch(cell, to, vec2(s, then), path);
#endif
        s = then;
        cell = to;
    }
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint own = uint(oro_index(p));
    if (jump[own] != own || number[own] == NONE || sum[own] == 0u)
        return;
    float drainage = float(sum[own]) * pass.unit;
    float weight = min(params.gorge_strength * exp2(params.gorge_exponent * log2(drainage)), 1.0);
    if (!(weight > 0.0))
        return;
    uint a = saddle_first(number[own]), b = saddle_second(number[own]);
    bool from_a = jump[a] == own;
    uint near = from_a ? a : b, far = from_a ? b : a, minimum, end;
    float up = way_down(near, minimum), over = step_length(near, far), down = way_down(far, end);
    vec2 ends = vec2(height[own], total_height(height[end]));
    if (is_outlet(place_of(end), height[end]))
        ends.y = min(ends.x, ends.y);
    way path = way(ends, up + over + down, weight);
#if WIDE
    carve_stretch(near, far, vec2(up, up + over), path);
#endif
    carve(near, up, -1.0, path);
    carve(far, up + over, 1.0, path);
}
