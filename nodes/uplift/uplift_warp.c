/* Bends an uplift: faults and folds. */
#include "graph/type/node.h"
#include "nodes/lib/angle.h"
#include "terrain/uplift/uplift.h"

struct params {
    int method, octaves, seed;
    float centre[2];
    float radius, angle, amplitude, wavelength;
};

static const char *const methods[] = {"twist", "noise", NULL};
enum { TWIST, NOISE };

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("uplift", .doc = "What is bent"),
    ORO_IN_CHOICE(
        struct params, method, NOISE, methods,
        .doc = "twist: turned about a centre, most of all there. noise: pushed about in long waves, which "
               "takes the regularity out of discs and ranges"),
    ORO_IN_FLOAT(struct params, amplitude, 0, .share = 0.05, .when = "method=noise", .min = 0, .max = 1e6,
                 .soft_max = 5000, .unit = ORO_METRE, .group = "Noise",
                 .doc = "How far places are pushed: up to half the wavelength. 0: a twentieth of the world's "
                        "width"),
    ORO_IN_FLOAT(struct params, wavelength, 0, .share = 0.4, .when = "method=noise", .min = 0, .max = 1e7,
                 .soft_max = 50000, .unit = ORO_METRE, .group = "Noise",
                 .doc = "Length of the largest waves. 0: two fifths of the world's width"),
    ORO_IN_INT(struct params, octaves, 2, .when = "method=noise", .min = 1, .max = 4, .group = "Noise",
               .doc = "Layers of waves, each half as long as the one before"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_POINT(struct params, centre, "5000 5000", .when = "method=twist", .unit = ORO_METRE,
                 .group = "Twist",
                 .doc = "What it is turned about: metres east and south of the north-west corner"),
    ORO_IN_FLOAT(struct params, radius, 4000, .handle = ORO_HANDLE_RADIUS, .handle_at = "centre",
                 .when = "method=twist", .min = 0.1, .max = 1e7, .soft_min = 500, .soft_max = 50000,
                 .unit = ORO_METRE, .group = "Twist", .doc = "Beyond it nothing is turned"),
    ORO_IN_FLOAT(struct params, angle, 120, .handle = ORO_HANDLE_ROTATION, .handle_at = "centre",
                 .when = "method=twist", .min = -3600, .max = 3600, .soft_min = -360, .soft_max = 360,
                 .unit = ORO_DEGREE, .group = "Twist", .doc = "How far the centre is turned, clockwise"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "The same, bent"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift");
    const double centre[] = {(double)p->centre[0], (double)p->centre[1]};
    struct oro_error err = {0};
    if (!tree)
        return false;
    struct oro_uplift *bent =
        p->method == TWIST
            ? oro_uplift_twist(tree, centre, (double)p->radius, oro_radians((double)p->angle), &err)
            : oro_uplift_noise(tree, (double)p->amplitude, (double)p->wavelength, p->octaves,
                               (uint32_t)p->seed, &err);
    return oro_eval_give_uplift(e, "uplift", bent, &err);
}

ORO_NODE(
    uplift_warp, .version = 1, .category = "uplift", .words = "twirl, twist, distort, bend, swirl, displace",
    .doc = "Bends an uplift by a twist or by noise. Erosion comes afterwards, so that valleys and crests "
           "keep their "
           "natural shapes, which a warp of the terrain itself would smear.",
    .paper = "Schott 2023, eq. 8, figure 25", .spread = ORO_SPREAD_HOST, .eval = eval);
