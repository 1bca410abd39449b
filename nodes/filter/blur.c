/* Gaussian blur. */
#include <math.h>

#include "base/gaussian.h"
#include "graph/type/node.h"

struct params {
    float radius, mask;
};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("field", .doc = "Raster to smooth"),
    ORO_IN_FLOAT(
        struct params, radius, 200, .min = 0, .max = 1e7, .soft_max = 2000, .unit = ORO_METRE,
        .doc = "What is smaller than about this vanishes: twice the standard deviation of the Gaussian"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "field", .unit_of = "field",
                  .doc = "The smoothed raster"),
    {0},
};

/* Blurs along the rows into `rows`, then along the columns into `to`. The last stage mixes with `original` by
 * the mask. */
static bool run_stage(struct oro_eval *e, struct oro_dispatch *blur, const struct oro_gaussian_stage *stage,
                      struct oro_buffer *from, struct oro_buffer *rows, struct oro_buffer *to, bool last)
{
    float weights[ORO_GAUSSIAN_TAPS_MAX];
    int count = oro_gaussian_weights(stage, weights);
    struct oro_buffer *table = oro_eval_buffer(e, (size_t)count);
    if (!oro_eval_upload(e, table, weights, (size_t)count * sizeof weights[0]))
        return false;
    oro_bind(blur, "weights", table);
    oro_set(blur, "count", count);
    blur->reach = count > 1 ? (count - 1) * stage->stride : ORO_REACH_CELL;
    for (int down = 0; down < 2; down++) {
        oro_bind(blur, "from", down ? rows : from);
        oro_bind(blur, "field_out", down ? to : rows);
        oro_set(blur, "east", down ? 0 : stage->stride);
        oro_set(blur, "south", down ? stage->stride : 0);
        oro_set(blur, "last", down && last);
        if (!oro_eval_dispatch(e, blur))
            return false;
    }
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_dispatch blur = {.kernel = "filter/blur.comp",
                                .slots = {{"from"},
                                          {"original", oro_eval_input(e, "field")},
                                          {"weights"},
                                          {"field_out", NULL, ORO_WRITE}},
                                .constants = {{"east"}, {"south"}, {"count"}, {"last"}}};
    struct oro_gaussian_stage stages[ORO_GAUSSIAN_STAGES_MAX];
    double widest = 2.0 * oro_grid_longer(grid);
    int count = oro_gaussian_stages(fmin((double)p->radius / 2 / grid->cell, widest), stages);
    if (count == 0)
        return oro_eval_give(e, "field", oro_eval_input(e, "field"));
    struct oro_buffer *rows = oro_eval_field(e), *from = oro_eval_input(e, "field");
    struct oro_buffer *to[2] = {oro_eval_field(e), NULL};
    to[1] = count > 1 ? oro_eval_field(e) : to[0];
    for (int i = 0; i < count; i++) {
        if (!run_stage(e, &blur, &stages[i], from, rows, to[i & 1], i == count - 1) ||
            !oro_eval_progress(e, i + 1, count))
            return false;
        from = to[i & 1];
    }
    return oro_eval_give(e, "field", from);
}

ORO_NODE(blur, .version = 1, .category = "filter",
         .words = "smooth, Gaussian blur, soften, low pass, feather, average, denoise, smear",
         .doc =
             "Gaussian blur. Beyond the edge the raster goes on as its mirror image, so level ground stays "
             "level and the "
             "mean stays what it was.",
         .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .eval = eval);
