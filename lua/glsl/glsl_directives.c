/* Directives: macros that stand for values, branches of whole statements, and included files of our own. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

static const char *after_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static bool line_ends(const char *at)
{
    return *at == '\n' || !*at;
}

/* The word at `at`; moves `at` to its end. */
static struct oro_glsl_word take_word(const char **at)
{
    struct oro_glsl_token token;
    *at = after_blanks(*at);
    struct oro_glsl_word word = {*at, 0};
    if (oro_glsl_token_at(*at, &token) && token.kind == ORO_GLSL_NAME)
        word.length = token.length;
    *at += word.length;
    return word;
}

const struct oro_glsl_macro *oro_glsl_find_macro(const struct oro_glsl *g, struct oro_glsl_word name)
{
    for (int i = 0; i < g->macro_count; i++)
        if (oro_glsl_same(g->macros[i].name, name))
            return &g->macros[i];
    return NULL;
}

/* ---- #include ---- */

/* Includes must be at the top, so that nothing in the kernel changes what the file means. */
static bool include(struct oro_glsl *g, const char *at, int line, const struct oro_glsl_branches *branches)
{
    at = after_blanks(at);
    size_t length = *at == '"' ? strcspn(at + 1, "\"\n") : 0;
    if (*at != '"' || at[1 + length] != '"' || !line_ends(after_blanks(at + length + 2)))
        return oro_glsl_refuse(g, line, "expected #include \"lib/name.glsl\"");
    if (g->count || g->macro_count || branches->count)
        return oro_glsl_refuse(g, line, "#include stands at the top, before all else");
    if (!oro_glsl_may_include((struct oro_glsl_word){at + 1, (int)length}))
        return oro_glsl_refuse(g, line,
                               "'%.*s' is not for scripts: there are lib/hash.glsl, lib/noise.glsl, "
                               "lib/terrain.glsl, lib/bicubic.glsl and lib/number.glsl",
                               (int)(length < 80 ? length : 80), at + 1);
    return true;
}

/* ---- #define ---- */

static bool define(struct oro_glsl *g, const char *at, int line, bool certain)
{
    struct oro_glsl_word name = take_word(&at);
    if (!name.length)
        return oro_glsl_refuse(g, line, "a name is expected after #define");
    if (*at == '(')
        return oro_glsl_refuse(g, line, "macros have no parameters here: make '%.*s' a function", name.length,
                               name.at);
    if (g->macro_count == ORO_GLSL_MACROS_MAX)
        return oro_glsl_refuse(g, line, "there are more than %d macros", ORO_GLSL_MACROS_MAX);
    struct oro_glsl_macro *macro = &g->macros[g->macro_count++];
    *macro = (struct oro_glsl_macro){
        .name = name, .line = line, .first = g->macro_token_count, .place = g->count, .certain = certain};
    for (at = after_blanks(at); !line_ends(at); at = after_blanks(at)) {
        struct oro_glsl_token *token = &g->macro_tokens[g->macro_token_count];
        int length = oro_glsl_token_at(at, token);
        token->line = macro->line;
        if (!length)
            return oro_glsl_refuse(g, macro->line, "'%c' has no place in a macro", *at);
        if (macro->count == ORO_GLSL_MACRO_TOKENS_MAX)
            return oro_glsl_refuse(g, macro->line, "a macro has more than %d words and signs",
                                   ORO_GLSL_MACRO_TOKENS_MAX);
        g->macro_token_count++;
        macro->count++;
        at += length;
    }
    return true;
}

static bool undefine(struct oro_glsl *g, const char *at, int line)
{
    struct oro_glsl_word name = take_word(&at);
    if (!name.length || !line_ends(after_blanks(at)) || !oro_glsl_find_macro(g, name))
        return oro_glsl_refuse(g, line, "#undef takes the name of one of the kernel's own macros");
    if (g->dropped_count == ORO_GLSL_MACROS_MAX)
        return oro_glsl_refuse(g, line, "there are more than %d #undef", ORO_GLSL_MACROS_MAX);
    g->dropped[g->dropped_count++] = name;
    return true;
}

/* ---- #if and its kin ---- */

