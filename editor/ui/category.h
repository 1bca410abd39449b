/*
 * Colours and names of categories of node types: one colour per category, in the palette and in nodes'
 * titles. Threads: the window's.
 */
#ifndef ED_UI_CATEGORY_H
#define ED_UI_CATEGORY_H

#include <stddef.h>
#include <stdint.h>

/* "my" and "my/Rocks" are categories of the user's own library. An unknown category is grey. */
uint32_t ed_category_colour(const char *category);
/* The category's rank: the user's own come first, then "landscape"; unknown ones come last, all with the same
 * rank. */
int ed_category_order(const char *category);
/* "river_network" as "River network". Returns `out`. */
const char *ed_pretty_name(const char *id, char *out, size_t size);
/* The name of a graph that a node uses: "library/alpine_range.oro" and "#alpine_range" are "Alpine range". */
const char *ed_pretty_graph(const char *href, char *out, size_t size);

#endif
