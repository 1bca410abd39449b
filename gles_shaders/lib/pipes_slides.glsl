// Slides: ground above the talus angle moves to lower neighbours, in pipes as water does (Jako 2011, eq. 17 and 18, by the
// slope at corners between cells, which no direction of the grid limits first).
#include "lib/corner.glsl"

float talus_tangent(ivec2 q, float softness)
{
    return (1.0 - softness) * params.talus_hardness + guarded(talus_bias_at(q));
}

// The share of the ground at a cell that slides at a time, and the drop per cell width that is stable.
vec2 ground_sliding(ivec2 q, float softness)
{
    const float most = 0.2; // eight neighbours may give to one cell
    return vec2(min(pass.slides * guarded(slide_rate_at(q)) * softness, most), talus_tangent(q, softness) * pass.drop);
}

// A value inside the world, for the mirror image of one outside: along a side, or else across.
int mirror(int here, int along, int across)
{
    return here != OUTSIDE ? here : along != OUTSIDE ? along : across;
}

// By which part the slope at the corner south-east of a cell is too steep, times the share that slides.
float too_steep(int i)
{
    ivec4 at = ivec4(i, i + EAST, i + SOUTH, i + SOUTH + EAST);
    ivec4 h = ivec4(ground[at.x], ground[at.y], ground[at.z], ground[at.w]);
    int nw = mirror(h.x, h.y, h.z), ne = mirror(h.y, h.x, h.w), sw = mirror(h.z, h.w, h.x), se = mirror(h.w, h.z, h.y);
    float cells = dot(vec4(notEqual(h, ivec4(OUTSIDE))), vec4(1.0)); // outside nothing slides, and all is stable: both are 0
    float drop = corner_drop(float(ne - nw), float(se - sw), float(sw - nw), float(se - ne));
    float stable = product(((STABLE(at.x) + STABLE(at.y)) + (STABLE(at.z) + STABLE(at.w))) / cells);
    float share = ((SLIDING(at.x) + SLIDING(at.y)) + (SLIDING(at.z) + SLIDING(at.w))) / cells;
    return cells > 0.0 ? product(share * max(drop - stable, 0.0) / drop) : 0.0;
}

// How much slides from a cell to a neighbour, positive or negative. `part` is that of the drop which slides.
int slid(int i, int to, float part)
{
#if HAS_MASK == 1
    part *= min(strength[i], strength[to]);
#else
    part *= params.mask;
#endif
    return ground[to] != OUTSIDE ? int(float(ground[i] - ground[to]) * part) : 0;
}

// On a plane, half of the drop times the share slides, in the direction of the fall.
int slid_away(int i)
{
    const float SIDE = 1.0 / 6.0, SLANT = 1.0 / 12.0; // of each of the two corners beside a straight way; of a slanting one
    float nw = too_steep(i - SOUTH - EAST), ne = too_steep(i - SOUTH), sw = too_steep(i - EAST), se = too_steep(i);
    return slid(i, i + EAST, SIDE * (ne + se)) + slid(i, i + SOUTH, SIDE * (sw + se)) +
           slid(i, i - EAST, SIDE * (nw + sw)) + slid(i, i - SOUTH, SIDE * (nw + ne)) +
           slid(i, i + SOUTH + EAST, SLANT * se) + slid(i, i + SOUTH - EAST, SLANT * sw) +
           slid(i, i - SOUTH - EAST, SLANT * nw) + slid(i, i - SOUTH + EAST, SLANT * ne);
}
