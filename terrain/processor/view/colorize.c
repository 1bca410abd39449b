#include "base/gradient.h"
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { LAYERS = 4, PARTS = 4 }; /* red, green, blue, alpha */
enum interpolation { LINEAR, SMOOTH, STEPS };

struct colorize {
    struct oro_map field, layers[LAYERS], light;
    struct oro_gradient stops;
    enum interpolation interpolation;
    float low, span, shading, colours[LAYERS][PARTS];
    const float *shade; /* NULL: none is linked */
    int width;
    float *image, *splat;
};

struct row {
    float part[PARTS][ORO_TILE_WIDTH];
};

/* Colours of the gradient; at a stop exactly that of the stop. */
ORO_INLINE void paint_ground(const struct colorize *k, const float *at, int width, struct row *colour)
{
    const struct oro_gradient *stops = &k->stops;
    const float *first = stops->colour[0], *last = stops->colour[stops->count - 1];
    for (int part = 0; part < PARTS; part++) {
        float *values = colour->part[part];
#pragma omp simd
        for (int x = 0; x < width; x++)
            values[x] = first[part];
        for (int i = 0; i + 1 < stops->count; i++) {
            float from = stops->position[i], per_unit = 1 / (stops->position[i + 1] - from);
            float low = stops->colour[i][part], high = stops->colour[i + 1][part];
            float straight = k->interpolation == LINEAR ? 1 : 0, smooth = k->interpolation == SMOOTH ? 1 : 0;
#pragma omp simd
            for (int x = 0; x < width; x++) {
                float t = oro_min((at[x] - from) * per_unit, 0.999999F);
                float bent = t * (straight + smooth * t * (3 - 2 * t));
                values[x] = at[x] < from ? values[x] : oro_mix(low, high, bent);
            }
        }
        float end = stops->position[stops->count - 1];
#pragma omp simd
        for (int x = 0; x < width; x++)
            values[x] = at[x] < end ? values[x] : last[part];
    }
}

/* Lays a colour, of which `weight` is seen, on what is there (Porter and Duff 1984: over). */
ORO_INLINE void lay_over(const float *layer, const float *weight, int width, struct row *colour)
{
    for (int part = 0; part < PARTS - 1; part++) {
        float *values = colour->part[part], *below = colour->part[PARTS - 1];
#pragma omp simd
        for (int x = 0; x < width; x++) {
            float alpha = weight[x] + below[x] * (1 - weight[x]);
            values[x] = oro_mix(values[x], layer[part], weight[x] / oro_max(alpha, 1e-37F));
        }
    }
    float *alpha = colour->part[PARTS - 1];
#pragma omp simd
    for (int x = 0; x < width; x++)
        alpha[x] = weight[x] + alpha[x] * (1 - weight[x]);
}

ORO_INLINE void lay_layers(const struct colorize *k, const struct oro_tile *tile, int y, struct row *colour,
                           struct row *seen)
{
    float scratch[ORO_TILE_WIDTH];
    for (int i = 0; i < LAYERS; i++) {
        const float *layer = oro_map_row(&k->layers[i], tile->x, y, tile->width, scratch);
        float *weight = seen->part[i];
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            weight[x] = layer[x] * k->colours[i][PARTS - 1];
        lay_over(k->colours[i], weight, tile->width, colour);
        for (int below = 0; below < i; below++) {
            float *hidden = seen->part[below];
#pragma omp simd
            for (int x = 0; x < tile->width; x++)
                hidden[x] *= 1 - weight[x];
        }
    }
}

ORO_INLINE void shine(const struct colorize *k, const struct oro_tile *tile, int y, struct row *colour)
{
    float scratch[ORO_TILE_WIDTH];
    const float *light = oro_map_row(&k->light, tile->x, y, tile->width, scratch);
    for (int part = 0; part < PARTS - 1; part++) {
        float *values = colour->part[part];
        size_t first = 4 * ((size_t)y * (size_t)k->width + (size_t)tile->x) + (size_t)part;
        for (size_t x = 0; k->shade && x < (size_t)tile->width; x++)
            values[x] *= oro_mix(1, k->shade[first + 4 * x], k->shading);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            values[x] = oro_clamp(values[x] * light[x], 0, 1);
    }
}

ORO_INLINE void put(const struct row *row, int width, float *image)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        image[4 * x] = row->part[0][x];
        image[4 * x + 1] = row->part[1][x];
        image[4 * x + 2] = row->part[2][x];
        image[4 * x + 3] = row->part[3][x];
    }
}

static ORO_CLONES void paint(const void *user, const struct oro_tile *tile)
{
    const struct colorize *k = user;
    float scratch[ORO_TILE_WIDTH], at[ORO_TILE_WIDTH];
    struct row colour, seen;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t first = 4 * ((size_t)y * (size_t)k->width + (size_t)tile->x);
        const float *field = oro_map_row(&k->field, tile->x, y, tile->width, scratch);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            at[x] = k->span == 0 ? 0 : (field[x] - k->low) / k->span;
        paint_ground(k, at, tile->width, &colour);
        lay_layers(k, tile, y, &colour, &seen);
        shine(k, tile, y, &colour);
        put(&colour, tile->width, k->image + first);
        put(&seen, tile->width, k->splat + first);
    }
}

ORO_PROCESSOR(view, colorize)
{
    static const char *const layers[LAYERS] = {"layer1", "layer2", "layer3", "layer4"};
    static const char *const colours[LAYERS] = {"colour1", "colour2", "colour3", "colour4"};
    struct colorize k = {.field = oro_run_map(run, "field"),
                         .light = oro_run_map(run, "light"),
                         .interpolation = (enum interpolation)oro_run_int(run, "interpolation"),
                         .low = oro_run_number(run, "low"),
                         .shading = oro_run_float(run, "shading"),
                         .shade = oro_run_optional(run, "shade"),
                         .width = run->grid.width,
                         .image = oro_run_buffer(run, "image_out"),
                         .splat = oro_run_buffer(run, "splat_out")};
    const void *stops = oro_run_literal(run, "colours"), *colour;
    k.span = oro_run_number(run, "high") - k.low;
    for (int i = 0; i < LAYERS; i++) {
        k.layers[i] = oro_run_map(run, layers[i]);
        if ((colour = oro_run_literal(run, colours[i])))
            memcpy(k.colours[i], colour, sizeof k.colours[i]);
    }
    if (!oro_run_ready(run))
        return;
    memcpy(&k.stops, stops, sizeof k.stops);
    oro_run_tiles(run, paint, &k);
}
