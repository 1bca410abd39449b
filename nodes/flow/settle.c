/* Makes a terrain drain by filling its closed basins and opening them, whichever takes less. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/lib/angle.h"
#include "terrain/hydrology/settle.h"

struct params {
    float width, sides, gradient, lake_area, least_area, shallow, mask;
    ORO_OUTLET_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_FLOAT(
        struct params, width, 30, .min = 0, .max = 1e5, .soft_max = 500, .unit = ORO_METRE,
        .doc = "Width of the floor of a valley that drains a square kilometre, where a basin is opened; "
               "with ten times the water it is 2.5 times as wide"),
    ORO_IN_FLOAT(
        struct params, sides, 0, .min = 0, .max = 80, .soft_max = 45, .unit = ORO_DEGREE,
        .doc = "How steeply the sides of such valleys begin to rise; farther up they get steeper. 0: as "
               "the terrain does on average"),
    ORO_IN_FLOAT(
        struct params, gradient, 0.3, .min = 0, .max = 1, .soft_max = 0.5,
        .doc = "How steeply floors fall, as a share of the terrain's mean slope, where one cell drains; "
               "the more water, the less"),
    ORO_IN_FLOAT(
        struct params, lake_area, 0, .min = 0, .max = 1e15, .soft_max = 1e7, .unit = ORO_SQUARE_METRE,
        .doc = "Basins whose water would cover as much are left as lakes, up to where they spill. 0: "
               "none is"),
    ORO_IN_FLOAT(
        struct params, least_area, 0, .min = 0, .max = 1e15, .soft_max = 1e7, .unit = ORO_SQUARE_METRE,
        .doc =
            "Basins whose water would cover less stay as they are, closed, if they are shallow, too: valleys "
            "that lead out of them may be narrower than cells, and finer ground shows them. 0: none does"),
    ORO_IN_FLOAT(struct params, shallow, 0.5, .min = 0, .max = 1e6, .soft_max = 2,
                 .doc = "Of `least_area`: shallow are basins that are less deep than the terrain rises on "
                        "average over so many cells. In real ground hardly any other is small"),
    ORO_IN_OUTLETS(struct params),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation that drains everywhere, but for the beds of lakes"),
    ORO_OUT_FIELD("level", .like = "terrain", .unit = ORO_METRE,
                  .doc = "The same, with the water of the lakes: it drains everywhere"),
    ORO_OUT_FIELD("lakes", .like = "terrain", .doc = "1 in lakes, else 0"),
    ORO_OUT_FIELD("filled", .like = "terrain", .unit = ORO_METRE, .doc = "Depth of the sediment"),
    ORO_OUT_FIELD("carved", .like = "terrain", .unit = ORO_METRE, .doc = "Depth that was carved"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_outlets_shape(s, p->sea, p->borders, grid);
}

enum { TERRAIN, LEVEL, LAKES, FILLED, CARVED, RASTERS };

static void compare(const float *before, const float *mask, size_t cells, float share,
                    float *const r[RASTERS])
{
    for (size_t i = 0; i < cells; i++) {
        float part = fminf(fmaxf(mask ? mask[i] : share, 0), 1), water = r[LEVEL][i] - r[TERRAIN][i];
        float change = part * (r[TERRAIN][i] - before[i]);
        if (part < 1)
            r[TERRAIN][i] = before[i] + change;
        r[LAKES][i] = water > 0;
        r[LEVEL][i] = water > 0 ? fmaxf(r[LEVEL][i], r[TERRAIN][i]) : r[TERRAIN][i];
        r[FILLED][i] = fmaxf(change, 0);
        r[CARVED][i] = fmaxf(-change, 0);
    }
}

static void tell(struct oro_eval *e, float *const r[RASTERS])
{
    const struct oro_grid *grid = oro_eval_grid(e);
    double filled = 0, carved = 0, cut = 0, raise = 0;
    for (size_t i = 0; i < oro_grid_cells(grid); i++) {
        filled += (double)r[FILLED][i];
        carved += (double)r[CARVED][i];
        raise = fmax(raise, (double)r[FILLED][i]);
        cut = fmax(cut, (double)r[CARVED][i]);
    }
    oro_eval_figure(e, "highest_raise", raise, "m");
    oro_eval_figure(e, "deepest_cut", cut, "m");
    oro_eval_figure(e, "raise_volume", filled * grid->cell * grid->cell, "m3");
    oro_eval_figure(e, "cut_volume", carved * grid->cell * grid->cell, "m3");
}

static bool settle(struct oro_eval *e, const struct params *p, float *const r[RASTERS])
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_error err = {0};
    struct oro_ground ground = {.width = grid->width,
                                .height = grid->height,
                                .z = oro_eval_input_host(e, "terrain"),
                                .sea = oro_eval_linked(e, "sea") ? oro_eval_input_host(e, "sea") : NULL,
                                .walls = p->borders != 0,
                                .stop = oro_eval_stopped,
                                .user = e};
    struct oro_settling how = {.cell = grid->cell,
                               .width = (double)p->width,
                               .sides = tan(oro_radians((double)p->sides)),
                               .gradient = (double)p->gradient,
                               .lake = (double)p->lake_area,
                               .least = (double)p->least_area,
                               .shallow = (double)p->shallow};
    const float *mask = oro_eval_linked(e, "mask") ? oro_eval_input_host(e, "mask") : NULL;
    size_t cells = oro_grid_cells(grid);
    if (!ground.z || (oro_eval_linked(e, "sea") && !ground.sea) || (oro_eval_linked(e, "mask") && !mask))
        return false;
    if (!ground.sea && p->sea > 0.5f)
        for (int k = TERRAIN; k <= LEVEL; k++)
            memcpy(r[k], ground.z, cells * sizeof *ground.z);
    else if (!oro_settle(&ground, &how, r[TERRAIN], r[LEVEL], &err))
        return oro_eval_failed(e, &err);
    compare(ground.z, mask, cells, p->mask, r);
    tell(e, r);
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    float *r[RASTERS];
    bool ok = true;
    for (int k = 0; k < RASTERS; k++) {
        r[k] = oro_alloc(cells, sizeof *r[k]);
        ok &= r[k] != NULL;
    }
    ok = ok ? settle(e, data, r) : oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    for (int k = 0; k < RASTERS; k++)
        if (ok)
            ok = oro_eval_give_host(e, outputs[k].name, r[k]);
        else
            oro_free(r[k]);
    return ok;
}

ORO_NODE(
    settle, .version = 1, .category = "flow",
    .words = "settle basins, fill, breach, drain, sinks, depressions, alluvial plain, valley fill, sediment",
    .doc =
        "Makes a terrain drain as rivers do in the long run: sediment fills closed basins to plains that "
        "fall "
        "gently towards their outlets, and valleys open the sills, which widen with what drains through "
        "them. How high a basin is filled and how deep it is opened is what changes the terrain least. "
        "From every cell a strictly falling way leads to the border, to the sea, or to a lake that was asked "
        "for.",
    .paper = "Soille 2004; Pardalos 1999; Flint 1974", .drains = true, .shape = shape,
    .spread = ORO_SPREAD_HOST, .eval = eval);
