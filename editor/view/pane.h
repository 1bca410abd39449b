/*
 * What the parts of the views share: a pane, what it shows, and the tools that work in it. Only for
 * editor/view/. Threads: the window's.
 */
#ifndef ED_VIEW_PANE_H
#define ED_VIEW_PANE_H

#include "editor/ui/describe.h"
#include "editor/view/scene.h"
#include "editor/view/screenshot.h"
#include "editor/view/views.h"

enum ed_tool {
    ED_TOOL_NONE,
    ED_TOOL_MEASURE,
    ED_TOOL_PROFILE,
    ED_TOOL_BRUSH,
    ED_TOOL_SKETCH,
    ED_TOOL_REGION,
    ED_TOOLS
};

/* What a pane shows, by its use. */
enum ed_slot_kind {
    ED_SLOT_MAIN,   /* what the pane is about */
    ED_SLOT_GROUND, /* the terrain below it, where it is none itself */
    ED_SLOT_SECOND, /* right of the wipe */
    ED_SLOT_LAYER,  /* a mask laid over */
    ED_SLOT_COLOUR, /* an image on the ground, in depth */
    ED_SLOT_WATER,  /* levels of water, in depth */
    ED_SLOTS,
};
struct ed_choice {
    char node[128], output[128]; /* "": nothing */
};
struct ed_slot {
    struct ed_choice want;
    enum ed_derive derive;
    struct ed_raster *raster;   /* NULL until it is needed */
    struct ed_picture *picture; /* the newest; may still be that of an earlier want */
    bool whole;                 /* the raster has all of it */
};

struct ed_pane {
    int index;
    struct ui_rect rect; /* of the picture */
    float toolbar, bar;  /* their heights, as they were in the last frame; the bar is the tool's */
    float covered;       /* of the picture's lower part, by a diagram */
    bool begun;          /* it has been shown, or knows what to show */
    bool scene;          /* in depth */
    bool pinned;
    struct ed_choice pin, wipe_choice, layer_choice, colour_choice, water_choice;
    bool wipe;
    float wipe_at;    /* share of the width */
    bool wiping;      /* the divider is dragged */
    bool asking_wipe; /* what to compare with is to be asked for */

    struct ed_map_look map_look;
    enum oro_unit range_unit; /* of the fixed range of colours: it means nothing for other values */
    struct ed_scene_look scene_look;
    bool sea_chosen; /* the user has said whether there is a sea; else the graph does: */
    struct ed_choice sea_of;
    uint64_t sea_revision;
    struct ed_map_camera map_camera;
    struct ed_camera camera;
    bool camera_kept;       /* the cameras are from the last time, and fit the ground to come */
    struct oro_grid framed; /* the grid that the cameras were set for; no cells: none yet */

    struct ed_slot slots[ED_SLOTS];
    uint64_t ground_revision; /* for which the ground was looked up, and for which want */
    struct ed_choice ground_of;
    uint64_t second_revision; /* likewise of what is right of the wipe */
    struct ed_choice second_of;
    bool second_lies; /* it is made from a terrain, and lies on it */
    struct ed_map *map;
    struct ed_scene *in_depth, *in_depth_second;
    struct ed_target target; /* from above; each renderer has its own, as it knows what is in it */
    struct ed_target target_depth, target_second;
    struct oro_error failed;    /* of the drawing itself; text "" : none */
    bool sharp;                 /* the picture is finished */
    bool hovered;               /* the pointer is over the picture, and nothing above it */
    int drag;                   /* button that moves the camera, 1 + it; 0: none */
    double moved_at, rested_at; /* when the camera moved; when the pointer did */
    struct ui_vec pointer;
    bool has_place; /* the ground below the pointer, in metres */
    double place[3];
};

struct ed_handles;
struct ed_measure_tool;
struct ed_handle_tool;
struct ed_paint_tool;
struct ed_sketch_tool;
struct ed_region_tool;
struct ed_shot;

struct ed_views {
    struct ed_pane panes[ED_VIEW_PANES];
    int active; /* the pane that commands are for */
    enum ed_tool tool;
    bool handles; /* are shown */
    bool software;
    bool looks_read;                /* from the settings */
    struct ed_scene_look kept_look; /* that the settings have */
    bool hovered;
    struct ed_want wants[ED_VIEWS_MAX];
    size_t want_count;
    struct ed_measure_tool *measure;
    struct ed_handle_tool *handle_tool;
    struct ed_paint_tool *paint;
    struct ed_sketch_tool *sketch;
    struct ed_region_tool *region;
    struct ed_shot *shot;        /* a screenshot under way; NULL */
    struct ed_picture_wish wish; /* of the next one */
    bool asking_picture;         /* its dialog is to be opened, for that pane */
    int picture_of;
    bool typing_picture; /* a number, in the last frame */
    bool has_ffmpeg;
};

