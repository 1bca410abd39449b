/* Composes what stands in front of a script's kernel: the functions that it calls to set rasters, and main(),
 * which calls `cell` and then stores what was set, each raster once, at the place of the cell. */
#include <string.h>

#include "graph/type/registry.h"
#include "lua/kernel/kernel_private.h"

/* Driver messages count the lines of a file up to here (devices/gpu/source.h). */
enum { LINES_MAX = 9000 };

struct composer {
    const struct oro_script_kernels *kernels;
    const struct oro_script_use *use;
    struct oro_script_variant *variant;
    struct oro_text text;
    struct oro_error *err;
};

/* ---- Slots ---- */

static bool add_slot(struct composer *c, const char *name, enum oro_access access, const char *glsl,
                     struct oro_script_binding binding)
{
    struct oro_script_variant *variant = c->variant;
    const struct oro_script *script = c->kernels->script;
    if (!name)
        return oro_fail(c->err, ORO_E_MEMORY, "no memory for a kernel");
    if (variant->binding_count == ORO_BUFFERS_MAX)
        return oro_fail(c->err, ORO_E_LIMIT, "%s: kernel '%s' reads and sets more than %d rasters at once",
                        script->texts[0].name, script->kernels[variant->kernel].name, ORO_BUFFERS_MAX);
    variant->dispatch.slots[variant->binding_count] = (struct oro_slot){name, NULL, access, glsl};
    variant->bindings[variant->binding_count++] = binding;
    return true;
}

static bool is_read(const struct composer *c, int input)
{
    enum oro_role role = c->kernels->script->type.inputs[input].role;
    bool blended = c->variant->blends && (role == ORO_ROLE_TERRAIN || role == ORO_ROLE_MASK);
    return blended || (c->use->inputs >> input & 1);
}

static bool add_inputs(struct composer *c, const bool *linked)
{
    const struct oro_input *inputs = c->kernels->script->type.inputs;
    int maps = 0;
    for (int i = 0; i < ORO_SCRIPT_INPUTS_MAX && inputs[i].name; i++) {
        if (inputs[i].map && is_read(c, i))
            c->variant->maps[maps++] = inputs[i].name;
        if (!oro_is_raster(inputs[i].type) || !linked[i] || !is_read(c, i))
            continue;
        if (!add_slot(c, inputs[i].name, ORO_READ, oro_kernel_element(inputs[i].type),
                      (struct oro_script_binding){ORO_BOUND_INPUT, i}))
            return false;
    }
    c->variant->maps[maps] = NULL;
    c->variant->dispatch.maps = c->variant->maps;
    return true;
}

/* A raster that the kernel sets but does not read is changed in place: no other cell sees its old values. */
static bool add_raster(struct composer *c, int index)
{
    const struct oro_kernel_raster *raster = &c->kernels->rasters[index];
    bool empty = c->variant->empty >> index & 1, sets = c->use->sets >> index & 1;
    bool reads = c->use->reads >> index & 1;
    const char *element = oro_kernel_element(raster->type);
    if (reads && empty)
        oro_text_addf(&c->text, "%s %s_at(ivec2 p) { return %s(0.0); }\n", element, raster->name, element);
    if (reads && !empty &&
        !add_slot(c, raster->name, ORO_READ, element, (struct oro_script_binding){ORO_BOUND_OLD, index}))
        return false;
    char *name = sets ? oro_arena_textf(c->kernels->arena, "oro_new_%s", raster->name) : NULL;
    return !sets || add_slot(c, name, empty || reads ? ORO_WRITE : ORO_UPDATE, element,
                             (struct oro_script_binding){ORO_BOUND_NEW, index});
}

static bool add_slots(struct composer *c, const bool *linked)
{
    if (!add_inputs(c, linked))
        return false;
    for (int i = 0; i < c->kernels->raster_count; i++)
        if (!add_raster(c, i))
            return false;
    return !oro_script_can_fail(c->use) ||
           add_slot(c, "oro_status", ORO_UPDATE, "uint", (struct oro_script_binding){ORO_BOUND_STATUS, 0});
}

/* ---- Text ---- */

/* An error as oro_script_status reads it. It is one word, so it stays whole whichever cell writes last. */
static unsigned mistake(const struct composer *c, unsigned what, int raster)
{
    return what << 30 | (unsigned)raster << 21 | (unsigned)c->variant->kernel << 17;
}

/* Has no branches, because compilers produce much code for them where there are many loops. Once the budget
 * is spent, it stays at 0. */
static void add_budget(struct composer *c)
{
    if (c->use->facts.loops)
        oro_text_addf(&c->text,
                      "int oro_budget = %d, oro_line = 0;\n"
                      "bool oro_step(int cost, int line) {\n"
                      "    oro_budget = max(oro_budget - cost, 0);\n"
                      "    oro_line = oro_budget > 0 ? line : oro_line;\n"
                      "    return oro_budget > 0;\n}\n",
                      ORO_GLSL_BUDGET);
    oro_text_add(&c->text, "int oro_within(int i, int n) { return clamp(i, 0, n - 1); }\n");
}

