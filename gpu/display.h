/*
 * EGL displays are one per process and platform: every opener gets the same one, and terminating it ends the
 * contexts of all. So openers are counted here. Internal to gpu/.
 */
#ifndef ORO_GPU_DISPLAY_H
#define ORO_GPU_DISPLAY_H

#include <stdbool.h>

#include <EGL/egl.h>

/* Initialises the display or counts one more user. Any thread. */
bool oro_display_open(EGLDisplay display);
/* The last user terminates it. */
void oro_display_close(EGLDisplay display);

/* Whether `name` is a whole word of the blank-separated list; `list` may be NULL. */
bool oro_has_extension(const char *list, const char *name);
/* What eglGetError says, in words. */
const char *oro_egl_problem(void);

#endif
