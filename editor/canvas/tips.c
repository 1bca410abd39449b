/* Tooltips of the canvas. */
#include <stdio.h>
#include <string.h>

#include "editor/canvas/over.h"
#include "editor/canvas/paint.h"
#include "editor/session/bindings.h"

#define REST 0.45 /* seconds */

static void tip_socket(const struct ed_session *session, const struct ed_hit *hit)
{
    const struct ed_item *item = &session->canvas->model.items[hit->index];
    bool output = hit->kind == ED_HIT_OUTPUT;
    if (hit->socket >= (output ? item->output_count : item->input_count))
        return;
    const struct ed_socket *socket = output ? &item->outputs[hit->socket] : &item->inputs[hit->socket];
    const char *doc = socket->input ? socket->input->doc : socket->output ? socket->output->doc : NULL;
    ui_tooltip_begin();
    bool map = socket->input && socket->input->type == ORO_FLOAT;
    ui_text_coloured(ui_colour(UI_TEXT), "%s.%s", item->id, socket->name);
    if (socket->input || socket->output)
        ui_text_coloured(ui_colour(UI_MUTED), "%s%s", map ? "a number, or " : "",
                         oro_type_phrase(socket->type));
    else
        ui_text_coloured(ui_colour(UI_BAD), "there is nothing of this name");
    if (doc)
        ui_text_wrapped(doc);
    if (socket->exposed)
        ui_text_coloured(ui_colour(UI_ACCENT), "part of the graph's interface");
    else if (socket->needed && !socket->linked)
        ui_text_coloured(ui_colour(UI_WARNING), "must be linked");
    ui_tooltip_end();
}

static void tip_times(const struct ed_node_state *state)
{
    char text[48];
    if (state->width > 0)
        ui_text_coloured(ui_colour(UI_MUTED), "%d × %d cells", state->width, state->height);
    if (state->seconds < 0 || (state->phase != ED_NODE_DONE && state->phase != ED_NODE_CACHED))
        return;
    ed_seconds_text(state->seconds, text, sizeof text);
    ui_text_coloured(ui_colour(UI_MUTED), "%s%s", text,
                     state->phase == ED_NODE_CACHED ? ", from the cache" : "");
}

static void tip_node(struct ed_session *session, const struct ed_item *item)
{
    struct ed_node_state state = {.phase = ED_NODE_UNKNOWN, .seconds = -1};
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), item->id);
    ed_state_of(session, item, &state);
    ui_tooltip_begin();
    ui_text_coloured(ui_colour(UI_TEXT), "%s: %s", item->id, item->label);
    if (item->kind == ED_ITEM_BROKEN)
        ui_text_coloured(ui_colour(UI_BAD), "'%s' is not known here; it is kept as it is",
                         node && node->href ? node->href
                         : node             ? node->type
                                            : "");
    tip_times(&state);
    if (state.phase == ED_NODE_FAILED && state.text[0])
        ui_text_coloured(ui_colour(UI_BAD), "%s", state.text);
    if (state.falls != ED_SHORT_NOT)
        ui_text_coloured(ui_colour(UI_WARNING), "%s",
                         ed_text_with_key(session,
                                          state.falls == ED_SHORT_STOPPED
                                              ? "stopped before it was done: Resume"
                                              : "coarser than a build: Resume evaluates it in full",
                                          "resume"));
    if (item->muted)
        ui_text_coloured(ui_colour(UI_MUTED), "muted: it is passed by");
    ui_tooltip_end();
}

void ed_tips_draw(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    const struct ed_hit *hit = &canvas->hover;
    bool rests = canvas->drag.kind == ED_DRAG_NOTHING && canvas->hovered &&
                 session->now - canvas->hover_since > REST && !ui_any_popup() && !canvas->edit.open;
    if (!ed_hit_item(hit) || hit->index >= canvas->model.count)
        return;
    if (canvas->hovered && !rests)
        session->busy_frames = session->busy_frames > 1 ? session->busy_frames : 1; /* so that it comes */
    if (!rests)
        return;
    const struct ed_item *item = &canvas->model.items[hit->index];
    if (hit->kind == ED_HIT_INPUT || hit->kind == ED_HIT_OUTPUT)
        tip_socket(session, hit);
    else if (hit->kind == ED_HIT_TITLE || (hit->kind == ED_HIT_BODY && item->kind == ED_ITEM_BROKEN))
        tip_node(session, item);
    else if (hit->kind == ED_HIT_EYE) {
        ui_tooltip_begin();
        ui_text("Look at it (V)");
        ui_tooltip_end();
    }
}
