/* Lets everything around lakes drain, and the lakes themselves. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/steps.h"
#include "terrain/hydrology/lakes_private.h"

/* No bound; far from where subtracting the cells of a way would overflow. */
#define NO_STEP (INT32_MIN / 2)
/* Ground that ways around lakes do not cross. */
#define BLOCKED FLT_MAX

/* ---- Shores ---- */

static float level_of(const struct oro_lake_making *m, size_t cell)
{
    return m->lakes[m->id[cell] - 1].level;
}

/* The least step of a shore cell, above all lakes that it borders on; NO_STEP elsewhere. */
static int32_t shore_step(const struct oro_lake_making *m, size_t cell)
{
    size_t around[8];
    int32_t least = NO_STEP;
    int count = m->id[cell] ? 0 : oro_lake_neighbours(m, cell, around);
    for (int k = 0; k < count; k++) {
        int32_t step = m->id[around[k]] ? oro_step_of(level_of(m, around[k])) + 1 : NO_STEP;
        least = step > least ? step : least;
    }
    return least;
}

static void raise_shores(const struct oro_lake_making *m)
{
    for (size_t i = 0; i < m->cells; i++) {
        int32_t least = shore_step(m, i);
        if (least > oro_step_of(m->z[i]))
            m->z[i] = oro_step_height(least);
    }
}

/* ---- Ground ---- */

/* Ways over the water's surface to the outlets, or (`to_lakes`) to lakes as well. */
static bool route(const struct oro_lake_making *m, bool to_lakes, struct oro_routing *routing,
                  struct oro_error *err)
{
    struct oro_ground ground = *m->ground;
    ground.z = m->surface;
    for (size_t i = 0; i < m->cells; i++) {
        m->surface[i] = m->id[i] ? level_of(m, i) : m->z[i];
        m->roots[i] = m->id[i] || (m->ground->sea && m->ground->sea[i] > 0.5f);
    }
    if (to_lakes)
        ground.sea = m->roots;
    return oro_route(&ground, routing, err);
}

/* What carving and the lakes demand of each cell, along ways to the lakes. */
static void find_bounds(const struct oro_lake_making *m, const struct oro_routing *routing)
{
    for (size_t i = 0; i < m->cells; i++)
        m->highest[i] = oro_step_of(m->surface[i]);
    for (size_t i = m->cells; i-- > 0;) {
        uint32_t cell = routing->order[i], next = routing->receiver[cell];
        if (next != cell && !m->id[next] && m->highest[cell] - 1 < m->highest[next])
            m->highest[next] = m->highest[cell] - 1;
    }
    for (size_t i = 0; i < m->cells; i++) {
        uint32_t cell = routing->order[i], next = routing->receiver[cell];
        int32_t least = m->id[cell] ? oro_step_of(m->surface[cell]) : shore_step(m, cell);
        if (next != cell && m->lowest[next] > NO_STEP && m->lowest[next] + 1 > least)
            least = m->lowest[next] + 1;
        m->lowest[cell] = least;
    }
}

/* What has to be carved, in metres times cells, for a way from a pit around the lakes to lower ground, or
 * out; infinite where there is none. Where ways of one trial come together, only the first counts. */
static double go_around(const struct oro_lake_making *m, const struct oro_routing *routing, size_t cell,
                        bool carve, uint32_t trial)
{
    int32_t step = oro_step_of(m->z[cell]);
    for (double volume = 0;;) {
        size_t next = routing->receiver[cell];
        if (next == cell || (!carve && m->met[next] == trial))
            return volume;
        if (m->surface[next] >= BLOCKED)
            return INFINITY;
        step--;
        if (oro_step_of(m->z[next]) <= step)
            return volume;
        volume += (double)m->z[next] - (double)oro_step_height(step);
        if (carve)
            m->z[next] = oro_step_height(step);
        m->met[next] = trial;
        cell = next;
    }
}

static bool is_sunk(const struct oro_lake_making *m, size_t cell)
{
    return !m->id[cell] && m->lowest[cell] > oro_step_of(m->z[cell]);
}

static bool is_pit(const struct oro_lake_making *m, size_t cell)
{
    size_t around[8];
    int count = oro_lake_neighbours(m, cell, around);
    for (int k = 0; k < count; k++)
        if (m->id[around[k]] || m->z[around[k]] < m->z[cell])
            return false;
    return true;
}

