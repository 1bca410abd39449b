#include "devices/processor/compiler/scopes.h"

#include <spirv/unified1/spirv.h>

/* ---- Nesting ---- */

/* What the blocks of a region may jump to. The region ends at `merge`. */
struct scope {
    const struct scope *outer;
    uint32_t merge, loop_merge, loop_continue;
};

struct nesting {
    struct kc_module *module;
    const struct kc_function *function;
    struct kc_node **end; /* where the next statement goes */
};

static struct kc_node *add(struct nesting *n, enum kc_statement kind, const struct kc_block *block)
{
    struct kc_node *node = kc_new(n->module, 1, sizeof *node);
    node->kind = kind;
    node->block = block;
    *n->end = node;
    n->end = &node->next;
    return node;
}

static const uint32_t *last_of(const struct kc_block *block)
{
    return block->code[block->count - 1];
}

/* The merge instruction of a block, or NULL. */
static const uint32_t *merge_of(const struct kc_block *block, uint32_t op)
{
    const uint32_t *at = block->count > 1 ? block->code[block->count - 2] : NULL;
    return at && kc_op(at) == op ? at : NULL;
}

static void nest(struct nesting *n, uint32_t label, const struct scope *scope);

/* A branch to a block: the label to go on with, or 0 where the statement list ends here. */
static uint32_t follow(struct nesting *n, const struct kc_block *from, uint32_t target,
                       const struct scope *scope)
{
    const struct kc_block *to = kc_block(n->function, target);
    if (to && to->count && kc_op(to->code[0]) == SpvOpPhi)
        add(n, KC_EDGE, from)->target = target;
    if (target == scope->merge)
        return 0;
    if (target == scope->loop_merge || target == scope->loop_continue) {
        add(n, target == scope->loop_merge ? KC_BREAK : KC_CONTINUE, from);
        return 0;
    }
    for (const struct scope *s = scope->outer; s; s = s->outer)
        if (target == s->merge) {
            n->module->problem = "a jump out of a switch from within an arm";
            return 0;
        }
    return target;
}

/* The statements that begin with a branch to `target`. */
static struct kc_node *nest_arm(struct nesting *n, const struct kc_block *from, uint32_t target,
                                const struct scope *scope)
{
    struct kc_node *arm = NULL, **end = n->end;
    n->end = &arm;
    nest(n, follow(n, from, target, scope), scope);
    n->end = end;
    return arm;
}

static struct scope scope_within(const struct scope *outer, uint32_t merge)
{
    return (struct scope){outer, merge, outer->loop_merge, outer->loop_continue};
}

static uint32_t nest_if(struct nesting *n, const struct kc_block *block, const struct scope *scope)
{
    const uint32_t *end = last_of(block), *merge = merge_of(block, SpvOpSelectionMerge);
    if (merge) {
        struct scope inside = scope_within(scope, merge[1]);
        struct kc_node *node = add(n, KC_IF, block);
        node->value = end[1];
        node->arms[0] = nest_arm(n, block, end[2], &inside);
        node->arms[1] = nest_arm(n, block, end[3], &inside);
        return merge[1];
    }
    /* The condition of a loop: one of its ways leaves. At the loop's end the other leads back to its start.
     */
    int leaves = end[2] == scope->loop_merge ? 0 : 1;
    if (end[2 + leaves] != scope->loop_merge)
        return n->module->problem = "a branch without a merge", 0;
    if (end[3 - leaves] == scope->merge) {
        struct kc_node *node = add(n, KC_UNTIL, block);
        node->value = end[1];
        node->goes_on = leaves == 1;
        return 0;
    }
    struct kc_node *node = add(n, KC_IF, block);
    node->value = end[1];
    node->arms[leaves] = nest_arm(n, block, end[2 + leaves], scope);
    return follow(n, block, end[3 - leaves], scope);
}

static struct kc_case *case_of(struct nesting *n, struct kc_node *node, uint32_t target)
{
    struct kc_case **at = &node->cases;
    while (*at && (*at)->target != target)
        at = &(*at)->next;
    if (!*at) {
        *at = kc_new(n->module, 1, sizeof **at);
        (*at)->target = target;
    }
    return *at;
}

static uint32_t nest_switch(struct nesting *n, const struct kc_block *block, const struct scope *scope)
{
    const uint32_t *end = last_of(block), *merge = merge_of(block, SpvOpSelectionMerge);
    if (!merge)
        return n->module->problem = "a switch without a merge", 0;
    struct kc_node *node = add(n, KC_SWITCH, block);
    node->value = end[1];
    for (int i = 3; i + 1 < kc_length(end); i += 2) {
        struct kc_case *one = case_of(n, node, end[i + 1]);
        if (one->count == (int)(sizeof one->literals / sizeof *one->literals))
            return n->module->problem = "a case of many numbers", 0;
        one->literals[one->count++] = end[i];
    }
    case_of(n, node, end[2])->rest = true;
    struct scope inside = scope_within(scope, merge[1]);
    for (struct kc_case *one = node->cases; one; one = one->next)
        one->body = nest_arm(n, block, one->target, &inside);
    return merge[1];
}

static uint32_t nest_end(struct nesting *n, const struct kc_block *block, const struct scope *scope)
{
    const uint32_t *end = last_of(block);
    switch (kc_op(end)) {
    case SpvOpBranch:
        return follow(n, block, end[1], scope);
    case SpvOpBranchConditional:
        return nest_if(n, block, scope);
    case SpvOpSwitch:
        return nest_switch(n, block, scope);
    case SpvOpReturnValue:
        add(n, KC_RETURN, block)->value = end[1];
        return 0;
    case SpvOpReturn:
        add(n, KC_RETURN, block);
        return 0;
    default: /* OpUnreachable: after a selection that returns in all its arms */
        return 0;
    }
}

