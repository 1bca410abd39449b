/*
 * Search by typed words: what is found, and in which order. One search for all lists of the programs.
 *
 * A typed word is like another if it is the same or its beginning, has the same stem ("eroding" is like
 * "eroded", "rivers" like "river"), or is a part of it. Case of ASCII letters is ignored; '_', '-' and blanks
 * are the same, and so are "height map" and "heightmap". Items that have only a part of what is typed come
 * last. If none has all of it, words count as well that were typed wrongly, by one letter, or by two if they
 * are long.
 *
 * Any thread.
 */
#ifndef ORO_BASE_SEARCH_H
#define ORO_BASE_SEARCH_H

#include "base/text.h"

/* What is searched in; texts may be NULL. */
struct oro_searched {
    const char *id, *label; /* its name, in two forms */
    const char *words;      /* what else it is called: words and phrases with commas between, nearest first */
    const char *category, *doc;
    int favour;   /* what else speaks for it, 0 to ORO_FAVOUR_MAX: decides between equal matches */
    bool variant; /* of another item, which comes before it */
};
enum { ORO_FAVOUR_MAX = 29 };

/* Results are sorted by falling score, and equal ones by rising index. */
struct oro_match {
    size_t index; /* of the item */
    int score;
};

/* Finds the items that are like what is typed. Names count most, whole ones before their words, then `words`,
 * the category, and the doc. If nothing is typed, all match equally. Returns how many are found; `found` has
 * room for `count`. */
size_t oro_search(const char *typed, const struct oro_searched *items, size_t count, struct oro_match *found);

/* Adds why an item is found: "name: noise", "words: voronoi", "like name: blur". */
void oro_search_explain(struct oro_text *to, const char *typed, const struct oro_searched *item);

#endif