/* Lists the sunk cells that hang together with one. Returns what it takes to fill them. */
static double gather_sunk(struct oro_lake_making *m, size_t first, size_t *end)
{
    double volume = 0;
    size_t around[8];
    m->sunk[0] = (uint32_t)first;
    *end = 1;
    m->mark[first] = m->marks;
    for (size_t i = 0; i < *end; i++) {
        size_t cell = m->sunk[i];
        int count = oro_lake_neighbours(m, cell, around);
        volume += (double)oro_step_height(m->lowest[cell]) - (double)m->z[cell];
        for (int k = 0; k < count; k++)
            if (is_sunk(m, around[k]) && m->mark[around[k]] != m->marks) {
                m->mark[around[k]] = m->marks;
                m->sunk[(*end)++] = (uint32_t)around[k];
            }
    }
    return volume;
}

/* Ways to the outlets over dry ground alone, as far as there is such a way. */
static bool route_around(const struct oro_lake_making *m, struct oro_routing *routing, struct oro_error *err)
{
    struct oro_ground ground = *m->ground;
    ground.z = m->surface;
    for (size_t i = 0; i < m->cells; i++)
        m->surface[i] = m->id[i] || shore_step(m, i) > NO_STEP ? BLOCKED : m->z[i];
    return oro_route(&ground, routing, err);
}

/* What would be filled for the sake of a lake is drained around it where that takes less. */
static bool drain_around(struct oro_lake_making *m, bool *carved, struct oro_error *err)
{
    struct oro_routing routing = {0};
    bool ok = true;
    uint32_t trial = 0;
    *carved = false;
    m->marks++;
    memset(m->met, 0, m->cells * sizeof *m->met);
    for (size_t i = 0, end; ok && i < m->cells; i++) {
        if (!is_sunk(m, i) || m->mark[i] == m->marks)
            continue;
        ok = routing.receiver || route_around(m, &routing, err);
        double fill = gather_sunk(m, i, &end), carve = 0;
        trial++;
        for (size_t k = 0; ok && k < end; k++)
            carve += is_pit(m, m->sunk[k]) ? go_around(m, &routing, m->sunk[k], false, trial) : 0;
        for (size_t k = 0; ok && carve < fill && k < end; k++)
            if (is_pit(m, m->sunk[k]))
                go_around(m, &routing, m->sunk[k], *carved = true, trial);
    }
    oro_routing_free(&routing);
    return ok;
}

static bool settle(const struct oro_lake_making *m, struct oro_error *err)
{
    for (size_t i = 0; i < m->cells; i++) {
        int32_t step = m->highest[i] > m->lowest[i] ? m->highest[i] : m->lowest[i];
        if (m->id[i] || step == oro_step_of(m->z[i]))
            continue;
        if (step < ORO_STEPS_LOWEST || step > -ORO_STEPS_LOWEST)
            return oro_too_deep(m->ground, i, (int64_t)ORO_STEPS_LOWEST + oro_step_of(m->z[i]) - step, 0,
                                err);
        m->z[i] = oro_step_height(step);
    }
    return true;
}

static bool drain_ground(struct oro_lake_making *m, struct oro_error *err)
{
    struct oro_routing routing;
    bool carved = false;
    raise_shores(m);
    for (int round = 0; round < 2; round++) {
        if (!route(m, true, &routing, err))
            return false;
        find_bounds(m, &routing);
        oro_routing_free(&routing);
        if (round == 0 && !drain_around(m, &carved, err))
            return false;
        if (!carved)
            break;
    }
    return settle(m, err);
}

/* ---- Ways out ---- */

struct ways {
    struct oro_routing direct; /* over the lowest ground, through other lakes */
    struct oro_routing around; /* past them, for those that cannot run through others; empty until needed */
    bool *past;                /* by lake: whether it goes `around` */
    /* The way of one lake. */
    uint32_t *cells;
    size_t count, capacity;
};

static bool touches(const struct oro_lake_making *m, size_t cell, uint32_t lake)
{
    size_t around[8];
    int count = oro_lake_neighbours(m, cell, around);
    for (int k = 0; k < count; k++)
        if (m->id[around[k]] == lake)
            return true;
    return false;
}

