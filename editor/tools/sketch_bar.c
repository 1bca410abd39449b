/* The bar of the tool that draws lines. */
#include <stdio.h>

#include "editor/tools/sketch_private.h"
#include "editor/tools/sketch_tool.h"

static void kinds(struct ed_sketch_tool *tool, struct ed_flow *flow)
{
    const char *names[ED_SKETCH_KINDS];
    int at = (int)tool->kind;
    for (int i = 0; i < ED_SKETCH_KINDS; i++)
        names[i] = ed_sketch_form((enum ed_sketch_kind)i)->label;
    ed_bar_place(flow, 100);
    ui_name("sketch-kind");
    if (ui_combo("##kind-of-line", &at, names, ED_SKETCH_KINDS))
        tool->kind = (enum ed_sketch_kind)at;
    ui_tooltip("%s", ed_sketch_form(tool->kind)->doc);
}

static void modes(struct ed_sketch_tool *tool, struct ed_flow *flow)
{
    static const char *const names[] = {"Draw", "Smooth", "Erase"};
    int at = (int)tool->mode - ED_SKETCH_DRAW;
    ed_bar_place(flow, 88);
    ui_name("sketch-mode");
    if (ui_combo("##mode-of-sketch", &at, names, 3))
        tool->mode = (enum ed_sketch_action)(at + ED_SKETCH_DRAW);
    ui_tooltip("Draw: at the end of a line, goes on with it. Shift smooths, Ctrl erases");
}

static void width(const struct ed_session *session, struct ed_sketch_tool *tool, struct ed_flow *flow)
{
    double extent = ed_sketch_extent(session), wide = ed_sketch_width(session);
    ed_bar_place(flow, 132);
    ui_name("sketch-width");
    if (ui_slider("##width-of-line", &wide, extent * 0.004, extent, "width %.0f m",
                  UI_LOGARITHMIC | UI_CLAMP))
        tool->shares[tool->kind] = (float)(wide / extent);
    ui_tooltip("Width of the line ([ and ])");
}

/* How fast it rises, or how high it lies. */
static void height(const struct ed_pane *pane, struct ed_sketch_tool *tool, struct ed_flow *flow)
{
    double elevation = ed_sketch_crest(tool, pane), rise = ed_sketch_rise(tool, pane);
    if (tool->kind == ED_SKETCH_RIVER)
        return;
    ed_bar_place(flow, 150);
    if (tool->kind == ED_SKETCH_RIDGE) {
        ui_name("sketch-elevation");
        if (ui_drag("##elevation-of-line", &elevation, 5, -10000, 10000, "elevation %.0f m", 0))
            tool->elevation = elevation;
        ui_tooltip("What the ground must reach; at first that of its highest place");
        return;
    }
    if (tool->kind == ED_SKETCH_PEAK) {
        ui_name("sketch-rise");
        if (ui_drag("##rise-of-peak", &rise, 5, -10000, 10000, "%+.0f m", 0))
            tool->rise = rise;
        ui_tooltip("How far above the present ground the peak is asked for");
        return;
    }
    ui_name("sketch-rate");
    ui_slider("##rate-of-line", &tool->rate, 1e-5, 0.01, "rises %.5f m/yr", UI_LOGARITHMIC | UI_CLAMP);
    ui_tooltip("%s", tool->kind == ED_SKETCH_VALLEY ? "How fast the ground beside the valley rises"
                                                    : "How fast the ground rises along the line");
}

static void variation(struct ed_sketch_tool *tool, struct ed_flow *flow)
{
    static const char *const names[ED_SKETCH_VARIES] = {"Even", "By pressure", "By speed"};
    int at = (int)tool->vary;
    ed_bar_place(flow, 108);
    ui_name("sketch-vary");
    if (ui_combo("##variation-of-line", &at, names, ED_SKETCH_VARIES))
        tool->vary = (enum ed_sketch_vary)at;
    ui_tooltip(
        "What varies along the line goes by the pressure of a pen (a mouse presses evenly), or by speed: "
        "slow is wide and strong");
    if (tool->vary == ED_SKETCH_EVEN || !ed_sketch_form(tool->kind)->bends)
        return;
    ed_bar_place(flow, 64);
    ui_name("sketch-vary-width");
    ui_checkbox("width", &tool->vary_width);
    if (!ed_sketch_form(tool->kind)->strength)
        return;
    ed_bar_place(flow, 84);
    ui_name("sketch-vary-strength");
    ui_checkbox("strength", &tool->vary_strength);
}

void ed_sketch_bar(struct ed_session *session, struct ed_pane *pane)
{
    struct ed_sketch_tool *tool = session->views->sketch;
    struct ed_flow flow = ed_bar_begin(pane);
    kinds(tool, &flow);
    modes(tool, &flow);
    width(session, tool, &flow);
    height(pane, tool, &flow);
    if (!ed_sketch_form(tool->kind)->single)
        variation(tool, &flow);
    ed_bar_end(pane, &flow);
}
