/* The bar of the brush. */
#include <stdio.h>

#include "editor/view/paint_private.h"

static void modes(struct ed_paint_tool *tool)
{
    const char *names[ED_BRUSH_MODES];
    int at = (int)tool->brush.mode;
    for (int i = 0; i < ED_BRUSH_MODES; i++)
        names[i] = ed_brush_mode_name((enum ed_brush_mode)i);
    ui_item_width(92 * ui_scale());
    ui_name("brush-mode");
    if (!ui_combo("##mode-of-brush", &at, names, ED_BRUSH_MODES))
        return;
    tool->brush.mode = (enum ed_brush_mode)at;
    if (!tool->layer)
        return;
    /* What a first stroke would be expected to do. */
    float range = tool->layer->raster.high - tool->layer->raster.low;
    bool relative = at == ED_BRUSH_RAISE || at == ED_BRUSH_LOWER;
    tool->brush.value = relative ? range / 20 : tool->layer->raster.low + range / 2;
}

static void share(const char *label, float *value, double low, double high, int flags)
{
    double wide = (double)*value * 100;
    ui_same_line(6);
    ui_item_width(112 * ui_scale());
    char format[64];
    snprintf(format, sizeof format, "%s %%.0f%%%%", label);
    char id[40];
    snprintf(id, sizeof id, "##%s", label);
    ui_name("brush-%s", label);
    if (ui_slider(id, &wide, low, high, format, flags | UI_CLAMP))
        *value = (float)(wide / 100);
}

static void size(struct ed_app *app, struct ed_paint_tool *tool)
{
    double extent = ed_paint_extent(app), radius = (double)tool->share * extent;
    ui_same_line(6);
    ui_item_width(128 * ui_scale());
    ui_name("brush-size");
    if (ui_slider("##size", &radius, extent * 0.002, extent * 0.5, "size %.0f m", UI_LOGARITHMIC | UI_CLAMP))
        tool->share = (float)(radius / extent);
    ui_tooltip("Radius of the brush ([ and ])");
}

static void value(struct ed_paint_tool *tool)
{
    double wide = (double)tool->brush.value;
    const struct ed_canvas_raster *raster = &tool->layer->raster;
    bool relative = tool->brush.mode == ED_BRUSH_RAISE || tool->brush.mode == ED_BRUSH_LOWER;
    if (!relative && tool->brush.mode != ED_BRUSH_SET)
        return;
    double range = (double)(raster->high - raster->low);
    bool metres = raster->low != 0 || raster->high != 1;
    char format[24];
    snprintf(format, sizeof format, "%s %%.4g%s", relative ? "by" : "to", metres ? " m" : "");
    ui_same_line(6);
    ui_item_width(112 * ui_scale());
    ui_name("brush-value");
    if (ui_slider("##value", &wide, relative ? 0 : (double)raster->low,
                  relative ? range / 2 : (double)raster->high, format, UI_CLAMP))
        tool->brush.value = (float)wide;
}

void ed_paint_bar(struct ed_app *app, struct ed_pane *pane)
{
    struct ed_paint_tool *tool = app->views->paint;
    float pad = 4 * ui_scale();
    struct ui_draw *draw = ui_draw_here();
    struct ui_rect bar = {pane->rect.x, pane->rect.y, pane->rect.w, ui_widget_height() + 2 * pad};
    ui_rect_fill(draw, bar, ui_faded(ui_colour(UI_RAISED), 0.5f), 0);
    ui_cursor_set((struct ui_vec){bar.x + pad, bar.y + pad});
    ui_name("button:new-layer");
    if (ui_button("New layer\xe2\x80\xa6", 0, 0))
        ui_popup_open("##new-layer");
    ui_same_line(8);
    if (tool->layer) {
        modes(tool);
        size(app, tool);
        share("strength", &tool->brush.strength, 1, 100, 0);
        ui_tooltip("How far a stroke goes (Shift+[ and ])");
        share("falloff", &tool->brush.falloff, 0, 100, 0);
        value(tool);
    } else {
        ui_align_text();
        ui_text_coloured(ui_colour(tool->problem[0] ? UI_BAD : UI_MUTED), "%s",
                         tool->problem[0] ? tool->problem
                                          : "Choose a painted layer (an import node), or make a new one");
    }
    ed_paint_new_layer_popup(app);
    pane->rect.y += bar.h;
    pane->rect.h -= bar.h;
}
