/* Kernels as code of this processor, generated from their text (compiler/): what the device calls. */
#ifndef ORO_DEVICES_PROCESSOR_NATIVE_H
#define ORO_DEVICES_PROCESSOR_NATIVE_H

#include <stddef.h>

struct oro_native_buffer {
    void *data;
    long words;
};

typedef void oro_native_code(const unsigned char *block, const struct oro_native_buffer *buffers, int x0, int x1,
                             int y0, int y1);

#endif
