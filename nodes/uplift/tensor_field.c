/* Directions over the world, put together from elements. */
#include "base/memory.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"

struct params {
    int method, blend;
    float centre[2];
    float angle, decay, weight;
    const char *curve;
};

static const char *const methods[] = {"regular", "radial",    "circular", "saddle",
                                      "loop",    "trisector", "ridge",    NULL};
static const char *const blends[] = {"add", "over", NULL};
enum { RIDGE = 6, SEGMENTS_MAX = 4096 };

static const struct oro_input inputs[] = {
    ORO_IN_VECTOR("tensor", .optional = true,
                  .doc = "The field so far, from another `tensor_field`: this element is blended with it"),
    ORO_IN_LIKE(.doc =
                    "Gives the field the size of this raster, where it is the first element; without it, the "
                    "world's base resolution"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc = "regular: one direction. radial: rays from the centre. circular: rings about it. saddle: "
               "hyperbolas that turn away from it. loop: lines that turn round it, like a fingerprint's. "
               "trisector: three bundles that part there. ridge: along the curve"),
    ORO_IN_MAP(
        struct params, angle, 0, .handle = ORO_HANDLE_ROTATION, .handle_at = "centre", .min = -360,
        .max = 360, .soft_min = 0, .soft_max = 180, .unit = ORO_DEGREE,
        .doc = "Of regular: the direction, 0 for north and south, 90 for east and west. Of the others: how "
               "far all directions are turned, clockwise; it makes spirals of rays"),
    ORO_IN_POINT(struct params, centre, "5000 5000", .when = "method!=ridge", .unit = ORO_METRE,
                 .doc = "Where the element is: metres east and south of the north-west corner"),
    ORO_IN_NETWORK(struct params, curve, "", .when = "method=ridge",
                   .doc = "Of ridge: the lines to follow. A linked network without lines has no effect"),
    ORO_IN_FLOAT(
        struct params, decay, 0, .handle = ORO_HANDLE_RADIUS, .handle_at = "centre", .min = 0, .max = 1e7,
        .soft_max = 50000, .unit = ORO_METRE, .group = "Weight",
        .doc = "Distance from the centre, or from the curve, at which the weight has fallen to 37 %: 0 for "
               "the same weight everywhere"),
    ORO_IN_MAP(struct params, weight, 1, .min = 0, .max = 1000, .soft_max = 4, .group = "Weight",
               .doc = "How much the element counts against the others"),
    ORO_IN_CHOICE(
        struct params, blend, 0, blends, .group = "Weight",
        .doc = "add: weights add up, in whatever order. over: this element replaces what was before, as "
               "far as its weight goes"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_VECTOR("tensor", .doc = "The field, for a further element or for `uplift_folds`"),
    ORO_OUT_VECTOR("direction", .doc = "Unit vectors, x east and y south; 0 where there is no direction. For "
                                       "other uses: `tensor` inputs take the output `tensor`"),
    ORO_OUT_FIELD("angle", .unit = ORO_DEGREE, .doc = "The same as a bearing: 0 north, 90 east, below 180"),
    {0},
};

/* Pairs of points; those at the same place have no direction and are left out. */
static size_t list_segments(const struct oro_network *network, float (*segments)[4])
{
    const struct oro_vertex *vertices = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    size_t count = 0;
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            const struct oro_vertex *a = &vertices[indices[i]], *b = &vertices[indices[i + 1]];
            if (a->x == b->x && a->y == b->y)
                continue;
            if (segments && count < SEGMENTS_MAX) {
                float segment[] = {a->x, a->y, b->x, b->y};
                for (int k = 0; k < 4; k++)
                    segments[count][k] = segment[k];
            }
            count++;
        }
    return count;
}

/* The curve on the device; one segment of zeros where there is none. NULL: failed. */
static struct oro_buffer *upload_curve(struct oro_eval *e, const struct params *p, float *count)
{
    const struct oro_network *network = p->method == RIDGE ? oro_eval_network(e, "curve") : NULL;
    size_t segments = network ? list_segments(network, NULL) : 0;
    if (network && segments == 0 && !oro_eval_linked(e, "curve"))
        oro_eval_fail(e, ORO_E_EVALUATE, "method ridge needs a `curve`: a line of two points or more");
    if (segments > SEGMENTS_MAX)
        oro_eval_fail(e, ORO_E_LIMIT, "the curve has %zu pieces; at most %d can be followed", segments,
                      SEGMENTS_MAX);
    segments = segments > SEGMENTS_MAX ? SEGMENTS_MAX : segments;
    float(*data)[4] = oro_alloc(segments + 1, sizeof *data);
    struct oro_buffer *buffer = oro_eval_buffer(e, 4 * (segments + 1));
    if (data && network)
        list_segments(network, data);
    bool ok = data ? oro_eval_upload(e, buffer, data, (segments + 1) * sizeof *data)
                   : oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu pieces of a curve", segments);
    oro_free(data);
    *count = (float)segments;
    return ok ? buffer : NULL;
}

static bool eval(struct oro_eval *e, const void *data)
{
    float count = 0;
    struct oro_buffer *curve = upload_curve(e, data, &count);
    return curve && oro_eval_default(e, &(struct oro_dispatch){
                                            .slots = {{"segments", curve, ORO_READ, "vec4"}},
                                            .constants = {{"segments", count}},
                                        });
}

ORO_NODE(tensor_field, .version = 1, .category = "uplift",
         .words = "direction field, orientation, vector field, flow field, directions, guide",
         .doc = "Directions over the world, such as those in which the ground is folded. Each node adds an "
                "element; a chain "
                "of them makes the field.",
         .paper = "Zhang 2007; Schott 2023, section 6.3", .spread = ORO_SPREAD_TILES, .reach = ORO_REACH_CELL,
         .kernel = "uplift/tensor_field.comp", .eval = eval);
