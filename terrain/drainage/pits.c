/* Pits, the level ground that they are parts of, and what drains to them: whole passes over the ground and a
 * byte a cell, where exact ways take an order of all cells. */
#include <float.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/certificate.h"
#include "terrain/drainage/routing_private.h"
#include "terrain/drainage/steps.h"

/* What is known of a cell besides its direction. */
enum { DIRECTION = 0x0f, DRAINED = 0x10, ENDS_OUTSIDE = 0x20, ENDS_IN_PIT = 0x40 };
enum { ENDS = ENDS_OUTSIDE | ENDS_IN_PIT };

/* What a round costs besides its pits, in pits. */
enum { ROUND = 1000 };

struct search {
    const struct oro_ground *ground;
    struct oro_strips strips;
    struct oro_offsets offsets;
    _Atomic uint8_t *state;
    atomic_bool found; /* a pit */
    atomic_size_t flats, ending, left;
    atomic_bool closed; /* a pit without an equal neighbour, or one that is lower by next to nothing */
    size_t *first;      /* of every strip: the place of its pits in `pit`, and the end of all */
    size_t *count;      /* of every strip: its pits that are not known to drain */
    uint32_t *pit;      /* cells, by strips */
};

static uint8_t state_of(const struct search *search, size_t cell)
{
    return atomic_load_explicit(&search->state[cell], memory_order_relaxed);
}

static void add_state(const struct search *search, size_t cell, uint8_t state)
{
    atomic_store_explicit(&search->state[cell], state_of(search, cell) | state, memory_order_relaxed);
}

/* ---- Most ground that is looked at was breached, and has no pit ---- */

enum { COLUMNS = 512 };

static float least(float a, float b)
{
    return a < b ? a : b;
}

/* Whether every one of `count` cells from `z` on has a neighbour that is lower by more than what rule 1 of
 * routing.h overlooks, or is sea. */
static bool piece_falls(const float *z, const float *sea, ptrdiff_t width, size_t count)
{
    float lowest[COLUMNS + 2];
    unsigned pits = 0;
    for (size_t x = 0; x < count + 2; x++) {
        const float *at = z + x - 1;
        lowest[x] = least(least(at[-width], at[width]), at[0]);
    }
    if (sea)
        for (size_t x = 0; x < count; x++)
            pits |= z[x] - least(least(lowest[x], lowest[x + 2]), lowest[x + 1]) < 4 * FLT_MIN &&
                    !(sea[x] > 0.5f);
    else
        for (size_t x = 0; x < count; x++)
            pits |= z[x] - least(least(lowest[x], lowest[x + 2]), lowest[x + 1]) < 4 * FLT_MIN;
    return pits == 0;
}

static bool row_falls(const struct oro_ground *ground, size_t y)
{
    size_t width = (size_t)ground->width;
    for (size_t x = 1; x + 1 < width; x += COLUMNS) {
        size_t left = width - 1 - x, at = y * width + x;
        if (!piece_falls(ground->z + at, ground->sea ? ground->sea + at : NULL, ground->width,
                         left < COLUMNS ? left : COLUMNS))
            return false;
    }
    return true;
}

static void look_for_pits(void *user, size_t first, size_t end)
{
    struct search *search = user;
    size_t y = first * search->strips.rows, bottom = end * search->strips.rows;
    size_t last = (size_t)search->ground->height - 1;
    for (y = y ? y : 1; y < bottom && y < last && !atomic_load_explicit(&search->found, memory_order_relaxed);
         y++)
        if (!row_falls(search->ground, y))
            atomic_store(&search->found, true);
}

/* ---- Pits, by strips ---- */

static void choose_directions(void *user, size_t first, size_t end)
{
    struct search *search = user;
    for (size_t strip = first; strip < end; strip++)
        search->count[strip] =
            oro_steepest_strip(search->ground, search->strips, strip, (uint8_t *)search->state);
}

static bool list_pits(struct search *search)
{
    for (size_t strip = 0; strip < search->strips.count; strip++)
        search->first[strip + 1] = search->first[strip] + search->count[strip];
    search->pit = oro_alloc(search->first[search->strips.count], sizeof *search->pit);
    return search->pit != NULL;
}

/* Looks at the neighbours of a pit. */
static void classify(struct search *search, size_t pit, size_t *flats)
{
    const float *z = search->ground->z;
    size_t x = pit % search->strips.width;
    float own = oro_height(z[pit]);
    bool flat = false;
    for (int k = 0; k < 8; k++) {
        if (!oro_has_neighbour(search->strips, pit, x, k))
            continue;
        float other = oro_height(z[pit + (size_t)search->offsets.to[k]]);
        flat = flat || other == own;
        if (other < own)
            atomic_store_explicit(&search->closed, true, memory_order_relaxed);
    }
    *flats += flat;
    if (!flat)
        atomic_store_explicit(&search->closed, true, memory_order_relaxed);
}

static void classify_strips(void *user, size_t first, size_t end)
{
    struct search *search = user;
    const uint8_t *direction = (const uint8_t *)search->state;
    size_t flats = 0;
    for (size_t strip = first; strip < end; strip++) {
        const uint8_t *at = direction + oro_strip_first(search->strips, strip);
        const uint8_t *last = direction + oro_strip_end(search->strips, strip);
        uint32_t *pit = search->pit + search->first[strip];
        while (at < last && (at = memchr(at, ORO_TO_PIT, (size_t)(last - at))) != NULL) {
            *pit = (uint32_t)(at++ - direction);
            classify(search, *pit++, &flats);
        }
    }
    atomic_fetch_add(&search->flats, flats);
}

