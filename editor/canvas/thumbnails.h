/* Thumbnails of nodes in one texture, so that many are drawn at once. The least recently drawn give way. */
#ifndef ED_CANVAS_THUMBNAILS_H
#define ED_CANVAS_THUMBNAILS_H

#include "editor/live/live.h"
#include "editor/ui/ui.h"

enum { ED_ATLAS_COLUMNS = 20, ED_ATLAS_SLOTS = ED_ATLAS_COLUMNS * ED_ATLAS_COLUMNS };

struct ed_thumbnail_slot {
    char node[128]; /* "": free */
    uint64_t serial, drawn;
    int width, height; /* 0: none has come yet */
};
struct ed_thumbnails {
    unsigned texture; /* 0: not made yet */
    uint64_t frame;
    int uploads; /* in this frame */
    struct ed_thumbnail_slot *slots;
};

void ed_thumbnails_frame(struct ed_thumbnails *thumbnails); /* a frame begins */
/* Draws that of a node, filling `rect` from its middle. False: there is none. */
bool ed_thumbnail_paint(struct ed_thumbnails *thumbnails, struct ed_live *live, const char *node,
                        struct ui_draw *draw, struct ui_rect rect, uint32_t tint, float rounding);
void ed_thumbnails_forget(struct ed_thumbnails *thumbnails); /* all of them */
void ed_thumbnails_free(struct ed_thumbnails *thumbnails);

#endif
