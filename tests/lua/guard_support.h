/* A guarded state with the library, modules that stand in a list, and what the scripts print. */
#ifndef ORO_TESTS_LUA_GUARD_SUPPORT_H
#define ORO_TESTS_LUA_GUARD_SUPPORT_H

#include <stdio.h>
#include <string.h>

#include "lua/sandbox/guard.h"
#include "lua/sandbox/library.h"

struct support_module {
    const char *name, *text;
};

/* Ends with a name of NULL. Paths must never get here: asking for one is noted. */
struct support_modules {
    const struct support_module *list;
    char shown[256];
    bool asked_for_path;
};

static inline const char *support_find(void *user, const char *module, size_t *length, const char **name,
                                       struct oro_error *err)
{
    struct support_modules *modules = user;
    modules->asked_for_path |= strpbrk(module, "/\\") != NULL || strstr(module, "..") != NULL;
    for (const struct support_module *one = modules->list; one && one->name; one++)
        if (strcmp(one->name, module) == 0) {
            *length = strlen(one->text);
            snprintf(modules->shown, sizeof modules->shown, "lib/%.200s.lua", module);
            *name = modules->shown;
            return one->text;
        }
    oro_fail(err, ORO_E_FILE, "there is no module '%s'", module);
    return NULL;
}

struct support_printed {
    char text[1 << 17];
    int notices;
};

static inline void support_print(void *user, enum oro_level level, const char *text)
{
    struct support_printed *printed = user;
    size_t length = strlen(printed->text);
    (void)level;
    printed->notices++;
    snprintf(printed->text + length, sizeof printed->text - length, "%s\n", text);
}

/* NULL: it could not be made. */
static inline struct oro_guard *support_open(const struct oro_guard_limits *limits, const struct oro_log *log,
                                             struct oro_modules *modules, struct oro_error *err)
{
    struct oro_guard *guard = oro_guard_create(limits, log, err);
    if (!guard)
        return NULL;
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, oro_library_open);
    if (modules)
        lua_pushlightuserdata(lua, modules);
    else
        lua_pushnil(lua);
    if (oro_guard_call(guard, 1, 0, err))
        return guard;
    oro_guard_destroy(guard);
    return NULL;
}

/* Runs `text` as "test.lua", and leaves `results` values. */
static inline bool support_run(struct oro_guard *guard, const char *text, int results, struct oro_error *err)
{
    return oro_library_load(guard, text, strlen(text), "test.lua", 1, err) &&
           oro_guard_call(guard, 0, results, err);
}

#endif
