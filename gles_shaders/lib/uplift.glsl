/*
 * The value of a compiled uplift tree at a point (Schott 2023, section 5; terrain/uplift/compile.c writes the program). Reads
 * the arrays code, primitives, bins and rasters. Values are negative where they are undefined. terrain/uplift/eval.c and
 * terrain/uplift/curve.c do the same in double.
 */
#include "lib/noise.glsl"

/* enum oro_uplift_code */
const uint RANGES = 0u, VALLEYS = 1u, STAR = 2u, CURVES = 3u, CONSTANT = 4u, RASTER = 5u;
const uint MAX = 6u, MIN = 7u, ADD = 8u, CARVE = 9u, MULTIPLY = 10u, LOWEST = 11u, BLEND = 12u, SCALE = 13u;
const uint AFFINE = 14u, TWIST = 15u, NOISE = 16u, RETURN = 17u, PASTE = 18u, END = 19u, PASTED = 20u;
/* enum oro_region, enum oro_paste_method */
const uint IN_ELLIPSE = 0u, IN_POLYGON = 1u, BLENDED = 0u, ADDED = 1u, CUT = 3u;

const int VALUES_MAX = COPIES > 0 ? 48 : 32, POINTS_MAX = 16, VALLEY_POINTS = 33;
const float VALUE_MAX = 1e18, POSITION_MAX = 1e8, NOISE_GAIN = 0.4, FAR = 1e30, CURVE_ROOT = 0.35294118;

float code_float(int at)
{
    return uintBitsToFloat(code[at]);
}

vec2 code_point(int at)
{
    return vec2(code_float(at), code_float(at + 1));
}

/* ---- Groups of segments ---- */

/* Places along the segment (0..1), and the distance to it in radii. */
vec2 near_segment(vec4 ends, vec2 radii, vec2 p)
{
    vec2 d = ends.zw - ends.xy;
    float l = dot(d, d);
    float t = l > 0.0 ? clamp(dot(p - ends.xy, d) / l, 0.0, 1.0) : 0.0;
    return vec2(t, distance(p, ends.xy + t * d) / mix(radii.x, radii.y, t));
}

/* Eq. 6. */
float range_at(int record, vec2 p)
{
    vec4 shape = primitives[record + 1];
    vec2 n = near_segment(primitives[record], shape.xy, p);
    float fall = 1.0 - n.y * n.y;
    return n.y < 1.0 ? mix(shape.z, shape.w, n.x) * fall * fall * fall : -1.0;
}

float valley_at(int record, int profile, vec2 p)
{
    vec4 shape = primitives[record + 1];
    vec2 n = near_segment(primitives[record], shape.xy, p);
    if (!(n.y < 1.0))
        return -1.0;
    float at = n.y * float(VALLEY_POINTS - 1);
    int i = min(int(at), VALLEY_POINTS - 2), j = i + 1;
    float low = primitives[profile + i / 4][i & 3], high = primitives[profile + j / 4][j & 3];
    return mix(shape.z, shape.w, n.x) * mix(low, high, at - float(i));
}

float lowest(float a, float b)
{
    return a < 0.0 ? b : b < 0.0 ? a : min(a, b);
}

/* A point of a curve: its share of the crest, to the power of 1 / CURVE_ROOT. */
float curve_at(int record, vec2 p)
{
    vec4 point = primitives[record];
    vec2 d = (p - point.xy) / point.z;
    float fall = max(1.0 - dot(d, d), 0.0);
    fall *= fall;
    fall *= fall;
    return point.w * fall * fall;
}

/* The group whose operands begin at `at`: first record, first bin, columns, rows, corner, bins per metre; of valleys
 * the profile, of curves the uplift. */
float group_at(int at, uint kind, vec2 p)
{
    int first = int(code[at]), start = int(code[at + 1]), columns = int(code[at + 2]), rows = int(code[at + 3]);
    vec2 place = floor((p - code_point(at + 4)) * code_float(at + 6));
    if (any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(columns, rows))))
        return -1.0;
    int bin = start + int(place.y) * columns + int(place.x), indices = start + columns * rows + 1;
    int k = indices + int(bins[bin]), end = indices + int(bins[bin + 1]);
    float value = -1.0, sum = 0.0;
    if (kind == CURVES) {
        for (; k < end; k++)
            sum += curve_at(first + int(bins[k]), p);
        value = sum > 0.0 ? code_float(at + 7) * pow(sum, CURVE_ROOT) : -1.0;
    } else if (kind == VALLEYS)
        for (; k < end; k++)
            value = lowest(value, valley_at(first + 2 * int(bins[k]), int(code[at + 7]), p));
    else
        for (; k < end; k++)
            value = max(value, range_at(first + 2 * int(bins[k]), p));
    return value;
}