static void add_setters(struct composer *c)
{
    oro_text_add(&c->text, "ivec2 oro_own;\n");
    for (int i = 0; i < c->kernels->raster_count; i++) {
        const struct oro_kernel_raster *raster = &c->kernels->rasters[i];
        const char *element = oro_kernel_element(raster->type), *name = raster->name;
        if (!(c->use->sets >> i & 1))
            continue;
        oro_text_addf(&c->text, "%s oro_value_%s;\nvoid set_%s(ivec2 p, %s v) { ", element, name, name,
                      element);
        if (c->use->facts.own)
            oro_text_addf(&c->text, "oro_value_%s = v; }\n", name);
        else
            oro_text_addf(&c->text, "if (p == oro_own) oro_value_%s = v; else oro_status[0] = %uu; }\n", name,
                          mistake(c, 2, i));
    }
}

/* A raster that the cell does not set keeps its value; that is 0 at first. */
static void add_start(struct composer *c, int index)
{
    const struct oro_kernel_raster *raster = &c->kernels->rasters[index];
    const char *element = oro_kernel_element(raster->type);
    if (c->variant->empty >> index & 1)
        oro_text_addf(&c->text, "    oro_value_%s = %s(0.0);\n", raster->name, element);
    else
        oro_text_addf(&c->text, "    oro_value_%s = %s%s[oro_index(oro_own)];\n", raster->name,
                      c->use->reads >> index & 1 ? "" : "oro_new_", raster->name);
}

static void add_end(struct composer *c, int index)
{
    const struct oro_kernel_raster *raster = &c->kernels->rasters[index];
    if (c->variant->blends && raster->output && raster->output->role == ORO_ROLE_TERRAIN)
        oro_text_add(&c->text, "    oro_new_terrain[oro_index(oro_own)] = mix(terrain_at(oro_own), "
                               "oro_value_terrain, mask_at(oro_own));\n");
    else
        oro_text_addf(&c->text, "    oro_new_%s[oro_index(oro_own)] = oro_value_%s;\n", raster->name,
                      raster->name);
}

/* Software drivers end all loops of the cells that they compute side by side once these have taken 65535
 * turns together, and from then on every loop after its first turn. So a loop of two turns checks for that:
 * if it ends after one, earlier loops were cut short and the result is wrong. The number of turns is known
 * only at run time, so that no compiler removes the loop. */
static void add_check(struct composer *c)
{
    if (c->use->facts.loops)
        oro_text_addf(&c->text,
                      "    int oro_turns = 0;\n"
                      "    for (int i = min(grid.size.x, 1); i >= 0; i--)\n"
                      "        oro_turns++;\n"
                      "    if (oro_turns < 2 || oro_budget == 0)\n"
                      "        oro_status[0] = %uu | uint(oro_line);\n",
                      mistake(c, 1, 0));
}

/* Once a cell has taken too long, cells that have not begun do nothing. */
static void add_main(struct composer *c)
{
    oro_text_add(&c->text, "void cell(ivec2 p);\nvoid main() {\n    oro_own = oro_cell();\n");
    oro_text_addf(&c->text, "    if (!oro_inside(oro_own)%s)\n        return;\n",
                  c->use->facts.loops ? " || oro_status[0] != 0u" : "");
    for (int i = 0; i < c->kernels->raster_count; i++)
        if (c->use->sets >> i & 1)
            add_start(c, i);
    oro_text_add(&c->text, "    cell(oro_own);\n");
    add_check(c);
    for (int i = 0; i < c->kernels->raster_count; i++)
        if (c->use->sets >> i & 1)
            add_end(c, i);
    oro_text_add(&c->text, "}\n");
}

/* ---- The dispatch ---- */

static int count_lines(const char *text)
{
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* What messages call the kernel, and the line from which they count. */
static const char *name_kernel(const struct composer *c, int *first_line)
{
    const struct oro_script *script = c->kernels->script;
    const struct oro_script_kernel *kernel = &script->kernels[c->variant->kernel];
    if (kernel->line > 0 && kernel->line + count_lines(kernel->text) < LINES_MAX) {
        *first_line = kernel->line;
        return script->texts[0].name;
    }
    *first_line = 1;
    return oro_arena_textf(c->kernels->arena, "%s, kernel '%s'", script->texts[0].name, kernel->name);
}

bool oro_script_compose(const struct oro_script_kernels *kernels, const bool *linked,
                        struct oro_script_variant *variant, struct oro_error *err)
{
    struct composer c = {
        .kernels = kernels, .use = &kernels->uses[variant->kernel], .variant = variant, .err = err};
    struct oro_dispatch *dispatch = &variant->dispatch;
    *dispatch = (struct oro_dispatch){
        .text = c.use->text, .foreign = kernels->script->in_guest, .constants = {{"step"}, {"steps"}}};
    dispatch->kernel = name_kernel(&c, &dispatch->first_line);
    bool ok = add_slots(&c, linked);
    add_budget(&c);
    add_setters(&c);
    add_main(&c);
    if (ok)
        dispatch->defines = oro_arena_text(kernels->arena, c.text.data);
    oro_text_free(&c.text);
    return ok &&
           ((dispatch->kernel && dispatch->defines) || oro_fail(err, ORO_E_MEMORY, "no memory for a kernel"));
}
