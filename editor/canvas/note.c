/* Draws notes and reroutes. */
#include <math.h>
#include <string.h>

#include "editor/canvas/gestures.h"
#include "editor/canvas/paint.h"
#include "editor/canvas/types.h"

void ed_paint_note(const struct ed_paint *paint, size_t index)
{
    const struct ed_item *item = &paint->canvas->model.items[index];
    bool chosen = paint->canvas->chosen[index];
    float scale = paint->scale, fold = 14 * scale;
    struct ui_rect rect = ed_paint_rect(paint, item->x, item->y, (double)item->w, (double)item->h);
    struct ui_rect below = {rect.x, rect.y + 3 * scale, rect.w + scale, rect.h};
    bool light = ui_is_light();
    uint32_t paper = light ? ui_rgba(255, 243, 190, 255) : ui_rgba(88, 80, 50, 255);
    uint32_t back = light ? ui_rgba(232, 212, 140, 255) : ui_rgba(116, 106, 68, 255);
    uint32_t ink = light ? ui_rgba(70, 60, 24, 255) : ui_rgba(240, 231, 196, 255);
    ui_rect_fill(paint->draw, below, ui_faded(ui_colour(UI_SHADOW), 0.6f), 3 * scale);
    struct ui_vec corners[] = {{rect.x, rect.y},
                               {rect.x + rect.w, rect.y},
                               {rect.x + rect.w, rect.y + rect.h - fold},
                               {rect.x + rect.w - fold, rect.y + rect.h},
                               {rect.x, rect.y + rect.h}};
    ui_convex_fill(paint->draw, corners, 5, paper);
    ui_triangle_fill(paint->draw, corners[2], corners[3],
                     (struct ui_vec){rect.x + rect.w - fold, rect.y + rect.h - fold}, back);
    if (chosen)
        ui_polyline(paint->draw, corners, 5, ui_colour(UI_SELECTED), 2 * ui_scale(), true);
    const struct ed_text_edit *edit = &paint->canvas->edit;
    if (paint->detail == 0 || (edit->open && edit->note && !strcmp(edit->node, item->id)))
        return;
    ui_clip_push(paint->draw, rect);
    ui_draw_text_wrapped(paint->draw, UI_NORMAL, 13 * scale,
                         (struct ui_vec){rect.x + 9 * scale, rect.y + 7 * scale}, ink,
                         item->text && item->text[0] ? item->text : "(an empty note)", rect.w - 18 * scale);
    ui_clip_pop(paint->draw);
}

static enum oro_type carried(const struct ed_item *item)
{
    return item->output_count ? item->outputs[0].type : ORO_ANY;
}

void ed_paint_reroute(const struct ed_paint *paint, size_t index, float alpha)
{
    struct ed_canvas *canvas = paint->canvas;
    const struct ed_item *item = &canvas->model.items[index];
    struct ui_vec at =
        ed_lens_to(&canvas->camera, item->x + ED_REROUTE_SIDE / 2.0, item->y + ED_REROUTE_SIDE / 2.0);
    float radius = fmaxf(5.5f * paint->scale, 2);
    const struct ed_drag *drag = &canvas->drag;
    if (drag->kind == ED_DRAG_LINK && index != drag->item)
        alpha *= ed_wiring_fits(paint->session, index, !drag->from_output, 0) ? 1.0f : 0.2f;
    bool hovered = ed_hit_item(&canvas->hover) && canvas->hover.index == index;
    if (hovered)
        ui_circle_fill(paint->draw, at, radius * 2, ui_faded(ed_type_colour(carried(item)), 0.25f));
    ed_draw_socket_in(paint->draw, carried(item), at, radius, true,
                      ui_faded(ed_type_colour(carried(item)), alpha));
    if (canvas->chosen[index])
        ui_circle_line(paint->draw, at, radius * 1.7f, ui_colour(UI_SELECTED), 2 * ui_scale());
}
