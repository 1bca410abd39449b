/* Rasters are averaged to the size, then coloured; networks are drawn as lines. */
#include "editor/live/thumbnail.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { SIDE = ED_THUMBNAIL_SIDE };

static void fit(int width, int height, struct ed_thumbnail *thumbnail)
{
    int longer = width > height ? width : height, side = longer < SIDE ? longer : SIDE;
    thumbnail->width = (int)fmax(1, round((double)width * side / longer));
    thumbnail->height = (int)fmax(1, round((double)height * side / longer));
}

static void put(struct ed_thumbnail *thumbnail, int x, int y, const float rgba[4])
{
    uint8_t *pixel = thumbnail->rgba + 4 * (y * thumbnail->width + x);
    for (int i = 0; i < 4; i++)
        pixel[i] = (uint8_t)(255 * fminf(fmaxf(rgba[i], 0), 1) + 0.5F);
}

/* ---- Shrinking ---- */

/* The mean of the finite numbers among the cells of a pixel, one channel. NaN: there is none. */
static float mean_of(const struct ed_picture *picture, const struct ed_thumbnail *thumbnail, int x, int y,
                     int channel)
{
    const struct oro_grid *grid = &picture->grid;
    int left = (int)((long)x * grid->width / thumbnail->width);
    int right = (int)((long)(x + 1) * grid->width / thumbnail->width);
    int top = (int)((long)y * grid->height / thumbnail->height);
    int bottom = (int)((long)(y + 1) * grid->height / thumbnail->height);
    double sum = 0;
    int count = 0;
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++) {
            size_t cell = (size_t)row * (size_t)grid->width + (size_t)column;
            float value = picture->data[cell * (size_t)picture->channels + (size_t)channel];
            if (!isfinite(value))
                continue;
            sum += (double)value;
            count++;
        }
    return count ? (float)(sum / count) : NAN;
}

static void shrink(const struct ed_picture *picture, const struct ed_thumbnail *thumbnail, float *small)
{
    for (int y = 0; y < thumbnail->height; y++)
        for (int x = 0; x < thumbnail->width; x++)
            for (int i = 0; i < picture->channels; i++)
                *small++ = mean_of(picture, thumbnail, x, y, i);
}

/* ---- Colours ---- */

/* Colours from valleys over slopes and rock to snow. */
static void ground_colour(float t, float rgba[4])
{
    static const float stops[][3] = {{0.32F, 0.42F, 0.30F},
                                     {0.56F, 0.58F, 0.38F},
                                     {0.62F, 0.52F, 0.40F},
                                     {0.70F, 0.66F, 0.62F},
                                     {0.96F, 0.96F, 0.98F}};
    enum { LAST = sizeof stops / sizeof stops[0] - 1 };
    float place = fminf(fmaxf(t, 0), 1) * LAST;
    int i = place < LAST ? (int)place : LAST - 1;
    for (int k = 0; k < 3; k++)
        rgba[k] = stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (place - (float)i);
}

/* A neighbour's value, or that of the cell itself if there is none. */
static float beside(const struct ed_thumbnail *thumbnail, const float *small, int x, int y, int dx, int dy)
{
    float own = small[y * thumbnail->width + x];
    int column = x + dx, row = y + dy;
    if (column < 0 || column >= thumbnail->width || row < 0 || row >= thumbnail->height)
        return own;
    float other = small[row * thumbnail->width + column];
    return isfinite(other) ? other : own;
}

/* Lambert's cosine with a light in the north-west. Heights are stretched so that flat country shows some
 * relief, too: only a relief as high as a sixth of its width is drawn true to scale. */
static float light_at(const struct ed_thumbnail *thumbnail, const float *small, int x, int y, float scale)
{
    float east = (beside(thumbnail, small, x, y, 1, 0) - beside(thumbnail, small, x, y, -1, 0)) * scale;
    float south = (beside(thumbnail, small, x, y, 0, 1) - beside(thumbnail, small, x, y, 0, -1)) * scale;
    float cosine = (0.5F * (east + south) + 0.70710678F) / sqrtf(1 + east * east + south * south);
    return 0.25F + 1.06F * fmaxf(cosine, 0);
}

static void draw_terrain(const struct ed_picture *picture, const float *small, struct ed_thumbnail *thumbnail)
{
    float range = picture->high > picture->low ? picture->high - picture->low : 1;
    float scale = (float)thumbnail->width / (6 * range) * 0.5F;
    for (int y = 0; y < thumbnail->height; y++)
        for (int x = 0; x < thumbnail->width; x++) {
            float rgba[4] = {0, 0, 0, 0}, value = small[y * thumbnail->width + x];
            if (isfinite(value)) {
                float light = light_at(thumbnail, small, x, y, scale);
                ground_colour((value - picture->low) / range, rgba);
                for (int i = 0; i < 3; i++)
                    rgba[i] *= light;
                rgba[3] = 1;
            }
            put(thumbnail, x, y, rgba);
        }
}

/* Values within 0..1 are taken for a mask and shown as they are; others are scaled from their lowest to their
 * highest. */
