/* Picks lines and points of a network. */
#include <math.h>

#include "base/memory.h"
#include "graph/type/node.h"
#include "terrain/network/isolation.h"
#include "terrain/network/network.h"

enum { ANY, RIDGES, RIVERS, PEAKS, SADDLES, SOURCES, JUNCTIONS, OUTLETS };
static const char *const kinds[] = {"any",     "ridges",    "rivers",  "peaks", "saddles",
                                    "sources", "junctions", "outlets", NULL};

/* Ranges: at its end a bound is none. */
#define ELEVATION 1e6f
#define DRAINAGE 1e15f
#define LENGTH 1e9f
#define PROMINENCE 1e5f
#define ISOLATION 1e9f
enum { ORDER = 20 };

struct params {
    const char *network;
    int kind, order, order_max;
    float elevation, elevation_max, prominence, prominence_max, isolation, isolation_max;
    float drainage, drainage_max, length, length_max;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, network, NULL, .doc = "Lines and points to choose from"),
    ORO_IN_CHOICE(struct params, kind, ANY, kinds,
                  .doc = "any: lines and points of every kind. rivers: lines that know a drainage area or an "
                         "order, or join sources, junctions and outlets. ridges: all other lines. The rest "
                         "are points of these kinds, without the lines that they lie on"),
    ORO_IN_FLOAT(struct params, elevation, -ELEVATION, .min = -1e6, .max = 1e6, .soft_min = 0,
                 .soft_max = 5000, .unit = ORO_METRE, .group = "Height",
                 .doc = "Points of at least this elevation, lines that rise to it; at the least, also those "
                        "that know none"),
    ORO_IN_FLOAT(struct params, elevation_max, ELEVATION, .min = -1e6, .max = 1e6, .soft_min = 0,
                 .soft_max = 5000, .unit = ORO_METRE, .group = "Height",
                 .doc = "Only those that do not rise above this elevation"),
    ORO_IN_FLOAT(struct params, prominence, 0, .min = 0, .max = 1e5, .soft_max = 1000, .unit = ORO_METRE,
                 .group = "Height",
                 .doc = "Peaks of at least this prominence, and lines with such a peak; 0: all"),
    ORO_IN_FLOAT(struct params, prominence_max, PROMINENCE, .min = 0, .max = 1e5, .soft_max = 1000,
                 .unit = ORO_METRE, .group = "Height",
                 .doc = "Only those whose peaks have no more prominence. The highest peak's is infinite"),
    ORO_IN_FLOAT(struct params, isolation, 0, .min = 0, .max = 1e9, .soft_max = 20000, .unit = ORO_METRE,
                 .group = "Height",
                 .doc = "Peaks, and single points, from which the nearest higher ground is at least so far, "
                        "and lines with such a peak; 0: all. Higher ground is that of `terrain`; without "
                        "it, the vertices of the network"),
    ORO_IN_FLOAT(struct params, isolation_max, ISOLATION, .min = 0, .max = 1e9, .soft_max = 20000,
                 .unit = ORO_METRE, .group = "Height",
                 .doc = "Only those whose peaks are no more isolated. The highest peak is infinitely so"),
    ORO_IN_TERRAIN(.optional = true, .group = "Height",
                   .doc = "Ground that isolation is measured on: the one in which the peaks were found"),
    ORO_IN_INT(struct params, order, 0, .min = 0, .max = 20, .soft_max = 8, .group = "Rivers",
               .doc = "Those that reach this Strahler order: 2 leaves out the first streams. 0: all, also "
                      "those that know none"),
    ORO_IN_INT(struct params, order_max, ORDER, .min = 0, .max = 20, .soft_max = 8, .group = "Rivers",
               .doc = "Only those of at most this order"),
    ORO_IN_FLOAT(struct params, drainage, 0, .min = 0, .max = 1e15, .soft_max = 1e8, .unit = ORO_SQUARE_METRE,
                 .group = "Rivers", .doc = "Those through which so much land drains; 0: all"),
    ORO_IN_FLOAT(struct params, drainage_max, DRAINAGE, .min = 0, .max = 1e15, .soft_max = 1e8,
                 .unit = ORO_SQUARE_METRE, .group = "Rivers",
                 .doc = "Only those through which no more land drains"),
    ORO_IN_FLOAT(struct params, length, 0, .min = 0, .max = 1e9, .soft_max = 10000, .unit = ORO_METRE,
                 .group = "Lines", .doc = "Lines of at least this length between two forks or ends"),
    ORO_IN_FLOAT(struct params, length_max, LENGTH, .min = 0, .max = 1e9, .soft_max = 10000,
                 .unit = ORO_METRE, .group = "Lines", .doc = "Lines of at most this length"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_NETWORK("network", .doc = "What is left, with what was known of its vertices"),
    {0},
};

