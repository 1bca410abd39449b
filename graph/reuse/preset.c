/* Presets: reading, applying and making them. preset_files.c finds their files. */
#include "graph/reuse/preset.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"
#include "graph/document/document_private.h"
#include "graph/document/variable.h"
#include "graph/file/xml.h"
#include "graph/type/literal.h"

char *oro_preset_type(const struct oro_doc_node *node, struct oro_arena *arena)
{
    if (oro_node_is_inline(node))
        return NULL; /* each such node has its own inputs */
    if (!oro_node_is_graph(node))
        return oro_is_identifier(node->type) ? oro_arena_text(arena, node->type) : NULL;
    const char *href = node->href ? node->href : "", *slash = strrchr(href, '/');
    const char *start = slash ? slash + 1 : href + (*href == '#');
    size_t length = strlen(start);
    if (length > 4 && strcmp(start + length - 4, ".oro") == 0)
        length -= 4;
    char *type = oro_arena_textf(arena, "%.*s", (int)length, start);
    return type && oro_is_identifier(type) ? type : NULL;
}

/* ---- Reading ---- */

static bool no_preset(struct oro_error *err, const char *path, const char *why)
{
    return oro_fail(err, ORO_E_DOCUMENT, "'%s' is no preset: %s", path, why);
}

static bool is_preset(const struct oro_document *doc, const char *path, const struct oro_registry *registry,
                      struct oro_error *err)
{
    if (oro_document_node_count(doc) != 1)
        return no_preset(err, path, "it must hold exactly one node");
    const struct oro_doc_node *node = oro_document_node(doc, 0);
    const struct oro_node_type *type = oro_registry_find(registry, node->type);
    /* A script may lie beside the document for which the preset is read. */
    bool script = registry->scripts && !oro_node_is_inline(node);
    if (!type && !oro_node_is_graph(node) && !script)
        return no_preset(err, path, "its node is of no known type");
    if (type && node->version > type->version)
        return no_preset(err, path, "its node type is newer than this program");
    if (oro_document_variable_count(doc) > 0)
        return no_preset(err, path, "it may not have variables");
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].from_node)
            return no_preset(err, path, "its node may not be linked");
    return true;
}

struct oro_document *oro_preset_read(const char *path, const struct oro_registry *registry,
                                     struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_read(path, registry, &problems);
    bool ok = doc;
    if (!doc && problems.count > 0 && strcmp(problems.items[0].code, "unreadable") == 0)
        oro_fail(err, ORO_E_FILE, "%s", problems.items[0].text);
    else if (!doc)
        no_preset(err, path, problems.count > 0 ? problems.items[0].text : "no memory to read it");
    else
        ok = is_preset(doc, path, registry, err);
    oro_problems_free(&problems);
    if (ok)
        return doc;
    oro_document_destroy(doc);
    return NULL;
}

/* ---- Applying ---- */

struct application {
    struct oro_document *doc;
    const char *id;
    const struct oro_doc_node *preset;
    const struct oro_node_type *type;
    struct oro_variables *variables; /* of `doc` */
    const struct oro_log *log;
};

static bool fits(const struct application *application, const struct oro_doc_input *entry,
                 const struct oro_input *input, struct oro_error *err)
{
    char number[32];
    struct oro_error why = {0};
    const char *text = entry->value;
    bool ok = true;
    if (!text && entry->expr) {
        ok = oro_variables_literal(application->variables, entry->expr, input, number, &why);
        text = number;
    }
    ok = ok && (!text || oro_literal_parse(input, text, NULL, &why));
    return ok ||
           oro_fail(err, ORO_E_DOCUMENT, "the preset's '%.100s' does not fit: %.800s", entry->name, why.text);
}

static bool set_entry(const struct application *application, const struct oro_doc_input *entry,
                      struct oro_error *err)
{
    const struct oro_input *input = oro_type_input(application->type, entry->name);
    const struct oro_doc_node *node = oro_document_find(application->doc, application->id);
    const struct oro_doc_input *old = oro_doc_node_input(node, entry->name);
    if (!input || !oro_input_has_literal(input))
        return oro_fail(err, ORO_E_DOCUMENT, "the preset sets '%.100s', but '%s' has no such value",
                        entry->name, application->type->id);
    if (!fits(application, entry, input, err))
        return false;
    if (old && old->from_node) {
        oro_note(application->log, ORO_NOTICE, "'%s.%s' keeps its link from '%s.%s'", application->id,
                 entry->name, old->from_node, old->from_output);
        return true;
    }
    return entry->expr
               ? oro_edit_set_expression(application->doc, application->id, entry->name, entry->expr, err)
               : oro_edit_set(application->doc, application->id, entry->name, entry->value, err);
}

