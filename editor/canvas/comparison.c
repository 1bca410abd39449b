/* Marks what differs between the two states of the document that are compared: nodes and links that were
 * added or changed have a coloured outline; those that are gone are drawn faintly where they were. */
#include <math.h>
#include <string.h>

#include "editor/canvas/paint.h"
#include "editor/session/comparison.h"

/* NULL: it is no difference to be marked. */
static const enum ui_colour *colour_of(enum oro_difference_kind kind)
{
    static const enum ui_colour colours[] = {[ORO_ADDED] = UI_GOOD,
                                             [ORO_REMOVED] = UI_BAD,
                                             [ORO_CHANGED] = UI_WARNING,
                                             [ORO_RENAMED] = UI_WARNING};
    return kind < ORO_MOVED ? &colours[kind] : NULL;
}

static void mark(const struct ed_paint *paint, struct ui_rect rect, enum ui_colour colour)
{
    float gap = 4 * ui_scale();
    struct ui_rect around = {rect.x - gap, rect.y - gap, rect.w + 2 * gap, rect.h + 2 * gap};
    ui_rect_fill(paint->draw, around, ui_faded(ui_colour(colour), 0.12f), 8 * paint->scale);
    ui_rect_line(paint->draw, around, ui_colour(colour), 8 * paint->scale, 2.5f * ui_scale());
}

static void mark_items(const struct ed_paint *paint, const struct ed_comparison *comparison,
                       const char *group)
{
    const struct ed_model *model = &paint->canvas->model;
    for (size_t i = 0; i < model->count; i++) {
        const struct ed_item *item = &model->items[i];
        struct ed_area box = ed_item_box(item);
        if (!ed_areas_meet(&box, &paint->sees))
            continue;
        const enum ui_colour *colour = colour_of(ed_comparison_of_node(comparison, group, item->id));
        if (colour)
            mark(paint, ed_paint_rect(paint, item->x, item->y, (double)item->w, (double)item->h), *colour);
    }
}

/* The group of that name, or the document itself for ""; NULL: it has none. */
static const struct oro_document *graph_of(const struct oro_document *doc, const char *group)
{
    const struct oro_doc_group *found = doc && group[0] ? oro_document_find_group(doc, group) : NULL;
    return found ? found->body : group[0] ? NULL : doc;
}

/* ---- Links */

/* Where a link would leave or enter a node, which may be gone: at the middle of its side. False: no state has
 * the node. */
static bool end_of(const struct ed_paint *paint, const struct ed_comparison *comparison, const char *node,
                   bool output, double *x, double *y)
{
    const struct oro_document *shown = ed_project_shown(paint->session->project);
    size_t index = oro_document_find_index(shown, node);
    if (index < paint->canvas->model.count) {
        const struct ed_item *item = &paint->canvas->model.items[index];
        *x = item->x + (output ? (double)item->w : 0);
        *y = item->y + (double)item->h / 2;
        return true;
    }
    const char *group = ed_project_shown_group(paint->session->project);
    const struct oro_document *before = graph_of(comparison->before, group);
    const struct oro_doc_node *gone = before ? oro_document_find(before, node) : NULL;
    if (!gone)
        return false;
    *x = gone->x + (output ? ED_NODE_WIDTH : 0);
    *y = gone->y + ED_NODE_TITLE / 2.0;
    return true;
}

static void draw_link(const struct ed_paint *paint, double x0, double y0, double x1, double y1,
                      uint32_t colour)
{
    enum { PIECES = 16 };
    struct ui_vec points[PIECES + 1];
    struct ed_curve curve = ed_curve_between(x0, y0, x1, y1);
    for (int i = 0; i <= PIECES; i++) {
        double x, y;
        ed_curve_at(&curve, (double)i / PIECES, &x, &y);
        points[i] = ed_lens_to(&paint->canvas->camera, x, y);
    }
    ui_polyline(paint->draw, points, PIECES + 1, colour, 3 * ui_scale(), false);
}

