/*
 * Shared by live*.c. The window's functions and the live thread meet in struct ed_live: what both touch is
 * under `lock`, which is held for copies alone. A third thread ends evaluations that were overtaken.
 */
#ifndef ED_LIVE_LIVE_PRIVATE_H
#define ED_LIVE_LIVE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/live/engine.h"
#include "editor/live/journal.h"
#include "editor/live/nodes.h"

/* ---- work.c: a request, kept ---- */

struct ed_work {
    struct oro_arena *arena; /* owns all of it */
    uint64_t revision;
    const char *path; /* of the document */
    const char **way; /* the nodes that were entered */
    size_t depth;
    const char *prefix; /* of full ids: "" or "range/peaks/" */
    struct ed_want views[ED_VIEWS_MAX];
    size_t view_count;
    struct ed_want *thumbnails;
    size_t thumbnail_count;
    int preview, resolution; /* resolution 0: no cap */
    bool paused;
};
/* NULL: memory is out. */
struct ed_work *ed_work_create(const struct ed_live_request *request);
void ed_work_destroy(struct ed_work *work); /* NULL is allowed */
/* Whether the same is to be evaluated, small pictures apart; and whether those are the same, too. */
bool ed_work_same(const struct ed_work *a, const struct ed_work *b);
bool ed_work_same_thumbnails(const struct ed_work *a, const struct ed_work *b);

/* ---- shelf.c: the newest pictures. Its lock is the live evaluation's. ---- */

enum { ED_SHELF_MAX = 3 * ED_VIEWS_MAX };
struct ed_shelf {
    struct ed_shelf_entry {
        char *id, *output; /* of the node in full */
        enum ed_derive derive;
        struct oro_hash key; /* of what it shows; zero while a simulation runs */
        struct ed_picture *picture;
    } entries[ED_SHELF_MAX]; /* the newest ones first */
    size_t count;
};
void ed_shelf_clear(struct ed_shelf *shelf);
/* NULL: there is none. Valid while the lock is held, or for the live thread, which alone changes it. */
struct ed_shelf_entry *ed_shelf_find(struct ed_shelf *shelf, const char *id, const char *output,
                                     enum ed_derive derive);
/* Takes the picture over, in place of an older one. */
void ed_shelf_put(struct ed_shelf *shelf, pthread_mutex_t *lock, const char *id, const struct ed_want *want,
                  struct oro_hash key, struct ed_picture *picture);

/* ---- way.c: wants inside graphs that are nodes ---- */

/* One thing that is wanted, while a request is worked on. */
struct ed_item {
    const struct ed_want *want;
    const char *id;           /* of the node in full */
    struct oro_target target; /* in the document that is evaluated; node NULL: it cannot be had */
    const char *problem;      /* why not */
    bool failed, complete;    /* no level is to follow */
    bool capped;              /* the last level held something back */
};
/* Makes `items` for what is wanted, and changes `doc`, a copy of the root, so that the root gives it. What
 * cannot be had is told in the nodes' states; `err` tells the first of it. False: nothing can. */
bool ed_way_open(const struct ed_work *work, const struct oro_registry *registry, struct oro_document *doc,
                 struct ed_item *items, size_t count, struct oro_arena *arena, struct oro_error *err);

/* ---- watched.c: files that the document needs ---- */

struct ed_watched {
    struct ed_watched_file {
        char *path;
        struct oro_stamp stamp;
    } * files;
    size_t count, capacity;
};
void ed_watched_clear(struct ed_watched *watched);
/* The files that steps read, or nodes name, with their sidecars. */
void ed_watched_plan(struct ed_watched *watched, const struct oro_plan *plan);
void ed_watched_document(struct ed_watched *watched, const struct oro_document *doc,
                         const struct oro_registry *registry, bool allow_any_path);
/* Whether any changed since it was added. */
bool ed_watched_changed(const struct ed_watched *watched);

/* ---- take.c: values as pictures ---- */

/* A copy of what the plan's first target gave. `like` has revision, draft, level, running and done. NULL:
 * failed. */
struct ed_picture *ed_take(struct oro_value *value, const struct oro_plan *plan,
                           const struct ed_picture *like, struct oro_error *err);
/* Drainage area of a terrain, in place of it. NULL: failed, or stopped. */
struct ed_picture *ed_take_drainage(const struct ed_picture *terrain, bool (*stop)(void *user), void *user,
                                    struct oro_error *err);

