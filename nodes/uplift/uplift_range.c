/* A straight mountain range. */
#include "base/memory.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"

struct params {
    float from[2], to[2], radius, uplift;
    ORO_UPLIFT_PROFILE_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_POINT(struct params, from, "2000 6500", .unit = ORO_METRE,
                 .doc = "One end: metres east and south of the north-west corner"),
    ORO_IN_POINT(struct params, to, "8000 3500", .handle = ORO_HANDLE_ARROW, .handle_at = "from",
                 .unit = ORO_METRE, .doc = "The other end"),
    ORO_IN_UPLIFT_RADIUS(struct params, 2500, .handle = ORO_HANDLE_RADIUS, .handle_at = "from-to",
                         .doc = "Half the width of the range"),
    ORO_IN_UPLIFT_HEIGHT(struct params),
    ORO_IN_UPLIFT_PROFILES(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "Highest on the line, 0 beyond the radius"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    struct oro_line_options options = {.width = 2 * (double)p->radius,
                                       .profiles = {&p->radius_profile, &p->uplift_profile}};
    struct oro_range_style style = {(double)p->uplift, &p->radius_profile, &p->uplift_profile};
    struct oro_network_builder builder = {.vertices = NULL};
    uint32_t ends[2] = {oro_network_add_vertex(&builder, oro_vertex_at(p->from[0], p->from[1])),
                        oro_network_add_vertex(&builder, oro_vertex_at(p->to[0], p->to[1]))};
    oro_network_add_line(&builder, ends, 2);
    struct oro_network *line = oro_network_finish(&builder, &err);
    struct oro_line_piece *pieces = NULL;
    size_t count = 0;
    bool ok = line && oro_network_pieces(line, &options, &pieces, &count, &err);
    struct oro_uplift *tree = ok ? oro_uplift_along(pieces, count, &style, &err) : NULL;
    oro_free(pieces);
    oro_free(line);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(uplift_range, .version = 1, .category = "uplift",
         .words = "mountain range, mountain, mountains, mountain chain, cordillera, sierra",
         .doc = "A straight mountain range between two places, whose width and height may change along it.",
         .paper = "Schott 2023, section 5.1, figure 11", .spread = ORO_SPREAD_HOST, .eval = eval);
