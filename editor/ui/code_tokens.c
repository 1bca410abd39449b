#include "editor/ui/code_tokens.h"

#include <ctype.h>
#include <string.h>

static const char *const lua_words[] = {
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while",
};
static const char *const glsl_words[] = {
    "bool",   "break",  "case",   "const", "continue", "default", "do",    "else", "false", "float", "for",
    "if",     "in",     "inout",  "int",   "ivec2",    "ivec3",   "ivec4", "mat2", "mat3",  "mat4",  "out",
    "return", "struct", "switch", "true",  "uint",     "uvec2",   "vec2",  "vec3", "vec4",  "void",  "while",
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && is_word(at[length]))
        length++;
    return length;
}

static bool is_one_of(const char *const *words, size_t count, const char *at, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (words[i][0] == *at && strlen(words[i]) == length && memcmp(words[i], at, length) == 0)
            return true;
    return false;
}

/* Digits with all that may be in a number, also a hexadecimal one, and the sign of an exponent. */
static size_t number_length(const char *at, const char *end)
{
    bool hex = end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
    size_t length = 1;
    while (at + length < end) {
        char c = at[length], before = (char)(at[length - 1] | 32);
        bool sign = (c == '+' || c == '-') && before == (hex ? 'p' : 'e');
        if (!is_word(c) && c != '.' && !sign)
            break;
        length++;
    }
    return length;
}

/* The level of a long bracket that opens at `at`; -1: none does. */
static int long_level(const char *at, const char *end)
{
    const char *from = at + 1;
    if (at >= end || *at != '[')
        return -1;
    while (from < end && *from == '=')
        from++;
    return from < end && *from == '[' && from - at < 200 ? (int)(from - at) - 1 : -1;
}

/* Where the long bracket closes, behind it; NULL: not in this line. */
static const char *long_end(const char *at, const char *end, int level)
{
    for (; at < end; at++) {
        const char *to = at + 1;
        if (*at != ']')
            continue;
        while (to < end && *to == '=')
            to++;
        if (to < end && *to == ']' && to - at == level + 1)
            return to + 1;
    }
    return NULL;
}

static size_t quoted_length(const char *at, const char *end)
{
    const char *to = at + 1;
    while (to < end && *to != *at)
        to += *to == '\\' && to + 1 < end ? 2 : 1;
    return (size_t)((to < end ? to + 1 : end) - at);
}

/* Up to where `what` ends a comment. */
static size_t comment_length(const char *at, const char *end, struct ui_code_state *state)
{
    for (const char *to = at; to + 1 < end; to++)
        if (to[0] == '*' && to[1] == '/') {
            state->glsl_comment = false;
            return (size_t)(to + 2 - at);
        }
    state->glsl_comment = true;
    return (size_t)(end - at);
}

/* What both languages have. `end` is that of the long text or of the line. */
static size_t common(const char *at, const char *end, enum ui_token *token)
{
    if (isdigit((unsigned char)*at) || (*at == '.' && at + 1 < end && isdigit((unsigned char)at[1]))) {
        *token = UI_TOKEN_NUMBER;
        return number_length(at, end);
    }
    if (strchr("()[]{}", *at) && *at) {
        *token = UI_TOKEN_BRACKET;
        return 1;
    }
    size_t length = 1;
    while (at + length < end && !is_word(at[length]) && !strchr("()[]{}\"'-/.", at[length]))
        length++;
    *token = UI_TOKEN_PLAIN;
    return length;
}

static size_t glsl_token(const char *at, const char *end, struct ui_code_state *state, enum ui_token *token)
{
    *token = UI_TOKEN_COMMENT;
    if (state->glsl_comment)
        return comment_length(at, end, state);
    if (end - at > 1 && at[0] == '/' && at[1] == '/')
        return (size_t)(end - at);
    if (end - at > 1 && at[0] == '/' && at[1] == '*')
        return 2 + comment_length(at + 2, end, state);
    size_t length = isdigit((unsigned char)*at) ? 0 : word_length(at, end);
    if (length == 0)
        return common(at, end, token);
    *token = is_one_of(glsl_words, sizeof glsl_words / sizeof glsl_words[0], at, length) ? UI_TOKEN_KEYWORD
             : length > 4 && memcmp(at, "oro_", 4) == 0                                  ? UI_TOKEN_LIBRARY
                                                                                         : UI_TOKEN_PLAIN;
    return length;
}

static size_t within_long(const char *at, const char *end, struct ui_code_state *state, enum ui_token *token)
{
    const char *close = long_end(at, end, state->level);
    bool comment = state->within == 2, bracket = close && close - at == state->level + 2;
    if (bracket) {
        *state = (struct ui_code_state){0};
        *token = comment ? UI_TOKEN_COMMENT : UI_TOKEN_TEXT;
        return (size_t)(close - at);
    }
    const char *until = close ? close - state->level - 2 : end;
    if (!comment)
        return glsl_token(at, until, state, token);
    *token = UI_TOKEN_COMMENT;
    return (size_t)(until - at);
}

static size_t begin_long(size_t before, int level, bool comment, struct ui_code_state *state)
{
    *state = (struct ui_code_state){.within = comment ? 2 : 1, .level = (unsigned char)level};
    return before + (size_t)level + 2;
}

/* A name, along with the name behind its dot where the library has both: "math.abs". */
static size_t lua_word(const char *at, const char *end, const char *const *library, enum ui_token *token)
{
    size_t length = word_length(at, end), whole = length;
    *token = UI_TOKEN_PLAIN;
    if (is_one_of(lua_words, sizeof lua_words / sizeof lua_words[0], at, length)) {
        *token = UI_TOKEN_KEYWORD;
        return length;
    }
    if (at + length + 1 < end && at[length] == '.')
        whole = length + 1 + word_length(at + length + 1, end);
    size_t known = 0;
    for (size_t i = 0; library && library[i]; i++) {
        size_t named = strlen(library[i]);
        if (named > known && (named == length || named == whole) && memcmp(library[i], at, named) == 0)
            known = named;
    }
    const char *next = at + known;
    while (next < end && *next == ' ')
        next++;
    bool given = next < end && *next == '=' && (next + 1 == end || next[1] != '='); /* a key of a table */
    if (known > 0 && !given) {
        *token = UI_TOKEN_LIBRARY;
        return known;
    }
    return length;
}

size_t ui_code_token(const char *at, const char *end, const char *const *library, struct ui_code_state *state,
                     enum ui_token *token)
{
    if (state->within)
        return within_long(at, end, state, token);
    if (end - at > 1 && at[0] == '-' && at[1] == '-') {
        int level = long_level(at + 2, end);
        *token = UI_TOKEN_COMMENT;
        return level < 0 ? (size_t)(end - at) : begin_long(2, level, true, state);
    }
    int level = long_level(at, end);
    if (level >= 0 || *at == '"' || *at == '\'') {
        *token = UI_TOKEN_TEXT;
        return level >= 0 ? begin_long(0, level, false, state) : quoted_length(at, end);
    }
    if (is_word(*at) && !isdigit((unsigned char)*at))
        return lua_word(at, end, library, token);
    return common(at, end, token);
}

void ui_code_line(const char *at, const char *end, struct ui_code_state *state)
{
    enum ui_token token;
    while (at < end)
        at += ui_code_token(at, end, NULL, state, &token);
}
