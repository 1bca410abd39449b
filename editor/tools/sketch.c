#include "editor/tools/sketch.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/tools/handles.h"
#include "editor/tools/polylines.h"

static const struct ed_sketch_form forms[ED_SKETCH_KINDS] = {
    [ED_SKETCH_RANGE] = {"Range", "A mountain range along the line", "range", "uplift_curve", "curve",
                         "radius", 0.5, "uplift", "uplift_profile", "max", true, false},
    [ED_SKETCH_VALLEY] = {"Valley", "A valley along the line, carved into what rises there", "valley",
                          "uplift_valley", "curve", "width", 1, "rim", NULL, "carve", true, false},
    [ED_SKETCH_RIVER] = {"River", "Elevations that the ground must have: along the line, never rising", NULL,
                         NULL, "constraints", "constraint_radius", 0.5, NULL, NULL, NULL, false, true},
    [ED_SKETCH_RIDGE] = {"Ridge", "An elevation that the ground must reach along the line", NULL, NULL,
                         "constraints", "constraint_radius", 0.5, NULL, NULL, NULL, false, true},
    [ED_SKETCH_FOLDS] = {"Fold axis", "Ranges that follow the line on both sides, as folds do", "axis",
                         "tensor_field", "curve", "decay", 1, NULL, NULL, NULL, false, false},
    [ED_SKETCH_PEAK] = {"Peak", "An elevation that the ground must reach at a place: click there", NULL, NULL,
                        "constraints", "constraint_radius", 0.5, NULL, NULL, NULL, false, true,
                        .single = true},
};

const struct ed_sketch_form *ed_sketch_form(enum ed_sketch_kind kind)
{
    return &forms[kind];
}

static const double highest = 12000;          /* metres above and below 0 that strengths stand for */
static const double elevation_tolerance = 20; /* metres that a line's points may leave out */

double ed_sketch_elevation(double strength)
{
    return (2 * strength - 1) * highest;
}

double ed_sketch_strength_of(double elevation)
{
    return fmin(fmax((elevation / highest + 1) / 2, 0), 1);
}

/* ---- Reading ---- */

size_t ed_sketch_count(const char *text)
{
    struct ed_polylines lines;
    size_t count = 0;
    if (!ed_polylines_parse(text, &lines))
        return 0;
    for (size_t i = 0; i < lines.count; i++)
        count += !ed_polylines_goes_on(&lines, i);
    ed_polylines_free(&lines);
    return count;
}

/* The points of a line: from `*first` up to, and without, the returned one. */
static size_t find_line(const struct ed_polylines *lines, size_t line, size_t *first)
{
    size_t end = 0;
    do {
        *first = end;
        while (end < lines->count && ed_polylines_goes_on(lines, end))
            end++;
        end += end < lines->count;
    } while (line-- > 0 && end < lines->count);
    return end;
}

/* Linear between the points of a profile, constant beyond them. */
static double profile_at(const struct ed_polylines *profile, double x)
{
    size_t i = 0;
    if (profile->count == 0)
        return 1;
    while (i < profile->count && profile->items[i].numbers[0] < x)
        i++;
    if (i == 0 || i == profile->count)
        return profile->items[i ? i - 1 : 0].numbers[1];
    const double *a = profile->items[i - 1].numbers, *b = profile->items[i].numbers;
    return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
}

static void follow_profile(struct oro_stroke *samples, const char *text)
{
    struct ed_polylines profile;
    double length = oro_stroke_length(samples), passed = 0;
    if (!text || !(length > 0) || !ed_polylines_parse(text, &profile))
        return;
    for (size_t i = 0; i < samples->count; i++) {
        struct oro_stroke_point *p = &samples->items[i];
        passed += i ? hypot(p->x - p[-1].x, p->y - p[-1].y) : 0;
        p->strength = fmin(fmax(profile_at(&profile, passed / length), 0), 1);
    }
    ed_polylines_free(&profile);
}

