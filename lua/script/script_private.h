/* Shared by the files that read scripts: script.c (runs them), descriptor.c (inputs and outputs), passes.c
 * (kernels, buffers, passes), entry.c (entries of tables). */
#ifndef ORO_LUA_SCRIPT_SCRIPT_PRIVATE_H
#define ORO_LUA_SCRIPT_SCRIPT_PRIVATE_H

#include "lua/script/script.h"

/* A script while it is read; its table is at stack index 1. Those functions below that return bool return
 * false once reading has failed. They raise Lua errors when memory runs out. */
struct oro_script_reader {
    struct oro_script *script;
    lua_State *lua;
    struct oro_input *inputs; /* of the type; NULL until they are read */
    /* For messages: what is being read, such as "input", and its name; NULL: the script as a whole. */
    const char *what, *name;
    struct oro_error *err;
};

/* Fails with "NAME:LINE: input 'x': ...", where LINE is the first in which the name stands in quotes. */
bool oro_script_refuse(struct oro_script_reader *reader, const char *format, ...) ORO_PRINTF(2, 3);
bool oro_script_no_memory(struct oro_script_reader *reader);

/* ---- entry.c: entries of the table at a stack index. A missing one leaves `*value` alone. ---- */
/* Kept in the script's arena. */
bool oro_entry_text(struct oro_script_reader *reader, int table, const char *key, const char **text);
bool oro_entry_number(struct oro_script_reader *reader, int table, const char *key, double *number);
bool oro_entry_int(struct oro_script_reader *reader, int table, const char *key, int *number);
bool oro_entry_bool(struct oro_script_reader *reader, int table, const char *key, bool *value);
/* Pushes the entry: a table, or nil if it is missing. */
bool oro_entry_table(struct oro_script_reader *reader, int table, const char *key);
/* Whether all keys are among `known` (ends with NULL); with `list`, 1 .. length are allowed, too. Otherwise
 * refuses the script and suggests a key. */
bool oro_entry_known(struct oro_script_reader *reader, int table, const char *const *known, bool list);
/* Whether it can be a name both in GLSL and in Lua; otherwise refuses the script. */
bool oro_entry_name(struct oro_script_reader *reader, const char *name);
/* The text at stack index -1, kept in the arena. NULL: it is no text, or memory is out; the script is
 * refused. */
const char *oro_entry_keep(struct oro_script_reader *reader, const char *what);

/* ---- descriptor.c, passes.c ---- */
/* Whether the table has only keys that descriptors know. */
bool oro_script_check_keys(struct oro_script_reader *reader);
bool oro_script_read_descriptor(struct oro_script_reader *reader);
bool oro_script_read_passes(struct oro_script_reader *reader);
/* Whether an input, an output or a buffer can have that name: kernels reserve some words. */
bool oro_script_check_word(struct oro_script_reader *reader, const char *name);

/* ---- script.c, guest.c: leave the table that the script returns at stack index 1 of the state. ---- */
bool oro_script_run(const struct oro_script *script, struct oro_guard *guard, uint64_t seed,
                    struct oro_error *err);
/* The same in a guest: the table has no functions that could be called. */
bool oro_script_run_in_guest(const struct oro_script *script, struct oro_guard *guard, double seconds,
                             struct oro_error *err);

#endif
