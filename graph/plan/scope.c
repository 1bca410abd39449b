/* One document while it is planned: the order of its nodes, their values, and the graphs that nodes are. */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "graph/derived/assets_private.h"
#include "graph/derived/mute.h"
#include "graph/derived/paths.h"
#include "graph/document/variable.h"
#include "graph/plan/plan_private.h"
#include "graph/type/literal.h"

enum visit_state { UNSEEN, OPEN, DONE };

/* An output of a graph that has not been asked for yet. */
enum { NOT_PLANNED = -2 };

/* One entry per node. */
struct oro_visit {
    const struct oro_doc_node *node;
    const struct oro_node_type *type; /* NULL: unknown; valid once it has been asked for */
    bool asked;
    enum visit_state state;
    bool muted;              /* the node was, when this was made */
    bool overridden, bound;  /* some input has a value from outside */
    struct oro_visit **from; /* the nodes that its inputs are linked to; NULL: not linked, or to nothing */
    size_t looked_at;        /* how many of these were looked at, and wait to be planned or are */
    struct oro_plan_source *outputs;
    int last_step;           /* of the steps that the node became */
    struct oro_scope *inner; /* if the node is a graph */
};

/* What a node's input gets through the interface: a source, or a literal (files: the path to open). */
struct oro_binding {
    const char *node, *input;
    struct oro_plan_source source; /* step -1: `text` is the value */
    const char *text;
};

/* ---- Finding ---- */

static const struct oro_override *override_of(const struct oro_scope *scope, const char *node,
                                              const char *input)
{
    const struct oro_plan_options *options = scope->planner->options;
    const struct oro_override *found = NULL;
    for (size_t i = 0; i < options->override_count; i++) {
        const struct oro_override *override = &options->overrides[i];
        if (strcmp(override->node, node) == 0 && strcmp(override->input, input) == 0)
            found = override; /* the last one overrides */
    }
    return found;
}

static const struct oro_binding *binding_of(const struct oro_scope *scope, const char *node,
                                            const char *input)
{
    for (size_t i = 0; i < scope->binding_count; i++)
        if (strcmp(scope->bindings[i].node, node) == 0 && strcmp(scope->bindings[i].input, input) == 0)
            return &scope->bindings[i];
    return NULL;
}

static struct oro_visit *visit_of(const struct oro_scope *scope, const char *id)
{
    size_t index = oro_document_find_index(scope->doc, id);
    struct oro_visit *visit = index == SIZE_MAX ? NULL : &scope->visits[index];
    if (visit && !visit->asked) { /* not earlier, because a graph that is not needed may be missing */
        visit->type = oro_type_of(scope->planner->registry, scope->root, visit->node, NULL);
        visit->asked = true;
    }
    return visit;
}

/* Where an input's value comes from: the first of these that exists, in the order override, interface,
 * document. */
struct origin {
    const struct oro_override *override;
    const struct oro_binding *binding;
    const struct oro_doc_input *entry;
};

static struct origin origin_of(const struct oro_scope *scope, const struct oro_visit *visit,
                               const char *input)
{
    struct origin origin = {NULL, NULL, NULL};
    const char *id = visit->node->id;
    if (visit->overridden)
        origin.override = override_of(scope, id, input);
    bool own = origin.override && !origin.override->value;
    if (own)
        origin.override = NULL;
    if (visit->bound && !origin.override && !own)
        origin.binding = binding_of(scope, id, input);
    if (!origin.override && !origin.binding)
        origin.entry = oro_doc_node_input(visit->node, input);
    return origin;
}

/* ---- Literals ---- */

/* For params that point to a text: the document, or whoever gave an override, may be gone before the plan
 * is. */
static const char *keep(struct oro_planner *planner, const char *text)
{
    const char *kept = oro_arena_text(planner->plan->arena, text);
    if (!kept)
        oro_fail(planner->err, ORO_E_MEMORY, "no memory for a text");
    return kept;
}

