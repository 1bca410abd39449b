/* Fractal terrain by midpoint displacement. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/node.h"

/* Most halvings: the largest squares over the smallest cells stay far below it. */
enum { LEVELS_MAX = 64 };

struct params {
    int distribution, seed;
    float feature, amplitude, offset, roughness;
};

static const char *const distributions[] = {"gaussian", "uniform", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_LIKE(.doc = "Gives the terrain the size of this raster; without it, the world's base resolution"),
    ORO_IN_FLOAT(struct params, feature, 0, .share = 1, .min = 0, .max = 1e7, .soft_max = 20000,
                 .unit = ORO_METRE,
                 .doc = "Size of the largest features: the side of the first squares. 0: as wide as the "
                        "world"),
    ORO_IN_MAP(struct params, amplitude, 1000, .min = -1e6, .max = 1e6, .soft_min = 0, .soft_max = 4000,
               .unit = ORO_METRE,
               .doc = "Height of the relief: two standard deviations, so that in a world of many features "
                      "95 of 100 places lie within this distance above and below `offset`"),
    ORO_IN_FLOAT(struct params, offset, 0, .min = -1e6, .max = 1e6, .soft_min = -2000, .soft_max = 4000,
                 .unit = ORO_METRE, .doc = "Added to the result"),
    ORO_IN_FLOAT(struct params, roughness, 0.5, .min = 0, .max = 1,
                 .doc = "Height of detail of half the size, relative to that of the whole: 2 to the power of "
                        "-H in the literature. 0.4 is smooth, 0.7 rugged"),
    ORO_IN_CHOICE(struct params, distribution, 0, distributions,
                  .doc = "Of the random displacements, with the same variance. gaussian: now and then one "
                         "is large, for lone peaks and basins. uniform: none is"),
    ORO_IN_SEED(struct params, seed),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE, .doc = "Elevation, about `offset`"),
    {0},
};

/* ---- Where the squares lie ---- */

/* Vertices of a level that are needed: those of the plane from `first` to `last`, along both axes. */
struct window {
    int64_t first[2], last[2];
};

/* Squares of side `feature` with a corner at the world's origin, halved `count` times: to a cell or less. */
struct squares {
    int count;
    double side; /* of the last level */
    struct window windows[LEVELS_MAX + 1];
};

static int64_t half(int64_t v)
{
    return (v - (v & 1)) / 2;
}

/* A vertex depends on those of the level before that lie within one side of it, of its own level. */
static void plan_before(const struct window *window, struct window *before)
{
    for (int axis = 0; axis < 2; axis++) {
        before->first[axis] = half(window->first[axis] - 1);
        before->last[axis] = half(window->last[axis] + 2);
    }
}

/* The place of a cell's centre, in sides of the last level. */
static double place_of(const struct squares *squares, double origin, double cell, int index)
{
    return (origin + (index + 0.5) * cell) / squares->side;
}

static void plan_squares(struct squares *squares, float feature, const struct oro_grid *grid)
{
    double origin[2] = {grid->x, grid->y};
    int cells[2] = {grid->width, grid->height};
    *squares = (struct squares){.side = (double)feature};
    for (; squares->side > grid->cell && squares->count < LEVELS_MAX; squares->count++)
        squares->side /= 2;
    struct window *last = &squares->windows[squares->count];
    for (int axis = 0; axis < 2; axis++) {
        last->first[axis] = (int64_t)floor(place_of(squares, origin[axis], grid->cell, 0));
        last->last[axis] = (int64_t)floor(place_of(squares, origin[axis], grid->cell, cells[axis] - 1)) + 1;
    }
    for (int i = squares->count; i > 0; i--)
        plan_before(&squares->windows[i], &squares->windows[i - 1]);
}

static struct oro_grid window_grid(const struct squares *squares, int level)
{
    const struct window *window = &squares->windows[level];
    return (struct oro_grid){.width = (int)(window->last[0] - window->first[0] + 1),
                             .height = (int)(window->last[1] - window->first[1] + 1),
                             .cell = ldexp(squares->side, squares->count - level)};
}

