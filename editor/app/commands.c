#include "editor/app/commands.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "editor/canvas/canvas.h"
#include "editor/panels/panels.h"
#include "editor/view/views.h"

/* ---- What they do, where it is more than one call */

static void undo(struct ed_app *app)
{
    struct oro_error err;
    if (ed_project_undo_name(app->project) && !ed_project_undo(app->project, &err))
        ed_failed(app, &err);
}

static void redo(struct ed_app *app)
{
    struct oro_error err;
    if (ed_project_redo_name(app->project) && !ed_project_redo(app->project, &err))
        ed_failed(app, &err);
}

static void open_file(struct ed_app *app)
{
    ed_document_open(app, NULL, false);
}

static void quit(struct ed_app *app)
{
    app->quit = true;
}

static void start(struct ed_app *app)
{
    ed_start_show(app, true);
}

static void add(struct ed_app *app)
{
    double x, y;
    ed_canvas_place(app, &x, &y);
    ed_add_open(app, ui_mouse(), x, y, NULL, NULL);
}

static void enter_or_add(struct ed_app *app)
{
    const struct oro_doc_node *node = ed_selected_node(app);
    if (node && node->href && node->href[0] == '#')
        ed_canvas_enter(app);
    else
        add(app);
}

static void frame_all(struct ed_app *app)
{
    if (ed_views_hovered(app))
        ed_views_frame(app);
    else
        ed_canvas_frame_all(app);
}

static void frame_selected(struct ed_app *app)
{
    if (ed_views_hovered(app))
        ed_views_frame(app);
    else
        ed_canvas_frame_selected(app);
}

static void align_left(struct ed_app *app)
{
    ed_canvas_align(app, ED_ALIGN_LEFT);
}

static void align_top(struct ed_app *app)
{
    ed_canvas_align(app, ED_ALIGN_TOP);
}

static void spread_x(struct ed_app *app)
{
    ed_canvas_align(app, ED_SPREAD_X);
}

static void spread_y(struct ed_app *app)
{
    ed_canvas_align(app, ED_SPREAD_Y);
}

static void look(struct ed_app *app)
{
    const struct oro_doc_node *node = ed_selected_node(app);
    if (node)
        ed_look_at(app, node->id, NULL);
}

static void cancel(struct ed_app *app)
{
    struct ed_live_status status;
    ed_live_status(app->live, &status);
    if (ui_any_popup() || ed_panels_open(app) || ed_start_leave(app) ||
        (!status.busy && ed_views_end_tool(app)))
        return;
    ed_live_cancel(app->live);
}

static void pause(struct ed_app *app)
{
    app->paused = !app->paused;
}

static void node_help(struct ed_app *app)
{
    ed_help_open(app, NULL);
}

static void toggle_palette(struct ed_app *app)
{
    app->settings.show_palette = !app->settings.show_palette;
}

static void toggle_inspector(struct ed_app *app)
{
    app->settings.show_inspector = !app->settings.show_inspector;
}

static void toggle_log(struct ed_app *app)
{
    app->settings.show_log = !app->settings.show_log;
}

static void toggle_minimap(struct ed_app *app)
{
    app->settings.show_minimap = !app->settings.show_minimap;
}

static void toggle_snap(struct ed_app *app)
{
    app->settings.snap = !app->settings.snap;
}

static void toggle_theme(struct ed_app *app)
{
    app->settings.theme = app->settings.theme == ED_THEME_DARK ? ED_THEME_LIGHT : ED_THEME_DARK;
    app->styled = true;
}

/* ---- When */

static bool can_undo(const struct ed_app *app)
{
    return ed_project_undo_name(app->project);
}

static bool can_redo(const struct ed_app *app)
{
    return ed_project_redo_name(app->project);
}

static bool has_selection(const struct ed_app *app)
{
    return app->selection.count > 0;
}

static bool within(const struct ed_app *app)
{
    return ed_project_depth(app->project) > 0;
}

static bool shows_palette(const struct ed_app *app)
{
    return app->settings.show_palette;
}

static bool shows_inspector(const struct ed_app *app)
{
    return app->settings.show_inspector;
}

static bool shows_log(const struct ed_app *app)
{
    return app->settings.show_log;
}

