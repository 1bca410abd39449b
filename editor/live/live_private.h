/*
 * Shared by live*.c. The window's functions and the live thread meet in struct ed_live: what both use is
 * guarded by `lock`, which is held only while copying. A third thread, the watch, ends evaluations that a
 * newer request has overtaken.
 */
#ifndef ED_LIVE_LIVE_PRIVATE_H
#define ED_LIVE_LIVE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/file_list.h"
#include "base/memory.h"
#include "editor/live/engine.h"
#include "editor/live/journal.h"
#include "editor/live/nodes.h"

/* ---- request.c: a request, kept ---- */

struct ed_request {
    struct oro_arena *arena; /* owns all of it */
    uint64_t revision;
    const char *path;     /* of the document */
    const char **entered; /* nodes, from the root inwards */
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
struct ed_request *ed_request_create(const struct ed_live_request *request);
void ed_request_destroy(struct ed_request *request); /* NULL is allowed */
/* Whether two requests ask for the same evaluation, apart from thumbnails; and whether the thumbnails are the
 * same, too. */
bool ed_request_same(const struct ed_request *a, const struct ed_request *b);
bool ed_request_same_thumbnails(const struct ed_request *a, const struct ed_request *b);

/* ---- kept_pictures.c: the newest pictures. Its lock is the live evaluation's. ---- */

enum { ED_KEPT_MAX = 3 * ED_VIEWS_MAX };
struct ed_kept_pictures {
    struct ed_kept_picture {
        char *id, *output; /* of the node in full */
        enum ed_derive derive;
        struct oro_hash key; /* of the result shown; zero while a simulation runs */
        struct ed_picture *picture;
    } entries[ED_KEPT_MAX]; /* the newest ones first */
    size_t count;
};
void ed_kept_clear(struct ed_kept_pictures *kept);
/* NULL: there is none. Valid while the lock is held; for the live thread always, since nobody else changes
 * the entries. */
struct ed_kept_picture *ed_kept_find(struct ed_kept_pictures *kept, const char *id, const char *output,
                                     enum ed_derive derive);
/* Takes ownership of the picture, which replaces an older one. */
void ed_kept_put(struct ed_kept_pictures *kept, pthread_mutex_t *lock, const char *id,
                 const struct ed_want *want, struct oro_hash key, struct ed_picture *picture);

/* ---- nested_outputs.c: wants inside graphs that are nodes ---- */

/* A want, while its request is worked on. */
struct ed_wanted {
    const struct ed_want *want;
    const char *id;           /* of the node in full */
    struct oro_target target; /* in the document that is evaluated; node NULL: unavailable */
    const char *problem;      /* why it is unavailable */
    bool failed, complete;    /* no further level follows */
    bool capped;              /* the last level held something back */
};
/* Finds the targets of `items` in `doc`: the root or, if nodes were entered, a copy of it changed so that it
 * outputs what lies inside. An item that is unavailable says why; `err` has the first reason. False: all are
 * unavailable. */
bool ed_nested_outputs(const struct ed_request *request, const struct oro_registry *registry,
                       struct oro_document *doc, struct ed_wanted *items, size_t count,
                       struct oro_arena *arena, struct oro_error *err);

/* ---- watched_files.c: changes of the files that the document needs ---- */

/* Adds the files that steps read, or nodes name, with their sidecars. */
void ed_watched_plan(struct oro_file_list *watched, const struct oro_plan *plan);
void ed_watched_document(struct oro_file_list *watched, const struct oro_document *doc,
                         const struct oro_registry *registry, bool allow_any_path);

/* ---- value_picture.c: values as pictures ---- */

/* A picture with a copy of the values of the plan's first target, and with revision, draft, level, running
 * and done of `like`. NULL: failed. */
struct ed_picture *ed_picture_of_value(struct oro_value *value, const struct oro_plan *plan,
                                       const struct ed_picture *like, struct oro_error *err);
/* Drainage area of a terrain, in place of it. NULL: failed, or stopped. */
struct ed_picture *ed_picture_of_drainage(const struct ed_picture *terrain, bool (*stop)(void *user),
                                          void *user, struct oro_error *err);

/* ---- The evaluation itself ---- */

/* How many seconds the first level of a request runs before a newer request may overtake it, so that
 * something is seen while a slider moves: at least the former; if that is too short, the next request gets
 * more time. */
#define ED_GRACE_LEAST 0.05
#define ED_GRACE_MOST 0.5

struct ed_live {
    struct ed_live_options options;
    char *shader_dir;
    struct ed_journal journal;
    pthread_t thread, watch;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* for both threads, on the clock that only moves forward */

