/* The canvas' camera: which part of the graph is seen, and places of the document to pixels and back. Plain
 * arithmetic. */
#ifndef ED_CANVAS_LENS_H
#define ED_CANVAS_LENS_H

#include "editor/project/area.h"
#include "editor/ui/ui.h"

#define ED_ZOOM_MIN 0.1
#define ED_ZOOM_MAX 3.0

struct ed_lens {
    double x, y; /* of the document, in the middle of `rect` */
    double zoom; /* 1: one unit of the document is one pixel of a usual screen */
    float fine;  /* pixels per such pixel: ui_scale */
    struct ui_rect rect;
};

double ed_lens_scale(const struct ed_lens *camera); /* pixels per unit */
struct ui_vec ed_lens_to(const struct ed_lens *camera, double x, double y);
void ed_lens_from(const struct ed_lens *camera, struct ui_vec at, double *x, double *y);
/* Zooms by a factor, within the limits; what is under `at` stays there. */
void ed_lens_zoom(struct ed_lens *camera, struct ui_vec at, double factor);
void ed_lens_pan(struct ed_lens *camera, float dx, float dy); /* pixels */
/* Shows all of a box with some room around it, at most at a zoom of 1. For an empty box, shows the origin. */
void ed_lens_fit(struct ed_lens *camera, const struct ed_area *box);
struct ed_area ed_lens_sees(const struct ed_lens *camera);

/* Nearest multiple of the canvas' grid. */
enum { ED_GRID = 20 };
double ed_snapped(double value);

#endif
