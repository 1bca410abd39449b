/* Routing on the device: the dispatches of terrain/hydrology/routing.h's rules (after Cordonnier 2019 and
 * Jain 2024).
 */
#include "nodes/flow/drainage_tree.h"

#include "base/memory.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/flow/drainage_tree_private.h"

/* The scratch buffers while routing. */
enum { BASIN, COMPONENT, MERGED, LEVEL, NUMBER, EXIT, LINK };

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
    for (int i = 0; i < ORO_DRAINAGE_TREE_SCRATCH; i++)
        tree->scratch[i] = oro_eval_buffer(tree->eval, cells);
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
    oro_carving_room_free(&tree->carving);
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

/* Finds steepest receivers. Without pits there is nothing more to do. */
static bool find_receivers(struct oro_drainage_tree *tree, bool *pits)
{
    tree->flags_used = ORO_DRAINAGE_TREE_FLAGS; /* this kernel's flags are the first */
    if (oro_drainage_tree_new_flags(tree, 3) != 0 ||
        !TREE_RUN(tree, TREE_RECEIVERS, {"jump", tree->scratch[BASIN]}) ||
        !oro_drainage_tree_read_flags(tree))
        return false;
    if (oro_drainage_tree_flag_up(tree, 0) || !oro_drainage_tree_flag_up(tree, 1))
        return oro_drainage_tree_host_complain(tree, false);
    *pits = oro_drainage_tree_flag_up(tree, 2);
    return true;
}

static bool find_basins(struct oro_drainage_tree *tree)
{
    struct oro_buffer *const *s = tree->scratch;
    return oro_drainage_tree_jump(tree, s[BASIN]) &&
           TREE_RUN(tree, TREE_BASINS, {"basin", s[BASIN]}, {"component", s[COMPONENT]}, {"exit", s[EXIT]},
                    {"level", s[LEVEL]}, {"number", s[NUMBER]});
}

/* ---- The spanning tree, by Boruvka's rounds ---- */

static bool choose_saddles(struct oro_drainage_tree *tree)
{
    struct oro_buffer *const *s = tree->scratch;
    const struct oro_drainage_tree_slot saddles[] = {
        {"component", s[COMPONENT]}, {"level", s[LEVEL]}, {"number", s[NUMBER]}, {0}};
    return oro_drainage_tree_run(tree, TREE_LEVELS, saddles) &&
           oro_drainage_tree_run(tree, TREE_NUMBERS, saddles) &&
           TREE_RUN(tree, TREE_LINK, {"component", s[COMPONENT]}, {"basin", s[BASIN]}, {"number", s[NUMBER]},
                    {"level", s[LEVEL]}, {"link", s[LINK]});
}

/* `flags`: first the exits' flag, then the two of merging. */
static bool join(struct oro_drainage_tree *tree, int flags)
{
    struct oro_buffer *const *s = tree->scratch;
    const struct oro_drainage_tree_slot climb[] = {{"component", s[COMPONENT]}, {"link", s[LINK]}, {0}};
    oro_drainage_tree_set(tree, TREE_EXITS, "flag", flags);
    oro_drainage_tree_set(tree, TREE_MERGE, "flag", flags + 1);
    return TREE_RUN(tree, TREE_EXITS, {"component", s[COMPONENT]}, {"basin", s[BASIN]}, {"link", s[LINK]},
                    {"level", s[LEVEL]}, {"number", s[NUMBER]}, {"exit", s[EXIT]}) &&
           oro_drainage_tree_run(tree, TREE_CLIMB_LINKS, climb) &&
           oro_drainage_tree_run(tree, TREE_CLIMB_LINKS, climb) &&
           TREE_RUN(tree, TREE_MERGE, {"component", s[COMPONENT]}, {"link", s[LINK]},
                    {"merged", s[MERGED]}) &&
           oro_drainage_tree_read_flags(tree);
}

/* Long walks of exits, and long chains of links, go on until they end. */
static bool finish_joining(struct oro_drainage_tree *tree, int *flags)
{
    while (oro_drainage_tree_flag_up(tree, *flags) || oro_drainage_tree_flag_up(tree, *flags + 1)) {
        *flags = oro_drainage_tree_new_flags(tree, 3);
        if (*flags < 0 || !join(tree, *flags) || !oro_eval_progress(tree->eval, 0, 1))
            return false;
    }
    return true;
}

static bool span(struct oro_drainage_tree *tree)
{
    struct oro_buffer **s = tree->scratch;
    for (bool left = true; left;) {
        int flags = oro_drainage_tree_new_flags(tree, 3);
        if (flags < 0 || !choose_saddles(tree) || !join(tree, flags) || !finish_joining(tree, &flags))
            return false;
        left = oro_drainage_tree_flag_up(tree, flags + 2);
        oro_swap_buffers(&s[MERGED], &s[COMPONENT]);
        if (left && !TREE_RUN(tree, TREE_CLEAR, {"component", s[COMPONENT]}, {"level", s[LEVEL]},
                              {"number", s[NUMBER]}))
            return false;
    }
    return true;
}

static bool turn(struct oro_drainage_tree *tree)
{
    struct oro_buffer *const *s = tree->scratch;
    const struct oro_drainage_tree_slot slots[] = {
        {"basin", s[BASIN]}, {"exit", s[EXIT]}, {"level", s[LEVEL]}, {"number", s[NUMBER]}, {0}};
    return oro_drainage_tree_repeat(tree, TREE_TURN, slots, "first");
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
    return find_receivers(tree, &pits) && (!pits || (find_basins(tree) && span(tree) && turn(tree)));
}
