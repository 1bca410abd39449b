/* Valleys along rivers. */
#include <math.h>

#include "base/memory.h"
#include "nodes/uplift/uplift_fit.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"

struct params {
    const char *network;
    float uplift, width, least, exponent;
    struct oro_profile profile;
    bool fit, fit_peak;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, network, NULL,
                   .doc =
                       "Rivers, each line downstream, without loops: from `river_network`, a file, or drawn"),
    ORO_IN_UPLIFT("background", .optional = true,
                  .doc = "Uplift that the valleys are carved into; without it, `uplift` everywhere"),
    ORO_IN_FLOAT(struct params, uplift, 0.0005, .min = 0, .max = 1, .soft_max = 0.002,
                 .unit = ORO_METRE_PER_YEAR,
                 .doc = "How fast the ground rises beside the valleys, where no `background` is linked"),
    ORO_IN_FLOAT(
        struct params, width, 0, .min = 0, .max = 1e6, .soft_max = 20000, .unit = ORO_METRE,
        .doc = "Of the valley of the largest river, from rim to rim. 0: the mean distance between the "
               "lines. Others go by the area that drains through "
               "them, or else by Strahler's order; where vertices know a width and no area, that is taken"),
    ORO_IN_FLOAT(struct params, exponent, 0.4, .min = 0, .max = 2, .soft_max = 1, .group = "Law",
                 .doc = "Power of the drainage area that widths go with: 0 for all the same"),
    ORO_IN_FLOAT(struct params, least, 0.05, .min = 0, .max = 1, .group = "Law",
                 .doc = "Small valleys keep this share of `width`"),
    ORO_IN_PROFILE(
        struct params, profile, "0 0, 0.35 0.02, 0.5 0.1, 0.85 0.9, 1 1",
        .doc =
            "Cross-section from the axis (0) to the rim (1), as a factor of the uplift around: low where the "
            "valley is. Steep sides make a valley, gentle ones hardly show"),
    ORO_IN_UPLIFT_FIT(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "The ground around, with the valleys carved into it"),
    {0},
};

/* ---- What a network knows ---- */

typedef bool knows(const struct oro_vertex *v);

static bool knows_drainage(const struct oro_vertex *v)
{
    return !isnan(v->drainage);
}

static bool knows_width(const struct oro_vertex *v)
{
    return !isnan(v->width);
}

static bool all_know(const struct oro_network *network, knows *it)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *indices = oro_network_indices(network);
    bool all = true;
    for (uint32_t i = 0; all && i < network->index_count; i++)
        all = it(&v[indices[i]]);
    return all;
}

/* Notes rivers that run uphill. They come out as well as they can: the terrain decides in the end (Schott
 * 2023, 6.2). */
static void note_rises(struct oro_eval *e, const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    const struct oro_vertex *first = NULL;
    size_t count = 0;
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++)
            if (v[indices[i + 1]].elevation > v[indices[i]].elevation && count++ == 0)
                first = &v[indices[i]];
    if (first)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "inconsistent: %zu pieces of rivers rise downstream, the first from %g m at %g, %g m; water "
                 "may go "
                 "another way there",
                 count, (double)first->elevation, (double)first->x, (double)first->y);
}

/* ---- Widths ---- */

/* The width in metres where lines have no length to find it from. */
static const double lone_width = 3000;

static double largest_width(const struct params *p, const struct oro_network *network)
{
    double spacing = oro_network_spacing(network);
    return p->width > 0 ? (double)p->width : spacing > 0 ? spacing : lone_width;
}

/* Drainage area of the next higher order, about: rivers of each order are some two to five times as many as
 * those of the next (Horton 1945). */
static const double area_ratio = 4;

/* Width of the valley at every vertex, w ~ a^0.4 (Harel 2022), into `width`. */
static bool find_widths(const struct params *p, const struct oro_network *network, double *width,
                        struct oro_error *err)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    uint32_t *order = oro_alloc(network->vertex_count, sizeof *order);
    bool by_area = all_know(network, knows_drainage), as_told = !by_area && all_know(network, knows_width);
    double most = 0, largest = largest_width(p, network);
    if (!order || !oro_network_strahler(network, order, err)) {
        bool ok = order || oro_fail(err, ORO_E_MEMORY, "no memory for %u vertices", network->vertex_count);
        oro_free(order);
        return ok && false;
    }
    for (uint32_t i = 0; i < network->vertex_count; i++) {
        width[i] = by_area ? (double)v[i].drainage : pow(area_ratio, fmin(order[i], 100));
        most = fmax(most, width[i]);
    }
    for (uint32_t i = 0; i < network->vertex_count; i++) {
        double share = most > 0 ? pow(width[i] / most, (double)p->exponent) : 1;
        width[i] = as_told ? (double)v[i].width : largest * fmax(share, (double)p->least);
    }
    oro_free(order);
    return true;
}