static bool check_condition(struct oro_glsl *g, const char *at, int line)
{
    int count = 0;
    for (at = after_blanks(at); !line_ends(at); at = after_blanks(at)) {
        struct oro_glsl_token token;
        int length = oro_glsl_token_at(at, &token);
        if (!length || oro_glsl_assigns(&token) ||
            (token.kind == ORO_GLSL_SIGN && length == 1 && strchr("?:,;.[]{}/%", *at)))
            return oro_glsl_refuse(g, line, "'%c' has no place in the condition of #if", *at);
        if (++count > ORO_GLSL_MACRO_TOKENS_MAX)
            return oro_glsl_refuse(g, line, "the condition of #if has more than %d words and signs",
                                   ORO_GLSL_MACRO_TOKENS_MAX);
        at += length;
    }
    return true;
}

static bool open_branch(struct oro_glsl *g, struct oro_glsl_branches *branches, int depth, int line)
{
    int most = (int)(sizeof branches->depth / sizeof branches->depth[0]);
    if (branches->count == most)
        return oro_glsl_refuse(g, line, "#if is nested deeper than %d", most);
    branches->depth[branches->count++] = depth;
    return true;
}

static bool close_branch(struct oro_glsl *g, const struct oro_glsl_branches *branches, int depth, int line,
                         struct oro_glsl_word word)
{
    if (!branches->count)
        return oro_glsl_refuse(g, line, "#%.*s without #if", word.length, word.at);
    if (branches->depth[branches->count - 1] != depth)
        return oro_glsl_refuse(g, line, "brackets are opened before #%.*s and not closed", word.length,
                               word.at);
    return true;
}

static bool between_statements(const struct oro_glsl *g)
{
    return !g->count || oro_glsl_is(g, g->count - 1, ";") || oro_glsl_is(g, g->count - 1, "{") ||
           oro_glsl_is(g, g->count - 1, "}");
}

bool oro_glsl_directive(struct oro_glsl *g, const char *at, int line, struct oro_glsl_branches *branches,
                        int depth, char open)
{
    static const char *const opening[] = {"if", "ifdef", "ifndef", NULL}, *const closing[] = {"elif", "else",
                                                                                              "endif", NULL};
    at++;
    struct oro_glsl_word word = take_word(&at);
    if (open == '(' || open == '[')
        return oro_glsl_refuse(g, line, "#%.*s has no place within '%c'", word.length, word.at, open);
    if (!between_statements(g))
        return oro_glsl_refuse(g, line, "#%.*s stands between statements, not within one", word.length,
                               word.at);
    if (oro_glsl_equals(word, "include"))
        return include(g, at, line, branches);
    if (oro_glsl_equals(word, "define"))
        return define(g, at, line, !branches->count);
    if (oro_glsl_equals(word, "undef"))
        return undefine(g, at, line);
    if (oro_glsl_is_one_of(word, opening))
        return check_condition(g, at, line) && open_branch(g, branches, depth, line);
    if (oro_glsl_is_one_of(word, closing)) {
        branches->count -= close_branch(g, branches, depth, line, word) && oro_glsl_equals(word, "endif");
        return !g->err->code && check_condition(g, at, line);
    }
    return oro_glsl_refuse(g, line, "#%.*s has no place in a kernel", word.length, word.at);
}

/* ---- What macros are made of, and where they stand ---- */

static bool check_macro_name(struct oro_glsl *g, const struct oro_glsl_macro *macro)
{
    struct oro_glsl_word name = macro->name;
    struct oro_glsl_token token = {.at = name.at, .length = name.length, .line = macro->line};
    const char *what = NULL;
    if (!oro_glsl_check_name(g, &token))
        return false;
    for (const char *const *hidden = g->hidden; hidden && *hidden; hidden++)
        if (oro_glsl_equals(name, *hidden))
            what = "a raster";
    if (oro_glsl_is_type(name) || oro_glsl_is_statement(name) || oro_glsl_is_qualifier(name) ||
        oro_glsl_equals(name, "defined") || oro_glsl_equals(name, "true") || oro_glsl_equals(name, "false"))
        what = "a word of the language";
    else if (oro_glsl_is_known(name) || oro_glsl_equals(name, "cell"))
        what = "a function";
    else if (oro_glsl_find_variable(g, name))
        what = "a variable";
    for (int i = 0; !what && i < g->function_count; i++)
        if (oro_glsl_same(g->functions[i].name, name))
            what = "a function";
    return !what ||
           oro_glsl_refuse(g, macro->line, "'%.*s' is %s, and cannot be a macro", name.length, name.at, what);
}

