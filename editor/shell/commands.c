#include "editor/shell/commands.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_keyboard.h>

#include "base/file.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/script.h"
#include "editor/panels/panels.h"
#include "editor/session/panes.h"
#include "editor/shell/documents.h"
#include "editor/shell/panes.h"
#include "editor/view/views.h"
#include "graph/derived/assets.h"

/* ---- Commands that take more than one call */

static void undo(struct ed_session *session)
{
    struct oro_error err;
    if (ed_project_undo_name(session->project) && !ed_project_undo(session->project, &err))
        ed_failed(session, &err);
}

static void redo(struct ed_session *session)
{
    struct oro_error err;
    if (ed_project_redo_name(session->project) && !ed_project_redo(session->project, &err))
        ed_failed(session, &err);
}

static void open_file(struct ed_session *session)
{
    ed_document_open(session, NULL, false);
}

static void first(struct ed_session *session)
{
    const char *path = ed_start_example(session, "first-terrain");
    if (path)
        ed_document_begin_with(session, path);
    else
        ed_message(&session->messages, ED_WARNING, NULL, "The example first-terrain.oro is not installed");
}

static void quit(struct ed_session *session)
{
    session->quit = true;
}

static void start(struct ed_session *session)
{
    ed_start_show(session, true);
}

static void add(struct ed_session *session)
{
    double x, y;
    ed_canvas_place(session, &x, &y);
    ed_add_open(session, ui_mouse(), x, y, NULL, NULL);
}

static void enter_or_add(struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (node && oro_node_is_graph(node))
        ed_canvas_enter(session);
    else
        add(session);
}

static void open_or_look(struct ed_session *session)
{
    if (ed_canvas_has_graph(session))
        ed_canvas_enter(session);
    else
        ed_command_run(session, "look");
}

static void frame_all(struct ed_session *session)
{
    if (ed_views_hovered(session))
        ed_views_frame(session);
    else
        ed_canvas_frame_all(session);
}

static void frame_selected(struct ed_session *session)
{
    if (ed_views_hovered(session))
        ed_views_frame(session);
    else
        ed_canvas_frame_selected(session);
}

static void align_left(struct ed_session *session)
{
    ed_canvas_align(session, ED_ALIGN_LEFT);
}

static void align_top(struct ed_session *session)
{
    ed_canvas_align(session, ED_ALIGN_TOP);
}

static void spread_x(struct ed_session *session)
{
    ed_canvas_align(session, ED_SPREAD_X);
}

static void spread_y(struct ed_session *session)
{
    ed_canvas_align(session, ED_SPREAD_Y);
}

static void look(struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (node)
        ed_look_at(session, node->id, NULL);
}

static void cancel(struct ed_session *session)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    if (ui_any_popup() || ed_panels_open(session) || ed_start_leave(session) ||
        (!status.busy && ed_views_end_tool(session)))
        return;
    ed_live_cancel(session->live);
}

static void resume(struct ed_session *session)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    if (session->paused)
        session->paused = false;
    else if (status.stopped)
        ed_live_resume(session->live);
    else
        session->full = 1 + ed_project_revision(session->project);
}

static void node_help(struct ed_session *session)
{
    ed_help_open(session, NULL);
}

static void toggle_palette(struct ed_session *session)
{
    ed_part_toggle(session, ED_PART_PALETTE);
}

static void toggle_inspector(struct ed_session *session)
{
    ed_part_toggle(session, ED_PART_INSPECTOR);
}

static void toggle_log(struct ed_session *session)
{
    ed_part_toggle(session, ED_PART_LOG);
}

static void search_graph(struct ed_session *session)
{
    ed_part_show(session, ED_PART_GRAPH);
    ed_canvas_search(session);
}

static void toggle_theme(struct ed_session *session)
{
    session->settings.theme = session->settings.theme == ED_THEME_DARK ? ED_THEME_LIGHT : ED_THEME_DARK;
    session->restyle = true;
}

static void walk_left(struct ed_session *session)
{
    ed_canvas_walk(session, ED_WALK_LEFT, ui_shift());
}

