/* The same uplift everywhere. */
#include "graph/type/node.h"
#include "terrain/uplift/uplift.h"

struct params {
    float uplift;
};

static const struct oro_input inputs[] = {
    ORO_IN_FLOAT(struct params, uplift, 0.0005, .min = 0, .max = 1, .soft_max = 0.002,
                 .unit = ORO_METRE_PER_YEAR, .doc = "How fast the ground rises, everywhere"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "The number as an uplift"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    return oro_eval_give_uplift(e, "uplift", oro_uplift_constant(p->uplift, &err), &err);
}

ORO_NODE(uplift_constant, .version = 1, .category = "uplift", .words = "plateau, uniform uplift, base",
         .doc =
             "The same uplift everywhere: a plateau to carve valleys into, a base below ranges, or an upper "
             "limit for "
             "them.",
         .paper = "Schott 2023, section 5", .spread = ORO_SPREAD_HOST, .eval = eval);
