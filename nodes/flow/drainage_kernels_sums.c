/* Sums, maxima and recurrences along the drainage tree on the device. What travels along it goes tile by
 * tile; recurrences are solved by pointer doubling over single cells, in as many rounds as the length of the
 * longest way has binary digits. */
#include "nodes/flow/drainage_host.h"
#include "nodes/flow/drainage_kernels.h"
#include "terrain/drainage/grade.h"

/* The scratch buffers of what is doubled over single cells. */
enum { POINTER, POINTER_OUT, FIRST_SUM };

/* Whether after `rounds` rounds it is time to look whether any pointer is left, which costs a wait. */
static bool time_to_look(const struct oro_drainage_tree *tree, int rounds)
{
    return rounds >= oro_drainage_tree_usual_rounds(tree);
}

/* ---- What travels by tiles (gles_shaders/lib/tiles.glsl) ---- */

/* A buffer over the rims, with what it becomes in a round; that has no name if the round changes it in place.
 */
struct pair {
    const char *name, *out;
    struct oro_buffer *now, *after;
};
struct rims {
    struct pair pairs[1 + TREE_PARTS]; /* the pointers come first */
    int count, what;
};

static struct rims plan_rims(struct oro_drainage_tree *tree, enum oro_drainage_tree_travel what)
{
    struct rims rims = {
        .pairs = {{"pointer", "pointer_out", tree->rims[0], tree->rims[1]}}, .count = 1, .what = (int)what};
    for (int i = 0; i < TREE_PARTS && oro_drainage_tree_parts[what][i].name; i++) {
        const struct oro_drainage_tree_part_slots *part = &oro_drainage_tree_parts[what][i];
        rims.pairs[rims.count++] =
            (struct pair){part->name, part->out, tree->rims[2 + 2 * i], tree->rims[3 + 2 * i]};
    }
    return rims;
}

/* Runs a kernel on the pairs from number `first` on, those from `first_out` on with what they become, and on
 * the results. */
static bool run_rims(struct oro_drainage_tree *tree, int kernel, const struct rims *rims, int first,
                     int first_out, struct oro_buffer *const *results)
{
    struct oro_drainage_tree_slot slots[2 * (1 + TREE_PARTS) + TREE_PARTS + 1] = {0};
    int count = 0;
    const struct pair *pairs_out = rims->pairs + first_out;
    for (const struct pair *pair = rims->pairs + first; pair < rims->pairs + rims->count; pair++) {
        slots[count++] = (struct oro_drainage_tree_slot){pair->name, pair->now};
        if (pair >= pairs_out && pair->out)
            slots[count++] = (struct oro_drainage_tree_slot){pair->out, pair->after};
    }
    for (int i = 0; results && i < TREE_PARTS && oro_drainage_tree_parts[rims->what][i].result; i++)
        slots[count++] =
            (struct oro_drainage_tree_slot){oro_drainage_tree_parts[rims->what][i].result, results[i]};
    return oro_drainage_tree_run(tree, kernel + rims->what, slots);
}

static bool is_sum(int what)
{
    return what == TREE_CELLS || what == TREE_RAIN;
}

/* Advances the pointers, adds the sums, and swaps. */
static bool round_over_rims(struct oro_drainage_tree *tree, struct rims *rims, int flag)
{
    oro_drainage_tree_set(tree, TREE_RIM_ADVANCE + rims->what, "flag", flag);
    if (!run_rims(tree, TREE_RIM_ADVANCE, rims, 0, 0, NULL) ||
        (is_sum(rims->what) && !run_rims(tree, TREE_RIM_ADD, rims, 0, 1, NULL)))
        return false;
    for (int i = 0; i < rims->count; i++)
        if (rims->pairs[i].out)
            oro_swap_buffers(&rims->pairs[i].now, &rims->pairs[i].after);
    return true;
}

