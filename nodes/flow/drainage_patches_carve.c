/* Patches: carving, with the stages and messages of terrain/drainage/breach.h. */
#include <string.h>

#include "base/memory.h"
#include "graph/type/ranks.h"
#include "nodes/flow/drainage_patches.h"
#include "terrain/drainage/grade.h"

/* GRADE_COMES of gles_shaders/lib/grade.glsl: a way comes in, without a grade so far. */
#define GRADE_COMES (ORO_GRADE_NONE - 1)

struct carving {
    struct oro_buffer *to;
    int stage, stages; /* the last one has no message */
    struct oro_tiled_bytes *answers[ORO_TILED_GRADE_STAGES];
    uint64_t gentle;
};

/* What a stage works with, in the scratch buffers: ways and roots are not needed once there are limits and
 * grades. */
enum { LOWEST, WAY, LIMIT = WAY, ROOT, GRADE = ROOT, BASE, DROP };

/* ---- Lowest steps ---- */

/* What comes in, by the answer to a stage; the caller frees it. NULL: failed. */
static uint32_t *inflow_of(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                           const struct carving *c, int stage)
{
    enum oro_tiled_flow flow = oro_tiled_carve_flow(stage);
    struct oro_tiled_values *answer = oro_drainage_patch_answer(p, patch, flow, c->answers[stage]);
    uint32_t *values = answer ? oro_drainage_patches_alloc(p, patch->entry_count, sizeof *values) : NULL;
    for (uint32_t i = 0; values && i < patch->entry_count; i++) {
        int64_t value = answer[i].of[0];
        bool is_grade = value >= -ORO_GRADE_FULL && value < GRADE_COMES;
        values[i] = flow == ORO_TILED_LOW ? (uint32_t)oro_tiled_low_of(value)
                                          : (uint32_t)(is_grade ? (int32_t)value : GRADE_COMES);
    }
    oro_free(answer);
    return values;
}

static bool find_lowest(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        const struct carving *c)
{
    uint32_t *inflow = c->stage > 0 ? inflow_of(p, patch, c, 0) : NULL;
    bool ok = (inflow || c->stage == 0) && oro_drainage_patch_come_in(p, patch, inflow, 1) &&
              oro_drainage_tree_travel(&p->tree, TREE_LOWEST, &p->tree.scratch[LOWEST]);
    oro_free(inflow);
    return ok;
}

/* Values of a raster of the patch at exits. */
static uint32_t *read_exits(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                            struct oro_buffer *from)
{
    uint32_t *cells = oro_drainage_patch_cells(p, patch, patch->exits, patch->exit_count);
    uint32_t *values = cells ? oro_drainage_patch_read(p, from, cells, patch->exit_count) : NULL;
    oro_free(cells);
    return values;
}

static bool tell_lowest(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        struct oro_tiled_flows *flows)
{
    uint32_t *low = read_exits(p, patch, p->tree.scratch[LOWEST]);
    for (uint32_t i = 0; low && i < flows->exit_count; i++)
        flows->exits[i].values.of[0] = (int32_t)low[i];
    bool ok = low;
    oro_free(low);
    return ok;
}

/* ---- Lengths of ways ---- */

static uint32_t step_of_exit(int direction)
{
    bool straight = direction == 1 || direction == 3 || direction == 4 || direction == 6;
    return straight ? ORO_PATH_STRAIGHT : ORO_PATH_ACROSS;
}

