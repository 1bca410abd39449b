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
    ED_HANDLE_TURN,   /* of a copy: its direction is the angle, its distance the scale */
    ED_HANDLE_CORNER, /* of a rectangle of four numbers; or its middle */
};
struct ed_handle {
    enum ed_handle_kind kind;
    const struct oro_input *input;
    int vertex; /* which of the network; else -1 */
    int line;   /* that it is in */
    double at[2], anchor[2];
    double along[2]; /* for a ring drawn as a distance from a line: the unit vector across it; else 0 */
    double value;    /* of a ring or arm */
    double factor;   /* the value is the distance times this: 2 for widths; of a copy, its scale is */
    int copy;        /* that it is of: 0 for a node's first one, then those of its places; else -1 */
    bool rises;      /* a vertex whose third number is an elevation, which is its value */
    int partner;     /* handle of the point that must be set together with this one; -1 */
    bool unset;      /* nothing is set yet here, or the value is 0 */
};
enum ed_shape_kind { ED_SHAPE_LINE, ED_SHAPE_ELLIPSE, ED_SHAPE_ARROW };
struct ed_shape {
    enum ed_shape_kind kind;
    double a[2], b[2]; /* of an ellipse: centre, and radii */
    bool faint;
    bool guide;                    /* a straight line between points of a line that is bent */
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
/* Where a handle that is dragged to a place goes with Ctrl: to the point of another handle within a few
 * pixels (a `pixel` is so many metres), else to the grid; directions to 15 degrees, distances to steps of the
 * grid.
 */
void ed_handle_snap(const struct ed_handles *handles, size_t which, double pixel, double to[2]);
/* The grid: 1, 2 or 5 times a power of ten, some 12 to 30 pixels. */
double ed_snap_step(double pixel);
/* Raises a point of a network that has an elevation. */
int ed_handle_raise(const struct ed_handle_source *source, const struct ed_handle *handle, double by,
                    struct ed_handle_edit edits[ED_HANDLE_EDITS]);
/* Turns a copy clockwise, makes it larger, or its mirror image. */
struct ed_copy_change {
    double turn, factor; /* degrees; 1: as large as it is */
    bool mirror;
};
int ed_handle_change_copy(const struct ed_handle_source *source, int index,
                          const struct ed_copy_change *change, struct ed_handle_edit edits[ED_HANDLE_EDITS]);
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
/* Whether the handle has an effect with the other inputs as they are (`when`, `handle_when`). */
bool ed_handle_holds(const struct ed_handle_source *source, const struct oro_input *input);

#endif
