/* Carving down the ways of a tile: drain.h has the rule, grade.h the arithmetic of least gradients, flow.h
 * the stages. */
#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/grade.h"
#include "terrain/drainage/grade_private.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

enum oro_tiled_flow oro_tiled_carve_flow(int stage)
{
    return stage == 1 ? ORO_TILED_LENGTH : stage == 2 ? ORO_TILED_GRADE : ORO_TILED_LOW;
}

struct carving {
    struct oro_tiled_course *course;
    const float *z; /* of the window */
    float fall;
    struct oro_tiled_view answers[ORO_TILED_GRADE_STAGES]; /* to the stages before; a whole has none */
    int32_t *low;         /* K of drain.h. No terrain has as many cells as there are steps left below. */
    atomic_bool too_deep; /* that is why a stage failed */
    struct oro_grading grading;
    float *out;
};

/* The answer to a stage, which the caller frees. Where nobody was asked, there is nothing beyond. */
static bool read_answer(const struct carving *c, int stage, struct oro_tiled_values **values,
                        struct oro_error *err)
{
    enum oro_tiled_flow flow = oro_tiled_carve_flow(stage);
    uint32_t count = oro_tiled_flow_goes_up(flow) ? c->course->exit_count : c->course->entry_count;
    *values = NULL;
    if (!count && !c->answers[stage].data)
        return true;
    *values = oro_tiled_answer_read(count, flow, &c->course->tile->block, c->answers[stage], err);
    return *values;
}

/* ---- Lowest steps ---- */

/* `z`: of the ground they begin with; NULL: with those that are there. */
static bool sum_low(const struct carving *c, const float *z, int answered, struct oro_error *err)
{
    struct oro_tiled_sums sums = {.flow = ORO_TILED_LOW, .from = z, .low = c->low};
    struct oro_tiled_values *inflow = NULL;
    bool ok = (answered < 0 || read_answer(c, answered, &inflow, err)) &&
              oro_tiled_sum(c->course, &sums, inflow, err);
    oro_free(inflow);
    return ok;
}

/* What is too deep in the ring is so in its own tile, too. */
static void look_for_depths(void *user, size_t first, size_t end)
{
    struct carving *c = user;
    int32_t least = 0;
    for (size_t i = first; i < end; i++)
        least = c->low[i] < least ? c->low[i] : least;
    if (least < ORO_STEPS_LOWEST)
        atomic_store(&c->too_deep, true);
}

/* depths.c knows which cell it is. */
static bool check_depth(struct carving *c, struct oro_error *err)
{
    return oro_drainage_tree_cells(&c->course->routing, c->course->asks, look_for_depths, c, err) &&
           (!atomic_load(&c->too_deep) || oro_fail(err, ORO_E_EVALUATE, "ground is too deep to be drained"));
}

/* ---- Lengths of ways. Beyond exits they are those of the answer, and so are lowest steps. ---- */

static void trace_length(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                         struct oro_tiled_way *way)
{
    const struct carving *c = user;
    int64_t length =
        next == cell ? 0 : oro_grading_length((uint32_t)c->course->tile->window.width, cell, next);
    way->values.of[0] = length + (on ? on->values.of[0] : 0);
    way->values.of[1] = on ? on->values.of[1] : oro_level_of(oro_step_height(c->low[cell]));
    way->values.of[2] = c->low[cell];
}

static bool measure(struct carving *c, struct oro_error *err)
{
    const struct oro_tiled_course *course = c->course;
    struct oro_drainage_tree_work work = {.part = oro_grading_measure, .user = &c->grading};
    struct oro_tiled_values *beyond;
    if (!read_answer(c, 1, &beyond, err))
        return false;
    for (uint32_t i = 0; i < course->exit_count; i++) {
        size_t cell = oro_tiled_course_beyond(course, i);
        const int64_t *of = beyond[i].of;
        c->grading.length[cell] = of[0] < 0 ? 0 : of[0] > UINT32_MAX ? UINT32_MAX : (uint32_t)of[0];
        c->grading.base[cell] = oro_level_height((uint32_t)of[1]);
        c->low[cell] = of[2] < ORO_STEPS_LOWEST ? ORO_STEPS_LOWEST : (int32_t)of[2];
    }
    oro_free(beyond);
    return oro_drainage_tree_up(&course->routing, course->asks, &work, err);
}

/* ---- Grades ---- */

