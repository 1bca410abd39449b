#include "nodes/lib/gabor_lattice.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"

/* lib/gabor.glsl has the same numbers. */
enum { REACH = 2, MARGIN = 5 };
/* Seeds of lattices that are set aside for each level. */
enum { SEEDS = 1024 };

/* Lets in what is at a limit but for rounding. */
static const double slack = 1 + 1e-6;
static const double pi = 3.14159265358979323846;

/* A row of the device's table: GABOR_WORDS in lib/gabor.glsl. */
struct lattice {
    uint32_t start[2], scale;
    float spacing;
    int32_t size[2], corner[2];
    int32_t first;
    float wave, pitch;
    uint32_t seed;
};

double oro_gabor_limit(double cell)
{
    return 0.25 / cell;
}

float oro_gabor_carried(struct oro_eval *e)
{
    return (float)(oro_gabor_limit(oro_eval_grid(e)->cell) * slack);
}

double oro_gabor_build_limit(struct oro_eval *e, double cell)
{
    return oro_eval_capped(e) ? 1e30 : oro_gabor_limit(cell);
}

/* The least and the largest of the values that are at least `lowest`. Plain comparisons, which are false for
 * what is not a number: maps are large, and the device waits. */
struct extremes {
    float low, high;
};

static struct extremes find_extremes(const float *values, size_t count, float lowest)
{
    struct extremes found = {HUGE_VALF, 0};
    for (size_t i = 0; i < count; i++) {
        float low = values[i] >= lowest ? values[i] : HUGE_VALF, high = values[i] >= lowest ? values[i] : 0;
        found.low = low < found.low ? low : found.low;
        found.high = high > found.high ? high : found.high;
    }
    return found;
}

/* The smallest float that is not below a number. */
static float not_below(double number)
{
    float nearest = (float)number;
    return (double)nearest < number ? nextafterf(nearest, HUGE_VALF) : nearest;
}

bool oro_gabor_range(struct oro_eval *e, const char *input, float literal, double limit,
                     struct oro_gabor *gabor, bool *limited)
{
    const struct oro_grid *grid = oro_eval_input_grid(e, input), *all = oro_eval_grid(e);
    gabor->lowest = 0.25 / (oro_grid_longer(all) * all->cell);
    const float *values = grid ? oro_eval_input_host(e, input) : &literal;
    size_t count = !values ? 0 : grid ? oro_grid_cells(grid) : 1;
    struct extremes found = find_extremes(values, count, not_below(gabor->lowest));
    gabor->low = fmin((double)found.low, limit);
    gabor->high = fmin((double)found.high, limit);
    *limited = (double)found.high > limit * slack;
    if (gabor->high > 0)
        return true;
    gabor->levels = 0;
    return false;
}

int oro_gabor_levels(const struct oro_gabor *gabor, int levels, double frequency, double limit)
{
    while (levels > 0 && frequency * pow(gabor->ratio, levels - 1) > limit * slack)
        levels--;
    return levels;
}

/* Splits a lattice coordinate into a whole cell, modulo 2^32, and a fraction in 2^-32. */
static void split(double coordinate, int32_t *cell, uint32_t *fraction)
{
    double whole = floor(coordinate);
    *cell = (int32_t)(uint32_t)(int64_t)fmod(whole, 4294967296.0);
    *fraction = (uint32_t)fmin((coordinate - whole) * 4294967296.0, 4294967295.0);
}

/* Lays a lattice of cells `spacing` metres wide over the raster. `random`: shifts it against the world's
 * origin. */
static void place(const struct oro_grid *grid, double spacing, uint32_t random, struct lattice *lattice)
{
    double scale = grid->cell / spacing;
    double origin[] = {grid->x, grid->y};
    lattice->seed = random;
    for (int axis = 0; axis < 2; axis++) {
        double shift = oro_random_between(&random, 0, 1024);
        split((origin[axis] + 0.5 * grid->cell) / spacing + shift, &lattice->corner[axis],
              &lattice->start[axis]);
        lattice->corner[axis] = (int32_t)((uint32_t)lattice->corner[axis] - MARGIN);
        int cells = axis == 0 ? grid->width : grid->height;
        /* One more than the last cell's coordinate needs, in case it is rounded up. */
        lattice->size[axis] = (int)(scale * cells) + 2 + 2 * MARGIN;
    }
    lattice->scale = (uint32_t)fmin(scale * 4294967296.0 + 0.5, 4294967295.0);
    lattice->spacing = (float)(1 / scale);
}

