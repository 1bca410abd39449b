/* Draws nodes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/canvas/gestures.h"
#include "editor/canvas/paint.h"
#include "editor/canvas/types.h"
#include "editor/ui/category.h"

/* What drawing one node needs. */
struct pen {
    const struct ed_paint *paint;
    const struct ed_item *item;
    size_t index;
    struct ui_rect body, title;
    float round, alpha;
    uint32_t colour; /* of its category */
    struct ed_node_state state;
};

static uint32_t category(const struct ed_item *item)
{
    if (item->kind == ED_ITEM_BROKEN)
        return ui_colour(UI_BAD);
    return ed_category_colour(item->graph ? "graph" : item->type->category);
}

/* A soft shadow in two layers, and the outline, which shows whether the node is chosen, hovered or broken. */
static void paint_body(const struct pen *pen)
{
    struct ui_draw *draw = pen->paint->draw;
    float scale = pen->paint->scale;
    struct ui_rect below = {pen->body.x - scale, pen->body.y + 2 * scale, pen->body.w + 2 * scale,
                            pen->body.h + 2 * scale};
    ui_rect_fill(draw, below, ui_faded(ui_colour(UI_SHADOW), 0.55f * pen->alpha), pen->round * 1.3f);
    ui_rect_fill(draw, pen->body, ui_faded(ui_colour(UI_RAISED), pen->alpha), pen->round);
    uint32_t title = ui_mix(ui_colour(UI_RAISED), pen->colour, ui_is_light() ? 0.8f : 0.62f);
    if (pen->item->collapsed)
        ui_rect_fill(draw, pen->title, ui_faded(title, pen->alpha), pen->round);
    else
        ui_rect_fill_top(draw, pen->title, ui_faded(title, pen->alpha), pen->round);
}

static void paint_outline(const struct pen *pen)
{
    const struct ed_canvas *canvas = pen->paint->canvas;
    struct ui_draw *draw = pen->paint->draw;
    float one = ui_scale();
    bool broken = pen->item->kind == ED_ITEM_BROKEN || pen->state.phase == ED_NODE_FAILED;
    bool hovered = ed_hit_item(&canvas->hover) && canvas->hover.index == pen->index;
    struct ui_rect out = {pen->body.x - one, pen->body.y - one, pen->body.w + 2 * one, pen->body.h + 2 * one};
    if (broken)
        ui_rect_line(draw, pen->body, ui_colour(UI_BAD), pen->round, 2 * one);
    else
        ui_rect_line(draw, pen->body, ui_colour(hovered ? UI_MUTED : UI_BORDER), pen->round, one);
    if (canvas->chosen[pen->index])
        ui_rect_line(draw, out, ui_colour(UI_SELECTED), pen->round + one, 2.2f * one);
}

/* The mark of a node that is a graph: two boxes, one upon the other. */
static void paint_mark(const struct pen *pen, float *left)
{
    float scale = pen->paint->scale, side = 9 * scale;
    struct ui_rect back = {*left + 3 * scale, pen->title.y + pen->title.h / 2 - side / 2 - 2 * scale, side,
                           side};
    struct ui_rect front = {*left, back.y + 3 * scale, side, side};
    uint32_t white = ui_rgba(255, 255, 255, 220);
    if (!pen->item->graph)
        return;
    ui_rect_line(pen->paint->draw, back, ui_faded(white, 0.6f * pen->alpha), 2 * scale, 1.2f * scale);
    ui_rect_fill(pen->paint->draw, front, ui_faded(white, 0.85f * pen->alpha), 2 * scale);
    *left += 17 * scale;
}

static void paint_eye(const struct pen *pen)
{
    struct ed_area eye = ed_item_eye(pen->item);
    const struct ed_canvas *canvas = pen->paint->canvas;
    bool viewed = !strcmp(pen->paint->session->viewed, pen->item->id);
    bool hovered = canvas->hover.index == pen->index && ed_hit_item(&canvas->hover);
    if (!pen->item->output_count || (!viewed && !hovered))
        return;
    struct ui_rect rect = ed_paint_rect(pen->paint, eye.x0, eye.y0, eye.x1 - eye.x0, eye.y1 - eye.y0);
    if (viewed)
        ui_rect_fill(pen->paint->draw, rect, ui_rgba(255, 255, 255, 235), 4 * pen->paint->scale);
    ui_icon(pen->paint->draw, UI_ICON_EYE, rect,
            viewed ? ui_rgba(30, 30, 34, 255) : ui_rgba(255, 255, 255, 170));
}

