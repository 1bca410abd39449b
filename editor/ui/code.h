/* The widget in which a script is read and edited: line numbers, colours, current line, brackets, a mark at a
 * line that is wrong, a search (Ctrl+F). The text is that of code_text.h. Threads: the window's. */
#ifndef ED_UI_CODE_H
#define ED_UI_CODE_H

#include "editor/ui/code_text.h"
#include "editor/ui/ui.h"

struct ui_code_view {
    float scroll_x;
    bool active;     /* has the keyboard, or its search has */
    bool follow;     /* the cursor is to be brought into view */
    bool dragging;   /* the mouse selects */
    bool finding;    /* the search is open */
    bool find_asked; /* its field gets the keyboard */
    char find[128];
    bool not_found;
    unsigned long bracket_of; /* the revision and cursor that the brackets are of */
    size_t bracket_at, own, other;
    bool has_bracket;
};
struct ui_code_options {
    const char *name; /* in the description */
    float width, height;
    const char *const *library; /* names that have a colour; NULL at the end; or NULL */
    bool read_only;
    size_t wrong_line; /* 1 and up; 0: none */
    const char *wrong; /* why */
};
enum { /* what has happened, as a sum */
       UI_CODE_CHANGED = 1,
       UI_CODE_APPLY = 2,   /* Ctrl+Enter */
       UI_CODE_LEFT_IT = 4, /* the keyboard went elsewhere, or Escape was pressed */
};
int ui_code_draw(struct ui_code *code, struct ui_code_view *view, const struct ui_code_options *options);

#endif