/* The path to open for a file; NULL: `err` is filled. */
static const char *resolve_file(const struct oro_scope *scope, const struct oro_input *input,
                                const char *text, bool trusted)
{
    struct oro_planner *planner = scope->planner;
    const char *document = oro_document_path(scope->root);
    bool any = trusted || planner->options->allow_any_path;
    char *path = NULL;
    if (!text[0])
        return "";
    if (!(input->writes ? oro_resolve_output(document, text, any, &path, planner->err)
                        : oro_resolve_path(document, text, any, &path, planner->err)))
        return NULL;
    const char *kept = keep(planner, input->writes ? path : oro_document_file_for(planner->doc, path));
    oro_free(path);
    return kept;
}

/* Sets a literal in the params. The path of a file is kept already. */
static bool set_literal(struct oro_scope *scope, struct oro_draft *draft, size_t index, const char *text)
{
    const struct oro_input *input = &draft->type->inputs[index];
    struct oro_error err;
    if (input->type == ORO_TEXT || input->type == ORO_NETWORK)
        text = keep(scope->planner, text);
    if (!text)
        return false;
    if (!oro_literal_parse(input, text, draft->params, &err))
        return oro_fail(scope->planner->err, err.code, "input '%s': %s", input->name, err.text);
    return true;
}

/* The literal of an input, valid while the plan is made; for a file, the path to open. `*text` NULL: the
 * input has no literal, but a link or its default. */
static bool literal_of(struct oro_scope *scope, const struct oro_input *input, const struct origin *origin,
                       const char **text)
{
    struct oro_planner *planner = scope->planner;
    struct oro_error err; /* filled on failure only: clearing it for every input would take noticeable time */
    char number[ORO_NUMBER_SIZE];
    const char *given = NULL;
    *text = NULL;
    if (origin->binding) {
        *text = origin->binding->source.step < 0 ? origin->binding->text : NULL;
        return true;
    }
    if (origin->override)
        given = origin->override->value;
    else if (origin->entry && origin->entry->value)
        given = origin->entry->value;
    else if (origin->entry && origin->entry->expr) {
        if (!oro_variables_literal(scope->variables, origin->entry->expr, input, number, &err))
            return oro_fail(planner->err, err.code, "input '%s': %s", input->name, err.text);
        given = keep(planner, number);
        if (!given)
            return false;
    }
    if (!given)
        return true;
    *text = input->type == ORO_FILE ? resolve_file(scope, input, given, origin->override) : given;
    return *text;
}

/* Changes the seeds of nodes within a graph that is used with a seed. */
static void mix_seed(const struct oro_scope *scope, const struct oro_draft *draft)
{
    for (const struct oro_input *input = draft->type->inputs; scope->seed && input->name; input++) {
        int own;
        char *at = (char *)draft->params + input->offset;
        if (input->role != ORO_ROLE_SEED)
            continue;
        memcpy(&own, at, sizeof own);
        own = oro_seed_within(scope->seed, own);
        memcpy(at, &own, sizeof own);
    }
}

/* ---- Sources ---- */

static bool request(struct oro_scope *scope, struct oro_visit *visit, const char *output,
                    struct oro_plan_source *source);

/* Whether an input of a muted node gets something from an override or the interface, and its type. */
static bool comes_from_outside(void *user, const struct oro_doc_node *node, const char *input,
                               enum oro_type *type)
{
    const struct oro_scope *scope = user;
    const struct origin origin = origin_of(scope, visit_of(scope, node->id), input);
    *type = origin.binding ? oro_plan_source_type(scope->planner, origin.binding->source) : ORO_NONE;
    return origin.binding || origin.override;
}

/* What a link leads to once muted nodes are followed: an output of a node, or what the interface brings. */
struct end {
    struct oro_visit *visit; /* or NULL */
    const char *output;
    struct oro_plan_source source; /* if `visit` is NULL; step -1: nothing */
};

