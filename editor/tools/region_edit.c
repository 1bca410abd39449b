/* What is done with a region becomes an `uplift_region` in front of what makes the terrain that is seen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/uplift_chain.h"
#include "editor/session/inputs.h"
#include "editor/tools/handles.h"
#include "editor/tools/polylines.h"
#include "editor/tools/region_private.h"
#include "editor/tools/tool_steps.h"

/* ---- The node's inputs ---- */

static bool set_flag(struct ed_session *session, const char *node, const char *input, bool on)
{
    return ed_set_input(session, node, input, on ? "true" : "false");
}

static bool set_polygon(struct ed_session *session, const char *node, const struct oro_stroke *outline,
                        double step)
{
    struct oro_text text = {0};
    char number[ORO_NUMBER_SIZE];
    for (size_t i = 0; i < outline->count; i++) {
        oro_text_add(&text, i ? ", " : "");
        oro_text_add(&text, oro_format_number(ed_handle_rounded(outline->items[i].x, step), number));
        oro_text_add(&text, " ");
        oro_text_add(&text, oro_format_number(ed_handle_rounded(outline->items[i].y, step), number));
    }
    bool ok = !text.failed && ed_set_input(session, node, "polygon", text.data);
    oro_text_free(&text);
    return ok;
}

static bool set_region(struct ed_session *session, const char *node, const struct ed_region *region,
                       double step)
{
    if (!ed_tool_set_point(session, node, "from", region->from, step))
        return false;
    if (region->lasso)
        return ed_set_input(session, node, "region", "polygon") &&
               set_polygon(session, node, &region->outline, step);
    return ed_tool_set_number(session, node, "radius_x", ed_handle_rounded(region->radius[0], step)) &&
           ed_tool_set_number(session, node, "radius_y", ed_handle_rounded(region->radius[1], step));
}

/* ---- Nodes ---- */

static const char *viewed(const struct ed_pane *pane)
{
    return pane->slots[ED_SLOT_MAIN].want.node;
}

/* A node for the region, in front of the terrain's maker; all of it happens within a gesture. */
static bool add_node(struct ed_session *session, const struct ed_pane *pane, struct oro_error *err)
{
    struct ed_region_tool *tool = session->views->region;
    struct ed_uplift_part part = {.type = "uplift_region", .name = "copies"};
    char maker[128], id[128];
    if (!ed_uplift_viewed(session->project, viewed(pane), maker, err))
        return false;
    session->services->find_place(session, maker, &part.x, &part.y);
    if (!ed_uplift_add(session->project, &part, maker, id, err) ||
        !set_region(session, id, &tool->region, ed_pane_metres_per_pixel(pane)))
        return false;
    snprintf(tool->node, sizeof tool->node, "%s", id);
    return true;
}

/* Shows the node with its handles, instead of what was selected. */
static void finish(struct ed_session *session, bool ok, const struct oro_error *err)
{
    struct ed_region_tool *tool = session->views->region;
    ed_tool_end_step(session, ok, err);
    if (!ok) {
        tool->node[0] = '\0';
        return;
    }
    tool->selected = false;
    ed_select(session, tool->node, false);
    session->services->reveal_node(session, tool->node);
}

/* Whether the node of the last cut or paste is still there. */
static bool has_node(const struct ed_session *session)
{
    const struct ed_region_tool *tool = session->views->region;
    const struct oro_doc_node *node =
        tool->node[0] ? oro_document_find(ed_project_shown(session->project), tool->node) : NULL;
    return node && strcmp(node->type, "uplift_region") == 0;
}

static bool is_pasted(const struct ed_session *session)
{
    char *text = ed_tool_literal(session, session->views->region->node, "paste");
    bool pasted = !text || strcmp(text, "false") != 0;
    oro_free(text);
    return pasted;
}

/* A further copy begins as the region itself, however the first one was turned since. */
static bool add_place(struct ed_session *session, const struct ed_pane *pane, const double at[2])
{
    const char *node = session->views->region->node;
    double step = ed_pane_metres_per_pixel(pane);
    struct ed_polylines places = {0};
    char *text = ed_tool_literal(session, node, "places"), *more = NULL;
    if (!text)
        return ed_tool_refuse(session, "the places of the copies are an expression: nothing can be added");
    bool ok = ed_polylines_parse(text, &places);
    if (ok &&
        ed_polylines_add_line(&places, ed_handle_rounded(at[0], step), ed_handle_rounded(at[1], step))) {
        struct ed_vertex *place = &places.items[places.count - 1];
        place->numbers[2] = 0;
        place->numbers[3] = 1;
        place->count = 4;
        more = ed_polylines_format(&places);
    }
    ok = more && ed_set_input(session, node, "places", more);
    ed_polylines_free(&places);
    oro_free(text);
    oro_free(more);
    return ok;
}

static bool paste_first(struct ed_session *session, const struct ed_pane *pane, const double at[2])
{
    return ed_tool_set_point(session, session->views->region->node, "to", at, ed_pane_metres_per_pixel(pane));
}

/* ---- Actions ---- */

void ed_region_copy(struct ed_session *session, const struct ed_pane *pane)
{
    struct ed_region_tool *tool = session->views->region;
    struct oro_error err = {0};
    char maker[128];
    if (!tool->selected) {
        ed_tool_refuse(session, "nothing is selected: drag over a part of the mountains first");
        return;
    }
    tool->copied = ed_uplift_viewed(session->project, viewed(pane), maker, &err);
    tool->node[0] = '\0';
    ed_tell(session, tool->copied, &err);
}

void ed_region_erase(struct ed_session *session, const struct ed_pane *pane, bool keep)
{
    struct ed_region_tool *tool = session->views->region;
    struct oro_error err = {0};
    if (!tool->selected) {
        ed_tool_refuse(session, "nothing is selected: drag over a part of the mountains first");
        return;
    }
    ed_gesture_begin(session->project, keep ? "cut region" : "erase region");
    bool ok = add_node(session, pane, &err) && set_flag(session, tool->node, "paste", false) &&
              set_flag(session, tool->node, "cut", true);
    finish(session, ok, &err);
    tool->copied = ok && keep;
}

void ed_region_paste(struct ed_session *session, const struct ed_pane *pane, const double at[2])
{
    struct ed_region_tool *tool = session->views->region;
    struct oro_error err = {0};
    if (!tool->copied) {
        ed_tool_refuse(session, "nothing is copied: select a part of the mountains, then press Ctrl+C");
        return;
    }
    ed_gesture_begin(session->project, "paste region");
    bool ok;
    if (!has_node(session))
        ok = add_node(session, pane, &err) && paste_first(session, pane, at);
    else if (is_pasted(session))
        ok = add_place(session, pane, at);
    else
        ok = set_flag(session, tool->node, "paste", true) && paste_first(session, pane, at);
    finish(session, ok, &err);
}

void ed_region_move(struct ed_session *session, const struct ed_pane *pane, const double to[2], bool keep)
{
    struct ed_region_tool *tool = session->views->region;
    struct oro_error err = {0};
    ed_gesture_begin(session->project, keep ? "copy region" : "move region");
    bool ok = add_node(session, pane, &err) && paste_first(session, pane, to) &&
              (keep || set_flag(session, tool->node, "cut", true));
    finish(session, ok, &err);
    tool->copied = ok;
}
