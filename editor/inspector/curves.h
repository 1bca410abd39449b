/*
 * Changing profiles and gradients: points and stops stay in order, and apart from each other. Threads: any.
 */
#ifndef ED_INSPECTOR_CURVES_H
#define ED_INSPECTOR_CURVES_H

#include "base/text.h"
#include "graph/type/node.h"

/* The value at x: linear between points, constant outside. */
float ed_profile_at(const struct oro_profile *profile, float x);
/* Index of the new point, or of the one that is there already; -1: there is no room. */
int ed_profile_add(struct oro_profile *profile, float x, float y);
/* Moves a point, between its neighbours at most. */
void ed_profile_put(struct oro_profile *profile, int index, float x, float y);
/* Moves a point as a hand does: to round numbers. */
void ed_profile_move(struct oro_profile *profile, int index, float x, float y);
/* The last point stays. False: nothing was removed. */
bool ed_profile_remove(struct oro_profile *profile, int index);
enum ed_profile_shape {
    ED_PROFILE_LINEAR,
    ED_PROFILE_EASE,
    ED_PROFILE_EASE_IN,
    ED_PROFILE_EASE_OUT,
    ED_PROFILE_STEPS,
    ED_PROFILE_BELL,
    ED_PROFILE_SHAPES,
};
const char *ed_profile_shape_name(enum ed_profile_shape shape);
/* One of the usual curves, in 0..1. */
void ed_profile_make(struct oro_profile *profile, enum ed_profile_shape shape);
void ed_profile_invert(struct oro_profile *profile); /* top to bottom, within its own range */
void ed_profile_mirror(struct oro_profile *profile); /* left to right */
/* Writes a curve as a literal; the caller frees the text. */
void ed_profile_write(const struct oro_profile *profile, struct oro_text *out);

/* How colours go from stop to stop: the choices of `interpolation` of `colorize`. */
enum ed_gradient_blend { ED_GRADIENT_LINEAR, ED_GRADIENT_SMOOTH, ED_GRADIENT_STEPS };
/* "smooth", "steps"; anything else is linear. */
enum ed_gradient_blend ed_gradient_blend_of(const char *name);
void ed_gradient_at(const struct oro_gradient *gradient, enum ed_gradient_blend blend, float position,
                    float rgba[4]);
/* Adds a stop with the colour that the gradient has there; returns the same as ed_profile_add. */
int ed_gradient_add(struct oro_gradient *gradient, enum ed_gradient_blend blend, float position);
/* These work like ed_profile_put and ed_profile_move. */
void ed_gradient_put(struct oro_gradient *gradient, int index, float position);
void ed_gradient_move(struct oro_gradient *gradient, int index, float position);
bool ed_gradient_remove(struct oro_gradient *gradient, int index);
void ed_gradient_reverse(struct oro_gradient *gradient);
/* All stops at equal distances. */
void ed_gradient_spread(struct oro_gradient *gradient);
void ed_gradient_write(const struct oro_gradient *gradient, struct oro_text *out);

/* Writes a number as short as a float allows: 0.2, not 0.20000000298. */
double ed_decimal(float value);
/* "#rrggbb", or with alpha where that is below 1. */
void ed_colour_write(const float rgba[4], char out[10]);

#endif
