#include "editor/tools/paint_tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/pane/slots.h"
#include "editor/session/world.h"
#include "editor/tools/paint_private.h"

struct ed_paint_tool *ed_paint_create(struct ed_project *project)
{
    struct ed_paint_tool *tool = oro_alloc(1, sizeof *tool);
    if (!tool)
        return NULL;
    tool->layers = ed_layers_create(project);
    if (!tool->layers) {
        oro_free(tool);
        return NULL;
    }
    tool->whole = true;
    tool->share = 0.08f;
    tool->brush = (struct ed_brush){.strength = 0.6f, .falloff = 0.6f};
    snprintf(tool->question.name, sizeof tool->question.name, "mask");
    tool->question.cells = 1024;
    tool->question.high = 1000;
    tool->question.rate = 0.001;
    return tool;
}

static void drop_overlay(struct ed_paint_tool *tool)
{
    if (tool->overlay)
        ed_raster_show(tool->overlay, NULL, 0);
    ed_picture_release(tool->picture);
    tool->picture = NULL;
    tool->pictured = 0;
    tool->whole = true;
}

void ed_paint_destroy(struct ed_paint_tool *tool)
{
    if (!tool)
        return;
    ed_stroke_free(&tool->stroke);
    ed_picture_release(tool->picture);
    if (tool->overlay)
        ed_raster_destroy(tool->overlay);
    ed_layers_clear(tool->layers); /* steps of the history may still hold it */
    ed_layers_release(tool->layers);
    oro_free(tool);
}

void ed_paint_reset(struct ed_paint_tool *tool)
{
    ed_stroke_free(&tool->stroke);
    drop_overlay(tool);
    tool->painting = false;
    tool->layer = NULL;
    ed_layers_clear(tool->layers);
    tool->node[0] = '\0';
    tool->question.wanted = false;
}

/* ---- The layer of the chosen node ---- */

static const char *layer_file(const struct oro_doc_node *node)
{
    const struct oro_doc_input *file = node ? oro_doc_node_input(node, "file") : NULL;
    bool is = file && file->value && strcmp(node->type, "import") == 0 && ed_is_layer_name(file->value);
    return is ? file->value : NULL;
}

double ed_paint_extent(const struct ed_session *session)
{
    struct oro_grid grid = ed_world_grid(session);
    return grid.width * grid.cell;
}

/* The height of the rows in metres if the node stretches the file to the world, as it does unless told to
 * keep the file's cells; 0: cells are square. */
static double row_height(const struct ed_session *session, const struct oro_doc_node *node,
                         const struct ed_canvas_raster *raster)
{
    const struct oro_doc_input *size = oro_doc_node_input(node, "size");
    struct oro_grid grid = ed_world_grid(session);
    bool own = size && size->value && strcmp(size->value, "file") == 0;
    return own ? 0 : grid.height * grid.cell / raster->height;
}

static void open_layer(struct ed_session *session, struct ed_paint_tool *tool,
                       const struct oro_doc_node *node, const char *file)
{
    struct oro_error err = {0};
    const struct ed_layer *before = tool->layer;
    char *path = oro_path_beside(oro_document_path(ed_project_root(session->project)), file);
    double low = 0, high = 0;
    bool known = ed_node_number(session, node, "low", &low) && ed_node_number(session, node, "high", &high);
    tool->layer = path && known && high > low
                      ? ed_layers_open(tool->layers, path, low, high, ed_paint_extent(session), &err)
                      : NULL;
    oro_free(path);
    if (tool->layer)
        tool->layer->raster.cell_y = row_height(session, node, &tool->layer->raster);
    snprintf(tool->problem, sizeof tool->problem, "%.255s",
             tool->layer ? ""
             : !known ? "'low' and 'high' of the layer's node must be numbers, or expressions that are right"
             : high > low ? err.text
                          : "the layer's node needs 'high' above 'low'");
    if (tool->layer != before)
        drop_overlay(tool);
}

/* NULL: no layer is chosen. Looked up again when the selection, the document or the world
 * changes. */
