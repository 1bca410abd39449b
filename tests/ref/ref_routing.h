/*
 * Exact drainage in plain C, one cell after the other, with the simplest algorithm for each result: an oracle
 * for hydrology/ and for the kernels. It shares no code with either. The rules are those of
 * terrain/hydrology/routing.h, drain.h and steps.h; results agree with them bit for bit.
 *
 * The caller brings all arrays, of width * height items. Speed does not matter here: up to a million cells
 * are fine.
 */
#ifndef ORO_TESTS_REF_REF_ROUTING_H
#define ORO_TESTS_REF_REF_ROUTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ref_routing {
    int width, height;
    const float *z;     /* finite */
    const float *sea;   /* above 0.5: an outlet; NULL: none */
    bool walls;         /* the border is no outlet */
    uint32_t *receiver; /* filled by ref_route and ref_steepest */
};

bool ref_outlet(const struct ref_routing *routing, size_t cell);

/* Rule 1 alone, into `receiver`; a pit is its own receiver. Returns how many pits there are. */
size_t ref_steepest(const struct ref_routing *routing);
/* All rules, into `receiver`: steepest receivers, then Kruskal over all saddles in order. Returns how many
 * pits there were. At least one cell must be an outlet. */
size_t ref_route(const struct ref_routing *routing);

/* ---- By priority flood alone; receivers are not used ---- */

void ref_flood_levels(const struct ref_routing *routing, float *level);

/* ---- Along the receivers ---- */

/* All cells, each after its receiver. False: the receivers go round in circles. */
bool ref_order(const struct ref_routing *routing, uint32_t *order);
void ref_cells(const struct ref_routing *routing, uint32_t *cells);
/* In units of 2^-20: rain is held to 0..1000 and rounded to whole units. */
void ref_rain(const struct ref_routing *routing, const float *rain, uint64_t *sum);
/* `rain` may be NULL. */
void ref_area(const struct ref_routing *routing, double cell, const float *rain, float *area);
uint32_t ref_watersheds(const struct ref_routing *routing, uint32_t *watershed);
uint32_t ref_lakes(const struct ref_routing *routing, const float *level, uint32_t *lake);
/* ORO_BREACH_SUBTREE, with the least fall of channels. False: the lowest float is not low enough; `out` is
 * then undefined. */
bool ref_breach(const struct ref_routing *routing, float fall, float *out);
/* False: the highest float is not high enough; `out` is then undefined. */
bool ref_fill(const struct ref_routing *routing, bool sloped, float *out);

/* ---- Steps of height ---- */

int64_t ref_step_of(float z); /* the highest step that is not above z */
float ref_step_height(int64_t step);

/* ---- Checks of a terrain ---- */

/* Cells other than outlets with no strictly lower neighbour: pits, and flats. 0: the terrain drains. */
size_t ref_undrained(const struct ref_routing *routing, const float *z);

#endif
