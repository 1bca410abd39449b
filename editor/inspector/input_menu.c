/* The menu of an input, and its tooltip. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_clipboard.h>

#include "editor/inspector/fields.h"
#include "graph/type/literal.h"

/* ---- Menu ---- */

static void copy(const struct ed_field *field)
{
    const struct oro_doc_input *entry = field->entry;
    struct oro_text text = {0};
    oro_text_addf(&text, "%s%s", entry && entry->expr ? "=" : "",
                  entry && entry->expr ? entry->expr : field->text);
    if (!text.failed)
        SDL_SetClipboardText(text.data);
    oro_text_free(&text);
}

static bool is_number(const struct oro_input *input)
{
    return input->type == ORO_FLOAT || input->type == ORO_INT;
}

static void paste(const struct ed_field *field)
{
    char *text = SDL_GetClipboardText();
    if (text && *text)
        ed_field_later(field, is_number(field->input) ? ed_act_typed : ed_act_set, text);
    SDL_free(text);
}

static void draw_values(const struct ed_field *field)
{
    const char *id = field->node->id, *name = field->input->name;
    const struct oro_doc_input *entry = field->entry;
    bool linked = entry && entry->from_node, literal = oro_input_has_literal(field->input);
    if (ui_menu_item("Reset to default", NULL, false, literal && ed_field_has(entry) && !linked))
        ed_field_later(field, ed_act_set, NULL);
    if (ui_menu_item("Copy value", NULL, false, literal && !linked))
        copy(field);
    if (ui_menu_item("Paste value", NULL, false, literal && !linked))
        paste(field);
    if (is_number(field->input) && !linked && !(entry && entry->expr) &&
        ui_menu_item("Make an expression", NULL, false, true)) {
        ed_field_later(field, ed_act_expression, field->text);
        ed_text_open(field->session, id, name, field->text, ed_act_expression);
    }
}

static void act_link_to(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct ed_end from = {change->text, change->output}, to = {change->id, change->part};
    ed_tell(session, ed_link(session->project, &from, &to, &err), &err);
}

/* The outputs of the shown graph that fit. */
static void draw_sources(const struct ed_field *field)
{
    const struct oro_document *doc = ed_project_shown(field->session->project);
    const struct ed_end to = {field->node->id, field->input->name};
    size_t found = 0;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = ed_type_of(field->session, node);
        for (const struct oro_output *out = type ? type->outputs : NULL; out && out->name; out++) {
            const struct ed_end from = {node->id, out->name};
            char label[300];
            if (!ed_can_link(field->session->project, &from, &to))
                continue;
            snprintf(label, sizeof label, "%s.%s", node->id, out->name);
            if (ui_menu_item(label, NULL, false, true))
                ed_later(field->session, &(struct ed_change){.act = act_link_to,
                                                             .id = to.node,
                                                             .part = to.socket,
                                                             .text = node->id,
                                                             .output = out->name});
            found++;
        }
    }
    if (!found)
        ui_text_coloured(ui_colour(UI_MUTED), "Nothing in this graph fits");
}

static void draw_links(const struct ed_field *field)
{
    const struct oro_doc_input *entry = field->entry;
    if (entry && entry->from_node) {
        char label[200];
        snprintf(label, sizeof label, "Go to %.100s", entry->from_node);
        if (ui_menu_item(label, NULL, false, true))
            ed_later(field->session, &(struct ed_change){.act = ed_act_show, .id = entry->from_node});
        if (ui_menu_item("Remove the link", NULL, false, true))
            ed_field_later(field, ed_act_unlink, NULL);
    } else if (ui_menu_item("Link a new node...", NULL, false, true)) {
        ed_field_later(field, ed_act_link, NULL);
    }
    ui_name("link-to");
    if (ui_menu_begin("Link to", true)) {
        draw_sources(field);
        ui_menu_end();
    }
}

void ed_inspect_menu(const struct ed_field *field)
{
    const char *id = field->node->id, *name = field->input->name;
    if (!ui_popup_begin("##context"))
        return;
    ui_text_coloured(ui_colour(UI_MUTED), "%s.%s", id, name);
    ui_separator();
    draw_values(field);
    if (oro_input_linkable(field->input))
        draw_links(field);
    ui_separator();
    bool exposed = ed_is_exposed(field->session->project, id, name);
    if (ui_menu_item(exposed ? "Remove from the interface" : "Expose in the interface", NULL, exposed, true))
        ed_field_later(field, ed_act_expose, exposed ? NULL : "");
    if (ui_menu_item("Help on this node", "F1", false, true))
        field->session->services->help(field->session, field->type->id);
    ui_popup_end();
}

/* ---- Tooltip ---- */

static void plain(const char *doc, char *out, size_t size)
{
    size_t n = 0;
    for (; *doc && n + 1 < size; doc++)
        if (*doc != '`')
            out[n++] = *doc;
    out[n] = '\0';
}

static void draw_facts(const struct ed_field *field)
{
    const struct oro_input *input = field->input;
    char low[ED_NUMBER_TEXT], high[ED_NUMBER_TEXT];
    uint32_t muted = ui_colour(UI_MUTED);
    if (is_number(input)) {
        ui_text_coloured(muted, "default %s", ed_number_text(input->value, input->unit, low));
        if (input->min != 0 || input->max != 0)
            ui_text_coloured(muted, "from %s to %s", ed_number_text(input->min, input->unit, low),
                             ed_number_text(input->max, input->unit, high));
        if (input->map)
            ui_text_coloured(muted, "a number, or a map");
    } else if (input->type == ORO_CHOICE && input->choices) {
        ui_text_coloured(muted, "default %s", input->choices[(size_t)input->value]);
    } else if (input->type == ORO_POINT || input->type == ORO_NETWORK) {
        ui_text_coloured(muted, "can be dragged in the view, with its handles");
    } else if (input->type == ORO_PROFILE || input->type == ORO_GRADIENT) {
        const char *part = input->type == ORO_PROFILE ? "point" : "stop";
        ui_text_coloured(muted, "a click adds a %s, a drag moves it; a right click or Del removes it", part);
    } else if (!oro_input_has_literal(input)) {
        ui_text_coloured(muted, "takes %s%s", oro_type_phrase(input->type),
                         oro_input_required(input) ? "; required" : "");
    }
    if (field->type->paper)
        ui_text_coloured(muted, "%s", field->type->paper);
}

void ed_row_tooltip(const struct ed_field *field)
{
    struct ed_inspector *inspector = field->session->inspector;
    char doc[1200];
    if (inspector->hovered != field->input) {
        inspector->hovered = field->input;
        inspector->hovered_since = field->session->now;
    }
    if (ui_mouse_down(0) || ui_any_popup())
        return;
    if (field->session->now - inspector->hovered_since < 0.4) {
        ed_wake(field->session);
        return;
    }
    plain(field->input->doc ? field->input->doc : "", doc, sizeof doc);
    ui_tooltip_begin();
    ui_font_push(UI_MONO);
    ui_text_coloured(ui_colour(UI_ACCENT), "%s", field->input->name);
    ui_font_pop();
    if (doc[0])
        ui_text("%s", doc);
    draw_facts(field);
    ui_tooltip_end();
}
