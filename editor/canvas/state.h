/* What the canvas remembers from frame to frame. Private to editor/canvas/. */
#ifndef ED_CANVAS_STATE_H
#define ED_CANVAS_STATE_H

#include "editor/canvas/model.h"
#include "editor/canvas/thumbnails.h"
#include "editor/session/session.h"

enum ed_drag_kind {
    ED_DRAG_NOTHING,
    ED_DRAG_PRESSED, /* a button is held on something, and has not moved yet */
    ED_DRAG_PAN,
    ED_DRAG_BOX,
    ED_DRAG_NODES,
    ED_DRAG_HANG, /* nodes follow the pointer until a click */
    ED_DRAG_LINK,
    ED_DRAG_CUT,
    ED_DRAG_REROUTE,
    ED_DRAG_CORNER, /* of a frame */
    ED_DRAG_MINIMAP,
};
enum { ED_PATH_MAX = 256 };

struct ed_drag {
    enum ed_drag_kind kind;
    int button;
    struct ed_hit at;      /* what was pressed */
    struct ui_vec pressed; /* pixels, and the same in units: */
    double x, y;
    bool was_chosen; /* the node that was pressed */

    double dx, dy; /* by which items that move were moved in the model */
    size_t onto;   /* link that the moved node would be put on; ED_NO_INDEX */
    size_t main;   /* item that is snapped to the grid; ED_NO_INDEX: none */

    bool from_output;     /* a link is drawn from an output, else from an input */
    size_t item, socket;  /* its fixed end */
    size_t taken;         /* link that was taken off its input; ED_NO_INDEX: none */
    size_t to, to_socket; /* where it would end; ED_NO_INDEX: nowhere */
    size_t unfolded;      /* item that shows all inputs for it; ED_NO_INDEX */

    double path[ED_PATH_MAX][2]; /* of the knife */
    size_t path_count;
};

struct ed_place_camera {
    char place[300];
    double x, y, zoom;
};
enum { ED_CAMERAS_MAX = 32 };

struct ed_text_edit { /* edits a name, title or note in place */
    bool open, began;
    char node[128];
    size_t frame; /* with `node` "" */
    bool note;
    char text[4096];
};

struct ed_graph_search {       /* search in the graph */
    bool open, began, active;  /* `active`: had the keyboard in the last frame */
    char text[128], done[128]; /* that `items` are of */
    uint64_t revision;
    size_t *items, count, capacity, current;
    struct ui_rect rect;
};

struct ed_context { /* what a menu was opened on */
    enum ed_hit_kind kind;
    char node[128], socket[128];
    size_t frame;
    double x, y;
    struct ui_vec at;
};

/* What the view showed before a group was entered, to be shown again when the group is left. */
struct ed_seen {
    char node[sizeof((struct ed_session *)0)->viewed], output[sizeof((struct ed_session *)0)->viewed_output];
};
enum { ED_SEEN_MAX = 16 };

struct ed_canvas {
    struct ed_model model;
    uint64_t revision;
    char place[300]; /* the way to what is shown */
    bool built, fit; /* `fit`: sees all when it is drawn next */
    struct ed_names unfolded;
    struct ed_seen seen[ED_SEEN_MAX]; /* by depth */
    struct ed_lens camera;
    struct ed_place_camera cameras[ED_CAMERAS_MAX];
    size_t camera_count;

    /* One per item of the model. */
    unsigned char *chosen, *moving, *reach;
    size_t flags_capacity;
    unsigned char *frame_moves; /* one per frame */
    unsigned char *lit;         /* one per link: under the knife */
    size_t frame_capacity, wire_capacity;
    size_t frame_chosen; /* ED_NO_INDEX: none */

    struct ed_drag drag;
    struct ed_hit hover;
    double hover_since;
    bool hovered; /* the pointer is over the canvas, and nothing is over it */
    struct ui_rect minimap, crumbs;

    struct ed_text_edit edit;
    struct ed_graph_search found;
    struct ed_context context;
    char locating[512];                        /* the href for which a file is being chosen */
    char dragged_type[128], dragged_href[512]; /* out of the palette; "" nothing */
    struct ed_thumbnails thumbnails;

    const char **visible;
    size_t visible_count, visible_capacity;
};

/* NULL: too deep. */
struct ed_seen *ed_canvas_seen(struct ed_session *session, size_t depth);
/* Shows all of a box, below the breadcrumbs if they are shown. */
void ed_canvas_fit(struct ed_session *session, const struct ed_area *box);
/* The camera is that of the graph that is shown now. */
void ed_canvas_here(struct ed_session *session);
bool ed_canvas_refresh(struct ed_session *session); /* brings the model up to date; false: memory is out */
bool ed_canvas_refresh_flags(struct ed_session *session);
/* How much of nodes is drawn: 0 boxes, 1 titles, 2 all. Decided by size in pixels: on a fine screen small
 * text can be read. */
int ed_canvas_detail(const struct ed_canvas *canvas);
/* What an item is in the document; NULL: it is gone. */
const struct oro_doc_node *ed_canvas_node(const struct ed_session *session, size_t item);
size_t ed_canvas_item(const struct ed_session *session, const char *id); /* ED_NO_INDEX */
/* Lets what is chosen follow the pointer until a click. */
void ed_canvas_hang(struct ed_session *session);
void ed_canvas_idle(struct ed_canvas *canvas); /* ends a drag; what it changed in the model stays */

#endif
