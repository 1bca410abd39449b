/* Picks lines of a network. */
#include <math.h>

#include "base/memory.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"

struct params {
    const char *network;
    int order;
    float elevation, drainage, length;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, network, NULL, .doc = "Lines to choose from"),
    ORO_IN_INT(struct params, order, 0, .min = 0, .max = 20, .soft_max = 8,
               .doc = "Lines that reach this Strahler order: 2 leaves out the first streams. 0: all, also "
                      "those that know none"),
    ORO_IN_FLOAT(struct params, elevation, -1e6, .min = -1e6, .max = 1e6, .soft_min = 0, .soft_max = 5000,
                 .unit = ORO_METRE,
                 .doc = "Lines that rise to this elevation; at the least, also those that know none"),
    ORO_IN_FLOAT(struct params, drainage, 0, .min = 0, .max = 1e15, .soft_max = 1e8, .unit = ORO_SQUARE_METRE,
                 .doc = "Lines through which so much land drains; 0: all"),
    ORO_IN_FLOAT(struct params, length, 0, .min = 0, .max = 1e9, .soft_max = 10000, .unit = ORO_METRE,
                 .doc = "Lines of at least this length between two forks or ends"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_NETWORK("network", .doc = "The lines that are left, with what was known of their vertices"),
    {0},
};

/* The highest values along a line. */
struct extent {
    float elevation, drainage; /* NaN: not known */
    uint32_t order;
    double length;
};

static struct extent extent_of(const struct oro_vertex *v, const uint32_t *line, uint32_t count)
{
    struct extent e = {NAN, NAN, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const struct oro_vertex *at = &v[line[i]], *next = &v[line[i + 1 < count ? i + 1 : i]];
        e.elevation = fmaxf(e.elevation, at->elevation);
        e.drainage = fmaxf(e.drainage, at->drainage);
        e.order = at->order > e.order ? at->order : e.order;
        e.length += hypot((double)next->x - (double)at->x, (double)next->y - (double)at->y);
    }
    return e;
}

static bool is_wanted(const struct params *p, const struct extent *e)
{
    return e->order >= (uint32_t)p->order && (p->elevation <= -1e6f || e->elevation >= p->elevation) &&
           (p->drainage <= 0 || e->drainage >= p->drainage) && e->length >= (double)p->length;
}

/* Numbers the vertices that stay, in their order; those of other lines alone go. `number` has room for
 * all. */
static void number_vertices(const struct oro_network *network, struct oro_network_builder *builder,
                            const bool *wanted, uint32_t *number)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; wanted[line] && i < starts[line + 1]; i++)
            number[indices[i]] = 1;
    for (uint32_t i = 0; i < network->vertex_count; i++)
        if (number[i])
            number[i] = oro_network_add_vertex(builder, oro_network_vertices(network)[i]);
}

static void add_lines(const struct oro_network *network, struct oro_network_builder *builder,
                      const bool *wanted, const uint32_t *number, uint32_t *room)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    for (uint32_t line = 0; line < network->line_count; line++) {
        size_t count = 0;
        for (uint32_t i = starts[line]; wanted[line] && i < starts[line + 1]; i++)
            room[count++] = number[indices[i]];
        oro_network_add_line(builder, room, count);
    }
}

static struct oro_network *filter(const struct params *p, const struct oro_network *network,
                                  struct oro_error *err)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    struct oro_network_builder builder = {0};
    bool *wanted = oro_alloc(network->line_count, sizeof *wanted);
    uint32_t *number = oro_alloc(network->vertex_count, sizeof *number);
    uint32_t *room = oro_alloc(network->index_count, sizeof *room);
    builder.failed = !wanted || !number || !room;
    for (uint32_t line = 0; !builder.failed && line < network->line_count; line++) {
        struct extent e =
            extent_of(oro_network_vertices(network), indices + starts[line], starts[line + 1] - starts[line]);
        wanted[line] = is_wanted(p, &e);
    }
    if (!builder.failed) {
        number_vertices(network, &builder, wanted, number);
        add_lines(network, &builder, wanted, number, room);
    }
    oro_free(wanted);
    oro_free(number);
    oro_free(room);
    return oro_network_finish(&builder, err);
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_error err = {0};
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return false;
    struct oro_network *left = filter(data, network, &err);
    if (left && left->line_count == 0 && network->line_count > 0)
        oro_note(oro_eval_log(e), ORO_WARNING, "none of the %u lines is left", network->line_count);
    return oro_eval_give_network(e, "network", left, &err);
}

ORO_NODE(
    network_filter, .version = 1, .category = "network",
    .doc = "Picks the larger lines of a network: rivers of a high order, ridges that rise high. All that is "
           "asked for must "
           "hold. Also a place to draw a network that several nodes use.",
    .eval = eval);