static inline struct ui_vec ed_vec(double x, double y)
{
    return (struct ui_vec){(float)x, (float)y};
}

/* ---- views.c */
bool ed_view_shown(const struct ed_session *session, const struct ed_pane *pane);
/* The first view that is shown, which has the tools' bars; NULL: none is. */
struct ed_pane *ed_view_first(const struct ed_session *session);

/* ---- pane.c */
/* Its renderers are made when it is drawn first, or here. */
bool ed_pane_make(struct ed_pane *pane, struct oro_error *err);
void ed_pane_begin(struct ed_pane *pane, int index);
void ed_pane_free(struct ed_pane *pane);
void ed_pane_forget(struct ed_pane *pane); /* all that belongs to a document */
/* Toolbar, picture and all that lies over it. */
void ed_pane_draw(struct ed_session *session, struct ed_pane *pane, struct ui_rect rect);
void ed_pane_frame(struct ed_pane *pane);
/* The place on the screen of a place on the ground, in metres, and the other way. False: behind the eye,
 * beside the ground, or nothing is shown. */
bool ed_pane_pixel(const struct ed_pane *pane, double x, double y, struct ui_vec *at);
/* The same of a place at an elevation, which counts in depth alone. */
bool ed_pane_pixel_at(const struct ed_pane *pane, const double place[3], struct ui_vec *at);
bool ed_pane_place(const struct ed_pane *pane, struct ui_vec at, double *x, double *y);
/* The terrain that is shown or lies below; else whatever is shown; NULL: nothing. */
const struct ed_picture *ed_pane_ground(const struct ed_pane *pane);
float ed_pane_exaggeration(const struct ed_pane *pane);
float ed_pane_exaggeration_of(const struct ed_pane *pane, const struct ed_picture *ground);
/* The mode of the view from above: the chosen one, or one that suits what is shown. */
struct ed_map_look ed_pane_map_look(const struct ed_pane *pane);
/* The same for what is right of the wipe. */
struct ed_map_look ed_pane_second_look(const struct ed_pane *pane);
/* The fixed range of colours, if it is for the unit that is shown. */
bool ed_pane_has_range(const struct ed_pane *pane, const struct ed_picture *picture);
/* Metres that a pixel is wide: from above everywhere, in depth at the camera's target. */
double ed_pane_metres_per_pixel(const struct ed_pane *pane);

/* ---- slots.c: wants and their pictures. */
void ed_slots_resolve(const struct ed_session *session, struct ed_pane *pane);
/* Takes new pictures and uploads them, for at most so many seconds. */
void ed_slots_update(struct ed_session *session, struct ed_pane *pane, double seconds);
void ed_slots_free(struct ed_pane *pane);
/* The raster of a slot, or NULL where it shows nothing. */
const struct ed_raster *ed_slot_raster(const struct ed_slot *slot);
/* The number that an input of a node of the shown graph has, also by an expression. False: it is linked, its
 * expression fails, or there is no such input. */
bool ed_node_number(const struct ed_session *session, const struct oro_doc_node *node, const char *name,
                    double *value);

/* ---- render.c */
/* Draws into the pane's targets, for at most so many seconds. */
void ed_pane_render(struct ed_session *session, struct ed_pane *pane, double seconds);
/* A part of the same picture, of any size, with renderers of its own: a map, or a scene and, made when it is
 * needed, another for what is right of a wipe. */
struct ed_large {
    int samples; /* of a scene */
    struct ed_map *map;
    struct ed_scene *scene, *second;
    struct ed_target target, target_second;
};
/* True: it is finished. */
bool ed_pane_render_large(struct ed_session *session, struct ed_pane *pane, struct ed_large *large,
                          const struct ed_part *part, double seconds);

/* ---- navigate.c: the mouse moves the cameras. */
void ed_pane_navigate(struct ed_session *session, struct ed_pane *pane, bool area_active, bool taken);

/* ---- toolbar.c, pane_popups.c */
void ed_toolbar_draw(struct ed_session *session, struct ed_pane *pane);
/* Widgets in rows: one that does not fit goes to the next row. */
struct ed_flow {
    float left, right, x, y;
};
/* Puts the cursor where a widget of that width goes. */
void ed_flow_place(struct ed_flow *flow, float width);
/* The bar of a tool, below the toolbar, which takes its height off the picture. */
struct ed_flow ed_bar_begin(const struct ed_pane *pane);
void ed_bar_place(struct ed_flow *flow,
                  float width); /* in the interface's units; also sets the item's width */
