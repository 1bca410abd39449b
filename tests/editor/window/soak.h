/* Shared by soak.c (the program and its checks), soak_confine.c, soak_events.c, soak_kill.c
 * and soak_strokes.c. */
#ifndef TESTS_EDITOR_WINDOW_SOAK_H
#define TESTS_EDITOR_WINDOW_SOAK_H

#include <stdint.h>

#include "tests/editor/driver_private.h"

struct soak {
    struct driver *driver;
    uint64_t random;   /* state of the generator */
    char folder[64];   /* private: home, documents, clipboard */
    int width, height; /* of the window, as it was last made */
    long events, checked;
};

/* ---- soak_confine.c: limits on what the program can do, whatever it is told */

/* From here on, this process and its children write nowhere but below /tmp; started as root, they are
 * nobody's. False: the system cannot do that. */
bool soak_confine(void);

/* ---- soak_events.c */

/* The same numbers for the same seed. 0 <= result < below. */
int soak_random(struct soak *soak, int below);
/* One thing that a user might do, of some events. */
void soak_act(struct soak *soak);
/* Closes dialogs and questions. Fails the test where something stays open. */
void soak_calm(struct soak *soak);
/* Types at once, without waiting for each letter. */
void soak_type(struct soak *soak, const char *text);
/* Gives the program time to take what was sent. False: it did not answer, or has ended. */
bool soak_settle(struct soak *soak, double seconds);
/* Opens a copy of a document that is below the private folder; changes are given up. */
void soak_open(struct soak *soak, const char *path);

/* ---- soak_kill.c */

/* Kills the program `times` at random moments, and looks at what is left. */
void soak_kill(struct soak *soak, int times);

/* ---- soak_strokes.c */

/* The same while a layer is painted. */
void soak_kill_painting(struct soak *soak, int times);

#endif
