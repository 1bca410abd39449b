/*
 * The view in depth: a height field seen through a camera, by marching rays through its pyramid of maxima, so
 * that a field of any size is drawn without a mesh.
 *
 * Light does not depend on the camera: a texture over the ground holds how much of the sun each place sees
 * (soft shadows) and how much of the sky (ambient occlusion); it is made anew when the ground or the sun
 * changes.
 *
 * Nothing here takes long: drawing is cut into bands and light into tiles, and each call does at most some
 * `seconds` of work. While the camera moves, the picture is drawn at a lower resolution where that is needed,
 * and without what is expensive; when it rests, it becomes the mean of several pictures with all there is,
 * whose rays are spread over the pixels. That mean is the same however fast the machine is.
 *
 * Threads: the window's, with its context current. No ImGui here.
 */
#ifndef ED_RENDER_SCENE_H
#define ED_RENDER_SCENE_H

#include "editor/render/look.h"

/* Metres; x east, y south, z up. The ground's own heights are stretched by the exaggeration. */
struct ed_camera {
    double target[3];     /* that is looked at, and turned around */
    double distance;      /* from it */
    double azimuth;       /* degrees: 0 looks north, 90 east */
    double elevation;     /* degrees above the horizon, -89..89 */
    double field_of_view; /* degrees, vertical; 0: 40 */
};
/* A camera that sees all of the ground, from the south and above. */
void ed_camera_frame(struct ed_camera *camera, const struct ed_picture *ground, float exaggeration);
/* By pixels of the mouse in a view of that height. Orbit turns around the target; pan moves along the
 * picture; zoom (steps of a wheel) goes towards what is under the pointer (`at` in metres, or NULL for the
 * target); look turns around the eye, fly moves it: right, up, forward in metres. */
void ed_camera_orbit(struct ed_camera *camera, double dx, double dy);
void ed_camera_pan(struct ed_camera *camera, double dx, double dy, int height);
void ed_camera_zoom(struct ed_camera *camera, double steps, const double at[3]);
void ed_camera_look(struct ed_camera *camera, double dx, double dy);
void ed_camera_fly(struct ed_camera *camera, double right, double up, double forward);
void ed_camera_eye(const struct ed_camera *camera, double eye[3]);
/* The ray through a pixel; its direction has length 1. And the pixel at which a place is seen; false if it is
 * behind the camera. */
void ed_camera_ray(const struct ed_camera *camera, int width, int height, double px, double py,
                   double from[3], double direction[3]);
bool ed_camera_pixel(const struct ed_camera *camera, int width, int height, const double place[3], double *px,
                     double *py);

/* All rasters lie over the same ground as `ground`, or are NULL. `water`: levels in metres; NaN, or at most
 * the ground's height, where there is no water. `mask` is shown in `mask_colour`. */
struct ed_scene_rasters {
    const struct ed_raster *ground, *colour, *water, *mask;
    float mask_colour[4];
};

struct ed_scene;
struct ed_scene *ed_scene_create(struct oro_error *err);
/* For pictures that are kept: as many rays for each pixel, and light as fine as the ground, however long it
 * takes. */
void ed_scene_take_time(struct ed_scene *scene, int samples);
void ed_scene_destroy(struct ed_scene *scene);
/* Goes on drawing into `target`; `part` may be NULL. `moving`: the camera or the ground is being changed, so
 * that a fast picture matters more than a sharp one. True: the picture is finished and sharp. */
bool ed_scene_draw(struct ed_scene *scene, struct ed_target *target, const struct ed_scene_rasters *rasters,
                   const struct ed_scene_look *look, const struct ed_camera *camera,
                   const struct ed_part *part, bool moving, double seconds);
/* Where a ray meets the ground, on the host. False: it does not. */
bool ed_scene_hit(const struct ed_picture *ground, float exaggeration, const double from[3],
                  const double direction[3], double hit[3]);

#endif
