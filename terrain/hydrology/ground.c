#include "terrain/hydrology/ground.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"

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

struct looking {
    const float *z;
    atomic_bool found; /* something that is not finite */
};

static void look(void *user, size_t first, size_t end)
{
    struct looking *looking = user;
    uint32_t most = 0;
    for (size_t i = first; i < end; i++) {
        uint32_t bits;
        memcpy(&bits, &looking->z[i], sizeof bits);
        bits &= 0x7f800000u;
        most = bits > most ? bits : most;
    }
    if (most == 0x7f800000u)
        atomic_store(&looking->found, true);
}

static bool are_finite(const float *z, size_t cells)
{
    enum { LEAST = 1 << 16 };
    struct looking looking = {.z = z};
    oro_parallel(cells, LEAST, look, &looking);
    return !atomic_load(&looking.found);
}

static bool fail_not_finite(const struct oro_ground *ground, struct oro_error *err)
{
    size_t width = (size_t)ground->width, cell = 0;
    while (isfinite(ground->z[cell]))
        cell++;
    return oro_fail(err, ORO_E_EVALUATE, "the terrain is %s at cell %zu, %zu",
                    isnan(ground->z[cell]) ? "not a number" : "infinite", cell % width, cell / width);
}

bool oro_ground_check(const struct oro_ground *ground, struct oro_error *err)
{
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    if (ground->width < 1 || ground->height < 1)
        return oro_fail(err, ORO_E_EVALUATE, "a terrain without cells cannot be drained");
    if (cells > ORO_GROUND_CELLS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%d x %d cells are more than the %zu that can be drained at once",
                        ground->width, ground->height, ORO_GROUND_CELLS_MAX);
    if (!are_finite(ground->z, cells))
        return fail_not_finite(ground, err);
    if (!has_outlet(ground, cells))
        return oro_fail(err, ORO_E_EVALUATE,
                        "water has nowhere to go: the borders are walls and no cell is sea; set 'borders' to "
                        "outflow, or link a 'sea' mask that covers something");
    return true;
}