static bool shows_minimap(const struct ed_app *app)
{
    return app->settings.show_minimap;
}

static bool snaps(const struct ed_app *app)
{
    return app->settings.snap;
}

static bool is_light(const struct ed_app *app)
{
    return app->settings.theme == ED_THEME_LIGHT;
}

static bool is_paused(const struct ed_app *app)
{
    return app->paused;
}

/* ---- The table. Keys of one command are parted by '|'. */

const struct ed_command ed_commands[] = {
    {.id = "new",
     .label = "New",
     .keys = "Ctrl+N",
     .doc = "Begins an empty document",
     .place = ED_IN_FILE,
     .anywhere = true,
     .run = ed_document_new},
    {.id = "open",
     .label = "Open…",
     .keys = "Ctrl+O",
     .doc = "Opens a document",
     .place = ED_IN_FILE,
     .anywhere = true,
     .run = open_file},
    {.id = "start",
     .label = "Start screen",
     .doc = "Recent documents, examples and library graphs",
     .place = ED_IN_FILE,
     .run = start},
    {.id = "save",
     .label = "Save",
     .keys = "Ctrl+S",
     .doc = "Saves the document",
     .place = ED_IN_FILE,
     .anywhere = true,
     .separated = true,
     .run = ed_document_save},
    {.id = "save-as",
     .label = "Save as…",
     .keys = "Ctrl+Shift+S",
     .doc = "Saves the document under another name",
     .place = ED_IN_FILE,
     .anywhere = true,
     .run = ed_document_save_as},
    {.id = "build",
     .label = "Build…",
     .keys = "Ctrl+B|F5",
     .doc = "Evaluates in full and writes files",
     .place = ED_IN_FILE,
     .anywhere = true,
     .separated = true,
     .run = ed_build_open},
    {.id = "screenshot",
     .label = "Picture of the view…",
     .keys = "F12",
     .doc = "Writes what the view shows",
     .place = ED_IN_FILE,
     .anywhere = true,
     .run = ed_views_screenshot},
    {.id = "settings",
     .label = "Settings…",
     .keys = "Ctrl+,",
     .doc = "Scale, theme, device, resolutions",
     .place = ED_IN_FILE,
     .anywhere = true,
     .separated = true,
     .run = ed_settings_open},
    {.id = "quit",
     .label = "Quit",
     .keys = "Ctrl+Q",
     .doc = "Leaves the program",
     .place = ED_IN_FILE,
     .anywhere = true,
     .separated = true,
     .run = quit},

    {.id = "undo",
     .label = "Undo",
     .keys = "Ctrl+Z",
     .doc = "Takes back the last step",
     .place = ED_IN_EDIT,
     .anywhere = true,
     .run = undo,
     .enabled = can_undo},
    {.id = "redo",
     .label = "Redo",
     .keys = "Ctrl+Shift+Z|Ctrl+Y",
     .doc = "Does again what was taken back",
     .place = ED_IN_EDIT,
     .anywhere = true,
     .run = redo,
     .enabled = can_redo},
    {.id = "cut",
     .label = "Cut",
     .keys = "Ctrl+X",
     .doc = "Moves nodes to the clipboard",
     .place = ED_IN_EDIT,
     .separated = true,
     .run = ed_canvas_cut,
     .enabled = has_selection},
    {.id = "copy",
     .label = "Copy",
     .keys = "Ctrl+C",
     .doc = "Copies nodes to the clipboard, as XML",
     .place = ED_IN_EDIT,
     .run = ed_canvas_copy,
     .enabled = has_selection},
    {.id = "paste",
     .label = "Paste",
     .keys = "Ctrl+V",
     .doc = "Adds the nodes of the clipboard",
     .place = ED_IN_EDIT,
     .run = ed_canvas_paste},
    {.id = "duplicate",
     .label = "Duplicate",
     .keys = "Shift+D|Ctrl+D",
     .doc = "Copies nodes with their links",
     .place = ED_IN_EDIT,
     .run = ed_canvas_duplicate,
     .enabled = has_selection},
    {.id = "delete",
     .label = "Delete",
     .keys = "Delete|X|Backspace",
     .doc = "Removes nodes and their links",
     .place = ED_IN_EDIT,
     .run = ed_canvas_delete,
     .enabled = ed_canvas_has_chosen},
    {.id = "dissolve",
     .label = "Delete and reconnect",
     .keys = "Ctrl+Delete",
     .doc = "Removes nodes and links what is left",
     .place = ED_IN_EDIT,
     .run = ed_canvas_dissolve,
     .enabled = has_selection},
    {.id = "select-all",
     .label = "Select all",
     .keys = "Ctrl+A",
     .doc = "Chooses all nodes",
     .place = ED_IN_EDIT,
     .separated = true,
     .run = ed_select_all},
    {.id = "search",
     .label = "Search in the graph…",
     .keys = "Ctrl+F",
     .doc = "Finds nodes by name, type or value",
     .place = ED_IN_EDIT,
     .anywhere = true,
     .run = ed_canvas_search},
    {.id = "commands",
     .label = "Search commands…",
     .keys = "F3|Ctrl+Shift+P",
     .doc = "Finds commands by name",
     .place = ED_IN_EDIT,
     .anywhere = true,
     .run = ed_commands_open},

    {.id = "add",
     .label = "Add node…",
     .keys = "Shift+A|Space",
     .doc = "Searches for a node to add",
     .place = ED_IN_NODE,
     .run = add},
    {.id = "add-or-enter",
     .label = "Add node, or enter the chosen group",
     .keys = "Tab",
     .doc = "Enters a chosen group; else searches for a node to add",
     .place = ED_IN_NO_MENU,
     .run = enter_or_add},
    {.id = "look",
     .label = "Show in the view",
     .keys = "V|Enter",
     .doc = "Lets the view show the chosen node",
     .place = ED_IN_NODE,
     .run = look,
     .enabled = has_selection},
    {.id = "rename",
     .label = "Rename",
     .keys = "F2",
     .doc = "Gives the node, group or frame another name",
     .place = ED_IN_NODE,
     .run = ed_canvas_rename,
     .enabled = ed_canvas_has_chosen},
    {.id = "mute",
     .label = "Mute",
     .keys = "M",
     .doc = "Passes the node by",
     .place = ED_IN_NODE,
     .separated = true,
     .run = ed_canvas_mute,
     .enabled = has_selection},
    {.id = "collapse",
     .label = "Collapse",
     .keys = "H",
     .doc = "Draws the node small",
     .place = ED_IN_NODE,
     .run = ed_canvas_collapse,
     .enabled = has_selection},
    {.id = "group",
     .label = "Group",
     .keys = "Ctrl+G",
     .doc = "Makes a graph of the chosen nodes",
     .place = ED_IN_NODE,
     .separated = true,
     .run = ed_canvas_group,
     .enabled = has_selection},
    {.id = "ungroup",
     .label = "Ungroup",
     .keys = "Ctrl+Shift+G",
     .doc = "Replaces a group by its nodes",
     .place = ED_IN_NODE,
     .run = ed_canvas_ungroup,
     .enabled = has_selection},
    {.id = "leave",
     .label = "Leave the group",
     .keys = "Shift+Tab|U",
     .doc = "Goes up to what holds the group",
     .place = ED_IN_NODE,
     .run = ed_canvas_leave,
     .enabled = within},
    {.id = "frame-nodes",
     .label = "Frame around nodes",
     .keys = "Shift+F|Ctrl+J",
     .doc = "Puts a frame with a title around nodes",
     .place = ED_IN_NODE,
     .run = ed_canvas_add_frame,
     .enabled = has_selection},
    {.id = "tidy",
     .label = "Tidy layout",
     .keys = "L",
     .doc = "Arranges the chosen nodes, or all",
     .place = ED_IN_NODE,
     .separated = true,
     .run = ed_canvas_tidy},
    {.id = "align-left",
     .label = "Align left edges",
     .doc = "In one column",
     .place = ED_IN_NODE,
     .run = align_left,
     .enabled = has_selection},
    {.id = "align-top",
     .label = "Align upper edges",
     .doc = "In one row",
     .place = ED_IN_NODE,
     .run = align_top,
     .enabled = has_selection},
    {.id = "spread-x",
     .label = "Spread evenly across",
     .doc = "Equal gaps from left to right",
     .place = ED_IN_NODE,
     .run = spread_x,
     .enabled = has_selection},
    {.id = "spread-y",
     .label = "Spread evenly down",
     .doc = "Equal gaps from top to bottom",
     .place = ED_IN_NODE,
     .run = spread_y,
     .enabled = has_selection},

    {.id = "frame-selected",
     .label = "Frame selected",
     .keys = "F",
     .doc = "Shows the chosen nodes; over a view, all of the terrain",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = frame_selected},
    {.id = "frame-all",
     .label = "Frame all",
     .keys = "Home|A",
     .doc = "Shows all nodes; over a view, all of the terrain",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = frame_all},
    {.id = "scene",
     .label = "View in depth",
     .keys = "3",
     .doc = "Shows terrain from above, or in depth",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .separated = true,
     .run = ed_views_toggle_scene,
     .checked = ed_views_is_scene},
    {.id = "split",
     .label = "Two views",
     .keys = "Ctrl+Shift+D",
     .doc = "Splits the view into two",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = ed_views_split,
     .checked = ed_views_is_split},
    {.id = "pin",
     .label = "Pin the view",
     .keys = "P",
     .doc = "The view goes on showing its node",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = ed_views_pin,
     .checked = ed_views_is_pinned},
    {.id = "wipe",
     .label = "Compare with a wipe",
     .keys = "W",
     .doc = "Two nodes in one view, parted by a line",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = ed_views_wipe,
     .checked = ed_views_is_wiped},
    {.id = "pause",
     .label = "Pause evaluation",
     .keys = "Ctrl+P",
     .doc = "Nothing is evaluated until it goes on",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .separated = true,
     .run = pause,
     .checked = is_paused},
    {.id = "cancel",
     .label = "Cancel evaluation",
     .keys = "Escape",
     .doc = "Closes a window; else ends what is being evaluated, then the tool of the view",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = cancel},
    {.id = "palette",
     .label = "Palette",
     .keys = "T",
     .doc = "The list of node types",
     .place = ED_IN_VIEW,
     .separated = true,
     .run = toggle_palette,
     .checked = shows_palette},
    {.id = "inspector",
     .label = "Inspector",
     .keys = "N",
     .doc = "Inputs of the chosen node",
     .place = ED_IN_VIEW,
     .run = toggle_inspector,
     .checked = shows_inspector},
    {.id = "log",
     .label = "Log",
     .keys = "Ctrl+L",
     .doc = "Problems and messages",
     .place = ED_IN_VIEW,
     .anywhere = true,
     .run = toggle_log,
     .checked = shows_log},
    {.id = "minimap",
     .label = "Minimap",
     .doc = "All of the graph, small",
     .place = ED_IN_VIEW,
     .run = toggle_minimap,
     .checked = shows_minimap},
    {.id = "snap",
     .label = "Snap nodes to the grid",
     .doc = "While they are dragged; Ctrl does the opposite",
     .place = ED_IN_VIEW,
     .run = toggle_snap,
     .checked = snaps},
    {.id = "theme",
     .label = "Light theme",
     .doc = "Light or dark",
     .place = ED_IN_VIEW,
     .run = toggle_theme,
     .checked = is_light},

    {.id = "help",
     .label = "Help on the node",
     .keys = "F1",
     .doc = "What the chosen node does",
     .place = ED_IN_HELP,
     .anywhere = true,
     .run = node_help},
    {.id = "keys",
     .label = "Keys and mouse",
     .keys = "Shift+F1|F10",
     .doc = "All keys",
     .place = ED_IN_HELP,
     .anywhere = true,
     .run = ed_keys_open},
    {.id = "tour",
     .label = "Tour",
     .doc = "A first terrain, step by step",
     .place = ED_IN_HELP,
     .run = ed_tour_start},
    {.id = "about",
     .label = "About Orograph",
     .doc = "Version and licences",
     .place = ED_IN_HELP,
     .separated = true,
     .run = ed_about_open},
    {0},
};

