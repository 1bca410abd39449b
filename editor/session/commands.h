/*
 * Commands: what the user can do from menus and with keys, in one table (shell/commands.c). The menus, the
 * key handling, the search of commands and the keyboard reference are made from it, and parts of the window
 * run commands by name. The keys that a command has are told by bindings.h.
 */
#ifndef ED_SESSION_COMMANDS_H
#define ED_SESSION_COMMANDS_H

#include "editor/session/session.h"

enum ed_command_place {
    ED_IN_FILE,
    ED_IN_EDIT,
    ED_IN_NODE,
    ED_IN_VIEW,
    ED_IN_LAYOUT,
    ED_IN_HELP,
    ED_IN_NO_MENU, /* keys alone */
    ED_PLACES,
};

enum {                   /* flags */
       ED_ANYWHERE = 1,  /* its key also works while the pointer is not over the canvas */
       ED_SEPARATED = 2, /* a line above it in the menu */
};

struct ed_command {
    const char *id, *label;
    const char *keys; /* unless the user has chosen others: "Ctrl+Shift+Z|Tab"; NULL */
    const char *doc;  /* a sentence, for the reference and tooltips */
    enum ed_command_place place;
    unsigned flags;
    void (*run)(struct ed_session *session);
    bool (*enabled)(const struct ed_session *session); /* NULL: always */
    bool (*checked)(const struct ed_session *session); /* NULL: it is no switch, or `toggles` tells */
    const char *words; /* what else it is called, for searches (base/search.h); NULL */
    size_t toggles;    /* instead of `run`: offset in the session of the bool that it toggles; 0: none */
};

const char *ed_command_place_name(enum ed_command_place place);
/* 1 + the menu whose name begins with a letter, upper or lower; 0: none. */
int ed_menu_of_letter(int letter);
/* NULL: no command has that name. */
const struct ed_command *ed_command_find(const struct ed_session *session, const char *id);
bool ed_command_enabled(const struct ed_session *session, const struct ed_command *command);
bool ed_command_checked(const struct ed_session *session, const struct ed_command *command);
/* Runs a command; does nothing if it is not enabled. */
void ed_command_run(struct ed_session *session, const char *id);

#endif
