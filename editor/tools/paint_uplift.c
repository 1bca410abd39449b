/* The uplift brush: a painted layer as an uplift, in metres a year. */
#include <stdio.h>
#include <string.h>

#include "editor/project/uplift_chain.h"
#include "editor/session/inputs.h"
#include "editor/tools/paint_private.h"

static bool is_used(const struct ed_session *session, const char *id)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k].from_node && strcmp(node->inputs[k].from_node, id) == 0)
                return true;
    }
    return false;
}

bool ed_paint_can_raise(const struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    return node && !is_used(session, node->id);
}

/* The first output of a node that an uplift could be. */
static struct ed_end output_of(const struct ed_session *session, const char *node)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(session->project), node);
    const struct oro_output *output = found ? ed_output_shown(ed_type_of(session, found)) : NULL;
    return (struct ed_end){node, output ? output->name : ""};
}

/* The terrain's maker is that of what the first view shows. */
static bool join(struct ed_session *session, const char *node, const char *viewed, struct oro_error *err)
{
    char maker[128];
    struct ed_end from = output_of(session, node);
    if (ed_uplift_maker(session->project, viewed, maker))
        return ed_uplift_join(session->project, &from, "add", maker, err);
    double x = 0, y = 0;
    session->services->find_place(session, NULL, &x, &y);
    return ed_add_node(session->project, "stream_power", NULL, x, y, NULL, NULL, maker, err) &&
           ed_uplift_join(session->project, &from, "add", maker, err);
}

bool ed_paint_join_uplift(struct ed_session *session, const char *node, struct oro_error *err)
{
    return join(session, node, session->viewed, err);
}

/* From the range that the layer has to metres a year. */
static bool add_scale(struct ed_session *session, const struct oro_doc_node *layer, char id[128],
                      struct oro_error *err)
{
    static const char *const values[][2] = {{"automatic", "false"}, {"to_high", "0.001"}};
    char node[128], texts[2][64] = {"0", "1"};
    const char *const ends[] = {"low", "high"};
    for (int i = 0; i < 2; i++) {
        const struct oro_doc_input *entry = oro_doc_node_input(layer, ends[i]);
        if (entry && entry->value)
            snprintf(texts[i], sizeof texts[i], "%s", entry->value);
    }
    snprintf(node, sizeof node, "%s", layer->id);
    struct ed_end from = output_of(session, node);
    double x = layer->x + 240, y = layer->y;
    bool ok = ed_add_node(session->project, "remap", NULL, x, y, &from, NULL, id, err);
    for (int i = 0; ok && i < 2; i++)
        ok = ed_set_input(session, id, values[i][0], values[i][1]) &&
             ed_set_input(session, id, ends[i], texts[i]);
    return ok;
}

void ed_paint_raise(struct ed_session *session, const struct ed_pane *pane)
{
    struct oro_error err = {0};
    const struct oro_doc_node *layer = ed_selected_node(session);
    char scale[128];
    if (!layer)
        return;
    ed_gesture_begin(session->project, "layer as uplift");
    if (add_scale(session, layer, scale, &err) &&
        join(session, scale, pane->slots[ED_SLOT_MAIN].want.node, &err)) {
        ed_gesture_end(session->project);
        return;
    }
    ed_gesture_cancel(session->project);
    if (err.text[0])
        ed_failed(session, &err);
}