static void run(struct ed_app *app, const struct ed_command *command)
{
    if (command->enabled && !command->enabled(app))
        return;
    command->run(app);
    ed_app_wake(app);
}

/* ---- Keys */

enum { CTRL = 1, SHIFT = 2, ALT = 4 };

static unsigned modifiers_of(unsigned sdl)
{
    return (sdl & KMOD_CTRL ? CTRL : 0u) | (sdl & KMOD_SHIFT ? SHIFT : 0u) | (sdl & KMOD_ALT ? ALT : 0u);
}

/* Cuts one key off a list: "Ctrl+Shift+Z|Ctrl+Y". False: there is none. */
static bool next_key(const char **keys, unsigned *modifiers, char *name, size_t size)
{
    static const struct {
        const char *name;
        unsigned modifier;
    } names[] = {{"Ctrl+", CTRL}, {"Shift+", SHIFT}, {"Alt+", ALT}};
    if (!*keys || !**keys)
        return false;
    *modifiers = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(*keys, names[i].name, strlen(names[i].name)) == 0) {
            *modifiers |= names[i].modifier;
            *keys += strlen(names[i].name);
        }
    size_t length = strcspn(*keys, "|");
    snprintf(name, size, "%.*s", (int)length, *keys);
    *keys += length + ((*keys)[length] == '|');
    return true;
}