static void walk_right(struct ed_session *session)
{
    ed_canvas_walk(session, ED_WALK_RIGHT, ui_shift());
}

static void walk_up(struct ed_session *session)
{
    ed_canvas_walk(session, ED_WALK_UP, ui_shift());
}

static void walk_down(struct ed_session *session)
{
    ed_canvas_walk(session, ED_WALK_DOWN, ui_shift());
}

/* ---- When they are enabled */

static bool can_undo(const struct ed_session *session)
{
    return ed_project_undo_name(session->project);
}

static bool can_redo(const struct ed_session *session)
{
    return ed_project_redo_name(session->project);
}

static bool has_selection(const struct ed_session *session)
{
    return session->selection.count > 0;
}

static bool within(const struct ed_session *session)
{
    return ed_project_depth(session->project) > 0;
}

static bool has_palette(const struct ed_session *session)
{
    return ed_part_shown(session, ED_PART_PALETTE);
}

static bool has_inspector(const struct ed_session *session)
{
    return ed_part_shown(session, ED_PART_INSPECTOR);
}

static bool has_log(const struct ed_session *session)
{
    return ed_part_shown(session, ED_PART_LOG);
}

static bool can_resume(const struct ed_session *session)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    return session->paused || status.stopped || status.coarse;
}

static bool is_light(const struct ed_session *session)
{
    return session->settings.theme == ED_THEME_LIGHT;
}

/* ---- The table, with the keys that commands have unless the user chooses others (session/bindings.h). */

#define TOGGLE(field) offsetof(struct ed_session, field)