static void paint_title(const struct pen *pen)
{
    float scale = pen->paint->scale, left = pen->title.x + 9 * scale;
    uint32_t white = ui_rgba(255, 255, 255, 245);
    paint_mark(pen, &left);
    float width = pen->title.x + pen->title.w - 44 * scale - left;
    bool two = !pen->item->collapsed;
    struct ui_rect upper = {left, pen->title.y + 2 * scale, width,
                            (two ? 19 : pen->title.h / scale - 4) * scale};
    struct ui_rect lower = {left, pen->title.y + 19 * scale, width, 14 * scale};
    if (pen->item->collapsed)
        ui_draw_text_in(pen->paint->draw, UI_BOLD, 13 * scale, upper, 0, ui_faded(white, pen->alpha),
                        pen->item->id);
    else
        ui_draw_text_in(pen->paint->draw, UI_BOLD, 13 * scale, upper, 0, ui_faded(white, pen->alpha),
                        pen->item->label);
    if (two)
        ui_draw_text_in(pen->paint->draw, UI_SMALL, 11 * scale, lower, 0, ui_faded(white, 0.72f * pen->alpha),
                        pen->item->id);
}

/* The largest size, at most `size`, at which no word is wider than a line: lines are broken between words. */
static float size_of_words(const char *name, float size, float line)
{
    float widest = 0;
    for (const char *word = name; *word;) {
        const char *end = word + strcspn(word, " ");
        widest = fmaxf(widest, ui_text_width(UI_BOLD, word, end));
        word = end + strspn(end, " ");
    }
    return widest > 0 ? fminf(size, floorf(line * ui_font_size(UI_BOLD) / widest)) : size;
}

/* From far away the name stays as large as can be read, in two lines if need be, over what is below the
 * title; of nodes that are too small even for that, only the colour and the picture are left. */
static void paint_far_name(const struct pen *pen)
{
    const char *name = pen->item->collapsed ? pen->item->id : pen->item->label;
    float large = fmaxf(11 * ui_scale(), 15 * pen->paint->scale), wrap = pen->body.w - 4 * ui_scale();
    if (wrap < 30 * ui_scale())
        return;
    float words = size_of_words(name, large, wrap), least = 9 * ui_scale(), size = fmaxf(words, least);
    struct ui_vec extent = ui_text_extent(UI_BOLD, size, name, wrap);
    float most = fmaxf(pen->body.h * 0.6f, pen->title.h);
    struct ui_rect band = {pen->body.x, pen->body.y, pen->body.w, fmaxf(pen->title.h, fminf(extent.y, most))};
    uint32_t title = ui_mix(ui_colour(UI_RAISED), pen->colour, ui_is_light() ? 0.8f : 0.62f);
    uint32_t white = ui_faded(ui_rgba(255, 255, 255, 245), pen->alpha);
    ui_rect_fill(pen->paint->draw, band, ui_faded(title, 0.9f * pen->alpha), 0);
    if (words < least || extent.y > most) {
        struct ui_rect line = {band.x + 2 * ui_scale(), band.y, wrap, fminf(band.h, size * 1.3f)};
        ui_draw_text_in(pen->paint->draw, UI_BOLD, size, line, 0, white, name);
        return;
    }
    struct ui_vec at = {band.x + 2 * ui_scale(), band.y + (band.h - extent.y) / 2};
    ui_draw_text_wrapped(pen->paint->draw, UI_BOLD, size, at, white, name, wrap);
}

/* ---- Sockets ---- */

static float socket_alpha(const struct pen *pen, bool output, size_t number)
{
    const struct ed_drag *drag = &pen->paint->canvas->drag;
    if (drag->kind != ED_DRAG_LINK)
        return pen->alpha;
    if (pen->index == drag->item && output == drag->from_output && number == drag->socket)
        return 1;
    return ed_wiring_fits(pen->paint->session, pen->index, output, number) ? 1.0f : 0.16f;
}

