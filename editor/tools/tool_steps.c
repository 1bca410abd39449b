#include "editor/tools/tool_steps.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/session/inputs.h"
#include "editor/tools/handles.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"

bool ed_tool_set_number(struct ed_session *session, const char *node, const char *input, double value)
{
    char number[ORO_NUMBER_SIZE];
    return ed_set_input(session, node, input, oro_format_number(value, number));
}

bool ed_tool_set_point(struct ed_session *session, const char *node, const char *input, const double at[2],
                       double step)
{
    char x[ORO_NUMBER_SIZE], y[ORO_NUMBER_SIZE], text[2 * ORO_NUMBER_SIZE + 2];
    snprintf(text, sizeof text, "%s %s", oro_format_number(ed_handle_rounded(at[0], step), x),
             oro_format_number(ed_handle_rounded(at[1], step), y));
    return ed_set_input(session, node, input, text);
}

char *ed_tool_literal(const struct ed_session *session, const char *node, const char *input)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(session->project), node);
    const struct oro_node_type *type = found ? ed_type_of(session, found) : NULL;
    const struct oro_input *declared = type ? oro_type_input(type, input) : NULL;
    const struct oro_doc_input *entry = declared ? oro_doc_node_input(found, input) : NULL;
    if (!declared || (entry && (entry->from_node || entry->expr)))
        return NULL;
    return entry && entry->value ? oro_copy_text(entry->value) : oro_literal_default(declared);
}

bool ed_tool_refuse(struct ed_session *session, const char *why)
{
    struct oro_error err = {0};
    oro_fail(&err, ORO_E_USAGE, "%s", why);
    ed_failed(session, &err);
    return false;
}

void ed_tool_end_step(struct ed_session *session, bool ok, const struct oro_error *err)
{
    if (ok) {
        ed_gesture_end(session->project);
        return;
    }
    ed_gesture_cancel(session->project);
    if (err && err->text[0])
        ed_failed(session, err);
}
