/* The question under which name something is kept in the user's library. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "editor/library/library.h"
#include "editor/panels/panels_private.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/derived/script_about.h"
#include "graph/derived/scripts.h"
#include "graph/file/load.h"
#include "graph/reuse/preset.h"

static const char title[] = "Save to my library";

static const struct oro_doc_node *node_of(const struct ed_session *session)
{
    return oro_document_find(ed_project_shown(session->project), session->panels->keep.node);
}

/* ---- Beginning: what is known of it already ---- */

static void begin_about(struct ed_keep_dialog *keep, const struct oro_doc_about *about)
{
    if (about->title)
        snprintf(keep->name, sizeof keep->name, "%s", about->title);
    snprintf(keep->words, sizeof keep->words, "%s", about->words ? about->words : "");
    snprintf(keep->doc, sizeof keep->doc, "%s", about->doc ? about->doc : "");
}

/* What is in the library already is saved under the name that it has there, unless another is typed. */
static void begin_place(struct ed_keep_dialog *keep, const char *href)
{
    const char *slash = strrchr(href, '/'), *file = slash ? slash + 1 : href;
    char name[ED_LIBRARY_NAME + 1];
    size_t length = strlen(file) > 4 ? strlen(file) - 4 : 0; /* without ".oro" */
    ed_library_name(keep->name, name);
    if (strlen(name) != length || strncmp(name, file, length) != 0)
        snprintf(keep->name, sizeof keep->name, "%.*s", (int)length, file);
    if (slash)
        snprintf(keep->category, sizeof keep->category, "%.*s", (int)(slash - href), href);
}

static void begin_graph(struct ed_session *session, const struct oro_doc_node *node)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    struct oro_graph graph;
    struct oro_error err = {0};
    const char *href = node->href ? node->href : "";
    const char *slash = strrchr(href, '/'), *file = href[0] == '#' ? href + 1 : slash ? slash + 1 : href;
    char stem[128];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    ed_pretty_name(stem, keep->name, sizeof keep->name);
    if (!oro_graph_find(&session->registry, ed_project_root(session->project), node, &graph, &err)) {
        ed_failed(session, &err);
        keep->ask = false;
        return;
    }
    struct oro_doc_about about = oro_document_about(graph.doc);
    begin_about(keep, &about);
    char *kept = href[0] == '#' ? NULL : ed_library_href(oro_document_path(graph.doc));
    if (kept)
        begin_place(keep, kept);
    oro_free(kept);
}

static void begin_document(struct ed_session *session)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    const struct oro_document *root = ed_project_root(session->project);
    const char *path = ed_project_path(session->project), *slash = strrchr(path, '/');
    struct oro_doc_about about = oro_document_about(root);
    char stem[128];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."),
             slash ? slash + 1 : path);
    ed_pretty_name(stem, keep->name, sizeof keep->name);
    begin_about(keep, &about);
    char *href = path[0] ? ed_library_href(path) : NULL;
    if (href)
        begin_place(keep, href);
    oro_free(href);
}

/* The text of a node's script, which the caller frees. NULL: `err`. */
static char *script_text(struct ed_session *session, const struct oro_doc_node *node, struct oro_error *err)
{
    enum { BYTES_MAX = 1 << 20 };
    const struct oro_node_type *type = ed_type_of(session, node);
    void *text = NULL;
    size_t size;
    if (oro_node_is_inline(node) && node->script)
        return oro_copy_text(node->script);
    if (!type || !type->script || !type->file)
        oro_fail(err, ORO_E_USAGE, "node '%s' has no script", node->id);
    else if (oro_file_read(type->file, BYTES_MAX, &text, &size, err))
        return text;
    return NULL;
}