/* Queues as many rounds as usually suffice. Returns the flag of the last one, or -1. */
static int queue_rounds(struct oro_drainage_tree *tree, struct rims *rims)
{
    /* Fewer than over single cells: ways cross 16 to 32 cells of a tile, and a round does as much as two. */
    int flag = -1, rounds = (oro_drainage_tree_usual_rounds(tree) - 2) / 2;
    for (int i = 0; i < (rounds > 1 ? rounds : 1); i++) {
        flag = oro_drainage_tree_new_flags(tree, 1);
        if (flag < 0 || !round_over_rims(tree, rims, flag) || !oro_eval_progress(tree->eval, 0, 1))
            return -1;
    }
    return flag;
}

/* Of a part of a terrain: with what comes in from beyond. */
static bool come_in(struct oro_drainage_tree *tree, const struct rims *rims)
{
    const struct oro_drainage_tree_edges *edges = tree->edges;
    if (!edges || !edges->inflow_count)
        return true;
    oro_drainage_tree_set(tree, TREE_WRITE, "count", edges->inflow_count);
    for (int i = 0; i < TREE_PARTS && edges->inflow[i]; i++)
        if (!TREE_RUN(tree, TREE_WRITE, {"places", edges->places}, {"list", edges->inflow[i]},
                      {"buffer_of", rims->pairs[1 + i].now}))
            return false;
    return true;
}

static bool cross_tiles(struct oro_drainage_tree *tree, struct rims *rims)
{
    bool more;
    int flag;
    if (!run_rims(tree, TREE_RIM_START, rims, 0, rims->count, NULL) || !come_in(tree, rims) ||
        !run_rims(tree, TREE_LEAVE, rims, 0, rims->count, NULL) || (flag = queue_rounds(tree, rims)) < 0 ||
        !oro_drainage_tree_look(tree, flag, &more))
        return false;
    while (more) {
        flag = oro_drainage_tree_new_flags(tree, 1);
        if (flag < 0 || !round_over_rims(tree, rims, flag) || !oro_drainage_tree_look(tree, flag, &more) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
    }
    return true;
}

static bool travel(struct oro_drainage_tree *tree, enum oro_drainage_tree_travel what, bool enter,
                   struct oro_buffer *const *results)
{
    struct rims rims = plan_rims(tree, what);
    bool ok =
        cross_tiles(tree, &rims) && (!enter || run_rims(tree, TREE_ENTER, &rims, 1, rims.count, results));
    for (int i = 0; tree->edges && i < TREE_PARTS; i++)
        tree->edges->parts[i] = rims.pairs[1 + i].now;
    return ok;
}

bool oro_drainage_tree_cross(struct oro_drainage_tree *tree, enum oro_drainage_tree_travel what)
{
    return travel(tree, what, false, NULL);
}

bool oro_drainage_tree_travel(struct oro_drainage_tree *tree, enum oro_drainage_tree_travel what,
                              struct oro_buffer *const *results)
{
    return travel(tree, what, true, results);
}

/* `lowest`: of all cells, or for TREE_BREACH_TILES what comes in at the rims. */
static bool write_carved(struct oro_drainage_tree *tree, int kernel, struct oro_buffer *lowest,
                         struct oro_buffer *carved)
{
    bool too_low;
    int flag = oro_drainage_tree_new_flags(tree, 1);
    oro_drainage_tree_set(tree, kernel, "flag", flag);
    if (flag < 0 || !TREE_RUN(tree, kernel, {"lowest", lowest}, {"carved", carved}) ||
        !oro_drainage_tree_look(tree, flag, &too_low))
        return false;
    return !too_low || oro_drainage_tree_host_complain(tree, false);
}

static bool carve_plainly(struct oro_drainage_tree *tree, struct oro_buffer *carved)
{
    struct rims rims = plan_rims(tree, TREE_LOWEST);
    return cross_tiles(tree, &rims) && write_carved(tree, TREE_BREACH_TILES, rims.pairs[1].now, carved);
}

static bool carve(struct oro_drainage_tree *tree, struct oro_buffer *carved)
{
    tree->gentle = 0;
    if (tree->fall < ORO_GRADE_LEAST)
        return carve_plainly(tree, carved);
    struct oro_buffer **s = oro_drainage_tree_scratch(tree, TREE_GRADE_SCRATCH);
    struct oro_buffer *const scratch[TREE_GRADE_SCRATCH] = {s[1], s[2], s[3], s[4], carved};
    return oro_drainage_tree_travel(tree, TREE_LOWEST, s) && oro_drainage_tree_grade(tree, s[0], scratch) &&
           write_carved(tree, TREE_BREACH, s[0], carved);
}

static bool sum_up(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage)
{
    struct oro_buffer *const *s = oro_drainage_tree_scratch(tree, rain ? 2 : 1);
    if (rain)
        return oro_drainage_tree_travel(tree, TREE_RAIN, s) &&
               TREE_RUN(tree, TREE_RAIN_DRAINAGE, {"rain_low", s[0]}, {"rain_high", s[1]},
                        {"area", drainage});
    return oro_drainage_tree_travel(tree, TREE_CELLS, s) &&
           TREE_RUN(tree, TREE_DRAINAGE, {"cells", s[0]}, {"area", drainage});
}

static bool collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                    struct oro_buffer *carved)
{
    return (!drainage || sum_up(tree, rain, drainage)) && (!carved || carve(tree, carved));
}

