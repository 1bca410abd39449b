/* Brings `field` from the source grid to the output's. Both cover the same ground, or with PLACED the corner of the
 * output lies at (east, south) of the source, in its cells; cells are centred. */
#include "lib/bicubic.glsl"

/* Sums are taken relative to a cell: constants stay exact, and large numbers do not cost the small ones. */
float average_between(vec2 low, vec2 high)
{
    ivec2 first = ivec2(floor(low)), last = ivec2(ceil(high)) - 1;
    float middle = field_at((first + last) / 2), sum = 0.0, area = 0.0;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++) {
            vec2 covered = min(high, vec2(x + 1, y + 1)) - max(low, vec2(x, y));
            sum += covered.x * covered.y * (field_at(ivec2(x, y)) - middle);
            area += covered.x * covered.y;
        }
    return middle + sum / area;
}

/* Beyond an edge the surface goes on along its last slope, so that no flat rims appear. */
float field_beyond(ivec2 p)
{
    ivec2 q = clamp(p, ivec2(0), source.size - 1), past = p - q;
    float edge = field_at(q), h = edge;
    if (past.x != 0)
        h += float(abs(past.x)) * (edge - field_at(ivec2(q.x - sign(past.x), q.y)));
    if (past.y != 0)
        h += float(abs(past.y)) * (edge - field_at(ivec2(q.x, q.y - sign(past.y))));
    return h;
}

float bicubic(vec2 place)
{
    vec2 whole = floor(place);
    ivec2 q = ivec2(whole);
    vec4 wx = catmull_rom(place.x - whole.x), wy = catmull_rom(place.y - whole.y);
    float middle = field_beyond(q), change = 0.0;
    for (int j = 0; j < 4; j++) {
        float row = 0.0;
        for (int i = 0; i < 4; i++)
            row += wx[i] * (field_beyond(q + ivec2(i - 1, j - 1)) - middle);
        change += wy[j] * row;
    }
    return middle + change;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
#ifdef PLACED
    vec2 scale = vec2(grid.cell / source.cell);
    vec2 low = vec2(p) * scale + vec2(pass.east, pass.south), high = low + scale;
    vec2 middle = clamp(0.5 * (low + high), vec2(0.0), vec2(source.size));
    /* What lies further out than the source reaches is like its edge. */
    low = clamp(low, vec2(-1.0), vec2(source.size));
    high = clamp(high, low + min(scale, 1.0), vec2(source.size) + 1.0);
#else
    vec2 scale = vec2(source.size) / vec2(grid.size);
    vec2 low = vec2(p) * scale, high = vec2(p + 1) * scale, middle = (vec2(p) + 0.5) * scale;
#endif
    if (scale.x > 1.0 || scale.y > 1.0)
        set_field(p, average_between(low, high));
    else
        set_field(p, bicubic(middle - 0.5));
}
