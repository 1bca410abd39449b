/*
 * Scripts that drive the whole program (`orograph run`): the sandbox of lua/sandbox/guard.h and
 * lua/sandbox/library.h with a table `orograph` besides, whose functions a host carries out. lua/ knows what
 * they are called and what they take; the host knows what they do. Nothing but these functions reaches out of
 * the sandbox, so it is the host that decides which files are read and written.
 *
 * What fails in the host is a Lua error that pcall can catch; but for ORO_E_CANCELLED, which ends the script
 * as soon as `stopped` says so, too.
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
    ORO_BATCH_AT, /* never asked of the host */
    ORO_BATCH_MEASURE,
    ORO_BATCH_WRITE,
    ORO_BATCH_HILLSHADE,
    ORO_BATCH_FUNCTIONS, /* how many there are */
};

enum {
    ORO_BATCH_ARGUMENTS_MAX = 3,
    ORO_BATCH_TEXT_MAX = (1 << 20) - 1024, /* bytes of a text that a host gives */
};

/* What they are, in the order of the enumeration: for documentation as for the marshalling. */
struct oro_batch_entry {
    const char *object;    /* "orograph", "graph", "result": the table, or what it is a method of */
    const char *name;      /* "open" */
    const char *arguments; /* as documentation shows them: "output, {max_resolution=, seed=}" */
    const char *doc;       /* Markdown; the first sentence is the summary */
    /* One letter for each argument: t text, b text with any bytes, n number, i whole number, v number,
     * boolean or text, o table of options, m table of any names and v. '?' before one: it may be left out. */
    const char *takes;
    const char *options; /* names and letters of what `o` may hold: "seed i, low n", or NULL */
};
extern const struct oro_batch_entry oro_batch_functions[ORO_BATCH_FUNCTIONS];

/* What a result offers besides its methods, and `orograph` besides its functions; ends with a zeroed one.
 * `name` and `doc` alone are used. */
extern const struct oro_batch_entry oro_batch_fields[];

enum oro_batch_kind {
    ORO_BATCH_NIL,
    ORO_BATCH_BOOLEAN,
    ORO_BATCH_NUMBER, /* whole ones become integers in Lua */
    ORO_BATCH_TEXT,
    ORO_BATCH_ITEMS, /* a list */
    ORO_BATCH_TABLE, /* of named values */
    ORO_BATCH_GRAPH,
    ORO_BATCH_RESULT,
};

/* A value on its way from or to a script. */
struct oro_batch_value {
    enum oro_batch_kind kind;
    const char *name; /* in a table */
    bool boolean;
    double number;
    const char *text; /* with a zero byte behind `length` bytes */
    size_t length;
    struct oro_batch_value *items; /* of a list or table; of a result: its fields */
    size_t count;
    void *object; /* the host's own, of a graph or a result */
    size_t bytes; /* memory that a result holds */
    /* What at(x, y) reads: rows from the north, `channels` numbers a cell. Lives as long as the object. */
    const float *data;
    int width, height, channels;
};

struct oro_batch_call {
    enum oro_batch_function function;
    void *self;                                                /* a graph's or result's `object`; or NULL */
    struct oro_batch_value arguments[ORO_BATCH_ARGUMENTS_MAX]; /* nil where it is left out */
    struct oro_arena *arena;                                   /* for the result; lives until the next call */
    struct oro_batch_value result;                             /* nil at first */
};

/* The item of that name; a nil value where there is none, or `table` is no table. */
const struct oro_batch_value *oro_batch_item(const struct oro_batch_value *table, const char *name);

/* For hosts. The text is not copied; NULL gives nil. */
struct oro_batch_value oro_batch_text(const char *name, const char *text);
struct oro_batch_value oro_batch_number(const char *name, double number);
struct oro_batch_value oro_batch_boolean(const char *name, bool boolean);
/* A list, or table, with room for `count` nil items. `items` is NULL where memory is out. */
struct oro_batch_value oro_batch_room(struct oro_arena *arena, enum oro_batch_kind kind, const char *name,
                                      size_t count);

struct oro_batch_host {
    /* Does the work of one function. Its arguments are of the types that it takes; texts live during the
     * call. A graph or result that it returns is the script's from then on. */
    bool (*call)(void *user, struct oro_batch_call *call, struct oro_error *err);
    /* A script has let go of a graph or a result. */
    void (*release)(void *user, enum oro_batch_kind kind, void *object);
    /* A line of print, without its end; may hold any bytes. */
    void (*print)(void *user, const char *line, size_t length);
    /* Whether the user asked to stop. */
    bool (*stopped)(void *user);
    /* Finds the text of a module, as oro_modules in lua/sandbox/library.h. NULL: there are none. */
    const char *(*find_module)(void *user, const char *module, size_t *length, const char **name,
                               struct oro_error *err);
    void *user;
};

struct oro_batch_options {
    size_t memory;          /* bytes of the script's own; these three as in lua/sandbox/guard.h */
    int64_t steps;          /* INT64_MAX: no limit */
    double seconds;         /* 0: no limit */
    const char *version;    /* of the program */
    char *const *arguments; /* of the script */
    int argument_count;
    size_t result_bytes; /* results that are alive may hold this much; 0: no limit */
};

/* Runs a script; `name` is what messages call it. Fails with ORO_E_DOCUMENT where it is no Lua ("NAME:LINE:
 * ..."); with ORO_E_LIMIT, ORO_E_MEMORY, ORO_E_CANCELLED; with what the host failed with, where the script
 * did not catch it; and with ORO_E_EVALUATE for other errors. All that the script held is released before it
 * returns. */
bool oro_batch_run(const char *text, size_t length, const char *name, const struct oro_batch_host *host,
                   const struct oro_batch_options *options, struct oro_error *err);

#endif
