/* Drainage along the drainage tree: sums of the cells and the rain upstream. */
#include "base/memory.h"
#include "terrain/drainage/drainage_tree_private.h"

/* ---- Cells ---- */

static void one_each(void *user, size_t first, size_t end)
{
    uint32_t *cells = user;
    for (size_t i = first; i < end; i++)
        cells[i] = 1;
}

static void add_cells(void *user, const struct oro_drainage_tree_part *part)
{
    uint32_t *cells = user;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            cells[next] += cells[cell];
    }
}

void oro_drainage_cells(const struct oro_routing *routing, uint32_t *cells)
{
    struct oro_drainage_tree_work work = {.cells = one_each, .part = add_cells, .user = cells};
    oro_drainage_tree_down(routing, NULL, &work, NULL);
}

/* ---- Rain ---- */

struct raining {
    const float *rain;
    uint64_t *sum;
};

static void rain_down(void *user, size_t first, size_t end)
{
    const struct raining *raining = user;
    for (size_t i = first; i < end; i++)
        raining->sum[i] = oro_rain_units(raining->rain[i]);
}

static void add_rain(void *user, const struct oro_drainage_tree_part *part)
{
    uint64_t *sum = ((const struct raining *)user)->sum;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            sum[next] += sum[cell];
    }
}

void oro_drainage_rain(const struct oro_routing *routing, const float *rain, uint64_t *sum)
{
    struct raining raining = {.rain = rain, .sum = sum};
    struct oro_drainage_tree_work work = {.cells = rain_down, .part = add_rain, .user = &raining};
    oro_drainage_tree_down(routing, NULL, &work, NULL);
}

/* ---- Area ---- */

struct measuring {
    const uint32_t *cells;
    const uint64_t *sum; /* one of the two */
    float square, *area;
};

static void area_of_cells(void *user, size_t first, size_t end)
{
    const struct measuring *m = user;
    for (size_t i = first; i < end; i++)
        m->area[i] = (float)m->cells[i] * m->square;
}

static void area_of_rain(void *user, size_t first, size_t end)
{
    const struct measuring *m = user;
    for (size_t i = first; i < end; i++)
        m->area[i] = oro_rain_amount(m->sum[i]) * m->square;
}

bool oro_drainage_area(const struct oro_routing *routing, double cell, const float *rain, float *area,
                       struct oro_error *err)
{
    size_t count = (size_t)routing->width * (size_t)routing->height;
    void *room = oro_alloc(count, rain ? sizeof(uint64_t) : sizeof(uint32_t));
    struct measuring m = {.cells = room, .sum = room, .square = (float)cell * (float)cell, .area = area};
    if (!room)
        return oro_fail(err, ORO_E_MEMORY, "no memory to measure drainage areas");
    if (rain)
        oro_drainage_rain(routing, rain, room);
    else
        oro_drainage_cells(routing, room);
    oro_drainage_tree_cells(routing, NULL, rain ? area_of_rain : area_of_cells, &m, NULL);
    oro_free(room);
    return true;
}