static bool reset_others(const struct application *application, struct oro_error *err)
{
    for (const struct oro_input *input = application->type->inputs; input && input->name; input++) {
        const struct oro_doc_node *node = oro_document_find(application->doc, application->id);
        const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
        if (!entry || entry->from_node || oro_doc_node_input(application->preset, input->name) ||
            !oro_input_has_default(input) || input->type == ORO_FILE || input->role == ORO_ROLE_CELLS)
            continue;
        if (!oro_edit_set(application->doc, application->id, input->name, NULL, err))
            return false;
    }
    return true;
}

static bool carry_out(const struct application *application, bool reset, struct oro_error *err)
{
    if (!oro_edit_begin(application->doc, "Apply preset", err))
        return false;
    bool ok = true;
    for (size_t i = 0; i < application->preset->input_count && ok; i++)
        ok = set_entry(application, &application->preset->inputs[i], err);
    if (ok && (!reset || reset_others(application, err)))
        return oro_edit_end(application->doc, err);
    oro_edit_cancel(application->doc, NULL);
    oro_error_place(err, NULL, 0, application->id);
    return false;
}

static bool same_type(const struct oro_doc_node *node, const struct oro_doc_node *preset,
                      struct oro_error *err)
{
    struct oro_arena *arena = oro_arena_create();
    const char *wanted = arena ? oro_preset_type(preset, arena) : NULL;
    const char *found = arena ? oro_preset_type(node, arena) : NULL;
    bool same =
        wanted && found && strcmp(wanted, found) == 0 && oro_node_is_graph(node) == oro_node_is_graph(preset);
    if (!same)
        oro_fail(err, ORO_E_DOCUMENT, "node '%s' is of type '%s', and the preset is one of '%s'", node->id,
                 found ? found : node->type, wanted ? wanted : preset->type);
    oro_arena_destroy(arena);
    return same;
}

static const struct oro_doc_node *need_node(const struct oro_document *doc, const char *id,
                                            struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(doc, id);
    char near[ORO_NEAR_SIZE];
    if (!node)
        oro_fail(err, ORO_E_DOCUMENT, "there is no node '%.100s'%s", id,
                 oro_document_near_node(doc, id, near));
    return node;
}

bool oro_preset_apply(struct oro_document *doc, const char *id, const struct oro_document *preset, bool reset,
                      const struct oro_registry *registry, const struct oro_log *log, struct oro_error *err)
{
    const struct oro_doc_node *node = need_node(doc, id, err), *from = oro_document_node(preset, 0);
    if (!node || !same_type(node, from, err))
        return false;
    struct application application = {.doc = doc, .id = id, .preset = from, .log = log};
    application.type = oro_type_of(registry, doc, node, err);
    if (!application.type)
        return false;
    /* Expressions are evaluated in the original document, since a preset changes no variables. */
    struct oro_document *before = oro_document_clone(doc);
    if (!before)
        return oro_fail(err, ORO_E_MEMORY, "no memory to apply a preset");
    application.variables = oro_variables_of(before, before, registry, err);
    bool ok = application.variables && carry_out(&application, reset, err);
    oro_variables_destroy(application.variables);
    oro_document_destroy(before);
    return ok;
}

/* ---- Making ---- */

struct making {
    const struct oro_document *doc;
    const struct oro_doc_node *node;
    struct oro_variables *variables; /* of `doc` */
    const struct oro_log *log;
    struct oro_text *out;
};

static void add_attribute(struct oro_text *out, const char *name, const char *value)
{
    oro_text_addf(out, " %s=\"", name);
    oro_xml_escape(out, value);
    oro_text_add(out, "\"");
}

static void add_input(struct oro_text *out, const char *name, const char *attribute, const char *value)
{
    oro_text_add(out, "    <in");
    add_attribute(out, "name", name);
    add_attribute(out, attribute, value);
    oro_text_add(out, "/>\n");
}

struct finder {
    const struct oro_document *doc;
    bool found;
};

static const char *find_variable(void *user, const char *name, size_t length)
{
    struct finder *finder = user;
    for (size_t i = 0; i < oro_document_variable_count(finder->doc); i++) {
        const char *variable = oro_document_variable(finder->doc, i)->name;
        finder->found = finder->found || (strlen(variable) == length && memcmp(variable, name, length) == 0);
    }
    return NULL;
}

static bool add_expression(const struct making *making, const struct oro_input *input, const char *expr,
                           struct oro_error *err)
{
    struct finder finder = {.doc = making->doc};
    char number[32];
    char *same = oro_expression_rewrite(expr, find_variable, &finder);
    if (!same)
        return oro_fail(err, ORO_E_MEMORY, "no memory to make a preset");
    oro_free(same);
    if (!finder.found) {
        add_input(making->out, input->name, "expr", expr);
        return true;
    }
    if (!oro_variables_literal(making->variables, expr, input, number, err)) {
        oro_error_place(err, NULL, 0, making->node->id);
        return false;
    }
    oro_note(making->log, ORO_NOTICE, "'%s' is saved as %s: its expression uses variables of the document",
             input->name, number);
    add_input(making->out, input->name, "value", number);
    return true;
}

