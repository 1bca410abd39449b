// One iteration of hydraulic and thermal erosion by virtual pipes (Jako 2011, with the corrections that
// nodes/hydraulic_erosion.c lists). A group handles a tile of cells. What neighbours have to agree on is worked out once
// per pipe, and once per cell that gives, into shared memory: for the tile with a ring around it, surfaces for two rings.
#define READS_PIPES
#include "lib/number.glsl"
#include "lib/pipes.glsl"

const int COLUMNS = int(gl_WorkGroupSize.x), ROWS = int(gl_WorkGroupSize.y);
const int GROUP = COLUMNS * ROWS;
const int EAST = 1, SOUTH = COLUMNS + 4; // to the neighbour in the patch: the tile with two rings
const int PATCH = SOUTH * (ROWS + 4);
const int OUTSIDE = STEPS_MAX; // ground of cells outside: nothing slides there; their surface where nothing flows
const float DIAGONAL = 1.41421356;

shared int ground[PATCH];        // elevation
shared int surface[PATCH];       // of the water, somewhat ahead of time
shared float pipe[PIPES][PATCH]; // flux to E, S, SE, SW before the giving cell sets its bounds
shared vec2 giving[PATCH];       // what becomes of the fluxes out of a cell; share of its water that is sediment
shared vec2 sliding[PATCH];      // what slides out of a cell per step of drop; least drop at which it does
#if HAS_MASK == 1
shared float strength[PATCH]; // of the mask
#endif

const int NEIGHBOURS[8] = int[8](EAST, SOUTH, -EAST, -SOUTH, SOUTH + EAST, SOUTH - EAST, -SOUTH - EAST, -SOUTH + EAST);

// Eq. 1: water with this step's rain.
int wetted(ivec2 q, int water)
{
#ifdef RAIN_VARIES
    int depth = fallen[oro_index(q)];
#else
    int depth = int(pass.rain);
#endif
    return params.flow ? water + min(depth, STEPS_MAX - water) : water;
}

// ---- Surfaces ----

// Where water goes that leaves over the border: down to the ground there, which is that of the border at the start or a
// little lower, and stays, so that the border erodes towards it and not without end; or to the sea.
int surface_beyond(ivec2 q)
{
    ivec2 last = grid.size - 1, edge = clamp(q, ivec2(0), last), outwards = q - edge;
    if (params.borders == BORDERS_WALLS || abs(outwards.x) + abs(outwards.y) != 1)
        return OUTSIDE;
    float at_edge = terrain[oro_index(edge)], next = terrain[oro_index(clamp(edge - outwards, ivec2(0), last))];
    float second = terrain[oro_index(clamp(edge - 2 * outwards, ivec2(0), last))];
    const float steepest = 0.1;
    int beyond = elevation_steps(at_edge - clamp(min(next - at_edge, second - next), 0.0, steepest * grid.cell));
    return params.borders == BORDERS_SEA_LEVEL ? max(beyond, int(pass.sea)) : beyond;
}

// Whether water comes in from a cell outside: where the sea stands above the ground.
bool gives_sea(int i)
{
    return params.borders == BORDERS_SEA_LEVEL && surface[i] == int(pass.sea);
}

// Differences of surfaces drive the flow (eq. 3). Taken as they are, waves on a lake would never die down; taken a little
// ahead of time, short waves fade at once and long ones hardly at all, and a steady flow is what it was.
void load(int i, ivec2 q)
{
    if (oro_inside(q)) {
        ivec4 cell = cells[oro_index(q)];
        ground[i] = cell.x;
        surface[i] = cell.x + wetted(q, cell.y) + ahead[oro_index(q)];
    } else {
        ground[i] = OUTSIDE;
        surface[i] = surface_beyond(q);
    }
}

// How far the surface will have risen in a part of the next step, if water goes on as it does.
int rise_ahead(pipes_type out_of, pipes_type into)
{
    pipes_type loss = out_of - into;
#if PIPES == 4
    float sum = (loss.x + loss.y) + (loss.z + loss.w);
#else
    float sum = loss.x + loss.y;
#endif
    return -steps(pass.damping * sum);
}

