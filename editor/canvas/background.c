/* The background: the grid, and frames. */
#include <math.h>

#include "editor/canvas/paint.h"

struct ui_rect ed_paint_rect(const struct ed_paint *paint, double x, double y, double w, double h)
{
    struct ui_vec at = ed_lens_to(&paint->canvas->camera, x, y);
    return (struct ui_rect){at.x, at.y, (float)w * paint->scale, (float)h * paint->scale};
}

enum { LINES_MAX = 4096 };

static void lines(const struct ed_paint *paint, double step, float alpha)
{
    const struct ed_lens *camera = &paint->canvas->camera;
    const struct ui_rect *rect = &camera->rect;
    uint32_t colour = ui_faded(ui_colour(UI_GRID), alpha);
    double x = ceil(paint->sees.x0 / step) * step, y = ceil(paint->sees.y0 / step) * step;
    /* Lines are counted, because very far from the origin adding a step changes nothing. */
    int columns = (int)fmin((paint->sees.x1 - x) / step, LINES_MAX),
        rows = (int)fmin((paint->sees.y1 - y) / step, LINES_MAX);
    for (int i = 0; i <= columns; i++) {
        float at = floorf(ed_lens_to(camera, x + i * step, 0).x) + 0.5f;
        ui_line(paint->draw, (struct ui_vec){at, rect->y}, (struct ui_vec){at, rect->y + rect->h}, colour, 1);
    }
    for (int i = 0; i <= rows; i++) {
        float at = floorf(ed_lens_to(camera, 0, y + i * step).y) + 0.5f;
        ui_line(paint->draw, (struct ui_vec){rect->x, at}, (struct ui_vec){rect->x + rect->w, at}, colour, 1);
    }
}

static void paint_frame(const struct ed_paint *paint, size_t index)
{
    const struct ed_model_frame *frame = &paint->canvas->model.frames[index];
    const struct ed_area *box = &frame->box;
    if (!ed_areas_meet(box, &paint->sees))
        return;
    float scale = paint->scale, round = 8 * scale;
    struct ui_rect all = ed_paint_rect(paint, box->x0, box->y0, box->x1 - box->x0, box->y1 - box->y0);
    struct ui_rect title = {all.x, all.y, all.w, ED_FRAME_TITLE * scale};
    bool chosen = paint->canvas->frame_chosen == index;
    uint32_t tone = ui_mix(ui_colour(UI_BACKGROUND), ui_colour(UI_MUTED), 0.35f);
    ui_rect_fill(paint->draw, all, ui_faded(tone, 0.28f), round);
    ui_rect_fill_top(paint->draw, title, ui_faded(tone, 0.55f), round);
    ui_rect_line(paint->draw, all, chosen ? ui_colour(UI_SELECTED) : ui_faded(tone, 0.9f), round,
                 (chosen ? 2.0f : 1.0f) * ui_scale());
    /* Frames' titles can be read from farther away than nodes' titles. */
    float size = fmaxf(15 * scale, 11 * ui_scale());
    struct ui_rect text = {title.x + 10 * scale, title.y, title.w - 20 * scale, fmaxf(title.h, size)};
    if (text.w > 20)
        ui_draw_text_in(paint->draw, UI_BOLD, size, text, 0, ui_colour(UI_TEXT), frame->title);
    float corner = 12 * scale;
    struct ui_vec end = {all.x + all.w - 3 * scale, all.y + all.h - 3 * scale};
    ui_triangle_fill(paint->draw, (struct ui_vec){end.x - corner, end.y},
                     (struct ui_vec){end.x, end.y - corner}, end, ui_faded(ui_colour(UI_MUTED), 0.5f));
}

void ed_paint_background(const struct ed_paint *paint)
{
    double zoom = paint->canvas->camera.zoom;
    ui_rect_fill(paint->draw, paint->canvas->camera.rect, ui_colour(UI_BACKGROUND), 0);
    if (zoom > 0.5)
        lines(paint, ED_GRID, (float)fmin((zoom - 0.5) * 1.5, 0.55));
    if (zoom > 0.12)
        lines(paint, ED_GRID * 5.0, 1);
    for (size_t i = 0; i < paint->canvas->model.frame_count; i++)
        paint_frame(paint, i);
}
