#include "formats/json_memory.h"

#include <pthread.h>

#include <jansson.h>

#include "base/memory.h"

static _Thread_local unsigned failures;

static void *take(size_t size)
{
    void *memory = oro_alloc(size, 1);
    failures += !memory;
    return memory;
}

static void set_up(void)
{
    json_set_alloc_funcs(take, oro_free);
}

unsigned oro_json_failures(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up);
    return failures;
}
