#include "terrain/hydrology/settle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/routing_private.h"

enum { NONE = UINT32_MAX };

/* A block is a cell and those upstream that have got its height, but for what lies between. Blocks upstream
 * of it are in a leftist heap, the lowest first; its root is `first`, and a block is its heap's node. */
struct block {
    double sum, weight;
    uint32_t first, left, right, rank;
};

struct settling {
    const struct oro_ground *ground;
    const struct oro_settling *how;
    struct oro_routing routing;
    size_t cells, width;
    double slope, sides; /* the mean of the ground; S */
    uint32_t *area;
    double *rise;   /* the least, from the outlet to a cell */
    double *graded; /* heights */
    struct block *blocks;
    uint8_t *joined, *changed; /* to the block of the receiver; no block of its own alone */
    float *z;                  /* the ground, and the water of lakes */
    float *rough;              /* above its surroundings */
    uint32_t *lake;            /* not 0 in lakes that stay; NULL: there are none */
    float *out;
};

/* Of steps to the east and the south, at a right angle. */
static double mean_slope(const struct settling *s)
{
    const float *z = s->ground->z;
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i + s->width < s->cells; i++)
        if ((i + 1) % s->width) {
            sum += hypot((double)z[i + 1] - (double)z[i], (double)z[i + s->width] - (double)z[i]);
            count++;
        }
    return count ? sum / ((double)count * s->how->cell) : 0;
}

static double floor_width(const struct settling *s, size_t cell)
{
    const double diagonal = 1.4142135623730951; /* of a cell: narrower floors are closed where they turn */
    double square = s->how->cell * s->how->cell / 1e6;
    return fmax(s->how->width * pow(s->area[cell] * square, 0.4), diagonal * s->how->cell);
}

static bool is_sea(const struct settling *s, size_t cell)
{
    return s->ground->sea && s->ground->sea[cell] > 0.5f;
}

static bool is_lake(const struct settling *s, size_t cell)
{
    return s->lake && s->lake[cell];
}

static double distance(const struct settling *s, uint32_t a, uint32_t b)
{
    uint32_t apart = a > b ? a - b : b - a;
    return apart == 1 || apart == s->width ? s->how->cell : s->how->cell * 1.4142135623730951;
}

/* Of rivers in balance, where one cell would have `share` of the mean slope. */
static double gradient_at(const struct settling *s, uint32_t cell, double share)
{
    return share * s->slope * pow(s->area[cell], -0.45);
}

/* ---- Graded heights ---- */

static double height_of(const struct block *block)
{
    return block->sum / block->weight;
}

static uint32_t meld(struct block *blocks, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    if (height_of(&blocks[b]) < height_of(&blocks[a])) {
        uint32_t lower = b;
        b = a;
        a = lower;
    }
    struct block *top = &blocks[a];
    top->right = meld(blocks, top->right, b);
    if (top->left == NONE || blocks[top->left].rank < blocks[top->right].rank) {
        uint32_t right = top->right;
        top->right = top->left;
        top->left = right;
    }
    top->rank = top->right == NONE ? 0 : blocks[top->right].rank + 1;
    return a;
}

/* Begins each cell's block. `graded` holds how low breaching would carve. */
static void begin_blocks(struct settling *s)
{
    const double carving = 0.3; /* what carving counts against filling */
    const float *z = s->z;
    for (size_t i = 0; i < s->cells; i++) {
        double depth = (double)z[i] - s->graded[i], weight = 1;
        if (depth > 0)
            weight += carving * (floor_width(s, i) + depth / s->sides) / s->how->cell;
        s->blocks[i] = (struct block){weight * ((double)z[i] - s->rise[i]), weight, NONE, NONE, NONE, 0};
    }
}

