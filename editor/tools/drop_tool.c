#include "editor/tools/drop_tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/pane/lines.h"
#include "editor/project/uplift_chain.h"
#include "editor/session/world.h"
#include "editor/tools/handles.h"
#include "editor/tools/tool_steps.h"
#include "graph/derived/assets.h"
#include "graph/type/registry.h"

/* What is dragged, if it is an uplift that has a place. */
struct dragged {
    const struct oro_input *place;  /* a point */
    const struct oro_input *radius; /* around it; NULL */
};

static const struct oro_node_type *type_of_dragged(const struct ed_session *session)
{
    const struct oro_doc_node node = {.id = (char *)"",
                                      .type = (char *)session->dragged.type,
                                      .href =
                                          session->dragged.href[0] ? (char *)session->dragged.href : NULL};
    return session->dragged.type[0] ? ed_type_of(session, &node) : NULL;
}

static bool find_inputs(const struct oro_node_type *type, struct dragged *dragged)
{
    bool gives = false;
    *dragged = (struct dragged){0};
    for (const struct oro_output *out = type ? type->outputs : NULL; out && out->name; out++)
        gives = gives || out->type == ORO_UPLIFT;
    for (const struct oro_input *in = gives ? type->inputs : NULL; in && in->name; in++)
        if (!dragged->place && in->type == ORO_POINT && oro_input_handle(in) == ORO_HANDLE_POINT)
            dragged->place = in;
    for (const struct oro_input *in = dragged->place ? type->inputs : NULL; in && in->name; in++)
        if (!dragged->radius && in->handle == ORO_HANDLE_RADIUS && in->handle_at &&
            strcmp(in->handle_at, dragged->place->name) == 0)
            dragged->radius = in;
    return dragged->place;
}

/* As large as it suits the world, whatever its default is. */
static double radius_for(const struct ed_session *session)
{
    struct oro_grid grid = ed_world_grid(session);
    double shorter = grid.cell * (grid.width < grid.height ? grid.width : grid.height);
    return ed_handle_rounded(shorter / 5, shorter / 100);
}

static bool set_place(struct ed_session *session, const struct dragged *dragged, const char *id,
                      const double at[2], double step)
{
    return ed_tool_set_point(session, id, dragged->place->name, at, step) &&
           (!dragged->radius || ed_tool_set_number(session, id, dragged->radius->name, radius_for(session)));
}

/* The gesture is ended by the palette, which may have a preset to apply. */
static void drop(struct ed_session *session, const struct ed_pane *pane, const struct dragged *dragged,
                 const double at[2])
{
    struct oro_error err = {0};
    char maker[128], id[128], type[128], href[512];
    bool made = !ed_uplift_maker(session->project, pane->slots[ED_SLOT_MAIN].want.node, maker);
    struct ed_uplift_part part = {.type = type, .method = "max"};
    snprintf(type, sizeof type, "%s", session->dragged.type);
    snprintf(href, sizeof href, "%s", session->dragged.href);
    part.href = href[0] ? href : NULL;
    session->services->find_place(session, made ? NULL : maker, &part.x, &part.y);
    ed_gesture_begin(session->project, "drop uplift");
    if (!ed_uplift_add(session->project, &part, maker, id, &err) ||
        !set_place(session, dragged, id, at, ed_pane_metres_per_pixel(pane))) {
        ed_gesture_cancel(session->project);
        if (err.text[0])
            ed_failed(session, &err);
        return;
    }
    ed_select(session, id, false);
    session->services->reveal_node(session, id);
    if (made)
        ed_look_at(session, maker, NULL);
}

bool ed_drop_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw)
{
    struct dragged dragged;
    double at[2];
    if (!session->dragged.type[0] || !ui_inside(pane->rect, ui_mouse()) ||
        !find_inputs(type_of_dragged(session), &dragged) || !ed_pane_place(pane, ui_mouse(), &at[0], &at[1]))
        return false;
    if (!ui_mouse_down(0)) {
        drop(session, pane, &dragged, at);
        return true;
    }
    double radius = dragged.radius ? radius_for(session) : 8 * ed_pane_metres_per_pixel(pane);
    ed_ground_ellipse(pane, draw, at, radius, radius, 0, ui_faded(ui_colour(UI_SHADOW), 0.7f), 3.5f);
    ed_ground_ellipse(pane, draw, at, radius, radius, 0, ui_colour(UI_ACCENT), 1.8f * ui_scale());
    return true;
}
