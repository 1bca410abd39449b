/* Joins two uplifts. */
#include "graph/type/node.h"
#include "terrain/uplift/uplift.h"

struct params {
    int method;
};

/* In the order of enum oro_uplift_combine. */
static const char *const methods[] = {"max", "min", "add", "carve", "multiply", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("a", .doc = "First uplift"),
    ORO_IN_UPLIFT("b", .optional = true, .doc = "Second uplift; without it, the result is the first"),
    ORO_IN_CHOICE(
        struct params, method, ORO_UPLIFT_MAX, methods,
        .doc = "max: the higher of both: ranges side by side. min: the lower. add: one on top of the other. "
               "carve: the valleys of b are cut into a, which stays as it is elsewhere. multiply: b as a "
               "factor, such as a mask"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "Both in one"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_uplift *a = oro_eval_uplift(e, "a"), *b = oro_eval_uplift(e, "b");
    struct oro_error err = {0};
    if (!a || (oro_eval_linked(e, "b") && !b))
        return false;
    struct oro_uplift *tree =
        b ? oro_uplift_combine(a, b, (enum oro_uplift_combine)p->method, &err) : oro_uplift_scale(a, 1, &err);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(
    uplift_combine, .version = 1, .category = "uplift", .words = "join, merge, union, add, subtract",
    .doc = "Joins two uplifts into one. A chain of these makes a mountain system out of its ranges, and cuts "
           "its "
           "valleys.",
    .paper = "Schott 2023, section 5.2", .spread = ORO_SPREAD_HOST, .eval = eval);
