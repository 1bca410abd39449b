/*
 * One element of a tensor field (Zhang 2007), laid over the field so far. A tensor [[a, b], [b, -a]] is (a, b): a
 * vector at twice the angle of its direction, so that opposite directions are the same and sums are blends.
 */
const float PI = 3.14159265358979;

/* The tensor of a direction with that angle, clockwise from east. */
vec2 tensor_of(float angle)
{
    return vec2(cos(2.0 * angle), sin(2.0 * angle));
}

/* Directions at `turns` times the angle of the place about the centre; none at the centre itself. Whole turns
 * of a tensor are two of its direction: 2 for circles and rays, 1 and -1 for half a turn either way. */
vec2 singular(vec2 place, int turns)
{
    float d = length(place);
    if (d == 0.0)
        return vec2(0.0);
    vec2 u = place / d;
    if (turns == 1 || turns == -1)
        return vec2(u.x, float(turns) * u.y);
    return vec2(u.x * u.x - u.y * u.y, u.x * u.y * float(turns));
}

/* Nearest point of a segment. */
vec2 foot(vec4 segment, vec2 place)
{
    vec2 along = segment.zw - segment.xy;
    return segment.xy + clamp(dot(place - segment.xy, along) / max(dot(along, along), 1e-30), 0.0, 1.0) * along;
}

/* The tensor of a vector, of the same length. */
vec2 doubled(vec2 v)
{
    float size = length(v);
    return size > 0.0 ? vec2(v.x * v.x - v.y * v.y, 2.0 * v.x * v.y) / size : vec2(0.0);
}

/* Along the curve: the directions of its segments, each in proportion to its length and to the fourth power of its
 * nearness, so that bends are rounded off with the distance. Segments that follow upon each other are a line, and
 * are added as vectors: as tensors, the two arms of a right angle would cancel out. `d`: to the nearest. */
vec2 along_curve(vec2 place, out float d)
{
    int count = int(pass.segments);
    d = 3.0e38;
    for (int i = 0; i < count; i++)
        d = min(d, distance(place, foot(segments[i], place)));
    float least = max(d, 1e-3 * grid.cell);
    vec2 sum = vec2(0.0), line = vec2(0.0);
    for (int i = 0; i < count; i++) {
        if (i > 0 && segments[i].xy != segments[i - 1].zw) {
            sum += doubled(line);
            line = vec2(0.0);
        }
        float nearness = least / max(distance(place, foot(segments[i], place)), least);
        line += nearness * nearness * nearness * nearness * (segments[i].zw - segments[i].xy);
    }
    sum += doubled(line);
    float size = length(sum);
    return size > 0.0 ? sum / size : vec2(0.0);
}

vec2 element(ivec2 p, out float d)
{
    vec2 place = oro_position(p) - params.centre;
    /* A bearing counts from the north, other angles from the east. */
    float angle = radians(angle_at(p));
    d = length(place);
    vec2 turned = tensor_of(angle);
    vec2 t = vec2(0.0);
    if (params.method == METHOD_REGULAR)
        return tensor_of(angle - 0.5 * PI);
    else if (params.method == METHOD_RADIAL)
        t = singular(place, 2);
    else if (params.method == METHOD_CIRCULAR)
        t = -singular(place, 2);
    else if (params.method == METHOD_SADDLE)
        t = singular(place, -2);
    else if (params.method == METHOD_LOOP)
        t = singular(place, 1);
    else if (params.method == METHOD_TRISECTOR)
        t = singular(place, -1);
    else
        t = along_curve(oro_position(p), d);
    return vec2(t.x * turned.x - t.y * turned.y, t.x * turned.y + t.y * turned.x);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float d, falloff = 1.0;
    vec2 t = element(p, d);
    if (params.decay > 0.0)
        falloff = exp(-min(d / params.decay * (d / params.decay), 80.0));
    float weight = weight_at(p) * falloff;
    vec2 before = tensor_at(p);
    t = params.blend == BLEND_OVER ? mix(before, t, min(weight, 1.0)) : before + weight * t;
    bool none = dot(t, t) < 1e-24;
    float angle = none ? 0.0 : 0.5 * atan(t.y, t.x);
    float bearing = degrees(angle) + 90.0;
    set_tensor(p, t);
    set_direction(p, none ? vec2(0.0) : vec2(cos(angle), sin(angle)));
    set_angle(p, none ? 0.0 : bearing >= 180.0 ? bearing - 180.0 : bearing);
}
