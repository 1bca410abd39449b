/* Evaluates nodes whose script has a function `field`. */
#include "lua/field/field.h"

#include <math.h>
#include <stdatomic.h>

#include <lauxlib.h>

#include "graph/type/registry.h"
#include "graph/type/value.h"
#include "lua/field/field_private.h"
#include "lua/field/rasters.h"

/* The limit on steps. A call on a raster costs a fifth of its cells or more. */
static const double steps_least = 2e7, steps_per_cell = 2000;
/* The limits on memory, in rasters of the size of the outputs and in bytes. */
static const double rasters_most = 64, rasters_least = 12, bytes_least = 64 << 20, bytes_most = 256 << 20;

struct job {
    struct oro_space space;
    struct oro_script_work *work;
    const struct oro_node_type *type;
};

/* The names of channels, in inputs and results alike. */
static const char *const one[] = {NULL}, *const two[] = {"x", "y"}, *const four[] = {"r", "g", "b", "a"};

static const char *const *channel_names(int channels)
{
    return channels == 1 ? one : channels == 2 ? two : four;
}

/* ---- f and p ---- */

struct extract {
    const struct oro_script_raster *raster;
    int channel;
    float *to;
};

static void extract_row(void *user, int y)
{
    const struct extract *extract = user;
    float *to = extract->to + (size_t)y * (size_t)extract->raster->grid.width;
    for (int x = 0; x < extract->raster->grid.width; x++)
        to[x] = oro_script_raster_at(extract->raster, x, y, extract->channel);
}

static void push_channel(lua_State *lua, const struct oro_script_raster *raster, int channel)
{
    if (!raster->data) {
        oro_field_push_constant(lua, raster->value);
    } else if (raster->channels == 1 && isinf(raster->low) && isinf(raster->high)) {
        oro_field_push_borrowed(lua, raster->data);
    } else {
        struct extract extract = {raster, channel, oro_field_push(lua)};
        oro_field_rows(lua, 0.3, extract_row, &extract);
    }
}

static void push_raster(lua_State *lua, const struct job *job, const struct oro_script_raster *raster)
{
    if (!oro_grid_same_size(&raster->grid, &job->space.grid))
        luaL_error(lua, "input '%s' is %d x %d, where the outputs are %d x %d", raster->input->name,
                   raster->grid.width, raster->grid.height, job->space.grid.width, job->space.grid.height);
    const int channels = raster->channels;
    const char *const *names = channel_names(channels);
    if (channels == 1) {
        push_channel(lua, raster, 0);
        return;
    }
    lua_newtable(lua);
    for (int i = 0; i < channels; i++) {
        push_channel(lua, raster, i);
        lua_setfield(lua, -2, names[i]);
    }
}

/* ---- Results ---- */

struct take {
    const struct job *job;
    struct oro_operand from;
    int width, channel, channels;
    bool blended;
    float *to;
    atomic_size_t bad; /* the first cell that has no finite value */
};

static void keep_first(atomic_size_t *first, size_t cell)
{
    size_t known = atomic_load(first);
    while (cell < known && !atomic_compare_exchange_weak(first, &known, cell))
        ;
}

static void take_row(void *user, int y)
{
    struct take *take = user;
    for (int x = 0; x < take->width; x++) {
        size_t cell = (size_t)y * (size_t)take->width + (size_t)x;
        float value = oro_operand_at(&take->from, cell);
        if (!isfinite(value))
            keep_first(&take->bad, cell);
        if (take->blended)
            value = oro_script_blend(&take->job->work->rasters, x, y, value);
        take->to[cell * (size_t)take->channels + (size_t)take->channel] = value;
    }
}

/* Copies the field at the top of the stack to a channel of an output, and pops it. The function is at index
 * 2. */
static void take_channel(lua_State *lua, struct job *job, int output, int channel, int channels)
{
    const char *name = job->type->outputs[output].name;
    struct take take = {.job = job,
                        .width = job->space.grid.width,
                        .channel = channel,
                        .channels = channels,
                        .to = job->work->outputs[output],
                        .blended =
                            channels == 1 && oro_script_blends(&job->work->rasters, job->type, output)};
    atomic_init(&take.bad, SIZE_MAX);
    if (!oro_field_get(lua, -1, &take.from)) {
        oro_script_push_place(lua, 2);
        luaL_error(lua, "%soutput '%s' is %s, not a field or a number", lua_tostring(lua, -1), name,
                   luaL_typename(lua, -2));
    }
    oro_field_rows(lua, 0.5, take_row, &take);
    size_t bad = atomic_load(&take.bad);
    if (bad != SIZE_MAX) {
        oro_script_push_place(lua, 2);
        luaL_error(lua, "%soutput '%s' is %s (cell %d, %d)", lua_tostring(lua, -1), name,
                   isnan(oro_operand_at(&take.from, bad)) ? "nan" : "infinite",
                   (int)(bad % (size_t)take.width), (int)(bad / (size_t)take.width));
    }
    lua_pop(lua, 1);
}

