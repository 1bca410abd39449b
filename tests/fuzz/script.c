/* Scripts: whatever the bytes are, reading ends in time without a crash, with a node type or with a reason;
 * the first byte chooses whether they are a whole script or a kernel. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lua/glsl/glsl.h"
#include "lua/types/node_types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_script(const char *text, size_t size)
{
    const struct oro_script_source source = {.path = "fuzz.oro", .line = 3, .text = text, .length = size};
    struct oro_error err = {0};
    struct oro_script *script = oro_script_read(&source, oro_script_forms, NULL, &err);
    if (!script && (err.code == ORO_OK || !*err.text))
        abort(); /* refused without a reason */
    oro_script_destroy(script);
}

static void read_kernel(const char *text)
{
    static const char *const hidden[] = {"terrain_out", NULL};
    struct oro_text out = {0};
    struct oro_error err = {0};
    struct oro_glsl_facts facts;
    int line = 0, lines = 1, kept = 1;
    bool ok = oro_glsl_guard(text, hidden, &out, &facts, &line, &err);
    if (!ok && (err.code == ORO_OK || !*err.text || line < 1))
        abort();
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    for (const char *c = ok ? out.data : ""; c && *c; c++)
        kept += *c == '\n';
    if (ok && kept != lines)
        abort(); /* lines moved */
    oro_text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = oro_alloc(size, 1);
    if (!text)
        abort();
    memcpy(text, data + 1, size - 1);
    if (data[0] & 1)
        read_script(text, size - 1);
    else
        read_kernel(text);
    oro_free(text);
    return 0;
}
