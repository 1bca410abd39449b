/* What was drawn becomes nodes, or changes those that are there: one step each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/uplift_chain.h"
#include "editor/session/inputs.h"
#include "editor/view/handles.h"
#include "editor/view/sketch_private.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"

enum { PIECES_MAX = 64 };

/* ---- Small helpers ---- */

static bool set_number(struct ed_session *session, const char *node, const char *input, double value)
{
    char number[ORO_NUMBER_SIZE];
    return ed_set_input(session, node, input, oro_format_number(value, number));
}

/* How far the points' curve may be from the hand: some pixels, and less than shows at the line's width. */
static double tolerance_of(const struct ed_pane *pane, double width)
{
    return fmax(2.5 * ed_pane_metres_per_pixel(pane), 0.015 * width);
}

static double rounding(const struct ed_pane *pane)
{
    return ed_pane_metres_per_pixel(pane);
}

static bool complain(struct ed_session *session, const char *text)
{
    struct oro_error err = {0};
    oro_fail(&err, ORO_E_USAGE, "%s", text);
    ed_failed(session, &err);
    return false;
}

/* Ends a gesture, which is taken back if something failed. */
static void finish(struct ed_session *session, bool ok, const struct oro_error *err)
{
    if (ok) {
        ed_gesture_end(session->project);
        return;
    }
    ed_gesture_cancel(session->project);
    if (err && err->text[0])
        ed_failed(session, err);
}

/* The text of an input that holds lines. The caller frees; NULL: it is linked. */
static char *lines_of(struct ed_session *session, const char *node, const char *input)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(session->project), node);
    const struct oro_node_type *type = found ? ed_type_of(session, found) : NULL;
    const struct oro_input *curve = type ? oro_type_input(type, input) : NULL;
    const struct oro_doc_input *entry = curve ? oro_doc_node_input(found, input) : NULL;
    if (!curve || (entry && (entry->from_node || entry->expr)))
        return NULL;
    return entry && entry->value ? oro_copy_text(entry->value) : oro_literal_default(curve);
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

static void give_elevations(const struct ed_sketch_tool *tool, const struct ed_pane *pane,
                            struct oro_stroke *samples)
{
    const struct ed_picture *ground = ed_pane_ground(pane);
    double elevation = isfinite(tool->elevation) ? tool->elevation : ground ? (double)ground->high : 0;
    if (tool->kind == ED_SKETCH_RIVER)
        ed_sketch_run_down(samples, ground_at, (void *)ground);
    else if (tool->kind == ED_SKETCH_RIDGE)
        for (size_t i = 0; i < samples->count; i++)
            samples->items[i].strength = ed_sketch_strength_of(elevation);
}

/* ---- Writing lines ---- */

