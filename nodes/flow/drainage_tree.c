/* Routing on the device: the dispatches of terrain/hydrology/routing.h's rules (after Cordonnier 2019 and
 * Jain 2024).
 */
#include "nodes/flow/drainage_tree.h"

#include "base/memory.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/flow/drainage_tree_private.h"

/* The buffers over the rims of tiles while routing. */
enum { RIM, END, COMPONENT, MERGED, LEVEL, NUMBER, EXIT, EXIT_TO, BROUGHT, LINK, CANDIDATE };

bool oro_outlets_shape(struct oro_shape *shape, float sea, int borders, struct oro_grid *grid)
{
    *grid = *oro_shape_input(shape, "terrain");
    if (borders == 0 || sea > 0.5f || oro_shape_input(shape, "sea"))
        return true;
    struct oro_error err;
    oro_fail(&err, ORO_E_DOCUMENT,
             "water has nowhere to go: 'borders' is walls and there is no sea; "
             "set it to outflow, or link a mask to 'sea'");
    return oro_shape_failed(shape, &err);
}

static bool begin(struct oro_drainage_tree *tree)
{
    tree->on_processor = oro_eval_on_processor(tree->eval);
    tree->flags_used = ORO_DRAINAGE_TREE_FLAGS;
    tree->rain = 1;
    if (tree->on_processor)
        return true;
    size_t cells = oro_grid_cells(oro_eval_grid(tree->eval));
    tree->next = oro_eval_buffer(tree->eval, cells);
    tree->flags = oro_eval_buffer(tree->eval, ORO_DRAINAGE_TREE_FLAGS);
    const struct oro_grid *grid = oro_eval_grid(tree->eval);
    size_t slots = (size_t)ORO_DRAINAGE_TREE_RIM * (size_t)oro_drainage_tree_tiles(grid->width) *
                   (size_t)oro_drainage_tree_tiles(grid->height);
    for (int i = 0; i < ORO_DRAINAGE_TREE_RIMS; i++)
        tree->rims[i] = oro_eval_buffer(tree->eval, slots);
    return tree->rims[ORO_DRAINAGE_TREE_RIMS - 1] && oro_drainage_tree_plan(tree);
}

bool oro_drainage_tree_begin(struct oro_eval *eval, float sea, int borders, struct oro_drainage_tree *tree)
{
    *tree = (struct oro_drainage_tree){.eval = eval, .sea = sea, .walls = borders != 0};
    return begin(tree);
}

bool oro_drainage_tree_begin_to(struct oro_eval *eval, struct oro_buffer *outlets,
                                struct oro_drainage_tree *tree)
{
    *tree = (struct oro_drainage_tree){.eval = eval, .outlets = outlets, .walls = true};
    return begin(tree);
}

void oro_drainage_tree_end(struct oro_drainage_tree *tree)
{
    oro_free(tree->dispatches);
    oro_free(tree->host_z);
    oro_free(tree->host_sea);
    oro_routing_free(&tree->routing);
}

struct oro_buffer **oro_drainage_tree_scratch(struct oro_drainage_tree *tree, int count)
{
    for (int i = 0; i < count; i++)
        if (!tree->scratch[i])
            tree->scratch[i] = oro_eval_buffer(tree->eval, oro_grid_cells(oro_eval_grid(tree->eval)));
    return tree->scratch;
}

/* ---- Flags ---- */

int oro_drainage_tree_new_flags(struct oro_drainage_tree *tree, int count)
{
    static const uint32_t down[ORO_DRAINAGE_TREE_FLAGS];
    if (tree->flags_used + count > ORO_DRAINAGE_TREE_FLAGS) {
        if (!oro_eval_upload(tree->eval, tree->flags, down, sizeof down))
            return -1;
        tree->flags_used = 0;
    }
    tree->flags_used += count;
    return tree->flags_used - count;
}

bool oro_drainage_tree_read_flags(struct oro_drainage_tree *tree)
{
    return oro_eval_download(tree->eval, tree->flags, tree->seen, sizeof tree->seen);
}

bool oro_drainage_tree_flag_up(const struct oro_drainage_tree *tree, int flag)
{
    return tree->seen[flag] != 0;
}

/* ---- Basins ---- */

int oro_drainage_tree_usual_rounds(const struct oro_drainage_tree *tree)
{
    const struct oro_grid *grid = oro_eval_grid(tree->eval);
    int side = oro_grid_longer(grid), rounds = 2;
    while (side >> rounds)
        rounds++;
    return rounds;
}

