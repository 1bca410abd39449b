/*
 * The palettes as a texture for the renderers: of 256 colours a row, one row for each palette (map.h).
 * Only for editor/view/.
 * Threads: the window's, with its context current.
 */
#ifndef ED_VIEW_PALETTE_H
#define ED_VIEW_PALETTE_H

/* Delete with glDeleteTextures. */
unsigned ed_palette_texture(void);
/* The place of a palette's row in the texture, 0..1. */
float ed_palette_row(int palette);

#endif
