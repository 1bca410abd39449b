/* Which cells become lakes, and how high their water stands. */
#include <math.h>

#include "base/heap.h"
#include "terrain/drainage/steps.h"
#include "terrain/hydrology/lakes_private.h"

/* Where water would stand. */
struct hollows {
    struct oro_routing routing;
    float *level;
    uint32_t *lake;
    size_t *size;      /* by lake, in cells */
    uint8_t *upstream; /* 1: the water of this cell runs through the hollow in question */
};

/* Adds a cell that water has reached: the lowest comes first, of equal ones the first by number. */
static bool put(struct oro_heap *reached, float z, size_t cell)
{
    return oro_heap_put(reached, (uint64_t)oro_level_of(z) << 32 | cell);
}

/* ---- Bodies ---- */

static bool add_cell(struct oro_lake_making *m, size_t cell)
{
    void *list = m->list;
    bool ok = oro_reserve(&list, &m->list_capacity, m->listed + 1, sizeof *m->list);
    m->list = list;
    if (ok)
        m->list[m->listed++] = (uint32_t)cell;
    return ok;
}

/* Makes a body of the cells listed from `start` on. NULL: memory is out. */
static struct oro_lake_body *add_body(struct oro_lake_making *m, size_t start, float level)
{
    void *bodies = m->bodies;
    bool ok = oro_reserve(&bodies, &m->body_capacity, m->body_count + 1, sizeof *m->bodies);
    m->bodies = bodies;
    if (!ok)
        return NULL;
    struct oro_lake_body *body = &m->bodies[m->body_count];
    *body = (struct oro_lake_body){
        .start = start, .count = m->listed - start, .level = level, .parent = (uint32_t)m->body_count};
    m->body_count++;
    return body;
}

/* The lowest ground next to the cells listed from `start` on; where there is none, among them. */
static float lowest_shore(struct oro_lake_making *m, size_t start)
{
    float shore = INFINITY, inside = INFINITY;
    uint32_t mark = ++m->marks;
    for (size_t i = start; i < m->listed; i++)
        m->mark[m->list[i]] = mark;
    for (size_t i = start; i < m->listed; i++) {
        size_t around[8];
        int count = oro_lake_neighbours(m, m->list[i], around);
        inside = fminf(inside, m->ground->z[m->list[i]]);
        for (int k = 0; k < count; k++)
            if (m->mark[around[k]] != mark)
                shore = fminf(shore, m->ground->z[around[k]]);
    }
    return shore < INFINITY ? shore : inside;
}

/* ---- Pieces of `where` ---- */

static bool is_drawn(const struct oro_lake_making *m, size_t cell)
{
    return m->options->where && m->options->where[cell] > 0.5f && m->open[cell];
}

static bool spread_piece(struct oro_lake_making *m, size_t first)
{
    size_t start = m->listed, around[8];
    bool ok = add_cell(m, first);
    m->id[first] = (uint32_t)m->body_count + 1;
    for (size_t i = start; ok && i < m->listed; i++) {
        int count = oro_lake_neighbours(m, m->list[i], around);
        for (int k = 0; ok && k < count; k++)
            if (is_drawn(m, around[k]) && !m->id[around[k]]) {
                m->id[around[k]] = (uint32_t)m->body_count + 1;
                ok = add_cell(m, around[k]);
            }
    }
    float level = lowest_shore(m, start) + oro_lake_number_at(&m->options->level, first);
    struct oro_lake_body *body = ok ? add_body(m, start, level) : NULL;
    if (body)
        body->drawn = true;
    return body;
}

/* ---- Hollows ---- */

/* The nearest cell of a hollow worth being called a lake; `m->cells` where there is none. */
static size_t nearest_hollow(const struct oro_lake_making *m, const struct hollows *h, size_t cell,
                             double radius)
{
    size_t width = m->strips.width, height = m->cells / width, best = m->cells;
    double x = (double)(cell % width), y = (double)(cell / width), least = INFINITY;
    double least_size = 3.14159265358979323846 / 4 * radius * radius;
    size_t left = (size_t)fmax(ceil(x - radius), 0), top = (size_t)fmax(ceil(y - radius), 0);
    size_t right = (size_t)fmin(floor(x + radius), (double)width - 1);
    size_t bottom = (size_t)fmin(floor(y + radius), (double)height - 1);
    for (size_t j = top; j <= bottom; j++)
        for (size_t i = left; i <= right; i++) {
            size_t at = j * width + i;
            double away = ((double)i - x) * ((double)i - x) + ((double)j - y) * ((double)j - y);
            bool wet = h->lake[at] && m->open[at] && (double)h->size[h->lake[at]] >= least_size;
            if (wet && away < least && away <= radius * radius) {
                best = at;
                least = away;
            }
        }
    return best;
}

/* Goes down to where no neighbour is lower. */
static size_t descend(const struct oro_lake_making *m, size_t cell)
{
    for (;;) {
        size_t around[8], next = cell;
        int count = oro_lake_neighbours(m, cell, around);
        for (int k = 0; k < count; k++)
            if (m->open[around[k]] && m->ground->z[around[k]] < m->ground->z[next])
                next = around[k];
        if (next == cell)
            return cell;
        cell = next;
    }
}