bool ed_sketch_read(const char *text, size_t line, const struct ed_sketch_reading *how,
                    struct oro_stroke *samples)
{
    struct ed_polylines lines;
    struct oro_stroke points = {0};
    size_t first = 0;
    samples->count = 0;
    if (!ed_polylines_parse(text, &lines))
        return false;
    size_t end = find_line(&lines, line, &first);
    bool ok = true;
    for (size_t i = first; ok && i < end; i++) {
        const struct ed_vertex *v = &lines.items[i];
        double width = v->count > 3 && v->numbers[3] > 0 ? v->numbers[3] : 0;
        if (how->form->rises)
            width /= how->form->share;
        double strength = how->form->rises && v->count > 2 ? ed_sketch_strength_of(v->numbers[2]) : 1;
        ok = oro_stroke_add(&points, (struct oro_stroke_point){v->numbers[0], v->numbers[1],
                                                               width > 0 ? width : how->width, strength});
    }
    ok = ok && oro_stroke_along(&points, how->form->bends && !how->straight, how->step, samples);
    if (ok)
        follow_profile(samples, how->strength);
    oro_stroke_free(&points);
    ed_polylines_free(&lines);
    return ok;
}

/* ---- Writing ---- */

bool ed_sketch_fit(const struct ed_sketch_form *form, const struct oro_stroke *samples, double tolerance,
                   double closes, struct oro_stroke *points)
{
    struct oro_stroke closed = {0};
    const struct oro_stroke_point *p = samples->items;
    size_t count = samples->count;
    bool ring = form->bends && count > 8 && oro_stroke_length(samples) > 6 * closes &&
                hypot(p[count - 1].x - p[0].x, p[count - 1].y - p[0].y) < closes;
    if (!form->bends)
        return oro_stroke_corners(samples, tolerance,
                                  form->rises ? tolerance * 2 * highest / elevation_tolerance : 0, points);
    if (!ring)
        return oro_stroke_fit(samples, tolerance, false, points);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = oro_stroke_add(&closed, p[i]);
    ok = ok && oro_stroke_add(&closed, p[0]) && oro_stroke_fit(&closed, tolerance, true, points);
    oro_stroke_free(&closed);
    return ok;
}

static bool widths_differ(const struct oro_stroke *line, double width)
{
    for (size_t i = 0; i < line->count; i++)
        if (fabs(line->items[i].width - width) > 0.02 * width)
            return true;
    return false;
}

static struct ed_vertex vertex_of(const struct oro_stroke_point *p, const struct ed_sketch_form *form,
                                  bool own_width, double step)
{
    double elevation = form->rises ? ed_handle_rounded(ed_sketch_elevation(p->strength), 1) : 0;
    double width = form->rises ? p->width * form->share : p->width;
    return (struct ed_vertex){.numbers = {ed_handle_rounded(p->x, step), ed_handle_rounded(p->y, step),
                                          elevation, fmax(ed_handle_rounded(width, step), 0.01)},
                              .count = own_width     ? 4
                                       : form->rises ? 3
                                                     : 2};
}

static bool put_vertex(struct ed_polylines *to, struct ed_vertex vertex, int line)
{
    if (!oro_reserve((void **)&to->items, &to->capacity, to->count + 1, sizeof *to->items))
        return false;
    vertex.line = line;
    to->items[to->count++] = vertex;
    return true;
}

/* Adds lines, the next of which has number `*number`. */
static bool put_lines(struct ed_polylines *to, const struct ed_sketch_form *form,
                      const struct oro_stroke *lines, size_t count, double width, double step, int *number)
{
    bool ok = true, fourth = form->type == NULL || strcmp(form->type, "tensor_field") != 0;
    for (size_t i = 0; ok && i < count; i++) {
        bool own = fourth && widths_differ(&lines[i], width);
        for (size_t k = 0; ok && k < lines[i].count; k++)
            ok = put_vertex(to, vertex_of(&lines[i].items[k], form, own, step), *number);
        *number += lines[i].count > 0;
    }
    return ok;
}

