/* Cuts a rectangle out of a raster. */
#include <math.h>

#include "graph/type/node.h"

struct params {
    int method;
    float x, y, width, height;
};

enum { METRES, FRACTIONS };
static const char *const methods[] = {"metres", "fractions", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "Elevation, or any other raster"),
    ORO_IN_CHOICE(struct params, method, 0, methods,
                  .doc = "metres: on the map, from the north-west corner of the world, whatever was cut away "
                         "before. fractions: of the raster, from its own corner; 0.5 is the middle"),
    ORO_IN_FLOAT(struct params, x, 0, .label = "Western edge", .handle = ORO_HANDLE_RECT_X,
                 .handle_when = "method=metres", .min = -1e7, .max = 1e7, .soft_min = 0, .soft_max = 10000,
                 .doc = "Western edge, in the unit of `method`, as all four numbers. Edges go to the nearest "
                        "line between cells"),
    ORO_IN_FLOAT(struct params, y, 0, .label = "Northern edge", .handle = ORO_HANDLE_RECT_Y,
                 .handle_when = "method=metres", .min = -1e7, .max = 1e7, .soft_min = 0, .soft_max = 10000,
                 .doc = "Northern edge"),
    ORO_IN_FLOAT(struct params, width, 0, .role = ORO_ROLE_CELLS, .handle = ORO_HANDLE_RECT_WIDTH,
                 .handle_when = "method=metres", .min = 0, .max = 1e7, .soft_max = 10000,
                 .doc = "From the western edge to the eastern; 0: all that there is"),
    ORO_IN_FLOAT(struct params, height, 0, .role = ORO_ROLE_CELLS, .handle = ORO_HANDLE_RECT_HEIGHT,
                 .handle_when = "method=metres", .min = 0, .max = 1e7, .soft_max = 10000,
                 .doc = "From the northern edge to the southern; 0: all that there is"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN,
                  .doc = "The cells within the rectangle, at their place in the world"),
    {0},
};

/* The rectangle along one axis: its first cell and how many it has. `outside`: it has none of the raster's
 * cells; `cut`: it reaches beyond the raster. */
struct span {
    int first, count;
    bool outside, cut;
};

static struct span span_of(double from, double length, int cells)
{
    double to = length > 0 ? from + length : fmax(cells, from), tiny = 1e-4;
    struct span span = {.outside = from >= cells - tiny || to <= tiny,
                        .cut = from < -tiny || to > cells + tiny};
    double first = fmin(fmax(round(from), 0), cells - 1), end = fmin(fmax(round(to), first + 1), cells);
    span.first = (int)first;
    span.count = (int)end - span.first;
    return span;
}

static void spans_of(const struct params *p, const struct oro_grid *grid, struct span spans[2])
{
    double x = (double)p->x, y = (double)p->y, width = (double)p->width, height = (double)p->height;
    if (p->method == FRACTIONS) {
        spans[0] = span_of(x * grid->width, width * grid->width, grid->width);
        spans[1] = span_of(y * grid->height, height * grid->height, grid->height);
        return;
    }
    spans[0] = span_of((x - grid->x) / grid->cell, width / grid->cell, grid->width);
    spans[1] = span_of((y - grid->y) / grid->cell, height / grid->cell, grid->height);
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    const struct oro_grid from = *oro_shape_input(s, "terrain");
    struct span spans[2];
    spans_of(p, &from, spans);
    if (spans[0].outside || spans[1].outside)
        return oro_shape_fail(
            s,
            "the rectangle at %g %g, %g x %g %s, lies outside the terrain, which is %g to %g "
            "m east and %g to %g m south: change '%s'",
            (double)p->x, (double)p->y, (double)p->width, (double)p->height, methods[p->method], from.x,
            from.x + from.width * from.cell, from.y, from.y + from.height * from.cell,
            spans[0].outside ? "x" : "y");
    *grid = (struct oro_grid){.width = spans[0].count,
                              .height = spans[1].count,
                              .cell = from.cell,
                              .x = from.x + spans[0].first * from.cell,
                              .y = from.y + spans[1].first * from.cell};
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct oro_grid *from = oro_eval_input_grid(e, "terrain"), *to = oro_eval_grid(e);
    struct oro_buffer *terrain = oro_eval_input(e, "terrain");
    struct span spans[2];
    if (!from || !terrain)
        return false;
    spans_of(data, from, spans);
    if (spans[0].cut || spans[1].cut)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "the rectangle reaches beyond the terrain and is cut off there: it is %g x %g m",
                 to->width * to->cell, to->height * to->cell);
    if (oro_grid_same_size(from, to))
        return oro_eval_give(e, "terrain", terrain);
    const float corner[2] = {(float)spans[0].first, (float)spans[1].first};
    struct oro_dispatch extras = {.constants = {{"east", corner[0]}, {"south", corner[1]}}};
    oro_dispatch_source(&extras, to, from, corner, ORO_REACH_CELL);
    return oro_eval_default(e, &extras);
}

ORO_NODE(
    crop, .version = 1, .category = "resolution", .words = "cut out, clip, trim, region, rectangle, tile",
    .doc =
        "Cuts a rectangle out of a terrain, in whole cells. The part stays where it is in the world: noise, "
        "networks and rasters of the whole that meet it later are taken from its place. Ground that drained "
        "still does, over the new borders.",
    .shape = shape, .spread = ORO_SPREAD_TILES, .kernel = "resolution/crop.comp", .eval = eval);
