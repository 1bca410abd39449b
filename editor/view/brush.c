#include "editor/view/brush.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const char *const mode_names[ED_BRUSH_MODES] = {"Paint", "Erase", "Smooth", "Raise", "Lower", "Set"};

const char *ed_brush_mode_name(enum ed_brush_mode mode)
{
    return mode_names[mode];
}

/* ---- Parts of a raster ---- */

float *ed_patch_take(const float *data, int width, struct ed_patch_rect rect)
{
    size_t row = (size_t)rect.width;
    float *patch = oro_alloc(row * (size_t)rect.height + 1, sizeof *patch);
    for (int y = 0; patch && y < rect.height; y++)
        memcpy(patch + (size_t)y * row, data + (size_t)(rect.y + y) * (size_t)width + (size_t)rect.x,
               row * sizeof *patch);
    return patch;
}

void ed_patch_put(float *data, int width, struct ed_patch_rect rect, const float *patch)
{
    size_t row = (size_t)rect.width;
    for (int y = 0; y < rect.height; y++)
        memcpy(data + (size_t)(rect.y + y) * (size_t)width + (size_t)rect.x, patch + (size_t)y * row,
               row * sizeof *patch);
}

static struct ed_patch_rect joined(struct ed_patch_rect a, struct ed_patch_rect b)
{
    if (!a.width || !b.width)
        return a.width ? a : b;
    int x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    int right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct ed_patch_rect){x, y, right - x, bottom - y};
}

/* ---- Dabs ---- */

static float held(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* 1 in the middle, smoothly to 0 at the rim. */
static float weight(const struct ed_brush *brush, double away)
{
    double share = away / brush->radius, soft = fmax((double)brush->falloff, 1e-3);
    if (share >= 1)
        return 0;
    double t = fmin(1, (1 - share) / soft);
    return (float)(t * t * (3 - 2 * t));
}

static float mean_around(const float *data, const struct ed_canvas_raster *raster, int x, int y)
{
    float sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int u = x + i, v = y + j;
            u = u < 0 ? 0 : u >= raster->width ? raster->width - 1 : u;
            v = v < 0 ? 0 : v >= raster->height ? raster->height - 1 : v;
            sum += data[(size_t)v * (size_t)raster->width + (size_t)u];
        }
    return sum / 9;
}

static float dabbed(struct ed_stroke *stroke, const struct ed_canvas_raster *raster, size_t cell, float share)
{
    const struct ed_brush *brush = &stroke->brush;
    float before = stroke->before[cell], *reached = &stroke->reached[cell];
    float target = brush->mode == ED_BRUSH_PAINT   ? raster->high
                   : brush->mode == ED_BRUSH_ERASE ? raster->low
                                                   : brush->value;
    if (brush->mode == ED_BRUSH_RAISE || brush->mode == ED_BRUSH_LOWER) {
        float sign = brush->mode == ED_BRUSH_RAISE ? 1 : -1;
        *reached += share * 0.1f; /* dabs are a fifth of the radius apart: some ten over each cell */
        return held(before + sign * *reached * brush->value, raster->low, raster->high);
    }
    *reached = fmaxf(*reached, share);
    return held(before + (target - before) * *reached, raster->low, raster->high);
}

static struct ed_patch_rect dab_rect(const struct ed_stroke *stroke, const struct ed_canvas_raster *raster,
                                     double x, double y)
{
    double radius = stroke->brush.radius / raster->cell, cx = x / raster->cell, cy = y / raster->cell;
    double left = fmax(0, floor(cx - radius)), top = fmax(0, floor(cy - radius));
    double right = fmin(raster->width, ceil(cx + radius)), bottom = fmin(raster->height, ceil(cy + radius));
    if (!(left < right) || !(top < bottom))
        return (struct ed_patch_rect){0};
    return (struct ed_patch_rect){(int)left, (int)top, (int)(right - left), (int)(bottom - top)};
}

static void smooth(const struct ed_stroke *stroke, struct ed_canvas_raster *raster, struct ed_patch_rect rect,
                   double x, double y)
{
    float *means = oro_alloc((size_t)rect.width * (size_t)rect.height, sizeof *means);
    if (!means)
        return;
    for (int j = 0; j < rect.height; j++)
        for (int i = 0; i < rect.width; i++)
            means[(size_t)j * (size_t)rect.width + (size_t)i] =
                mean_around(raster->data, raster, rect.x + i, rect.y + j);
    for (int j = 0; j < rect.height; j++)
        for (int i = 0; i < rect.width; i++) {
            double away = hypot((rect.x + i + 0.5) * raster->cell - x, (rect.y + j + 0.5) * raster->cell - y);
            float share = weight(&stroke->brush, away) * stroke->brush.strength;
            float *cell = &raster->data[(size_t)(rect.y + j) * (size_t)raster->width + (size_t)(rect.x + i)];
            *cell += (means[(size_t)j * (size_t)rect.width + (size_t)i] - *cell) * share;
        }
    oro_free(means);
}

static void dab(struct ed_stroke *stroke, struct ed_canvas_raster *raster, double x, double y)
{
    struct ed_patch_rect rect = dab_rect(stroke, raster, x, y);
    stroke->changed = joined(stroke->changed, rect);
    if (stroke->brush.mode == ED_BRUSH_SMOOTH) {
        smooth(stroke, raster, rect, x, y);
        return;
    }
    for (int j = rect.y; j < rect.y + rect.height; j++)
        for (int i = rect.x; i < rect.x + rect.width; i++) {
            double away = hypot((i + 0.5) * raster->cell - x, (j + 0.5) * raster->cell - y);
            float share = weight(&stroke->brush, away) * stroke->brush.strength;
            size_t cell = (size_t)j * (size_t)raster->width + (size_t)i;
            if (share > 0)
                raster->data[cell] = dabbed(stroke, raster, cell, share);
        }
}

/* ---- Strokes ---- */

bool ed_stroke_begin(struct ed_stroke *stroke, const struct ed_brush *brush,
                     const struct ed_canvas_raster *raster)
{
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    *stroke = (struct ed_stroke){.brush = *brush};
    stroke->brush.radius = fmax(stroke->brush.radius, raster->cell * 0.75);
    stroke->before = oro_alloc(cells, sizeof *stroke->before);
    stroke->reached = oro_alloc(cells, sizeof *stroke->reached);
    if (!stroke->before || !stroke->reached) {
        ed_stroke_free(stroke);
        return false;
    }
    memcpy(stroke->before, raster->data, cells * sizeof *stroke->before);
    return true;
}

/* Dabs a fifth of the radius apart, whatever the pace of the hand. */
void ed_stroke_to(struct ed_stroke *stroke, struct ed_canvas_raster *raster, double x, double y)
{
    double spacing = stroke->brush.radius / 5;
    if (!stroke->begun) {
        stroke->begun = true;
        stroke->left = spacing;
        dab(stroke, raster, x, y);
    } else {
        double dx = x - stroke->last[0], dy = y - stroke->last[1], way = hypot(dx, dy), at = stroke->left;
        while (at <= way) {
            dab(stroke, raster, stroke->last[0] + dx * at / way, stroke->last[1] + dy * at / way);
            at += spacing;
        }
        stroke->left = at - way;
    }
    stroke->last[0] = x;
    stroke->last[1] = y;
}

void ed_stroke_free(struct ed_stroke *stroke)
{
    oro_free(stroke->before);
    oro_free(stroke->reached);
    *stroke = (struct ed_stroke){0};
}