const struct ed_command ed_commands[] = {
    {"new", "New", "Ctrl+N", "Begins an empty document", ED_IN_FILE, ED_ANYWHERE, .words = "create, empty",
     .run = ed_document_new},
    {"first", "First mountains", NULL,
     "Begins with a range by the sea, raised, carved and amplified, seen in depth", ED_IN_FILE, 0,
     .run = first},
    {"open", "Open…", "Ctrl+O", "Opens a document", ED_IN_FILE, ED_ANYWHERE, .words = "load",
     .run = open_file},
    {"start", "Start screen", NULL, "Recent documents, examples and library graphs", ED_IN_FILE, 0,
     .run = start},
    {"save", "Save", "Ctrl+S", "Saves the document", ED_IN_FILE, ED_ANYWHERE | ED_SEPARATED,
     .run = ed_document_save},
    {"save-as", "Save as…", "Ctrl+Shift+S", "Saves the document under another name", ED_IN_FILE, ED_ANYWHERE,
     .run = ed_document_save_as},
    {"keep-document", "Save to my library…", NULL, "Keeps the document's graph for other documents",
     ED_IN_FILE, 0, .run = ed_keep_document},
    {"build", "Build…", "Ctrl+B|F5", "Evaluates in full and writes files", ED_IN_FILE,
     ED_ANYWHERE | ED_SEPARATED, .words = "render, export, bake, output, write files", .run = ed_build_open},
    {"screenshot", "Picture of the view…", "F12", "Writes what the view shows", ED_IN_FILE, ED_ANYWHERE,
     .words = "screenshot, image, capture", .run = ed_views_screenshot},
    {"film", "Film around the view…", "Shift+F12", "Writes pictures of the view in depth, turned once around",
     ED_IN_FILE, ED_ANYWHERE, .run = ed_views_film, .enabled = ed_views_can_film},
    {"stop-picture", "Stop the picture", NULL, "Ends the picture or film that is being made", ED_IN_FILE, 0,
     .run = ed_views_stop_picture, .enabled = ed_views_makes_picture},
    {"settings", "Settings…", "Ctrl+,", "Scale, theme, device, resolutions", ED_IN_FILE,
     ED_ANYWHERE | ED_SEPARATED, .words = "preferences, options", .run = ed_settings_open},
    {"quit", "Quit", "Ctrl+Q", "Leaves the program", ED_IN_FILE, ED_ANYWHERE | ED_SEPARATED, .run = quit},

    {"undo", "Undo", "Ctrl+Z", "Takes back the last step", ED_IN_EDIT, ED_ANYWHERE, .run = undo,
     .enabled = can_undo},
    {"redo", "Redo", "Ctrl+Shift+Z|Ctrl+Y", "Does again what was taken back", ED_IN_EDIT, ED_ANYWHERE,
     .run = redo, .enabled = can_redo},
    {"history", "History…", "Ctrl+H", "Steps and versions of the document, and what differs between them",
     ED_IN_EDIT, ED_ANYWHERE, .run = ed_panel_history_open},
    {"keep-version", "Keep a version…", "Ctrl+Alt+S", "Keeps the document as it is under a name", ED_IN_EDIT,
     ED_ANYWHERE, .run = ed_panel_history_keep_version},
    {"cut", "Cut", "Ctrl+X", "Moves nodes to the clipboard", ED_IN_EDIT, ED_SEPARATED, .run = ed_canvas_cut,
     .enabled = has_selection},
    {"copy", "Copy", "Ctrl+C", "Copies nodes to the clipboard, as XML", ED_IN_EDIT, 0, .run = ed_canvas_copy,
     .enabled = has_selection},
    {"paste", "Paste", "Ctrl+V", "Adds the nodes of the clipboard", ED_IN_EDIT, 0, .run = ed_canvas_paste},
    {"duplicate", "Duplicate", "Shift+D|Ctrl+D", "Copies nodes with their links", ED_IN_EDIT, 0,
     .words = "clone, copy", .run = ed_canvas_duplicate, .enabled = has_selection},
    {"delete", "Delete", "Delete|X|Backspace", "Removes nodes and their links", ED_IN_EDIT, 0,
     .run = ed_canvas_delete, .enabled = ed_canvas_has_chosen},
    {"dissolve", "Delete and reconnect", "Ctrl+Delete", "Removes nodes and links what is left", ED_IN_EDIT, 0,
     .words = "dissolve, heal, extract", .run = ed_canvas_dissolve, .enabled = has_selection},
    {"select-all", "Select all", "Ctrl+A", "Chooses all nodes", ED_IN_EDIT, ED_SEPARATED,
     .run = ed_select_all},
    {"search", "Search in the graph…", "Ctrl+F", "Finds nodes by name, type or value", ED_IN_EDIT,
     ED_ANYWHERE, .run = search_graph},
    {"commands", "Search commands…", "F3|Ctrl+Shift+P", "Finds commands by name", ED_IN_EDIT, ED_ANYWHERE,
     .run = ed_commands_open},

    {"add", "Add node…", "Shift+A|Space", "Searches for a node to add", ED_IN_NODE, 0, .run = add},
    {"new-script", "New script…", NULL, "A node with a Lua script, from a template", ED_IN_NODE, 0,
     .run = ed_new_script_open},
    {"open-script", "Open the script outside", NULL,
     "Opens the chosen node's script file in the program that $VISUAL names, or else the desktop's",
     ED_IN_NODE, 0, .run = ed_script_open_outside, .enabled = has_selection},
    {"reload-scripts", "Reload scripts", NULL, "Reads scripts that have changed on disk at once", ED_IN_NODE,
     0, .run = ed_document_reload_scripts},
    {"trust-scripts", "Trust this project's scripts…", NULL,
     "Lists the scripts that the document uses; those that are trusted run within the program", ED_IN_NODE, 0,
     .run = ed_trust_open},
    {"add-or-enter", "Add node, or open the chosen graph", "Tab",
     "Opens a chosen graph; else searches for a node to add", ED_IN_NO_MENU, 0, .run = enter_or_add},
    {"walk-left", "To the node before", "Left|Shift+Left",
     "Chooses what is linked to the chosen node's first input; with Shift, as well", ED_IN_NO_MENU, 0,
     .run = walk_left},
    {"walk-right", "To the node after", "Right|Shift+Right",
     "Chooses what the chosen node is linked to; with Shift, as well", ED_IN_NO_MENU, 0, .run = walk_right},
    {"walk-up", "To the node above", "Up|Shift+Up", "Chooses the node above; with Shift, as well",
     ED_IN_NO_MENU, 0, .run = walk_up},
    {"walk-down", "To the node below", "Down|Shift+Down", "Chooses the node below; with Shift, as well",
     ED_IN_NO_MENU, 0, .run = walk_down},
    {"next-problem", "Next problem", "F8", "Goes to the next node that has failed, and says why", ED_IN_NODE,
     ED_ANYWHERE, .run = ed_canvas_next_problem},
    {"open-or-look", "Open the chosen graph, or show the node", "Enter",
     "Opens a chosen graph; else lets the view show the node", ED_IN_NO_MENU, 0, .run = open_or_look,
     .enabled = has_selection},
    {"look", "Show in the view", "V", "Lets the view show the chosen node", ED_IN_NODE, 0,
     .words = "preview, display, solo", .run = look, .enabled = has_selection},
    {"rename", "Rename", "F2", "Gives the node, group or frame another name", ED_IN_NODE, 0,
     .run = ed_canvas_rename, .enabled = ed_canvas_has_chosen},
    {"mute", "Mute", "M", "Passes the node by", ED_IN_NODE, ED_SEPARATED,
     .words = "bypass, disable, skip, turn off", .run = ed_canvas_mute, .enabled = has_selection},
    {"collapse", "Collapse", "H", "Draws the node small", ED_IN_NODE, 0, .words = "minimize, fold",
     .run = ed_canvas_collapse, .enabled = has_selection},
    {"group", "Group", "Ctrl+G", "Makes a graph of the chosen nodes", ED_IN_NODE, ED_SEPARATED,
     .words = "subgraph, macro, compound, collect", .run = ed_canvas_group, .enabled = has_selection},
    {"ungroup", "Ungroup", "Ctrl+Shift+G", "Replaces a group by its nodes", ED_IN_NODE, 0,
     .words = "explode, expand, take apart", .run = ed_canvas_ungroup, .enabled = has_selection},
    {"open-graph", "Open the graph", NULL, "Shows the nodes of the chosen graph, also of a file, in place",
     ED_IN_NODE, 0, .run = ed_canvas_enter, .enabled = ed_canvas_has_graph, .words = "enter edit asset"},
    {"embed-graph", "Embed in the document", NULL, "Makes the chosen graph's file a group of the document",
     ED_IN_NODE, 0, .run = ed_canvas_embed, .enabled = ed_canvas_has_file, .words = "asset local"},
    {"make-graph-unique", "Make unique", NULL, "Gives the chosen node a copy of its graph, for itself alone",
     ED_IN_NODE, 0, .run = ed_canvas_make_unique, .enabled = ed_canvas_has_graph, .words = "asset copy"},
    {"locate-graph", "Locate…", NULL, "Says where the chosen graph's file is, for all nodes that use it",
     ED_IN_NODE, 0, .run = ed_canvas_locate, .enabled = ed_canvas_has_file,
     .words = "asset missing relink find"},
    {"update-graph", "Update from the disk", NULL, "Reads the chosen graph's file again", ED_IN_NODE, 0,
     .run = ed_canvas_update_graph, .enabled = ed_canvas_has_file, .words = "asset reload refresh"},
    {"leave", "Leave the graph", "Shift+Tab|U", "Goes up to what uses the graph", ED_IN_NODE, 0,
     .run = ed_canvas_leave, .enabled = within},
    {"keep", "Save to my library…", "Ctrl+K", "Keeps the chosen nodes, graph or script for other documents",
     ED_IN_NODE, ED_SEPARATED, .run = ed_keep_chosen, .enabled = has_selection},
    {"keep-preset", "Save settings to my library…", NULL, "Keeps the chosen node's settings as a preset",
     ED_IN_NODE, 0, .run = ed_keep_preset, .enabled = has_selection},
    {"frame-nodes", "Frame around nodes", "Shift+F|Ctrl+J", "Puts a frame with a title around nodes",
     ED_IN_NODE, 0, .run = ed_canvas_add_frame, .enabled = has_selection},
    {"tidy", "Tidy layout", "L", "Arranges the chosen nodes, or all", ED_IN_NODE, ED_SEPARATED,
     .words = "arrange, lay out, align, clean up, organize", .run = ed_canvas_tidy},
    {"align-left", "Align left edges", NULL, "In one column", ED_IN_NODE, 0, .run = align_left,
     .enabled = has_selection},
    {"align-top", "Align upper edges", NULL, "In one row", ED_IN_NODE, 0, .run = align_top,
     .enabled = has_selection},
    {"spread-x", "Spread evenly across", NULL, "Equal gaps from left to right", ED_IN_NODE, 0,
     .run = spread_x, .enabled = has_selection},
    {"spread-y", "Spread evenly down", NULL, "Equal gaps from top to bottom", ED_IN_NODE, 0, .run = spread_y,
     .enabled = has_selection},

    {"frame-selected", "Frame selected", "F", "Shows the chosen nodes; over a view, all of the terrain",
     ED_IN_VIEW, ED_ANYWHERE, .run = frame_selected},
    {"frame-all", "Frame all", "Home|A", "Shows all nodes; over a view, all of the terrain", ED_IN_VIEW,
     ED_ANYWHERE, .run = frame_all},
    {"scene", "View in depth", "3", "Shows terrain from above, or in depth", ED_IN_VIEW,
     ED_ANYWHERE | ED_SEPARATED, .run = ed_views_toggle_scene, .checked = ed_views_is_scene},
    {"next-lighting", "Next lighting", "Shift+L",
     "Afternoon, morning, noon, golden hour \xe2\x80\xa6 in depth", ED_IN_VIEW, ED_ANYWHERE,
     .run = ed_views_next_lighting},
    {"split", "Two views", "Ctrl+Shift+D", "Splits the view into two", ED_IN_VIEW, ED_ANYWHERE,
     .run = ed_panes_split_views, .checked = ed_panes_views_are_split},
    {"pin", "Pin the view", "P", "The view goes on showing its node", ED_IN_VIEW, ED_ANYWHERE,
     .run = ed_views_pin, .checked = ed_views_is_pinned},
    {"wipe", "Compare with a wipe", "W", "Two nodes in one view, parted by a line", ED_IN_VIEW, ED_ANYWHERE,
     .run = ed_views_wipe, .checked = ed_views_is_wiped},
    {"sketch", "Draw lines", "D", "Draws ranges, valleys, rivers, ridges, folds and peaks in the view",
     ED_IN_VIEW, ED_ANYWHERE, .run = ed_views_sketch, .checked = ed_views_is_sketching},
    {"region", "Copy regions", "R", "Copies, moves and erases parts of mountains in the view", ED_IN_VIEW,
     ED_ANYWHERE, .run = ed_views_region, .checked = ed_views_is_copying},
    {"pause", "Pause evaluation", "Ctrl+P", "Nothing is evaluated until it goes on", ED_IN_VIEW,
     ED_ANYWHERE | ED_SEPARATED, .toggles = TOGGLE(paused)},
    {"resume", "Resume evaluation", "Ctrl+R",
     "Goes on with what was stopped or paused; evaluates in full what the limit of the settings made coarse",
     ED_IN_VIEW, ED_ANYWHERE, .run = resume, .enabled = can_resume},
    {"cancel", "Cancel evaluation", "Escape",
     "Closes a window; else ends what is being evaluated, then the tool of the view", ED_IN_VIEW, ED_ANYWHERE,
     .run = cancel},
    {"palette", "Palette", "T", "The list of node types", ED_IN_VIEW, ED_SEPARATED, .run = toggle_palette,
     .checked = has_palette},
    {"inspector", "Inspector", "N", "Inputs of the chosen node", ED_IN_VIEW, 0, .run = toggle_inspector,
     .checked = has_inspector},
    {"log", "Log", "Ctrl+L", "Problems and messages", ED_IN_VIEW, ED_ANYWHERE, .run = toggle_log,
     .checked = has_log},
    {"minimap", "Minimap", NULL, "All of the graph, small", ED_IN_VIEW, 0,
     .toggles = TOGGLE(settings.show_minimap)},
    {"snap", "Snap nodes to the grid", NULL, "While they are dragged; Ctrl does the opposite", ED_IN_VIEW, 0,
     .toggles = TOGGLE(settings.snap)},
    {"theme", "Light theme", NULL, "Light or dark", ED_IN_VIEW, 0, .run = toggle_theme, .checked = is_light},

    {"maximise", "Maximise the pane", "Ctrl+Space", "All of the window for one pane, and back", ED_IN_LAYOUT,
     ED_ANYWHERE | ED_SEPARATED, .run = ed_panes_maximise, .enabled = ed_panes_several,
     .checked = ed_panes_maximised},
    {"split-across", "Split the pane to the right", NULL, "A second pane beside this one", ED_IN_LAYOUT,
     ED_ANYWHERE, .run = ed_panes_split_across, .enabled = ed_panes_any},
    {"split-down", "Split the pane downwards", NULL, "A second pane below this one", ED_IN_LAYOUT,
     ED_ANYWHERE, .run = ed_panes_split_down, .enabled = ed_panes_any},
    {"swap-panes", "Swap with the next pane", NULL, "This pane and the next change places", ED_IN_LAYOUT,
     ED_ANYWHERE, .run = ed_panes_swap, .enabled = ed_panes_several},
    {"close-pane", "Close the pane", NULL, "Its neighbour takes the place", ED_IN_LAYOUT, ED_ANYWHERE,
     .run = ed_panes_close, .enabled = ed_panes_several},
    {"pane-menu", "Menu of the pane", "F4", "What it shows; split, swap and close it", ED_IN_LAYOUT,
     ED_ANYWHERE, .run = ed_pane_menu_open, .enabled = ed_panes_any},
    {"next-pane", "Keyboard to the next pane", "F6", "Until the pointer is moved, keys are for that pane",
     ED_IN_LAYOUT, ED_ANYWHERE | ED_SEPARATED, .run = ed_panes_next, .enabled = ed_panes_any},
    {"previous-pane", "Keyboard to the previous pane", "Shift+F6",
     "Until the pointer is moved, keys are for that pane", ED_IN_LAYOUT, ED_ANYWHERE,
     .run = ed_panes_previous, .enabled = ed_panes_any},
    {"save-layout", "Save the layout", NULL, "Keeps how the window is divided under the layout's name",
     ED_IN_LAYOUT, ED_ANYWHERE | ED_SEPARATED, .run = ed_layout_save_present, .enabled = ed_layout_changed},
    {"reset-layout", "Reset the layout", NULL, "Divides the window as the layout was saved", ED_IN_LAYOUT,
     ED_ANYWHERE, .run = ed_layout_reset, .enabled = ed_layout_changed},
    {"layouts", "Layouts…", NULL, "Saves this one under a name; renames and removes layouts", ED_IN_LAYOUT,
     ED_ANYWHERE, .run = ed_layouts_open},

    {"help", "Help on the node", "F1", "What the chosen node does", ED_IN_HELP, ED_ANYWHERE,
     .run = node_help},
    {"keys", "Keys and mouse", "Shift+F1|F10", "All keys", ED_IN_HELP, ED_ANYWHERE, .run = ed_keys_open},
    {"tour", "Tour", NULL, "A first terrain, step by step", ED_IN_HELP, 0, .run = ed_tour_start},
    {"about", "About Orograph", NULL, "Version and licences", ED_IN_HELP, ED_SEPARATED, .run = ed_about_open},
    {0},
};

