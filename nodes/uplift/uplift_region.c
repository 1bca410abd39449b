/* Cuts or copies a region of an uplift, and pastes it elsewhere. */
#include "graph/type/node.h"
#include "nodes/lib/angle.h"
#include "terrain/uplift/uplift.h"

struct params {
    bool cut;
    float from[2], to[2];
    float radius_x, radius_y, angle, scale, feather;
};

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("uplift", .doc = "What a region is taken from, and pasted into"),
    ORO_IN_POINT(struct params, from, "3000 3000", .unit = ORO_METRE,
                 .doc = "Centre of the region: metres east and south of the north-west corner"),
    ORO_IN_POINT(struct params, to, "7000 7000", .handle = ORO_HANDLE_ARROW, .handle_at = "from",
                 .unit = ORO_METRE, .doc = "Where the centre of the copy comes"),
    ORO_IN_FLOAT(struct params, radius_x, 2000, .handle = ORO_HANDLE_RADIUS_X, .handle_at = "from",
                 .min = 0.1, .max = 1e7, .soft_min = 100, .soft_max = 20000, .unit = ORO_METRE,
                 .doc = "The region reaches as far to the east and to the west"),
    ORO_IN_FLOAT(struct params, radius_y, 2000, .handle = ORO_HANDLE_RADIUS_Y, .handle_at = "from",
                 .min = 0.1, .max = 1e7, .soft_min = 100, .soft_max = 20000, .unit = ORO_METRE,
                 .doc = "The region reaches as far to the north and to the south"),
    ORO_IN_FLOAT(struct params, angle, 0, .handle = ORO_HANDLE_ROTATION, .handle_at = "to", .min = -360,
                 .max = 360, .soft_min = -180, .soft_max = 180, .unit = ORO_DEGREE,
                 .doc = "How far the copy is turned, clockwise"),
    ORO_IN_FLOAT(struct params, scale, 1, .min = 0.01, .max = 100, .soft_min = 0.2, .soft_max = 4,
                 .doc = "How many times larger the copy is"),
    ORO_IN_FLOAT(
        struct params, feather, 0.3, .min = 0, .max = 1,
        .doc = "Share of the radius in which the copy goes over into what is around it: 0 for a sharp edge"),
    ORO_IN_BOOL(struct params, cut, false,
                .doc = "The region is emptied at its old place: it is moved, not copied"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "With the copy in it"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift");
    struct oro_paste paste = {.from = {(double)p->from[0], (double)p->from[1]},
                              .to = {(double)p->to[0], (double)p->to[1]},
                              .radius = {(double)p->radius_x, (double)p->radius_y},
                              .angle = oro_radians((double)p->angle),
                              .scale = (double)p->scale,
                              .feather = (double)p->feather,
                              .cut = p->cut};
    struct oro_error err = {0};
    return tree && oro_eval_give_uplift(e, "uplift", oro_uplift_paste(tree, &paste, &err), &err);
}

ORO_NODE(
    uplift_region, .version = 1, .category = "uplift",
    .doc = "Copies a part of an uplift to another place, turned and scaled, or moves it there. Erosion joins "
           "what was "
           "pasted to its surroundings.",
    .paper = "Schott 2023, section 7.1, figure 22", .eval = eval);
