/*
 * Evaluates nodes whose script has a function `cell`, which gives the outputs at one cell. Rows are given to
 * the processors in bands of fixed size, and every band has a state of its own: so whatever a script keeps
 * from one cell to the next, the result is the same on any number of processors.
 */
#include "lua/field/cell.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include <lauxlib.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "graph/type/registry.h"
#include "graph/type/value.h"
#include "lua/field/cell_private.h"
#include "lua/sandbox/library.h"

enum {
    BANDS_MAX = 64, /* in one evaluation */
    BAND_ROWS = 8,  /* at least: making a state takes as long as some thousand cells */
    CELL_STEPS = 1000000,
    NOTES_MAX = 100,
};
static const size_t state_memory = (size_t)32 << 20;
static const double steps_least = 1e7, steps_per_cell = 5000; /* of all cells together */

struct job;

/* A number that `cell` returns: a channel of an output. */
struct result {
    int output, channel, channels;
    bool blended;
};

struct band {
    struct job *job;
    struct oro_guard *guard;
    struct oro_error err;
    struct oro_cell_notes notes;
    int number, x, y; /* the cell that runs; x is -1 between rows */
    int64_t steps;    /* that the band has left */
};

struct job {
    struct oro_script_work *work;
    const struct oro_node_type *type;
    struct result results[4 * ORO_SCRIPT_OUTPUTS_MAX];
    int result_count;
    double deadline, work_before, seconds, row_seconds;
    int rows, band_count; /* rows of a band */
    struct band bands[BANDS_MAX];
    atomic_int next, failed; /* the next band to run; the first one that has failed */
    int end;                 /* the bands before this one may run now */
};

/* The steps that all cells together may take. */
static double steps_of(const struct job *job)
{
    return steps_least + steps_per_cell * (double)oro_grid_cells(&job->work->grid);
}

/* ---- One cell ---- */

static void no_steps_left(lua_State *lua, const struct job *job)
{
    oro_script_push_place(lua, 2);
    luaL_error(lua, "%stakes too long: all cells together have %I steps", lua_tostring(lua, -1),
               (LUAI_UACINT)steps_of(job));
}

/* Sets limits, random numbers, and the values of linked maps in p, which is at index 4. */
static void start_cell(lua_State *lua, struct band *band)
{
    struct job *job = band->job;
    if (band->steps <= 0)
        no_steps_left(lua, job);
    oro_guard_restart(band->guard, CELL_STEPS);
    oro_library_seed(lua, oro_script_cell_seed(job->work->seed, band->x, band->y));
    for (int i = 0; i < job->work->rasters.count; i++) {
        const struct oro_script_raster *raster = &job->work->rasters.items[i];
        if (!raster->input->map || !raster->data)
            continue;
        lua_pushnumber(lua, (double)oro_script_raster_at(raster, band->x, band->y, 0));
        lua_setfield(lua, 4, raster->input->name);
    }
}

static int wrong_count(lua_State *lua, const struct job *job, int count)
{
    luaL_checkstack(lua, 10, NULL); /* the function may have filled the stack with values */
    oro_script_push_place(lua, 2);
    return luaL_error(lua, "%s'cell' gives %d value%s, but the outputs take %d", lua_tostring(lua, -1), count,
                      count == 1 ? "" : "s", job->result_count);
}

static int wrong_value(lua_State *lua, const struct job *job, const struct result *result, int index)
{
    const char *what = luaL_typename(lua, index);
    if (lua_type(lua, index) == LUA_TNUMBER)
        what = isnan(lua_tonumber(lua, index)) ? "nan" : "infinite";
    oro_script_push_place(lua, 2);
    return luaL_error(lua, "%soutput '%s' is %s, not a finite number", lua_tostring(lua, -1),
                      job->type->outputs[result->output].name, what);
}

