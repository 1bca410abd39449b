/* Filling and flood levels by tiles. */
#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/steps.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

enum result { LEVELS, FILLED, SLOPED };

struct filling {
    enum result result;
    const struct oro_tiled_sink *out;
    struct oro_tiled_bytes *answers;
};

static bool tell(struct oro_tiled_drainage *d, int which, void *user, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    const struct filling *f = user;
    struct oro_tiled_hold hold;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err);
    ok = ok && (f->result == SLOPED ? oro_tiled_tell_raised(&hold.course, hold.z, message, err)
                                    : oro_tiled_tell_levels(&hold.course, hold.z, message, err));
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

/* Ground that is not below its level keeps its bits. */
static void fill_level(const struct oro_tiled_hold *hold, const struct oro_tiled_values *beyond, float *out)
{
    size_t cells = oro_tiled_window_cells(&hold->tile.window);
    oro_tiled_flood(&hold->course, hold->z, beyond, out);
    for (size_t i = 0; i < cells; i++)
        out[i] = out[i] > oro_height(hold->z[i]) ? out[i] : hold->z[i];
}

static bool fail_too_high(struct oro_tiled_cell cell, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE,
                    "the way out of cell %d, %d is too high to be filled: there are no higher numbers left "
                    "for slopes down to it",
                    cell.x, cell.y);
}

/* Raised steps become heights in place. */
static bool fill_sloped(const struct oro_tiled_hold *hold, const struct oro_tiled_values *beyond, float *out,
                        struct oro_error *err)
{
    const struct oro_tiled_block *block = &hold->tile.block;
    size_t cells = oro_tiled_window_cells(&hold->tile.window);
    int32_t *highest = oro_alloc(cells, sizeof *highest);
    if (!highest)
        return oro_tiled_no_memory(block, err);
    bool ok = true;
    oro_tiled_raise(&hold->course, hold->z, beyond, highest);
    for (int y = block->y; ok && y < block->y + block->height; y++)
        for (int x = block->x; ok && x < block->x + block->width; x++) {
            struct oro_tiled_cell cell = {x, y};
            size_t i = oro_tiled_in_window(&hold->tile, cell);
            if (highest[i] > -ORO_STEPS_LOWEST)
                ok = fail_too_high(cell, err);
            else
                out[i] = highest[i] > oro_step_above(hold->z[i]) ? oro_step_height(highest[i]) : hold->z[i];
        }
    oro_free(highest);
    return ok;
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct filling *f = user;
    struct oro_tiled_hold hold;
    struct oro_tiled_values *beyond = NULL;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err) &&
              (beyond = oro_tiled_take_answer(&hold, f->result == SLOPED ? ORO_TILED_RAISED : ORO_TILED_LEVEL,
                                              &f->answers[which], err)) != NULL &&
              oro_tiled_course_order(&hold.course, err);
    float *out = ok ? oro_alloc(oro_tiled_window_cells(&hold.tile.window), sizeof *out) : NULL;
    if (ok && !out)
        oro_tiled_no_memory(&hold.tile.block, err);
    ok = ok && out;
    if (ok && f->result == SLOPED)
        ok = fill_sloped(&hold, beyond, out, err);
    else if (ok && f->result == FILLED)
        fill_level(&hold, beyond, out);
    else if (ok)
        oro_tiled_flood(&hold.course, hold.z, beyond, out);
    ok = ok && oro_tiled_store(f->out, &hold.tile, out, err);
    oro_free(beyond);
    oro_free(out);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

struct oro_tiled_bytes *oro_tiled_levels_through(struct oro_tiled_drainage *d, struct oro_error *err)
{
    struct filling f = {.result = LEVELS};
    return oro_tiled_flow_through(d, ORO_TILED_LEVEL, tell, &f, err);
}

static bool fill(struct oro_tiled_drainage *d, enum result result, const struct oro_tiled_sink *out,
                 struct oro_error *err)
{
    struct filling f = {.result = result, .out = out};
    f.answers =
        oro_tiled_flow_through(d, result == SLOPED ? ORO_TILED_RAISED : ORO_TILED_LEVEL, tell, &f, err);
    bool ok = f.answers && oro_tiled_for_tiles(d, finish, &f, err);
    oro_tiled_free_all(f.answers, d->tiles);
    return ok;
}

bool oro_tiled_fill(struct oro_tiled_drainage *d, bool sloped, const struct oro_tiled_sink *out,
                    struct oro_error *err)
{
    return fill(d, sloped ? SLOPED : FILLED, out, err);
}

bool oro_tiled_flood_levels(struct oro_tiled_drainage *d, const struct oro_tiled_sink *out,
                            struct oro_error *err)
{
    return fill(d, LEVELS, out, err);
}