static int32_t grade_of_ground(const struct carving *c, size_t cell)
{
    float drop = oro_grade_drop(c->fall, c->grading.length[cell]);
    return oro_grade_of(c->z[cell], c->grading.base[cell], drop);
}

static void trace_grade(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                        struct oro_tiled_way *way)
{
    (void)next;
    way->values.of[0] = grade_of_ground(user, cell);
    if (on && on->values.of[0] < way->values.of[0])
        way->values.of[0] = on->values.of[0];
}

/* `answered`: with what comes in. */
static bool descend(struct carving *c, bool answered, struct oro_error *err)
{
    const struct oro_tiled_course *course = c->course;
    struct oro_drainage_tree_work work = {.part = oro_grading_descend, .user = &c->grading};
    struct oro_tiled_values *inflow = NULL;
    if ((answered && !read_answer(c, 2, &inflow, err)) ||
        !oro_drainage_tree_cells(&course->routing, course->asks, oro_grading_clear, &c->grading, err))
        return false;
    for (uint32_t i = 0; inflow && i < course->entry_count; i++) {
        int64_t grade = inflow[i].of[0];
        if (grade >= -ORO_GRADE_FULL && grade < ORO_GRADE_NONE)
            c->grading.grade[oro_tiled_course_cell(course, course->entries[i])] = (int32_t)grade;
    }
    oro_free(inflow);
    if (!oro_drainage_tree_down(&course->routing, course->asks, &work, err))
        return false;
    for (uint32_t i = 0; i < course->exit_count; i++)
        c->grading.grade[oro_tiled_course_beyond(course, i)] = ORO_GRADE_NONE;
    return true;
}

/* ---- Stages ---- */

static bool grade(struct carving *c, int stage, struct oro_error *err)
{
    struct oro_ground ground = oro_tiled_ground(&c->course->tile->window, c->z);
    if (!oro_grading_begin(&c->grading, &ground, c->fall, c->low, err))
        return false;
    c->grading.tile = c->course->tile;
    return measure(c, err) && descend(c, stage >= 3, err);
}

static bool lower(struct carving *c, int stage, struct oro_error *err)
{
    return oro_drainage_tree_cells(&c->course->routing, c->course->asks, oro_grading_lower, &c->grading,
                                   err) &&
           sum_low(c, NULL, stage == 4 ? 3 : -1, err);
}

/* Up to a stage: `low` gets the lowest steps that are known in it. oro_grading_end afterwards. */
static bool carve_to(struct carving *c, int stage, struct oro_error *err)
{
    return oro_tiled_course_order(c->course, err) && sum_low(c, c->z, stage >= 1 ? 0 : -1, err) &&
           (stage < 1 || check_depth(c, err)) && (stage < 2 || grade(c, stage, err)) &&
           (stage < 3 || lower(c, stage, err));
}

static int last_stage(float fall)
{
    return fall < ORO_GRADE_LEAST ? 1 : ORO_TILED_GRADE_STAGES;
}

static void write_heights(void *user, size_t first, size_t end)
{
    const struct carving *c = user;
    for (size_t i = first; i < end; i++)
        c->out[i] = c->low[i] < oro_step_of(c->z[i]) ? oro_step_height(c->low[i]) : c->z[i];
}

/* All of it, into `out`, which may be the ground. */
static bool carve(struct carving *c, struct oro_error *err)
{
    bool ok = carve_to(c, last_stage(c->fall), err);
    oro_grading_end(&c->grading);
    return ok && oro_drainage_tree_cells(&c->course->routing, NULL, write_heights, c, err);
}

/* ---- The whole ---- */

bool oro_breach(const struct oro_ground *ground, const struct oro_routing *routing,
                const struct oro_breaching *how, float *out, struct oro_error *err)
{
    if (how->gentle)
        *how->gentle = 0;
    if (how->method == ORO_BREACH_FLOOD)
        return oro_breach_flood(ground, how, out, err);
    struct oro_tiled_whole whole;
    struct carving c = {
        .course = oro_tiled_whole(routing, &whole), .z = ground->z, .fall = how->fall, .out = out};
    c.course->asks = ground;
    c.low = oro_alloc((size_t)ground->width * (size_t)ground->height, sizeof *c.low);
    bool ok = c.low ? carve(&c, err) : oro_no_memory(ground, err);
    if (atomic_load(&c.too_deep))
        ok = oro_tiled_whole_too_deep(c.course, ground->z, c.low, err);
    if (ok && how->gentle)
        *how->gentle = atomic_load(&c.grading.gentle);
    oro_grading_end(&c.grading);
    oro_free(c.low);
    return ok;
}

