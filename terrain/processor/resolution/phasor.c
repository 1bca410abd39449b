/* A terrain with finer cells, and ravines upon it (gles_shaders/resolution/phasor.comp). The surface below
 * and the amplitude are splines: along each row of coarse cells first, then across these rows. */
#include <string.h>

#include "terrain/processor/lib/bicubic.h"
#include "terrain/processor/lib/noise_layers.h"
#include "terrain/processor/lib/phasor.h"

enum { WIDTH = ORO_TILE_WIDTH, COLUMNS = WIDTH + 5, ROWS = ORO_TILE_HEIGHT + 5 };
enum {
    OCTAVES_MAX = 16,
    SHARED_MAX = 6
}; /* octaves of the noise on crests; those with a table of gradients */

struct phasor {
    struct oro_run_grid grid, source;
    struct oro_gabor_kernels gabor;
    struct oro_phasor phasor;
    const float *knots, *relief, *original;
    int levels, each, octaves, crest_octaves;
    float crest, coarser_x, coarser_y; /* coarse cells for each of the fine ones */
    float *height, *detail, *gradient, *amplitude;
};

/* ---- Splines ---- */

/* Along a row of coarse cells, for each column of a tile. `ground` is relative to `base`, the coefficient of
 * the cell before: sums of large numbers lose precision. */
struct coarse_row {
    float base[WIDTH], ground[WIDTH], ground_slope[WIDTH], relief[WIDTH], relief_slope[WIDTH];
};

/* A coefficient of the surface. Beyond the edges they go on as turned about the edge's own (lib/spline.glsl).
 */
static float knot_east(const struct phasor *k, int x, int y)
{
    const float *row = k->knots + (size_t)y * (size_t)k->source.width;
    int width = k->source.width;
    float sum = 0, side = 1;
    for (int i = 0; i < 32 && width > 1 && (x < 0 || x >= width); i++, side = -side) {
        int edge = oro_within(x, width);
        sum += 2 * side * row[edge];
        x = 2 * edge - x;
    }
    return sum + side * row[oro_within(x, width)];
}

static float knot(const struct phasor *k, int x, int y)
{
    int height = k->source.height;
    float sum = 0, side = 1;
    for (int i = 0; i < 32 && height > 1 && (y < 0 || y >= height); i++, side = -side) {
        int edge = oro_within(y, height);
        sum += 2 * side * knot_east(k, x, edge);
        y = 2 * edge - y;
    }
    return sum + side * knot_east(k, x, oro_within(y, height));
}

ORO_INLINE float place_of(float coarser, int p)
{
    return ((float)p + 0.5F) * coarser - 0.5F;
}

ORO_INLINE void run_along(const struct phasor *k, const struct oro_tile *tile, int y, struct coarse_row *row)
{
    float knots[COLUMNS] = {0}, relief[COLUMNS] = {0}, coarser = k->coarser_x;
    int first = (int)oro_floor(place_of(coarser, tile->x)) - 1;
    int end = (int)oro_floor(place_of(coarser, tile->x + tile->width - 1)) + 3;
    const float *reliefs = k->relief + (size_t)oro_within(y, k->source.height) * (size_t)k->source.width;
    for (int i = first; i < end; i++) {
        knots[i - first] = knot(k, i, y);
        relief[i - first] = reliefs[oro_within(i, k->source.width)];
    }
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float place = place_of(coarser, tile->x + x), whole = oro_floor(place);
        struct oro_weights w = oro_b_spline(place - whole), d = oro_b_spline_slope(place - whole);
        int i = (int)whole - 1 - first;
        float base = knots[i + 1], a = knots[i] - base, b = knots[i + 2] - base, c = knots[i + 3] - base;
        row->base[x] = base;
        row->ground[x] = w.w[0] * a + w.w[2] * b + w.w[3] * c;
        row->ground_slope[x] = d.w[0] * a + d.w[2] * b + d.w[3] * c;
        row->relief[x] =
            w.w[0] * relief[i] + w.w[1] * relief[i + 1] + w.w[2] * relief[i + 2] + w.w[3] * relief[i + 3];
        row->relief_slope[x] =
            d.w[0] * relief[i] + d.w[1] * relief[i + 1] + d.w[2] * relief[i + 2] + d.w[3] * relief[i + 3];
    }
}

/* The surface with its gradient in metres per metre, and the amplitude with its derivatives per cell; `t`:
 * the way from the second of the four rows to the third. */
