/* Statements under masks: functions, choices, loops, and the ways out of them. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "devices/processor/compiler/emit.h"
#include "devices/processor/compiler/scopes.h"

static void emit_list(struct kc_emit *k, const struct kc_node *node);
static void emit_code(struct kc_emit *k, const struct kc_block *block);

const char *kc_mask(struct kc_emit *k)
{
    return k->on ? k->on : "M_(1)";
}

void kc_note_writing(struct kc_emit *k)
{
    k->wrote = true;
    for (struct kc_region *at = k->region; at; at = at->outer)
        if (at->loop)
            kc_learn(k, &at->loop->writes);
}

void kc_enter(struct kc_emit *k, struct kc_fact *loop)
{
    struct kc_region *region = kc_new(k->module, 1, sizeof *region);
    *region = (struct kc_region){.outer = k->region, .loop = loop};
    k->region = region;
}

static struct kc_frame *push(struct kc_emit *k, struct kc_frame frame)
{
    if (k->frame_count == KC_FRAMES_MAX) {
        kc_refuse(k, "statements that are nested deeply");
        k->frame_count--;
    }
    k->frames[k->frame_count] = frame;
    return &k->frames[k->frame_count++];
}

static int innermost(const struct kc_emit *k, enum kc_frame_kind kind)
{
    int i = k->frame_count - 1;
    while (i > 0 && k->frames[i].kind != kind)
        i--;
    return i;
}

/* ---- Ways out ---- */

static bool *fact_of(struct kc_frame *frame)
{
    return frame->kind == KC_FUNCTION ? &frame->fact->returns
           : frame->kind == KC_BODY   ? &frame->fact->skips
                                      : &frame->fact->left;
}

/* The lanes that are here leave all frames from `target` on: by a goto where they are all there are. */
static void leave(struct kc_emit *k, int target)
{
    bool parted = false;
    k->jumps++;
    for (int i = target + 1; i < k->frame_count; i++)
        parted = parted || k->frames[i].parted;
    if (!parted) {
        k->frames[target].labelled = true;
        k->frames[target].exits++;
        kc_line(k, "goto %s;", k->frames[target].label);
        return;
    }
    for (int i = target; i < k->frame_count; i++) {
        struct kc_frame *frame = &k->frames[i];
        if (frame->kind == KC_ARM)
            continue;
        kc_learn(k, fact_of(frame));
        frame->parted = true;
        if (frame->live)
            kc_line(k, "%s = m_off(%s, %s);", frame->live, frame->live, kc_mask(k));
    }
}

/* After a statement in which lanes may have left: those go on that were on before it and are still there. */
static void rejoin(struct kc_emit *k, const char *before, int jumps)
{
    k->on = before;
    if (k->jumps == jumps)
        return;
    const char *live = NULL;
    bool others_wait = false;
    for (int i = innermost(k, KC_FUNCTION); i < k->frame_count; i++) {
        live = k->frames[i].live ? k->frames[i].live : live;
        others_wait = others_wait || (k->frames[i].kind == KC_ARM && k->frames[i].parted);
    }
    if (!live)
        return;
    k->on = kc_number(k, "on");
    if (before)
        kc_line(k, "const M %s = m_and(%s, %s);", k->on, before, live);
    else
        kc_line(k, "const M %s = %s;", k->on, live);
    struct kc_frame *here = &k->frames[k->frame_count - 1];
    if (!others_wait && (here->kind == KC_FUNCTION || here->kind == KC_BODY)) {
        here->labelled = true;
        kc_line(k, "if (!any(%s)) goto %s;", k->on, here->label);
    }
}

static void close_label(struct kc_emit *k, const struct kc_frame *frame)
{
    if (frame->labelled)
        kc_line(k, "%s:;", frame->label);
}

/* ---- Choices ---- */

/* `when`: a test of what is the same along the row that holds in it, "1" if there is none. */
static void emit_arm(struct kc_emit *k, const struct kc_node *list, bool parted, const char *on,
                     const char *head, const char *when)
{
    const char *before = k->on, *outer = k->when;
    k->when = strcmp(when, "1") == 0    ? outer
              : strcmp(outer, "1") == 0 ? when
                                        : kc_textf(k->module, "%s && %s", outer, when);
    struct kc_region *region = k->region;
    kc_enter(k, NULL);
    push(k, (struct kc_frame){.kind = KC_ARM, .parted = parted});
    k->on = on;
    kc_line(k, "%s{", head);
    k->indent++;
    emit_list(k, list);
    k->indent--;
    kc_line(k, "}");
    k->frame_count--;
    k->region = region;
    k->on = before;
    k->when = outer;
}

