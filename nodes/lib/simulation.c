#include "nodes/lib/simulation.h"

#include <stdio.h>

/* Cells of a strip, here and in the kernels. */
#define STRIP 4
#define TEXT_OF(number) #number
#define DEFINE_STRIP(number) "#define STRIP " TEXT_OF(number) "\n"

static int rounded_up(int cells, int unit)
{
    return (cells + unit - 1) / unit;
}

void oro_dispatch_tiles(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    oro_dispatch_tiles_by(eval, dispatch, ORO_TILE_STRIP);
}

void oro_dispatch_tiles_by(struct oro_eval *eval, struct oro_dispatch *dispatch, int strip)
{
    oro_dispatch_tiles_over(oro_eval_grid(eval), dispatch, strip);
}

void oro_dispatch_tiles_over(const struct oro_grid *grid, struct oro_dispatch *dispatch, int strip)
{
    dispatch->group_columns = ORO_TILE;
    dispatch->group_rows = ORO_TILE / strip;
    dispatch->columns = rounded_up(grid->width, ORO_TILE) * ORO_TILE;
    dispatch->rows = rounded_up(grid->height, ORO_TILE) * (ORO_TILE / strip);
    dispatch->cell_columns = dispatch->cell_rows = ORO_TILE;
}

void oro_dispatch_strips(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    const struct oro_grid *grid = oro_eval_grid(eval);
    bool spread = oro_eval_spread(eval); /* groups then have to fit into a tile */
    dispatch->defines = DEFINE_STRIP(STRIP);
    dispatch->group_columns = spread ? ORO_TILE : 128;
    dispatch->group_rows = spread ? ORO_TILE / STRIP : 2;
    dispatch->columns = grid->width;
    dispatch->rows = rounded_up(grid->height, STRIP);
    dispatch->cell_columns = dispatch->group_columns;
    dispatch->cell_rows = dispatch->group_rows * STRIP;
}

bool oro_simulation_buffers(struct oro_eval *eval, struct oro_simulation *simulation)
{
    for (struct oro_state *state = simulation->state; state->from; state++) {
        state->now = oro_eval_field(eval);
        state->next = oro_eval_field(eval);
        if (!state->next)
            return false;
    }
    return true;
}

/* What lib/iterations.glsl makes of a shape. */
struct extent {
    int invocations, cells;
    size_t bytes; /* of shared memory */
};

static struct extent extent_of(const struct oro_iterations_per_dispatch *iterations,
                               const struct oro_dispatch_shape *s)
{
    int beyond = iterations->reach * (s->times - 1) + iterations->givers;
    int strips = s->rows / s->strip + 2 * rounded_up(beyond, s->strip);
    int margin = beyond + (iterations->rings ? iterations->rings : 1);
    int columns = s->columns + 2 * margin;
    int rows = s->rows + 2 * s->strip * rounded_up(margin, s->strip);
    int room = columns * (rows + 2) + 2;
    return (struct extent){(s->columns + 2 * beyond) * strips, columns * rows,
                           sizeof(float) * (size_t)(iterations->arrays * room)};
}

static bool fits(struct oro_eval *eval, const struct oro_iterations_per_dispatch *iterations,
                 const struct oro_dispatch_shape *s)
{
    struct extent extent = extent_of(iterations, s);
    if (iterations->rings > 0 && (s->strip > 1 || extent.cells > 2 * extent.invocations))
        return false;
    return oro_eval_group_fits(eval, extent.invocations, extent.bytes);
}

static struct oro_dispatch_shape shape_for(struct oro_eval *eval, const struct oro_dispatch *dispatch,
                                           const struct oro_iterations_per_dispatch *iterations)
{
    struct oro_dispatch_shape usual = {.times = 1};
    for (int i = 0; i < ORO_SHAPES_MAX && usual.times == 1 && iterations->shapes[i].cells > 0; i++)
        if ((double)oro_grid_cells(oro_eval_grid(eval)) <= iterations->shapes[i].cells &&
            fits(eval, iterations, &iterations->shapes[i].shape))
            usual = iterations->shapes[i].shape;
    struct oro_dispatch_shape shape = oro_eval_dispatch_shape(eval, dispatch, usual);
    return shape.times > 1 && fits(eval, iterations, &shape) ? shape
                                                             : (struct oro_dispatch_shape){.times = 1};
}

