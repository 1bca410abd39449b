#include "lua/glsl/glsl.h"

#include <string.h>

#include "lua/glsl/glsl_private.h"

bool oro_glsl_refuse(struct oro_glsl *g, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oro_fail_v(g->err, ORO_E_KERNEL, format, args);
    va_end(args);
    *g->line = line;
    return false;
}

bool oro_glsl_no_memory(struct oro_glsl *g)
{
    return oro_fail(g->err, ORO_E_MEMORY, "no memory for a kernel");
}

/* Writes the tokens with what was put around them; the text between tokens, which includes directives, stays
 * as it is. */
static void write(const struct oro_glsl *g, struct oro_text *out)
{
    const char *done = g->text;
    for (int i = 0; i < g->count; i++) {
        const struct oro_glsl_token *token = &g->tokens[i];
        oro_text_add_bytes(out, done, (size_t)(token->at - done));
        oro_text_add(out, token->before ? token->before : "");
        oro_text_add_bytes(out, token->at, (size_t)token->length);
        oro_text_add(out, token->after ? token->after : "");
        done = token->at + token->length;
    }
    oro_text_add(out, done);
}

bool oro_glsl_guard(const char *text, const char *const *hidden, struct oro_text *out,
                    struct oro_glsl_facts *facts, int *line, struct oro_error *err)
{
    struct oro_error own = {0};
    struct oro_glsl *g = oro_alloc(1, sizeof *g);
    struct oro_arena *arena = oro_arena_create();
    bool ok = false;
    *line = 0;
    if (!g || !arena) {
        oro_fail(&own, ORO_E_MEMORY, "no memory for a kernel");
    } else {
        *g = (struct oro_glsl){.arena = arena, .hidden = hidden, .line = line, .err = &own};
        ok = oro_glsl_clean(g, text) && oro_glsl_scan(g) && oro_glsl_declare(g) && oro_glsl_check_names(g) &&
             oro_glsl_check_macros(g) && oro_glsl_check_brackets(g) && oro_glsl_check_arrays(g) &&
             oro_glsl_add_budget(g);
        if (ok) {
            write(g, out);
            *facts = (struct oro_glsl_facts){.loops = g->budget, .own = oro_glsl_sets_own(g)};
        }
        if (ok && out->failed)
            ok = oro_glsl_no_memory(g);
    }
    oro_arena_destroy(arena);
    oro_free(g);
    if (!ok && err)
        *err = own;
    return ok;
}
