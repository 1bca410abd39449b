/* Patches: sums and levels along their ways, with what is beyond them. */
#include <string.h>

#include "base/memory.h"
#include "graph/type/ranks.h"
#include "nodes/flow/drainage_patches.h"
#include "terrain/drainage/steps.h"

/* ---- From tile to tile ---- */

static bool begin_flows(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        enum oro_tiled_flow flow, struct oro_tiled_flows *flows)
{
    *flows = (struct oro_tiled_flows){.block = patch->tile.block,
                                      .flow = flow,
                                      .exit_count = patch->exit_count,
                                      .entry_count = patch->entry_count};
    flows->exits = oro_drainage_patches_alloc(p, patch->exit_count, sizeof *flows->exits);
    flows->entries = oro_drainage_patches_alloc(p, patch->entry_count, sizeof *flows->entries);
    if (!flows->exits || !flows->entries)
        return false;
    for (uint32_t i = 0; i < patch->exit_count; i++) {
        flows->exits[i].rim = patch->exits[i];
        flows->exits[i].direction = patch->graph.exit[patch->exits[i]];
    }
    for (uint32_t i = 0; i < patch->entry_count; i++) {
        flows->entries[i].rim = patch->entries[i];
        flows->entries[i].way =
            (struct oro_tiled_way){.exit = patch->entry_exit[i], .distance = patch->entry_ahead[i]};
    }
    return true;
}

static bool tell_all(struct oro_drainage_patches *p, enum oro_tiled_flow flow, oro_drainage_teller *tell,
                     void *user, struct oro_tiled_bytes *messages)
{
    bool ok = true;
    for (int i = 0; ok && i < p->own_count && !p->unfit; i++) {
        struct oro_drainage_patch *patch = &p->own[i];
        struct oro_tiled_flows flows;
        ok = begin_flows(p, patch, flow, &flows) && oro_drainage_patch_take(p, patch) &&
             tell(p, patch, &flows, user);
        if (ok)
            oro_tiled_flows_write(&flows, &messages[patch->number]);
        if (ok && messages[patch->number].failed)
            ok = oro_eval_fail(p->tree.eval, ORO_E_MEMORY, "no memory for what flows out of a tile");
        oro_tiled_flows_free(&flows);
    }
    return ok;
}

struct oro_tiled_bytes *oro_drainage_patches_flow(struct oro_drainage_patches *p, enum oro_tiled_flow flow,
                                                  oro_drainage_teller *tell, void *user, bool *unfit)
{
    struct oro_error err = {0};
    size_t count = (size_t)p->tiles.count;
    struct oro_tiled_bytes *messages = oro_drainage_patches_alloc(p, count, sizeof *messages);
    struct oro_tiled_bytes *answers = oro_drainage_patches_alloc(p, count, sizeof *answers);
    bool ok = messages && answers && tell_all(p, flow, tell, user, messages);
    ok = oro_drainage_patches_agree(p, ok, unfit);
    if (ok && !*unfit)
        ok = oro_tiled_flows_for(&p->ground, flow, true, messages, answers, &err) ||
             oro_eval_failed(p->tree.eval, &err);
    oro_tiled_free_all(messages, p->tiles.count);
    if (ok && !*unfit)
        return answers;
    oro_tiled_free_all(answers, p->tiles.count);
    return NULL;
}

struct oro_tiled_values *oro_drainage_patch_answer(struct oro_drainage_patches *p,
                                                   const struct oro_drainage_patch *patch,
                                                   enum oro_tiled_flow flow,
                                                   const struct oro_tiled_bytes *answers)
{
    struct oro_error err;
    uint32_t count = oro_tiled_flow_goes_up(flow) ? patch->exit_count : patch->entry_count;
    struct oro_tiled_values *values =
        oro_tiled_answer_read(count, flow, &patch->tile.block, oro_tiled_view(&answers[patch->number]), &err);
    if (!values)
        oro_eval_failed(p->tree.eval, &err);
    return values;
}

