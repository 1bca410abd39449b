/* The order in which things are drawn, and where the pointer is. */
#include "editor/canvas/canvas.h"
#include "editor/canvas/gestures.h"
#include "editor/canvas/over.h"
#include "editor/canvas/paint.h"
#include "editor/session/panes.h"

static void see(struct ed_canvas *canvas, size_t index, const struct ed_area *sees)
{
    const struct ed_item *item = &canvas->model.items[index];
    struct ed_area box = ed_item_box(item);
    box.y1 += 40; /* an error's text is below the node */
    if (ed_areas_meet(&box, sees))
        canvas->visible[canvas->visible_count++] = item->id;
}

/* Chosen nodes are drawn last: they lie over the others. */
static void paint_items(const struct ed_paint *paint)
{
    struct ed_canvas *canvas = paint->canvas;
    for (int chosen = 0; chosen < 2; chosen++)
        for (size_t i = 0; i < canvas->model.count; i++) {
            size_t before = canvas->visible_count;
            if (canvas->chosen[i] == chosen)
                see(canvas, i, &paint->sees);
            if (canvas->visible_count != before)
                ed_paint_item(paint, i);
        }
}

static void paint_hint(const struct ed_paint *paint)
{
    const char *text = "Tab, Space or right click: add a node";
    const struct ui_rect *rect = &paint->canvas->camera.rect;
    if (paint->canvas->model.count || paint->canvas->model.frame_count)
        return;
    struct ui_rect line = {rect->x, rect->y + rect->h * 0.5f - 20, rect->w, 40};
    ui_draw_text_in(paint->draw, UI_LARGE, 0, line, 0.5f, ui_faded(ui_colour(UI_MUTED), 0.7f), text);
}

static void paint(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_paint paint = {.session = session,
                             .canvas = canvas,
                             .draw = ui_draw_here(),
                             .scale = (float)ed_lens_scale(&canvas->camera),
                             .detail = ed_canvas_detail(canvas),
                             .sees = ed_lens_sees(&canvas->camera)};
    canvas->visible_count = 0;
    ed_thumbnails_frame(&canvas->thumbnails);
    ui_clip_push(paint.draw, canvas->camera.rect);
    ed_paint_background(&paint);
    ed_paint_wires(&paint);
    paint_items(&paint);
    ed_paint_comparison(&paint);
    ed_paint_drags(&paint);
    paint_hint(&paint);
    ui_clip_pop(paint.draw);
}

static void draw_inside(struct ed_session *session, struct ui_rect rect)
{
    struct ed_canvas *canvas = session->canvas;
    canvas->camera.rect = rect;
    canvas->camera.fine = ui_scale();
    if (canvas->fit && rect.w > 1 && rect.h > 1) {
        ed_canvas_fit(session, &canvas->model.bounds);
        canvas->fit = false;
    }
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    ui_name("canvas");
    ui_area("canvas", rect.w, rect.h);
    canvas->hovered = ui_item_hovered() && ui_inside(rect, ui_mouse());
    if (canvas->found.open && ui_inside(canvas->found.rect, ui_mouse()))
        canvas->hovered = false;
    canvas->hovered &= !ui_inside(canvas->crumbs, ui_mouse());
    ed_canvas_input(session);
    ed_drop_update(session);
    if (!ed_canvas_refresh_flags(session))
        return;
    paint(session);
    ed_minimap_draw(session);
    ed_crumbs_draw(session);
    ed_found_draw(session);
    ed_text_edit_draw(session);
    ed_canvas_menu_draw(session);
    ed_tips_draw(session);
}

void ed_canvas_draw(struct ed_session *session, struct ui_rect rect)
{
    if (!ed_canvas_refresh_flags(session))
        return;
    if (ui_panel_begin("canvas", rect, UI_NO_PADDING | UI_NO_SCROLL))
        draw_inside(session, rect);
    else
        session->canvas->hovered = false;
    ui_panel_end();
    ed_canvas_describe(session);
}

bool ed_canvas_hovered(const struct ed_session *session)
{
    if (session->keys_in)
        return session->keys_in == ED_PART_GRAPH;
    return session->canvas->hovered && ed_part_shown(session, ED_PART_GRAPH);
}

size_t ed_canvas_visible(const struct ed_session *session, const char *const **nodes)
{
    *nodes = session->canvas->visible;
    return session->canvas->visible_count;
}
