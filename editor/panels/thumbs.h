/*
 * Small pictures from PNG files, as textures: for the start screen. Each is read when it is asked for the
 * first time, at most one in a frame. Threads: the window's, with its context current.
 */
#ifndef ED_PANELS_THUMBS_H
#define ED_PANELS_THUMBS_H

#include <stdbool.h>

struct ed_thumbs;
struct ed_thumbs *ed_thumbs_create(void);
void ed_thumbs_destroy(struct ed_thumbs *thumbs);
void ed_thumbs_frame(struct ed_thumbs *thumbs); /* a new frame: one more may be read */
/* The texture of a picture for NAME ("canyon", of "examples" or "library"), that is installed with the
 * program. 0: there is none, or it was not read yet; `*waiting` is set where it will be. */
unsigned ed_thumb(struct ed_thumbs *thumbs, const char *folder, const char *name, bool *waiting);

#endif
