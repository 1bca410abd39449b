/* The ways in which a kernel can run on the processor, side by side (oro_evaluator_options.compare). */
#include <string.h>

#include "base/clock.h"
#include "graph/eval/eval_private.h"
#include "graph/eval/kernel.h"

struct compared {
    struct oro_methods_compared told;
    struct oro_buffer *buffers[ORO_BUFFERS_MAX]; /* that the kernel writes */
    void *before[ORO_BUFFERS_MAX];               /* what was in them */
};

static void *copy_of(struct oro_eval *eval, struct oro_buffer *buffer, size_t bytes)
{
    const void *memory = oro_eval_memory(eval, buffer, false);
    void *copy = memory ? oro_alloc(bytes, 1) : NULL;
    if (copy)
        memcpy(copy, memory, bytes);
    else if (memory)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory to compare a kernel");
    return copy;
}

static bool begin(struct oro_eval *eval, const struct oro_dispatch *dispatch, struct compared *compared)
{
    struct oro_methods_compared *told = &compared->told;
    *told = (struct oro_methods_compared){.kernel = dispatch->kernel,
                                          .cells = (long)dispatch->columns * dispatch->rows};
    for (int i = 0; i < oro_kernel_slot_count(dispatch); i++) {
        const struct oro_slot *slot = &dispatch->slots[i];
        const struct oro_owned *owned = oro_eval_owned(eval, slot->buffer);
        if (slot->access == ORO_READ || !owned)
            continue;
        int at = told->buffer_count++;
        told->buffers[at] =
            (struct oro_compared){.slot = slot->name, .type = slot->type, .bytes = owned->bytes};
        compared->buffers[at] = slot->buffer;
        compared->before[at] = copy_of(eval, slot->buffer, owned->bytes);
        if (!compared->before[at])
            return false;
    }
    return true;
}

static bool run_once(struct oro_eval *eval, struct oro_dispatch *dispatch, enum oro_method method)
{
    return method == ORO_BY_DRIVER   ? oro_eval_run_kernel(eval, dispatch)
           : method == ORO_BY_NATIVE ? oro_eval_run_native(eval, dispatch)
                                     : oro_eval_run(eval, dispatch);
}

static bool run(struct oro_eval *eval, struct oro_dispatch *dispatch, enum oro_method method,
                struct compared *compared)
{
    struct oro_methods_compared *told = &compared->told;
    int times = method == ORO_BY_DRIVER ? 1 : eval->evaluator->options.compare_times;
    for (int i = 0; i == 0 || i < times; i++) {
        for (int b = 0; b < told->buffer_count; b++) {
            void *memory = oro_eval_memory(eval, compared->buffers[b], true);
            if (!memory)
                return false;
            memcpy(memory, compared->before[b], told->buffers[b].bytes);
        }
        double begun = oro_thread_work();
        if (!run_once(eval, dispatch, method))
            return false;
        double seconds = oro_thread_work() - begun;
        if (i == 0 || seconds < told->seconds[method])
            told->seconds[method] = seconds;
    }
    told->ran[method] = true;
    for (int b = 0; b < told->buffer_count; b++)
        if (!(told->buffers[b].left[method] = copy_of(eval, compared->buffers[b], told->buffers[b].bytes)))
            return false;
    return true;
}

bool oro_eval_run_all_methods(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    const struct oro_evaluator_options *options = &eval->evaluator->options;
    const bool has[ORO_METHODS] = {[ORO_BY_DRIVER] = !options->compare_code_alone ||
                                                     (!dispatch->native && !dispatch->described),
                                   [ORO_BY_NATIVE] = dispatch->native != NULL,
                                   [ORO_BY_HAND] = dispatch->described != NULL};
    struct compared compared = {0};
    bool ok = begin(eval, dispatch, &compared);
    for (int method = 0; ok && method < ORO_METHODS; method++)
        ok = !has[method] || run(eval, dispatch, (enum oro_method)method, &compared);
    if (ok)
        options->compare(options->user, &compared.told);
    for (int b = 0; b < compared.told.buffer_count; b++) {
        for (int method = 0; method < ORO_METHODS; method++)
            oro_free(compared.told.buffers[b].left[method]);
        oro_free(compared.before[b]);
    }
    return ok && !eval->failed;
}
