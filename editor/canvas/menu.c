/* Menus of the right button. */
#include <stdio.h>
#include <string.h>

#include "editor/canvas/state.h"
#include "editor/panels/panels.h"

static void remember(struct ed_app *app, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = app->canvas;
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

void ed_context_open(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_hit hit = canvas->drag.at;
    remember(app, &hit);
    struct ed_context *context = &canvas->context;
    if (hit.kind == ED_HIT_NOTHING) {
        double x = context->x, y = context->y;
        if (app->settings.snap) {
            x = ed_snapped(x);
            y = ed_snapped(y);
        }
        ed_add_open(app, context->at, x, y, NULL, NULL);
        return;
    }
    if (ed_hit_item(&hit) && !ed_selected(app, context->node))
        ed_select(app, context->node, false);
    ui_popup_open("canvas-menu");
}

static void check(struct ed_app *app, bool ok, const struct oro_error *err)
{
    if (!ok)
        ed_failed(app, err);
}

/* ---- On a node ---- */

static void expose_outputs(struct ed_app *app, const struct ed_item *item)
{
    struct oro_error err;
    char label[160], name[128];
    for (size_t i = 0; i < item->output_count; i++) {
        snprintf(label, sizeof label, "%s##out%zu", item->outputs[i].text, i);
        snprintf(name, sizeof name, "%s", item->outputs[i].name);
        if (ui_menu_item(label, NULL, false, true))
            check(app, ed_expose_output(app->project, app->canvas->context.node, name, true, &err), &err);
    }
}

static void help(struct ed_app *app, const struct ed_item *item)
{
    char type[256];
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), item->id);
    snprintf(type, sizeof type, "%s", item->type ? item->type->id : node ? node->type : "");
    ed_help_open(app, item->graph ? NULL : type);
}

static void change_items(struct ed_app *app, const struct ed_item *item)
{
    bool several = app->selection.count > 1;
    if (ui_menu_item("Mute", "M", item->muted, true))
        ed_canvas_mute(app);
    if (ui_menu_item("Collapse", "H", item->collapsed, item->kind == ED_ITEM_NODE))
        ed_canvas_collapse(app);
    if (ui_menu_item("Rename", "F2", false, !several))
        ed_canvas_rename(app);
    ui_separator();
    if (ui_menu_item("Duplicate", "Shift+D", false, true))
        ed_canvas_duplicate(app);
    if (ui_menu_item("Copy", "Ctrl+C", false, true))
        ed_canvas_copy(app);
    if (ui_menu_item("Delete", "Del", false, true))
        ed_canvas_delete(app);
    if (ui_menu_item("Delete and reconnect", "Ctrl+Del", false, true))
        ed_canvas_dissolve(app);
}

static void group_items(struct ed_app *app, const struct ed_item *item)
{
    if (ui_menu_item("Group", "Ctrl+G", false, true))
        ed_canvas_group(app);
    if (ui_menu_item("Ungroup", "Ctrl+Shift+G", false, item->graph))
        ed_canvas_ungroup(app);
    if (ui_menu_item("Frame", "Shift+F", false, true))
        ed_canvas_add_frame(app);
    if (app->selection.count > 1 && ui_menu_begin("Align", true)) {
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
                ed_canvas_align(app, ways[i].how);
        ui_menu_end();
    }
}

/* The item that the menu is about, which what was chosen in it may have moved in memory. NULL: it is gone. */
static const struct ed_item *item_now(struct ed_app *app)
{
    size_t index = ed_canvas_refresh(app) ? ed_canvas_item(app, app->canvas->context.node) : ED_NO_INDEX;
    return index == ED_NO_INDEX ? NULL : &app->canvas->model.items[index];
}

static void rest_of_node(struct ed_app *app, const struct ed_item *item)
{
    if (item->output_count && item->kind == ED_ITEM_NODE && ui_menu_begin("Expose output", true)) {
        expose_outputs(app, item);
        ui_menu_end();
    }
    ui_separator();
    if (ui_menu_item("Help", "F1", false, item->kind != ED_ITEM_BROKEN))
        help(app, item);
}

