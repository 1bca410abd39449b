/* A round massif. */
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"

struct params {
    float centre[2], radius, uplift;
};

static const struct oro_input inputs[] = {
    ORO_IN_POINT(struct params, centre, "5000 5000", .unit = ORO_METRE,
                 .doc = "The summit: metres east and south of the north-west corner"),
    ORO_IN_UPLIFT_RADIUS(struct params, 3000, .handle = ORO_HANDLE_RADIUS, .handle_at = "centre",
                         .doc = "Where the uplift has fallen to 0"),
    ORO_IN_UPLIFT_HEIGHT(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "Highest in the centre, 0 beyond the radius"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    struct oro_uplift_segment disc = {p->centre[0], p->centre[1], p->centre[0], p->centre[1],
                                      p->radius,    p->radius,    p->uplift,    p->uplift};
    return oro_eval_give_uplift(e, "uplift", oro_uplift_ranges(&disc, 1, &err), &err);
}

ORO_NODE(
    uplift_disc, .version = 1, .category = "uplift",
    .words = "dome, mountain, massif, peak, circle, hill, round",
    .doc = "A round massif: ground that rises fastest in the middle, and less and less towards its edge.",
    .paper = "Schott 2023, eq. 6", .spread = ORO_SPREAD_HOST, .eval = eval);
