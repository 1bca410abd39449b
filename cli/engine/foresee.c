#include "cli/engine/foresee.h"

#include <errno.h>
#include <string.h>

#include <unistd.h>

#include "base/missing.h"
#include "cli/engine/output.h"
#include "formats/crs.h"
#include "formats/format.h"
#include "graph/type/registry.h"

/* Nodes of a large document are planned together, but not one by one. */
enum { NODES_MAX = 2000 };

bool cli_foresee_file(const struct oro_step *step, const struct oro_input *input, const char *path,
                      struct oro_error *err)
{
    struct oro_site site = {0};
    if (input->writes)
        return oro_format_may_write(path, err);
    if (access(path, R_OK) != 0)
        return oro_cannot_read(path, errno, err);
    bool ok = !step->type->site || step->type->site(step->params, &site, err);
    oro_free(site.place.crs);
    return ok;
}

bool cli_foresee_crs(const struct oro_document *doc, struct oro_error *err)
{
    struct oro_error why = {0};
    const char *crs = oro_document_world(doc)->crs;
    /* Without GDAL, nobody can tell. */
    return !crs || oro_crs_check(crs, &why) || why.code != ORO_E_USAGE ||
           oro_fail(err, ORO_E_DOCUMENT, "the world's crs: %s", why.text);
}

/* Whether it is listed already, perhaps in other words: a node that is a missing graph, or whose input comes
 * from the interface, cannot be planned. */
static bool is_listed(const struct oro_problems *problems, int line, const char *node, const char *text)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct oro_problem *problem = &problems->items[i];
        bool known = oro_problem_is_local(problem) || strcmp(problem->code, "open-input") == 0;
        if (problem->line == line && strcmp(problem->node, node) == 0 &&
            (known || strcmp(problem->text, text) == 0))
            return true;
    }
    return false;
}

static const char *code_of(const struct oro_error *err)
{
    return err->code == ORO_E_FILE    ? "bad-file"
           : err->code == ORO_E_WRITE ? "bad-output"
           : err->code == ORO_E_LIMIT ? "limit"
                                      : "refused";
}

/* Whether a node waits for the name of a file to read, which --set gives. */
static bool is_open(const struct cli_graph *graph, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(graph->doc, id);
    const struct oro_node_type *type = node ? oro_type_of(&graph->registry, graph->doc, node, NULL) : NULL;
    for (const struct oro_input *input = type ? type->inputs : NULL; input && input->name; input++) {
        const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
        if (input->type == ORO_FILE && !input->writes && (!entry || !entry->value || !*entry->value))
            return true;
    }
    return false;
}

/* What is wrong in a graph that is used here has its own file and line. */
static void list(const struct cli_graph *graph, const struct oro_error *err, struct oro_problems *problems)
{
    bool own = !*err->document || strcmp(err->document, oro_document_path(graph->doc)) == 0;
    char line[1200];
    const char *text = own ? err->text : oro_error_line(err, line, sizeof line), *node = own ? err->node : "";
    bool open = own && is_open(graph, node);
    if (!is_listed(problems, own ? err->line : 0, node, text))
        oro_problem_add(problems, !open, open ? "open-input" : code_of(err), own ? err->line : 0, node, "%s",
                        text);
}

static struct oro_plan *plan_of(const struct cli_graph *graph, const struct oro_target *targets, size_t count,
                                struct oro_error *err)
{
    const struct oro_plan_options options = {.overrides = graph->overrides,
                                             .override_count = graph->override_count,
                                             .allow_any_path = graph->allow_any_path,
                                             .fields_only = true,
                                             .checked = true};
    return oro_plan_create(graph->doc, &graph->registry, targets, count, &options, NULL, NULL, err);
}

static void list_files(const struct cli_graph *graph, const struct oro_plan *plan,
                       struct oro_problems *problems)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        for (const struct oro_input *input = step->type->inputs; input && input->name; input++) {
            const char *path = input->type == ORO_FILE ? cli_file_of(step, input) : "";
            struct oro_error err = {0};
            bool needed = input->type == ORO_FILE && !input->writes && step->type->site; /* the ground */
            if (!*path && needed)
                oro_fail(&err, ORO_E_FILE, "no file given: set '%s' to a heightfield", input->name);
            else if (!*path || cli_foresee_file(step, input, path, &err))
                continue;
            oro_error_place(&err, step->document, step->line, step->id);
            list(graph, &err, problems);
        }
    }
}

/* Plans the targets; where that fails, lists why, and nothing else. */
static bool foresee(const struct cli_graph *graph, const struct oro_target *targets, size_t count,
                    struct oro_problems *problems)
{
    struct oro_error err = {0};
    struct oro_plan *plan = plan_of(graph, targets, count, &err);
    if (plan)
        list_files(graph, plan, problems);
    else
        list(graph, &err, problems);
    oro_plan_destroy(plan);
    return plan;
}

/* All nodes that do something. Returns how many there are. */
static size_t find_targets(const struct cli_graph *graph, struct oro_target *targets)
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_node_count(graph->doc); i++) {
        const struct oro_doc_node *node = oro_document_node(graph->doc, i);
        const struct oro_node_type *type = oro_type_of(&graph->registry, graph->doc, node, NULL);
        bool gives = type && type->outputs && type->outputs[0].name;
        if (type && !node->mute && (gives || type->sink))
            targets[count++] = (struct oro_target){node->id, type->sink ? NULL : type->outputs[0].name};
    }
    return count;
}

void cli_foresee(const struct cli_graph *graph, struct oro_problems *problems)
{
    struct oro_target *targets = oro_alloc(oro_document_node_count(graph->doc) + 1, sizeof *targets);
    struct oro_error err = {0};
    size_t count = targets ? find_targets(graph, targets) : 0, good = 0;
    if (!cli_foresee_crs(graph->doc, &err))
        oro_problem_add(problems, true, "bad-world", 0, NULL, "%s", err.text);
    err = (struct oro_error){0};
    struct oro_plan *whole = count > 0 ? plan_of(graph, targets, count, &err) : NULL;
    if (whole)
        list_files(graph, whole, problems);
    else if (count > NODES_MAX)
        list(graph, &err, problems);
    /* A plan stops at its first error: every node's own plan finds all of them, and those that can be
     * planned, what is wrong between them. */
    for (size_t i = 0; !whole && count <= NODES_MAX && i < count; i++)
        if (foresee(graph, &targets[i], 1, problems))
            targets[good++] = targets[i];
    if (good > 0)
        foresee(graph, targets, good, problems);
    if (!targets)
        oro_problem_add(problems, true, "memory", 0, NULL, "no memory to check the document");
    oro_plan_destroy(whole);
    oro_free(targets);
    oro_problems_sort(problems);
}