static void begin_script(struct ed_session *session, const struct oro_doc_node *node)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    struct oro_error err = {0};
    struct oro_script_about about;
    char *text = script_text(session, node, &err);
    if (!text) {
        ed_failed(session, &err);
        keep->ask = false;
        return;
    }
    oro_script_about(text, &about);
    oro_free(text);
    snprintf(keep->name, sizeof keep->name, "%s", about.id[0] ? about.id : node->id);
    snprintf(keep->category, sizeof keep->category, "%s", about.category);
    snprintf(keep->words, sizeof keep->words, "%s", about.words);
    snprintf(keep->doc, sizeof keep->doc, "%s", about.doc);
    keep->named = about.id[0];
}

static bool add_category(const char *category, void *user)
{
    struct ed_keep_dialog *keep = user;
    for (size_t i = 0; i < keep->category_count; i++)
        if (strcmp(keep->categories[i], category) == 0)
            return false;
    if (keep->category_count < ED_KEEP_CATEGORIES)
        snprintf(keep->categories[keep->category_count++], sizeof keep->categories[0], "%s", category);
    return false;
}

static bool add_categories(const char *folder, size_t length, void *user)
{
    return oro_any_category(folder, length, add_category, user);
}

void ed_keep(struct ed_session *session, enum ed_keep what, const char *node)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    ed_library_folders_free(&keep->folders);
    *keep = (struct ed_keep_dialog){.ask = true, .what = what};
    snprintf(keep->node, sizeof keep->node, "%s", node ? node : "");
    const struct oro_doc_node *found = node ? node_of(session) : NULL;
    if (what == ED_KEEP_GRAPH && found)
        begin_graph(session, found);
    else if (what == ED_KEEP_SCRIPT && found)
        begin_script(session, found);
    else if (what == ED_KEEP_DOCUMENT)
        begin_document(session);
    ed_library_folders_load(&keep->folders);
    oro_any_own_library(add_categories, keep);
    ed_wake(session);
}

void ed_keep_chosen(struct ed_session *session)
{
    const struct oro_doc_node *node = session->selection.count == 1 ? ed_selected_node(session) : NULL;
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    enum ed_keep what = !node                                                ? ED_KEEP_NODES
                        : oro_node_is_graph(node)                            ? ED_KEEP_GRAPH
                        : oro_node_is_inline(node) || (type && type->script) ? ED_KEEP_SCRIPT
                                                                             : ED_KEEP_NODES;
    ed_keep(session, what, node ? node->id : NULL);
}

void ed_keep_document(struct ed_session *session)
{
    ed_keep(session, ED_KEEP_DOCUMENT, NULL);
}

void ed_keep_preset(struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (node)
        ed_keep(session, ED_KEEP_PRESET, node->id);
}

/* ---- What is written ---- */

static char *graph_text(struct ed_session *session, const struct oro_doc_node *node,
                        const struct oro_doc_about *about, struct oro_error *err)
{
    const struct oro_document *root = ed_project_root(session->project);
    struct oro_graph graph;
    if (node->href && node->href[0] == '#')
        return ed_library_graph(root, node->href + 1, about, &session->registry, err);
    return oro_graph_find(&session->registry, root, node, &graph, err)
               ? ed_library_graph(graph.doc, NULL, about, &session->registry, err)
               : NULL;
}

static char *preset_text(struct ed_session *session, const struct oro_doc_node *node, struct oro_error *err)
{
    const struct ed_keep_dialog *keep = &session->panels->keep;
    struct oro_preset_about about = {.title = keep->name, .doc = keep->doc[0] ? keep->doc : NULL};
    return oro_preset_make(ed_project_shown(session->project), node->id, &about, &session->registry,
                           &session->log, err);
}

static char *own_script(struct ed_session *session, const struct oro_doc_node *node, struct oro_error *err)
{
    const struct ed_keep_dialog *keep = &session->panels->keep;
    char *text = script_text(session, node, err);
    char *whole = text ? ed_library_script(text, keep->name, keep->words, keep->doc, err) : NULL;
    oro_free(text);
    return whole;
}

