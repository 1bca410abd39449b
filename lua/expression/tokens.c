#include "lua/expression/tokens.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "lua/expression/functions.h"

enum { DEPTH_MAX = 100, NAME_MAX_LENGTH = 100 };

struct scanner {
    const char *at;
    int depth; /* open parentheses */
    struct oro_scanned *out;
    struct oro_error *err;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *after_blanks(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    if (oro_starts_word(*at))
        while (oro_in_word(at[length]))
            length++;
    return length;
}

static bool is_word(const char *word, const char *at, size_t length)
{
    return strncmp(word, at, length) == 0 && !word[length];
}

static bool fail(struct scanner *s, const char *format, ...) ORO_PRINTF(2, 3);
static bool fail(struct scanner *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oro_fail_v(s->err, ORO_E_DOCUMENT, format, args);
    va_end(args);
    return false;
}

static void take(struct scanner *s, size_t length)
{
    oro_text_add_bytes(&s->out->lua, s->at, length);
    s->at += length;
}

/* Tokens of other languages, and words of Lua's statements, with what to write instead. */
static const struct {
    const char *token, *advice;
} foreign[] = {
    {"--", ": write a - (-b)"},
    {"&&", ": write 'and'"},
    {"||", ": write 'or'"},
    {"!=", ": write '~='"},
    {"!", ": write 'not'"},
    {"?", ": write CONDITION and A or B"},
    {"**", ": write '^'"},
    {"=", ": '==' compares"},
    {"..", ""},
    {"\"", ": it is about numbers, not about text"},
    {"'", ": it is about numbers, not about text"},
    {"if", ": write CONDITION and A or B"},
};

static const char *const statements[] = {"break",    "do",     "else", "elseif", "end",   "for",
                                         "function", "goto",   "if",   "in",     "local", "nil",
                                         "repeat",   "return", "then", "until",  "while"};

static bool no_place(struct scanner *s, const char *token, size_t length)
{
    const char *advice = "";
    for (size_t i = 0; !advice[0] && i < sizeof foreign / sizeof foreign[0]; i++)
        if (strncmp(foreign[i].token, token, strlen(foreign[i].token)) == 0) {
            length = strlen(foreign[i].token) > length ? strlen(foreign[i].token) : length;
            advice = foreign[i].advice;
        }
    unsigned char first = (unsigned char)token[0];
    if (first < 0x20 || first == 0x7f)
        return fail(s, "a character of code %d has no place in an expression", first);
    while (first >= 0xc0 && ((unsigned char)token[length] & 0xc0) == 0x80)
        length++;
    return fail(s, "'%.*s' has no place in an expression%s", (int)length, token, advice);
}

/* Digits with a point and an exponent. A whole number gets ".0", so that Lua computes with doubles. */
static bool scan_number(struct scanner *s)
{
    const char *start = s->at, *at = start;
    bool whole = true;
    while (oro_is_digit(*at))
        at++;
    if (*at == '.') {
        whole = false;
        at++;
        while (oro_is_digit(*at))
            at++;
    }
    if (*at == 'e' || *at == 'E') {
        whole = false;
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        if (!oro_is_digit(*at))
            return fail(s, "malformed number near '%.*s'", (int)(at - start), start);
        while (oro_is_digit(*at))
            at++;
    }
    if (oro_starts_word(*at) || *at == '.')
        return fail(s, "malformed number near '%.*s'", (int)(at + 1 - start), start);
    take(s, (size_t)(at - start));
    if (whole)
        oro_text_add(&s->out->lua, ".0");
    return true;
}

static bool add_variable(struct scanner *s, const char *prefix, const char *name, size_t length)
{
    struct oro_scanned *out = s->out;
    struct oro_variable variable = {0};
    memcpy(variable.name, prefix, strlen(prefix));
    memcpy(variable.name + strlen(prefix), name, length);
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->variables[i].name, variable.name) == 0)
            return true;
    if (!oro_reserve((void **)&out->variables, &out->capacity, out->count + 1, sizeof variable))
        return oro_fail(s->err, ORO_E_MEMORY, "no memory for the variables of an expression");
    out->variables[out->count++] = variable;
    return true;
}

/* The name of a function must be followed by its arguments, and no other name may be. */
static bool check_call(struct scanner *s, const char *name, size_t length, const char *after)
{
    bool function = oro_find_function(name, length), called = *after_blanks(after) == '(';
    if (function == called)
        return true;
    return function ? fail(s, "'%.*s' is a function: write %.*s(...)", (int)length, name, (int)length, name)
                    : fail(s, "'%.*s' is no function", (int)length, name);
}

