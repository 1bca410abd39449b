// Where shores are to be looked for: the level ground near each cell of the reference, and a bed below it (lib/shore.glsl).
#include "lib/shore.glsl"

const int BESIDE = 2;
const float LEAST = 1.0; // metres, of a bed's depth

bool is_level_at(ivec2 q)
{
    return level[oro_index(q)] == reference[oro_index(q)];
}

// As far as the lowest land beside it lies above the level: a shore half way between the middles of cells has a bed as far below
// it as the land is above, and a low beach must not be drowned by what rises beyond.
float depth_at(ivec2 p, float h)
{
    float lowest = 3e38, reach = 1.0;
    for (int r = 1; r <= BESIDE && lowest == 3e38; r++) {
        reach = float(r);
        for (int y = -r; y <= r; y++)
            for (int x = -r; x <= r; x++) {
                ivec2 q = p + ivec2(x, y);
                if (oro_inside(q) && !is_level_at(q) && reference[oro_index(q)] > h)
                    lowest = min(lowest, reference[oro_index(q)] - h);
            }
    }
    return LEAST + (lowest < 3e38 ? lowest / reach : 0.0);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float h = reference[i];
    bool found = level[i] <= h;
    near[i] = found ? 1.0 : 0.0;
    shore[i] = vec2(is_level_at(p) ? -depth_at(p, h) : 0.0, found ? level[i] : NOWHERE);
}
