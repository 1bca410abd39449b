#include "nodes/lib/blocks.h"

#include <math.h>

int oro_blocks_side(const struct oro_grid *fine, float size)
{
    double cells = size > 0 ? round((double)size / fine->cell) : 2;
    return (int)fmin(fmax(cells, 1), oro_grid_longer(fine));
}

static int blocks_along(int cells, int side)
{
    return (cells + side - 1) / side;
}

struct oro_grid oro_blocks_grid(const struct oro_grid *fine, int side)
{
    struct oro_grid blocks = *fine;
    blocks.width = blocks_along(fine->width, side);
    blocks.height = blocks_along(fine->height, side);
    blocks.cell = fine->cell * side;
    return blocks;
}

/* With a target, what is missing to it. */
static bool measure(struct oro_eval *e, const struct oro_grid *fine, int side, struct oro_buffer *values,
                    struct oro_buffer *target, struct oro_buffer *to)
{
    struct oro_grid blocks = oro_blocks_grid(fine, side);
    struct oro_dispatch means = {.kernel = "lib/block_means.comp",
                                 .slots = {{"values", values}, {"means", to, ORO_WRITE}},
                                 .defines = target ? "#define TARGET 1\n" : "#define TARGET 0\n",
                                 .maps = (const char *const[]){NULL},
                                 .constants = {{"side", (float)side}}};
    if (target)
        oro_add_slot(&means, (struct oro_slot){"wanted", target, ORO_READ, NULL});
    oro_dispatch_source(&means, &blocks, fine, NULL, ORO_REACH_CELL);
    return oro_eval_dispatch(e, &means);
}

bool oro_block_means(struct oro_eval *eval, const struct oro_grid *fine, int side, struct oro_buffer *values,
                     struct oro_buffer *means)
{
    return measure(eval, fine, side, values, NULL, means);
}

bool oro_blocks_add(struct oro_eval *eval, const struct oro_block_pull *p, struct oro_buffer *missing)
{
    const struct oro_grid *fine = oro_eval_grid(eval);
    struct oro_grid blocks = oro_blocks_grid(fine, p->side);
    struct oro_dispatch add = {.kernel = "lib/block_pull.comp",
                               .slots = {{"missing", missing}, {"ground", p->ground, ORO_UPDATE}},
                               .defines = p->ceiling ? "#define CEILING 1\n" : "#define CEILING 0\n",
                               .inputs_on_grid = true,
                               .maps = (const char *const[]){"mask", NULL},
                               .constants = {{"side", (float)p->side}}};
    if (p->ceiling)
        oro_add_slot(&add, (struct oro_slot){"ceiling", p->ceiling, ORO_READ, NULL});
    oro_dispatch_source(&add, fine, &blocks, NULL, ORO_BLOCKS_REACH);
    return oro_eval_dispatch(eval, &add);
}

bool oro_blocks_pull(struct oro_eval *eval, const struct oro_block_pull *p, int sweeps)
{
    const struct oro_grid *fine = oro_eval_grid(eval);
    struct oro_grid blocks = oro_blocks_grid(fine, p->side);
    struct oro_buffer *missing = oro_eval_raster(eval, ORO_FIELD, &blocks);
    for (int i = 0; i < sweeps; i++)
        if (!measure(eval, fine, p->side, p->ground, p->target, missing) || !oro_blocks_add(eval, p, missing))
            return false;
    return true;
}
