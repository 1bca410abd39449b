/* Moves, turns, scales and mirrors a raster. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/lib/angle.h"

struct params {
    float move[2], pivot[2];
    float angle, scale, vertical, raise, outside, mask;
    int mirror, about, edge;
};

enum { NO_MIRROR, EAST_WEST, NORTH_SOUTH, BOTH };
static const char *const mirrors[] = {"none", "east_west", "north_south", "both", NULL};
enum { CENTRE, PIVOT };
static const char *const places[] = {"centre", "pivot", NULL};
enum { CLAMP, REPEAT, MIRROR, CONSTANT };
static const char *const edges[] = {"clamp", "repeat", "mirror", "constant", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "Elevation, or any other raster"),
    ORO_IN_POINT(struct params, move, "0 0", .handle = ORO_HANDLE_OFFSET, .unit = ORO_METRE,
                 .doc = "How far: metres east and south"),
    ORO_IN_FLOAT(struct params, angle, 0, .handle = ORO_HANDLE_ROTATION, .handle_at = "pivot", .min = -360,
                 .max = 360, .soft_min = -180, .soft_max = 180, .unit = ORO_DEGREE,
                 .doc = "How far it is turned, clockwise"),
    ORO_IN_FLOAT(struct params, scale, 1, .min = 0.01, .max = 100, .soft_min = 0.25, .soft_max = 4,
                 .doc =
                     "How many times larger on the map. Below 1 cells become averages over what they cover"),
    ORO_IN_CHOICE(struct params, mirror, 0, mirrors,
                  .doc = "none, east_west: east and west change sides. north_south: north and south. both. "
                         "Done first, then scaling, turning and moving"),
    ORO_IN_CHOICE(struct params, about, 0, places,
                  .doc = "What stays in place when turned, scaled and mirrored. centre: the middle of the "
                         "raster. pivot: the place `pivot`"),
    ORO_IN_POINT(struct params, pivot, "5000 5000", .when = "about=pivot", .unit = ORO_METRE,
                 .doc = "Metres east and south of the world's north-west corner"),
    ORO_IN_MAP(struct params, vertical, 1, .min = -100, .max = 100, .soft_min = 0, .soft_max = 4,
               .group = "Height", .doc = "Elevations are multiplied by this"),
    ORO_IN_MAP(struct params, raise, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 1000,
               .unit = ORO_METRE, .group = "Height", .doc = "Added to the elevations, after that"),
    ORO_IN_CHOICE(struct params, edge, 0, edges, .group = "Edge",
                  .doc =
                      "Where there was nothing. clamp: the elevation of the nearest edge. repeat: tiles of "
                      "the raster. mirror: tiles, every other one mirrored, so that they join. constant: "
                      "`outside`"),
    ORO_IN_MAP(struct params, outside, 0, .when = "edge=constant", .min = -1e6, .max = 1e6, .soft_min = -1000,
               .soft_max = 1000, .unit = ORO_METRE, .group = "Edge",
               .doc = "Elevation where there is nothing, of constant"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .like = "terrain",
                  .doc = "The same at its new place, on the same cells"),
    {0},
};

/* Most samples along a side of a cell. Where they are too few for the source's cells that it covers, the
 * source is softened first. */
enum { SAMPLES_MAX = 8 };

/* The way back, in cells between centres: source = p + (linear p + shift). */
struct motion {
    float linear[4], shift[2], samples;
    float reach; /* of the softening: cells on either side */
};

/* Quarter turns are exact. */
static void cosine_and_sine_of(double degrees, double *cosine, double *sine)
{
    static const double cosines[] = {1, 0, -1, 0};
    double quarters = degrees / 90;
    if (quarters != floor(quarters)) {
        *cosine = cos(oro_radians(degrees));
        *sine = sin(oro_radians(degrees));
        return;
    }
    int quarter = (int)quarters & 3;
    *cosine = cosines[quarter];
    *sine = cosines[(quarter + 3) & 3];
}

/* Rounds what is meant to be a whole number of cells, or of half cells. */
static double settled(double cells)
{
    double halves = round(2 * cells);
    return fabs(2 * cells - halves) < 1e-5 ? halves / 2 : cells;
}

