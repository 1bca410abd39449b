/*
 * What scripts may call: base, string, table, math and utf8, opened one by one, without what reaches outside
 * or differs from run to run. docs/lua.md lists it; the lists there are made from these tables.
 *
 * Left out: load, loadfile, dofile, collectgarbage, coroutine, io, os, debug, package, string.dump,
 * string.pack and its kin, the metatable of strings (so "s:upper()" is written string.upper(s), and texts do
 * not count as numbers in arithmetic), __gc, __mode and __name in metatables.
 * Changed:
 * - pairs and next go through keys in order (numbers, texts, false, true; other keys are refused). Values may
 *   change meanwhile and keys may go; keys that come are not seen;
 * - tostring, print and %s show no addresses: "(a table)". print gives a notice of one line, in all 64 KiB,
 *   after which it says so and is silent;
 * - setmetatable takes over what the metatable has when it is called; what is added later counts from the
 *   next call with this metatable on, also for older objects. (Lua would look for __mode whenever it collects
 *   garbage, and weak tables can make that take very long.)
 * - functions of tables look at what a table itself has, without __index, __newindex and __len, and take
 *   ranges of whole numbers; sort is stable; unpack gives at most 8192 values;
 * - letters are those of ASCII, whatever the locale; string.format refuses %a, %p and %q; a pattern that is
 *   malformed is refused before anything is compared, and has at most 250 parts;
 * - the handler of xpcall is called after the error, not within it;
 * - random numbers follow from the seed alone, and are the same everywhere;
 * - what works long pays for it (oro_guard_charge); require finds modules of the script's own folder only.
 */
#ifndef ORO_LUA_SANDBOX_LIBRARY_H
#define ORO_LUA_SANDBOX_LIBRARY_H

#include "lua/sandbox/guard.h"

enum { ORO_LIBRARY_MODULES_MAX = 32, ORO_LIBRARY_PRINT_MAX = 64 << 10, ORO_LIBRARY_UNPACK_MAX = 8192 };

/* Where require finds the text of a module: "waves", or "lib.waves" in a folder below. Returns NULL with
 * `err` filled when there is none. The text stays valid as long as the state. `*name` is what messages call
 * it: "lib/waves.lua". */
struct oro_modules {
    const char *(*find)(void *user, const char *module, size_t *length, const char **name,
                        struct oro_error *err);
    void *user;
};

/* Opens the libraries in a new state. Raises Lua errors: to be called through oro_guard_call (push
 * oro_library_open as a C function; argument 1: a light userdata, the struct oro_modules, or nil for none;
 * it must outlive the state). */
int oro_library_open(lua_State *lua);

/* Loads `text` as a chunk (no bytecode) whose name in messages is `name`, where it begins at the line `line`,
 * and leaves the function on the stack. Fails with ORO_E_EVALUATE, the text "NAME:LINE: ...". */
bool oro_library_load(struct oro_guard *guard, const char *text, size_t length, const char *name, int line,
                      struct oro_error *err);

/* Starts math.random anew: the same seed gives the same numbers, on every machine. Without it, a seed of 0.
 */
void oro_library_seed(lua_State *lua, uint64_t seed);

/* Pushes the value at `index` as tostring gives it, and returns that. Raises errors, as __tostring may. */
const char *oro_library_tostring(lua_State *lua, int index, size_t *length);

/* For documentation: what is there, "string.format" and the like, sorted; ends with NULL. */
extern const char *const oro_library_names[];

#endif