static bool has_key(const struct ed_command *command, int scancode, unsigned modifiers)
{
    const char *keys = command->keys;
    unsigned wanted;
    char name[32];
    while (next_key(&keys, &wanted, name, sizeof name)) {
        SDL_Keycode key = SDL_GetKeyFromName(strcmp(name, "Enter") == 0 ? "Return" : name);
        if (wanted == modifiers && key != SDLK_UNKNOWN &&
            (SDL_GetScancodeFromKey(key) == (SDL_Scancode)scancode ||
             SDL_GetKeyFromScancode((SDL_Scancode)scancode) == key))
            return true;
    }
    return false;
}

bool ed_command_key(struct ed_app *app, int scancode, unsigned sdl_modifiers)
{
    unsigned modifiers = modifiers_of(sdl_modifiers);
    for (const struct ed_command *command = ed_commands; command->id; command++)
        if ((command->anywhere || ed_canvas_hovered(app)) && has_key(command, scancode, modifiers)) {
            run(app, command);
            return true;
        }
    return false;
}

bool ed_command_run(struct ed_app *app, const char *id)
{
    for (const struct ed_command *command = ed_commands; command->id; command++)
        if (strcmp(command->id, id) == 0) {
            run(app, command);
            return true;
        }
    return false;
}

/* ---- Menus */

