/* Context menus. */
#include <stdio.h>
#include <string.h>

#include "editor/canvas/canvas.h"
#include "editor/canvas/gestures.h"
#include "editor/canvas/over.h"
#include "editor/session/bindings.h"

static void remember(struct ed_session *session, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_context *context = &canvas->context;
    const struct ed_model *model = &canvas->model;
    *context = (struct ed_context){.kind = hit->kind, .frame = hit->index, .at = canvas->drag.pressed};
    context->x = canvas->drag.x;
    context->y = canvas->drag.y;
    const struct ed_item *item = NULL;
    const char *socket = "";
    if (hit->kind == ED_HIT_WIRE) {
        item = &model->items[model->wires[hit->index].to];
        socket = item->inputs[model->wires[hit->index].input].name;
    } else if (ed_hit_item(hit)) {
        item = &model->items[hit->index];
        bool in = hit->kind == ED_HIT_INPUT && hit->socket < item->input_count;
        bool out = hit->kind == ED_HIT_OUTPUT && hit->socket < item->output_count;
        socket = in ? item->inputs[hit->socket].name : out ? item->outputs[hit->socket].name : "";
        if (item->kind == ED_ITEM_REROUTE || (!in && !out))
            context->kind = ED_HIT_BODY;
    }
    snprintf(context->node, sizeof context->node, "%s", item ? item->id : "");
    snprintf(context->socket, sizeof context->socket, "%s", socket);
}

void ed_context_open(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_hit hit = canvas->drag.at;
    remember(session, &hit);
    struct ed_context *context = &canvas->context;
    if (hit.kind == ED_HIT_NOTHING) {
        double x = context->x, y = context->y;
        if (session->settings.snap) {
            x = ed_snapped(x);
            y = ed_snapped(y);
        }
        session->services->search_node(session, context->at, x, y, NULL, NULL);
        return;
    }
    if (ed_hit_item(&hit) && !ed_selected(session, context->node))
        ed_select(session, context->node, false);
    ui_popup_open("canvas-menu");
}

static void check(struct ed_session *session, bool ok, const struct oro_error *err)
{
    ed_tell(session, ok, err);
}

/* ---- On a node ---- */

static void expose_outputs(struct ed_session *session, const struct ed_item *item)
{
    struct oro_error err;
    char label[160], name[128];
    for (size_t i = 0; i < item->output_count; i++) {
        snprintf(label, sizeof label, "%s##out%zu", item->outputs[i].text, i);
        snprintf(name, sizeof name, "%s", item->outputs[i].name);
        if (ui_menu_item(label, NULL, false, true))
            check(session,
                  ed_expose_output(session->project, session->canvas->context.node, name, true, &err), &err);
    }
}

static void help(struct ed_session *session, const struct ed_item *item)
{
    char type[256];
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), item->id);
    snprintf(type, sizeof type, "%s", item->type ? item->type->id : node ? node->type : "");
    session->services->help(session, item->graph ? NULL : type);
}

static void change_items(struct ed_session *session, const struct ed_item *item)
{
    bool several = session->selection.count > 1;
    if (ui_menu_item("Mute", ed_command_key_text(session, "mute"), item->muted, true))
        ed_canvas_mute(session);
    if (ui_menu_item("Collapse", ed_command_key_text(session, "collapse"), item->collapsed,
                     item->kind == ED_ITEM_NODE))
        ed_canvas_collapse(session);
    if (ui_menu_item("Rename", ed_command_key_text(session, "rename"), false, !several))
        ed_canvas_rename(session);
    ui_separator();
    if (ui_menu_item("Duplicate", ed_command_key_text(session, "duplicate"), false, true))
        ed_canvas_duplicate(session);
    if (ui_menu_item("Copy", ed_command_key_text(session, "copy"), false, true))
        ed_canvas_copy(session);
    if (ui_menu_item("Delete", ed_command_key_text(session, "delete"), false, true))
        ed_canvas_delete(session);
    if (ui_menu_item("Delete and reconnect", ed_command_key_text(session, "dissolve"), false, true))
        ed_canvas_dissolve(session);
}

static void group_items(struct ed_session *session, const struct ed_item *item)
{
    if (ui_menu_item("Group", ed_command_key_text(session, "group"), false, true))
        ed_canvas_group(session);
    if (ui_menu_item("Ungroup", ed_command_key_text(session, "ungroup"), false, item->graph))
        ed_canvas_ungroup(session);
    if (ui_menu_item("Frame", ed_command_key_text(session, "frame-nodes"), false, true))
        ed_canvas_add_frame(session);
    if (session->selection.count > 1 && ui_menu_begin("Align", true)) {
        static const struct {
            const char *label;
            enum ed_align how;
        } ways[] = {{"Left", ED_ALIGN_LEFT},
                    {"Right", ED_ALIGN_RIGHT},
                    {"Top", ED_ALIGN_TOP},
                    {"Bottom", ED_ALIGN_BOTTOM},
                    {"Middle, one below the other", ED_ALIGN_MIDDLE_X},
                    {"Middle, side by side", ED_ALIGN_MIDDLE_Y},
                    {"Spread along x", ED_SPREAD_X},
                    {"Spread along y", ED_SPREAD_Y}};
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (ui_menu_item(ways[i].label, NULL, false, true))
                ed_canvas_align(session, ways[i].how);
        ui_menu_end();
    }
}

/* The item that the menu is about: looked up again, because an entry of the menu may have moved it in memory.
 * NULL: it is gone. */