/* ---- The evaluation itself ---- */

/* The first level of a request is not overtaken sooner, in seconds, so that something is seen while a slider
 * moves: at least the former; where that is too short, the next one gets more. */
#define ED_GRACE_LEAST 0.05
#define ED_GRACE_MOST 0.5

struct ed_live {
    struct ed_live_options options;
    char *shader_dir;
    struct ed_journal journal;
    pthread_t thread, watch;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* for both threads, on the clock that only moves forward */

    struct ed_work *asked; /* the window's: what was requested last */
    char *name;            /* the window's: room for a full id */
    size_t name_size;

    /* Under the lock. */
    struct ed_work *next;           /* to be worked on; NULL: nothing new */
    struct oro_document *next_root; /* NULL: the live thread has it already */
    bool gentle;                    /* `next` has other small pictures, and nothing else that is new */
    bool quit, halted;
    bool running, first;              /* a request is worked on, at its first level */
    struct oro_evaluator *evaluating; /* runs a plan; NULL: none does */
    bool cancel_sent;                 /* it was asked to stop */
    double first_since, first_grace;  /* since when, and how long nothing overtakes it; seconds */
    struct ed_live_status status;
    struct ed_shelf shelf;
    struct ed_nodes *nodes;
    atomic_bool stop; /* what runs is not wanted any more; written under the lock */

    pthread_mutex_t problems_lock;
    struct oro_problems problems;
    uint64_t problems_number; /* raised with every check */

    /* The live thread's. */
    struct ed_engine engine;
    struct ed_work *work;
    struct oro_document *root;
    uint64_t checked_revision;
    bool checked, broken; /* the root went through oro_check; it has a cycle */
    struct ed_watched watched;
    double cache_looked_at;
    struct ed_warm {
        struct oro_hash *types; /* digests of their ids */
        size_t count, capacity;
    } warm; /* node types whose kernels have run */
    struct ed_run *run;
};

/* live_thread.c: the two threads. */
void *ed_live_thread(void *user);
void *ed_live_watch(void *user);
/* With the lock held: what runs is to end. */
void ed_live_stop(struct ed_live *live);
/* Whether it is. */
bool ed_live_stopped(void *live);
void ed_live_wake(struct ed_live *live);

/* live_run.c: works on the request. */
void ed_live_run(struct ed_live *live);

/* A request while it is worked on. */
struct ed_run {
    struct oro_arena *arena;
    struct oro_document *doc; /* a copy of the root that is changed */
    struct oro_world world;   /* of the root */
    struct ed_item *views, *thumbnails;
    size_t thumbnail_count;
    struct ed_failure {
        struct oro_hash key; /* of a step */
        struct oro_error err;
    } * failures; /* so that nothing fails twice, for all that need it */
    size_t failure_count, failure_capacity;
    bool ready; /* there is something that can be evaluated */
    bool said;  /* a problem is told already */
    bool cold;  /* something is shown whose kernels have not run */
    /* What is evaluated. */
    const struct ed_show *show;
    struct ed_steps steps;
    struct ed_nodes_run *nodes;
    double since;
};

/* live_evaluate.c: one evaluation, and what is told on the way. */
struct ed_show {
    struct ed_item *item;
    const struct oro_plan *plan; /* its first target is the item's */
    struct ed_picture like;
    bool thumbnail;
};
/* From here to the end a request to stop goes to the evaluator. False: there was one already. */
bool ed_live_begin(struct ed_live *live, struct oro_evaluator *evaluator);
void ed_live_end(struct ed_live *live);
void ed_live_progress(void *user, const struct oro_progress *progress);
void ed_live_step_done(void *user, const struct oro_step_report *report);
void ed_live_on_the_way(void *user, const struct oro_live *shown);
/* False: stopped, or failed: `err` is filled. */
bool ed_live_show(struct ed_live *live, const struct ed_show *show, struct oro_error *err);
/* The key of what the plan's first target and the want ask for. */
struct oro_hash ed_live_key(const struct oro_plan *plan, const struct ed_want *want);

/* warm.c: kernels that are ready before they are needed. */
void ed_warm_add(struct ed_warm *warm, const struct oro_step *step); /* it has run */
/* Whether all types of the plan's steps have run. */
bool ed_warm_has(const struct ed_warm *warm, const struct oro_plan *plan);
/* Runs a plan, and keeps nothing of it. */
void ed_live_warm(struct ed_live *live, const struct oro_plan *plan);

#endif
