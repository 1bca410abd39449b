/* Lines drawn in a view, as the text of the inputs that hold them: what each kind of line becomes, and lines
 * as samples and back. No window here. Lengths in metres. */
#ifndef ED_VIEW_SKETCH_H
#define ED_VIEW_SKETCH_H

#include "terrain/network/stroke.h"

enum ed_sketch_kind {
    ED_SKETCH_RANGE,
    ED_SKETCH_VALLEY,
    ED_SKETCH_RIVER,
    ED_SKETCH_RIDGE,
    ED_SKETCH_FOLDS,
    ED_SKETCH_PEAK,
    ED_SKETCH_KINDS,
};
/* What a line becomes: a node, or a part of the constraints of the node that makes the terrain. */
struct ed_sketch_form {
    const char *label, *doc;
    const char *name, *type; /* of the new node; NULL: constraints */
    const char *curve;       /* the input that holds the lines */
    const char *width;       /* the input for lines without widths of their own, and what of their width it */
    double share;            /* holds; it is also what the fourth number of a point holds */
    const char *rate;        /* metres a year; NULL: none */
    const char *strength;    /* the profile along the line; NULL: none */
    const char *method;      /* of uplift_combine; NULL: not joined */
    bool bends;              /* its points are those of a curve */
    bool rises;              /* its points have elevations */
    bool single;             /* it is a single point */
};
const struct ed_sketch_form *ed_sketch_form(enum ed_sketch_kind kind);

/* Samples of elevations keep them as strengths. */
double ed_sketch_elevation(double strength);
double ed_sketch_strength_of(double elevation);

size_t ed_sketch_count(const char *text); /* lines in it; 0 also for what is no network */
/* A line as samples, `step` apart. `width`: of points without one. `strength`: the profile's text, or NULL.
 */
struct ed_sketch_reading {
    const struct ed_sketch_form *form;
    double width, step;
    const char *strength;
    bool straight; /* although the form bends */
};
bool ed_sketch_read(const char *text, size_t line, const struct ed_sketch_reading *how,
                    struct oro_stroke *samples);

/* The points for samples; a line that comes back to its start within `closes` becomes a ring. */
bool ed_sketch_fit(const struct ed_sketch_form *form, const struct oro_stroke *samples, double tolerance,
                   double closes, struct oro_stroke *points);
/* The text with a line replaced by others (none: removed); line SIZE_MAX: they are added. Numbers are rounded
 * to about `step`. Points get widths of their own if those differ from `width`. The caller frees; NULL: the
 * text is no network, or memory is out. */
char *ed_sketch_write(const char *text, size_t line, const struct ed_sketch_form *form,
                      const struct oro_stroke *lines, size_t count, double width, double step);
/* The profile along a line; NULL: it is even, or memory is out. The caller frees. */
char *ed_sketch_profile(const struct ed_sketch_form *form, const struct oro_stroke *points);

/* Joins a stroke to the end of a line (`head`: to its beginning, where it was begun). */
bool ed_sketch_extend(struct oro_stroke *line, const struct oro_stroke *stroke, bool head);
/* The runs of samples that are not `gone`, of two or more; at most `most`. They point into the samples. */
size_t ed_sketch_pieces(const struct oro_stroke *samples, const bool *gone, struct oro_stroke *pieces,
                        size_t most);
/* Elevations for a river along samples: the ground's, but never rising; the samples are turned about if the
 * line runs uphill. */
void ed_sketch_run_down(struct oro_stroke *samples, double (*ground)(void *user, double x, double y),
                        void *user);

#endif
