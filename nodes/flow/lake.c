/* Lakes where they are asked for. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/node.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "terrain/hydrology/lakes.h"
#include "terrain/network/network.h"

struct params {
    const char *points;
    float level, depth, shore, bank, radius, area_most, mask;
    ORO_OUTLET_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_NETWORK(struct params, points, "", .handle = ORO_HANDLE_POINTS,
                   .doc = "A point near each lake that is wished for: \"x y\", or \"x y elevation\" for the "
                          "level that its water is to have. Lines make no lakes"),
    ORO_IN_FIELD("where", .optional = true,
                 .doc = "A mask: each piece of it above 0.5 becomes a lake. A point in it tells its level"),
    ORO_IN_MAP(struct params, level, 0, .min = -1e5, .max = 1e5, .soft_min = -50, .soft_max = 50,
               .unit = ORO_METRE, .group = "Water",
               .doc =
                   "How far above (below) its natural level the water stands, where it would just spill: "
                   "above it is dammed, below its outlet is cut deeper. One number for a lake: that at its "
                   "point"),
    ORO_IN_FLOAT(struct params, area_most, 0, .min = 0, .max = 1e15, .soft_max = 1e7,
                 .unit = ORO_SQUARE_METRE, .group = "Water",
                 .doc =
                     "Lakes from points are kept lower where they would be larger than this: 0 for no limit"),
    ORO_IN_MAP(struct params, radius, 400, .handle = ORO_HANDLE_RADIUS, .handle_at = "points", .min = 0,
               .max = 1e6, .soft_max = 2000, .unit = ORO_METRE, .group = "Bed",
               .doc = "A hollow within this distance of a point becomes the lake, the nearest that is not "
                      "small against a circle of this radius. Where there is none, a bed is dug that reaches "
                      "as far, less where the ground rises or falls"),
    ORO_IN_MAP(struct params, depth, 15, .min = 0, .max = 1e5, .soft_max = 200, .unit = ORO_METRE,
               .group = "Bed",
               .doc = "The bed is dug until it lies so deep below the water; natural hollows may be deeper"),
    ORO_IN_MAP(struct params, shore, 150, .min = 0, .max = 1e6, .soft_max = 1000, .unit = ORO_METRE,
               .group = "Bed", .doc = "Width of the beach under water, over which the bed falls"),
    ORO_IN_MAP(struct params, bank, 35, .min = 1, .max = 90, .unit = ORO_DEGREE, .group = "Bed",
               .doc = "The ground around lakes that are no natural hollows rises no steeper than this: 90 "
                      "leaves it as it is"),
    ORO_IN_OUTLETS(struct params),
    ORO_IN_MAP(struct params, mask, 1, .role = ORO_ROLE_MASK, .min = 0, .max = 1, .group = "Mask",
               .doc = "Scales how deep beds and banks are dug. Where it is 0 there are no lakes"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain",
                    .doc = "The ground, without the water: beds, outlets, and the rest made to drain"),
    ORO_OUT_FIELD("level", .like = "terrain", .unit = ORO_METRE,
                  .doc = "The surface: the water's in lakes, elsewhere the ground. It has no closed "
                         "depression"),
    ORO_OUT_FIELD("depth", .like = "terrain", .unit = ORO_METRE, .doc = "Depth of the water, 0 on land"),
    ORO_OUT_FIELD("id", .like = "terrain", .unit = ORO_ID,
                  .doc =
                      "The lake's number, from 1, in the order of their first cells from the north-west; 0 "
                      "on land"),
    ORO_OUT_FIELD("mask", .like = "terrain", .doc = "1 in lakes, 0 on land"),
    ORO_OUT_NETWORK("outlet", .doc = "A point for each lake where its water leaves, in the order of the "
                                     "numbers, with the elevation of the ground there"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_outlets_shape(s, p->sea, p->borders, grid);
}

/* ---- Wishes ---- */

/* A wish as the user knows it. */
struct asked {
    float x, y;
    uint32_t number; /* among the network's lines, from 1 */
};

struct wishes {
    struct oro_lake_wish *items;
    struct asked *asked;
    size_t count;
};

