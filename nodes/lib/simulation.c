#include "nodes/lib/simulation.h"

/* Cells of a strip, here and in the kernels. */
#define STRIP 4
#define TEXT_OF(number) #number
#define DEFINE_STRIP(number) "#define STRIP " TEXT_OF(number) "\n"

static int rounded_up(int cells, int unit)
{
    return (cells + unit - 1) / unit;
}

void oro_pass_tiles(struct oro_eval *eval, struct oro_pass *pass)
{
    oro_pass_tiles_by(eval, pass, ORO_TILE_STRIP);
}

void oro_pass_tiles_by(struct oro_eval *eval, struct oro_pass *pass, int strip)
{
    const struct oro_grid *grid = oro_eval_grid(eval);
    pass->group_columns = ORO_TILE;
    pass->group_rows = ORO_TILE / strip;
    pass->columns = rounded_up(grid->width, ORO_TILE) * ORO_TILE;
    pass->rows = rounded_up(grid->height, ORO_TILE) * (ORO_TILE / strip);
}

void oro_pass_strips(struct oro_eval *eval, struct oro_pass *pass)
{
    const struct oro_grid *grid = oro_eval_grid(eval);
    pass->defines = DEFINE_STRIP(STRIP);
    pass->group_columns = 128;
    pass->group_rows = 2;
    pass->columns = grid->width;
    pass->rows = rounded_up(grid->height, STRIP);
}

bool oro_simulation_buffers(struct oro_eval *eval, struct oro_simulation *simulation)
{
    size_t cells = oro_grid_cells(oro_eval_grid(eval));
    for (int i = 0; i < simulation->state_count; i++)
        for (int half = 0; half < 2; half++)
            if (!(simulation->state[half][i] = oro_eval_buffer(eval, cells)))
                return false;
    return true;
}

static bool step(struct oro_eval *eval, struct oro_simulation *simulation)
{
    struct oro_buffer *buffers[2 * ORO_STATE_MAX + ORO_FIXED_MAX + ORO_OWN_MAX];
    int count = 0;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < simulation->state_count; i++)
            buffers[count++] = simulation->state[half][i];
    for (int i = 0; i < simulation->fixed_count; i++)
        buffers[count++] = simulation->fixed[i];
    for (int i = 0; i < simulation->own_count; i++)
        buffers[count++] = simulation->own[i];
    if (!oro_eval_run_with(eval, &simulation->step, buffers, simulation->constants))
        return false;
    for (int i = 0; i < simulation->state_count; i++) {
        struct oro_buffer *written = simulation->state[1][i];
        simulation->state[1][i] = simulation->state[0][i];
        simulation->state[0][i] = written;
    }
    return true;
}

/* All that a stored state has. Returns how many buffers. */
static int whole_state(const struct oro_simulation *simulation,
                       struct oro_buffer *state[ORO_STATE_MAX + ORO_OWN_MAX])
{
    int count = 0;
    for (int i = 0; i < simulation->state_count; i++)
        state[count++] = simulation->state[0][i];
    for (int i = 0; i < simulation->own_count; i++)
        state[count++] = simulation->own[i];
    return count;
}

static bool show(struct oro_eval *eval, struct oro_simulation *simulation, int done)
{
    struct oro_buffer *picture = simulation->state[0][0];
    if (simulation->picture && !oro_eval_watched(eval, simulation->shown, done))
        return true; /* a failure shows in the step */
    if (simulation->picture)
        picture = simulation->picture(eval, simulation);
    return picture && oro_eval_show(eval, simulation->shown, picture, done);
}

bool oro_simulate(struct oro_eval *eval, struct oro_simulation *simulation, int iterations)
{
    struct oro_buffer *state[ORO_STATE_MAX + ORO_OWN_MAX];
    int done = oro_eval_resume(eval, iterations, state, whole_state(simulation, state));
    if (done < 0)
        return false;
    while (done < iterations) {
        if (!show(eval, simulation, done) || !step(eval, simulation) ||
            !oro_eval_progress(eval, ++done, iterations) ||
            !oro_eval_checkpoint(eval, done, iterations, state, whole_state(simulation, state)))
            return false;
    }
    return true;
}

bool oro_drainage_start(struct oro_eval *eval, struct oro_buffer *area)
{
    struct oro_pass pass = {.kernel = "lib/drainage_start.comp",
                            .slots = {{"area_out", ORO_WRITE, NULL}, {"given", ORO_READ, NULL}}};
    if (!oro_eval_linked(eval, "drainage"))
        pass.slots[1].name = NULL;
    struct oro_buffer *buffers[] = {area, oro_eval_linked(eval, "drainage") ? oro_eval_input(eval, "drainage")
                                                                            : NULL};
    return oro_eval_run(eval, &pass, buffers);
}
