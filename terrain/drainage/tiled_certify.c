/* Certificates by tiles. */
#include "base/memory.h"
#include "terrain/drainage/certificate.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

/* ---- Most ground that asks for a certificate was breached ---- */

struct search {
    const struct oro_tiled_ground *ground;
    atomic_bool found;
};

static bool look_for_pits(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    struct search *search = user;
    const struct oro_tiled_ground *ground = search->ground;
    struct oro_tiled_block block = oro_tiled_tile(&ground->grid, which);
    struct oro_tiled_block window = oro_tiled_ringed(&ground->grid, &block);
    (void)d;
    if (atomic_load(&search->found))
        return true;
    float *z = oro_tiled_load(&ground->z, &window, err), *sea = NULL;
    bool ok = z && (!ground->sea.load || (sea = oro_tiled_load(&ground->sea, &window, err)) != NULL);
    bool pits = false;
    ok = ok && oro_tiled_tile_has_pits(&ground->grid, &block, z, sea, &pits, err);
    if (pits)
        atomic_store(&search->found, true);
    oro_free(z);
    oro_free(sea);
    return ok;
}

/* ---- Lakes ---- */

struct surveying {
    struct oro_tiled_bytes *answers, *messages;
};

static bool survey_tile(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct surveying *s = user;
    struct oro_tiled_hold hold;
    struct oro_tiled_values *beyond = NULL;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err) &&
              (beyond = oro_tiled_take_answer(&hold, ORO_TILED_LEVEL, &s->answers[which], err)) != NULL &&
              oro_tiled_course_order(&hold.course, err);
    float *level = ok ? oro_alloc(oro_tiled_window_cells(&hold.tile.window), sizeof *level) : NULL;
    if (ok && !level)
        ok = oro_tiled_no_memory(&hold.tile.block, err);
    ok = ok && oro_tiled_flood(&hold.course, hold.z, beyond, level, err);
    ok = ok && oro_tiled_tell_spills(&hold.course, hold.z, level, &s->messages[which], err);
    oro_free(beyond);
    oro_free(level);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

static bool survey(struct oro_tiled_drainage *d, struct oro_tiled_lakes *lakes, struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    struct surveying s = {oro_tiled_levels_through(d, err), NULL};
    if (!s.answers)
        return false;
    struct oro_tiled_view *views = NULL;
    bool ok = oro_tiled_gather(d, survey_tile, &s, &s.messages, &views, err);
    if (ok && (!ranks || ranks->is_root))
        ok = oro_tiled_count_lakes(&d->ground.grid, views, lakes, err);
    ok = oro_tiled_agree(&d->ground, ok, err);
    oro_tiled_free_all(s.messages, d->tiles);
    oro_tiled_free_all(s.answers, d->tiles);
    oro_free(views);
    return ok;
}

static bool certify(const struct oro_tiled_ground *ground, struct oro_certificate *certificate,
                    struct oro_error *err)
{
    struct oro_tiled_lakes lakes = {0};
    struct oro_tiled_drainage *d = oro_tiled_route_for(ground, true, err);
    bool ok = d && survey(d, &lakes, err);
    if (ok)
        *certificate = (struct oro_certificate){
            .pits = d->ending.pits,
            .flats = d->ending.flats,
            .share_ending_in_pit =
                (double)d->ending.ending / ((double)ground->grid.width * (double)ground->grid.height),
            .depressions = lakes.lakes,
            .undrained = lakes.wet,
            .deepest = lakes.deepest,
            .fill_volume = oro_exact_total(&lakes.volume)};
    oro_tiled_drainage_free(d);
    return ok;
}

bool oro_tiled_certify(const struct oro_tiled_ground *ground, struct oro_certificate *certificate,
                       struct oro_error *err)
{
    struct search search = {.ground = ground};
    *certificate = (struct oro_certificate){0};
    if (!oro_tiled_grid_check(&ground->grid, err))
        return false;
    struct oro_tiled_drainage tiles = {.ground = *ground, .tiles = oro_tiled_tiles(&ground->grid)};
    bool ok = oro_tiled_for_tiles(&tiles, look_for_pits, &search, err), pits = atomic_load(&search.found);
    if (!oro_tiled_agree(ground, ok, err))
        return false;
    if (ground->ranks)
        pits = ground->ranks->any(ground->ranks->user, pits);
    return !pits || certify(ground, certificate, err);
}