// ---- Pipes ----

// Eq. 2: a pipe's flux once the difference of surfaces has acted on it.
float accelerated(float flux, int i, int to, float share)
{
    bool open = surface[i] != OUTSIDE && surface[to] != OUTSIDE;
    return open ? flux + pass.acceleration * share * float(surface[i] - surface[to]) : 0.0;
}

// Eight pipes carry as much as four, whatever the direction: 2/3 along the rows and columns, 1/6 across. Over the border
// lead straight pipes alone.
float straight_share(int i, int to)
{
    return PIPES == 4 && ground[i] != OUTSIDE && ground[to] != OUTSIDE ? 2.0 / 3.0 : 1.0;
}

float across_share(int i, int to)
{
    return ground[i] != OUTSIDE && ground[to] != OUTSIDE ? 1.0 / 6.0 : 0.0;
}

// At the patch's edges some neighbours are missing; nobody asks for these pipes.
void accelerate(int i, ivec2 q)
{
    pipes_type flux = flux_from(q);
    int east = min(i + EAST, PATCH - 1), south = min(i + SOUTH, PATCH - 1);
    pipe[0][i] = accelerated(flux.x, i, east, straight_share(i, east));
    pipe[1][i] = accelerated(flux.y, i, south, straight_share(i, south));
#if PIPES == 4
    int south_east = min(south + EAST, PATCH - 1), south_west = south - EAST;
    pipe[2][i] = accelerated(flux.z, i, south_east, across_share(i, south_east));
    pipe[3][i] = accelerated(flux.w, i, south_west, across_share(i, south_west));
#endif
}

// Before the giving cells set their bounds: out of a cell, and into it from W, N, NW, NE.
pipes_type free_out(int i)
{
#if PIPES == 4
    return vec4(pipe[0][i], pipe[1][i], pipe[2][i], pipe[3][i]);
#else
    return vec2(pipe[0][i], pipe[1][i]);
#endif
}

pipes_type free_in(int i)
{
#if PIPES == 4
    return vec4(pipe[0][i - EAST], pipe[1][i - SOUTH], pipe[2][i - SOUTH - EAST], pipe[3][i - SOUTH + EAST]);
#else
    return vec2(pipe[0][i - EAST], pipe[1][i - SOUTH]);
#endif
}

float bounded(float flux, int i, int to)
{
    return flux * giving[flux > 0.0 ? i : to].x;
}

pipes_type bounded_out(int i)
{
    vec2 straight = vec2(bounded(pipe[0][i], i, i + EAST), bounded(pipe[1][i], i, i + SOUTH));
#if PIPES == 4
    return vec4(straight, bounded(pipe[2][i], i, i + SOUTH + EAST), bounded(pipe[3][i], i, i + SOUTH - EAST));
#else
    return straight;
#endif
}

pipes_type bounded_in(int i)
{
    vec2 straight = vec2(bounded(pipe[0][i - EAST], i - EAST, i), bounded(pipe[1][i - SOUTH], i - SOUTH, i));
#if PIPES == 4
    int north_west = i - SOUTH - EAST, north_east = i - SOUTH + EAST;
    return vec4(straight, bounded(pipe[2][north_west], north_west, i), bounded(pipe[3][north_east], north_east, i));
#else
    return straight;
#endif
}

// ---- What a cell gives ----

// Friction against the ground, by the law of Darcy and Weisbach: a flux u loses drag |u| u / depth^3. Solved for the flux at
// the end of the step; returns the share of u that is left.
float slowed(float u, float depth)
{
    float drag = pass.drag / (depth * depth * depth);
    return 2.0 / (1.0 + sqrt(1.0 + 4.0 * drag * u));
}

float sum_of_gains(pipes_type a, pipes_type b)
{
    pipes_type gains = max(a, 0.0) + max(b, 0.0);
#if PIPES == 4
    return (gains.x + gains.y) + (gains.z + gains.w);
#else
    return gains.x + gains.y;
#endif
}

