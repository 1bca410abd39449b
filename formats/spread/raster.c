#include "formats/spread/raster.h"

#include <math.h>

#include "base/memory.h"

struct oro_ranks *oro_spread_raster_ranks(const struct oro_spread_raster *raster)
{
    return raster->device->tiles->ranks(raster->device);
}

bool oro_spread_raster_stops(const struct oro_spread_raster *raster, struct oro_error *err)
{
    struct oro_ranks *ranks = oro_spread_raster_ranks(raster);
    bool asked = raster->stop && raster->stop(raster->stop_user);
    bool stops = asked || (ranks->ops->stop && ranks->ops->stop(ranks));
    if (stops)
        oro_fail(err, ORO_E_CANCELLED, "cancelled");
    return stops;
}

static size_t largest_tile(const struct oro_spread_raster *raster)
{
    /* The first one: those at the east and the south may be smaller. */
    struct oro_window window = raster->device->tiles->window(raster->device, &raster->grid, 0);
    return (size_t)window.width * (size_t)window.height;
}

bool oro_each_own_tile(const struct oro_spread_raster *raster,
                       bool (*take)(void *user, const struct oro_window *window, const float *cells,
                                    struct oro_error *err),
                       void *user, struct oro_error *err)
{
    struct oro_device *device = raster->device;
    const struct oro_device_tiles *tiles = device->tiles;
    struct oro_ranks *ranks = tiles->ranks(device);
    if (!oro_ranks_agree(ranks, device->ops->finish(device, err), err))
        return false;
    float *cells = oro_alloc(largest_tile(raster), sizeof *cells);
    bool ok = cells || oro_fail(err, ORO_E_MEMORY, "no memory for a tile of a raster");
    for (size_t i = 0; ok && i < tiles->count(device, &raster->grid); i++) {
        struct oro_window window = tiles->window(device, &raster->grid, i);
        if (tiles->rank(device, &raster->grid, i) == ranks->rank)
            ok = !oro_spread_raster_stops(raster, err) &&
                 tiles->read(device, raster->buffer, &window, cells, err) && take(user, &window, cells, err);
    }
    oro_free(cells);
    return oro_ranks_agree(ranks, ok, err);
}

/* ---- The range ---- */

static bool take_range(void *user, const struct oro_window *window, const float *cells, struct oro_error *err)
{
    struct oro_height_range *range = user;
    (void)err;
    size_t count = (size_t)window->width * (size_t)window->height, first = 0;
    while (first < count && !isfinite(cells[first]))
        first++;
    if (first == count)
        return true;
    struct oro_height_range own = oro_range_of(cells, count);
    range->low = fmin(range->low, own.low);
    range->high = fmax(range->high, own.high);
    return true;
}

bool oro_spread_raster_range(const struct oro_spread_raster *raster, struct oro_height_range *range,
                             struct oro_error *err)
{
    struct oro_ranks *ranks = oro_spread_raster_ranks(raster);
    struct oro_height_range own = {(double)INFINITY, -(double)INFINITY};
    void *gathered = NULL;
    if (!oro_each_own_tile(raster, take_range, &own, err))
        return false;
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    bool ok = oro_ranks_agree(ranks, sizes || oro_fail(err, ORO_E_MEMORY, "no memory for ranks"), err) &&
              ranks->ops->gather(ranks, &own, sizeof own, &gathered, sizes, err);
    const struct oro_height_range *all = gathered;
    for (int i = 0; ok && all && i < ranks->count; i++) {
        own.low = fmin(own.low, all[i].low);
        own.high = fmax(own.high, all[i].high);
    }
    oro_free(gathered);
    oro_free(sizes);
    ok = ok && ranks->ops->broadcast(ranks, 0, &own, sizeof own, err);
    *range = own.low <= own.high ? own : (struct oro_height_range){0};
    return ok;
}
