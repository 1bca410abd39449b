/* Moves, turns and scales an uplift. */
#include "base/memory.h"
#include "graph/type/node.h"
#include "nodes/lib/angle.h"
#include "terrain/uplift/uplift.h"

struct params {
    float centre[2], move[2];
    float angle, scale_x, scale_y, strength;
};

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("uplift", .doc = "What is moved"),
    ORO_IN_POINT(struct params, move, "0 0", .handle = ORO_HANDLE_OFFSET, .handle_at = "centre",
                 .unit = ORO_METRE, .doc = "How far: metres east and south"),
    ORO_IN_POINT(struct params, centre, "5000 5000", .unit = ORO_METRE,
                 .doc =
                     "The place about which it is turned and scaled: metres east and south of the north-west "
                     "corner"),
    ORO_IN_FLOAT(struct params, angle, 0, .handle = ORO_HANDLE_ROTATION, .handle_at = "centre", .min = -360,
                 .max = 360, .soft_min = -180, .soft_max = 180, .unit = ORO_DEGREE,
                 .doc = "How far it is turned, clockwise"),
    ORO_IN_FLOAT(struct params, scale_x, 1, .min = -1000, .max = 1000, .soft_min = 0.1, .soft_max = 4,
                 .doc =
                     "How many times wider, from west to east, before turning; below 0 for the mirror image"),
    ORO_IN_FLOAT(struct params, scale_y, 1, .min = -1000, .max = 1000, .soft_min = 0.1, .soft_max = 4,
                 .doc = "How many times longer, from north to south"),
    ORO_IN_FLOAT(struct params, strength, 1, .min = 0, .max = 1000, .soft_max = 4,
                 .doc = "Factor of the uplift itself"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "The same at its new place"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift");
    struct oro_affine affine = {.centre = {(double)p->centre[0], (double)p->centre[1]},
                                .move = {(double)p->move[0], (double)p->move[1]},
                                .angle = oro_radians((double)p->angle),
                                .scale = {(double)p->scale_x, (double)p->scale_y}};
    struct oro_error err = {0};
    if (!tree)
        return false;
    struct oro_uplift *moved = oro_uplift_transform(tree, &affine, &err);
    struct oro_uplift *result = moved ? oro_uplift_scale(moved, p->strength, &err) : NULL;
    oro_free(moved);
    return oro_eval_give_uplift(e, "uplift", result, &err);
}

ORO_NODE(uplift_transform, .version = 1, .category = "uplift",
         .words = "move, rotate, scale, mirror, translate, flip",
         .doc = "Moves, turns, stretches or mirrors an uplift, and makes it stronger or weaker.",
         .paper = "Schott 2023, section 5.2", .spread = ORO_SPREAD_HOST, .eval = eval);
