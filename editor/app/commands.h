/*
 * Commands: what the user can do from menus and with keys, in one table (commands.c). The menus, the key
 * handling, the search of commands and the keyboard reference are made from it.
 */
#ifndef ED_APP_COMMANDS_H
#define ED_APP_COMMANDS_H

#include "editor/app/app.h"

enum ed_command_place {
    ED_IN_FILE,
    ED_IN_EDIT,
    ED_IN_NODE,
    ED_IN_VIEW,
    ED_IN_HELP,
    ED_IN_NO_MENU, /* keys alone */
    ED_PLACES,
};

struct ed_command {
    const char *id, *label;
    const char *keys; /* "Ctrl+Shift+Z", "Tab", "Space"; several with '|' between; NULL */
    const char *doc;  /* a sentence, for the reference and tooltips */
    enum ed_command_place place;
    bool anywhere;  /* its key also works while the pointer is not over the canvas */
    bool separated; /* a line above it in the menu */
    void (*run)(struct ed_app *app);
    bool (*enabled)(const struct ed_app *app); /* NULL: always */
    bool (*checked)(const struct ed_app *app); /* NULL: it is no switch */
};
extern const struct ed_command ed_commands[]; /* ends with a zeroed one */

/* A key was pressed: runs the command that has it, if any. */
bool ed_command_key(struct ed_app *app, int scancode, unsigned modifiers);
bool ed_command_run(struct ed_app *app, const char *id);
const char *ed_command_place_name(enum ed_command_place place);
void ed_command_menus(struct ed_app *app); /* within the menu bar */

#endif
