/* What a build can write: nodes that write files, outputs of the interface, and the output that the views
 * show. */
#include "editor/panels/build_rows.h"

#include <stdio.h>
#include <string.h>

#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/derived/builds.h"

static struct ed_build_row *add(struct ed_build_dialog *dialog)
{
    if (dialog->count == ED_BUILD_ROWS)
        return NULL;
    struct ed_build_row *row = &dialog->rows[dialog->count++];
    *row = (struct ed_build_row){0};
    return row;
}

static bool is_row(const struct ed_build_row *row, const char *node, const char *output)
{
    return strcmp(row->node, node) == 0 && strcmp(row->output, output) == 0;
}

/* The file that a node writes, as named in its input. */
static void file_of(const struct oro_doc_node *node, const struct oro_node_type *type, char *path,
                    size_t size)
{
    path[0] = '\0';
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        const struct oro_doc_input *given = oro_doc_node_input(node, input->name);
        if (input->type == ORO_FILE && input->writes && given && given->value)
            snprintf(path, size, "%s", given->value);
    }
}

static void add_sinks(struct ed_session *session, struct ed_build_dialog *dialog)
{
    const struct oro_document *root = ed_project_main(session->project);
    for (size_t i = 0; i < oro_document_node_count(root); i++) {
        const struct oro_doc_node *node = oro_document_node(root, i);
        const struct oro_node_type *type = oro_registry_find(&session->registry, node->type);
        struct ed_build_row *row = type && type->sink ? add(dialog) : NULL;
        if (!row)
            continue;
        row->node_writes = true;
        snprintf(row->node, sizeof row->node, "%s", node->id);
        snprintf(row->name, sizeof row->name, "%s", node->id);
        file_of(node, type, row->path, sizeof row->path);
        row->on = row->path[0];
    }
}

static void add_output(struct ed_session *session, struct ed_build_dialog *dialog, const char *node_id,
                       const char *output, const char *name)
{
    const struct oro_document *root = ed_project_main(session->project);
    const struct oro_doc_node *node = oro_document_find(root, node_id);
    struct oro_error err;
    const struct oro_node_type *type = node ? oro_type_of(&session->registry, root, node, &err) : NULL;
    const struct oro_output *found = type ? oro_type_output(type, output) : NULL;
    for (size_t i = 0; i < dialog->count; i++)
        if (is_row(&dialog->rows[i], node_id, output))
            return;
    struct oro_graph graph = {root, root};
    enum oro_type kind = found ? oro_output_type(&session->registry, &graph, node, found) : ORO_NONE;
    if (kind != ORO_NETWORK && !oro_is_raster(kind))
        return;
    struct ed_build_row *row = add(dialog);
    if (!row)
        return;
    row->lines = kind == ORO_NETWORK;
    row->picture = kind == ORO_IMAGE;
    snprintf(row->node, sizeof row->node, "%s", node_id);
    snprintf(row->output, sizeof row->output, "%s", output);
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->path, sizeof row->path, "%.120s.%s", name, kind == ORO_NETWORK ? "geojson" : "png");
}

void ed_build_rows_list(struct ed_session *session, struct ed_build_dialog *dialog)
{
    static struct ed_build_row before[ED_BUILD_ROWS]; /* static, because it is large: one thread */
    const struct oro_document *root = ed_project_main(session->project);
    size_t count = dialog->count;
    memcpy(before, dialog->rows, sizeof before);
    dialog->count = 0;
    add_sinks(session, dialog);
    bool sinks = dialog->count > 0;
    for (size_t i = 0; i < oro_document_port_count(root); i++) {
        const struct oro_doc_port *port = oro_document_port(root, i);
        if (port->is_output)
            add_output(session, dialog, port->node, port->socket, port->name);
    }
    if (session->viewed[0] && ed_project_depth(session->project) == 0)
        add_output(session, dialog, session->viewed, session->viewed_output, session->viewed);
    if (!sinks && dialog->count > 0)
        dialog->rows[0].on = true;
    for (size_t i = 0; i < dialog->count; i++)
        for (size_t k = 0; k < count; k++) /* what the user chose stays */
            if (is_row(&dialog->rows[i], before[k].node, before[k].output)) {
                dialog->rows[i].on = before[k].on;
                if (!dialog->rows[i].node_writes)
                    snprintf(dialog->rows[i].path, sizeof dialog->rows[i].path, "%s", before[k].path);
            }
}