int oro_dispatch_iterations(struct oro_eval *eval, struct oro_dispatch *dispatch,
                            const struct oro_iterations_per_dispatch *iterations, char *defines, size_t size)
{
    struct oro_dispatch_shape s = shape_for(eval, dispatch, iterations);
    if (s.times == 1)
        return 1;
    const struct oro_grid *grid = oro_eval_grid(eval);
    snprintf(defines, size,
             "%s#undef STRIP\n#define STRIP %d\n#define COLUMNS %d\n#define ROWS %d\n#define TIMES %d\n"
             "#define REACH %d\n#define GIVERS %d\n",
             dispatch->defines ? dispatch->defines : "", s.strip, s.columns, s.rows, s.times,
             iterations->reach, iterations->givers);
    dispatch->defines = defines;
    dispatch->group_columns = extent_of(iterations, &s).invocations;
    dispatch->group_rows = 1;
    dispatch->columns = rounded_up(grid->width, s.columns) * dispatch->group_columns;
    dispatch->rows = rounded_up(grid->height, s.rows);
    oro_add_constant(dispatch, "times", 0);
    return s.times;
}

static int prepare_iterations(struct oro_eval *eval, struct oro_simulation *simulation)
{
    return simulation->per_dispatch
               ? oro_dispatch_iterations(eval, &simulation->step, simulation->per_dispatch,
                                         simulation->defines, sizeof simulation->defines)
               : 1;
}

static bool step(struct oro_eval *eval, struct oro_simulation *simulation, int times, int most)
{
    if (most > 1)
        oro_set(&simulation->step, "times", times);
    for (struct oro_state *state = simulation->state; state->from; state++) {
        oro_bind(&simulation->step, state->from, state->now);
        oro_bind(&simulation->step, state->to, state->next);
    }
    if (!oro_eval_dispatch(eval, &simulation->step))
        return false;
    for (struct oro_state *state = simulation->state; state->from; state++) {
        oro_swap_buffers(&state->now, &state->next);
    }
    return true;
}

/* All that a stored state has. Returns how many buffers. */
static int whole_state(const struct oro_simulation *simulation,
                       struct oro_buffer *whole[ORO_STATE_MAX + ORO_OWN_MAX])
{
    int count = 0;
    for (const struct oro_state *state = simulation->state; state->from; state++)
        whole[count++] = state->now;
    for (int i = 0; simulation->own[i]; i++)
        whole[count++] = simulation->own[i];
    return count;
}

static bool show(struct oro_eval *eval, struct oro_simulation *simulation, int done)
{
    struct oro_buffer *picture = simulation->state[0].now;
    if (simulation->picture && !oro_eval_watched(eval, simulation->shown, done))
        return true; /* a failure shows in the step */
    if (simulation->picture)
        picture = simulation->picture(eval, simulation);
    return picture && oro_eval_show(eval, simulation->shown, picture, done);
}

bool oro_simulate(struct oro_eval *eval, struct oro_simulation *simulation, int iterations)
{
    struct oro_buffer *whole[ORO_STATE_MAX + ORO_OWN_MAX];
    int done = oro_eval_resume(eval, iterations, whole, whole_state(simulation, whole));
    if (done < 0)
        return false;
    for (struct oro_state *state = simulation->state; state->from; state++) {
        oro_add_slot(&simulation->step, (struct oro_slot){state->from, NULL, ORO_READ, state->type});
        oro_add_slot(&simulation->step, (struct oro_slot){state->to, NULL, ORO_WRITE, state->type});
    }
    int most = prepare_iterations(eval, simulation);
    while (done < iterations) {
        int ahead = oro_eval_iterations_ahead(eval, done, iterations), times = ahead < most ? ahead : most;
        if (!show(eval, simulation, done) || !step(eval, simulation, times, most) ||
            !oro_eval_progress(eval, done += times, iterations) ||
            !oro_eval_checkpoint(eval, done, iterations, whole, whole_state(simulation, whole)))
            return false;
    }
    for (const struct oro_state *state = simulation->state; state->from; state++)
        oro_eval_discard(eval, state->next);
    return true;
}

bool oro_drainage_start(struct oro_eval *eval, struct oro_buffer *area)
{
    struct oro_dispatch start = {.kernel = "lib/drainage_start.comp",
                                 .slots = {{"area_out", area, ORO_WRITE}},
                                 .reach = ORO_REACH_CELL};
    oro_eval_add_input(eval, &start, "drainage");
    return oro_eval_dispatch(eval, &start);
}
