/*
 * A SPIR-V module as kernelc reads it: what glslang writes for one kernel (SPIR-V specification 1.0,
 * GLSL.std.450), unoptimised and structured. Instructions stay where they are in the file; ids lead to them.
 */
#ifndef ORO_KERNELC_MODULE_H
#define ORO_KERNELC_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum kc_kind { KC_VOID, KC_SCALAR, KC_VECTOR, KC_MATRIX, KC_ARRAY, KC_STRUCT, KC_POINTER, KC_OTHER };

struct kc_type {
    enum kc_kind kind;
    char scalar;             /* of a scalar: f, i, u or b */
    uint32_t element;        /* id of the type of elements, or of what a pointer leads to */
    int count;               /* elements or members; 0: as many as the buffer has */
    const uint32_t *members; /* ids of the types of a struct's members */
    uint32_t storage;        /* SpvStorageClass of a pointer */
    int leaves;              /* scalars that a value consists of */
    int stride;              /* words from one element in memory to the next */
    int *offsets;            /* words from a struct's start to its members, in memory */
};

/* What an id stands for. */
struct kc_id {
    const uint32_t *at; /* the instruction that makes it; NULL: none does */
    const char *name;
    struct kc_type *type;      /* if it is a type */
    const char **member_names; /* of a struct */
    int binding, builtin;      /* -1: not decorated with it */
};

struct kc_block {
    uint32_t label;
    const uint32_t **code; /* its instructions after the label */
    int count;
};

struct kc_function {
    uint32_t id, result; /* result: id of a type */
    const uint32_t **parameters;
    struct kc_block *blocks;
    int parameter_count, block_count;
    struct kc_node *tree; /* its blocks as nested statements, */
    int *homes;           /* and how deep in them each of its variables lives, by id (scopes.h) */
};

struct kc_module {
    struct oro_arena *arena;
    const uint32_t *words;
    struct kc_id *ids;
    uint32_t bound; /* ids are below this */
    struct kc_function *functions;
    const uint32_t **globals; /* OpVariable outside of functions */
    int function_count, global_count;
    uint32_t main;
    int local_size[3];
    const char *problem; /* what kernelc does not translate; NULL: nothing was found */
};

/* Opcode of an instruction, and its operands: words after the first, without result type and result. */
static inline uint32_t kc_op(const uint32_t *at)
{
    return *at & 0xffff;
}
static inline int kc_length(const uint32_t *at)
{
    return (int)(*at >> 16);
}

/* Reads a module; false: `problem` says what is wrong with it. `words` stay in use. */
bool kc_read(struct kc_module *module, const uint32_t *words, size_t count);
const struct kc_type *kc_type(const struct kc_module *module, uint32_t id);
const struct kc_function *kc_function(const struct kc_module *module, uint32_t id);
struct kc_block *kc_block(const struct kc_function *function, uint32_t label);
const struct kc_block *kc_block_of(const struct kc_module *module, uint32_t label); /* of any function */
/* The types of a value's scalars, one letter each. */
const char *kc_letters(const struct kc_module *module, uint32_t type);
/* Copies in the module's arena; ends the program where there is no memory. */
char *kc_textf(const struct kc_module *module, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *kc_new(const struct kc_module *module, size_t count, size_t size);

#endif
