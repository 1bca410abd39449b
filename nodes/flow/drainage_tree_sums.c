/* What follows from the tree, on the device: by pointer doubling, in as many rounds as the longest way has
 * digits in binary. */
#include "nodes/flow/drainage_tree_private.h"

enum { POINTER, POINTER_OUT, FIRST_SUM };

/* What travels: pairs of buffers, of before and after a round. */
struct sums {
    struct oro_buffer *now[4], *after[4];
    int count, kind;
};

static void plan_sums(struct oro_tree *tree, int kind, struct sums *sums)
{
    struct oro_buffer *const *s = tree->scratch;
    *sums = (struct sums){.now = {s[POINTER]}, .after = {s[POINTER_OUT]}, .count = 1, .kind = kind};
    int numbers =
        ((kind & TREE_SUM_LOWEST) != 0) + ((kind & TREE_SUM_CELLS) != 0) + (kind & TREE_SUM_RAIN) / 2;
    for (int i = 0; i < numbers; i++) {
        sums->now[sums->count] = s[FIRST_SUM + 2 * i];
        sums->after[sums->count++] = s[FIRST_SUM + 2 * i + 1];
    }
}

static bool start(struct oro_tree *tree, const struct sums *sums)
{
    struct oro_buffer *buffers[2 + 4] = {tree->z, tree->next};
    for (int i = 0; i < sums->count; i++)
        buffers[2 + i] = sums->now[i];
    return oro_tree_run(tree, TREE_START + sums->kind, buffers, NULL);
}

/* Advances the pointers, adds the sums, and swaps. */
static bool add_round(struct oro_tree *tree, struct sums *sums, float distance, int flag)
{
    struct oro_buffer *advance[9], *add[9];
    float constants[] = {(float)flag, distance};
    int n = 0, m = 0;
    add[m++] = sums->now[0];
    for (int i = 0; i < sums->count; i++) {
        advance[n++] = sums->now[i];
        advance[n++] = sums->after[i];
        if (i) {
            add[m++] = sums->now[i];
            add[m++] = sums->after[i];
        }
    }
    advance[n] = tree->flags;
    if (!oro_tree_run(tree, TREE_ADVANCE + sums->kind, advance, constants) ||
        !oro_tree_run(tree, TREE_ADD + sums->kind, add, constants))
        return false;
    for (int i = 0; i < sums->count; i++)
        oro_tree_swap(&sums->now[i], &sums->after[i]);
    return true;
}

/* Whether after `rounds` rounds it is time to look whether any pointer is left, which costs a wait. */
static bool time_to_look(const struct oro_tree *tree, int rounds)
{
    return rounds >= oro_tree_usual_rounds(tree);
}

static bool add_all(struct oro_tree *tree, struct sums *sums)
{
    float distance = 1;
    for (int rounds = 1;; rounds++, distance *= 2) {
        int flag = oro_tree_new_flags(tree, 1);
        if (flag < 0 || !add_round(tree, sums, distance, flag) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_tree_read_flags(tree))
            return false;
        if (!oro_tree_flag_up(tree, flag))
            return true;
    }
}

static bool write_carved(struct oro_tree *tree, struct oro_buffer *lowest, struct oro_buffer *carved)
{
    int flag = oro_tree_new_flags(tree, 1);
    struct oro_buffer *buffers[] = {tree->z, lowest, carved, tree->flags};
    float constants[] = {(float)flag};
    if (flag < 0 || !oro_tree_run(tree, TREE_BREACH, buffers, constants) || !oro_tree_read_flags(tree))
        return false;
    return !oro_tree_flag_up(tree, flag) || oro_tree_host_complain(tree, false);
}

static bool write_drainage(struct oro_tree *tree, const struct sums *sums, int at,
                           struct oro_buffer *drainage)
{
    struct oro_buffer *cells[] = {sums->now[at], drainage};
    struct oro_buffer *rain[] = {sums->now[at], sums->now[at + 1], drainage};
    if (sums->kind & TREE_SUM_RAIN)
        return oro_tree_run(tree, TREE_RAIN_DRAINAGE, rain, NULL);
    return oro_tree_run(tree, TREE_DRAINAGE, cells, NULL);
}