static uint32_t nest_loop(struct nesting *n, const struct kc_block *block, const uint32_t *merge,
                          const struct scope *scope)
{
    struct kc_node *loop = add(n, KC_LOOP, block), **end = n->end;
    struct scope body = {scope, merge[2], merge[1], merge[2]}, back = {scope, block->label, merge[1], 0};
    n->end = &loop->arms[0];
    add(n, KC_CODE, block);
    nest(n, nest_end(n, block, &body), &body);
    n->end = &loop->arms[1];
    nest(n, merge[2], &back);
    n->end = end;
    return merge[1];
}

static void nest(struct nesting *n, uint32_t label, const struct scope *scope)
{
    while (label && !n->module->problem) {
        const struct kc_block *block = kc_block(n->function, label);
        if (!block || !block->count) {
            n->module->problem = "a branch to no block";
            return;
        }
        const uint32_t *loop = merge_of(block, SpvOpLoopMerge);
        if (loop) {
            label = nest_loop(n, block, loop, scope);
            continue;
        }
        add(n, KC_CODE, block);
        label = nest_end(n, block, scope);
    }
}

/* ---- Homes ---- */

struct frame {
    const struct frame *outer;
    int depth;
    bool loop;
};

struct use {
    struct use *next;
    const struct frame *frame;
    bool load;
};

struct uses {
    const struct kc_module *module;
    struct use **of;  /* by variable */
    uint32_t *owners; /* by access chain: the variable that it leads into */
};

static const struct frame *inner(const struct uses *u, const struct frame *outer, bool loop)
{
    struct frame *frame = kc_new(u->module, 1, sizeof *frame);
    *frame = (struct frame){outer, outer->depth + 1, loop};
    return frame;
}

static void note(struct uses *u, uint32_t id, const struct frame *frame, bool load)
{
    uint32_t variable = u->owners[id] ? u->owners[id] : id;
    struct use *use = kc_new(u->module, 1, sizeof *use);
    *use = (struct use){u->of[variable], frame, load};
    u->of[variable] = use;
}

static void note_code(struct uses *u, const struct kc_block *block, const struct frame *frame)
{
    for (int i = 0; i < block->count; i++) {
        const uint32_t *at = block->code[i];
        if (kc_op(at) == SpvOpAccessChain)
            u->owners[at[2]] = u->owners[at[3]] ? u->owners[at[3]] : at[3];
        else if (kc_op(at) == SpvOpLoad)
            note(u, at[3], frame, true);
        else if (kc_op(at) == SpvOpStore)
            note(u, at[1], frame, false);
        else if (kc_op(at) == SpvOpFunctionCall)
            for (int j = 4; j < kc_length(at); j++)
                note(u, at[j], frame, true);
    }
}

static void note_phis(struct uses *u, const struct kc_block *block, const struct frame *frame)
{
    for (int i = 0; i < block->count && kc_op(block->code[i]) == SpvOpPhi; i++)
        note(u, block->code[i][2], frame, true);
}

static void note_list(struct uses *u, const struct kc_node *node, const struct frame *frame)
{
    for (; node; node = node->next) {
        if (node->kind == KC_CODE) {
            note_phis(u, node->block, frame);
            note_code(u, node->block, frame);
        } else if (node->kind == KC_LOOP) {
            const struct frame *loop = inner(u, frame, true);
            note_list(u, node->arms[0], inner(u, loop, false));
            note_list(u, node->arms[1], loop);
        } else if (node->kind == KC_IF) {
            for (int i = 0; i < 2; i++)
                note_list(u, node->arms[i], inner(u, frame, false));
        }
        for (const struct kc_case *one = node->cases; one; one = one->next)
            note_list(u, one->body, inner(u, frame, false));
    }
}

static const struct frame *common(const struct frame *a, const struct frame *b)
{
    while (a != b) {
        if (a->depth >= b->depth)
            a = a->outer;
        else
            b = b->outer;
    }
    return a;
}

static const struct frame *outside(const struct frame *frame, int depth)
{
    while (frame->depth > depth)
        frame = frame->outer;
    return frame;
}

static int home_of(const struct use *uses)
{
    const struct frame *all = NULL, *loads = NULL;
    for (const struct use *use = uses; use; use = use->next) {
        all = all ? common(all, use->frame) : use->frame;
        if (use->load)
            loads = loads ? common(loads, use->frame) : use->frame;
    }
    if (!all || !loads || loads->depth <= all->depth)
        return all ? all->depth : 0;
    const struct frame *within = outside(loads, all->depth + 1);
    for (const struct use *use = uses; use; use = use->next)
        if (!within->loop || (use->frame != all && outside(use->frame, within->depth) != within))
            return all->depth;
    return within->depth;
}

static int *homes_in(const struct kc_module *module, const struct kc_function *function)
{
    static const struct frame top;
    struct uses u = {module, kc_new(module, module->bound, sizeof *u.of),
                     kc_new(module, module->bound, sizeof *u.owners)};
    int *homes = kc_new(module, module->bound, sizeof *homes);
    note_list(&u, function->tree, &top);
    for (uint32_t i = 0; i < module->bound; i++)
        homes[i] = home_of(u.of[i]);
    return homes;
}

bool kc_nest(struct kc_module *module)
{
    for (int i = 0; i < module->function_count; i++) {
        struct kc_function *function = &module->functions[i];
        struct nesting n = {module, function, &function->tree};
        struct scope none = {0};
        if (function->block_count)
            nest(&n, function->blocks[0].label, &none);
        function->homes = homes_in(module, function);
    }
    return !module->problem;
}
