#include "nodes/lib/steady_drainage.h"

#include "base/memory.h"
#include "nodes/lib/simulation.h"
#include "terrain/hydrology/steady_drainage.h"

static bool settle(struct oro_eval *e, double exponent, bool walls, struct oro_buffer *area)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t bytes = oro_grid_cells(grid) * sizeof(float);
    struct oro_steady_drainage ground = {grid->width, grid->height, grid->cell,
                                         exponent,    walls,        oro_eval_input_host(e, "terrain")};
    struct oro_error err = {0};
    if (!ground.z)
        return false;
    float *sums = oro_alloc(oro_grid_cells(grid), sizeof *sums);
    bool ok = sums ? oro_eval_download(e, area, sums, bytes)
                   : oro_eval_fail(e, ORO_E_MEMORY, "no memory for drainage");
    if (ok && !oro_steady_drainage(&ground, sums, &err))
        ok = oro_eval_failed(e, &err);
    ok = ok && oro_eval_upload(e, area, sums, bytes);
    oro_free(sums);
    return ok;
}

bool oro_drainage_begin(struct oro_eval *e, const struct oro_pace *pace, double exponent, bool walls,
                        struct oro_buffer *area)
{
    bool given = pace->counted || pace->iterations == 0 || oro_eval_linked(e, "drainage");
    return oro_drainage_start(e, area) && (given || settle(e, exponent, walls, area));
}
