/*
 * Gabor noise: a complex field, summed up of kernels on a hashed lattice (Lagae 2009; Grenier 2023, eq. 13 to 15).
 * Each kernel is a plane wave under a bell, and keeps its own direction, frequency and phase wherever it is looked at,
 * so the sum and its slope are as smooth as a kernel is. nodes/lib/gabor_lattice.h says how lattices are laid, and fills
 * the slots:
 *
 *   lattices   GABOR_WORDS uvec4 for each lattice
 *   places     vec4 for each kernel: place within its lattice cell (0..1), wave vector in radians per lattice cell
 *   phases     vec2 for each kernel: phase at its centre, weight
 *
 * Where `GABOR_MIXED` is 1, kernels of one lattice differ in frequency, and so in size. Then kernels of ours whose work
 * groups are blocks of the raster define `GABOR_BLOCKS`: a group looks for the kernels that reach any of its cells, once for
 * each lattice, and its invocations go through these alone. Most lattices of a map have none there.
 */
#ifndef GABOR_MIXED
#define GABOR_MIXED 0
#endif

#include "lib/gabor_lattice.glsl"

/* The envelope is (1 - t)^4, t the squared distance in reaches: a bell with the standard deviation of the Gaussian of
 * eq. 13, its reach being sqrt(12) of them, that ends there with three derivatives. Thus nothing is cut off. */
const float GABOR_SHARPNESS = 1.0 / float(GABOR_REACH * GABOR_REACH);
const float GABOR_CIRCLE = 6.28318530718;

/* A complex value (real, imaginary) and its derivatives east and south, per cell of the raster: columns of eq. 15. */
struct gabor_field {
    vec2 value, east, south;
};

/* Adds the kernels of one lattice that reach a place: eq. 13 and 14. The mean of |value|^2 over all is 1 where all
 * weights are full. */
void gabor_add(gabor_lattice lattice, ivec2 cell, vec2 at, inout gabor_field field)
{
    gabor_field sum = gabor_field(vec2(0.0), vec2(0.0), vec2(0.0));
    ivec2 first = cell + GABOR_MARGIN - GABOR_REACH;
    cell = clamp(first, ivec2(0), lattice.size - (2 * GABOR_REACH + 1));
    at += vec2(first - cell) + float(GABOR_REACH); /* beyond the margin there is nothing */
#if GABOR_MIXED
    float narrower = GABOR_SHARPNESS / (lattice.wave * lattice.wave);
#endif
    for (int j = 0; j <= 2 * GABOR_REACH; j++) {
        int row = lattice.first + (cell.y + j) * lattice.size.x + cell.x;
        for (int i = 0; i <= 2 * GABOR_REACH; i++) {
            vec2 phase = phases[row + i];
#if GABOR_MIXED
            if (phase.y == 0.0) /* most kernels of a lattice belong to others */
                continue;
#endif
            vec4 place = places[row + i];
            vec2 d = at - (vec2(i, j) + place.xy), wave = place.zw;
#if GABOR_MIXED
            float sharpness = narrower * dot(wave, wave);
#else
            const float sharpness = GABOR_SHARPNESS;
#endif
            float inside = max(1.0 - sharpness * dot(d, d), 0.0), weight = phase.y * inside * inside * inside;
            float envelope = weight * inside, fall = -8.0 * sharpness * weight; /* its derivative is fall * d */
            float angle = dot(wave, d) + phase.x;
            vec2 oscillation = vec2(cos(angle), sin(angle)), onward = envelope * vec2(-oscillation.y, oscillation.x);
            sum.value += envelope * oscillation;
            oscillation *= fall;
            sum.east += d.x * oscillation + wave.x * onward;
            sum.south += d.y * oscillation + wave.y * onward;
        }
    }
    field.value += sum.value;
    field.east += sum.east / lattice.spacing;
    field.south += sum.south / lattice.spacing;
}

/* Sum over all lattices of a level, at a place as of gabor_place; `each` lattices make up one. */
gabor_field gabor_level(int level, int each, ivec2 p, vec2 beyond)
{
    gabor_field sum = gabor_field(vec2(0.0), vec2(0.0), vec2(0.0));
    for (int i = level * each; i < (level + 1) * each; i++) {
        gabor_lattice lattice = gabor_lattice_at(i);
#if GABOR_MIXED
        if (lattice.size.x == 0)
            continue;
#endif
        ivec2 cell;
        vec2 at;
        gabor_place(lattice, p, beyond, cell, at);
        gabor_add(lattice, cell, at, sum);
    }
    return sum;
}

#if defined(GABOR_BLOCKS) && GABOR_MIXED
/* Where the block lies in a lattice. */
struct gabor_window {
    ivec2 cell, size; /* the first lattice cell under it; cells from which kernels may reach it */
    vec2 low, high;   /* the centres of its outermost cells, from the first cell of the window */
};

gabor_window gabor_window_of(gabor_lattice lattice)
{
    ivec2 first = oro_group() * ivec2(gl_WorkGroupSize.xy), end;
    ivec2 last = min(first + ivec2(gl_WorkGroupSize.xy), grid.size) - 1;
    gabor_window window;
    gabor_place(lattice, first, vec2(0.0), window.cell, window.low);
    gabor_place(lattice, last, vec2(0.0), end, window.high);
    window.size = end - window.cell + 2 * GABOR_REACH + 1;
    window.low += float(GABOR_REACH);
    window.high += vec2(end - window.cell) + float(GABOR_REACH);
    return window;
}

