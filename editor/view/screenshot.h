/*
 * Pictures of a view, and films around it, as files.
 * Threads: the window's.
 */
#ifndef ED_VIEW_SCREENSHOT_H
#define ED_VIEW_SCREENSHOT_H

#include "editor/pane/pane.h"

enum { ED_PICTURE_MAX = 16384, ED_FILM_MAX = 3600 };

/* `times` the view's own size, else a size in pixels; 0 x 0: the user's. */
struct ed_picture_preset {
    const char *name;
    int times, width, height;
};
const struct ed_picture_preset *ed_picture_preset(int preset); /* NULL: there are no more */
/* 1..ED_PICTURE_MAX a side. */
void ed_picture_size(const struct ed_picture_wish *wish, const struct ed_pane *pane, int *width, int *height);

/* Asks for a file, or for a film's folder, and begins what the views' wish says. */
void ed_pane_screenshot(struct ed_session *session, struct ed_pane *pane);
/* Goes on with a picture that was asked for; once a frame. */
void ed_screenshot_tick(struct ed_session *session);
/* Ends it; nothing is waited for, and what is written of a film stays. */
void ed_screenshot_stop(struct ed_session *session);
/* Shows that a picture of this pane is being made, and how far it is. */
void ed_screenshot_note(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw);
bool ed_screenshot_busy(const struct ed_views *views);
/* Waits for what is being written. */
void ed_screenshot_free(struct ed_views *views);

#endif
