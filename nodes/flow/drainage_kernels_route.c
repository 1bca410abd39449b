/* Routing on the device: the dispatches of terrain/drainage/routing.h's rules (after Cordonnier 2019 and
 * Jain 2024).
 */
#include "nodes/flow/drainage_host.h"
#include "nodes/flow/drainage_kernels.h"

/* The buffers over the rims of tiles while routing. */
enum { RIM, END, COMPONENT, MERGED, LEVEL, NUMBER, EXIT, EXIT_TO, BROUGHT, LINK, CANDIDATE };

bool oro_drainage_tree_begin_kernels(struct oro_drainage_tree *tree)
{
    size_t slots = (size_t)ORO_DRAINAGE_TREE_RIM * (size_t)oro_drainage_tree_tiles(tree->grid.width) *
                   (size_t)oro_drainage_tree_tiles(tree->grid.height);
    tree->next = oro_eval_buffer(tree->eval, oro_grid_cells(&tree->grid));
    tree->flags = oro_eval_buffer(tree->eval, ORO_DRAINAGE_TREE_FLAGS + TREE_STAY);
    for (int i = 0; i < ORO_DRAINAGE_TREE_RIMS; i++)
        tree->rims[i] = oro_eval_buffer(tree->eval, slots);
    return tree->rims[ORO_DRAINAGE_TREE_RIMS - 1] && oro_drainage_tree_plan(tree);
}

struct oro_buffer **oro_drainage_tree_scratch(struct oro_drainage_tree *tree, int count)
{
    for (int i = 0; i < count; i++)
        if (!tree->scratch[i])
            tree->scratch[i] = oro_eval_buffer(tree->eval, oro_grid_cells(&tree->grid));
    return tree->scratch;
}

/* ---- Flags ---- */

int oro_drainage_tree_new_flags(struct oro_drainage_tree *tree, int count)
{
    static const uint32_t first[ORO_DRAINAGE_TREE_FLAGS + TREE_STAY] = {[TREE_GO + 1] = 1};
    if (tree->flags_used + count > ORO_DRAINAGE_TREE_FLAGS) {
        if (!oro_eval_upload(tree->eval, tree->flags, first, sizeof first))
            return -1;
        tree->flags_used = 0;
    }
    tree->flags_used += count;
    return tree->flags_used - count;
}

void oro_drainage_tree_need_flags(struct oro_drainage_tree *tree)
{
    if (tree->flags_used > ORO_DRAINAGE_TREE_FLAGS / 2)
        tree->flags_used = ORO_DRAINAGE_TREE_FLAGS;
}

bool oro_drainage_tree_read_flags(struct oro_drainage_tree *tree)
{
    return oro_eval_download(tree->eval, tree->flags, tree->seen, sizeof tree->seen);
}

bool oro_drainage_tree_flag_up(const struct oro_drainage_tree *tree, int flag)
{
    return tree->seen[flag] != 0;
}

bool oro_drainage_tree_look(struct oro_drainage_tree *tree, int flag, bool *up)
{
    *up = false;
    if (tree->at_once) {
        tree->trusted[tree->trusted_count++] = flag;
        return true;
    }
    if (!oro_drainage_tree_read_flags(tree))
        return false;
    *up = oro_drainage_tree_flag_up(tree, flag);
    return true;
}

void oro_drainage_tree_trust(struct oro_drainage_tree *tree)
{
    tree->at_once = true;
    tree->trusted_count = 0;
}

bool oro_drainage_tree_end_trust(struct oro_drainage_tree *tree, bool queued)
{
    tree->at_once = false;
    if (!queued || !oro_drainage_tree_read_flags(tree))
        return false;
    for (int i = 0; i < tree->trusted_count; i++)
        if (oro_drainage_tree_flag_up(tree, tree->trusted[i]))
            tree->wary = true;
    return true;
}

/* ---- Basins ---- */

