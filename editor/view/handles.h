/*
 * Handles: what of a node's inputs can be taken hold of on the map, and what dragging makes of their values.
 * They come from the node's descriptor by the table of rules in handles_rules.c: points, the points of lines,
 * radii, directions. No window here. Places are in metres, x east and y south.
 */
#ifndef ED_VIEW_HANDLES_H
#define ED_VIEW_HANDLES_H

#include "graph/type/node.h"

/* What handles are made from. */
struct ed_handle_source {
    const struct oro_node_type *type;
    /* A copy of the literal that an input has, or its default; the caller frees. NULL: it is linked or an
     * expression, so that it cannot be dragged. */
    char *(*text)(void *user, const struct oro_input *input);
    void *user;
    double width, height; /* of the world */
    /* The elevation of the ground at a place, for points that are to know it; NaN: it has none. Or NULL. */
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
    double
        along[2];  /* of a ring that is drawn as a distance from a line: the unit vector across it; else 0 */
    double value;  /* of a ring or arm */
    double factor; /* the value is so many times the distance: 2 for widths */
    int partner;   /* handle of the point that this one is only set together with; -1 */
    bool unset;    /* stands where nothing is set yet, or 0 */
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

/* False: memory is out; what there is holds. */
bool ed_handles_make(const struct ed_handle_source *source, struct ed_handles *handles);
void ed_handles_free(struct ed_handles *handles);

/* A value that an input is to get; the text is owned. */
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

/* ---- The table of rules ---- */

enum ed_rule_how {
    ED_RULE_NONE, /* no handle */
    ED_RULE_POINT,
    ED_RULE_OFFSET, /* counted from the anchor */
    ED_RULE_LINE,   /* a point, with a line from the anchor */
    ED_RULE_PAIR,   /* likewise, and both at one place mean that they are not set */
    ED_RULE_BOX,    /* likewise, a box */
    ED_RULE_NETWORK,
    ED_RULE_CLOSED, /* a network whose line closes itself */
    ED_RULE_POINTS, /* a network of single points */
    ED_RULE_KNOWN,  /* likewise, with their elevations */
    ED_RULE_CROP,   /* a rectangle */
    ED_RULE_RING,
    ED_RULE_RING_X, /* half an ellipse's width; its partner is called ..._y */
    ED_RULE_RING_Y,
    ED_RULE_ARM,
};
struct ed_rule {
    const char *type;  /* NULL: any */
    const char *input; /* NULL: any of that kind */
    enum oro_type of;
    enum oro_unit unit; /* of numbers */
    enum ed_rule_how how;
    /* Inputs that say where it is, the first that the node has: a point, the middle of two "from-to", a
     * network. NULL: the middle of the world; "": without an anchor there is no handle. */
    const char *anchors[5];
    double factor;    /* 0: 1 */
    const char *when; /* "input=word" or "input!=word" of a choice, or "a=b" of two points; NULL: always */
};
/* Whether it is of effect, as the other inputs are. */
bool ed_rule_holds(const struct ed_handle_source *source, const struct ed_rule *rule);
/* Whether the input's text is that of a network. */
bool ed_rule_is_network(const struct ed_rule *rule);
/* NULL: the input has no handle. */
const struct ed_rule *ed_rule_of(const struct oro_node_type *type, const struct oro_input *input);

#endif