static uint32_t seed_of(const struct oro_gabor *gabor, int lattice)
{
    return oro_random_hash(gabor->seed + oro_random_hash((uint32_t)lattice));
}

/* Lattices for a range of frequencies are half octaves apart: at 2^(step / 2), counted from 1/m, whatever the
 * range is, so that places have the same kernels on all rasters. Returns the first step that kernels of the
 * lowest frequency belong to. */
static int first_step(const struct oro_gabor *gabor)
{
    return (int)floor(2 * log2(gabor->low)) - 1;
}

static double lattice_frequency(const struct oro_gabor *gabor, int level, int index)
{
    double base = gabor->mixed ? pow(2, 0.5 * (first_step(gabor) + index)) : gabor->low;
    return base * pow(gabor->ratio, level);
}

/* The lattices of a level: they cover the range, except those above what the cells carry at any level. */
static int count_each(const struct oro_gabor *gabor, double carried)
{
    int count = gabor->mixed ? (int)ceil(2 * log2(gabor->high)) - first_step(gabor) : 1;
    while (count > 1 && lattice_frequency(gabor, 0, count - 1) >= carried)
        count--;
    return count;
}

/* Waves of the lowest frequency in a lattice cell. */
static double waves_in_cell(double regularity)
{
    return sqrt(12) / REACH * regularity;
}

/* Lattices of all levels. Returns how many kernels they have. Those above what the cells carry stay empty. */
static size_t place_all(struct oro_gabor *gabor, const struct oro_grid *grid, struct lattice *table)
{
    size_t kernels = 0;
    int step = gabor->mixed ? first_step(gabor) : 0;
    double waves = waves_in_cell(gabor->regularity);
    for (int i = 0; i < gabor->levels * gabor->each; i++) {
        int level = i / gabor->each, index = i % gabor->each;
        double frequency = lattice_frequency(gabor, level, index);
        gabor->columns[i] = gabor->rows[i] = 0;
        if (frequency > oro_gabor_limit(grid->cell) * slack)
            continue;
        place(grid, waves / frequency, seed_of(gabor, SEEDS * level + step + index), &table[i]);
        table[i].wave = (float)(2 * pi * waves);
        table[i].pitch = (float)frequency;
        table[i].first = (int32_t)kernels;
        gabor->columns[i] = table[i].size[0];
        gabor->rows[i] = table[i].size[1];
        gabor->spacing[i] = waves / frequency / grid->cell;
        for (int axis = 0; axis < 2; axis++)
            gabor->corner[i][axis] =
                0.5 - gabor->spacing[i] * (MARGIN + ldexp((double)table[i].start[axis], -32));
        kernels += (size_t)table[i].size[0] * (size_t)table[i].size[1];
    }
    return kernels;
}

bool oro_gabor_begin(struct oro_eval *e, struct oro_gabor *gabor)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct lattice table[ORO_GABOR_LATTICES] = {0};
    gabor->mixed = gabor->high > gabor->low;
    /* What the cells cannot carry at all is left out. */
    gabor->levels = oro_gabor_levels(gabor, gabor->levels, gabor->low, oro_gabor_limit(grid->cell));
    gabor->each = count_each(gabor, oro_gabor_limit(grid->cell) * slack);
    if (gabor->levels * gabor->each >= ORO_GABOR_LATTICES)
        return oro_eval_fail(e, ORO_E_LIMIT, "frequencies from %g to %g 1/m are too wide a range", gabor->low,
                             gabor->high);
    size_t kernels = place_all(gabor, grid, table);
    int last = gabor->levels * gabor->each;
    if (gabor->noise_spacing > 0)
        place(grid, gabor->noise_spacing, seed_of(gabor, SEEDS * ORO_GABOR_LEVELS), &table[last]);
    /* The mean square, were all weights 1, is that of the envelope, (1 - t)^8, integrated: kernels are one to
     * a lattice cell. */
    gabor->share = (float)sqrt(9 / (pi * REACH * REACH));
    gabor->lattices = oro_eval_buffer(e, sizeof table / (sizeof(float)));
    gabor->places = oro_eval_buffer(e, 4 * kernels);
    gabor->phases = oro_eval_buffer(e, 2 * kernels);
    return oro_eval_upload(e, gabor->lattices, table, sizeof table);
}

