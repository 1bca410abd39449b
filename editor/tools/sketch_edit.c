/* What was drawn becomes nodes, or changes those that are there: one step each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/pane/slots.h"
#include "editor/project/uplift_chain.h"
#include "editor/session/inputs.h"
#include "editor/tools/handles.h"
#include "editor/tools/sketch_private.h"
#include "editor/tools/tool_steps.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"

enum { PIECES_MAX = 64 };

/* ---- Small helpers ---- */

/* How far the points' curve may be from the hand: some pixels, and less than shows at the line's width. */
static double tolerance_of(const struct ed_pane *pane, double width)
{
    return fmax(2.5 * ed_pane_metres_per_pixel(pane), 0.015 * width);
}

static double rounding(const struct ed_pane *pane)
{
    return ed_pane_metres_per_pixel(pane);
}

static double usual_width(struct ed_session *session, const char *node, const struct ed_sketch_form *form)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(session->project), node);
    double width = 0;
    bool known = found && ed_node_number(session, found, form->width, &width) && width > 0;
    return known ? width / form->share : ed_sketch_width(session);
}

/* ---- Elevations ---- */

static double ground_at(void *user, double x, double y)
{
    const struct ed_picture *ground = user;
    return ground && ground->terrain ? (double)ed_picture_sample(ground, x, y, 0) : (double)NAN;
}

double ed_sketch_crest(const struct ed_sketch_tool *tool, const struct ed_pane *pane)
{
    const struct ed_picture *ground = ed_pane_ground(pane);
    return isfinite(tool->elevation) ? tool->elevation : ground ? (double)ground->high : 0;
}

double ed_sketch_rise(const struct ed_sketch_tool *tool, const struct ed_pane *pane)
{
    const struct ed_picture *ground = ed_pane_ground(pane);
    double relief = ground && ground->terrain ? (double)(ground->high - ground->low) : 0;
    return isfinite(tool->rise) ? tool->rise : fmax(ed_handle_rounded(relief / 4, 10), 100);
}

static void give_elevations(const struct ed_sketch_tool *tool, const struct ed_pane *pane,
                            struct oro_stroke *samples)
{
    const struct ed_picture *ground = ed_pane_ground(pane);
    if (tool->kind == ED_SKETCH_RIVER)
        ed_sketch_run_down(samples, ground_at, (void *)ground);
    for (size_t i = 0; i < samples->count; i++) {
        struct oro_stroke_point *p = &samples->items[i];
        double z = ground_at((void *)ground, p->x, p->y);
        if (tool->kind == ED_SKETCH_RIDGE)
            p->strength = ed_sketch_strength_of(ed_sketch_crest(tool, pane));
        else if (tool->kind == ED_SKETCH_PEAK)
            p->strength = ed_sketch_strength_of(round((isfinite(z) ? z : 0) + ed_sketch_rise(tool, pane)));
    }
}

/* A peak goes to the highest ground nearby: on a slope, the valleys beside it would cut it off. */
static void climb(const struct ed_picture *ground, double radius, struct oro_stroke_point *peak)
{
    enum { STEPS = 12 };
    const double x = peak->x, y = peak->y;
    double highest = ground_at((void *)ground, x, y);
    for (int j = -STEPS; j <= STEPS; j++)
        for (int i = -STEPS; i <= STEPS; i++) {
            double at[2] = {x + radius * i / STEPS, y + radius * j / STEPS};
            double z = i * i + j * j <= STEPS * STEPS ? ground_at((void *)ground, at[0], at[1]) : (double)NAN;
            if (!(z > highest))
                continue;
            highest = z;
            peak->x = at[0];
            peak->y = at[1];
        }
}

/* ---- Folds ---- */

/* The node that an input is linked to; NULL: none. */
static const struct oro_doc_node *source_of(const struct ed_session *session, const struct oro_doc_node *node,
                                            const char *input)
{
    const struct oro_doc_input *entry = node ? oro_doc_node_input(node, input) : NULL;
    return entry && entry->from_node ? oro_document_find(ed_project_shown(session->project), entry->from_node)
                                     : NULL;
}

/* The folds that follow an axis; NULL: none. */
static const struct oro_doc_node *folds_of(const struct ed_session *session, const char *axis)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_doc_node *tensor =
            strcmp(node->type, "uplift_folds") == 0 ? source_of(session, node, "tensor") : NULL;
        if (tensor && strcmp(tensor->id, axis) == 0)
            return node;
    }
    return NULL;
}

