/*
 * The workspace: how the window is divided among its parts. A tree: a split divides a place into two, and a
 * pane, its leaf, shows one part of the window. Each part is in at most one pane. Plain data, that a text
 * says in full: settings keep layouts as such texts.
 *
 * The text lists the tree from the top, each split followed by its two places: "across 230 palette down 0.55
 * view graph" has the palette on the left, 230 units wide, and right of it the view above the graph. The
 * number says where a split is: between 0 and 1 it is the first place's share; above, the first place's size
 * in units of the interface; below 0, the second's.
 */
#ifndef ED_SESSION_WORKSPACE_H
#define ED_SESSION_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "editor/ui/ui.h"

enum { ED_VIEW_PANES = 4 };
enum ed_pane_part {
    ED_PART_NONE,
    ED_PART_GRAPH,
    ED_PART_INSPECTOR,
    ED_PART_PALETTE,
    ED_PART_LOG,
    ED_PART_VIEW, /* the first of them */
    ED_PARTS = ED_PART_VIEW + ED_VIEW_PANES,
};
static inline bool ed_part_is_view(enum ed_pane_part part)
{
    return part >= ED_PART_VIEW;
}
const char *ed_part_title(enum ed_pane_part part); /* "Graph" */

enum ed_split { ED_NO_SPLIT, ED_ACROSS, ED_DOWN };
struct ed_place {
    enum ed_split split;    /* none: it is a pane */
    float at;               /* of a split, as in the text */
    enum ed_pane_part part; /* of a pane */
};
enum { ED_PLACES_MAX = 2 * ED_PARTS, ED_WORKSPACE_TEXT = 512 };
struct ed_workspace {
    struct ed_place places[ED_PLACES_MAX]; /* in the order of the text */
    int count;
};

/* False: the text is wrong in some way, and the workspace stays as it was. */
bool ed_workspace_read(struct ed_workspace *workspace, const char *text);
void ed_workspace_write(const struct ed_workspace *workspace, char text[ED_WORKSPACE_TEXT]);

bool ed_workspace_has(const struct ed_workspace *workspace, enum ed_pane_part part);
/* A part that is in no pane; ED_PART_NONE: all are in one. */
enum ed_pane_part ed_workspace_unused(const struct ed_workspace *workspace);
/* Divides the pane of `part`, and shows `other` in the second half, or `before` it. False: `part` is in no
 * pane, or `other` is in one already. */
bool ed_workspace_split(struct ed_workspace *workspace, enum ed_pane_part part, enum ed_split split,
                        enum ed_pane_part other, bool before);
/* The pane of `part` shows `other`; if that was in another pane, that one shows `part`. */
bool ed_workspace_swap(struct ed_workspace *workspace, enum ed_pane_part part, enum ed_pane_part other);
/* Its neighbour takes the place. False: it is the last pane, or none. */
bool ed_workspace_close(struct ed_workspace *workspace, enum ed_pane_part part);
/* Opens a pane for a part at the side of the window where it is at home. */
bool ed_workspace_add(struct ed_workspace *workspace, enum ed_pane_part part);

/* Where all is, for a window of some size. `unit`: pixels of a unit. Panes keep their least sizes; if there
 * is no room for all, those that can be done without are left out: the palette first. */
struct ed_arrangement {
    struct ui_rect parts[ED_PARTS]; /* no width: not shown */
    struct ed_gap {
        struct ui_rect rect, whole; /* the gap itself, and all that the split divides */
        int place;                  /* of the split, in the workspace */
    } gaps[ED_PARTS];
    int gap_count;
};
void ed_workspace_arrange(const struct ed_workspace *workspace, struct ui_rect all, float unit,
                          struct ed_arrangement *arrangement);
/* Moves a gap to where its middle would be at `at`, pixels along the split's direction. */
void ed_workspace_drag(struct ed_workspace *workspace, const struct ed_gap *gap, float at, float unit);
/* The next part after `part` that is shown, from left to right and down; `back`: the one before. */
enum ed_pane_part ed_workspace_next(const struct ed_workspace *workspace,
                                    const struct ed_arrangement *arrangement, enum ed_pane_part part,
                                    bool back);

#endif
