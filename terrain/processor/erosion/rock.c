/* Ground with texture, and how easily it erodes (gles_shaders/erosion/rock.comp). */
#include "terrain/processor/lib/bicubic.h"
#include "terrain/processor/lib/noise_layers.h"
#include "terrain/processor/lib/stream_power.h"

enum { LAYERS = 4, WIDTH = ORO_TILE_WIDTH, BLOCKS = WIDTH + 8 };

struct rock {
    struct oro_run_grid grid;
    struct oro_layer_table layers;
    struct oro_power_law law;
    struct oro_map detail, roughness, terrain;
    const float *relief;
    int blocks_x, blocks_y;
    float side, strength, reference, variation;
    bool textured;
    uint32_t seed;
    struct oro_setter ground, amplitude, erodibility;
};

/* A row: amplitude and slope around its cells; the layers of noise. */
struct rows {
    float around[2][WIDTH], layers[LAYERS][WIDTH];
};

/* Relief between the blocks: first along their columns, then along the row. */
ORO_INLINE void relief_row(const struct rock *k, const struct oro_tile *tile, int y, float around[2][WIDTH])
{
    float place = ((float)y + 0.5F) / k->side - 0.5F, above = oro_floor(place);
    struct oro_weights across = oro_b_spline(place - above);
    float sums[2][BLOCKS] = {0}, side = k->side;
    int first = (int)oro_floor(((float)tile->x + 0.5F) / k->side - 0.5F) - 1;
    int last = (int)oro_floor(((float)(tile->x + tile->width) - 0.5F) / k->side - 0.5F) + 2;
    for (int j = 0; j < 4; j++)
        for (int i = first; i <= last; i++) {
            int row = oro_within((int)above - 1 + j, k->blocks_y), column = oro_within(i, k->blocks_x);
            const float *block = k->relief + 2 * ((size_t)row * (size_t)k->blocks_x + (size_t)column);
            sums[0][i - first] += across.w[j] * block[0];
            sums[1][i - first] += across.w[j] * block[1];
        }
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float along = ((float)(tile->x + x) + 0.5F) / side - 0.5F, before = oro_floor(along);
        int i = (int)before - 1 - first;
        struct oro_weights b = oro_b_spline(along - before);
        around[0][x] =
            b.w[0] * sums[0][i] + b.w[1] * sums[0][i + 1] + b.w[2] * sums[0][i + 2] + b.w[3] * sums[0][i + 3];
        around[1][x] =
            b.w[0] * sums[1][i] + b.w[1] * sums[1][i + 1] + b.w[2] * sums[1][i + 2] + b.w[3] * sums[1][i + 3];
    }
}

/* Sets a row of all outputs. */
ORO_INLINE void set_rows(const struct rock *k, const struct oro_tile *tile, int y, struct rows *rows)
{
    const float fine = 0.7F, least_texture = 0.15F, least_slope = 0.005F;
    float scratch[3][WIDTH], ground[WIDTH], amplitude[WIDTH], erodibility[WIDTH];
    const float *detail = oro_map_row(&k->detail, tile->x, y, tile->width, scratch[0]);
    const float *roughness = oro_map_row(&k->roughness, tile->x, y, tile->width, scratch[1]);
    const float *terrain = oro_map_row(&k->terrain, tile->x, y, tile->width, scratch[2]);
    float cell = k->grid.cell, strength = k->strength, reference = k->reference;
    float variation = 1.44269504F * k->variation;
    struct oro_power_law law = k->law;
    float(*layers)[WIDTH] = rows->layers;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float relief = rows->around[0][x], slope = rows->around[1][x];
        float loudness = roughness[x] * detail[x] * oro_max(relief, least_texture * slope * cell);
        float drop = oro_max(slope, least_slope) * cell;
        float typical = strength * drop / (reference * oro_stream_power(&law, drop, law.largest));
        ground[x] = terrain[x] + loudness * (layers[0][x] + fine * layers[1][x]);
        amplitude[x] = detail[x] * relief;
        erodibility[x] = typical * oro_exp2(variation * (layers[2][x] + layers[3][x]));
    }
    oro_set_row(&k->ground, tile->x, y, tile->width, ground);
    oro_set_row(&k->amplitude, tile->x, y, tile->width, amplitude);
    oro_set_row(&k->erodibility, tile->x, y, tile->width, erodibility);
}

static ORO_CLONES void lay(const void *user, const struct oro_tile *tile)
{
    const float loud = 2.8F; /* brings gradient noise to a root mean square of 1 */
    const struct rock *k = user;
    struct oro_gradient_layer layers[LAYERS];
    float px[WIDTH], py[WIDTH];
    struct rows rows = {0};
    int first = k->textured ? 0 : 2;
    for (int i = first; i < LAYERS; i++)
        oro_gradient_layer(&k->layers, i, oro_hash_number(k->seed + (uint32_t)i), oro_noise_box(tile),
                           &layers[i]);
    for (int x = 0; x < tile->width; x++)
        px[x] = (float)(tile->x + x) + 0.5F;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        for (int x = 0; x < tile->width; x++)
            py[x] = (float)y + 0.5F;
        for (int i = first; i < LAYERS; i++) {
            oro_gradient_layer_row(&layers[i], tile->width, px, py, rows.layers[i]);
            for (int x = 0; x < tile->width; x++)
                rows.layers[i][x] *= loud;
        }
        relief_row(k, tile, y, rows.around);
        set_rows(k, tile, y, &rows);
    }
}

ORO_PROCESSOR(erosion, rock)
{
    struct rock k = {.grid = run->grid,
                     .layers = oro_noise_layers_of(run),
                     .law = oro_power_law_in(run, false),
                     .detail = oro_run_map(run, "detail"),
                     .roughness = oro_run_map(run, "roughness"),
                     .terrain = oro_run_map(run, "terrain"),
                     .relief = oro_run_buffer(run, "relief"),
                     .blocks_x = run->source.width,
                     .blocks_y = run->source.height,
                     .side = oro_run_number(run, "side"),
                     .strength = oro_run_float(run, "strength"),
                     .reference = oro_run_float(run, "reference_cell"),
                     .variation = oro_run_float(run, "variation"),
                     .textured = oro_run_number(run, "texture") != 0,
                     .seed = (uint32_t)oro_run_int(run, "seed"),
                     .ground = oro_run_setter(run, "terrain"),
                     .amplitude = oro_run_setter(run, "amplitude"),
                     .erodibility = oro_run_setter(run, "erodibility")};
    if (oro_run_ready(run))
        oro_run_tiles(run, lay, &k);
}
