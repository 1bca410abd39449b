#include "nodes/source/gabor_noise.h"

#include "nodes/lib/gabor_lattice.h"

/* Fills `gabor` but for the kernels. */
static void plan(struct oro_eval *e, const struct oro_gabor_noise *noise, double limit,
                 struct oro_gabor *gabor)
{
    bool limited;
    *gabor = (struct oro_gabor){
        .ratio = 1, .levels = 1, .regularity = (double)noise->regularity, .seed = (uint32_t)noise->seed};
    oro_gabor_range(e, "frequency", noise->frequency, limit, gabor, &limited);
    if (limited)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "%s: cells of %g m carry waves of %g m at best: 'frequency' is lowered to %g 1/m",
                 oro_eval_type(e)->id, 0.25 / limit, 1 / limit, limit);
}

static bool lay(struct oro_eval *e, double limit, const struct oro_gabor *gabor)
{
    static const char *const maps[] = {"angle", "frequency", NULL};
    struct oro_gabor_laying laying = {.guides = {.kernel = "source/gabor_guides.comp",
                                                 .maps = maps,
                                                 .constants = {{"limit", (float)limit},
                                                               {"carried", oro_gabor_carried(e)},
                                                               {"lowest", (float)gabor->lowest}}},
                                      .source = *oro_eval_grid(e),
                                      .kernels = {.kernel = "source/gabor_kernels.comp"}};
    oro_eval_add_input(e, &laying.guides, "orientation");
    return oro_gabor_lay(e, gabor, &laying);
}

bool oro_gabor_noise_shape(struct oro_shape *shape, float frequency, float regularity,
                           const struct oro_grid *grid)
{
    struct oro_gabor gabor = {.high = oro_shape_input(shape, "frequency") ? 0 : (double)frequency,
                              .levels = 1,
                              .regularity = (double)regularity};
    oro_shape_scratch(shape, oro_gabor_bytes(grid, &gabor));
    return true;
}

bool oro_gabor_noise_run(struct oro_eval *e, const struct oro_gabor_noise *noise)
{
    struct oro_gabor gabor;
    double limit = oro_gabor_build_limit(e, oro_eval_grid(e)->cell);
    plan(e, noise, limit, &gabor);
    if (!oro_gabor_begin(e, &gabor) || !lay(e, limit, &gabor))
        return false;
    struct oro_dispatch extras = {.constants = {{"each", gabor.levels > 0 ? (float)gabor.each : 0},
                                                {"mean", noise->mean},
                                                {"scale", noise->scale}}};
    oro_gabor_read(&gabor, &extras);
    return oro_eval_default(e, &extras);
}
