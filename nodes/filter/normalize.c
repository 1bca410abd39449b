/* Maps a raster from its own range to a given one. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/filter/order.h"
#include "nodes/lib/range.h"

struct params {
    float low, high, clip_low, clip_high, mask;
};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("field", .doc = "Raster to stretch: a terrain, a mask, anything"),
    ORO_IN_MAP(struct params, low, 0, .min = -1e9, .max = 1e9, .soft_min = -1000, .soft_max = 4000,
               .doc = "What its lowest value becomes, in the unit of the result: 0 for a mask, metres for a "
                      "terrain. Also what all of it becomes when it is the same everywhere"),
    ORO_IN_MAP(struct params, high, 1, .min = -1e9, .max = 1e9, .soft_min = -1000, .soft_max = 4000,
               .doc = "What its highest value becomes. Below `low` it turns the raster upside down"),
    ORO_IN_FLOAT(struct params, clip_low, 0, .min = 0, .max = 50, .soft_max = 5, .unit = ORO_PERCENT,
                 .group = "Clip",
                 .doc = "So many of the cells, those with the lowest values, become `low`, so that a few "
                        "deep holes do not take up the range"),
    ORO_IN_FLOAT(struct params, clip_high, 0, .min = 0, .max = 50, .soft_max = 5, .unit = ORO_PERCENT,
                 .group = "Clip", .doc = "So many, those with the highest values, become `high`"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "field", .doc = "From `low` to `high`"),
    {0},
};

/* The ends of the range without what is clipped: `percent` of the cells lie beyond each. */
static bool find_ends(struct oro_eval *e, const struct params *p, size_t cells, float ends[2])
{
    if (!oro_field_range(e, "field", ends))
        return false;
    size_t below = (size_t)floor((double)p->clip_low / 100 * (double)cells);
    size_t above = (size_t)floor((double)p->clip_high / 100 * (double)cells);
    size_t top = cells - 1 - (above < cells ? above : cells - 1);
    if (below == 0 && above == 0)
        return true;
    const float *values = oro_eval_input_host(e, "field");
    if (!values)
        return false;
    if (below > 0)
        ends[0] = oro_value_of_rank(values, cells, below < top ? below : top);
    if (above > 0)
        ends[1] = oro_value_of_rank(values, cells, top);
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    float ends[2];
    if (!find_ends(e, data, oro_grid_cells(oro_eval_grid(e)), ends))
        return false;
    oro_eval_figure(e, "lowest", (double)ends[0], "");
    oro_eval_figure(e, "highest", (double)ends[1], "");
    return oro_eval_default(e, &(struct oro_dispatch){.constants = {{"bottom", ends[0]}, {"top", ends[1]}}});
}

ORO_NODE(
    normalize, .version = 1, .category = "filter",
    .words = "auto level, auto levels, fit range, stretch, full range, equalize",
    .doc = "Stretches a raster so that it just fills a range: its lowest value becomes `low`, its highest "
           "`high`, and all between keep their proportions. The ends are those of the raster as it is, "
           "looked at whole: a preview at a lower resolution has others, if only by little, and an edit "
           "far away may change the values here. Where that matters, or for a curve or ends that are known, "
           "use `remap`.",
    .kernel = "filter/normalize.comp", .reach = ORO_REACH_CELL, .spread = ORO_SPREAD_TILES, .eval = eval);
