/* Shared by the files that read script kernels, compose their text, and run them. */
#ifndef ORO_LUA_KERNEL_KERNEL_PRIVATE_H
#define ORO_LUA_KERNEL_KERNEL_PRIVATE_H

#include "graph/eval/kernel.h"
#include "lua/glsl/glsl.h"
#include "lua/kernel/kernel.h"

enum {
    ORO_SCRIPT_RASTERS_MAX = ORO_SCRIPT_BUFFERS_MAX + ORO_SCRIPT_OUTPUTS_MAX,
    ORO_SCRIPT_NAMES_MAX = ORO_SCRIPT_INPUTS_MAX + ORO_SCRIPT_RASTERS_MAX,
};

/* A buffer or an output. */
struct oro_kernel_raster {
    const char *name;
    enum oro_type type;
    const struct oro_output *output; /* which the raster is; NULL: it is a buffer */
    bool readable;                   /* NAME_at reads it, not an input of the same name */
    struct oro_buffer *now;          /* its contents; NULL: nothing was written yet, so it reads as zero */
    struct oro_buffer *spare;        /* where a pass that both reads and sets it writes the next contents */
    bool kept;                       /* `now` belongs to a stored state: it must not be written to */
};

/* A kernel and what it uses. */
struct oro_script_use {
    bool used;        /* by a pass */
    const char *text; /* guarded */
    struct oro_glsl_facts facts;
    unsigned reads, sets; /* rasters, one bit each */
    uint64_t inputs;      /* that the kernel reads, one bit each */
};

struct oro_script_kernels {
    const struct oro_script *script;
    struct oro_arena *arena;
    struct oro_kernel_raster rasters[ORO_SCRIPT_RASTERS_MAX];
    int raster_count;
    struct oro_script_use uses[ORO_SCRIPT_KERNELS_MAX];
};

/* Whether the kernel can fail while it runs, so that the status must be read. */
bool oro_script_can_fail(const struct oro_script_use *use);

/* What a slot is bound to. */
enum oro_script_bound { ORO_BOUND_INPUT, ORO_BOUND_OLD, ORO_BOUND_NEW, ORO_BOUND_STATUS };
struct oro_script_binding {
    enum oro_script_bound to;
    int index; /* input or raster */
};

/* A variant of a kernel that is compiled by itself: depends on which rasters are still empty, and on whether
 * it blends `terrain` by `mask`. */
struct oro_script_variant {
    int kernel;
    unsigned empty;
    bool blends;
    struct oro_dispatch dispatch;
    struct oro_script_binding bindings[ORO_BUFFERS_MAX];
    int binding_count;
    const char *maps[ORO_SCRIPT_INPUTS_MAX + 1];
    struct oro_script_variant *next;
};

/* Fills the dispatch and the bindings, with texts in `arena`. `linked` says for each input whether a raster
 * is linked. */
bool oro_script_compose(const struct oro_script_kernels *kernels, const bool *linked,
                        struct oro_script_variant *variant, struct oro_error *err);

/* The rasters that the kernel both reads and sets and that are not empty: they need a second buffer. */
unsigned oro_script_doubled(const struct oro_script_use *use, unsigned empty);

/* Checks what kernels left in the status: 0, or the error to report. */
bool oro_script_status(const struct oro_script_kernels *kernels, uint32_t status, struct oro_error *err);

#endif
