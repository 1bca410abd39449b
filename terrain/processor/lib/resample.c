#include "terrain/processor/lib/resample.h"

#include "terrain/processor/lib/bicubic.h"
#include "terrain/processor/lib/terrain.h"

const char *const oro_resampling_words[] = {"monotone", "catmull_rom", "b_spline", "bilinear", NULL};

struct covered {
    float low, high, middle; /* in cells of the source */
};

static struct covered covered_by(const struct oro_resample_axis *axis, int cell)
{
    float low = (float)cell * axis->scale, high = ((float)cell + 1) * axis->scale;
    if (!axis->placed)
        return (struct covered){low, high, ((float)cell + 0.5F) * axis->scale};
    float count = (float)axis->cells, middle;
    low += axis->shift;
    high = low + axis->scale;
    middle = oro_clamp(0.5F * (low + high), 0, count);
    /* What lies further out than the source reaches is like its edge. */
    low = oro_clamp(low, -1, count);
    return (struct covered){low, oro_clamp(high, low + oro_min(axis->scale, 1), count + 1), middle};
}

/* ---- Coarser ---- */

/* Sums are relative to a cell, row by row: constants stay exact, and large numbers do not cost the small
 * ones. */
static float average(const struct oro_resample *k, const struct covered *east, const struct covered *south)
{
    int first_x = (int)oro_floor(east->low), last_x = (int)-oro_floor(-east->high) - 1;
    int first_y = (int)oro_floor(south->low), last_y = (int)-oro_floor(-south->high) - 1;
    float middle = oro_map_at(&k->field, (first_x + last_x) / 2, (first_y + last_y) / 2 - k->top);
    float sum = 0, area = 0;
    for (int y = first_y; y <= last_y; y++) {
        float down = oro_min(south->high, (float)(y + 1)) - oro_max(south->low, (float)y), row = 0, width = 0;
        for (int x = first_x; x <= last_x; x++) {
            float across = oro_min(east->high, (float)(x + 1)) - oro_max(east->low, (float)x);
            row += across * (oro_map_at(&k->field, x, y - k->top) - middle);
            width += across;
        }
        sum += down * row;
        area += down * width;
    }
    return middle + sum / area;
}

static void find_averages(const struct oro_resample *k, const struct oro_tile *tile)
{
    struct covered east[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++)
        east[x] = covered_by(&k->east, tile->x + x);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct covered south = covered_by(&k->south, y);
        float *out = k->out + (size_t)y * (size_t)k->width + tile->x;
        for (int x = 0; x < tile->width; x++)
            out[x] = average(k, &east[x], &south);
    }
}

/* ---- Finer ---- */

/* Of a cell, from the middle of the first one of the source. */
static float place_of(const struct oro_resample *k, const struct oro_resample_axis *axis, int cell)
{
    float place = covered_by(axis, cell).middle - 0.5F;
    return k->method == ORO_RESAMPLE_MONOTONE ? oro_clamp(place, 0, (float)(axis->cells - 1)) : place;
}

static struct oro_taps taps_at(const struct oro_resample *k, const struct oro_resample_axis *axis, int cell)
{
    float place = place_of(k, axis, cell);
    return k->method == ORO_RESAMPLE_B_SPLINE   ? oro_b_spline_taps(place)
           : k->method == ORO_RESAMPLE_BILINEAR ? oro_bilinear_taps(place)
                                                : oro_catmull_rom_taps(place);
}

/* along() of the kernel. */
ORO_INLINE float along(const float h[4], float t)
{
    float rise = h[2] - h[1], most = 3 * oro_abs(rise), u = 1 - t;
    float begin = 0.5F * (h[2] - h[0]), end = 0.5F * (h[3] - h[1]);
    begin = begin * rise > 0 ? oro_clamp(begin, -most, most) : begin;
    end = end * rise > 0 ? oro_clamp(end, -most, most) : end;
    float cubic = h[1] + (rise * (t * t * (3 - 2 * t)) + t * u * (u * begin - t * end));
    return oro_clamp(cubic, oro_min(h[1], h[2]), oro_max(h[1], h[2]));
}

