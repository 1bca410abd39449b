/* Runs the passes of a script: kernels over all cells, once or in groups that repeat. */
#include <string.h>

#include "base/clock.h"
#include "graph/type/registry.h"
#include "graph/type/value.h"
#include "lua/kernel/kernel_private.h"

/* The status is read back this often, in seconds. Not more often: reading it waits for everything that
 * runs. */
#define STATUS_SECONDS 0.2

enum { STATE_MAX = 12 }; /* most rasters of a stored state: ORO_RESULT_VALUES_MAX of graph/cache/result.h */

struct runner {
    struct oro_eval *eval;
    const void *params;
    struct oro_script_kernels kernels;
    struct oro_script_variant *variants;
    bool linked[ORO_SCRIPT_INPUTS_MAX];
    struct oro_buffer *status;
    double status_read;
    int runs, total;   /* passes that have run, and all that will */
    int resuming;      /* the group that resumes, or -1 */
    int iterations;    /* that the resuming group does in all */
    int done;          /* of these iterations */
    int blending;      /* the pass that blends `terrain` by `mask`; -1: none */
    bool blend_at_end; /* `terrain` is blended by `mask` after the last pass */
};

static const struct oro_script *script_of(const struct runner *r)
{
    return r->kernels.script;
}

static size_t raster_cells(const struct runner *r, const struct oro_kernel_raster *raster)
{
    return oro_grid_cells(oro_eval_grid(r->eval)) * (size_t)oro_type_channels(raster->type);
}

static struct oro_buffer *make_raster(struct runner *r, const struct oro_kernel_raster *raster)
{
    return oro_eval_raster(r->eval, raster->type, oro_eval_grid(r->eval));
}

/* ---- The status ---- */

static bool check_status(struct runner *r)
{
    uint32_t status[4] = {0};
    struct oro_error err;
    if (!r->status)
        return true;
    if (!oro_eval_download(r->eval, r->status, status, sizeof status))
        return false;
    r->status_read = oro_now();
    return oro_script_status(&r->kernels, status[0], &err) || oro_eval_failed(r->eval, &err);
}

static bool make_status(struct runner *r)
{
    static const uint32_t zero[4];
    bool needed = false;
    for (int i = 0; i < script_of(r)->kernel_count; i++)
        needed = needed || (r->kernels.uses[i].used && oro_script_can_fail(&r->kernels.uses[i]));
    if (!needed)
        return true;
    r->status = oro_eval_buffer(r->eval, 4);
    r->status_read = oro_now();
    return oro_eval_upload(r->eval, r->status, zero, sizeof zero);
}

/* ---- Buffers ---- */

/* Fills a raster with zeros. */
static bool clear(struct runner *r, struct oro_kernel_raster *raster)
{
    const char *element = oro_kernel_element(raster->type);
    raster->now = make_raster(r, raster);
    struct oro_dispatch dispatch = {
        .kernel = "a raster's begin",
        .text = "void main()\n{\n    ivec2 p = oro_cell();\n    if (oro_inside(p))\n"
                "        oro_cleared[oro_index(p)] = oro_element(0.0);\n}\n",
        .first_line = 1,
        .slots = {{"oro_cleared", raster->now, ORO_WRITE, element}},
        .defines = oro_arena_textf(r->kernels.arena, "#define oro_element %s\n", element),
        .maps = (const char *const[]){NULL},
    };
    if (!dispatch.defines)
        return oro_eval_fail(r->eval, ORO_E_MEMORY, "no memory for a dispatch");
    return oro_eval_dispatch(r->eval, &dispatch);
}

/* A stored state must not change: the raster goes on with a copy. */
static bool leave_state(struct runner *r, struct oro_kernel_raster *raster)
{
    struct oro_buffer *kept = raster->now;
    raster->kept = false;
    raster->now = make_raster(r, raster);
    return raster->now && oro_eval_copy(r->eval, kept, raster->now, raster_cells(r, raster));
}

