/*
 * Search by typed words: how well something matches. Letters of ASCII are compared without case; '_', '-' and
 * blanks are the same. Any thread.
 */
#ifndef ED_UI_SEARCH_H
#define ED_UI_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* What is searched in; parts may be NULL. */
struct ed_searched {
    const char *id, *label, *category, *doc;
};

/* Whether `part` is anywhere in the text, which may be NULL. Case of ASCII aside; nothing else is. */
bool ed_text_holds(const char *text, const char *part);

/* 0: some word of `typed` is nowhere in it. Otherwise the higher the better: words that are or begin the id
 * or label count most, then those within it, the letters that its words begin with, the category, the doc. An
 * empty text matches all alike. */
int ed_search_score(const char *typed, const struct ed_searched *searched);

/* One of many: sorted by falling score, and with equal ones by rising index. */
struct ed_found {
    size_t index;
    int score;
};
void ed_found_sort(struct ed_found *found, size_t count);

#endif