const int GABOR_CAPACITY = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y); /* kernels that are looked at together */
const int GABOR_MASKS = (GABOR_CAPACITY + 31) / 32;
shared vec4 near_places[GABOR_CAPACITY];      /* as in `places` */
shared vec4 near_phases[GABOR_CAPACITY];      /* phase, weight, lattice cell within the window */
shared uint near_masks[2 * GABOR_MASKS];  /* a bit for each kernel that reaches the block; two take turns */
int near_half = 0;

float gabor_sharpness(gabor_lattice lattice, vec2 wave)
{
    return GABOR_SHARPNESS / (lattice.wave * lattice.wave) * dot(wave, wave);
}

/* Looks at kernels number `from` to `from` + GABOR_CAPACITY - 1 of the window. */
void gabor_look(gabor_lattice lattice, gabor_window window, int from)
{
    int slot = int(gl_LocalInvocationIndex), k = from + slot;
    if (k >= window.size.x * window.size.y)
        return;
    ivec2 cell = ivec2(k % window.size.x, k / window.size.x), first = window.cell + GABOR_MARGIN - GABOR_REACH;
    int index = lattice.first + (first.y + cell.y) * lattice.size.x + first.x + cell.x;
    vec2 phase = phases[index];
    if (phase.y == 0.0)
        return;
    vec4 place = places[index];
    vec2 centre = vec2(cell) + place.xy, away = max(max(window.low - centre, centre - window.high), vec2(0.0));
    if (gabor_sharpness(lattice, place.zw) * dot(away, away) > 1.001) /* what reaches not quite adds nothing */
        return;
    near_places[slot] = place;
    near_phases[slot] = vec4(phase, vec2(cell));
    atomicOr(near_masks[GABOR_MASKS * near_half + slot / 32], 1u << uint(slot % 32));
}

void gabor_swap_halves()
{
    near_half = 1 - near_half;
    if (gl_LocalInvocationIndex < uint(GABOR_MASKS))
        near_masks[GABOR_MASKS * near_half + int(gl_LocalInvocationIndex)] = 0u;
    barrier();
}

/* Adds a kernel, `d` lattice cells from its centre, as gabor_add does. */
void gabor_add_kernel(vec2 d, vec2 wave, vec2 phase, float sharpness, inout gabor_field sum)
{
    float inside = 1.0 - sharpness * dot(d, d);
    if (inside <= 0.0)
        return;
    float weight = phase.y * inside * inside * inside;
    float envelope = weight * inside, fall = -8.0 * sharpness * weight;
    float angle = dot(wave, d) + phase.x;
    vec2 oscillation = vec2(cos(angle), sin(angle)), onward = envelope * vec2(-oscillation.y, oscillation.x);
    sum.value += envelope * oscillation;
    oscillation *= fall;
    sum.east += d.x * oscillation + wave.x * onward;
    sum.south += d.y * oscillation + wave.y * onward;
}

/* Adds the kernels of one lattice at cell p, in the order of gabor_add. */
void gabor_add_near(gabor_lattice lattice, ivec2 p, inout gabor_field field)
{
    gabor_field sum = gabor_field(vec2(0.0), vec2(0.0), vec2(0.0));
    gabor_window window = gabor_window_of(lattice);
    ivec2 cell;
    vec2 at;
    gabor_place(lattice, p, vec2(0.0), cell, at);
    vec2 first = vec2(cell - window.cell); /* of the lattice cells around p, within the window */
    at += float(GABOR_REACH);
    for (int from = 0; from < window.size.x * window.size.y; from += GABOR_CAPACITY) {
        gabor_look(lattice, window, from);
        barrier();
        for (int mask = 0; mask < GABOR_MASKS; mask++)
            for (uint left = near_masks[GABOR_MASKS * near_half + mask]; left != 0u; left &= left - 1u) {
                int slot = 32 * mask + findLSB(left);
                vec4 place = near_places[slot], phase = near_phases[slot];
                gabor_add_kernel(at - ((phase.zw - first) + place.xy), place.zw, phase.xy,
                                 gabor_sharpness(lattice, place.zw), sum);
            }
        gabor_swap_halves();
    }
    field.value += sum.value;
    field.east += sum.east / lattice.spacing;
    field.south += sum.south / lattice.spacing;
}

/* Sum over all lattices of a level, at a cell; `each` lattices make up one. All invocations of the group must come here,
 * also those beyond the raster. */
gabor_field gabor_level_in_block(int level, int each, ivec2 p)
{
    gabor_field sum = gabor_field(vec2(0.0), vec2(0.0), vec2(0.0));
    gabor_swap_halves();
    for (int i = level * each; i < (level + 1) * each; i++) {
        gabor_lattice lattice = gabor_lattice_at(i);
        if (lattice.size.x > 0)
            gabor_add_near(lattice, p, sum);
    }
    return sum;
}

bool gabor_skips(ivec2 p)
{
    return false;
}
#else
gabor_field gabor_level_in_block(int level, int each, ivec2 p)
{
    return gabor_level(level, each, p, vec2(0.0));
}

/* Whether an invocation has nothing to do, not even for its group. */
bool gabor_skips(ivec2 p)
{
    return !oro_inside(p);
}
#endif
