/* Strokes as steps of the history. */
#include <string.h>

#include "base/memory.h"
#include "editor/tools/layers_private.h"

/* Only tiles that differ are kept: a stroke across a large layer touches few of them. */
enum { TILE = 64 };

struct tile {
    struct ed_patch_rect rect;
    float *before, *after;
};
struct step {
    struct ed_layers *layers;
    char *path;
    size_t moves;           /* how many moves there had been when it was done */
    uint64_t before, after; /* contents of the layer */
    double low, high, extent;
    int width, height; /* of the raster that it was done on */
    struct tile *tiles;
    size_t count, capacity;
};

static void forget(void *user)
{
    struct step *step = user;
    for (size_t i = 0; i < step->count; i++) {
        oro_free(step->tiles[i].before);
        oro_free(step->tiles[i].after);
    }
    oro_free(step->tiles);
    oro_free(step->path);
    ed_layers_release(step->layers);
    oro_free(step);
}

static bool apply(void *user, bool undo, struct oro_error *err)
{
    struct step *step = user;
    const char *path = ed_layers_moved_path(step->layers, step->path, step->moves);
    struct ed_layer *layer = ed_layers_open(step->layers, path, step->low, step->high, step->extent, err);
    if (!layer)
        return false;
    if (layer->raster.width != step->width || layer->raster.height != step->height)
        return oro_fail(err, ORO_E_FILE, "'%s' has another size than when it was painted", path);
    for (size_t i = 0; i < step->count; i++) {
        const struct tile *tile = &step->tiles[i];
        ed_patch_put(layer->raster.data, step->width, tile->rect, undo ? tile->before : tile->after);
    }
    ed_layer_changed(step->layers, layer);
    ed_layer_has(step->layers, layer, undo ? step->before : step->after);
    return true;
}

static bool differs(const float *a, const float *b, int width, struct ed_patch_rect rect)
{
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        size_t at = (size_t)y * (size_t)width + (size_t)rect.x;
        if (memcmp(a + at, b + at, (size_t)rect.width * sizeof *a) != 0)
            return true;
    }
    return false;
}

static bool keep_tile(struct step *step, const float *before, const float *after, struct ed_patch_rect rect)
{
    void *tiles = step->tiles;
    if (!differs(before, after, step->width, rect))
        return true;
    bool room = oro_reserve(&tiles, &step->capacity, step->count + 1, sizeof *step->tiles);
    step->tiles = tiles;
    if (!room)
        return false;
    struct tile *tile = &step->tiles[step->count++];
    *tile = (struct tile){rect, ed_patch_take(before, step->width, rect),
                          ed_patch_take(after, step->width, rect)};
    return tile->before && tile->after;
}

static bool keep_tiles(struct step *step, const float *before, const float *after,
                       struct ed_patch_rect changed)
{
    int right = changed.x + changed.width, bottom = changed.y + changed.height;
    for (int y = changed.y; y < bottom; y += TILE)
        for (int x = changed.x; x < right; x += TILE) {
            struct ed_patch_rect rect = {x, y, right - x < TILE ? right - x : TILE,
                                         bottom - y < TILE ? bottom - y : TILE};
            if (!keep_tile(step, before, after, rect))
                return false;
        }
    return true;
}

static size_t step_bytes(const struct step *step)
{
    size_t bytes = sizeof *step;
    for (size_t i = 0; i < step->count; i++) {
        const struct ed_patch_rect *rect = &step->tiles[i].rect;
        bytes += sizeof step->tiles[i] + 2 * sizeof(float) * (size_t)rect->width * (size_t)rect->height;
    }
    return bytes;
}

bool ed_layer_did(struct ed_layers *layers, struct ed_layer *layer, const struct ed_stroke *stroke,
                  double extent, struct oro_error *err)
{
    const struct ed_canvas_raster *raster = &layer->raster;
    const struct ed_open_layer *open = ed_layers_find(layers, layer->path);
    struct step *step = oro_alloc(1, sizeof *step);
    uint64_t before = open->content;
    if (!step) {
        ed_layer_has(layers, layer, 0);
        return oro_fail(err, ORO_E_MEMORY, "not enough memory to undo this stroke");
    }
    *step = (struct step){.layers = layers,
                          .path = oro_copy_text(layer->path),
                          .moves = layers->move_count,
                          .before = before,
                          .low = (double)raster->low,
                          .high = (double)raster->high,
                          .extent = extent,
                          .width = raster->width,
                          .height = raster->height};
    layers->users++;
    bool ok = step->path && keep_tiles(step, stroke->before, raster->data, stroke->changed);
    bool changed = !ok || step->count > 0;
    ed_layer_has(layers, layer, changed ? 0 : before);
    step->after = open->content;
    if (ok && changed) {
        struct ed_foreign_step foreign = {"brush stroke", apply, forget, step, step_bytes(step)};
        return ed_project_did(layers->project, &foreign, err); /* which forgets it where it fails */
    }
    forget(step);
    return ok || oro_fail(err, ORO_E_MEMORY, "not enough memory to undo this stroke");
}
