/* Composites: a node that is a graph of other nodes. */
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/derived/scripts.h"
#include "graph/plan/plan_private.h"
#include "graph/type/literal.h"

enum { PARTS_MAX = 256 };

struct part {
    struct oro_draft *draft;
    struct { /* links to earlier parts, by input */
        int part, output;
    } * links;
    struct oro_plan_source *outputs;
};

struct oro_build {
    struct oro_planner *planner;
    struct oro_draft *whole;
    struct part parts[PARTS_MAX];
    int part_count;
    struct { /* the part that gives each output of the composite, or the input that becomes it; -1: none */
        int part, output, own_input;
    } * gives;
    bool failed;
    struct oro_error err;
};

/* Reports a mistake in a node type's code, not in the user's graph. */
static void fail(struct oro_build *build, const char *format, ...) ORO_PRINTF(2, 3);
static void fail(struct oro_build *build, const char *format, ...)
{
    if (build->failed)
        return;
    va_list args;
    va_start(args, format);
    oro_fail_v(&build->err, ORO_E_EVALUATE, format, args);
    va_end(args);
    build->failed = true;
}

static int input_index(struct oro_build *build, int part, const char *name)
{
    if (build->failed)
        return -1;
    const struct oro_node_type *type = part < 0 ? build->whole->type : build->parts[part].draft->type;
    const struct oro_input *input = oro_type_input(type, name);
    if (!input)
        fail(build, "composite '%s': '%s' has no input '%s'", build->whole->type->id, type->id, name);
    return input ? (int)(input - type->inputs) : -1;
}

static int output_index(struct oro_build *build, int part, const char *name)
{
    if (build->failed)
        return -1;
    const struct oro_node_type *type = part < 0 ? build->whole->type : build->parts[part].draft->type;
    const struct oro_output *output = oro_type_output(type, name);
    if (!output)
        fail(build, "composite '%s': '%s' has no output '%s'", build->whole->type->id, type->id, name);
    return output ? (int)(output - type->outputs) : -1;
}

const struct oro_node_type *oro_build_type(const struct oro_build *build)
{
    return build->whole->type;
}

uint32_t oro_build_seed(const struct oro_build *build)
{
    for (const struct oro_input *input = build->whole->type->inputs; input->name; input++) {
        int own;
        if (input->role != ORO_ROLE_SEED)
            continue;
        memcpy(&own, (const char *)build->whole->params + input->offset, sizeof own);
        return oro_plan_seed(build->planner->plan->seed, own);
    }
    return 0;
}

bool oro_build_fail(struct oro_build *build, const struct oro_error *err)
{
    build->err = *err;
    build->failed = true;
    return false;
}

const struct oro_error *oro_build_error(const struct oro_build *build)
{
    return build->failed ? &build->err : NULL;
}

const struct oro_grid *oro_build_world(const struct oro_build *build)
{
    return &build->planner->plan->world;
}

const struct oro_grid *oro_build_grid(const struct oro_build *build, const char *own_input)
{
    const struct oro_draft *whole = build->whole;
    const struct oro_input *input = oro_type_input(whole->type, own_input);
    return input ? oro_plan_source_grid(build->planner, whole->sources[input - whole->type->inputs]) : NULL;
}

bool oro_build_linked(const struct oro_build *build, const char *own_input)
{
    const struct oro_draft *whole = build->whole;
    const struct oro_input *input = oro_type_input(whole->type, own_input);
    return input && whole->sources[input - whole->type->inputs].step >= 0;
}

bool oro_build_capped(const struct oro_build *build)
{
    const struct oro_draft *whole = build->whole;
    for (int i = 0; whole->type->inputs[i].name; i++) {
        int from = whole->sources[i].step;
        if (from >= 0 && build->planner->plan->steps[from].capped)
            return true;
    }
    return false;
}

int oro_build_node(struct oro_build *build, const char *type_id, const char *name)
{
    const struct oro_node_type *type = oro_registry_find(build->planner->registry, type_id);
    if (!type)
        fail(build, "composite '%s': there is no node type '%s'", build->whole->type->id, type_id);
    return type ? oro_build_node_of(build, type, name) : -1;
}

const struct oro_node_type *oro_build_find(const struct oro_build *build, const char *id,
                                           struct oro_error *err)
{
    const struct oro_node_type *whole = build->whole->type;
    return oro_type_named(build->planner->registry, whole->file ? whole->file : build->whole->document, id,
                          err);
}

