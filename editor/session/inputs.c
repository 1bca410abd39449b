#include "editor/session/inputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/session/world.h"
#include "graph/document/variable.h"
#include "graph/type/literal.h"

/* ---- Values of expressions ---- */

enum { VALUES_MAX = 64, EXPRESSION_MAX = 240 };
struct value {
    char expr[EXPRESSION_MAX];
    bool known, ok;
    double value;
    char why[200];
};
/* Kept until the document changes. */
struct ed_expressions {
    struct oro_variables *variables;
    const struct oro_document *of;
    uint64_t revision, located; /* `located`: of the world */
    struct value values[VALUES_MAX];
};

struct ed_expressions *ed_expressions_create(void)
{
    return oro_alloc(1, sizeof(struct ed_expressions));
}

void ed_expressions_destroy(struct ed_expressions *expressions)
{
    if (expressions)
        oro_variables_destroy(expressions->variables);
    oro_free(expressions);
}

static struct oro_variables *variables_now(const struct ed_session *session, struct oro_error *err)
{
    struct ed_expressions *all = session->expressions;
    const struct oro_document *shown = ed_project_shown(session->project);
    uint64_t revision = ed_project_revision(session->project);
    if (all->variables && all->of == shown && all->revision == revision &&
        all->located == session->located.number)
        return all->variables;
    oro_variables_destroy(all->variables);
    for (int i = 0; i < VALUES_MAX; i++)
        all->values[i].known = false;
    all->of = shown;
    all->revision = revision;
    all->located = session->located.number;
    const struct oro_world world = ed_world(session);
    const struct oro_grid grid = oro_world_grid(&world);
    all->variables =
        oro_variables_create(shown, ed_project_registry(session->project), &grid, world.seed, NULL, 0, err);
    return all->variables;
}

static bool evaluate(const struct ed_session *session, const char *expr, double *value, char *why,
                     size_t size)
{
    struct oro_error err = {0};
    struct oro_variables *variables = variables_now(session, &err);
    bool ok = variables && oro_variables_evaluate(variables, expr, value, &err);
    snprintf(why, size, "%s", ok ? "" : err.text);
    return ok;
}

bool ed_expression_value(const struct ed_session *session, const char *expr, double *value, char *why,
                         size_t size)
{
    unsigned hash = 5381;
    for (const char *c = expr; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    struct value *kept = &session->expressions->values[hash % VALUES_MAX];
    variables_now(session, NULL); /* forgets what is old */
    if (strlen(expr) >= EXPRESSION_MAX)
        return evaluate(session, expr, value, why, size);
    if (!kept->known || strcmp(kept->expr, expr) != 0) {
        snprintf(kept->expr, sizeof kept->expr, "%s", expr);
        kept->ok = evaluate(session, expr, &kept->value, kept->why, sizeof kept->why);
        kept->known = true;
    }
    *value = kept->value;
    snprintf(why, size, "%s", kept->why);
    return kept->ok;
}

/* ---- Reading ---- */

bool ed_input_text(const struct oro_doc_node *node, const struct oro_input *input, char *text, size_t size)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    if (size)
        text[0] = '\0';
    if (entry && (entry->from_node || entry->expr))
        return false;
    if (entry && entry->value) {
        snprintf(text, size, "%s", entry->value);
        return true;
    }
    char *standard = oro_literal_default(input);
    snprintf(text, size, "%s", standard ? standard : "");
    oro_free(standard);
    return true;
}

static double held(const struct oro_input *input, double value)
{
    if (input->type == ORO_INT)
        value = round(value);
    if (input->min != 0 || input->max != 0)
        value = fmin(fmax(value, input->min), input->max);
    return value;
}

bool ed_input_number(const struct ed_session *session, const struct oro_doc_node *node,
                     const struct oro_input *input, double *number)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    char why[8];
    if (entry && entry->from_node)
        return false;
    if (entry && entry->expr) {
        if (!ed_expression_value(session, entry->expr, number, why, sizeof why))
            return false;
        *number = held(input, *number);
        return true;
    }
    if (entry && entry->value && oro_parse_number(entry->value, number))
        return true;
    *number = input->value;
    return true;
}

