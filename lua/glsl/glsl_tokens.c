/* Splits a kernel into tokens, and pairs its brackets. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lua/glsl/glsl_private.h"

static int name_length(const char *at)
{
    int length = 0;
    while (oro_in_word(at[length]))
        length++;
    return length;
}

static int digits(const char *at, const char *set)
{
    return (int)strspn(at, set);
}

/* 0: it is malformed. So are octal numbers, which nobody means to write. */
static int number_length(const char *at, long *whole)
{
    static const char decimal[] = "0123456789", hex[] = "0123456789abcdefABCDEF";
    bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X'), is_whole = true;
    int length = is_hex ? 2 + digits(at + 2, hex) : digits(at, decimal);
    if (is_hex ? length == 2 : at[0] == '0' && oro_is_digit(at[1]) && at[length] != '.')
        return 0;
    if (!is_hex && at[length] == '.') {
        is_whole = false;
        length += 1 + digits(at + length + 1, decimal);
    }
    if (!is_hex && (at[length] == 'e' || at[length] == 'E')) {
        is_whole = false;
        length += at[length + 1] == '+' || at[length + 1] == '-' ? 2 : 1;
        if (!oro_is_digit(at[length]))
            return 0;
        length += digits(at + length, decimal);
    }
    int end = length;
    if (is_whole ? at[length] == 'u' || at[length] == 'U' : at[length] == 'f' || at[length] == 'F')
        length++;
    if (oro_in_word(at[length]) || at[length] == '.')
        return 0;
    *whole = is_whole && end <= 10 && end == length ? strtol(at, NULL, 0) : -1;
    if (*whole > 2147483647L)
        *whole = -1;
    return length;
}

