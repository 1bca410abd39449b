/* Mountain ranges along ridges. */
#include <math.h>

#include "base/memory.h"
#include "nodes/uplift/uplift_fit.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/network/network.h"

struct params {
    const char *network;
    float uplift, radius, low, exponent, radius_exponent, least, foothills, foothill_radius;
    bool fit, fit_peak;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(
        struct params, network, NULL,
        .doc = "Ridges with their elevations: from `divide_tree`, a file, or drawn. A vertex without an "
               "elevation counts as the highest"),
    ORO_IN_FLOAT(struct params, uplift, 0.0005, .min = 0, .max = 1, .soft_max = 0.01,
                 .unit = ORO_METRE_PER_YEAR, .doc = "How fast the highest vertex rises"),
    ORO_IN_FLOAT(struct params, radius, 0, .min = 0, .max = 1e6, .soft_max = 20000, .unit = ORO_METRE,
                 .doc = "Half the width of the range at the highest vertex. 0: half the mean distance "
                        "between the lines. Ridges keep their places as long as ranges do not run into each "
                        "other"),
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
    ORO_IN_FLOAT(struct params, foothills, 0.1, .min = 0, .max = 1, .group = "Foothills",
                 .doc = "Hills around the ranges rise with this share of their uplift. 0: level ground "
                        "between ranges. With much, ridges of their own lead away from those that are given"),
    ORO_IN_FLOAT(struct params, foothill_radius, 2, .min = 1, .max = 100, .soft_max = 10,
                 .group = "Foothills", .doc = "How far they reach, as a multiple of the range's radius"),
    ORO_IN_UPLIFT_FIT(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "A range along every ridge, smooth where they meet"),
    {0},
};

/* Radius of lone peaks in metres, since no ridge tells one. */
static const double lone_radius = 3000;

/* What ranges have in common. */
struct style {
    const struct params *p;
    double highest;        /* elevation of the highest vertex; NaN: none is known */
    double radius, uplift; /* there */
};

/* The highest elevation of vertices that lines name; NaN if none is known. */
static double highest_of(const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *indices = oro_network_indices(network);
    double highest = NAN;
    for (uint32_t i = 0; i < network->index_count; i++)
        highest = fmax(highest, (double)v[indices[i]].elevation);
    return highest;
}

/* Height above `low`, as a share of the highest. */
static double share_of(const struct style *style, const struct oro_vertex *v)
{
    double low = (double)style->p->low, relief = style->highest - low;
    if (isnan(v->elevation))
        return 1;
    return relief > 0 ? fmax(0, ((double)v->elevation - low) / relief) : 0;
}

/* Schott 2023, 6.1: radii and values are in proportion to the elevations. */
static double factor(const struct style *style, double share, float exponent)
{
    return fmax((double)style->p->least, pow(share, (double)exponent));
}

static float radius_at(const struct style *style, double share)
{
    double radius = style->radius * fmax(factor(style, share, style->p->radius_exponent), 1e-3);
    return (float)fmin(fmax(radius, 0.01), 1e7);
}

static float uplift_at(const struct style *style, double share)
{
    return (float)(style->uplift * factor(style, share, style->p->exponent));
}

static struct oro_uplift_segment range_of(const struct style *style, const struct oro_vertex *a,
                                          const struct oro_vertex *b)
{
    double share_a = share_of(style, a), share_b = share_of(style, b);
    return (struct oro_uplift_segment){
        .ax = a->x,
        .ay = a->y,
        .bx = b->x,
        .by = b->y,
        .radius_a = radius_at(style, share_a),
        .radius_b = radius_at(style, share_b),
        .uplift_a = uplift_at(style, share_a),
        .uplift_b = uplift_at(style, share_b),
    };
}

/* A range along every piece of the lines, which are numbered from `first` on. Returns how many. */
static size_t lay_ranges(const struct style *style, const struct oro_network *network, uint32_t first,
                         struct oro_uplift_segment *ranges, uint32_t *lines)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    size_t count = 0;
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            lines[count] = first + line;
            ranges[count++] = range_of(style, &v[indices[i]], &v[indices[i + 1]]);
        }
    return count;
}

/* Half the distance between ridges: ranges just meet. Wider ones make one plateau of uplift, on which ridges
 * go where they like. */
static double radius_of(const struct params *p, const struct oro_network *network)
{
    double spacing = oro_network_spacing(network);
    return p->radius > 0 ? (double)p->radius : spacing > 0 ? spacing / 2 : lone_radius;
}

/* Ranges that are narrow enough to keep ridges in their places, and hills that fill the ground between. */
static struct oro_uplift *raise_ridges(struct oro_eval *e, const struct params *p,
                                       const struct oro_network *network, struct oro_error *err)
{
    struct oro_uplift_segment *ranges = oro_alloc(network->index_count, 2 * sizeof *ranges);
    uint32_t *lines = oro_alloc(network->index_count, 2 * sizeof *lines);
    struct oro_uplift *tree = NULL;
    struct style style = {
        .p = p, .highest = highest_of(network), .radius = radius_of(p, network), .uplift = (double)p->uplift};
    if (ranges && lines) {
        size_t count = lay_ranges(&style, network, 0, ranges, lines);
        oro_eval_figure(e, "ranges", (double)count, "");
        oro_eval_figure(e, "radius", style.radius, "m");
        style.radius *= (double)p->foothill_radius;
        style.uplift *= (double)p->foothills;
        if (p->foothills > 0)
            count += lay_ranges(&style, network, network->line_count, ranges + count, lines + count);
        tree = oro_uplift_smooth(ranges, lines, count, err);
    } else {
        oro_fail(err, ORO_E_MEMORY, "no memory for the ranges of %u vertices", network->index_count);
    }
    oro_free(ranges);
    oro_free(lines);
    return tree;
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_error err = {0};
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return false;
    if (network->line_count == 0)
        oro_note(oro_eval_log(e), ORO_WARNING, "the network has no ridges: nothing rises");
    const struct params *p = data;
    struct oro_uplift *tree =
        oro_uplift_fitted(e, p->fit, p->fit_peak, raise_ridges(e, p, network, &err), &err);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(uplift_from_ridges, .version = 1, .category = "uplift",
         .words = "ridge lines, sketch mountains, mountains from ridges",
         .doc =
             "Raises mountain ranges along ridges, the higher the faster and the wider. With the ridges that "
             "`divide_tree` finds in a real terrain, `stream_power` makes a terrain whose ranges lie where "
             "they lie "
             "there. As `background` of `uplift_from_rivers`, its rivers have their places as well.",
         .paper = "Schott 2023, section 6.1", .spread = ORO_SPREAD_HOST, .eval = eval);
