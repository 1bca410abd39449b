/* Finds out what script kernels use: makes their texts safe, and lists the rasters that each reads and
 * sets. */
#include <string.h>

#include "graph/type/registry.h"
#include "graph/type/value.h"
#include "lua/kernel/kernel_private.h"

/* "FILE:LINE: " of a kernel's line. */
static bool fail_at(const struct oro_script *script, int kernel, int line, enum oro_code code,
                    const char *text, struct oro_error *err)
{
    const struct oro_script_kernel *at = &script->kernels[kernel];
    const char *file = script->texts[0].name;
    if (at->line > 0)
        return oro_fail(err, code, "%s:%d: %s", file, at->line + line - 1, text);
    return oro_fail(err, code, "%s: kernel '%s', line %d: %s", file, at->name, line, text);
}

bool oro_script_status(const struct oro_script_kernels *kernels, uint32_t status, struct oro_error *err)
{
    int line = (int)(status & 0x1ffff), kernel = (int)(status >> 17 & 15), raster = (int)(status >> 21 & 15);
    char text[256];
    struct oro_error said;
    if (!status)
        return true;
    if (kernel >= kernels->script->kernel_count || raster >= kernels->raster_count)
        return oro_fail(err, ORO_E_EVALUATE, "a kernel failed without saying why");
    if (status >> 30 == 1)
        oro_fail(&said, ORO_E_EVALUATE,
                 "the loops of one cell do not end, or take more turns than the %d that are possible",
                 ORO_GLSL_BUDGET);
    else
        oro_fail(&said, ORO_E_EVALUATE,
                 "kernel '%s': set_%s(q, v) where q is not the cell itself: a cell may set "
                 "only itself",
                 kernels->script->kernels[kernel].name, kernels->rasters[raster].name);
    memcpy(text, said.text, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    return fail_at(kernels->script, kernel, line ? line : 1, ORO_E_EVALUATE, text, err);
}

/* ---- Rasters ---- */

static void add_raster(struct oro_script_kernels *kernels, const char *name, enum oro_type type,
                       const struct oro_output *output)
{
    bool readable = !oro_type_input(&kernels->script->type, name);
    kernels->rasters[kernels->raster_count++] =
        (struct oro_kernel_raster){.name = name, .type = type, .output = output, .readable = readable};
}

static void add_rasters(struct oro_script_kernels *kernels)
{
    const struct oro_script *script = kernels->script;
    const struct oro_output *outputs = script->type.outputs;
    for (int i = 0; i < script->buffer_count; i++)
        add_raster(kernels, script->buffers[i].name, script->buffers[i].type, NULL);
    for (int i = 0; outputs && outputs[i].name && i < ORO_SCRIPT_OUTPUTS_MAX; i++)
        add_raster(kernels, outputs[i].name, outputs[i].type, &outputs[i]);
}

/* ---- Uses ---- */

/* A map must be read as NAME_at(p): params.NAME would ignore what is linked. */
static bool check_maps(const struct oro_script_kernels *kernels, const char *text, int *line,
                       struct oro_error *err)
{
    const struct oro_input *inputs = kernels->script->type.inputs;
    for (int i = 0; inputs[i].name; i++) {
        int at = inputs[i].map ? oro_glsl_finds_member(text, "params", inputs[i].name) : 0;
        if (at == 0)
            continue;
        *line = at;
        return oro_fail(err, ORO_E_KERNEL, "'%s' is a map: it is %s_at(p), not params.%s", inputs[i].name,
                        inputs[i].name, inputs[i].name);
    }
    return true;
}

static bool has_joined(struct oro_arena *arena, const char *text, const char *start, const char *end)
{
    const char *word = oro_arena_textf(arena, "%s%s", start, end);
    return word && oro_glsl_has_word(text, word);
}

/* Includes count as well: lib/terrain.glsl uses `terrain_at`. */
static bool reads(struct oro_arena *arena, const char *text, const char *name)
{
    return has_joined(arena, text, name, "_at") ||
           (strcmp(name, "terrain") == 0 && strstr(text, "\"lib/terrain.glsl\""));
}

static void find_uses(struct oro_script_kernels *kernels, struct oro_script_use *use)
{
    const struct oro_input *inputs = kernels->script->type.inputs;
    for (int i = 0; i < ORO_SCRIPT_INPUTS_MAX && inputs[i].name; i++)
        if (reads(kernels->arena, use->text, inputs[i].name))
            use->inputs |= (uint64_t)1 << i;
    for (int i = 0; i < kernels->raster_count; i++) {
        const struct oro_kernel_raster *raster = &kernels->rasters[i];
        if (raster->readable && reads(kernels->arena, use->text, raster->name))
            use->reads |= 1U << i;
        if (has_joined(kernels->arena, use->text, "set_", raster->name))
            use->sets |= 1U << i;
    }
}

static bool guard(struct oro_script_kernels *kernels, int kernel, struct oro_error *err)
{
    const char *names[ORO_SCRIPT_NAMES_MAX + 1];
    struct oro_script_use *use = &kernels->uses[kernel];
    struct oro_text text = {0};
    struct oro_error problem = {0};
    int line = 0;
    if (use->used)
        return true;
    /* The arrays of rasters, which kernels may not use directly. */
    const struct oro_input *inputs = kernels->script->type.inputs;
    int count = 0;
    for (int i = 0; i < ORO_SCRIPT_INPUTS_MAX && inputs[i].name; i++)
        if (inputs[i].map || oro_is_raster(inputs[i].type))
            names[count++] = inputs[i].name;
    for (int i = 0; i < kernels->raster_count; i++)
        if (kernels->rasters[i].readable)
            names[count++] = kernels->rasters[i].name;
    names[count] = NULL;
    bool ok =
        oro_glsl_guard(kernels->script->kernels[kernel].text, names, &text, &use->facts, &line, &problem);
    ok = ok && check_maps(kernels, text.data ? text.data : "", &line, &problem);
    if (!ok)
        fail_at(kernels->script, kernel, line ? line : 1, problem.code, problem.text, err);
    use->text = ok ? oro_arena_text(kernels->arena, text.data ? text.data : "") : NULL;
    oro_text_free(&text);
    if (ok && !use->text)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a kernel");
    if (ok)
        find_uses(kernels, use);
    use->used = ok;
    return ok;
}

/* Outputs, and buffers that are read, must be set by some pass. */
static bool check_sets(const struct oro_script_kernels *kernels, struct oro_error *err)
{
    const struct oro_script *script = kernels->script;
    unsigned sets = 0, read = 0;
    for (int i = 0; i < script->kernel_count; i++) {
        sets |= kernels->uses[i].sets;
        read |= kernels->uses[i].reads;
    }
    for (int i = 0; i < kernels->raster_count; i++) {
        const struct oro_kernel_raster *raster = &kernels->rasters[i];
        if (sets >> i & 1)
            continue;
        if (raster->output)
            return oro_fail(err, ORO_E_KERNEL,
                            "%s: no pass sets the output '%s': call set_%s(p, v) in a kernel",
                            script->texts[0].name, raster->name, raster->name);
        if (read >> i & 1)
            return oro_fail(err, ORO_E_KERNEL,
                            "%s: the buffer '%s' is read, and no pass sets it: call set_%s(p, v) in a kernel",
                            script->texts[0].name, raster->name, raster->name);
    }
    return true;
}

static bool prepare(struct oro_script_kernels *kernels, struct oro_error *err)
{
    const struct oro_script *script = kernels->script;
    add_rasters(kernels);
    for (int i = 0; i < script->pass_count; i++)
        if (script->passes[i].kernel >= 0 && !guard(kernels, script->passes[i].kernel, err))
            return false;
    return check_sets(kernels, err);
}

/* Files that kernels include determine what they compute, so their texts go into cache keys, as with built-in
 * nodes. */
static bool list_includes(struct oro_script *script)
{
    size_t most = 0, count = 0;
    while (oro_glsl_includes[most])
        most++;
    const char **files = oro_arena_alloc(script->arena, most + 1, sizeof *files);
    for (size_t i = 0; files && i < most; i++) {
        bool included = false;
        for (int k = 0; k < script->kernel_count; k++)
            included = included || strstr(script->kernels[k].text, oro_glsl_includes[i]);
        if (included)
            files[count++] = oro_glsl_includes[i];
    }
    script->type.kernels = files;
    return files;
}

/* Counts the channels of buffers, and of second copies of what a pass both reads and sets. Not counted are
 * copies that keep a resumed state intact: they exist for a moment only. */
static int count_scratch_fields(const struct oro_script_kernels *kernels)
{
    unsigned doubled = 0;
    int fields = 1; /* a blend by mask at the end */
    for (int i = 0; i < kernels->script->kernel_count; i++)
        doubled |= oro_script_doubled(&kernels->uses[i], 0);
    for (int i = 0; i < kernels->raster_count; i++)
        fields += oro_type_channels(kernels->rasters[i].type) *
                  ((int)(doubled >> i & 1) + !kernels->rasters[i].output);
    return fields;
}

bool oro_script_prepare(struct oro_script *script, struct oro_error *err)
{
    struct oro_script_kernels *kernels = oro_arena_alloc(script->arena, 1, sizeof *kernels);
    if (!kernels)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a script");
    *kernels = (struct oro_script_kernels){.script = script, .arena = script->arena};
    script->prepared = kernels;
    if (!prepare(kernels, err))
        return false;
    script->type.scratch_fields = count_scratch_fields(kernels);
    return list_includes(script) || oro_fail(err, ORO_E_MEMORY, "no memory for a script");
}

bool oro_script_can_fail(const struct oro_script_use *use)
{
    return use->facts.loops || !use->facts.own;
}

unsigned oro_script_doubled(const struct oro_script_use *use, unsigned empty)
{
    return use->reads & use->sets & ~empty;
}