static bool tell_lengths(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                         struct oro_tiled_flows *flows)
{
    uint32_t count = flows->entry_count;
    struct oro_buffer *lowest = p->tree.scratch[LOWEST];
    if (!oro_drainage_patch_come_in(p, patch, NULL, 0) || !oro_drainage_tree_cross(&p->tree, TREE_PATH))
        return false;
    uint32_t *slots = oro_drainage_patch_slots(p, patch, patch->entries, count);
    uint32_t *cells = oro_drainage_patch_cells(p, patch, patch->entries, count);
    uint32_t *ways = slots ? oro_drainage_patch_read(p, p->edges.parts[0], slots, count) : NULL;
    uint32_t *low = cells ? oro_drainage_patch_read(p, lowest, cells, count) : NULL;
    uint32_t *end_low = oro_drainage_patch_read(p, lowest, patch->entry_end, count);
    bool ok = ways && low && end_low;
    for (uint32_t i = 0; ok && i < count; i++) {
        uint32_t exit = patch->entry_exit[i];
        int64_t *of = flows->entries[i].way.values.of;
        of[0] = (int64_t)ways[i] +
                (exit == ORO_TILED_NONE ? 0 : step_of_exit(patch->graph.exit[patch->exits[exit]]));
        of[1] = oro_level_of(oro_step_height((int32_t)end_low[i]));
        of[2] = (int32_t)low[i];
    }
    oro_free(slots);
    oro_free(cells);
    oro_free(ways);
    oro_free(low);
    oro_free(end_low);
    return ok;
}

/* ---- Grades ---- */

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The height of the cell that an exit leads to. */
static float ground_beyond(const struct oro_drainage_patch *patch, uint32_t rim)
{
    const struct oro_tiled_block *block = &patch->tile.block;
    struct oro_tiled_cell to = oro_tiled_neighbour(oro_tiled_rim_cell(block, rim), patch->graph.exit[rim]);
    int x = to.x - block->x, y = to.y - block->y, row = block->width + 2;
    return patch->ring[y < 0                ? x + 1
                       : y >= block->height ? row + x + 1
                       : x < 0              ? 2 * row + y
                                            : 2 * row + block->height + y];
}

/* What the kernels ask of beyond the exits, by place along the edge. */
struct beyond {
    uint32_t *exit, *way, *base, *low, *ground;
};

static void put_beyond(const struct oro_drainage_patch *patch, const struct oro_tiled_values *answer,
                       const struct beyond *beyond)
{
    for (uint32_t i = 0; i < patch->exit_count; i++) {
        uint32_t rim = patch->exits[i];
        size_t at = oro_drainage_patch_edge(patch, rim);
        const int64_t *of = answer[i].of;
        int64_t way = of[0] < 0 ? 0 : of[0] > UINT32_MAX ? UINT32_MAX : of[0];
        beyond->exit[at] = patch->graph.exit[rim];
        beyond->way[at] = (uint32_t)way + step_of_exit(patch->graph.exit[rim]);
        beyond->base[at] = bits_of(oro_level_height((uint32_t)of[1]));
        beyond->low[at] = (uint32_t)(of[2] < ORO_STEPS_LOWEST ? ORO_STEPS_LOWEST : (int32_t)of[2]);
        beyond->ground[at] = bits_of(ground_beyond(patch, rim));
    }
}

static bool upload_beyond(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                          const struct carving *c)
{
    struct oro_eval *e = p->tree.eval;
    const struct oro_drainage_tree_edges *to = &p->edges;
    size_t words = oro_drainage_patch_edges(patch), bytes = words * sizeof(uint32_t);
    struct oro_tiled_values *answer = oro_drainage_patch_answer(p, patch, ORO_TILED_LENGTH, c->answers[1]);
    uint32_t *all = answer ? oro_drainage_patches_alloc(p, 5 * words, sizeof *all) : NULL;
    bool ok = all;
    if (all) {
        struct beyond beyond = {all, all + words, all + 2 * words, all + 3 * words, all + 4 * words};
        for (size_t i = 0; i < words; i++)
            beyond.exit[i] = ORO_TILED_NO_EXIT;
        put_beyond(patch, answer, &beyond);
        ok = oro_eval_upload(e, to->exits, beyond.exit, bytes) &&
             oro_eval_upload(e, to->beyond_way, beyond.way, bytes) &&
             oro_eval_upload(e, to->beyond_base, beyond.base, bytes) &&
             oro_eval_upload(e, to->beyond_low, beyond.low, bytes) &&
             oro_eval_upload(e, to->beyond_ground, beyond.ground, bytes);
    }
    oro_free(answer);
    oro_free(all);
    return ok;
}