void ed_bar_end(struct ed_pane *pane, const struct ed_flow *flow);
void ed_pane_popups(struct ed_session *session, struct ed_pane *pane);
void ed_pane_wipe(struct ed_session *session, struct ed_pane *pane, bool on);
void ed_pane_pin(struct ed_session *session, struct ed_pane *pane, bool on);

/* ---- readout.c, legend.c, wipe.c, lines.c: over the picture. */
/* "812.4 m"; returns `out`. */
const char *ed_quantity(char *out, size_t size, double value, enum oro_unit unit);
void ed_readout_draw(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw);
/* Scale bar above `bottom`, and in depth the compass. */
void ed_scale_draw(const struct ed_pane *pane, struct ui_draw *draw, float bottom);
void ed_legend_draw(struct ed_pane *pane, struct ui_draw *draw);
/* The divider of a wipe, before the picture is drawn. True: it has the mouse. */
bool ed_wipe_drag(struct ed_pane *pane, bool free);
void ed_wipe_draw(struct ed_pane *pane, struct ui_draw *draw, bool hot);
void ed_lines_draw(struct ed_pane *pane, struct ui_draw *draw);
/* A chip of text on a dark ground; returns its width. */
float ed_chip(struct ui_draw *draw, struct ui_vec at, const char *text, uint32_t colour);
/* A line over the ground, draped in depth. */
void ed_ground_line(const struct ed_pane *pane, struct ui_draw *draw, const double a[2], const double b[2],
                    uint32_t colour, float width);
void ed_ground_ellipse(const struct ed_pane *pane, struct ui_draw *draw, const double centre[2], double rx,
                       double ry, double turn, uint32_t colour, float width);

/* ---- measure_tool.c, handle_tool.c, sketch_tool.c, region_tool.c, paint_tool.c. Each draws over a pane and
 * takes the mouse where it wants it: true. `free`: nothing else has it. */
struct ed_measure_tool *ed_measure_create(void);
void ed_measure_destroy(struct ed_measure_tool *tool);
void ed_measure_reset(struct ed_measure_tool *tool);
bool ed_measure_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
/* The diagram of heights; returns how much of the picture's lower part it covers. */
float ed_profile_draw(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw);

/* Whether the pointer is over it. */
bool ed_profile_over(const struct ed_session *session, const struct ed_pane *pane);

struct ed_handle_tool *ed_handle_create(void);
void ed_handle_destroy(struct ed_handle_tool *tool);
void ed_handle_reset(struct ed_handle_tool *tool);
bool ed_handle_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);

/* ---- handle_labels.c: what is said of a handle. */
struct ed_handle;
/* Handles that are drawn as rings: they set a size or a direction, not a place. */
bool ed_handle_is_round(const struct ed_handle *handle);
/* Numbers of a handle: where it is, how far from its neighbour and, while it is dragged, from where it was
 * (`start`; NULL: it rests). Two lines. */
void ed_handle_say(const struct ed_pane *pane, const struct ed_handles *handles, size_t which,
                   const double start[3], char first[160], char second[160]);

/* ---- drop_tool.c: what is dragged out of the palette over the pane. */
bool ed_drop_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw);

struct ed_sketch_tool *ed_sketch_create(void);
void ed_sketch_destroy(struct ed_sketch_tool *tool);
void ed_sketch_reset(struct ed_sketch_tool *tool);
void ed_sketch_tick(struct ed_session *session);        /* once a frame, after the panes */
bool ed_sketch_busy(const struct ed_sketch_tool *tool); /* a stroke is under way */
bool ed_sketch_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
/* The bar of the tool, below the toolbar. */
void ed_sketch_bar(struct ed_session *session, struct ed_pane *pane);

struct ed_region_tool *ed_region_create(void);
void ed_region_destroy(struct ed_region_tool *tool);
void ed_region_reset(struct ed_region_tool *tool);
bool ed_region_busy(const struct ed_region_tool *tool); /* the hand selects or moves */
bool ed_region_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
void ed_region_bar(struct ed_session *session, struct ed_pane *pane);

struct ed_paint_tool *ed_paint_create(struct ed_project *project);
void ed_paint_destroy(struct ed_paint_tool *tool);
void ed_paint_reset(struct ed_paint_tool *tool);
/* Once a frame, after the panes: writes what was painted. */
void ed_paint_tick(struct ed_session *session);
bool ed_paint_busy(const struct ed_paint_tool *tool);
bool ed_paint_painting(const struct ed_paint_tool *tool); /* a stroke is under way */
bool ed_paint_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
/* The bar of the brush, below the toolbar. */
void ed_paint_bar(struct ed_session *session, struct ed_pane *pane);
/* What is being painted, 0..1; NULL: nothing is. */
const struct ed_raster *ed_paint_overlay(struct ed_session *session);
void ed_paint_upload(struct ed_session *session, double seconds);

#endif