/* The node that a text such as "from hills.field" names; false: it is no link. */
static bool linked_from(const char *text, char node[128])
{
    static const char from[] = "from ";
    const char *dot = text && strncmp(text, from, sizeof from - 1) == 0 ? strrchr(text, '.') : NULL;
    size_t length = dot ? (size_t)(dot - text) - (sizeof from - 1) : 0;
    if (length == 0 || length >= 128)
        return false;
    memcpy(node, text + sizeof from - 1, length);
    node[length] = '\0';
    return true;
}

static void draw_link_of(const struct ed_paint *paint, const struct ed_comparison *comparison,
                         const struct oro_difference *difference, const char *text, enum ui_colour colour)
{
    char node[128];
    double x0, y0, x1, y1;
    if (linked_from(text, node) && end_of(paint, comparison, node, true, &x0, &y0) &&
        end_of(paint, comparison, difference->name, false, &x1, &y1))
        draw_link(paint, x0, y0, x1, y1, ui_faded(ui_colour(colour), 0.8f));
}

static void mark_links(const struct ed_paint *paint, const struct ed_comparison *comparison,
                       const char *group)
{
    for (size_t i = 0; i < comparison->differences.count; i++) {
        const struct oro_difference *difference = &comparison->differences.items[i];
        if (difference->of != ORO_OF_NODE || !difference->part[0] || strcmp(difference->group, group) != 0)
            continue;
        draw_link_of(paint, comparison, difference, difference->before, UI_BAD);
        draw_link_of(paint, comparison, difference, difference->after, UI_GOOD);
    }
}

/* ---- What is gone */

static void draw_gone(const struct ed_paint *paint, const struct ed_comparison *comparison,
                      const struct oro_doc_node *node, enum ui_colour colour)
{
    double x, y;
    struct ui_rect rect = ed_paint_rect(paint, node->x, node->y, ED_NODE_WIDTH, ED_NODE_TITLE);
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].from_node && end_of(paint, comparison, node->inputs[i].from_node, true, &x, &y))
            draw_link(paint, x, y, node->x, node->y + ED_NODE_TITLE / 2.0, ui_faded(ui_colour(colour), 0.8f));
    mark(paint, rect, colour);
    if (paint->detail > 0)
        ui_draw_text_in(paint->draw, UI_BOLD, 13 * paint->scale, rect, 0.5f, ui_colour(colour), node->id);
}

/* Nodes of either state that the graph that is shown does not have. */
static void draw_gones(const struct ed_paint *paint, const struct ed_comparison *comparison,
                       const char *group)
{
    const struct oro_document *shown = ed_project_shown(paint->session->project);
    for (size_t i = 0; i < comparison->differences.count; i++) {
        const struct oro_difference *difference = &comparison->differences.items[i];
        bool whole = difference->of == ORO_OF_NODE && !difference->part[0];
        if (!whole || strcmp(difference->group, group) != 0 || oro_document_find(shown, difference->name))
            continue;
        const struct oro_document *has =
            difference->kind == ORO_REMOVED ? comparison->before : comparison->after;
        const struct oro_document *graph = graph_of(has, group);
        const struct oro_doc_node *node = graph ? oro_document_find(graph, difference->name) : NULL;
        if (node)
            draw_gone(paint, comparison, node, difference->kind == ORO_REMOVED ? UI_BAD : UI_GOOD);
    }
}

void ed_paint_comparison(const struct ed_paint *paint)
{
    const struct ed_comparison *comparison = ed_comparison(paint->session);
    const char *group = ed_project_shown_group(paint->session->project);
    bool of_document = ed_project_root(paint->session->project) == ed_project_main(paint->session->project);
    if (!comparison || !of_document) /* else the graph of a file is shown, which is not compared */
        return;
    mark_links(paint, comparison, group);
    draw_gones(paint, comparison, group);
    mark_items(paint, comparison, group);
}