/* Grades, with what comes in once that was answered; else entries only say that a way comes in there, so that
 * limits are found for it. */
static bool descend(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                    const struct carving *c)
{
    struct oro_drainage_tree *tree = &p->tree;
    uint32_t *inflow = c->stage > 2 ? inflow_of(p, patch, c, 2)
                                    : oro_drainage_patches_alloc(p, patch->entry_count, sizeof *inflow);
    for (uint32_t i = 0; inflow && c->stage == 2 && i < patch->entry_count; i++)
        inflow[i] = GRADE_COMES;
    bool ok = inflow && oro_drainage_patch_come_in(p, patch, inflow, 1) &&
              oro_drainage_tree_descend(tree, tree->scratch[LIMIT], tree->scratch[GRADE]);
    oro_free(inflow);
    return ok;
}

static bool grade(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                  const struct carving *c)
{
    struct oro_drainage_tree *tree = &p->tree;
    struct oro_buffer *const *s = tree->scratch;
    oro_drainage_tree_set(tree, TREE_DROP, "unit", (double)(p->whole->fall / (float)ORO_PATH_STRAIGHT));
    return upload_beyond(p, patch, c) && oro_drainage_patch_come_in(p, patch, NULL, 0) &&
           oro_drainage_tree_travel(tree, TREE_PATH, (struct oro_buffer *const[]){s[WAY], s[ROOT]}) &&
           TREE_RUN(tree, TREE_DROP, {"root", s[ROOT]}, {"way", s[WAY]}, {"lowest", s[LOWEST]},
                    {"base", s[BASE]}, {"drop", s[DROP]}) &&
           TREE_RUN(tree, TREE_GRADE_START, {"lowest", s[LOWEST]}, {"base", s[BASE]}, {"drop", s[DROP]},
                    {"limit", s[LIMIT]}, {"grade", s[GRADE]}) &&
           descend(p, patch, c);
}

static bool tell_grades(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        struct oro_tiled_flows *flows)
{
    struct oro_buffer *const *s = p->tree.scratch;
    uint32_t *slots = oro_drainage_patch_slots(p, patch, patch->entries, flows->entry_count);
    uint32_t *most = slots ? oro_drainage_patch_read(p, p->edges.parts[1], slots, flows->entry_count) : NULL;
    uint32_t *grades = read_exits(p, patch, s[GRADE]), *limits = read_exits(p, patch, s[LIMIT]);
    bool ok = most && grades && limits;
    for (uint32_t i = 0; ok && i < flows->entry_count; i++)
        flows->entries[i].way.values.of[0] = (int32_t)most[i];
    for (uint32_t i = 0; ok && i < flows->exit_count; i++) {
        int32_t own = (int32_t)grades[i];
        flows->exits[i].values.of[0] = own <= (int32_t)limits[i] && own < GRADE_COMES ? own : ORO_GRADE_NONE;
    }
    oro_free(slots);
    oro_free(most);
    oro_free(grades);
    oro_free(limits);
    return ok;
}

/* ---- Channels ---- */

