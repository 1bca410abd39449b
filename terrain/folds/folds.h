/*
 * Ranges that follow the folds of the crust (Schott 2023, section 6.3): discs that fill the world evenly, who
 * is whose neighbour among them, and clusters that grow from neighbour to neighbour along a tensor field.
 *
 * All of it is repeatable: the same arguments give the same bits. Positions in metres, x east and y south.
 * What is returned is made with oro_alloc; functions return false with `err` filled on failure (ORO_E_MEMORY,
 * ORO_E_LIMIT, ORO_E_EVALUATE: an argument that makes no sense) and then own and return nothing.
 */
#ifndef ORO_TERRAIN_FOLDS_FOLDS_H
#define ORO_TERRAIN_FOLDS_FOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct oro_point {
    double x, y;
};

/* Discs in a rectangle, none closer than `distance` to another, and so many that none fits in between: every
 * place is nearer than `distance` to one of them (maximal Poisson-disc sampling, Ebeida 2012). At least one.
 * ORO_E_LIMIT: more than some 350,000 are to be expected. */
struct oro_poisson {
    double x, y, width, height; /* the rectangle */
    double distance;
    uint32_t seed;
};
bool oro_poisson_discs(const struct oro_poisson *poisson, struct oro_point **points, size_t *count,
                       struct oro_error *err);

/* Neighbours: those of point i are neighbour[start[i]] to neighbour[start[i + 1] - 1], in rising order. */
struct oro_neighbours {
    uint32_t *start, *neighbour;
};
/* Neighbours in the Delaunay triangulation. Points in a row have none: there each is a neighbour of the next.
 * Two points at the same place are an error. */
bool oro_delaunay(const struct oro_point *points, size_t count, struct oro_neighbours *neighbours,
                  struct oro_error *err);
void oro_neighbours_free(struct oro_neighbours *neighbours);

/* A tensor [[a, b], [b, -a]] at a place, of any length; its major eigenvector is the direction of the folds.
 * Of length 0: no direction. */
typedef void oro_tensor_at(const void *user, struct oro_point at, double tensor[2]);

struct oro_growth {
    oro_tensor_at *tensor;
    const void *user;
    double angle;      /* radians, 0..pi/2: what edges may differ from the field; where it has no direction,
                        * all accord */
    double longest;    /* edges above that length, as along the border of a triangulation, are not taken */
    uint32_t clusters; /* that grow side by side, 1 or more: when one has ended, the next begins */
    /* 0..1: the share of steps that go on from any disc of a cluster, as in the paper; the others from its
     * last one, which gives longer and straighter ranges. */
    double branching;
    uint32_t seed;
};

struct oro_clusters {
    uint32_t *parent;  /* the disc from which each was reached; itself: its cluster began there */
    uint32_t *cluster; /* number of each disc's cluster */
    size_t count;      /* of clusters */
};
/* Anisotropic Eden growth (6.3, figure 18): every disc ends up in a cluster, and every cluster is a tree. */
bool oro_grow_clusters(const struct oro_point *points, size_t count, const struct oro_neighbours *neighbours,
                       const struct oro_growth *growth, struct oro_clusters *clusters, struct oro_error *err);
void oro_clusters_free(struct oro_clusters *clusters);

#endif
