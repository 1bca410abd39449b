/*
 * A render target for the picture of a view: a colour texture (RGBA8) with a framebuffer, of a size in
 * pixels. Row 0 of the texture is the top of the picture.
 *
 * Whoever draws into one leaves OpenGL with nothing bound (framebuffer 0, program 0, no textures, samplers,
 * vertex array) and scissor, depth, stencil, culling and blending off; the viewport, the clear colour, blend
 * factors and the unpack alignment are changed, and whoever needs others sets them.
 * Threads: the window's, with its context current.
 */
#ifndef ED_VIEW_TARGET_H
#define ED_VIEW_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct ed_target {
    unsigned framebuffer, texture;
    int width, height;
};
/* Resizes the target if it has another size. */
bool ed_target_size(struct ed_target *target, int width, int height, struct oro_error *err);
/* The same, in half floats, for means of many pictures; where the driver cannot draw into these, in bytes. */
bool ed_target_size_fine(struct ed_target *target, int width, int height);
void ed_target_free(struct ed_target *target);
/* Its pixels, 4 bytes each, which the caller frees (oro_free). NULL: memory is out, or it has none. */
uint8_t *ed_target_read(const struct ed_target *target, struct oro_error *err);
/* Copies the part to the right of the column `from` from another target of the same size. */
void ed_target_join(const struct ed_target *from, int column, const struct ed_target *into);

#endif