/* ---- Tiles ---- */

struct breaching {
    const struct oro_tiled_sink *out;
    float fall;
    int stage;
    struct oro_tiled_bytes *answers[ORO_TILED_GRADE_STAGES]; /* of all tiles */
    atomic_size_t gentle;
    atomic_bool too_deep;
};

static bool tell_stage(struct carving *c, int stage, struct oro_tiled_bytes *message, struct oro_error *err)
{
    const struct oro_tiled_course *course = c->course;
    struct oro_tiled_tracing tracing = {stage == 1 ? trace_length : trace_grade, c};
    struct oro_tiled_flows flows;
    if (oro_tiled_carve_flow(stage) == ORO_TILED_LOW)
        return oro_tiled_tell_sums(course, &(struct oro_tiled_sums){.flow = ORO_TILED_LOW, .low = c->low},
                                   message, err);
    if (!oro_tiled_flows_begin(course, oro_tiled_carve_flow(stage), &flows, err)) {
        oro_tiled_flows_free(&flows);
        return false;
    }
    for (uint32_t i = 0; stage == 2 && i < flows.exit_count; i++) {
        size_t cell = oro_tiled_course_cell(course, flows.exits[i].rim);
        int32_t grade = c->grading.grade[cell];
        flows.exits[i].values.of[0] = grade <= grade_of_ground(c, cell) ? grade : ORO_GRADE_NONE;
    }
    return oro_tiled_tell(course, &tracing, &flows, message, err);
}

/* `message`: of the stage at hand; NULL: the result goes out. */
static bool carve_tile(struct oro_tiled_drainage *d, int which, struct breaching *b,
                       struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_hold hold;
    struct carving c = {.course = &hold.course, .fall = b->fall};
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err);
    c.z = c.out = hold.z;
    for (int i = 0; i < b->stage; i++)
        c.answers[i] = oro_tiled_view(&b->answers[i][which]);
    c.low = ok ? oro_alloc(oro_tiled_window_cells(&hold.tile.window), sizeof *c.low) : NULL;
    if (ok && !c.low)
        ok = oro_tiled_no_memory(&hold.tile.block, err);
    if (message)
        ok = ok && carve_to(&c, b->stage, err) && tell_stage(&c, b->stage, message, err);
    else
        ok = ok && carve(&c, err) && oro_tiled_store(b->out, &hold.tile, hold.z, err);
    if (atomic_load(&c.too_deep))
        atomic_store(&b->too_deep, true);
    if (ok && !message)
        atomic_fetch_add(&b->gentle, atomic_load(&c.grading.gentle));
    oro_grading_end(&c.grading);
    oro_free(c.low);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

static bool tell(struct oro_tiled_drainage *d, int which, void *user, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    return carve_tile(d, which, user, message, err);
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    return carve_tile(d, which, user, NULL, err);
}

static bool carve_tiles(struct oro_tiled_drainage *d, struct breaching *b, struct oro_error *err)
{
    for (; b->stage < last_stage(b->fall); b->stage++) {
        b->answers[b->stage] = oro_tiled_flow_through(d, oro_tiled_carve_flow(b->stage), tell, b, err);
        if (!b->answers[b->stage])
            return false;
    }
    return oro_tiled_for_tiles(d, finish, b, err);
}

bool oro_tiled_breach(struct oro_tiled_drainage *d, const struct oro_breaching *how,
                      const struct oro_tiled_sink *out, struct oro_error *err)
{
    struct breaching b = {.out = out, .fall = how->fall};
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    if (how->gentle)
        *how->gentle = 0;
    if (how->method != ORO_BREACH_SUBTREE)
        return oro_fail(err, ORO_E_EVALUATE,
                        "a flood cannot carve a terrain by tiles: the way it takes depends on the whole; "
                        "carve along the drainage instead");
    bool ok = carve_tiles(d, &b, err), too_deep = atomic_load(&b.too_deep);
    if (ranks ? ranks->any(ranks->user, too_deep) : too_deep)
        ok = oro_tiled_too_deep(d, err);
    if (ok && how->gentle)
        *how->gentle = atomic_load(&b.gentle);
    for (int i = 0; i < ORO_TILED_GRADE_STAGES; i++)
        oro_tiled_free_all(b.answers[i], d->tiles);
    return ok;
}
