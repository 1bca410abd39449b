/* The reference of keys and mouse, made from the table of commands and one of gestures. */
#include <string.h>

#include "editor/panels/panels_private.h"

static const struct {
    const char *part, *gesture, *doc;
} gestures[] = {
    {"Canvas", "Middle drag", "moves the graph; so does a drag with Space held"},
    {NULL, "Wheel", "zooms to the pointer"},
    {NULL, "Drag", "on empty space chooses by a box; with Shift adds to what is chosen"},
    {NULL, "Drag a socket",
     "links it; only what fits lights up. Dropped on empty space: the search for what fits"},
    {NULL, "Ctrl + right drag", "cuts links"},
    {NULL, "Right click", "adds a node; on a node, its menu"},
    {NULL, "Double click", "shows a node in the view; enters a group; on a title, renames"},
    {NULL, "Shift + right drag", "puts reroutes on links"},
    {"View from above", "Drag", "moves the map"},
    {NULL, "Wheel", "zooms to the pointer"},
    {"View in depth", "Drag", "turns around what is in the middle"},
    {NULL, "Shift + drag", "moves sideways; so does the middle button"},
    {NULL, "Right drag", "looks around; with W A S D Q E flies"},
    {NULL, "Wheel", "goes nearer or farther"},
    {"Tools of the views", "Alt + drag", "moves the camera all the same; so does the middle button"},
    {"Lines", "Drag",
     "draws; from the end of a line goes on with it; with Shift smooths, with Ctrl erases; Escape takes the "
     "stroke back"},
    {NULL, "[ ]", "narrower, wider"},
    {"Regions", "Drag", "selects; on what is selected moves it, with Ctrl copies it"},
    {NULL, "Ctrl+C, Ctrl+X, Ctrl+V, Del", "copies, cuts, pastes at the pointer, erases"},
    {"Copies", "[ ]  , .  M", "smaller, larger; turned; mirrored: the copy that was touched last"},
    {"Points of constraints", "Shift + drag", "raises or lowers"},
    {"Brush", "Drag",
     "paints; with Shift smooths, with Ctrl does the opposite; Escape takes the stroke back"},
    {NULL, "[ ]", "smaller, larger; with Shift weaker, stronger"},
    {"Inspector", "Drag a slider", "changes a number; a click types it"},
    {NULL, "Shift, Ctrl + drag", "finer, coarser steps; in a profile Ctrl keeps to the grid"},
    {NULL, "Tab", "in a number that is typed: on to the next one"},
    {NULL, "Alt", "held while something is changed: all chosen nodes of the type get it"},
    {NULL, "Esc", "while something is dragged: takes the drag back"},
    {NULL, "Click a curve", "adds a point or a stop; a drag moves it, a right click or Del removes it"},
    {NULL, "Right click", "on an input: reset, expression, expose"},
    {"Palette", "Drag", "a type to the canvas adds it there; a double click adds it, too"},
};

void ed_keys_open(struct ed_session *session)
{
    session->panels->keys = true;
    ed_wake(session);
}

static void heading(const char *text)
{
    ui_spacing();
    ui_font_push(UI_BOLD);
    ui_text_coloured(ui_colour(UI_ACCENT), "%s", text);
    ui_font_pop();
}

static void draw_place(const struct ed_session *session, enum ed_command_place place)
{
    bool headed = false;
    for (const struct ed_command *command = session->commands; command->id; command++) {
        if (command->place != place || !ed_command_keys(session, command))
            continue;
        if (!headed) {
            heading(ed_command_place_name(place) ? ed_command_place_name(place) : "Others");
            ui_table_begin(command->id, 2, UI_TABLE_ROWS);
            ui_table_column("what", 0);
            ui_table_column("keys", 210 * ui_scale());
        }
        headed = true;
        ui_table_row();
        ui_table_next();
        ui_text("%s", command->label);
        if (command->doc)
            ui_tooltip("%s", command->doc);
        ui_table_next();
        ed_keycap(ed_command_keys(session, command));
    }
    if (headed)
        ui_table_end();
}

static void draw_gestures(void)
{
    bool open = false;
    for (size_t i = 0; i < sizeof gestures / sizeof gestures[0]; i++) {
        if (gestures[i].part) {
            if (open)
                ui_table_end();
            heading(gestures[i].part);
            open = ui_table_begin(gestures[i].part, 2, UI_TABLE_ROWS);
            ui_table_column("gesture", 150 * ui_scale());
            ui_table_column("what", 0);
        }
        if (!open)
            continue;
        ui_table_row();
        ui_table_next();
        ui_text("%s", gestures[i].gesture);
        ui_table_next();
        ui_text_wrapped(gestures[i].doc);
    }
    if (open)
        ui_table_end();
}

void ed_keys_draw(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    if (!panels->keys)
        return;
    if (ui_window_begin("Keyboard and mouse", &panels->keys, 980 * ui_scale(), 640 * ui_scale(), 0)) {
        float half = ui_content().w * 0.5f - 8 * ui_scale();
        if (ui_child_begin("keys", half, 0, 0))
            for (int place = 0; place < ED_PLACES; place++)
                draw_place(session, (enum ed_command_place)place);
        ui_child_end();
        ui_same_line(16 * ui_scale());
        if (ui_child_begin("mouse", 0, 0, 0))
            draw_gestures();
        ui_child_end();
    }
    ui_window_end();
}
