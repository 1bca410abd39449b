#include "editor/ui/icons.h"

#include <stddef.h>

/* An icon is a list of strokes in a square of 16 x 16: numbers x, y, ...; -1 ends a stroke, -2 with a radius
 * draws a ring around the last point, -3 a disc, -9 ends the icon. */
enum { END = -1, RING = -2, DISC = -3, DONE = -9, NUMBERS = 64 };

static const short icons[UI_ICONS][NUMBERS] = {
    [UI_ICON_CLOSE] = {4, 4, 12, 12, END, 12, 4, 4, 12, END, DONE},
    [UI_ICON_MENU] = {3, 4, 13, 4, END, 3, 8, 13, 8, END, 3, 12, 13, 12, END, DONE},
    [UI_ICON_EYE] = {1, 8, 4, 5, 8, 4, 12, 5, 15, 8, 12, 11, 8, 12, 4, 11, 1, 8, END, 8, 8, DISC, 2, DONE},
    [UI_ICON_PIN] = {5, 2, 11, 2, END, 6, 2, 6, 7, 4, 9, 12, 9, 10, 7, 10, 2, END, 8, 9, 8, 14, END, DONE},
    [UI_ICON_LINK] = {2, 12, 6, 12, 10, 4, 14, 4, END, 2, 12, DISC, 2, 14, 4, DISC, 2, DONE},
    [UI_ICON_EXPRESSION] = {7,   3, 5, 3,  4,  5,   4,  13, END, 2,  7,   7,   7,
                            END, 9, 8, 14, 13, END, 14, 8,  9,   13, END, DONE},
    [UI_ICON_RESET] = {4, 5, 8, 3, 12, 5, 13, 9, 11, 12, 8, 13, 4, 12, END, 4, 2, 4, 6, 8, 6, END, DONE},
    [UI_ICON_FOLDER] = {2, 13, 2, 4, 6, 4, 8, 6, 14, 6, 14, 13, 2, 13, END, DONE},
    [UI_ICON_SAVE] = {3, 3,  11, 3,  13, 5,   13, 13, 3, 13, 3,  3, END, 5, 13,  5,
                      9, 11, 9,  11, 13, END, 6,  3,  6, 6,  10, 6, 10,  3, END, DONE},
    [UI_ICON_CAMERA] = {2,  12, 2,  5,  5, 5,  6,   3, 10, 3,    11, 5,
                        14, 5,  14, 12, 2, 12, END, 8, 8,  RING, 2,  DONE},
    [UI_ICON_FRAME] = {2,   5, 2,  2, 5,  2, END, 11,  2, 14, 2,  14, 5,  END, 14, 11, 14, 14, 11,  14,
                       END, 5, 14, 2, 14, 2, 11,  END, 5, 5,  11, 5,  11, 11,  5,  11, 5,  5,  END, DONE},
    [UI_ICON_GRID] = {2, 6, 14, 6, END, 2, 10, 14, 10, END, 6, 2, 6, 14, END, 10, 2, 10, 14, END, DONE},
    [UI_ICON_SCENE] = {1, 13, 6, 4, 9, 9, 11, 6, 15, 13, 1, 13, END, DONE},
    [UI_ICON_SUN] = {8,  8,  RING, 3,   8,  1, 8,  3, END, 8, 13, 8, 15, END, 1,
                     8,  3,  8,    END, 13, 8, 15, 8, END, 3, 3,  4, 4,  END, 12,
                     12, 13, 13,   END, 13, 3, 12, 4, END, 4, 12, 3, 13, END, DONE},
    [UI_ICON_WATER] = {1, 6, 4, 4, 8, 6, 12, 4, 15, 6, END, 1, 11, 4, 9, 8, 11, 12, 9, 15, 11, END, DONE},
    [UI_ICON_RULER] = {2, 11, 11, 2, 14, 5, 5, 14, 2, 11, END, 5, 8, 6, 9, END, 8, 5, 9, 6, END, DONE},
    [UI_ICON_PROFILE] = {2, 2, 2, 14, 14, 14, END, 3, 11, 6, 6, 8, 9, 11, 4, 14, 8, END, DONE},
    [UI_ICON_WIPE] = {2, 3,   14, 3, 14, 13, 2,   13, 2, 3,  END, 8,   1,  8, 15, END, 4,   8,   6,
                      6, END, 4,  8, 6,  10, END, 12, 8, 10, 6,   END, 12, 8, 10, 10,  END, DONE},
    [UI_ICON_BRUSH] = {14, 2, 7, 9, END, 7, 9, 5, 9, 3, 11, 2, 14, 5, 13, 7, 11, 7, 9, END, DONE},
    [UI_ICON_PEN] = {2,   13, 4, 9,  12, 2,   14, 4,  6,  12, 2,   13,
                     END, 10, 4, 12, 6,  END, 8,  14, 14, 13, END, DONE},
    [UI_ICON_REGION] = {2,   3, 5,  3, END, 7,   3, 10, 3,  END, 10, 5,  10, 6,  END, 2, 5,   2,   8,
                        END, 2, 10, 5, 10,  END, 7, 8,  14, 8,   14, 14, 7,  14, 7,   8, END, DONE},
    [UI_ICON_HANDLES] = {3, 13, 8, 4, 13, 11, END, 3, 13, RING, 2, 8, 4, RING, 2, 13, 11, RING, 2, DONE},
    [UI_ICON_PAUSE] = {5, 3, 5, 13, END, 6, 3, 6, 13, END, 10, 3, 10, 13, END, 11, 3, 11, 13, END, DONE},
    [UI_ICON_WARNING] = {8, 2, 15, 14, 1, 14, 8, 2, END, 8, 6, 8, 10, END, 8, 12, DISC, 1, DONE},
    [UI_ICON_CHECK] = {3, 8, 7, 12, 13, 4, END, DONE},
    [UI_ICON_RIGHT] = {6, 3, 11, 8, 6, 13, END, DONE},
    [UI_ICON_UP] = {3, 10, 8, 5, 13, 10, END, DONE},
    [UI_ICON_DOWN] = {3, 6, 8, 11, 13, 6, END, DONE},
    [UI_ICON_GEAR] = {8,   8,  RING, 4,   8,  8,   RING, 2, 8,   1, 8,   4, END, 8,   12,  8,   15,
                      END, 1,  8,    4,   8,  END, 12,   8, 15,  8, END, 3, 3,   5,   5,   END, 11,
                      11,  13, 13,   END, 13, 3,   11,   5, END, 5, 11,  3, 13,  END, DONE},
    [UI_ICON_HELP] = {5, 6, 5, 4, 7, 3, 9, 3, 11, 4, 11, 6, 8, 8, 8, 10, END, 8, 13, DISC, 1, DONE},
    [UI_ICON_LAYERS] = {8, 2, 15, 6, 8, 10, 1, 6, 8, 2, END, 1, 10, 8, 14, 15, 10, END, DONE},
};