/* monotone() of the kernel, along a row. `across`, `down`: of each column, and of the row, between the second
 * and the third sample. */
ORO_INLINE void monotone_row(const struct oro_taps_row *taps, const float *across, float down, int width,
                             float samples[4][ORO_TAPS_COLUMNS], float *values)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float east[4], south[4];
        for (int j = 0; j < 4; j++)
            east[j] = along(&samples[j][taps->first[x]], across[x]);
        for (int i = 0; i < 4; i++) {
            int at = taps->first[x] + i;
            south[i] = along((float[]){samples[0][at], samples[1][at], samples[2][at], samples[3][at]}, down);
        }
        values[x] = 0.5F * (along(east, down) + along(south, across[x]));
    }
}

static float part_of(const struct oro_resample *k, const struct oro_resample_axis *axis, int cell)
{
    float place = place_of(k, axis, cell);
    return place - oro_floor(place);
}

static ORO_CLONES void find_surface(const struct oro_resample *k, const struct oro_tile *tile)
{
    struct oro_taps_row taps = {0};
    float samples[4][ORO_TAPS_COLUMNS], across[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++) {
        oro_taps_put(&taps, x, taps_at(k, &k->east, tile->x + x));
        across[x] = part_of(k, &k->east, tile->x + x);
    }
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct oro_taps down = taps_at(k, &k->south, y);
        float *out = k->out + (size_t)y * (size_t)k->width + tile->x;
        for (int i = 0; i < 4; i++)
            oro_terrain_row(&k->field, taps.start, down.first + i, taps.count, samples[i]);
        if (k->method == ORO_RESAMPLE_MONOTONE)
            monotone_row(&taps, across, part_of(k, &k->south, y), tile->width, samples, out);
        else
            oro_surface_row(&taps, &down, tile->width, samples, out);
    }
}

/* ---- All ---- */

void oro_resample_tile(const void *user, const struct oro_tile *tile)
{
    const struct oro_resample *k = user;
    if (k->east.scale > 1 || k->south.scale > 1)
        find_averages(k, tile);
    else
        find_surface(k, tile);
}

void oro_resample_rows(const struct oro_resample *resample, int y, int *first, int *end)
{
    struct covered south = covered_by(&resample->south, y);
    *first = oro_within((int)oro_floor(south.low), resample->south.cells);
    *end = oro_within((int)-oro_floor(-south.high) - 1, resample->south.cells) + 1;
}

struct oro_resample oro_resample_between(const float *values, int width, int height, float *out, int to_width,
                                         int to_height, enum oro_resampling method)
{
    return (struct oro_resample){.field = {.values = values, .width = width, .height = height},
                                 .east = {.scale = (float)width / (float)to_width, .cells = width},
                                 .south = {.scale = (float)height / (float)to_height, .cells = height},
                                 .method = method,
                                 .out = out,
                                 .width = to_width};
}

static void place(struct oro_resample *k, struct oro_run *run)
{
    float scale = run->grid.cell / run->source.cell;
    k->east = (struct oro_resample_axis){scale, oro_run_number(run, "east"), k->east.cells, true};
    k->south = (struct oro_resample_axis){scale, oro_run_number(run, "south"), k->south.cells, true};
}

ORO_PROCESSOR(lib, resample)
{
    float *field = oro_run_optional(run, "field_out");
    struct oro_resample k =
        oro_resample_between(oro_run_buffer(run, "field"), run->source.width, run->source.height,
                             field ? field : oro_run_buffer(run, "terrain_out"), run->grid.width,
                             run->grid.height, (enum oro_resampling)oro_run_number(run, "method"));
    if (oro_run_defined(run, "PLACED") == 1)
        place(&k, run);
    if (oro_run_ready(run))
        oro_run_tiles(run, oro_resample_tile, &k);
}
