#include "editor/pane/bar.h"

void ed_flow_place(struct ed_flow *flow, float width)
{
    float gap = 2 * ui_scale();
    if (flow->x > flow->left && flow->x + width > flow->right) {
        flow->x = flow->left;
        flow->y += ui_widget_height() + gap;
    }
    ui_cursor_set((struct ui_vec){flow->x, flow->y});
    flow->x += width + gap;
}

struct ed_flow ed_bar_begin(const struct ed_pane *pane)
{
    float pad = 4 * ui_scale();
    struct ui_rect rect = pane->rect;
    /* The bar is as high as its rows, whose number is known only once they are drawn. */
    struct ui_rect bar = {rect.x, rect.y, rect.w, pane->bar};
    ui_rect_fill(ui_draw_here(), bar, ui_faded(ui_colour(UI_RAISED), 0.5f), 0);
    return (struct ed_flow){rect.x + pad, rect.x + rect.w - pad, rect.x + pad, rect.y + pad};
}

void ed_bar_place(struct ed_flow *flow, float width)
{
    ed_flow_place(flow, width * ui_scale());
    ui_item_width(width * ui_scale());
    flow->x += 4 * ui_scale();
}

void ed_bar_end(struct ed_pane *pane, const struct ed_flow *flow)
{
    pane->bar = flow->y + ui_widget_height() + 4 * ui_scale() - pane->rect.y;
    pane->rect.y += pane->bar;
    pane->rect.h -= pane->bar;
}
