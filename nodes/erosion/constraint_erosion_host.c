/* Constraint erosion on the processor, by the functions of terrain/hydrology/. */
#include "base/memory.h"
#include "nodes/erosion/constraint_erosion.h"

static bool room(struct oro_constraint_erosion_run *run, float **raster)
{
    *raster = oro_alloc(run->cells, sizeof **raster);
    return *raster || oro_eval_fail(run->eval, ORO_E_MEMORY, "no memory for %zu cells", run->cells);
}

static bool get(struct oro_constraint_erosion_run *run, struct oro_buffer *from, float *to)
{
    return oro_eval_download(run->eval, from, to, run->cells * sizeof *to);
}

static bool put(struct oro_constraint_erosion_run *run, struct oro_buffer *to, const float *from)
{
    return oro_eval_upload(run->eval, to, from, run->cells * sizeof *from);
}

static bool read_map(struct oro_constraint_erosion_run *run, const char *input, float literal, float most,
                     struct oro_constraint_map *map)
{
    *map = (struct oro_constraint_map){.literal = literal, .most = most};
    if (oro_eval_linked(run->eval, input))
        map->raster = oro_eval_input_host(run->eval, input);
    return map->raster || !oro_eval_linked(run->eval, input);
}

bool oro_constraint_erosion_host_begin(struct oro_constraint_erosion_run *run)
{
    const struct oro_grid *grid = oro_eval_grid(run->eval);
    const struct oro_constraint_params *rules = run->params;
    struct oro_constraint_erosion *host = &run->host;
    *host = (struct oro_constraint_erosion){.width = grid->width,
                                            .height = grid->height,
                                            .cell = grid->cell,
                                            .params = rules,
                                            .scale = run->scale,
                                            .stop = oro_eval_stopped,
                                            .user = run->eval};
    if (!room(run, &run->host_constraint) || !room(run, &run->host_relief))
        return false;
    host->constraint = run->host_constraint;
    host->relief = run->host_relief;
    return room(run, &host->h) && room(run, &host->drainage) && room(run, &host->gorge) &&
           get(run, run->constraint, run->host_constraint) && get(run, run->relief, run->host_relief) &&
           get(run, run->height, host->h) && get(run, run->gorge, host->gorge) &&
           read_map(run, "moisture", rules->moisture, ORO_CONSTRAINT_MOISTURE, &host->moisture) &&
           read_map(run, "value_strength", rules->value_strength, 1, &host->value_strength) &&
           read_map(run, "gradient_strength", rules->gradient_strength, 1, &host->gradient_strength) &&
           read_map(run, "erodibility", rules->erodibility, ORO_CONSTRAINT_ERODIBILITY, &host->erodibility);
}

void oro_constraint_erosion_host_end(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion *host = &run->host;
    oro_constraint_free(host);
    oro_free(run->host_constraint);
    oro_free(run->host_relief);
    oro_free(host->h);
    oro_free(host->drainage);
    oro_free(host->gorge);
}

bool oro_constraint_erosion_host_iterate(struct oro_constraint_erosion_run *run)
{
    struct oro_error err;
    return oro_constraint_iterate(&run->host, &err) || oro_eval_failed(run->eval, &err);
}

bool oro_constraint_erosion_host_put(struct oro_constraint_erosion_run *run)
{
    return put(run, run->height, run->host.h) && put(run, run->gorge, run->host.gorge);
}

bool oro_constraint_erosion_host_drain(struct oro_constraint_erosion_run *run, struct oro_buffer *height,
                                       struct oro_buffer *drained)
{
    struct oro_error err;
    if (run->host.params == run->params) { /* nodes have other neighbours from now on */
        run->ways = *run->params;
        run->ways.neighbours = ORO_CONSTRAINT_NEIGHBOURS_8;
        oro_constraint_free(&run->host);
        run->host.params = &run->ways;
    }
    return get(run, height, run->host.h) &&
           (oro_constraint_drain(&run->host, &err) || oro_eval_failed(run->eval, &err)) &&
           put(run, drained, run->host.drainage);
}