bool oro_drainage_patch_come_in(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                                const uint32_t *values, int fields)
{
    struct oro_eval *e = p->tree.eval;
    uint32_t count = values ? patch->entry_count : 0;
    size_t bytes = count * sizeof *values;
    p->edges.inflow_count = count;
    if (!count)
        return true;
    uint32_t *slots = oro_drainage_patch_slots(p, patch, patch->entries, count);
    bool ok = slots && oro_eval_upload(e, p->edges.places, slots, bytes);
    for (int i = 0; i < TREE_PARTS; i++) {
        if (i < fields && !p->inflow[i])
            p->inflow[i] =
                oro_eval_buffer(e, 2 * ((size_t)p->tiles.cut.tile_width + (size_t)p->tiles.cut.tile_height));
        p->edges.inflow[i] = i < fields ? p->inflow[i] : NULL;
        ok = ok && (i >= fields || oro_eval_upload(e, p->inflow[i], values + (size_t)i * count, bytes));
    }
    oro_free(slots);
    return ok;
}

/* ---- Areas ---- */

struct summing {
    bool rain;
    struct oro_buffer *to;
    struct oro_tiled_bytes *answers;
};

static bool sum(struct oro_drainage_patches *p, bool rain)
{
    return oro_drainage_tree_travel(&p->tree, rain ? TREE_RAIN : TREE_CELLS, p->tree.scratch);
}

static bool tell_sums(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                      struct oro_tiled_flows *flows, void *user)
{
    const struct summing *s = user;
    uint32_t count = flows->exit_count;
    if (!oro_drainage_patch_come_in(p, patch, NULL, 0) || !sum(p, s->rain))
        return false;
    uint32_t *cells = oro_drainage_patch_cells(p, patch, patch->exits, count);
    uint32_t *low = cells ? oro_drainage_patch_read(p, p->tree.scratch[0], cells, count) : NULL;
    uint32_t *high = low && s->rain ? oro_drainage_patch_read(p, p->tree.scratch[1], cells, count) : NULL;
    bool ok = low && (high || !s->rain);
    for (uint32_t i = 0; ok && i < count; i++)
        flows->exits[i].values.of[0] = (int64_t)(low[i] | (high ? (uint64_t)high[i] << 32 : 0));
    oro_free(cells);
    oro_free(low);
    oro_free(high);
    return ok;
}

/* Lower halves first, then the upper ones. Numbers of cells have to be less than 2^32 all the way. */
static uint32_t *halves(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        const struct summing *s, const struct oro_tiled_values *inflow)
{
    uint32_t count = patch->entry_count;
    uint64_t all = (uint64_t)patch->tile.block.width * (uint64_t)patch->tile.block.height;
    uint32_t *values = oro_drainage_patches_alloc(p, 2 * (size_t)count, sizeof *values);
    for (uint32_t i = 0; values && i < count; i++) {
        uint64_t value = (uint64_t)inflow[i].of[0];
        values[i] = (uint32_t)value;
        values[count + i] = (uint32_t)(value >> 32);
        all += value;
    }
    if (!s->rain && all > UINT32_MAX)
        p->unfit = true;
    return values;
}

static bool finish_sums(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                        const struct summing *s)
{
    enum oro_tiled_flow flow = s->rain ? ORO_TILED_RAIN : ORO_TILED_CELLS;
    struct oro_tiled_values *inflow = oro_drainage_patch_answer(p, patch, flow, s->answers);
    uint32_t *values = inflow ? halves(p, patch, s, inflow) : NULL;
    struct oro_drainage_tree *tree = &p->tree;
    struct oro_buffer *const *sums = tree->scratch;
    bool ok = values && oro_drainage_patch_take(p, patch) &&
              oro_drainage_patch_come_in(p, patch, values, s->rain ? 2 : 1) && sum(p, s->rain);
    if (ok && s->rain)
        ok = TREE_RUN(tree, TREE_RAIN_DRAINAGE, {"rain_low", sums[0]}, {"rain_high", sums[1]},
                      {"area", p->out});
    else if (ok)
        ok = TREE_RUN(tree, TREE_DRAINAGE, {"cells", sums[0]}, {"area", p->out});
    oro_free(inflow);
    oro_free(values);
    return ok && oro_drainage_patch_store(p, patch, s->to);
}

