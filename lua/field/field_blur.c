/* Gaussian blur, as by nodes/filter/blur.c and its kernel. */
#include <math.h>

#include <lauxlib.h>

#include "base/gaussian.h"
#include "lua/field/field_private.h"

/* One stage along one axis. */
struct pass {
    const float *from;
    float *to;
    int width, height, stride, count;
    bool down;
    float weights[ORO_GAUSSIAN_TAPS_MAX];
};

/* Mirrors an index at both ends of 0..n-1, as often as it takes. */
static int mirrored(int i, int n)
{
    int period = 2 * n;
    i %= period;
    i += i < 0 ? period : 0;
    return i < n ? i : period - 1 - i;
}

/* Relative to the middle: level ground stays exactly level. */
static void down_row(const struct pass *pass, int y)
{
    const float *middle = pass->from + (size_t)y * (size_t)pass->width;
    float *to = pass->to + (size_t)y * (size_t)pass->width;
    for (int x = 0; x < pass->width; x++)
        to[x] = 0;
    for (int i = 1; i < pass->count; i++) {
        int north = mirrored(y - i * pass->stride, pass->height);
        int south = mirrored(y + i * pass->stride, pass->height);
        const float *before = pass->from + (size_t)north * (size_t)pass->width;
        const float *after = pass->from + (size_t)south * (size_t)pass->width;
        for (int x = 0; x < pass->width; x++)
            to[x] += pass->weights[i] * ((before[x] - middle[x]) + (after[x] - middle[x]));
    }
    for (int x = 0; x < pass->width; x++)
        to[x] = middle[x] + to[x];
}

/* The cells from..end of a row, whose neighbours are to be mirrored. */
static void across_edge(const struct pass *pass, const float *row, float *to, int from, int end)
{
    for (int x = from; x < end; x++) {
        float change = 0;
        for (int i = 1; i < pass->count; i++) {
            float before = row[mirrored(x - i * pass->stride, pass->width)];
            float after = row[mirrored(x + i * pass->stride, pass->width)];
            change += pass->weights[i] * ((before - row[x]) + (after - row[x]));
        }
        to[x] = row[x] + change;
    }
}

static void across_row(const struct pass *pass, int y)
{
    const float *row = pass->from + (size_t)y * (size_t)pass->width;
    float *to = pass->to + (size_t)y * (size_t)pass->width;
    int reach = (pass->count - 1) * pass->stride, width = pass->width;
    int first = reach < width ? reach : width, end = width - reach > first ? width - reach : first;
    across_edge(pass, row, to, 0, first);
    for (int x = first; x < end; x++)
        to[x] = 0;
    for (int i = 1; i < pass->count; i++)
        for (int x = first, step = i * pass->stride; x < end; x++)
            to[x] += pass->weights[i] * ((row[x - step] - row[x]) + (row[x + step] - row[x]));
    for (int x = first; x < end; x++)
        to[x] = row[x] + to[x];
    across_edge(pass, row, to, end, width);
}

static void blur_row(void *user, int y)
{
    const struct pass *pass = user;
    if (pass->down)
        down_row(pass, y);
    else
        across_row(pass, y);
}

static void run_pass(lua_State *lua, struct pass *pass, const float *from, float *to, bool down)
{
    pass->from = from;
    pass->to = to;
    pass->down = down;
    oro_field_rows(lua, 0.2 * pass->count, blur_row, pass);
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
        struct pass pass = {.width = grid->width, .height = grid->height, .stride = stages[i].stride};
        pass.count = oro_gaussian_weights(&stages[i], pass.weights);
        run_pass(lua, &pass, from, rows, false);
        run_pass(lua, &pass, rows, to, true);
        from = to;
    }
    return 1;
}