/* The buffer that a pass writes a raster to. */
static struct oro_buffer *writable(struct runner *r, struct oro_kernel_raster *raster, bool doubled)
{
    if (doubled) {
        if (!raster->spare)
            raster->spare = make_raster(r, raster);
        return raster->spare;
    }
    if (!raster->now)
        raster->now = make_raster(r, raster);
    else if (raster->kept && !leave_state(r, raster))
        return NULL;
    return raster->now;
}

static void swap(struct oro_kernel_raster *raster)
{
    struct oro_buffer *old = raster->kept ? NULL : raster->now;
    raster->kept = false;
    raster->now = raster->spare;
    raster->spare = old;
}

/* ---- Passes ---- */

static unsigned empty_rasters(const struct runner *r, const struct oro_script_use *use)
{
    unsigned empty = 0;
    for (int i = 0; i < r->kernels.raster_count; i++)
        empty |= r->kernels.rasters[i].now ? 0 : 1U << i;
    return empty & (use->reads | use->sets);
}

static struct oro_script_variant *find_variant(struct runner *r, int kernel, bool blends)
{
    struct oro_error err;
    unsigned empty = empty_rasters(r, &r->kernels.uses[kernel]);
    for (struct oro_script_variant *v = r->variants; v; v = v->next)
        if (v->kernel == kernel && v->empty == empty && v->blends == blends)
            return v;
    struct oro_script_variant *made = oro_arena_alloc(r->kernels.arena, 1, sizeof *made);
    if (!made) {
        oro_eval_fail(r->eval, ORO_E_MEMORY, "no memory for a kernel");
        return NULL;
    }
    *made =
        (struct oro_script_variant){.kernel = kernel, .empty = empty, .blends = blends, .next = r->variants};
    if (!oro_script_compose(&r->kernels, r->linked, made, &err)) {
        oro_eval_failed(r->eval, &err);
        return NULL;
    }
    return r->variants = made;
}

static struct oro_buffer *bound(struct runner *r, const struct oro_script_variant *variant, int slot,
                                unsigned doubled)
{
    struct oro_script_binding binding = variant->bindings[slot];
    switch (binding.to) {
    case ORO_BOUND_INPUT:
        return oro_eval_input(r->eval, script_of(r)->type.inputs[binding.index].name);
    case ORO_BOUND_OLD:
        return r->kernels.rasters[binding.index].now;
    case ORO_BOUND_NEW:
        return writable(r, &r->kernels.rasters[binding.index], doubled >> binding.index & 1);
    default:
        return r->status;
    }
}

static bool run_kernel(struct runner *r, int kernel, bool blends, int step, int steps)
{
    struct oro_script_variant *variant = find_variant(r, kernel, blends);
    if (!variant)
        return false;
    unsigned doubled = oro_script_doubled(&r->kernels.uses[kernel], variant->empty);
    for (int i = 0; i < variant->binding_count; i++)
        if (!(variant->dispatch.slots[i].buffer = bound(r, variant, i, doubled)))
            return false;
    oro_set(&variant->dispatch, "step", step);
    oro_set(&variant->dispatch, "steps", steps);
    if (!oro_eval_dispatch(r->eval, &variant->dispatch))
        return false;
    for (int i = 0; i < r->kernels.raster_count; i++)
        if (doubled >> i & 1)
            swap(&r->kernels.rasters[i]);
    r->runs++;
    return true;
}

/* With a group that resumes, progress counts its iterations, because stored states are found by them. */
static bool progress(struct runner *r)
{
    bool due = oro_eval_decide(r->eval, oro_now() - r->status_read > STATUS_SECONDS);
    bool ok = r->resuming >= 0 ? oro_eval_progress(r->eval, r->done, r->iterations)
                               : oro_eval_progress(r->eval, r->runs, r->total);
    return ok && (!due || check_status(r));
}

static bool run_pass(struct runner *r, int pass, int step, int steps)
{
    return run_kernel(r, script_of(r)->passes[pass].kernel, pass == r->blending, step, steps) && progress(r);
}

/* ---- Groups ---- */