/* ---- Keys */

bool ed_command_key(struct ed_session *session, struct ed_chord key)
{
    const struct ed_command *command = ed_command_of_key(session, key);
    if (!command || (!(command->flags & ED_ANYWHERE) && !ed_canvas_hovered(session)))
        return false;
    ed_command_run(session, command->id);
    return true;
}

/* Scripts are searched and commented by keys that are commands elsewhere. */
static bool is_for_script(struct ed_chord key)
{
    SDL_Keycode code = SDL_GetKeyFromScancode((SDL_Scancode)key.scancode);
    return ui_in_text_area() && key.modifiers == ED_CTRL && (code == SDLK_f || code == SDLK_SLASH);
}

bool ed_command_key_while_typing(const struct ed_session *session, struct ed_chord key)
{
    bool kept = ed_chord_is_for_fields(key) || is_for_script(key);
    const struct ed_command *command = kept ? NULL : ed_command_of_key(session, key);
    return command && command->flags & ED_ANYWHERE;
}

/* ---- Menus */

/* "Undo cut link": names of steps may begin with a capital, which is made small. */
static const char *step_label(const char *verb, const char *step, char *out, size_t size)
{
    snprintf(out, size, "%s %s", verb, step);
    size_t first = strlen(verb) + 1;
    if (first < size)
        out[first] = (char)tolower((unsigned char)out[first]);
    return out;
}