static bool follow(struct oro_scope *scope, struct oro_visit *from, const char *output,
                   const struct oro_input *taker, struct end *end)
{
    struct oro_planner *planner = scope->planner;
    const struct oro_graph graph = {scope->doc, scope->root};
    struct oro_mute_source behind;
    *end = (struct end){from, output, {.step = -1}};
    if (!from->node->mute)
        return true;
    planner->passed_muted = true;
    if (!oro_mute_follow(planner->registry, &graph, from->node, output, taker, comes_from_outside, scope,
                         &behind, planner->err))
        return false;
    end->visit = behind.output ? visit_of(scope, behind.node->id) : NULL;
    end->output = behind.output;
    if (behind.input)
        end->source = binding_of(scope, behind.node->id, behind.input)->source;
    return true;
}

/* `*source` stays at step -1 if nothing is linked. */
static bool source_of(struct oro_scope *scope, const struct oro_visit *visit, const struct oro_input *input,
                      const struct origin *origin, struct oro_plan_source *source)
{
    const struct oro_doc_input *entry = origin->entry;
    struct end end;
    if (origin->binding)
        *source = origin->binding->source;
    if (!entry || !entry->from_node)
        return true;
    struct oro_visit *from = visit->from[entry - visit->node->inputs];
    if (!from)
        return oro_fail(scope->planner->err, ORO_E_DOCUMENT, "input '%s' is linked to nothing", input->name);
    if (!follow(scope, from, entry->from_output, input, &end))
        return false;
    if (end.visit && end.visit->state != DONE) /* without memory, it was not found before */
        return oro_fail(scope->planner->err, ORO_E_MEMORY, "no memory to plan '%s'", end.visit->node->id);
    if (end.visit)
        return request(scope, end.visit, end.output, source);
    *source = end.source;
    return end.source.step >= 0 || !oro_input_required(input) ||
           oro_fail(scope->planner->err, ORO_E_DOCUMENT,
                    "input '%s' must be linked: '%s' is muted, and has nothing to pass on", input->name,
                    entry->from_node);
}

/* The node's id with the uses of graphs that it lies in. NULL: memory is out. */
static const char *full_id(const struct oro_scope *scope, const struct oro_visit *visit)
{
    size_t before = strlen(scope->prefix), length = strlen(visit->node->id);
    char *id = oro_arena_alloc(scope->planner->plan->arena, before + length + 1, 1);
    if (id) {
        memcpy(id, scope->prefix, before);
        memcpy(id + before, visit->node->id, length);
    }
    return id;
}

static struct oro_draft *start_draft(struct oro_scope *scope, const struct oro_visit *visit)
{
    struct oro_planner *planner = scope->planner;
    const char *id = full_id(scope, visit);
    planner->document = scope->path;
    if (id)
        return oro_draft_create(planner, visit->type, id, visit->node->line);
    oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
    return NULL;
}

/* The node's entry for each input of its type: there are far fewer entries than inputs. NULL: memory is
 * out. */
static const struct oro_doc_input *const *entries_of(struct oro_scope *scope, const struct oro_visit *visit,
                                                     size_t input_count)
{
    const struct oro_planner *planner = scope->planner;
    const struct oro_doc_input **entries =
        oro_arena_alloc(planner->plan->arena, input_count + 1, sizeof(struct oro_doc_input *));
    if (!entries) {
        oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
        return NULL;
    }
    for (size_t i = visit->node->input_count; i-- > 0;) { /* of equal names the first counts */
        const struct oro_input *input = oro_type_input(visit->type, visit->node->inputs[i].name);
        if (input)
            entries[input - visit->type->inputs] = &visit->node->inputs[i];
    }
    return entries;
}

