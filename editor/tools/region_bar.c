/* The bar of the tool that copies regions. */
#include "editor/tools/region_private.h"
#include "editor/tools/region_tool.h"

/* Enabled where it does something. */
static bool button(struct ed_flow *flow, const char *label, const char *name, bool enabled, const char *doc)
{
    ed_bar_place(flow, 60);
    ui_disabled_begin(!enabled);
    ui_name("button:%s", name);
    bool pressed = ui_button(label, 60 * ui_scale(), 0);
    ui_tooltip("%s", doc);
    ui_disabled_end();
    return pressed;
}

/* Where the button pastes, which has no pointer to go by: beside the region, towards the middle of the
 * ground. */
static void find_beside(const struct ed_pane *pane, const struct ed_region *region, double at[2])
{
    double reach = region->lasso ? 0 : region->radius[0];
    for (size_t i = 0; region->lasso && i < region->outline.count; i++) {
        double away = region->outline.items[i].x - region->from[0];
        reach = away > reach ? away : -away > reach ? -away : reach;
    }
    bool west = region->from[0] > pane->framed.x + pane->framed.width * pane->framed.cell / 2;
    at[0] = region->from[0] + (west ? -2.2 : 2.2) * reach;
    at[1] = region->from[1];
}

static const char *advice(const struct ed_region_tool *tool)
{
    if (tool->copied)
        return "Ctrl+V pastes at the pointer, as often as wanted";
    if (tool->selected)
        return "A drag moves it, with Ctrl copies it";
    return "Drag over what is to be copied, moved or erased";
}

void ed_region_bar(struct ed_session *session, struct ed_pane *pane)
{
    static const char *const shapes[] = {"Ellipse", "Lasso"};
    struct ed_region_tool *tool = session->views->region;
    struct ed_flow flow = ed_bar_begin(pane);
    int shape = tool->lasso;
    double at[2];
    ed_bar_place(&flow, 84);
    ui_name("region-shape");
    if (ui_combo("##shape-of-region", &shape, shapes, 2))
        tool->lasso = shape == 1;
    ui_tooltip("Ellipse: drag from corner to corner, with Shift a circle. Lasso: drag around");
    if (button(&flow, "Copy", "copy-region", tool->selected, "Ctrl+C"))
        ed_region_copy(session, pane);
    if (button(&flow, "Cut", "cut-region", tool->selected, "Ctrl+X: a paste brings it back elsewhere"))
        ed_region_erase(session, pane, true);
    find_beside(pane, &tool->region, at);
    if (button(&flow, "Paste", "paste-region", tool->copied, "Ctrl+V pastes at the pointer; this, beside"))
        ed_region_paste(session, pane, at);
    if (button(&flow, "Erase", "erase-region", tool->selected, "Delete"))
        ed_region_erase(session, pane, false);
    ui_same_line(8);
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "%s", advice(tool));
    ed_bar_end(pane, &flow);
}
