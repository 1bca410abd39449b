/* What the inputs of a node are set to, and the actions that change them. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "graph/type/literal.h"

bool ed_field_has(const struct oro_doc_input *entry)
{
    return entry && (entry->value || entry->expr || entry->from_node);
}

typedef bool set_fn(struct ed_session *session, const char *node, const char *input, const char *value);

void ed_field_later(const struct ed_field *field, ed_action *act, const char *text)
{
    ed_later(
        field->session,
        &(struct ed_change){.act = act, .id = field->node->id, .part = field->input->name, .text = text});
}

/* Applies to one node or, with Alt held, to all chosen nodes of its type, as one step. */
static bool set_chosen(struct ed_session *session, const char *node, const char *input, const char *value,
                       set_fn *set)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    const struct oro_doc_node *one = oro_document_find(doc, node);
    if (!ui_alt() || !one || session->selection.count < 2)
        return set(session, node, input, value);
    char name[300];
    const struct oro_node_type *type = ed_type_of(session, one);
    bool alone = !session->inspector->gesture;
    snprintf(name, sizeof name, "Change %s", input);
    if (alone)
        ed_gesture_begin(session->project, name);
    bool ok = set(session, node, input, value);
    for (size_t i = 0; ok && i < session->selection.count; i++) {
        const char *id = session->selection.items[i];
        const struct oro_doc_node *other = oro_document_find(ed_project_shown(session->project), id);
        if (other && strcmp(id, node) != 0 && ed_type_of(session, other) == type)
            ok = set(session, id, input, value);
    }
    if (alone)
        ed_gesture_end(session->project);
    return ok;
}

/* `literal` is the value asked for, or what was made of it; NULL: the default. */
static void set(struct ed_session *session, const struct ed_change *change, const char *literal)
{
    const struct oro_input *input = ed_find_input(session, change->id, change->part);
    struct oro_error err = {0};
    char *stored = NULL;
    if (literal && input && !oro_literal_store(input, literal, &stored, &err)) {
        ed_refuse(session, change, err.text);
        return;
    }
    ed_unrefuse(session, change->id, change->part);
    set_chosen(session, change->id, change->part, input ? stored : literal, ed_set_stored);
    oro_free(stored);
}

void ed_act_set(struct ed_session *session, const struct ed_change *change)
{
    set(session, change, change->text);
}

void ed_act_expression(struct ed_session *session, const struct ed_change *change)
{
    const char *text = change->text ? change->text + strspn(change->text, " ") : "";
    text += *text == '=';
    if (!*text) {
        set(session, change, NULL);
        return;
    }
    ed_unrefuse(session, change->id, change->part);
    set_chosen(session, change->id, change->part, text, ed_set_expression);
}

void ed_act_typed(struct ed_session *session, const struct ed_change *change)
{
    const struct oro_input *input = ed_find_input(session, change->id, change->part);
    const char *text = change->text ? change->text + strspn(change->text, " ") : "";
    struct oro_error err = {0};
    char number[ORO_NUMBER_SIZE];
    double value;
    if (*text == '=')
        ed_act_expression(session, change);
    else if (!input || !*text)
        set(session, change, NULL);
    else if (!ed_number_parse(change->text, input->unit, &value, &err))
        ed_refuse(session, change, err.text);
    else
        set(session, change, oro_format_number(value, number));
}

void ed_act_expose(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    ed_tell(session, ed_expose(session->project, change->id, change->part, change->text != NULL, &err), &err);
}

void ed_act_unlink(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct ed_end end = {change->id, change->part};
    ed_tell(session, ed_unlink(session->project, &end, 1, &err), &err);
}

void ed_act_link(struct ed_session *session, const struct ed_change *change)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), change->id);
    struct ed_end end = {change->id, change->part};
    if (node)
        session->services->search_node(session, ui_mouse(), node->x - 220, node->y, NULL, &end);
}

void ed_act_show(struct ed_session *session, const struct ed_change *change)
{
    session->services->show_node(session, change->id);
}
