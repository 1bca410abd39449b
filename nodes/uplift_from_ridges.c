/* Mountain ranges along ridges. */
#include <math.h>

#include "base/memory.h"
#include "graph/node.h"
#include "network/network.h"
#include "uplift/uplift.h"

struct params {
    const char *network;
    float uplift, radius, low, exponent, radius_exponent, least;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(
        struct params, network, NULL,
        .doc = "Ridges with their elevations: from `divide_tree`, a file, or drawn. A vertex without an "
               "elevation counts as the highest"),
    ORO_IN_FLOAT(struct params, uplift, 0.0005, .min = 0, .max = 1, .soft_max = 0.01,
                 .unit = ORO_METRE_PER_YEAR, .doc = "How fast the highest vertex rises"),
    ORO_IN_FLOAT(struct params, radius, 3000, .min = 1, .max = 1e6, .soft_min = 100, .soft_max = 20000,
                 .unit = ORO_METRE, .doc = "Half the width of the range at the highest vertex"),
    ORO_IN_FLOAT(struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 3000,
                 .unit = ORO_METRE, .doc = "Elevation that needs no uplift: that of the plains, or the sea"),
    ORO_IN_FLOAT(
        struct params, exponent, 1, .min = 0, .max = 8, .soft_max = 3, .group = "Law",
        .doc =
            "Uplift goes with this power of the height above `low`: 1 in proportion, 0 the same everywhere, "
            "above 1 for the highest peaks alone"),
    ORO_IN_FLOAT(struct params, radius_exponent, 1, .min = 0, .max = 8, .soft_max = 3, .group = "Law",
                 .doc = "The same for the radius"),
    ORO_IN_FLOAT(struct params, least, 0.1, .min = 0, .max = 1, .group = "Law",
                 .doc = "Low ridges keep this share of uplift and radius"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "A range along every ridge, the highest of them everywhere"),
    {0},
};

/* Elevations of vertices that lines name: highest, or NaN where none is known. */
static float highest_of(const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *indices = oro_network_indices(network);
    float highest = NAN;
    for (uint32_t i = 0; i < network->index_count; i++)
        highest = fmaxf(highest, v[indices[i]].elevation);
    return highest;
}

/* Height above `low`, as a share of the highest. */
static double share_of(const struct params *p, float highest, const struct oro_vertex *v)
{
    double relief = (double)highest - (double)p->low;
    if (isnan(v->elevation))
        return 1;
    return relief > 0 ? fmax(0, ((double)v->elevation - (double)p->low) / relief) : 0;
}

/* Schott 2023, 6.1: radii and values are in proportion to the elevations. */
static float scaled(const struct params *p, float most, double share, float exponent)
{
    return most * (float)fmax((double)p->least, pow(share, (double)exponent));
}

static struct oro_range range_of(const struct params *p, float highest, const struct oro_vertex *a,
                                 const struct oro_vertex *b)
{
    double share_a = share_of(p, highest, a), share_b = share_of(p, highest, b);
    return (struct oro_range){
        .ax = a->x,
        .ay = a->y,
        .bx = b->x,
        .by = b->y,
        .radius_a = fmaxf(scaled(p, p->radius, share_a, p->radius_exponent), 1e-3f * p->radius),
        .radius_b = fmaxf(scaled(p, p->radius, share_b, p->radius_exponent), 1e-3f * p->radius),
        .uplift_a = scaled(p, p->uplift, share_a, p->exponent),
        .uplift_b = scaled(p, p->uplift, share_b, p->exponent),
    };
}

static struct oro_uplift *raise_ridges(const struct params *p, const struct oro_network *network,
                                       size_t *count, struct oro_error *err)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    struct oro_range *ranges = oro_alloc(network->index_count, sizeof *ranges);
    float highest = highest_of(network);
    *count = 0;
    if (!ranges) {
        oro_fail(err, ORO_E_MEMORY, "no memory for the ranges of %u vertices", network->index_count);
        return NULL;
    }
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++)
            ranges[(*count)++] = range_of(p, highest, &v[indices[i]], &v[indices[i + 1]]);
    struct oro_uplift *tree = oro_uplift_ranges(ranges, *count, err);
    oro_free(ranges);
    return tree;
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_error err = {0};
    size_t count = 0;
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return false;
    if (network->line_count == 0)
        oro_note(oro_eval_log(e), ORO_WARNING, "the network has no ridges: nothing rises");
    struct oro_uplift *tree = raise_ridges(data, network, &count, &err);
    oro_eval_figure(e, "ranges", (double)count, "");
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

const struct oro_node_type oro_node_uplift_from_ridges = {
    .id = "uplift_from_ridges",
    .version = 1,
    .category = "uplift",
    .doc = "Raises mountain ranges along ridges, the higher the faster and the wider. With the ridges that "
           "`divide_tree` "
           "finds in a real terrain, `stream_power` makes a terrain whose ranges lie where they lie there.",
    .paper = "Schott 2023, section 6.1",
    .inputs = inputs,
    .outputs = outputs,
    .params_size = sizeof(struct params),
    .eval = eval,
};
