/* The shaders of the views, embedded from editor/shaders/: sorted by name. */
#ifndef ED_VIEW_SHADERS_H
#define ED_VIEW_SHADERS_H

#include "devices/gpu/gpu.h"

extern const struct oro_shader_file ed_shader_files[];
extern const size_t ed_shader_file_count;

#endif
