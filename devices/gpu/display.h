/*
 * EGL has one display per process and platform: everyone who opens it gets the same one, and terminating it
 * ends all their contexts. So its users are counted here. Internal to devices/gpu/.
 */
#ifndef ORO_GPU_DISPLAY_H
#define ORO_GPU_DISPLAY_H

#include <stdbool.h>

#include <EGL/egl.h>

/* Initialises the display, or only counts one more user. Any thread. */
bool oro_display_open(EGLDisplay display);
/* Terminates the display when its last user closes it. */
void oro_display_close(EGLDisplay display);

/* Whether `name` is a whole word of the blank-separated list; `list` may be NULL. */
bool oro_has_extension(const char *list, const char *name);
/* The last EGL error in words. */
const char *oro_egl_problem(void);

#endif