static int times_of(const struct runner *r, const struct oro_script_pass *group)
{
    if (!group->input)
        return group->times;
    const struct oro_input *input = oro_type_input(&script_of(r)->type, group->input);
    int times;
    memcpy(&times, (const char *)r->params + input->offset, sizeof times);
    return times > 0 ? times : 0;
}

/* The rasters that the passes of a group use, one bit each. */
static unsigned group_uses(const struct runner *r, int group)
{
    const struct oro_script_pass *passes = script_of(r)->passes;
    unsigned uses = 0;
    for (int i = group + 1; i <= group + passes[group].count; i++)
        uses |= r->kernels.uses[passes[i].kernel].reads | r->kernels.uses[passes[i].kernel].sets;
    return uses;
}

/* Clears the rasters that a group uses before its first turn, so that every turn finds the same rasters and
 * runs the same kernels. */
static bool clear_empty(struct runner *r, int group)
{
    unsigned uses = group_uses(r, group);
    for (int i = 0; i < r->kernels.raster_count; i++)
        if ((uses >> i & 1) && !r->kernels.rasters[i].now && !clear(r, &r->kernels.rasters[i]))
            return false;
    return true;
}

static bool run_iteration(struct runner *r, int group, int iteration, int iterations)
{
    for (int i = group + 1; i <= group + script_of(r)->passes[group].count; i++)
        if (!run_pass(r, i, iteration, iterations))
            return false;
    return true;
}

static bool run_group(struct runner *r, int group, int iterations)
{
    if (iterations > 0 && !clear_empty(r, group))
        return false;
    for (int iteration = 0; iteration < iterations; iteration++)
        if (!run_iteration(r, group, iteration, iterations))
            return false;
    return true;
}

/* ---- A group that resumes ---- */

/* Everything that was written before the group, and in it. */
static int list_state(const struct runner *r, struct oro_buffer *state[ORO_SCRIPT_RASTERS_MAX])
{
    int count = 0;
    for (int i = 0; i < r->kernels.raster_count; i++)
        if (r->kernels.rasters[i].now)
            state[count++] = r->kernels.rasters[i].now;
    return count;
}

/* A state is stored at the end, and some before it, but never after a kernel has failed. */
static bool checkpoint(struct runner *r, int done)
{
    struct oro_buffer *state[ORO_SCRIPT_RASTERS_MAX];
    bool last = done == r->iterations;
    int count = list_state(r, state);
    if (!oro_eval_checkpoint_due(r->eval, done, r->iterations) && !last)
        return true;
    if (!check_status(r) || !oro_eval_checkpoint(r->eval, done, r->iterations, state, count))
        return false;
    for (int i = 0; last && i < r->kernels.raster_count; i++)
        r->kernels.rasters[i].kept = r->kernels.rasters[i].now != NULL;
    return true;
}

static bool show(struct runner *r, int done)
{
    unsigned uses = group_uses(r, r->resuming);
    for (int i = 0; i < r->kernels.raster_count; i++) {
        const struct oro_kernel_raster *raster = &r->kernels.rasters[i];
        if (raster->output && (uses >> i & 1))
            return oro_eval_show(r->eval, raster->name, raster->now, done);
    }
    return true;
}

static bool run_resuming(struct runner *r, int group)
{
    struct oro_buffer *state[ORO_SCRIPT_RASTERS_MAX];
    if (r->iterations > 0 && !clear_empty(r, group))
        return false;
    int done = oro_eval_resume(r->eval, r->iterations, state, list_state(r, state));
    for (r->done = done; r->done >= 0 && r->done < r->iterations;) {
        int iteration = r->done++;
        if (!show(r, iteration) || !run_iteration(r, group, iteration, r->iterations) ||
            !checkpoint(r, r->done))
            return false;
    }
    return r->done >= 0;
}

static bool mentions(const struct runner *r, int pass, const char *word)
{
    int kernel = script_of(r)->passes[pass].kernel;
    return kernel >= 0 && oro_glsl_has_word(r->kernels.uses[kernel].text, word);
}

