/* The table of commands, their keys and menus. Threads: the window's. */
#ifndef ED_SHELL_COMMANDS_H
#define ED_SHELL_COMMANDS_H

#include "editor/session/bindings.h"

extern const struct ed_command ed_commands[]; /* ends with a zeroed one */

/* Runs the command that has the pressed key. False: none has, or not where the pointer is. */
bool ed_command_key(struct ed_session *session, struct ed_chord key);
/* Whether a key is of a command also while a field has the keyboard. */
bool ed_command_key_while_typing(const struct ed_session *session, struct ed_chord key);
void ed_command_menus(struct ed_session *session); /* within the menu bar */

#endif
