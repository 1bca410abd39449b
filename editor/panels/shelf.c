/* What is done to something in the palette: its menu, tags, older versions, removal. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "editor/panels/panels_private.h"

static const char menu_id[] = "asset-menu", tags_title[] = "Tags", versions_title[] = "Older versions",
                  remove_title[] = "Remove from the library?";

/* ---- Favourites */

static struct ed_favourites *favourites_of(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    if (!shelf->loaded)
        ed_favourites_load(&shelf->favourites);
    shelf->loaded = true;
    return &shelf->favourites;
}

bool ed_shelf_favourite(struct ed_session *session, const struct ed_asset *asset)
{
    return ed_favourite(favourites_of(session), asset->key);
}

bool ed_shelf_has_favourites(struct ed_session *session)
{
    return favourites_of(session)->count > 0;
}

static void toggle_favourite(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    struct ed_favourites *favourites = favourites_of(session);
    struct oro_error err;
    ed_tell(session, ed_favourite_set(favourites, shelf->key, !ed_favourite(favourites, shelf->key), &err),
            &err);
}

/* ---- The menu */

void ed_shelf_ask(struct ed_session *session, const struct ed_asset *asset)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    shelf->ask = ED_SHELF_MENU;
    snprintf(shelf->key, sizeof shelf->key, "%s", asset->key);
    snprintf(shelf->label, sizeof shelf->label, "%s", asset->label);
    snprintf(shelf->path, sizeof shelf->path, "%s", asset->path ? asset->path : "");
    snprintf(shelf->words, sizeof shelf->words, "%s", asset->words);
    snprintf(shelf->doc, sizeof shelf->doc, "%s", asset->broken ? "" : asset->doc);
    shelf->graph = asset->kind == ED_ASSET_GRAPH;
    shelf->problem[0] = '\0';
}

static void add(struct ed_session *session, const struct ed_asset *asset)
{
    double x, y;
    session->services->find_place(session, NULL, &x, &y);
    ed_asset_add(session, asset, x, y, NULL, NULL);
}

static void own_items(struct ed_shelf *shelf, const struct ed_asset *asset)
{
    ui_separator();
    ui_name("asset:tags");
    if (ui_menu_item("Tags and description…", NULL, false, !asset->broken))
        shelf->ask = ED_SHELF_TAGS;
    ui_name("asset:versions");
    if (ui_menu_item("Older versions…", NULL, false, true))
        shelf->ask = ED_SHELF_VERSIONS;
    ui_name("asset:remove");
    if (ui_menu_item("Remove…", NULL, false, true))
        shelf->ask = ED_SHELF_REMOVE;
}

static void draw_menu(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    const struct ed_asset *asset = ed_assets_find(&session->panels->assets, shelf->key);
    if (!ui_popup_begin(menu_id))
        return;
    if (!asset) {
        ui_popup_close();
        ui_popup_end();
        return;
    }
    ui_text_coloured(ui_colour(UI_MUTED), "%s", shelf->label);
    ui_name("asset:add");
    if (ui_menu_item("Add", NULL, false, !asset->broken))
        add(session, asset);
    ui_name("asset:favourite");
    if (ui_menu_item("Favourite", NULL, ed_shelf_favourite(session, asset), true))
        toggle_favourite(session);
    ui_name("asset:folder");
    if (ui_menu_item("Show in folder", NULL, false, shelf->path[0]))
        ed_show_folder(session, shelf->path);
    if (asset->own)
        own_items(shelf, asset);
    ui_popup_end();
}

/* ---- Tags */

/* The list of assets is made anew, and so are node types. */
static void done(struct ed_session *session)
{
    ed_panels_types_changed(session);
    ui_popup_close();
}

static void draw_problem(const struct ed_shelf *shelf)
{
    if (shelf->problem[0])
        ui_text_wrapped(shelf->problem);
    ui_spacing();
}

static void draw_tags(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    struct oro_error err = {0};
    ui_text("%s", shelf->label);
    ui_item_width(-1);
    ui_name("tags:words");
    ui_input("##words", "tags, with commas", shelf->words, sizeof shelf->words, 0);
    ui_item_width(-1);
    ui_name("tags:doc");
    ui_input("##doc", "description", shelf->doc, sizeof shelf->doc, 0);
    draw_problem(shelf);
    ui_name("tags:save");
    bool yes = ui_button_strong("Save", 0, 0) || ui_answered_yes();
    ui_same_line(-1);
    ui_name("tags:cancel");
    if (ui_button("Cancel", 0, 0) || ui_answered_no())
        ui_popup_close();
    else if (yes && ed_library_describe(shelf->path, shelf->words, shelf->doc, &session->registry, &err))
        done(session);
    else if (yes)
        snprintf(shelf->problem, sizeof shelf->problem, "%.499s", err.text);
}

/* ---- Versions */