static void mark_upstream(const struct oro_lake_making *m, const struct hollows *h, uint32_t lake)
{
    for (size_t i = 0; i < m->cells; i++) {
        uint32_t cell = h->routing.order[i], next = h->routing.receiver[cell];
        h->upstream[cell] = h->lake[cell] == lake || (next != cell && h->upstream[next]);
    }
}

struct rising {
    float to;              /* the water rises up to here at most */
    size_t most;           /* and to so many cells */
    const uint8_t *within; /* in cells where this is not 0; NULL: anywhere */
    float level;           /* result */
    bool held;             /* result: by `most` */
};

static bool reach(struct oro_lake_making *m, struct oro_heap *reached, const struct rising *r, size_t cell)
{
    size_t around[8];
    int count = oro_lake_neighbours(m, cell, around);
    for (int k = 0; k < count; k++) {
        size_t next = around[k];
        if (m->mark[next] == m->marks || !m->open[next] || (r->within && !r->within[next]))
            continue;
        m->mark[next] = m->marks;
        if (!put(reached, m->ground->z[next], next))
            return false;
    }
    return true;
}

/* Lets water rise from a cell, and lists what it covers: none where it does not get above that cell. What
 * is listed when water stands just below a cell is all that such a level covers. */
static bool let_rise(struct oro_lake_making *m, size_t first, struct rising *r)
{
    struct oro_heap reached = {0};
    size_t start = m->listed, best = 0;
    float top = -INFINITY;
    m->mark[first] = ++m->marks;
    bool ok = put(&reached, m->ground->z[first], first), full = false;
    r->level = r->to;
    while (ok && reached.count > 0) {
        size_t cell = (uint32_t)oro_heap_take(&reached), count = m->listed - start;
        float z = m->ground->z[cell];
        if (z > top) {
            full = count > r->most;
            if (full || z >= r->to)
                break;
            best = count;
            r->level = z;
            top = z;
        }
        ok = add_cell(m, cell) && reach(m, &reached, r, cell);
    }
    oro_free(reached.keys);
    r->held = full || m->listed - start > r->most;
    if (!r->held) {
        best = m->listed - start;
        r->level = r->to;
    }
    m->listed = start + best;
    return ok;
}

static bool flood_hollow(struct oro_lake_making *m, struct hollows *h, struct oro_lake_wish *wish,
                         size_t seed, size_t most)
{
    float natural = h->level[seed], level = oro_lake_number_at(&m->options->level, wish->cell);
    struct rising rising = {.to = isnan(wish->elevation) ? natural + level : wish->elevation, .most = most};
    size_t start = m->listed;
    if (rising.to > natural) {
        mark_upstream(m, h, h->lake[seed]);
        rising.within = h->upstream;
    }
    if (!let_rise(m, descend(m, seed), &rising))
        return false;
    if (m->listed == start)
        return true;
    struct oro_lake_body *body = add_body(m, start, rising.level);
    if (!body)
        return false;
    body->hollow = true;
    wish->held = rising.held;
    wish->body = (int)(body - m->bodies);
    return true;
}

/* ---- Where there is no hollow ---- */

static bool dig(struct oro_lake_making *m, struct oro_lake_wish *wish, double radius)
{
    const float *z = m->ground->z;
    size_t width = m->strips.width, start = m->listed, around[8];
    double x = (double)(wish->cell % width), y = (double)(wish->cell / width);
    m->mark[wish->cell] = ++m->marks;
    bool ok = add_cell(m, wish->cell);
    for (size_t i = start; ok && i < m->listed; i++) {
        int count = oro_lake_neighbours(m, m->list[i], around);
        for (int k = 0; ok && k < count; k++) {
            size_t next = around[k];
            double east = (double)(next % width) - x, south = (double)(next / width) - y;
            double up = ORO_LAKE_STEEPNESS * ((double)z[next] - (double)z[wish->cell]) / m->options->cell;
            bool within = east * east + south * south + up * up <= radius * radius;
            if (m->mark[next] == m->marks || !m->open[next] || !within)
                continue;
            m->mark[next] = m->marks;
            ok = add_cell(m, next);
        }
    }
    float level = lowest_shore(m, start) + oro_lake_number_at(&m->options->level, wish->cell);
    struct oro_lake_body *body =
        ok ? add_body(m, start, isnan(wish->elevation) ? level : wish->elevation) : NULL;
    wish->body = (int)m->body_count - 1;
    return body;
}

/* ---- All ---- */