static void node_menu(struct ed_app *app)
{
    const struct ed_item *item = item_now(app);
    if (!item)
        return;
    if (ui_menu_item("Look at it", "V", false, item->output_count > 0))
        ed_canvas_look(app, (size_t)(item - app->canvas->model.items));
    if (item->group && ui_menu_item("Enter", "Tab", false, true)) {
        ed_canvas_enter_node(app, item->id);
        return;
    }
    ui_separator();
    change_items(app, item);
    ui_separator();
    if ((item = item_now(app)))
        group_items(app, item);
    if ((item = item_now(app)))
        rest_of_node(app, item);
}

/* ---- On links and sockets ---- */

static void cut_link(struct ed_app *app)
{
    struct oro_error err;
    struct ed_end input = {app->canvas->context.node, app->canvas->context.socket};
    check(app, ed_unlink(app->project, &input, 1, &err), &err);
}

static void wire_menu(struct ed_app *app)
{
    const struct ed_context *context = &app->canvas->context;
    struct ed_end input = {context->node, context->socket};
    struct oro_error err;
    char id[128];
    if (ui_menu_item("Cut", "Ctrl+right-drag", false, true))
        cut_link(app);
    if (ui_menu_item("Add reroute", "Shift+right-drag", false, true))
        check(app,
              ed_add_reroute(app->project, &input, context->x - ED_REROUTE_SIDE / 2.0,
                             context->y - ED_REROUTE_SIDE / 2.0, id, &err),
              &err);
}

static void input_menu(struct ed_app *app)
{
    const struct ed_context *context = &app->canvas->context;
    struct oro_error err;
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), context->node);
    const struct oro_doc_input *input = node ? oro_doc_node_input(node, context->socket) : NULL;
    bool exposed = ed_is_exposed(app->project, context->node, context->socket);
    if (ui_menu_item("Expose in the interface", NULL, exposed, true))
        check(app, ed_expose(app->project, context->node, context->socket, !exposed, &err), &err);
    if (ui_menu_item("Cut link", NULL, false, input && input->from_node))
        cut_link(app);
}

static void output_menu(struct ed_app *app)
{
    const struct ed_context *context = &app->canvas->context;
    struct oro_error err;
    bool exposed = ed_is_output_exposed(app->project, context->node, context->socket);
    if (ui_menu_item("Look at it", NULL, false, true))
        ed_look_at(app, context->node, context->socket);
    if (ui_menu_item("Expose in the interface", NULL, exposed, true))
        check(app, ed_expose_output(app->project, context->node, context->socket, !exposed, &err), &err);
}

/* ---- On frames ---- */

static void choose_within(struct ed_app *app, size_t frame)
{
    const struct ed_model *model = &app->canvas->model;
    ed_select(app, NULL, false);
    for (size_t i = 0; i < model->count; i++) {
        const struct ed_item *item = &model->items[i];
        if (ed_area_holds(&model->frames[frame].box, item->x + (double)item->w / 2,
                          item->y + (double)item->h / 2))
            ed_select(app, item->id, true);
    }
}

static void frame_menu(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    size_t frame = canvas->context.frame;
    if (frame >= canvas->model.frame_count)
        return;
    if (ui_menu_item("Rename", "double click", false, true))
        ed_text_edit_open(app, "", frame);
    if (ui_menu_item("Choose what is in it", NULL, false, true))
        choose_within(app, frame);
    if (ui_menu_item("Remove frame", "Del", false, true)) {
        canvas->frame_chosen = frame;
        ed_select(app, NULL, false);
        ed_canvas_delete(app);
    }
}

void ed_canvas_menu_draw(struct ed_app *app)
{
    if (!ui_popup_begin("canvas-menu"))
        return;
    switch (app->canvas->context.kind) {
    case ED_HIT_WIRE:
        wire_menu(app);
        break;
    case ED_HIT_INPUT:
        input_menu(app);
        break;
    case ED_HIT_OUTPUT:
        output_menu(app);
        break;
    case ED_HIT_FRAME:
    case ED_HIT_FRAME_CORNER:
        frame_menu(app);
        break;
    default:
        node_menu(app);
    }
    ui_popup_end();
}
