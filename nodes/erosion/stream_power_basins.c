/* Basins that are held: discs and masks whose water stands at a level, and a sea with a floor. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/stream_power_sediment.h"
#include "terrain/drainage/ground.h"
#include "terrain/network/network.h"

enum { CLOSED };              /* words of the input `basin`; then `level` */
enum { MOST_POINTS = 16384 }; /* as of constraints */

/* Inputs on the host while basins are found. */
struct finding {
    struct oro_stream_power *sp;
    struct oro_stream_power_basins *basins;
    const struct oro_grid *grid;
    const float *ground;                                /* NULL: level ground at 0 */
    const float *sea, *mask, *base_level, *basin_level; /* NULL: the literal */
    uint32_t *stack;
};

static float at(const float *map, float literal, size_t cell)
{
    return map ? fminf(fmaxf(map[cell], -1e6f), 1e6f) : literal;
}

static bool is_sea(const struct finding *f, size_t cell)
{
    return at(f->sea, f->sp->params->sea, cell) > 0.5f;
}

static float ground_at(const struct finding *f, size_t cell)
{
    return f->ground ? f->ground[cell] : 0;
}

static bool add_body(struct finding *f)
{
    struct oro_stream_power_basins *b = f->basins;
    void *bodies = b->bodies;
    if (!oro_reserve(&bodies, &b->capacity, b->count + 1, sizeof *b->bodies))
        return oro_eval_fail(f->sp->eval, ORO_E_MEMORY, "no memory for basins");
    b->bodies = bodies;
    b->bodies[b->count++] =
        (struct oro_stream_power_body){.closed = f->sp->params->basin == CLOSED, .sump = UINT32_MAX};
    return true;
}

static void take(struct finding *f, size_t cell, float level)
{
    struct oro_stream_power_basins *b = f->basins;
    uint32_t *sump = &b->bodies[b->count - 1].sump;
    b->body[cell] = b->count;
    b->level[cell] = level;
    b->floor[cell] = fminf(ground_at(f, cell), level);
    if (*sump == UINT32_MAX || b->floor[cell] < b->floor[*sump])
        *sump = (uint32_t)cell;
}

/* The sea has a floor where sediment may settle in it and the ground is known to lie below. */
static bool find_sea(struct finding *f)
{
    const struct oro_stream_power_params *p = f->sp->params;
    bool any = false;
    if (!oro_stream_power_lays(f->sp) || p->base != 0 || !f->ground || !(p->step > 0))
        return true;
    for (size_t i = 0; i < f->sp->cells; i++) {
        float level = at(f->base_level, p->base_level, i);
        if (!is_sea(f, i) || !(f->ground[i] < level))
            continue;
        if (!any && !add_body(f))
            return false;
        any = true;
        f->basins->bodies[f->basins->count - 1].closed = false;
        take(f, i, level);
    }
    return true;
}

/* Cells whose centre lies in the disc, and the nearest one. */
static bool add_disc(struct finding *f, const struct oro_vertex *v)
{
    const struct oro_stream_power_params *p = f->sp->params;
    const struct oro_grid *grid = f->grid;
    double x = ((double)v->x - grid->x) / grid->cell, y = ((double)v->y - grid->y) / grid->cell;
    if (!(x >= 0 && y >= 0 && x <= grid->width && y <= grid->height))
        return oro_eval_fail(f->sp->eval, ORO_E_DOCUMENT,
                             "the basin at (%g, %g) lies outside the terrain, which is %g x %g m",
                             (double)v->x, (double)v->y, grid->width * grid->cell, grid->height * grid->cell);
    size_t middle = (size_t)fmin(floor(y), grid->height - 1) * (size_t)grid->width +
                    (size_t)fmin(floor(x), grid->width - 1);
    float level = isnan(v->elevation) ? ground_at(f, middle) : v->elevation;
    double radius = (double)(v->width > 0 ? v->width : p->basin_radius) / grid->cell;
    if (!add_body(f))
        return false;
    int rows[2] = {(int)fmax(floor(y - radius), 0), (int)fmin(ceil(y + radius), grid->height - 1)};
    int columns[2] = {(int)fmax(floor(x - radius), 0), (int)fmin(ceil(x + radius), grid->width - 1)};
    for (int row = rows[0]; row <= rows[1]; row++)
        for (int column = columns[0]; column <= columns[1]; column++) {
            size_t cell = (size_t)row * (size_t)grid->width + (size_t)column;
            bool in = hypot(column + 0.5 - x, row + 0.5 - y) <= radius || cell == middle;
            if (in && !f->basins->body[cell] && !is_sea(f, cell))
                take(f, cell, level);
        }
    if (f->basins->bodies[f->basins->count - 1].sump == UINT32_MAX)
        f->basins->count--; /* it lies in the sea, or in another one */
    return true;
}

