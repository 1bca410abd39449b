/* Drainage. */
#include <math.h>

#include "tests/ref/ref.h"

static int inside(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* -1 is 0 again, -2 is 1. */
static int mirrored(int i, int count)
{
    return inside(i < 0 ? -1 - i : i >= count ? 2 * count - 1 - i : i, count);
}

static bool is_inside(const struct ref_flow *f, int x, int y)
{
    return x >= 0 && x < f->width && y >= 0 && y < f->height;
}

static double base_at(const struct ref_flow *f, int x, int y)
{
    return (double)f->base[f->width * inside(y, f->height) + inside(x, f->width)];
}

static int sign(int i)
{
    return (i > 0) - (i < 0);
}

/* The base level: the ground at the start goes on along the gentler of its last two slopes, at most 0.1
 * steep, and never uphill. */
static double base_level(const struct ref_flow *f, int x, int y)
{
    int edge_x = inside(x, f->width), edge_y = inside(y, f->height);
    int inwards_x = sign(edge_x - x), inwards_y = sign(edge_y - y);
    double edge = base_at(f, edge_x, edge_y), next = base_at(f, edge_x + inwards_x, edge_y + inwards_y);
    double second = base_at(f, edge_x + 2 * inwards_x, edge_y + 2 * inwards_y);
    return edge - fmin(fmax(fmin(next - edge, second - next), 0), 0.1 * f->cell);
}

double ref_height(const struct ref_flow *f, const float *height, int x, int y)
{
    if (!f->walls && !is_inside(f, x, y)) {
        int edge = f->width * inside(y, f->height) + inside(x, f->width);
        return base_level(f, x, y) + (f->rises ? (double)height[edge] - (double)f->base[edge] : 0);
    }
    return (double)height[f->width * mirrored(y, f->height) + mirrored(x, f->width)];
}

/* slope^p of the way from one cell to a neighbour, 0 uphill. */
static double way(const struct ref_flow *f, const float *height, int x, int y, int dx, int dy)
{
    double drop = ref_height(f, height, x, y) - ref_height(f, height, x + dx, y + dy);
    return drop > 0 ? pow(drop / (f->cell * hypot(dx, dy)), f->exponent) : 0;
}

static double out_sum(const struct ref_flow *f, const float *height, int x, int y)
{
    double sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                sum += way(f, height, x, y, dx, dy);
    return sum;
}

/* Behind a wall lies the mirror image: flow that goes there comes back from there. Behind an open border
 * there is nothing. */
static double carried_at(const struct ref_flow *f, const float *carried, int x, int y)
{
    if (!f->walls && !is_inside(f, x, y))
        return 0;
    return (double)carried[f->width * mirrored(y, f->height) + mirrored(x, f->width)];
}

static double came_from(const struct ref_flow *f, const float *height, const float *carried, int x, int y,
                        int dx, int dy)
{
    double w = way(f, height, x + dx, y + dy, -dx, -dy);
    return w > 0 ? carried_at(f, carried, x + dx, y + dy) * w / out_sum(f, height, x + dx, y + dy) : 0;
}

double ref_came(const struct ref_flow *f, const float *height, const float *carried, int x, int y)
{
    double sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                sum += came_from(f, height, carried, x, y, dx, dy);
    return sum;
}

static double share_outside(const struct ref_flow *f, const float *height, int x, int y)
{
    double sum = out_sum(f, height, x, y), outside = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (!is_inside(f, x + dx, y + dy))
                outside += way(f, height, x, y, dx, dy);
    return sum > 0 ? outside / sum : 0;
}

double ref_leaving(const struct ref_flow *f, const float *height, const float *carried)
{
    double sum = 0;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++)
            sum += (double)carried[f->width * y + x] * share_outside(f, height, x, y);
    return sum;
}

void ref_drainage_step(const struct ref_flow *f, const float *height, const float *rain, const float *area,
                       float *area_out)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            int i = f->width * y + x;
            double own = f->cell * f->cell * (double)rain[i];
            area_out[i] = (float)(ref_came(f, height, area, x, y) + own);
        }
}

void ref_drainage_start(const struct ref_flow *f, const float *rain, const float *given, float *area)
{
    for (int i = 0; i < f->width * f->height; i++) {
        float own = (float)(f->cell * f->cell * (double)rain[i]);
        area[i] = given && given[i] > own ? given[i] : own;
    }
}

struct ref_ground ref_ground_at(const struct ref_flow *f, const float *height, int x, int y)
{
    double here = ref_height(f, height, x, y);
    struct ref_ground ground = {.above = INFINITY, .rise = -INFINITY};
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (!dx && !dy)
                continue;
            double there = ref_height(f, height, x + dx, y + dy);
            double slope = (here - there) / (f->cell * hypot(dx, dy));
            if (slope > ground.slope) {
                ground.slope = slope;
                ground.receiver = there;
            }
            ground.rise = fmax(ground.rise, -slope);
            if (there > here)
                ground.above = fmin(ground.above, there);
            ground.mean += there / 8;
        }
    return ground;
}