size_t ed_build_rows_outputs(const struct ed_build_dialog *dialog,
                             struct ed_build_output outputs[ED_BUILD_ROWS])
{
    size_t count = 0;
    for (size_t i = 0; i < dialog->count; i++) {
        const struct ed_build_row *row = &dialog->rows[i];
        if (row->on)
            outputs[count++] = (struct ed_build_output){.node = row->node,
                                                        .output = row->node_writes ? NULL : row->output,
                                                        .path = row->node_writes ? NULL : row->path};
    }
    return count;
}

size_t ed_build_rows_look(struct ed_build_dialog *dialog, const char *document)
{
    size_t count = 0;
    for (size_t i = 0; i < dialog->count; i++) {
        struct ed_build_row *row = &dialog->rows[i];
        char *path = row->path[0] ? oro_path_beside(document[0] ? document : NULL, row->path) : NULL;
        row->exists = path && access(path, F_OK) == 0;
        count += row->exists && row->on;
        oro_free(path);
    }
    return count;
}

void ed_build_rows_fit(struct ed_build_dialog *dialog, const struct oro_engine *engine)
{
    for (size_t i = 0; engine && i < dialog->count; i++) {
        struct ed_build_row *row = &dialog->rows[i];
        const char *extension = oro_path_extension(row->path);
        if (row->node_writes || row->lines || row->picture || oro_engine_takes(engine, row->path, NULL))
            continue;
        size_t stem = strlen(row->path) - (extension[0] ? strlen(extension) + 1 : 0);
        snprintf(row->path + stem, sizeof row->path - stem, ".%s", engine->extensions[0]);
    }
}

static struct ed_build_row *row_of(struct ed_session *session, struct ed_build_dialog *dialog,
                                   const struct oro_rendered *one)
{
    const char *output = one->output ? one->output : "";
    if (one->output)
        add_output(session, dialog, one->node, one->output, one->name); /* of a node that is not listed */
    for (size_t i = 0; i < dialog->count; i++)
        if (is_row(&dialog->rows[i], one->node, output))
            return &dialog->rows[i];
    return NULL;
}

bool ed_build_rows_choose(struct ed_session *session, struct ed_build_dialog *dialog,
                          const struct oro_doc_build *build, struct oro_error *err)
{
    const struct oro_document *root = ed_project_main(session->project);
    struct oro_arena *arena = oro_arena_create();
    struct oro_rendered *outputs = NULL;
    const struct oro_engine *engine = oro_engine_at(oro_engine_find(build->engine));
    size_t count = 0;
    bool ok = arena ? oro_build_outputs(root, &session->registry, build, arena, &outputs, &count, err)
                    : oro_fail(err, ORO_E_MEMORY, "no memory for a build");
    for (size_t i = 0; ok && i < dialog->count; i++)
        dialog->rows[i].on = false;
    for (size_t i = 0; ok && i < count; i++) {
        struct ed_build_row *row = row_of(session, dialog, &outputs[i]);
        const char *extension = !row || row->picture ? "png" : row->lines ? "geojson" : "tif";
        if (row && !row->lines && !row->picture && engine)
            extension = engine->extensions[0];
        const char *file = oro_build_file(root, build, &outputs[i], count > 1, extension, arena);
        if (row)
            row->on = true;
        if (row && !row->node_writes && file)
            snprintf(row->path, sizeof row->path, "%s", file);
    }
    oro_arena_destroy(arena);
    return ok;
}

char *ed_build_rows_text(const struct ed_session *session, const struct ed_build_dialog *dialog)
{
    const struct oro_document *root = ed_project_main(session->project);
    struct oro_text text = {0};
    oro_text_add(&text, "");
    for (size_t i = 0; i < dialog->count; i++) {
        const struct ed_build_row *row = &dialog->rows[i];
        bool offered = row->node_writes;
        for (size_t k = 0; k < oro_document_port_count(root); k++) {
            const struct oro_doc_port *port = oro_document_port(root, k);
            offered |= port->is_output && strcmp(port->name, row->name) == 0;
        }
        if (!row->on)
            continue;
        oro_text_add(&text, text.length ? " " : "");
        if (offered)
            oro_text_add(&text, row->name);
        else
            oro_text_addf(&text, "%s.%s", row->node, row->output);
    }
    return oro_text_take(&text);
}

double ed_build_row_cell_bytes(const struct ed_build_row *row)
{
    static const struct {
        const char *extension;
        double bytes;
    } known[] = {{"png", 2}, {"r16", 2}, {"raw", 2}, {"ter", 2},  {"r32", 4},
                 {"pfm", 4}, {"exr", 4}, {"tif", 4}, {"tiff", 4}, {"asc", 17}};
    const char *extension = oro_path_extension(row->path);
    if (row->node_writes || row->lines)
        return 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcasecmp(extension, known[i].extension) == 0)
            return row->picture ? 4 : known[i].bytes;
    return 0;
}
