/* The lines of a network as they are drawn: along the curves that the node follows, which its descriptor
 * tells (bends), and along their points. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "editor/tools/handles_private.h"
#include "editor/tools/polylines.h"
#include "graph/type/registry.h"

enum { SIDES_MAX = 4096 }; /* pieces that have lines at both sides; more would only be a blur */

/* Whether the lines of the input are bent. */
static bool are_bent(const struct ed_handle_source *source, const struct oro_input *input)
{
    if (!input->bends)
        return false;
    const struct oro_input *by = oro_type_input(source->type, input->bends);
    char *text = by ? source->text(source->user, by) : NULL;
    bool bent = !by || (text && strcmp(text, "true") == 0);
    oro_free(text);
    return bent;
}

static size_t length_of(const struct ed_polylines *lines, size_t first)
{
    size_t length = 1;
    while (ed_polylines_goes_on(lines, first + length - 1))
        length++;
    return length;
}

bool ed_handle_curve(const struct ed_handle_source *source, const struct oro_input *input,
                     const struct ed_polylines *lines, size_t first, struct oro_line_points *curve)
{
    struct oro_line_points vertices = {0};
    size_t count = length_of(lines, first);
    bool outline = oro_input_handle(input) == ORO_HANDLE_OUTLINE, ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        const double *at = lines->items[first + i].numbers;
        ok = oro_line_add(&vertices, (struct oro_line_end){.x = at[0], .y = at[1], .vertex = (double)i});
    }
    bool ring = ok && (outline || (input->bends && input->bends[0] && oro_line_is_ring(&vertices)));
    if (ok && count > 2 && are_bent(source, input)) {
        ok = oro_line_bend(&vertices, ring, curve);
        oro_line_free(&vertices);
        return ok;
    }
    if (ok && outline && count > 2) {
        struct oro_line_end back = vertices.items[0];
        back.vertex = (double)count;
        ok = oro_line_add(&vertices, back);
    }
    oro_line_free(curve);
    *curve = vertices;
    return ok;
}

/* The vertex before which a click on the piece from `a` to `b` puts a new one. A ring's curve begins before
 * its first vertex. */
static int before_of(const struct oro_line_end *a, const struct oro_line_end *b, size_t first, size_t count)
{
    double middle = (a->vertex + b->vertex) / 2;
    return (int)first + (middle < 0 ? (int)count : (int)floor(middle) + 1);
}

static bool add_piece(struct ed_handles *handles, const struct oro_input *input, const double a[2],
                      const double b[2], int before, bool guide)
{
    struct ed_shape *shape = ed_handle_add_shape(handles, ED_SHAPE_LINE, a, b, guide);
    if (!shape)
        return false;
    shape->input = input;
    shape->before = before;
    shape->guide = guide;
    return true;
}

static bool add_line(const struct ed_handle_source *source, struct ed_handles *handles,
                     const struct oro_input *input, const struct ed_polylines *lines, size_t first)
{
    struct oro_line_points curve = {0};
    size_t count = length_of(lines, first), own = count;
    bool ok = ed_handle_curve(source, input, lines, first, &curve);
    bool bent = ok && count > 2 && are_bent(source, input);
    const double *begin = lines->items[first].numbers, *end = lines->items[first + count - 1].numbers;
    own -= count > 1 && begin[0] == end[0] && begin[1] == end[1];
    for (size_t i = 0; i + 1 < curve.count && ok; i++) {
        const struct oro_line_end *p = &curve.items[i], *q = p + 1;
        ok = add_piece(handles, input, (const double[2]){p->x, p->y}, (const double[2]){q->x, q->y},
                       before_of(p, q, first, own), false);
    }
    for (size_t i = first; i + 1 < first + count && bent && ok; i++)
        ok =
            add_piece(handles, input, lines->items[i].numbers, lines->items[i + 1].numbers, (int)i + 1, true);
    oro_line_free(&curve);
    return ok;
}

bool ed_handle_add_lines(const struct ed_handle_source *source, struct ed_handles *handles,
                         const struct oro_input *input, const struct ed_polylines *lines)
{
    bool ok = true;
    for (size_t i = 0; i < lines->count && ok; i += length_of(lines, i))
        ok = length_of(lines, i) < 2 || add_line(source, handles, input, lines, i);
    return ok;
}

/* Lines on both sides of a line. */
bool ed_handle_add_sides(struct ed_handles *handles, const double a[2], const double b[2], double distance)
{
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0))
        return true;
    const double along[2] = {-(b[1] - a[1]) / length, (b[0] - a[0]) / length};
    for (int side = -1; side <= 1; side += 2) {
        double from[2], to[2];
        for (int k = 0; k < 2; k++) {
            from[k] = a[k] + side * distance * along[k];
            to[k] = b[k] + side * distance * along[k];
        }
        if (!ed_handle_add_shape(handles, ED_SHAPE_LINE, from, to, true))
            return false;
    }
    return true;
}

/* Which way is across a curve at one of its points. */
static void across_at(const struct oro_line_points *curve, size_t i, double across[2])
{
    const struct oro_line_end *before = &curve->items[i > 0 ? i - 1 : i],
                              *after = &curve->items[i + 1 < curve->count ? i + 1 : i];
    double dx = after->x - before->x, dy = after->y - before->y, length = hypot(dx, dy);
    across[0] = length > 0 ? -dy / length : 0;
    across[1] = length > 0 ? dx / length : 0;
}

static bool add_curve_sides(struct ed_handles *handles, const struct oro_line_points *curve, double distance)
{
    for (size_t i = 0; i + 1 < curve->count && i < SIDES_MAX; i++)
        for (int side = -1; side <= 1; side += 2) {
            double ends[2][2], across[2];
            for (size_t k = 0; k < 2; k++) {
                across_at(curve, i + k, across);
                ends[k][0] = curve->items[i + k].x + side * distance * across[0];
                ends[k][1] = curve->items[i + k].y + side * distance * across[1];
            }
            if (!ed_handle_add_shape(handles, ED_SHAPE_LINE, ends[0], ends[1], true))
                return false;
        }
    return true;
}

/* Circles around single points, and lines along lines. */
bool ed_handle_add_network_ring(const struct ed_handle_source *source, struct ed_handles *handles,
                                const struct oro_input *input, double distance)
{
    struct ed_polylines lines = {0};
    struct oro_line_points curve = {0};
    const double radii[2] = {distance, distance};
    size_t first = handles->shape_count;
    bool ok = true;
    if (!ed_handle_lines(source, input, &lines))
        return true;
    for (size_t i = 0; i < lines.count && ok && handles->shape_count - first < SIDES_MAX;
         i += length_of(&lines, i)) {
        if (length_of(&lines, i) == 1) {
            ok = ed_handle_add_shape(handles, ED_SHAPE_ELLIPSE, lines.items[i].numbers, radii, true) != NULL;
            continue;
        }
        ok = ed_handle_curve(source, input, &lines, i, &curve);
        ok = ok && add_curve_sides(handles, &curve, distance);
    }
    oro_line_free(&curve);
    ed_polylines_free(&lines);
    return ok;
}
