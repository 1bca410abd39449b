#include "terrain/hydrology/steady_drainage.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/* The mirror image of what lies outside, as in gles_shaders/lib/flow.glsl: -1 is 0 again. */
static int mirrored(int i, int count)
{
    int edge = i < 0 ? 0 : i >= count ? count - 1 : i;
    int image = 2 * edge - i - (edge > i) + (edge < i);
    return image < 0 ? 0 : image >= count ? count - 1 : image;
}

static int held(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* The ground beyond the border, as in gles_shaders/lib/border.glsl. */
static float beyond(const struct oro_steady_drainage *g, int x, int y)
{
    int edge_x = held(x, g->width), edge_y = held(y, g->height);
    int inwards_x = (edge_x > x) - (edge_x < x), inwards_y = (edge_y > y) - (edge_y < y);
    float z[3];
    for (int i = 0; i < 3; i++)
        z[i] = g->z[(size_t)g->width * (size_t)held(edge_y + i * inwards_y, g->height) +
                    (size_t)held(edge_x + i * inwards_x, g->width)];
    return z[0] - fminf(fmaxf(fminf(z[1] - z[0], z[2] - z[1]), 0), 0.1F * (float)g->cell);
}

/* The ground at (x, y), and the cell that it belongs to; outside of an open border none (-1). */
static float ground_at(const struct oro_steady_drainage *g, int x, int y, ptrdiff_t *cell)
{
    bool inside = x >= 0 && x < g->width && y >= 0 && y < g->height;
    if (!inside && !g->walls) {
        *cell = -1;
        return beyond(g, x, y);
    }
    *cell = (ptrdiff_t)g->width * mirrored(y, g->height) + mirrored(x, g->width);
    return g->z[*cell];
}

/* Adds to a cell's own what its higher neighbours give, and turns the sum into what it gives for each unit of
 * drop^exponent (`share`). */
static void collect(const struct oro_steady_drainage *g, size_t i, float *area, float *share)
{
    int x = (int)(i % (size_t)g->width), y = (int)(i / (size_t)g->width);
    double came = (double)area[i], ways = 0;
    for (int k = 0; k < 9; k++) {
        int dx = k % 3 - 1, dy = k / 3 - 1;
        ptrdiff_t cell;
        if (k == 4)
            continue;
        double drop = (double)g->z[i] - (double)ground_at(g, x + dx, y + dy, &cell);
        double way = drop != 0 ? pow(fabs(drop) * (dx && dy ? sqrt(0.5) : 1), g->exponent) : 0;
        if (drop > 0)
            ways += way;
        else if (drop < 0 && cell >= 0)
            came += way * (double)share[cell];
    }
    area[i] = (float)came;
    share[i] = ways > 1e-36 ? (float)(came / ways) : 0;
}

/* ---- From the highest to the lowest ---- */

/* A number that grows as the height falls. */
static uint32_t depth_key(float height)
{
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    return bits & 0x80000000U ? bits : ~bits & 0x7fffffffU;
}

enum { DIGITS = 3, BITS = 11, BUCKETS = 1 << BITS };

/* Sorts by digits. The result lies in `order`. */
static void sort_cells(const float *z, size_t cells, uint32_t *order, uint32_t *room)
{
    for (size_t i = 0; i < cells; i++)
        room[i] = (uint32_t)i;
    for (int digit = 0; digit < DIGITS; digit++) {
        size_t starts[BUCKETS + 1] = {0};
        for (size_t i = 0; i < cells; i++)
            starts[(depth_key(z[i]) >> (BITS * digit) & (BUCKETS - 1)) + 1]++;
        for (int b = 0; b < BUCKETS; b++)
            starts[b + 1] += starts[b];
        for (size_t i = 0; i < cells; i++)
            order[starts[depth_key(z[room[i]]) >> (BITS * digit) & (BUCKETS - 1)]++] = room[i];
        if (digit < DIGITS - 1)
            memcpy(room, order, cells * sizeof *room);
    }
}

bool oro_steady_drainage(const struct oro_steady_drainage *g, float *area, struct oro_error *err)
{
    size_t cells = (size_t)g->width * (size_t)g->height;
    uint32_t *order = oro_alloc(cells, sizeof *order), *room = oro_alloc(cells, sizeof *room);
    float *share = oro_alloc(cells, sizeof *share);
    bool ok = order && room && share;
    if (ok) {
        sort_cells(g->z, cells, order, room);
        for (size_t i = 0; i < cells; i++)
            collect(g, order[i], area, share);
    }
    oro_free(order);
    oro_free(room);
    oro_free(share);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for the drainage of %zu cells", cells);
}