int oro_drainage_tree_usual_rounds(const struct oro_drainage_tree *tree)
{
    int side = oro_grid_longer(&tree->grid), rounds = 2;
    while (side >> rounds)
        rounds++;
    return rounds;
}

bool oro_drainage_tree_repeat(struct oro_drainage_tree *tree, int kernel,
                              const struct oro_drainage_tree_slot *slots)
{
    bool again = true;
    while (again) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        oro_drainage_tree_set(tree, kernel, "flag", flag);
        if (flag < 0 || !oro_drainage_tree_run(tree, kernel, slots) ||
            !oro_drainage_tree_look(tree, flag, &again) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
    }
    return true;
}

static bool follow(struct oro_drainage_tree *tree, int flag)
{
    oro_drainage_tree_set(tree, TREE_FOLLOW, "flag", flag);
    return TREE_RUN(tree, TREE_FOLLOW, {"jump", tree->rims[RIM]});
}

/* The flags of routing within tiles, from tree->first_flag on. PIT: a basin is left that is not the outside.
 * FLAT: flats have to be crossed (below).
 */
enum { BAD, OUTLET, PIT, FLAT, BEFORE, UNFINISHED, IDLE, LEFT, FIRST_FLAGS };
static bool first_flag_up(const struct oro_drainage_tree *tree, int flag)
{
    return oro_drainage_tree_flag_up(tree, tree->first_flag + flag);
}

/* `across`: the directions of flats, once they are known; or NULL. Queues routing within tiles, and lets the
 * slots of rims lead to those that name their basins. */
static bool queue_tiles(struct oro_drainage_tree *tree, struct oro_buffer *basin, struct oro_buffer *across)
{
    enum { USUAL = 3 }; /* ways cross few tiles until they end */
    int first = tree->first_flag = oro_drainage_tree_new_flags(tree, FIRST_FLAGS);
    const struct oro_drainage_tree_slot slots[] = {{"basin", basin},
                                                   {"rim", tree->rims[RIM]},
                                                   {"end", tree->rims[END]},
                                                   {across ? "across" : NULL, across},
                                                   {0}};
    int kernel = across ? TREE_TILE_FLATS : TREE_TILE;
    oro_drainage_tree_set(tree, kernel, "flag", first);
    bool ok = first >= 0 && oro_drainage_tree_run(tree, kernel, slots);
    for (int i = 1; i <= USUAL; i++)
        ok = ok && follow(tree, first + (i < USUAL ? BEFORE : UNFINISHED));
    return ok;
}

/* `unfinished`: a flag that leaves the rounds after this idle. */
static bool queue_forest(struct oro_drainage_tree *tree, struct oro_buffer *basin, int unfinished)
{
    struct oro_buffer *const *r = tree->rims;
    oro_drainage_tree_set(tree, TREE_FOREST, "pits", tree->first_flag + PIT);
    oro_drainage_tree_set(tree, TREE_FOREST, "unfinished", unfinished);
    oro_drainage_tree_set(tree, TREE_FOREST, "flag", tree->first_flag + IDLE);
    return TREE_RUN(tree, TREE_FOREST, {"basin", basin}, {"rim", r[RIM]}, {"candidate", r[CANDIDATE]},
                    {"component", r[COMPONENT]}, {"level", r[LEVEL]}, {"number", r[NUMBER]},
                    {"exit_to", r[EXIT_TO]});
}

/* ---- The spanning tree, by Boruvka's rounds ---- */