bool oro_drainage_tree_repeat(struct oro_drainage_tree *tree, int kernel,
                              const struct oro_drainage_tree_slot *slots, const char *once)
{
    bool again = true;
    for (int round = 0; again; round++) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        oro_drainage_tree_set(tree, kernel, "flag", flag);
        if (once)
            oro_drainage_tree_set(tree, kernel, once, round == 0);
        if (flag < 0 || !oro_drainage_tree_run(tree, kernel, slots) || !oro_drainage_tree_read_flags(tree) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        again = oro_drainage_tree_flag_up(tree, flag);
    }
    return true;
}

bool oro_drainage_tree_jump(struct oro_drainage_tree *tree, struct oro_buffer *jump)
{
    enum { USUAL = 4 }; /* each makes pointers reach at least five times as far */
    const struct oro_drainage_tree_slot slots[] = {{"jump", jump}, {0}};
    int flag = oro_drainage_tree_new_flags(tree, 1);
    oro_drainage_tree_set(tree, TREE_JUMP, "flag", flag);
    for (int i = 0; i < USUAL; i++)
        if (flag < 0 || !oro_drainage_tree_run(tree, TREE_JUMP, slots))
            return false;
    return oro_drainage_tree_repeat(tree, TREE_JUMP, slots, NULL);
}

/* Routes within tiles, and lets the slots of rims lead to those that name their basins. `pits`: whether a
 * basin is left that is not the outside; without there is nothing more to do. */
static bool find_basins(struct oro_drainage_tree *tree, struct oro_buffer *basin, bool *pits)
{
    enum { USUAL = 3 };                                   /* ways cross few tiles until they end */
    enum { BAD, OUTLET, PIT, BEFORE, UNFINISHED, FLAGS }; /* the kernel's flags are the first */
    const struct oro_drainage_tree_slot follow[] = {{"jump", tree->rims[RIM]}, {0}};
    tree->flags_used = ORO_DRAINAGE_TREE_FLAGS;
    if (oro_drainage_tree_new_flags(tree, FLAGS) != 0 ||
        !TREE_RUN(tree, TREE_TILE, {"basin", basin}, {"rim", tree->rims[RIM]}, {"end", tree->rims[END]}))
        return false;
    for (int i = 1; i <= USUAL; i++) {
        oro_drainage_tree_set(tree, TREE_FOLLOW, "flag", i < USUAL ? BEFORE : UNFINISHED);
        if (!oro_drainage_tree_run(tree, TREE_FOLLOW, follow))
            return false;
    }
    if (!oro_drainage_tree_read_flags(tree))
        return false;
    if (oro_drainage_tree_flag_up(tree, BAD) || !oro_drainage_tree_flag_up(tree, OUTLET))
        return oro_drainage_tree_host_complain(tree, false);
    *pits = oro_drainage_tree_flag_up(tree, PIT);
    return !*pits || !oro_drainage_tree_flag_up(tree, UNFINISHED) ||
           oro_drainage_tree_repeat(tree, TREE_FOLLOW, follow, NULL);
}

/* ---- The spanning tree, by Boruvka's rounds ---- */

/* The flags of a batch of rounds: one that stays down, then two for each round, those of routing_merge.comp.
 */
enum { BATCH = 3, BATCH_FLAGS = 1 + 2 * BATCH };
static int flag_of_round(int flags, int round)
{
    return flags + 1 + 2 * round;
}

static bool choose_saddles(struct oro_drainage_tree *tree, struct oro_buffer *basin)
{
    struct oro_buffer *const *r = tree->rims;
    const struct oro_drainage_tree_slot saddles[] = {
        {"basin", basin},    {"candidate", r[CANDIDATE]}, {"component", r[COMPONENT]},
        {"level", r[LEVEL]}, {"number", r[NUMBER]},       {0}};
    return oro_drainage_tree_run(tree, TREE_LEVELS, saddles) &&
           oro_drainage_tree_run(tree, TREE_NUMBERS, saddles);
}

static bool join(struct oro_drainage_tree *tree, struct oro_buffer *basin, bool first)
{
    struct oro_buffer *const *r = tree->rims;
    oro_drainage_tree_set(tree, TREE_JOIN, "first", first);
    return TREE_RUN(tree, TREE_JOIN, {"basin", basin}, {"rim", r[RIM]}, {"component", r[COMPONENT]},
                    {"number", r[NUMBER]}, {"level", r[LEVEL]}, {"brought", r[BROUGHT]}, {"link", r[LINK]},
                    {"exit", r[EXIT]}, {"exit_to", r[EXIT_TO]}) &&
           TREE_RUN(tree, TREE_CLIMB_LINKS, {"component", r[COMPONENT]}, {"link", r[LINK]}) &&
           TREE_RUN(tree, TREE_MERGE, {"component", r[COMPONENT]}, {"link", r[LINK]}, {"merged", r[MERGED]},
                    {"level", r[LEVEL]}, {"number", r[NUMBER]});
}

