/* The lines that are there to be gone on with, smoothed and erased. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/pane/slots.h"
#include "editor/project/uplift_chain.h"
#include "editor/session/inputs.h"
#include "editor/tools/sketch_private.h"
#include "editor/tools/tool_steps.h"

void ed_sketch_forget(struct ed_sketch_tool *tool)
{
    for (size_t i = 0; i < tool->count; i++) {
        oro_stroke_free(&tool->lines[i].samples);
        oro_free(tool->lines[i].gone);
    }
    tool->count = 0;
    tool->revision = 0;
}

static bool add_line(struct ed_sketch_tool *tool, const struct oro_doc_node *node, size_t line,
                     const char *text, const struct ed_sketch_reading *how)
{
    if (!oro_reserve((void **)&tool->lines, &tool->capacity, tool->count + 1, sizeof *tool->lines))
        return false;
    struct ed_sketch_line *item = &tool->lines[tool->count];
    *item = (struct ed_sketch_line){.line = line};
    snprintf(item->node, sizeof item->node, "%s", node->id);
    bool ok =
        ed_sketch_read(text, line, how, &item->samples) && (item->samples.count == 1) == how->form->single;
    item->gone = ok ? oro_alloc(item->samples.count, sizeof *item->gone) : NULL;
    if (item->gone)
        tool->count++;
    else
        oro_stroke_free(&item->samples);
    return true;
}

static bool is_off(const struct ed_session *session, const struct oro_doc_node *node, const char *name)
{
    char *text = ed_tool_literal(session, node->id, name);
    bool off = text && strcmp(text, "false") == 0;
    oro_free(text);
    return off;
}

static void add_lines_of(struct ed_session *session, struct ed_sketch_tool *tool,
                         const struct oro_doc_node *node)
{
    const struct ed_sketch_form *form = ed_sketch_form(tool->kind);
    struct ed_sketch_reading how = {
        .form = form, .width = ed_sketch_width(session), .step = ed_sketch_extent(session) / 600};
    char *text = ed_tool_literal(session, node->id, form->curve);
    char *strength = form->strength ? ed_tool_literal(session, node->id, form->strength) : NULL;
    double width = 0;
    if (ed_node_number(session, node, form->width, &width) && width > 0)
        how.width = width / form->share;
    how.strength = strength;
    how.straight = is_off(session, node, "smooth");
    for (size_t i = 0, count = text ? ed_sketch_count(text) : 0; i < count; i++)
        if (!add_line(tool, node, i, text, &how))
            break;
    oro_free(text);
    oro_free(strength);
}

/* Whether folds lie in it: its lines are those of their axis. */
static bool is_belt(const struct oro_document *doc, const struct oro_doc_node *node)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *user = oro_document_node(doc, i);
        const struct oro_doc_input *density =
            strcmp(user->type, "uplift_folds") == 0 ? oro_doc_node_input(user, "density") : NULL;
        if (density && density->from_node && strcmp(density->from_node, node->id) == 0)
            return true;
    }
    return false;
}

/* Of a tensor field, only elements along lines have any. */
static bool is_of_kind(const struct oro_doc_node *node, const struct ed_sketch_form *form, const char *maker)
{
    const struct oro_doc_input *method = oro_doc_node_input(node, "method");
    if (!form->type)
        return strcmp(node->id, maker) == 0;
    return strcmp(node->type, form->type) == 0 &&
           (form->method || (method && method->value && strcmp(method->value, "ridge") == 0));
}

void ed_sketch_list(struct ed_session *session, const struct ed_pane *pane)
{
    struct ed_sketch_tool *tool = session->views->sketch;
    const struct oro_document *doc = ed_project_shown(session->project);
    uint64_t revision = ed_project_revision(session->project);
    char maker[128];
    if (tool->revision == revision && tool->listed == tool->kind)
        return;
    ed_sketch_forget(tool);
    tool->revision = revision;
    tool->listed = tool->kind;
    ed_uplift_maker(session->project, pane->slots[ED_SLOT_MAIN].want.node, maker);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (is_of_kind(node, ed_sketch_form(tool->kind), maker) && !is_belt(doc, node))
            add_lines_of(session, tool, node);
    }
}