static int sign_length(const char *at)
{
    static const char *const signs[] = {"<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
                                        "^=",  "<<",  ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", NULL};
    for (int i = 0; signs[i]; i++)
        if (strncmp(signs[i], at, strlen(signs[i])) == 0)
            return (int)strlen(signs[i]);
    return strchr("+-*/%<>=!~&|^?:,;.()[]{}", *at) ? 1 : 0;
}

int oro_glsl_token_at(const char *at, struct oro_glsl_token *token)
{
    *token = (struct oro_glsl_token){.at = at, .pair = -1, .whole = -1};
    if (oro_starts_word(*at)) {
        token->kind = ORO_GLSL_NAME;
        token->length = name_length(at);
    } else if (oro_is_digit(*at) || (*at == '.' && oro_is_digit(at[1]))) {
        token->kind = ORO_GLSL_NUMBER;
        token->length = number_length(at, &token->whole);
    } else if (*at) {
        token->kind = ORO_GLSL_SIGN;
        token->length = sign_length(at);
    }
    return token->length;
}

bool oro_glsl_is_kind(const struct oro_glsl *g, int token, enum oro_glsl_kind kind)
{
    return token >= 0 && token < g->count && g->tokens[token].kind == kind;
}

bool oro_glsl_is(const struct oro_glsl *g, int token, const char *text)
{
    return token >= 0 && token < g->count && oro_glsl_equals(oro_glsl_word_of(&g->tokens[token]), text);
}

struct oro_glsl_word oro_glsl_word_of(const struct oro_glsl_token *token)
{
    return (struct oro_glsl_word){token->at, token->length};
}

bool oro_glsl_same(struct oro_glsl_word a, struct oro_glsl_word b)
{
    return a.length == b.length && strncmp(a.at, b.at, (size_t)a.length) == 0;
}

bool oro_glsl_equals(struct oro_glsl_word word, const char *text)
{
    return strncmp(word.at, text, (size_t)word.length) == 0 && !text[word.length];
}

bool oro_glsl_assigns(const struct oro_glsl_token *token)
{
    const char *at = token->at;
    if (token->kind != ORO_GLSL_SIGN)
        return false;
    if (token->length == 1)
        return *at == '=';
    return (token->length == 2 && (strchr("+-*/%&|^", at[0]) && at[1] == '=')) ||
           (token->length == 2 && at[0] == at[1] && (*at == '+' || *at == '-')) || token->length == 3;
}

/* ---- Scanning ---- */

struct scanner {
    struct oro_glsl *g;
    const char *at;
    int line;
    int open[ORO_GLSL_DEPTH_MAX]; /* the open brackets */
    int depth;
    struct oro_glsl_branches branches;
    bool directive; /* there was one since the last token */
};

static char innermost(const struct scanner *s)
{
    return s->depth ? *s->g->tokens[s->open[s->depth - 1]].at : '\0';
}

static bool close_bracket(struct scanner *s, char c)
{
    struct oro_glsl *g = s->g;
    char expected = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (innermost(s) != expected)
        return oro_glsl_refuse(g, s->line, "'%c' closes nothing", c);
    int floor = s->branches.count ? s->branches.depth[s->branches.count - 1] : 0;
    if (s->depth <= floor)
        return oro_glsl_refuse(g, s->line, "'%c' closes a bracket that was opened before #if or #else", c);
    int first = s->open[--s->depth];
    g->tokens[first].pair = g->count;
    g->tokens[g->count].pair = first;
    return true;
}

static bool bracket(struct scanner *s)
{
    char c = *s->at;
    if (strchr(")]}", c))
        return close_bracket(s, c);
    if (!strchr("([{", c))
        return true;
    if (s->depth == ORO_GLSL_DEPTH_MAX)
        return oro_glsl_refuse(s->g, s->line, "brackets are nested deeper than %d", ORO_GLSL_DEPTH_MAX);
    if (c == '{' && (innermost(s) == '(' || innermost(s) == '['))
        return oro_glsl_refuse(s->g, s->line, "'{' has no place within '%c'", innermost(s));
    s->open[s->depth++] = s->g->count;
    return true;
}

static bool take_token(struct scanner *s)
{
    struct oro_glsl *g = s->g;
    struct oro_glsl_token *token = &g->tokens[g->count];
    int length = oro_glsl_token_at(s->at, token);
    token->line = s->line;
    token->fresh = s->directive;
    s->directive = false;
    if (!length && token->kind == ORO_GLSL_NUMBER)
        return oro_glsl_refuse(g, s->line, "malformed number near '%.*s'", (int)strcspn(s->at, " \t\n"),
                               s->at);
    if (!length)
        return oro_glsl_refuse(g, s->line, "'%c' has no place in a kernel", *s->at);
    if (g->count + 1 == ORO_GLSL_TOKENS_MAX)
        return oro_glsl_refuse(g, s->line, "a kernel has more than %d words and signs", ORO_GLSL_TOKENS_MAX);
    if (length == 1 && !bracket(s))
        return false;
    g->count++;
    s->at += length;
    return true;
}

static bool take_directive(struct scanner *s)
{
    if (!oro_glsl_directive(s->g, s->at, s->line, &s->branches, s->depth, innermost(s)))
        return false;
    s->directive = true;
    s->at += strcspn(s->at, "\n");
    return true;
}

static bool scan_all(struct scanner *s)
{
    bool line_begins = true;
    while (*s->at) {
        if (*s->at == '\n') {
            s->line++;
            s->at++;
            line_begins = true;
        } else if (*s->at == ' ' || *s->at == '\t') {
            s->at++;
        } else if (*s->at == '#' && line_begins) {
            if (!take_directive(s))
                return false;
        } else {
            line_begins = false;
            if (!take_token(s))
                return false;
        }
    }
    return true;
}

bool oro_glsl_scan(struct oro_glsl *g)
{
    struct scanner s = {.g = g, .at = g->text, .line = 1};
    size_t most = strlen(g->text) + 1;
    if (most > ORO_GLSL_TOKENS_MAX)
        most = ORO_GLSL_TOKENS_MAX;
    g->tokens = oro_arena_alloc(g->arena, most + 1, sizeof *g->tokens);
    g->macro_tokens =
        oro_arena_alloc(g->arena, ORO_GLSL_MACROS_MAX * ORO_GLSL_MACRO_TOKENS_MAX, sizeof *g->macro_tokens);
    if (!g->tokens || !g->macro_tokens)
        return oro_glsl_no_memory(g);
    if (!scan_all(&s))
        return false;
    if (s.branches.count)
        return oro_glsl_refuse(g, s.line, "#endif is missing");
    if (s.depth)
        return oro_glsl_refuse(g, g->tokens[s.open[s.depth - 1]].line, "'%c' is not closed", innermost(&s));
    g->tokens[g->count] = (struct oro_glsl_token){.at = s.at, .line = s.line, .pair = -1, .whole = -1};
    return true;
}