static bool find_discs(struct finding *f)
{
    const struct oro_network *network = oro_eval_network(f->sp->eval, "basin_points");
    if (!network)
        return false;
    const struct oro_vertex *vertices = oro_network_vertices(network);
    if (network->vertex_count > MOST_POINTS)
        return oro_eval_fail(f->sp->eval, ORO_E_LIMIT, "more than %d basins: make a mask of them",
                             MOST_POINTS);
    for (uint32_t i = 0; i < network->vertex_count; i++)
        if (!add_disc(f, &vertices[i]))
            return false;
    return true;
}

static bool is_masked(const struct finding *f, size_t cell)
{
    return at(f->mask, f->sp->params->basins, cell) > 0.5f && !f->basins->body[cell] && !is_sea(f, cell);
}

/* Takes a cell of the mask, and all that hangs together with it. */
static void take_piece(struct finding *f, size_t cell)
{
    const struct oro_stream_power_params *p = f->sp->params;
    long width = f->grid->width, height = f->grid->height;
    size_t count = 0;
    take(f, cell, at(f->basin_level, p->basin_level, cell));
    f->stack[count++] = (uint32_t)cell;
    while (count > 0) {
        long from = f->stack[--count];
        for (int k = 0; k < 9; k++) {
            long x = from % width + k % 3 - 1, y = from / width + k / 3 - 1;
            size_t next = (size_t)(y * width + x);
            if (x < 0 || y < 0 || x >= width || y >= height || !is_masked(f, next))
                continue;
            take(f, next, at(f->basin_level, p->basin_level, next));
            f->stack[count++] = (uint32_t)next;
        }
    }
}

static bool find_pieces(struct finding *f)
{
    bool linked = oro_eval_linked(f->sp->eval, "basins");
    if (!linked && !(f->sp->params->basins > 0.5f))
        return true;
    for (size_t i = 0; i < f->sp->cells; i++)
        if (is_masked(f, i)) {
            if (!add_body(f))
                return false;
            take_piece(f, i);
        }
    return true;
}

static bool read_map(struct oro_stream_power *sp, const char *input, const float **map)
{
    *map = oro_eval_linked(sp->eval, input) ? oro_eval_input_host(sp->eval, input) : NULL;
    return *map || !oro_eval_linked(sp->eval, input);
}

static bool find(struct oro_stream_power *sp)
{
    struct finding f = {.sp = sp, .basins = sp->basins, .grid = oro_eval_grid(sp->eval)};
    const char *ground = oro_eval_linked(sp->eval, "ground") ? "ground" : "terrain";
    f.stack = oro_alloc(sp->cells, sizeof *f.stack);
    bool ok = f.stack || oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    ok = ok && read_map(sp, ground, &f.ground) && read_map(sp, "sea", &f.sea) &&
         read_map(sp, "basins", &f.mask) && read_map(sp, "base_level", &f.base_level) &&
         read_map(sp, "basin_level", &f.basin_level) && find_discs(&f) && find_pieces(&f) && find_sea(&f);
    oro_free(f.stack);
    return ok;
}

/* All cells where water ends: those under water, and those that are outlets anyway. */
static bool renew_outlets(struct oro_stream_power *sp)
{
    struct oro_stream_power_basins *b = sp->basins;
    const float *sea = NULL;
    if (!read_map(sp, "sea", &sea))
        return false;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    struct oro_ground ground = {
        .width = grid->width, .height = grid->height, .sea = sea, .walls = sp->params->borders != 0};
    for (size_t i = 0; i < sp->cells; i++) {
        uint32_t body = b->body[i];
        bool under = body && (b->floor[i] < b->level[i] || b->bodies[body - 1].sump == i);
        bool other = sp->params->sea > 0.5f || oro_ground_is_outlet(&ground, i);
        b->outlet[i] = under || (!body && other) ? 1 : 0;
    }
    return oro_eval_upload(sp->eval, b->outlets, b->outlet, sp->cells * sizeof *b->outlet);
}

static bool wanted(struct oro_stream_power *sp)
{
    const struct oro_stream_power_params *p = sp->params;
    struct oro_eval *e = sp->eval;
    return p->basins > 0.5f || oro_eval_linked(e, "basins") || p->basin_points[0] ||
           oro_eval_linked(e, "basin_points") ||
           (oro_stream_power_lays(sp) && p->step > 0 && (p->sea > 0.5f || oro_eval_linked(e, "sea")));
}

