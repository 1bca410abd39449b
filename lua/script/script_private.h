/* Shared by the files that read scripts: script.c (running them), descriptor.c (inputs and outputs), passes.c
 * (kernels, buffers, passes), entry.c (looking into tables). */
#ifndef ORO_LUA_SCRIPT_SCRIPT_PRIVATE_H
#define ORO_LUA_SCRIPT_SCRIPT_PRIVATE_H

#include "lua/script/script.h"

/* A script while it is read, its table lying at stack index 1. The functions below that return bool return
 * false once it has failed. They raise Lua errors when memory is out. */
struct oro_script_reader {
    struct oro_script *script;
    lua_State *lua;
    struct oro_input *inputs; /* of the type, once they are read */
    /* For messages: what is being looked at, "input", and its name; NULL: the script as a whole. */
    const char *what, *name;
    struct oro_error *err;
};

/* Fails with "NAME:LINE: input 'x': ...", the line being the first in which the name occurs in quotes. */
bool oro_script_refuse(struct oro_script_reader *reader, const char *format, ...) ORO_PRINTF(2, 3);
bool oro_script_no_memory(struct oro_script_reader *reader);

/* ---- entry.c: entries of the table at a stack index. A missing one leaves `*value` alone. ---- */
/* Kept in the script's arena. */
bool oro_entry_text(struct oro_script_reader *reader, int table, const char *key, const char **text);
bool oro_entry_number(struct oro_script_reader *reader, int table, const char *key, double *number);
bool oro_entry_int(struct oro_script_reader *reader, int table, const char *key, int *number);
bool oro_entry_bool(struct oro_script_reader *reader, int table, const char *key, bool *value);
/* Pushes it: a table, or nil where there is none. */
bool oro_entry_table(struct oro_script_reader *reader, int table, const char *key);
/* Whether all keys that are texts are among `known` (ends with NULL), and no others occur but 1 .. length
 * where `list` is set; refuses otherwise, with a suggestion. */
bool oro_entry_known(struct oro_script_reader *reader, int table, const char *const *known, bool list);
/* Whether a name can be one in GLSL and in Lua. */
bool oro_entry_name(struct oro_script_reader *reader, const char *name);
/* The text at stack index -1, kept in the arena. NULL: it is none, or memory is out; refused. */
const char *oro_entry_keep(struct oro_script_reader *reader, const char *what);

/* ---- descriptor.c, passes.c ---- */
/* Whether the table has no keys that descriptors do not know. */
bool oro_script_check_keys(struct oro_script_reader *reader);
bool oro_script_read_descriptor(struct oro_script_reader *reader);
bool oro_script_read_passes(struct oro_script_reader *reader);
/* Whether an input, an output or a buffer can have that name: in kernels not every word can be one. */
bool oro_script_check_word(struct oro_script_reader *reader, const char *name);

#endif
