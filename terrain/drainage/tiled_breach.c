/* Carving by tiles. */
#include "base/memory.h"
#include "terrain/drainage/depths.h"
#include "terrain/drainage/grade.h"
#include "terrain/drainage/grades.h"
#include "terrain/drainage/steps.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

struct carving {
    const struct oro_tiled_sink *out;
    float fall;
    int stage;
    struct oro_tiled_bytes *answers[ORO_TILED_GRADE_STAGES]; /* of all tiles */
    atomic_size_t gentle;
    atomic_bool too_deep;
};

static bool carve_tile(struct carving *c, int which, struct oro_tiled_hold *hold, int32_t **low,
                       struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_carving carving = {.course = &hold->course, .z = hold->z, .fall = c->fall};
    *low = carving.low = oro_alloc(oro_tiled_window_cells(&hold->tile.window), sizeof **low);
    if (!carving.low)
        return oro_tiled_no_memory(&hold->tile.block, err);
    for (int i = 0; i < c->stage; i++)
        carving.answers[i] = oro_tiled_view(&c->answers[i][which]);
    bool ok = oro_tiled_carve(&carving, c->stage, message, err);
    if (carving.too_deep)
        atomic_store(&c->too_deep, true);
    if (c->stage == ORO_TILED_GRADE_STAGES)
        atomic_fetch_add(&c->gentle, carving.gentle);
    return ok;
}

static bool tell(struct oro_tiled_drainage *d, int which, void *user, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    struct oro_tiled_hold hold;
    int32_t *low = NULL;
    bool ok =
        oro_tiled_take_tile(d, which, true, &hold, err) && carve_tile(user, which, &hold, &low, message, err);
    oro_free(low);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    struct carving *c = user;
    struct oro_tiled_hold hold;
    int32_t *low = NULL;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err) && carve_tile(c, which, &hold, &low, NULL, err);
    size_t cells = ok ? oro_tiled_window_cells(&hold.tile.window) : 0;
    for (size_t i = 0; i < cells; i++)
        hold.z[i] = low[i] < oro_step_of(hold.z[i]) ? oro_step_height(low[i]) : hold.z[i];
    ok = ok && oro_tiled_store(c->out, &hold.tile, hold.z, err);
    oro_free(low);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

/* ---- What is too deep ---- */

struct sounding {
    struct oro_tiled_bytes *answers, *messages;
};

static bool tell_distances(struct oro_tiled_drainage *d, int which, void *user,
                           struct oro_tiled_bytes *message, struct oro_error *err)
{
    (void)user;
    struct oro_tiled_hold hold;
    bool ok = oro_tiled_take_tile(d, which, false, &hold, err) &&
              oro_tiled_tell_distances(&hold.course, message, err);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

static bool tell_depths(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct sounding *s = user;
    struct oro_tiled_hold hold;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err) && oro_tiled_course_order(&hold.course, err) &&
              oro_tiled_tell_depths(&hold.course, hold.z, oro_tiled_view(&s->answers[which]),
                                    &s->messages[which], err);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

static bool fail_too_deep(struct oro_tiled_drainage *d, struct oro_error *err)
{
    struct sounding s = {oro_tiled_flow_through(d, ORO_TILED_RAISED, tell_distances, NULL, err), NULL};
    if (!s.answers)
        return false;
    struct oro_tiled_view *views = NULL;
    bool ok = oro_tiled_gather(d, tell_depths, &s, &s.messages, &views, err);
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    if (ok && (!ranks || ranks->is_root))
        ok = oro_tiled_too_deep(&d->ground.grid, views, err);
    ok = oro_tiled_agree(&d->ground, ok, err);
    oro_tiled_free_all(s.answers, d->tiles);
    oro_tiled_free_all(s.messages, d->tiles);
    oro_free(views);
    return ok;
}

/* ---- All stages ---- */

static bool carve(struct oro_tiled_drainage *d, struct carving *c, int stages, struct oro_error *err)
{
    for (; c->stage < stages; c->stage++) {
        c->answers[c->stage] = oro_tiled_flow_through(d, oro_tiled_carve_flow(c->stage), tell, c, err);
        if (!c->answers[c->stage])
            return false;
    }
    return oro_tiled_for_tiles(d, finish, c, err);
}

bool oro_tiled_breach(struct oro_tiled_drainage *d, const struct oro_breaching *how,
                      const struct oro_tiled_sink *out, struct oro_error *err)
{
    struct carving c = {.out = out, .fall = how->fall};
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    if (how->gentle)
        *how->gentle = 0;
    if (how->method != ORO_BREACH_SUBTREE)
        return oro_fail(err, ORO_E_EVALUATE,
                        "a flood cannot carve a terrain by tiles: the way it takes depends on the whole; "
                        "carve along the drainage instead");
    bool ok = carve(d, &c, how->fall < ORO_GRADE_LEAST ? 1 : ORO_TILED_GRADE_STAGES, err);
    bool too_deep = atomic_load(&c.too_deep);
    if (ranks ? ranks->any(ranks->user, too_deep) : too_deep)
        ok = fail_too_deep(d, err);
    if (ok && how->gentle)
        *how->gentle = atomic_load(&c.gentle);
    for (int i = 0; i < ORO_TILED_GRADE_STAGES; i++)
        oro_tiled_free_all(c.answers[i], d->tiles);
    return ok;
}
