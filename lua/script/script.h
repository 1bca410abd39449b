/*
 * A script: a Lua text that defines a node type. It returns a table that describes the type (docs/lua.md),
 * with one key that says what form of script it is: kernel, graph, cell or field. Reading a script runs it
 * once, in a state that is thrown away; its texts, the node type and the texts of its kernels are kept. Every
 * evaluation runs the script again in a state of its own (oro_script_open), so nothing is carried over from
 * one evaluation to the next.
 *
 * This folder knows no form by name: whoever reads scripts hands down a table of them (lua/types/).
 */
#ifndef ORO_LUA_SCRIPT_SCRIPT_H
#define ORO_LUA_SCRIPT_SCRIPT_H

#include "base/memory.h"
#include "devices/guest/packet.h"
#include "graph/derived/scripts.h"
#include "lua/sandbox/library.h"

enum {
    ORO_SCRIPT_BYTES_MAX = 1 << 20, /* bytes of one file */
    ORO_SCRIPT_NAME_MAX = 40,       /* characters of the name of an input, a kernel, ... */
    ORO_SCRIPT_MODULES_MAX = 32,
    ORO_SCRIPT_INPUTS_MAX = 64,
    ORO_SCRIPT_OUTPUTS_MAX = 8,
    ORO_SCRIPT_KERNELS_MAX = 16,
    ORO_SCRIPT_BUFFERS_MAX = 8,
    ORO_SCRIPT_PASSES_MAX = 256,  /* that the script lists */
    ORO_SCRIPT_RUNS_MAX = 100000, /* passes that run in one evaluation */
    ORO_SCRIPT_STEPS = 10000000,  /* to read a script, or to build its graph: about 0.1 s */
};
#define ORO_SCRIPT_MEMORY ((size_t)64 << 20) /* of one state */
#define ORO_SCRIPT_SECONDS 1.5               /* to read a script, or to build its graph */

struct oro_script;
struct oro_script_work; /* lua/field/rasters.h */

/* A form of script: how the node type comes by its results. Either `eval` or `expand` is set. */
struct oro_script_form {
    const char *key; /* of the script's table, where the form's function or kernels are */
    bool kernels;    /* the key holds GLSL, with buffers and passes; false: a Lua function */
    /* Adds the functions that such scripts call to a new state; they are there in scripts of every form.
     * NULL: none. */
    lua_CFunction library;
    /* Checks the script once its table is read, and completes its node type; NULL: nothing to do. */
    bool (*prepare)(struct oro_script *script, struct oro_error *err);
    bool (*eval)(struct oro_eval *eval, const void *params);
    bool (*expand)(struct oro_build *build, const void *params);
    /* For an `eval` that can be done in a guest. */
    bool (*compute)(struct oro_script_work *work, struct oro_error *err);
};

enum { ORO_SCRIPT_FORMS_MAX = 8 };

/* The script itself, and each module that it requires. */
struct oro_script_text {
    const char *module; /* the name given to require; NULL: the script itself */
    const char *name;   /* in messages: "strata.lua" */
    const char *path;   /* "" for a script within a document */
    int line;           /* at which the text begins */
    const char *text;
    size_t length;
};

/* `kernel = [[...]]` is one named "kernel"; `kernel = { blur = [[...]], ... }` are several, sorted by name.
 */
struct oro_script_kernel {
    const char *name;
    const char *text;
    int line; /* at which the text begins in the file; 0: not in it */
};

/* A raster of the size of the outputs that is kept between passes: field, vector or image. Begins as
 * zeros. */
struct oro_script_buffer {
    const char *name;
    enum oro_type type;
};

/* One run of a kernel; or the beginning of a group, which consists of the `count` passes that follow and runs
 * `times` times, or as often as the int input `input` says. Groups are not nested. */
struct oro_script_pass {
    int kernel; /* index; -1: a group begins */
    int count, times;
    const char *input; /* counts the turns of a group; or NULL */
};

struct oro_script_kernels;

