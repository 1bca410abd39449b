// Brings `field` from the source grid to the output's. Both cover the same ground; cells are centred.
#include "lib/bicubic.glsl"

float average(vec2 low, vec2 high)
{
    ivec2 first = ivec2(floor(low)), last = ivec2(ceil(high)) - 1;
    float sum = 0.0;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++) {
            vec2 covered = min(high, vec2(x + 1, y + 1)) - max(low, vec2(x, y));
            sum += covered.x * covered.y * field_at(ivec2(x, y));
        }
    vec2 side = high - low;
    return sum / (side.x * side.y);
}

float bicubic(vec2 x)
{
    ivec2 base = ivec2(floor(x));
    vec4 wx = catmull_rom(x.x - float(base.x)), wy = catmull_rom(x.y - float(base.y));
    float sum = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sum += wx[i] * wy[j] * field_at(base + ivec2(i - 1, j - 1));
    return sum;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 scale = vec2(source.size) / vec2(grid.size);
    if (scale.x > 1.0)
        set_field(p, average(vec2(p) * scale, vec2(p + 1) * scale));
    else
        set_field(p, bicubic((vec2(p) + 0.5) * scale - 0.5));
}
