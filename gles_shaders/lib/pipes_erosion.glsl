// What water does to the ground of its cell (Jako 2011, eq. 9 to 14), and how it dries up (16).

// Rise of the ground to a neighbour. Over the border it goes on as it comes from the other side.
int rise(int here, int there, int opposite)
{
    return there != OUTSIDE ? there - here : opposite != OUTSIDE ? here - opposite : 0;
}

// Eq. 10 and 11: how steeply water meets the ground. sin(alpha) of the slope; or the sine of the angle between the ground and
// the water that comes along the slope upstream: -N.V, unit vectors. `collision` goes from the one to the other.
float incidence(int i, vec2 velocity, float speed)
{
    int here = ground[i], east = ground[i + EAST], west = ground[i - EAST];
    int south = ground[i + SOUTH], north = ground[i - SOUTH];
    vec2 ahead = vec2(ivec2(rise(here, east, west), rise(here, south, north))) * pass.slope;
    vec2 behind = -vec2(ivec2(rise(here, west, east), rise(here, north, south))) * pass.slope;
    vec2 gradient = 0.5 * (ahead + behind);
    float steepness = even_length(gradient), unit = inversesqrt(1.0 + steepness * steepness);
    float sine = steepness * unit;
    if (params.collision > 0.0 && speed > 0.0) {
        vec2 heading = velocity / speed;
        float upstream = even_dot(heading, mix(ahead, behind, greaterThan(velocity, vec2(0.0))));
        float meeting = (even_dot(heading, gradient) - upstream) * unit * inversesqrt(1.0 + upstream * upstream);
        sine += params.collision * (max(meeting, 0.0) - sine);
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
        float surplus = load - carries, settling = rate * guarded(deposition_at(q));
        taken = -min(steps(min(settling, 1.0) * surplus), cell.z);
        softness += settling * params.softening * surplus / pass.unit;
    }
    cell.x -= taken;
    cell.z += taken;
    cell.y += params.exchange ? taken : 0;
    cell.w = floatBitsToInt(min(softness, 1.0));
}

// Eq. 16: water goes into the air, the sediment does not; where only sediment is left it comes to rest.
void dry(inout ivec4 cell, ivec2 q)
{
    int clear = params.exchange ? cell.y - cell.z : cell.y;
    int gone = clamp(steps(ceil(float(clear) * pass.time_step * guarded(evaporation_at(q)))), 0, max(clear, 0));
    cell.y -= gone;
    if (clear - gone > 0)
        return;
    cell.x += cell.z;
    cell.yz = ivec2(0);
}