/* Scans `world.NAME` or `math.NAME`; s->at is at the first name. */
static bool scan_member(struct scanner *s, size_t first)
{
    const char *owner = s->at, *member = after_blanks(after_blanks(owner + first) + 1);
    size_t length = name_length(member);
    bool world = is_word("world", owner, first);
    if (!world && !is_word("math", owner, first))
        return fail(s, "'%.*s' has no parts: only 'world' and 'math' stand before a dot", (int)first, owner);
    if (!length)
        return fail(s, "a name is expected after '%.*s.'", (int)first, owner);
    if (length > NAME_MAX_LENGTH)
        return fail(s, "a name is longer than %d characters", NAME_MAX_LENGTH);
    if (world) {
        if (*after_blanks(member + length) == '(')
            return fail(s, "'world.%.*s' is no function", (int)length, member);
        if (!add_variable(s, "world.", member, length))
            return false;
    } else if (!oro_find_constant(member, length)) {
        if (!oro_find_function(member, length))
            return fail(s, "there is no 'math.%.*s'", (int)length, member);
        if (!check_call(s, member, length, member + length))
            return false;
    }
    take(s, (size_t)(member + length - owner));
    return true;
}

static bool scan_name(struct scanner *s)
{
    static const char *const words[] = {"and", "or", "not", "true", "false"};
    size_t length = name_length(s->at);
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (is_word(statements[i], s->at, length))
            return no_place(s, s->at, length);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_word(words[i], s->at, length)) {
            take(s, length);
            return true;
        }
    const char *after = after_blanks(s->at + length);
    if (*after == '.' && after[1] != '.')
        return scan_member(s, length);
    if (is_word("world", s->at, length) || is_word("math", s->at, length))
        return fail(s, "'%.*s' is nothing by itself: write %.*s.NAME", (int)length, s->at, (int)length,
                    s->at);
    if (length > NAME_MAX_LENGTH)
        return fail(s, "a name is longer than %d characters", NAME_MAX_LENGTH);
    if (!check_call(s, s->at, length, after))
        return false;
    if (!oro_find_function(s->at, length) && !oro_find_constant(s->at, length) &&
        !add_variable(s, "", s->at, length))
        return false;
    take(s, length);
    return true;
}

static bool scan_operator(struct scanner *s)
{
    static const char *const operators[] = {"<=", ">=", "==", "~=", "//", "<", ">", "+",
                                            "-",  "*",  "/",  "%",  "^",  "(", ")", ","};
    /* Each character is an operator, but both together are another operator, or a comment. */
    static const char *const mistakes[] = {"--", "**", "<<", ">>"};
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        if (strncmp(s->at, mistakes[i], 2) == 0)
            return no_place(s, s->at, 2);
    size_t i = 0, count = sizeof operators / sizeof operators[0];
    while (i < count && strncmp(s->at, operators[i], strlen(operators[i])) != 0)
        i++;
    if (i == count)
        return no_place(s, s->at, 1);
    s->depth += *s->at == '(' ? 1 : *s->at == ')' ? -1 : 0;
    if (s->depth < 0)
        return fail(s, "')' closes nothing");
    if (s->depth > DEPTH_MAX)
        return fail(s, "is nested deeper than %d parentheses", DEPTH_MAX);
    if (*s->at == ',' && s->depth == 0)
        return fail(s, "',' separates the arguments of a function: numbers have a point, 0.5");
    take(s, strlen(operators[i]));
    return true;
}

static bool scan_token(struct scanner *s)
{
    if (is_blank(*s->at)) {
        take(s, 1);
        return true;
    }
    if (oro_starts_word(*s->at))
        return scan_name(s);
    if (oro_is_digit(*s->at) || (*s->at == '.' && oro_is_digit(s->at[1])))
        return scan_number(s);
    return scan_operator(s);
}

bool oro_scan_expression(const char *text, struct oro_scanned *scanned, struct oro_error *err)
{
    struct scanner s = {.at = text, .out = scanned, .err = err};
    *scanned = (struct oro_scanned){0};
    if (strlen(text) > ORO_EXPRESSION_MAX)
        return fail(&s, "is longer than %d bytes", ORO_EXPRESSION_MAX);
    if (!*after_blanks(text))
        return fail(&s, "is empty: an expression is expected");
    while (*s.at)
        if (!scan_token(&s))
            return false;
    if (s.depth > 0)
        return fail(&s, "')' expected at the end");
    if (scanned->lua.failed)
        return oro_fail(err, ORO_E_MEMORY, "no memory for an expression");
    return true;
}

void oro_scanned_free(struct oro_scanned *scanned)
{
    oro_text_free(&scanned->lua);
    oro_free(scanned->variables);
    *scanned = (struct oro_scanned){0};
}
