/* Kernels and the processor's code for them, side by side (oro_evaluator_options.compare). */
#include <string.h>

#include "graph/eval/eval_private.h"
#include "graph/eval/kernel.h"

/* A buffer that both write: as it was, then what the kernel made of it. */
struct written {
    const struct oro_slot *slot;
    size_t bytes;
    void *copy;
};

static void swap_bytes(unsigned char *a, unsigned char *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned char was = a[i];
        a[i] = b[i];
        b[i] = was;
    }
}

static int find_written(struct oro_eval *eval, const struct oro_dispatch *dispatch, struct written *written)
{
    int count = 0;
    for (int i = 0; i < oro_kernel_slot_count(dispatch); i++) {
        const struct oro_owned *owned = oro_eval_owned(eval, dispatch->slots[i].buffer);
        if (dispatch->slots[i].access != ORO_READ && owned)
            written[count++] = (struct written){.slot = &dispatch->slots[i], .bytes = owned->bytes};
    }
    return count;
}

static bool save(struct oro_eval *eval, struct written *written)
{
    const void *memory = oro_eval_memory(eval, written->slot->buffer, true);
    written->copy = memory ? oro_alloc(written->bytes, 1) : NULL;
    if (written->copy)
        memcpy(written->copy, memory, written->bytes);
    return written->copy || (memory && oro_eval_fail(eval, ORO_E_MEMORY, "no memory to compare a kernel"));
}

bool oro_eval_run_both(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    const struct oro_evaluator_options *options = &eval->evaluator->options;
    struct written written[ORO_BUFFERS_MAX];
    int count = find_written(eval, dispatch, written);
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = save(eval, &written[i]);
    ok = ok && oro_eval_run_kernel(eval, dispatch);
    for (int i = 0; ok && i < count; i++) {
        void *memory = oro_eval_memory(eval, written[i].slot->buffer, true);
        ok = memory;
        if (ok)
            swap_bytes(memory, written[i].copy, written[i].bytes);
    }
    ok = ok && oro_eval_run(eval, dispatch);
    for (int i = 0; i < count; i++) {
        const void *memory = ok ? oro_eval_memory(eval, written[i].slot->buffer, true) : NULL;
        if (memory)
            options->compare(options->user, dispatch->kernel, written[i].slot, written[i].copy, memory,
                             written[i].bytes);
        oro_free(written[i].copy);
    }
    return ok && !eval->failed;
}
