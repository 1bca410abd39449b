/*
 * A picture: a copy on the host of an output, made by the evaluation thread. It never changes, may be read by
 * any thread, and lives until its last holder releases it.
 */
#ifndef ED_LIVE_PICTURE_H
#define ED_LIVE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/type/grid.h"
#include "graph/type/type.h"
#include "terrain/network/network.h"

struct ed_picture {
    enum oro_type type; /* ORO_FIELD, ORO_VECTOR, ORO_IMAGE or ORO_NETWORK; an uplift is shown as a field */
    enum oro_unit unit; /* of the output */
    bool terrain;       /* it is elevation: the output is called terrain, or is in metres */
    struct oro_grid grid;
    int channels;      /* 1, 2 or 4; 0: a network */
    const float *data; /* row-major, row 0 north; NULL: a network */
    const struct oro_network *network;
    float low, high;   /* of the finite values of the first channel */
    uint64_t serial;   /* another number: another picture */
    uint64_t revision; /* of the document */
    bool draft;        /* at a lower resolution than the document's: no prefix of the build */
    bool running;      /* a state of a simulation on the way: `done` of its steps */
    int done;
    int level;   /* the cap it was made with; 0: none */
    bool capped; /* which held something back: the build is finer */
};

/* Takes ownership of `data` (oro_alloc) or `network`, and fills serial, low and high. NULL: memory is out;
 * then the caller keeps both. */
struct ed_picture *ed_picture_create(const struct ed_picture *like, float *data, struct oro_network *network);
/* A picture that shares the cells and the serial of another, with revision, draft, running, done and level of
 * `as`. NULL: memory is out. */
struct ed_picture *ed_picture_again(struct ed_picture *picture, const struct ed_picture *as);
struct ed_picture *ed_picture_retain(struct ed_picture *picture); /* NULL is allowed */
void ed_picture_release(struct ed_picture *picture);              /* NULL is allowed */

/* The value of a channel at a place in metres: of the cell that holds it. False: outside. */
bool ed_picture_at(const struct ed_picture *picture, double x, double y, int channel, float *value);
/* Bilinear between the centres of cells, held at the border. */
float ed_picture_sample(const struct ed_picture *picture, double x, double y, int channel);

#endif
