/* How moist the ground is: height, distance to water, wind and rain shadow. */
#include <math.h>
#include <stdlib.h>

#include "graph/type/node.h"
#include "nodes/lib/angle.h"
#include "nodes/lib/distance.h"
#include "nodes/lib/range.h"

enum { TURNS = 4 }; /* directions on either side of the wind, among which it turns */

struct params {
    float sea_level, wind, spread, rain_shadow, lift, scale_height, recovery, drift, coast, reach, height,
        least;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation that the wind blows over"),
    ORO_IN_FIELD("water", .optional = true,
                 .doc = "Where there is water: above 0.5. Without it: where the terrain is not above "
                        "`sea_level`"),
    ORO_IN_FLOAT(struct params, sea_level, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 4000,
                 .unit = ORO_METRE, .doc = "Elevation from which heights count"),
    ORO_IN_FLOAT(struct params, least, 0.05, .min = 0, .max = 1,
                 .doc = "Moisture where it is driest: the rest lies between this and 1"),

    ORO_IN_FLOAT(struct params, wind, 270, .handle = ORO_HANDLE_ROTATION, .min = -360, .max = 360,
                 .soft_min = 0, .unit = ORO_DEGREE, .group = "Wind",
                 .doc = "Compass direction that the wind comes from: 0 is north, 90 east, 270 west"),
    ORO_IN_FLOAT(
        struct params, spread, 20, .min = 0, .max = 80, .soft_max = 45, .unit = ORO_DEGREE, .group = "Wind",
        .doc = "How far it turns to either side of that: shadows widen and fade with the distance. 0 "
               "draws every summit out into a streak"),
    ORO_IN_MAP(struct params, rain_shadow, 1, .min = 0, .max = 1, .group = "Wind",
               .doc = "How much drier it is where air comes down that has lost its water on its way: 0 for "
                      "not at all"),
    ORO_IN_FLOAT(struct params, lift, 0.4, .min = 0, .max = 1, .group = "Wind",
                 .doc = "Share of the moisture that comes as rain where the ground lifts the air: level land "
                        "does without it. 0: slopes that face the wind are as moist as level land"),
    ORO_IN_FLOAT(struct params, drift, 1000, .min = 0, .max = 1e6, .soft_max = 10000, .unit = ORO_METRE,
                 .group = "Wind",
                 .doc =
                     "How far the wind carries that rain until all but 1/e of it has fallen: it comes down "
                     "behind the crest as well"),
    ORO_IN_FLOAT(struct params, recovery, 20000, .min = 1, .max = 1e7, .soft_min = 1000, .soft_max = 200000,
                 .unit = ORO_METRE, .group = "Wind",
                 .doc =
                     "Way over land on which dry air gets its water back, but for 1/e of it: length of the "
                     "rain shadow. Over water it is a quarter"),
    ORO_IN_FLOAT(struct params, scale_height, 2500, .min = 100, .max = 1e6, .soft_min = 1000,
                 .soft_max = 5000, .unit = ORO_METRE, .group = "Height",
                 .doc = "Height over which what air can hold falls to 1/e. Less: lower mountains throw a "
                        "shadow"),
    ORO_IN_FLOAT(struct params, height, 0.5, .min = 0, .max = 1, .group = "Height",
                 .doc =
                     "How much drier high land is: 0 not at all, 1 as much as the air there can hold less"),
    ORO_IN_FLOAT(struct params, coast, 0.5, .min = 0, .max = 1, .group = "Water",
                 .doc = "How much drier it is far from water. Where there is no water at all, it has no "
                        "effect"),
    ORO_IN_FLOAT(struct params, reach, 20000, .min = 1, .max = 1e7, .soft_min = 500, .soft_max = 200000,
                 .unit = ORO_METRE, .group = "Water",
                 .doc = "Distance to water over which the effect of that falls to 1/e"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("moisture", .like = "terrain",
                  .doc = "0 dry, 1 moist: for `moisture`, or for `rain` that varies in space"),
    ORO_OUT_FIELD("rain", .like = "terrain",
                  .doc = "Rain from lifted air alone: 0 none, 0.63 as much as up a slope of 1 in 10 by the "
                         "sea, towards 1 for more"),
    ORO_OUT_FIELD("humidity", .like = "terrain",
                  .doc = "Water in the air as a share of what it can hold there: below 1 in the rain shadow"),
    ORO_OUT_FIELD("distance", .like = "terrain", .unit = ORO_METRE,
                  .doc = "From the middle of each cell to the middle of the nearest one with water. Where "
                         "there is none at all: the length of the raster's diagonal"),
    {0},
};

/* Lines that the air moves along: gles_shaders/lib/wind.glsl. */
struct wind {
    bool across, backward; /* along the columns; from high row or column to low */
    int steps, breadth;
    int lines, first; /* how many, and where beside the wind the first begins: in each step, they
                       * include those that go by at -1 to breadth - 1 */
    double slant;     /* cells to the side in a step */
    double step;      /* metres */
};

static struct wind wind_over(const struct oro_grid *grid, double from)
{
    double east = -sin(oro_radians(from)), south = cos(oro_radians(from));
    struct wind wind = {.across = fabs(south) > fabs(east)};
    double along = wind.across ? south : east, side = wind.across ? east : south;
    wind.backward = along < 0;
    wind.steps = wind.across ? grid->height : grid->width;
    wind.breadth = wind.across ? grid->width : grid->height;
    wind.slant = (double)(float)(side / fabs(along)); /* as the kernels have it */
    wind.step = grid->cell * hypot(1, wind.slant);
    double reach = wind.slant * (wind.steps - 1);
    wind.first = -1 - (int)ceil(fmax(reach, 0));
    wind.lines = wind.breadth + 1 + (int)ceil(fabs(reach));
    return wind;
}

/* The most places on lines, whichever way the wind blows. */
static size_t most_places(const struct oro_grid *grid)
{
    return oro_grid_cells(grid) + (size_t)oro_grid_longer(grid);
}

static bool find_water(struct oro_eval *e, struct oro_buffer *wet, struct oro_buffer *nearest, bool *any)
{
    struct oro_dispatch start = {.kernel = "mask/moisture_start.comp",
                                 .slots = {{"terrain", oro_eval_input(e, "terrain")},
                                           {"wet", wet, ORO_WRITE},
                                           {"nearest", nearest, ORO_WRITE, "int"}},
                                 .reach = ORO_REACH_CELL};
    double count = 0;
    oro_eval_add_input(e, &start, "water");
    if (!oro_eval_dispatch(e, &start) || !oro_sum(e, wet, oro_grid_cells(oro_eval_grid(e)), &count))
        return false;
    *any = count > 0;
    return true;
}

/* What lib/wind.glsl asks for. */
static void add_wind(struct oro_dispatch *dispatch, const struct wind *wind)
{
    oro_add_constant(dispatch, "across", wind->across);
    oro_add_constant(dispatch, "backward", wind->backward);
    oro_add_constant(dispatch, "slant", wind->slant);
}

static bool blow(struct oro_eval *e, const struct params *p, const struct wind *wind, struct oro_buffer *wet,
                 struct oro_buffer *air)
{
    double carried = p->drift > 0 ? exp(-wind->step / (double)p->drift) : 0;
    struct oro_dispatch dispatch = {
        .kernel = "mask/moisture_air.comp",
        .slots = {{"terrain", oro_eval_input(e, "terrain")}, {"wet", wet}, {"air", air, ORO_WRITE, "vec2"}},
        .columns = wind->lines,
        .rows = 1,
        .group_columns = 64,
        .group_rows = 1,
        .maps = (const char *const[]){NULL},
        .constants = {{"lines", (float)wind->lines},
                      {"first", (float)wind->first},
                      {"step", (float)wind->step},
                      {"carried", (float)carried}}};
    add_wind(&dispatch, wind);
    return oro_eval_dispatch(e, &dispatch);
}

/* Adds what lines of air have at the cells. */
static bool gather(struct oro_eval *e, const struct wind *wind, double weight, struct oro_buffer *air,
                   struct oro_buffer *mean)
{
    struct oro_dispatch dispatch = {
        .kernel = "mask/moisture_gather.comp",
        .slots = {{"air", air, ORO_READ, "vec2"}, {"mean", mean, ORO_UPDATE, "vec2"}},
        .maps = (const char *const[]){NULL},
        .constants = {{"weight", (float)weight}}};
    add_wind(&dispatch, wind);
    return oro_eval_dispatch(e, &dispatch);
}

/* The mean over winds from several directions, those in the middle more often. */
static bool blow_from_all(struct oro_eval *e, const struct params *p, struct oro_buffer *wet,
                          struct oro_buffer *mean)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_buffer *air = oro_eval_buffer(e, 2 * most_places(grid));
    int side = p->spread > 0 ? TURNS : 0, total = (side + 1) * (side + 1);
    for (int i = -side; i <= side; i++) {
        double turned = side ? (double)p->spread * i / side : 0;
        struct wind wind = wind_over(grid, (double)p->wind + turned);
        /* A negative weight starts the sum. */
        double weight = (double)(side + 1 - abs(i)) / total;
        if (!blow(e, p, &wind, wet, air) || !gather(e, &wind, i == -side ? -weight : weight, air, mean) ||
            !oro_eval_progress(e, i + side + 1, 2 * side + 1))
            return false;
    }
    return true;
}

