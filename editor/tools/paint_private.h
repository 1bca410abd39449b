/* Shared by the files of the brush, paint_*.c. Threads: the window's. */
#ifndef ED_TOOLS_PAINT_PRIVATE_H
#define ED_TOOLS_PAINT_PRIVATE_H

#include "editor/pane/bar.h"
#include "editor/tools/layers.h"
#include "editor/tools/paint_tool.h"

enum ed_layer_use { ED_LAYER_MASK, ED_LAYER_HEIGHTS, ED_LAYER_UPLIFT };
/* The choices for a new layer. */
struct ed_layer_question {
    char name[64];
    enum ed_layer_use use;
    int cells; /* along the longer side */
    double low, high;
    double rate; /* of an uplift: metres a year where it is painted in full */
    bool wanted; /* to be made as soon as the document has a file */
};

struct ed_paint_tool {
    struct ed_layers *layers;
    struct ed_layer *layer; /* the layer of the chosen node; NULL */
    char node[128];         /* the node that it is of */
    uint64_t revision;      /* of the document, when it was looked for */
    uint64_t located;       /* likewise of the world */
    char problem[256];      /* why the node cannot be painted */
    struct ed_brush brush;
    float share; /* the brush's radius, of the world's width */
    struct ed_stroke stroke;
    bool painting;
    int pane;
    struct ed_raster *overlay;
    struct ed_picture *picture;
    uint64_t pictured; /* serial of the layer when the picture was made */
    /* The cells that a stroke has changed since that picture, up to the serial `followed`. */
    struct ed_patch_rect fresh;
    uint64_t followed;
    double pictured_at;
    bool whole; /* the picture is on the graphics card */
    struct ed_layer_question question;
};

double ed_paint_extent(const struct ed_session *session); /* of the world, metres */

/* ---- paint_tool.c */
/* The chosen node's layer, as its file is now. NULL: there is none. */
struct ed_layer *ed_paint_layer_again(struct ed_session *session);
/* Call this when the stroke has changed the layer. */
void ed_paint_stroked(struct ed_paint_tool *tool);

/* ---- paint_stroke.c */
/* Strokes, keys and ring in a pane, if a layer is chosen. True: the brush takes the mouse. */
bool ed_paint_stroke(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
void ed_paint_end_stroke(struct ed_session *session);

/* ---- paint_layer.c */
/* The popup that asks for a new layer. */
void ed_paint_new_layer_popup(struct ed_session *session);
/* Makes the layer that is waiting for the document to get a file. */
void ed_paint_new_layer_tick(struct ed_session *session);

/* ---- paint_uplift.c: the uplift brush. */
/* Whether the chosen layer takes part in the viewed terrain's uplift, or could not. */
bool ed_paint_can_raise(const struct ed_session *session);
/* Puts the chosen layer into the uplift chain, in metres a year, as one step. */
void ed_paint_raise(struct ed_session *session, const struct ed_pane *pane);
/* The same for a node with a layer that is one already, within a gesture. */
bool ed_paint_join_uplift(struct ed_session *session, const char *node, struct oro_error *err);

#endif