/* NULL: `err`. The caller frees. */
static char *text_of(struct ed_session *session, struct oro_error *err)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    const struct oro_document *root = ed_project_root(session->project);
    const struct oro_doc_about about = {.title = keep->name, .doc = keep->doc, .words = keep->words};
    if (keep->what == ED_KEEP_DOCUMENT)
        return ed_library_graph(root, NULL, &about, &session->registry, err);
    if (keep->what == ED_KEEP_NODES)
        return ed_library_nodes(root, ed_project_shown(session->project),
                                (const char *const *)session->selection.items, session->selection.count,
                                &about, &session->registry, err);
    const struct oro_doc_node *node = node_of(session);
    if (!node) {
        oro_fail(err, ORO_E_USAGE, "the node '%s' is gone", keep->node);
        return NULL;
    }
    return keep->what == ED_KEEP_GRAPH    ? graph_text(session, node, &about, err)
           : keep->what == ED_KEEP_SCRIPT ? own_script(session, node, err)
                                          : preset_text(session, node, err);
}

/* The file; the caller frees. NULL: `err`. */
static char *path_of(struct ed_session *session, struct oro_error *err)
{
    const struct ed_keep_dialog *keep = &session->panels->keep;
    struct oro_arena *arena = oro_arena_create();
    const struct oro_doc_node *node = keep->what == ED_KEEP_PRESET ? node_of(session) : NULL;
    struct ed_library_place place = {
        .folder = keep->folder > 0 ? keep->folders.items[keep->folder - 1] : NULL,
        .category = keep->category,
        .name = keep->name,
        .preset_of = node && arena ? oro_preset_type(node, arena) : NULL,
        .script = keep->what == ED_KEEP_SCRIPT,
    };
    char *path = NULL;
    if (keep->what == ED_KEEP_PRESET && !place.preset_of)
        oro_fail(err, ORO_E_USAGE, "nodes of this type have no presets");
    else
        path = ed_library_file(&place, err);
    oro_arena_destroy(arena);
    return path;
}

/* A graph without a category must not hide one that comes with the program, which documents use. */
static bool hides_another(const struct ed_session *session, const char *path)
{
    const struct ed_keep_dialog *keep = &session->panels->keep;
    const char *file = strrchr(path, '/');
    const struct ed_asset *other = ed_assets_find(&session->panels->assets, file ? file + 1 : path);
    return !keep->category[0] && keep->what != ED_KEEP_PRESET && keep->what != ED_KEEP_SCRIPT && other &&
           other->path && !ed_library_owns(other->path);
}

static bool save(struct ed_session *session, struct oro_error *err)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    char *path = path_of(session, err);
    if (path && hides_another(session, path)) {
        oro_fail(err, ORO_E_USAGE,
                 "a graph of that name comes with the program: choose a category or another name");
        oro_free(path);
        return false;
    }
    char *text = path ? text_of(session, err) : NULL;
    bool ok = text && ed_library_write(path, text, strlen(text), err);
    if (ok && keep->what == ED_KEEP_PRESET && keep->words[0])
        ok = ed_library_describe(path, keep->words, keep->doc, &session->registry, err);
    if (ok) {
        ed_message(&session->messages, ED_NOTICE, NULL, "Saved to the library: %s", path);
        ed_panels_types_changed(session);
    }
    oro_free(text);
    oro_free(path);
    return ok;
}

/* ---- The dialog ---- */

static void label(const char *text)
{
    ui_table_row();
    ui_table_next();
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "%s", text);
    ui_table_next();
}

static void input(const char *caption, const char *name, const char *hint, char *text, size_t size)
{
    label(caption);
    ui_item_width(-1);
    ui_id_push(name);
    ui_name("keep:%s", name);
    ui_input("##text", hint, text, size, 0);
    ui_id_pop();
}

static void draw_category(struct ed_keep_dialog *keep)
{
    label("Category");
    ui_item_width(200 * ui_scale());
    ui_name("keep:category");
    ui_input("##category", "none", keep->category, sizeof keep->category, 0);
    if (keep->category_count == 0)
        return;
    ui_same_line(-1);
    ui_item_width(-1);
    ui_name("keep:categories");
    if (!ui_combo_begin("##categories", "Choose…"))
        return;
    for (size_t i = 0; i < keep->category_count; i++)
        if (ui_selectable(keep->categories[i], strcmp(keep->categories[i], keep->category) == 0, 0))
            snprintf(keep->category, sizeof keep->category, "%s", keep->categories[i]);
    ui_combo_end();
}