static struct ed_layer *chosen_layer(struct ed_session *session)
{
    struct ed_paint_tool *tool = session->views->paint;
    const struct oro_doc_node *node = ed_selected_node(session);
    const char *file = layer_file(node);
    uint64_t revision = ed_project_revision(session->project);
    if (tool->painting && (!file || strcmp(tool->node, node->id) != 0))
        ed_paint_end_stroke(session);
    if (!file) {
        if (tool->layer)
            drop_overlay(tool);
        tool->layer = NULL;
        tool->node[0] = tool->problem[0] = '\0';
        return NULL;
    }
    if (tool->painting)
        return tool->layer;
    uint64_t located = session->located.number;
    if (strcmp(tool->node, node->id) != 0 || tool->revision != revision || tool->located != located) {
        snprintf(tool->node, sizeof tool->node, "%s", node->id);
        tool->revision = revision;
        tool->located = located;
        open_layer(session, tool, node, file);
    }
    return tool->layer;
}

struct ed_layer *ed_paint_layer_again(struct ed_session *session)
{
    session->views->paint->node[0] = '\0';
    return chosen_layer(session);
}

/* ---- Files ---- */

bool ed_paint_save(struct ed_session *session, const char *path, bool over, struct oro_error *err)
{
    struct ed_paint_tool *tool = session->views->paint;
    if (tool->painting)
        ed_paint_end_stroke(session);
    bool ok = ed_layers_save(tool->layers, path, over, err);
    ed_live_touch(session->live); /* layers may have been written */
    return ok;
}

void ed_paint_flush(struct ed_session *session)
{
    struct ed_paint_tool *tool = session->views->paint;
    struct oro_error err;
    if (tool->painting)
        ed_paint_end_stroke(session);
    if (!ed_layers_flush(tool->layers, &err))
        ed_failed(session, &err);
}

/* Layers no longer in use stay open until all together hold more than this. */
static const size_t layer_bytes = (size_t)256 << 20;

/* Digest of what the layer holds, for tests. */
static void describe(const struct ed_paint_tool *tool)
{
    static const struct ed_layer *layer;
    static uint64_t serial;
    static char digest[ORO_HASH_TEXT];
    if (!ed_describing())
        return;
    const struct ed_layer *now = tool->layer;
    if (now && (layer != now || serial != now->serial)) {
        const struct ed_canvas_raster *raster = &now->raster;
        size_t cells = (size_t)raster->width * (size_t)raster->height;
        oro_hash_text(oro_hash_of(raster->data, cells * sizeof *raster->data), digest);
        serial = now->serial;
    }
    layer = now;
    ed_describe_state("painted", "%s", now ? digest : "");
}

void ed_paint_tick(struct ed_session *session)
{
    struct ed_paint_tool *tool = session->views->paint;
    struct oro_error err;
    if (tool->painting && (session->views->tool != ED_TOOL_BRUSH || !ui_mouse_down(0)))
        ed_paint_end_stroke(session);
    if (ed_layers_tick(tool->layers, session->now, 0.15, &err))
        ed_live_touch(session->live);
    if (err.code)
        ed_failed(session, &err);
    ed_paint_new_layer_tick(session);
    if (session->views->tool != ED_TOOL_BRUSH && tool->layer) {
        tool->layer = NULL;
        tool->node[0] = '\0';
        drop_overlay(tool);
    }
    ed_layers_trim(tool->layers, tool->layer, layer_bytes);
    describe(tool);
}

bool ed_paint_painting(const struct ed_paint_tool *tool)
{
    return tool->painting;
}

bool ed_paint_busy(const struct ed_paint_tool *tool)
{
    bool shown = !tool->layer || (tool->whole && tool->pictured == tool->layer->serial);
    return tool->painting || !shown || ed_layers_writing(tool->layers);
}

/* ---- The picture while painting ---- */

/* A cell of the picture, of `width` x `height`: the mean of the layer's cells in it, from 0 to 1. */
static float mean_of(const struct ed_canvas_raster *raster, int x, int y, int width, int height)
{
    int left = (int)((int64_t)x * raster->width / width), top = (int)((int64_t)y * raster->height / height);
    int right = (int)((int64_t)(x + 1) * raster->width / width);
    int bottom = (int)((int64_t)(y + 1) * raster->height / height);
    float sum = 0;
    right = right > left ? right : left + 1;
    bottom = bottom > top ? bottom : top + 1;
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++)
            sum += raster->data[(size_t)j * (size_t)raster->width + (size_t)i];
    return (sum / (float)(right - left) / (float)(bottom - top) - raster->low) / (raster->high - raster->low);
}

