/*
 * A description of what the window shows, for tests and other programs that drive it: names and places of
 * widgets, and facts, as JSON. Off unless a file is named; then the file is written (by rename) whenever
 * something changed.
 *
 * Threads: the window's.
 */
#ifndef ED_UI_DESCRIBE_H
#define ED_UI_DESCRIBE_H

#include <stdbool.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: nothing is written, but things can be found. False: memory is out. */
bool ed_describe_open(const char *path);
void ed_describe_close(void);
bool ed_describing(void);
void ed_describe_begin(void); /* a frame */
/* Describes something that can be pointed at; `on`: visible and enabled. A second one of the same name
 * becomes "NAME#2". */
void ed_describe_item(const char *name, float x, float y, float width, float height, bool on);
void ed_describe_state(const char *key, const char *format, ...) ORO_PRINTF(2, 3);
/* Where something was in the frame before; false: it was not there. */
bool ed_describe_find(const char *name, float *x, float *y, float *width, float *height);
/* True: nothing is left to be written. */
bool ed_describe_end(bool idle);

#ifdef __cplusplus
}
#endif

#endif
