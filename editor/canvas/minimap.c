/* The minimap: the whole graph in the lower right corner, with the visible part marked. Nodes below it come
 * first: over them the map fades, and a click is for the node. */
#include <math.h>

#include "editor/canvas/over.h"
#include "editor/canvas/types.h"
#include "editor/ui/category.h"
#include "editor/ui/describe.h"

struct map {
    struct ui_rect rect;
    double x, y, scale; /* of its upper left corner, and pixels per unit */
};

static struct ed_area shown(const struct ed_canvas *canvas)
{
    struct ed_area box = canvas->model.bounds, sees = ed_lens_sees(&canvas->camera);
    double room_x = (box.x1 - box.x0) * 0.06 + 20, room_y = (box.y1 - box.y0) * 0.06 + 20;
    box = (struct ed_area){box.x0 - room_x, box.y0 - room_y, box.x1 + room_x, box.y1 + room_y};
    /* The view may be beside the graph: the map reaches that far too, within limits. */
    double far_x = box.x1 - box.x0, far_y = box.y1 - box.y0;
    box.x0 = fmax(fmin(box.x0, sees.x0), box.x0 - far_x * 0.3);
    box.x1 = fmin(fmax(box.x1, sees.x1), box.x1 + far_x * 0.3);
    box.y0 = fmax(fmin(box.y0, sees.y0), box.y0 - far_y * 0.3);
    box.y1 = fmin(fmax(box.y1, sees.y1), box.y1 + far_y * 0.3);
    return box;
}

static struct map map_of(const struct ed_canvas *canvas)
{
    struct ed_area box = shown(canvas);
    struct map map = {.rect = canvas->minimap};
    double w = box.x1 - box.x0, h = box.y1 - box.y0;
    map.scale = fmin((double)map.rect.w / w, (double)map.rect.h / h);
    map.x = (box.x0 + box.x1) / 2 - (double)map.rect.w / map.scale / 2;
    map.y = (box.y0 + box.y1) / 2 - (double)map.rect.h / map.scale / 2;
    return map;
}

static struct ui_rect on_map(const struct map *map, double x0, double y0, double x1, double y1)
{
    return (struct ui_rect){map->rect.x + (float)((x0 - map->x) * map->scale),
                            map->rect.y + (float)((y0 - map->y) * map->scale),
                            (float)((x1 - x0) * map->scale), (float)((y1 - y0) * map->scale)};
}

static uint32_t tone(const struct ed_canvas *canvas, size_t index)
{
    const struct ed_item *item = &canvas->model.items[index];
    if (canvas->chosen[index])
        return ui_colour(UI_SELECTED);
    if (item->kind == ED_ITEM_BROKEN)
        return ui_colour(UI_BAD);
    if (item->kind == ED_ITEM_NOTE)
        return ui_rgba(150, 136, 84, 255);
    return ed_category_colour(item->graph ? "graph" : item->type->category);
}

static void paint_parts(struct ed_canvas *canvas, struct ui_draw *draw, const struct map *map, float alpha)
{
    for (size_t i = 0; i < canvas->model.frame_count; i++) {
        const struct ed_area *box = &canvas->model.frames[i].box;
        ui_rect_fill(draw, on_map(map, box->x0, box->y0, box->x1, box->y1),
                     ui_faded(ui_colour(UI_MUTED), 0.25f * alpha), 0);
    }
    for (size_t i = 0; i < canvas->model.count; i++) {
        struct ed_area box = ed_item_box(&canvas->model.items[i]);
        struct ui_rect rect = on_map(map, box.x0, box.y0, box.x1, box.y1);
        rect.w = fmaxf(rect.w, 2);
        rect.h = fmaxf(rect.h, 2);
        ui_rect_fill(draw, rect, ui_faded(tone(canvas, i), alpha), 0);
    }
}

