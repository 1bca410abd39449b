/*
 * Handles: the inputs of a node that can be dragged on the map, and the values that dragging gives them. They
 * come from the inputs' descriptors (enum oro_handle): points, the points of lines, radii, directions. No
 * window here. Places are in metres, x east and y south.
 */
#ifndef ED_VIEW_HANDLES_H
#define ED_VIEW_HANDLES_H

#include "graph/type/node.h"

/* The source of handles: a node's values and the world. */
struct ed_handle_source {
    const struct oro_node_type *type;
    /* A copy of the literal that an input has, or its default; the caller frees. NULL: it is linked or an
     * expression, so that it cannot be dragged. */
    char *(*text)(void *user, const struct oro_input *input);
    void *user;
    double width, height; /* of the world */
    /* The elevation of the ground at a place, for points that store it; NaN: none. May be NULL. */
    double (*elevation)(void *user, const double at[2]);
};

enum ed_handle_kind {
    ED_HANDLE_POINT,  /* an input of type point */
    ED_HANDLE_OFFSET, /* likewise, counted from the anchor */
    ED_HANDLE_VERTEX, /* a point of a network */
    ED_HANDLE_REACH,  /* the radius of a point of a network: its fourth number */
    ED_HANDLE_RING,   /* a distance from the anchor */
    ED_HANDLE_ARM,    /* a direction at the anchor: degrees from north, clockwise */
    ED_HANDLE_CORNER, /* of a rectangle of four numbers; or its middle */
};
struct ed_handle {
    enum ed_handle_kind kind;
    const struct oro_input *input;
    int vertex; /* which of the network; else -1 */
    double at[2], anchor[2];
    double along[2]; /* for a ring drawn as a distance from a line: the unit vector across it; else 0 */
    double value;    /* of a ring or arm */
    double factor;   /* the value is the distance times this: 2 for widths */
    int partner;     /* handle of the point that must be set together with this one; -1 */
    bool unset;      /* nothing is set yet here, or the value is 0 */
};
enum ed_shape_kind { ED_SHAPE_LINE, ED_SHAPE_ELLIPSE, ED_SHAPE_ARROW };
struct ed_shape {
    enum ed_shape_kind kind;
    double a[2], b[2]; /* of an ellipse: centre, and radii */
    bool faint;
    const struct oro_input *input; /* lines of networks: to be clicked; else NULL */
    int before;                    /* the vertex at its end */
};
struct ed_handles {
    struct ed_handle *items;
    size_t count, capacity;
    struct ed_shape *shapes;
    size_t shape_count, shape_capacity;
};

/* False: memory is out; the handles made so far can be used. */
bool ed_handles_make(const struct ed_handle_source *source, struct ed_handles *handles);
void ed_handles_free(struct ed_handles *handles);

/* A new value for an input; owns the text. */
struct ed_handle_edit {
    const struct oro_input *input;
    char *text;
};
enum { ED_HANDLE_EDITS = 4 };
/* Drags a handle to a place; values are rounded to about `step` metres. Returns how many edits it makes. */
int ed_handle_drag(const struct ed_handle_source *source, const struct ed_handles *handles, size_t which,
                   const double to[2], double step, struct ed_handle_edit edits[ED_HANDLE_EDITS]);
/* Adds a point to a network: behind the vertex before `before`; -1: at the end of its last line, or, where
 * the network is one of single points (or `line`), as a line of its own. */
int ed_handle_insert(const struct ed_handle_source *source, const struct oro_input *input, int before,
                     bool line, const double at[2], double step,
                     struct ed_handle_edit edits[ED_HANDLE_EDITS]);
int ed_handle_remove(const struct ed_handle_source *source, const struct ed_handle *handle,
                     struct ed_handle_edit edits[ED_HANDLE_EDITS]);
void ed_handle_edits_free(struct ed_handle_edit edits[ED_HANDLE_EDITS], int count);

/* Rounds to 1, 10, 0.1, ... metres, the next power of ten below the step: no more digits than a hand can
 * mean. */
double ed_handle_rounded(double value, double step);
/* Whether the handle has an effect with the other inputs as they are (handle_when). */
bool ed_handle_holds(const struct ed_handle_source *source, const struct oro_input *input);

#endif
