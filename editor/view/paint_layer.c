/* New layers, and layers of documents that move. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/inspector.h"
#include "editor/view/paint_private.h"

/* ---- Making one ---- */

/* Letters that ids and files can both have. */
static void clean(char *name)
{
    for (char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool later = (*c >= '0' && *c <= '9') || *c == '-';
        if (!letter && !(later && c > name))
            *c = '_';
    }
}

/* A name of a file that is not there yet: "mask", "mask2", ... The caller frees. */
static char *free_name(const struct ed_app *app, const char *wanted)
{
    static const struct oro_stamp nothing;
    for (int i = 1; i < 10000; i++) {
        char name[96];
        snprintf(name, sizeof name, i == 1 ? "%s" : "%s%d", wanted, i);
        char *file = ed_layer_name(ed_project_path(app->project), name);
        char *path = file ? oro_path_beside(ed_project_path(app->project), file) : NULL;
        struct oro_stamp stamp = path ? oro_stamp_of(path) : nothing;
        bool is_free = path && oro_stamp_equal(&stamp, &nothing);
        oro_free(file);
        oro_free(path);
        if (is_free)
            return oro_copy_text(name);
    }
    return NULL;
}

static bool add_node(struct ed_app *app, const char *file, const char *name, double low, double high,
                     struct oro_error *err)
{
    double x = 0, y = 0;
    char id[128], number[ORO_NUMBER_SIZE];
    ed_canvas_place(app, &x, &y);
    ed_gesture_begin(app->project, "new layer");
    bool ok = ed_add_node(app->project, "import", NULL, x, y, NULL, NULL, id, err);
    char *wanted = ok ? ed_free_id(ed_project_shown(app->project), name) : NULL;
    if (wanted && ed_rename(app->project, id, wanted, err))
        snprintf(id, sizeof id, "%s", wanted);
    oro_free(wanted);
    ok = ok && ed_set_input(app, id, "file", file);
    if (ok && low != 0)
        ok = ed_set_input(app, id, "low", oro_format_number(low, number));
    ok = ok && ed_set_input(app, id, "high", oro_format_number(high, number));
    ed_gesture_end(app->project);
    if (!ok)
        return false;
    ed_select(app, id, false);
    if (!app->viewed[0])
        ed_look_at(app, id, NULL);
    return true;
}

static void make_layer(struct ed_app *app, struct ed_layer_question *question)
{
    struct oro_error err = {0};
    const struct oro_world *world = oro_document_world(ed_project_root(app->project));
    double aspect = world->aspect > 0 ? world->aspect : 1, low = 0, high = 1;
    int width = aspect > 1 ? (int)lround(question->cells / aspect) : question->cells;
    int height = aspect > 1 ? question->cells : (int)lround(question->cells * aspect);
    clean(question->name);
    char *name = free_name(app, question->name[0] ? question->name : "layer");
    char *file = name ? ed_layer_name(ed_project_path(app->project), name) : NULL;
    char *path = file ? oro_path_beside(ed_project_path(app->project), file) : NULL;
    if (question->heights) {
        low = question->low;
        high = question->high;
    }
    struct oro_grid grid = {.width = width > 1 ? width : 1, .height = height > 1 ? height : 1};
    grid.cell = world->extent / grid.width;
    bool ok = path && ed_layer_write_new(path, &grid, low, high, low, &err);
    ok = ok && add_node(app, file, name, low, high, &err);
    if (!ok && !err.text[0] && !path)
        oro_fail(&err, ORO_E_WRITE, "no file could be made for the layer '%s'", question->name);
    if (!ok && err.text[0])
        ed_failed(app, &err);
    oro_free(name);
    oro_free(file);
    oro_free(path);
}

void ed_paint_new_layer_tick(struct ed_app *app)
{
    struct ed_layer_question *question = &app->views->paint->question;
    if (!question->wanted || app->asking)
        return;
    if (ed_project_path(app->project)[0]) {
        question->wanted = false;
        make_layer(app, question);
    } else if (app->views->hovered && ui_mouse_pressed(0))
        question->wanted = false; /* the user thought better of saving */
}

static void ask_kind(struct ed_layer_question *question)
{
    if (ui_radio("Mask, 0 to 1", !question->heights))
        question->heights = false;
    ui_same_line(-1);
    if (ui_radio("Heights", question->heights))
        question->heights = true;
    if (!question->heights)
        return;
    ui_item_width(110 * ui_scale());
    ui_drag("Low", &question->low, 5, -1e5, 1e5, "%.0f m", 0);
    ui_same_line(-1);
    ui_item_width(110 * ui_scale());
    ui_drag("High", &question->high, 5, -1e5, 1e5, "%.0f m", 0);
    if (question->high < question->low + 1)
        question->high = question->low + 1;
}