static struct oro_draft *draft_node(struct oro_scope *scope, const struct oro_visit *visit)
{
    struct oro_draft *draft = start_draft(scope, visit);
    const struct oro_doc_input *const *entries =
        draft ? entries_of(scope, visit, draft->facts->input_count) : NULL;
    bool outside = visit->overridden || visit->bound;
    if (!entries)
        return NULL;
    for (size_t i = 0; i < draft->facts->input_count; i++) {
        const struct oro_input *input = &visit->type->inputs[i];
        if (!outside && !entries[i])
            continue;
        struct origin origin = {.entry = entries[i]};
        if (outside)
            origin = origin_of(scope, visit, input->name);
        const char *text = NULL;
        if (!literal_of(scope, input, &origin, &text) || (text && !set_literal(scope, draft, i, text)) ||
            !source_of(scope, visit, input, &origin, &draft->sources[i]))
            return NULL;
    }
    mix_seed(scope, draft);
    scope->planner->document = scope->path; /* planning a graph among the sources has changed it */
    return draft;
}

/* ---- Graphs ---- */

static struct oro_scope *make_scope(struct oro_planner *planner, const struct oro_graph *graph,
                                    const char *prefix)
{
    struct oro_arena *arena = planner->plan->arena;
    size_t count = oro_document_node_count(graph->doc), ports = oro_document_port_count(graph->doc);
    planner->scope_nodes += 1 + count + ports + oro_document_variable_count(graph->doc);
    if (planner->scope_nodes > ORO_SCOPE_NODES_MAX) {
        oro_fail(planner->err, ORO_E_LIMIT,
                 "with all graphs that are used within graphs there are more than %d nodes and inputs",
                 ORO_SCOPE_NODES_MAX);
        return NULL;
    }
    struct oro_scope *scope = oro_arena_alloc(arena, 1, sizeof *scope);
    if (scope)
        *scope =
            (struct oro_scope){.planner = planner,
                               .doc = graph->doc,
                               .root = graph->root,
                               .path = oro_arena_text(arena, oro_document_path(graph->doc)),
                               .prefix = prefix,
                               .visits = oro_arena_alloc(arena, count + 1, sizeof *scope->visits),
                               .stack = oro_arena_alloc(arena, count + 1, sizeof *scope->stack),
                               .bindings = oro_arena_alloc(arena, ports + 1, sizeof *scope->bindings),
                               .given = oro_arena_alloc(arena, ports + planner->options->override_count + 1,
                                                        sizeof *scope->given)};
    if (!scope || !scope->path || !scope->visits || !scope->stack || !scope->bindings || !scope->given) {
        oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan %zu nodes", count);
        return NULL;
    }
    scope->next = planner->scopes;
    planner->scopes = scope;
    for (size_t i = 0; i < count; i++) {
        scope->visits[i].node = oro_document_node(graph->doc, i);
        scope->visits[i].muted = scope->visits[i].node->mute;
    }
    return scope;
}

/* To be called once all bindings are made. */
static bool finish_scope(struct oro_scope *scope)
{
    struct oro_planner *planner = scope->planner;
    for (size_t i = 0; i < scope->binding_count; i++) {
        struct oro_visit *visit = visit_of(scope, scope->bindings[i].node);
        if (visit)
            visit->bound = true;
    }
    scope->variables =
        oro_variables_create(scope->doc, planner->registry, &planner->plan->world, planner->plan->seed,
                             scope->given, scope->given_count, planner->err);
    return scope->variables;
}

void oro_scope_close(struct oro_scope *scope)
{
    oro_variables_destroy(scope->variables);
    scope->variables = NULL;
}

void oro_scopes_destroy(struct oro_planner *planner)
{
    for (struct oro_scope *scope = planner->scopes; scope; scope = scope->next)
        oro_scope_close(scope);
    planner->scopes = NULL;
}

