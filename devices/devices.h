/*
 * The devices that graphs can be evaluated on: graphics cards by their OpenGL ES drivers (devices/gpu/), and
 * the processor.
 *
 * The processor runs kernels on plain memory, as code that was made of their text when the program was built,
 * or as code by hand (terrain/processor/). A kernel that has neither is run by a software driver of OpenGL
 * ES, if there is one: it is opened when the first such kernel comes, and gets copies of the buffers. So most
 * graphs need no driver at all.
 */
#ifndef ORO_DEVICES_DEVICES_H
#define ORO_DEVICES_DEVICES_H

#include "devices/gpu/gpu.h"

/* Besides the numbers of oro_device_list. ANY: the first graphics card that works, else the processor; with a
 * folder of kernels, which are to be run, a software driver takes the processor's place. */
enum { ORO_DEVICE_ANY = ORO_GPU_ANY, ORO_DEVICE_PROCESSOR = -4 };

/* Fails with ORO_E_DEVICE, listing what was tried. Destroy with device->ops->destroy. */
struct oro_device *oro_device_open(const struct oro_gpu_options *options, struct oro_error *err);

/* What users write: a number of oro_device_list, or "processor". False: it is neither. */
bool oro_device_parse(const char *word, int *index);

/* The processor, then what drivers have (oro_gpu_list). */
int oro_device_list(struct oro_gpu_entry *entries, int limit);

/* The processor alone; `log` may be NULL and must outlive the device. */
struct oro_device *oro_processor_create(const struct oro_log *log, struct oro_error *err);

/* The whole text of a kernel for the processor, of which its code is made, added to `whole`: for the program
 * that writes these texts down when the program is built. */
struct oro_text;
bool oro_processor_text(struct oro_device *device, const struct oro_kernel_source *source,
                        struct oro_text *whole, struct oro_error *err);
size_t oro_processor_bytes(const struct oro_buffer *buffer); /* of a buffer of the processor */

#endif