/* ---- Changing ---- */

const struct oro_input *ed_find_input(const struct ed_session *session, const char *node, const char *name)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(session->project), node);
    const struct oro_node_type *type = found ? ed_type_of(session, found) : NULL;
    return type ? oro_type_input(type, name) : NULL;
}

static bool set_one(struct ed_session *session, const char *node, const char *input, const char *value,
                    bool expr, struct oro_error *err)
{
    char name[300];
    snprintf(name, sizeof name, "Change %s", input);
    struct oro_document *doc = ed_edit_begin(session->project, name, err);
    bool ok = doc && (expr ? oro_edit_set_expression(doc, node, input, value, err)
                           : oro_edit_set(doc, node, input, value, err));
    return ed_edit_end(session->project, ok, err);
}

bool ed_set_stored(struct ed_session *session, const char *node, const char *input, const char *value)
{
    struct oro_error err = {0};
    bool ok = set_one(session, node, input, value, false, &err);
    ed_tell(session, ok, &err);
    return ok;
}

bool ed_set_input(struct ed_session *session, const char *node, const char *input, const char *value)
{
    const struct oro_input *known = value ? ed_find_input(session, node, input) : NULL;
    char *stored = NULL;
    bool read = known && oro_literal_store(known, value, &stored, NULL);
    bool ok = ed_set_stored(session, node, input, read ? stored : value);
    oro_free(stored);
    return ok;
}

bool ed_set_expression(struct ed_session *session, const char *node, const char *input, const char *value)
{
    struct oro_error err = {0};
    bool ok = set_one(session, node, input, value, true, &err);
    ed_tell(session, ok, &err);
    return ok;
}

/* ---- Files ---- */

char *ed_path_for(const char *document, const char *path)
{
    const char *slash = document ? strrchr(document, '/') : NULL;
    size_t folder = slash ? (size_t)(slash - document) + 1 : 0;
    if (folder && strncmp(document, path, folder) == 0 && path[folder])
        path += folder;
    return oro_copy_text(path);
}

char *ed_file_named(struct ed_session *session, const char *node, const char *path)
{
    const char *document = ed_project_path(session->project);
    char *own = *document ? oro_path_true(document) : NULL, *to = oro_path_true(path);
    char *name = ed_path_for(own, to ? to : path);
    if (name && name[0] == '/' && !session->options.allow_any_path)
        ed_message(&session->messages, ED_WARNING, node,
                   *document
                       ? "%s lies outside of the document's folder: it is only read where any path is allowed"
                       : "save the document first: %s is named by its whole path until then",
                   name);
    oro_free(own);
    oro_free(to);
    return name;
}

/* The text of an input, or of its default. The caller frees. NULL: it has none. */
static char *text_of(const struct oro_node_type *type, const struct oro_doc_node *node, const char *name)
{
    const struct oro_input *input = oro_type_input(type, name);
    const struct oro_doc_input *entry = oro_doc_node_input(node, name);
    if (entry && entry->value)
        return oro_copy_text(entry->value);
    return input && (!entry || (!entry->expr && !entry->from_node)) ? oro_literal_default(input) : NULL;
}

bool ed_input_applies(const struct oro_node_type *type, const struct oro_doc_node *node,
                      const struct oro_input *input)
{
    char name[128];
    if (!input->when)
        return true;
    size_t length = oro_condition_input(input->when);
    snprintf(name, sizeof name, "%.*s", (int)length, input->when);
    const struct oro_input *other = oro_type_input(type, name);
    char *text = text_of(type, node, name);
    bool applies = !text || !other;
    if (!applies && other->type == ORO_POINT) { /* "start=end" */
        char *end = text_of(type, node, input->when + length + 1);
        applies = !end || strcmp(text, end) == 0;
        oro_free(end);
    } else if (!applies) {
        applies = oro_condition_holds(input->when, text);
    }
    oro_free(text);
    return applies;
}
