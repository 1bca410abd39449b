#include "editor/tools/brush.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const char *const mode_names[ED_BRUSH_MODES] = {"Paint", "Erase", "Smooth", "Raise", "Lower", "Set"};

const char *ed_brush_mode_name(enum ed_brush_mode mode)
{
    return mode_names[mode];
}

enum ed_brush_mode ed_brush_mode_with(enum ed_brush_mode mode, bool shift, bool ctrl)
{
    static const enum ed_brush_mode opposite[ED_BRUSH_MODES] = {
        ED_BRUSH_ERASE, ED_BRUSH_PAINT, ED_BRUSH_SMOOTH, ED_BRUSH_LOWER, ED_BRUSH_RAISE, ED_BRUSH_SET};
    return shift ? ED_BRUSH_SMOOTH : ctrl ? opposite[mode] : mode;
}

/* ---- Parts of a raster ---- */

double ed_raster_cell_y(const struct ed_canvas_raster *raster)
{
    return raster->cell_y > 0 ? raster->cell_y : raster->cell;
}

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

struct ed_patch_rect ed_patch_joined(struct ed_patch_rect a, struct ed_patch_rect b)
{
    if (!a.width || !b.width)
        return a.width ? a : b;
    int x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    int right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct ed_patch_rect){x, y, right - x, bottom - y};
}

/* ---- Dabs ---- */

static float clamped(float value, float low, float high)
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
        return clamped(before + sign * *reached * brush->value, raster->low, raster->high);
    }
    *reached = fmaxf(*reached, share);
    return clamped(before + (target - before) * *reached, raster->low, raster->high);
}

static struct ed_patch_rect dab_rect(const struct ed_stroke *stroke, const struct ed_canvas_raster *raster,
                                     double x, double y)
{
    double radius = stroke->brush.radius, cell_y = ed_raster_cell_y(raster);
    double left = fmax(0, floor((x - radius) / raster->cell)), top = fmax(0, floor((y - radius) / cell_y));
    double right = fmin(raster->width, ceil((x + radius) / raster->cell));
    double bottom = fmin(raster->height, ceil((y + radius) / cell_y));
    if (!(left < right) || !(top < bottom))
        return (struct ed_patch_rect){0};
    return (struct ed_patch_rect){(int)left, (int)top, (int)(right - left), (int)(bottom - top)};
}

/* Means of 2 * `reach` + 1 values along a line, held at its ends; `stride` floats apart. */
static void mean_line(const float *from, float *to, int count, size_t stride, int reach)
{
    double sum = 0;
    for (int i = -reach; i <= reach; i++)
        sum += (double)from[(size_t)(i < 0 ? 0 : i >= count ? count - 1 : i) * stride];
    for (int i = 0; i < count; i++) {
        to[(size_t)i * stride] = (float)(sum / (2 * reach + 1));
        int next = i + reach + 1 < count ? i + reach + 1 : count - 1, last = i - reach > 0 ? i - reach : 0;
        sum += (double)from[(size_t)next * stride] - (double)from[(size_t)last * stride];
    }
}

/* Smooths towards means over a tenth of the radius, so that the effect is the same on fine and coarse layers.
 */
static int smooth_reach(const struct ed_stroke *stroke, double cell)
{
    return (int)fmax(1, round(stroke->brush.radius / cell / 10));
}

static struct ed_patch_rect grown(struct ed_patch_rect rect, int by_x, int by_y,
                                  const struct ed_canvas_raster *raster)
{
    int left = rect.x > by_x ? rect.x - by_x : 0, top = rect.y > by_y ? rect.y - by_y : 0;
    int right = rect.x + rect.width + by_x, bottom = rect.y + rect.height + by_y;
    right = right < raster->width ? right : raster->width;
    bottom = bottom < raster->height ? bottom : raster->height;
    return (struct ed_patch_rect){left, top, right - left, bottom - top};
}

/* The cells of a row that the brush reaches: from `begin` up to but not including `end`. */
static void reached_cells(const struct ed_stroke *stroke, const struct ed_canvas_raster *raster,
                          struct ed_patch_rect rect, int row, double x, double y, int *begin, int *end)
{
    double radius = stroke->brush.radius, dy = (row + 0.5) * ed_raster_cell_y(raster) - y;
    double half = dy * dy < radius * radius ? sqrt(radius * radius - dy * dy) : 0;
    *begin = (int)fmax(rect.x, floor((x - half) / raster->cell));
    *end = (int)fmin(rect.x + rect.width, ceil((x + half) / raster->cell));
}

/* Strength of the brush on a cell. */
static float share_of(const struct ed_stroke *stroke, const struct ed_canvas_raster *raster, int i, int j,
                      double x, double y)
{
    double dx = (i + 0.5) * raster->cell - x, dy = (j + 0.5) * ed_raster_cell_y(raster) - y;
    return weight(&stroke->brush, sqrt(dx * dx + dy * dy)) * stroke->brush.strength;
}

