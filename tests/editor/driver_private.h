/* Shared by driver.c (processes), driver_description.c (the description), driver_input.c and
 * driver_picture.c. */
#ifndef TESTS_EDITOR_DRIVER_PRIVATE_H
#define TESTS_EDITOR_DRIVER_PRIVATE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <jansson.h>

#include "tests/editor/driver.h"
#include "tests/support/test.h"

struct driver {
    char folder[64]; /* of the driver's own */
    char screen[64]; /* folder of the server */
    char home[512], description[128], log[128], display[16];
    bool own_home, unpainted;
    int width, height;
    const char *file;       /* of the program */
    const char *const *env; /* as they were given */
    pid_t server, program, hands;
    FILE *orders;             /* the pipe from which xdotool reads its commands */
    int code;                 /* of the program, once it has ended */
    int left, top;            /* of the window on the screen */
    int pressed_x, pressed_y; /* where and when the left button went down last */
    double pressed;
    json_t *seen; /* the last description; or NULL */
    int64_t seen_inode, seen_time;
};

/* Seconds since some time. */
double drive_now(void);
void drive_pause(double seconds);
/* Limits of time, for slow machines. */
double drive_patience(double seconds);
/* Reads the description again if it was rewritten. */
void drive_look(struct driver *driver);
/* Writes lines to xdotool, which does them in order. */
void drive_order(struct driver *driver, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
