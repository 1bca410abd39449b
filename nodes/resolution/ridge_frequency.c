/* How close the ridges of a terrain lie, as a frequency for detail. */
#include <math.h>

#include "base/memory.h"
#include "graph/type/node.h"

struct params {
    float ratio, prominence;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation whose ridges are counted"),
    ORO_IN_FLOAT(
        struct params, ratio, 3, .min = 0.01, .max = 100, .soft_min = 1, .soft_max = 9,
        .doc = "How many times closer the detail is than the ridges: by Horton's law, each order of streams "
               "is about three times as dense as the one before"),
    ORO_IN_FLOAT(
        struct params, prominence, 0, .min = 0, .max = 1e5, .soft_max = 500, .unit = ORO_METRE,
        .doc = "Ridges count that rise so much above both of their valleys. 0: a twentieth of the standard "
               "deviation of the heights"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("frequency", .like = "terrain", .unit = ORO_PER_METRE,
                  .doc = "The same everywhere; 0 where the terrain has no ridges at all"),
    {0},
};

static double deviation(const float *z, size_t cells)
{
    double sum = 0, squares = 0, count = (double)cells;
    for (size_t i = 0; i < cells; i++) {
        double about = (double)z[i] - (double)z[0];
        sum += about;
        squares += about * about;
    }
    return sqrt(fmax(squares / count - sum / count * (sum / count), 0));
}

/* Summits and valleys along a line of `count` cells, `step` apart, that are `least` above or below what is on
 * both sides. */
static size_t count_turns(const float *z, size_t count, size_t step, double least)
{
    size_t turns = 0;
    double extreme = (double)z[0], way = 0; /* up 1, down -1, not known 0 */
    for (size_t i = 1; i < count; i++) {
        double change = (double)z[i * step] - extreme;
        if (way * change > 0) { /* on the way, and further */
            extreme += change;
        } else if (fabs(change) >= least) {
            turns += way < 0 || way > 0;
            way = change > 0 ? 1 : -1;
            extreme += change;
        }
    }
    return turns;
}

/* Ridges in a metre across them. Parallel ridges cut rows and columns as often as the two parts of the vector
 * across them are long. */
static double measure(const float *z, const struct oro_grid *grid, double least)
{
    size_t width = (size_t)grid->width, height = (size_t)grid->height, in_rows = 0, in_columns = 0;
    for (size_t y = 0; y < height; y++)
        in_rows += count_turns(z + y * width, width, 1, least);
    for (size_t x = 0; x < width; x++)
        in_columns += count_turns(z + x, height, width, least);
    double length = (double)width * (double)height * grid->cell;
    return hypot((double)in_rows, (double)in_columns) / 2 / length;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t cells = oro_grid_cells(grid);
    const float *z = oro_eval_input_host(e, "terrain");
    float *frequency = z ? oro_alloc(cells, sizeof *frequency) : NULL;
    if (!frequency)
        return z && oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    double least = p->prominence > 0 ? (double)p->prominence : deviation(z, cells) / 20;
    double ridges = least > 0 ? measure(z, grid, least) : 0;
    for (size_t i = 0; i < cells; i++)
        frequency[i] = (float)(ridges * (double)p->ratio);
    if (ridges > 0)
        oro_eval_figure(e, "ridge_spacing", 1 / ridges, "m");
    else
        oro_note(oro_eval_log(e), ORO_NOTICE, "ridge_frequency: the terrain has no ridges to go by");
    return oro_eval_give_host(e, "frequency", frequency);
}

ORO_NODE(ridge_frequency, .version = 1, .category = "resolution",
         .words = "ridge spacing, wavelength, spectrum",
         .doc = "Measures how far apart the ridges of a terrain lie, across them, and gives the frequency of "
                "detail that "
                "continues them: for `phasor`, which asks for it where its own `frequency` is 0.",
         .paper = "Grenier 2023, 4.2; Horton 1945", .spread = ORO_SPREAD_HOST, .eval = eval);
