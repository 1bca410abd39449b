/* Small forms: cells where contours converge, and trenches one cell wide. */
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

void oro_realism_forms(const struct oro_realism_site *site, struct oro_realism *out)
{
    size_t convergent = 0, from = site->from < 2 ? 2 : site->from;
    for (size_t y = site->from; y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++)
            convergent += converges(site, y * site->width + x);
    out->convergent = (double)convergent / (double)oro_realism_inner_cells(site);
    for (size_t y = from; y + 2 < site->height && y < site->to_y; y++)
        for (size_t x = from; x + 2 < site->width && x < site->to_x; x++) {
            double depth = trench(site, y * site->width + x);
            out->trench_cells += depth > ORO_TRENCH_DEPTH;
            if (depth > out->deepest_trench) {
                out->deepest_trench = depth;
                out->trench_at = y * site->width + x;
            }
        }
}
