/* Sums, maxima and recurrences along the drainage tree on the device, by pointer doubling: in as many rounds
 * as the length of the longest way has binary digits. */
#include "nodes/flow/drainage_tree_private.h"
#include "terrain/hydrology/grade.h"

enum { POINTER, POINTER_OUT, FIRST_SUM };

/* What travels along the tree: buffers for before and after a round, with their slots. The pointers come
 * first. */
struct pair {
    const char *name, *out;
    struct oro_buffer *now, *after;
};
struct sums {
    struct pair pairs[1 + TREE_SUMS];
    int count, kind;
};

static void plan_sums(struct oro_drainage_tree *tree, int kind, struct sums *sums)
{
    struct oro_buffer *const *s = tree->scratch, *const *room = &s[FIRST_SUM];
    *sums = (struct sums){
        .pairs = {{"pointer", "pointer_out", s[POINTER], s[POINTER_OUT]}}, .count = 1, .kind = kind};
    for (int i = 0; i < TREE_SUMS; i++)
        if (kind & oro_drainage_tree_sums[i].kind) {
            sums->pairs[sums->count++] = (struct pair){oro_drainage_tree_sums[i].name,
                                                       oro_drainage_tree_sums[i].out, room[0], room[1]};
            room += 2;
        }
}

/* Runs a kernel on the buffers for before the round and, from pair `first_out` on, those for after it. */
static bool run_sums(struct oro_drainage_tree *tree, int kernel, const struct sums *sums, size_t first_out)
{
    struct oro_drainage_tree_slot slots[2 * (1 + TREE_SUMS) + 1] = {0};
    int count = 0;
    for (size_t i = 0; i < (size_t)sums->count; i++) {
        const struct pair *pair = &sums->pairs[i];
        slots[count++] = (struct oro_drainage_tree_slot){pair->name, pair->now};
        if (i >= first_out)
            slots[count++] = (struct oro_drainage_tree_slot){pair->out, pair->after};
    }
    return oro_drainage_tree_run(tree, kernel + sums->kind, slots);
}

/* Advances the pointers, adds the sums, and swaps. */
static bool add_round(struct oro_drainage_tree *tree, struct sums *sums, float distance, int flag)
{
    static const int kernels[] = {TREE_ADVANCE, TREE_ADD};
    for (int i = 0; i < 2; i++) {
        oro_drainage_tree_set(tree, kernels[i] + sums->kind, "flag", flag);
        oro_drainage_tree_set(tree, kernels[i] + sums->kind, "distance", (double)distance);
        if (!run_sums(tree, kernels[i], sums, (size_t)i))
            return false;
    }
    for (int i = 0; i < sums->count; i++)
        oro_drainage_tree_swap(&sums->pairs[i].now, &sums->pairs[i].after);
    return true;
}

/* Whether after `rounds` rounds it is time to look whether any pointer is left, which costs a wait. */
static bool time_to_look(const struct oro_drainage_tree *tree, int rounds)
{
    return rounds >= oro_drainage_tree_usual_rounds(tree);
}

static bool add_all(struct oro_drainage_tree *tree, struct sums *sums)
{
    float distance = 1;
    for (int rounds = 1;; rounds++, distance *= 2) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        if (flag < 0 || !add_round(tree, sums, distance, flag) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_drainage_tree_read_flags(tree))
            return false;
        if (!oro_drainage_tree_flag_up(tree, flag))
            return true;
    }
}

static bool write_carved(struct oro_drainage_tree *tree, struct oro_buffer *lowest, struct oro_buffer *carved)
{
    int flag = oro_drainage_tree_new_flags(tree, 1);
    oro_drainage_tree_set(tree, TREE_BREACH, "flag", flag);
    if (flag < 0 || !TREE_RUN(tree, TREE_BREACH, {"lowest", lowest}, {"carved", carved}) ||
        !oro_drainage_tree_read_flags(tree))
        return false;
    return !oro_drainage_tree_flag_up(tree, flag) || oro_drainage_tree_host_complain(tree, false);
}

static bool write_drainage(struct oro_drainage_tree *tree, const struct pair *sum, bool rain,
                           struct oro_buffer *drainage)
{
    if (rain)
        return TREE_RUN(tree, TREE_RAIN_DRAINAGE, {"rain_low", sum[0].now}, {"rain_high", sum[1].now},
                        {"area", drainage});
    return TREE_RUN(tree, TREE_DRAINAGE, {"cells", sum[0].now}, {"area", drainage});
}

/* Lets carved channels fall by tree->fall, and then all ways once more by a step with every cell. */
static bool grade(struct oro_drainage_tree *tree, struct sums *sums)
{
    struct oro_buffer *const *s = tree->scratch;
    struct pair *pointer = &sums->pairs[0], *lowest = &sums->pairs[1];
    if (!tree->more)
        tree->more = oro_eval_buffer(tree->eval, oro_grid_cells(oro_eval_grid(tree->eval)));
    return oro_drainage_tree_grade(
               tree, &(struct oro_drainage_tree_grading){.lowest = lowest->now,
                                                         .pointer = pointer->now,
                                                         .spare = lowest->after,
                                                         .pointer_out = pointer->after,
                                                         .room = {s[4], s[5], s[6], s[7], tree->more}}) &&
           add_all(tree, sums);
}