/* Warns of points outside the terrain, and of lines. */
static void read_wishes(struct oro_eval *e, const struct oro_network *network, struct wishes *wishes)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    const struct oro_grid *grid = oro_eval_grid(e);
    uint32_t lines = 0;
    for (uint32_t i = 0; i < network->line_count; i++) {
        const struct oro_vertex *at = &v[indices[starts[i]]];
        bool point = starts[i + 1] - starts[i] == 2 && indices[starts[i]] == indices[starts[i] + 1];
        double x = floor(((double)at->x - grid->x) / grid->cell);
        double y = floor(((double)at->y - grid->y) / grid->cell);
        lines += !point;
        if (!point)
            continue;
        if (!(x >= 0 && y >= 0 && x < grid->width && y < grid->height)) {
            oro_note(oro_eval_log(e), ORO_WARNING,
                     "point %u at %g %g lies outside the terrain and makes no lake", i + 1, (double)at->x,
                     (double)at->y);
            continue;
        }
        size_t cell = (size_t)y * (size_t)grid->width + (size_t)x;
        wishes->asked[wishes->count] = (struct asked){at->x, at->y, i + 1};
        wishes->items[wishes->count++] = (struct oro_lake_wish){.cell = cell, .elevation = at->elevation};
    }
    if (lines)
        oro_note(oro_eval_log(e), ORO_WARNING, "%u line%s in 'points' make%s no lakes: only points do", lines,
                 lines == 1 ? "" : "s", lines == 1 ? "s" : "");
}

static void tell_wish(struct oro_eval *e, const struct oro_lake_wish *wish, const struct asked *asked)
{
    const char *why = NULL;
    if (wish->state == ORO_LAKE_NO_ROOM)
        why = "makes no lake: it lies in the sea, on its shore, on the border, or where 'mask' is 0";
    else if (wish->state == ORO_LAKE_NO_WAY_OUT)
        why = "makes no lake: its water would have to leave through a lake that stands no lower. Raise its "
              "level, or lower the other's";
    if (why)
        oro_note(oro_eval_log(e), ORO_WARNING, "point %u at %g %g %s", asked->number, (double)asked->x,
                 (double)asked->y, why);
}

/* ---- Results ---- */

static void tell(struct oro_eval *e, const struct wishes *wishes, const struct oro_lakes_made *made,
                 const float *before)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    double area = grid->cell * grid->cell, water = 0, raised = 0, held = 0;
    size_t wet = 0;
    for (size_t i = 0; i < oro_grid_cells(grid); i++) {
        wet += made->id[i] != 0;
        water += (double)made->level[i] - (double)made->terrain[i];
        raised += fmax((double)made->terrain[i] - (double)before[i], 0);
    }
    for (size_t i = 0; i < wishes->count; i++) {
        held += wishes->items[i].held;
        tell_wish(e, &wishes->items[i], &wishes->asked[i]);
    }
    if (made->given_up)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "%u piece%s of 'where' make%s no lake: the water would have to leave through a lake that "
                 "stands no lower",
                 made->given_up, made->given_up == 1 ? "" : "s", made->given_up == 1 ? "s" : "");
    oro_eval_figure(e, "lakes", made->count, "");
    oro_eval_figure(e, "lake_area", (double)wet * area, "m2");
    oro_eval_figure(e, "water_volume", water * area, "m3");
    oro_eval_figure(e, "raise_volume", raised * area, "m3");
    oro_eval_figure(e, "held_by_area_most", held, "");
}

static bool give_outlets(struct oro_eval *e, const struct oro_lakes_made *made)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_network_builder builder = {0};
    struct oro_error err = {0};
    for (uint32_t i = 0; i < made->count; i++) {
        size_t cell = made->lakes[i].outlet, width = (size_t)grid->width;
        struct oro_vertex vertex =
            oro_vertex_at((float)(grid->x + ((double)(cell % width) + 0.5) * grid->cell),
                          (float)(grid->y + ((double)(cell / width) + 0.5) * grid->cell));
        vertex.elevation = made->lakes[i].outlet_elevation;
        vertex.kind = ORO_VERTEX_OUTLET;
        uint32_t number = oro_network_add_vertex(&builder, vertex);
        oro_network_add_line(&builder, (uint32_t[]){number, number}, 2);
    }
    return oro_eval_give_network(e, "outlet", oro_network_finish(&builder, &err), &err);
}