/* Binds what comes in under a name to everything that the entries of that name lead to. */
static bool bind(struct oro_scope *scope, const char *name, struct oro_plan_source source, const char *text)
{
    for (size_t i = 0; i < oro_document_port_count(scope->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(scope->doc, i);
        if (port->is_output || strcmp(port->name, name) != 0)
            continue;
        if (*port->node) {
            scope->bindings[scope->binding_count++] = (struct oro_binding){
                .node = port->node, .input = port->socket, .source = source, .text = text};
            continue;
        }
        struct oro_given *given = &scope->given[scope->given_count++];
        given->name = port->socket;
        if (!text || !oro_parse_number(text, &given->value))
            return oro_fail(scope->planner->err, ORO_E_DOCUMENT, "input '%s': a number is needed", name);
    }
    return true;
}

/* The interface's default for an input: that of the first entry of its name. */
static const char *own_default(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (!port->is_output && strcmp(port->name, name) == 0)
            return port->texts[ORO_PORT_DEFAULT];
    }
    return NULL;
}

/* Binds the default of the interface to an input for which nothing is given; without a default, the value
 * within the graph is used. The path of a file is relative to the graph. */
static bool bind_default(struct oro_scope *inner, const struct oro_input *input)
{
    const struct oro_plan_source none = {.step = -1};
    const char *text = own_default(inner->doc, input->name);
    if (text && input->type == ORO_FILE)
        text = resolve_file(inner, input, text, false);
    return text ? bind(inner, input->name, none, text) : !own_default(inner->doc, input->name);
}

static bool bind_input(struct oro_scope *scope, const struct oro_visit *visit, const struct oro_input *input,
                       struct oro_scope *inner)
{
    const struct origin origin = origin_of(scope, visit, input->name);
    struct oro_plan_source source = {.step = -1};
    struct oro_error err = {0};
    const char *text = NULL;
    if (!literal_of(scope, input, &origin, &text) || !source_of(scope, visit, input, &origin, &source))
        return false;
    if (text && input->type != ORO_FILE && !oro_literal_parse(input, text, NULL, &err))
        return oro_fail(scope->planner->err, err.code, "input '%s': %s", input->name, err.text);
    if (text || source.step >= 0)
        return bind(inner, input->name, source, text);
    if (oro_input_required(input))
        return oro_fail(scope->planner->err, ORO_E_DOCUMENT, "input '%s' must be linked%s", input->name,
                        oro_input_has_literal(input) ? ", or given" : "");
    return bind_default(inner, input);
}

static bool use_seed(struct oro_scope *scope, const struct oro_visit *visit, struct oro_scope *inner)
{
    struct oro_draft *draft = start_draft(scope, visit);
    int seed = 0;
    bool vary = false;
    for (size_t i = 0; draft && visit->type->inputs[i].name; i++) {
        const struct oro_input *input = &visit->type->inputs[i];
        bool is_seed = input->role == ORO_ROLE_GRAPH_SEED, is_vary = input->role == ORO_ROLE_GRAPH_VARY;
        const struct origin origin = origin_of(scope, visit, input->name);
        const char *text = NULL;
        if (!is_seed && !is_vary)
            continue;
        if (!literal_of(scope, input, &origin, &text) || (text && !set_literal(scope, draft, i, text)))
            return false;
        memcpy(is_seed ? (void *)&seed : (void *)&vary, (const char *)draft->params + input->offset,
               is_seed ? sizeof seed : sizeof vary);
    }
    inner->seed = oro_seed_of_use(oro_seed_within(scope->seed, seed), vary, visit->node->id);
    return draft;
}

static bool open_graph(struct oro_scope *scope, struct oro_visit *visit)
{
    struct oro_planner *planner = scope->planner;
    struct oro_graph graph;
    const char *prefix = oro_arena_textf(planner->plan->arena, "%s%s/", scope->prefix, visit->node->id);
    if (!prefix)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
    if (!oro_graph_find(planner->registry, scope->root, visit->node, &graph, planner->err))
        return false;
    struct oro_scope *inner = make_scope(planner, &graph, prefix);
    if (!inner || !use_seed(scope, visit, inner))
        return false;
    for (const struct oro_input *input = visit->type->inputs; input->name; input++) {
        bool own = oro_graph_has_input(graph.doc, input->name);
        if (own && !bind_input(scope, visit, input, inner))
            return false;
    }
    visit->inner = inner;
    return finish_scope(inner);
}

