/* Script kernels: what the text that is put in front of them and their runs share. */
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
    const struct oro_output *output; /* that it is; NULL: a buffer */
    bool readable;                   /* NAME_at is its own, not an input's */
    struct oro_buffer *now;          /* its contents; NULL: nothing was written, it counts as zero */
    struct oro_buffer *spare;        /* the next contents, where a pass reads it and sets it */
    bool kept;                       /* `now` belongs to a stored state: it must not be written to */
};

/* A kernel with what it does. */
struct oro_script_use {
    bool used;        /* by a pass */
    const char *text; /* guarded */
    struct oro_glsl_facts facts;
    unsigned reads, sets; /* rasters, one bit each */
    uint64_t inputs;      /* that it reads, one bit each */
};

struct oro_script_kernels {
    const struct oro_script *script;
    struct oro_arena *arena;
    struct oro_kernel_raster rasters[ORO_SCRIPT_RASTERS_MAX];
    int raster_count;
    struct oro_script_use uses[ORO_SCRIPT_KERNELS_MAX];
};

/* Whether the kernel can make a mistake while it runs, which is looked for then. */
bool oro_script_can_fail(const struct oro_script_use *use);

/* What a slot is bound to. */
enum oro_script_bound { ORO_BOUND_INPUT, ORO_BOUND_OLD, ORO_BOUND_NEW, ORO_BOUND_STATUS };
struct oro_script_binding {
    enum oro_script_bound to;
    int index; /* input or raster */
};

/* A kernel as it is compiled: which rasters are empty as yet, and whether it blends `terrain` by `mask`. */
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

/* Fills the dispatch and the bindings, with texts in `arena`. `linked` tells of each input whether a raster
 * is. */
bool oro_script_compose(const struct oro_script_kernels *kernels, const bool *linked,
                        struct oro_script_variant *variant, struct oro_error *err);

/* Rasters that the kernel both reads and sets, where they are not empty: they need a second buffer. */
unsigned oro_script_doubled(const struct oro_script_use *use, unsigned empty);

/* What a kernel left in the status: 0, or a mistake in it. Says what it is. */
bool oro_script_status(const struct oro_script_kernels *kernels, uint32_t status, struct oro_error *err);

#endif
