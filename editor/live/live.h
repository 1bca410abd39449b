/*
 * Live evaluation: a thread with a device, a cache and node types of its own, that evaluates what the window
 * shows. The window never waits for it: it hands over a copy of the document and what it wants to see, and
 * takes whatever results there are.
 *
 * Results come in levels: first a draft (the world's resolution lowered to the preview cap, if it is higher),
 * then the world's own resolution with nodes that raise it held back at the preview cap, then with twice that
 * cap, and so on up to `resolution`. Every level but the draft is a prefix of the build. Simulations show
 * intermediate states.
 *
 * A new request ends the running evaluation if it is about another document or other views; the cache is
 * kept.
 *
 * Threads: all functions are called from the window's thread, and take at most microseconds, but for create
 * and destroy, and for ed_live_request, which copies the document.
 */
#ifndef ED_LIVE_LIVE_H
#define ED_LIVE_LIVE_H

#include "editor/live/options.h"
#include "editor/live/picture.h"
#include "graph/document/document.h"
#include "graph/eval/evaluator.h"

struct ed_live;

/* Returns at once: the device is opened on the thread. NULL: no thread can be made, or memory is out. */
struct ed_live *ed_live_create(const struct ed_live_options *options, struct oro_error *err);
void ed_live_destroy(struct ed_live *live);

/* What is derived from an output before it is shown. */
enum ed_derive {
    ED_DERIVE_NOTHING,
    ED_DERIVE_DRAINAGE, /* drainage area in square metres, of the terrain with its hollows filled */
};
/* An output of a node of the shown graph. */
struct ed_want {
    const char *node, *output;
    enum ed_derive derive;
};

struct ed_live_request {
    const struct oro_document *root; /* copied */
    uint64_t revision;               /* of the root */
    /* The nodes that were entered, from the root: wants are in the graph of the last one. */
    const char *const *entered;
    size_t depth;
    const struct ed_want *views; /* shown large, the first is what the user looks at; at most ED_VIEWS_MAX */
    size_t view_count;
    const struct ed_want *thumbnails; /* small pictures, made after the first level, in this order */
    size_t thumbnail_count;
    int preview;    /* cells along the longer side at first; 0: 256 */
    int resolution; /* the last level; 0: no cap, all of the build */
    bool paused;    /* nothing is evaluated; what is there stays */
};
enum { ED_VIEWS_MAX = 8 };
/* Replaces the previous request. Copies only what changed since then. False: memory is out. */
bool ed_live_request(struct ed_live *live, const struct ed_live_request *request, struct oro_error *err);
/* Stops the evaluation, until the next request with another revision or other views. */
void ed_live_cancel(struct ed_live *live);
/* Goes on after ed_live_cancel. */
void ed_live_resume(struct ed_live *live);
/* Tells that files may have changed: they are looked at now, and not only once a second. */
void ed_live_touch(struct ed_live *live);

/* ---- Results ---- */

/* The newest picture of a want, to be released with ed_picture_release; NULL: none yet. It may be of an older
 * revision until the new one is done. */
struct ed_picture *ed_live_picture(struct ed_live *live, const struct ed_want *want);

enum { ED_THUMBNAIL_SIDE = 96 };
struct ed_thumbnail {
    int width, height; /* at most ED_THUMBNAIL_SIDE */
    uint64_t serial;   /* another number: another picture */
    uint8_t rgba[ED_THUMBNAIL_SIDE * ED_THUMBNAIL_SIDE * 4];
};
/* Copies the thumbnail of a node of the shown graph if its serial is not `known`. False: there is no newer
 * one. Thumbnails show a terrain as a hillshade with colours by height, masks in grey, images as they are,
 * networks and uplifts as lines and shapes. */
bool ed_live_thumbnail(struct ed_live *live, const char *node, uint64_t known,
                       struct ed_thumbnail *thumbnail);

enum ed_node_phase {
    ED_NODE_UNKNOWN, /* not asked for */
    ED_NODE_WAITING, /* will run */
    ED_NODE_RUNNING,
    ED_NODE_DONE,   /* computed in this evaluation */
    ED_NODE_CACHED, /* it was there already */
    ED_NODE_FAILED,
};
/* How a node's result falls short of what was asked for. */
enum ed_node_short {
    ED_SHORT_NOT,
    ED_SHORT_STOPPED, /* the user stopped the evaluation before it was done */
    ED_SHORT_COARSE,  /* the limit of the request held a rise of resolution back */
};
struct ed_node_state {
    enum ed_node_phase phase;
    float progress; /* 0..1 while running, negative while unknown */
    double seconds; /* that its results cost, when they were last computed; negative: not known */
    double device_seconds;
    int width, height; /* of its outputs at the level reached; 0: not known */
    enum ed_node_short falls;
    char text[256]; /* of an error */
    char said[600]; /* notices of its result, a line each */
};
/* The state of a node of the shown graph; that of a group sums up all its nodes. */
void ed_live_node(struct ed_live *live, const char *node, struct ed_node_state *state);

struct ed_live_status {
    bool opening, ready; /* the device */
    bool busy;
    bool draft;
    int level;      /* the cap that is being evaluated; 0: none */
    char node[128]; /* that runs */
    size_t step, steps;
    double seconds_left; /* of the running step; negative: unknown */
    uint64_t revision;   /* that the newest pictures of all views are of */
    bool complete;       /* those pictures have reached `resolution` */
    bool stopped;        /* they have not, because the user stopped the evaluation */
    bool coarse;         /* they are complete, but `resolution` held something back */
    uint64_t device_bytes, cache_bytes;
    char device[256];  /* its name */
    char problem[512]; /* why the last evaluation ended, or why there is no device; "": all is well */
    char problem_node[128];
};
void ed_live_status(struct ed_live *live, struct ed_live_status *status);

/* The world as it is evaluated, of a document whose world lies where a file does (graph/plan/site.h). Copies
 * it if its number is not `known`; the caller frees `crs`, and `from` is NULL. Returns the number; 0: the
 * document says its world itself, or the file cannot be read, or nobody has looked yet. If memory is out, the
 * number is `known`. */
uint64_t ed_live_world(struct ed_live *live, uint64_t known, struct oro_world *world);

/* Calls `each` (or NULL) for every problem that oro_check found in the newest revision it was run on. Returns
 * the number of that check, which rises whenever another revision or changed files are checked; 0: there was
 * no check yet. If the number is `known`, it is returned without any call. */
uint64_t ed_live_problems(struct ed_live *live, uint64_t known,
                          void (*each)(void *user, const struct oro_problem *problem), void *user);
/* What was logged since the last call, in order: calls `each`. */
void ed_live_log(struct ed_live *live, void (*each)(void *user, enum oro_level level, const char *text),
                 void *user);

#endif