/* Finds the way from the last shore cell on, down to an outlet or another lake, which is not part of it. */
static bool find_way(const struct oro_lake_making *m, uint32_t lake, struct ways *way)
{
    const struct oro_routing *routing = way->past[lake - 1] ? &way->around : &way->direct;
    way->count = 0;
    for (size_t cell = m->lakes[lake - 1].first, next;; cell = next) {
        if (m->id[cell] == 0) {
            void *cells = way->cells;
            bool ok = oro_reserve(&cells, &way->capacity, way->count + 1, sizeof *way->cells);
            way->cells = cells;
            if (!ok)
                return false;
            if (touches(m, cell, lake))
                way->count = 0;
            way->cells[way->count++] = (uint32_t)cell;
        }
        next = routing->receiver[cell];
        if (next == cell || (m->id[next] && m->id[next] != lake))
            return true;
    }
}

/* The height of the next cell on a way that has come down to `above`. */
static float height_below(float above, float z)
{
    float most = oro_step_height(oro_step_of(above) - 1);
    return z < most ? z : most;
}

static float first_height(const struct oro_lake_making *m, uint32_t lake, size_t cell)
{
    float level = m->lakes[lake - 1].level;
    return m->z[cell] < level ? m->z[cell] : level;
}

/* Whether a way stays above all lakes that it comes by. */
static bool is_free(const struct oro_lake_making *m, uint32_t lake, const struct ways *way)
{
    float height = 0;
    for (size_t i = 0; i < way->count; i++) {
        size_t cell = way->cells[i], around[8];
        height = i ? height_below(height, m->z[cell]) : first_height(m, lake, cell);
        int count = oro_lake_neighbours(m, cell, around);
        for (int k = 0; k < count; k++)
            if (m->id[around[k]] && m->id[around[k]] != lake && level_of(m, around[k]) >= height)
                return false;
    }
    return way->count > 0;
}

/* Where a way meets one that is carved already and lower, it goes on as that does. */
static void carve(const struct oro_lake_making *m, uint32_t lake, const struct ways *way)
{
    float height = 0;
    m->lakes[lake - 1].outlet = way->cells[0];
    for (size_t i = 0; i < way->count; i++) {
        size_t cell = way->cells[i];
        if (i && m->mark[cell] == m->marks && m->z[cell] < height)
            return;
        height = i ? height_below(height, m->z[cell]) : first_height(m, lake, cell);
        m->z[cell] = height;
        m->mark[cell] = m->marks;
    }
}

/* Finds a free way for a lake; leaves `way` empty where there is none. */
static bool choose_way(const struct oro_lake_making *m, uint32_t lake, struct ways *way,
                       struct oro_error *err)
{
    if (!find_way(m, lake, way))
        return oro_no_memory(m->ground, err);
    if (is_free(m, lake, way))
        return true;
    if (!way->around.receiver && !route_around(m, &way->around, err))
        return false;
    way->past[lake - 1] = true;
    if (!find_way(m, lake, way))
        return oro_no_memory(m->ground, err);
    if (!is_free(m, lake, way))
        way->count = 0;
    return true;
}

static bool open_ways(struct oro_lake_making *m, struct ways *way, bool *again, struct oro_error *err)
{
    way->past = oro_alloc(m->lake_count, sizeof *way->past);
    if (!way->past || !route(m, false, &way->direct, err))
        return way->past ? false : oro_no_memory(m->ground, err);
    for (uint32_t lake = 1; lake <= m->lake_count; lake++) {
        if (!choose_way(m, lake, way, err))
            return false;
        if (way->count > 0)
            continue;
        for (size_t b = 0; b < m->body_count; b++)
            m->bodies[b].given_up = m->bodies[b].given_up || m->bodies[b].number == lake;
        *again = true;
    }
    m->marks++;
    for (uint32_t lake = 1; !*again && lake <= m->lake_count; lake++) {
        if (!find_way(m, lake, way))
            return oro_no_memory(m->ground, err);
        carve(m, lake, way);
    }
    for (uint32_t lake = 0; !*again && lake < m->lake_count; lake++)
        m->lakes[lake].outlet_elevation = m->z[m->lakes[lake].outlet];
    return true;
}

bool oro_lakes_drain(struct oro_lake_making *m, bool *again, struct oro_error *err)
{
    struct ways ways = {0};
    *again = false;
    bool ok = drain_ground(m, err) && open_ways(m, &ways, again, err);
    oro_free(ways.cells);
    oro_free(ways.past);
    oro_routing_free(&ways.direct);
    oro_routing_free(&ways.around);
    return ok;
}