static bool leads_to_buffer(const struct kc_emit *k, uint32_t id)
{
    for (const uint32_t *at = k->module->ids[id].at; at && kc_op(at) == SpvOpAccessChain;
         at = k->module->ids[id].at)
        id = at[3];
    const struct kc_pointer *p = k->values[id].pointer;
    return p && p->object->place == KC_BUFFER;
}

/* Whether a list consists of no more than `most` instructions, without calls and without memory. */
static bool is_pure(const struct kc_emit *k, const struct kc_node *node, int most)
{
    int count = 0;
    for (; node; node = node->next) {
        if (node->kind == KC_IF || node->kind == KC_SWITCH || node->kind == KC_LOOP)
            return false;
        for (int i = 0; node->kind == KC_CODE && i < node->block->count; i++) {
            const uint32_t *at = node->block->code[i];
            uint32_t op = kc_op(at);
            bool costly = op == SpvOpFunctionCall || (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) ||
                          (op == SpvOpLoad && leads_to_buffer(k, at[3])) ||
                          (op == SpvOpStore && leads_to_buffer(k, at[1]));
            if (costly || ++count > most)
                return false;
        }
    }
    return true;
}

static const char *head_of(struct kc_emit *k, const struct kc_node *list, const char *mask)
{
    enum { SMALL = 8 }; /* costs less than to ask whether any lane wants it */
    return is_pure(k, list, SMALL) ? "" : kc_textf(k->module, "if (any(%s)) ", mask);
}

static const char *mask_of(struct kc_emit *k, const char *condition, bool negated)
{
    const char *name = kc_number(k, "m");
    if (negated && k->on)
        kc_line(k, "const M %s = m_off(%s, %s);", name, k->on, condition);
    else if (negated)
        kc_line(k, "const M %s = m_not(%s);", name, condition);
    else if (k->on)
        kc_line(k, "const M %s = m_and(%s, %s);", name, k->on, condition);
    else
        return condition;
    return name;
}

/* Whether a list is the edge of `&&` or `||` that leads from `block` straight to where both meet. */
static bool is_edge(const struct kc_node *list, const struct kc_block *block)
{
    return list && list->kind == KC_EDGE && !list->next && list->block == block;
}

static const uint32_t *only_phi(const struct kc_emit *k, uint32_t label)
{
    const struct kc_block *block = kc_block_of(k->module, label);
    bool one =
        block && block->count > 1 && kc_op(block->code[0]) == SpvOpPhi && kc_op(block->code[1]) != SpvOpPhi;
    return one && kc_length(block->code[0]) == 7 ? block->code[0] : NULL;
}

/* a && b and a || b, where b costs little: both are worked out, and what is known of them is known of the
 * result. */
static bool emit_logic(struct kc_emit *k, const struct kc_node *node)
{
    enum { CHEAP = 30 };
    int code = is_edge(node->arms[1], node->block) ? 0 : 1;
    const struct kc_node *other = node->arms[1 - code], *arm = node->arms[code];
    if (!is_edge(other, node->block) || !arm || arm->kind != KC_CODE || !arm->next ||
        arm->next->kind != KC_EDGE || arm->next->next || arm->next->target != other->target ||
        !is_pure(k, arm, CHEAP))
        return false;
    const uint32_t *phi = only_phi(k, other->target);
    int direct = phi && phi[4] == node->block->label ? 3 : 5;
    if (!phi || phi[direct] != node->value || kc_type(k->module, phi[1])->scalar != 'b')
        return false;
    struct kc_leaf a = kc_value(k, node->value).leaves[0];
    emit_code(k, arm->block);
    struct kc_value result = {
        .type = phi[1], .count = 1, .leaves = kc_new(k->module, 1, sizeof *result.leaves)};
    result.leaves[0] = kc_logic(k, code == 0 ? '&' : '|', a, kc_value(k, phi[8 - direct]).leaves[0]);
    k->values[phi[2]] = result;
    k->phis[phi[2]].pointer = NULL;
    return true;
}

/* Whether a list ends elsewhere than at its end. */
static bool jumps_out(const struct kc_node *node)
{
    while (node && node->kind != KC_RETURN && node->kind != KC_BREAK && node->kind != KC_CONTINUE)
        node = node->next;
    return node;
}