static bool carve(struct oro_drainage_tree *tree, struct oro_buffer *carved)
{
    struct sums sums;
    plan_sums(tree, TREE_SUM_LOWEST, &sums);
    tree->gentle = 0;
    return run_sums(tree, TREE_START, &sums, (size_t)sums.count) && add_all(tree, &sums) &&
           (tree->fall < ORO_GRADE_LEAST || grade(tree, &sums)) &&
           write_carved(tree, sums.pairs[1].now, carved);
}

bool oro_drainage_tree_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                               struct oro_buffer *carved)
{
    if (tree->on_processor)
        return oro_drainage_tree_host_collect(tree, rain, drainage, carved);
    if (!drainage)
        return carve(tree, carved);
    if (carved && tree->fall > 0)
        return carve(tree, carved) && oro_drainage_tree_collect(tree, rain, drainage, NULL);
    struct sums sums;
    int kind = (carved ? TREE_SUM_LOWEST : 0) + (rain ? TREE_SUM_RAIN : TREE_SUM_CELLS);
    plan_sums(tree, kind, &sums);
    return run_sums(tree, TREE_START, &sums, (size_t)sums.count) && add_all(tree, &sums) &&
           (!carved || write_carved(tree, sums.pairs[1].now, carved)) &&
           write_drainage(tree, &sums.pairs[carved ? 2 : 1], rain, drainage);
}

/* Maxima along the way down. The result is in scratch[FIRST_SUM]. */
static bool climb_all(struct oro_drainage_tree *tree, int kernel)
{
    struct oro_buffer **s = tree->scratch;
    float distance = 1;
    for (int rounds = 1;; rounds++, distance *= 2) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        oro_drainage_tree_set(tree, kernel, "flag", flag);
        oro_drainage_tree_set(tree, kernel, "distance", (double)distance);
        if (flag < 0 ||
            !TREE_RUN(tree, kernel, {"pointer", s[POINTER]}, {"pointer_out", s[POINTER_OUT]},
                      {"highest", s[FIRST_SUM]}, {"highest_out", s[FIRST_SUM + 1]}) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        oro_drainage_tree_swap(&s[POINTER], &s[POINTER_OUT]);
        oro_drainage_tree_swap(&s[FIRST_SUM], &s[FIRST_SUM + 1]);
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_drainage_tree_read_flags(tree))
            return false;
        if (!oro_drainage_tree_flag_up(tree, flag))
            return true;
    }
}

bool oro_drainage_tree_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                             struct oro_buffer *h)
{
    if (tree->on_processor)
        return oro_drainage_tree_host_solve(tree, a, b, h);
    struct oro_buffer **s = tree->scratch;
    struct oro_buffer *from = a, *to = s[FIRST_SUM], *spare = s[FIRST_SUM + 1], *b_out = s[FIRST_SUM + 2];
    if (!TREE_RUN(tree, TREE_SOLVE_START, {"pointer", s[POINTER]}))
        return false;
    for (int rounds = 1;; rounds++) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        oro_drainage_tree_set(tree, TREE_SOLVE, "flag", flag);
        if (flag < 0 ||
            !TREE_RUN(tree, TREE_SOLVE, {"pointer", s[POINTER]}, {"pointer_out", s[POINTER_OUT]}, {"a", from},
                      {"a_out", to}, {"b", b}, {"b_out", b_out}) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        oro_drainage_tree_swap(&s[POINTER], &s[POINTER_OUT]);
        oro_drainage_tree_swap(&b, &b_out);
        from = to;
        oro_drainage_tree_swap(&to, &spare);
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_drainage_tree_read_flags(tree))
            return false;
        if (!oro_drainage_tree_flag_up(tree, flag))
            return oro_eval_copy(tree->eval, from, h, oro_grid_cells(oro_eval_grid(tree->eval)));
    }
}

bool oro_drainage_tree_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled)
{
    if (tree->on_processor)
        return oro_drainage_tree_host_fill(tree, sloped, filled);
    struct oro_buffer **s = tree->scratch;
    if (!TREE_RUN(tree, sloped ? TREE_SLOPED_START : TREE_CLIMB_START, {"pointer", s[POINTER]},
                  {"highest", s[FIRST_SUM]}) ||
        !climb_all(tree, sloped ? TREE_SLOPED_CLIMB : TREE_CLIMB))
        return false;
    int flag = oro_drainage_tree_new_flags(tree, 1), flood = sloped ? TREE_SLOPED_FLOOD : TREE_FLOOD;
    oro_drainage_tree_set(tree, flood, "flag", flag);
    if (flag < 0 || !TREE_RUN(tree, flood, {"highest", s[FIRST_SUM]}, {"filled", filled}))
        return false;
    if (!sloped)
        return true;
    if (!oro_drainage_tree_read_flags(tree))
        return false;
    return !oro_drainage_tree_flag_up(tree, flag) || oro_drainage_tree_host_complain(tree, true);
}