void ui_icon(struct ui_draw *draw, int icon, struct ui_rect rect, uint32_t colour)
{
    if (icon < 0 || icon >= UI_ICONS)
        return;
    float side = (rect.w < rect.h ? rect.w : rect.h) * 0.64f, unit = side / 16;
    float x = rect.x + (rect.w - side) / 2, y = rect.y + (rect.h - side) / 2;
    float width = unit * 1.5f < 1 ? 1 : unit * 1.5f;
    struct ui_vec points[NUMBERS / 2], last = {0};
    int count = 0;
    for (size_t i = 0; i < NUMBERS && icons[icon][i] != DONE; i++) {
        int number = icons[icon][i];
        if (number == END) {
            ui_polyline(draw, points, count, colour, width, false);
            count = 0;
        } else if (number == RING || number == DISC) {
            float radius = (float)icons[icon][++i] * unit;
            if (number == RING)
                ui_circle_line(draw, last, radius, colour, width);
            else
                ui_circle_fill(draw, last, radius * 0.7f, colour);
            count = 0;
        } else {
            last = (struct ui_vec){x + (float)number * unit, y + (float)icons[icon][++i] * unit};
            points[count++] = last;
        }
    }
}

bool ui_icon_button(const char *id, int icon, bool on, const char *tooltip)
{
    struct ui_rect rect;
    uint32_t colour;
    bool pressed = ui_square_button(id, on, tooltip, &rect, &colour);
    ui_icon(ui_draw_here(), icon, rect, colour);
    return pressed;
}