/* `out` is moisture, rain and humidity. */
static bool combine(struct oro_eval *e, double coast, struct oro_buffer *mean, struct oro_buffer *way,
                    struct oro_buffer *const out[3])
{
    return oro_eval_dispatch(e, &(struct oro_dispatch){.kernel = "mask/moisture.comp",
                                                       .slots = {{"terrain", oro_eval_input(e, "terrain")},
                                                                 {"mean", mean, ORO_READ, "vec2"},
                                                                 {"way", way},
                                                                 {"moisture_out", out[0], ORO_WRITE},
                                                                 {"rain_out", out[1], ORO_WRITE},
                                                                 {"humidity_out", out[2], ORO_WRITE}},
                                                       .reach = ORO_REACH_CELL,
                                                       .constants = {{"coast", (float)coast}}});
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_buffer *wet = oro_eval_field(e), *nearest = oro_eval_field(e), *way = oro_eval_field(e);
    struct oro_buffer *mean = oro_eval_raster(e, ORO_VECTOR, oro_eval_grid(e)), *out[3];
    for (int i = 0; i < 3; i++)
        out[i] = oro_eval_field(e);
    bool any_water = false;
    if (!find_water(e, wet, nearest, &any_water))
        return false;
    if (!any_water && p->coast > 0)
        oro_note(oro_eval_log(e), ORO_NOTICE, "moisture: there is no water: 'coast' has no effect");
    return oro_distance(e, nearest, way) && blow_from_all(e, p, wet, mean) &&
           combine(e, any_water ? (double)p->coast : 0, mean, way, out) &&
           oro_eval_give(e, "moisture", out[0]) && oro_eval_give(e, "rain", out[1]) &&
           oro_eval_give(e, "humidity", out[2]) && oro_eval_give(e, "distance", way);
}

ORO_NODE(
    moisture, .version = 1, .category = "mask",
    .words = "wetness, rain, rainfall, humidity, precipitation, climate, rain shadow, weather, wind, "
             "vegetation, biome",
    .doc =
        "How moist the ground is: less high up and far from water, most on slopes that face the wind, least "
        "behind mountains. Air loses what it cannot hold where the ground lifts it, rains it down, and "
        "arrives dry on the other side. Beyond the border the ground goes on as at the edge, and the air "
        "that comes from there is saturated.",
    .paper = "Lim 2022, 5.2; Smith 1979; Roe 2005, Orographic precipitation", .scratch_fields = 7,
    .eval = eval);