/* ---- Order ---- */

/* The node that must be planned for a link from `from`; NULL: none. If memory is out, source_of tells. */
static struct oro_visit *needed_for(struct oro_scope *scope, const struct oro_visit *visit,
                                    const struct oro_doc_input *entry, struct oro_visit *from)
{
    const struct oro_input *taker =
        from && from->node->mute && visit->type ? oro_type_input(visit->type, entry->name) : NULL;
    struct end end;
    if (!from || !from->node->mute)
        return from;
    return taker && follow(scope, from, entry->from_output, taker, &end) ? end.visit : NULL;
}

static bool open_visit(struct oro_scope *scope, struct oro_visit *visit)
{
    struct oro_planner *planner = scope->planner;
    visit->from = oro_arena_alloc(planner->plan->arena, visit->node->input_count, sizeof(struct oro_visit *));
    if (!visit->from)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
    visit->looked_at = 0;
    visit->state = OPEN;
    scope->stack[scope->depth++] = (size_t)(visit - scope->visits);
    return true;
}

/* The next source of a node that is not planned yet; NULL: all are planned. */
static struct oro_visit *missing_source(struct oro_scope *scope, struct oro_visit *visit)
{
    while (visit->looked_at < visit->node->input_count) {
        size_t i = visit->looked_at++;
        const struct oro_doc_input *entry = &visit->node->inputs[i];
        bool outside = visit->overridden || visit->bound;
        if (!entry->from_node || (outside && !origin_of(scope, visit, entry->name).entry))
            continue;
        visit->from[i] = visit_of(scope, entry->from_node);
        struct oro_visit *needed = needed_for(scope, visit, entry, visit->from[i]);
        if (needed && needed->state == UNSEEN)
            return needed;
    }
    return NULL;
}

/* Plans a node whose sources are planned. A graph is only opened: its parts are planned when they are asked
 * for. */
static bool plan_opened(struct oro_scope *scope, struct oro_visit *visit)
{
    struct oro_planner *planner = scope->planner;
    if (!visit->type) {
        struct oro_error why = {0};
        oro_type_of(planner->registry, scope->root, visit->node, &why);
        return oro_fail(planner->err, why.code == ORO_E_LIMIT ? ORO_E_DOCUMENT : why.code, "%s", why.text);
    }
    size_t outputs = oro_type_output_count(visit->type);
    visit->outputs = oro_arena_alloc(planner->plan->arena, outputs + 1, sizeof *visit->outputs);
    if (!visit->outputs)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
    if (oro_node_is_graph(visit->node)) {
        for (size_t i = 0; i < outputs; i++)
            visit->outputs[i].step = NOT_PLANNED;
        return open_graph(scope, visit);
    }
    struct oro_draft *draft = draft_node(scope, visit);
    return draft && oro_plan_draft(planner, draft, visit->outputs);
}

/* An error that already has a place keeps it, since that is further within. */
static bool plan_node(struct oro_scope *scope, struct oro_visit *visit)
{
    struct oro_planner *planner = scope->planner;
    if (!plan_opened(scope, visit)) {
        const char *id = full_id(scope, visit);
        if (planner->err && !planner->err->node[0])
            oro_error_place(planner->err, scope->path, visit->node->line, id ? id : visit->node->id);
        return false;
    }
    visit->state = DONE;
    visit->last_step = (int)planner->plan->step_count - 1;
    return true;
}

static bool plan_with_sources(struct oro_scope *scope, struct oro_visit *start)
{
    size_t bottom = scope->depth;
    if (start->state == DONE)
        return true;
    if (!open_visit(scope, start))
        return false;
    while (scope->depth > bottom) {
        struct oro_visit *visit = &scope->visits[scope->stack[scope->depth - 1]];
        struct oro_visit *missing = missing_source(scope, visit);
        if (missing && !open_visit(scope, missing))
            return false;
        if (missing)
            continue;
        scope->depth--;
        if (!plan_node(scope, visit))
            return false;
    }
    return true;
}

