/* Gaussian blur. */
#include <math.h>

#include "graph/node.h"

/* Widest Gaussian of one stage, in steps of that stage, and where its tail is cut. */
enum { STAGE_SIGMA = 8, TAIL = 4, TAPS_MAX = STAGE_SIGMA * TAIL + 1, STAGES_MAX = 16 };

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
    ORO_OUT_FIELD("field", .like = "field", .doc = "The smoothed raster"),
    {0},
};

/* A stage blurs by `sigma` cells, looking only at every `stride`-th cell. */
struct stage {
    int stride;
    double sigma;
};

/* Variances of successive Gaussians add up. Once the raster is blurred by s cells, every s-th cell tells all
 * there is to know, so each stage may be eight times as wide as the one before at the same cost. */
static int plan_stages(double sigma, struct stage *stages)
{
    int count = 0;
    double done = 0;
    while (count < STAGES_MAX) {
        double rest = sqrt(fmax(sigma * sigma - done * done, 0));
        if (rest <= 1e-3 * sigma)
            break;
        int stride = (int)fmax(1, floor(fmin(done, rest)));
        stages[count] = (struct stage){stride, fmin(rest, (double)stride * STAGE_SIGMA)};
        done = hypot(done, stages[count++].sigma);
    }
    return count;
}

/* Weights of the middle and of one side; all of them together are 1. Returns how many. */
static int weigh(const struct stage *stage, float weights[TAPS_MAX])
{
    double sigma = stage->sigma / stage->stride, exact[TAPS_MAX] = {1}, total = 1;
    int side = (int)fmin(ceil(TAIL * sigma), TAPS_MAX - 1);
    for (int i = 1; i <= side; i++) {
        exact[i] = exp(-0.5 * i * i / (sigma * sigma));
        total += 2 * exact[i];
    }
    for (int i = 0; i <= side; i++)
        weights[i] = (float)(exact[i] / total);
    return side + 1;
}

/* Along the rows into `rows`, then along the columns into `to`. The last stage mixes with `original` by the
 * mask. */
static bool run_stage(struct oro_eval *e, struct oro_pass *pass, const struct stage *stage, bool last,
                      struct oro_buffer *from, struct oro_buffer *rows, struct oro_buffer *to)
{
    float weights[TAPS_MAX];
    int count = weigh(stage, weights);
    struct oro_buffer *table = oro_eval_buffer(e, (size_t)count), *original = oro_eval_input(e, "field");
    struct oro_buffer *across[] = {from, original, table, rows}, *down[] = {rows, original, table, to};
    float first[] = {(float)stage->stride, 0, (float)count, 0};
    float second[] = {0, (float)stage->stride, (float)count, last ? 1 : 0};
    return oro_eval_upload(e, table, weights, (size_t)count * sizeof weights[0]) &&
           oro_eval_run_with(e, pass, across, first) && oro_eval_run_with(e, pass, down, second);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_pass pass = {.kernel = "blur.comp",
                            .slots = {{"from", ORO_READ},
                                      {"original", ORO_READ},
                                      {"weights", ORO_READ},
                                      {"field_out", ORO_WRITE}},
                            .constants = {"east", "south", "count", "last"}};
    struct stage stages[STAGES_MAX];
    double widest = 2.0 * oro_grid_longer(grid);
    int count = plan_stages(fmin((double)p->radius / 2 / grid->cell, widest), stages);
    if (count == 0)
        return oro_eval_give(e, "field", oro_eval_input(e, "field"));
    struct oro_buffer *rows = oro_eval_buffer(e, oro_grid_cells(grid)), *from = oro_eval_input(e, "field");
    struct oro_buffer *to[2] = {oro_eval_buffer(e, oro_grid_cells(grid)), NULL};
    to[1] = count > 1 ? oro_eval_buffer(e, oro_grid_cells(grid)) : to[0];
    for (int i = 0; i < count; i++) {
        if (!run_stage(e, &pass, &stages[i], i == count - 1, from, rows, to[i & 1]) ||
            !oro_eval_progress(e, i + 1, count))
            return false;
        from = to[i & 1];
    }
    return oro_eval_give(e, "field", from);
}

static const char *const kernels[] = {"blur.comp", NULL};

const struct oro_node_type oro_node_blur = {
    .id = "blur",
    .version = 1,
    .category = "filter",
    .doc = "Gaussian blur. Beyond the edge the raster goes on as its mirror image, so level ground stays "
           "level and the "
           "mean stays what it was.",
    .inputs = inputs,
    .outputs = outputs,
    .params_size = sizeof(struct params),
    .kernels = kernels,
    .scratch_fields = 2,
    .eval = eval,
};