int oro_build_node_of(struct oro_build *build, const struct oro_node_type *type, const char *name)
{
    if (build->part_count == PARTS_MAX)
        fail(build, "composite '%s' has more than %d parts", build->whole->type->id, PARTS_MAX);
    if (build->failed)
        return -1;
    struct oro_arena *arena = build->planner->plan->arena;
    struct part *part = &build->parts[build->part_count];
    const char *id = oro_arena_textf(arena, "%s/%s", build->whole->id, name);
    size_t inputs = oro_type_input_count(type);
    part->draft = id ? oro_draft_create(build->planner, type, id, build->whole->line) : NULL;
    part->links = oro_arena_alloc(arena, inputs + 1, sizeof *part->links);
    part->outputs = oro_arena_alloc(arena, oro_type_output_count(type) + 1, sizeof *part->outputs);
    if (!part->draft || !part->links || !part->outputs) {
        oro_fail(&build->err, ORO_E_MEMORY, "no memory for composite '%s'", build->whole->type->id);
        build->failed = true;
        return -1;
    }
    for (size_t i = 0; i < inputs; i++)
        part->links[i].part = -1;
    return build->part_count++;
}

static void copy_literal(struct oro_build *build, struct oro_draft *to, int to_index, int own_index)
{
    static const size_t sizes[] = {[ORO_FLOAT] = 4,
                                   [ORO_INT] = 4,
                                   [ORO_CHOICE] = 4,
                                   [ORO_BOOL] = sizeof(bool),
                                   [ORO_TEXT] = sizeof(char *),
                                   [ORO_FILE] = sizeof(char *),
                                   [ORO_COLOUR] = 4 * sizeof(float),
                                   [ORO_POINT] = 2 * sizeof(float),
                                   [ORO_PROFILE] = sizeof(struct oro_profile),
                                   [ORO_GRADIENT] = sizeof(struct oro_gradient),
                                   [ORO_NETWORK] = sizeof(char *)};
    const struct oro_input *own = &build->whole->type->inputs[own_index],
                           *input = &to->type->inputs[to_index];
    const char *text = NULL;
    if (own->type == ORO_NETWORK)
        memcpy(&text, (const char *)build->whole->params + own->offset, sizeof text);
    if (!oro_input_has_literal(own) || (own->type == ORO_NETWORK && !text))
        return; /* without a network, the part keeps its default */
    if (own->type != input->type)
        fail(build, "composite '%s': '%s' and '%s' differ in type", build->whole->type->id, own->name,
             input->name);
    else
        memcpy((char *)to->params + input->offset, (const char *)build->whole->params + own->offset,
               sizes[own->type]);
}

void oro_build_forward(struct oro_build *build, int node, const char *input, const char *own_input)
{
    int to = input_index(build, node, input), own = input_index(build, -1, own_input);
    if (build->failed)
        return;
    struct oro_draft *draft = build->parts[node].draft;
    draft->sources[to] = build->whole->sources[own];
    if (draft->sources[to].step < 0)
        copy_literal(build, draft, to, own);
}

void oro_build_link(struct oro_build *build, int node, const char *input, int from, const char *output)
{
    int to = input_index(build, node, input), out = output_index(build, from, output);
    if (build->failed)
        return;
    if (from >= node) {
        fail(build, "composite '%s': parts must be made in the order of their links", build->whole->type->id);
        return;
    }
    build->parts[node].links[to].part = from;
    build->parts[node].links[to].output = out;
}

void oro_build_number(struct oro_build *build, int node, const char *input, double value)
{
    int to = input_index(build, node, input);
    if (build->failed)
        return;
    struct oro_draft *draft = build->parts[node].draft;
    build->failed = !oro_literal_number(&draft->type->inputs[to], value, draft->params, &build->err);
}

/* A file's path is relative to the file that the composite comes from. */
static const char *place_file(struct oro_build *build, const struct oro_input *input, const char *text)
{
    struct oro_planner *planner = build->planner;
    const struct oro_node_type *whole = build->whole->type;
    char *path = NULL;
    if (!oro_resolve_path(whole->file ? whole->file : build->whole->document, text,
                          planner->options->allow_any_path, &path, &build->err)) {
        build->failed = true;
        return NULL;
    }
    const char *kept = oro_arena_text(planner->plan->arena,
                                      input->writes ? path : oro_document_file_for(planner->doc, path));
    oro_free(path);
    return kept;
}