/* Adds the cells of channels that fall by less than they should. */
static bool lower(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch, struct carving *c)
{
    struct oro_drainage_tree *tree = &p->tree;
    struct oro_buffer *const *s = tree->scratch;
    uint32_t gentle = 0;
    if (!oro_eval_upload(tree->eval, p->values, &gentle, sizeof gentle) ||
        !TREE_RUN(tree, TREE_RISE, {"grade", s[GRADE]}, {"drop", s[DROP]}) ||
        !TREE_RUN(tree, TREE_LOWER, {"grade", s[GRADE]}, {"limit", s[LIMIT]}, {"base", s[BASE]},
                  {"drop", s[DROP]}, {"lowest", s[LOWEST]}, {"gentle", p->values}) ||
        !oro_eval_download(tree->eval, p->values, &gentle, sizeof gentle))
        return false;
    if (c->stage == c->stages)
        c->gentle += gentle;
    uint32_t *inflow = NULL, *cells = NULL;
    bool ok = true;
    if (c->stage == c->stages) {
        inflow = inflow_of(p, patch, c, 3);
        cells = oro_drainage_patch_cells(p, patch, patch->entries, patch->entry_count);
        ok = inflow && oro_drainage_patch_write(p, s[LOWEST], cells, inflow, patch->entry_count, true);
    }
    oro_free(inflow);
    oro_free(cells);
    return ok && oro_drainage_tree_repeat(
                     tree, TREE_FALL, (const struct oro_drainage_tree_slot[]){{"lowest", s[LOWEST]}, {0}});
}

/* ---- Stages ---- */

static bool reach_stage(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        struct carving *c)
{
    return find_lowest(p, patch, c) && (c->stages == 1 || c->stage < 2 || grade(p, patch, c)) &&
           (c->stages == 1 || c->stage < 3 || lower(p, patch, c));
}

static bool tell(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                 struct oro_tiled_flows *flows, void *user)
{
    struct carving *c = user;
    return reach_stage(p, patch, c) && (c->stage == 1   ? tell_lengths(p, patch, flows)
                                        : c->stage == 2 ? tell_grades(p, patch, flows)
                                                        : tell_lowest(p, patch, flows));
}

/* What is too deep the processor says better. */
static bool finish(struct oro_drainage_patches *p, struct oro_drainage_patch *patch, struct carving *c)
{
    struct oro_drainage_tree *tree = &p->tree;
    if (!oro_drainage_patch_take(p, patch) || !reach_stage(p, patch, c))
        return false;
    int flag = oro_drainage_tree_new_flags(tree, 1);
    bool too_low;
    oro_drainage_tree_set(tree, TREE_BREACH, "flag", flag);
    if (flag < 0 || !TREE_RUN(tree, TREE_BREACH, {"lowest", tree->scratch[LOWEST]}, {"carved", p->out}) ||
        !oro_drainage_tree_look(tree, flag, &too_low) || !oro_drainage_patch_store(p, patch, c->to))
        return false;
    p->unfit = p->unfit || too_low;
    return true;
}

/* Each rank has counted those of its own tiles. */
static bool add_gentle(struct oro_drainage_patches *p, uint64_t gentle)
{
    struct oro_ranks *ranks = p->tiles.ranks;
    struct oro_error err;
    if (ranks->count > 1 && !ranks->ops->sum(ranks, &gentle, 1, &err))
        return oro_eval_failed(p->tree.eval, &err);
    p->whole->gentle = (double)gentle;
    return true;
}

bool oro_drainage_patches_carve(struct oro_drainage_patches *p, struct oro_buffer *to, bool *unfit)
{
    struct carving c = {.to = to, .stages = p->whole->fall < ORO_GRADE_LEAST ? 1 : ORO_TILED_GRADE_STAGES};
    bool ok = true;
    p->unfit = *unfit = false;
    for (; ok && !*unfit && c.stage < c.stages; c.stage++) {
        c.answers[c.stage] = oro_drainage_patches_flow(p, oro_tiled_carve_flow(c.stage), tell, &c, unfit);
        ok = c.answers[c.stage] || *unfit;
    }
    if (ok && !*unfit) {
        for (int i = 0; ok && i < p->own_count && !p->unfit; i++)
            ok = finish(p, &p->own[i], &c);
        ok = oro_drainage_patches_agree(p, ok, unfit);
    }
    if (ok && !*unfit)
        ok = add_gentle(p, c.gentle);
    for (int i = 0; i < ORO_TILED_GRADE_STAGES; i++)
        oro_tiled_free_all(c.answers[i], p->tiles.count);
    return ok;
}
