/* Blends from one uplift to another. */
#include "base/memory.h"
#include "graph/type/node.h"
#include "terrain/uplift/uplift.h"

struct params {
    float weight;
};

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("a", .doc = "Where the weight is 0"),
    ORO_IN_UPLIFT("b", .doc = "Where the weight is 1"),
    ORO_IN_MAP(
        struct params, weight, 0.5, .min = 0, .max = 1, .takes_uplift = true,
        .doc =
            "Share of b: a number, a field such as a painted mask, or an uplift such as a disc of height 1. "
            "What lies above 1 counts as 1"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "(1 - weight) a + weight b"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_uplift *a = oro_eval_uplift(e, "a"), *b = oro_eval_uplift(e, "b");
    const struct oro_uplift *weight = oro_eval_uplift(e, "weight");
    struct oro_error err = {0};
    if (!a || !b || (oro_eval_linked(e, "weight") && !weight))
        return false;
    struct oro_uplift *even = weight ? NULL : oro_uplift_constant(p->weight, &err);
    struct oro_uplift *tree = weight || even ? oro_uplift_blend(a, b, weight ? weight : even, &err) : NULL;
    oro_free(even);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(
    uplift_blend, .version = 1, .category = "uplift", .words = "mix, interpolate, transition, lerp",
    .doc = "Blends two uplifts. Where terrains are blended as elevation, their valleys blur and water loses "
           "its way; "
           "blended as uplift, erosion finds one set of valleys for both.",
    .paper = "Schott 2023, eq. 9", .spread = ORO_SPREAD_HOST, .eval = eval);
