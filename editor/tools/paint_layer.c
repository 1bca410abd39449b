/* New layers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/session/commands.h"
#include "editor/session/inputs.h"
#include "editor/session/world.h"
#include "editor/tools/paint_private.h"

/* ---- Making one ---- */

/* Keeps only characters that both ids and file names can have. */
static void clean(char *name)
{
    for (char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool later = (*c >= '0' && *c <= '9') || *c == '-';
        if (!letter && !(later && c > name))
            *c = '_';
    }
}

/* A name for a file that does not exist yet: "mask", "mask2", ... The caller frees. */
static char *free_name(const struct ed_session *session, const char *wanted)
{
    static const struct oro_stamp nothing;
    for (int i = 1; i < 10000; i++) {
        char name[96];
        snprintf(name, sizeof name, i == 1 ? "%s" : "%s%d", wanted, i);
        char *file = ed_layer_name(ed_project_path(session->project), name);
        char *path = file ? oro_path_beside(ed_project_path(session->project), file) : NULL;
        struct oro_stamp stamp = path ? oro_stamp_of(path) : nothing;
        bool is_free = path && oro_stamp_equal(&stamp, &nothing) &&
                       !ed_layers_differ(session->views->paint->layers, path);
        oro_free(file);
        oro_free(path);
        if (is_free)
            return oro_copy_text(name);
    }
    return NULL;
}

static bool add_node(struct ed_session *session, const char *file, const char *name, double low, double high,
                     enum ed_layer_use use, struct oro_error *err)
{
    double x = 0, y = 0;
    char id[128], number[ORO_NUMBER_SIZE];
    const struct oro_doc_node *chosen = ed_selected_node(session);
    session->services->find_place(session, chosen ? chosen->id : NULL, &x, &y);
    ed_gesture_begin(session->project, "new layer");
    bool ok = ed_add_node(session->project, "import", NULL, x, y, NULL, NULL, id, err);
    char *wanted = ok ? ed_free_id(ed_project_shown(session->project), name) : NULL;
    if (wanted && ed_rename(session->project, id, wanted, err))
        snprintf(id, sizeof id, "%s", wanted);
    oro_free(wanted);
    ok = ok && ed_set_input(session, id, "file", file);
    if (ok && low != 0)
        ok = ed_set_input(session, id, "low", oro_format_number(low, number));
    ok = ok && ed_set_input(session, id, "high", oro_format_number(high, number)) &&
         (use != ED_LAYER_UPLIFT || ed_paint_join_uplift(session, id, err));
    ed_gesture_end(session->project);
    if (!ok)
        return false;
    ed_select(session, id, false);
    session->services->reveal_node(session, id);
    if (!session->viewed[0])
        ed_look_at(session, id, NULL);
    return true;
}

static void make_layer(struct ed_session *session, struct ed_layer_question *question)
{
    struct oro_error err = {0};
    const struct oro_world world = ed_world(session);
    double aspect = world.aspect > 0 ? world.aspect : 1, low = 0, high = 1;
    int width = aspect > 1 ? (int)lround(question->cells / aspect) : question->cells;
    int height = aspect > 1 ? question->cells : (int)lround(question->cells * aspect);
    clean(question->name);
    char *name = free_name(session, question->name[0] ? question->name : "layer");
    char *file = name ? ed_layer_name(ed_project_path(session->project), name) : NULL;
    char *path = file ? oro_path_beside(ed_project_path(session->project), file) : NULL;
    if (question->use == ED_LAYER_HEIGHTS) {
        low = question->low;
        high = question->high;
    } else if (question->use == ED_LAYER_UPLIFT)
        high = question->rate;
    struct oro_grid grid = {.width = width > 1 ? width : 1, .height = height > 1 ? height : 1};
    grid.cell = world.extent / grid.width;
    bool ok = path && ed_layers_add(session->views->paint->layers, path, &grid, low, high, low, &err);
    ok = ok && add_node(session, file, name, low, high, question->use, &err);
    if (!ok && !err.text[0] && !path)
        oro_fail(&err, ORO_E_WRITE, "no file could be made for the layer '%s'", question->name);
    if (!ok && err.text[0])
        ed_failed(session, &err);
    oro_free(name);
    oro_free(file);
    oro_free(path);
}

void ed_paint_new_layer_tick(struct ed_session *session)
{
    struct ed_layer_question *question = &session->views->paint->question;
    if (!question->wanted || session->asking)
        return;
    if (ed_project_path(session->project)[0]) {
        question->wanted = false;
        make_layer(session, question);
    } else if (session->views->hovered && ui_mouse_pressed(0))
        question->wanted = false; /* the user cancelled saving */
}

static void ask_kind(struct ed_layer_question *question)
{
    static const char *const uses[] = {"Mask, 0 to 1", "Heights", "Uplift"};
    for (int i = 0; i < 3; i++) {
        if (i)
            ui_same_line(-1);
        if (ui_radio(uses[i], question->use == (enum ed_layer_use)i))
            question->use = (enum ed_layer_use)i;
    }
    if (question->use == ED_LAYER_UPLIFT) {
        ui_item_width(220 * ui_scale());
        ui_name("layer-rate");
        ui_slider("At most", &question->rate, 1e-5, 0.01, "%.5f m/yr", UI_LOGARITHMIC | UI_CLAMP);
    }
    if (question->use != ED_LAYER_HEIGHTS)
        return;
    ui_item_width(110 * ui_scale());
    ui_drag("Low", &question->low, 5, -1e5, 1e5, "%.0f m", 0);
    ui_same_line(-1);
    ui_item_width(110 * ui_scale());
    ui_drag("High", &question->high, 5, -1e5, 1e5, "%.0f m", 0);
    if (question->high < question->low + 1)
        question->high = question->low + 1;
}

void ed_paint_new_layer_popup(struct ed_session *session)
{
    static const char *const sizes[] = {"256 cells", "512 cells", "1024 cells", "2048 cells", "4096 cells"};
    struct ed_layer_question *question = &session->views->paint->question;
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
    if (!ed_project_path(session->project)[0])
        ui_text_coloured(ui_colour(UI_WARNING), "The document is saved first: the file lies beside it");
    ui_name("button:create-layer");
    if (ui_button_strong("Create", 0, 0)) {
        question->wanted = true;
        if (!ed_project_path(session->project)[0])
            ed_command_run(session, "save-as");
        ui_popup_close();
    }
    ui_popup_end();
}
