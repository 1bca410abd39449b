/*
 * Lakes where they are wished for, each with a bed, one water level, a number and an outlet, in ground that
 * drains around them.
 *
 * A wish is a cell. Where a hollow reaches within `radius` of it that covers at least a quarter of a circle
 * of that radius, the nearest such hollow becomes the lake, up to the level at which it spills
 * (oro_flood_levels) plus `level`; less where its area would exceed `area_most`. Elsewhere a bed is dug:
 * the cells that hang together with the wish within `radius` of it, where a metre of height counts as
 * ORO_LAKE_STEEPNESS metres of distance, so that the ground shapes the shore; their level is that of the
 * lowest ground next to them, plus `level`. A wish with an elevation has that level instead. Each piece of
 * `where` (8 neighbours) becomes a lake as it is, likewise; a wish in it tells its level.
 *
 * No lake lies in an outlet, next to the sea, or where `mask` is 0. Lakes that touch or overlap are one, at
 * the lowest of their levels.
 *
 * Then, with l the level of a lake, in steps of terrain/drainage/steps.h where it is about one of them:
 *
 * - The bed: min(z, l - mask depth s(d / shore)), d the distance from the shore and s(t) = t^2 (3 - 2 t) up
 *   to 1. Banks of lakes that are not hollows are cut to rise no steeper than `bank`.
 * - A shore cell is one step above l or more: what is lower is raised, as a dam.
 * - All other ground falls strictly to a lake, the sea or the border, carved as oro_breach carves. What lies
 *   below the lake that its water would run to is filled, one step higher with every cell, or drained around
 *   the lake where that takes less.
 * - From its outlet, at l or below, a way falls strictly to the border, the sea or a lower lake, and meets
 *   this lake at the outlet alone. Where the lowest way leads through a lake that stands no lower, it goes
 *   around all lakes; where that is not possible, the lake is given up.
 */
#ifndef ORO_TERRAIN_HYDROLOGY_LAKES_H
#define ORO_TERRAIN_HYDROLOGY_LAKES_H

#include "terrain/drainage/routing.h"

#define ORO_LAKE_STEEPNESS 8.0

/* A number, or a raster of numbers, which are held to a range. */
struct oro_lake_number {
    float value;
    const float *map; /* NULL: the value everywhere */
    float least, most;
};

struct oro_lake_options {
    double cell;                                     /* metres */
    const float *where;                              /* above 0.5: lake; NULL: nowhere */
    struct oro_lake_number level, radius;            /* metres; read in the cell of the wish, or of a
                                                      * piece's first cell */
    struct oro_lake_number depth, shore, bank, mask; /* metres, metres, degrees, 0..1; in every cell */
    double area_most;                                /* square metres; 0: no limit. Not for `where`. */
};

enum oro_lake_state {
    ORO_LAKE_MADE,
    ORO_LAKE_NO_ROOM,    /* an outlet, next to the sea, or masked */
    ORO_LAKE_NO_WAY_OUT, /* it would have to run through a lake that is no lower */
};
struct oro_lake_wish {
    size_t cell;
    float elevation; /* metres; NaN: natural */
    /* Results: */
    enum oro_lake_state state;
    uint32_t lake; /* number; 0: none */
    bool held;     /* `area_most` keeps it below the level it would have */
    int body;      /* for this folder alone */
};

struct oro_lake {
    size_t first, cells; /* its first cell; how many it has */
    size_t outlet;       /* the first cell of its way out */
    float level, outlet_elevation;
    bool hollow;   /* natural, or enlarged by a dam; not dug, not drawn */
    size_t bodies; /* that came together in it */
};
/* Rasters are as large as the ground. Lakes count from 1 in the order of their first cells. */
struct oro_lakes_made {
    uint32_t count, given_up; /* given_up: pieces of `where` without a way out */
    struct oro_lake *lakes;   /* lake 1 is the first */
    float *terrain;           /* with beds, without water. Without any lake: the ground as it was */
    float *level;             /* of the water; ground elsewhere */
    uint32_t *id;             /* 0: no lake */
};

/* Fails as oro_ground_check, with ORO_E_MEMORY, ORO_E_CANCELLED, or ORO_E_EVALUATE where floats do not go as
 * low or as high as it takes. After a failure `made` is empty. */
bool oro_lakes_make(const struct oro_ground *ground, const struct oro_lake_options *options,
                    struct oro_lake_wish *wishes, size_t wish_count, struct oro_lakes_made *made,
                    struct oro_error *err);
void oro_lakes_made_free(struct oro_lakes_made *made);

#endif
