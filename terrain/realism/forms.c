/* Small forms: cells where contours converge, and trenches one cell wide. */
#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

/* ---- Convergent cells ---- */

/* Contours converge strongly where they bend about the low side with a radius below two cells. On ground less
 * steep than 1 in 5, contours of noise do so everywhere. */
#define LEAST_BEND 0.5
#define LEAST_STEEP 0.2

static bool converges(const struct oro_realism_site *site, size_t cell)
{
    const float *z = site->z + cell;
    ptrdiff_t w = (ptrdiff_t)site->width;
    struct oro_horn_gradient g = oro_realism_gradient(site, cell);
    double c2 = site->cell * site->cell, steep = hypot(g.x, g.y);
    double xx = ((double)z[-1] - 2 * (double)z[0] + (double)z[1]) / c2;
    double yy = ((double)z[-w] - 2 * (double)z[0] + (double)z[w]) / c2;
    double xy = ((double)z[w + 1] - (double)z[w - 1] - (double)z[1 - w] + (double)z[-w - 1]) / (4 * c2);
    double across = xx * g.y * g.y - 2 * xy * g.x * g.y + yy * g.x * g.x;
    return steep > LEAST_STEEP && across * site->cell > LEAST_BEND * steep * steep * steep;
}

/* ---- Trenches ---- */

/* How far a side of a cell rises at once, beyond what the ground behind it does. */
static double wall(const float *z, ptrdiff_t step)
{
    double rise = (double)z[step] - (double)z[0], behind = (double)z[2 * step] - (double)z[step];
    return rise - fmax(behind, 0);
}

static double trench(const struct oro_realism_site *site, size_t cell)
{
    ptrdiff_t w = (ptrdiff_t)site->width;
    const ptrdiff_t steps[] = {1, w - 1, w, w + 1};
    double deepest = 0;
    for (int k = 0; k < 4; k++)
        deepest = fmax(deepest, fmin(wall(site->z + cell, steps[k]), wall(site->z + cell, -steps[k])));
    return deepest;
}

/* Cells whose neighbours' neighbours exist, of those that are measured. */
static bool may_be_trench(const struct oro_realism_site *site, size_t cell)
{
    size_t x = cell % site->width, y = cell / site->width;
    return oro_realism_inside(site, cell) && x >= 2 && y >= 2 && x + 2 < site->width && y + 2 < site->height;
}

struct depths {
    const struct oro_realism_site *site;
    double *depth; /* of a trench in each cell, 0: none */
};

static void find_depths(void *user, size_t first, size_t end)
{
    const struct depths *d = user;
    for (size_t i = first; i < end; i++)
        d->depth[i] = may_be_trench(d->site, i) ? trench(d->site, i) : 0;
}

/* `run` counts, of every cell, the trench's cells down to it. */
static void find_trenches(const struct oro_realism_site *site, const struct oro_channels *channels,
                          const double *depths, uint32_t *run, struct oro_realism *out)
{
    for (size_t i = site->width * site->height; i-- > 0;) {
        size_t at = channels->routing.order[i], to = channels->routing.receiver[at];
        double depth = depths[at];
        if (depth > out->deepest_trench) {
            out->deepest_trench = depth;
            out->trench_at = at;
        }
        if (!(depth > ORO_TRENCH_DEPTH))
            continue;
        uint32_t length = run[at] + 1;
        out->trench_cells++;
        out->longest_trench = length > out->longest_trench ? length : out->longest_trench;
        if (to != at && length > run[to])
            run[to] = length;
    }
}

static void count_convergent(const void *user, size_t y, double *sums)
{
    const struct oro_realism_site *site = user;
    for (size_t x = site->from; x < site->to_x; x++)
        *sums += converges(site, y * site->width + x);
}

bool oro_realism_forms(const struct oro_realism_site *site, const struct oro_channels *channels,
                       struct oro_realism *out, struct oro_error *err)
{
    enum { LEAST = 1 << 14 }; /* cells that are worth a thread */
    const struct oro_realism_rows rows = {site->from, site->to_y, 1, count_convergent, site};
    size_t cells = site->width * site->height;
    struct depths depths = {site, oro_alloc(cells, sizeof *depths.depth)};
    uint32_t *run = oro_alloc(cells, sizeof *run);
    double convergent = 0;
    bool ok = run && depths.depth && oro_realism_add_rows(&rows, &convergent);
    if (ok) {
        oro_parallel(cells, LEAST, find_depths, &depths);
        find_trenches(site, channels, depths.depth, run, out);
    }
    out->convergent = convergent / (double)oro_realism_inner_cells(site);
    oro_free(run);
    oro_free(depths.depth);
    return ok || oro_realism_no_memory(site, err);
}
