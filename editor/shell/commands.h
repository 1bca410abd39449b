/* The table of commands, their keys and menus. Threads: the window's. */
#ifndef ED_SHELL_COMMANDS_H
#define ED_SHELL_COMMANDS_H

#include "editor/session/commands.h"

extern const struct ed_command ed_commands[]; /* ends with a zeroed one */

/* Runs the command that has the pressed key, if any. */
void ed_command_key(struct ed_session *session, int scancode, unsigned modifiers);
void ed_command_menus(struct ed_session *session); /* within the menu bar */

#endif
