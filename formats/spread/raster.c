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
    struct oro_window largest =
        tiles->window(device, &raster->grid, 0); /* those in the east and the south may be smaller */
    float *cells = oro_alloc((size_t)largest.width * (size_t)largest.height, sizeof *cells);
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

static void add_range(void *all, const void *part)
{
    struct oro_height_range *range = all;
    const struct oro_height_range *other = part;
    range->low = fmin(range->low, other->low);
    range->high = fmax(range->high, other->high);
}

static bool take_range(void *user, const struct oro_window *window, const float *cells, struct oro_error *err)
{
    (void)err;
    size_t count = (size_t)window->width * (size_t)window->height, first = 0;
    while (first < count && !isfinite(cells[first]))
        first++;
    if (first == count)
        return true;
    struct oro_height_range own = oro_range_of(cells, count);
    add_range(user, &own);
    return true;
}

bool oro_spread_combine(struct oro_ranks *ranks, void *own, size_t bytes,
                        void (*add)(void *all, const void *part), struct oro_error *err)
{
    void *gathered = NULL;
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    bool ok = oro_ranks_agree(ranks, sizes || oro_fail(err, ORO_E_MEMORY, "no memory for ranks"), err) &&
              ranks->ops->gather(ranks, own, bytes, &gathered, sizes, err);
    for (int i = 1; ok && gathered && i < ranks->count; i++)
        add(own, (const char *)gathered + (size_t)i * bytes);
    oro_free(gathered);
    oro_free(sizes);
    return ok && ranks->ops->broadcast(ranks, 0, own, bytes, err);
}

bool oro_spread_raster_range(const struct oro_spread_raster *raster, struct oro_height_range *range,
                             struct oro_error *err)
{
    struct oro_height_range all = {(double)INFINITY, -(double)INFINITY};
    bool ok = oro_each_own_tile(raster, take_range, &all, err) &&
              oro_spread_combine(oro_spread_raster_ranks(raster), &all, sizeof all, add_range, err);
    *range = all.low <= all.high ? all : (struct oro_height_range){0};
    return ok;
}
