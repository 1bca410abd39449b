/*
 * The flat view: a raster seen from above, with a mask over it. Threads: the window's, with its context
 * current.
 */
#ifndef ED_RENDER_MAP_H
#define ED_RENDER_MAP_H

#include "editor/render/palette.h"
#include "editor/render/raster.h"
#include "editor/render/target.h"

enum ed_map_mode {
    ED_MAP_AUTO,      /* a terrain shaded, a mask in grey, an image as it is, directions as colours */
    ED_MAP_HEIGHT,    /* colours by value, without shade */
    ED_MAP_HILLSHADE, /* grey */
    ED_MAP_SHADED,    /* both */
    ED_MAP_MASK,      /* grey from 0 to 1; outside of that in colour */
    ED_MAP_SLOPE,     /* degrees, 0 to 60 and more */
    ED_MAP_DRAINAGE,  /* by its logarithm */
    ED_MAP_MODES,
};
const char *ed_map_mode_name(enum ed_map_mode mode); /* "Height", ... */

struct ed_map_look {
    enum ed_map_mode mode;
    enum ed_palette palette;
    bool fixed_range; /* else from the picture's lowest to its highest */
    float low, high;
    float azimuth, altitude; /* of the sun: degrees from north clockwise, above the horizon */
    float exaggeration;      /* of heights in shades; 0: 1 */
    float contours;          /* metres between lines; 0: none */
    bool sharp;              /* cells as squares, else smooth */
    float background[3];
};

/* How values become colours, for legends; the renderers use the same rule. Mode and palette are those that
 * are shown: AUTO is resolved, and values that are no heights do not get the palette of heights. */
struct ed_map_scale {
    enum ed_map_mode mode;
    enum ed_palette palette;
    bool valued;     /* colours stand for values: else an image, directions, a hillshade or a network */
    float low, high; /* values at the ends of the palette; degrees for slopes */
    float zero_at;   /* above 0: the value 0 lies there in the palette, and both sides are stretched */
    bool logarithm;  /* low is above 0 */
};
void ed_map_scale_of(const struct ed_map_look *look, const struct ed_picture *picture,
                     struct ed_map_scale *scale);
/* The place of a value in the palette, 0..1, and the value at a place. */
float ed_map_scale_at(const struct ed_map_scale *scale, float value);
float ed_map_scale_value(const struct ed_map_scale *scale, float at);

/* Whether a picture has numbers from 0 to 1 without a unit: shares of something. */
bool ed_map_is_mask(const struct ed_picture *picture);
/* Gives two pictures that are compared side by side the same colours for the same values, if they are of the
 * same kind. `looks` are theirs. */
void ed_map_share_range(struct ed_map_look looks[2], const struct ed_picture *const pictures[2]);

/* The camera from above: the place in metres at the middle, and metres per pixel. */
struct ed_map_camera {
    double x, y, metres_per_pixel;
};
/* Fits the camera so that all of the picture is seen. */
void ed_map_fit(struct ed_map_camera *camera, const struct oro_grid *grid, int width, int height);
void ed_map_to_world(const struct ed_map_camera *camera, int width, int height, double px, double py,
                     double *x, double *y);
void ed_map_to_pixel(const struct ed_map_camera *camera, int width, int height, double x, double y,
                     double *px, double *py);

/* A mask that is laid over it in a colour. */
struct ed_map_layer {
    const struct ed_raster *raster;
    float colour[4]; /* with the strength of 1 in its alpha */
};

struct ed_map;
struct ed_map *ed_map_create(struct oro_error *err); /* ORO_E_KERNEL: shaders do not compile */
void ed_map_destroy(struct ed_map *map);
/* A second picture, drawn to the right of `at`, 0..1 of the width. */
struct ed_map_wipe {
    const struct ed_raster *raster;
    struct ed_map_look look;
    float at;
};
/* A part of a larger picture, which is drawn instead of the whole: what the tiles of a picture show is, bit
 * by bit, what it would show drawn at once. */
struct ed_part {
    int x, y;          /* of the target's upper left pixel */
    int width, height; /* of the whole; 0: the target is the whole */
};
/* Redraws the whole target if anything changed since the last time. True: it drew. `part` may be NULL. */
bool ed_map_draw(struct ed_map *map, struct ed_target *target, const struct ed_raster *raster,
                 const struct ed_map_look *look, const struct ed_map_camera *camera,
                 const struct ed_map_layer *layers, size_t layer_count, const struct ed_map_wipe *wipe,
                 const struct ed_part *part);

#endif
