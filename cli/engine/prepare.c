#include "cli/engine/prepare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "formats/engine.h"
#include "graph/plan/site.h"
#include "graph/type/literal.h"

/* ---- The world ---- */

static bool set_place(struct oro_world *world, const char *item, const char *value, struct oro_error *err)
{
    char west[64], north[64], more;
    return (sscanf(value, "%63s %63s %c", west, north, &more) == 2 && oro_parse_number(west, &world->west) &&
            oro_parse_number(north, &world->north)) ||
           oro_fail(err, ORO_E_DOCUMENT,
                    "%.200s: origin takes two numbers, west and north: \"399960 5100000\"", item);
}

static bool set_number(struct oro_world *world, const char *item, int which, const char *value,
                       struct oro_error *err)
{
    double number;
    char what[160];
    if (value[0] == '=') {
        world->exprs[which] = (char *)value + 1; /* only read */
        return true;
    }
    if (!oro_parse_number(value, &number))
        return oro_fail(err, ORO_E_DOCUMENT, "%.200s: %s; it takes a number or =EXPRESSION", item,
                        oro_not_a_number(value, what, sizeof what));
    if (which == ORO_WORLD_RESOLUTION && number != floor(number))
        return oro_fail(err, ORO_E_DOCUMENT, "%.200s: resolution takes whole cells", item);
    oro_world_set(world, (enum oro_world_number)which, number);
    return true;
}

static bool unknown_part(const char *item, const char *name, struct oro_error *err)
{
    static const char *const names[] = {"extent", "resolution", "aspect", "sea",
                                        "seed",   "crs",        "origin", "from"};
    const char *near = oro_suggest(name, names, sizeof names / sizeof names[0]);
    return oro_fail(err, ORO_E_DOCUMENT, "%.200s: the world has no '%.60s'; %s%s%s", item, name,
                    near ? "did you mean '" : "",
                    near ? near : "it has extent, resolution, aspect, sea, seed, crs, origin and from",
                    near ? "'?" : "");
}

bool cli_set_world(struct cli_graph *graph, const char *item, const char *name, const char *value,
                   struct oro_error *err)
{
    struct oro_world world = *oro_document_world(graph->doc);
    struct oro_error why = {0};
    int which = 0;
    bool ok = true;
    while (which < ORO_WORLD_NUMBERS && strcmp(oro_world_number_names[which], name) != 0)
        which++;
    if (which < ORO_WORLD_NUMBERS)
        ok = set_number(&world, item, which, value, err);
    else if (strcmp(name, "seed") == 0)
        ok = cli_parse_integer(value, &world.seed) ||
             oro_fail(err, ORO_E_DOCUMENT, "%.200s: '%.60s' is no whole number", item, value);
    else if (strcmp(name, "crs") == 0)
        world.crs = (char *)value;
    else if (strcmp(name, "from") == 0)
        world.from = value[0] ? (char *)value : NULL;
    else
        ok =
            strcmp(name, "origin") == 0 ? set_place(&world, item, value, err) : unknown_part(item, name, err);
    return ok && (oro_edit_world(graph->doc, &world, &why) ||
                  oro_fail(err, why.code, "%.200s: %s", item, why.text));
}

/* ---- Builds ---- */

const struct oro_doc_build *cli_take_build(struct cli_graph *graph, const char *name, struct oro_error *err)
{
    const struct oro_doc_build *build = oro_document_find_build(graph->doc, name);
    if (!build) {
        oro_build_unknown(graph->doc, name, err);
        return NULL;
    }
    return oro_build_engine(&graph->registry, build, err) && oro_prepare_world(graph->doc, build, err) ? build
                                                                                                       : NULL;
}

static bool override(struct cli_graph *graph, const char *node, const char *input, const char *value,
                     struct oro_error *err)
{
    struct oro_override *all =
        oro_arena_alloc(graph->arena, graph->override_count + 1, sizeof *graph->overrides);
    if (!all || !value)
        return oro_fail(err, ORO_E_MEMORY, "no memory for what is built");
    /* What the user sets comes last, and counts. */
    all[0] = (struct oro_override){node, input, value};
    if (graph->override_count > 0)
        memcpy(all + 1, graph->overrides, graph->override_count * sizeof *all);
    graph->overrides = all;
    graph->override_count++;
    return true;
}

static const char *extension_of(const struct oro_doc_build *build, enum oro_type type)
{
    const struct oro_engine *engine = oro_engine_at(oro_engine_find(build->engine));
    if (type == ORO_NETWORK)
        return "geojson";
    if (type == ORO_IMAGE)
        return "png";
    return engine ? engine->extensions[0] : "tif";
}

static const char *file_of(const struct cli_graph *graph, const struct oro_doc_build *build,
                           const struct oro_rendered *one, bool several)
{
    enum oro_type type = oro_rendered_type(graph->doc, &graph->registry, one->node, one->output, NULL);
    return oro_build_file(graph->doc, build, one, several, extension_of(build, type), graph->arena);
}

