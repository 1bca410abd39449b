#ifndef ORO_TERRAIN_DRAINAGE_TILED_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_TILED_PRIVATE_H

#include <stdatomic.h>

#include "terrain/drainage/course.h"
#include "terrain/drainage/tiled.h"

/* Of a tile that is not worked on: what there was room for. */
struct oro_tiled_kept {
    struct oro_tiled_tile tile; /* without directions: nothing */
    struct oro_routing routing; /* of its window; or empty */
};

struct oro_tiled_drainage {
    struct oro_tiled_ground ground;
    int tiles;
    struct oro_tiled_kept *kept;
    struct oro_tiled_bytes *answers; /* the turns of each tile */
    bool water;                      /* graphs have what certificates need */
    /* Of every tile of this process whose flats go on beyond it, its ring (tile.h); else NULL. */
    struct oro_flat_values **ring;
    struct oro_tiled_ending ending;
    size_t routing_budget; /* what the tiles themselves leave of the budget */
    atomic_size_t kept_bytes, routing_bytes;
    struct oro_tiled_traffic traffic;
};

/* oro_tiled_route; `water`: with what certificates need. */
struct oro_tiled_drainage *oro_tiled_route_for(const struct oro_tiled_ground *ground, bool water,
                                               struct oro_error *err);

/* Whether all processes are ok; else each fails. */
bool oro_tiled_agree(const struct oro_tiled_ground *ground, bool ok, struct oro_error *err);

/* ---- Every tile ---- */

/* Of this process. */
typedef bool oro_tiled_work(struct oro_tiled_drainage *drainage, int tile, void *user, struct oro_error *err);
/* Calls work for every tile, some at once. Fails as the first tile, by number, that fails. */
bool oro_tiled_for_tiles(struct oro_tiled_drainage *drainage, oro_tiled_work *work, void *user,
                         struct oro_error *err);

/* A tile that has been turned, and is worked on. */
struct oro_tiled_hold {
    struct oro_tiled_tile tile;
    struct oro_tiled_course course;
    float *z; /* of the window; NULL where it is not wanted */
};
bool oro_tiled_take_tile(struct oro_tiled_drainage *drainage, int which, bool heights,
                         struct oro_tiled_hold *hold, struct oro_error *err);
/* Its answer; the caller frees it. */
struct oro_tiled_values *oro_tiled_take_answer(const struct oro_tiled_hold *hold, enum oro_tiled_flow flow,
                                               const struct oro_tiled_bytes *answer, struct oro_error *err);
/* Also after a failure. Keeps the tile for the next time, if there is room. */
void oro_tiled_give_back(struct oro_tiled_drainage *drainage, int which, struct oro_tiled_hold *hold);

/* A raster's window; the caller frees it. */
float *oro_tiled_load(const struct oro_tiled_source *source, const struct oro_tiled_block *window,
                      struct oro_error *err);
/* Writes the tile's cells of a window, whose values go to their front. */
bool oro_tiled_store(const struct oro_tiled_sink *sink, const struct oro_tiled_tile *tile, float *values,
                     struct oro_error *err);

/* ---- Flats that go on from tile to tile (tiled_flats.c) ---- */

/* Makes a tile's ring, of which nothing is known yet. */
bool oro_tiled_ring_begin(struct oro_tiled_drainage *drainage, int tile, struct oro_error *err);
/* Whether any process has one. */
bool oro_tiled_has_rings(const struct oro_tiled_drainage *drainage);
/* Fills all rings; then tiles have to be routed anew. */
bool oro_tiled_find_rings(struct oro_tiled_drainage *drainage, struct oro_error *err);

/* ---- All messages up, and all answers down again ---- */

struct oro_tiled_joining {
    void *(*join)(const void *how, const struct oro_tiled_family *family,
                  const struct oro_tiled_view *messages, struct oro_tiled_bytes *message,
                  struct oro_error *err);
    bool (*part)(void *joined, const struct oro_tiled_view *answer, struct oro_tiled_bytes *answers,
                 struct oro_error *err);
    void (*free)(void *joined);
    /* Sees what was joined last; may be NULL. */
    void (*look)(void *user, const void *joined);
    const void *how;
    void *user;
};
/* `messages` of all tiles are freed on the way; `answers` are filled. At the root. */
bool oro_tiled_exchange(const struct oro_tiled_ground *ground, const struct oro_tiled_joining *joining,
                        struct oro_tiled_bytes *messages, struct oro_tiled_bytes *answers,
                        struct oro_error *err);

/* What a tile tells of a flow. */
typedef bool oro_tiled_teller(struct oro_tiled_drainage *drainage, int tile, void *user,
                              struct oro_tiled_bytes *message, struct oro_error *err);
/* The answers to all tiles, which the caller frees by oro_tiled_free_all; NULL on failure. */
struct oro_tiled_bytes *oro_tiled_flow_through(struct oro_tiled_drainage *drainage, enum oro_tiled_flow flow,
                                               oro_tiled_teller *tell, void *user, struct oro_error *err);
/* Those of flood levels: of the cells beyond exits. */
struct oro_tiled_bytes *oro_tiled_levels_through(struct oro_tiled_drainage *drainage, struct oro_error *err);
/* Messages of all tiles, which `work` makes, brought to the root: `messages` is made before it is called. The
 * caller frees them, also after a failure. */
bool oro_tiled_gather(struct oro_tiled_drainage *drainage, oro_tiled_work *work, void *user,
                      struct oro_tiled_bytes **messages, struct oro_error *err);
/* The same where the root looks at them, and there is no answer. They are freed. */
typedef bool oro_tiled_look(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                            void *result, struct oro_error *err);
bool oro_tiled_report(struct oro_tiled_drainage *drainage, oro_tiled_work *work, void *user,
                      struct oro_tiled_bytes **messages, oro_tiled_look *look, void *result,
                      struct oro_error *err);

/* Fails as oro_breach does where cells are too deep, with all tiles; and with a whole, for which it takes
 * room for a number a cell. */
bool oro_tiled_too_deep(struct oro_tiled_drainage *drainage, struct oro_error *err);
bool oro_tiled_whole_too_deep(const struct oro_tiled_course *course, const float *z, int32_t *room,
                              struct oro_error *err);

#endif