/* A small arrow beside a socket that the graph's interface leads to, as if a link came from the border. */
static void paint_exposed(const struct pen *pen, struct ui_vec at, bool output, float alpha)
{
    float scale = pen->paint->scale, side = output ? 1 : -1, x = at.x + side * 7 * scale;
    uint32_t colour = ui_faded(ui_colour(UI_ACCENT), alpha);
    ui_line(pen->paint->draw, (struct ui_vec){x, at.y}, (struct ui_vec){x + side * 9 * scale, at.y}, colour,
            2 * scale);
    float tip = output ? x + 14 * scale : x - scale, back = output ? x + 8 * scale : x - 7 * scale;
    ui_triangle_fill(pen->paint->draw, (struct ui_vec){tip, at.y}, (struct ui_vec){back, at.y - 4 * scale},
                     (struct ui_vec){back, at.y + 4 * scale}, colour);
}

static void paint_socket(const struct pen *pen, const struct ed_socket *socket, bool output, size_t number)
{
    const struct ed_canvas *canvas = pen->paint->canvas;
    float scale = pen->paint->scale, alpha = socket_alpha(pen, output, number), radius = 4.6f * scale;
    struct ui_vec at =
        ed_lens_to(&canvas->camera, pen->item->x + (double)socket->x, pen->item->y + (double)socket->y);
    enum ed_hit_kind kind = output ? ED_HIT_OUTPUT : ED_HIT_INPUT;
    bool dragging = canvas->drag.kind == ED_DRAG_LINK;
    bool hovered = !dragging && canvas->hover.kind == kind && canvas->hover.index == pen->index &&
                   canvas->hover.socket == number;
    bool known = socket->input || socket->output;
    uint32_t colour = known ? ed_type_colour(socket->type) : ui_colour(UI_BAD);
    if (socket->exposed)
        paint_exposed(pen, at, output, alpha);
    if (hovered || (dragging && alpha >= 1))
        ui_circle_fill(pen->paint->draw, at, radius * (hovered ? 2.1f : 1.9f), ui_faded(colour, 0.3f));
    ed_draw_socket_in(pen->paint->draw, socket->type, at, hovered ? radius * 1.25f : radius,
                      output || socket->linked, ui_faded(colour, alpha));
    if (pen->paint->detail < 2 || pen->item->collapsed)
        return;
    float half = pen->body.w * 0.5f, height = ED_NODE_ROW * scale;
    struct ui_rect text = {output ? pen->body.x + half - 30 * scale : at.x + 9 * scale, at.y - height / 2,
                           half + 20 * scale, height};
    bool wanting = socket->needed && !socket->linked && !socket->exposed && !pen->item->muted;
    uint32_t ink = wanting ? ui_colour(UI_WARNING) : ui_colour(socket->linked || output ? UI_TEXT : UI_MUTED);
    ui_draw_text_in(pen->paint->draw, UI_SMALL, 12 * scale, text, output ? 1 : 0,
                    ui_faded(ink, fmaxf(alpha, 0.25f)), socket->text);
}

static void paint_sockets(const struct pen *pen)
{
    for (size_t i = 0; i < pen->item->input_count; i++)
        if (pen->item->inputs[i].shown)
            paint_socket(pen, &pen->item->inputs[i], false, i);
    for (size_t i = 0; i < pen->item->output_count; i++)
        if (pen->item->outputs[i].shown)
            paint_socket(pen, &pen->item->outputs[i], true, i);
}

/* ---- The rest ---- */

static void paint_picture(const struct pen *pen)
{
    const struct ed_item *item = pen->item;
    float scale = pen->paint->scale;
    struct ui_rect rect = ed_paint_rect(pen->paint, item->x + ED_NODE_PAD, item->y + (double)item->picture_y,
                                        (double)item->w - 2 * ED_NODE_PAD, ED_NODE_PICTURE - 3);
    if (!item->picture || item->collapsed)
        return;
    uint32_t tint = ui_rgba(255, 255, 255, (unsigned)(255 * pen->alpha));
    uint32_t empty = ui_mix(ui_colour(UI_RAISED), ui_colour(UI_BACKGROUND), 0.6f);
    ui_rect_fill(pen->paint->draw, rect, ui_faded(empty, pen->alpha), 3 * scale);
    if (pen->paint->session->live)
        ed_thumbnail_paint(&pen->paint->canvas->thumbnails, pen->paint->session->live, item->id,
                           pen->paint->draw, rect, tint, 3 * scale);
}