static bool find_wish(struct oro_lake_making *m, struct hollows *h, struct oro_lake_wish *wish)
{
    double cell = m->options->cell, area = m->options->area_most / (cell * cell);
    double radius = (double)oro_lake_number_at(&m->options->radius, wish->cell) / cell;
    size_t most = area > 0 && area < (double)m->cells ? (size_t)fmax(area, 1) : m->cells;
    wish->body = -1;
    wish->state = m->open[wish->cell] ? ORO_LAKE_MADE : ORO_LAKE_NO_ROOM;
    if (wish->state != ORO_LAKE_MADE)
        return true;
    if (m->id[wish->cell]) {
        wish->body = (int)m->id[wish->cell] - 1;
        if (!isnan(wish->elevation))
            m->bodies[wish->body].level = wish->elevation;
        return true;
    }
    size_t seed = nearest_hollow(m, h, wish->cell, radius);
    if (seed < m->cells && !flood_hollow(m, h, wish, seed, most))
        return false;
    if (wish->body >= 0)
        return true;
    return dig(m, wish, fmin(radius, sqrt((double)most / 3.14159265358979323846)));
}

static bool find_all(struct oro_lake_making *m, struct hollows *h, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < m->cells; i++)
        if (is_drawn(m, i) && !m->id[i])
            ok = spread_piece(m, i);
    for (size_t i = 0; ok && i < m->wish_count; i++) {
        if (oro_ground_stops(m->ground, 0, err))
            return false;
        ok = find_wish(m, h, &m->wishes[i]);
    }
    return ok || oro_no_memory(m->ground, err);
}

bool oro_lakes_find(struct oro_lake_making *m, struct oro_error *err)
{
    struct hollows h = {.level = oro_alloc(m->cells, sizeof *h.level),
                        .lake = oro_alloc(m->cells, sizeof *h.lake),
                        .size = oro_alloc(m->cells + 1, sizeof *h.size),
                        .upstream = oro_alloc(m->cells, sizeof *h.upstream)};
    bool ok = h.level && h.lake && h.size && h.upstream;
    ok = ok ? oro_route(m->ground, &h.routing, err) : oro_no_memory(m->ground, err);
    if (ok) {
        oro_flood_levels(m->ground, &h.routing, h.level);
        oro_lakes(m->ground, &h.routing, h.level, h.lake);
        for (size_t i = 0; i < m->cells; i++)
            h.size[h.lake[i]]++;
        ok = find_all(m, &h, err);
    }
    oro_routing_free(&h.routing);
    oro_free(h.level);
    oro_free(h.lake);
    oro_free(h.size);
    oro_free(h.upstream);
    return ok;
}

/* ---- Numbers ---- */

static uint32_t leader(const struct oro_lake_making *m, uint32_t body)
{
    while (m->bodies[body].parent != body)
        body = m->bodies[body].parent = m->bodies[m->bodies[body].parent].parent;
    return body;
}

static void unite(const struct oro_lake_making *m, uint32_t a, uint32_t b)
{
    a = leader(m, a);
    b = leader(m, b);
    m->bodies[a > b ? a : b].parent = a > b ? b : a;
}

/* Sets `id` to a body's number plus 1; where several meet in a cell, to any of theirs. */
static void paint(struct oro_lake_making *m)
{
    for (size_t i = 0; i < m->cells; i++)
        m->id[i] = 0;
    for (uint32_t b = 0; b < m->body_count; b++) {
        struct oro_lake_body *body = &m->bodies[b];
        body->parent = b;
        body->number = 0;
        for (size_t i = body->start; !body->given_up && i < body->start + body->count; i++)
            if (!m->id[m->list[i]])
                m->id[m->list[i]] = b + 1;
    }
    for (uint32_t b = 0; b < m->body_count; b++)
        for (size_t i = m->bodies[b].start;
             !m->bodies[b].given_up && i < m->bodies[b].start + m->bodies[b].count; i++) {
            size_t around[8];
            int count = oro_lake_neighbours(m, m->list[i], around);
            unite(m, b, m->id[m->list[i]] - 1);
            for (int k = 0; k < count; k++)
                if (m->id[around[k]])
                    unite(m, b, m->id[around[k]] - 1);
        }
}

bool oro_lakes_number(struct oro_lake_making *m, struct oro_error *err)
{
    oro_free(m->lakes);
    m->lake_count = 0;
    m->lakes = oro_alloc(m->body_count + 1, sizeof *m->lakes);
    if (!m->lakes)
        return oro_no_memory(m->ground, err);
    paint(m);
    for (size_t i = 0; i < m->cells; i++) {
        if (!m->id[i])
            continue;
        struct oro_lake_body *body = &m->bodies[leader(m, m->id[i] - 1)];
        if (!body->number) {
            body->number = ++m->lake_count;
            m->lakes[body->number - 1] = (struct oro_lake){.first = i, .level = INFINITY, .hollow = true};
        }
        m->id[i] = body->number;
        m->lakes[body->number - 1].cells++;
    }
    for (uint32_t b = 0; b < m->body_count; b++) {
        uint32_t number = m->bodies[leader(m, b)].number;
        m->bodies[b].number = m->bodies[b].given_up ? 0 : number;
        if (!m->bodies[b].number)
            continue;
        struct oro_lake *lake = &m->lakes[number - 1];
        lake->level = fminf(lake->level, m->bodies[b].level);
        lake->hollow = lake->hollow && m->bodies[b].hollow;
        lake->bodies++;
    }
    return true;
}
