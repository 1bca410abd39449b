/*
 * Small pictures of examples and library graphs for the start screen: textures from PNG files. Each is read
 * when it is first asked for, at most one per frame. Threads: the window's, with its context current.
 */
#ifndef ED_PANELS_THUMBS_H
#define ED_PANELS_THUMBS_H

#include <stdbool.h>

struct ed_thumbs;
struct ed_thumbs *ed_thumbs_create(void);
void ed_thumbs_destroy(struct ed_thumbs *thumbs);
void ed_thumbs_frame(struct ed_thumbs *thumbs); /* a new frame: one more may be read */
/* The texture of the installed picture for NAME ("canyon", in "examples" or "library"). 0: there is none, or
 * it has not been read yet, in which case `*waiting` is set. */
unsigned ed_thumb(struct ed_thumbs *thumbs, const char *folder, const char *name, bool *waiting);

#endif
