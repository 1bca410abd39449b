#include "terrain/hydrology/steady_drainage.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/parallel.h"

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

/* The 3 x 3 cells around a cell: how far it lies above each, and which cells they are. */
struct around {
    double drop[9];
    ptrdiff_t cell[9];
};

static void look_around(const struct oro_steady_drainage *g, size_t i, struct around *around)
{
    uint32_t width = (uint32_t)g->width, row = (uint32_t)i / width, column = (uint32_t)i % width;
    int x = (int)column, y = (int)row;
    bool within = x > 0 && y > 0 && x < g->width - 1 && y < g->height - 1;
    for (int k = 0; k < 9; k++) {
        int dx = k % 3 - 1, dy = k / 3 - 1;
        around->cell[k] = (ptrdiff_t)i + (ptrdiff_t)dy * g->width + dx;
        float z = within ? g->z[around->cell[k]] : ground_at(g, x + dx, y + dy, &around->cell[k]);
        around->drop[k] = (double)g->z[i] - (double)z;
    }
}

/* ---- From high to low, on all processors ---- */

/* A cell waits until all that give to it have given, and until a thread has come to it in its part of the
 * ground. Whoever it has waited for last goes on with it. What it gets is added up in the order of its
 * neighbours: the same whoever that is. */
struct settling {
    const struct oro_steady_drainage *ground;
    float *area, *share;
    atomic_uchar *waits; /* for how many, of every cell */
    uint32_t *later;     /* after a cell, the next one that its thread still has to go on with */
};

static void count_givers(void *user, size_t first, size_t end)
{
    const struct settling *s = user;
    for (size_t i = first; i < end; i++) {
        struct around around;
        unsigned char count = 1;
        look_around(s->ground, i, &around);
        for (int k = 0; k < 9; k++)
            count = (unsigned char)(count + (around.drop[k] < 0 && around.cell[k] >= 0));
        atomic_store_explicit(&s->waits[i], count, memory_order_relaxed);
    }
}

/* Adds to a cell's own what its higher neighbours give, and turns the sum into what it gives for each unit of
 * drop^exponent (`share`). */
static void collect(const struct settling *s, size_t i, const struct around *around)
{
    double came = (double)s->area[i], ways = 0;
    for (int k = 0; k < 9; k++) {
        double drop = around->drop[k];
        if (drop == 0 || (drop < 0 && around->cell[k] < 0))
            continue;
        double way = pow(fabs(drop) * (k % 2 ? 1 : sqrt(0.5)), s->ground->exponent) *
                     (k % 2 ? 1 : (double)ORO_ACROSS_SHARE);
        if (drop > 0)
            ways += way;
        else if (drop < 0)
            came += way * (double)s->share[around->cell[k]];
    }
    s->area[i] = (float)came;
    s->share[i] = ways > 1e-36 ? (float)(came / ways) : 0;
}

/* Takes away one of what a cell waits for, and puts the cell before `list` if it was the last. */
static uint32_t give_to(const struct settling *s, size_t cell, uint32_t list)
{
    if (atomic_fetch_sub_explicit(&s->waits[cell], 1, memory_order_acq_rel) != 1)
        return list;
    s->later[cell] = list;
    return (uint32_t)cell;
}

static void settle_part(void *user, size_t first, size_t end)
{
    const struct settling *s = user;
    const uint32_t none = UINT32_MAX;
    for (size_t start = first; start < end; start++)
        for (uint32_t list = give_to(s, start, none); list != none;) {
            size_t i = list;
            struct around around;
            list = s->later[i];
            look_around(s->ground, i, &around);
            collect(s, i, &around);
            for (int k = 0; k < 9; k++)
                if (around.drop[k] > 0 && around.cell[k] >= 0)
                    list = give_to(s, (size_t)around.cell[k], list);
        }
}

bool oro_steady_drainage(const struct oro_steady_drainage *g, float *area, struct oro_error *err)
{
    const size_t least = 16384; /* cells of a thread */
    size_t cells = (size_t)g->width * (size_t)g->height;
    struct settling s = {.ground = g, .area = area};
    s.share = oro_alloc(cells, sizeof *s.share);
    s.waits = oro_alloc(cells, sizeof *s.waits);
    s.later = oro_alloc(cells, sizeof *s.later);
    bool ok = s.share && s.waits && s.later;
    if (ok) {
        oro_parallel(cells, least, count_givers, &s);
        oro_parallel(cells, least, settle_part, &s);
    }
    oro_free(s.share);
    oro_free(s.waits);
    oro_free(s.later);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for the drainage of %zu cells", cells);
}