/* Whether the state after some number of turns is independent of how many turns there will be. */
static bool can_resume(const struct runner *r, int group)
{
    const struct oro_script *script = script_of(r);
    int last = group + script->passes[group].count;
    unsigned touched = 0;
    int rasters = 0;
    for (int i = 0; i <= last; i++) {
        if (mentions(r, i, script->passes[group].input) || (i > group && mentions(r, i, "steps")))
            return false;
        if (script->passes[i].kernel >= 0)
            touched |= r->kernels.uses[script->passes[i].kernel].reads |
                       r->kernels.uses[script->passes[i].kernel].sets;
    }
    for (; touched; touched &= touched - 1)
        rasters++;
    return rasters <= STATE_MAX;
}

/* The group that is counted by the iterations of the type, if there is just one; else -1. */
static int find_resuming(const struct runner *r)
{
    const struct oro_script *script = script_of(r);
    const struct oro_input *iterations = oro_type_input_as(&script->type, ORO_ROLE_ITERATIONS);
    int found = -1;
    for (int i = 0; iterations && i < script->pass_count; i++) {
        const struct oro_script_pass *pass = &script->passes[i];
        if (pass->kernel >= 0 || !pass->input || strcmp(pass->input, iterations->name) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found >= 0 && can_resume(r, found) ? found : -1;
}

/* ---- The mask ---- */

/* The raster that is the output `terrain`; -1: there is none. */
static int terrain_index(const struct runner *r)
{
    for (int i = 0; i < r->kernels.raster_count; i++)
        if (r->kernels.rasters[i].output && r->kernels.rasters[i].output->role == ORO_ROLE_TERRAIN)
            return i;
    return -1;
}

/* A node that both takes and gives a terrain has it blended by `mask`: in the last pass that sets it, or, if
 * that pass is in a group, after all passes. */
static void plan_blend(struct runner *r)
{
    const struct oro_script *script = script_of(r);
    const struct oro_input *terrain = oro_type_input_as(&script->type, ORO_ROLE_TERRAIN);
    const struct oro_input *mask = oro_type_input_as(&script->type, ORO_ROLE_MASK);
    int output = terrain_index(r), group_end = -1;
    r->blending = -1;
    if (!terrain || !mask || !mask->map || output < 0 || !oro_is_raster(terrain->type) ||
        !r->linked[terrain - script->type.inputs])
        return;
    for (int i = 0; i < script->pass_count; i++) {
        if (script->passes[i].kernel < 0)
            group_end = i + script->passes[i].count;
        else if (r->kernels.uses[script->passes[i].kernel].sets >> output & 1)
            r->blending = i > group_end ? i : -1;
    }
    r->blend_at_end = r->blending < 0;
}

static bool blend_at_end(struct runner *r)
{
    struct oro_kernel_raster *raster = &r->kernels.rasters[terrain_index(r)];
    struct oro_buffer *to = writable(r, raster, true);
    struct oro_dispatch dispatch = {
        .kernel = "a blend by mask",
        .text = "void main()\n{\n    ivec2 p = oro_cell();\n    if (oro_inside(p))\n        "
                "oro_new[oro_index(p)] = mix(terrain_at(p), oro_old[oro_index(p)], mask_at(p));\n}\n",
        .first_line = 1,
        .slots = {{"terrain", oro_eval_input(r->eval, "terrain")},
                  {"oro_old", raster->now},
                  {"oro_new", to, ORO_WRITE}},
        .maps = (const char *const[]){"mask", NULL},
    };
    if (!to || !oro_eval_dispatch(r->eval, &dispatch))
        return false;
    swap(raster);
    return true;
}

/* ---- All of it ---- */

static bool count_runs(struct runner *r)
{
    const struct oro_script *script = script_of(r);
    double total = 0;
    for (int i = 0; i < script->pass_count; i++) {
        const struct oro_script_pass *pass = &script->passes[i];
        total += pass->kernel < 0 ? (double)pass->count * times_of(r, pass) : 1;
        i += pass->kernel < 0 ? pass->count : 0;
    }
    if (total > ORO_SCRIPT_RUNS_MAX)
        return oro_eval_fail(r->eval, ORO_E_LIMIT, "%s: %.0f passes are to be run, and %d are possible",
                             script->texts[0].name, total, ORO_SCRIPT_RUNS_MAX);
    r->total = (int)total;
    return true;
}

static bool run_passes(struct runner *r)
{
    const struct oro_script *script = script_of(r);
    for (int i = 0; i < script->pass_count; i++) {
        const struct oro_script_pass *pass = &script->passes[i];
        bool group = pass->kernel < 0;
        if (!(i == r->resuming ? run_resuming(r, i)
              : group          ? run_group(r, i, times_of(r, pass))
                               : run_pass(r, i, 0, 1)))
            return false;
        i += group ? pass->count : 0;
    }
    return true;
}

/* Whether the output is a terrain that no pass has set, as in a preview that skips the iterations; then it is
 * the input. */
static bool is_passed_on(const struct runner *r, const struct oro_kernel_raster *raster)
{
    const struct oro_node_type *type = &script_of(r)->type;
    const struct oro_input *terrain = oro_type_input_as(type, ORO_ROLE_TERRAIN);
    return raster->output && raster->output->role == ORO_ROLE_TERRAIN && terrain &&
           terrain->type == raster->type && r->linked[terrain - type->inputs];
}

static bool pass_on(struct runner *r, struct oro_kernel_raster *raster)
{
    const char *element = oro_kernel_element(raster->type);
    raster->now = make_raster(r, raster);
    struct oro_dispatch dispatch = {
        .kernel = "a terrain that is passed on",
        .text = "void main()\n{\n    ivec2 p = oro_cell();\n    if (oro_inside(p))\n"
                "        oro_new[oro_index(p)] = terrain_at(p);\n}\n",
        .first_line = 1,
        .slots = {{"terrain", oro_eval_input(r->eval, "terrain"), ORO_READ, element},
                  {"oro_new", raster->now, ORO_WRITE, element}},
        .maps = (const char *const[]){NULL},
    };
    return oro_eval_dispatch(r->eval, &dispatch);
}

/* Fills an output that is set only by a group that did not run. */
static bool fill(struct runner *r, struct oro_kernel_raster *raster)
{
    return is_passed_on(r, raster) ? pass_on(r, raster) : clear(r, raster);
}

static bool give(struct runner *r)
{
    for (int i = 0; i < r->kernels.raster_count; i++)
        if (r->kernels.rasters[i].output && !r->kernels.rasters[i].now && !fill(r, &r->kernels.rasters[i]))
            return false;
    if (r->blend_at_end && !blend_at_end(r))
        return false;
    for (int i = 0; i < r->kernels.raster_count; i++)
        if (r->kernels.rasters[i].output &&
            !oro_eval_give(r->eval, r->kernels.rasters[i].name, r->kernels.rasters[i].now))
            return false;
    return true;
}

static bool start(struct runner *r, struct oro_arena *arena)
{
    const struct oro_node_type *type = oro_eval_type(r->eval);
    r->kernels = *oro_script_of(type)->prepared;
    r->kernels.arena = arena;
    for (int i = 0; i < ORO_SCRIPT_INPUTS_MAX && type->inputs[i].name; i++)
        r->linked[i] = oro_eval_linked(r->eval, type->inputs[i].name);
    r->resuming = find_resuming(r);
    if (r->resuming >= 0)
        r->iterations = times_of(r, &script_of(r)->passes[r->resuming]);
    plan_blend(r);
    return count_runs(r) && make_status(r);
}

bool oro_script_eval_kernel(struct oro_eval *eval, const void *params)
{
    struct oro_arena *arena = oro_arena_create();
    struct runner *r = arena ? oro_arena_alloc(arena, 1, sizeof *r) : NULL;
    if (!r) {
        oro_arena_destroy(arena);
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a script");
    }
    *r = (struct runner){.eval = eval, .params = params};
    bool ok = start(r, arena) && run_passes(r) && check_status(r) && give(r);
    oro_arena_destroy(arena);
    return ok;
}