static void paint_more(const struct pen *pen)
{
    const struct ed_item *item = pen->item;
    const struct ed_canvas *canvas = pen->paint->canvas;
    char text[48];
    if (item->more_y <= 0 || item->collapsed || pen->paint->detail < 2 || canvas->drag.unfolded == pen->index)
        return;
    bool hovered = canvas->hover.kind == ED_HIT_MORE && canvas->hover.index == pen->index;
    struct ui_rect rect =
        ed_paint_rect(pen->paint, item->x + 9, item->y + (double)item->more_y - ED_NODE_ROW / 2.0,
                      (double)item->w - 18, ED_NODE_ROW);
    snprintf(text, sizeof text, item->unfolded ? "hide %zu map%s" : "+ %zu map%s", item->hidden,
             item->hidden == 1 ? "" : "s");
    ui_draw_text_in(pen->paint->draw, UI_SMALL, 11 * pen->paint->scale, rect, 0,
                    ui_faded(ui_colour(hovered ? UI_TEXT : UI_MUTED), pen->alpha * (hovered ? 1.0f : 0.8f)),
                    text);
}

/* A muted node lets through what its first linked input gets. */
static void paint_passage(const struct pen *pen)
{
    const struct ed_item *item = pen->item;
    if (!item->muted || !item->output_count)
        return;
    for (size_t i = 0; i < item->input_count; i++) {
        if (!item->inputs[i].linked)
            continue;
        struct ui_vec a = ed_lens_to(&pen->paint->canvas->camera, item->x + (double)item->inputs[i].x,
                                     item->y + (double)item->inputs[i].y);
        struct ui_vec b = ed_lens_to(&pen->paint->canvas->camera, item->x + (double)item->outputs[0].x,
                                     item->y + (double)item->outputs[0].y);
        ui_line(pen->paint->draw, a, b, ui_faded(ui_colour(UI_BAD), 0.85f), 2 * pen->paint->scale);
        return;
    }
}

static void paint_plain(const struct pen *pen)
{
    struct ui_draw *draw = pen->paint->draw;
    uint32_t fill = ui_mix(ui_colour(UI_RAISED), pen->colour, 0.55f);
    bool failed = pen->item->kind == ED_ITEM_BROKEN || pen->state.phase == ED_NODE_FAILED;
    ui_rect_fill(draw, pen->body, ui_faded(ui_colour(UI_RAISED), pen->alpha), 0);
    ui_rect_fill(draw, pen->title, ui_faded(fill, pen->alpha), 0);
    if (pen->paint->canvas->camera.zoom > 0.16)
        paint_picture(pen);
    paint_far_name(pen);
    if (failed || pen->paint->canvas->chosen[pen->index])
        ui_rect_line(draw, pen->body, ui_colour(failed ? UI_BAD : UI_SELECTED), 0, 1.5f * ui_scale());
}

static void paint_node(const struct ed_paint *paint, size_t index)
{
    const struct ed_item *item = &paint->canvas->model.items[index];
    struct pen pen = {.paint = paint, .item = item, .index = index, .round = 6 * paint->scale};
    float title = item->collapsed ? ED_NODE_PILL : ED_NODE_TITLE;
    pen.body = ed_paint_rect(paint, item->x, item->y, (double)item->w, (double)item->h);
    pen.title = ed_paint_rect(paint, item->x, item->y, (double)item->w, (double)title);
    pen.alpha = item->muted ? 0.42f : 1.0f;
    pen.colour = category(item);
    if (item->collapsed)
        pen.round = ED_NODE_PILL / 2.0f * paint->scale;
    ed_state_of(paint->session, item, &pen.state);
    if (paint->detail == 0) {
        paint_plain(&pen);
        return;
    }
    paint_body(&pen);
    paint_picture(&pen);
    if (paint->detail == 2)
        paint_title(&pen);
    else
        paint_far_name(&pen);
    paint_more(&pen);
    paint_passage(&pen);
    paint_outline(&pen);
    paint_sockets(&pen);
    paint_eye(&pen);
    ed_paint_state(paint, item, &pen.state, pen.title, pen.alpha);
}

void ed_paint_item(const struct ed_paint *paint, size_t index)
{
    const struct ed_item *item = &paint->canvas->model.items[index];
    if (item->kind == ED_ITEM_NOTE)
        ed_paint_note(paint, index);
    else if (item->kind == ED_ITEM_REROUTE)
        ed_paint_reroute(paint, index, item->muted ? 0.45f : 1.0f);
    else
        paint_node(paint, index);
}
