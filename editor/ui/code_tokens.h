/*
 * Lua, and GLSL within its long texts ([[ ... ]]), cut into coloured pieces, a line at a time. Hostile text
 * only makes odd colours. Any thread.
 */
#ifndef ED_UI_CODE_TOKENS_H
#define ED_UI_CODE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum ui_token {
    UI_TOKEN_PLAIN,
    UI_TOKEN_COMMENT,
    UI_TOKEN_TEXT,
    UI_TOKEN_NUMBER,
    UI_TOKEN_KEYWORD,
    UI_TOKEN_LIBRARY, /* a name that the library has */
    UI_TOKEN_BRACKET,
};

/* Where a line begins; zeroed is the beginning of a text. */
struct ui_code_state {
    unsigned char within; /* 0: nothing; 1: a long text; 2: a long comment */
    unsigned char level;  /* of its brackets: 1 for [=[ */
    bool glsl_comment;    /* within a long text */
};

/* The length of the piece at `at` (up to `end`, the end of its line, where it is not called), and what it is.
 * `library`: names such as "math.abs" and "print", NULL at the end; or NULL. */
size_t ui_code_token(const char *at, const char *end, const char *const *library, struct ui_code_state *state,
                     enum ui_token *token);
/* The state behind a line. */
void ui_code_line(const char *at, const char *end, struct ui_code_state *state);

#endif