static void paint(struct ed_canvas *canvas, struct ui_draw *draw, float alpha)
{
    struct map map = map_of(canvas);
    struct ed_area sees = ed_lens_sees(&canvas->camera);
    float round = 5 * ui_scale();
    ui_rect_fill(draw, map.rect, ui_faded(ui_colour(UI_PANEL), 0.88f * alpha), round);
    ui_clip_push(draw, map.rect);
    paint_parts(canvas, draw, &map, alpha);
    struct ui_rect view = on_map(&map, sees.x0, sees.y0, sees.x1, sees.y1);
    ui_rect_fill(draw, view, ui_faded(ui_colour(UI_TEXT), 0.08f * alpha), 0);
    ui_rect_line(draw, view, ui_faded(ui_colour(UI_TEXT), 0.75f * alpha), 0, ui_scale());
    ui_clip_pop(draw);
    ui_rect_line(draw, map.rect, ui_faded(ui_colour(UI_BORDER), alpha), round, ui_scale());
}

/* ---- Where it is ---- */

/* Hidden while the whole graph is in view: the minimap would show nothing new, and cover something. */
static bool all_seen(const struct ed_canvas *canvas)
{
    struct ed_area sees = ed_lens_sees(&canvas->camera);
    const struct ed_area *all = &canvas->model.bounds;
    bool dragged = canvas->drag.kind == ED_DRAG_MINIMAP;
    return !dragged && ed_area_covers(&sees, all);
}

bool ed_minimap_pointed(const struct ed_canvas *canvas, const struct ed_hit *hit)
{
    return ui_inside(canvas->minimap, ui_mouse()) && !ed_hit_item(hit);
}

static bool covers_nodes(const struct ed_canvas *canvas)
{
    struct ed_area box;
    const struct ui_rect *rect = &canvas->minimap;
    ed_lens_from(&canvas->camera, (struct ui_vec){rect->x, rect->y}, &box.x0, &box.y0);
    ed_lens_from(&canvas->camera, (struct ui_vec){rect->x + rect->w, rect->y + rect->h}, &box.x1, &box.y1);
    for (size_t i = 0; i < canvas->model.count; i++) {
        struct ed_area item = ed_item_box(&canvas->model.items[i]);
        if (ed_areas_meet(&item, &box))
            return true;
    }
    return false;
}

static float strength(const struct ed_canvas *canvas)
{
    enum ed_drag_kind drag = canvas->drag.kind;
    bool dragged = drag == ED_DRAG_MINIMAP, other = drag != ED_DRAG_NOTHING && !dragged;
    if (dragged || !covers_nodes(canvas))
        return 1;
    if (!other && canvas->hovered && ed_minimap_pointed(canvas, &canvas->hover))
        return 1;
    return other || ui_inside(canvas->minimap, ui_mouse()) ? 0.15f : 0.45f;
}

void ed_minimap_draw(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    const struct ui_rect *rect = &canvas->camera.rect;
    float one = ui_scale(), h = fminf(126 * one, 0.28f * rect->h), w = 1.5f * h, gap = 10 * one;
    canvas->minimap = (struct ui_rect){0};
    bool room = rect->w > 4 * w && h > 70 * one;
    if (!session->settings.show_minimap || !canvas->model.count || !room || all_seen(canvas))
        return;
    canvas->minimap = (struct ui_rect){rect->x + rect->w - w - gap, rect->y + rect->h - h - gap, w, h};
    paint(canvas, ui_draw_here(), strength(canvas));
    ed_describe_item("minimap", canvas->minimap.x, canvas->minimap.y, w, h, true);
}

void ed_minimap_drag(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ui_vec at = ui_mouse();
    if (canvas->minimap.w <= 0)
        return;
    struct map map = map_of(canvas);
    canvas->camera.x = map.x + ((double)at.x - (double)map.rect.x) / map.scale;
    canvas->camera.y = map.y + ((double)at.y - (double)map.rect.y) / map.scale;
}
