#include "devices/gpu/context.h"

#include <stdio.h>
#include <string.h>

#include "devices/gpu/display.h"

struct list {
    struct oro_candidate *candidates;
    int count, limit;
};

static void add(struct list *list, enum oro_platform platform, EGLDeviceEXT device, bool software,
                const char *name)
{
    if (list->count >= list->limit)
        return;
    struct oro_candidate *candidate = &list->candidates[list->count++];
    *candidate = (struct oro_candidate){.platform = platform, .device = device, .software = software};
    snprintf(candidate->name, sizeof candidate->name, "%s", name);
}

static bool is_software(EGLDeviceEXT device)
{
    PFNEGLQUERYDEVICESTRINGEXTPROC query =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    return query && oro_has_extension(query(device, EGL_EXTENSIONS), "EGL_MESA_device_software");
}

/* Fills in the driver's devices; returns how many there are. */
static int list_devices(const char *client, EGLDeviceEXT *devices, int limit)
{
    bool by_device = oro_has_extension(client, "EGL_EXT_platform_device") &&
                     (oro_has_extension(client, "EGL_EXT_device_enumeration") ||
                      oro_has_extension(client, "EGL_EXT_device_base"));
    PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLint count = 0;
    return by_device && query && query(limit, devices, &count) ? count : 0;
}

int oro_candidates(struct oro_candidate *candidates, int limit)
{
    struct list list = {candidates, 0, limit};
    EGLDeviceEXT devices[ORO_CANDIDATES_MAX - 2];
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    int count = list_devices(client, devices, ORO_CANDIDATES_MAX - 2), software = 0;
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "device %d", i);
        add(&list, ORO_PLATFORM_DEVICE, devices[i], is_software(devices[i]), name);
        software += is_software(devices[i]);
    }
    bool all_software = count > 0 && software == count;
    if (oro_has_extension(client, "EGL_MESA_platform_surfaceless"))
        add(&list, ORO_PLATFORM_SURFACELESS, EGL_NO_DEVICE_EXT, all_software, "surfaceless");
    add(&list, ORO_PLATFORM_DEFAULT, EGL_NO_DEVICE_EXT, all_software, "default");
    return list.count;
}

static EGLDisplay display_of(const struct oro_candidate *candidate)
{
    if (candidate->platform == ORO_PLATFORM_DEFAULT)
        return eglGetDisplay(EGL_DEFAULT_DISPLAY);
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!get)
        return EGL_NO_DISPLAY;
    if (candidate->platform == ORO_PLATFORM_DEVICE)
        return get(EGL_PLATFORM_DEVICE_EXT, candidate->device, NULL);
    return get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

/* Chooses a configuration with pbuffers if possible, else any: a surfaceless context needs no surface. */
static bool choose_config(EGLDisplay display, EGLConfig *config)
{
    const EGLint surfaces[] = {EGL_PBUFFER_BIT, 0};
    for (int i = 0; i < 2; i++) {
        const EGLint wanted[] = {EGL_SURFACE_TYPE, surfaces[i], EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                 EGL_NONE};
        EGLint count = 0;
        if (eglChooseConfig(display, wanted, config, 1, &count) && count > 0)
            return true;
    }
    *config = EGL_NO_CONFIG_KHR;
    return oro_has_extension(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_no_config_context");
}

/* Creates a context that reports resets if possible, else a plain one. */
static EGLContext create_context(EGLDisplay display, EGLConfig config)
{
    const EGLint robust[] = {EGL_CONTEXT_MAJOR_VERSION,
                             3,
                             EGL_CONTEXT_MINOR_VERSION,
                             1,
                             EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
                             EGL_TRUE,
                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                             EGL_LOSE_CONTEXT_ON_RESET_EXT,
                             EGL_NONE};
    const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    EGLContext context = EGL_NO_CONTEXT;
    if (oro_has_extension(eglQueryString(display, EGL_EXTENSIONS), "EGL_EXT_create_context_robustness"))
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, robust);
    return context ? context : eglCreateContext(display, config, EGL_NO_CONTEXT, plain);
}

static bool fill(struct oro_context *context, struct oro_error *err)
{
    EGLConfig config;
    if (!eglBindAPI(EGL_OPENGL_ES_API))
        return oro_fail(err, ORO_E_DEVICE, "no OpenGL ES (%s)", oro_egl_problem());
    if (!choose_config(context->display, &config))
        return oro_fail(err, ORO_E_DEVICE, "no configuration for OpenGL ES 3");
    context->context = create_context(context->display, config);
    if (!context->context)
        return oro_fail(err, ORO_E_DEVICE, "no OpenGL ES 3.1 context (%s)", oro_egl_problem());
    if (!oro_has_extension(eglQueryString(context->display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context")) {
        const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        context->surface = eglCreatePbufferSurface(context->display, config, size);
        if (!context->surface)
            return oro_fail(err, ORO_E_DEVICE, "no surface (%s)", oro_egl_problem());
    }
    if (!oro_context_use(context))
        return oro_fail(err, ORO_E_DEVICE, "the context cannot be made current (%s)", oro_egl_problem());
    return true;
}

bool oro_context_open(struct oro_context *context, const struct oro_candidate *candidate,
                      struct oro_error *err)
{
    *context = (struct oro_context){.shared = candidate->platform == ORO_PLATFORM_DEFAULT};
    EGLDisplay display = display_of(candidate);
    if (display == EGL_NO_DISPLAY)
        return oro_fail(err, ORO_E_DEVICE, "no display");
    if (context->shared ? !eglInitialize(display, NULL, NULL) : !oro_display_open(display))
        return oro_fail(err, ORO_E_DEVICE, "cannot be initialised (%s)", oro_egl_problem());
    context->display = display;
    if (fill(context, err))
        return true;
    oro_context_close(context);
    return false;
}

void oro_context_close(struct oro_context *context)
{
    if (!context->display)
        return;
    if (context->context && eglGetCurrentContext() == context->context)
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->surface)
        eglDestroySurface(context->display, context->surface);
    if (context->context)
        eglDestroyContext(context->display, context->context);
    if (!context->shared)
        oro_display_close(context->display);
    *context = (struct oro_context){0};
}

bool oro_context_use(const struct oro_context *context)
{
    /* Asking EGL, instead of remembering, also notices a window toolkit that made its own context current. */
    if (eglGetCurrentContext() == context->context)
        return true;
    return context->context && eglBindAPI(EGL_OPENGL_ES_API) &&
           eglMakeCurrent(context->display, context->surface, context->surface, context->context);
}
