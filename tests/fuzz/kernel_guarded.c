#include "tests/fuzz/kernel_guarded.h"

#include "lua/glsl/glsl.h"

static int lines_in(const char *text)
{
    int lines = 1;
    for (const char *c = text; c && *c; c++)
        lines += *c == '\n';
    return lines;
}

void fuzz_kernel(const char *text)
{
    static const char *const hidden[] = {"terrain_out", NULL};
    struct oro_text out = {0};
    struct oro_error err = {0};
    struct oro_glsl_facts facts;
    int line = 0;
    if (oro_glsl_guard(text, hidden, &out, &facts, &line, &err)) {
        fuzz_require(lines_in(out.data) == lines_in(text)); /* they keep their numbers in messages */
    } else {
        fuzz_require_reason(&err);
        fuzz_require(line >= 1);
    }
    oro_text_free(&out);
}