static bool check_body_name(struct oro_glsl *g, const struct oro_glsl_macro *macro, int i)
{
    const struct oro_glsl_token *token = &g->macro_tokens[macro->first + i];
    struct oro_glsl_word word = oro_glsl_word_of(token);
    bool called = i + 1 < macro->count && token[1].kind == ORO_GLSL_SIGN && *token[1].at == '(';
    if (oro_glsl_find_macro(g, word))
        return oro_glsl_refuse(g, macro->line, "a macro cannot use another, '%.*s'", word.length, word.at);
    if (oro_glsl_is_statement(word) || oro_glsl_is_qualifier(word) || (oro_glsl_is_type(word) && !called))
        return oro_glsl_refuse(g, macro->line, "a macro stands for a value: '%.*s' has no place in it",
                               word.length, word.at);
    if (called && !oro_glsl_is_type(word) &&
        (!oro_glsl_is_known(word) || oro_glsl_known_writes(word) || oro_glsl_known_turns(word)))
        return oro_glsl_refuse(g, macro->line, "a macro cannot call '%.*s': make it a function", word.length,
                               word.at);
    return oro_glsl_check_name(g, token);
}

static bool check_body_sign(struct oro_glsl *g, const struct oro_glsl_macro *macro, int i, int *depth)
{
    const struct oro_glsl_token *token = &g->macro_tokens[macro->first + i];
    bool plain = token->length == 1, last = i + 1 == macro->count;
    char c = *token->at;
    *depth += plain && c == '(' ? 1 : plain && c == ')' ? -1 : 0;
    bool starts = plain && strchr("(-+!~", c), ends = plain && c == ')';
    if (oro_glsl_assigns(token) || (plain && strchr("[]{};", c)) || *depth < 0 ||
        (plain && c == ',' && !*depth) || (i == 0 && !starts) || (last && !ends))
        return oro_glsl_refuse(g, macro->line, "a macro stands for a value: '%.*s' has no place there",
                               token->length, token->at);
    return true;
}

static bool check_body(struct oro_glsl *g, const struct oro_glsl_macro *macro)
{
    int depth = 0;
    for (int i = 0; i < macro->count; i++) {
        const struct oro_glsl_token *token = &g->macro_tokens[macro->first + i];
        if (token->kind == ORO_GLSL_NAME && !check_body_name(g, macro, i))
            return false;
        if (token->kind == ORO_GLSL_SIGN && !check_body_sign(g, macro, i, &depth))
            return false;
    }
    return !depth || oro_glsl_refuse(g, macro->line, "a macro closes the parentheses that it opens");
}

/* Where a macro is used as a value, there must be an operator before it and another one after it. */
static bool check_use(struct oro_glsl *g, int i)
{
    const struct oro_glsl_token *token = &g->tokens[i], *next = &token[1];
    struct oro_glsl_word before = i ? oro_glsl_word_of(&token[-1]) : (struct oro_glsl_word){"", 0};
    bool fine = i && g->tokens[i - 1].kind == ORO_GLSL_SIGN && !oro_glsl_equals(before, ")") &&
                !oro_glsl_equals(before, "]") && !oro_glsl_equals(before, ".") &&
                !oro_glsl_equals(before, "++") && !oro_glsl_equals(before, "--");
    fine |= oro_glsl_equals(before, "return") || oro_glsl_equals(before, "case");
    fine &= next->kind == ORO_GLSL_SIGN && !oro_glsl_assigns(next) && !oro_glsl_is(g, i + 1, "(") &&
            !oro_glsl_is(g, i + 1, "[") && !oro_glsl_is(g, i + 1, "{");
    return fine || oro_glsl_refuse(g, token->line,
                                   "'%.*s' is a macro, which stands for a value: it has no "
                                   "place here",
                                   token->length, token->at);
}

bool oro_glsl_check_macros(struct oro_glsl *g)
{
    for (int i = 0; i < g->macro_count; i++)
        if (!check_macro_name(g, &g->macros[i]) || !check_body(g, &g->macros[i]))
            return false;
    for (int i = 0; g->macro_count && i < g->count; i++)
        if (g->tokens[i].kind == ORO_GLSL_NAME && oro_glsl_find_macro(g, oro_glsl_word_of(&g->tokens[i])) &&
            !check_use(g, i))
            return false;
    return true;
}