/* Where the loop that is written out ends, for all lanes that are in it. */
static bool ends_unrolled(struct kc_emit *k, const struct kc_node *list)
{
    int index = innermost(k, KC_LOOP_FRAME);
    struct kc_frame *loop = &k->frames[index];
    bool ends = list->kind == KC_BREAK && loop->unrolled && index + 2 == k->frame_count &&
                !k->frames[index + 1].labelled && !k->frames[index + 1].parted;
    loop->done = loop->done || ends;
    return ends;
}

static void emit_if(struct kc_emit *k, const struct kc_node *node)
{
    if (emit_logic(k, node))
        return;
    struct kc_leaf c = kc_decide(k, kc_value(k, node->value).leaves[0]);
    const char *before = k->on, *masks[2] = {NULL, NULL};
    int jumps = k->jumps, literal;
    for (int i = 0; i < 2; i++)
        if (node->arms[i] && node->arms[i]->kind == KC_BREAK)
            kc_end_table(k, c, i == 1);
    if (kc_literal(c, &literal)) {
        const struct kc_node *arm = node->arms[literal ? 0 : 1];
        if (!jumps_out(arm))
            emit_list(k, arm);
        if (!jumps_out(arm) || ends_unrolled(k, arm))
            return;
    }
    if (!c.wide) {
        if (node->arms[0])
            emit_arm(k, node->arms[0], false, before, kc_textf(k->module, "if (%s) ", c.text),
                     c.span == &kc_row ? c.text : "1");
        if (node->arms[1])
            emit_arm(k, node->arms[1], false, before,
                     node->arms[0] ? "else " : kc_textf(k->module, "if (!%s) ", c.text),
                     c.span == &kc_row ? kc_textf(k->module, "!%s", c.text) : "1");
        rejoin(k, before, jumps);
        return;
    }
    for (int i = 0; i < 2; i++)
        masks[i] = node->arms[i] ? mask_of(k, c.text, i == 1) : NULL;
    for (int i = 0; i < 2; i++)
        if (node->arms[i])
            emit_arm(k, node->arms[i], true, masks[i], head_of(k, node->arms[i], masks[i]), "1");
    rejoin(k, before, jumps);
}

static const char *condition_of(struct kc_emit *k, struct kc_leaf selector, const struct kc_case *one)
{
    struct kc_leaf any = kc_uniform('b', "0");
    for (int i = 0; i < one->count; i++) {
        struct kc_leaf here =
            kc_compare(k, "==", kc_int(k, selector), kc_literal_of(k, 'i', (int)one->literals[i]));
        any = i ? kc_logic(k, '|', any, here) : here;
    }
    return any.text;
}

static void emit_case(struct kc_emit *k, const struct kc_case *one, struct kc_leaf selector,
                      const char *condition)
{
    if (!one->body)
        return;
    if (!selector.wide) {
        emit_arm(k, one->body, false, k->on, kc_textf(k->module, "if (%s) ", condition), "1");
        return;
    }
    const char *mask = mask_of(k, condition, false);
    emit_arm(k, one->body, true, mask, head_of(k, one->body, mask), "1");
}

static void emit_switch(struct kc_emit *k, const struct kc_node *node)
{
    struct kc_leaf selector = kc_value(k, node->value).leaves[0];
    const char *before = k->on, *rest = NULL;
    int jumps = k->jumps;
    for (const struct kc_case *one = node->cases; one; one = one->next) {
        const char *condition = condition_of(k, selector, one);
        if (!one->rest)
            emit_case(k, one, selector, condition);
        if (!one->count)
            continue;
        const char *named = kc_textf(k->module, selector.wide ? "m_or(%s, %s)" : "%s | %s",
                                     rest ? rest : condition, condition);
        rest = kc_temporary(k, selector.wide, 'b', named).text;
    }
    for (const struct kc_case *one = node->cases; one; one = one->next) {
        if (!one->rest)
            continue;
        struct kc_leaf named = {.wide = selector.wide,
                                .type = 'b',
                                .text = rest            ? rest
                                        : selector.wide ? "M_(0)"
                                                        : "0"};
        struct kc_leaf others = kc_not(k, named);
        if (one->count)
            others = kc_logic(
                k, '|', others,
                (struct kc_leaf){.wide = selector.wide, .type = 'b', .text = condition_of(k, selector, one)});
        emit_case(k, one, selector, others.text);
    }
    rejoin(k, before, jumps);
}

/* ---- Loops ---- */

