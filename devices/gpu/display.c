#include "devices/gpu/display.h"

#include <stddef.h>
#include <string.h>

#include <pthread.h>

/* The only mutable globals of devices/gpu/: they mirror state that EGL itself keeps per process. */
enum { DISPLAYS_MAX = 64 };
static struct {
    EGLDisplay display;
    int users;
} displays[DISPLAYS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find(EGLDisplay display)
{
    for (int i = 0; i < DISPLAYS_MAX; i++)
        if (displays[i].users > 0 && displays[i].display == display)
            return i;
    return -1;
}

static int find_free(void)
{
    for (int i = 0; i < DISPLAYS_MAX; i++)
        if (displays[i].users == 0)
            return i;
    return -1;
}

bool oro_display_open(EGLDisplay display)
{
    pthread_mutex_lock(&lock);
    int i = find(display);
    bool ok = i >= 0;
    if (!ok) {
        i = find_free();
        ok = i >= 0 && eglInitialize(display, NULL, NULL);
    }
    if (ok) {
        displays[i].display = display;
        displays[i].users++;
    }
    pthread_mutex_unlock(&lock);
    return ok;
}

void oro_display_close(EGLDisplay display)
{
    pthread_mutex_lock(&lock);
    int i = find(display);
    if (i >= 0 && --displays[i].users == 0)
        eglTerminate(display);
    pthread_mutex_unlock(&lock);
}

bool oro_has_extension(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

const char *oro_egl_problem(void)
{
    switch (eglGetError()) {
    case EGL_NOT_INITIALIZED:
        return "not initialised";
    case EGL_BAD_ACCESS:
        return "access refused";
    case EGL_BAD_ALLOC:
        return "out of resources";
    case EGL_BAD_ATTRIBUTE:
        return "unknown attribute";
    case EGL_BAD_CONFIG:
        return "bad configuration";
    case EGL_BAD_MATCH:
        return "not supported by the driver";
    case EGL_BAD_PARAMETER:
        return "bad parameter";
    case EGL_CONTEXT_LOST:
        return "context lost";
    case EGL_SUCCESS:
        return "refused without a reason";
    default:
        return "EGL error";
    }
}