/* Gives the belt, in which the folds are, the lines of their axis. */
static bool follow_axis(struct ed_session *session, const char *axis)
{
    const struct oro_doc_node *belt = source_of(session, folds_of(session, axis), "density");
    char *text = ed_tool_literal(session, axis, "curve"), id[128];
    bool ok = true;
    if (text && belt && strcmp(belt->type, "uplift_curve") == 0) {
        snprintf(id, sizeof id, "%s", belt->id);
        ok = ed_set_input(session, id, "curve", text);
    }
    oro_free(text);
    return ok;
}

/* ---- Writing lines ---- */

/* Replaces a line of a node (SIZE_MAX: adds one) by curves through pieces of samples. */
static bool write_lines(struct ed_session *session, const struct ed_pane *pane, const char *node, size_t line,
                        const struct oro_stroke *pieces, size_t count)
{
    const struct ed_sketch_form *form = ed_sketch_form(session->views->sketch->kind);
    double width = usual_width(session, node, form);
    struct oro_stroke points[PIECES_MAX] = {0};
    char *old = ed_tool_literal(session, node, form->curve), *new = NULL;
    bool ok = old && count <= PIECES_MAX;
    for (size_t i = 0; ok && i < count; i++)
        ok = ed_sketch_fit(form, &pieces[i], tolerance_of(pane, width),
                           fmax(0.2 * width, 14 * ed_pane_metres_per_pixel(pane)), &points[i]);
    if (ok)
        new = ed_sketch_write(old, line, form, points, count, width, rounding(pane));
    ok = new &&ed_set_input(session, node, form->curve, new);
    if (ok && session->views->sketch->kind == ED_SKETCH_FOLDS)
        ok = follow_axis(session, node);
    /* A profile along the line suits one line alone. */
    if (ok && form->strength && count == 1 && ed_sketch_count(new) == 1) {
        char *profile = ed_sketch_profile(form, &points[0]);
        ok = ed_set_input(session, node, form->strength, profile);
        oro_free(profile);
    }
    for (size_t i = 0; i < count && i < PIECES_MAX; i++)
        oro_stroke_free(&points[i]);
    oro_free(old);
    oro_free(new);
    return ok;
}

/* ---- New lines ---- */

static bool add_named(struct ed_session *session, const char *type, const char *name, const char *before,
                      char id[128], struct oro_error *err)
{
    double x, y;
    session->services->find_place(session, before, &x, &y);
    char *wanted = ed_free_id(ed_project_shown(session->project), name);
    bool ok = wanted && ed_add_node(session->project, type, NULL, x, y, NULL, NULL, id, err) &&
              ed_rename(session->project, id, wanted, err);
    if (ok)
        snprintf(id, 128, "%s", wanted);
    oro_free(wanted);
    return ok;
}

static bool link(struct ed_session *session, const char *from, const char *output, const char *to,
                 const char *input, struct oro_error *err)
{
    return ed_link(session->project, &(struct ed_end){from, output}, &(struct ed_end){to, input}, err);
}

/* Folds some eight of which lie side by side in the line's width: they follow the axis, and are there and
 * high where the belt is. */
static bool add_folds(struct ed_session *session, double x, double y, char maker[128], char axis[128],
                      struct oro_error *err)
{
    double width = ed_sketch_width(session), size = ed_handle_rounded(width / 8, width / 80);
    struct ed_uplift_part part = {"uplift_folds", NULL, "folds", "max", x, y};
    char folds[128], belt[128];
    return ed_uplift_add(session->project, &part, maker, folds, err) &&
           ed_tool_set_number(session, folds, "distance", size) &&
           ed_tool_set_number(session, folds, "radius", ed_handle_rounded(size * 0.76, size / 20)) &&
           ed_tool_set_number(session, folds, "warp", ed_handle_rounded(size * 0.3, size / 20)) &&
           ed_tool_set_number(session, folds, "wavelength", size * 3) &&
           ed_tool_set_number(session, folds, "branching", 0.1) &&
           ed_tool_set_number(session, folds, "clusters", 10) &&
           ed_tool_set_number(session, folds, "uplift", session->views->sketch->rate) &&
           add_named(session, "tensor_field", "axis", folds, axis, err) &&
           ed_set_input(session, axis, "method", "ridge") &&
           link(session, axis, "tensor", folds, "tensor", err) &&
           add_named(session, "uplift_curve", "belt", folds, belt, err) &&
           ed_set_input(session, belt, "smooth", "false") && ed_tool_set_number(session, belt, "uplift", 1) &&
           ed_tool_set_number(session, belt, "radius", ed_handle_rounded(width / 2, width / 50)) &&
           link(session, belt, "uplift", folds, "density", err) &&
           link(session, belt, "uplift", folds, "elevation", err);
}

