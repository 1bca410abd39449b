/* Whether ground drains: pits and flats from the steepest ways; closed depressions, where these cannot
 * exclude them, from exact ones. */
#include "base/memory.h"
#include "terrain/hydrology/metrics_private.h"
#include "terrain/hydrology/pits.h"
#include "terrain/hydrology/routing_private.h"
#include "terrain/hydrology/steps.h"

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

static void add_lakes(const struct oro_ground *ground, const float *level,
                      struct oro_certificate *certificate)
{
    for (size_t i = 0; i < cell_count(ground); i++) {
        double depth = (double)level[i] - (double)oro_height(ground->z[i]);
        if (depth <= 0)
            continue;
        certificate->undrained++;
        certificate->fill_volume += depth;
        certificate->deepest = depth > certificate->deepest ? depth : certificate->deepest;
    }
}

static bool measure_lakes(const struct oro_ground *ground, const struct oro_routing *routing,
                          struct oro_certificate *certificate, struct oro_error *err)
{
    size_t cells = cell_count(ground);
    float *level = oro_alloc(cells, sizeof *level);
    uint32_t *lake = oro_alloc(cells, sizeof *lake);
    bool ok = level && lake;
    if (ok) {
        oro_flood_levels(ground, routing, level);
        certificate->depressions = oro_lakes(ground, routing, level, lake);
        add_lakes(ground, level, certificate);
    }
    oro_free(level);
    oro_free(lake);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to measure the depressions of %d x %d cells",
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