/* Replaces a line of a node (SIZE_MAX: adds one) by curves through pieces of samples. */
static bool write_lines(struct ed_session *session, const struct ed_pane *pane, const char *node, size_t line,
                        const struct oro_stroke *pieces, size_t count)
{
    const struct ed_sketch_form *form = ed_sketch_form(session->views->sketch->kind);
    double width = usual_width(session, node, form);
    struct oro_stroke points[PIECES_MAX] = {0};
    char *old = lines_of(session, node, form->curve), *new = NULL;
    bool ok = old && count <= PIECES_MAX;
    for (size_t i = 0; ok && i < count; i++)
        ok = ed_sketch_fit(form, &pieces[i], tolerance_of(pane, width),
                           fmax(0.2 * width, 14 * ed_pane_metres_per_pixel(pane)), &points[i]);
    if (ok)
        new = ed_sketch_write(old, line, form, points, count, width, rounding(pane));
    ok = new &&ed_set_input(session, node, form->curve, new);
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

/* The node of folds that the axis is for: one that the maker's terrain is made of. */
static bool find_folds(struct ed_session *session, char folds[128])
{
    const struct oro_document *doc = ed_project_shown(session->project);
    folds[0] = '\0';
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        if (strcmp(oro_document_node(doc, i)->type, "uplift_folds") == 0)
            snprintf(folds, 128, "%s", oro_document_node(doc, i)->id);
    return folds[0];
}

/* Folds whose size suits the world. */
static bool add_folds(struct ed_session *session, double x, double y, char maker[128], char folds[128],
                      struct oro_error *err)
{
    const struct ed_sketch_tool *tool = session->views->sketch;
    struct ed_uplift_part part = {"uplift_folds", NULL, "folds", "max", x, y};
    double size = ed_handle_rounded(ed_sketch_extent(session) / 50, ed_sketch_extent(session) / 500);
    return ed_uplift_add(session->project, &part, maker, folds, err) &&
           set_number(session, folds, "radius", size) && set_number(session, folds, "distance", size * 0.7) &&
           set_number(session, folds, "warp", size * 0.4) &&
           set_number(session, folds, "wavelength", size * 4) &&
           set_number(session, folds, "uplift", tool->rate);
}

/* A new element in front of the folds, blended with those that they had. */
static bool add_axis(struct ed_session *session, double x, double y, char maker[128], char id[128],
                     struct oro_error *err)
{
    char folds[128], *wanted = NULL, before[128] = "", output[128] = "";
    if (!find_folds(session, folds) && !add_folds(session, x, y, maker, folds, err))
        return false;
    const struct oro_document *doc = ed_project_shown(session->project);
    const struct oro_doc_input *entry = oro_doc_node_input(oro_document_find(doc, folds), "tensor");
    if (entry && entry->from_node) {
        snprintf(before, sizeof before, "%s", entry->from_node);
        snprintf(output, sizeof output, "%s", entry->from_output);
    }
    session->services->find_place(session, folds, &x, &y);
    bool ok = ed_add_node(session->project, "tensor_field", NULL, x, y, NULL, NULL, id, err) &&
              (wanted = ed_free_id(ed_project_shown(session->project), "axis")) &&
              ed_rename(session->project, id, wanted, err);
    if (ok)
        snprintf(id, 128, "%s", wanted);
    oro_free(wanted);
    return ok && ed_set_input(session, id, "method", "ridge") &&
           (!before[0] || ed_link(session->project, &(struct ed_end){before, output},
                                  &(struct ed_end){id, "tensor"}, err)) &&
           ed_link(session->project, &(struct ed_end){id, "tensor"}, &(struct ed_end){folds, "tensor"}, err);
}

/* The node for a new line, which has none yet. */
static bool add_node(struct ed_session *session, const struct ed_sketch_form *form, char maker[128],
                     char id[128], struct oro_error *err)
{
    double x = 0, y = 0;
    session->services->find_place(session, maker[0] ? maker : NULL, &x, &y);
    if (!form->method)
        return add_axis(session, x, y, maker, id, err);
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
              set_number(session, id, form->width, width * form->share) &&
              (!form->rate || set_number(session, id, form->rate, tool->rate)) &&
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

static bool draw_constraint(struct ed_session *session, const struct ed_pane *pane,
                            const struct oro_stroke *samples, const char *maker)
{
    const struct ed_sketch_form *form = ed_sketch_form(session->views->sketch->kind);
    char *text = maker[0] ? lines_of(session, maker, form->curve) : NULL;
    if (!text)
        return complain(session, maker[0] ? "the constraints of the terrain are linked: draw where they come "
                                            "from"
                                          : "no node here makes a terrain of an uplift: a stream_power does");
    bool first = text[0] == '\0';
    double radius = ed_sketch_width(session) * form->share;
    oro_free(text);
    return (!first || set_number(session, maker, form->width, ed_handle_rounded(radius, rounding(pane)))) &&
           write_lines(session, pane, maker, SIZE_MAX, samples, 1);
}

/* ---- Ends of strokes ---- */

static bool go_on(struct ed_session *session, const struct ed_pane *pane, const struct oro_stroke *samples)
{
    const struct ed_sketch_tool *tool = session->views->sketch;
    struct ed_sketch_line *line = &tool->lines[tool->onto];
    char node[128];
    snprintf(node, sizeof node, "%s", line->node);
    if (!ed_sketch_extend(&line->samples, samples, tool->head))
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
    if (length < 8 * pixel)
        return; /* a click */
    bool extends = tool->onto < tool->count;
    snprintf(name, sizeof name, "%s %s", extends ? "extend" : "draw", form->label);
    name[strlen(extends ? "extend " : "draw ")] |= 0x20;
    if (!oro_stroke_even(&tool->drawn, fmax(2 * pixel, length / 600), &samples)) {
        complain(session, "not enough memory for the line");
        return;
    }
    give_elevations(tool, pane, &samples);
    ed_uplift_maker(session->project, pane->slots[ED_SLOT_MAIN].want.node, maker);
    ed_gesture_begin(session->project, name);
    bool ok = extends      ? go_on(session, pane, &samples)
              : form->type ? draw_node(session, pane, &samples, maker, &err)
                           : draw_constraint(session, pane, &samples, maker);
    finish(session, ok, &err);
    oro_stroke_free(&samples);
}

/* A node that has no line left goes, unless nothing else makes the uplift. A fold axis leaves those before it
 * to the folds. */
static bool remove_empty(struct ed_session *session, const char *node, const struct ed_sketch_form *form)
{
    struct oro_error ignored = {0};
    struct ed_names names = {0};
    char *text = lines_of(session, node, form->curve);
    bool empty = text && ed_sketch_count(text) == 0, ok = text;
    if (empty && form->method)
        ed_uplift_remove(session->project, node, &ignored);
    else if (empty && form->type)
        ok = ed_names_add(&names, node) && ed_delete(session->project, &names, true, &ignored);
    ed_names_free(&names);
    oro_free(text);
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
    finish(session, ok, NULL);
    tool->revision = 0;
}
