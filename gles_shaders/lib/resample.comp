/* Brings `field` from the source grid to the output's. Both cover the same ground, or with PLACED the corner of the
 * output lies at (east, south) of the source, in its cells; cells are centred. Coarser cells are averages of what they cover;
 * finer ones lie on a surface through the cells, which pass.method chooses. */
#include "lib/bicubic.glsl"

const float MONOTONE = 0.0, CATMULL_ROM = 1.0, B_SPLINE = 2.0; /* enum oro_resampling; 3: bilinear */

/* Sums are taken relative to a cell, row by row: constants stay exact, and large numbers do not cost the small ones. */
float average_between(vec2 low, vec2 high)
{
    ivec2 first = ivec2(floor(low)), last = ivec2(ceil(high)) - 1;
    float middle = field_at((first + last) / 2), sum = 0.0, area = 0.0;
    for (int y = first.y; y <= last.y; y++) {
        float down = min(high.y, float(y + 1)) - max(low.y, float(y)), row = 0.0, width = 0.0;
        for (int x = first.x; x <= last.x; x++) {
            float across = min(high.x, float(x + 1)) - max(low.x, float(x));
            row += across * (field_at(ivec2(x, y)) - middle);
            width += across;
        }
        sum += down * row;
        area += down * width;
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

/* Between h.y and h.z, never beyond them and never back on its way: the cubic whose slopes there are Catmull and Rom's, but no
 * steeper than three times the rise (Fritsch and Carlson 1980), cut off where one of them is a crest or a valley. */
float along(vec4 h, float t)
{
    float rise = h.z - h.y, most = 3.0 * abs(rise), u = 1.0 - t;
    float begin = 0.5 * (h.z - h.x), end = 0.5 * (h.w - h.y);
    if (begin * rise > 0.0)
        begin = clamp(begin, -most, most);
    if (end * rise > 0.0)
        end = clamp(end, -most, most);
    float cubic = h.y + (rise * (t * t * (3.0 - 2.0 * t)) + t * u * (u * begin - t * end));
    return clamp(cubic, min(h.y, h.z), max(h.y, h.z));
}

/* Nothing is lower than the lowest, or higher than the highest, of the cells around, also beyond the middles of the last ones. The
 * mean of both orders of the axes, as none is to be preferred. */
float monotone(vec2 place)
{
    place = clamp(place, vec2(0.0), vec2(source.size - 1));
    ivec2 q = ivec2(place);
    vec2 t = place - vec2(q);
    vec4 rows[4], east, south;
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++)
            rows[j][i] = field_beyond(q + ivec2(i - 1, j - 1));
        east[j] = along(rows[j], t.x);
    }
    for (int i = 0; i < 4; i++)
        south[i] = along(vec4(rows[0][i], rows[1][i], rows[2][i], rows[3][i]), t.y);
    return 0.5 * (along(east, t.y) + along(south, t.x));
}

vec4 weights(float t)
{
    if (pass.method == CATMULL_ROM)
        return catmull_rom(t);
    return pass.method == B_SPLINE ? b_spline(t) : vec4(0.0, 1.0 - t, t, 0.0);
}

float weighted(vec2 place)
{
    vec2 whole = floor(place);
    ivec2 q = ivec2(whole);
    vec4 wx = weights(place.x - whole.x), wy = weights(place.y - whole.y);
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
    else if (pass.method == MONOTONE)
        set_field(p, monotone(middle - 0.5));
    else
        set_field(p, weighted(middle - 0.5));
}
