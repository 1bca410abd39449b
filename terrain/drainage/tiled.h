/*
 * Exact drainage of a terrain that is larger than memory, by tiles, in one process or in several: what
 * routing.h and drain.h give, where the terrain is its only tile, bit for bit (docs/drainage.md). Rasters are
 * read and written by windows of tiles, through functions of the caller's; what is in memory at once is the
 * windows of the tiles that are worked on, what is kept of others (`budget`), and what lies along their rims.
 *
 * The method (after Barnes 2016 and 2017, who fill and accumulate by tiles; here the drainage itself is
 * exact, so that it carves as well):
 *
 * 1. Each tile finds the receivers of its cells, with a ring of neighbours, and joins the basins that it
 *    knows whole over their lowest saddles. The rest it tells as a graph (tile.h, graph.h).
 * 2. The graphs are joined, four blocks at a time until few are left, then those. On the way back each
 *    block is told which of its ways turn (join.h).
 * 3. Each tile turns them (tile.h).
 * 4. Sums go down and levels go up in the same manner, with one message and one answer for each tile
 *    (flow.h, course.h): areas, carving, filling, certificates.
 *
 * Each step is a function from a tile and a message to a message, so that tiles may as well be in other
 * processes (struct oro_tiled_ranks). A rim cell takes some 10 bytes up and 1 down for the drainage, a few
 * each for what flows.
 */
#ifndef ORO_TERRAIN_DRAINAGE_TILED_H
#define ORO_TERRAIN_DRAINAGE_TILED_H

#include "terrain/drainage/bytes.h"
#include "terrain/drainage/certificate.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/flow.h"

/* Reads a window of a raster, row by row, all cells of which lie in the terrain. Called by several threads at
 * once. The same window always gives the same values. */
struct oro_tiled_source {
    bool (*load)(void *user, const struct oro_tiled_block *window, float *out, struct oro_error *err);
    void *user;
};

/* Writes a tile of a result. Called by several threads at once, for different tiles. */
struct oro_tiled_sink {
    bool (*store)(void *user, const struct oro_tiled_block *tile, const float *values, struct oro_error *err);
    void *user;
};

/* Several processes, each of which works on tiles of its own, with one of them at the root. All of them call
 * the same functions with the same grid; between tiles there is nothing but the messages that go through
 * this. All functions are called by all processes, in the same order; those that fail do so in each. */
struct oro_tiled_ranks {
    bool (*owns)(void *user, int tile); /* whether this process works on it; by several threads at once */
    /* `ok`: what this process has done so far has succeeded. Brings the messages of all tiles to the root,
     * whose list gets those of the others'. Fails where any of them is not ok, with the error of one that is
     * not. NULL: there are none, it is only agreed whether all are ok. */
    bool (*gather)(void *user, bool ok, struct oro_tiled_bytes *messages, struct oro_error *err);
    /* `ok`: the root's. Brings its answers to the processes whose tiles they are for. */
    bool (*scatter)(void *user, bool ok, struct oro_tiled_bytes *answers, struct oro_error *err);
    bool (*any)(void *user, bool mine); /* whether it is true in any process */
    bool is_root;
    void *user;
};

struct oro_tiled_ground {
    struct oro_tiled_grid grid;
    struct oro_tiled_source z;   /* metres, all finite */
    struct oro_tiled_source sea; /* cells above 0.5 are outlets; load NULL: none */
    size_t budget; /* bytes that may be kept of tiles that are not worked on; else they are done again */
    int at_once;   /* tiles that are worked on at once; 0: as many as there are processors */
    int last;      /* blocks that are joined at last; 0: 64 */
    /* Asked between tiles, from one thread at a time: true ends the work with ORO_E_CANCELLED. */
    bool (*stop)(void *user);
    void *user;
    const struct oro_tiled_ranks *ranks; /* NULL: this process does everything */
};

/* The drainage of a terrain: what tiles were told, and of some what they know. Keeps the ground's functions,
 * which have to last as long. */
struct oro_tiled_drainage;

/* Fails as oro_route, or as a source. Returns NULL then. */
struct oro_tiled_drainage *oro_tiled_route(const struct oro_tiled_ground *ground, struct oro_error *err);
void oro_tiled_drainage_free(struct oro_tiled_drainage *drainage);

/* Receivers, as directions (ground.h) in bytes; 8 in outlets. */
struct oro_tiled_direction_sink {
    bool (*store)(void *user, const struct oro_tiled_block *tile, const uint8_t *directions,
                  struct oro_error *err);
    void *user;
};
bool oro_tiled_directions(struct oro_tiled_drainage *drainage, const struct oro_tiled_direction_sink *out,
                          struct oro_error *err);

/* As oro_drainage_area; `rain` may be NULL. */
bool oro_tiled_area(struct oro_tiled_drainage *drainage, double cell, const struct oro_tiled_source *rain,
                    const struct oro_tiled_sink *out, struct oro_error *err);
/* As oro_breach, by ORO_BREACH_SUBTREE; by ORO_BREACH_FLOOD fails with ORO_E_EVALUATE. What was written
 * before a failure stays. With several processes, each counts the gentle cells of its own tiles. */
bool oro_tiled_breach(struct oro_tiled_drainage *drainage, const struct oro_breaching *how,
                      const struct oro_tiled_sink *out, struct oro_error *err);
/* As oro_fill. What was written before a failure stays. */
bool oro_tiled_fill(struct oro_tiled_drainage *drainage, bool sloped, const struct oro_tiled_sink *out,
                    struct oro_error *err);
/* As oro_watersheds and oro_lakes; numbers are stored as floats. `count` gets how many there are. `spills`:
 * in the cells that a lake spills over its number, else 0. In several processes, those without tiles get 0.
 */
bool oro_tiled_watersheds(struct oro_tiled_drainage *drainage, const struct oro_tiled_sink *out,
                          uint32_t *count, struct oro_error *err);
bool oro_tiled_lakes(struct oro_tiled_drainage *drainage, const struct oro_tiled_sink *out,
                     const struct oro_tiled_sink *spills, uint32_t *count, struct oro_error *err);
/* As oro_certify. With several processes, the root's is right. */
bool oro_tiled_certify(const struct oro_tiled_ground *ground, struct oro_certificate *certificate,
                       struct oro_error *err);

/* For tiles that are not worked on here, as by kernels on a device: brings messages (graph.h, flow.h) of this
 * process's tiles to the root, and answers back, which the caller frees by oro_tiled_free_all. `ok`: whether
 * this process has made its messages; `err` then has the reason. Both lists are those of all tiles. */
bool oro_tiled_turns_for(const struct oro_tiled_ground *ground, bool ok, struct oro_tiled_bytes *messages,
                         struct oro_tiled_bytes *answers, struct oro_error *err);
bool oro_tiled_flows_for(const struct oro_tiled_ground *ground, enum oro_tiled_flow flow, bool ok,
                         struct oro_tiled_bytes *messages, struct oro_tiled_bytes *answers,
                         struct oro_error *err);
void oro_tiled_free_all(struct oro_tiled_bytes *bytes, int count);

/* Bytes of the messages of tiles so far, as the root sees them, and the cells of all rims. */
struct oro_tiled_traffic {
    uint64_t rim_cells;
    uint64_t route_up, route_down, flow_up, flow_down;
};
struct oro_tiled_traffic oro_tiled_traffic(const struct oro_tiled_drainage *drainage);

#endif