double oro_gabor_bytes(const struct oro_grid *grid, const struct oro_gabor *gabor)
{
    double bytes = ORO_GABOR_LATTICES * sizeof(struct lattice), frequency = gabor->high;
    double limit = oro_gabor_limit(grid->cell), waves = waves_in_cell(gabor->regularity);
    for (int level = 0; level < gabor->levels; level++, frequency *= gabor->ratio) {
        /* Lattices of a map become half as dense with every half octave down: twice as many in all. */
        double lattices = gabor->high > 0 ? 1 : 2, scale = grid->cell / waves;
        if (frequency > limit * slack)
            break;
        scale *= gabor->high > 0 ? frequency : limit;
        bytes += lattices * 10 * sizeof(float) * (scale * grid->width + 2 * MARGIN + 2) *
                 (scale * grid->height + 2 * MARGIN + 2);
    }
    return bytes;
}

static void hand_over(const struct oro_gabor *gabor, enum oro_access access, struct oro_dispatch *dispatch)
{
    oro_add_slot(dispatch, (struct oro_slot){"lattices", gabor->lattices, ORO_READ, "uvec4"});
    oro_add_slot(dispatch, (struct oro_slot){"places", gabor->places, access, "vec4"});
    oro_add_slot(dispatch, (struct oro_slot){"phases", gabor->phases, access, "vec2"});
    dispatch->defines = gabor->mixed ? "#define GABOR_MIXED 1\n" : "#define GABOR_MIXED 0\n";
}

void oro_gabor_read(const struct oro_gabor *gabor, struct oro_dispatch *dispatch)
{
    hand_over(gabor, ORO_READ, dispatch);
}

/* An array of what the first kernel has written: where that lies in tiles, by way of the host. NULL: failed.
 */
static struct oro_buffer *as_array(struct oro_eval *e, struct oro_buffer *raster, size_t cells)
{
    size_t bytes = cells * 4 * sizeof(float);
    if (!oro_eval_in_tiles(e, raster))
        return raster;
    struct oro_buffer *array = oro_eval_buffer(e, 4 * cells);
    void *host = oro_alloc(bytes, 1);
    if (!host)
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu kernels of noise", cells);
    bool ok =
        host && array && oro_eval_download(e, raster, host, bytes) && oro_eval_upload(e, array, host, bytes);
    oro_free(host);
    return ok ? array : NULL;
}

/* What guides the kernels of a lattice; each has a grid of its own, and so a dispatch. NULL: failed. */
static struct oro_buffer *guide(struct oro_eval *e, const struct oro_gabor *gabor,
                                const struct oro_gabor_laying *laying, int lattice)
{
    double cell = oro_eval_grid(e)->cell, scale = cell / laying->source.cell;
    struct oro_dispatch guides = laying->guides;
    struct oro_grid grid = {gabor->columns[lattice], gabor->rows[lattice], cell * gabor->spacing[lattice], 0,
                            0};
    const float corner[] = {(float)(scale * gabor->corner[lattice][0]),
                            (float)(scale * gabor->corner[lattice][1])};
    struct oro_buffer *raster = oro_eval_raster(e, ORO_IMAGE, &grid);
    oro_dispatch_source(&guides, &grid, &laying->source, corner, 2);
    oro_add_slot(&guides, (struct oro_slot){"lattices", gabor->lattices, ORO_READ, "uvec4"});
    oro_add_slot(&guides, (struct oro_slot){"guides_out", raster, ORO_WRITE, "vec4"});
    oro_add_constant(&guides, "lattice", lattice);
    oro_add_constant(&guides, "level", lattice / gabor->each);
    return oro_eval_dispatch(e, &guides) ? as_array(e, raster, oro_grid_cells(&grid)) : NULL;
}

bool oro_gabor_lay(struct oro_eval *e, const struct oro_gabor *gabor, struct oro_gabor_laying *laying)
{
    struct oro_dispatch *kernels = &laying->kernels;
    hand_over(gabor, ORO_UPDATE, kernels);
    oro_add_slot(kernels, (struct oro_slot){"guides", NULL, ORO_READ, "vec4"});
    oro_add_constant(kernels, "lattice", 0);
    oro_add_constant(kernels, "level", 0);
    oro_add_constant(kernels, "each", gabor->each);
    oro_add_constant(kernels, "share", (double)gabor->share);
    kernels->maps = (const char *const[]){NULL};
    for (int i = 0; i < gabor->levels * gabor->each; i++) {
        if (gabor->columns[i] == 0)
            continue;
        oro_bind(kernels, "guides", guide(e, gabor, laying, i));
        oro_set(kernels, "lattice", i);
        oro_set(kernels, "level", i / gabor->each);
        kernels->columns = gabor->columns[i];
        kernels->rows = gabor->rows[i];
        if (!oro_eval_dispatch(e, kernels))
            return false;
    }
    return true;
}
