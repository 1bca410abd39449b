/* Shared by the files of the tool that draws lines, sketch_*.c. Threads: the window's. */
#ifndef ED_TOOLS_SKETCH_PRIVATE_H
#define ED_TOOLS_SKETCH_PRIVATE_H

#include "editor/pane/bar.h"
#include "editor/tools/sketch.h"
#include "editor/tools/sketch_tool.h"

enum ed_sketch_action { ED_SKETCH_NOTHING, ED_SKETCH_DRAW, ED_SKETCH_SMOOTH, ED_SKETCH_ERASE };
enum ed_sketch_vary { ED_SKETCH_EVEN, ED_SKETCH_BY_PRESSURE, ED_SKETCH_BY_SPEED, ED_SKETCH_VARIES };

/* A line that is there already. */
struct ed_sketch_line {
    char node[128];
    size_t line; /* in the text of its input */
    struct oro_stroke samples;
    bool *gone; /* samples that are being erased */
    bool touched;
};

struct ed_sketch_tool {
    enum ed_sketch_kind kind;
    enum ed_sketch_action mode; /* without keys */
    enum ed_sketch_vary vary;
    bool vary_width, vary_strength;
    float shares[ED_SKETCH_KINDS]; /* widths of lines, of the world's width */
    double rate;                   /* metres a year */
    double elevation;              /* of ridges; NaN: that of the highest ground */
    double rise;                   /* of peaks, above the ground that is there; NaN: by its relief */

    /* Lines of the kind, as the document has them. */
    struct ed_sketch_line *lines;
    size_t count, capacity;
    uint64_t revision;
    enum ed_sketch_kind listed;

    enum ed_sketch_action action; /* what the hand does */
    int pane;
    struct oro_stroke drawn;
    size_t onto; /* the line that the stroke goes on with; SIZE_MAX: none */
    bool head;   /* at its beginning */
    struct ui_vec last;
    unsigned last_time;
    float pace; /* pixels a millisecond, smoothed */
};

double ed_sketch_extent(const struct ed_session *session); /* of the world, metres */
double ed_sketch_width(const struct ed_session *session);  /* of a line that is drawn, metres */
/* How far above the ground a peak is asked for, and how high a ridge: what was set, or what suits it. */
double ed_sketch_rise(const struct ed_sketch_tool *tool, const struct ed_pane *pane);
double ed_sketch_crest(const struct ed_sketch_tool *tool, const struct ed_pane *pane);

/* ---- sketch_lines.c */
/* Lists the lines of the kind anew if the document was changed. */
void ed_sketch_list(struct ed_session *session, const struct ed_pane *pane);
void ed_sketch_forget(struct ed_sketch_tool *tool);

/* ---- sketch_edit.c: what was drawn becomes a step of the document. */
void ed_sketch_draw_done(struct ed_session *session, struct ed_pane *pane);
void ed_sketch_change_done(struct ed_session *session, struct ed_pane *pane, const char *name);

#endif