static void menu_item(struct ed_session *session, const struct ed_command *command)
{
    char label[160];
    const char *name = command->label, *keys = ed_command_key_text(session, command->id);
    const char *undone = ed_project_undo_name(session->project),
               *redone = ed_project_redo_name(session->project);
    if (strcmp(command->id, "undo") == 0 && undone)
        name = step_label("Undo", undone, label, sizeof label);
    if (strcmp(command->id, "redo") == 0 && redone)
        name = step_label("Redo", redone, label, sizeof label);
    if (command->flags & ED_SEPARATED)
        ui_separator();
    ui_name("menu:%s", command->id);
    if (ui_menu_item(name, keys, ed_command_checked(session, command), ed_command_enabled(session, command)))
        ed_command_run(session, command->id);
    ui_tooltip("%s", command->doc);
}

/* Documents that were open, the last one first. */
static void recent_menu(struct ed_session *session)
{
    struct ed_settings *settings = &session->settings;
    if (!ui_menu_begin("Recent", settings->recent[0] != NULL))
        return;
    for (int i = 0; i < ED_RECENT_MAX && settings->recent[i]; i++) {
        char label[300];
        const char *path = settings->recent[i], *slash = strrchr(path, '/');
        struct oro_stamp stamp = oro_stamp_of(path);
        bool there = stamp.inode != 0 || stamp.size != 0;
        snprintf(label, sizeof label, "%.250s##%d", slash ? slash + 1 : path, i);
        ui_name("recent:%d", i);
        bool chosen = ui_menu_item(label, NULL, false, there);
        ui_tooltip("%s%s", path, there ? "" : " (is not there)");
        if (chosen) {
            ed_document_open(session, path, false);
            break; /* the list may be another one now */
        }
    }
    ui_separator();
    ui_name("recent:clear");
    if (ui_menu_item("Clear", NULL, false, true))
        ed_settings_forget_all(settings);
    ui_menu_end();
}