ORO_INLINE void run_across(const struct phasor *k, int width, const struct coarse_row *rows, float t,
                           oro_sloped_row ground, oro_sloped_row amplitude)
{
    struct oro_weights w = oro_b_spline(t), d = oro_b_spline_slope(t);
    float coarse = k->source.cell, finer = k->grid.cell / k->source.cell;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float middle = rows[1].base[x], g[3] = {0}, r[3] = {0};
        for (int j = 0; j < 4; j++) {
            float h = rows[j].ground[x] + (rows[j].base[x] - middle), a = rows[j].relief[x];
            g[0] += w.w[j] * h;
            g[1] += w.w[j] * rows[j].ground_slope[x];
            g[2] += d.w[j] * h;
            r[0] += w.w[j] * a;
            r[1] += w.w[j] * rows[j].relief_slope[x];
            r[2] += d.w[j] * a;
        }
        ground[0][x] = middle + g[0];
        ground[1][x] = g[1] / coarse;
        ground[2][x] = g[2] / coarse;
        amplitude[0][x] = r[0];
        amplitude[1][x] = r[1] * finer;
        amplitude[2][x] = r[2] * finer;
    }
}

/* ---- Noise on crests ---- */

/* Its lattice is the last of the table; each octave has cells half as wide. */
struct octave {
    uint32_t seed;
    int32_t times;
    float shift_x, shift_y;
    bool shares;
};
struct crests {
    const struct oro_gabor_lattice *lattice;
    struct octave octaves[OCTAVES_MAX];
    struct oro_gradient_table tables[SHARED_MAX];
};

ORO_INLINE struct oro_lattice_place
octave_place(const struct octave *octave, const struct oro_gabor_lattice *lattice, int64_t x, int64_t y)
{
    uint32_t times = (uint32_t)octave->times;
    uint32_t column = ((uint32_t)(x >> 32) + (uint32_t)lattice->corner[0]) * times;
    uint32_t row = ((uint32_t)(y >> 32) + (uint32_t)lattice->corner[1]) * times;
    return oro_lattice_reduce((int32_t)column, (int32_t)row,
                              oro_hash_unit((uint32_t)x) * (float)octave->times + octave->shift_x,
                              oro_hash_unit((uint32_t)y) * (float)octave->times + octave->shift_y);
}

ORO_INLINE void prepare_crests(const struct phasor *k, const struct oro_tile *tile, struct crests *crests)
{
    const struct oro_gabor_lattice *lattice = k->gabor.lattices + (size_t)k->levels * (size_t)k->each;
    int64_t west = oro_gabor_place(lattice, 0, tile->x), north = oro_gabor_place(lattice, 1, tile->y);
    int64_t east = oro_gabor_place(lattice, 0, tile->x + tile->width - 1);
    int64_t south = oro_gabor_place(lattice, 1, tile->y + tile->height - 1);
    crests->lattice = lattice;
    for (int i = 0; i < k->octaves; i++) {
        uint32_t seed = oro_hash_number(lattice->seed + (uint32_t)i);
        struct octave octave = {seed, 1 << i, oro_hash_point_x(seed), oro_hash_point_y(seed), false};
        octave.shares = i < SHARED_MAX &&
                        oro_gradients_lay(&crests->tables[i], octave_place(&octave, lattice, west, north),
                                          octave_place(&octave, lattice, east, south), seed);
        crests->octaves[i] = octave;
    }
}

ORO_INLINE void add_octave(const struct octave *octave, const struct oro_gradient_table *table, float gain,
                           float scale, int width, const struct oro_lattice_row *places, oro_sloped_row noise)
{
    struct oro_gradient_row row;
    int index[WIDTH];
    uint32_t seed = octave->seed;
    if (octave->shares) {
        int32_t first_x = table->x, first_y = table->y, columns = table->columns;
#pragma omp simd
        for (int x = 0; x < width; x++)
            index[x] = (places->y[x] - first_y) * columns + places->x[x] - first_x;
        oro_gradients_spread(table, index, width, &row);
    } else {
#pragma omp simd
        for (int x = 0; x < width; x++) {
            struct oro_gradients g = oro_noise_gradients(places->x[x], places->y[x], seed);
            oro_gradients_put(&row, x, &g);
        }
    }
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_gradients g = oro_gradients_at(&row, x);
        struct oro_sloped value = oro_gradient_noise_slope_of(&g, places->u[x], places->v[x]);
        noise[0][x] += gain * value.value;
        noise[1][x] += gain * (scale * value.east);
        noise[2][x] += gain * (scale * value.south);
    }
}

/* Fractal noise within -1..1, with derivatives per cell. */
ORO_INLINE void crest_noise(const struct phasor *k, const struct crests *crests, const struct oro_tile *tile,
                            int y, oro_sloped_row noise)
{
    const struct oro_gabor_lattice *lattice = crests->lattice;
    int64_t west = oro_gabor_place(lattice, 0, tile->x), south = oro_gabor_place(lattice, 1, y);
    int64_t step = lattice->scale;
    float gain = 1, total = 2 - oro_exp2((float)(1 - k->crest_octaves)); /* of all octaves */
    memset(noise, 0, sizeof(oro_sloped_row));
    for (int i = 0; i < k->octaves; i++, gain *= 0.5F) {
        const struct octave octave = crests->octaves[i];
        struct oro_lattice_row places;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            struct oro_lattice_place place = octave_place(&octave, lattice, west + x * step, south);
            places.x[x] = place.x;
            places.y[x] = place.y;
            places.u[x] = place.u;
            places.v[x] = place.v;
        }
        add_octave(&octave, &crests->tables[i < SHARED_MAX ? i : 0], gain / total,
                   (float)octave.times / lattice->spacing, tile->width, &places, noise);
    }
}

