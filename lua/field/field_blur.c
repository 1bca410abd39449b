/* Gaussian blur, the same as that of nodes/filter/blur.c and its kernel. */
#include <math.h>

#include <lauxlib.h>

#include "base/gaussian.h"
#include "lua/field/field_private.h"

/* One stage of the blur, along one axis. */
struct sweep {
    const float *from;
    float *to;
    int width, height, stride, count;
    bool down;
    float weights[ORO_GAUSSIAN_TAPS_MAX];
};

/* Mirrors an index at both ends of 0..n-1, repeatedly if need be. */
static int mirrored(int i, int n)
{
    int period = 2 * n;
    i %= period;
    i += i < 0 ? period : 0;
    return i < n ? i : period - 1 - i;
}

/* Sums differences from the middle cell, so that level ground stays exactly level. */
static void down_row(const struct sweep *sweep, int y)
{
    const float *middle = sweep->from + (size_t)y * (size_t)sweep->width;
    float *to = sweep->to + (size_t)y * (size_t)sweep->width;
    for (int x = 0; x < sweep->width; x++)
        to[x] = 0;
    for (int i = 1; i < sweep->count; i++) {
        int north = mirrored(y - i * sweep->stride, sweep->height);
        int south = mirrored(y + i * sweep->stride, sweep->height);
        const float *before = sweep->from + (size_t)north * (size_t)sweep->width;
        const float *after = sweep->from + (size_t)south * (size_t)sweep->width;
        for (int x = 0; x < sweep->width; x++)
            to[x] += sweep->weights[i] * ((before[x] - middle[x]) + (after[x] - middle[x]));
    }
    for (int x = 0; x < sweep->width; x++)
        to[x] = middle[x] + to[x];
}

/* The cells from..end of a row, some of whose neighbours lie beyond an edge and are mirrored. */
static void across_edge(const struct sweep *sweep, const float *row, float *to, int from, int end)
{
    for (int x = from; x < end; x++) {
        float change = 0;
        for (int i = 1; i < sweep->count; i++) {
            float before = row[mirrored(x - i * sweep->stride, sweep->width)];
            float after = row[mirrored(x + i * sweep->stride, sweep->width)];
            change += sweep->weights[i] * ((before - row[x]) + (after - row[x]));
        }
        to[x] = row[x] + change;
    }
}

static void across_row(const struct sweep *sweep, int y)
{
    const float *row = sweep->from + (size_t)y * (size_t)sweep->width;
    float *to = sweep->to + (size_t)y * (size_t)sweep->width;
    int reach = (sweep->count - 1) * sweep->stride, width = sweep->width;
    int first = reach < width ? reach : width, end = width - reach > first ? width - reach : first;
    across_edge(sweep, row, to, 0, first);
    for (int x = first; x < end; x++)
        to[x] = 0;
    for (int i = 1; i < sweep->count; i++)
        for (int x = first, step = i * sweep->stride; x < end; x++)
            to[x] += sweep->weights[i] * ((row[x - step] - row[x]) + (row[x + step] - row[x]));
    for (int x = first; x < end; x++)
        to[x] = row[x] + to[x];
    across_edge(sweep, row, to, end, width);
}

static void blur_row(void *user, int y)
{
    const struct sweep *sweep = user;
    if (sweep->down)
        down_row(sweep, y);
    else
        across_row(sweep, y);
}

static void run_sweep(lua_State *lua, struct sweep *sweep, const float *from, float *to, bool down)
{
    sweep->from = from;
    sweep->to = to;
    sweep->down = down;
    oro_field_rows(lua, 0.2 * sweep->count, blur_row, sweep);
}

int oro_field_blur(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    const struct oro_grid *grid = &oro_field_space(lua)->grid;
    struct oro_gaussian_stage stages[ORO_GAUSSIAN_STAGES_MAX];
    double radius = oro_field_number(lua, 2), widest = 2.0 * oro_grid_longer(grid);
    if (radius < 0)
        return luaL_argerror(lua, 2, "a radius is 0 or more");
    int count = oro_gaussian_stages(fmin(radius / 2 / grid->cell, widest), stages);
    if (!f.data || count == 0) {
        lua_settop(lua, 1);
        return 1;
    }
    float *rows = oro_field_scratch(lua, oro_grid_cells(grid), sizeof *rows), *to = oro_field_push(lua);
    const float *from = f.data;
    for (int i = 0; i < count; i++) {
        struct sweep sweep = {.width = grid->width, .height = grid->height, .stride = stages[i].stride};
        sweep.count = oro_gaussian_weights(&stages[i], sweep.weights);
        run_sweep(lua, &sweep, from, rows, false);
        run_sweep(lua, &sweep, rows, to, true);
        from = to;
    }
    return 1;
}
