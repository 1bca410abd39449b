/*
 * Search by typed words: how well something matches. Case of ASCII letters is ignored; '_', '-' and blanks
 * are the same. Any thread.
 */
#ifndef ED_UI_SEARCH_H
#define ED_UI_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* What is searched in; parts may be NULL. */
struct ed_searched {
    const char *id, *label, *category, *doc;
};

/* Whether `part` is anywhere in the text, which may be NULL. Only the case of ASCII letters is ignored. */
bool ed_text_holds(const char *text, const char *part);

/* The score of a match: 0 if some word of `typed` is nowhere in it, else the higher the better. Words that
 * are or begin the id or label count most, then words within them, initials of their words, the category, and
 * the doc. If nothing is typed, all match equally. */
int ed_search_score(const char *typed, const struct ed_searched *searched);

/* A result. Results are sorted by falling score, and equal ones by rising index. */
struct ed_found {
    size_t index;
    int score;
};
void ed_found_sort(struct ed_found *found, size_t count);

#endif