void oro_build_text(struct oro_build *build, int node, const char *input, const char *text)
{
    int to = input_index(build, node, input);
    if (build->failed)
        return;
    struct oro_draft *draft = build->parts[node].draft;
    const struct oro_input *own = &draft->type->inputs[to];
    const char *kept = own->type == ORO_FILE && *text ? place_file(build, own, text)
                                                      : oro_arena_text(build->planner->plan->arena, text);
    if (build->failed)
        return;
    build->failed = kept ? !oro_literal_parse(own, kept, draft->params, &build->err) : true;
    if (!kept)
        oro_fail(&build->err, ORO_E_MEMORY, "no memory for a text");
}

void oro_build_output_of_input(struct oro_build *build, const char *own_output, const char *own_input)
{
    int own = output_index(build, -1, own_output), input = input_index(build, -1, own_input);
    if (build->failed)
        return;
    if (build->whole->sources[input].step < 0)
        fail(build, "input '%s' must be linked", own_input);
    build->gives[own].own_input = input;
}

void oro_build_output(struct oro_build *build, const char *own_output, int node, const char *output)
{
    int own = output_index(build, -1, own_output), out = output_index(build, node, output);
    if (build->failed)
        return;
    build->gives[own].part = node;
    build->gives[own].output = out;
}

static bool plan_parts(struct oro_build *build)
{
    for (int i = 0; i < build->part_count; i++) {
        struct part *part = &build->parts[i];
        for (int k = 0; part->draft->type->inputs[k].name; k++)
            if (part->links[k].part >= 0)
                part->draft->sources[k] = build->parts[part->links[k].part].outputs[part->links[k].output];
        if (!oro_plan_draft(build->planner, part->draft, part->outputs))
            return false;
    }
    return true;
}

/* A node type in C may contain itself as a part, with other values; in a script that would be a mistake. */
static bool enter(struct oro_planner *planner, const struct oro_node_type *type)
{
    if (planner->depth >= ORO_COMPOSITES_MAX)
        return oro_fail(planner->err, ORO_E_LIMIT, "composites are nested more than %d deep",
                        ORO_COMPOSITES_MAX);
    if (planner->seconds > ORO_SCRIPTS_SECONDS)
        return oro_fail(planner->err, ORO_E_LIMIT, "building the graphs of scripts takes more than %.0f s",
                        ORO_SCRIPTS_SECONDS);
    for (int i = 0; type->script && i < planner->depth; i++)
        if (planner->composites[i] == type)
            return oro_fail(planner->err, ORO_E_EVALUATE, "'%s' has itself as a part", type->id);
    planner->composites[planner->depth++] = type;
    return true;
}

/* The composite's own seed is not mixed here: its parts get the number as written, and mix it themselves. */
bool oro_plan_expand(struct oro_planner *planner, struct oro_draft *draft, struct oro_plan_source *outputs,
                     bool *expanded)
{
    size_t output_count = oro_type_output_count(draft->type);
    struct oro_build *build = oro_arena_alloc(planner->plan->arena, 1, sizeof *build);
    if (build) {
        build->planner = planner;
        build->whole = draft;
        build->gives = oro_arena_alloc(planner->plan->arena, output_count + 1, sizeof *build->gives);
    }
    if (!build || !build->gives)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for composite '%s'", draft->id);
    for (size_t i = 0; i < output_count; i++)
        build->gives[i].part = build->gives[i].own_input = -1;
    if (!enter(planner, draft->type))
        return false;
    double start = oro_now();
    bool built = draft->type->expand(build, draft->params);
    planner->seconds += draft->type->script ? oro_now() - start : 0;
    if (!built)
        fail(build, "composite '%s' failed without saying why", draft->type->id);
    planner->scope_nodes += (size_t)build->part_count;
    if (planner->scope_nodes > ORO_SCOPE_NODES_MAX)
        fail(build, "with all parts of composites there are more than %d nodes", ORO_SCOPE_NODES_MAX);
    *expanded = build->part_count > 0 || !(draft->type->eval || draft->type->kernel);
    if (build->failed && planner->err)
        *planner->err = build->err;
    bool ok = !build->failed && plan_parts(build);
    planner->depth--;
    for (size_t i = 0; ok && *expanded && i < output_count; i++) {
        if (build->gives[i].own_input >= 0) {
            outputs[i] = draft->sources[build->gives[i].own_input];
            continue;
        }
        if (build->gives[i].part < 0)
            return oro_fail(planner->err, ORO_E_EVALUATE, "composite '%s' does not give '%s'",
                            draft->type->id, draft->type->outputs[i].name);
        outputs[i] = build->parts[build->gives[i].part].outputs[build->gives[i].output];
    }
    return ok;
}
