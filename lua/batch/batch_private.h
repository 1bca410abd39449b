/* Shared by the files of lua/batch/. */
#ifndef ORO_LUA_BATCH_BATCH_PRIVATE_H
#define ORO_LUA_BATCH_BATCH_PRIVATE_H

#include <lauxlib.h>
#include <lua.h>

#include "lua/batch/batch.h"
#include "lua/sandbox/library.h"

struct oro_batch {
    const struct oro_batch_host *host;
    const struct oro_batch_options *options;
    struct oro_modules modules;
    struct oro_arena *arena;        /* of the running call, or of the last one */
    size_t alive;                   /* bytes of the results that the script holds */
    size_t graphs;                  /* that it holds */
    struct oro_batch_value pending; /* a graph or result that the host gave and Lua does not hold yet */
    bool within;                    /* a loop over `each` */
    bool knows_task;                /* the script has asked for the number of its task */
    struct oro_error last;          /* the last failure of the host */
};

/* A graph or a result in Lua. The fields of a result are in a table, which is its user value. */
struct oro_batch_object {
    struct oro_batch *batch;
    struct oro_batch_value value;
};

/* Makes the types of graphs and results; the methods are closures over `batch` (batch_value.c). */
void oro_batch_open_objects(lua_State *lua, struct oro_batch *batch);
/* The graph or result at `index`; NULL: it is something else. */
struct oro_batch_object *oro_batch_object_at(lua_State *lua, int index, enum oro_batch_kind kind);

/* Reads the arguments of a call from the stack, from `first` on. Raises an error for arguments that do not
 * fit (batch_value.c). */
void oro_batch_take(lua_State *lua, int first, struct oro_batch_call *call);
/* Whether the arguments of a call that comes from elsewhere have the types that the function takes. */
bool oro_batch_fits(const struct oro_batch_call *call);
/* Whether a function may be called by a script that holds results of so many bytes, and so many graphs. */
bool oro_batch_may_make(const struct oro_batch_options *options, enum oro_batch_function function,
                        size_t bytes, size_t graphs);
/* Pushes a value. May raise an error; a graph or result then still belongs to the caller. */
void oro_batch_push(lua_State *lua, struct oro_batch *batch, const struct oro_batch_value *value);

/* Pushes the function as a closure. */
void oro_batch_push_function(lua_State *lua, struct oro_batch *batch, enum oro_batch_function function);

/* The functions of Lua's own kind that go through this task's share (batch_task.c). */
int oro_batch_each(lua_State *lua);
int oro_batch_task(lua_State *lua);

/* Raises an error that begins with the script's line. */
int oro_batch_error(lua_State *lua, const char *format, ...);

/* "graph:set", "orograph.open": what messages call a function. */
void oro_batch_push_name(lua_State *lua, const struct oro_batch_entry *entry);

#endif
