/*
 * How categories of node types and their names look: one colour per category, in the palette as in heads of
 * nodes. Threads: the window's.
 */
#ifndef ED_UI_CATEGORY_H
#define ED_UI_CATEGORY_H

#include <stddef.h>
#include <stdint.h>

/* Any text: of one that is not known, a grey. */
uint32_t ed_category_colour(const char *category);
/* "source" is 0, those that are not known come last, all of one number. */
int ed_category_order(const char *category);
/* "river_network" as "River network". Returns `out`. */
const char *ed_pretty_name(const char *id, char *out, size_t size);
/* The name of a graph that a node uses: "library/alpine_range.oro" and "#alpine_range" are "Alpine range". */
const char *ed_pretty_graph(const char *href, char *out, size_t size);

#endif