struct oro_script {
    struct oro_arena *arena;             /* owns all of it */
    struct oro_node_type type;           /* .script is this */
    const struct oro_script_form *forms; /* which the script could have; ends with a zeroed one */
    const struct oro_script_form *form;  /* which the script has */
    const struct oro_log *log;           /* gets what it prints while its graph is built; NULL drops that */
    bool (*stopped)(void *user); /* asked while it is read, is run again, or builds its graph; or NULL */
    void *user;
    bool in_guest;                 /* it runs in a process of its own: devices/guest/guest.h */
    const struct oro_trust *trust; /* while it is read: which modules may run within the program */
    bool distrusted;               /* it requires one that may not */
    const char *folder;            /* in which require looks; ends with a slash, or is "" */
    struct oro_modules modules;
    bool reading; /* texts may still be added */
    struct oro_script_text texts[1 + ORO_SCRIPT_MODULES_MAX];
    int text_count;
    struct oro_script_kernel kernels[ORO_SCRIPT_KERNELS_MAX];
    int kernel_count;
    struct oro_script_buffer buffers[ORO_SCRIPT_BUFFERS_MAX];
    int buffer_count;
    struct oro_script_pass passes[ORO_SCRIPT_PASSES_MAX]; /* at least one, with kernels */
    int pass_count;
    const struct oro_script_kernels *prepared; /* made of the kernels by .prepare: kernel.h */
};

/* The script that a node type was made from; NULL: the type is none of a script. */
const struct oro_script *oro_script_of(const struct oro_node_type *type);

/* Reads a script in one of `forms`: at most ORO_SCRIPT_FORMS_MAX, then a zeroed one. Fails with
 * ORO_E_DOCUMENT, the text "NAME:LINE: ..." where a line is known; ORO_E_LIMIT; ORO_E_FILE for a module that
 * cannot be read; ORO_E_MEMORY. `forms` and `log` must outlive the script. */
struct oro_script *oro_script_read(const struct oro_script_source *source,
                                   const struct oro_script_form *forms, const struct oro_log *log,
                                   struct oro_error *err);
void oro_script_destroy(struct oro_script *script); /* NULL is allowed */

/* Makes a state and runs the script in it: its table is at stack index 1, its function `cell`, `field` or
 * `graph` at index 2 (nil for a kernel). The limits on steps and seconds count from then on. math.random
 * starts from `seed`. Destroy with oro_guard_destroy. */
struct oro_guard *oro_script_open(const struct oro_script *script, const struct oro_guard_limits *limits,
                                  uint64_t seed, const struct oro_log *log, struct oro_error *err);

/* For guests that run the script: the texts in a message, and the script that they
 * make, which is not read yet. NULL: the message is wrong, or memory is out. */
void oro_script_put(const struct oro_script *script, struct oro_packet *message);
struct oro_script *oro_script_take(struct oro_packet *message, const struct oro_script_form *forms,
                                   const struct oro_log *log);
/* Reads a script that was taken. */
bool oro_script_read_again(struct oro_script *script, struct oro_error *err);

/* The value of the type's seed input, 0 if it has none. In the params of an evaluation it is already mixed
 * with the world's seed; while a graph is built, take oro_build_seed instead. */
uint64_t oro_script_seed(const struct oro_node_type *type, const void *params);

/* Pushes a table of the literals: numbers, booleans, texts (choices as their word), points {x=, y=}, colours
 * {r=, g=, b=, a=}, profiles and gradients as functions of a number (a gradient gives r, g, b, a, blended
 * linearly in sRGB values as in kernels). Rasters, uplifts and networks are left out. `params` must outlive
 * the table. Raises Lua errors. */
void oro_script_push_params(lua_State *lua, const struct oro_node_type *type, const void *params);

/* Makes reading a misspelt name from the table at a stack index an error; plain Lua would give nil. `table`
 * is what scripts call the table. For "f" and "p" of cells and fields the error says when the name belongs to
 * the other one of the two; graphs pass "the table p". Inputs that exist but have no value stay nil. */
void oro_script_watch(lua_State *lua, int index, const struct oro_node_type *type, const char *table);

#endif