/* Modulo 2^32, as kernels count. */
static int32_t wrapped(int64_t v)
{
    uint32_t bits = (uint32_t)(uint64_t)v;
    int32_t whole;
    memcpy(&whole, &bits, sizeof whole);
    return whole;
}

/* The table `levels` of the kernels: where a window begins, and how far after that of the level before. */
static struct oro_buffer *place_levels(struct oro_eval *e, const struct squares *squares)
{
    int32_t table[LEVELS_MAX + 1][4] = {{0}};
    for (int i = 0; i <= squares->count; i++)
        for (int axis = 0; axis < 2; axis++) {
            int64_t first = squares->windows[i].first[axis];
            table[i][axis] = wrapped(first);
            table[i][2 + axis] = i > 0 ? (int32_t)(first - 2 * squares->windows[i - 1].first[axis]) : 0;
        }
    struct oro_buffer *buffer = oro_eval_buffer(e, sizeof table / sizeof(float));
    return oro_eval_upload(e, buffer, table, sizeof table) ? buffer : NULL;
}

/* The table `place` of the last kernel. In double precision here, it is exact far from the origin too. */
static void place_line(const struct squares *squares, int axis, const struct oro_grid *grid,
                       int32_t (*places)[2])
{
    int cells = axis == 0 ? grid->width : grid->height;
    for (int i = 0; i < cells; i++) {
        double place = place_of(squares, axis == 0 ? grid->x : grid->y, grid->cell, i), whole = floor(place);
        float rest = (float)(place - whole);
        places[i][0] = wrapped((int64_t)whole - squares->windows[squares->count].first[axis]);
        memcpy(&places[i][1], &rest, sizeof rest);
    }
}

static struct oro_buffer *place_cells(struct oro_eval *e, const struct squares *squares)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t lines = (size_t)grid->width + (size_t)grid->height;
    int32_t(*places)[2] = oro_alloc(lines, sizeof *places);
    if (!places) {
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for the places of %zu rows and columns", lines);
        return NULL;
    }
    place_line(squares, 0, grid, places);
    place_line(squares, 1, grid, places + grid->width);
    struct oro_buffer *buffer = oro_eval_buffer(e, 2 * lines);
    bool ok = oro_eval_upload(e, buffer, places, lines * sizeof *places);
    oro_free(places);
    return ok ? buffer : NULL;
}

/* ---- How far they are displaced ---- */

/* The standard deviation of a displacement is (distance / feature)^H of that at the first vertices, where
 * distance is that to the vertices that its own is the mean of: with g = roughness = 2^-H, g^(k - 1/2) in the
 * diamond step to level k, g^k in the square step.
 *
 * The surface is the sum of every displacement times the surface that a displacement of 1 makes of level
 * ground. The integral of that surface's square is 0.3281 squares for a vertex that is there at first, and
 * for one of a later level the same of smaller squares, where a diamond step's also moves the edges around:
 * twice as much comes of it. Variances add up to 0.3281 (1 + (g + g^2) / 2 (1 + g^2 + g^4 + ...)). The sum is
 * cut after 16 levels, for it has no end where g = 1. */
static double deviation(double roughness)
{
    const double share = 0.3281;
    double sum = 0, gain = 1;
    for (int i = 0; i < 16; i++, gain *= roughness * roughness)
        sum += gain;
    return sqrt(share * (1 + (roughness + roughness * roughness) / 2 * sum));
}

static void add_constants(struct oro_dispatch *dispatch, int level, double roughness)
{
    double first = 0.5 / deviation(roughness); /* the amplitude is two standard deviations */
    oro_add_constant(dispatch, "level", level);
    oro_add_constant(dispatch, "diamond", level > 0 ? first * pow(roughness, level - 0.5) : 0);
    oro_add_constant(dispatch, "square", first * pow(roughness, level));
}

