// Where shores are to be looked for: the level ground near each cell of the reference, and a bed below it (lib/shore.glsl).
#include "lib/shore.glsl"

const int REACH = 6, BESIDE = 2;
const float LEAST = 1.0; // metres, of a bed's depth

bool is_level_at(ivec2 q)
{
    return level_cells[oro_index(q)] > 0.5;
}

// How high the land around lies above the level, in the mean: a shore half way between the middles of cells has a bed as far
// below it as the land is above.
float depth_at(ivec2 p, float level)
{
    float sum = 0.0, count = 0.0, reach = 0.0;
    for (int r = 1; r <= BESIDE && count == 0.0; r++) {
        reach = float(r);
        for (int y = -r; y <= r; y++)
            for (int x = -r; x <= r; x++) {
                ivec2 q = p + ivec2(x, y);
                if (oro_inside(q) && !is_level_at(q) && reference[oro_index(q)] > level) {
                    sum += reference[oro_index(q)] - level;
                    count += 1.0;
                }
            }
    }
    return LEAST + sum / max(count * reach, 1.0);
}

// Of the nearest level ground that is not higher than `h`; of two as near, the higher.
float level_near(ivec2 p, float h)
{
    float height = NOWHERE;
    int nearest = 2 * REACH * REACH + 1;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            int far = x * x + y * y;
            if (far > nearest || !oro_inside(q) || !is_level_at(q) || reference[oro_index(q)] > h)
                continue;
            height = far < nearest ? reference[oro_index(q)] : max(height, reference[oro_index(q)]);
            nearest = far;
        }
    return height;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float h = reference[i];
    shore[i] = is_level_at(p) ? vec2(-depth_at(p, h), h) : vec2(0.0, level_near(p, h));
}
