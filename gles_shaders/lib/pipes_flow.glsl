// Water in pipes (Jako 2011, eq. 1 to 7), with the sediment that goes with it (15).
#include "lib/border.glsl"

// ---- The border ----

// Where water leaves over the border. Needs the ground at the start: the slot `terrain`; or the second of `fallen`, which
// spares the kernel a buffer.
float ground_at_start(ivec2 q)
{
#ifdef RAIN_VARIES
    return intBitsToFloat(fallen[oro_index(q)].y);
#else
    return terrain[oro_index(q)];
#endif
}

// How high the surface is that it leaves to, beyond a cell at the border: the base level, or the sea.
int level_beyond(ivec2 edge, ivec2 outwards)
{
    ivec2 last = grid.size - 1;
    float at_edge = ground_at_start(edge), next = ground_at_start(clamp(edge - outwards, ivec2(0), last));
    float second = ground_at_start(clamp(edge - 2 * outwards, ivec2(0), last));
    int beyond = elevation_steps(ground_beyond(at_edge, next, second));
    return params.borders == BORDERS_SEA_LEVEL ? max(beyond, int(pass.sea)) : beyond;
}

// Eq. 1: water with this step's rain.
int wetted(ivec2 q, int water)
{
#ifdef RAIN_VARIES
    int depth = fallen[oro_index(q)].x;
#else
    int depth = int(pass.rain);
#endif
    return params.flow ? water + clamp(DEPTH_MAX - water, 0, depth) : water;
}

// ---- Surfaces ----

// The surface that water over the border flows down to.
int surface_beyond(ivec2 q)
{
    ivec2 last = grid.size - 1, outwards = q - clamp(q, ivec2(0), last);
    if (params.borders == BORDERS_WALLS || abs(outwards.x) + abs(outwards.y) != 1)
        return OUTSIDE;
    return level_beyond(q - outwards, outwards);
}

// Whether water comes in from a cell outside: where the sea stands above the ground.
bool gives_sea(int surface)
{
    return params.borders == BORDERS_SEA_LEVEL && surface == int(pass.sea);
}

// Differences of surfaces drive the flow (eq. 3). Taken as they are, waves on a lake would never die down; taken a little
// ahead of time, short waves fade at once and long ones hardly at all, and a steady flow is what it was.
void put_cell(int i, int elevation, int water, int rise)
{
    ground[i] = elevation;
    SURFACE(i) = elevation + water + rise;
}

void put_outside(int i, ivec2 q)
{
    ground[i] = OUTSIDE;
    SURFACE(i) = surface_beyond(q);
}

void put_pipes(int i, pipes_type flux)
{
    pipe[0][i] = flux.x;
    pipe[1][i] = flux.y;
#if PIPES == 4
    pipe[2][i] = flux.z;
    pipe[3][i] = flux.w;
#endif
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
    return clamp(-steps(pass.damping * sum), -DEPTH_MAX / 2, DEPTH_MAX / 2);
}

// ---- Pipes ----

// The most that a pipe can get from a cell. Outside there is nothing, or all that the sea has.
float held(int i)
{
    return max(float(SURFACE(i) - ground[i]), 0.0);
}

// Eq. 2: a pipe's flux once the difference of surfaces has acted on it. What is not there is not driven either: else a dry
// cliff would seem to pour into the river at its foot, and friction would stop that.
float driven(float flux, float share, int drop, float held_here, float held_there)
{
    return clamp(flux + pass.acceleration * share * float(drop), -held_there, held_here);
}

// Eight pipes carry as much as four, whatever the direction: 2/3 along the rows and columns, 1/6 across.
const float STRAIGHT = PIPES == 4 ? 2.0 / 3.0 : 1.0, ACROSS = 1.0 / 6.0;

// Whether the patch, with the cells whose pipes lead into it, lies inside the world.
bool lies_inland(ivec2 corner)
{
    return all(greaterThan(corner, ivec2(0))) && all(lessThan(corner + ivec2(SOUTH, PATCH_ROWS), grid.size));
}

float driven_inland(float flux, float share, int i, int to)
{
    return driven(flux, share, SURFACE(i) - SURFACE(to), held(i), held(to));
}

// At the patch's edges some neighbours are missing; nobody asks for these pipes.
void accelerate_inland(int i)
{
    int south = min(i + SOUTH, PATCH - 2);
    pipe[0][i] = driven_inland(pipe[0][i], STRAIGHT, i, min(i + EAST, PATCH - 1));
    pipe[1][i] = driven_inland(pipe[1][i], STRAIGHT, i, south);
#if PIPES == 4
    pipe[2][i] = driven_inland(pipe[2][i], ACROSS, i, south + EAST);
    pipe[3][i] = driven_inland(pipe[3][i], ACROSS, i, south - EAST);
#endif
}