static void draw_folder(struct ed_keep_dialog *keep)
{
    if (keep->folders.count == 0)
        return;
    label("Folder");
    ui_item_width(-1);
    ui_name("keep:folder");
    if (!ui_combo_begin("##folder", keep->folder ? keep->folders.items[keep->folder - 1] : "My library"))
        return;
    if (ui_selectable("My library", keep->folder == 0, 0))
        keep->folder = 0;
    for (size_t i = 0; i < keep->folders.count; i++)
        if (ui_selectable(keep->folders.items[i], keep->folder == i + 1, 0))
            keep->folder = i + 1;
    ui_combo_end();
}

static void draw_fields(struct ed_keep_dialog *keep)
{
    if (!ui_table_begin("keep", 2, 0))
        return;
    ui_table_column("name", 100 * ui_scale());
    ui_table_column("value", 0);
    if (keep->fresh && !keep->named)
        ui_focus_next();
    ui_disabled_begin(keep->named);
    input("Name", "name", keep->what == ED_KEEP_SCRIPT ? "a word, such as dunes" : "what it is called",
          keep->name, sizeof keep->name);
    ui_disabled_end();
    if (keep->what != ED_KEEP_PRESET) {
        draw_category(keep);
        draw_folder(keep);
    }
    input("Tags", "tags", "words to find it by, with commas", keep->words, sizeof keep->words);
    input("Description", "doc", "what it makes", keep->doc, sizeof keep->doc);
    ui_table_end();
}

/* Says that there is one already. The disk is asked only when the place has changed. */
static void draw_place(struct ed_session *session)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    char place[sizeof keep->looked];
    snprintf(place, sizeof place, "%zu/%s/%s", keep->folder, keep->category, keep->name);
    if (strcmp(place, keep->looked) != 0) {
        struct oro_error err = {0};
        char *path = path_of(session, &err);
        keep->exists = path && access(path, F_OK) == 0;
        oro_free(path);
        snprintf(keep->looked, sizeof keep->looked, "%s", place);
        keep->problem[0] = '\0';
    }
    if (keep->problem[0]) {
        ui_text_wrapped(keep->problem);
    } else {
        ui_text_coloured(ui_colour(UI_MUTED), "%s",
                         keep->exists ? "There is one of this name: it becomes an older version." : " ");
    }
}

void ed_keep_draw(struct ed_session *session)
{
    struct ed_keep_dialog *keep = &session->panels->keep;
    keep->fresh = keep->ask;
    if (keep->ask)
        ui_popup_open(title);
    keep->ask = false;
    keep->open = ui_modal_begin(title, NULL, 520 * ui_scale());
    if (!keep->open)
        return;
    draw_fields(keep);
    ui_spacing();
    draw_place(session);
    ui_spacing();
    ui_disabled_begin(!keep->name[0]);
    ui_name("keep:save");
    bool yes = ui_button_strong(keep->exists ? "Save a new version" : "Save", 0, 0);
    ui_disabled_end();
    yes = yes || (ui_answered_yes() && keep->name[0]);
    ui_same_line(-1);
    ui_name("keep:cancel");
    if (ui_button("Cancel", 0, 0) || ui_answered_no()) {
        ui_popup_close();
    } else if (yes) {
        struct oro_error err = {0};
        if (save(session, &err))
            ui_popup_close();
        else
            snprintf(keep->problem, sizeof keep->problem, "%s%s%.890s", err.node, err.node[0] ? ": " : "",
                     err.text);
    }
    ui_popup_end();
}

void ed_keep_free(struct ed_keep_dialog *keep)
{
    ed_library_folders_free(&keep->folders);
}
