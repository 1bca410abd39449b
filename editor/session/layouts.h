/*
 * Layouts: named texts of workspaces (workspace.h). Some come with the program; the user's own are kept in
 * the settings, and one with the name of one that came takes its place. Plain data.
 */
#ifndef ED_SESSION_LAYOUTS_H
#define ED_SESSION_LAYOUTS_H

#include "base/error.h"
#include "editor/session/workspace.h"

enum { ED_LAYOUTS_MAX = 32, ED_LAYOUT_NAME = 64 };
struct ed_layout {
    char name[ED_LAYOUT_NAME], text[ED_WORKSPACE_TEXT];
};
struct ed_layouts { /* the user's */
    struct ed_layout items[ED_LAYOUTS_MAX];
    int count;
};

/* Those that came with the program, and then the user's others: by number, from 0. NULL: no more. */
const struct ed_layout *ed_layout_at(const struct ed_layouts *layouts, int number);
const struct ed_layout *ed_layout_find(const struct ed_layouts *layouts, const char *name); /* or NULL */
/* Whether the user has one of that name, which can be removed. */
bool ed_layout_is_own(const struct ed_layouts *layouts, const char *name);
/* Whether one of that name came with the program. */
bool ed_layout_came(const char *name);
/* Keeps or replaces the user's. Fails with ORO_E_USAGE: the name is empty or too long, the text is wrong, or
 * there are too many. */
bool ed_layout_keep(struct ed_layouts *layouts, const char *name, const char *text, struct oro_error *err);
/* Fails with ORO_E_USAGE: there is none, or there is one of the new name. */
bool ed_layout_rename(struct ed_layouts *layouts, const char *name, const char *to, struct oro_error *err);
void ed_layout_remove(struct ed_layouts *layouts, const char *name);

#endif