static void draw_grey(const struct ed_picture *picture, const float *small, struct ed_thumbnail *thumbnail)
{
    bool mask = picture->low >= 0 && picture->high <= 1 && picture->unit == ORO_NO_UNIT;
    float low = mask ? 0 : picture->low, high = mask ? 1 : picture->high;
    /* In drainage and the like, a few cells have nearly all of the total. */
    bool areas = picture->unit == ORO_SQUARE_METRE && low >= 0;
    float range = areas ? log1pf(high) : high > low ? high - low : 1;
    for (int i = 0; i < thumbnail->width * thumbnail->height; i++) {
        float value = areas ? log1pf(fmaxf(small[i], 0)) : small[i] - low;
        float grey = value / (range > 0 ? range : 1), rgba[4] = {grey, grey, grey, 1};
        if (!isfinite(small[i]))
            memset(rgba, 0, sizeof rgba);
        put(thumbnail, i % thumbnail->width, i / thumbnail->width, rgba);
    }
}

static void draw_image(const float *small, struct ed_thumbnail *thumbnail)
{
    for (int i = 0; i < thumbnail->width * thumbnail->height; i++) {
        const float *cell = small + 4 * i;
        bool known = isfinite(cell[0]) && isfinite(cell[1]) && isfinite(cell[2]) && isfinite(cell[3]);
        static const float nothing[4];
        put(thumbnail, i % thumbnail->width, i / thumbnail->width, known ? cell : nothing);
    }
}

/* Direction as hue, length as brightness. */
static void draw_vectors(const float *small, struct ed_thumbnail *thumbnail)
{
    int count = thumbnail->width * thumbnail->height;
    float most = 0;
    for (int i = 0; i < count; i++)
        most = fmaxf(most, hypotf(small[2 * i], small[2 * i + 1])); /* fmaxf ignores NaN */
    for (int i = 0; i < count; i++) {
        float x = small[2 * i], y = small[2 * i + 1], rgba[4] = {0, 0, 0, 0};
        if (isfinite(x) && isfinite(y)) {
            float angle = atan2f(y, x), length = most > 0 ? hypotf(x, y) / most : 0;
            for (int k = 0; k < 3; k++)
                rgba[k] = length * (0.5F + 0.5F * cosf(angle - 2.0943951F * (float)k));
            rgba[3] = 1;
        }
        put(thumbnail, i % thumbnail->width, i / thumbnail->width, rgba);
    }
}

static bool draw_raster(const struct ed_picture *picture, struct ed_thumbnail *thumbnail,
                        struct oro_error *err)
{
    fit(picture->grid.width, picture->grid.height, thumbnail);
    float *small = oro_alloc((size_t)thumbnail->width * (size_t)thumbnail->height,
                             (size_t)picture->channels * sizeof *small);
    if (!small)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a small picture");
    shrink(picture, thumbnail, small);
    if (picture->channels == 4)
        draw_image(small, thumbnail);
    else if (picture->channels == 2)
        draw_vectors(small, thumbnail);
    else if (picture->terrain)
        draw_terrain(picture, small, thumbnail);
    else
        draw_grey(picture, small, thumbnail);
    oro_free(small);
    return true;
}

/* ---- Networks ---- */

struct bounds {
    float left, top, right, bottom;
};

static struct bounds bounds_of(const struct oro_network *network)
{
    const struct oro_vertex *vertices = oro_network_vertices(network);
    struct bounds bounds = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < network->vertex_count; i++) {
        bounds.left = fminf(bounds.left, vertices[i].x);
        bounds.right = fmaxf(bounds.right, vertices[i].x);
        bounds.top = fminf(bounds.top, vertices[i].y);
        bounds.bottom = fmaxf(bounds.bottom, vertices[i].y);
    }
    return bounds;
}

static void draw_line(struct ed_thumbnail *thumbnail, const float from[2], const float to[2])
{
    static const float colour[4] = {0.45F, 0.72F, 0.92F, 1};
    float dx = to[0] - from[0], dy = to[1] - from[1];
    int steps = (int)fminf(2 * fmaxf(fabsf(dx), fabsf(dy)), 4 * SIDE) + 1;
    for (int i = 0; i <= steps; i++) {
        float t = (float)i / (float)steps;
        int x = (int)(from[0] + dx * t), y = (int)(from[1] + dy * t);
        if (x >= 0 && x < thumbnail->width && y >= 0 && y < thumbnail->height)
            put(thumbnail, x, y, colour);
    }
}

static void draw_network(const struct oro_network *network, struct ed_thumbnail *thumbnail)
{
    enum { BORDER = 4 };
    static const float ground[4] = {0.09F, 0.10F, 0.12F, 1};
    const struct oro_vertex *vertices = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    struct bounds bounds = bounds_of(network);
    float longer = fmaxf(fmaxf(bounds.right - bounds.left, bounds.bottom - bounds.top), 1e-6F);
    float scale = (SIDE - 2 * BORDER) / longer;
    thumbnail->width = thumbnail->height = SIDE;
    for (int i = 0; i < SIDE * SIDE; i++)
        put(thumbnail, i % SIDE, i / SIDE, ground);
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            float ends[2][2];
            for (uint32_t k = 0; k < 2; k++) {
                const struct oro_vertex *vertex = &vertices[indices[i + k]];
                ends[k][0] = SIDE / 2.0F + (vertex->x - 0.5F * (bounds.left + bounds.right)) * scale;
                ends[k][1] = SIDE / 2.0F + (vertex->y - 0.5F * (bounds.top + bounds.bottom)) * scale;
            }
            draw_line(thumbnail, ends[0], ends[1]);
        }
}

bool ed_thumbnail_draw(const struct ed_picture *picture, struct ed_thumbnail *thumbnail,
                       struct oro_error *err)
{
    memset(thumbnail, 0, sizeof *thumbnail);
    if (!picture->network)
        return draw_raster(picture, thumbnail, err);
    draw_network(picture->network, thumbnail);
    return true;
}