bool oro_drainage_kernels_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                  struct oro_buffer *carved)
{
    if (!tree->wary) {
        oro_drainage_tree_need_flags(tree);
        oro_drainage_tree_trust(tree);
        if (!oro_drainage_tree_end_trust(tree, collect(tree, rain, drainage, carved)))
            return false;
        if (!tree->wary)
            return true;
    }
    return collect(tree, rain, drainage, carved);
}

/* Routing is queued with the rest. */
bool oro_drainage_kernels_carve(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                struct oro_buffer *carved)
{
    if (!tree->wary) {
        oro_drainage_tree_trust(tree);
        bool ok = oro_drainage_tree_queue_route(tree, z) && carve(tree, carved);
        if (!oro_drainage_tree_end_trust(tree, ok))
            return false;
        if (!tree->wary && oro_drainage_tree_is_routed(tree))
            return true;
        tree->wary = true;
    }
    return oro_drainage_kernels_route(tree, z) && carve(tree, carved);
}

/* ---- What is doubled over single cells ---- */

bool oro_drainage_kernels_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                                struct oro_buffer *h)
{
    struct oro_buffer **s = oro_drainage_tree_scratch(tree, FIRST_SUM + 3);
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
        oro_swap_buffers(&s[POINTER], &s[POINTER_OUT]);
        oro_swap_buffers(&b, &b_out);
        from = to;
        oro_swap_buffers(&to, &spare);
        if (!time_to_look(tree, rounds))
            continue;
        if (!oro_drainage_tree_read_flags(tree))
            return false;
        if (!oro_drainage_tree_flag_up(tree, flag))
            return oro_eval_copy(tree->eval, from, h, oro_grid_cells(&tree->grid));
    }
}

bool oro_drainage_kernels_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled)
{
    struct oro_buffer **highest = oro_drainage_tree_scratch(tree, 1);
    if (!oro_drainage_tree_travel(tree, sloped ? TREE_SLOPED_HIGHEST : TREE_HIGHEST, highest))
        return false;
    int flag = oro_drainage_tree_new_flags(tree, 1), flood = sloped ? TREE_SLOPED_FLOOD : TREE_FLOOD;
    oro_drainage_tree_set(tree, flood, "flag", flag);
    if (flag < 0 || !TREE_RUN(tree, flood, {"highest", *highest}, {"filled", filled}))
        return false;
    if (!sloped)
        return true;
    if (!oro_drainage_tree_read_flags(tree))
        return false;
    return !oro_drainage_tree_flag_up(tree, flag) || oro_drainage_tree_host_complain(tree, true);
}