static struct motion motion_of(const struct params *p, const struct oro_grid *grid)
{
    double cosine, sine, size[2] = {grid->width, grid->height}, at[2] = {grid->x, grid->y};
    double shrink = 1 / (double)p->scale, centre[2], shift[2];
    double east = p->mirror == EAST_WEST || p->mirror == BOTH ? -shrink : shrink;
    double south = p->mirror == NORTH_SOUTH || p->mirror == BOTH ? -shrink : shrink;
    cosine_and_sine_of((double)p->angle, &cosine, &sine);
    const double back[4] = {east * cosine, east * sine, -south * sine, south * cosine};
    struct motion motion = {.samples = (float)fmin(fmax(ceil(shrink - 1e-6), 1), SAMPLES_MAX)};
    motion.reach = (float)fmax(ceil((shrink / SAMPLES_MAX - 1 - 1e-6) / 2), 0);
    for (int i = 0; i < 2; i++)
        centre[i] = (p->about == CENTRE ? size[i] / 2 : ((double)p->pivot[i] - at[i]) / grid->cell) - 0.5;
    const double move[2] = {(double)p->move[0] / grid->cell, (double)p->move[1] / grid->cell};
    for (int i = 0; i < 2; i++) {
        const double *row = &back[2 * i];
        shift[i] = centre[i] - (row[0] * centre[0] + row[1] * centre[1]);
        shift[i] = settled(shift[i] - (row[0] * move[0] + row[1] * move[1]));
        if (p->edge == REPEAT || p->edge == MIRROR) /* small numbers are exact */
            shift[i] = fmod(shift[i], 2 * size[i]);
        motion.shift[i] = (float)shift[i];
        for (int k = 0; k < 2; k++)
            motion.linear[2 * i + k] = (float)(row[k] - (i == k ? 1 : 0));
    }
    return motion;
}

static bool stays(const struct motion *motion)
{
    for (int i = 0; i < 4; i++)
        if (motion->linear[i] != 0 || motion->shift[i / 2] != 0)
            return false;
    return true;
}

/* How far away the ground of any cell comes from. What is beyond the edges is nearer, but for `repeat`, by
 * which it is anywhere. */
static int reach_of(const struct params *p, const struct motion *motion, const struct oro_grid *grid)
{
    const double beside = 3; /* cells that a smooth surface is made of, and half a cell of samples */
    double farthest = 0;
    if (p->edge == REPEAT)
        return oro_grid_longer(grid);
    for (int corner = 0; corner < 4; corner++) {
        double x = corner & 1 ? grid->width : 0, y = corner & 2 ? grid->height : 0;
        for (int i = 0; i < 2; i++) {
            double away = (double)motion->linear[2 * i] * x + (double)motion->linear[2 * i + 1] * y;
            farthest = fmax(farthest, fabs(away + (double)motion->shift[i]));
        }
    }
    return (int)fmin(ceil(farthest) + beside, oro_grid_longer(grid));
}

/* Averages over a square, one axis after the other. */
static struct oro_buffer *softened(struct oro_eval *e, const struct params *p, struct oro_buffer *ground,
                                   float reach)
{
    for (int axis = 0; axis < 2; axis++) {
        struct oro_buffer *soft = oro_eval_field(e);
        struct oro_dispatch soften = {
            .kernel = "filter/transform_soften.comp",
            .slots = {{"ground", ground}, {"softened", soft, ORO_WRITE}},
            .reach = p->edge == REPEAT ? oro_grid_longer(oro_eval_grid(e)) : (int)reach,
            .constants = {{"reach", reach}, {"east", axis == 0}, {"south", axis == 1}}};
        if (!oro_eval_dispatch(e, &soften))
            return NULL;
        ground = soft;
    }
    return ground;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct motion motion = motion_of(p, oro_eval_grid(e));
    struct oro_buffer *terrain = oro_eval_input(e, "terrain"), *ground = terrain;
    bool level = !oro_eval_linked(e, "vertical") && p->vertical == 1;
    level = level && !oro_eval_linked(e, "raise") && p->raise == 0;
    if (stays(&motion) && level)
        return oro_eval_give(e, "terrain", terrain);
    if (motion.reach > 0)
        ground = softened(e, p, terrain, motion.reach);
    return oro_eval_default(e, &(struct oro_dispatch){.slots = {{"ground", ground}},
                                                      .reach = reach_of(p, &motion, oro_eval_grid(e)),
                                                      .constants = {{"xx", motion.linear[0]},
                                                                    {"xy", motion.linear[1]},
                                                                    {"yx", motion.linear[2]},
                                                                    {"yy", motion.linear[3]},
                                                                    {"x", motion.shift[0]},
                                                                    {"y", motion.shift[1]},
                                                                    {"samples", motion.samples}}});
}

ORO_NODE(
    transform, .version = 1, .category = "filter",
    .words = "rotate, move, scale, translate, flip, mirror, offset, shift, position, turn, repeat, "
             "exaggerate, place",
    .doc =
        "Moves, turns, scales and mirrors a terrain on the map, and in height. A smooth surface through the "
        "cells is looked up where it comes from; what gets smaller is averaged. Ground that stays where it "
        "is "
        "keeps its bits, and so do moves by whole cells, mirroring, and quarter turns of a square about its "
        "centre.",
    .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .kernel = "filter/transform.comp", .eval = eval);