/* Blocks upstream that are lower join, the lowest first. The sea stays where it is. */
static void join(struct settling *s, uint32_t cell)
{
    struct block *block = &s->blocks[cell];
    bool sea = is_sea(s, cell);
    while (block->first != NONE && height_of(&s->blocks[block->first]) < height_of(block)) {
        uint32_t lowest = block->first;
        struct block *from = &s->blocks[lowest];
        s->joined[lowest] = s->changed[lowest] = s->changed[cell] = 1;
        block->first = meld(s->blocks, meld(s->blocks, from->left, from->right), from->first);
        if (!sea) {
            block->sum += from->sum;
            block->weight += from->weight;
        }
    }
}

/* How low breaching would carve, into `graded`; how high water would stand, into `out`; and how far ways rise
 * at least, where one of the two is not the ground: ground that drains stays as it is. */
static void measure(struct settling *s)
{
    const uint32_t *receiver = s->routing.receiver, *order = s->routing.order;
    const float *z = s->z;
    for (size_t i = 0; i < s->cells; i++)
        s->graded[i] = (double)z[i];
    for (size_t k = s->cells; k-- > 0;) {
        uint32_t cell = order[k], next = receiver[cell];
        s->graded[next] = fmin(s->graded[next], s->graded[cell]);
    }
    for (size_t k = 0; k < s->cells; k++) {
        uint32_t cell = order[k], next = receiver[cell];
        s->out[cell] = next == cell ? z[cell] : fmaxf(z[cell], s->out[next]);
        s->rise[cell] = next == cell ? 0 : s->rise[next];
        if (s->out[cell] > z[cell] || s->graded[cell] < (double)z[cell])
            s->rise[cell] += gradient_at(s, cell, s->how->gradient) * distance(s, cell, next);
    }
}

/* The height of a cell, whose receiver has its own. Streams that join a valley that was opened cut down with
 * it, the less the farther up: they would hang above it. */
static double final_height(const struct settling *s, uint32_t cell, uint32_t next)
{
    const double steepest = 1.8, fading = 0.9; /* in a cell */
    const uint32_t stream = 16;                /* cells that drain through it */
    double height = s->changed[cell] ? s->graded[cell] + s->rise[cell] : (double)s->z[cell];
    double lowered = (double)s->z[next] - s->graded[next];
    if (next == cell || s->area[cell] < stream || lowered <= 0 || is_sea(s, cell) || is_lake(s, cell))
        return height;
    double most = s->graded[next] + gradient_at(s, cell, steepest) * distance(s, cell, next);
    return fmin(height, fmax(most, (double)s->z[cell] - fading * lowered));
}

static void grade(struct settling *s)
{
    const uint32_t *receiver = s->routing.receiver, *order = s->routing.order;
    measure(s);
    begin_blocks(s);
    for (size_t k = s->cells; k-- > 0;) {
        uint32_t cell = order[k], next = receiver[cell];
        join(s, cell);
        if (next != cell)
            s->blocks[next].first = meld(s->blocks, s->blocks[next].first, cell);
    }
    for (size_t k = 0; k < s->cells; k++) {
        uint32_t cell = order[k];
        s->graded[cell] = s->joined[cell] ? s->graded[receiver[cell]] : height_of(&s->blocks[cell]);
    }
    for (size_t k = 0; k < s->cells; k++) {
        uint32_t cell = order[k];
        s->graded[cell] = final_height(s, cell, receiver[cell]);
        s->out[cell] = (float)fmin(s->graded[cell], FLT_MAX);
    }
}

/* ---- Valleys ---- */

struct valley {
    double bed, depth, edge; /* height, how far it was lowered; from the middle to the floor's edge, metres */
    size_t x, y;
};

/* How far a cell lies above the mean of those around it. */
static double roughness_at(const struct settling *s, size_t x, size_t y)
{
    const size_t reach = 2;
    size_t last = s->cells / s->width - 1, count = 0;
    double sum = 0;
    for (size_t j = y > reach ? y - reach : 0; j <= y + reach && j <= last; j++)
        for (size_t i = x > reach ? x - reach : 0; i <= x + reach && i < s->width; i++, count++)
            sum += (double)s->z[j * s->width + i];
    return (double)s->z[y * s->width + x] - sum / (double)count;
}