/* Hands over terrain and level, which `made` no longer owns. */
static bool give(struct oro_eval *e, struct oro_lakes_made *made)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    float *depth = oro_alloc(cells, sizeof *depth), *id = oro_alloc(cells, sizeof *id);
    float *mask = oro_alloc(cells, sizeof *mask), *terrain = made->terrain, *level = made->level;
    if (!depth || !id || !mask) {
        oro_free(depth);
        oro_free(id);
        oro_free(mask);
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    }
    for (size_t i = 0; i < cells; i++) {
        depth[i] = level[i] - terrain[i];
        id[i] = (float)made->id[i];
        mask[i] = made->id[i] ? 1 : 0;
    }
    made->terrain = made->level = NULL;
    bool ok = give_outlets(e, made);
    ok &= oro_eval_give_host(e, "terrain", terrain);
    ok &= oro_eval_give_host(e, "level", level);
    ok &= oro_eval_give_host(e, "depth", depth);
    ok &= oro_eval_give_host(e, "id", id);
    ok &= oro_eval_give_host(e, "mask", mask);
    return ok;
}

/* ---- All ---- */

/* A linked raster, NULL if none is linked; sets `missing` if one is but cannot be had. */
static const float *linked(struct oro_eval *e, const char *name, bool *missing)
{
    const float *raster = oro_eval_linked(e, name) ? oro_eval_input_host(e, name) : NULL;
    *missing |= oro_eval_linked(e, name) && !raster;
    return raster;
}

static struct oro_lake_number number(struct oro_eval *e, const char *name, float value, bool *missing)
{
    struct oro_lake_number result = {.value = value, .map = linked(e, name, missing)};
    for (const struct oro_input *input = inputs; input->name; input++)
        if (strcmp(input->name, name) == 0) {
            result.least = (float)input->min;
            result.most = (float)input->max;
        }
    return result;
}

static bool make(struct oro_eval *e, const struct params *p, struct wishes *wishes)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    bool missing = false;
    struct oro_error err = {0};
    struct oro_ground ground = {.width = grid->width,
                                .height = grid->height,
                                .z = linked(e, "terrain", &missing),
                                .sea = linked(e, "sea", &missing),
                                .walls = p->borders != 0,
                                .stop = oro_eval_stopped,
                                .user = e};
    struct oro_lake_options options = {.cell = grid->cell,
                                       .where = linked(e, "where", &missing),
                                       .level = number(e, "level", p->level, &missing),
                                       .radius = number(e, "radius", p->radius, &missing),
                                       .depth = number(e, "depth", p->depth, &missing),
                                       .shore = number(e, "shore", p->shore, &missing),
                                       .bank = number(e, "bank", p->bank, &missing),
                                       .mask = number(e, "mask", p->mask, &missing),
                                       .area_most = (double)p->area_most};
    struct oro_lakes_made made;
    if (!ground.sea && p->sea > 0.5f) {
        oro_note(oro_eval_log(e), ORO_WARNING, "all is sea: there are no lakes");
        wishes->count = 0;
        options.where = NULL;
    }
    if (missing || !oro_lakes_make(&ground, &options, wishes->items, wishes->count, &made, &err))
        return missing ? false : oro_eval_failed(e, &err);
    tell(e, wishes, &made, ground.z);
    bool ok = give(e, &made);
    oro_lakes_made_free(&made);
    return ok;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct oro_network *network = oro_eval_network(e, "points");
    if (!network)
        return false;
    struct wishes wishes = {.items = oro_alloc(network->line_count + 1, sizeof *wishes.items),
                            .asked = oro_alloc(network->line_count + 1, sizeof *wishes.asked)};
    bool ok = wishes.items && wishes.asked;
    if (ok)
        read_wishes(e, network, &wishes);
    else
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for %u points", network->line_count);
    ok = ok && make(e, data, &wishes);
    oro_free(wishes.items);
    oro_free(wishes.asked);
    return ok;
}

ORO_NODE(
    lake, .version = 1, .category = "flow",
    .words = "lakes, pond, water, water body, water surface, tarn, reservoir, dam",
    .doc =
        "Lakes where they are asked for, at points or in the pieces of a mask, each with a bed, one level, a "
        "number and an outlet. Hollows are filled up to where they spill; elsewhere beds are dug. Around the "
        "lakes everything is made to drain as `breach` does it, and from every outlet a falling way leads "
        "on. "
        "Lakes that touch become one, at the lowest of their levels. Put it behind `breach`, whose ground it "
        "changes no more than it must, or in its stead, which keeps natural hollows for lakes. A `breach` "
        "behind it would cut the lakes open, unless `mask` is linked to its `sea`. To see the water and to "
        "find its ways, use `level`; to export the ground under it, `terrain`.",
    .paper = "Barnes 2014; Cordonnier 2019", .shape = shape, .spread = ORO_SPREAD_HOST, .eval = eval);