/* ---- Level ground: pits drain to neighbours of their height that fall, are outlets, or drain ---- */

static bool drains(const struct search *search, size_t pit)
{
    const float *z = search->ground->z;
    size_t x = pit % search->strips.width;
    float own = oro_height(z[pit]);
    for (int k = 0; k < 8; k++) {
        if (!oro_has_neighbour(search->strips, pit, x, k))
            continue;
        size_t other = pit + (size_t)search->offsets.to[k];
        if (oro_height(z[other]) == own && state_of(search, other) != ORO_TO_PIT)
            return true;
    }
    return false;
}

/* Goes through a strip's pits forwards, then backwards, and keeps those that are not known to drain, in their
 * order. */
static size_t drain_pits(const struct search *search, uint32_t *pit, size_t count)
{
    size_t kept = 0, first = count;
    for (size_t i = 0; i < count; i++) {
        if (drains(search, pit[i]))
            add_state(search, pit[i], DRAINED);
        else
            pit[kept++] = pit[i];
    }
    first = kept;
    for (size_t i = kept; i-- > 0;) {
        if (drains(search, pit[i]))
            add_state(search, pit[i], DRAINED);
        else
            pit[--first] = pit[i];
    }
    memmove(pit, pit + first, (kept - first) * sizeof *pit);
    return kept - first;
}

static void drain_strips(void *user, size_t first, size_t end)
{
    struct search *search = user;
    for (size_t strip = first; strip < end; strip++) {
        search->count[strip] = drain_pits(search, search->pit + search->first[strip], search->count[strip]);
        atomic_fetch_add(&search->left, search->count[strip]);
    }
}

/* Rivers that wind on level ground take many rounds, of few pits. Where these come to more work than exact
 * ways, they are left to those. */
static bool drain_level_ground(struct search *search, struct oro_pits *pits, struct oro_error *err)
{
    size_t before = pits->pits + 1, left = pits->pits, work = 0;
    for (; left > 0 && left < before && work < search->strips.cells; work += left + ROUND) {
        before = left;
        atomic_store(&search->left, 0);
        if (!oro_strips_run(search->strips, search->ground, drain_strips, search, err))
            return false;
        left = atomic_load(&search->left);
    }
    pits->drained = left == 0;
    return true;
}

/* ---- Ends of the steepest ways ---- */

static uint8_t end_known(const struct search *search, size_t cell)
{
    uint8_t state = state_of(search, cell), direction = state & DIRECTION;
    if (direction == ORO_TO_OUTLET || direction == ORO_TO_PIT)
        return direction == ORO_TO_PIT ? ENDS_IN_PIT : ENDS_OUTSIDE;
    return state & ENDS;
}

static size_t receiver_of(const struct search *search, size_t cell)
{
    return cell + (size_t)search->offsets.to[state_of(search, cell) & DIRECTION];
}

/* Goes down from a cell to one whose end is known, then again to write it. Another thread that comes along
 * the way finds the same. */
static uint8_t find_end(const struct search *search, size_t start)
{
    size_t cell = start;
    uint8_t end;
    while (!(end = end_known(search, cell)))
        cell = receiver_of(search, cell);
    for (cell = start; !end_known(search, cell); cell = receiver_of(search, cell))
        add_state(search, cell, end);
    return end;
}

/* First takes the ends of ways that lead south, which are known when the rows are gone through upwards. */
static void find_ends(void *user, size_t first, size_t end)
{
    struct search *search = user;
    size_t begin = oro_strip_first(search->strips, first), last = oro_strip_end(search->strips, end - 1);
    size_t ending = 0;
    for (size_t i = last; i-- > begin;)
        add_state(search, i, end_known(search, receiver_of(search, i)));
    for (size_t i = begin; i < last; i++)
        ending += find_end(search, i) == ENDS_IN_PIT;
    atomic_fetch_add(&search->ending, ending);
}

/* ---- Together ---- */

static bool measure(struct search *search, struct oro_pits *pits, struct oro_error *err)
{
    const struct oro_ground *ground = search->ground;
    if (!oro_strips_run(search->strips, ground, choose_directions, search, err))
        return false;
    if (!list_pits(search))
        return oro_no_memory(ground, err);
    pits->pits = search->first[search->strips.count];
    if (!oro_strips_run(search->strips, ground, classify_strips, search, err))
        return false;
    pits->flats = atomic_load(&search->flats);
    if (!atomic_load(&search->closed) && !drain_level_ground(search, pits, err))
        return false;
    if (!oro_strips_run(search->strips, ground, find_ends, search, err))
        return false;
    pits->ending = atomic_load(&search->ending);
    return true;
}

bool oro_measure_pits(const struct oro_ground *ground, struct oro_pits *pits, struct oro_error *err)
{
    struct search search = {.ground = ground,
                            .strips = oro_strips_of(ground->width, ground->height),
                            .offsets = oro_offsets_of(ground->width)};
    *pits = (struct oro_pits){.drained = true};
    if (!ground->walls && !oro_strips_run(search.strips, ground, look_for_pits, &search, err))
        return false;
    if (!ground->walls && !atomic_load(&search.found))
        return true;
    pits->drained = false;
    search.state = oro_alloc(search.strips.cells, 1);
    search.first = oro_alloc(search.strips.count + 1, sizeof *search.first);
    search.count = oro_alloc(search.strips.count, sizeof *search.count);
    bool ok = search.state && search.first && search.count ? measure(&search, pits, err)
                                                           : oro_no_memory(ground, err);
    if (ok && pits->pits == 0)
        pits->drained = true;
    oro_free(search.state);
    oro_free(search.first);
    oro_free(search.count);
    oro_free(search.pit);
    return ok;
}