bool oro_drainage_patches_area(struct oro_drainage_patches *p, bool rain, struct oro_buffer *to, bool *unfit)
{
    struct summing s = {rain, to, NULL};
    p->unfit = *unfit = false;
    p->tree.rain = p->whole->rain;
    s.answers = oro_drainage_patches_flow(p, rain ? ORO_TILED_RAIN : ORO_TILED_CELLS, tell_sums, &s, unfit);
    if (!s.answers)
        return *unfit;
    bool ok = true;
    for (int i = 0; ok && i < p->own_count && !p->unfit; i++)
        ok = finish_sums(p, &p->own[i], &s);
    oro_tiled_free_all(s.answers, p->tiles.count);
    return oro_drainage_patches_agree(p, ok, unfit);
}

/* ---- Flood levels ---- */

static bool tell_levels(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                        struct oro_tiled_flows *flows, void *user)
{
    (void)user;
    if (!oro_drainage_patch_come_in(p, patch, NULL, 0) || !oro_drainage_tree_cross(&p->tree, TREE_HIGHEST))
        return false;
    uint32_t *slots = oro_drainage_patch_slots(p, patch, patch->entries, flows->entry_count);
    uint32_t *levels =
        slots ? oro_drainage_patch_read(p, p->edges.parts[0], slots, flows->entry_count) : NULL;
    for (uint32_t i = 0; levels && i < flows->entry_count; i++)
        flows->entries[i].way.values.of[0] = levels[i];
    bool ok = levels;
    oro_free(slots);
    oro_free(levels);
    return ok;
}

/* The ground, with exits as high as what lies beyond them: so the highest on the ways is right for all cells.
 */
static bool raise_exits(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                        const struct oro_tiled_values *beyond, struct oro_buffer *raised)
{
    uint32_t count = patch->exit_count;
    uint32_t *cells = oro_drainage_patch_cells(p, patch, patch->exits, count);
    uint32_t *heights = oro_drainage_patches_alloc(p, count, sizeof *heights);
    for (uint32_t i = 0; heights && i < count; i++) {
        uint32_t own = patch->graph.level[patch->exits[i]], level = (uint32_t)beyond[i].of[0];
        float height = oro_level_height(level > own ? level : own);
        memcpy(&heights[i], &height, sizeof height);
    }
    bool ok = cells && heights && oro_eval_copy(p->tree.eval, p->z, raised, oro_grid_cells(&p->tree.grid)) &&
              oro_drainage_patch_write(p, raised, cells, heights, count, false);
    oro_free(cells);
    oro_free(heights);
    return ok;
}

static bool finish_levels(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                          const struct oro_tiled_bytes *answers, struct oro_buffer *to)
{
    struct oro_drainage_tree *tree = &p->tree;
    struct oro_buffer *highest = tree->scratch[0], *raised = tree->scratch[1];
    struct oro_tiled_values *beyond = oro_drainage_patch_answer(p, patch, ORO_TILED_LEVEL, answers);
    bool ok = beyond && oro_drainage_patch_take(p, patch) && raise_exits(p, patch, beyond, raised);
    tree->z = raised;
    ok = ok && oro_drainage_tree_travel(tree, TREE_HIGHEST, &highest);
    tree->z = p->z;
    int flag = ok ? oro_drainage_tree_new_flags(tree, 1) : -1;
    if (flag >= 0)
        oro_drainage_tree_set(tree, TREE_FLOOD, "flag", flag);
    ok = ok && flag >= 0 && TREE_RUN(tree, TREE_FLOOD, {"highest", highest}, {"filled", p->out});
    oro_free(beyond);
    return ok && oro_drainage_patch_store(p, patch, to);
}

bool oro_drainage_patches_fill(struct oro_drainage_patches *p, struct oro_buffer *to, bool *unfit)
{
    p->unfit = *unfit = false;
    struct oro_tiled_bytes *answers = oro_drainage_patches_flow(p, ORO_TILED_LEVEL, tell_levels, NULL, unfit);
    if (!answers)
        return *unfit;
    bool ok = true;
    for (int i = 0; ok && i < p->own_count; i++)
        ok = finish_levels(p, &p->own[i], answers, to);
    oro_tiled_free_all(answers, p->tiles.count);
    return oro_drainage_patches_agree(p, ok, unfit);
}
