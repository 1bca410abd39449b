/*
 * The palettes, and a texture of them for the renderers: of 256 colours a row, one row for each palette.
 * Threads: the window's; for the texture, with its context current.
 */
#ifndef ED_VIEW_PALETTE_H
#define ED_VIEW_PALETTE_H

enum ed_palette {
    ED_PALETTE_TERRAIN,
    ED_PALETTE_VIRIDIS,
    ED_PALETTE_GREY,
    ED_PALETTE_DIVERGING,
    ED_PALETTES
};
const char *ed_palette_name(enum ed_palette palette);
/* Colour of a palette at 0..1; sRGB. The renderers take the same: so legends can be drawn. */
void ed_palette_colour(enum ed_palette palette, float at, float rgb[3]);

/* Delete with glDeleteTextures. */
unsigned ed_palette_texture(void);
/* The place of a palette's row in the texture, 0..1. */
float ed_palette_row(int palette);

#endif
