/*
 * Rays against the block of terrain: down and up the pyramid of maxima, and exactly against the bilinear
 * patch at the end. Places are in cells in all three directions.
 */
uniform sampler2D maxima;
uniform int levels;
uniform vec2 upwards;      /* heights in metres times x plus y are cells upwards */
uniform float base, top;   /* of the block */
uniform float pixel_angle; /* radians, of a pixel of the picture */

const int NOTHING = 0, GROUND = 1, WALL = 2, BOTTOM = 3;

struct meeting {
    int kind;
    float t;
    vec3 normal; /* of a wall */
};

float rise(float metres)
{
    return metres * upwards.x + upwards.y;
}

/* Where a ray is inside the box; `side` is the axis through which it comes in. False: nowhere. */
bool box(vec3 from, vec3 along, out float enter, out float leave, out int side)
{
    vec3 inverse = 1.0 / along;
    vec3 a = (vec3(-0.5, -0.5, base) - from) * inverse;
    vec3 b = (vec3(vec2(size) - 0.5, top) - from) * inverse;
    vec3 near = min(a, b), far = max(a, b);
    enter = max(max(near.x, near.y), near.z);
    leave = min(min(far.x, far.y), far.z);
    side = enter == near.x ? 0 : enter == near.y ? 1 : 2;
    return leave > max(enter, 0.0);
}

float highest(ivec2 block, int level)
{
    ivec2 last = (size - 1) >> level;
    return rise(texelFetch(maxima, clamp(block, ivec2(0), last), level).r);
}

/* Along the ray a bilinear patch is a parabola; three of its values tell where it is 0. */
bool meet_patch(vec3 from, vec3 along, ivec2 patch_at, float t0, float t1, out float t, out float first)
{
    vec4 c = vec4(height_at(patch_at, 0), height_at(patch_at + ivec2(1, 0), 0),
                  height_at(patch_at + ivec2(0, 1), 0), height_at(patch_at + 1, 0));
    first = 1.0;
    if (min(min(c.x, c.y), min(c.z, c.w)) < HOLE)
        return false;
    c = c * upwards.x + upwards.y;
    vec3 at = vec3(t0, 0.5 * (t0 + t1), t1);
    vec3 u = from.x + at * along.x - float(patch_at.x), v = from.y + at * along.y - float(patch_at.y);
    vec3 north = c.x + (c.y - c.x) * u, south = c.z + (c.w - c.z) * u;
    vec3 above = from.z + at * along.z - (north + (south - north) * v);
    first = above.x;
    t = t0;
    if (above.x <= 0.0)
        return true;
    float a = 2.0 * above.x - 4.0 * above.y + 2.0 * above.z, b = 4.0 * above.y - 3.0 * above.x - above.z;
    float root = b * b - 4.0 * a * above.x;
    if (root < 0.0)
        return false;
    float q = -b + sqrt(root), r = -b - sqrt(root);
    float part = q > 0.0 ? 2.0 * above.x / q : r > 0.0 ? 2.0 * above.x / r : -1.0;
    t = mix(t0, t1, part);
    return part >= 0.0 && part <= 1.0;
}

meeting march(vec3 from, vec3 along)
{
    meeting m = meeting(NOTHING, 0.0, vec3(0.0, 0.0, 1.0));
    float enter, leave;
    int side;
    along = mix(along, vec3(1e-7), lessThan(abs(along), vec3(1e-7)));
    if (!box(from, along, enter, leave, side))
        return m;
    m.t = max(enter, 0.0);
    if (enter > 0.0 && side == 2 && along.z > 0.0) {
        m.kind = BOTTOM;
        return m;
    }
    if (enter > 0.0 && side != 2) {
        vec3 at = from + along * enter;
        float border = height_between(at.xy, 0, HOLE);
        if (border > HOLE && at.z < rise(border)) {
            m.kind = WALL;
            m.normal = side == 0 ? vec3(-sign(along.x), 0.0, 0.0) : vec3(0.0, -sign(along.y), 0.0);
            return m;
        }
    }
    float t = m.t, nudge = max(1e-3, 5e-7 * float(max(size.x, size.y)));
    vec2 speed = 1.0 / along.xy;
    int level = levels - 1;
    for (int i = 0; i < 1200 && t < leave; i++) {
        float width = exp2(float(level));
        vec2 place = from.xy + along.xy * (t + nudge);
        vec2 block = floor(place / width);
        vec2 border = (block + step(vec2(0.0), along.xy)) * width;
        vec2 ends = (border - from.xy) * speed;
        float end = min(max(min(ends.x, ends.y), t + nudge), leave);
        float peak = highest(ivec2(block), level);
        if (min(from.z + along.z * t, from.z + along.z * end) > peak) {
            /* The ray is above the block: go on, and up a level where a larger block begins. */
            t = end;
            vec2 next = floor((from.xy + along.xy * (t + nudge)) / width);
            if (level < levels - 1 && any(notEqual(floor(next * 0.5), floor(block * 0.5))))
                level++;
            continue;
        }
        if (along.z < 0.0)
            t = max(t, min((peak - from.z) / along.z, end));
        if (level > 0) {
            if (width <= pixel_angle * t) {
                m.kind = GROUND; /* smaller than a pixel */
                m.t = t;
                return m;
            }
            level--;
            continue;
        }
        float at, first;
        if (meet_patch(from, along, ivec2(block), t, end, at, first)) {
            /* Suddenly well below the surface: the ray has come out of a hole. */
            m.kind = first < -0.1 && t > enter + 0.1 ? WALL : GROUND;
            m.normal = normalize(vec3(-along.xy, 1e-3));
            m.t = at;
            return m;
        }
        t = end;
        level = min(1, levels - 1);
    }
    return m;
}
