/*
 * The OpenGL ES 3.1 device: implements graph/type/device.h. Works without a display: EGL's device platform,
 * then surfaceless, then the default display.
 */
#ifndef ORO_GPU_GPU_H
#define ORO_GPU_GPU_H

#include "base/log.h"
#include "graph/type/device.h"

/* Instead of an index in oro_gpu_list: the first device that works, hardware first; likewise among graphics
 * cards alone, and among software drivers alone. */
enum { ORO_GPU_ANY = -1, ORO_GPU_HARDWARE = -2, ORO_GPU_SOFTWARE = -3 };

struct oro_gpu_options {
    int index;
    /* A folder to read kernels from instead of using the embedded ones, reloading them on change; or NULL. */
    const char *shader_dir;
    /* Must outlive the device; may be NULL. */
    const struct oro_log *log;
};

/* Fails with ORO_E_DEVICE, listing what was tried. Destroy with device->ops->destroy. */
struct oro_device *oro_gpu_create(const struct oro_gpu_options *options, struct oro_error *err);

/* A device that could be used, or why it cannot. */
struct oro_gpu_entry {
    int index;
    bool usable;
    struct oro_device_info info;
    char problem[256]; /* why it is not usable */
};
/* Opens and probes every device in turn, and restores the context that was current in this thread. Returns
 * the number of entries filled, at most `limit`. */
int oro_gpu_list(struct oro_gpu_entry *entries, int limit);

/* The numbers, in oro_gpu_list, of the graphics cards that open, each card once. Opens them without probing.
 * Returns the number of entries filled, at most `limit`. */
int oro_gpu_cards(int *indices, int limit);

/* Bytes that buffers may take unless the user says otherwise: 80 % of a graphics card's memory, or half of
 * the system's memory for a software device, which shares it with everything else. */
size_t oro_gpu_budget(const struct oro_device_info *info);

/* Tests: drops the context as if the GPU had been reset; the next call fails with ORO_E_LOST. */
void oro_gpu_lose(struct oro_device *device);

/* The kernels embedded in the program, for tests and tools: sorted by name. */
struct oro_shader_file {
    const char *name; /* "mask/slope.comp", "lib/tile.glsl" */
    const char *text;
    size_t size;
};
extern const struct oro_shader_file oro_shader_files[];
extern const size_t oro_shader_file_count;
/* A digest of them all. */
struct oro_hash oro_gpu_kernels_digest(void);

#endif
