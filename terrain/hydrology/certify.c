/* Whether ground drains: pits and flats from the steepest ways, closed depressions from exact ones. */
#include "base/memory.h"
#include "terrain/hydrology/metrics_private.h"
#include "terrain/hydrology/routing_private.h"
#include "terrain/hydrology/steps.h"

static size_t cell_count(const struct oro_ground *ground)
{
    return (size_t)ground->width * (size_t)ground->height;
}

/* Whether a cell has a neighbour of its own height. */
static bool has_equal(const struct oro_ground *ground, size_t cell)
{
    size_t width = (size_t)ground->width, x = cell % width, y = cell / width;
    size_t left = x ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
    size_t bottom = y + 1 < (size_t)ground->height ? y + 1 : y;
    float own = oro_height(ground->z[cell]);
    for (size_t j = y ? y - 1 : y; j <= bottom; j++)
        for (size_t i = left; i <= right; i++)
            if (j * width + i != cell && oro_height(ground->z[j * width + i]) == own)
                return true;
    return false;
}

/* Walks from each cell to its end, then writes the end along the way, so that every cell is left once. */
static bool count_ending_in_pit(const struct oro_ground *ground, uint32_t *receiver,
                                struct oro_certificate *certificate, struct oro_error *err)
{
    size_t cells = cell_count(ground), ending = 0;
    for (size_t start = 0; start < cells; start++) {
        if (oro_ground_stops(ground, start, err))
            return false;
        uint32_t end = receiver[start];
        while (receiver[end] != end)
            end = receiver[end];
        for (size_t cell = start; cell != end;) {
            size_t next = receiver[cell];
            receiver[cell] = end;
            cell = next;
        }
        ending += !oro_ground_is_outlet(ground, end);
    }
    certificate->share_ending_in_pit = (double)ending / (double)cells;
    return true;
}

static bool measure_pits(const struct oro_ground *ground, struct oro_certificate *certificate,
                         struct oro_error *err)
{
    uint32_t *receiver = oro_alloc(cell_count(ground), sizeof *receiver);
    if (!receiver)
        return oro_fail(err, ORO_E_MEMORY, "no memory to measure %d x %d cells", ground->width,
                        ground->height);
    bool ok = true;
    certificate->pits = oro_route_steepest(ground, receiver);
    if (certificate->pits > 0) {
        for (size_t i = 0; i < cell_count(ground); i++)
            if (receiver[i] == i && !oro_ground_is_outlet(ground, i) && has_equal(ground, i))
                certificate->flats++;
        ok = count_ending_in_pit(ground, receiver, certificate, err);
    }
    oro_free(receiver);
    return ok;
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
    *certificate = (struct oro_certificate){0};
    return routing->pits == 0 ||
           (measure_pits(ground, certificate, err) && measure_lakes(ground, routing, certificate, err));
}

/* Most ground that asks for a certificate was breached: it needs no routing. */
bool oro_certify(const struct oro_ground *ground, struct oro_certificate *certificate, struct oro_error *err)
{
    struct oro_routing routing = {0};
    *certificate = (struct oro_certificate){0};
    if (!oro_ground_check(ground, err) || !measure_pits(ground, certificate, err))
        return false;
    if (certificate->pits == 0)
        return true;
    bool ok = oro_route(ground, &routing, err) && measure_lakes(ground, &routing, certificate, err);
    oro_routing_free(&routing);
    return ok;
}
