/* Scripts as text: whatever the bytes are, reading ends in time without a crash, with a node type or with a
 * reason. They run within the program, as trusted ones do, where the fuzzer sees them. */
#include "lua/types/node_types.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct oro_script_source source = {
        .path = "fuzz.oro", .line = 3, .trusted = true, .text = (const char *)data, .length = size};
    struct oro_error err = {0};
    struct oro_script *script = oro_script_read(&source, oro_script_forms, NULL, &err);
    if (!script)
        fuzz_require_reason(&err);
    oro_script_destroy(script);
    return 0;
}