static void layout_items(struct ed_session *session)
{
    struct ed_settings *settings = &session->settings;
    const struct ed_layout *layout;
    for (int i = 0; (layout = ed_layout_at(&settings->layouts, i)) != NULL; i++) {
        bool present = strcmp(layout->name, settings->layout.name) == 0;
        ui_name("layout:%s", layout->name);
        if (ui_menu_item(layout->name, NULL, present, true))
            ed_layout_use(session, layout->name);
    }
}

void ed_command_menus(struct ed_session *session)
{
    int asked = session->menu_asked, open = -1;
    session->menu_asked = 0;
    for (int place = 0; place < ED_IN_NO_MENU; place++) {
        if (!ui_bar_menu_begin(ed_command_place_name((enum ed_command_place)place), ui_alt(),
                               asked == place + 1))
            continue;
        open = place;
        if (place == ED_IN_LAYOUT)
            layout_items(session);
        for (const struct ed_command *command = ed_commands; command->id; command++) {
            if ((int)command->place == place)
                menu_item(session, command);
            if (strcmp(command->id, "open") == 0 && place == ED_IN_FILE)
                recent_menu(session);
        }
        ui_menu_end();
    }
    int step = open < 0 ? 0 : ui_bar_step();
    if (step) {
        session->menu_asked = 1 + (open + step + ED_IN_NO_MENU) % ED_IN_NO_MENU;
        ed_wake(session);
    }
}