static void smooth(const struct ed_stroke *stroke, struct ed_canvas_raster *raster, struct ed_patch_rect rect,
                   double x, double y)
{
    int reach = smooth_reach(stroke, raster->cell), reach_y = smooth_reach(stroke, ed_raster_cell_y(raster));
    struct ed_patch_rect part = grown(rect, reach, reach_y, raster);
    size_t row = (size_t)part.width;
    float *means = ed_patch_take(raster->data, raster->width, part);
    float *rows = means ? oro_alloc(row * (size_t)part.height + 1, sizeof *rows) : NULL;
    for (int j = 0; rows && j < part.height; j++)
        mean_line(means + (size_t)j * row, rows + (size_t)j * row, part.width, 1, reach);
    for (int i = 0; rows && i < part.width; i++)
        mean_line(rows + i, means + i, part.height, row, reach_y);
    for (int j = rect.y; rows && j < rect.y + rect.height; j++) {
        int begin, end;
        reached_cells(stroke, raster, rect, j, x, y, &begin, &end);
        for (int i = begin; i < end; i++) {
            float share = share_of(stroke, raster, i, j, x, y);
            float *cell = &raster->data[(size_t)j * (size_t)raster->width + (size_t)i];
            float mean = means[(size_t)(j - part.y) * row + (size_t)(i - part.x)];
            if (share > 0)
                *cell = clamped(*cell + (mean - *cell) * share, raster->low, raster->high);
        }
    }
    oro_free(rows);
    oro_free(means);
}

static void dab(struct ed_stroke *stroke, struct ed_canvas_raster *raster, double x, double y)
{
    struct ed_patch_rect rect = dab_rect(stroke, raster, x, y);
    stroke->changed = ed_patch_joined(stroke->changed, rect);
    stroke->fresh = ed_patch_joined(stroke->fresh, rect);
    if (rect.width && stroke->brush.mode == ED_BRUSH_SMOOTH) {
        smooth(stroke, raster, rect, x, y);
        return;
    }
    for (int j = rect.y; j < rect.y + rect.height; j++) {
        int begin, end;
        reached_cells(stroke, raster, rect, j, x, y, &begin, &end);
        for (int i = begin; i < end; i++) {
            float share = share_of(stroke, raster, i, j, x, y);
            size_t cell = (size_t)j * (size_t)raster->width + (size_t)i;
            if (share > 0)
                raster->data[cell] = dabbed(stroke, raster, cell, share);
        }
    }
}

/* ---- Strokes ---- */

bool ed_stroke_begin(struct ed_stroke *stroke, const struct ed_brush *brush,
                     const struct ed_canvas_raster *raster)
{
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    *stroke = (struct ed_stroke){.brush = *brush};
    stroke->brush.radius = fmax(stroke->brush.radius, fmax(raster->cell, ed_raster_cell_y(raster)) * 0.75);
    stroke->before = oro_alloc(cells, sizeof *stroke->before);
    stroke->reached = oro_alloc(cells, sizeof *stroke->reached);
    if (!stroke->before || !stroke->reached) {
        ed_stroke_free(stroke);
        return false;
    }
    memcpy(stroke->before, raster->data, cells * sizeof *stroke->before);
    return true;
}

/* Puts dabs a fifth of the radius apart, however fast the hand moves. */
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

/* Goes on from the stroke's `hand` to another place of the view, which shows `place`. */
static void go_over(struct ed_stroke *stroke, struct ed_canvas_raster *raster,
                    const struct ed_view_of_ground *view, const double hand[2], const double place[2])
{
    double dx = hand[0] - stroke->hand[0], dy = hand[1] - stroke->hand[1], seen[2];
    double way = hypot(place[0] - stroke->last[0], place[1] - stroke->last[1]);
    if (stroke->begun && way > 2 * stroke->brush.radius) {
        const double middle[2] = {stroke->hand[0] + dx / 2, stroke->hand[1] + dy / 2};
        if (hypot(dx, dy) > 1 && view->place(view->user, middle[0], middle[1], seen)) {
            go_over(stroke, raster, view, middle, seen);
            go_over(stroke, raster, view, hand, place);
            return;
        }
        ed_stroke_lift(stroke);
    }
    ed_stroke_to(stroke, raster, place[0], place[1]);
    memcpy(stroke->hand, hand, sizeof stroke->hand);
}

void ed_stroke_over(struct ed_stroke *stroke, struct ed_canvas_raster *raster,
                    const struct ed_view_of_ground *view, const double hand[2])
{
    double place[2];
    if (view->place(view->user, hand[0], hand[1], place))
        go_over(stroke, raster, view, hand, place);
    else
        ed_stroke_lift(stroke);
}

void ed_stroke_lift(struct ed_stroke *stroke)
{
    stroke->begun = false;
}

void ed_stroke_cancel(struct ed_stroke *stroke, struct ed_canvas_raster *raster)
{
    struct ed_patch_rect rect = stroke->changed;
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        size_t at = (size_t)y * (size_t)raster->width + (size_t)rect.x;
        memcpy(raster->data + at, stroke->before + at, (size_t)rect.width * sizeof *raster->data);
    }
    stroke->changed = (struct ed_patch_rect){0};
}

void ed_stroke_free(struct ed_stroke *stroke)
{
    oro_free(stroke->before);
    oro_free(stroke->reached);
    *stroke = (struct ed_stroke){0};
}
