/*
 * A pane in which an output is looked at: what it shows, how, and from where; and the places on the screen of
 * what lies on the ground. Threads: the window's.
 */
#ifndef ED_PANE_PANE_H
#define ED_PANE_PANE_H

#include "editor/render/scene.h"
#include "editor/session/session.h"
#include "editor/ui/describe.h"

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

struct ed_measure_tool;
struct ed_handle_tool;
struct ed_paint_tool;
struct ed_sketch_tool;
struct ed_region_tool;
struct ed_shot;

/* What is asked of a picture for a file (editor/view/screenshot.h). */
struct ed_picture_wish {
    int preset;
    int width, height; /* where the preset has none */
    bool plain;        /* without legend, scale and compass */
    bool film;         /* once around the target, into a folder; in depth alone */
    int frames;
    bool video; /* of the film, by ffmpeg */
};
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

bool ed_view_shown(const struct ed_session *session, const struct ed_pane *pane);
/* The first view that is shown, which has the tools' bars; NULL: none is. */
struct ed_pane *ed_view_first(const struct ed_session *session);

/* Its renderers are made when it is drawn first, or here. */
bool ed_pane_make(struct ed_pane *pane, struct oro_error *err);
void ed_pane_begin(struct ed_pane *pane, int index);
void ed_pane_free(struct ed_pane *pane);
void ed_pane_forget(struct ed_pane *pane); /* all that belongs to a document */
void ed_pane_frame(struct ed_pane *pane);  /* sees all of the ground */
/* When the ground is another one than before, shows all of it. */
void ed_pane_follow_ground(struct ed_pane *pane);
/* The sea is shown where what is seen is made with one, until the user says otherwise. */
void ed_pane_follow_sea(struct ed_session *session, struct ed_pane *pane);
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

#endif
