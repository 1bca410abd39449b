/* The interface of the shown graph: the inputs and outputs that it has where it is used as a node. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"

/* ---- Actions ---- `id` is the port's name, `part` "in" or "out", with a text's name behind */

static const struct oro_doc_port *find(const struct oro_document *doc, const char *name, bool is_output)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output == is_output && strcmp(port->name, name) == 0)
            return port;
    }
    return NULL;
}

static void act_remove(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(session->project, "Change the interface", &err);
    bool ok = doc && oro_edit_remove_port(doc, strcmp(change->part, "out") == 0, change->id, &err);
    ed_tell(session, ed_edit_end(session->project, ok, &err), &err);
}

/* Changes all entries of that name: renames them all, but sets a text only in the first, which counts for
 * all. */
static bool replace(struct oro_document *doc, const char *name, bool is_output, const char *new_name,
                    int which, const char *text, struct oro_error *err)
{
    size_t found = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < oro_document_port_count(doc); i++) {
        struct oro_doc_port port = *oro_document_port(doc, i);
        if (port.is_output != is_output || strcmp(port.name, name) != 0)
            continue;
        port.name = (char *)new_name;
        if (found++ == 0 && which >= 0)
            port.texts[which] = text[0] ? (char *)text : NULL;
        ok = oro_edit_port(doc, i, &port, err);
    }
    return ok && (found || oro_fail(err, ORO_E_USAGE, "there is no '%.100s' in the interface", name));
}

static const struct {
    const char *key, *label;
} port_texts[ORO_PORT_TEXTS] = {
    [ORO_PORT_LABEL] = {"label", "Label"},       [ORO_PORT_GROUP] = {"group", "Group"},
    [ORO_PORT_DEFAULT] = {"default", "Default"}, [ORO_PORT_MIN] = {"min", "Minimum"},
    [ORO_PORT_MAX] = {"max", "Maximum"},         [ORO_PORT_SOFT_MIN] = {"soft_min", "Slider from"},
    [ORO_PORT_SOFT_MAX] = {"soft_max", "to"},    [ORO_PORT_UNIT] = {"unit", "Unit"},
    [ORO_PORT_WAS] = {"was", "Former names"},    [ORO_PORT_DOC] = {"doc", "Help"},
};

static void act_text(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    bool is_output = strncmp(change->part, "out", 3) == 0, rename = strstr(change->part, ".name");
    const char *key = strchr(change->part, '.');
    int which = -1;
    for (int i = 0; key && i < ORO_PORT_TEXTS; i++)
        if (strcmp(port_texts[i].key, key + 1) == 0)
            which = i;
    if (rename && find(ed_project_shown(session->project), change->text, is_output)) {
        ed_refuse(session, change, "there is one of that name already");
        return;
    }
    if (rename && !oro_is_identifier(change->text)) {
        ed_refuse(session, change, "a name has letters, digits, '_' and '-', and begins with a letter");
        return;
    }
    ed_unrefuse(session, change->id, change->part);
    struct oro_document *doc = ed_edit_begin(session->project, "Change the interface", &err);
    bool ok = doc && replace(doc, change->id, is_output, rename ? change->text : change->id, which,
                             change->text, &err);
    if (!ed_edit_end(session->project, ok, &err))
        ed_refuse(session, change, err.text);
}

/* ---- Drawing ---- */

static void draw_text(struct ed_session *session, const struct oro_doc_port *port, enum oro_port_text which)
{
    char name[300], key[40];
    snprintf(key, sizeof key, "%s.%s", port->is_output ? "out" : "in", port_texts[which].key);
    snprintf(name, sizeof name, "port:%.120s.%s", port->name, port_texts[which].key);
    struct ed_text_field field = {.name = name,
                                  .id = port->name,
                                  .part = key,
                                  .text = port->texts[which] ? port->texts[which] : "",
                                  .commit = act_text};
    field.width = ed_label_draw(port_texts[which].label, port->texts[which]);
    ed_text_draw(session, &field);
    ed_refused_draw(session, port->name, key);
}