static void set_flags(struct oro_drainage_tree *tree, int before, int flag)
{
    for (int kernel = TREE_LEVELS; kernel <= TREE_MERGE; kernel++) {
        oro_drainage_tree_set(tree, kernel, "before", before);
        oro_drainage_tree_set(tree, kernel, "flag", flag);
    }
}

/* Goes on with long walks of exits, and long chains of links, until they end. */
static bool finish_joining(struct oro_drainage_tree *tree, struct oro_buffer *basin, bool *left)
{
    for (bool unfinished = true; unfinished;) {
        int flags = oro_drainage_tree_new_flags(tree, BATCH_FLAGS), flag = flag_of_round(flags, 0);
        set_flags(tree, flags, flag);
        if (flags < 0 || !join(tree, basin, false) || !oro_drainage_tree_read_flags(tree) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        unfinished = oro_drainage_tree_flag_up(tree, flag);
        *left = oro_drainage_tree_flag_up(tree, flag + 1);
    }
    return true;
}

/* Runs a few rounds, then looks how far they came; the last may have nothing to do any more. */
static bool run_batch(struct oro_drainage_tree *tree, struct oro_buffer *basin, bool *left)
{
    struct oro_buffer **r = tree->rims;
    int flags = oro_drainage_tree_new_flags(tree, BATCH_FLAGS), round = 0;
    for (; round < BATCH; round++) {
        set_flags(tree, round ? flag_of_round(flags, round - 1) : flags, flag_of_round(flags, round));
        if (flags < 0 || !choose_saddles(tree, basin) || !join(tree, basin, true))
            return false;
        oro_swap_buffers(&r[MERGED], &r[COMPONENT]);
    }
    if (!oro_drainage_tree_read_flags(tree) || !oro_eval_progress(tree->eval, 0, 1))
        return false;
    *left = oro_drainage_tree_flag_up(tree, flag_of_round(flags, BATCH - 1) + 1);
    for (round = 0; round < BATCH && !oro_drainage_tree_flag_up(tree, flag_of_round(flags, round)); round++)
        ;
    if (round == BATCH)
        return true;
    if ((BATCH - round) % 2)
        oro_swap_buffers(&r[MERGED], &r[COMPONENT]);
    bool ok = finish_joining(tree, basin, left);
    oro_swap_buffers(&r[MERGED], &r[COMPONENT]);
    return ok;
}

static bool span(struct oro_drainage_tree *tree, struct oro_buffer *basin)
{
    struct oro_buffer *const *r = tree->rims;
    bool left = true, ok = TREE_RUN(tree, TREE_FOREST, {"basin", basin}, {"rim", r[RIM]},
                                    {"candidate", r[CANDIDATE]}, {"component", r[COMPONENT]},
                                    {"level", r[LEVEL]}, {"number", r[NUMBER]}, {"exit_to", r[EXIT_TO]});
    while (ok && left)
        ok = run_batch(tree, basin, &left);
    return ok;
}

/* All components are the outside by now: that buffer says of every slot that no way enters its group. */
static bool turn(struct oro_drainage_tree *tree, struct oro_buffer *basin)
{
    struct oro_buffer *const *r = tree->rims, *entry = r[COMPONENT], *entry_to = r[MERGED];
    const struct oro_drainage_tree_slot walk[] = {
        {"basin", basin},  {"rim", r[RIM]},        {"end", r[END]},
        {"exit", r[EXIT]}, {"level", r[LEVEL]},    {"number", r[NUMBER]},
        {"entry", entry},  {"entry_to", entry_to}, {0}};
    return oro_drainage_tree_repeat(tree, TREE_WALK, walk, "first") &&
           TREE_RUN(tree, TREE_TURN, {"end", r[END]}, {"entry", entry}, {"entry_to", entry_to});
}

struct oro_buffer *oro_drainage_tree_receivers(struct oro_drainage_tree *tree)
{
    if (!tree->on_processor)
        return tree->next;
    if (!tree->next)
        tree->next = oro_eval_buffer(tree->eval, oro_grid_cells(oro_eval_grid(tree->eval)));
    return tree->next && oro_drainage_tree_host_receivers(tree, tree->next) ? tree->next : NULL;
}

bool oro_drainage_tree_route(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    bool pits = false;
    tree->z = z;
    if (tree->on_processor)
        return oro_drainage_tree_host_ground(tree, z) && oro_drainage_tree_host_route(tree);
    struct oro_buffer *basin = *oro_drainage_tree_scratch(tree, 1);
    return find_basins(tree, basin, &pits) && (!pits || (span(tree, basin) && turn(tree, basin)));
}
