/* The world of a document: its numbers, which may be expressions, and the grid that follows from them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"
#include "graph/document/variable.h"

const char *const oro_world_number_names[] = {
    [ORO_WORLD_EXTENT] = "extent", [ORO_WORLD_RESOLUTION] = "resolution",
    [ORO_WORLD_ASPECT] = "aspect", [ORO_WORLD_SEA] = "sea",
    [ORO_WORLD_NUMBERS] = NULL,
};

static double clamp(double value, double low, double high)
{
    return value >= low ? (value <= high ? value : high) : low; /* NaN gives `low` */
}

static const double extent_least = 1e-3, extent_most = 1e9, sea_most = 1e5;

struct oro_grid oro_world_grid(const struct oro_world *world)
{
    double width = clamp(world->resolution, 1, ORO_GRID_MAX);
    double height = clamp(floor(world->aspect * width + 0.5), 1, ORO_GRID_MAX);
    return (struct oro_grid){
        .width = (int)width,
        .height = (int)height,
        .cell = clamp(world->extent, extent_least, extent_most) / width,
    };
}

struct oro_grid oro_document_grid(const struct oro_document *doc)
{
    return oro_world_grid(oro_document_world(doc));
}

static bool same_exprs(const struct oro_world *a, const struct oro_world *b)
{
    for (int i = 0; i < ORO_WORLD_NUMBERS; i++)
        if (!oro_same_text(a->exprs[i], b->exprs[i]))
            return false;
    return true;
}

bool oro_world_same(const struct oro_world *a, const struct oro_world *b)
{
    return a->extent == b->extent && a->resolution == b->resolution && a->aspect == b->aspect &&
           a->seed == b->seed && a->has_sea == b->has_sea && (!a->has_sea || a->sea == b->sea) &&
           same_exprs(a, b) && oro_same_text(a->crs, b->crs) && a->west == b->west && a->north == b->north &&
           oro_same_text(a->from, b->from);
}

bool oro_world_valid(const struct oro_world *world, struct oro_error *err)
{
    char number[ORO_NUMBER_SIZE];
    if (!(world->extent >= extent_least && world->extent <= extent_most))
        return oro_fail(err, ORO_E_DOCUMENT, "extent must be from 0.001 to 1000000000 m, not %s",
                        isfinite(world->extent) ? oro_format_number(world->extent, number) : "infinite");
    if (world->resolution < 1 || world->resolution > ORO_GRID_MAX)
        return oro_fail(err, ORO_E_DOCUMENT, "resolution must be from 1 to %d cells, not %d", ORO_GRID_MAX,
                        world->resolution);
    double rows = floor(world->aspect * world->resolution + 0.5);
    if (!(world->aspect > 0) || !isfinite(world->aspect) || rows > ORO_GRID_MAX)
        return oro_fail(err, ORO_E_DOCUMENT, "aspect must be above 0 and give at most %d rows, not %s",
                        ORO_GRID_MAX,
                        isfinite(world->aspect) ? oro_format_number(world->aspect, number) : "infinite");
    if (world->has_sea && !(world->sea >= -sea_most && world->sea <= sea_most))
        return oro_fail(err, ORO_E_DOCUMENT, "sea must be a level from -100000 to 100000 m, not %s",
                        isfinite(world->sea) ? oro_format_number(world->sea, number) : "infinite");
    if (!isfinite(world->west) || !isfinite(world->north))
        return oro_fail(err, ORO_E_DOCUMENT, "origin must be two finite numbers");
    return world->crs || (world->west == 0 && world->north == 0) ||
           oro_fail(err, ORO_E_DOCUMENT, "origin is a place in a coordinate system: set crs, too");
}

/* A resolution that no whole number of cells stands for is left to oro_world_valid. */
void oro_world_set(struct oro_world *world, enum oro_world_number which, double value)
{
    world->exprs[which] = NULL;
    if (which == ORO_WORLD_EXTENT)
        world->extent = value;
    else if (which == ORO_WORLD_ASPECT)
        world->aspect = value;
    else if (which == ORO_WORLD_RESOLUTION)
        world->resolution = value > 0 && value < 1e9 ? (int)floor(value + 0.5) : 0;
    else
        world->sea = value;
    world->has_sea |= which == ORO_WORLD_SEA;
}

bool oro_world_follows(const struct oro_world *world)
{
    bool follows = world->from;
    for (int i = 0; i < ORO_WORLD_NUMBERS; i++)
        follows |= world->exprs[i] != NULL;
    return follows;
}

static bool evaluate_number(struct oro_world *world, enum oro_world_number which,
                            struct oro_variables *variables, struct oro_error *err)
{
    struct oro_error why = {0};
    double value;
    if (!oro_variables_evaluate(variables, world->exprs[which], &value, &why))
        return oro_fail(err, why.code, "the world's %s: %s", oro_world_number_names[which], why.text);
    oro_world_set(world, which, value);
    return true;
}

bool oro_world_evaluate(const struct oro_document *doc, const struct oro_registry *registry,
                        const struct oro_given *given, size_t given_count, struct oro_world *world,
                        struct oro_error *err)
{
    struct oro_error why = {0};
    int first = 0;
    *world = *oro_document_world(doc);
    while (first < ORO_WORLD_NUMBERS && !world->exprs[first])
        first++;
    if (first == ORO_WORLD_NUMBERS)
        return true;
    struct oro_variables *variables =
        oro_variables_create(doc, registry, NULL, world->seed, given, given_count, err);
    bool ok = variables;
    for (int i = first; ok && i < ORO_WORLD_NUMBERS; i++)
        ok = !world->exprs[i] || evaluate_number(world, (enum oro_world_number)i, variables, err);
    oro_variables_destroy(variables);
    return ok && (oro_world_valid(world, &why) || oro_fail(err, why.code, "the world's %s", why.text));
}