/* An iteration: the body, and what `continue` leads to. */
static void emit_iteration(struct kc_emit *k, const struct kc_node *node, int index, struct kc_fact *fact)
{
    const char *before = k->on;
    struct kc_frame *loop = &k->frames[index];
    if (loop->live)
        kc_line(k, "const M %s = %s;", k->on = kc_number(k, "on"), loop->live);
    struct kc_frame *body =
        push(k, (struct kc_frame){.kind = KC_BODY, .fact = fact, .label = kc_number(k, "next")});
    if (fact->skips) {
        body->live = kc_number(k, "live");
        kc_line(k, "M %s = %s;", body->live, kc_mask(k));
    }
    struct kc_region *inside = k->region;
    kc_enter(k, NULL);
    emit_list(k, node->arms[0]);
    k->region->open = !k->frames[index + 1].labelled && !fact->skips && !fact->left;
    close_label(k, &k->frames[index + 1]);
    k->region = inside;
    k->frame_count = index + 1;
    k->on = before;
    loop = &k->frames[index];
    if (loop->done)
        return;
    if (loop->live)
        kc_line(k, "const M %s = %s;", k->on = kc_number(k, "on"), loop->live);
    emit_list(k, node->arms[1]);
    if (loop->live && loop->unrolled)
        kc_line(k, "if (!any(%s)) goto %s;", loop->live, loop->label);
    else if (loop->live)
        kc_line(k, "if (!any(%s)) break;", loop->live);
    k->frames[index].labelled = k->frames[index].labelled || (loop->live && loop->unrolled);
    k->on = before;
}

/* Iterations one after the other, as long as it is known now that there is another. */
static void unroll(struct kc_emit *k, const struct kc_node *node, int index, struct kc_fact *fact)
{
    enum { ITERATIONS_MAX = 9, TEXT_MAX = 200000 };
    size_t before = k->body.length;
    for (int i = 0; !k->frames[index].done && !fact->rolled; i++) {
        if (i > ITERATIONS_MAX || k->body.length > before + TEXT_MAX) {
            kc_learn(k, &fact->rolled);
            return;
        }
        emit_iteration(k, node, index, fact);
    }
}

static void emit_loop(struct kc_emit *k, const struct kc_node *node)
{
    struct kc_fact *fact = kc_fact_of(k, kc_textf(k->module, "%s:%u", k->path, node->block->label), 1);
    const char *before = k->on;
    struct kc_region *region = k->region;
    int jumps = k->jumps, index = k->frame_count;
    struct kc_frame *loop =
        push(k, (struct kc_frame){.kind = KC_LOOP_FRAME, .fact = fact, .label = kc_number(k, "left")});
    loop->unrolled = k->fast && !fact->rolled;
    if (fact->left) {
        loop->parted = true;
        loop->live = kc_number(k, "live");
        kc_line(k, "M %s = %s;", loop->live, kc_mask(k));
    }
    const char *n = kc_open_table(k, loop);
    if (!loop->unrolled) /* names of what is written out go on behind it */
        kc_line(k, n ? "for (int %s = 0;; %s++) {" : "for (;;) {", n, n);
    k->indent += !loop->unrolled;
    kc_enter(k, loop->unrolled ? NULL : fact);
    if (loop->unrolled)
        unroll(k, node, index, fact);
    else
        emit_iteration(k, node, index, fact);
    struct kc_frame done = k->frames[index];
    k->indent -= !done.unrolled;
    if (!done.unrolled)
        kc_line(k, "}");
    k->region->open = done.unrolled && !done.labelled && !fact->left;
    k->frame_count = index;
    k->region = region;
    kc_close_table(k, &done);
    close_label(k, &done);
    rejoin(k, before, jumps);
}

static void emit_until(struct kc_emit *k, const struct kc_node *node)
{
    struct kc_leaf c = kc_value(k, node->value).leaves[0];
    struct kc_frame *loop = &k->frames[innermost(k, KC_LOOP_FRAME)];
    int literal;
    if (loop->unrolled) {
        if (kc_literal(c, &literal))
            loop->done = !literal == node->goes_on;
        else
            kc_learn(k, &loop->fact->rolled);
        return;
    }
    if (!c.wide) {
        kc_end_table(k, c, node->goes_on);
        loop->exits++;
        kc_line(k, "if (%s%s) break;", node->goes_on ? "!" : "", c.text);
        return;
    }
    kc_learn(k, &loop->fact->left);
    if (loop->live)
        kc_line(k, "%s = %s(%s, %s);", loop->live, node->goes_on ? "m_and" : "m_off", loop->live, c.text);
}

/* ---- Functions ---- */

