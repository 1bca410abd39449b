/*
 * Scripts that drive the whole program (`orograph run`): the sandbox of lua/sandbox/guard.h and
 * lua/sandbox/library.h, with a table `orograph` whose functions are carried out by a host. lua/ knows the
 * names and arguments of these functions; the host knows what they do. Nothing but these functions reaches
 * out of the sandbox, so the host decides which files are read and written.
 *
 * A failure in the host is a Lua error that pcall can catch. An exception is ORO_E_CANCELLED, which ends the
 * script, as it also does once `stopped` says so.
 */
#ifndef ORO_LUA_BATCH_BATCH_H
#define ORO_LUA_BATCH_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

enum oro_batch_function {
    ORO_BATCH_OPEN,
    ORO_BATCH_NEW,
    ORO_BATCH_READ,
    ORO_BATCH_LIST_FILES,
    ORO_BATCH_READ_TEXT,
    ORO_BATCH_WRITE_TEXT,
    ORO_BATCH_EACH, /* this and the next are not carried out by the host, as is AT */
    ORO_BATCH_TASK,
    ORO_BATCH_SET,
    ORO_BATCH_GET,
    ORO_BATCH_SEED,
    ORO_BATCH_WORLD,
    ORO_BATCH_NODES,
    ORO_BATCH_OUTPUTS,
    ORO_BATCH_ADD,
    ORO_BATCH_CONNECT,
    ORO_BATCH_REMOVE,
    ORO_BATCH_OUTPUT,
    ORO_BATCH_SAVE,
    ORO_BATCH_RENDER,
    ORO_BATCH_EXPORT,
    ORO_BATCH_AT,
    ORO_BATCH_MEASURE,
    ORO_BATCH_WRITE,
    ORO_BATCH_HILLSHADE,
    ORO_BATCH_FUNCTIONS, /* how many there are */
};

enum {
    ORO_BATCH_ARGUMENTS_MAX = 3,
    ORO_BATCH_GRAPHS_MAX = 1000,           /* that a script may hold at once */
    ORO_BATCH_ITEMS_MAX = 1000,            /* of a table in an argument */
    ORO_BATCH_TEXT_MAX = (1 << 20) - 1024, /* bytes of a text that a host gives */
};

/* Describes a function, for documentation and for reading its arguments. In the order of the enumeration. */
struct oro_batch_entry {
    const char *object; /* "orograph", "graph", "result": the table that has it, or the kind of object that it
                           is a method of */
    const char *name;   /* "open" */
    const char *arguments; /* as documentation shows them: "output, {max_resolution=, seed=}" */
    const char *doc;       /* Markdown; the first sentence is the summary */
    /* One letter for each argument: t text, b text with any bytes, n number, i whole number, v number,
     * boolean or text, o table of options, m table of any names with values v, l list that stays in Lua. A
     * '?' before a letter: the argument may be left out. */
    const char *takes;
    const char *options; /* names and letters of what `o` may hold: "seed i, low n", or NULL */
};
extern const struct oro_batch_entry oro_batch_functions[ORO_BATCH_FUNCTIONS];

/* The fields of a result, and those of `orograph`, which they have besides functions; ends with a zeroed one.
 * Only `object`, `name` and `doc` are used. */
extern const struct oro_batch_entry oro_batch_fields[];

enum oro_batch_kind {
    ORO_BATCH_NIL,
    ORO_BATCH_BOOLEAN,
    ORO_BATCH_NUMBER, /* whole numbers become integers in Lua */
    ORO_BATCH_TEXT,
    ORO_BATCH_ITEMS, /* a list */
    ORO_BATCH_TABLE, /* of named values */
    ORO_BATCH_GRAPH,
    ORO_BATCH_RESULT,
};

/* A value on its way between a script and its host. */
struct oro_batch_value {
    enum oro_batch_kind kind;
    const char *name; /* its name in a table */
    bool boolean;
    double number;
    const char *text; /* with a zero byte behind `length` bytes */
    size_t length;
    struct oro_batch_value *items; /* items of a list or table; fields of a result */
    size_t count;
    void *object; /* the object of the host that a graph or a result stands for */
    size_t bytes; /* memory that a result holds */
    /* What at(x, y) reads: rows from the north, `channels` numbers a cell. Lives as long as the object. NULL
     * with channels: the host's `cells` gives it. */
    const float *data;
    int width, height, channels;
};

struct oro_batch_call {
    enum oro_batch_function function;
    void *self; /* the `object` of the graph or result that the method belongs to; or NULL */
    struct oro_batch_value arguments[ORO_BATCH_ARGUMENTS_MAX]; /* nil for those that are left out */
    /* All tasks come here alike: not within a loop over `each`, and the script does not know its task. */
    bool common;
    struct oro_arena *arena;       /* for the result; lives until the next call */
    struct oro_batch_value result; /* nil at first */
};

/* The item of that name; a nil value if there is none, or if `table` is not a table. */
const struct oro_batch_value *oro_batch_item(const struct oro_batch_value *table, const char *name);

/* For hosts. The text is not copied; NULL gives nil. */
struct oro_batch_value oro_batch_text(const char *name, const char *text);
struct oro_batch_value oro_batch_number(const char *name, double number);
struct oro_batch_value oro_batch_boolean(const char *name, bool boolean);
/* Makes a list or table with room for `count` items, which are nil. `items` is NULL if memory is out. */
struct oro_batch_value oro_batch_room(struct oro_arena *arena, enum oro_batch_kind kind, const char *name,
                                      size_t count);

struct oro_batch_host {
    /* Carries out one function. The arguments have the types that it takes; texts live during the call. A
     * graph or result that it returns belongs to the script from then on. */
    bool (*call)(void *user, struct oro_batch_call *call, struct oro_error *err);
    /* Called when a script no longer holds a graph or a result. */
    void (*release)(void *user, enum oro_batch_kind kind, void *object);
    /* Called once for a result that came without its data, when the script asks for a cell: sets `data`, and
     * adds to `bytes` what that takes. NULL: results come with their data. */
    bool (*cells)(void *user, struct oro_batch_value *result, struct oro_error *err);
    /* Gets a line of print, without its line end; it may hold any bytes. */
    void (*print)(void *user, const char *line, size_t length);
    /* Whether the user asked to stop. */
    bool (*stopped)(void *user);
    /* Finds the text of a module, as oro_modules in lua/sandbox/library.h does. NULL: there are no
     * modules. */
    const char *(*find_module)(void *user, const char *module, size_t *length, const char **name,
                               struct oro_error *err);
    void *user;
};

struct oro_batch_options {
    size_t
        memory; /* bytes that the script itself uses; this and the next two are as in lua/sandbox/guard.h */
    int64_t steps;          /* INT64_MAX: no limit */
    double seconds;         /* 0: no limit */
    const char *version;    /* of the program */
    char *const *arguments; /* of the script */
    int argument_count;
    int task, tasks;     /* which share of the work this is, from 1 on, of how many; 0: there are no others */
    size_t result_bytes; /* bytes that the results that the script holds may take together; 0: no limit */
};

/* Runs a script, which messages call `name`. Fails with ORO_E_DOCUMENT if the text is no Lua ("NAME:LINE:
 * ..."); with ORO_E_LIMIT, ORO_E_MEMORY, ORO_E_CANCELLED; with the code that the host failed with, if the
 * script did not catch that; and with ORO_E_EVALUATE for other errors. Everything that the script held is
 * released before it returns. */
bool oro_batch_run(const char *text, size_t length, const char *name, const struct oro_batch_host *host,
                   const struct oro_batch_options *options, struct oro_error *err);

#endif
