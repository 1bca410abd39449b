/* Brushes on a raster of values: what a stroke does to cells. No window, no files here. */
#ifndef ED_VIEW_BRUSH_H
#define ED_VIEW_BRUSH_H

#include <stdbool.h>
#include <stddef.h>

enum ed_brush_mode {
    ED_BRUSH_PAINT, /* towards the high end */
    ED_BRUSH_ERASE, /* towards the low end */
    ED_BRUSH_SMOOTH,
    ED_BRUSH_RAISE,
    ED_BRUSH_LOWER,
    ED_BRUSH_SET, /* towards `value` */
    ED_BRUSH_MODES,
};
const char *ed_brush_mode_name(enum ed_brush_mode mode);

struct ed_brush {
    enum ed_brush_mode mode;
    double radius;  /* metres */
    float strength; /* 0..1: how far a stroke goes */
    float falloff;  /* 0..1: share of the radius over which it fades out */
    float value;    /* for set; for raise and lower, how much a stroke at full strength changes */
};

/* Cells over the world, row 0 north, the corner at 0 0; values from low to high. */
struct ed_canvas_raster {
    int width, height;
    double cell; /* metres */
    float low, high;
    float *data;
    double cell_y; /* metres from row to row, if a file is stretched to its world; 0: as `cell` */
};
double ed_raster_cell_y(const struct ed_canvas_raster *raster);
struct ed_patch_rect {
    int x, y, width, height; /* cells; width 0: nothing */
};

/* A stroke. However often it goes over a cell, paint, erase and set change it no further than the strength;
 * raise and lower add up, and smooth keeps smoothing. */
struct ed_stroke {
    struct ed_brush brush;
    float *before, *reached; /* all cells */
    double last[2], left;    /* the last place, and the distance left to the next dab */
    double hand[2];          /* where the hand was in the view, of ed_stroke_over */
    bool begun;
    struct ed_patch_rect changed; /* so far */
    struct ed_patch_rect fresh;   /* since its reader last emptied it */
};
/* False: memory is out. */
bool ed_stroke_begin(struct ed_stroke *stroke, const struct ed_brush *brush,
                     const struct ed_canvas_raster *raster);
void ed_stroke_to(struct ed_stroke *stroke, struct ed_canvas_raster *raster, double x, double y);
/* Finds the place in the world that is seen at a place of a view, in pixels. False: none is. */
struct ed_view_of_ground {
    bool (*place)(void *user, double x, double y, double place[2]);
    void *user;
};
/* The hand moves to a place of the view. The stroke goes over the ground seen on the way; where that breaks
 * off, as behind a ridge, the two sides are not joined. */
void ed_stroke_over(struct ed_stroke *stroke, struct ed_canvas_raster *raster,
                    const struct ed_view_of_ground *view, const double hand[2]);
/* The hand leaves the ground: the next place is not joined to the last one. */
void ed_stroke_lift(struct ed_stroke *stroke);
/* Takes back what the stroke did so far. */
void ed_stroke_cancel(struct ed_stroke *stroke, struct ed_canvas_raster *raster);
void ed_stroke_free(struct ed_stroke *stroke);

/* The smallest rectangle that holds both; either may be empty. */
struct ed_patch_rect ed_patch_joined(struct ed_patch_rect a, struct ed_patch_rect b);

/* The mode that the held keys ask for: with Shift, smooth; with Ctrl, the opposite mode if there is one. */
enum ed_brush_mode ed_brush_mode_with(enum ed_brush_mode mode, bool shift, bool ctrl);

/* Copies a part out of the raster, or back into it. The copy is made with oro_alloc; NULL: memory is out. */
float *ed_patch_take(const float *data, int width, struct ed_patch_rect rect);
void ed_patch_put(float *data, int width, struct ed_patch_rect rect, const float *patch);

#endif
