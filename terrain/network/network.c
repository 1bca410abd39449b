#include "terrain/network/network.h"

#include <float.h>
#include <math.h>

#include "terrain/network/network_private.h"

const struct oro_vertex *oro_network_vertices(const struct oro_network *network)
{
    return (const struct oro_vertex *)(network + 1);
}

const uint32_t *oro_network_starts(const struct oro_network *network)
{
    return (const uint32_t *)(oro_network_vertices(network) + network->vertex_count);
}

const uint32_t *oro_network_indices(const struct oro_network *network)
{
    return oro_network_starts(network) + network->line_count + 1;
}

size_t oro_network_bytes(const struct oro_network *network)
{
    return sizeof *network + network->vertex_count * sizeof(struct oro_vertex) +
           ((size_t)network->line_count + 1 + network->index_count) * sizeof(uint32_t);
}

static bool known_or_nan(float value, float least, float most)
{
    return isnan(value) || (value >= least && value <= most);
}

/* What is wrong with the vertex, or NULL. */
static const char *wrong_in(const struct oro_vertex *v)
{
    if (!isfinite(v->x) || !isfinite(v->y))
        return "has no place";
    if (isinf(v->elevation))
        return "is infinitely high";
    if (!known_or_nan(v->drainage, 0, FLT_MAX) || !known_or_nan(v->width, 0, FLT_MAX))
        return "has a drainage or width that is negative or infinite";
    if (!known_or_nan(v->prominence, 0, INFINITY))
        return "has a negative prominence";
    return v->kind > ORO_VERTEX_OUTLET ? "is of no known kind" : NULL;
}

static bool check_vertices(const struct oro_network *network, struct oro_error *err)
{
    const struct oro_vertex *vertices = oro_network_vertices(network);
    for (uint32_t i = 0; i < network->vertex_count; i++) {
        const char *wrong = wrong_in(&vertices[i]);
        if (wrong)
            return oro_fail(err, ORO_E_EVALUATE, "vertex %u of the network, at %g, %g m, %s", i + 1,
                            (double)vertices[i].x, (double)vertices[i].y, wrong);
    }
    return true;
}

static bool check_lines(const struct oro_network *network, struct oro_error *err)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    bool ok = starts[0] == 0 && starts[network->line_count] == network->index_count;
    for (uint32_t i = 0; ok && i < network->line_count; i++)
        ok = starts[i] < network->index_count && starts[i + 1] > starts[i] && starts[i + 1] - starts[i] >= 2;
    for (uint32_t i = 0; ok && i < network->index_count; i++)
        ok = indices[i] < network->vertex_count;
    return ok || oro_fail(err, ORO_E_EVALUATE, "a line of the network names vertices that it does not have");
}

const struct oro_network *oro_network_of(const void *data, size_t bytes, struct oro_error *err)
{
    const struct oro_network *network = data;
    if (!data || bytes < sizeof *network || network->magic != ORO_NETWORK_MAGIC ||
        network->version != ORO_NETWORK_VERSION || network->vertex_count > ORO_NETWORK_VERTICES ||
        network->index_count > ORO_NETWORK_INDICES || network->line_count > ORO_NETWORK_INDICES / 2 ||
        oro_network_bytes(network) != bytes) {
        oro_fail(err, ORO_E_EVALUATE, "these %zu bytes are not a network", bytes);
        return NULL;
    }
    return check_vertices(network, err) && check_lines(network, err) ? network : NULL;
}
