/* Valleys along drawn lines, to be carved. */
#include "base/memory.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"

struct params {
    const char *curve;
    bool smooth, use_width;
    float width, rim;
    struct oro_profile profile, width_profile;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, curve, "1000 1500, 4500 3000, 5000 6500, 9000 8000", .bends = "smooth",
                   .doc = "The valleys' axes: lines of points, or a network"),
    ORO_IN_BOOL(struct params, smooth, true,
                .doc =
                    "Bends the lines smoothly; they then pass by their inner points, and not through them"),
    ORO_IN_FLOAT(struct params, width, 1500, .handle = ORO_HANDLE_WIDTH, .handle_at = "curve", .min = 1,
                 .max = 1e6, .soft_min = 100, .soft_max = 10000, .unit = ORO_METRE, .doc = "From rim to rim"),
    ORO_IN_FLOAT(
        struct params, rim, 0.0005, .min = 0, .max = 1, .soft_max = 0.002, .unit = ORO_METRE_PER_YEAR,
        .doc = "Uplift at the rims: about that of the mountains beside the valley. Beyond them the valley "
               "changes nothing"),
    ORO_IN_PROFILE(struct params, profile, "0 0, 0.35 0.02, 0.5 0.1, 0.85 0.9, 1 1",
                   .doc =
                       "Cross-section from the axis (0) to the rim (1), as a factor of `rim`: low where the "
                       "valley is. Steep sides make a valley, gentle ones hardly show"),
    ORO_IN_PROFILE(struct params, width_profile, "0 0.5, 1 1", .group = "Along the line",
                   .doc = "Factor of the width from the beginning (0) to the end (1) of a line"),
    ORO_IN_BOOL(
        struct params, use_width, true, .group = "Along the line",
        .doc = "Where a point has a width of its own (its fourth number), that counts instead of `width`"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift",
                   .doc = "The valleys, and nothing beside them: for `uplift_combine` with `carve`"),
    {0},
};

static float half_width(const struct oro_line_end *end, const struct params *p)
{
    double half = end->width / 2 * oro_profile_at(&p->width_profile, end->along);
    return (float)(half < 0.01 ? 0.01 : half > 1e7 ? 1e7 : half);
}

static struct oro_uplift *make_tree(const struct params *p, const struct oro_line_piece *pieces, size_t count,
                                    struct oro_error *err)
{
    struct oro_valley *valleys = oro_alloc(count + 1, sizeof *valleys);
    float profile[ORO_VALLEY_POINTS];
    if (!valleys) {
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu valleys", count);
        return NULL;
    }
    for (int i = 0; i < ORO_VALLEY_POINTS; i++) {
        double factor = oro_profile_at(&p->profile, (double)i / (ORO_VALLEY_POINTS - 1));
        profile[i] = (float)(factor > 1000 ? 1000 : factor);
    }
    for (size_t i = 0; i < count; i++) {
        const struct oro_line_end *a = &pieces[i].a, *b = &pieces[i].b;
        valleys[i] = (struct oro_valley){(float)a->x,      (float)a->y,      (float)b->x, (float)b->y,
                                         half_width(a, p), half_width(b, p), p->rim,      p->rim};
    }
    struct oro_uplift *tree = oro_uplift_valleys(valleys, count, profile, err);
    oro_free(valleys);
    return tree;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    struct oro_line_options options = {.smooth = p->smooth,
                                       .width = (double)p->width,
                                       .use_width = p->use_width,
                                       .profiles = {&p->width_profile}};
    const struct oro_network *network = oro_eval_network(e, "curve");
    struct oro_line_piece *pieces = NULL;
    size_t count = 0;
    if (!network)
        return false;
    if (!oro_network_pieces(network, &options, &pieces, &count, &err))
        return oro_eval_failed(e, &err);
    struct oro_uplift *tree = make_tree(p, pieces, count, &err);
    oro_free(pieces);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(uplift_valley, .version = 1, .category = "uplift",
         .words = "valleys, canyon, gorge, pass, trench, river bed",
         .doc =
             "Valleys along lines, where the ground hardly rises: rivers will find their way through them. "
             "Carve them "
             "into mountains with `uplift_combine`.",
         .paper = "Schott 2023, section 5.1, figure 12", .spread = ORO_SPREAD_HOST, .eval = eval);