static void list_versions(struct ed_shelf *shelf)
{
    oro_arena_destroy(shelf->arena);
    shelf->arena = oro_arena_create();
    shelf->version_count = 0;
    shelf->chosen = SIZE_MAX;
    oro_free(shelf->text);
    shelf->text = NULL;
    if (!shelf->arena ||
        !ed_library_versions(shelf->path, shelf->arena, &shelf->versions, &shelf->version_count))
        snprintf(shelf->problem, sizeof shelf->problem, "no memory for the list of versions");
}

/* Of scripts and presets, the text is shown. */
static void choose_version(struct ed_shelf *shelf, size_t index)
{
    enum { BYTES_MAX = 1 << 16 };
    struct oro_error err = {0};
    void *text = NULL;
    size_t size;
    shelf->chosen = index;
    oro_free(shelf->text);
    shelf->text = NULL;
    if (shelf->graph)
        return;
    if (oro_file_read(shelf->versions[index].path, BYTES_MAX, &text, &size, &err))
        shelf->text = text;
    else
        snprintf(shelf->problem, sizeof shelf->problem, "%.499s", err.text);
}

static void draw_version_list(struct ed_shelf *shelf)
{
    float scale = ui_scale();
    if (ui_child_begin("list", 0, 180 * scale, 0))
        for (size_t i = 0; i < shelf->version_count; i++) {
            ui_id_push_index((int)i);
            ui_name("versions:%zu", i);
            if (ui_selectable(shelf->versions[i].when, i == shelf->chosen, 0))
                choose_version(shelf, i);
            ui_id_pop();
        }
    ui_child_end();
    if (shelf->text) {
        ui_name("versions:text");
        ui_input_area("##text", shelf->text, strlen(shelf->text) + 1, -1, 160 * scale, UI_READ_ONLY);
    }
}

static void draw_versions(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    struct oro_error err = {0};
    ui_text("%s", shelf->label);
    if (shelf->version_count == 0)
        ui_text_coloured(ui_colour(UI_MUTED), "There are none: saving again under its name makes one.");
    else
        draw_version_list(shelf);
    draw_problem(shelf);
    const struct ed_library_version *version =
        shelf->chosen < shelf->version_count ? &shelf->versions[shelf->chosen] : NULL;
    ui_disabled_begin(!version);
    ui_name("versions:open");
    bool open = shelf->graph && ui_button("Open as a copy", 0, 0);
    if (shelf->graph)
        ui_same_line(-1);
    ui_name("versions:restore");
    bool restore = ui_button_strong("Bring back", 0, 0);
    ui_disabled_end();
    ui_same_line(-1);
    ui_name("versions:close");
    if (ui_button("Close", 0, 0) || ui_answered_no()) {
        ui_popup_close();
    } else if (open && version) {
        ui_popup_close();
        ed_open_example(session, version->path);
    } else if (restore && version) {
        if (ed_library_restore(shelf->path, version->path, &err))
            done(session);
        else
            snprintf(shelf->problem, sizeof shelf->problem, "%.499s", err.text);
    }
}

/* ---- Removal */

static void draw_remove(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    struct oro_error err = {0};
    ui_text("%s", shelf->label);
    ui_text_coloured(ui_colour(UI_MUTED), "%s", shelf->path);
    ui_text_wrapped(
        "Documents that use it will miss it. It stays among its older versions: saving something under its "
        "name brings these back.");
    draw_problem(shelf);
    ui_name("remove:yes");
    bool yes = ui_button("Remove", 0, 0);
    ui_same_line(-1);
    ui_name("remove:no");
    if (ui_button_strong("Keep", 0, 0) || ui_answered_no() || ui_answered_yes())
        ui_popup_close();
    else if (yes && ed_library_remove(shelf->path, &err))
        done(session);
    else if (yes)
        snprintf(shelf->problem, sizeof shelf->problem, "%.499s", err.text);
}

/* ---- All */

static const struct {
    const char *title;
    enum ed_shelf_ask ask;
    void (*draw)(struct ed_session *session);
} questions[] = {{tags_title, ED_SHELF_TAGS, draw_tags},
                 {versions_title, ED_SHELF_VERSIONS, draw_versions},
                 {remove_title, ED_SHELF_REMOVE, draw_remove}};

void ed_shelf_draw(struct ed_session *session)
{
    struct ed_shelf *shelf = &session->panels->shelf;
    enum ed_shelf_ask ask = shelf->ask;
    shelf->ask = ED_SHELF_NOTHING;
    shelf->open = false;
    if (ask == ED_SHELF_MENU)
        ui_popup_open(menu_id);
    if (ask == ED_SHELF_VERSIONS)
        list_versions(shelf);
    draw_menu(session);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        if (ask == questions[i].ask)
            ui_popup_open(questions[i].title);
        if (!ui_modal_begin(questions[i].title, NULL, 460 * ui_scale()))
            continue;
        shelf->open = true;
        questions[i].draw(session);
        ui_popup_end();
    }
    if (ask != ED_SHELF_NOTHING)
        ed_wake(session);
}

void ed_shelf_free(struct ed_shelf *shelf)
{
    ed_favourites_free(&shelf->favourites);
    oro_arena_destroy(shelf->arena);
    oro_free(shelf->text);
}