/* ---- Stars: a skeleton and a boundary, each of chords ---- */

/* The integral of distance^-3 along a chord, to whose ends a and b lead. */
float pull_of(vec2 a, vec2 b, float from, float to)
{
    float both = from * to, facing = max(both + dot(a, b), 1e-7 * both);
    return distance(a, b) * (from + to) / max(both * facing, 1e-30);
}

/* Whether a chord passes to the right of the point that a and b lead from. */
bool passes(vec2 a, vec2 b)
{
    return (a.y > 0.0) != (b.y > 0.0) && a.x - a.y / (b.y - a.y) * (b.x - a.x) > 0.0;
}

/* Operands: first chord, chords of the skeleton and of the boundary, uplift, origin, box. Distances are to
 * curves as a whole, not to their nearest points: there are no tears where the nearest point changes. */
float star_at(int at, vec2 world)
{
    if (any(lessThan(world, code_point(at + 6))) || any(greaterThan(world, code_point(at + 8))))
        return -1.0;
    int first = int(code[at]), skeleton = first + int(code[at + 1]), boundary = skeleton + int(code[at + 2]);
    vec2 p = world - code_point(at + 4), start = primitives[first].xy - p, end = primitives[skeleton - 1].zw - p;
    float inner = 1.0 / max(dot(start, start), 1e-30) + 1.0 / max(dot(end, end), 1e-30), outer = 0.0;
    bool inside = false;
    for (int i = first; i < boundary; i++) {
        vec2 a = primitives[i].xy - p, b = primitives[i].zw - p;
        float pull = pull_of(a, b, length(a), length(b));
        inner += i < skeleton ? pull : 0.0;
        outer += i < skeleton ? 0.0 : pull;
        if (i >= skeleton && passes(a, b))
            inside = !inside;
    }
    float near = sqrt(2.0 / inner), far = sqrt(2.0 / max(outer, 1e-30));
    float share = near / (near + far), fall = 1.0 - share * share;
    return inside ? code_float(at + 3) * fall * fall * fall : -1.0;
}

/* ---- Other leaves ---- */

/* Operands: first value, columns, rows. `p` in cells from the corner. */
float cells_at(int at, vec2 p)
{
    int first = int(code[at]);
    ivec2 size = ivec2(code[at + 1], code[at + 2]);
    vec2 x = clamp(p - 0.5, vec2(0.0), vec2(size - 1));
    ivec2 i = ivec2(x), j = min(i + 1, size - 1);
    vec2 t = x - vec2(i);
    int upper = first + i.y * size.x, lower = first + j.y * size.x;
    return mix(mix(rasters[upper + i.x], rasters[upper + j.x], t.x),
               mix(rasters[lower + i.x], rasters[lower + j.x], t.x), t.y);
}

float raster_at(int at, vec2 p)
{
    return cells_at(at, p / code_float(at + 3));
}

/* ---- Moves: where a tree is evaluated in place of p, eq. 8 ---- */

vec2 affine(int at, vec2 p)
{
    vec2 d = p - code_point(at);
    return code_point(at + 6) + vec2(dot(code_point(at + 2), d), dot(code_point(at + 4), d));
}

vec2 untwist(int at, vec2 p)
{
    vec2 centre = code_point(at), d = p - centre;
    float radius = code_float(at + 2), fall = max(1.0 - dot(d, d) / (radius * radius), 0.0);
    float angle = -code_float(at + 3) * fall * fall, c = cos(angle), s = sin(angle);
    return centre + vec2(c * d.x - s * d.y, s * d.x + c * d.y);
}

/* Gradient noise within sqrt(1/2), so that displacements are within the amplitude. */
vec2 unwarp(int at, vec2 p)
{
    float amplitude = code_float(at) * 0.70710678, frequency = 1.0 / code_float(at + 1);
    int octaves = int(code[at + 2]);
    uint seed = code[at + 3];
    vec2 q = p;
    for (int i = 0; i < octaves; i++) {
        vec2 x = p * frequency;
        uint across = hash(seed + uint(2 * i)), along = hash(seed + uint(2 * i + 1));
        q += amplitude * vec2(gradient_noise(x, across), gradient_noise(x, along));
        amplitude *= NOISE_GAIN;
        frequency *= 2.0;
    }
    return q;
}

/* ---- Copies: terrain/uplift/copies.c ---- */