/* Adds noise to the crests of the first level: the amplitude, the crests and the noise multiplied. */
ORO_INLINE void roughen(float strength, int width, oro_sloped_row full, oro_sloped_row crest,
                        oro_sloped_row noise, oro_sloped_row detail)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float a = strength * full[0][x], rough = crest[0][x] * noise[0][x];
        float east = crest[1][x] * noise[0][x] + crest[0][x] * noise[1][x];
        float south = crest[2][x] * noise[0][x] + crest[0][x] * noise[2][x];
        detail[0][x] += a * rough;
        detail[1][x] += strength * full[1][x] * rough + a * east;
        detail[2][x] += strength * full[2][x] * rough + a * south;
    }
}

/* ---- Tiles ---- */

ORO_INLINE void set_row(const struct phasor *k, const struct oro_tile *tile, int y, oro_sloped_row ground,
                        oro_sloped_row full, oro_sloped_row detail)
{
    size_t at = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
    float *height = k->height + at, *gradient = k->gradient + 2 * at, cell = k->grid.cell;
    const float *below = k->original ? k->original + at : ground[0];
    for (int x = 0; x < tile->width; x++) {
        height[x] = below[x] + detail[0][x];
        gradient[2 * x] = ground[1][x] + detail[1][x] / cell;
        gradient[2 * x + 1] = ground[2][x] + detail[2][x] / cell;
    }
    memcpy(k->detail + at, detail[0], (size_t)tile->width * sizeof(float));
    memcpy(k->amplitude + at, full[0], (size_t)tile->width * sizeof(float));
}

ORO_INLINE void carve_row(const struct phasor *k, const struct crests *crests, const struct oro_tile *tile,
                          int y, oro_sloped_row full, struct oro_phasor_row *row)
{
    struct oro_gabor_row field;
    oro_sloped_row noise;
    memcpy(row->amplitude, full, sizeof(oro_sloped_row));
    memset(row->detail, 0, sizeof row->detail);
    for (int level = 0; level < k->levels; level++) {
        oro_gabor_level_row(&k->gabor, level, k->each, tile, y, true, &field);
        oro_phasor_add(&k->phasor, tile->width, &field, 0.5F, row);
        if (level == 0 && k->octaves > 0) {
            crest_noise(k, crests, tile, y, noise);
            roughen(k->crest, tile->width, full, row->crest, noise, row->detail);
        }
    }
}

static ORO_CLONES void carve(const void *user, const struct oro_tile *tile)
{
    const struct phasor *k = user;
    struct coarse_row rows[ROWS];
    struct crests crests;
    oro_sloped_row ground, full;
    struct oro_phasor_row row;
    int first = (int)oro_floor(place_of(k->coarser_y, tile->y)) - 1;
    int end = (int)oro_floor(place_of(k->coarser_y, tile->y + tile->height - 1)) + 3;
    for (int y = first; y < end; y++)
        run_along(k, tile, y, &rows[y - first]);
    if (k->octaves > 0)
        prepare_crests(k, tile, &crests);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float place = place_of(k->coarser_y, y), whole = oro_floor(place);
        run_across(k, tile->width, rows + ((int)whole - 1 - first), place - whole, ground, full);
        carve_row(k, &crests, tile, y, full, &row);
        set_row(k, tile, y, ground, full, row.detail);
    }
}

ORO_PROCESSOR(resolution, phasor)
{
    struct phasor k = {.grid = run->grid,
                       .source = run->source,
                       .gabor = oro_gabor_of(run),
                       .phasor = oro_phasor_of(run),
                       .knots = oro_run_buffer(run, "terrain"),
                       .relief = oro_run_buffer(run, "relief"),
                       .levels = (int)oro_run_number(run, "levels"),
                       .each = (int)oro_run_number(run, "each"),
                       .octaves = (int)oro_run_number(run, "octaves"),
                       .crest_octaves = oro_run_int(run, "crest_octaves"),
                       .crest = oro_run_float(run, "crest"),
                       .coarser_x = (float)run->source.width / (float)run->grid.width,
                       .coarser_y = (float)run->source.height / (float)run->grid.height,
                       .height = oro_run_buffer(run, "height_out"),
                       .detail = oro_run_buffer(run, "detail_out"),
                       .gradient = oro_run_buffer(run, "gradient_out"),
                       .amplitude = oro_run_buffer(run, "amplitude_out")};
    if (run->source.width == run->grid.width && run->source.height == run->grid.height)
        k.original = oro_run_buffer(run, "original");
    if (!(k.crest > 0) || k.levels == 0)
        k.octaves = 0;
    if (oro_run_ready(run))
        oro_run_tiles(run, carve, &k);
}
