/*
 * What the canvas shows of a graph: nodes with their sockets and places, links, frames. Rebuilt when the
 * graph, or what is unfolded in it, changes; in between, drawing and hit tests read nothing else. Independent
 * of the window: everything is in units of the document.
 *
 * Items are in the order of the document's nodes, so that oro_document_find_index gives an item's index. The
 * model owns all that it points to except node types, which belong to their registry.
 */
#ifndef ED_CANVAS_MODEL_H
#define ED_CANVAS_MODEL_H

#include "editor/canvas/direction.h"
#include "editor/canvas/lens.h"
#include "editor/project/operations.h"
#include "graph/document/document.h"

enum { /* sizes of what nodes are made of */
       ED_NODE_WIDTH = 176,
       ED_NODE_TITLE = 36,
       ED_NODE_ROW = 18,
       ED_MORE_WIDTH = 90, /* of "+ 3 maps", from the left edge */
       ED_NODE_PICTURE = 84,
       ED_NODE_PAD = 6,
       ED_NODE_PILL = 28, /* height of a collapsed node */
       ED_REROUTE_SIDE = 16,
};

#define ED_NO_INDEX ((size_t)-1)

enum ed_item_kind {
    ED_ITEM_NODE,
    ED_ITEM_NOTE,
    ED_ITEM_REROUTE,
    ED_ITEM_BROKEN, /* its type is not known: has the sockets that links name */
};

enum ed_fit { ED_FIT_UNKNOWN, ED_FIT_YES, ED_FIT_NO };

struct ed_socket {
    const char *name;
    const char *text;              /* for people */
    const struct oro_input *input; /* or `output`; NULL of a broken node's */
    const struct oro_output *output;
    enum oro_type type; /* that a link to or from it carries; for a map, a field */
    bool linked, needed;
    bool exposed; /* it is in the graph's interface */
    bool shown;
    enum ed_fit fit; /* for the link that is being drawn */
    float x, y;      /* centre, from the item's upper left corner; of what is not shown, where links end */
};

struct ed_item {
    const char *id, *label;
    const char *text;                 /* of a note */
    const struct oro_node_type *type; /* NULL: unknown */
    enum ed_item_kind kind;
    bool muted, collapsed;
    bool group;   /* a graph of the document: can be entered */
    bool graph;   /* a graph, of the document or a file */
    bool picture; /* has room for one */
    bool unfolded;
    double x, y;
    float w, h;
    float picture_y;
    float more_y; /* of the row that unfolds the rest of the inputs; 0: there is none */
    struct ed_socket *inputs, *outputs;
    size_t input_count, output_count;
    size_t hidden;     /* inputs that only unfolding shows */
    size_t link_count; /* to its inputs and from its outputs */
};

struct ed_wire {
    size_t from, output; /* item and index of its output; ED_NO_INDEX: there is no such node */
    size_t to, input;
    enum oro_type type;
    bool wrong; /* an end is missing */
};

struct ed_model_frame {
    const char *title;
    struct ed_area box;
};

struct ed_model {
    struct oro_arena *arena;
    struct ed_item *items;
    size_t count;
    struct ed_wire *wires;
    size_t wire_count;
    struct ed_model_frame *frames;
    size_t frame_count;
    struct ed_area bounds; /* of items and frames; empty: x1 < x0 */
};

struct ed_model_source {
    const struct oro_document *doc, *root;
    const struct oro_registry *registry;
    const struct ed_names *unfolded; /* nodes that show all inputs; NULL */
};
/* Frees what was there. False: memory is out, the model is empty. */
bool ed_model_build(struct ed_model *model, const struct ed_model_source *source);
void ed_model_free(struct ed_model *model);

/* Places sockets anew. `unfolded`: with all inputs. (layout.c) */
void ed_item_layout(struct ed_item *item, bool unfolded);
struct ed_area ed_item_box(const struct ed_item *item);
void ed_socket_place(const struct ed_item *item, const struct ed_socket *socket, double *x, double *y);
/* Where a socket is, as a share of the item's height from the top; 0.5 if there is no such socket. */
double ed_socket_share(const struct ed_item *item, const char *socket, bool output);

/* ---- What is where (hit.c) ---- */

enum ed_hit_kind {
    ED_HIT_NOTHING,
    ED_HIT_BODY, /* of an item */
    ED_HIT_TITLE,
    ED_HIT_EYE,
    ED_HIT_MORE,
    ED_HIT_INPUT, /* `socket` of an item */
    ED_HIT_OUTPUT,
    ED_HIT_WIRE,
    ED_HIT_FRAME, /* its title */
    ED_HIT_FRAME_CORNER,
};
struct ed_hit {
    enum ed_hit_kind kind;
    size_t index, socket;
};
/* `reach`: how far beside thin things still counts, units. Later items lie over earlier ones. */
struct ed_hit ed_model_hit(const struct ed_model *model, double x, double y, double reach);
/* Where the eye is in a title. */
struct ed_area ed_item_eye(const struct ed_item *item);
/* Whether an item was hit, and not a link or frame. */
bool ed_hit_item(const struct ed_hit *hit);

/* ---- Links as curves (curve.c) ---- */

enum { ED_CURVE_MAX = 33 };
struct ed_curve {
    double x[4], y[4]; /* of a cubic Bézier curve */
};
/* False: an end is missing, and there is only a stub. */
bool ed_wire_curve(const struct ed_model *model, const struct ed_wire *wire, struct ed_curve *curve);
/* From an output to an input, as all links are bent. */
struct ed_curve ed_curve_between(double x0, double y0, double x1, double y1);
struct ed_area ed_curve_box(const struct ed_curve *curve);
void ed_curve_at(const struct ed_curve *curve, double t, double *x, double *y);
double ed_curve_distance(const struct ed_curve *curve, double x, double y);
/* Whether a straight line crosses the curve, and where. */
bool ed_curve_crossed(const struct ed_curve *curve, double ax, double ay, double bx, double by, double *x,
                      double *y);
bool ed_curve_meets(const struct ed_curve *curve, const struct ed_area *box);

/* ---- Questions about links (possible_links.c) ---- */

/* Marks an item and all that lie upstream of it (`before`), or downstream: those to which a link would close
 * a cycle. `marks` has one byte per item. */
void ed_model_reach(const struct ed_model *model, size_t item, bool before, unsigned char *marks);
/* Whether types fit: `from` an output, `to` an input. */
bool ed_sockets_fit(const struct ed_socket *from, const struct ed_socket *to);

/* ---- Ways (walk.c) ---- */

/* The next item in a direction; ED_NO_INDEX: there is none. */
size_t ed_model_walk(const struct ed_model *model, size_t item, enum ed_walk walk);

#endif