static const struct ed_item *item_now(struct ed_session *session)
{
    size_t index =
        ed_canvas_refresh(session) ? ed_canvas_item(session, session->canvas->context.node) : ED_NO_INDEX;
    return index == ED_NO_INDEX ? NULL : &session->canvas->model.items[index];
}

static void rest_of_node(struct ed_session *session, const struct ed_item *item)
{
    if (item->output_count && item->kind == ED_ITEM_NODE && ui_menu_begin("Expose output", true)) {
        expose_outputs(session, item);
        ui_menu_end();
    }
    ui_separator();
    if (ui_menu_item("Help", ed_command_key_text(session, "help"), false, item->kind != ED_ITEM_BROKEN))
        help(session, item);
}

/* Whether the menu is done: the node is another afterwards. */
static bool graph_items(struct ed_session *session, const struct ed_item *item)
{
    static const struct {
        const char *command;
        bool missing; /* also for what is missing or broken */
    } entries[] = {{"open-graph", true},   {"embed-graph", false}, {"make-graph-unique", false},
                   {"locate-graph", true}, {"update-graph", true}, {"keep", false}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct ed_command *command = ed_command_find(session, entries[i].command);
        if (!command || (command->enabled && !command->enabled(session)) ||
            (!item->type && !entries[i].missing))
            continue;
        if (ui_menu_item(command->label, ed_command_key_text(session, command->id), false, true)) {
            ed_command_run(session, command->id);
            return true;
        }
    }
    return false;
}

static void node_menu(struct ed_session *session)
{
    const struct ed_item *item = item_now(session);
    if (!item)
        return;
    if (ui_menu_item("Look at it", ed_command_key_text(session, "look"), false, item->output_count > 0))
        ed_canvas_look(session, (size_t)(item - session->canvas->model.items));
    if (item->graph && graph_items(session, item))
        return;
    ui_separator();
    change_items(session, item);
    ui_separator();
    if ((item = item_now(session)))
        group_items(session, item);
    if ((item = item_now(session)))
        rest_of_node(session, item);
}

/* ---- On links and sockets ---- */

static void cut_link(struct ed_session *session)
{
    struct oro_error err;
    struct ed_end input = {session->canvas->context.node, session->canvas->context.socket};
    check(session, ed_unlink(session->project, &input, 1, &err), &err);
}

static void wire_menu(struct ed_session *session)
{
    const struct ed_context *context = &session->canvas->context;
    struct ed_end input = {context->node, context->socket};
    struct oro_error err;
    char id[128];
    if (ui_menu_item("Cut", "Ctrl+right-drag", false, true))
        cut_link(session);
    if (ui_menu_item("Add reroute", "Shift+right-drag", false, true))
        check(session,
              ed_add_reroute(session->project, &input, context->x - ED_REROUTE_SIDE / 2.0,
                             context->y - ED_REROUTE_SIDE / 2.0, id, &err),
              &err);
}

static void input_menu(struct ed_session *session)
{
    const struct ed_context *context = &session->canvas->context;
    struct oro_error err;
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), context->node);
    const struct oro_doc_input *input = node ? oro_doc_node_input(node, context->socket) : NULL;
    bool exposed = ed_is_exposed(session->project, context->node, context->socket);
    if (ui_menu_item("Expose in the interface", NULL, exposed, true))
        check(session, ed_expose(session->project, context->node, context->socket, !exposed, &err), &err);
    if (ui_menu_item("Cut link", NULL, false, input && input->from_node))
        cut_link(session);
}

static void output_menu(struct ed_session *session)
{
    const struct ed_context *context = &session->canvas->context;
    struct oro_error err;
    bool exposed = ed_is_output_exposed(session->project, context->node, context->socket);
    if (ui_menu_item("Look at it", NULL, false, true))
        ed_look_at(session, context->node, context->socket);
    if (ui_menu_item("Expose in the interface", NULL, exposed, true))
        check(session, ed_expose_output(session->project, context->node, context->socket, !exposed, &err),
              &err);
}

/* ---- On frames ---- */

static void choose_within(struct ed_session *session, size_t frame)
{
    const struct ed_model *model = &session->canvas->model;
    ed_select(session, NULL, false);
    for (size_t i = 0; i < model->count; i++) {
        const struct ed_item *item = &model->items[i];
        if (ed_area_holds(&model->frames[frame].box, item->x + (double)item->w / 2,
                          item->y + (double)item->h / 2))
            ed_select(session, item->id, true);
    }
}

static void frame_menu(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    size_t frame = canvas->context.frame;
    if (frame >= canvas->model.frame_count)
        return;
    if (ui_menu_item("Rename", "double click", false, true))
        ed_text_edit_open(session, "", frame);
    if (ui_menu_item("Choose what is in it", NULL, false, true))
        choose_within(session, frame);
    if (ui_menu_item("Remove frame", ed_command_key_text(session, "delete"), false, true)) {
        canvas->frame_chosen = frame;
        ed_select(session, NULL, false);
        ed_canvas_delete(session);
    }
}

void ed_canvas_menu_draw(struct ed_session *session)
{
    if (!ui_popup_begin("canvas-menu"))
        return;
    switch (session->canvas->context.kind) {
    case ED_HIT_WIRE:
        wire_menu(session);
        break;
    case ED_HIT_INPUT:
        input_menu(session);
        break;
    case ED_HIT_OUTPUT:
        output_menu(session);
        break;
    case ED_HIT_FRAME:
    case ED_HIT_FRAME_CORNER:
        frame_menu(session);
        break;
    default:
        node_menu(session);
    }
    ui_popup_end();
}
