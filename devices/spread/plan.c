/* What a chain needs: backwards from what is stored to what has to be loaded, and windows for each tile. */
#include <math.h>

#include "devices/spread/internal.h"

/* ---- Backwards through the steps ---- */

static bool overwrites(const struct oro_device_dispatch *next, const struct tiled_buffer *tiled)
{
    bool written = false;
    for (int i = 0; next && i < next->buffer_count; i++) {
        bool same = tiled_of(next->buffers[i]) == tiled;
        if (same && (next->read >> i & 1))
            return false;
        written = written || (same && (next->written >> i & 1));
    }
    return written;
}

/* How far around a tile the results of a step are needed; negative: nowhere. */
static int halo_of(const struct chain *chain, const struct step *step)
{
    int halo = -1;
    for (int i = 0; i < step->dispatch.buffer_count; i++) {
        int need = chain->uses[step->buffers[i]->use - 1].need;
        if ((step->dispatch.written >> i & 1) && need > halo)
            halo = need;
    }
    return halo;
}

/* A raster that is written and not read gets all of its cells from the step, and needs none of before. */
static void need_before(struct chain *chain, const struct step *step)
{
    for (int i = 0; i < step->dispatch.buffer_count; i++)
        if ((step->dispatch.written >> i & 1) && !(step->dispatch.read >> i & 1))
            chain->uses[step->buffers[i]->use - 1].need = -1;
    for (int i = 0; i < step->dispatch.buffer_count; i++) {
        struct use *use = &chain->uses[step->buffers[i]->use - 1];
        use->live = true;
        int need = step->halo + (use->layer == 0 ? step->reach : 0);
        if ((step->dispatch.read >> i & 1) && need > use->need)
            use->need = need;
    }
}

static void plan_layers(struct spread *spread)
{
    struct chain *chain = &spread->chain;
    int rank = spread->ranks->rank, ranks = spread->ranks->count;
    for (int i = 0; i < chain->layer_count; i++) {
        chain->layers[i].direct = i > 0;
        chain->layers[i].cells = 0;
    }
    for (size_t i = 0; i < chain->use_count; i++)
        if (chain->uses[i].layer > 0 && chain->uses[i].tiled->spread)
            chain->layers[chain->uses[i].layer].direct = false;
    size_t end = oro_tiling_end(&chain->tiling, rank, ranks);
    for (size_t tile = oro_tiling_first(&chain->tiling, rank, ranks); tile < end; tile++) {
        oro_chain_windows(chain, tile);
        for (int i = 0; i < chain->layer_count; i++) {
            struct layer *layer = &chain->layers[i];
            size_t cells = (size_t)layer->window.width * (size_t)layer->window.height;
            layer->cells = cells > layer->cells ? cells : layer->cells;
        }
    }
}

void oro_chain_plan(struct spread *spread, const struct oro_device_dispatch *next)
{
    struct chain *chain = &spread->chain;
    for (size_t i = 0; i < chain->use_count; i++) {
        struct use *use = &chain->uses[i];
        bool needed = !use->tiled->dead && !use->discarded && !overwrites(next, use->tiled);
        bool wanted = use->written && needed;
        use->stored = wanted && use->tiled->width > 0; /* arrays stay where they are */
        use->need = wanted ? 0 : -1;
        use->live = false;
    }
    for (size_t i = chain->step_count; i-- > 0;) {
        struct step *step = &chain->steps[i];
        step->halo = halo_of(chain, step);
        if (step->halo >= 0)
            need_before(chain, step);
    }
    plan_layers(spread);
}

/* ---- Windows ---- */

struct oro_window oro_step_region(const struct chain *chain, const struct step *step, size_t tile)
{
    return oro_window_around(oro_tiling_window(&chain->tiling, tile), step->halo, chain->tiling.width,
                             chain->tiling.height);
}

struct oro_window oro_use_load(const struct chain *chain, const struct use *use, size_t tile)
{
    if (use->need < 0)
        return (struct oro_window){0};
    if (use->layer > 0)
        return chain->layers[use->layer].load;
    return oro_window_around(oro_tiling_window(&chain->tiling, tile), use->need, chain->tiling.width,
                             chain->tiling.height);
}

/* Cells first..end-1 of a grid, within `size`: kernels clamp what lies beyond. */
static void clamp_range(double first, double end, int size, int *from, int *count)
{
    double most = size - 1, low = fmin(fmax(first, 0), most), high = fmin(fmax(end - 1, 0), most);
    *from = (int)low;
    *count = (int)high - (int)low + 1;
}

/* The cells of the source that a step reads for some cells of the grid. One more on each side makes up for
 * kernels that round differently. */
static struct oro_window source_window(const struct step *step, struct oro_window cells)
{
    const struct oro_device_extent *extent = &step->dispatch.extent;
    const struct oro_grid *source = &extent->source;
    struct oro_window window = {0, 0, source->width, source->height};
    if (extent->source_reach == ORO_REACH_WHOLE)
        return window;
    double ratio = extent->grid.cell / source->cell;
    double reach = (extent->source_reach > 0 ? extent->source_reach : 0) + 1;
    double x = (double)extent->source_corner[0] + cells.x * ratio;
    double y = (double)extent->source_corner[1] + cells.y * ratio;
    clamp_range(floor(x) - reach, ceil(x + cells.width * ratio) + reach, source->width, &window.x,
                &window.width);
    clamp_range(floor(y) - reach, ceil(y + cells.height * ratio) + reach, source->height, &window.y,
                &window.height);
    return window;
}

static struct oro_window around_both(struct oro_window a, struct oro_window b)
{
    if (!a.width)
        return b;
    int x0 = a.x < b.x ? a.x : b.x, y0 = a.y < b.y ? a.y : b.y;
    int x1 = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int y1 = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct oro_window){x0, y0, x1 - x0, y1 - y0};
}

/* Work groups go beyond the region of a step, and read around the cells that they compute in vain: the
 * windows hold these, too, whatever is in them. */
void oro_chain_windows(struct chain *chain, size_t tile)
{
    struct oro_window own = oro_tiling_window(&chain->tiling, tile);
    int width = chain->tiling.width, height = chain->tiling.height, deepest = 0;
    for (int i = 1; i < chain->layer_count; i++) {
        struct layer *layer = &chain->layers[i];
        struct oro_window all = {0, 0, layer->width, layer->height};
        layer->window = layer->load = layer->direct ? all : (struct oro_window){0};
    }
    for (size_t i = 0; i < chain->step_count; i++) {
        const struct step *step = &chain->steps[i];
        struct layer *layer = &chain->layers[step->layer];
        if (step->halo < 0)
            continue;
        deepest = step->halo + step->reach > deepest ? step->halo + step->reach : deepest;
        if (!step->layer || layer->direct)
            continue;
        struct oro_window region = oro_window_around(own, step->halo, width, height);
        struct oro_window groups = oro_window_aligned(region, width, height);
        layer->load = around_both(layer->load, source_window(step, region));
        layer->window = around_both(layer->window, source_window(step, groups));
    }
    struct oro_window wide = oro_window_around(own, deepest + ORO_SPREAD_STEP, width, height);
    chain->layers[0].window = oro_window_aligned(wide, width, height);
}
