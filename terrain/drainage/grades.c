#include "terrain/drainage/grades.h"

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/grade.h"
#include "terrain/drainage/grade_private.h"
#include "terrain/drainage/tile_private.h"

enum oro_tiled_flow oro_tiled_carve_flow(int stage)
{
    return stage == 1 ? ORO_TILED_LENGTH : stage == 2 ? ORO_TILED_GRADE : ORO_TILED_LOW;
}

struct grades {
    const struct oro_tiled_carving *carving;
    const struct oro_tiled_tile *tile;
    struct oro_grading grading;
};

/* The answer to a stage; the caller frees it. */
static struct oro_tiled_values *read_answer(const struct oro_tiled_carving *c, int stage,
                                            struct oro_error *err)
{
    enum oro_tiled_flow flow = oro_tiled_carve_flow(stage);
    uint32_t count = oro_tiled_flow_goes_up(flow) ? c->course->exit_count : c->course->entry_count;
    return oro_tiled_answer_read(count, flow, &c->course->tile->block, c->answers[stage], err);
}

/* ---- Lowest steps ---- */

static bool sum_low(const struct oro_tiled_carving *c, const float *z, int answered, struct oro_error *err)
{
    struct oro_tiled_sums sums = {.z = z, .low = c->low};
    struct oro_tiled_values *inflow = answered >= 0 ? read_answer(c, answered, err) : NULL;
    if (answered >= 0 && !inflow)
        return false;
    oro_tiled_sum(c->course, &sums, inflow);
    oro_free(inflow);
    return true;
}

/* depths.h knows which cell it is. */
static bool check_depth(struct oro_tiled_carving *c, struct oro_error *err)
{
    const struct oro_tiled_tile *tile = c->course->tile;
    const struct oro_tiled_block *block = &tile->block;
    int32_t least = 0;
    for (int y = block->y; y < block->y + block->height; y++) {
        const int32_t *low = c->low + oro_tiled_in_window(tile, (struct oro_tiled_cell){block->x, y});
        for (int x = 0; x < block->width; x++)
            least = low[x] < least ? low[x] : least;
    }
    c->too_deep = least < ORO_STEPS_LOWEST;
    return !c->too_deep || oro_fail(err, ORO_E_EVALUATE, "ground is too deep to be drained");
}

/* ---- Lengths of ways. Beyond exits they are those of the answer, and so are lowest steps. ---- */

static uint32_t way_length(uint32_t width, size_t cell, size_t next)
{
    bool across = next % width != cell % width && next / width != cell / width;
    return across ? ORO_WAY_ACROSS : ORO_WAY_STRAIGHT;
}

static void trace_length(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                         struct oro_tiled_way *way)
{
    const struct grades *g = user;
    int64_t length = next == cell ? 0 : way_length((uint32_t)g->tile->window.width, cell, next);
    way->values.of[0] = length + (on ? on->values.of[0] : 0);
    way->values.of[1] = on ? on->values.of[1] : oro_level_of(oro_step_height(g->carving->low[cell]));
    way->values.of[2] = g->carving->low[cell];
}

static void measure_ways(void *user, const struct oro_drainage_tree_part *part)
{
    const struct grades *grades = user;
    const struct oro_grading *g = &grades->grading;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        bool outlet = next == cell;
        if (outlet && oro_tiled_in_ring(grades->tile, cell))
            continue;
        g->length[cell] = outlet ? 0 : g->length[next] + way_length(g->width, cell, next);
        g->base[cell] = outlet ? oro_step_height(g->lowest[cell]) : g->base[next];
    }
}

static bool measure(struct grades *g, struct oro_error *err)
{
    const struct oro_tiled_course *course = g->carving->course;
    struct oro_drainage_tree_work work = {.part = measure_ways, .user = g};
    struct oro_tiled_values *beyond = read_answer(g->carving, 1, err);
    if (!beyond)
        return false;
    for (uint32_t i = 0; i < course->exit_count; i++) {
        size_t cell = oro_tiled_course_beyond(course, i);
        const int64_t *of = beyond[i].of;
        g->grading.length[cell] = of[0] < 0 ? 0 : of[0] > UINT32_MAX ? UINT32_MAX : (uint32_t)of[0];
        g->grading.base[cell] = oro_level_height((uint32_t)of[1]);
        g->grading.lowest[cell] = of[2] < ORO_STEPS_LOWEST ? ORO_STEPS_LOWEST : (int32_t)of[2];
    }
    oro_free(beyond);
    oro_drainage_tree_up(&course->routing, NULL, &work, NULL);
    return true;
}

