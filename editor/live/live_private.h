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
/* Whether the same is to be evaluated, small pictures apart; and whether those are the same, too. */
bool ed_request_same(const struct ed_request *a, const struct ed_request *b);
bool ed_request_same_thumbnails(const struct ed_request *a, const struct ed_request *b);

/* ---- kept_pictures.c: the newest pictures. Its lock is the live evaluation's. ---- */

enum { ED_KEPT_MAX = 3 * ED_VIEWS_MAX };
struct ed_kept_pictures {
    struct ed_kept_picture {
        char *id, *output; /* of the node in full */
        enum ed_derive derive;
        struct oro_hash key; /* of what it shows; zero while a simulation runs */
        struct ed_picture *picture;
    } entries[ED_KEPT_MAX]; /* the newest ones first */
    size_t count;
};
void ed_kept_clear(struct ed_kept_pictures *kept);
/* NULL: there is none. Valid while the lock is held, or for the live thread, which alone changes it. */
struct ed_kept_picture *ed_kept_find(struct ed_kept_pictures *kept, const char *id, const char *output,
                                     enum ed_derive derive);
/* Takes the picture over, in place of an older one. */
void ed_kept_put(struct ed_kept_pictures *kept, pthread_mutex_t *lock, const char *id,
                 const struct ed_want *want, struct oro_hash key, struct ed_picture *picture);

/* ---- nested_outputs.c: wants inside graphs that are nodes ---- */

/* One thing that is wanted, while a request is worked on. */
struct ed_wanted {
    const struct ed_want *want;
    const char *id;           /* of the node in full */
    struct oro_target target; /* in the document that is evaluated; node NULL: it cannot be had */
    const char *problem;      /* why not */
    bool failed, complete;    /* no level is to follow */
    bool capped;              /* the last level held something back */
};
/* Finds the targets of `items` in `doc`: the root, or, where nodes were entered, a copy of it that is changed
 * so that it gives what lies inside. What cannot be had says why in its item; `err` tells the first of it.
 * False: nothing can. */
bool ed_nested_outputs(const struct ed_request *request, const struct oro_registry *registry,
                       struct oro_document *doc, struct ed_wanted *items, size_t count,
                       struct oro_arena *arena, struct oro_error *err);

/* ---- watched_files.c: files that the document needs ---- */

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

/* ---- value_picture.c: values as pictures ---- */

/* A copy of what the plan's first target gave. `like` has revision, draft, level, running and done. NULL:
 * failed. */
struct ed_picture *ed_picture_of_value(struct oro_value *value, const struct oro_plan *plan,
                                       const struct ed_picture *like, struct oro_error *err);
/* Drainage area of a terrain, in place of it. NULL: failed, or stopped. */
struct ed_picture *ed_picture_of_drainage(const struct ed_picture *terrain, bool (*stop)(void *user),
                                          void *user, struct oro_error *err);

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

    struct ed_request *asked; /* the window's: what was requested last */
    char *name;               /* the window's: room for a full id */
    size_t name_size;

    /* Under the lock. */
    struct ed_request *next;        /* to be worked on; NULL: nothing new */
    struct oro_document *next_root; /* NULL: the live thread has it already */
    bool gentle;                    /* `next` has other small pictures, and nothing else that is new */
    bool quit, halted;
    bool running, first;              /* a request is worked on, at its first level */
    struct oro_evaluator *evaluating; /* runs a plan; NULL: none does */
    double first_since, first_grace;  /* since when, and how long nothing overtakes it; seconds */
    struct ed_live_status status;
    struct ed_kept_pictures kept;
    struct ed_nodes *nodes;
    atomic_bool stop; /* what runs is not wanted any more; written under the lock */

    pthread_mutex_t problems_lock;
    struct oro_problems problems;
    uint64_t problems_number; /* raised with every check */

    /* The live thread's. */
    struct ed_engine engine;
    struct ed_request *request;
    struct oro_document *root;
    uint64_t checked_revision;
    bool checked, broken; /* the root went through oro_check; it has a cycle */
    struct ed_watched watched;
    double cache_looked_at;
    struct ed_kernels {
        struct oro_hash *types; /* digests of their ids */
        size_t count, capacity;
    } kernels; /* node types whose kernels have run */
    struct ed_run *run;
};

/* live_thread.c: the two threads. */
void *ed_live_thread(void *user);
void *ed_live_watch(void *user);
/* Asks what runs to end; call it with the lock held. */
void ed_live_stop(struct ed_live *live);
/* Whether it is. */
bool ed_live_stopped(void *live);
void ed_live_wake(struct ed_live *live);

/* live_run.c: works on the request. */
void ed_live_run(struct ed_live *live);

/* A request while it is worked on. */
struct ed_run {
    struct oro_arena *arena;
    struct oro_document *doc; /* the root; where nodes were entered, a copy that gives what lies inside */
    bool drafted;             /* its world is another one for a while */
    struct ed_wanted *views, *thumbnails;
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
    struct ed_wanted *item;
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

/* kernels.c: kernels that are ready before they are needed. */
void ed_kernels_ran(struct ed_kernels *kernels, const struct oro_step *step); /* it has run */
/* Whether all types of the plan's steps have run. */
bool ed_kernels_have_run(const struct ed_kernels *kernels, const struct oro_plan *plan);
/* Runs a plan, and keeps nothing of it. */
void ed_live_compile(struct ed_live *live, const struct oro_plan *plan);

#endif
