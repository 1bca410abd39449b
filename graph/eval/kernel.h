/*
 * What the engine puts in front of a kernel: declarations made from the descriptor (docs/adding-a-node.md
 * lists them), and the contents of the uniform block that they read. Pure text and bytes; knows no device.
 */
#ifndef ORO_GRAPH_EVAL_KERNEL_H
#define ORO_GRAPH_EVAL_KERNEL_H

#include "base/memory.h"
#include "base/text.h"
#include "graph/type/node.h"

/* Group size of passes that do not choose one. */
enum { ORO_GROUP_SIDE = 16 };

/* The preamble of a pass of a node. `linked` has one entry per input of the type: is a raster linked that
 * kernels read? Never to an uplift or a network input; and a map with an uplift gives its number.
 * `slots` are the pass's own buffers; linked maps that no slot names follow them as further bindings, in the
 * order of the inputs. */
void oro_kernel_preamble(const struct oro_node_type *type, const bool *linked, const struct oro_pass *pass,
                         struct oro_text *text);

/* Fills the slots of the default evaluation: linked inputs, then outputs as "<name>_out" (names in the
 * arena). */
bool oro_kernel_default_slots(const struct oro_node_type *type, const bool *linked, struct oro_arena *arena,
                              struct oro_pass *pass);
/* Whether input `index` is bound behind the slots: a linked map that is not a slot itself. */
bool oro_kernel_binds_map(const struct oro_node_type *type, const bool *linked, const struct oro_pass *pass,
                          size_t index);

/* The uniform block: grids, literals, the pass's constants. The caller frees with oro_free; NULL: memory is
 * out. `pass_offset` is where the pass's constants begin. */
unsigned char *oro_kernel_constants(const struct oro_node_type *type, const void *params,
                                    const struct oro_pass *pass, size_t *size, size_t *pass_offset);

#endif