static void emit_edge(struct kc_emit *k, const struct kc_node *node)
{
    const struct kc_block *to = kc_block_of(k->module, node->target);
    for (int i = 0; i < to->count && kc_op(to->code[i]) == SpvOpPhi; i++) {
        const uint32_t *phi = to->code[i];
        for (int j = 3; j + 1 < kc_length(phi); j += 2)
            if (phi[j + 1] == node->block->label && k->phis[phi[2]].pointer) {
                struct kc_value value = kc_value(k, phi[j]);
                kc_store(k, k->phis[phi[2]].pointer, &value);
            }
    }
}

static void emit_code(struct kc_emit *k, const struct kc_block *block)
{
    for (int i = 0; i + 1 < block->count && !k->module->problem; i++)
        kc_instruction(k, block->code[i]);
    if (k->body.length > (size_t)KC_LINES_MAX * 64)
        kc_refuse(k, "a long function");
}

static void emit_return(struct kc_emit *k, const struct kc_node *node)
{
    int function = innermost(k, KC_FUNCTION);
    if (node->value) {
        struct kc_value value = kc_value(k, node->value);
        kc_store(k, k->frames[function].result, &value);
    }
    if (function != k->frame_count - 1)
        leave(k, function);
}

static void emit_list(struct kc_emit *k, const struct kc_node *node)
{
    int loop = innermost(k, KC_LOOP_FRAME);
    for (; node && !k->module->problem && !k->frames[loop].done; node = node->next)
        switch (node->kind) {
        case KC_CODE:
            emit_code(k, node->block);
            break;
        case KC_EDGE:
            emit_edge(k, node);
            break;
        case KC_IF:
            emit_if(k, node);
            break;
        case KC_SWITCH:
            emit_switch(k, node);
            break;
        case KC_LOOP:
            emit_loop(k, node);
            break;
        case KC_UNTIL:
            emit_until(k, node);
            break;
        case KC_BREAK:
            leave(k, innermost(k, KC_LOOP_FRAME));
            break;
        case KC_CONTINUE:
            leave(k, innermost(k, KC_BODY));
            break;
        case KC_RETURN:
            emit_return(k, node);
            break;
        }
}

static void declare_variables(struct kc_emit *k, const struct kc_function *function, int frame)
{
    const struct kc_module *m = k->module;
    for (int i = 0; i < function->block_count; i++)
        for (int j = 0; j < function->blocks[i].count; j++) {
            const uint32_t *at = function->blocks[i].code[j];
            uint32_t op = kc_op(at);
            if (op != SpvOpVariable && op != SpvOpPhi)
                continue;
            uint32_t id = at[2];
            uint32_t type = op == SpvOpPhi ? at[1] : kc_type(m, at[1])->element;
            const char *name = op == SpvOpPhi ? "phi" : m->ids[id].name;
            struct kc_value value = {
                .type = at[1],
                .pointer = kc_whole(k, kc_variable(k, k->path, name, id, type, frame + function->homes[id]))};
            (op == SpvOpPhi ? k->phis : k->values)[id] = value;
        }
}

struct kc_value kc_inline(struct kc_emit *k, const struct kc_function *function, const char *path)
{
    const char *before = k->on, *outer = k->path, *name = k->module->ids[function->id].name;
    int frame = k->frame_count;
    struct kc_region *region = k->region;
    struct kc_pointer *result = NULL;
    struct kc_value none = {0};
    k->path = path;
    if (kc_type(k->module, function->result)->kind != KC_VOID)
        result = kc_whole(k, kc_variable(k, path, "result", 0, function->result, frame - 1));
    push(k, (struct kc_frame){.kind = KC_FUNCTION,
                              .fact = kc_fact_of(k, kc_textf(k->module, "%s:call", path), 1),
                              .label = kc_number(k, "end"),
                              .result = result});
    kc_line(k, "/* %.*s */", name ? (int)strcspn(name, "(") : 0, name ? name : "");
    kc_enter(k, NULL);
    declare_variables(k, function, frame);
    if (k->frames[frame].fact->returns) {
        k->frames[frame].live = kc_number(k, "live");
        kc_line(k, "M %s = %s;", k->frames[frame].live, kc_mask(k));
    }
    emit_list(k, function->tree);
    k->region->open = !k->frames[frame].labelled && !k->frames[frame].fact->returns;
    close_label(k, &k->frames[frame]);
    k->frame_count = frame;
    k->region = region;
    k->on = before;
    k->path = outer;
    return result ? kc_load(k, result) : none;
}