/* How high the ground may be: its roughness bends the edges of floors, and fades in up the sides. */
static double side_of(const struct settling *s, const struct valley *v, double distance, size_t cell)
{
    const double floor_slope = 0.25; /* of S: floors rise to their edges */
    double z = (double)s->z[cell], rise = s->sides * (distance - v->edge) + (double)s->rough[cell];
    double x = fmax(fmin(rise, s->sides * (distance - 0.5 * v->edge)), 0) / v->depth;
    double side = v->bed + floor_slope * s->sides * distance + v->depth * x * (1 + x);
    return z > side ? side + 0.5 * (z - side) * x / (1 + x) : side;
}

static bool lower(struct settling *s, const struct valley *v, size_t x, size_t y)
{
    size_t cell = y * s->width + x;
    double away = s->how->cell * hypot((double)x - (double)v->x, (double)y - (double)v->y);
    float side = (float)side_of(s, v, away, cell);
    if (side >= s->out[cell] || is_sea(s, cell) || is_lake(s, cell))
        return false;
    s->out[cell] = side;
    return true;
}

/* Lowers the cells of a square ring around the valley's cell. Whether there was any. */
static bool lower_ring(struct settling *s, const struct valley *v, size_t reach)
{
    size_t last = s->cells / s->width - 1, left = v->x > reach ? v->x - reach : 0;
    size_t right = v->x + reach < s->width ? v->x + reach : s->width - 1;
    size_t top = v->y > reach ? v->y - reach : 0, bottom = v->y + reach < last ? v->y + reach : last;
    bool any = false;
    for (size_t y = top; y <= bottom; y++) {
        bool whole = y + reach == v->y || y == v->y + reach;
        for (size_t x = left; whole && x <= right; x++)
            any |= lower(s, v, x, y);
        if (!whole && v->x >= reach)
            any |= lower(s, v, v->x - reach, y);
        if (!whole && v->x + reach < s->width)
            any |= lower(s, v, v->x + reach, y);
    }
    return any;
}

static bool open_valleys(struct settling *s, struct oro_error *err)
{
    const double least = 1e-3; /* of a rise over one cell: what rounding lowers is no valley */
    for (size_t i = 0; i < s->cells; i++)
        s->rough[i] = (float)roughness_at(s, i % s->width, i / s->width);
    for (size_t i = 0; i < s->cells; i++) {
        double depth = (double)s->z[i] - s->graded[i];
        struct valley v = {s->graded[i], depth, floor_width(s, i) / 2, i % s->width, i / s->width};
        if (depth <= least * s->sides * s->how->cell)
            continue;
        if (oro_ground_stops(s->ground, i, err))
            return false;
        for (size_t reach = 1; lower_ring(s, &v, reach);)
            reach++;
    }
    return true;
}

/* ---- All ---- */

static bool prepare(struct settling *s)
{
    s->z = oro_alloc(s->cells, sizeof *s->z);
    s->rough = oro_alloc(s->cells, sizeof *s->rough);
    s->area = oro_alloc(s->cells, sizeof *s->area);
    s->rise = oro_alloc(s->cells, sizeof *s->rise);
    s->graded = oro_alloc(s->cells, sizeof *s->graded);
    s->blocks = oro_alloc(s->cells, sizeof *s->blocks);
    s->joined = oro_alloc(s->cells, sizeof *s->joined);
    s->changed = oro_alloc(s->cells, sizeof *s->changed);
    return s->z && s->rough && s->area && s->rise && s->graded && s->blocks && s->joined && s->changed;
}

static bool carve_rest(const struct settling *s, struct oro_error *err)
{
    struct oro_carving_scratch scratch = {0};
    struct oro_ground ground = *s->ground;
    float *settled = oro_alloc(s->cells, sizeof *settled);
    for (size_t i = 0; settled && i < s->cells; i++)
        settled[i] = s->out[i];
    ground.z = settled;
    bool ok = settled ? oro_carve(&ground, &scratch, s->out, err) : oro_no_memory(&ground, err);
    oro_carving_scratch_free(&scratch);
    oro_free(settled);
    return ok;
}