/* The picture's grid: coarser than a fine layer, so that it keeps up with the hand, and with square cells. */
static struct oro_grid picture_grid(const struct ed_canvas_raster *raster)
{
    double wide = raster->width * raster->cell, high = raster->height * ed_raster_cell_y(raster);
    double longer = fmax(wide, high), cells = fmin(512, fmax(raster->width, raster->height));
    struct oro_grid grid = {.width = (int)fmax(1, round(cells * wide / longer)),
                            .height = (int)fmax(1, round(cells * high / longer))};
    grid.cell = wide / grid.width;
    return grid;
}

/* `before`: the last picture, which differs from the layer only in `fresh`; NULL: there is none. */
static struct ed_picture *picture_of(const struct ed_layer *layer, const struct ed_picture *before,
                                     struct ed_patch_rect fresh)
{
    const struct ed_canvas_raster *raster = &layer->raster;
    struct oro_grid grid = picture_grid(raster);
    size_t cells = (size_t)grid.width * (size_t)grid.height;
    float *data = oro_alloc(cells, sizeof *data);
    struct ed_picture like = {.type = ORO_FIELD, .grid = grid, .channels = 1};
    if (!before || before->grid.width != grid.width || before->grid.height != grid.height)
        fresh = (struct ed_patch_rect){0, 0, raster->width, raster->height};
    else if (data)
        memcpy(data, before->data, cells * sizeof *data);
    double across = (double)grid.width / raster->width, down = (double)grid.height / raster->height;
    int left = (int)fmax(0, fresh.x * across - 1), top = (int)fmax(0, fresh.y * down - 1);
    int right = (int)fmin(grid.width, ceil((fresh.x + fresh.width) * across) + 1);
    int bottom = (int)fmin(grid.height, ceil((fresh.y + fresh.height) * down) + 1);
    for (int y = top; data && y < bottom; y++)
        for (int x = left; x < right; x++)
            data[(size_t)y * (size_t)grid.width + (size_t)x] = mean_of(raster, x, y, grid.width, grid.height);
    struct ed_picture *picture = data ? ed_picture_create(&like, data, NULL) : NULL;
    if (!picture)
        oro_free(data);
    return picture;
}

void ed_paint_stroked(struct ed_paint_tool *tool)
{
    bool follows = tool->picture && tool->followed == tool->layer->serial;
    ed_layer_changed(tool->layers, tool->layer);
    tool->fresh = ed_patch_joined(tool->fresh, tool->stroke.fresh);
    tool->stroke.fresh = (struct ed_patch_rect){0};
    if (follows)
        tool->followed = tool->layer->serial;
}

const struct ed_raster *ed_paint_overlay(struct ed_session *session)
{
    const struct ed_paint_tool *tool = session->views->paint;
    bool shown = session->views->tool == ED_TOOL_BRUSH && tool->layer && tool->overlay;
    return shown && ed_raster_picture(tool->overlay) ? tool->overlay : NULL;
}

/* Makes a new picture some thirty times a second while painting, and only when the last one is on the card.
 */
void ed_paint_upload(struct ed_session *session, double seconds)
{
    struct ed_paint_tool *tool = session->views->paint;
    if (session->views->tool != ED_TOOL_BRUSH || !tool->layer)
        return;
    if (tool->pictured != tool->layer->serial && tool->whole && session->now - tool->pictured_at > 0.03) {
        bool follows = tool->picture && tool->followed == tool->layer->serial;
        struct ed_picture *picture = picture_of(tool->layer, follows ? tool->picture : NULL, tool->fresh);
        if (!picture)
            return;
        ed_picture_release(tool->picture);
        tool->picture = picture;
        tool->pictured = tool->followed = tool->layer->serial;
        tool->fresh = (struct ed_patch_rect){0};
        tool->pictured_at = session->now;
    }
    if (!tool->overlay)
        tool->overlay = ed_raster_create();
    if (tool->overlay && tool->picture)
        tool->whole = ed_raster_show(tool->overlay, tool->picture, seconds);
}

bool ed_paint_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    if (session->views->tool != ED_TOOL_BRUSH)
        return false;
    return chosen_layer(session) && ed_paint_stroke(session, pane, draw, free);
}
