#include "editor/pane/labels.h"

#include <math.h>
#include <stdio.h>

const char *ed_quantity(char *out, size_t size, double value, enum oro_unit unit)
{
    double magnitude = fabs(value);
    value = magnitude < 0.005 && unit != ORO_NO_UNIT && unit != ORO_METRE_PER_YEAR ? 0 : value;
    if (!isfinite(value))
        snprintf(out, size, "\xe2\x80\x93");
    else if (unit == ORO_METRE)
        snprintf(out, size,
                 magnitude > 0 && magnitude < 10 ? "%.2f m"
                 : magnitude < 100000            ? "%.1f m"
                                                 : "%.0f m",
                 value);
    else if (unit == ORO_SQUARE_METRE && magnitude >= 1e6)
        snprintf(out, size, "%.2f km\xc2\xb2", value / 1e6);
    else if (unit == ORO_SQUARE_METRE)
        snprintf(out, size, "%.0f m\xc2\xb2", value);
    else if (unit == ORO_DEGREE)
        snprintf(out, size, "%.1f\xc2\xb0", value);
    else if (unit == ORO_PERCENT)
        snprintf(out, size, "%.1f %%", value);
    else
        snprintf(out, size, "%.4g%s%s", value, unit == ORO_NO_UNIT ? "" : " ", oro_unit_name(unit));
    return out;
}

float ed_chip(struct ui_draw *draw, struct ui_vec at, const char *text, uint32_t colour)
{
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, text, 0);
    float pad = 5 * ui_scale();
    struct ui_rect rect = {at.x, at.y, size.x + 2 * pad, size.y + pad};
    ui_rect_fill(draw, rect, ui_faded(ui_colour(UI_PANEL), 0.86f), 4 * ui_scale());
    ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){at.x + pad, at.y + pad / 2}, colour, text, NULL);
    return rect.w;
}