/* ---- Valleys ---- */

static float half(double width)
{
    return (float)fmin(fmax(width / 2, 0.01), 1e7);
}

static size_t lay_valleys(const struct oro_network *network, const double *width, float rim,
                          struct oro_valley *valleys)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    size_t count = 0;
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            uint32_t a = indices[i], b = indices[i + 1];
            valleys[count++] =
                (struct oro_valley){v[a].x, v[a].y, v[b].x, v[b].y, half(width[a]), half(width[b]), rim, rim};
        }
    return count;
}

static struct oro_uplift *make_valleys(const struct params *p, const struct oro_network *network, float rim,
                                       struct oro_error *err)
{
    double *width = oro_alloc(network->vertex_count, sizeof *width);
    struct oro_valley *valleys = oro_alloc(network->index_count, sizeof *valleys);
    struct oro_uplift *tree = NULL;
    float profile[ORO_VALLEY_POINTS];
    for (int i = 0; i < ORO_VALLEY_POINTS; i++)
        profile[i] = (float)fmin(oro_profile_at(&p->profile, (double)i / (ORO_VALLEY_POINTS - 1)), 1000);
    if (!width || !valleys)
        oro_fail(err, ORO_E_MEMORY, "no memory for the valleys of %u vertices", network->index_count);
    else if (find_widths(p, network, width, err))
        tree = oro_uplift_valleys(valleys, lay_valleys(network, width, rim, valleys), profile, err);
    oro_free(width);
    oro_free(valleys);
    return tree;
}

/* Valleys are a factor of what they are carved into: with a rim of 1 they meet it at the rim. */
static struct oro_uplift *carve_into(const struct oro_uplift *background, const struct oro_uplift *valleys,
                                     struct oro_error *err)
{
    struct oro_uplift *cut = oro_uplift_combine(background, valleys, ORO_UPLIFT_MULTIPLY, err);
    struct oro_uplift *tree = cut ? oro_uplift_combine(background, cut, ORO_UPLIFT_CARVE, err) : NULL;
    oro_free(cut);
    return tree;
}

/* Carves valleys into an even uplift (figure 16). */
static struct oro_uplift *carve_even(float uplift, const struct oro_uplift *valleys, struct oro_error *err)
{
    struct oro_uplift *even = oro_uplift_constant(uplift, err);
    struct oro_uplift *tree = even ? oro_uplift_combine(even, valleys, ORO_UPLIFT_CARVE, err) : NULL;
    oro_free(even);
    return tree;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {0};
    const struct oro_network *network = oro_eval_network(e, "network");
    bool has_background = oro_eval_linked(e, "background");
    const struct oro_uplift *background = has_background ? oro_eval_uplift(e, "background") : NULL;
    if (!network || (has_background && !background))
        return false;
    note_rises(e, network);
    struct oro_uplift *valleys = make_valleys(p, network, background ? 1 : p->uplift, &err);
    if (!valleys)
        return oro_eval_failed(e, &err);
    struct oro_uplift *tree =
        background ? carve_into(background, valleys, &err) : carve_even(p->uplift, valleys, &err);
    oro_free(valleys);
    return oro_eval_give_uplift(e, "uplift", oro_uplift_fitted(e, p->fit, p->fit_peak, tree, &err), &err);
}

ORO_NODE(uplift_from_rivers, .version = 1, .category = "uplift",
         .words = "river lines, sketch rivers, valleys from rivers, river valleys",
         .doc = "Carves valleys along rivers, the wider the more land drains through them: the rivers of "
                "`stream_power` will "
                "run there. Large valleys go on through the mountains of `background`.",
         .paper = "Schott 2023, section 6.2 and figure 16; Harel 2022", .spread = ORO_SPREAD_HOST,
         .eval = eval);
