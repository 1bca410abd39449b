/* Where a ray meets the ground, on the host: patch by patch, as in the finest level of the shader. */
#include <math.h>

#include "editor/render/scene.h"

/* In cells (the centre of cell i is i) and stretched metres. */
struct ray {
    double from[3], along[3];
    double enter, leave; /* where it is over the ground and between its lowest and highest */
};

static bool clip(struct ray *ray, int axis, double low, double high)
{
    if (fabs(ray->along[axis]) < 1e-12)
        return ray->from[axis] >= low && ray->from[axis] <= high;
    double a = (low - ray->from[axis]) / ray->along[axis], b = (high - ray->from[axis]) / ray->along[axis];
    ray->enter = fmax(ray->enter, fmin(a, b));
    ray->leave = fmin(ray->leave, fmax(a, b));
    return ray->enter <= ray->leave;
}

static double cell_at(const struct ed_picture *ground, int i, int j)
{
    int w = ground->grid.width, h = ground->grid.height;
    i = i < 0 ? 0 : i >= w ? w - 1 : i;
    j = j < 0 ? 0 : j >= h ? h - 1 : j;
    return (double)
        ground->data[(size_t)j * (size_t)w * (size_t)ground->channels + (size_t)i * (size_t)ground->channels];
}

/* How far the ray is above the patch, at t. */
static double above(const struct ray *ray, const double corners[4], int i, int j, double t)
{
    double u = ray->from[0] + t * ray->along[0] - i, v = ray->from[1] + t * ray->along[1] - j;
    double north = corners[0] + (corners[1] - corners[0]) * u,
           south = corners[2] + (corners[3] - corners[2]) * u;
    return ray->from[2] + t * ray->along[2] - (north + (south - north) * v);
}

/* Along a ray, a bilinear patch is a parabola: three values of it tell where it is 0. */
static bool meet(double first, double middle, double last, double *part)
{
    double a = 2 * first - 4 * middle + 2 * last, b = 4 * middle - 3 * first - last, c = first;
    *part = 0;
    if (c <= 0)
        return true;
    double root = b * b - 4 * a * c;
    if (root < 0)
        return false;
    /* The smaller positive root, without cancellation; c > 0. */
    double q = -b + sqrt(root), r = -b - sqrt(root);
    double small = q > 0 ? 2 * c / q : -1, other = r > 0 ? 2 * c / r : -1;
    *part = small >= 0 ? small : other;
    return *part >= 0 && *part <= 1;
}

static bool meet_patch(const struct ray *ray, const struct ed_picture *ground, double stretch, int i, int j,
                       double t0, double t1, double *t)
{
    double corners[4], part;
    for (int k = 0; k < 4; k++) {
        corners[k] = stretch * cell_at(ground, i + (k & 1), j + (k >> 1));
        if (!isfinite(corners[k]))
            return false;
    }
    double first = above(ray, corners, i, j, t0), last = above(ray, corners, i, j, t1);
    if (!meet(first, above(ray, corners, i, j, (t0 + t1) / 2), last, &part))
        return false;
    *t = t0 + part * (t1 - t0);
    return true;
}

/* From patch to patch: Amanatides & Woo 1987. */
static bool march(const struct ray *ray, const struct ed_picture *ground, double stretch, double *hit)
{
    int at[2], step[2];
    double next[2], each[2], t = ray->enter;
    for (int k = 0; k < 2; k++) {
        double place = ray->from[k] + t * ray->along[k];
        at[k] = (int)floor(place);
        step[k] = ray->along[k] > 0 ? 1 : -1;
        bool still = fabs(ray->along[k]) < 1e-12;
        each[k] = still ? INFINITY : 1 / fabs(ray->along[k]);
        next[k] = still ? INFINITY : t + (ray->along[k] > 0 ? at[k] + 1 - place : place - at[k]) * each[k];
    }
    while (t < ray->leave) {
        int k = next[0] < next[1] ? 0 : 1;
        double end = fmin(next[k], ray->leave);
        if (meet_patch(ray, ground, stretch, at[0], at[1], t, end, hit))
            return true;
        t = next[k];
        next[k] += each[k];
        at[k] += step[k];
    }
    return false;
}

bool ed_scene_hit(const struct ed_picture *ground, float exaggeration, const double from[3],
                  const double direction[3], double hit[3])
{
    if (!ground || !ground->data || ground->channels < 1)
        return false;
    const struct oro_grid *grid = &ground->grid;
    double stretch = exaggeration > 0 ? (double)exaggeration : 1, t;
    struct ray ray = {
        .from = {(from[0] - grid->x) / grid->cell - 0.5, (from[1] - grid->y) / grid->cell - 0.5, from[2]},
        .along = {direction[0] / grid->cell, direction[1] / grid->cell, direction[2]},
        .leave = INFINITY};
    double low = (double)ground->low * stretch, high = (double)ground->high * stretch;
    double room = 1e-6 * (fabs(low) + fabs(high)) + 1e-9;
    if (!clip(&ray, 0, -0.5, grid->width - 0.5) || !clip(&ray, 1, -0.5, grid->height - 0.5) ||
        !clip(&ray, 2, low - room, high + room) || !march(&ray, ground, stretch, &t))
        return false;
    for (int k = 0; k < 3; k++)
        hit[k] = from[k] + t * direction[k];
    return true;
}