/* A vector or an image is returned as a table of fields. */
static void take_output(lua_State *lua, struct job *job, int output)
{
    int channels = oro_type_channels(job->type->outputs[output].type);
    if (channels == 1) {
        take_channel(lua, job, output, 0, 1);
        return;
    }
    if (!lua_istable(lua, -1)) {
        oro_script_push_place(lua, 2);
        luaL_error(lua, "%soutput '%s' is %s, not a table of the fields %s", lua_tostring(lua, -1),
                   job->type->outputs[output].name, luaL_typename(lua, -2),
                   channels == 2 ? "x and y" : "r, g, b and a");
    }
    for (int i = 0; i < channels; i++) {
        lua_getfield(lua, -1, channel_names(channels)[i]);
        take_channel(lua, job, output, i, channels);
    }
    lua_pop(lua, 1);
}

/* Runs protected. 1: the job, 2: the function. */
static int run(lua_State *lua)
{
    struct job *job = lua_touserdata(lua, 1);
    int wanted = (int)oro_type_output_count(job->type);
    lua_pushvalue(lua, 2);
    /* Pushes f and p. Linked maps are in both. */
    const struct oro_grid *grid = &job->space.grid;
    lua_newtable(lua);
    oro_script_push_params(lua, job->type, job->work->params);
    oro_script_set_grid(lua, -2, grid);
    for (int i = 0; i < job->work->rasters.count; i++) {
        const struct oro_script_raster *raster = &job->work->rasters.items[i];
        push_raster(lua, job, raster);
        if (raster->data && raster->input->map) {
            lua_pushvalue(lua, -1);
            lua_setfield(lua, -3, raster->input->name);
        }
        lua_setfield(lua, -3, raster->input->name);
    }
    oro_script_watch(lua, -2, job->type, "f");
    oro_script_watch(lua, -1, job->type, "p");
    lua_call(lua, 2, LUA_MULTRET);
    int given = lua_gettop(lua) - 2;
    luaL_checkstack(lua, 20, NULL); /* the function may have filled the stack with values */
    if (given != wanted) {
        oro_script_push_place(lua, 2);
        return luaL_error(lua, "%s'field' gives %d value%s, but the node has %d output%s",
                          lua_tostring(lua, -1), given, given == 1 ? "" : "s", wanted,
                          wanted == 1 ? "" : "s");
    }
    for (int i = wanted; i-- > 0;)
        take_output(lua, job, i);
    return 0;
}

static int prepare(lua_State *lua)
{
    oro_field_open(lua);
    oro_field_set_space(lua, lua_touserdata(lua, 1));
    return 0;
}

/* ---- The evaluation ---- */

static struct oro_guard_limits limits_of(const struct oro_grid *grid)
{
    double cells = (double)oro_grid_cells(grid), raster = cells * sizeof(float);
    double memory = fmax(fmax(fmin(rasters_most * raster, bytes_most), bytes_least), rasters_least * raster);
    return (struct oro_guard_limits){.memory = (size_t)memory,
                                     .steps = (int64_t)(steps_least + steps_per_cell * cells),
                                     .seconds = oro_script_seconds(grid)};
}

bool oro_field_compute(struct oro_script_work *work, struct oro_error *err)
{
    struct job job = {.space = {work, work->grid, work->seed}, .work = work, .type = &work->script->type};
    const struct oro_guard_limits limits = limits_of(&work->grid);
    struct oro_guard *guard = oro_script_open(work->script, &limits, work->seed, work->log, err);
    if (!guard)
        return false;
    oro_guard_limit_calls(guard, ORO_SCRIPT_SECONDS);
    lua_State *lua = oro_guard_state(guard);
    oro_guard_stop_when(guard, work->stopped, work->user);
    lua_pushcfunction(lua, prepare);
    lua_pushlightuserdata(lua, &job.space);
    bool ok = oro_guard_call(guard, 1, 0, err);
    if (ok) {
        lua_pushcfunction(lua, run);
        lua_pushlightuserdata(lua, &job);
        lua_pushvalue(lua, 2);
        ok = oro_guard_call(guard, 2, 0, err);
    }
    oro_guard_destroy(guard);
    /* Even if it seems done, half of it may be missing. */
    return work->stopped(work->user) ? oro_fail(err, ORO_E_CANCELLED, "cancelled") : ok;
}
