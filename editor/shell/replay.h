/*
 * Plays events from a file as if a user had made them, for measuring without a window system. Each line is
 *
 *     SECONDS move X Y | at NAME FX FY | down BUTTON | up BUTTON | wheel STEPS
 *             | key NAME | text TEXT | wait | quit
 *
 * with the time since the line before; `wait` waits until nothing is evaluated; `at` moves to a part of
 * something that the description names (editor/ui/describe.h). Buttons: 1 left, 2 middle, 3 right. Names of
 * keys are SDL's, with Ctrl+, Shift+ and Alt+ before.
 */
#ifndef ED_SHELL_REPLAY_H
#define ED_SHELL_REPLAY_H

#include "editor/session/session.h"

struct ed_replay;
struct ed_replay *ed_replay_open(const char *path, struct oro_error *err);
void ed_replay_close(struct ed_replay *replay); /* NULL is allowed */
/* Hands over the events that are due. `idle`: nothing is evaluated. True: there are more. */
bool ed_replay_tick(struct ed_replay *replay, struct SDL_Window *window, double now, bool idle);

#endif