/* ---- Grades ---- */

static int32_t grade_of_ground(const struct grades *g, size_t cell)
{
    float drop = oro_grade_drop(g->grading.fall, g->grading.length[cell]);
    return oro_grade_of(g->grading.z[cell], g->grading.base[cell], drop);
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
static bool descend(struct grades *g, bool answered, struct oro_error *err)
{
    const struct oro_tiled_course *course = g->carving->course;
    struct oro_drainage_tree_work work = {.part = oro_grading_descend, .user = &g->grading};
    struct oro_tiled_values *inflow = answered ? read_answer(g->carving, 2, err) : NULL;
    if (answered && !inflow)
        return false;
    oro_grading_clear(&g->grading, 0, oro_tiled_window_cells(&g->tile->window));
    for (uint32_t i = 0; inflow && i < course->entry_count; i++) {
        int64_t grade = inflow[i].of[0];
        if (grade >= -ORO_GRADE_FULL && grade < ORO_GRADE_NONE)
            g->grading.grade[oro_tiled_course_cell(course, course->entries[i])] = (int32_t)grade;
    }
    oro_free(inflow);
    oro_drainage_tree_down(&course->routing, NULL, &work, NULL);
    for (uint32_t i = 0; i < course->exit_count; i++)
        g->grading.grade[oro_tiled_course_beyond(course, i)] = ORO_GRADE_NONE;
    return true;
}

/* ---- Messages ---- */

static bool tell_sums(const struct grades *g, struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_sums sums = {.low = g->carving->low};
    return oro_tiled_tell_sums(g->carving->course, &sums, message, err);
}

static bool tell_traced(const struct grades *g, int stage, struct oro_tiled_bytes *message,
                        struct oro_error *err)
{
    const struct oro_tiled_course *course = g->carving->course;
    struct oro_tiled_tracing tracing = {stage == 1 ? trace_length : trace_grade, g};
    struct oro_tiled_flows flows;
    if (!oro_tiled_flows_begin(course, oro_tiled_carve_flow(stage), &flows, err)) {
        oro_tiled_flows_free(&flows);
        return false;
    }
    for (uint32_t i = 0; stage == 2 && i < flows.exit_count; i++) {
        size_t cell = oro_tiled_course_cell(course, flows.exits[i].rim);
        int32_t grade = g->grading.grade[cell];
        flows.exits[i].values.of[0] = grade <= grade_of_ground(g, cell) ? grade : ORO_GRADE_NONE;
    }
    return oro_tiled_tell(course, &tracing, &flows, message, err);
}

/* ---- Stages ---- */

static bool grade(struct grades *g, int stage, struct oro_error *err)
{
    struct oro_ground ground = oro_tiled_ground(&g->tile->window, g->carving->z);
    return oro_grading_begin(&g->grading, &ground, g->carving->fall, g->carving->low, err) &&
           measure(g, err) && descend(g, stage >= 3, err);
}

static bool lower(struct grades *g, int stage, struct oro_error *err)
{
    oro_grading_lower(&g->grading, 0, oro_tiled_window_cells(&g->tile->window));
    return sum_low(g->carving, NULL, stage == 4 ? 3 : -1, err);
}

bool oro_tiled_carve(struct oro_tiled_carving *c, int stage, struct oro_tiled_bytes *message,
                     struct oro_error *err)
{
    struct grades g = {.carving = c, .tile = c->course->tile};
    bool ok = oro_tiled_course_order(c->course, err) && sum_low(c, c->z, stage >= 1 ? 0 : -1, err) &&
              (stage < 1 || check_depth(c, err)) && (stage < 2 || grade(&g, stage, err)) &&
              (stage < 3 || lower(&g, stage, err));
    if (ok && stage < ORO_TILED_GRADE_STAGES && message)
        ok = stage == 1 || stage == 2 ? tell_traced(&g, stage, message, err) : tell_sums(&g, message, err);
    c->gentle = ok ? atomic_load(&g.grading.gentle) : 0;
    if (stage >= 2)
        oro_grading_end(&g.grading);
    return ok;
}