/* ---- The node ---- */

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    struct squares squares;
    double vertices = 1;
    plan_squares(&squares, p->feature, grid);
    for (int i = 0; i < squares.count; i++) {
        struct oro_grid window = window_grid(&squares, i);
        vertices += (double)oro_grid_cells(&window);
    }
    oro_shape_scratch(s, vertices * sizeof(float) + 8 * ((double)grid->width + grid->height));
    return true;
}

/* Lets a dispatch over `grid` read the vertices of the level before. `place`: of its corner, in vertices of
 * this level from the first of its window. */
static void read_before(struct oro_dispatch *dispatch, const struct squares *squares, int level,
                        const struct oro_grid *grid, const double place[2])
{
    const int around = 2; /* a vertex depends on those of four squares */
    float corner[2];
    if (level == 0)
        return;
    struct oro_grid before = window_grid(squares, level - 1);
    for (int axis = 0; axis < 2; axis++) {
        int64_t first = squares->windows[level].first[axis];
        int64_t from_before = first - 2 * squares->windows[level - 1].first[axis];
        corner[axis] = (float)((place[axis] + (double)from_before) / 2);
    }
    oro_dispatch_source(dispatch, grid, &before, corner, around);
}

/* The vertices of the last level but one: the last kernel works out those of the last as it needs them. Where
 * there is no such level, one number that nobody reads. */
static struct oro_buffer *refine(struct oro_eval *e, const struct squares *squares, double roughness,
                                 struct oro_buffer *levels)
{
    struct oro_buffer *coarse = oro_eval_buffer(e, 1);
    for (int i = 0; i < squares->count; i++) {
        struct oro_grid grid = window_grid(squares, i);
        struct oro_buffer *finer = oro_eval_raster(e, ORO_FIELD, &grid);
        struct oro_dispatch halve = {
            .kernel = "source/diamond_square_refine.comp",
            .slots = {{"levels", levels, ORO_READ, "ivec4"}, {"coarse", coarse}, {"finer", finer, ORO_WRITE}},
            .maps = (const char *const[]){NULL},
            .reach = ORO_REACH_CELL,
            .grid = grid};
        read_before(&halve, squares, i, &grid, (const double[]){0, 0});
        add_constants(&halve, i, roughness);
        if (!oro_eval_dispatch(e, &halve))
            return NULL;
        coarse = finer;
    }
    return coarse;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    double roughness = (double)p->roughness;
    struct squares squares;
    const struct oro_grid *grid = oro_eval_grid(e);
    plan_squares(&squares, p->feature, grid);
    struct oro_buffer *levels = place_levels(e, &squares);
    struct oro_dispatch extras = {.slots = {{"levels", levels, ORO_READ, "ivec4"},
                                            {"coarse", refine(e, &squares, roughness, levels)},
                                            {"place", place_cells(e, &squares), ORO_READ, "ivec2"}},
                                  .inputs_on_grid = true};
    double place[2] = {grid->x / squares.side, grid->y / squares.side};
    for (int axis = 0; axis < 2; axis++)
        place[axis] -= (double)squares.windows[squares.count].first[axis];
    read_before(&extras, &squares, squares.count, grid, place);
    add_constants(&extras, squares.count, roughness);
    return oro_eval_default(e, &extras);
}

ORO_NODE(
    diamond_square, .version = 1, .category = "source",
    .words = "midpoint displacement, plasma, plasma fractal, fractal terrain, cloud",
    .doc =
        "Fractal terrain by midpoint displacement: squares are halved again and again down to the cells, and "
        "every new vertex is put at the mean of its neighbours, and displaced at random by less and less. "
        "Rougher than `noise`, with the straight creases along the squares that the method is known for. The "
        "pattern is fixed to the world, of any size: a place has the same value at every resolution, but for "
        "the detail that only the finer one has.",
    .paper = "Fournier 1982; Miller 1986; Jako 2011, figure 7a", .shape = shape, .spread = ORO_SPREAD_TILES,
    .reach = ORO_REACH_CELL, .kernel = "source/diamond_square.comp", .eval = eval);