// Eq. 4: no more leaves than is there, a hair less because sums are rounded.
vec2 water_giving(int i, int water, int sediment)
{
    const float hair = 0.999996;
    if (water <= 0 || !params.flow)
        return vec2(0.0);
    pipes_type out_of = free_out(i), into = free_in(i);
    float leaving = sum_of_gains(out_of, -into), depth = float(water);
    float left = slowed(even_length(through(out_of, into)), depth);
    return vec2(hair * (leaving * left > depth ? depth / leaving : left), hair * min(float(sediment) / depth, 1e9));
}

float talus_tangent(float softness)
{
    return (1.0 - softness) * params.talus_hardness + params.talus_bias;
}

// Eq. 17 and 18: half of the greatest drop slides, to all neighbours below the talus angle, in proportion to their drops.
vec2 ground_sliding(int i, ivec2 q, float softness)
{
    const float most = 0.2; // of the drop: eight neighbours may give to one cell
    float greatest = 0.0, talus = talus_tangent(softness) * pass.drop;
    vec2 sums = vec2(0.0);
    if (!params.thermal)
        return vec2(0.0);
    for (int k = 0; k < 8; k += 4) {
        vec4 drops = vec4(ivec4(ground[i]) - ivec4(ground[i + NEIGHBOURS[k]], ground[i + NEIGHBOURS[k + 1]],
                                                   ground[i + NEIGHBOURS[k + 2]], ground[i + NEIGHBOURS[k + 3]]));
        vec4 counted = mix(vec4(0.0), drops, greaterThan(drops, vec4(k == 0 ? talus : DIAGONAL * talus)));
        greatest = max(greatest, max(max(drops.x, drops.z), max(drops.y, drops.w)));
        sums += vec2(counted.x + counted.z, counted.y + counted.w);
    }
    float sum = sums.x + sums.y;
    float share = min(pass.time_step * guarded(slide_rate_at(q)) * softness, most);
    return vec2(sum > 0.0 ? 0.5 * share * greatest / sum : 0.0, talus);
}

void give(int i, ivec2 q)
{
    if (oro_inside(q)) {
        ivec4 cell = cells[oro_index(q)];
        giving[i] = water_giving(i, wetted(q, cell.y), cell.z);
        sliding[i] = ground_sliding(i, q, intBitsToFloat(cell.w));
#if HAS_MASK == 1
        strength[i] = guarded(mask_at(q));
#endif
    } else {
        giving[i] = vec2(gives_sea(i) ? 1.0 : 0.0, 0.0);
        sliding[i] = vec2(0.0);
#if HAS_MASK == 1
        strength[i] = 0.0;
#endif
    }
}

// ---- What comes and goes, in whole steps ----

// Sediment that goes with water from a cell to a neighbour, positive or negative.
int with_water(int water, int i, int to)
{
    return int(float(water) * giving[water > 0 ? i : to].y);
}

// A 64-bit sum in two halves.
ivec2 added(ivec2 sum, int count)
{
    uint low = uint(sum.x) + uint(count);
    return ivec2(int(low), sum.y + (count >> 31) + (low < uint(count) ? 1 : 0));
}

// Adds to the books what leaves over a border: sides are west, east, north, south.
void book(int side, int along, int water, int sediment)
{
    int entry = side * max(grid.size.x, grid.size.y) + along;
    ivec4 booked = rim[entry];
    rim[entry] = ivec4(added(booked.xy, water), added(booked.zw, sediment));
}

void book_borders(ivec2 q, ivec2 lost, ivec2 won, ivec2 lost_sediment, ivec2 won_sediment)
{
    ivec2 last = grid.size - 1;
    if (q.x == 0)
        book(0, q.y, -won.x, -won_sediment.x);
    if (q.x == last.x)
        book(1, q.y, lost.x, lost_sediment.x);
    if (q.y == 0)
        book(2, q.x, -won.y, -won_sediment.y);
    if (q.y == last.y)
        book(3, q.x, lost.y, lost_sediment.y);
}