/* The node for a new line, which has none yet. */
static bool add_node(struct ed_session *session, const struct ed_sketch_form *form, char maker[128],
                     char id[128], struct oro_error *err)
{
    double x = 0, y = 0;
    session->services->find_place(session, maker[0] ? maker : NULL, &x, &y);
    if (!form->method)
        return add_folds(session, x, y, maker, id, err);
    struct ed_uplift_part part = {form->type, NULL, form->name, form->method, x, y};
    return ed_uplift_add(session->project, &part, maker, id, err);
}

static bool varies(const struct oro_stroke *samples)
{
    const struct oro_stroke_point *p = samples->items;
    for (size_t i = 1; i < samples->count; i++)
        if (fabs(p[i].width - p[0].width) > 0.02 * p[0].width || fabs(p[i].strength - p[0].strength) > 0.02)
            return true;
    return false;
}

/* Along a line that the hand drew evenly, a range is narrow at its ends, and a valley at its head; what the
 * hand varied is left as it is. */
static bool set_profiles(struct ed_session *session, const char *id, bool varied)
{
    enum ed_sketch_kind kind = session->views->sketch->kind;
    if (kind == ED_SKETCH_RANGE && !varied)
        return ed_set_input(session, id, "radius_profile", "0 0.3, 0.3 1, 0.7 1, 1 0.3");
    return kind != ED_SKETCH_VALLEY || !varied || ed_set_input(session, id, "width_profile", "0 1, 1 1");
}

static bool draw_node(struct ed_session *session, const struct ed_pane *pane,
                      const struct oro_stroke *samples, char maker[128], struct oro_error *err)
{
    const struct ed_sketch_tool *tool = session->views->sketch;
    const struct ed_sketch_form *form = ed_sketch_form(tool->kind);
    double width = ed_handle_rounded(ed_sketch_width(session), rounding(pane));
    bool made = !maker[0];
    char id[128];
    bool ok = add_node(session, form, maker, id, err) && ed_set_input(session, id, form->curve, "") &&
              ed_tool_set_number(session, id, form->width, width * form->share) &&
              (!form->rate || ed_tool_set_number(session, id, form->rate, tool->rate)) &&
              set_profiles(session, id, varies(samples)) &&
              write_lines(session, pane, id, SIZE_MAX, samples, 1);
    if (!ok)
        return false;
    ed_select(session, id, false);
    session->services->reveal_node(session, id);
    if (made)
        ed_look_at(session, maker, NULL);
    return true;
}

/* The lines of the kind, if there are any, are those of one node, which takes a further axis as well. */
static bool draw_axis(struct ed_session *session, const struct ed_pane *pane,
                      const struct oro_stroke *samples, char maker[128], struct oro_error *err)
{
    const struct ed_sketch_tool *tool = session->views->sketch;
    char axis[128];
    for (size_t i = 0; i < tool->count; i++)
        if (folds_of(session, tool->lines[i].node)) {
            snprintf(axis, sizeof axis, "%s", tool->lines[i].node);
            return write_lines(session, pane, axis, SIZE_MAX, samples, 1);
        }
    return draw_node(session, pane, samples, maker, err);
}

static bool draw_constraint(struct ed_session *session, const struct ed_pane *pane,
                            const struct oro_stroke *samples, const char *maker)
{
    const struct ed_sketch_form *form = ed_sketch_form(session->views->sketch->kind);
    char *text = maker[0] ? ed_tool_literal(session, maker, form->curve) : NULL;
    if (!text)
        return ed_tool_refuse(session,
                              maker[0] ? "the constraints of the terrain are linked: draw where they come "
                                         "from"
                                       : "no node here makes a terrain of an uplift: a stream_power does");
    bool first = text[0] == '\0';
    double radius = ed_sketch_width(session) * form->share;
    oro_free(text);
    bool ok = (!first ||
               ed_tool_set_number(session, maker, form->width, ed_handle_rounded(radius, rounding(pane)))) &&
              write_lines(session, pane, maker, SIZE_MAX, samples, 1);
    if (ok)
        ed_select(session, maker, false); /* whose handles are those of the line */
    return ok;
}

/* ---- Ends of strokes ---- */

static bool go_on(struct ed_session *session, const struct ed_pane *pane, const struct oro_stroke *samples)
{
    const struct ed_sketch_tool *tool = session->views->sketch;
    struct ed_sketch_line *line = &tool->lines[tool->onto];
    char node[128];
    snprintf(node, sizeof node, "%s", line->node);
    if (ed_sketch_form(tool->kind)->single) { /* it is moved, as high as it is */
        line->samples.items[0].x = samples->items[0].x;
        line->samples.items[0].y = samples->items[0].y;
    } else if (!ed_sketch_extend(&line->samples, samples, tool->head))
        return false;
    if (tool->kind == ED_SKETCH_RIVER)
        give_elevations(tool, pane, &line->samples);
    return write_lines(session, pane, node, line->line, &line->samples, 1);
}

