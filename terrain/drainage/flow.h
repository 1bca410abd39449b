/*
 * Step 4: what goes along the ways of the drainage, from tile to tile. A tile tells of its exits, the rim
 * cells whose receivers lie beyond, and of its entries, the rim cells that water comes into from other tiles:
 * to which exit each leads, and what happens on the way. From that follows what comes in at each entry
 * (sums, which go down) or what lies beyond each exit (levels, which go up), with all terrain in it; and with
 * that a tile is as good as whole. Blocks are joined as in join.h.
 *
 * Values are integers, and do not depend on the order in which they are put together.
 */
#ifndef ORO_TERRAIN_DRAINAGE_FLOW_H
#define ORO_TERRAIN_DRAINAGE_FLOW_H

#include "terrain/drainage/join.h"
#include "terrain/drainage/steps.h"

/* What flows. */
enum oro_tiled_flow {
    /* Down: of an exit, what comes through it; to an entry, what comes in there. */
    ORO_TILED_CELLS = 1, /* their number */
    ORO_TILED_RAIN = 2,  /* its sum, in units of ORO_RAIN_UNIT */
    ORO_TILED_LOW = 4,   /* the lowest step, one lower with every cell (oro_breach's K) */
    ORO_TILED_GRADE = 8, /* the least grade of channels (oro_breach's G) */
    /* Up: of an entry, what it would be if nothing came from beyond its exit; to an exit, the value of the
     * cell that it leads to. */
    ORO_TILED_LEVEL = 16,  /* the highest level (oro_level_of) */
    ORO_TILED_RAISED = 32, /* the highest step, one higher with every cell (oro_fill's K) */
    /* The way to the outlet: its length in units of grade.h, the height of the outlet (oro_level_of), and
     * the lowest step of the cell itself. */
    ORO_TILED_LENGTH = 64,
};
/* Stand for no value. */
#define ORO_TILED_NO_LOW INT32_MAX /* also no grade */
#define ORO_TILED_NO_RAISED INT32_MIN

enum { ORO_TILED_FIELDS = 3 };

struct oro_tiled_values {
    int64_t of[ORO_TILED_FIELDS]; /* the first of them in use; sums of rain are unsigned */
};

/* The rest of a way, from some cell on. */
struct oro_tiled_way {
    uint32_t exit;     /* number in the list of exits; ORO_TILED_NONE: it ends in an outlet */
    uint64_t distance; /* cells to the exit */
    struct oro_tiled_values values;
};

struct oro_tiled_exit {
    uint32_t rim;
    uint8_t direction;
    struct oro_tiled_values values;
};

struct oro_tiled_entry {
    uint32_t rim;
    struct oro_tiled_way way; /* the value of a grade: the least that it must not exceed on the way */
};

/* A block's message: exits and entries by ascending rim cells. */
struct oro_tiled_flows {
    struct oro_tiled_block block;
    enum oro_tiled_flow flow;
    uint32_t exit_count, entry_count;
    struct oro_tiled_exit *exits;
    struct oro_tiled_entry *entries;
};

bool oro_tiled_flow_goes_up(enum oro_tiled_flow flow);
/* How many values exits and entries have, and their answers. */
int oro_tiled_flow_exit_fields(enum oro_tiled_flow flow);
int oro_tiled_flow_entry_fields(enum oro_tiled_flow flow);
int oro_tiled_flow_answer_fields(enum oro_tiled_flow flow);

void oro_tiled_flows_free(struct oro_tiled_flows *flows);
void oro_tiled_flows_write(const struct oro_tiled_flows *flows, struct oro_tiled_bytes *bytes);
/* Fails as oro_tiled_graph_read; free in either case. */
bool oro_tiled_flows_read(struct oro_tiled_flows *flows, const struct oro_tiled_grid *grid,
                          enum oro_tiled_flow flow, const struct oro_tiled_block *block,
                          struct oro_tiled_view message, struct oro_error *err);

/* Answers: values for each entry where it flows down, for each exit where it flows up, in their order. */
void oro_tiled_answer_write(const struct oro_tiled_values *values, uint32_t count, enum oro_tiled_flow flow,
                            const struct oro_tiled_block *block, struct oro_tiled_bytes *bytes);
/* Fails where there are not `count`. The caller frees what it returns. */
struct oro_tiled_values *oro_tiled_answer_read(uint32_t count, enum oro_tiled_flow flow,
                                               const struct oro_tiled_block *block,
                                               struct oro_tiled_view message, struct oro_error *err);

/* ---- The arithmetic ---- */

/* A lowest step as a tile keeps it: below the lowest there is, all is too deep, however much. */
static inline int32_t oro_tiled_low_of(int64_t low)
{
    int64_t least = (int64_t)ORO_STEPS_LOWEST - 1;
    return low >= ORO_TILED_NO_LOW ? ORO_TILED_NO_LOW : low > least ? (int32_t)low : (int32_t)least;
}

struct oro_tiled_values oro_tiled_flow_nothing(enum oro_tiled_flow flow);
/* Two values that come together. */
struct oro_tiled_values oro_tiled_flow_meet(enum oro_tiled_flow flow, struct oro_tiled_values a,
                                            struct oro_tiled_values b);
/* Down: what of `values` comes through, when it goes along a way and, if `beyond`, from its exit to the cell
 * beyond. */
struct oro_tiled_values oro_tiled_flow_down(enum oro_tiled_flow flow, struct oro_tiled_values values,
                                            const struct oro_tiled_way *way, bool beyond);
/* Up: the values at the beginning of a way, with those of the cell beyond its exit. */
struct oro_tiled_values oro_tiled_flow_up(enum oro_tiled_flow flow, const struct oro_tiled_way *way,
                                          struct oro_tiled_values beyond);
/* Both, of ways: the one goes on as the other, beyond its exit. */
struct oro_tiled_way oro_tiled_way_on(enum oro_tiled_flow flow, const struct oro_tiled_way *way,
                                      const struct oro_tiled_way *on);

/* ---- Carving ---- */

/*
 * Carving by tiles with a least gradient (oro_breach's `fall`), in stages, each of which ends with a message
 * up and an answer down for each tile:
 *
 *   0  the lowest steps of plain carving (ORO_TILED_LOW)
 *   1  with these: lengths of ways, and heights of their outlets (ORO_TILED_LENGTH)
 *   2  with these: grades of channels (ORO_TILED_GRADE)
 *   3  with these: the lowest steps once more (ORO_TILED_LOW)
 *   4  with these: done
 *
 * Without a least gradient, all is done in stage 1. Each stage computes anew what comes before it.
 */
enum { ORO_TILED_GRADE_STAGES = 4 }; /* that have messages */

enum oro_tiled_flow oro_tiled_carve_flow(int stage);

/* ---- Blocks ---- */

struct oro_tiled_confluence;

/* As oro_tiled_join and oro_tiled_part. */
struct oro_tiled_confluence *oro_tiled_flow_join(const struct oro_tiled_family *family,
                                                 enum oro_tiled_flow flow, const struct oro_tiled_view *flows,
                                                 struct oro_tiled_bytes *message, struct oro_error *err);
void oro_tiled_flow_free(struct oro_tiled_confluence *confluence);
bool oro_tiled_flow_part(struct oro_tiled_confluence *confluence, const struct oro_tiled_view *answer,
                         struct oro_tiled_bytes *answers, struct oro_error *err);

#endif