/* Fills the lakes that are large enough to stay, of all that would stand, and hollows that are too small and
 * shallow to be settled, for as long as the rest is. */
static bool keep_basins(struct settling *s, struct oro_error *err)
{
    s->lake = oro_alloc(s->cells, sizeof *s->lake);
    if (!s->lake)
        return oro_no_memory(s->ground, err);
    oro_flood_levels(s->ground, &s->routing, s->out);
    size_t count = (size_t)oro_lakes(s->ground, &s->routing, s->out, s->lake) + 1;
    uint32_t *size = oro_alloc(count, sizeof *size);
    float *depth = oro_alloc(count, sizeof *depth);
    bool ok = size && depth;
    for (size_t i = 0; ok && i < s->cells; i++) {
        uint32_t lake = s->lake[i];
        size[lake]++;
        depth[lake] = fmaxf(depth[lake], s->out[i] - s->z[i]);
    }
    for (size_t i = 0; ok && i < s->cells; i++) {
        uint32_t lake = s->lake[i];
        double area = size[lake] * s->how->cell * s->how->cell;
        bool shallow = (double)depth[lake] < s->how->shallow * s->slope * s->how->cell;
        bool small = lake && area < s->how->least && shallow;
        if (!(s->how->lake > 0) || area < s->how->lake)
            s->lake[i] = 0;
        if (s->lake[i] || small)
            s->z[i] = s->out[i];
    }
    oro_free(size);
    oro_free(depth);
    return ok || oro_no_memory(s->ground, err);
}

/* Hollows that were filled for the time being, and that nothing has reached since. */
static void empty_hollows(struct settling *s)
{
    const float reached = 0.01F; /* metres: what carving takes from level ground is less */
    for (size_t i = 0; i < s->cells; i++)
        if (s->z[i] > s->ground->z[i] && !is_lake(s, i) && fabsf(s->out[i] - s->z[i]) < reached)
            s->out[i] = s->ground->z[i];
}

/* Beds under the lakes. */
static void give_beds(const struct settling *s, float *surface)
{
    for (size_t i = 0; surface && i < s->cells; i++) {
        surface[i] = s->out[i];
        if (is_lake(s, i))
            s->out[i] = fminf(s->ground->z[i], s->out[i]);
    }
}

static bool settle(struct settling *s, struct oro_error *err)
{
    if (!prepare(s))
        return oro_no_memory(s->ground, err);
    s->slope = mean_slope(s);
    s->sides = s->how->sides > 0 ? s->how->sides : s->slope > 0 ? s->slope : 1;
    memcpy(s->z, s->ground->z, s->cells * sizeof *s->z);
    if ((s->how->lake > 0 || s->how->least > 0) && !keep_basins(s, err))
        return false;
    oro_drainage_cells(&s->routing, s->area);
    grade(s);
    if (!open_valleys(s, err) || !carve_rest(s, err))
        return false;
    empty_hollows(s);
    return true;
}

bool oro_settle(const struct oro_ground *ground, const struct oro_settling *how, float *out, float *surface,
                struct oro_error *err)
{
    struct settling s = {.ground = ground,
                         .how = how,
                         .cells = (size_t)ground->width * (size_t)ground->height,
                         .width = (size_t)ground->width,
                         .out = out};
    bool ok = oro_route(ground, &s.routing, err) && settle(&s, err);
    if (ok)
        give_beds(&s, surface);
    oro_routing_free(&s.routing);
    oro_free(s.z);
    oro_free(s.rough);
    oro_free(s.lake);
    oro_free(s.area);
    oro_free(s.rise);
    oro_free(s.graded);
    oro_free(s.blocks);
    oro_free(s.joined);
    oro_free(s.changed);
    return ok;
}
