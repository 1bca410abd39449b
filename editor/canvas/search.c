/* The search in the graph: a field at the upper right with its results below. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/canvas/over.h"
#include "editor/ui/search.h"

enum { FOUND_SHOWN = 12 };

void ed_canvas_search(struct ed_session *session)
{
    struct ed_graph_search *found = &session->canvas->found;
    found->open = found->began = true;
    found->done[0] = '\0';
    found->revision = 0;
}

static bool value_holds(const struct oro_doc_node *node, const char *part)
{
    for (size_t i = 0; node && i < node->input_count; i++)
        if (ed_text_holds(node->inputs[i].value, part) || ed_text_holds(node->inputs[i].expr, part))
            return true;
    return false;
}

/* 0: no match; else, the lower, the better. */
static int rank(const struct ed_session *session, size_t item, const char *part)
{
    const struct ed_item *it = &session->canvas->model.items[item];
    const struct oro_doc_node *node = ed_canvas_node(session, item);
    if (ed_text_holds(it->id, part))
        return 1;
    if (ed_text_holds(it->label, part) || (node && ed_text_holds(node->type, part)))
        return 2;
    return value_holds(node, part) ? 3 : 0;
}

static void find(struct ed_session *session)
{
    struct ed_graph_search *found = &session->canvas->found;
    found->count = 0;
    found->current = ED_NO_INDEX;
    snprintf(found->done, sizeof found->done, "%s", found->text);
    found->revision = session->canvas->revision;
    for (int wanted = 1; wanted <= 3 && found->text[0]; wanted++)
        for (size_t i = 0; i < session->canvas->model.count; i++) {
            if (rank(session, i, found->text) != wanted)
                continue;
            if (!oro_reserve((void **)&found->items, &found->capacity, found->count + 1,
                             sizeof *found->items))
                return;
            found->items[found->count++] = i;
        }
}

static void show(struct ed_session *session, size_t which)
{
    struct ed_graph_search *found = &session->canvas->found;
    found->current = which;
    ed_canvas_show(session, session->canvas->model.items[found->items[which]].id);
}

static void next(struct ed_session *session)
{
    struct ed_graph_search *found = &session->canvas->found;
    if (!found->count)
        return;
    size_t at = found->current == ED_NO_INDEX ? 0 : found->current + 1;
    show(session, at % found->count);
}

static void draw_list(struct ed_session *session)
{
    struct ed_graph_search *found = &session->canvas->found;
    size_t first =
        found->current != ED_NO_INDEX && found->current >= FOUND_SHOWN ? found->current - FOUND_SHOWN + 1 : 0;
    for (size_t i = first; i < found->count && i < first + FOUND_SHOWN; i++) {
        const struct ed_item *item = &session->canvas->model.items[found->items[i]];
        char line[300];
        snprintf(line, sizeof line, "%s  ·  %s##found%zu", item->id, item->label, i);
        ui_name("found:%s", item->id);
        if (ui_selectable(line, i == found->current, 0))
            show(session, i);
    }
    if (found->text[0] && !found->count)
        ui_text_coloured(ui_colour(UI_MUTED), "nothing");
    else if (found->count > FOUND_SHOWN)
        ui_text_coloured(ui_colour(UI_MUTED), "%zu in all; Enter goes on", found->count);
}

static float height_of(const struct ed_graph_search *found)
{
    size_t lines = found->count < FOUND_SHOWN ? found->count : FOUND_SHOWN;
    lines += found->count > FOUND_SHOWN || (found->text[0] && !found->count);
    return ui_widget_height() + 16 * ui_scale() + (float)lines * (ui_line_height() + 5 * ui_scale());
}

static void draw_field(struct ed_session *session)
{
    struct ed_graph_search *found = &session->canvas->found;
    if (found->began)
        ui_focus_next();
    ui_item_width(-(ui_widget_height() + 4 * ui_scale()));
    ui_name("search");
    bool entered = ui_input("##search", "Search in the graph", found->text, sizeof found->text,
                            UI_ENTER | (found->began ? UI_SELECT_ALL : 0));
    bool active = ui_item_active();
    found->began = false;
    ui_same_line(4 * ui_scale());
    ui_name("search-close");
    bool closed = ui_icon_button("##search-close", UI_ICON_CLOSE, false, "Esc");
    if (entered) {
        next(session);
        found->began = true; /* the field keeps the keyboard, for the next Enter */
    }
    if (closed ||
        ((active || found->active || session->canvas->hovered) && ui_key_pressed(SDL_SCANCODE_ESCAPE)))
        found->open = false;
    found->active = active;
}

void ed_found_draw(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_graph_search *found = &canvas->found;
    if (!found->open)
        return;
    if (strcmp(found->done, found->text) != 0 || found->revision != canvas->revision)
        find(session);
    float one = ui_scale(), width = 290 * one;
    struct ui_rect rect = {canvas->camera.rect.x + canvas->camera.rect.w - width - 10 * one,
                           canvas->camera.rect.y + 10 * one, width, height_of(found)};
    found->rect = rect;
    ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_PANEL), 6 * one);
    ui_rect_line(ui_draw_here(), rect, ui_colour(UI_BORDER), 6 * one, one);
    ui_cursor_set((struct ui_vec){rect.x + 8 * one, rect.y + 8 * one});
    if (ui_child_begin("search", rect.w - 16 * one, rect.h - 10 * one, UI_NO_PADDING | UI_NO_SCROLL)) {
        draw_field(session);
        draw_list(session);
    }
    ui_child_end();
}
