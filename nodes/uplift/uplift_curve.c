/* Mountain ranges along drawn lines. */
#include "base/memory.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"

struct params {
    const char *curve;
    bool smooth, use_width;
    float radius, uplift;
    ORO_UPLIFT_PROFILE_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, curve, "1500 7000, 4000 3500, 6000 5500, 8500 2500", .bends = "smooth",
                   .doc = "The crests: lines of points, or a network. A lone point gives a disc"),
    ORO_IN_BOOL(struct params, smooth, true,
                .doc =
                    "Bends the lines smoothly; they then pass by their inner points, and not through them. A "
                    "line that ends where it began becomes a ring"),
    ORO_IN_UPLIFT_RADIUS(struct params, 2000, .handle = ORO_HANDLE_RADIUS, .handle_at = "curve",
                         .doc = "Half the width of the ranges"),
    ORO_IN_UPLIFT_HEIGHT(struct params),
    ORO_IN_UPLIFT_PROFILES(struct params),
    ORO_IN_BOOL(struct params, use_width, true, .group = "Along the line",
                .doc =
                    "Where a point has a width of its own (its fourth number), half of it takes the place of "
                    "`radius`"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "Highest on the lines"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    struct oro_line_options options = {.smooth = p->smooth,
                                       .width = 2 * (double)p->radius,
                                       .use_width = p->use_width,
                                       .profiles = {&p->radius_profile, &p->uplift_profile}};
    struct oro_range_style style = {(double)p->uplift, &p->radius_profile, &p->uplift_profile};
    const struct oro_network *network = oro_eval_network(e, "curve");
    struct oro_line_piece *pieces = NULL;
    size_t count = 0;
    if (!network)
        return false;
    if (!oro_network_pieces(network, &options, &pieces, &count, &err))
        return oro_eval_failed(e, &err);
    struct oro_uplift *tree = oro_uplift_along(pieces, count, &style, &err);
    oro_free(pieces);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(
    uplift_curve, .version = 1, .category = "uplift",
    .words = "spline, draw mountains, mountain chain, path, along a line, brush",
    .doc = "Mountain ranges along lines that are drawn, or taken from a network. Width and height may change "
           "along each line. Ranges are smooth where lines bend or meet, and taper off at their ends.",
    .paper = "Schott 2023, section 5.1", .spread = ORO_SPREAD_HOST, .eval = eval);