static bool want_one(struct cli_graph *graph, const struct oro_doc_build *build,
                     const struct oro_rendered *one, bool several, struct oro_error *err)
{
    const char *writer = one->node, *file = one->output ? file_of(graph, build, one, several) : NULL;
    if (one->output)
        writer = oro_prepare_writer(graph->doc, &graph->registry, one->node, one->output, graph->arena, err);
    if (!writer || (one->output && !override(graph, writer, "file", file, err)))
        return false;
    const struct oro_doc_node *node = oro_document_find(graph->doc, writer);
    const struct oro_node_type *type = node ? oro_type_of(&graph->registry, graph->doc, node, err) : NULL;
    bool picture = node && oro_doc_node_input(node, "image");
    if (!type || (build->engine && oro_type_input(type, "for") && !picture &&
                  !override(graph, writer, "for", build->engine, err)))
        return false;
    graph->targets[graph->target_count++] = (struct oro_target){.node = writer};
    return true;
}

bool cli_want_build(struct cli_graph *graph, const struct oro_doc_build *build, struct oro_error *err)
{
    struct oro_rendered *outputs;
    size_t count;
    if (!oro_build_outputs(graph->doc, &graph->registry, build, graph->arena, &outputs, &count, err))
        return false;
    graph->targets = oro_arena_alloc(graph->arena, count + 1, sizeof *graph->targets);
    if (!graph->targets)
        return oro_fail(err, ORO_E_MEMORY, "no memory for what is built");
    for (size_t i = 0; i < count; i++)
        if (!want_one(graph, build, &outputs[i], count > 1, err))
            return false;
    return true;
}

/* ---- Regions and the sea ---- */

/* No node cuts pictures. */
static bool has_pictures(const struct cli_graph *graph)
{
    for (size_t i = 0; i < graph->target_count; i++) {
        const struct oro_target *target = &graph->targets[i];
        enum oro_type type = target->output ? oro_rendered_type(graph->doc, &graph->registry, target->node,
                                                                target->output, NULL)
                                            : ORO_NONE;
        if (type == ORO_IMAGE || type == ORO_VECTOR)
            return true;
    }
    return false;
}

/* A world that cannot be found is told of with the plan. */
static bool meets_world(const struct cli_graph *graph, const struct oro_world_region *region,
                        struct oro_error *err)
{
    const struct oro_plan_options options = {.overrides = graph->overrides,
                                             .override_count = graph->override_count,
                                             .allow_any_path = graph->allow_any_path};
    struct oro_world world;
    if (region->shares || !oro_world_located(graph->doc, &graph->registry, &options, &world, NULL))
        return true;
    struct oro_grid grid = oro_world_grid(&world);
    double width = grid.width * grid.cell, height = grid.height * grid.cell;
    oro_free(world.crs);
    return (region->x < width && region->y < height) ||
           oro_fail(err, ORO_E_USAGE,
                    "--region lies outside the world: it begins at %g %g, and the world is %g x %g m",
                    region->x, region->y, width, height);
}

bool cli_want_region(struct cli_graph *graph, const struct oro_world_region *region, bool *cut,
                     struct oro_error *err)
{
    *cut = region->given && has_pictures(graph);
    if (region->given && !meets_world(graph, region, err))
        return false;
    for (size_t i = 0; region->given && !*cut && i < graph->target_count; i++) {
        struct oro_target *target = &graph->targets[i];
        struct oro_rendered one = {.node = target->node, .output = target->output};
        if (!oro_prepare_region(graph->doc, &graph->registry, region, &one, graph->arena, err))
            return false;
        *target = (struct oro_target){one.node, one.output};
    }
    return true;
}

static struct oro_value *cut_value(const struct oro_world_region *region, struct oro_device *device,
                                   struct oro_value *value, struct oro_error *err)
{
    const struct oro_grid *from = &value->grid;
    struct oro_grid grid = *from;
    const struct oro_window window = oro_grid_window(from, region);
    grid.width = window.width;
    grid.height = window.height;
    size_t cell = (size_t)value->channels, line = (size_t)grid.width * cell;
    const float *data = oro_value_host(value, err);
    float *cut = data ? oro_alloc((size_t)grid.height * line, sizeof *cut) : NULL;
    if (!cut) {
        if (data)
            oro_fail(err, ORO_E_MEMORY, "no memory for a region of %d x %d cells", grid.width, grid.height);
        return NULL;
    }
    grid.x += window.x * grid.cell;
    grid.y += window.y * grid.cell;
    for (int i = 0; i < grid.height; i++)
        memcpy(cut + (size_t)i * line,
               data + ((size_t)(window.y + i) * (size_t)from->width + (size_t)window.x) * cell,
               line * sizeof *cut);
    return oro_value_create(device, value->type, &grid, NULL, cut, err);
}

bool cli_cut_region(const struct oro_world_region *region, struct oro_device *device,
                    struct oro_value **values, size_t count, struct oro_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i]->channels == 0)
            return oro_fail(err, ORO_E_USAGE, "--region cuts rasters, and one of the outputs is none");
        struct oro_value *cut = cut_value(region, device, values[i], err);
        if (!cut)
            return false;
        oro_value_release(values[i]);
        values[i] = cut;
    }
    return true;
}

bool cli_want_sea(struct cli_graph *graph)
{
    struct oro_rendered sea;
    const struct oro_target *first = &graph->targets[0];
    if (graph->target_count == 0 || !first->output ||
        !oro_sea_of(graph->doc, &graph->registry, first->node, first->output, &sea))
        return false;
    struct oro_target *all = oro_arena_alloc(graph->arena, graph->target_count + 1, sizeof *all);
    if (!all)
        return false; /* the certificate then counts the sea as ground */
    memcpy(all, graph->targets, graph->target_count * sizeof *all);
    all[graph->target_count++] = (struct oro_target){sea.node, sea.output};
    graph->targets = all;
    return true;
}
