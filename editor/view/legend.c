#include "editor/view/legend.h"

#include <math.h>

#include "editor/pane/labels.h"

static uint32_t colour_at(enum ed_palette palette, float at)
{
    float rgb[3];
    ed_palette_colour(palette, at, rgb);
    return ui_rgba((unsigned)(rgb[0] * 255 + 0.5f), (unsigned)(rgb[1] * 255 + 0.5f),
                   (unsigned)(rgb[2] * 255 + 0.5f), 255);
}

/* The part of the palette that the values use: with or without its sea. Values below 0 only by rounding are
 * no sea. */
static float lowest_at(const struct ed_map_scale *scale)
{
    if (scale->zero_at > 0 && scale->low < 0 && -scale->low < 1e-3f * scale->high)
        return scale->zero_at;
    return ed_map_scale_at(scale, scale->low);
}

static void draw_bar(const struct ed_map_scale *scale, struct ui_draw *draw, struct ui_rect bar)
{
    enum { PARTS = 32 };
    float from = lowest_at(scale), part = bar.h / PARTS;
    for (int i = 0; i < PARTS; i++) {
        float upper = 1 - (1 - from) * (float)i / PARTS, lower = 1 - (1 - from) * (float)(i + 1) / PARTS;
        ui_rect_shade(draw, (struct ui_rect){bar.x, bar.y + part * (float)i, bar.w, part + 0.5f},
                      colour_at(scale->palette, upper), colour_at(scale->palette, lower));
    }
}

enum { TICKS = 4 };

/* Returns the width of the widest label. */
static float tick_texts(const struct ed_map_scale *scale, enum oro_unit unit, char texts[TICKS + 1][40])
{
    float from = lowest_at(scale), widest = 0;
    for (int i = 0; i <= TICKS; i++) {
        float value = ed_map_scale_value(scale, 1 - (1 - from) * (float)i / TICKS);
        ed_quantity(texts[i], sizeof texts[i], (double)value, unit);
        widest = fmaxf(widest, ui_text_extent(UI_SMALL, 0, texts[i], 0).x);
    }
    return widest;
}

void ed_legend_draw(struct ed_pane *pane, struct ui_draw *draw)
{
    struct ed_map_scale scale;
    char texts[TICKS + 1][40];
    const struct ed_picture *picture = pane->slots[ED_SLOT_MAIN].picture;
    float unit = ui_scale(), height = 120 * unit, width = 10 * unit;
    if (pane->scene || !picture || !picture->data || pane->rect.h < 2 * height)
        return;
    struct ed_map_look look = ed_pane_map_look(pane);
    ed_map_scale_of(&look, picture, &scale);
    if (!scale.valued || !(scale.high > scale.low))
        return;
    float room = tick_texts(&scale, scale.mode == ED_MAP_SLOPE ? ORO_DEGREE : picture->unit, texts);
    struct ui_rect bar = {pane->rect.x + pane->rect.w - width - 18 * unit, pane->rect.y + 22 * unit, width,
                          height};
    struct ui_rect box = {bar.x - room - 14 * unit, bar.y - 11 * unit, bar.w + room + 22 * unit,
                          bar.h + 22 * unit};
    ui_rect_fill(draw, box, ui_faded(ui_colour(UI_PANEL), 0.8f), 5 * unit);
    draw_bar(&scale, draw, bar);
    for (int i = 0; i <= TICKS; i++) {
        struct ui_vec size = ui_text_extent(UI_SMALL, 0, texts[i], 0);
        struct ui_vec at = {bar.x - size.x - 6 * unit, bar.y + height * (float)i / TICKS - size.y / 2};
        ui_draw_text(draw, UI_SMALL, 0, at, ui_colour(UI_TEXT), texts[i], NULL);
    }
}
