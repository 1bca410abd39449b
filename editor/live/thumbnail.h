/* Makes thumbnails of pictures, for nodes. Internal to live/. Any thread. */
#ifndef ED_LIVE_THUMBNAIL_H
#define ED_LIVE_THUMBNAIL_H

#include "editor/live/live.h"

/* Fills width, height and rgba. Pixels outside the picture, and those without a number, are transparent. */
bool ed_thumbnail_draw(const struct ed_picture *picture, struct ed_thumbnail *thumbnail,
                       struct oro_error *err);

#endif
