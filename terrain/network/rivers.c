#include "terrain/network/rivers.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/routing.h"
#include "terrain/network/trace_private.h"

#define NONE UINT32_MAX

struct work {
    const struct oro_ground *ground;
    const struct oro_river_options *options;
    struct oro_routing routing;
    size_t width, cells;
    float *area, *bed;     /* of every cell: m^2, metres */
    unsigned char *donors; /* of every cell: rivers that run into it */
    uint32_t *number;      /* of every cell: its vertex */
};

static bool no_memory(const struct work *w, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory for the rivers of %zu cells", w->cells);
}

static bool is_river(const struct work *w, size_t cell)
{
    return (double)w->area[cell] >= w->options->threshold;
}

static bool is_outlet(const struct work *w, size_t cell)
{
    return w->routing.receiver[cell] == cell;
}

static bool find_areas(struct work *w, struct oro_error *err)
{
    const float *given = w->options->drainage;
    if (!given)
        return oro_drainage_area(&w->routing, w->options->cell, NULL, w->area, err);
    for (size_t i = 0; i < w->cells; i++)
        w->area[i] = isfinite(given[i]) ? given[i] : 0;
    return true;
}

/* Hands what a river has to the cell that it runs into. */
static void run_down(struct work *w)
{
    memcpy(w->bed, w->ground->z, w->cells * sizeof *w->bed);
    for (size_t i = w->cells; i-- > 0;) {
        size_t cell = w->routing.order[i], to = w->routing.receiver[cell];
        if (to == cell || !is_river(w, cell))
            continue;
        w->donors[to]++;
        w->area[to] = fmaxf(w->area[to], w->area[cell]);
        w->bed[to] = fminf(w->bed[to], w->bed[cell]);
    }
}

/* ---- Lines ---- */

/* Whether lines end at a cell. An outlet that nothing runs into is no river. */
static bool is_end(const struct work *w, size_t cell)
{
    return is_river(w, cell) && (is_outlet(w, cell) ? w->donors[cell] > 0 : w->donors[cell] != 1);
}

static struct oro_vertex vertex_of(const struct work *w, size_t cell)
{
    const struct oro_river_options *o = w->options;
    double x = (double)(cell % w->width) + 0.5, y = (double)(cell / w->width) + 0.5;
    struct oro_vertex v = oro_vertex_at((float)(o->x + x * o->cell), (float)(o->y + y * o->cell));
    v.elevation = w->bed[cell];
    v.drainage = w->area[cell];
    v.width = (float)(o->width * pow((double)v.drainage * 1e-6, 0.4));
    if (is_end(w, cell))
        v.kind = is_outlet(w, cell)    ? ORO_VERTEX_OUTLET
                 : w->donors[cell] > 0 ? ORO_VERTEX_JUNCTION
                                       : ORO_VERTEX_SOURCE;
    return v;
}

static void trace_line(struct work *w, struct oro_trace *trace, size_t end)
{
    size_t cell = end;
    oro_trace_add(trace, vertex_of(w, cell));
    do {
        cell = w->routing.receiver[cell];
        oro_trace_add(trace, vertex_of(w, cell));
    } while (w->number[cell] == NONE);
    oro_trace_end(trace, w->number[end], w->number[cell], w->donors[cell] > 1);
}

static bool give_orders(struct oro_network *network, struct oro_river_report *report, struct oro_error *err)
{
    struct oro_vertex *vertices = (struct oro_vertex *)(network + 1);
    uint32_t *order = oro_alloc(network->vertex_count, sizeof *order);
    bool ok = order ? oro_network_strahler(network, order, err)
                    : oro_fail(err, ORO_E_MEMORY, "no memory for the order of rivers");
    for (uint32_t i = 0; ok && i < network->vertex_count; i++) {
        vertices[i].order = order[i];
        report->order = order[i] > report->order ? order[i] : report->order;
    }
    oro_free(order);
    return ok;
}

static struct oro_network *trace_all(struct work *w, struct oro_river_report *report, struct oro_error *err)
{
    struct oro_trace trace = {.smooth = w->options->smooth, .simplify = w->options->simplify};
    for (size_t i = 0; i < w->cells; i++) {
        w->number[i] = NONE;
        if (!is_end(w, i))
            continue;
        struct oro_vertex v = vertex_of(w, i);
        w->number[i] = oro_network_add_vertex(&trace.builder, v);
        report->sources += v.kind == ORO_VERTEX_SOURCE;
        report->junctions += v.kind == ORO_VERTEX_JUNCTION;
        report->outlets += v.kind == ORO_VERTEX_OUTLET;
    }
    for (size_t i = 0; i < w->cells; i++)
        if (w->number[i] != NONE && !is_outlet(w, i))
            trace_line(w, &trace, i);
    oro_trace_free(&trace);
    struct oro_network *network = oro_network_finish(&trace.builder, err);
    if (network && !give_orders(network, report, err)) {
        oro_free(network);
        network = NULL;
    }
    return network;
}

static bool make_room(struct work *w, struct oro_error *err)
{
    w->area = oro_alloc(w->cells, sizeof *w->area);
    w->bed = oro_alloc(w->cells, sizeof *w->bed);
    w->donors = oro_alloc(w->cells, 1);
    w->number = oro_alloc(w->cells, sizeof *w->number);
    return (w->area && w->bed && w->donors && w->number) || no_memory(w, err);
}

struct oro_network *oro_river_network(const struct oro_ground *ground,
                                      const struct oro_river_options *options,
                                      struct oro_river_report *report, struct oro_error *err)
{
    struct oro_network *network = NULL;
    struct work w = {.ground = ground,
                     .options = options,
                     .width = (size_t)ground->width,
                     .cells = (size_t)ground->width * (size_t)ground->height};
    *report = (struct oro_river_report){0};
    if (oro_route(ground, &w.routing, err) && make_room(&w, err) && find_areas(&w, err)) {
        run_down(&w);
        network = trace_all(&w, report, err);
    }
    oro_routing_free(&w.routing);
    oro_free(w.area);
    oro_free(w.bed);
    oro_free(w.donors);
    oro_free(w.number);
    return network;
}