/* Eq. 9; where only one is defined, the other counts as 0. */
float blended(float a, float b, float weight)
{
    if (weight <= 0.0)
        return a;
    if (weight >= 1.0)
        return b;
    return max(a, b) < 0.0 ? -1.0 : mix(max(a, 0.0), max(b, 0.0), weight);
}

#if COPIES > 0
/* An evaluation of a PASTE's content with its first copies. The points in it that lie in a copy begin another one, where the
 * copy comes from; then its value goes on to the copy that is on top. */
struct Frame {
    vec2 p;
    float value, weight; /* below the copy that is looked up, and the copy's */
    int next, end;       /* entries of the bin */
    bool whole;          /* not of a copy */
};
Frame frames[COPIES];
int frame_count = 0;

const int HEADER = 10, COPY = 16;

float risen(float share)
{
    float t = min(share, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/* Operands: centre, half axes, feather. */
float ellipse_at(int at, vec2 p)
{
    float feather = code_float(at + 4), within = 1.0 - length((p - code_point(at)) / code_point(at + 2));
    return within <= 0.0 ? 0.0 : within < feather ? risen(within / feather) : 1.0;
}

/* Operands: first edge, count, feather. */
float polygon_at(int at, vec2 p)
{
    int first = int(code[at]), count = int(code[at + 1]);
    float nearest = FAR, feather = code_float(at + 2);
    bool inside = false;
    for (int i = first; i < first + count; i++) {
        vec4 e = primitives[i];
        vec2 d = e.zw - e.xy, away = p - e.xy;
        if ((e.y > p.y) != (e.w > p.y) && p.x < e.x + away.y / d.y * d.x)
            inside = !inside;
        away -= clamp(dot(away, d) / max(dot(d, d), 1e-30), 0.0, 1.0) * d;
        nearest = min(nearest, dot(away, away));
    }
    float distance = sqrt(nearest);
    return !inside ? 0.0 : distance < feather ? risen(distance / feather) : 1.0;
}

/* Operands: first value, columns, rows, corner, cell. */
float mask_at(int at, vec2 p)
{
    vec2 place = (p - code_point(at + 3)) / code_float(at + 5), size = vec2(code[at + 1], code[at + 2]);
    bool outside = any(lessThan(place, vec2(0.0))) || any(greaterThan(place, size));
    return outside ? 0.0 : cells_at(at, place);
}

/* Weight of a copy at p, and where p comes from. */
float copy_at(int copy, vec2 p, out vec2 q)
{
    q = clamp(affine(copy, p), vec2(-POSITION_MAX), vec2(POSITION_MAX));
    if (any(lessThan(q, code_point(copy + 8))) || any(greaterThan(q, code_point(copy + 10))))
        return 0.0;
    int region = int(code[copy + 15]);
    uint kind = code[copy + 14];
    return kind == IN_ELLIPSE ? ellipse_at(region, q) : kind == IN_POLYGON ? polygon_at(region, q) : mask_at(region, q);
}

float put_copy(uint method, float below, float copied, float weight)
{
    if (method == BLENDED)
        return blended(below, copied, weight);
    if (copied < 0.0)
        return below;
    return min(method == ADDED ? max(below, 0.0) + weight * copied : max(below, weight * copied), VALUE_MAX);
}

/* Begins to look up p in the content with its first `limit` copies. Whether the content itself is needed: it is not where a
 * copy hides all below it. */
bool begin_frame(int header, vec2 p, int limit, bool whole)
{
    int bins_at = int(code[header + 4]), columns = int(code[header + 5]), rows = int(code[header + 6]), start = 0, end = 0;
    vec2 place = floor((p - code_point(header + 7)) * code_float(header + 9));
    if (all(greaterThanEqual(place, vec2(0.0))) && all(lessThan(place, vec2(columns, rows)))) {
        int bin = bins_at + int(place.y) * columns + int(place.x), indices = bins_at + columns * rows + 1;
        start = indices + int(bins[bin]);
        end = indices + int(bins[bin + 1]);
    }
    while (end > start && int(bins[end - 1]) >= limit)
        end--;
    Frame f = Frame(p, -1.0, 0.0, start, end, whole);
    for (int k = end - 1; k >= start; k--) {
        int copy = header + HEADER + COPY * int(bins[k]);
        uint method = code[copy + 12];
        vec2 q;
        if ((method == BLENDED || method == CUT) && copy_at(copy, p, q) >= 1.0) {
            f.next = k;
            frames[frame_count++] = f;
            return false;
        }
    }
    frames[frame_count++] = f;
    return true;
}

/* Goes on with the copies of the last frame. Whether a copy was met, whose lookup is begun: then whether it needs the content
 * at q. */
bool next_copy(int header, out bool content, out vec2 q)
{
    Frame f = frames[frame_count - 1];
    while (f.next < f.end) {
        int copy = header + HEADER + COPY * int(bins[f.next++]);
        uint method = code[copy + 12];
        float weight = copy_at(copy, f.p, q);
        if (weight <= 0.0 || (frame_count == COPIES && method != CUT))
            continue;
        if (method == CUT) {
            f.value = blended(f.value, -1.0, weight);
            continue;
        }
        /* The last copy, if it hides all, takes the frame's place. */
        bool last = f.next == f.end && method == BLENDED && weight >= 1.0;
        f.weight = weight;
        frames[frame_count - 1] = f;
        frame_count -= int(last);
        content = begin_frame(header, q, int(code[copy + 13]), last && f.whole);
        return true;
    }
    frames[frame_count - 1] = f;
    return false;
}

/* Goes on until the content is needed at q (true), or the value of the whole is known. */
bool go_on(int header, inout float value, out vec2 q)
{
    bool content = false;
    for (;;) {
        if (next_copy(header, content, q)) {
            if (content)
                return true;
            continue;
        }
        Frame f = frames[--frame_count];
        value = f.value;
        if (f.whole)
            return false;
        Frame below = frames[frame_count - 1];
        int copy = header + HEADER + COPY * int(bins[below.next - 1]);
        frames[frame_count - 1].value = put_copy(code[copy + 12], below.value, value, below.weight);
    }
    return false;
}
#endif

/* ---- The program ---- */

float operate(uint how, float a, float b)
{
    if (how == MAX)
        return max(a, b);
    if (how == MIN)
        return min(a, b);
    if (how == ADD)
        return max(a, b) < 0.0 ? -1.0 : min(max(a, 0.0) + max(b, 0.0), VALUE_MAX);
    if (how == CARVE)
        return b < 0.0 ? a : min(a, b);
    if (how == MULTIPLY)
        return min(a, b) < 0.0 ? -1.0 : min(a * b, VALUE_MAX);
    return lowest(a, b);
}

float leaf_at(uint kind, int at, vec2 p)
{
    if (kind <= VALLEYS || kind == CURVES)
        return group_at(at, kind, p);
    if (kind == STAR)
        return star_at(at, p);
    return kind == RASTER ? raster_at(at, p) : code_float(at);
}

/* Words of an instruction. */
int words_of(uint op)
{
    const int words[18] = int[18](8, 9, 11, 9, 2, 5, 1, 1, 1, 1, 1, 1, 1, 2, 9, 5, 5, 1);
    return words[int(op)];
}

/* The topmost value is kept apart from the stack of those that wait. */
float uplift_at(vec2 p)
{
    float values[VALUES_MAX], top = -1.0;
    vec2 points[POINTS_MAX];
    int waiting = 0, moves = 0, at = 0;
    for (uint op = code[0]; op != END; op = code[at]) {
        if (op < MAX) {
            values[waiting++] = top;
            top = leaf_at(op, at + 1, p);
        } else if (op < BLEND) {
            top = operate(op, values[--waiting], top);
        } else if (op == BLEND) {
            waiting -= 2;
            top = blended(values[waiting], values[waiting + 1], top);
        } else if (op == SCALE) {
            top = top < 0.0 ? top : min(top * code_float(at + 1), VALUE_MAX);
        } else if (op == RETURN) {
            p = points[--moves];
#if COPIES > 0
        } else if (op >= PASTE) {
            int header = op == PASTE ? at : int(code[at + 1]);
            bool content = false;
            if (op == PASTE) {
                values[waiting++] = top;
                points[moves++] = p;
                content = begin_frame(header, p, int(code[header + 3]), true);
            } else {
                frames[frame_count - 1].value = top;
                waiting--; /* what was below the content's first value */
            }
            if (!content)
                content = go_on(header, top, p);
            at = header + int(code[header + 1]);
            if (!content) {
                p = points[--moves];
                at = int(code[header + 2]);
            }
            continue;
#endif
        } else {
            points[moves++] = p;
            p = op == AFFINE ? affine(at + 1, p) : op == TWIST ? untwist(at + 1, p) : unwarp(at + 1, p);
            p = clamp(p, vec2(-POSITION_MAX), vec2(POSITION_MAX));
        }
        at += words_of(op);
    }
    return max(top, 0.0);
}