/* What is known of a line or a point: the greatest values along it. */
struct extent {
    float elevation, drainage, prominence, isolation; /* NaN: not known */
    uint32_t order;
    double length;
    bool river;
};

struct filter {
    const struct params *params;
    const struct oro_network *network;
    const struct oro_vertex *vertices;
    float *isolation; /* of every vertex, NaN if not known; NULL: not asked for */
    bool *wanted;     /* lines, or with a kind of points, vertices */
    uint32_t *number, *room;
    struct oro_network_builder builder;
};

static struct extent no_extent(void)
{
    return (struct extent){.elevation = NAN, .drainage = NAN, .prominence = NAN, .isolation = NAN};
}

static void extend(const struct filter *f, uint32_t vertex, struct extent *e)
{
    const struct oro_vertex *at = &f->vertices[vertex];
    e->elevation = fmaxf(e->elevation, at->elevation);
    e->drainage = fmaxf(e->drainage, at->drainage);
    e->prominence = fmaxf(e->prominence, at->prominence);
    e->isolation = f->isolation ? fmaxf(e->isolation, f->isolation[vertex]) : NAN;
    e->order = at->order > e->order ? at->order : e->order;
    e->river = e->river || at->order > 0 || at->drainage >= 0 || at->kind >= ORO_VERTEX_SOURCE;
}

static struct extent extent_of_line(const struct filter *f, const uint32_t *line, uint32_t count)
{
    struct extent e = no_extent();
    for (uint32_t i = 0; i < count; i++) {
        const struct oro_vertex *at = &f->vertices[line[i]];
        const struct oro_vertex *next = &f->vertices[line[i + 1 < count ? i + 1 : i]];
        extend(f, line[i], &e);
        e.length += hypot((double)next->x - (double)at->x, (double)next->y - (double)at->y);
    }
    return e;
}

/* Whether a value lies between the bounds; what is not known passes where there are none. */
static bool lies_in(float value, float min, float no_min, float max, float no_max)
{
    return (min <= no_min || value >= min) && (max >= no_max || value <= max);
}

static bool is_in_ranges(const struct params *p, const struct extent *e)
{
    return lies_in(e->elevation, p->elevation, -ELEVATION, p->elevation_max, ELEVATION) &&
           lies_in(e->prominence, p->prominence, 0, p->prominence_max, PROMINENCE) &&
           lies_in(e->isolation, p->isolation, 0, p->isolation_max, ISOLATION) &&
           lies_in(e->drainage, p->drainage, 0, p->drainage_max, DRAINAGE) &&
           e->order >= (uint32_t)p->order && (p->order_max >= ORDER || e->order <= (uint32_t)p->order_max);
}

static bool is_wanted_line(const struct params *p, const struct extent *e)
{
    bool kind = p->kind == ANY || e->river == (p->kind == RIVERS);
    return kind && is_in_ranges(p, e) && e->length >= (double)p->length &&
           (p->length_max >= LENGTH || e->length <= (double)p->length_max);
}

/* ---- Lines ---- */

/* Marks vertices that no line names, and that stay. */
static void mark_loose(struct filter *f)
{
    const uint32_t *indices = oro_network_indices(f->network);
    bool stay = f->params->kind == ANY && f->params->length <= 0;
    for (uint32_t i = 0; i < f->network->index_count; i++)
        f->number[indices[i]] = 1;
    for (uint32_t i = 0; i < f->network->vertex_count; i++) {
        struct extent e = no_extent();
        extend(f, i, &e);
        f->number[i] = stay && !f->number[i] && is_in_ranges(f->params, &e);
    }
}

/* Numbers the vertices that stay, in their order; those of other lines alone go. */
static void number_vertices(struct filter *f)
{
    const uint32_t *starts = oro_network_starts(f->network), *indices = oro_network_indices(f->network);
    for (uint32_t line = 0; line < f->network->line_count; line++)
        for (uint32_t i = starts[line]; f->wanted[line] && i < starts[line + 1]; i++)
            f->number[indices[i]] = 1;
    for (uint32_t i = 0; i < f->network->vertex_count; i++)
        if (f->number[i])
            f->number[i] = oro_network_add_vertex(&f->builder, f->vertices[i]);
}

static void pick_lines(struct filter *f)
{
    const uint32_t *starts = oro_network_starts(f->network), *indices = oro_network_indices(f->network);
    for (uint32_t line = 0; line < f->network->line_count; line++) {
        struct extent e = extent_of_line(f, indices + starts[line], starts[line + 1] - starts[line]);
        f->wanted[line] = is_wanted_line(f->params, &e);
    }
    mark_loose(f);
    number_vertices(f);
    for (uint32_t line = 0; line < f->network->line_count; line++) {
        size_t count = 0;
        for (uint32_t i = starts[line]; f->wanted[line] && i < starts[line + 1]; i++)
            f->room[count++] = f->number[indices[i]];
        oro_network_add_line(&f->builder, f->room, count);
    }
}

