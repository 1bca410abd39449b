/*
 * A kernel's preamble as the processor gets it, whose code is made from the kernel's text when the program is
 * built (devices/processor/native.h). So that there are few texts, a preamble declares only what the kernel
 * mentions, sorted by name, and what differs from use to use is in the uniform block: which inputs are linked
 * (HAS_NAME is an int there), and whether terrains are blended. Buffers of inputs that are not linked are
 * declared all the same, and bound as NULL.
 */
#ifndef ORO_GRAPH_EVAL_KERNEL_NATIVE_H
#define ORO_GRAPH_EVAL_KERNEL_NATIVE_H

#include "base/words.h"
#include "graph/eval/kernel.h"

/* As many as the bits that say which of them are written. */
enum { ORO_NATIVE_BUFFERS_MAX = 32 };

/* What a preamble declares, in its order, which is that of bindings. The block is in a set of its own. */
struct oro_native_form {
    struct oro_native_slot {
        const char *name;
        int slot;                      /* of the dispatch; -1: none */
        const struct oro_input *input; /* NULL: no input has this name */
    } buffers[ORO_NATIVE_BUFFERS_MAX];
    int buffer_count;
    struct oro_native_member {
        const struct oro_input *input;
        size_t offset; /* in the block */
    } * literals, *links;
    size_t literal_count, link_count;
    size_t blends;                                    /* offset of the int for blending; 0: nothing blends */
    int constant_count, constants[ORO_CONSTANTS_MAX]; /* by number in the dispatch */
    size_t constants_offset, block_size;
};

/* Fills `form`, whose lists are in the arena, and adds the preamble to `text`. `words` are those of the
 * kernel with all that it includes. False: memory is out, or it has too many buffers (`*fits` is false then).
 */
bool oro_kernel_native(const struct oro_node_type *type, const bool *linked,
                       const struct oro_dispatch *dispatch, const struct oro_word_set *words,
                       struct oro_arena *arena, struct oro_native_form *form, bool *fits,
                       struct oro_text *text);

/* Fills the block, of `form->block_size` zeroed bytes. */
void oro_kernel_native_block(const struct oro_node_type *type, const bool *linked, const void *params,
                             const struct oro_dispatch *dispatch, const struct oro_native_form *form,
                             unsigned char *block);

#endif