float held_at_border(int i)
{
    return ground[i] != OUTSIDE ? held(i) : gives_sea(SURFACE(i)) ? float(STEPS_MAX) : 0.0;
}

// Over the border lead straight pipes alone, and carry all.
float straight_at_border(float flux, int i, int to)
{
    bool open = SURFACE(i) != OUTSIDE && SURFACE(to) != OUTSIDE, within = ground[i] != OUTSIDE && ground[to] != OUTSIDE;
    return open ? driven(flux, within ? STRAIGHT : 1.0, SURFACE(i) - SURFACE(to), held_at_border(i), held_at_border(to)) : 0.0;
}

float across_at_border(float flux, int i, int to)
{
    bool within = ground[i] != OUTSIDE && ground[to] != OUTSIDE;
    return within ? driven_inland(flux, ACROSS, i, to) : 0.0;
}

// The same for patches that reach beyond the border.
void accelerate_at_border(int i)
{
    int south = min(i + SOUTH, PATCH - 2);
    pipe[0][i] = straight_at_border(pipe[0][i], i, min(i + EAST, PATCH - 1));
    pipe[1][i] = straight_at_border(pipe[1][i], i, south);
#if PIPES == 4
    pipe[2][i] = across_at_border(pipe[2][i], i, south + EAST);
    pipe[3][i] = across_at_border(pipe[3][i], i, south - EAST);
#endif
}

void accelerate(int i, bool inland)
{
    if (inland)
        accelerate_inland(i);
    else
        accelerate_at_border(i);
}

// Over the border flows what comes there from inside, as flux_from() says: the same in the patch.
void renew_border(int i, ivec2 q)
{
    ivec2 last = grid.size - 1;
    if (q.x == -1 || q.x == last.x)
        pipe[0][i] = last.x > 0 ? pipe[0][q.x < 0 ? i + EAST : i - EAST] : 0.0;
    if (q.y == -1 || q.y == last.y)
        pipe[1][i] = last.y > 0 ? pipe[1][q.y < 0 ? i + SOUTH : i - SOUTH] : 0.0;
}

// Fluxes before the giving cells set their bounds: out of a cell, and into it from W, N, NW, NE.
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
    return flux * LEFT(flux > 0.0 ? i : to);
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

// ---- What comes and goes, in whole steps ----

// Sediment that goes with water from a cell to a neighbour, positive or negative.
int with_water(int water, int i, int to)
{
    return int(float(water) * LOAD(water > 0 ? i : to));
}

// A 64-bit sum in two halves.
ivec2 added(ivec2 sum, int count)
{
    uint low = uint(sum.x) + uint(count);
    return ivec2(int(low), sum.y + (count >> 31) + (low < uint(count) ? 1 : 0));
}

// Adds to the books what leaves over a border.
void book(ivec2 q, int water, int sediment)
{
    int entry = oro_index(q);
    ivec4 booked = gone[entry];
    gone[entry] = ivec4(added(booked.xy, water), added(booked.zw, sediment));
}

// What goes over the border from and to a cell there.
void book_borders(int i, ivec2 q)
{
    ivec2 last = grid.size - 1;
    if (all(greaterThan(q, ivec2(0))) && all(lessThan(q, last)))
        return;
    ivec2 lost = ivec2(bounded_out(i).xy), won = ivec2(bounded_in(i).xy);
    if (q.x == 0)
        book(q, -won.x, -with_water(won.x, i - EAST, i));
    if (q.x == last.x)
        book(q, lost.x, with_water(lost.x, i, i + EAST));
    if (q.y == 0)
        book(q, -won.y, -with_water(won.y, i - SOUTH, i));
    if (q.y == last.y)
        book(q, lost.y, with_water(lost.y, i, i + SOUTH));
}

// Eq. 6, and 15 in flux form: what the neighbours send to the cell less what it sends, of water and of sediment.
ivec2 collected(int i, pipes_type out_of, pipes_type into)
{
    ivec2 lost = ivec2(out_of.xy), won = ivec2(into.xy);
    ivec2 lost_sediment = ivec2(with_water(lost.x, i, i + EAST), with_water(lost.y, i, i + SOUTH));
    ivec2 won_sediment = ivec2(with_water(won.x, i - EAST, i), with_water(won.y, i - SOUTH, i));
    ivec2 water = won - lost, sediment = won_sediment - lost_sediment;
#if PIPES == 4
    ivec2 lost_across = ivec2(out_of.zw), won_across = ivec2(into.zw);
    water += won_across - lost_across;
    sediment -= ivec2(with_water(lost_across.x, i, i + SOUTH + EAST), with_water(lost_across.y, i, i + SOUTH - EAST));
    sediment += ivec2(with_water(won_across.x, i - SOUTH - EAST, i), with_water(won_across.y, i - SOUTH + EAST, i));
#endif
    return ivec2(water.x + water.y, sediment.x + sediment.y);
}
