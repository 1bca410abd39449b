/*
 * The functions that scripts may call: Lua's own base, string, table, math and utf8, without those that reach
 * outside or differ from run to run. docs/lua.md describes them.
 *
 * Left out: load, loadfile, dofile, collectgarbage, coroutine, io, os, debug, package, string.dump,
 * string.pack and the like, and the metatable of strings (so s:upper() is written string.upper(s), and texts
 * do not count as numbers in arithmetic).
 * Changed:
 * - pairs and next visit keys in order (numbers, texts, false, true; other keys are refused). During a loop,
 *   values may change and keys may be removed; new keys are not visited;
 * - tostring, print and %s show no addresses: "(a table)". print gives a notice of one line, of 64 KiB in
 *   all, after which it says so and is silent. string.format refuses %a, %p and %q;
 * - setmetatable refuses __gc and __mode, whose effects depend on when garbage is collected; getmetatable
 *   gives the metatables of tables only;
 * - table.sort is stable;
 * - string.upper and lower know the letters of ASCII, whatever the locale; so does %a in patterns as long as
 *   the locale's encoding is UTF-8 or ASCII;
 * - random numbers depend on the seed alone, and are the same everywhere;
 * - require finds only modules in the script's own folder.
 */
#ifndef ORO_LUA_SANDBOX_LIBRARY_H
#define ORO_LUA_SANDBOX_LIBRARY_H

#include "lua/sandbox/guard.h"

enum { ORO_LIBRARY_MODULES_MAX = 32, ORO_LIBRARY_PRINT_MAX = 64 << 10 };

/* Finds the text of a module for require: "waves", or "lib.waves" in a folder below. Returns NULL with `err`
 * filled if there is none. The text stays valid as long as the state. `*name` is what messages call it:
 * "lib/waves.lua". */
struct oro_modules {
    const char *(*find)(void *user, const char *module, size_t *length, const char **name,
                        struct oro_error *err);
    void *user;
};

/* Whether a text can name a module: names separated by dots, so that none leads to a folder above or to a
 * file of another kind. */
bool oro_library_is_module(const char *name, size_t length);

/* Opens the libraries in a new state. Raises Lua errors: to be called through oro_guard_call (push
 * oro_library_open as a C function; argument 1: a light userdata, the struct oro_modules, or nil for none;
 * it must outlive the state). */
int oro_library_open(lua_State *lua);

/* Loads `text` as a chunk (no bytecode) and leaves the function on the stack. Messages call it `name`, and
 * count its lines from `line`. Fails with ORO_E_EVALUATE, the text "NAME:LINE: ...". */
bool oro_library_load(struct oro_guard *guard, const char *text, size_t length, const char *name, int line,
                      struct oro_error *err);

/* Restarts math.random: the same seed gives the same numbers on every machine. Until then the seed is 0. */
void oro_library_seed(lua_State *lua, uint64_t seed);

/* Pushes and returns the value at `index` as tostring gives it. Raises errors, as __tostring may. */
const char *oro_library_tostring(lua_State *lua, int index, size_t *length);

/* Everything there is, "string.format" and the like, sorted; ends with NULL. */
extern const char *const oro_library_names[];

#endif