static bool add_literal(const struct making *making, const struct oro_input *input, const char *value,
                        bool all, struct oro_error *err)
{
    struct oro_error why = {0};
    char *text = NULL;
    if (value && !oro_literal_store(input, value, &text, &why))
        return oro_fail(err, why.code, "'%s.%s': %.800s", making->node->id, input->name, why.text);
    if (!text && all)
        text = oro_literal_default(input);
    if (all && !text)
        return oro_fail(err, ORO_E_MEMORY, "no memory to make a preset");
    if (text)
        add_input(making->out, input->name, "value", text);
    oro_free(text);
    return true;
}

static bool add_entry(const struct making *making, const struct oro_input *input, bool all,
                      struct oro_error *err)
{
    const struct oro_doc_input *entry = oro_doc_node_input(making->node, input->name);
    bool given = entry && (entry->value || entry->expr);
    if (!oro_input_has_literal(input) || (entry && entry->from_node))
        return true;
    if (input->type == ORO_FILE) {
        if (given)
            oro_note(making->log, ORO_NOTICE, "'%s' is left out: it names a file of the document",
                     input->name);
        return true;
    }
    if (given && entry->expr)
        return add_expression(making, input, entry->expr, err);
    return given || (all && oro_input_has_default(input))
               ? add_literal(making, input, given ? entry->value : NULL, all, err)
               : true;
}

/* Inputs that must be linked become inputs of an interface, so that the preset is a valid document. */
static void add_interface(struct oro_text *out, const char *id, const struct oro_node_type *type)
{
    bool open = false;
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        if (!oro_input_required(input))
            continue;
        oro_text_addf(out, "%s    <in name=\"%s\" to=\"%s.%s\"/>\n", open ? "" : "  <interface>\n",
                      input->name, id, input->name);
        open = true;
    }
    oro_text_add(out, open ? "  </interface>\n" : "");
}

static void add_head(struct oro_text *out, const struct oro_preset_about *about)
{
    oro_text_addf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"%d\">\n",
        ORO_DOCUMENT_VERSION);
    if (!about->title && !about->doc)
        return;
    oro_text_add(out, "  <about");
    if (about->title)
        add_attribute(out, "title", about->title);
    if (about->doc)
        add_attribute(out, "doc", about->doc);
    oro_text_add(out, "/>\n");
}

static bool add_node(const struct making *making, const char *id, const struct oro_node_type *type, bool all,
                     struct oro_error *err)
{
    struct oro_text *out = making->out;
    oro_text_addf(out, "  <node id=\"%s\" type=\"%s\"", id, making->node->type);
    if (making->node->href)
        add_attribute(out, "href", making->node->href);
    if (making->node->version > 0)
        oro_text_addf(out, " version=\"%d\"", making->node->version);
    oro_text_add(out, ">\n");
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        if (!add_entry(making, input, all, err))
            return false;
    oro_text_add(out, "  </node>\n</orograph>\n");
    return true;
}

char *oro_preset_make(const struct oro_document *doc, const char *id, const struct oro_preset_about *about,
                      const struct oro_registry *registry, const struct oro_log *log, struct oro_error *err)
{
    struct oro_text out = {0};
    struct oro_arena *arena = oro_arena_create();
    const struct oro_doc_node *node = need_node(doc, id, err);
    const struct oro_node_type *type = node ? oro_type_of(registry, doc, node, err) : NULL;
    const char *name = type && arena ? oro_preset_type(node, arena) : NULL;
    bool texts =
        (!about->title || oro_xml_allows(about->title)) && (!about->doc || oro_xml_allows(about->doc));
    struct making making = {.doc = doc, .node = node, .log = log, .out = &out};
    bool ok = name && texts;
    if (!arena)
        oro_fail(err, ORO_E_MEMORY, "no memory for a preset");
    else if (type && !name)
        oro_fail(err, ORO_E_DOCUMENT, "node '%s' cannot have presets", id);
    else if (type && !texts)
        oro_fail(err, ORO_E_USAGE, "a text must be UTF-8 without control characters");
    if (ok)
        making.variables = oro_variables_of(doc, doc, registry, err);
    ok = making.variables;
    if (ok) {
        add_head(&out, about);
        add_interface(&out, name, type);
        ok = add_node(&making, name, type, about->all, err) &&
             (!out.failed || oro_fail(err, ORO_E_MEMORY, "no memory to make a preset"));
    }
    oro_variables_destroy(making.variables);
    oro_arena_destroy(arena);
    if (!ok)
        oro_text_free(&out);
    return out.data;
}