const char *ed_command_place_name(enum ed_command_place place)
{
    static const char *const names[ED_PLACES] = {"File", "Edit", "Node", "View", "Help", "Canvas"};
    return names[place];
}

/* "Undo cut link": steps are named as sentences begin, or not. */
static const char *step_label(const char *verb, const char *step, char *out, size_t size)
{
    snprintf(out, size, "%s %s", verb, step);
    size_t first = strlen(verb) + 1;
    if (first < size)
        out[first] = (char)tolower((unsigned char)out[first]);
    return out;
}

static void menu_item(struct ed_app *app, const struct ed_command *command)
{
    char keys[64] = "", label[160];
    const char *name = command->label;
    if (command->keys)
        snprintf(keys, sizeof keys, "%.*s", (int)strcspn(command->keys, "|"), command->keys);
    const char *undone = ed_project_undo_name(app->project), *redone = ed_project_redo_name(app->project);
    if (strcmp(command->id, "undo") == 0 && undone)
        name = step_label("Undo", undone, label, sizeof label);
    if (strcmp(command->id, "redo") == 0 && redone)
        name = step_label("Redo", redone, label, sizeof label);
    if (command->separated)
        ui_separator();
    ui_name("menu:%s", command->id);
    if (ui_menu_item(name, keys, command->checked && command->checked(app),
                     !command->enabled || command->enabled(app)))
        run(app, command);
    ui_tooltip("%s", command->doc);
}

void ed_command_menus(struct ed_app *app)
{
    for (int place = 0; place < ED_IN_NO_MENU; place++) {
        if (!ui_menu_begin(ed_command_place_name((enum ed_command_place)place), true))
            continue;
        for (const struct ed_command *command = ed_commands; command->id; command++)
            if ((int)command->place == place)
                menu_item(app, command);
        ui_menu_end();
    }
}
