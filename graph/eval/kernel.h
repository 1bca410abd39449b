/*
 * What the engine puts in front of a kernel: declarations made from the descriptor (docs/adding-a-node.md
 * lists them), and the contents of the uniform block that they read. It makes only text and bytes, and knows
 * no device.
 */
#ifndef ORO_GRAPH_EVAL_KERNEL_H
#define ORO_GRAPH_EVAL_KERNEL_H

#include "base/memory.h"
#include "base/text.h"
#include "graph/type/node.h"

/* Group size of dispatches that do not choose one. */
enum { ORO_GROUP_SIDE = 16 };

/* The preamble of a dispatch of a node. `linked` has one entry per input of the type: whether a raster is
 * linked that kernels read. That is never so for uplift and network inputs, nor for a map to which an uplift
 * is linked; such a map gives its number. Linked maps that no slot names are bound after the slots, in the
 * order of the inputs. */
void oro_kernel_preamble(const struct oro_node_type *type, const bool *linked,
                         const struct oro_dispatch *dispatch, struct oro_text *text);

/* The GLSL type of a raster's element: "float", "vec2", "vec4". */
const char *oro_kernel_element(enum oro_type type);
int oro_kernel_slot_count(const struct oro_dispatch *dispatch);
/* The number of the slot whose name is `name` followed by `suffix`; -1: there is none. */
int oro_kernel_find_slot(const struct oro_dispatch *dispatch, const char *name, const char *suffix);
/* Adds the missing slots of the default evaluation: linked rasters, then outputs as "<name>_out" (names in
 * the arena). False: there are too many, or memory is out. */
bool oro_kernel_default_slots(const struct oro_node_type *type, const bool *linked, struct oro_arena *arena,
                              struct oro_dispatch *dispatch);
/* Whether input `index` is bound after the slots: a linked map that is not a slot itself. */
bool oro_kernel_binds_map(const struct oro_node_type *type, const bool *linked,
                          const struct oro_dispatch *dispatch, size_t index);

/* The input that set_OUTPUT of the kernel blends with, by the map that is the node's mask; NULL: it does not
 * blend, or the dispatch does not have it. */
const struct oro_input *oro_kernel_blended_with(const struct oro_node_type *type, const bool *linked,
                                                const struct oro_dispatch *dispatch,
                                                const struct oro_output *output);

/* The uniform block: grids, literals, the dispatch's constants. The caller frees with oro_free; NULL: memory
 * is out. `own_offset` is where the dispatch's constants begin. */
unsigned char *oro_kernel_constants(const struct oro_node_type *type, const void *params,
                                    const struct oro_dispatch *dispatch, size_t *size, size_t *own_offset);

#endif