/* ---- Points ---- */

/* Points of the kind that is asked for, whatever line they lie on. */
static void pick_points(struct filter *f)
{
    uint32_t kind = (uint32_t)(f->params->kind - PEAKS) + ORO_VERTEX_PEAK;
    for (uint32_t i = 0; i < f->network->vertex_count; i++) {
        struct extent e = no_extent();
        extend(f, i, &e);
        if (f->vertices[i].kind != kind || !is_in_ranges(f->params, &e))
            continue;
        uint32_t number = oro_network_add_vertex(&f->builder, f->vertices[i]);
        oro_network_add_line(&f->builder, (uint32_t[]){number, number}, 2);
    }
}

/* ---- Isolation ---- */

/* Marks vertices of which isolation says something: peaks, and the points of networks that know no kinds. */
static void mark_summits(struct filter *f)
{
    const uint32_t *starts = oro_network_starts(f->network), *indices = oro_network_indices(f->network);
    for (uint32_t i = 0; i < f->network->vertex_count; i++)
        f->isolation[i] = f->vertices[i].kind == ORO_VERTEX_PEAK ? 0 : NAN;
    for (uint32_t line = 0; line < f->network->line_count; line++)
        if (starts[line + 1] - starts[line] == 2 && indices[starts[line]] == indices[starts[line] + 1])
            f->isolation[indices[starts[line]]] = 0;
}

static bool measure_isolation(struct oro_eval *e, struct filter *f)
{
    bool on_ground = oro_eval_linked(e, "terrain");
    const struct oro_grid *grid = on_ground ? oro_eval_input_grid(e, "terrain") : NULL;
    struct oro_isolation_ground ground = {.z = on_ground ? oro_eval_input_host(e, "terrain") : NULL};
    struct oro_isolation_index *index = on_ground ? NULL : oro_isolation_index(f->network);
    if (on_ground && !ground.z)
        return false;
    if (grid)
        ground =
            (struct oro_isolation_ground){ground.z, grid->width, grid->height, grid->cell, grid->x, grid->y};
    f->isolation = oro_alloc(f->network->vertex_count, sizeof *f->isolation);
    bool ok = f->isolation && (on_ground || index);
    if (ok)
        mark_summits(f);
    else
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for a network of %u vertices", f->network->vertex_count);
    for (uint32_t i = 0; ok && i < f->network->vertex_count; i++) {
        const struct oro_vertex *v = &f->vertices[i];
        if (isnan(f->isolation[i]) || isnan(v->elevation))
            f->isolation[i] = NAN;
        else
            f->isolation[i] =
                (float)(on_ground ? oro_isolation_on_ground(&ground, v) : oro_isolation_in_network(index, v));
        ok = oro_eval_progress(e, (int)(i / 256), (int)(f->network->vertex_count / 256 + 1));
    }
    oro_isolation_index_free(index);
    return ok;
}

/* ---- All together ---- */

static struct oro_network *pick(struct filter *f, struct oro_error *err)
{
    f->wanted = oro_alloc(f->network->line_count, sizeof *f->wanted);
    f->number = oro_alloc(f->network->vertex_count, sizeof *f->number);
    f->room = oro_alloc(f->network->index_count, sizeof *f->room);
    f->builder.failed = !f->wanted || !f->number || !f->room;
    if (!f->builder.failed && f->params->kind >= PEAKS)
        pick_points(f);
    else if (!f->builder.failed)
        pick_lines(f);
    oro_free(f->wanted);
    oro_free(f->number);
    oro_free(f->room);
    return oro_network_finish(&f->builder, err);
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_error err = {0};
    struct filter f = {.params = data, .network = oro_eval_network(e, "network")};
    if (!f.network)
        return false;
    f.vertices = oro_network_vertices(f.network);
    bool asked = f.params->isolation > 0 || f.params->isolation_max < ISOLATION;
    if (asked && !measure_isolation(e, &f)) {
        oro_free(f.isolation);
        return false;
    }
    struct oro_network *left = pick(&f, &err);
    oro_free(f.isolation);
    if (left && left->vertex_count == 0 && f.network->vertex_count > 0)
        oro_note(oro_eval_log(e), ORO_WARNING, "none of the %u lines is left", f.network->line_count);
    return oro_eval_give_network(e, "network", left, &err);
}

ORO_NODE(network_filter, .version = 1, .category = "network",
         .words = "select rivers, select peaks, prune, Strahler order, draw lines, spline, sketch",
         .doc = "Picks what is wanted of a network: ridges or rivers, or peaks and other points alone, by "
                "height, prominence, isolation, order, drainage area and length. All that is asked for must "
                "hold. Also a place to draw a network that several nodes use.",
         .spread = ORO_SPREAD_HOST, .eval = eval);
