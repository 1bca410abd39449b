/* Bends a terrain sideways. */
#include <math.h>

#include "base/random.h"
#include "graph/type/node.h"
#include "nodes/lib/noise_layers.h"
#include "nodes/lib/range.h"

enum { OCTAVES_MAX = 16, ITERATIONS_MAX = 32 };

struct params {
    int method, octaves, seed, iterations, edge;
    float amplitude, feature, gain, direction, mask;
};

enum { NOISE, DIRECTION, VECTOR };
static const char *const methods[] = {"noise", "direction", "vector", NULL};
enum { REPEAT = 1, MIRROR };
static const char *const edges[] = {"clamp", "repeat", "mirror", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "Elevation, or any other raster"),
    ORO_IN_CHOICE(struct params, method, NOISE, methods,
                  .doc = "noise: places are pushed about at random. direction: all one way, by `amplitude`, "
                         "which may be a field. vector: along what is linked to `vector`"),
    ORO_IN_MAP(struct params, amplitude, 250, .min = -1e6, .max = 1e6, .soft_min = 0, .soft_max = 2000,
               .unit = ORO_METRE,
               .doc = "How far the ground is moved: by noise at most this far along each axis; along "
                      "`direction` as far as this; or as far as this times the length of `vector`. 0 leaves "
                      "it where it is, bit by bit"),
    ORO_IN_INT(struct params, iterations, 1, .min = 1, .max = ITERATIONS_MAX, .soft_max = 8,
               .doc = "Warps of warps: the same as so many of these nodes in a row, but looked up once, "
                      "which keeps it sharp"),
    ORO_IN_FLOAT(struct params, feature, 0, .share = 0.15, .when = "method=noise", .min = 0, .max = 1e7,
                 .soft_max = 20000, .unit = ORO_METRE, .group = "Noise",
                 .doc = "Size of the largest bends. 0: 15 hundredths of the world's width"),
    ORO_IN_INT(struct params, octaves, 3, .when = "method=noise", .min = 1, .max = OCTAVES_MAX, .soft_max = 8,
               .group = "Noise",
               .doc = "Layers of bends, each half as large as the one before. Those finer than two cells "
                      "only add grain"),
    ORO_IN_FLOAT(struct params, gain, 0.5, .when = "method=noise", .min = 0, .max = 2, .soft_max = 1,
                 .group = "Noise", .doc = "Strength of each next layer relative to the one before"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MAP(struct params, direction, 90, .when = "method=direction", .handle = ORO_HANDLE_ROTATION,
               .min = -360, .max = 360, .soft_min = 0, .unit = ORO_DEGREE, .group = "Direction",
               .doc = "Of the method direction: where the ground is moved to, 0 north, 90 east"),
    ORO_IN_VECTOR("vector", .when = "method=vector", .optional = true, .group = "Vector",
                  .doc = "Of the method vector: which way the ground is moved, x to the east and y to the "
                         "south, such as `direction` of `flow_orientation`"),
    ORO_IN_CHOICE(struct params, edge, MIRROR, edges, .group = "Edge",
                  .doc = "What comes in from beyond the edge. clamp: the elevation of the nearest edge. "
                         "repeat: the other side. mirror: the way back"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .like = "terrain",
                  .doc = "The same, bent. The mask scales how far"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    if (p->method == VECTOR && !oro_shape_input(s, "vector"))
        return oro_shape_fail(s, "the method vector needs one: link 'vector', or choose another method");
    *grid = *oro_shape_input(s, "terrain");
    return true;
}

/* The largest number in a raster, up or down; of a map, within its range. */
static bool largest_in(struct oro_eval *e, const char *input, float most, double *largest)
{
    float range[2];
    if (!oro_field_range(e, input, range))
        return false;
    *largest = fmin(fmax(fabs((double)range[0]), fabs((double)range[1])), (double)most);
    return true;
}

/* How far away the ground of any cell comes from. What is beyond the edges is nearer, but for `repeat`, by
 * which it is anywhere. */
static bool find_reach(struct oro_eval *e, const struct params *p, int *reach)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    double amplitude = fabs((double)p->amplitude), beside = 3;
    float length = 1;
    *reach = oro_grid_longer(grid);
    if (!oro_eval_spread(e) || p->edge == REPEAT)
        return true;
    if (oro_eval_linked(e, "amplitude") && !largest_in(e, "amplitude", 1e6F, &amplitude))
        return false;
    if (p->method == VECTOR && !oro_largest_component(e, oro_eval_input(e, "vector"), &length))
        return false;
    double farthest = ceil(1.01 * p->iterations * amplitude * (double)length / grid->cell) + beside;
    *reach = (int)fmin(farthest, oro_grid_longer(grid));
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_noise_layers layers = {0};
    struct oro_dispatch extras = {0};
    if (!find_reach(e, p, &extras.reach))
        return false;
    oro_noise_place_octaves(&layers, 2 * p->octaves, 2, oro_eval_grid(e), (double)p->feature,
                            (uint32_t)p->seed);
    return oro_noise_upload(e, &layers, &extras) && oro_eval_default(e, &extras);
}

ORO_NODE(
    warp, .version = 1, .category = "filter",
    .words = "distort, displace, displacement, domain warp, bend, perturb, turbulence, shear, push, swirl",
    .doc = "Moves the ground sideways, which bends what is straight and takes the regularity out of shapes: "
           "by noise, along a direction, or along a field of vectors. A smooth surface through the cells is "
           "looked up where it comes from. The pattern is fixed to the world.",
    .shape = shape, .spread = ORO_SPREAD_TILES, .kernel = "filter/warp.comp", .eval = eval);
