/* Uplift and rivers in balance: the implicit solver of nodes/erosion/stream_power_implicit.c on the host. */
#include "terrain/inversion/balance.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/routing.h"
#include "terrain/processor/lib/resampling.h"
#include "terrain/processor/run.h"

enum { LEAST_SIDE = 32 }; /* as nodes/erosion/stream_power.c */

static size_t cells_of(const struct oro_balance_grid *grid)
{
    return (size_t)grid->width * (size_t)grid->height;
}

static struct oro_run_grid run_grid(const struct oro_balance_grid *grid)
{
    return (struct oro_run_grid){.width = grid->width, .height = grid->height, .cell = (float)grid->cell};
}

int oro_balance_index(int at, int count)
{
    return at < 0 ? 0 : at < count ? at : count - 1;
}

struct oro_balance oro_balance_usual(const struct oro_law *law, const struct oro_balance_grid *grid)
{
    return (struct oro_balance){
        .law = *law, .grid = *grid, .levels = 6, .iterations = 400, .tolerance = 0.001, .roughness = 0.05F};
}

struct oro_balance_grid oro_balance_coarser(const struct oro_balance_grid *grid, int level)
{
    struct oro_balance_grid coarse = {((grid->width - 1) >> level) + 1, ((grid->height - 1) >> level) + 1, 0};
    coarse.cell = grid->cell * grid->width / coarse.width;
    return coarse;
}

void oro_balance_resize(const struct oro_balance_grid *from, const float *field,
                        const struct oro_balance_grid *to, float *out)
{
    struct oro_run_buffer buffers[] = {{"field", (void *)(uintptr_t)field}, {"field_out", out}, {NULL, NULL}};
    struct oro_run_input inputs[] = {{.name = NULL}};
    struct oro_run_number numbers[] = {
        {"east", 0}, {"south", 0}, {"method", ORO_RESAMPLE_CATMULL_ROM}, {NULL, 0}};
    struct oro_run run = {.grid = run_grid(to),
                          .source = run_grid(from),
                          .buffers = buffers,
                          .inputs = inputs,
                          .numbers = numbers};
    oro_processor_find("lib/resample.comp")(&run);
}

/* ---- A run at one resolution ---- */

/* Rasters of this resolution, and room for the equations. */
struct level {
    const struct oro_balance *all;
    struct oro_balance_grid grid;
    bool coarse;                /* only a start for a finer one */
    float *uplift, *sea, *base; /* `sea`, `base`: NULL as in `all` */
    float *a, *b, *rate;
    double reference; /* sum of the uplift */
};

static void free_level(struct level *level)
{
    oro_free(level->uplift);
    oro_free(level->sea);
    oro_free(level->base);
    oro_free(level->a);
    oro_free(level->b);
    oro_free(level->rate);
}

static bool bring(const struct oro_balance *all, const struct oro_balance_grid *grid, const float *field,
                  float **out)
{
    if (!field)
        return true;
    *out = oro_alloc(cells_of(grid), sizeof **out);
    if (*out)
        oro_balance_resize(&all->grid, field, grid, *out);
    return *out;
}

/* As an uplift tree is drawn at every resolution: bilinear at the centres of cells. */
static bool draw_uplift(const struct oro_balance *all, const struct oro_balance_grid *grid, float **out)
{
    int width = all->grid.width, height = all->grid.height;
    double scale = grid->cell / all->grid.cell;
    *out = oro_alloc(cells_of(grid), sizeof **out);
    for (int y = 0; *out && y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            double column = (x + 0.5) * scale - 0.5, row = (y + 0.5) * scale - 0.5;
            int i = (int)floor(column), j = (int)floor(row);
            const float *upper = all->uplift + (size_t)oro_balance_index(j, height) * (size_t)width;
            const float *lower = all->uplift + (size_t)oro_balance_index(j + 1, height) * (size_t)width;
            int left = oro_balance_index(i, width), right = oro_balance_index(i + 1, width);
            double u = column - i, v = row - j;
            (*out)[(size_t)y * (size_t)grid->width + (size_t)x] =
                (float)((1 - v) * ((1 - u) * (double)upper[left] + u * (double)upper[right]) +
                        v * ((1 - u) * (double)lower[left] + u * (double)lower[right]));
        }
    return *out;
}

static bool make_level(const struct oro_balance *all, int number, struct level *level)
{
    *level =
        (struct level){.all = all, .grid = oro_balance_coarser(&all->grid, number), .coarse = number > 0};
    size_t cells = cells_of(&level->grid);
    level->a = oro_alloc(cells, sizeof *level->a);
    level->b = oro_alloc(cells, sizeof *level->b);
    level->rate = oro_alloc(cells, sizeof *level->rate);
    bool ok = level->a && level->b && level->rate && draw_uplift(all, &level->grid, &level->uplift) &&
              bring(all, &level->grid, all->sea, &level->sea) &&
              bring(all, &level->grid, all->base, &level->base);
    for (size_t i = 0; ok && i < cells; i++) {
        level->uplift[i] = fmaxf(level->uplift[i], 0);
        level->reference += (double)level->uplift[i];
    }
    return ok;
}

/* The inputs of stream_power that its kernels ask for. */
enum { INPUTS = 17 };
struct literals {
    float one, zero;
    int borders, level, seed;
    bool coarse;
};

