/* Whether ground drains: pits and flats from the steepest ways; closed depressions, where these cannot
 * exclude them, from exact ones. */
#include <stdatomic.h>

#include "base/exact_sum.h"
#include "base/memory.h"
#include "terrain/drainage/certificate.h"
#include "terrain/drainage/pits.h"
#include "terrain/drainage/routing_private.h"
#include "terrain/drainage/steps.h"

static size_t cell_count(const struct oro_ground *ground)
{
    return (size_t)ground->width * (size_t)ground->height;
}

static bool measure_pits(const struct oro_ground *ground, struct oro_certificate *certificate, bool *drained,
                         struct oro_error *err)
{
    struct oro_pits pits;
    if (!oro_measure_pits(ground, &pits, err))
        return false;
    certificate->pits = pits.pits;
    certificate->flats = pits.flats;
    certificate->share_ending_in_pit = (double)pits.ending / (double)cell_count(ground);
    *drained = pits.drained;
    return true;
}

/* ---- Lakes ---- */

/* Strips of cells have sums of their own. The volume is summed exactly, so that it is the same by tiles. */
struct strip_lakes {
    size_t lakes, wet;
    struct oro_exact_sum volume;
    double deepest;
};

struct survey {
    const struct oro_ground *ground;
    const struct oro_routing *routing;
    struct oro_strips strips;
    const float *level;
    _Atomic uint8_t *spilled; /* 1 in cells that a lake spills over */
    struct strip_lakes *of;   /* strips */
};

static double depth_at(const struct survey *s, size_t cell)
{
    return (double)s->level[cell] - (double)oro_height(s->ground->z[cell]);
}

/* Water that spills over one cell is one lake (oro_lakes). */
static void measure_depths(void *user, size_t first, size_t end)
{
    const struct survey *s = user;
    for (size_t strip = first; strip < end; strip++) {
        struct strip_lakes *of = &s->of[strip];
        for (size_t i = oro_strip_first(s->strips, strip); i < oro_strip_end(s->strips, strip); i++) {
            double depth = depth_at(s, i);
            uint32_t next = s->routing->receiver[i];
            if (depth <= 0)
                continue;
            of->wet++;
            oro_exact_add(&of->volume, depth);
            of->deepest = depth > of->deepest ? depth : of->deepest;
            if (depth_at(s, next) <= 0)
                atomic_store_explicit(&s->spilled[next], 1, memory_order_relaxed);
        }
    }
}

static void count_lakes(void *user, size_t first, size_t end)
{
    const struct survey *s = user;
    for (size_t strip = first; strip < end; strip++)
        for (size_t i = oro_strip_first(s->strips, strip); i < oro_strip_end(s->strips, strip); i++)
            s->of[strip].lakes += atomic_load_explicit(&s->spilled[i], memory_order_relaxed);
}

static bool survey_lakes(struct survey *s, struct oro_certificate *certificate, struct oro_error *err)
{
    if (!oro_strips_run(s->strips, s->ground, measure_depths, s, err) ||
        !oro_strips_run(s->strips, s->ground, count_lakes, s, err))
        return false;
    struct oro_exact_sum volume = {0};
    for (size_t strip = 0; strip < s->strips.count; strip++) {
        const struct strip_lakes *of = &s->of[strip];
        certificate->depressions += of->lakes;
        certificate->undrained += of->wet;
        oro_exact_join(&volume, &of->volume);
        certificate->deepest = of->deepest > certificate->deepest ? of->deepest : certificate->deepest;
    }
    certificate->fill_volume = oro_exact_total(&volume);
    return true;
}

static bool measure_lakes(const struct oro_ground *ground, const struct oro_routing *routing,
                          struct oro_certificate *certificate, struct oro_error *err)
{
    size_t cells = cell_count(ground);
    struct survey s = {
        .ground = ground, .routing = routing, .strips = oro_strips_of(ground->width, ground->height)};
    float *level = oro_alloc(cells, sizeof *level);
    s.level = level;
    s.spilled = oro_alloc(cells, 1);
    s.of = oro_alloc(s.strips.count, sizeof *s.of);
    bool room = level && s.spilled && s.of, ok = room;
    if (room) {
        oro_flood_levels(ground, routing, level);
        ok = survey_lakes(&s, certificate, err);
    }
    oro_free(level);
    oro_free(s.spilled);
    oro_free(s.of);
    return room ? ok
                : oro_fail(err, ORO_E_MEMORY, "no memory to measure the depressions of %d x %d cells",
                           ground->width, ground->height);
}

bool oro_certify_routed(const struct oro_ground *ground, const struct oro_routing *routing,
                        struct oro_certificate *certificate, struct oro_error *err)
{
    bool drained = true;
    *certificate = (struct oro_certificate){0};
    return routing->pits == 0 || (measure_pits(ground, certificate, &drained, err) &&
                                  (drained || measure_lakes(ground, routing, certificate, err)));
}

/* Most ground that asks for a certificate was breached: it needs no routing. */
bool oro_certify(const struct oro_ground *ground, struct oro_certificate *certificate, struct oro_error *err)
{
    struct oro_routing routing = {0};
    bool drained = true;
    *certificate = (struct oro_certificate){0};
    if (!oro_ground_check(ground, err) || !measure_pits(ground, certificate, &drained, err))
        return false;
    if (drained)
        return true;
    bool ok = oro_route(ground, &routing, err) && measure_lakes(ground, &routing, certificate, err);
    oro_routing_free(&routing);
    return ok;
}
