#include "editor/view/wipe.h"

#include <math.h>

#include "editor/pane/labels.h"

bool ed_wipe_drag(struct ed_pane *pane, bool free)
{
    if (!pane->wipe || !pane->wipe_choice.node[0])
        return pane->wiping = false;
    float x = pane->rect.x + pane->rect.w * pane->wipe_at;
    bool near = free && fabsf(ui_mouse().x - x) < 6 * ui_scale();
    if (near && ui_mouse_pressed(0))
        pane->wiping = true;
    if (!ui_mouse_down(0))
        pane->wiping = false;
    if (pane->wiping) {
        float at = (ui_mouse().x - pane->rect.x) / pane->rect.w;
        pane->wipe_at = at < 0.02f ? 0.02f : at > 0.98f ? 0.98f : at;
    }
    if (near || pane->wiping)
        ui_pointer(UI_SIZE_X);
    return near || pane->wiping;
}

void ed_wipe_draw(struct ed_pane *pane, struct ui_draw *draw, bool hot)
{
    if (!pane->wipe || !pane->wipe_choice.node[0])
        return;
    float x = pane->rect.x + pane->rect.w * pane->wipe_at, middle = pane->rect.y + pane->rect.h / 2;
    struct ui_vec top = {x, pane->rect.y}, bottom = {x, pane->rect.y + pane->rect.h};
    uint32_t colour = ui_colour(hot ? UI_ACCENT : UI_TEXT);
    ui_line(draw, top, bottom, ui_faded(ui_colour(UI_SHADOW), 0.8f), 4);
    ui_line(draw, top, bottom, colour, 1.5f);
    ui_circle_fill(draw, (struct ui_vec){x, middle}, 6 * ui_scale(), colour);
    ed_describe_item("wipe-divider", x - 4, middle - 6, 8, 12, true);
    float pad = 6 * ui_scale();
    const char *left = pane->slots[ED_SLOT_MAIN].want.node, *right = pane->slots[ED_SLOT_SECOND].want.node;
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, left, 0);
    ed_chip(draw, (struct ui_vec){x - size.x - 3 * pad, pane->rect.y + 2 * pad}, left, ui_colour(UI_TEXT));
    ed_chip(draw, (struct ui_vec){x + pad, pane->rect.y + 2 * pad}, right, ui_colour(UI_TEXT));
}
