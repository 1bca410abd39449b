/*
 * Keys of commands: those of the table of commands (shell/commands.c), unless the user has chosen others,
 * which the settings keep. All that shows or obeys keys of commands goes by these functions.
 *
 * A text of keys is "Ctrl+Shift+Z|Ctrl+Y": any of these, with modifiers in this order. Names of keys are
 * those of the keyboard's layout. Threads: the window's.
 */
#ifndef ED_SESSION_BINDINGS_H
#define ED_SESSION_BINDINGS_H

#include "editor/session/commands.h"

enum { ED_CTRL = 1, ED_SHIFT = 2, ED_ALT = 4 };
/* A key with the modifiers that are held. */
struct ed_chord {
    int scancode; /* SDL_SCANCODE_... */
    unsigned modifiers;
};
struct ed_chord ed_chord_of(int scancode, unsigned sdl_modifiers);
enum { ED_CHORD_TEXT = 48 };
/* "Ctrl+S". False: it is a modifier alone, or has no name. */
bool ed_chord_text(struct ed_chord key, char text[ED_CHORD_TEXT]);
/* Whether a field for text has a use for the key: else commands get it, though something is typed. */
bool ed_chord_is_for_fields(struct ed_chord key);

/* NULL: the command has none. */
const char *ed_command_keys(const struct ed_session *session, const struct ed_command *command);
/* The first of them, "" where there is none, for texts that name a key; valid until the keys change. */
const char *ed_command_key_text(const struct ed_session *session, const char *id);
/* "Pause (Ctrl+P)", or the text alone; valid until the next call. */
const char *ed_text_with_key(const struct ed_session *session, const char *text, const char *id);
bool ed_command_has_key(const struct ed_session *session, const struct ed_command *command,
                        struct ed_chord key);
/* The command that a key is of, wherever the pointer is; NULL: none. */
const struct ed_command *ed_command_of_key(const struct ed_session *session, struct ed_chord key);

/* Gives a command a key in place of those that it has: "" none, NULL those of the table. Takes the key away
 * from the command that has it. False: memory is out. */
bool ed_bind(struct ed_session *session, const struct ed_command *command, const char *keys);
bool ed_is_bound(const struct ed_session *session, const struct ed_command *command); /* by the user */
void ed_bind_none(struct ed_session *session); /* all commands have the table's keys */
/* Drops what the settings say of unknown commands, keys that do not exist, and keys of two commands; a
 * message tells of each. */
void ed_bindings_check(struct ed_session *session);

#endif
