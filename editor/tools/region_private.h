/* Shared by the files of the tool that copies regions, region_*.c. Threads: the window's. */
#ifndef ED_TOOLS_REGION_PRIVATE_H
#define ED_TOOLS_REGION_PRIVATE_H

#include "editor/pane/bar.h"
#include "editor/tools/region_tool.h"
#include "terrain/network/stroke.h"

/* An ellipse, or what a line encloses; in metres. */
struct ed_region {
    bool lasso;
    double from[2], radius[2]; /* the middle; of the lasso, its centroid */
    struct oro_stroke outline; /* of the lasso: its corners */
};

enum ed_region_action { ED_REGION_NOTHING, ED_REGION_SELECT, ED_REGION_MOVE };

struct ed_region_tool {
    bool lasso; /* the next one */
    struct ed_region region;
    bool selected, copied; /* it is shown; it can be pasted */
    char node[128];        /* that it was cut or pasted by: takes further copies; "" : none */

    enum ed_region_action action; /* what the hand does */
    int pane;
    double start[2], now[2];
    struct oro_stroke drawn;
};

/* ---- region_edit.c: each is one step of the document. Failures are reported to the user. */
void ed_region_copy(struct ed_session *session, const struct ed_pane *pane); /* no step: pastes follow */
void ed_region_erase(struct ed_session *session, const struct ed_pane *pane, bool keep); /* `keep`: cut */
void ed_region_paste(struct ed_session *session, const struct ed_pane *pane, const double at[2]);
/* Moves the region; `keep`: leaves it where it is, too. */
void ed_region_move(struct ed_session *session, const struct ed_pane *pane, const double to[2], bool keep);

#endif
