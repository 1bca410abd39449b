#include "terrain/drainage/ground.h"

#include <math.h>

#include "base/finite.h"

bool oro_ground_is_outlet(const struct oro_ground *ground, size_t cell)
{
    size_t width = (size_t)ground->width, x = cell % width, y = cell / width;
    bool border = x == 0 || y == 0 || x == width - 1 || y == (size_t)ground->height - 1;
    return (border && !ground->walls) || (ground->sea && ground->sea[cell] > 0.5f);
}

static bool has_outlet(const struct oro_ground *ground, size_t cells)
{
    if (!ground->walls)
        return true;
    for (size_t i = 0; ground->sea && i < cells; i++)
        if (ground->sea[i] > 0.5f)
            return true;
    return false;
}

bool oro_fail_not_finite(size_t x, size_t y, float z, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE, "the terrain is %s at cell %zu, %zu",
                    isnan(z) ? "not a number" : "infinite", x, y);
}

bool oro_fail_closed(struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE,
                    "water has nowhere to go: the borders are walls and no cell is sea; set 'borders' to "
                    "outflow, or link a 'sea' mask that covers something");
}

bool oro_ground_check(const struct oro_ground *ground, struct oro_error *err)
{
    size_t width = (size_t)ground->width, cells = width * (size_t)ground->height;
    if (ground->width < 1 || ground->height < 1)
        return oro_fail(err, ORO_E_EVALUATE, "a terrain without cells cannot be drained");
    if (cells > ORO_GROUND_CELLS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%d x %d cells are more than the %zu that can be drained at once",
                        ground->width, ground->height, ORO_GROUND_CELLS_MAX);
    size_t bad = oro_first_not_finite(ground->z, cells, false);
    if (bad < cells)
        return oro_fail_not_finite(bad % width, bad / width, ground->z[bad], err);
    return has_outlet(ground, cells) || oro_fail_closed(err);
}