/* Reads what the function returned, from index 5 on. */
static void take_cell(lua_State *lua, struct band *band)
{
    const struct job *job = band->job;
    size_t cell = (size_t)band->y * (size_t)job->work->grid.width + (size_t)band->x;
    int count = lua_gettop(lua) - 4;
    if (oro_guard_is_over(band->guard)) /* `cell` may end in a call that caught the error */
        lua_error(lua);
    if (count != job->result_count)
        wrong_count(lua, job, count);
    for (int i = 0; i < count; i++) {
        const struct result *result = &job->results[i];
        float value = (float)lua_tonumber(lua, 5 + i);
        if (lua_type(lua, 5 + i) != LUA_TNUMBER || !isfinite(value))
            wrong_value(lua, job, result, 5 + i);
        if (result->blended)
            value = oro_script_blend(&job->work->rasters, band->x, band->y, value);
        job->work->outputs[result->output][cell * (size_t)result->channels + (size_t)result->channel] = value;
    }
    lua_settop(lua, 4);
    band->steps -= oro_guard_steps(band->guard);
}

/* Runs protected. 1: the band, 2: the function, 3: f, 4: p */
static int run_row(lua_State *lua)
{
    struct band *band = lua_touserdata(lua, 1);
    for (band->x = 0; band->x < band->job->work->grid.width; band->x++) {
        start_cell(lua, band);
        lua_pushvalue(lua, 2);
        lua_pushinteger(lua, band->x);
        lua_pushinteger(lua, band->y);
        lua_pushvalue(lua, 3);
        lua_pushvalue(lua, 4);
        lua_call(lua, 4, LUA_MULTRET);
        take_cell(lua, band);
    }
    band->x = -1;
    return 0;
}

/* ---- Bands ---- */

static int push_arguments(lua_State *lua)
{
    const struct job *job = lua_touserdata(lua, 1);
    oro_cell_push_rasters(lua, &job->work->rasters, &job->work->grid);
    oro_script_push_params(lua, job->type, job->work->params);
    oro_script_watch(lua, -2, job->type, "f");
    oro_script_watch(lua, -1, job->type, "p");
    return 2;
}

/* Gives the band a share of the steps by its rows. Leaves f and p at indices 3 and 4. */
static bool open_band(struct band *band, const struct oro_log *log)
{
    struct job *job = band->job;
    int end = (band->number + 1) * job->rows,
        rows = end < job->work->grid.height ? job->rows : job->work->grid.height - band->y;
    struct oro_guard_limits limits = {state_memory, ORO_SCRIPT_STEPS, ORO_SCRIPT_SECONDS};
    band->steps = (int64_t)(steps_of(job) * rows / job->work->grid.height);
    band->guard = oro_script_open(job->work->script, &limits, job->work->seed, log, &band->err);
    if (!band->guard)
        return false;
    lua_State *lua = oro_guard_state(band->guard);
    oro_guard_stop_when(band->guard, job->work->stopped, job->work->user);
    lua_pushcfunction(lua, push_arguments);
    lua_pushlightuserdata(lua, job);
    band->notes.muted = false;
    return oro_guard_call(band->guard, 1, 2, &band->err);
}

/* On a busy machine the work gets its share later. */
static bool is_overdue(const struct job *job)
{
    return oro_now() > job->deadline && oro_process_work() - job->work_before > job->seconds;
}

/* A row is given what reading a script is, and its share, however large the raster is: so a cell that does
 * not end is found soon. Here it is checked that all rows together do not take too long. */
static bool call_row(struct band *band)
{
    lua_State *lua = oro_guard_state(band->guard);
    if (is_overdue(band->job))
        return oro_fail(&band->err, ORO_E_LIMIT, "%s: all cells together take longer than %g s",
                        band->job->work->script->texts[0].name, band->job->seconds);
    oro_guard_refill(band->guard, CELL_STEPS, band->job->row_seconds);
    lua_pushcfunction(lua, run_row);
    lua_pushlightuserdata(lua, band);
    for (int i = 2; i <= 4; i++)
        lua_pushvalue(lua, i);
    if (oro_guard_call(band->guard, 4, 0, &band->err))
        return true;
    if (band->steps <= 0)
        band->err.code = ORO_E_LIMIT;
    return false;
}