static void draw_details(struct ed_session *session, const struct oro_doc_port *port)
{
    draw_text(session, port, ORO_PORT_LABEL);
    draw_text(session, port, ORO_PORT_DOC);
    if (port->is_output)
        return;
    draw_text(session, port, ORO_PORT_GROUP);
    draw_text(session, port, ORO_PORT_DEFAULT);
    draw_text(session, port, ORO_PORT_MIN);
    draw_text(session, port, ORO_PORT_MAX);
    draw_text(session, port, ORO_PORT_SOFT_MIN);
    draw_text(session, port, ORO_PORT_SOFT_MAX);
    draw_text(session, port, ORO_PORT_UNIT);
}

static void draw_port(struct ed_session *session, const struct oro_doc_port *port)
{
    float gap = 4 * ui_scale(), side = ui_widget_height();
    struct ui_rect all = ui_content();
    float name_width = (all.w - 2 * side - 2 * gap) * 0.42f;
    char name[300], to[300];
    const char *key = port->is_output ? "out.name" : "in.name";
    snprintf(name, sizeof name, "port:%.120s.name", port->name);
    snprintf(to, sizeof to, "%s%s%s%s", port->is_output ? "← " : "→ ", port->node, port->node[0] ? "." : "",
             port->socket);
    ui_cursor_set((struct ui_vec){all.x + side, all.y});
    struct ed_text_field field = {.name = name,
                                  .id = port->name,
                                  .part = key,
                                  .text = port->name,
                                  .commit = act_text,
                                  .width = name_width,
                                  .mono = true};
    ed_text_draw(session, &field);
    ui_same_line(gap);
    struct ui_vec at = ui_cursor();
    float width = all.x + all.w - side - gap - at.x;
    ui_name("port:%s.show", port->name);
    if (ui_area("##to", width, side) && port->node[0])
        ed_later(session, &(struct ed_change){.act = ed_act_show, .id = port->node});
    at.y += (side - ui_line_height()) / 2;
    ed_text_cut(ui_draw_here(), at, width, ui_colour(ui_item_hovered() ? UI_ACCENT : UI_MUTED), to);
    ui_same_line(gap);
    ui_name("port:%s.remove", port->name);
    if (ui_icon_button("##remove", UI_ICON_CLOSE, false, "Take it out of the interface"))
        ed_later(session, &(struct ed_change){
                              .act = act_remove, .id = port->name, .part = port->is_output ? "out" : "in"});
    ed_refused_draw(session, port->name, key);
    struct ui_vec after = ui_cursor();
    bool *open = &session->inspector->port_open;
    bool mine = *open && strcmp(session->inspector->port, port->name) == 0;
    ui_cursor_set((struct ui_vec){all.x, all.y});
    ui_name("port:%s.more", port->name);
    if (ui_icon_button("##more", mine ? UI_ICON_DOWN : UI_ICON_RIGHT, false, "Label, default, range")) {
        *open = !mine;
        snprintf(session->inspector->port, sizeof session->inspector->port, "%s", port->name);
    }
    ui_cursor_set(after);
    if (mine)
        draw_details(session, port);
}

static void draw_side(struct ed_session *session, bool is_output)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    bool any = false;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output != is_output)
            continue;
        if (!any)
            ui_text_coloured(ui_colour(UI_MUTED), is_output ? "Outputs" : "Inputs");
        any = true;
        ui_id_push_index((int)i);
        draw_port(session, port);
        ui_id_pop();
    }
}

void ed_inspect_interface(struct ed_session *session)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    ui_name("section:Interface");
    if (!ui_header("Interface", true))
        return;
    if (oro_document_port_count(doc) == 0) {
        ui_font_push(UI_SMALL);
        ui_text_wrapped(
            "Right-click an input of a node to expose it: a graph with an interface can be used as a "
            "node in other documents.");
        ui_font_pop();
    }
    draw_side(session, false);
    draw_side(session, true);
}
