#include <math.h>

#include "editor/render/scene.h"

static const double degree = 3.14159265358979323846 / 180;

struct axes {
    double right[3], up[3], forward[3];
};

/* x east, y south, z up: looking north at azimuth 0, with east on the right. */
static struct axes axes_of(const struct ed_camera *camera)
{
    double a = camera->azimuth * degree, e = camera->elevation * degree;
    return (struct axes){.right = {cos(a), sin(a), 0},
                         .up = {sin(a) * sin(e), -cos(a) * sin(e), cos(e)},
                         .forward = {sin(a) * cos(e), -cos(a) * cos(e), -sin(e)}};
}

/* Half the height of the picture at distance 1. */
static double half_view(const struct ed_camera *camera)
{
    double angle = camera->field_of_view > 0 ? camera->field_of_view : 40;
    return tan(angle / 2 * degree);
}

static void add(double place[3], const double direction[3], double length)
{
    for (int i = 0; i < 3; i++)
        place[i] += direction[i] * length;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void turn(struct ed_camera *camera, double azimuth, double elevation)
{
    camera->azimuth = fmod(camera->azimuth + azimuth, 360);
    camera->elevation = fmin(fmax(camera->elevation + elevation, -89), 89);
}

/* One step towards a 3:2 picture that the box fills, centred and with a margin. */
static void fit(struct ed_camera *camera, const double corner[3], const double sides[3])
{
    enum { WIDTH = 300, HEIGHT = 200 };
    double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9};
    for (int k = 0; k < 8; k++) {
        double place[3], pixel[2];
        for (int i = 0; i < 3; i++)
            place[i] = corner[i] + (k >> i & 1 ? sides[i] : 0);
        if (!ed_camera_pixel(camera, WIDTH, HEIGHT, place, &pixel[0], &pixel[1])) {
            camera->distance *= 2;
            return;
        }
        for (int i = 0; i < 2; i++) {
            least[i] = fmin(least[i], pixel[i]);
            most[i] = fmax(most[i], pixel[i]);
        }
    }
    ed_camera_pan(camera, (WIDTH - least[0] - most[0]) / 2, (HEIGHT - least[1] - most[1]) / 2, HEIGHT);
    camera->distance *= 1.12 * fmax((most[0] - least[0]) / WIDTH, (most[1] - least[1]) / HEIGHT);
}

void ed_camera_frame(struct ed_camera *camera, const struct ed_picture *ground, float exaggeration)
{
    double field_of_view = camera->field_of_view;
    *camera = (struct ed_camera){.distance = 1000, .elevation = 27, .field_of_view = field_of_view};
    if (!ground)
        return;
    const struct oro_grid *grid = &ground->grid;
    double stretch = exaggeration > 0 ? (double)exaggeration : 1;
    double across = grid->width * grid->cell, down = grid->height * grid->cell;
    double low = (double)ground->low * stretch, high = (double)ground->high * stretch;
    camera->target[0] = grid->x + across / 2;
    camera->target[1] = grid->y + down / 2;
    camera->target[2] = (low + high) / 2;
    camera->distance = fmax(sqrt(across * across + down * down + (high - low) * (high - low)), 1e-3);
    for (int i = 0; i < 8; i++)
        fit(camera, (const double[3]){grid->x, grid->y, low}, (const double[3]){across, down, high - low});
}

void ed_camera_orbit(struct ed_camera *camera, double dx, double dy)
{
    turn(camera, dx * 0.3, dy * 0.3);
}

void ed_camera_pan(struct ed_camera *camera, double dx, double dy, int height)
{
    struct axes axes = axes_of(camera);
    double pixel = 2 * camera->distance * half_view(camera) / fmax(height, 1);
    add(camera->target, axes.right, -dx * pixel);
    add(camera->target, axes.up, dy * pixel);
}

void ed_camera_zoom(struct ed_camera *camera, double steps, const double at[3])
{
    double factor = pow(0.87, steps);
    factor = fmax(factor, 1e-3 / fmax(camera->distance, 1e-3));
    camera->distance *= factor;
    for (int i = 0; at && i < 3; i++)
        camera->target[i] = at[i] + (camera->target[i] - at[i]) * factor;
}

void ed_camera_look(struct ed_camera *camera, double dx, double dy)
{
    double eye[3];
    ed_camera_eye(camera, eye);
    turn(camera, dx * 0.15, dy * 0.15);
    struct axes axes = axes_of(camera);
    for (int i = 0; i < 3; i++)
        camera->target[i] = eye[i] + axes.forward[i] * camera->distance;
}

void ed_camera_fly(struct ed_camera *camera, double right, double up, double forward)
{
    struct axes axes = axes_of(camera);
    add(camera->target, axes.right, right);
    add(camera->target, axes.forward, forward);
    camera->target[2] += up;
}

void ed_camera_eye(const struct ed_camera *camera, double eye[3])
{
    struct axes axes = axes_of(camera);
    for (int i = 0; i < 3; i++)
        eye[i] = camera->target[i] - axes.forward[i] * camera->distance;
}

void ed_camera_ray(const struct ed_camera *camera, int width, int height, double px, double py,
                   double from[3], double direction[3])
{
    struct axes axes = axes_of(camera);
    double unit = 2 * half_view(camera) / fmax(height, 1), length = 0;
    double right = (px - width / 2.0) * unit, up = (height / 2.0 - py) * unit;
    ed_camera_eye(camera, from);
    for (int i = 0; i < 3; i++) {
        direction[i] = axes.forward[i] + right * axes.right[i] + up * axes.up[i];
        length += direction[i] * direction[i];
    }
    for (int i = 0; i < 3; i++)
        direction[i] /= sqrt(length);
}

bool ed_camera_pixel(const struct ed_camera *camera, int width, int height, const double place[3], double *px,
                     double *py)
{
    struct axes axes = axes_of(camera);
    double eye[3], to[3];
    ed_camera_eye(camera, eye);
    for (int i = 0; i < 3; i++)
        to[i] = place[i] - eye[i];
    double depth = dot(to, axes.forward), unit = 2 * half_view(camera) / fmax(height, 1);
    if (depth <= 1e-9 * camera->distance)
        return false;
    *px = width / 2.0 + dot(to, axes.right) / depth / unit;
    *py = height / 2.0 - dot(to, axes.up) / depth / unit;
    return true;
}