static void list_inputs(const struct level *level, const struct literals *l, struct oro_run_input inputs[])
{
    const struct oro_law *law = &level->all->law;
    const struct oro_run_input all[INPUTS] = {
        {.name = "mask", .literal = &l->one},
        {.name = "uplift", .literal = &l->zero, .values = level->uplift, .linked = true},
        {.name = "erodibility", .literal = &law->erodibility},
        {.name = "hillslope", .literal = &law->hillslope},
        {.name = "rain", .literal = &law->rain},
        {.name = "n", .literal = &law->n},
        {.name = "m", .literal = &law->m},
        {.name = "channel_head", .literal = &law->channel_head},
        {.name = "coarse", .literal = &l->coarse},
        {.name = "slope_limit", .literal = &law->slope_limit},
        {.name = "roughness", .literal = &level->all->roughness},
        {.name = "seed", .literal = &l->seed},
        {.name = "borders", .literal = &l->borders},
        {.name = "base", .literal = &l->level},
        {.name = "base_level", .literal = &l->zero, .values = level->base, .linked = level->base},
        {.name = "sea", .literal = &l->zero, .values = level->sea, .linked = level->sea},
    };
    memcpy(inputs, all, sizeof all);
}

static void run_kernel(const struct level *level, const char *kernel, const struct oro_run_buffer *buffers)
{
    struct literals literals = {.one = 1,
                                .zero = 0,
                                .borders = level->all->walls,
                                .seed = (int)level->all->seed,
                                .coarse = level->coarse};
    struct oro_run_input inputs[INPUTS];
    list_inputs(level, &literals, inputs);
    struct oro_run_number numbers[] = {{"per_step", 0}, {NULL, 0}};
    struct oro_run_grid grid = run_grid(&level->grid);
    struct oro_run run = {
        .grid = grid, .source = grid, .buffers = buffers, .inputs = inputs, .numbers = numbers};
    oro_processor_find(kernel)(&run);
}

static void begin(const struct level *level, float *height)
{
    const struct oro_run_buffer buffers[] = {
        {"terrain", height}, {"ground", height}, {"height", height}, {NULL, NULL}};
    run_kernel(level, "erosion/stream_power_begin.comp", buffers);
}

/* The equations of the next step: h' = a + b h'(receiver); and how fast everything changes. */
static double equations(const struct level *level, const struct oro_balanced *now)
{
    const struct oro_run_buffer buffers[] = {
        {"height", now->height}, {"next", now->receiver}, {"area", now->area}, {"a", level->a},
        {"b", level->b},         {"rate", level->rate},   {NULL, NULL}};
    double sum = 0;
    run_kernel(level, "erosion/stream_power_implicit.comp", buffers);
    for (size_t i = 0; i < cells_of(&level->grid); i++)
        sum += (double)level->rate[i];
    return level->reference > 0 ? sum / level->reference : 0;
}

/* Routes, and steps along the tree if that is wanted. */
static bool advance(const struct level *level, struct oro_balanced *now, bool *done, struct oro_error *err)
{
    const struct oro_balance *all = level->all;
    size_t cells = cells_of(&level->grid);
    struct oro_ground ground = {.width = level->grid.width,
                                .height = level->grid.height,
                                .z = now->height,
                                .sea = level->sea,
                                .walls = all->walls,
                                .stop = all->stop,
                                .user = all->user};
    struct oro_routing routing;
    if (!oro_route(&ground, &routing, err))
        return false;
    bool ok = oro_drainage_area(&routing, level->grid.cell, NULL, now->area, err);
    for (size_t i = 0; ok && i < cells && all->law.rain != 1; i++)
        now->area[i] *= all->law.rain;
    memcpy(now->receiver, routing.receiver, cells * sizeof *now->receiver);
    now->change = ok ? equations(level, now) : 0;
    *done = now->change < all->tolerance || now->steps >= all->iterations;
    if (ok && !*done) {
        memcpy(now->height, level->a, cells * sizeof *now->height);
        oro_drainage_tree_recurrence(&routing, level->b, now->height);
        now->steps++;
    }
    oro_routing_free(&routing);
    return ok;
}

static bool run_level(const struct level *level, struct oro_balanced *now, struct oro_error *err)
{
    bool done = false;
    now->steps = 0;
    begin(level, now->height);
    while (!done)
        if (!advance(level, now, &done, err))
            return false;
    return true;
}

/* ---- From coarse to fine ---- */

static int level_count(const struct oro_balance *balance)
{
    const struct oro_balance_grid *grid = &balance->grid;
    int shorter = grid->width < grid->height ? grid->width : grid->height, count = 0;
    while (count < balance->levels && shorter >> (count + 1) >= LEAST_SIDE)
        count++;
    return count;
}

/* Brings the heights of a level to those of the next finer one. */
static bool refine(const struct oro_balance *balance, int number, float *height, struct oro_error *err)
{
    struct oro_balance_grid from = oro_balance_coarser(&balance->grid, number + 1),
                            to = oro_balance_coarser(&balance->grid, number);
    float *coarse = oro_alloc(cells_of(&from), sizeof *coarse);
    if (!coarse)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells_of(&from));
    memcpy(coarse, height, cells_of(&from) * sizeof *coarse);
    oro_balance_resize(&from, coarse, &to, height);
    oro_free(coarse);
    return true;
}

static bool do_level(const struct oro_balance *balance, int number, struct oro_balanced *out,
                     struct oro_error *err)
{
    struct level level;
    bool ok = make_level(balance, number, &level) ||
              oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells_of(&level.grid));
    ok = ok && run_level(&level, out, err);
    free_level(&level);
    return ok;
}

bool oro_balance(const struct oro_balance *balance, struct oro_balanced *out, struct oro_error *err)
{
    int levels = level_count(balance);
    if (levels > 0)
        memset(out->height, 0, cells_of(&balance->grid) * sizeof *out->height);
    for (int number = levels; number >= 0; number--)
        if ((number < levels && !refine(balance, number, out->height, err)) ||
            !do_level(balance, number, out, err))
            return false;
    return true;
}
