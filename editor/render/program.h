/*
 * The views' shader programs, made of the embedded sources (shaders.h), and small OpenGL calls that all
 * renderers share. Threads: the window's, with its context current.
 */
#ifndef ED_RENDER_PROGRAM_H
#define ED_RENDER_PROGRAM_H

#include <GLES3/gl31.h>

#include "base/error.h"

/* Links a program that fills the picture: `parts` are names of shader files, put after each other in this
 * order, ending with NULL. The last names the stage: .frag (drawn with full.vert) or .comp. Fails with
 * ORO_E_KERNEL and returns 0. Delete with glDeleteProgram. */
unsigned ed_program_create(const char *const *parts, struct oro_error *err);

/* Values of the program in use; unknown names are ignored. */
void ed_set_int(unsigned program, const char *name, int value);
void ed_set_int2(unsigned program, const char *name, int x, int y);
void ed_set_float(unsigned program, const char *name, double value);
void ed_set_float2(unsigned program, const char *name, double x, double y);
void ed_set_float3(unsigned program, const char *name, const double value[3]);
void ed_set_float4(unsigned program, const char *name, const float value[4]);
/* A texture clamped to its edges. `smooth`: linear filtering, else the nearest texel of the nearest level.
 * Delete with glDeleteTextures. */
unsigned ed_texture_create(unsigned format, int levels, int width, int height, bool smooth);
/* Binds a texture to a unit and tells the sampler. */
void ed_set_texture(unsigned program, const char *name, int unit, unsigned texture);

/* One triangle over the viewport; needs no vertex buffer. */
void ed_draw_full(void);
/* Call these before and after a renderer draws: they leave nothing bound and nothing switched on. They do not
 * restore the viewport, the clear colour and the blend function: whoever draws next sets those. */
void ed_gl_neutral(void);

#endif
