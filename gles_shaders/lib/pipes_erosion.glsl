// What water does to the ground of its cell (Jako 2011, eq. 9 to 14), and how it dries up (16).

// Rise of the ground to a neighbour. Over the border it goes on as it comes from the other side.
int rise(int here, int there, int opposite)
{
    return there != OUTSIDE ? there - here : opposite != OUTSIDE ? here - opposite : 0;
}

// Eq. 10 and 11: how steeply water meets the ground. sin(alpha) of the slope that it goes down next, the way it goes: the tilt of
// the ground around the cell would not tell a pit from a slope, and dig it deeper. Or the sine of the angle between the ground and
// the water that comes along the slope upstream: -N.V, unit vectors. `collision` goes from the one to the other.
float incidence(int i, vec2 velocity, float speed)
{
    int here = ground[i], east = ground[i + EAST], west = ground[i - EAST];
    int south = ground[i + SOUTH], north = ground[i - SOUTH];
    vec2 ahead = vec2(ivec2(rise(here, east, west), rise(here, south, north))) * pass.slope;
    vec2 behind = -vec2(ivec2(rise(here, west, east), rise(here, north, south))) * pass.slope;
    vec2 gradient = 0.5 * (ahead + behind), heading = speed > 0.0 ? velocity / speed : vec2(0.0);
    bvec2 forwards = greaterThan(velocity, vec2(0.0));
    float descent = max(-even_dot(heading, mix(behind, ahead, forwards)), 0.0);
    float sine = descent * inversesqrt(1.0 + descent * descent);
    if (params.collision > 0.0) {
        float steepness = even_length(gradient), upstream = even_dot(heading, mix(ahead, behind, forwards));
        float meeting = even_dot(heading, gradient) - upstream;
        meeting *= inversesqrt((1.0 + steepness * steepness) * (1.0 + upstream * upstream));
        // Slopes differ by their curvature and the width of a cell; `meeting` makes that a reference cell.
        sine += params.collision * (max(pass.meeting * meeting, 0.0) - sine);
    }
    return max(sine, pass.least_sine);
}

// What water of this depth can carry, as a depth in steps. Deep water does not reach the ground; a film carries little.
float carrying_capacity(int i, ivec2 q, vec2 flow, float depth)
{
    vec2 velocity = flow * (pass.speed / max(depth, 1.0));
    float speed = even_length(velocity), deep = 1.0;
    if (params.limit_depth)
        deep = clamp(1.0 - depth / (max(guarded(erosion_depth_at(q)), 1e-6) * pass.unit), 0.0, 1.0);
    float film = min(depth * pass.film, 1.0);
    return guarded(capacity_at(q)) * incidence(i, velocity, speed) * speed * deep * film * pass.unit;
}

// Eq. 12 to 14: dissolves ground or drops sediment. What is dissolved takes its room in the water, so that the surface stays.
void exchange(inout ivec4 cell, float carries, ivec2 q)
{
    float load = float(cell.z), softness = intBitsToFloat(cell.w), rate = pass.time_step * guarded(mask_at(q));
    int taken;
    if (carries > load) {
        taken = steps(min(rate * params.suspension * softness, 1.0) * (carries - load));
        taken = min(taken, max(cell.x + STEPS_MAX / 2, 0));
    } else {
        float surplus = load - carries, settling = min(rate * guarded(deposition_at(q)), 1.0);
        taken = -min(steps(settling * surplus), cell.z);
        softness += settling * params.softening * surplus / pass.unit;
    }
    cell.x -= taken;
    cell.z += taken;
    cell.y += params.exchange ? taken : 0;
    cell.w = floatBitsToInt(min(softness, 1.0));
}

// Eq. 16: water goes into the air, the sediment does not; where only sediment is left it comes to rest, as far as the mask
// lets it.
void dry(inout ivec4 cell, ivec2 q)
{
    int clear = params.exchange ? cell.y - cell.z : cell.y;
    float share = min(pass.time_step * guarded(evaporation_at(q)), 1.0);
    int gone = clear > 0 ? min(int(ceil(float(clear) * share)), clear) : 0;
    cell.y -= gone;
    if (clear - gone > 0)
        return;
    float mask = guarded(mask_at(q));
    int settled = mask < 1.0 ? int(float(cell.z) * mask) : cell.z;
    cell.x += settled;
    cell.z -= settled;
    cell.y = params.exchange ? cell.z : 0;
}
