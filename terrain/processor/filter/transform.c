#include "terrain/processor/lib/edges.h"

enum { EDGE_CONSTANT = 3 };

struct transform {
    struct oro_edged ground;
    bool constant; /* there is nothing beyond the edges */
    float xx, xy, yx, yy, x, y;
    int samples; /* along a side of a cell */
    struct oro_map terrain, vertical, raise, outside, mask;
    int out_width;
    float *out;
};

static float linear_at(const struct oro_edged *ground, int x, int y, float t_x, float t_y)
{
    float north = oro_mix(oro_edged_at(ground, x, y), oro_edged_at(ground, x + 1, y), t_x);
    float south = oro_mix(oro_edged_at(ground, x, y + 1), oro_edged_at(ground, x + 1, y + 1), t_x);
    return oro_mix(north, south, t_y);
}

static float held(float whole)
{
    return oro_clamp(whole, -1e8F, 1e8F);
}

/* The ground where cell (x, y), and a part of a cell from there, comes from; false: there is nothing. */
static bool ground_at(const struct transform *k, int x, int y, float part_x, float part_y, float *ground)
{
    float from_x = (float)x + part_x, from_y = (float)y + part_y;
    float away_x = (k->xx * from_x + k->xy * from_y) + k->x + part_x;
    float away_y = (k->yx * from_x + k->yy * from_y) + k->y + part_y;
    float place_x = (float)x + away_x, place_y = (float)y + away_y;
    bool inside = place_x >= -0.5F && place_y >= -0.5F && place_x <= (float)k->ground.width - 0.5F &&
                  place_y <= (float)k->ground.height - 0.5F;
    if (k->constant && !inside)
        return false;
    away_x = held(away_x);
    away_y = held(away_y);
    if (k->samples < 3) {
        *ground = oro_edged_surface(&k->ground, x, y, away_x, away_y);
    } else {
        float whole_x = oro_floor(away_x), whole_y = oro_floor(away_y);
        *ground =
            linear_at(&k->ground, x + (int)whole_x, y + (int)whole_y, away_x - whole_x, away_y - whole_y);
    }
    return true;
}

/* Where cells of the source are smaller, the mean over what the cell covers. */
static float moved_at(const struct transform *k, int x, int y)
{
    float first = 0, sum = 0, count = (float)k->samples, vertical = oro_map_at(&k->vertical, x, y);
    float raise = oro_map_at(&k->raise, x, y), outside = oro_map_at(&k->outside, x, y);
    for (int j = 0; j < k->samples; j++)
        for (int i = 0; i < k->samples; i++) {
            float part_x = ((float)i + 0.5F) / count - 0.5F, part_y = ((float)j + 0.5F) / count - 0.5F;
            float ground, height = outside;
            if (ground_at(k, x, y, part_x, part_y, &ground))
                height = ground * vertical + raise;
            if (i == 0 && j == 0)
                first = height;
            sum += height - first;
        }
    return first + sum / (count * count);
}

static void transform(const void *user, const struct oro_tile *tile)
{
    const struct transform *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            float moved = moved_at(k, x, y), mask = oro_map_at(&k->mask, x, y);
            k->out[(size_t)y * (size_t)k->out_width + (size_t)x] =
                mask == 1 ? moved : oro_mix(oro_map_at(&k->terrain, x, y), moved, mask);
        }
}

ORO_PROCESSOR(filter, transform)
{
    int edge = oro_run_int(run, "edge");
    struct transform k = {
        .ground = {oro_run_buffer(run, "ground"), run->source.width, run->source.height, (enum oro_edge)edge},
        .constant = edge == EDGE_CONSTANT,
        .xx = oro_run_number(run, "xx"),
        .xy = oro_run_number(run, "xy"),
        .yx = oro_run_number(run, "yx"),
        .yy = oro_run_number(run, "yy"),
        .x = oro_run_number(run, "x"),
        .y = oro_run_number(run, "y"),
        .samples = (int)oro_run_number(run, "samples"),
        .terrain = oro_run_map(run, "terrain"),
        .vertical = oro_run_map(run, "vertical"),
        .raise = oro_run_map(run, "raise"),
        .outside = oro_run_map(run, "outside"),
        .mask = oro_run_map(run, "mask"),
        .out_width = run->grid.width,
        .out = oro_run_buffer(run, "terrain_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, transform, &k);
}
