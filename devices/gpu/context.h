/*
 * EGL contexts without a window: listing what could be opened, opening it, and making it current. Internal to
 * devices/gpu/.
 */
#ifndef ORO_GPU_CONTEXT_H
#define ORO_GPU_CONTEXT_H

#include <stdbool.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "base/error.h"

enum oro_platform { ORO_PLATFORM_DEVICE, ORO_PLATFORM_SURFACELESS, ORO_PLATFORM_DEFAULT };

/* Something that a context may be opened on. Its place in the list is the index that users see. */
struct oro_candidate {
    enum oro_platform platform;
    EGLDeviceEXT device;
    char name[64]; /* "device 0", "surfaceless", "default" */
    bool software; /* it is known to be a software driver, without being opened */
};

enum { ORO_CANDIDATES_MAX = 34 };

/* Lists devices in the driver's order, then surfaceless if it exists, then the default display. Opens
 * nothing. */
int oro_candidates(struct oro_candidate *candidates, int limit);

struct oro_context {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE if the driver needs none */
    bool shared;        /* the display may be in use by others and is never terminated */
};

/* Opens an OpenGL ES 3.1 context and makes it current. On failure nothing stays open. */
bool oro_context_open(struct oro_context *context, const struct oro_candidate *candidate,
                      struct oro_error *err);
void oro_context_close(struct oro_context *context);
/* Makes the context current on the calling thread, unless it is already. False: the driver refused. */
bool oro_context_use(const struct oro_context *context);

#endif