/* The source for an output of a planned node. Recurses as deep as graphs are nested. */
static bool request(struct oro_scope *scope, struct oro_visit *visit, const char *output,
                    struct oro_plan_source *source)
{
    struct oro_planner *planner = scope->planner;
    const struct oro_output *found = visit->type ? oro_type_output(visit->type, output) : NULL;
    if (!found)
        return oro_fail(planner->err, ORO_E_DOCUMENT, "node '%s' has no output '%s'", visit->node->id,
                        output);
    struct oro_plan_source *planned = &visit->outputs[found - visit->type->outputs];
    if (planned->step == NOT_PLANNED && planner->follows)
        return false;
    for (size_t i = 0; planned->step == NOT_PLANNED && i < oro_document_port_count(visit->inner->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(visit->inner->doc, i);
        if (port->is_output && strcmp(port->name, output) == 0 &&
            !oro_scope_output(visit->inner, port->node, port->socket, planned))
            return false;
    }
    *source = *planned;
    return true;
}

static bool refuse_muted(struct oro_scope *scope, const struct oro_visit *visit, const char *text)
{
    const struct oro_planner *planner = scope->planner;
    const char *id = full_id(scope, visit);
    oro_fail(planner->err, ORO_E_DOCUMENT, "%s", text);
    oro_error_place(planner->err, scope->path, visit->node->line, id ? id : visit->node->id);
    return false;
}

bool oro_scope_output(struct oro_scope *scope, const char *node, const char *output,
                      struct oro_plan_source *source)
{
    struct end end;
    struct oro_visit *visit = visit_of(scope, node);
    if (!visit)
        return oro_fail(scope->planner->err, ORO_E_DOCUMENT, "there is no node '%s'", node);
    if (visit->type && !oro_type_output(visit->type, output))
        return oro_fail(scope->planner->err, ORO_E_DOCUMENT, "node '%s' has no output '%s'", node, output);
    if (!follow(scope, visit, output, NULL, &end))
        return false;
    if (end.visit)
        return plan_with_sources(scope, end.visit) && request(scope, end.visit, end.output, source);
    *source = end.source;
    return end.source.step >= 0 || refuse_muted(scope, visit, "it is muted, and has nothing to pass on");
}

bool oro_scope_sink(struct oro_scope *scope, const char *node, struct oro_plan_source *source)
{
    struct oro_visit *visit = visit_of(scope, node);
    if (!visit)
        return oro_fail(scope->planner->err, ORO_E_DOCUMENT, "there is no node '%s'", node);
    if (visit->node->mute)
        return refuse_muted(scope, visit, "it is muted, and not run");
    if (!plan_with_sources(scope, visit))
        return false;
    *source = (struct oro_plan_source){.step = visit->last_step};
    return true;
}

/* ---- The document itself ---- */

static bool is_first_port(const struct oro_document *doc, size_t index)
{
    const struct oro_doc_port *port = oro_document_port(doc, index);
    for (size_t i = 0; i < index; i++) {
        const struct oro_doc_port *other = oro_document_port(doc, i);
        if (!other->is_output && strcmp(other->name, port->name) == 0)
            return false;
    }
    return !port->is_output;
}

/* Each entry is checked on its own, so that one that leads into a missing graph does not affect the
 * others. */
static bool bind_defaults(struct oro_scope *scope)
{
    const struct oro_graph graph = {scope->doc, scope->root};
    struct oro_arena *arena = scope->planner->plan->arena;
    for (size_t i = 0; i < oro_document_port_count(scope->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(scope->doc, i);
        struct oro_input input;
        if (port->texts[ORO_PORT_DEFAULT] && is_first_port(scope->doc, i) &&
            oro_port_input(scope->planner->registry, &graph, i, arena, &input, NULL) &&
            !bind_default(scope, &input))
            return false;
    }
    return true;
}

/* Binds the values of --set, and the defaults of the interface, which also apply when a graph is rendered on
 * its own. */
static bool bind_document(struct oro_scope *scope)
{
    const struct oro_planner *planner = scope->planner;
    for (size_t i = 0; i < planner->options->override_count; i++) {
        const struct oro_override *override = &planner->options->overrides[i];
        struct oro_visit *visit = *override->node ? visit_of(scope, override->node) : NULL;
        if (visit)
            visit->overridden = true;
    }
    for (size_t i = planner->options->override_count;
         i-- > 0;) { /* the last override first: the first is used */
        const struct oro_override *override = &planner->options->overrides[i];
        if (*override->node)
            continue;
        struct oro_given *given = &scope->given[scope->given_count++];
        given->name = override->input;
        if (!oro_parse_number(override->value, &given->value))
            return oro_fail(planner->err, ORO_E_DOCUMENT, "'%s' is not a number", override->value);
    }
    return bind_defaults(scope);
}

struct oro_scope *oro_scope_create(struct oro_planner *planner)
{
    const struct oro_graph graph = {planner->doc, planner->doc};
    struct oro_scope *scope = make_scope(planner, &graph, "");
    return scope && bind_document(scope) && finish_scope(scope) ? scope : NULL;
}

/* ---- The document after an edit ---- */

/* The types of graphs belong to the document, so they are asked for again. */
void oro_scope_follow(struct oro_scope *scope, const struct oro_document *doc)
{
    scope->doc = scope->root = doc;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        struct oro_visit *visit = &scope->visits[i];
        visit->node = oro_document_node(doc, i);
        visit->asked = visit->asked && !visit->inner;
    }
}

/* Whether a planned node is linked to the same nodes as before, in the same order, so that they are planned
 * in the same order; the links are taken over. Where nodes are muted, it depends on more than links. */
static bool same_links(struct oro_scope *scope, struct oro_visit *visit)
{
    size_t count = visit->node->input_count, next = 0;
    struct oro_visit **from = oro_arena_alloc(scope->planner->plan->arena, count, sizeof(struct oro_visit *));
    if (!from)
        return oro_fail(scope->planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
    for (size_t i = 0; i < count; i++) {
        const char *id = visit->node->inputs[i].from_node;
        if (!id)
            continue;
        from[i] = visit_of(scope, id);
        while (next < visit->looked_at && !visit->from[next])
            next++;
        if (!from[i] || from[i]->muted || next == visit->looked_at || visit->from[next++] != from[i])
            return false;
    }
    while (next < visit->looked_at && !visit->from[next])
        next++;
    bool same = next == visit->looked_at;
    visit->from = from;
    visit->looked_at = count;
    return same;
}

/* Composites become other steps with other values, and graphs pass values on to nodes within. */
static bool is_plain(const struct oro_scope *scope, const struct oro_visit *visit)
{
    const struct oro_node_type *type = oro_type_of(scope->planner->registry, scope->root, visit->node, NULL);
    return type && type == visit->type && !type->expand && !visit->inner && !visit->node->mute &&
           !visit->muted;
}

bool oro_scope_redraft(struct oro_scope *scope, size_t node, int *step)
{
    struct oro_planner *planner = scope->planner;
    struct oro_visit *visit = &scope->visits[node];
    *step = -1;
    if (visit->state != DONE)
        return !planner->passed_muted && !visit->muted && !visit->node->mute;
    if (!is_plain(scope, visit) || !same_links(scope, visit))
        return false;
    if (!scope->variables)
        scope->variables = oro_variables_create(scope->doc, planner->registry, &planner->plan->world,
                                                planner->plan->seed, NULL, 0, planner->err);
    struct oro_draft *draft = scope->variables ? draft_node(scope, visit) : NULL;
    *step = visit->last_step;
    return draft && visit->last_step >= 0 && oro_plan_redraft(planner, draft, visit->last_step);
}
