/*
 * Shared by the tests of the window: a folder of their own, files in it, the usual way to start the editor,
 * and common steps.
 */
#ifndef TESTS_EDITOR_WINDOW_SUPPORT_H
#define TESTS_EDITOR_WINDOW_SUPPORT_H

#include <stdint.h>

#include "tests/editor/driver.h"
#include "tests/support/test.h"

/* Whether the X server and the hands are there; else main returns 77. */
bool window_can_run(void);

/* Group fixtures: a folder under /tmp that goes with the tests. */
int window_make_folder(void **state);
int window_remove_folder(void **state);
/* The path of a file in it; valid for the next 16 calls. */
const char *window_path(const char *name);

/* ---- Files ---- all end the test on failure */
void window_write(const char *path, const char *text);
void window_write_bytes(const char *path, const void *bytes, size_t size);
/* Ends with a zero that is not counted; the caller frees. `size` may be NULL. */
char *window_read(const char *path, size_t *size);
bool window_exists(const char *path);
void window_copy(const char *from, const char *to);
bool window_file_has(const char *path, const char *text);
void window_assert_same(const char *a, const char *b);

/* ---- The editor ---- */

/* Starts it with small previews, without the tour, settings in the folder's "home"; `file` may be NULL. Its
 * pictures can be looked at only if it was started painted. */
struct driver *window_start(const char *file);
struct driver *window_start_painted(const char *file);
/* With a graph of 64 x 64 cells that it writes: `mountains`, a stream_power on ground that rises evenly, in
 * the view. */
struct driver *window_start_mountains(const char *name);
/* Writes the settings that window_start uses, for those who start otherwise. */
void window_settings(const char *home, const char *more);

/* ---- Steps ---- */

void window_pause(double seconds);
/* Picks an entry of a combo box, and waits until all is computed. */
void window_choose(struct driver *driver, const char *combo, const char *entry);
/* With the pointer at a place: Tab, the words, Enter. The new node is chosen. */
void window_add(struct driver *driver, const char *at, const char *words);
/* Ctrl+Shift+S, or whatever opened the chooser: types the path and waits until the chooser is gone. */
void window_choose_path(struct driver *driver, const char *path);
void window_save_as(struct driver *driver, const char *path);
/* Puts a number into a slider by double click. */
void window_type_number(struct driver *driver, const char *input, const char *number);
/* Waits until the first view shows something that was made from the document as it is. */
void window_wait_picture(struct driver *driver);
/* How many of 64 tones of grey an item's part of the screen has: one or two are a flat colour. */
int window_tones(struct driver *driver, const char *item);
/* Undoes one step, with the pointer beside the graph, and waits for something. */
void window_undo_to(struct driver *driver, const char *what);
/* Undoes, or redoes, all there is; returns how many steps that were. */
int window_undo_all(struct driver *driver);
int window_redo_all(struct driver *driver);

#endif
