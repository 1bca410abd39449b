/* Carved channels that fall by a least gradient: drain.h has the rule, grade.h the arithmetic. */
#include "terrain/drainage/grade_private.h"

#include "base/memory.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/grade.h"
#include "terrain/drainage/tile_private.h"

bool oro_grading_begin(struct oro_grading *g, const struct oro_ground *ground, float fall, int32_t *lowest,
                       struct oro_error *err)
{
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    *g = (struct oro_grading){
        .z = ground->z, .width = (uint32_t)ground->width, .fall = fall, .lowest = lowest};
    g->length = oro_alloc(cells, sizeof *g->length);
    g->base = oro_alloc(cells, sizeof *g->base);
    g->grade = oro_alloc(cells, sizeof *g->grade);
    return (g->length && g->base && g->grade) || oro_no_memory(ground, err);
}

void oro_grading_end(struct oro_grading *g)
{
    oro_free(g->length);
    oro_free(g->base);
    oro_free(g->grade);
    g->length = NULL;
    g->base = NULL;
    g->grade = NULL;
}

uint32_t oro_grading_length(uint32_t width, size_t cell, size_t next)
{
    bool across = next % width != cell % width && next / width != cell / width;
    return across ? ORO_PATH_ACROSS : ORO_PATH_STRAIGHT;
}

void oro_grading_measure(void *user, const struct oro_drainage_tree_part *part)
{
    const struct oro_grading *g = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        bool outlet = next == cell;
        if (outlet && g->tile && oro_tiled_in_ring(g->tile, cell))
            continue;
        g->length[cell] = outlet ? 0 : g->length[next] + oro_grading_length(g->width, cell, next);
        g->base[cell] = outlet ? oro_step_height(g->lowest[cell]) : g->base[next];
    }
}

void oro_grading_clear(void *user, size_t first, size_t end)
{
    const struct oro_grading *g = user;
    for (size_t i = first; i < end; i++)
        g->grade[i] = ORO_GRADE_NONE;
}

/* Whether the way was carved from here on because it must not be higher than here. */
static bool starts_channel(const struct oro_grading *g, uint32_t cell, uint32_t next)
{
    return next != cell && g->lowest[next] == g->lowest[cell] - 1 &&
           g->lowest[next] < oro_step_of(g->z[next]);
}

static int32_t grade_at(const struct oro_grading *g, size_t cell, float height)
{
    return oro_grade_of(height, g->base[cell], oro_grade_drop(g->fall, g->length[cell]));
}

void oro_grading_descend(void *user, const struct oro_drainage_tree_part *part)
{
    const struct oro_grading *g = user;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        int32_t grade = g->grade[cell];
        if (starts_channel(g, cell, next)) {
            int32_t own = grade_at(g, cell, oro_step_height(g->lowest[cell]));
            grade = own < grade ? own : grade;
            g->grade[cell] = grade;
        }
        if (next != cell && grade < g->grade[next] && grade <= grade_at(g, cell, g->z[cell]))
            g->grade[next] = grade;
    }
}

void oro_grading_lower(void *user, size_t first, size_t end)
{
    struct oro_grading *g = user;
    size_t gentle = 0;
    for (size_t i = first; i < end; i++) {
        int32_t grade = g->grade[i];
        if (grade != ORO_GRADE_NONE && grade < grade_at(g, i, g->z[i])) {
            float rise = oro_grade_rise(grade, oro_grade_drop(g->fall, g->length[i]));
            int32_t step = oro_step_of(oro_grade_height(grade, g->base[i], rise));
            g->lowest[i] = step < g->lowest[i] ? step : g->lowest[i];
        }
        gentle += grade < 0 && g->length[i] > 0 && g->lowest[i] < oro_step_of(g->z[i]);
    }
    atomic_fetch_add(&g->gentle, gentle);
}
