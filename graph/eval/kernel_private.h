/* What both forms of a kernel's preamble are made of: kernel.c for graphics cards, kernel_native.c for the
 * processor. */
#ifndef ORO_GRAPH_EVAL_KERNEL_PRIVATE_H
#define ORO_GRAPH_EVAL_KERNEL_PRIVATE_H

#include "graph/eval/kernel.h"

/* std140 alignment and size of a literal in the uniform block, and how GLSL declares it. Size 0: it is not in
 * the block. */
struct oro_kernel_layout {
    size_t align, size;
    const char *glsl;
    const char *suffix;
};
struct oro_kernel_layout oro_kernel_layout_of(const struct oro_input *input);
size_t oro_kernel_align(size_t offset, size_t align);

void oro_kernel_put_grid(unsigned char *at, const struct oro_grid *grid);
void oro_kernel_put_literal(unsigned char *at, const struct oro_input *input, const void *params);

/* The name in capitals, as in HAS_NAME. */
void oro_kernel_add_upper(struct oro_text *text, const char *word);
/* profile_NAME; gradient_NAME and stop_NAME. */
void oro_kernel_add_profile(const struct oro_input *input, struct oro_text *text);
void oro_kernel_add_gradient(const struct oro_input *input, struct oro_text *text);

/* Whether the dispatch reads a map by that name. */
bool oro_kernel_reads_map(const struct oro_dispatch *dispatch, const char *name);
/* A node that takes and gives a terrain and has a mask changes the terrain in proportion to the mask. Returns
 * the terrain to blend with, if it is linked; NULL: the output is not blended. */
const struct oro_input *oro_kernel_blends(const struct oro_node_type *type, const struct oro_output *output);

#endif