void ed_paint_new_layer_popup(struct ed_app *app)
{
    static const char *const sizes[] = {"256 cells", "512 cells", "1024 cells", "2048 cells", "4096 cells"};
    struct ed_layer_question *question = &app->views->paint->question;
    int at = 0;
    if (!ui_popup_begin("##new-layer"))
        return;
    while (at < 4 && 256 << at < question->cells)
        at++;
    ui_text_coloured(ui_colour(UI_MUTED), "A layer to paint, in a file beside the document");
    ui_item_width(220 * ui_scale());
    ui_name("layer-name");
    ui_input("Name", "mask", question->name, sizeof question->name, 0);
    ask_kind(question);
    ui_item_width(220 * ui_scale());
    if (ui_combo("Longer side", &at, sizes, 5))
        question->cells = 256 << at;
    if (!ed_project_path(app->project)[0])
        ui_text_coloured(ui_colour(UI_WARNING), "The document is saved first: the file lies beside it");
    ui_name("button:create-layer");
    if (ui_button_strong("Create", 0, 0)) {
        question->wanted = true;
        if (!ed_project_path(app->project)[0])
            ed_document_save_as(app);
        ui_popup_close();
    }
    ui_popup_end();
}

/* ---- Following the document ---- */

static bool copy_file(const char *from, const char *to, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    if (!oro_file_read(from, (size_t)1 << 30, &data, &size, err))
        return false;
    bool ok = oro_file_write(to, data, size, err);
    oro_free(data);
    return ok;
}

static bool make_folder_of(const char *path, struct oro_error *err)
{
    char *folder = oro_copy_text(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    bool ok = slash && oro_make_folders(folder, err);
    oro_free(folder);
    return ok;
}

/* Whether the layer is in the document's own folder, which was overwritten with it. */
static bool is_own(const struct ed_app *app, const char *file)
{
    char *own = ed_layer_name(ed_project_path(app->project), "x"), *slash = own ? strchr(own, '/') : NULL;
    bool is = slash && strncmp(own, file, (size_t)(slash - own) + 1) == 0;
    oro_free(own);
    return is;
}

/* The layer and its sidecar; those of another document that are there already stay. True: it is the file of
 * the document before, too. */
static bool take_along(struct ed_app *app, const char *old, const char *file)
{
    static const struct oro_stamp nothing;
    bool own = is_own(app, file), shared = false;
    static const char *const endings[] = {"", ".json"};
    struct oro_error err = {0};
    for (int i = 0; i < 2; i++) {
        char name[600];
        snprintf(name, sizeof name, "%s%s", file, endings[i]);
        char *from = oro_path_beside(old, name), *to = oro_path_beside(ed_project_path(app->project), name);
        struct oro_stamp source = from ? oro_stamp_of(from) : nothing,
                         target = to ? oro_stamp_of(to) : nothing;
        bool other = from && to && !oro_path_same(from, to);
        bool needed =
            other && !oro_stamp_equal(&source, &nothing) && (own || oro_stamp_equal(&target, &nothing));
        if (needed && (!make_folder_of(to, &err) || !copy_file(from, to, &err)))
            ed_failed(app, &err);
        if (other && i == 0)
            ed_layers_moved(app->views->paint->layers, from, to);
        shared = shared || (from && to && !other);
        oro_free(from);
        oro_free(to);
    }
    return shared;
}

static bool take_all_along(struct ed_app *app, const char *old, const struct oro_document *doc)
{
    bool shared = false;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_doc_input *file = oro_doc_node_input(node, "file");
        if (strcmp(node->type, "import") == 0 && file && ed_is_layer_name(file->value))
            shared = take_along(app, old, file->value) || shared;
    }
    for (size_t i = 0; i < oro_document_group_count(doc); i++)
        shared = take_all_along(app, old, oro_document_group(doc, i)->body) || shared;
    return shared;
}

void ed_paint_follow(struct ed_app *app)
{
    struct ed_paint_tool *tool = app->views->paint;
    const char *path = oro_document_path(ed_project_root(app->project));
    struct oro_error err = {0};
    if (tool->path && strcmp(tool->path, path) == 0)
        return;
    if (tool->path && tool->path[0] && path[0]) {
        if (!ed_layers_flush(tool->layers, &err))
            ed_failed(app, &err);
        if (take_all_along(app, tool->path, ed_project_root(app->project)))
            ed_message(&app->messages, ED_WARNING, NULL,
                       "painted layers are shared with '%s': strokes change both documents", tool->path);
        tool->node[0] = '\0'; /* the layer is another file now */
    }
    oro_free(tool->path);
    tool->path = oro_copy_text(path);
}
