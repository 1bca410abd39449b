/*
 * The text of a code editor: cursor, selection, undo, lines, indentation, brackets, searching. No window
 * here. Places are bytes; they never lie within a letter. Changes fail without effect where memory is out or
 * the text would pass UI_CODE_BYTES. One thread at a time.
 */
#ifndef ED_UI_CODE_TEXT_H
#define ED_UI_CODE_TEXT_H

#include "editor/ui/code_tokens.h"

enum { UI_CODE_BYTES = 1 << 18 };

struct ui_code_change;
struct ui_code {
    char *text; /* ends with a zero; NULL before ui_code_set */
    size_t length, capacity;
    size_t cursor, anchor; /* what is selected lies between them */
    float wanted_x;        /* to which the cursor returns in longer lines; negative: where it is */
    size_t *lines;         /* where each begins */
    struct ui_code_state *states;
    size_t line_count, line_capacity, state_capacity;
    struct ui_code_change *changes; /* those before `done` can be undone, the others redone */
    size_t change_count, change_capacity, done;
    unsigned long revision; /* rises with each change */
};

bool ui_code_set(struct ui_code *code, const char *text); /* forgets what could be undone */
void ui_code_free(struct ui_code *code);

/* Changes: of what is selected, else at the cursor. */
bool ui_code_insert(struct ui_code *code, const char *text, size_t length);
bool ui_code_typed(struct ui_code *code,
                   const char *text);       /* also brings "end", "}" and ")" to their place */
bool ui_code_newline(struct ui_code *code); /* indented as suits the line before */
bool ui_code_delete(struct ui_code *code, bool forwards, bool word);
bool ui_code_indent(struct ui_code *code,
                    bool out);              /* the lines that are selected; else blanks to the column */
bool ui_code_comment(struct ui_code *code); /* or no longer: "--" in front of the lines */
bool ui_code_undo(struct ui_code *code);
bool ui_code_redo(struct ui_code *code);

/* Moves of the cursor. `select`: the anchor stays. */
enum ui_code_move {
    UI_CODE_LEFT,
    UI_CODE_RIGHT,
    UI_CODE_WORD_LEFT,
    UI_CODE_WORD_RIGHT,
    UI_CODE_LINE_START, /* behind the indentation; from there, to the very start */
    UI_CODE_LINE_END,
    UI_CODE_START,
    UI_CODE_END,
};
void ui_code_move(struct ui_code *code, enum ui_code_move move, bool select);
void ui_code_put(struct ui_code *code, size_t at, bool select);
void ui_code_select_word(struct ui_code *code);
size_t ui_code_selected(const struct ui_code *code, size_t *from); /* how many bytes */

/* Lines are counted from 0. */
size_t ui_code_line_of(const struct ui_code *code, size_t at);
size_t ui_code_line_end(const struct ui_code *code, size_t line); /* before the line break */
/* The bracket that belongs to the one at the cursor, or before it; `own` is that one. False: there is none.
 */
bool ui_code_bracket(const struct ui_code *code, size_t *own, size_t *other);
/* Selects the next (or the last) place with those letters, small or capital, and goes on from the other end.
 * False: there is none. */
bool ui_code_find(struct ui_code *code, const char *what, bool forwards);

#endif
