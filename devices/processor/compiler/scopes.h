/*
 * The blocks of a function as nested statements, from SPIR-V's merge instructions, and how deep in them each
 * variable lives.
 */
#ifndef ORO_KERNELC_SCOPES_H
#define ORO_KERNELC_SCOPES_H

#include "devices/processor/compiler/module.h"

enum kc_statement {
    KC_CODE,     /* the instructions of `block`, without its end */
    KC_EDGE,     /* from `block` to `target`, which takes its phis' values from there */
    KC_IF,       /* by `value`: arms[0] where it is true, arms[1] where it is not */
    KC_SWITCH,   /* by `value`: one of `cases` */
    KC_LOOP,     /* arms[0], then arms[1], which `continue` leads to, for ever */
    KC_UNTIL,    /* at the end of a loop: lanes where `value` is not `goes_on` leave it */
    KC_BREAK,    /* out of the loop */
    KC_CONTINUE, /* to its arms[1] */
    KC_RETURN,   /* with `value`, if not 0 */
};

struct kc_case {
    struct kc_case *next;
    struct kc_node *body;
    uint32_t target;
    uint32_t literals[32];
    int count;
    bool rest; /* what no case names */
};

struct kc_node {
    enum kc_statement kind;
    struct kc_node *next;
    const struct kc_block *block;
    uint32_t target, value;
    bool goes_on;
    struct kc_node *arms[2];
    struct kc_case *cases;
};

/*
 * Makes the trees of all functions, and finds the homes of their variables: the number of frames (a loop and
 * its body are two, each arm or case is one) around all that uses the variable. One that is only set before a
 * loop, and read in it, lives within the loop. False: module->problem.
 */
bool kc_nest(struct kc_module *module);

#endif