bool oro_stream_power_basins_begin(struct oro_stream_power *sp)
{
    size_t cells = sp->cells;
    if (!wanted(sp))
        return true;
    struct oro_stream_power_basins *b = sp->basins = oro_alloc(1, sizeof *b);
    if (b) {
        b->body = oro_alloc(cells, sizeof *b->body);
        b->level = oro_alloc(cells, sizeof *b->level);
        b->floor = oro_alloc(cells, sizeof *b->floor);
        b->outlet = oro_alloc(cells, sizeof *b->outlet);
    }
    if (!b || !b->body || !b->level || !b->floor || !b->outlet)
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", cells);
    b->outlets = oro_eval_field(sp->eval);
    return b->outlets && find(sp) && renew_outlets(sp);
}

void oro_stream_power_basins_end(struct oro_stream_power *sp)
{
    struct oro_stream_power_basins *b = sp->basins;
    if (!b)
        return;
    oro_free(b->body);
    oro_free(b->level);
    oro_free(b->floor);
    oro_free(b->outlet);
    oro_free(b->bodies);
    oro_standing_scratch_free(&b->scratch);
    oro_free(b);
    sp->basins = NULL;
}

bool oro_stream_power_basins_flood(struct oro_stream_power *sp, float *height)
{
    const struct oro_stream_power_basins *b = sp->basins;
    if (!renew_outlets(sp))
        return false;
    for (size_t i = 0; i < sp->cells; i++)
        if (b->body[i])
            height[i] = b->outlet[i] > 0 ? b->level[i] : b->floor[i];
    return true;
}

bool oro_stream_power_basins_fill(struct oro_stream_power *sp)
{
    size_t bytes = sp->cells * sizeof(float);
    float *height = sp->basins ? oro_alloc(sp->cells, sizeof *height) : NULL;
    if (!sp->basins)
        return true;
    if (!height)
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    bool ok = oro_eval_download(sp->eval, sp->height[0], height, bytes) &&
              oro_stream_power_basins_flood(sp, height) &&
              oro_eval_upload(sp->eval, sp->height[0], height, bytes);
    oro_free(height);
    return ok;
}

/* What found no room: a closed basin keeps it, and its water rises. */
static void fill_up(struct oro_stream_power_basins *b, const struct oro_standing_water *water, size_t cells,
                    double *left)
{
    for (uint32_t body = 1; body <= b->count; body++) {
        double volume = b->bodies[body - 1].owed;
        b->bodies[body - 1].owed = 0;
        if (!b->bodies[body - 1].closed)
            *left += volume;
        if (!b->bodies[body - 1].closed || !(volume > 0))
            continue;
        float level = (float)oro_standing_raise(water, &b->scratch, body, volume);
        for (size_t i = 0; i < cells; i++)
            if (b->body[i] == body)
                b->level[i] = level;
    }
}

/* One mouth after the other, in the order of their numbers. */
static bool settle(struct oro_stream_power *sp, const struct oro_standing_water *water, const double *flux,
                   double *left)
{
    struct oro_stream_power_basins *b = sp->basins;
    struct oro_error err;
    for (size_t i = 0; i < sp->cells; i++) {
        double volume = b->outlet[i] > 0 ? flux[i] : 0;
        if (!b->body[i] || !(volume > 0)) {
            *left += volume;
            continue;
        }
        if (!oro_standing_settle(water, &b->scratch, i, &volume, &err))
            return oro_eval_failed(sp->eval, &err);
        b->bodies[b->body[i] - 1].owed += volume;
    }
    return true;
}

bool oro_stream_power_basins_settle(struct oro_stream_power *sp, const double *flux, float *height,
                                    double *left)
{
    struct oro_stream_power_basins *b = sp->basins;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    struct oro_standing_water water = {.width = grid->width,
                                       .height = grid->height,
                                       .cell = grid->cell,
                                       .body = b->body,
                                       .level = b->level,
                                       .floor = b->floor};
    b->scratch.rounded = 0;
    for (size_t i = 0; i < sp->cells; i++)
        if (b->body[i] && !(b->outlet[i] > 0))
            b->floor[i] = height[i];
    if (!settle(sp, &water, flux, left))
        return false;
    fill_up(b, &water, sp->cells, left);
    *left += b->scratch.rounded;
    return oro_stream_power_basins_flood(sp, height);
}
