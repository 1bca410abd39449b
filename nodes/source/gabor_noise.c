#include "nodes/source/gabor_noise.h"

#include <stdio.h>

#include "nodes/lib/gabor_lattice.h"

static void add_orientation(struct oro_eval *e, struct oro_pass *pass, struct oro_buffer **buffers, int at)
{
    if (!oro_eval_linked(e, "orientation"))
        return;
    pass->slots[at] = (struct oro_slot){"orientation", ORO_READ, "vec2"};
    buffers[at] = oro_eval_input(e, "orientation");
}

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
                 noise->node, 0.25 / limit, 1 / limit, limit);
}

static bool lay(struct oro_eval *e, double limit, const struct oro_gabor *gabor)
{
    struct oro_pass pass = {.kernel = "source/gabor_kernels.comp",
                            .slots = {{"lattices", ORO_READ, "uvec4"},
                                      {"places", ORO_UPDATE, "vec4"},
                                      {"phases", ORO_UPDATE, "vec2"}},
                            .constants = {"lattice", "level", "each", "share", "limit", "carried", "lowest"},
                            .defines = oro_gabor_defines(gabor)};
    struct oro_buffer *slots[ORO_GABOR_SLOTS + 1];
    add_orientation(e, &pass, slots, ORO_GABOR_SLOTS);
    float constants[] = {(float)limit, oro_gabor_carried(e), (float)gabor->lowest};
    return oro_gabor_lay(e, gabor, &pass, &slots[ORO_GABOR_SLOTS], pass.slots[ORO_GABOR_SLOTS].name ? 1 : 0,
                         constants, 3);
}

static bool sum_up(struct oro_eval *e, const struct oro_gabor_noise *noise, const struct oro_gabor *gabor)
{
    struct oro_pass pass = {.kernel = noise->kernel,
                            .slots = {{"lattices", ORO_READ, "uvec4"},
                                      {"places", ORO_READ, "vec4"},
                                      {"phases", ORO_READ, "vec2"}},
                            .constants = {"each", "mean", "scale"},
                            .defines = oro_gabor_defines(gabor)};
    struct oro_buffer *buffers[ORO_GABOR_SLOTS + 3] = {gabor->lattices, gabor->places, gabor->phases};
    char names[2][32];
    int count = 0;
    for (; count < 2 && noise->outputs[count]; count++) {
        snprintf(names[count], sizeof names[count], "%s_out", noise->outputs[count]);
        pass.slots[ORO_GABOR_SLOTS + count] = (struct oro_slot){names[count], ORO_WRITE, NULL};
        buffers[ORO_GABOR_SLOTS + count] = oro_eval_buffer(e, oro_grid_cells(oro_eval_grid(e)));
    }
    add_orientation(e, &pass, buffers, ORO_GABOR_SLOTS + count);
    float constants[] = {gabor->levels > 0 ? (float)gabor->each : 0, noise->mean, noise->scale};
    bool ok = oro_eval_run_with(e, &pass, buffers, constants);
    for (int i = 0; ok && i < count; i++)
        ok = oro_eval_give(e, noise->outputs[i], buffers[ORO_GABOR_SLOTS + i]);
    return ok;
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
    return oro_gabor_begin(e, &gabor) && lay(e, limit, &gabor) && sum_up(e, noise, &gabor);
}