bool oro_tree_collect(struct oro_tree *tree, bool rain, struct oro_buffer *drainage,
                      struct oro_buffer *carved)
{
    if (tree->on_processor)
        return oro_tree_host_collect(tree, rain, drainage, carved);
    struct sums sums;
    int kind = (carved ? TREE_SUM_LOWEST : 0) + (drainage ? (rain ? TREE_SUM_RAIN : TREE_SUM_CELLS) : 0);
    plan_sums(tree, kind, &sums);
    return start(tree, &sums) && add_all(tree, &sums) &&
           (!carved || write_carved(tree, sums.now[1], carved)) &&
           (!drainage || write_drainage(tree, &sums, carved ? 2 : 1, drainage));
}

/* Maxima along the way down. The result is in scratch[FIRST_SUM]. */
static bool climb_all(struct oro_tree *tree, int kernel)
{
    struct oro_buffer **s = tree->scratch;
    float distance = 1;
    for (int rounds = 1;; rounds++, distance *= 2) {
        int flag = oro_tree_new_flags(tree, 1);
        float constants[] = {(float)flag, distance};
        struct oro_buffer *buffers[] = {s[POINTER], s[POINTER_OUT], s[FIRST_SUM], s[FIRST_SUM + 1],
                                        tree->flags};
        if (flag < 0 || !oro_tree_run(tree, kernel, buffers, constants) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        oro_tree_swap(&s[POINTER], &s[POINTER_OUT]);
        oro_tree_swap(&s[FIRST_SUM], &s[FIRST_SUM + 1]);
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_tree_read_flags(tree))
            return false;
        if (!oro_tree_flag_up(tree, flag))
            return true;
    }
}

bool oro_tree_solve(struct oro_tree *tree, struct oro_buffer *a, struct oro_buffer *b, struct oro_buffer *h)
{
    if (tree->on_processor)
        return oro_tree_host_solve(tree, a, b, h);
    struct oro_buffer **s = tree->scratch, *first[] = {tree->next, s[POINTER]};
    struct oro_buffer *from = a, *to = s[FIRST_SUM], *spare = s[FIRST_SUM + 1], *b_out = s[FIRST_SUM + 2];
    if (!oro_tree_run(tree, TREE_SOLVE_START, first, NULL))
        return false;
    for (int rounds = 1;; rounds++) {
        int flag = oro_tree_new_flags(tree, 1);
        float constants[] = {(float)flag};
        struct oro_buffer *buffers[] = {s[POINTER], s[POINTER_OUT], from, to, b, b_out, tree->flags};
        if (flag < 0 || !oro_tree_run(tree, TREE_SOLVE, buffers, constants) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        oro_tree_swap(&s[POINTER], &s[POINTER_OUT]);
        oro_tree_swap(&b, &b_out);
        from = to;
        oro_tree_swap(&to, &spare);
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_tree_read_flags(tree))
            return false;
        if (!oro_tree_flag_up(tree, flag))
            return oro_eval_copy(tree->eval, from, h, oro_grid_cells(oro_eval_grid(tree->eval)));
    }
}

bool oro_tree_fill(struct oro_tree *tree, bool sloped, struct oro_buffer *filled)
{
    if (tree->on_processor)
        return oro_tree_host_fill(tree, sloped, filled);
    struct oro_buffer **s = tree->scratch;
    struct oro_buffer *first[] = {tree->z, tree->next, s[POINTER], s[FIRST_SUM]};
    if (!oro_tree_run(tree, sloped ? TREE_SLOPED_START : TREE_CLIMB_START, first, NULL) ||
        !climb_all(tree, sloped ? TREE_SLOPED_CLIMB : TREE_CLIMB))
        return false;
    int flag = oro_tree_new_flags(tree, 1);
    struct oro_buffer *last[] = {tree->z, s[FIRST_SUM], filled, tree->flags};
    float constants[] = {(float)flag};
    if (flag < 0 || !oro_tree_run(tree, sloped ? TREE_SLOPED_FLOOD : TREE_FLOOD, last, constants))
        return false;
    if (!sloped)
        return true;
    if (!oro_tree_read_flags(tree))
        return false;
    return !oro_tree_flag_up(tree, flag) || oro_tree_host_complain(tree, true);
}
