/*
 * Signals that end the program: SIGTERM and SIGHUP (the session ends), SIGINT (Ctrl+C in the terminal).
 * Nobody may be there to answer a question: work that is not saved is kept as a recovery copy.
 *
 * A second signal ends the program at once.
 */
#ifndef ED_SHELL_SIGNALS_H
#define ED_SHELL_SIGNALS_H

#include <stdbool.h>

/* Before a window is opened. What the program was told to ignore (nohup) stays ignored. */
void ed_signals_catch(void);
/* Whether one came. */
bool ed_signals_caught(void);

#endif
