/* Recognises kernels that obviously set no cell but their own: they need no check while they run. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

static bool is_setter(struct oro_glsl_word word)
{
    return word.length > 4 && strncmp(word.at, "set_", 4) == 0;
}

/* The name of the parameter of `cell`, an `ivec2`; -1: it is declared in another way, or twice. */
static int parameter(const struct oro_glsl *g, const struct oro_glsl_function **cell)
{
    *cell = NULL;
    for (int i = 0; i < g->function_count; i++) {
        const struct oro_glsl_function *function = &g->functions[i];
        if (!oro_glsl_equals(function->name, "cell") || function->body < 0)
            continue;
        if (*cell)
            return -1;
        *cell = function;
    }
    int open = *cell ? (*cell)->token + 1 : -1;
    bool plain = open >= 0 && oro_glsl_is(g, open, "(") && oro_glsl_is(g, open + 1, "ivec2") &&
                 oro_glsl_is_kind(g, open + 2, ORO_GLSL_NAME) && oro_glsl_is(g, open + 3, ")");
    return plain ? open + 2 : -1;
}

/* Whether there are no macros that could hide a change of the parameter, and no functions that write to their
 * arguments. */
static bool is_plain(const struct oro_glsl *g, struct oro_glsl_word p)
{
    for (int i = 0; i < g->macro_count; i++)
        if (oro_glsl_same(g->macros[i].name, p) || is_setter(g->macros[i].name))
            return false;
    for (int i = 0; i < g->macro_token_count; i++) {
        struct oro_glsl_word word = oro_glsl_word_of(&g->macro_tokens[i]);
        if (oro_glsl_same(word, p) || is_setter(word))
            return false;
    }
    for (int i = 0; i < g->function_count; i++)
        if (g->functions[i].writes)
            return false;
    return true;
}

/* Whether the parameter may be changed where it is used at a token, or another variable of its name is
 * declared there. */
static bool may_change(const struct oro_glsl *g, int token)
{
    static const char *const before[] = {"return", "else", "case", "in"};
    const struct oro_glsl_token *last = &g->tokens[token - 1];
    bool known = last->kind != ORO_GLSL_NAME;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        known = known || oro_glsl_is(g, token - 1, before[i]);
    /* The parameter with its components and the parentheses around it: "((p).x)". */
    int first = token, behind = token + 1;
    for (;; first--, behind++) {
        while (oro_glsl_is(g, behind, "."))
            behind += 2;
        if (!oro_glsl_is(g, first - 1, "(") || !oro_glsl_is(g, behind, ")"))
            break;
    }
    return !known || oro_glsl_is(g, first - 1, "++") || oro_glsl_is(g, first - 1, "--") ||
           oro_glsl_is(g, behind, "[") || oro_glsl_assigns(&g->tokens[behind]);
}

bool oro_glsl_sets_own(const struct oro_glsl *g)
{
    const struct oro_glsl_function *cell;
    int own = parameter(g, &cell);
    if (own < 0)
        return false;
    struct oro_glsl_word p = oro_glsl_word_of(&g->tokens[own]);
    int end = g->tokens[cell->body].pair;
    if (!is_plain(g, p))
        return false;
    for (int i = 1; i < g->count; i++) {
        struct oro_glsl_word word = oro_glsl_word_of(&g->tokens[i]);
        bool inside = i > cell->body && i < end;
        if (is_setter(word) && !(inside && oro_glsl_is(g, i + 1, "(") && oro_glsl_is(g, i + 3, ",") &&
                                 oro_glsl_same(oro_glsl_word_of(&g->tokens[i + 2]), p)))
            return false;
        if (inside && g->tokens[i].kind == ORO_GLSL_NAME && oro_glsl_same(word, p) && may_change(g, i))
            return false;
        if (inside && oro_glsl_known_writes(word))
            return false;
    }
    return true;
}