char *ed_sketch_write(const char *text, size_t line, const struct ed_sketch_form *form,
                      const struct oro_stroke *lines, size_t count, double width, double step)
{
    struct ed_polylines old, new = {0};
    int number = 0;
    bool ok = true;
    if (!ed_polylines_parse(text, &old))
        return NULL;
    size_t place = 0;
    for (size_t i = 0; ok && i < old.count; i++) {
        bool last = !ed_polylines_goes_on(&old, i);
        if (place != line)
            ok = put_vertex(&new, old.items[i], number);
        if (last && place == line)
            ok = put_lines(&new, form, lines, count, width, step, &number);
        number += last && place != line;
        place += last;
    }
    if (ok && line == SIZE_MAX)
        ok = put_lines(&new, form, lines, count, width, step, &number);
    char *out = ok ? ed_polylines_format(&new) : NULL;
    ed_polylines_free(&old);
    ed_polylines_free(&new);
    return out;
}

char *ed_sketch_profile(const struct ed_sketch_form *form, const struct oro_stroke *points)
{
    struct oro_stroke samples = {0}, drawn = {0}, corners = {0};
    struct oro_text text = {0};
    char number[ORO_NUMBER_SIZE];
    double length = 0, least = 1, passed = 0;
    bool ok =
        form->strength && oro_stroke_along(points, form->bends, oro_stroke_length(points) / 100, &samples);
    if (ok)
        length = oro_stroke_length(&samples);
    for (size_t i = 0; ok && i < samples.count && length > 0; i++) {
        const struct oro_stroke_point *p = &samples.items[i];
        passed += i ? hypot(p->x - p[-1].x, p->y - p[-1].y) : 0;
        least = fmin(least, p->strength);
        ok = oro_stroke_add(&drawn, (struct oro_stroke_point){passed / length, p->strength, 0, 0});
    }
    ok = ok && least < 0.98 && oro_stroke_corners(&drawn, 0.03, 0, &corners);
    for (size_t i = 0; ok && i < corners.count; i++) {
        oro_text_add(&text, i ? ", " : "");
        oro_text_add(&text, oro_format_number(ed_handle_rounded(corners.items[i].x, 0.01), number));
        oro_text_add(&text, " ");
        oro_text_add(&text, oro_format_number(ed_handle_rounded(corners.items[i].y, 0.01), number));
    }
    char *out = ok && !text.failed && text.data ? oro_copy_text(text.data) : NULL;
    oro_text_free(&text);
    oro_stroke_free(&samples);
    oro_stroke_free(&drawn);
    oro_stroke_free(&corners);
    return out;
}

/* ---- Changing ---- */

static void turn_about(struct oro_stroke *line)
{
    for (size_t i = 0; i < line->count / 2; i++) {
        struct oro_stroke_point p = line->items[i];
        line->items[i] = line->items[line->count - 1 - i];
        line->items[line->count - 1 - i] = p;
    }
}

bool ed_sketch_extend(struct oro_stroke *line, const struct oro_stroke *stroke, bool head)
{
    bool ok = true;
    if (head)
        turn_about(line);
    for (size_t i = 0; ok && i < stroke->count; i++)
        ok = oro_stroke_add(line, stroke->items[i]);
    if (head)
        turn_about(line);
    return ok;
}

size_t ed_sketch_pieces(const struct oro_stroke *samples, const bool *gone, struct oro_stroke *pieces,
                        size_t most)
{
    size_t count = 0, begin = 0;
    for (size_t i = 0; i <= samples->count && count < most; i++) {
        if (i < samples->count && !gone[i])
            continue;
        if (i >= begin + 2)
            pieces[count++] = (struct oro_stroke){samples->items + begin, i - begin, 0};
        begin = i + 1;
    }
    return count;
}

void ed_sketch_run_down(struct oro_stroke *samples, double (*ground)(void *user, double x, double y),
                        void *user)
{
    double first = NAN, last = NAN, lowest = INFINITY;
    for (size_t i = 0; i < samples->count; i++) {
        double z = ground(user, samples->items[i].x, samples->items[i].y);
        first = isfinite(first) ? first : z;
        last = isfinite(z) ? z : last;
    }
    if (first < last)
        turn_about(samples);
    for (size_t i = 0; i < samples->count; i++) {
        struct oro_stroke_point *p = &samples->items[i];
        double z = ground(user, p->x, p->y);
        lowest = isfinite(z) && z < lowest ? z : lowest;
        p->strength = ed_sketch_strength_of(isfinite(lowest) ? lowest : isfinite(first) ? first : 0);
    }
}
