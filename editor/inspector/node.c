/* A node in the inspector: its head, and its inputs by group. */
#include <stdio.h>
#include <string.h>

#include "editor/inspector/fields.h"
#include "editor/inspector/script.h"
#include "editor/ui/search.h"

enum { FILTER_FROM = 12 }; /* from this many inputs on there is a filter */

/* What has no effect as the other inputs are is hidden, unless something is linked to it. */
static bool is_shown(const struct oro_node_type *type, const struct oro_doc_node *node,
                     const struct oro_input *input)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    return (entry && entry->from_node) || ed_input_applies(type, node, input);
}

static bool passes(const struct ed_inspector *inspector, const struct oro_node_type *type,
                   const struct oro_doc_node *node, const struct oro_input *input)
{
    char readable[100];
    const char *filter = inspector->filter;
    if (!is_shown(type, node, input))
        return false;
    ed_pretty_name(input->label ? input->label : input->name, readable, sizeof readable);
    return !filter[0] || ed_text_holds(input->name, filter) || ed_text_holds(readable, filter) ||
           ed_text_holds(input->group, filter);
}

static void draw_filter(struct ed_session *session, const struct oro_node_type *type)
{
    if (oro_type_input_count(type) <= FILTER_FROM)
        return;
    ui_name("filter");
    ui_item_width(ui_content().w);
    ui_input("##filter", "filter inputs", session->inspector->filter, sizeof session->inspector->filter, 0);
}

static bool same_group(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void draw_group(struct ed_session *session, const struct oro_doc_node *node,
                       const struct oro_node_type *type, const char *group)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        if (same_group(input->group, group) && passes(session->inspector, type, node, input))
            ed_row_draw(session, type, node, input);
}

/* Whether the group begins with this input, and any input of it matches the filter. */
static bool begins(const struct ed_inspector *inspector, const struct oro_node_type *type,
                   const struct oro_doc_node *node, const struct oro_input *first)
{
    if (!first->group)
        return false;
    for (const struct oro_input *input = type->inputs; input != first; input++)
        if (same_group(input->group, first->group))
            return false;
    for (const struct oro_input *input = first; input->name; input++)
        if (same_group(input->group, first->group) && passes(inspector, type, node, input))
            return true;
    return false;
}

/* ---- Entries that the type does not know: kept, and shown so that they can be removed ---- */

static void draw_unknown(struct ed_session *session, const struct oro_doc_node *node,
                         const struct oro_node_type *type)
{
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *entry = &node->inputs[i];
        if (!entry->name[0] || (type && oro_type_input(type, entry->name)))
            continue;
        ui_id_push_index((int)i);
        ui_align_text();
        ui_text_coloured(ui_colour(UI_WARNING), "%s", entry->name);
        ui_tooltip("This node has no input of that name; it is kept as it was");
        ui_same_line(8 * ui_scale());
        ui_text_coloured(ui_colour(UI_MUTED), "%.60s",
                         entry->value       ? entry->value
                         : entry->expr      ? entry->expr
                         : entry->from_node ? entry->from_node
                                            : "");
        ui_same_line(8 * ui_scale());
        ui_name("remove:%s.%s", node->id, entry->name);
        if (ui_icon_button("##remove", UI_ICON_CLOSE, false, "Remove it"))
            ed_later(session, &(struct ed_change){.act = ed_act_set, .id = node->id, .part = entry->name});
        ui_id_pop();
    }
}

void ed_node_draw(struct ed_session *session, const struct oro_doc_node *node)
{
    const struct oro_node_type *type = ed_type_of(session, node);
    ed_head_draw(session, node, type);
    if (type) {
        draw_filter(session, type);
        draw_group(session, node, type, NULL);
        for (const struct oro_input *input = type->inputs; input && input->name; input++) {
            if (!begins(session->inspector, type, node, input))
                continue;
            ui_spacing();
            ui_name("group:%s", input->group);
            if (ui_header(input->group, true))
                draw_group(session, node, type, input->group);
        }
    }
    draw_unknown(session, node, type);
    ed_script_draw(session, node);
}