/* Whether nobody needs the band's work any more. */
static bool is_idle(const struct band *band)
{
    return band->job->work->stopped(band->job->work->user) || atomic_load(&band->job->failed) < band->number;
}

static bool run_band(struct band *band)
{
    struct oro_log log = oro_cell_log(&band->notes);
    int first = band->number * band->job->rows, end = first + band->job->rows;
    band->x = -1;
    band->y = first;
    band->notes.muted =
        true; /* what the script prints while it is run again was already printed when it was read */
    bool ok = open_band(band, &log);
    for (; ok && band->y < end && band->y < band->job->work->grid.height && !is_idle(band); band->y++)
        if (!call_row(band)) {
            ok = false;
            break;
        }
    oro_guard_destroy(band->guard);
    band->guard = NULL;
    return ok;
}

/* Bands before one that failed run on to their end, so that the error reported is always that of the first
 * row that fails. */
static void deal(void *user, size_t first, size_t end)
{
    struct job *job = user;
    (void)first;
    (void)end;
    for (int number; (number = atomic_fetch_add(&job->next, 1)) < job->end;) {
        struct band *band = &job->bands[number];
        if (is_idle(band) || run_band(band))
            continue;
        int known = atomic_load(&job->failed);
        while (number < known && !atomic_compare_exchange_weak(&job->failed, &known, number))
            ;
    }
}

/* ---- The evaluation ---- */

static bool fail_band(const struct band *band, struct oro_error *err)
{
    *err = band->err;
    if (band->x >= 0)
        snprintf(err->text, sizeof err->text, "%.900s (cell %d, %d)", band->err.text, band->x, band->y);
    return false;
}

/* Runs a number of bands at a time, and reports progress in between. */
static bool run_bands(struct job *job, struct oro_error *err)
{
    struct oro_script_work *work = job->work;
    int threads = oro_parallel_threads(), done = 0, notes = NOTES_MAX;
    while (done < job->band_count) {
        job->end = done + 4 * threads < job->band_count ? done + 4 * threads : job->band_count;
        atomic_store(&job->next, done);
        oro_parallel((size_t)threads, 1, deal, job);
        int failed = atomic_load(&job->failed);
        for (; done < job->end && done <= failed; done++)
            oro_cell_pass_on(&job->bands[done].notes, work->log, &notes);
        if (work->stopped(work->user))
            return oro_fail(err, ORO_E_CANCELLED, "cancelled");
        if (failed < job->band_count)
            return fail_band(&job->bands[failed], err);
        if (!work->progress(work->user, done, job->band_count))
            return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    }
    return true;
}

static void list_results(struct job *job)
{
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX && job->type->outputs[i].name; i++) {
        int channels = oro_type_channels(job->type->outputs[i].type);
        for (int k = 0; k < channels; k++)
            job->results[job->result_count++] =
                (struct result){i, k, channels, oro_script_blends(&job->work->rasters, job->type, i)};
    }
}

static void cut_bands(struct job *job)
{
    int rows = (job->work->grid.height + BANDS_MAX - 1) / BANDS_MAX;
    job->rows = rows < BAND_ROWS ? BAND_ROWS : rows;
    job->band_count = (job->work->grid.height + job->rows - 1) / job->rows;
    for (int i = 0; i < job->band_count; i++) {
        job->bands[i].job = job;
        job->bands[i].number = i;
    }
    atomic_init(&job->failed, job->band_count);
    atomic_init(&job->next, 0);
}

bool oro_cell_compute(struct oro_script_work *work, struct oro_error *err)
{
    struct job *job = oro_alloc(1, sizeof *job);
    if (!job)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a script");
    job->work = work;
    job->type = &work->script->type;
    job->seconds = oro_script_seconds(&work->grid);
    job->row_seconds = oro_script_seconds(&(struct oro_grid){.width = work->grid.width, .height = 1});
    job->deadline = oro_now() + job->seconds;
    job->work_before = oro_process_work();
    list_results(job);
    cut_bands(job);
    bool ok = run_bands(job, err);
    for (int i = 0; i < job->band_count; i++)
        oro_text_free(&job->bands[i].notes.text);
    oro_free(job);
    return ok;
}
