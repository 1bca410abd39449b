/*
 * Drives the editor's window as a user does: an X server of its own (Xvfb), the program in it, and real
 * events (xdotool). What is on the screen is known from the description that the program writes (--describe,
 * editor/ui/describe.h) and from pictures of the screen.
 *
 * Items go by their names in the description ("button:Save", "node:hills"). Where a place is asked for, it is
 * the middle of an item ("node:hills"), a share of its size ("canvas@0.25,0.5"), pixels from its middle
 * ("node:hills+40,-20"), or a pixel of the window ("120,300").
 *
 * Each action waits until the program has taken its events and drawn a frame, so that the next action finds
 * its effect. For effects that take longer, use drive_wait. Time limits do not matter to a test that passes.
 * A failure ends the test, shows the last description and keeps a picture of the screen.
 *
 * Tests need not check results: all functions but those that return a bool end the test on failure.
 */
#ifndef TESTS_EDITOR_DRIVER_H
#define TESTS_EDITOR_DRIVER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct driver;
struct drive_options {
    const char *program;     /* NULL: the editor that was built */
    const char *const *args; /* of the program, NULL at the end; or NULL */
    const char *const *env;  /* "NAME=VALUE", NULL at the end; or NULL */
    int width, height;       /* of screen and window; 0: 1280 x 800 */
    const char *home;        /* a folder for settings, state and cache, which stays; NULL: one that goes with
                              * the driver */
    bool unpainted; /* nobody looks at the picture: Mesa's software driver skips what is most of a frame's
                     * cost there, the painting of triangles. All is painted where OROGRAPH_TEST_PICTURES says
                     * where failures go */
    struct driver *beside; /* another one, whose screen is shared, and which must be stopped later; its window
                            * is covered, and gets no keys. Or NULL */
};
struct drive_rect {
    int x, y, w, h; /* pixels of the window */
};

/* Starts server and program, and waits for the first description. */
struct driver *drive_start(const struct drive_options *options);
/* Asks the program to end, by SIGTERM, and kills it if it does not. Frees all. True: it ended by itself with
 * code 0. NULL is allowed. */
bool drive_stop(struct driver *driver);
/* Ends the program at once, without a chance to save. The server stays. */
void drive_kill(struct driver *driver);
/* Starts the program again, after drive_kill, drive_leave or its own end. */
void drive_restart(struct driver *driver, const char *const *args);
/* Waits for the program's own end, such as after File > Quit; gives its code, or -1 where a signal ended it.
 */
int drive_ended(struct driver *driver, double seconds);
/* Gives the keyboard back to its window after another driver's window had it. */
void drive_take_window(struct driver *driver);
/* What the window system calls the program's window; valid until the next call. */
const char *drive_title(const struct driver *driver);
bool drive_running(struct driver *driver);
int drive_pid(const struct driver *driver);
const char *drive_home(const struct driver *driver);

/* ---- What is on the screen ---- (driver_description.c)
 *
 * `what` is one of
 *     node:hills       the item is there and on
 *     !node:hills      it is not
 *     path=x.oro       the state `path` has that value; also !=, and <, >, <=, >= for numbers
 *     idle             nothing is going on
 * Limits of time are multiplied by the environment's OROGRAPH_TEST_PATIENCE. */
bool drive_is(struct driver *driver, const char *what);
bool drive_try(struct driver *driver, const char *what, double seconds);
void drive_wait(struct driver *driver, const char *what, double seconds);
struct drive_rect drive_find(struct driver *driver, const char *name);
/* "" where there is none. Valid until the next call. */
const char *drive_state(struct driver *driver, const char *key);
/* Ends the test, with the description and a picture. */
void drive_fail(struct driver *driver, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/* ---- Doing ---- (driver_input.c) Items are waited for. Buttons: 1 left, 2 middle, 3 right. `modifiers`:
 * "ctrl+shift", or NULL. */
void drive_move(struct driver *driver, const char *to);
void drive_click(struct driver *driver, const char *at);
void drive_double_click(struct driver *driver, const char *at);
void drive_right_click(struct driver *driver, const char *at);
void drive_click_with(struct driver *driver, const char *at, int button, const char *modifiers);
void drive_drag(struct driver *driver, const char *from, const char *to, int button, const char *modifiers);
/* The two halves of a drag: what is held is moved to a place; then, with modifiers, to another one and let
 * go.
 */
void drive_hold(struct driver *driver, const char *from, const char *to);
void drive_let_go(struct driver *driver, const char *to, const char *modifiers);
/* A drag through several places, the last of which is NULL. */
void drive_stroke(struct driver *driver, const char *const *places, const char *modifiers);
/* An immediate drag, through another place (or NULL), that waits for nothing: the program may see all of it
 * within one frame. */
void drive_flick(struct driver *driver, const char *from, const char *over, const char *to);
/* Notches: up (away from the user) is positive. */
void drive_wheel(struct driver *driver, const char *at, int notches);
/* "ctrl+z", "Return", "shift+a": keys as X names them. */
void drive_key(struct driver *driver, const char *keys);
/* The same in a single order, which takes less time: for keys that nothing waits for. */
void drive_tap(struct driver *driver, const char *keys);
void drive_type(struct driver *driver, const char *text);
/* Moves the window to the screen's corner and gives it another size, no larger than the screen. */
void drive_resize(struct driver *driver, int width, int height);

/* ---- Pictures ---- (driver_picture.c) */
void drive_screenshot(struct driver *driver, const char *path);
/* A part of it, as a small file: for documents. */
void drive_screenshot_part(struct driver *driver, const char *path, struct drive_rect part);
/* Takes pictures until two are the same, when everything that moves has come to rest. */
void drive_settle(struct driver *driver, double seconds);
/* Whether at most `share` of the pixels differ from those of the expected picture by more than `tolerance`
 * (0..255) in some channel. With OROGRAPH_UPDATE_PICTURES=1 the expected picture is written anew. False: it
 * says why, and writes the difference beside `path`. */
bool drive_compare(const char *path, const char *expected, int tolerance, double share);
/* Screen as an image to compare, and what is different: `path` is written in any case. */
void drive_expect_picture(struct driver *driver, const char *path, const char *expected, int tolerance,
                          double share);

#endif