// Eq. 6, and 15 in flux form: what the neighbours send to the cell less what it sends, of water and of sediment.
ivec2 collected(int i, ivec2 q, pipes_type out_of, pipes_type into)
{
    ivec2 lost = ivec2(out_of.xy), won = ivec2(into.xy);
    ivec2 lost_sediment = ivec2(with_water(lost.x, i, i + EAST), with_water(lost.y, i, i + SOUTH));
    ivec2 won_sediment = ivec2(with_water(won.x, i - EAST, i), with_water(won.y, i - SOUTH, i));
    book_borders(q, lost, won, lost_sediment, won_sediment);
    ivec2 water = won - lost, sediment = won_sediment - lost_sediment;
#if PIPES == 4
    ivec2 lost_across = ivec2(out_of.zw), won_across = ivec2(into.zw);
    water += won_across - lost_across;
    sediment -= ivec2(with_water(lost_across.x, i, i + SOUTH + EAST), with_water(lost_across.y, i, i + SOUTH - EAST));
    sediment += ivec2(with_water(won_across.x, i - SOUTH - EAST, i), with_water(won_across.y, i - SOUTH + EAST, i));
#endif
    return ivec2(water.x + water.y, sediment.x + sediment.y);
}

// What slides from a cell to a neighbour, positive or negative.
int slid(int i, int to, float distance)
{
    int drop = ground[i] - ground[to];
    vec2 giver = sliding[drop > 0 ? i : to];
#if HAS_MASK == 1
    giver.x *= min(strength[i], strength[to]);
#else
    giver.x *= params.mask;
#endif
    return abs(float(drop)) > giver.y * distance ? int(float(drop) * giver.x) : 0;
}

int slid_away(int i)
{
    int lost = slid(i, i + EAST, 1.0) + slid(i, i + SOUTH, 1.0) + slid(i, i - EAST, 1.0) + slid(i, i - SOUTH, 1.0);
    for (int k = 4; k < 8; k++)
        lost += slid(i, i + NEIGHBOURS[k], DIAGONAL);
    return lost;
}

// ---- Erosion ----

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

void step_cell(ivec2 q, int i)
{
    int index = oro_index(q);
    ivec4 cell = cells[index];
    if (params.flow) {
        pipes_type out_of = bounded_out(i), into = bounded_in(i);
        int before = wetted(q, cell.y);
        cell.yz = ivec2(before, cell.z) + collected(i, q, out_of, into);
        pipes_out[index] = out_of;
        ahead_out[index] = rise_ahead(out_of, into);
        if (params.erosion)
            exchange(cell, carrying_capacity(i, q, through(out_of, into), 0.5 * (float(before) + float(cell.y))), q);
    } else {
        pipes_out[index] = pipes_type(0.0);
        ahead_out[index] = 0;
    }
    if (params.thermal)
        cell.x -= slid_away(i);
    if (params.flow)
        dry(cell, q);
    cells_out[index] = cell;
    if (cell.x < bed[index])
        bed[index] = cell.x;
}

void main()
{
    ivec2 corner = oro_group() * ivec2(COLUMNS, ROWS) - 2;
    int first = int(gl_LocalInvocationIndex);
    for (int i = first; i < PATCH; i += GROUP)
        load(i, corner + ivec2(i % SOUTH, i / SOUTH));
    barrier();
    for (int i = first; params.flow && i < PATCH; i += GROUP)
        accelerate(i, corner + ivec2(i % SOUTH, i / SOUTH));
    barrier();
    for (int i = first; i < (COLUMNS + 2) * (ROWS + 2); i += GROUP) {
        ivec2 at = ivec2(i % (COLUMNS + 2), i / (COLUMNS + 2)) + 1;
        give(at.y * SOUTH + at.x, corner + at);
    }
    barrier();
    ivec2 at = ivec2(gl_LocalInvocationID.xy) + 2;
    if (oro_inside(corner + at))
        step_cell(corner + at, at.y * SOUTH + at.x);
}
