/*
 * The OpenGL ES device from the inside: what the files of devices/gpu/ share. Not for the rest of the
 * program, except that tests use the hooks at the end.
 */
#ifndef ORO_GPU_INTERNAL_H
#define ORO_GPU_INTERNAL_H

#include <GLES3/gl31.h>

#include <GLES2/gl2ext.h>

#include "devices/gpu/context.h"
#include "devices/gpu/gpu.h"
#include "devices/gpu/source.h"

/* Entry points that are not part of ES 3.1. NULL if the driver lacks the extension. */
struct oro_gl_extras {
    PFNGLGETGRAPHICSRESETSTATUSEXTPROC reset_status;
    PFNGLGENQUERIESEXTPROC gen_queries;
    PFNGLDELETEQUERIESEXTPROC delete_queries;
    PFNGLBEGINQUERYEXTPROC begin_query;
    PFNGLENDQUERYEXTPROC end_query;
    PFNGLGETQUERYIVEXTPROC get_query;
    PFNGLGETQUERYOBJECTUI64VEXTPROC get_query_result;
    PFNGLBUFFERSTORAGEEXTPROC buffer_storage;
};

struct oro_buffer {
    GLuint name;
    size_t bytes;        /* the size asked for */
    uint32_t generation; /* the device's generation when the buffer was made */
    bool host;           /* in the host's memory, and mapped as long as it lives */
};

/* Freed buffers, kept for the next request of the same size: making a new one costs page faults or a call of
 * the kernel driver, and simulations ask for the same sizes over and over. They do not count as used_bytes,
 * but are freed before used and pooled bytes together would exceed the budget. A node may need two dozen, and
 * the next node others. */
enum { ORO_POOL_MAX = 256 };
struct oro_pool {
    GLuint names[ORO_POOL_MAX];
    size_t bytes[ORO_POOL_MAX]; /* oldest first */
    int count;
    size_t total;
};

struct oro_kernel {
    struct oro_hash text; /* digest of the whole source */
    uint32_t generation;  /* the device's generation when `program` was linked; an older program is dead */
    GLuint program;
    char *guest_text;       /* NULL, or the whole text: it runs in the guest (devices/gpu/guest_dispatch.h) */
    GLint first_group;      /* location of oro_first_group, or -1: the kernel cannot be cut */
    GLint first_x, first_y; /* its value */
    GLuint constants;       /* uniform buffer, 0 until needed */
    size_t constants_capacity; /* its size in bytes */
    size_t constants_size;     /* how many of its bytes are known */
    void *constants_copy;
    size_t block_size;    /* of the uniform block at binding 0, or 0 */
    double group_seconds; /* last measured cost of one work group; negative: not measured yet */
    uint64_t runs, next_measure;
    uint32_t epoch; /* the queue's epoch at that time */
};

/* A kernel file, with the newest version of its text that compiled, which is the one in use. */
struct oro_module {
    char *file;
    struct oro_source good;
    struct oro_source seen; /* stamps of the newest version that was read, whether it compiled or not */
    struct oro_hash digest; /* of the version in use */
};

/* A module with one preamble. */
struct oro_variant {
    struct oro_module *module;
    char *preamble;
    struct oro_hash preamble_digest;
    struct oro_kernel *kernel;
};

/* Everything here lives as long as the device: callers may keep kernels across reloads and lost contexts. */
struct oro_kernel_store {
    struct oro_kernel **kernels;
    struct oro_module **modules;
    struct oro_variant **variants;
    size_t kernel_count, kernel_capacity, module_count, module_capacity, variant_count, variant_capacity;
};

/* What is bound in the context, to skip calls that change nothing. */
struct oro_bound {
    GLuint program, constants;
    GLuint buffers[ORO_BUFFERS_MAX];
    bool writes; /* kernels have written since the last barrier for uploads and downloads */
};

/* Work that was handed to the driver and may not be done yet. */
struct oro_queue {
    GLsync older;         /* fence before the last one; the last batch may still run when more work comes */
    uint64_t fenced;      /* device.dispatches at the last fence */
    double seconds;       /* estimated work since then */
    double batch_seconds; /* estimated work of the batch before that fence */
    uint64_t batch;       /* dispatches per fence */
    double waited_at;     /* when the last wait ended */
    uint32_t epoch;       /* raised when estimates proved wrong, so that every kernel is measured again */
};

struct oro_gpu {
    struct oro_device device; /* first, so that pointers to device and gpu are interchangeable */
    struct oro_candidate candidate;
    struct oro_context context;
    struct oro_gl_extras gl;
    const struct oro_log *log;
    char *folder;
    struct oro_shader_set shaders;
    bool lost;
    uint32_t generation; /* raised by every rebuild */
    struct oro_bound bound;
    struct oro_pool pool;
    struct oro_kernel_store library;
    struct oro_queue queue;
    GLuint query, staging, writer; /* made when needed; `writer` is the program that tests buffers */
    char *staged;                  /* the staging buffer's memory, if it stays mapped */
    bool timing;
    size_t proven_bytes; /* size of the largest buffer that was written and read back */
    size_t host_proven;  /* likewise, of those in the host's memory */
    double sync_seconds; /* cost of waiting for an empty dispatch */
    double band_seconds; /* dispatches expected to take longer are cut into pieces of this length */
    int band_groups;     /* tests: cut into pieces of this many groups; 0: by time */
    uint64_t bands;      /* pieces handed to the driver so far */
};