/* The flags of a batch of rounds: two for each, as in routing_merge.comp; then that of routing_walk.comp. */
enum { BATCH = 6, BATCH_FLAGS = 2 * BATCH + 1 };
static int flag_of_round(int flags, int round)
{
    return flags + 2 * round;
}
static int flag_of_walk(int flags)
{
    return flags + 2 * BATCH;
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

/* All components are the outside by now: that buffer says of every slot that no way enters its group. */
static bool walk(struct oro_drainage_tree *tree, struct oro_buffer *basin, int flag)
{
    struct oro_buffer *const *r = tree->rims;
    oro_drainage_tree_set(tree, TREE_WALK, "flag", flag);
    return TREE_RUN(tree, TREE_WALK, {"basin", basin}, {"rim", r[RIM]}, {"end", r[END]}, {"exit", r[EXIT]},
                    {"level", r[LEVEL]}, {"number", r[NUMBER]}, {"entry", r[COMPONENT]},
                    {"entry_to", r[MERGED]});
}

static bool turn(struct oro_drainage_tree *tree, int flag)
{
    struct oro_buffer *const *r = tree->rims;
    oro_drainage_tree_set(tree, TREE_REVERSE, "flag", flag);
    return TREE_RUN(tree, TREE_REVERSE, {"end", r[END]}, {"entry", r[COMPONENT]}, {"entry_to", r[MERGED]});
}

/* Queues a few rounds. With the flag `before` up they are idle. Returns their flags, or -1. */
static int queue_rounds(struct oro_drainage_tree *tree, struct oro_buffer *basin, int before)
{
    int flags = oro_drainage_tree_new_flags(tree, BATCH_FLAGS);
    for (int round = 0; round < BATCH; round++) {
        set_flags(tree, before, flag_of_round(flags, round));
        if (flags < 0 || !choose_saddles(tree, basin) || !join(tree, basin, true))
            return -1;
        oro_swap_buffers(&tree->rims[MERGED], &tree->rims[COMPONENT]);
        before = flag_of_round(flags, round);
    }
    return flags;
}

/* The same, and the turning of ways, which waits until nothing is left to join. */
static int queue_batch(struct oro_drainage_tree *tree, struct oro_buffer *basin, int before)
{
    int flags = queue_rounds(tree, basin, before);
    if (flags < 0)
        return -1;
    before = flag_of_round(flags, BATCH - 1);
    oro_drainage_tree_set(tree, TREE_WALK, "before", before);
    oro_drainage_tree_set(tree, TREE_REVERSE, "before", before);
    oro_drainage_tree_set(tree, TREE_WALK, "first", 1);
    return walk(tree, basin, flag_of_walk(flags)) && turn(tree, flag_of_walk(flags)) ? flags : -1;
}

/* Goes on with a round that did not end, with long walks of exits and long chains of links; those after it in
 * its batch were idle. */
static bool finish_round(struct oro_drainage_tree *tree, struct oro_buffer *basin, int round, bool *left)
{
    struct oro_buffer **r = tree->rims;
    if ((BATCH - round) % 2)
        oro_swap_buffers(&r[MERGED], &r[COMPONENT]);
    for (bool unfinished = true; unfinished;) {
        int flag = oro_drainage_tree_new_flags(tree, 2);
        set_flags(tree, TREE_GO, flag);
        if (flag < 0 || !join(tree, basin, false) || !oro_drainage_tree_read_flags(tree) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        unfinished = oro_drainage_tree_flag_up(tree, flag);
        *left = oro_drainage_tree_flag_up(tree, flag + 1);
    }
    oro_swap_buffers(&r[MERGED], &r[COMPONENT]);
    return true;
}

/* `first`: no way has been walked yet. */
static bool finish_turning(struct oro_drainage_tree *tree, struct oro_buffer *basin, bool first)
{
    oro_drainage_tree_set(tree, TREE_WALK, "before", TREE_DOWN);
    oro_drainage_tree_set(tree, TREE_REVERSE, "before", TREE_DOWN);
    for (bool again = true; again; first = false) {
        int flag = oro_drainage_tree_new_flags(tree, 1);
        oro_drainage_tree_set(tree, TREE_WALK, "first", first);
        if (flag < 0 || !walk(tree, basin, flag) || !oro_drainage_tree_read_flags(tree) ||
            !oro_eval_progress(tree->eval, 0, 1))
            return false;
        again = oro_drainage_tree_flag_up(tree, flag);
    }
    return turn(tree, TREE_DOWN);
}

/* The first round of a batch that did not come to its end, or BATCH. */
static int unfinished_round(const struct oro_drainage_tree *tree, int flags)
{
    int round = 0;
    while (round < BATCH && !oro_drainage_tree_flag_up(tree, flag_of_round(flags, round)))
        round++;
    return round;
}

static bool is_left(const struct oro_drainage_tree *tree, int flags)
{
    return oro_drainage_tree_flag_up(tree, flag_of_round(flags, BATCH - 1) + 1);
}

/* Whether all basins are joined and all ways turned. */
static bool batch_is_done(const struct oro_drainage_tree *tree, int flags)
{
    return unfinished_round(tree, flags) == BATCH && !is_left(tree, flags) &&
           !oro_drainage_tree_flag_up(tree, flag_of_walk(flags));
}

/* Sees to it that all basins are joined and all ways turned, when the flags of a batch have been read. */
static bool finish_routing(struct oro_drainage_tree *tree, struct oro_buffer *basin, int flags)
{
    while (!batch_is_done(tree, flags)) {
        int round = unfinished_round(tree, flags);
        bool left = is_left(tree, flags), walked = round == BATCH && !left;
        if (round < BATCH && !finish_round(tree, basin, round, &left))
            return false;
        if (!left)
            return finish_turning(tree, basin, !walked);
        flags = queue_batch(tree, basin, TREE_GO);
        if (flags < 0 || !oro_drainage_tree_read_flags(tree) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
    }
    return true;
}

static bool queue_route(struct oro_drainage_tree *tree, struct oro_buffer *z, struct oro_buffer *across)
{
    struct oro_buffer *basin = *oro_drainage_tree_scratch(tree, 1);
    tree->z = z;
    oro_drainage_tree_need_flags(tree);
    if (!queue_tiles(tree, basin, across) || !queue_forest(tree, basin, tree->first_flag + UNFINISHED))
        return false;
    tree->batch_flag = queue_batch(tree, basin, tree->first_flag + IDLE);
    return tree->batch_flag >= 0;
}

bool oro_drainage_tree_queue_route(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    return queue_route(tree, z, NULL);
}

/* ---- Flats: routing finds out whether there are any. If so, it is done anew with their directions. ---- */

enum { BASIN, WALLS, WAYS, SINKS, ACROSS = SINKS, FLAT_SCRATCH };

static bool cross_flats(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    struct oro_buffer *const *s = oro_drainage_tree_scratch(tree, FLAT_SCRATCH);
    const struct oro_drainage_tree_slot fields[] = {
        {"walls", s[WALLS]}, {"ways", s[WAYS]}, {"sinks", s[SINKS]}, {0}};
    bool ok = oro_drainage_tree_run(tree, TREE_FLATS_START, fields);
    for (int field = 0; ok && field < 4; field++)
        ok = oro_drainage_tree_repeat(tree, TREE_FLATS + field, fields);
    return ok &&
           TREE_RUN(tree, TREE_FLATS_CHOOSE, {"walls", s[WALLS]}, {"ways", s[WAYS]}, {"across", s[ACROSS]}) &&
           queue_route(tree, z, s[ACROSS]) && oro_drainage_tree_read_flags(tree);
}

/* ---- Parts of a terrain ---- */

/* Rounds, until nothing is left to join. */
static bool join_all(struct oro_drainage_tree *tree, struct oro_buffer *basin)
{
    for (bool left = true; left;) {
        int flags = queue_rounds(tree, basin, TREE_GO);
        if (flags < 0 || !oro_drainage_tree_read_flags(tree) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
        int round = unfinished_round(tree, flags);
        left = is_left(tree, flags);
        if (round < BATCH && !finish_round(tree, basin, round, &left))
            return false;
    }
    return true;
}

bool oro_drainage_tree_join_part(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    struct oro_buffer *basin = *oro_drainage_tree_scratch(tree, 1);
    struct oro_drainage_tree_edges *edges = tree->edges;
    const struct oro_drainage_tree_slot jump[] = {{"jump", tree->rims[RIM]}, {0}};
    tree->z = z;
    oro_drainage_tree_need_flags(tree);
    oro_drainage_tree_set(tree, TREE_TILE, "borders", edges->borders);
    oro_drainage_tree_set(tree, TREE_FIX, "shared_sides", edges->shared);
    if (!queue_tiles(tree, basin, NULL) || !oro_drainage_tree_read_flags(tree))
        return false;
    edges->bad = first_flag_up(tree, BAD) || !(first_flag_up(tree, OUTLET) || edges->shared);
    edges->pits = first_flag_up(tree, PIT);
    edges->flats = first_flag_up(tree, FLAT);
    if (edges->bad || edges->flats || !edges->pits)
        return true;
    if (first_flag_up(tree, UNFINISHED) && !oro_drainage_tree_repeat(tree, TREE_FOLLOW, jump))
        return false;
    return queue_forest(tree, basin, TREE_DOWN) &&
           TREE_RUN(tree, TREE_FIX, {"component", tree->rims[COMPONENT]}, {"level", tree->rims[LEVEL]}) &&
           join_all(tree, basin);
}

bool oro_drainage_tree_list_part(struct oro_drainage_tree *tree, struct oro_buffer *list, uint32_t capacity)
{
    oro_drainage_tree_set(tree, TREE_LIST, "room", capacity);
    return TREE_RUN(tree, TREE_LIST, {"basin", tree->scratch[0]}, {"candidate", tree->rims[CANDIDATE]},
                    {"component", tree->rims[COMPONENT]}, {"list", list});
}

struct oro_buffer *oro_drainage_tree_components(struct oro_drainage_tree *tree)
{
    return tree->rims[COMPONENT];
}

/* Components are not all the outside, as walk() has it: the buffer is made to say so. */
bool oro_drainage_tree_turn_part(struct oro_drainage_tree *tree)
{
    struct oro_buffer *const *r = tree->rims;
    if (!tree->edges->pits)
        return true;
    return TREE_RUN(tree, TREE_RIM_START + TREE_HIGHEST, {"pointer", r[COMPONENT]},
                    {"highest", r[BROUGHT]}) &&
           finish_turning(tree, tree->scratch[0], true);
}

/* ---- The whole ---- */

static bool is_ground(const struct oro_drainage_tree *tree)
{
    return !first_flag_up(tree, BAD) && first_flag_up(tree, OUTLET);
}

bool oro_drainage_tree_is_routed(const struct oro_drainage_tree *tree)
{
    return is_ground(tree) && !first_flag_up(tree, FLAT) &&
           (!first_flag_up(tree, PIT) || batch_is_done(tree, tree->batch_flag));
}

bool oro_drainage_kernels_route(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    if (!oro_drainage_tree_queue_route(tree, z) || !oro_drainage_tree_read_flags(tree))
        return false;
    if (!is_ground(tree))
        return oro_drainage_tree_host_complain(tree, false);
    if (first_flag_up(tree, FLAT) && !cross_flats(tree, z))
        return false;
    if (oro_drainage_tree_is_routed(tree))
        return true;
    struct oro_buffer *basin = tree->scratch[0];
    int flags = tree->batch_flag;
    if (first_flag_up(tree, UNFINISHED)) {
        const struct oro_drainage_tree_slot slots[] = {{"jump", tree->rims[RIM]}, {0}};
        if (!oro_drainage_tree_repeat(tree, TREE_FOLLOW, slots) || !queue_forest(tree, basin, TREE_DOWN) ||
            (flags = queue_batch(tree, basin, TREE_GO)) < 0 || !oro_drainage_tree_read_flags(tree))
            return false;
    }
    return finish_routing(tree, basin, flags);
}
