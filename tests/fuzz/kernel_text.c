/* Kernels of scripts as text: whatever the bytes are, the guard ends without a crash, with a text that has as
 * many lines or with a reason. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/fuzz/kernel_guarded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = oro_alloc(size + 1, 1);
    fuzz_require(text);
    if (size > 0)
        memcpy(text, data, size);
    fuzz_kernel(text);
    oro_free(text);
    return 0;
}
