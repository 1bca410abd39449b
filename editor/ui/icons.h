/* Icons, drawn with lines so that they are sharp at any scale. */
#ifndef ED_UI_ICONS_H
#define ED_UI_ICONS_H

#include "editor/ui/ui.h"

enum ui_icon_kind {
    UI_ICON_CLOSE,
    UI_ICON_MENU,
    UI_ICON_EYE,
    UI_ICON_PIN,
    UI_ICON_LINK,
    UI_ICON_EXPRESSION, /* fx */
    UI_ICON_RESET,
    UI_ICON_FOLDER,
    UI_ICON_SAVE,
    UI_ICON_CAMERA,
    UI_ICON_FRAME, /* frame all */
    UI_ICON_GRID,
    UI_ICON_SCENE, /* in depth */
    UI_ICON_SUN,
    UI_ICON_WATER,
    UI_ICON_RULER,
    UI_ICON_PROFILE,
    UI_ICON_WIPE,
    UI_ICON_BRUSH,
    UI_ICON_PEN,
    UI_ICON_REGION,
    UI_ICON_HANDLES,
    UI_ICON_PAUSE,
    UI_ICON_WARNING,
    UI_ICON_CHECK,
    UI_ICON_RIGHT,
    UI_ICON_UP,
    UI_ICON_DOWN,
    UI_ICON_GEAR,
    UI_ICON_HELP,
    UI_ICON_LAYERS,
    UI_ICONS,
};
/* In the middle of `rect`, some two thirds of its shorter side. */
void ui_icon(struct ui_draw *draw, int icon, struct ui_rect rect, uint32_t colour);
/* A flat square with an icon. `on`: shown as pressed. */
bool ui_icon_button(const char *id, int icon, bool on, const char *tooltip);

#endif