    struct ed_request *asked; /* used by the window alone: the last request */
    char *name;               /* used by the window alone: room for a full id */
    size_t name_size;

    /* Guarded by the lock. */
    struct ed_request *next;        /* to be worked on; NULL: nothing new */
    struct oro_document *next_root; /* NULL: the live thread has it already */
    bool gentle;                    /* `next` differs in its thumbnails only */
    bool quit, halted;
    bool again;                       /* the request that was halted goes on */
    bool running, first;              /* a request is worked on, at its first level */
    struct oro_evaluator *evaluating; /* runs a plan; NULL: none does */
    double first_since, first_grace;  /* since when, and how long nothing overtakes it; seconds */
    struct ed_live_status status;
    struct ed_kept_pictures kept;
    struct ed_nodes *nodes;
    struct oro_world world; /* as it is evaluated; its `crs` is owned, its `from` is NULL */
    bool located;           /* the world is known */
    uint64_t world_number;  /* raised with every change of it */
    atomic_bool stop;       /* what runs is no longer wanted; written with the lock held */

    pthread_mutex_t problems_lock;
    struct oro_problems problems;
    uint64_t problems_number; /* raised with every check */

    /* Used by the live thread alone. */
    struct ed_engine engine;
    struct ed_request *request;
    struct oro_document *root;
    uint64_t checked_revision;
    bool checked, broken; /* the root went through oro_check; it has a cycle */
    struct oro_file_list watched;
    double cache_looked_at;
    double aspect;  /* of the world of `root` */
    int resolution; /* likewise */
    struct ed_kernels {
        struct oro_hash *types; /* digests of their ids */
        size_t count, capacity;
    } kernels; /* node types whose kernels have run */
    struct ed_run *run;
};

/* live_thread.c: the two threads. */
void *ed_live_thread(void *user);
void *ed_live_watch(void *user);
/* Asks the running evaluation to end; call it with the lock held. */
void ed_live_stop(struct ed_live *live);
/* Whether it was asked to. */
bool ed_live_stopped(void *live);
void ed_live_wake(struct ed_live *live);

/* live_run.c: works on the request. */
void ed_live_run(struct ed_live *live);

/* A request that is being worked on. */
struct ed_run {
    struct oro_arena *arena;
    struct oro_document *doc; /* the root; where nodes were entered, a copy that gives what lies inside */
    bool drafted;             /* its world is the draft's for a while */
    struct ed_wanted *views, *thumbnails;
    size_t thumbnail_count;
    struct ed_failure {
        struct oro_hash key; /* of a step */
        struct oro_error err;
    } * failures; /* kept so that a failing step is not run again for each item that needs it */
    size_t failure_count, failure_capacity;
    bool ready; /* there is something that can be evaluated */
    bool said;  /* a problem was already reported */
    bool cold;  /* something is shown whose kernels have not run */
    /* What is evaluated. */
    const struct ed_show *show;
    struct ed_steps steps;
    struct ed_nodes_run *nodes;
    double since;
};

/* live_evaluate.c: one evaluation, with the evaluator's callbacks. */
struct ed_show {
    struct ed_wanted *item;
    const struct oro_plan *plan; /* its first target is the item's */
    struct ed_picture like;
    bool thumbnail;
};
/* From here to ed_live_end, a request to stop goes to the evaluator. False: there was one already. */
bool ed_live_begin(struct ed_live *live, struct oro_evaluator *evaluator);
void ed_live_end(struct ed_live *live);
void ed_live_progress(void *user, const struct oro_progress *progress);
void ed_live_step_done(void *user, const struct oro_step_report *report);
void ed_live_on_the_way(void *user, const struct oro_live *shown);
/* False: stopped, or failed: `err` is filled. */
bool ed_live_show(struct ed_live *live, const struct ed_show *show, struct oro_error *err);
/* The key of what the plan's first target and the want ask for. */
struct oro_hash ed_live_key(const struct oro_plan *plan, const struct ed_want *want);

/* kernels.c: gets kernels compiled before they are needed. */
void ed_kernels_ran(struct ed_kernels *kernels, const struct oro_step *step); /* it has run */
/* Whether all types of the plan's steps have run. */
bool ed_kernels_have_run(const struct ed_kernels *kernels, const struct oro_plan *plan);
/* Runs a plan and keeps none of its results. */
void ed_live_compile(struct ed_live *live, const struct oro_plan *plan);

#endif
