/* The brush: paints the layer that the chosen node reads. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/view/paint_private.h"

struct ed_paint_tool *ed_paint_create(void)
{
    struct ed_paint_tool *tool = oro_alloc(1, sizeof *tool);
    if (!tool)
        return NULL;
    tool->layers = ed_layers_create();
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
    ed_layers_release(tool->layers);
    oro_free(tool);
}

void ed_paint_reset(struct ed_paint_tool *tool)
{
    struct oro_error err;
    ed_layers_flush(tool->layers, &err); /* what cannot be written was told when it was tried first */
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

double ed_paint_extent(const struct ed_app *app)
{
    struct oro_grid grid = oro_document_grid(ed_project_root(app->project));
    return grid.width * grid.cell;
}

static void open_layer(struct ed_app *app, struct ed_paint_tool *tool, const struct oro_doc_node *node,
                       const char *file)
{
    struct oro_error err = {0};
    const struct ed_layer *before = tool->layer;
    char *path = oro_path_beside(oro_document_path(ed_project_root(app->project)), file);
    double low = 0, high = 0;
    bool known = ed_node_number(app, node, "low", &low) && ed_node_number(app, node, "high", &high);
    tool->layer = path && known && high > low
                      ? ed_layers_open(tool->layers, path, low, high, ed_paint_extent(app), &err)
                      : NULL;
    oro_free(path);
    snprintf(tool->problem, sizeof tool->problem, "%.255s",
             tool->layer ? ""
             : !known ? "'low' and 'high' of the layer's node must be numbers, or expressions that are right"
             : high > low ? err.text
                          : "the layer's node needs 'high' above 'low'");
    if (tool->layer != before)
        drop_overlay(tool);
}

/* NULL: no layer is chosen. Looked for when the choice or the document changed. */
static struct ed_layer *chosen_layer(struct ed_app *app)
{
    struct ed_paint_tool *tool = app->views->paint;
    const struct oro_doc_node *node = ed_selected_node(app);
    const char *file = layer_file(node);
    uint64_t revision = ed_project_revision(app->project);
    if (tool->painting && (!file || strcmp(tool->node, node->id) != 0))
        ed_paint_end_stroke(app);
    if (!file) {
        if (tool->layer)
            drop_overlay(tool);
        tool->layer = NULL;
        tool->node[0] = tool->problem[0] = '\0';
        return NULL;
    }
    if (tool->painting)
        return tool->layer;
    if (strcmp(tool->node, node->id) != 0 || tool->revision != revision) {
        snprintf(tool->node, sizeof tool->node, "%s", node->id);
        tool->revision = revision;
        open_layer(app, tool, node, file);
    }
    return tool->layer;
}

struct ed_layer *ed_paint_layer_again(struct ed_app *app)
{
    app->views->paint->node[0] = '\0';
    return chosen_layer(app);
}

/* ---- Files ---- */

bool ed_paint_save(struct ed_app *app, const char *path, bool over, struct oro_error *err)
{
    struct ed_paint_tool *tool = app->views->paint;
    if (tool->painting)
        ed_paint_end_stroke(app);
    bool ok = ed_layers_save(tool->layers, app->project, path, over, err);
    ed_live_touch(app->live); /* layers may have been written */
    return ok;
}

/* Closed layers stay at hand until all together hold more than this. */
static const size_t layer_bytes = (size_t)256 << 20;

void ed_paint_tick(struct ed_app *app)
{
    struct ed_paint_tool *tool = app->views->paint;
    struct oro_error err;
    if (tool->painting && (app->views->tool != ED_TOOL_BRUSH || !ui_mouse_down(0)))
        ed_paint_end_stroke(app);
    if (ed_layers_tick(tool->layers, app->now, 0.15, &err))
        ed_live_touch(app->live);
    if (err.code)
        ed_failed(app, &err);
    ed_paint_new_layer_tick(app);
    if (app->views->tool != ED_TOOL_BRUSH && tool->layer) {
        tool->layer = NULL;
        tool->node[0] = '\0';
        drop_overlay(tool);
    }
    ed_layers_trim(tool->layers, tool->layer, layer_bytes);
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

/* ---- What is seen of it ---- */

/* A cell of the picture: the mean of `step` x `step` of the layer, from 0 to 1. */
static float mean_of(const struct ed_canvas_raster *raster, int x, int y, int step)
{
    float sum = 0;
    int count = 0;
    for (int j = y * step; j < (y + 1) * step && j < raster->height; j++)
        for (int i = x * step; i < (x + 1) * step && i < raster->width; i++, count++)
            sum += raster->data[(size_t)j * (size_t)raster->width + (size_t)i];
    return count ? (sum / (float)count - raster->low) / (raster->high - raster->low) : 0;
}

/* Coarser than a fine layer, so that it follows the hand. `before`: the picture of the layer but for what has
 * changed in `fresh` since; NULL: there is none. */
static struct ed_picture *picture_of(const struct ed_layer *layer, const struct ed_picture *before,
                                     struct ed_patch_rect fresh)
{
    enum { CELLS = 512 };
    const struct ed_canvas_raster *raster = &layer->raster;
    int longer = raster->width > raster->height ? raster->width : raster->height;
    int step = (longer + CELLS - 1) / CELLS;
    int width = (raster->width + step - 1) / step, height = (raster->height + step - 1) / step;
    size_t cells = (size_t)width * (size_t)height;
    float *data = oro_alloc(cells, sizeof *data);
    struct ed_picture like = {
        .type = ORO_FIELD, .grid = {width, height, raster->cell * step, 0, 0}, .channels = 1};
    if (!before)
        fresh = (struct ed_patch_rect){0, 0, raster->width, raster->height};
    else if (data)
        memcpy(data, before->data, cells * sizeof *data);
    for (int y = fresh.y / step; data && y * step < fresh.y + fresh.height; y++)
        for (int x = fresh.x / step; x * step < fresh.x + fresh.width; x++)
            data[(size_t)y * (size_t)width + (size_t)x] = mean_of(raster, x, y, step);
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

const struct ed_raster *ed_paint_overlay(struct ed_app *app)
{
    const struct ed_paint_tool *tool = app->views->paint;
    bool shown = app->views->tool == ED_TOOL_BRUSH && tool->layer && tool->overlay;
    return shown && ed_raster_picture(tool->overlay) ? tool->overlay : NULL;
}

/* Some thirty times a second while it is painted, and only when the last one is there. */
void ed_paint_upload(struct ed_app *app, double seconds)
{
    struct ed_paint_tool *tool = app->views->paint;
    if (app->views->tool != ED_TOOL_BRUSH || !tool->layer)
        return;
    if (tool->pictured != tool->layer->serial && tool->whole && app->now - tool->pictured_at > 0.03) {
        bool follows = tool->picture && tool->followed == tool->layer->serial;
        struct ed_picture *picture = picture_of(tool->layer, follows ? tool->picture : NULL, tool->fresh);
        if (!picture)
            return;
        ed_picture_release(tool->picture);
        tool->picture = picture;
        tool->pictured = tool->followed = tool->layer->serial;
        tool->fresh = (struct ed_patch_rect){0};
        tool->pictured_at = app->now;
    }
    if (!tool->overlay)
        tool->overlay = ed_raster_create();
    if (tool->overlay && tool->picture)
        tool->whole = ed_raster_show(tool->overlay, tool->picture, seconds);
}

bool ed_paint_use(struct ed_app *app, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    if (app->views->tool != ED_TOOL_BRUSH)
        return false;
    return chosen_layer(app) && ed_paint_stroke(app, pane, draw, free);
}
