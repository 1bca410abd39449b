/* The bar of the brush. */
#include <stdio.h>

#include "editor/tools/paint_private.h"
#include "editor/tools/paint_tool.h"

static void modes(struct ed_paint_tool *tool, struct ed_flow *flow)
{
    const char *names[ED_BRUSH_MODES];
    int at = (int)tool->brush.mode;
    for (int i = 0; i < ED_BRUSH_MODES; i++)
        names[i] = ed_brush_mode_name((enum ed_brush_mode)i);
    ed_bar_place(flow, 92);
    ui_name("brush-mode");
    if (!ui_combo("##mode-of-brush", &at, names, ED_BRUSH_MODES))
        return;
    tool->brush.mode = (enum ed_brush_mode)at;
    if (!tool->layer)
        return;
    /* The values that a user would expect of a first stroke. */
    float range = tool->layer->raster.high - tool->layer->raster.low;
    bool relative = at == ED_BRUSH_RAISE || at == ED_BRUSH_LOWER;
    tool->brush.value = relative ? range / 20 : tool->layer->raster.low + range / 2;
}

static void share(struct ed_flow *flow, const char *label, float *value, double low, double high, int flags)
{
    double wide = (double)*value * 100;
    ed_bar_place(flow, 112);
    char format[64];
    snprintf(format, sizeof format, "%s %%.0f%%%%", label);
    char id[40];
    snprintf(id, sizeof id, "##%s", label);
    ui_name("brush-%s", label);
    if (ui_slider(id, &wide, low, high, format, flags | UI_CLAMP))
        *value = (float)(wide / 100);
}

static void size(struct ed_session *session, struct ed_paint_tool *tool, struct ed_flow *flow)
{
    double extent = ed_paint_extent(session), radius = (double)tool->share * extent;
    ed_bar_place(flow, 128);
    ui_name("brush-size");
    if (ui_slider("##size", &radius, extent * 0.002, extent * 0.5, "size %.0f m", UI_LOGARITHMIC | UI_CLAMP))
        tool->share = (float)(radius / extent);
    ui_tooltip("Radius of the brush ([ and ])");
}

static void value(struct ed_paint_tool *tool, struct ed_flow *flow)
{
    double wide = (double)tool->brush.value;
    const struct ed_canvas_raster *raster = &tool->layer->raster;
    bool relative = tool->brush.mode == ED_BRUSH_RAISE || tool->brush.mode == ED_BRUSH_LOWER;
    if (!relative && tool->brush.mode != ED_BRUSH_SET)
        return;
    double range = (double)(raster->high - raster->low);
    bool mask = raster->low == 0 && raster->high == 1;
    const char *unit = mask          ? ""
                       : range < 0.5 ? " m/yr"
                                     : " m"; /* no ground is as flat as an uplift is slow */
    char format[24];
    snprintf(format, sizeof format, "%s %%.4g%s", relative ? "by" : "to", unit);
    ed_bar_place(flow, 112);
    ui_name("brush-value");
    if (ui_slider("##value", &wide, relative ? 0 : (double)raster->low,
                  relative ? range / 2 : (double)raster->high, format, UI_CLAMP))
        tool->brush.value = (float)wide;
}

/* The uplift brush, by one click. */
static void raise(struct ed_session *session, const struct ed_pane *pane, struct ed_flow *flow)
{
    if (!ed_paint_can_raise(session))
        return;
    ed_bar_place(flow, 100);
    ui_name("button:raise-layer");
    if (ui_button("As uplift", 100 * ui_scale(), 0))
        ed_paint_raise(session, pane);
    ui_tooltip("The painted ground rises: adds the layer to the uplift of the terrain, up to 0.001 m/yr");
}

void ed_paint_bar(struct ed_session *session, struct ed_pane *pane)
{
    struct ed_paint_tool *tool = session->views->paint;
    struct ed_flow flow = ed_bar_begin(pane);
    ed_bar_place(&flow, 100);
    ui_name("button:new-layer");
    if (ui_button("New layer\xe2\x80\xa6", 100 * ui_scale(), 0))
        ui_popup_open("##new-layer");
    if (tool->layer) {
        modes(tool, &flow);
        size(session, tool, &flow);
        share(&flow, "strength", &tool->brush.strength, 1, 100, 0);
        ui_tooltip("How far a stroke goes (Shift+[ and ])");
        share(&flow, "falloff", &tool->brush.falloff, 0, 100, 0);
        value(tool, &flow);
        raise(session, pane, &flow);
    } else {
        ui_same_line(8);
        ui_align_text();
        ui_text_coloured(ui_colour(tool->problem[0] ? UI_BAD : UI_MUTED), "%s",
                         tool->problem[0] ? tool->problem
                                          : "Choose a painted layer (an import node), or make a new one");
    }
    ed_paint_new_layer_popup(session);
    ed_bar_end(pane, &flow);
}