void ed_sketch_draw_done(struct ed_session *session, struct ed_pane *pane)
{
    struct ed_sketch_tool *tool = session->views->sketch;
    const struct ed_sketch_form *form = ed_sketch_form(tool->kind);
    struct oro_stroke samples = {0};
    struct oro_error err = {0};
    char name[64], maker[128];
    double pixel = ed_pane_metres_per_pixel(pane), length = oro_stroke_length(&tool->drawn);
    if (form->single ? tool->drawn.count == 0 : length < 8 * pixel)
        return; /* beside the ground; a click */
    bool extends = tool->onto < tool->count;
    const char *verb = !extends ? "draw" : form->single ? "move" : "extend";
    snprintf(name, sizeof name, "%s %s", verb, form->label);
    name[strlen(verb) + 1] |= 0x20;
    if (!oro_stroke_even(&tool->drawn, fmax(2 * pixel, length / 600), &samples)) {
        ed_tool_refuse(session, "not enough memory for the line");
        return;
    }
    if (form->single)
        climb(ed_pane_ground(pane), ed_sketch_width(session) / 4, &samples.items[0]);
    give_elevations(tool, pane, &samples);
    ed_uplift_maker(session->project, pane->slots[ED_SLOT_MAIN].want.node, maker);
    ed_gesture_begin(session->project, name);
    bool axis = tool->kind == ED_SKETCH_FOLDS;
    bool ok = extends      ? go_on(session, pane, &samples)
              : axis       ? draw_axis(session, pane, &samples, maker, &err)
              : form->type ? draw_node(session, pane, &samples, maker, &err)
                           : draw_constraint(session, pane, &samples, maker);
    ed_tool_end_step(session, ok, &err);
    oro_stroke_free(&samples);
}

/* An axis without a line goes, and with it the folds, unless nothing else makes the uplift: then their belt
 * is empty. */
static bool remove_axis(struct ed_session *session, const char *axis)
{
    struct oro_error ignored = {0};
    const struct oro_doc_node *folds = folds_of(session, axis), *belt = source_of(session, folds, "density");
    struct ed_names names = {0};
    char id[128] = "";
    bool ok = ed_names_add(&names, axis);
    if (ok && folds && belt && strcmp(belt->type, "uplift_curve") == 0) {
        snprintf(id, sizeof id, "%s", folds->id);
        ok = ed_names_add(&names, belt->id);
        if (!ed_uplift_remove(session->project, id, &ignored))
            ed_names_remove(&names, names.items[1]);
    }
    ok = ok && ed_delete(session->project, &names, true, &ignored);
    ed_names_free(&names);
    return ok;
}

/* A node that has no line left goes, unless nothing else makes the uplift. */
static bool remove_empty(struct ed_session *session, const char *node, const struct ed_sketch_form *form)
{
    struct oro_error ignored = {0};
    char *text = ed_tool_literal(session, node, form->curve);
    bool empty = text && ed_sketch_count(text) == 0, ok = text;
    oro_free(text);
    if (empty && form->method)
        ed_uplift_remove(session->project, node, &ignored);
    else if (empty && form->type)
        ok = remove_axis(session, node);
    return ok;
}

void ed_sketch_change_done(struct ed_session *session, struct ed_pane *pane, const char *name)
{
    struct ed_sketch_tool *tool = session->views->sketch;
    const struct ed_sketch_form *form = ed_sketch_form(tool->kind);
    bool ok = true, any = false;
    for (size_t i = 0; i < tool->count; i++)
        any = any || tool->lines[i].touched;
    if (!any)
        return;
    ed_gesture_begin(session->project, name);
    /* From the last line to the first, so that the numbers of those before stay. */
    for (size_t i = tool->count; ok && i-- > 0;) {
        struct oro_stroke pieces[PIECES_MAX];
        const struct ed_sketch_line *line = &tool->lines[i];
        if (!line->touched)
            continue;
        size_t count = ed_sketch_pieces(&line->samples, line->gone, pieces, PIECES_MAX);
        ok = write_lines(session, pane, line->node, line->line, pieces, count) &&
             (i > 0 && strcmp(tool->lines[i - 1].node, line->node) == 0
                  ? true
                  : remove_empty(session, line->node, form));
    }
    ed_tool_end_step(session, ok, NULL);
    tool->revision = 0;
}
