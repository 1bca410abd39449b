// Elevation constraints: every controller looks at its cell and sets how much uplift it adds (Schott 2023, eq. 10).
// There is an invocation for each constraint.
//
// Errors are relative to the elevation asked for, and what is added to the mean uplift: the gains have no unit. How
// much elevation an uplift within the radius makes depends on how much of the mountain lies within it; the answer is
// scaled by that. Errors are summed over time: `pass.share` is how much of its response time the ground has had, since
// a step may be a century or a million years.
//
// A controller whose error changes its sign too readily becomes more careful. One that has not settled in a long time of
// work gives up: it asks for what cannot be, or its neighbours ask for something else.
//
// `control` has, per constraint: uplift added, sum of errors, last error, how long the error has been small, how long it has
// worked, how careful it is, the state, the years when it last looked.

const int ADDED = 0, SUM = 1, LAST = 2, SMALL = 3, WORKED = 4, CARE = 5, STATE = 6, YEARS = 7;
const float WORKING = 0.0, SETTLED = 1.0, GIVEN_UP = 2.0;
const float SMALL_ERROR = 0.002, LARGE_ERROR = 0.006;
const float PATIENCE = 300.0, SURE = 3.0; // response times
const float MOST = 100.0;                 // times the mean uplift
const float QUICKNESS = 250.0;

float read(int i, int what)
{
    return uintBitsToFloat(control[8 + 8 * i + what]);
}

void write(int i, int what, float value)
{
    control[8 + 8 * i + what] = floatBitsToUint(value);
}

// How far the cell stands above the ground at the radius around it; at least a little.
float relief_within(ivec2 p, float radius, float scale)
{
    float sum = 0.0;
    for (int k = 0; k < 8; k++) {
        float angle = 0.785398 * float(k);
        ivec2 q = p + ivec2(round(radius / grid.cell * vec2(cos(angle), sin(angle))));
        sum += height[oro_index(clamp(q, ivec2(0), grid.size - 1))];
    }
    return clamp(height[oro_index(p)] - 0.125 * sum, 0.05 * scale, scale);
}

float next_state(float state, float size, float small, float worked)
{
    if (state == SETTLED && size > LARGE_ERROR)
        return WORKING;
    if (state == WORKING)
        return small >= SURE ? SETTLED : worked > PATIENCE ? GIVEN_UP : WORKING;
    return state;
}

void control_point(int i, float share)
{
    ivec2 p = ivec2(points[8 * i], points[8 * i + 1]);
    float target = points[8 * i + 4], radius = points[8 * i + 5], scale = points[8 * i + 6];
    float error = (target - height[oro_index(p)]) / scale, last = read(i, LAST), size = abs(error);
    float small = size < SMALL_ERROR ? read(i, SMALL) + share : 0.0, state = read(i, STATE);
    bool working = state == WORKING;
    float worked = read(i, WORKED) + (working ? share : 0.0);
    float care = clamp(read(i, CARE) * (error * last < 0.0 && size > SMALL_ERROR ? 0.7 : 1.0 + 0.03 * share), 0.02, 1.0);
    float gain = care * pass.reference * scale / relief_within(p, radius, scale);
    // Anti-windup: the sum goes no further than what it can do. The ground cannot rise less than not at all.
    float most = MOST * pass.reference, more = share * QUICKNESS * params.ki * error * gain;
    bool idle = error < 0.0 && uplift_at(p) + correction[oro_index(p)] <= 0.0;
    float sum = clamp(read(i, SUM) + (idle ? 0.0 : more), -most, most);
    if (working) {
        write(i, SUM, sum);
        write(i, ADDED, clamp(gain * (params.kp * error + params.kd * (error - last)) + sum, -most, most));
    }
    write(i, LAST, error);
    write(i, SMALL, small);
    write(i, WORKED, worked);
    write(i, CARE, care);
    write(i, STATE, next_state(state, size, small, worked));
}

void main()
{
    int i = oro_cell().x;
    if (oro_cell().y > 0 || i >= int(pass.count))
        return;
    float share = pass.share;
    if (share == 0.0) { // the explicit solver's years
        float years = uintBitsToFloat(clock[3]);
        share = clamp((years - read(i, YEARS)) * pass.reference * 4.0 / points[8 * i + 6], 0.0, 1.0);
        write(i, YEARS, years);
    }
    if (share > 0.0)
        control_point(i, share);
}
