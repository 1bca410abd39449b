#include <pthread.h>
#include <stdio.h>

#include <dlfcn.h>

#include "formats/gdal/gdal_api.h"

struct oro_gdal_api oro_gdal;

static struct {
    void *library;
    bool complete;
    char reason[300]; /* why it is not */
} state;

/* NULL: the library has no such function. */
static oro_gdal_function *find(const char *name)
{
    union {
        void *object;
        oro_gdal_function *function; /* ISO C has no cast between both */
    } symbol = {dlsym(state.library, name)};
    if (!symbol.object)
        snprintf(state.reason, sizeof state.reason, "%s has no %s", OROGRAPH_GDAL_LIBRARY, name);
    return symbol.object ? symbol.function : NULL;
}

static void load(void)
{
    state.library = dlopen(OROGRAPH_GDAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!state.library) {
        const char *reason = dlerror();
        snprintf(state.reason, sizeof state.reason, "%s", reason ? reason : OROGRAPH_GDAL_LIBRARY);
        return;
    }
    state.complete = true;
#define ORO_GDAL_FIND(name)                                                                                  \
    oro_gdal.name = (__typeof__(oro_gdal.name))find(#name);                                                  \
    state.complete = state.complete && oro_gdal.name;
    ORO_GDAL_FUNCTIONS(ORO_GDAL_FIND)
#undef ORO_GDAL_FIND
    if (state.complete)
        oro_gdal_set_up(find);
}

bool oro_gdal_load(struct oro_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return state.complete || oro_fail(err, ORO_E_FILE, "GDAL cannot be loaded: %s", state.reason);
}