static inline struct oro_gpu *oro_gpu_of(struct oro_device *device)
{
    return (struct oro_gpu *)device;
}

/* ---- device.c */

/* Makes the context current; every operation begins with this. Fails with ORO_E_LOST. */
bool oro_gpu_ready(struct oro_gpu *gpu, struct oro_error *err);
/* Asks the driver whether everything went well; `doing` completes "the driver failed to ...". A lost context
 * is noted. */
bool oro_gpu_check(struct oro_gpu *gpu, const char *doing, struct oro_error *err);

/* ---- probe.c */

/* Fills info and measures sync_seconds. */
bool oro_gpu_probe(struct oro_gpu *gpu, struct oro_error *err);
/* Writes both ends of the buffer with a kernel, and reads them back. At least 1 KiB. */
bool oro_gpu_buffer_works(struct oro_gpu *gpu, GLuint name, size_t bytes);
void oro_gpu_load_extras(struct oro_gpu *gpu);

/* ---- buffer.c */

struct oro_buffer *oro_gpu_buffer_create(struct oro_device *device, size_t bytes, struct oro_error *err);
struct oro_buffer *oro_gpu_host_create(struct oro_device *device, size_t bytes, void **memory);
void oro_gpu_buffer_destroy(struct oro_device *device, struct oro_buffer *buffer);
void oro_gpu_pool_clear(struct oro_gpu *gpu);
/* Deletes a buffer object and forgets where it is bound. */
void oro_gpu_delete_buffer(struct oro_gpu *gpu, GLuint name);
/* Fails if the buffer was made before a rebuild, or has fewer than `bytes` bytes. */
bool oro_gpu_buffer_usable(const struct oro_gpu *gpu, const struct oro_buffer *buffer, size_t bytes,
                           struct oro_error *err);

/* ---- transfer.c */

bool oro_gpu_upload(struct oro_device *device, struct oro_buffer *buffer, const void *data, size_t bytes,
                    struct oro_error *err);
bool oro_gpu_download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                      struct oro_error *err);
bool oro_gpu_copy(struct oro_device *device, struct oro_buffer *from, struct oro_buffer *to, size_t bytes,
                  struct oro_error *err);

/* ---- program.c */

/* Compiles and links a compute program, or returns 0 with messages mapped back to `source` (may be NULL). */
GLuint oro_gpu_program(struct oro_gpu *gpu, const char *text, const struct oro_source *source,
                       const char *file, struct oro_error *err);

/* The same without a message of the driver in `err`: it is given as it is, to be freed; NULL: there is none.
 */
GLuint oro_gpu_compile(struct oro_gpu *gpu, const char *text, char **log, struct oro_error *err);
/* Puts the driver's messages, rewritten, into `err`, and all of them into the log. */
void oro_gpu_report(struct oro_gpu *gpu, const char *log, const struct oro_source *source, const char *file,
                    struct oro_error *err);

/* A program in a form of the driver's, to be freed; NULL: it has none. And one made of that; 0: the driver
 * does not take it. */
bool oro_gpu_hands_out(void); /* whether the driver has such forms */
void *oro_gpu_hand_out(struct oro_gpu *gpu, GLuint program, uint32_t *format, size_t *size);
GLuint oro_gpu_take_back(struct oro_gpu *gpu, uint32_t format, const void *binary, size_t size);

/* ---- kernel.c */

bool oro_gpu_kernel_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                           struct oro_error *err);
struct oro_kernel *oro_gpu_kernel(struct oro_device *device, const struct oro_kernel_source *source,
                                  struct oro_error *err);
void oro_gpu_library_destroy(struct oro_gpu *gpu);

/* ---- dispatch.c */

bool oro_gpu_dispatch(struct oro_device *device, const struct oro_device_dispatch *dispatch,
                      struct oro_error *err);

void oro_gpu_use_program(struct oro_gpu *gpu, GLuint program);
void oro_gpu_bind_buffer(struct oro_gpu *gpu, int binding, GLuint name);

/* ---- pace.c */

bool oro_gpu_pace(struct oro_device *device, struct oro_error *err);
bool oro_gpu_finish(struct oro_device *device, struct oro_error *err);
void oro_gpu_queue_reset(struct oro_gpu *gpu);
/* Waits for a fence. */
bool oro_gpu_wait(struct oro_gpu *gpu, GLsync fence, struct oro_error *err);

/* ---- timer.c */

/* Whether timer queries give plausible times for the writer, which must have a buffer bound. */
bool oro_gpu_timer_works(struct oro_gpu *gpu);
bool oro_gpu_timer_begin(struct oro_device *device);
double oro_gpu_timer_end(struct oro_device *device);

/* ---- Hooks for tests */

/* Cuts every dispatch into pieces of at most so many groups; 0 goes back to cutting by time. */
void oro_gpu_force_bands(struct oro_device *device, int groups);
/* Pieces handed to the driver so far; at least one per dispatch. */
uint64_t oro_gpu_bands(const struct oro_device *device);

#endif
