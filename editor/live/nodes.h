/*
 * States and thumbnails of nodes, by full id ("range/peaks": node `peaks` of the graph that the node `range`
 * is). Internal to live/. The window reads, the live thread writes, both under the lock that is passed at
 * creation; it is held only while copying.
 */
#ifndef ED_LIVE_NODES_H
#define ED_LIVE_NODES_H

#include <pthread.h>

#include "editor/live/steps.h"

struct ed_nodes;
struct ed_nodes *ed_nodes_create(pthread_mutex_t *lock); /* NULL: memory is out */
void ed_nodes_destroy(struct ed_nodes *nodes);

/* For the window's thread. */
void ed_nodes_state(struct ed_nodes *nodes, const char *id, struct ed_node_state *state);
bool ed_nodes_thumbnail(struct ed_nodes *nodes, const char *id, uint64_t known,
                        struct ed_thumbnail *thumbnail);

/* ---- For the live thread ---- */
/* Begins another round: what was done before counts as cached. */
void ed_nodes_round(struct ed_nodes *nodes);
/* Ends a round: nodes that it did not meet are not asked for. */
void ed_nodes_round_done(struct ed_nodes *nodes);
/* The user stopped the evaluation: nothing runs, and nothing waits. */
void ed_nodes_round_halted(struct ed_nodes *nodes);
/* Forgets everything. */
void ed_nodes_clear(struct ed_nodes *nodes);
/* What the node shows is less than was asked for, in this round. */
void ed_nodes_short(struct ed_nodes *nodes, const char *id, enum ed_node_short falls);
void ed_nodes_failed(struct ed_nodes *nodes, const char *id, const char *text);
bool ed_nodes_has_thumbnail(struct ed_nodes *nodes, const char *id, struct oro_hash key);
/* Takes ownership of `thumbnail` (oro_alloc). */
void ed_nodes_put_thumbnail(struct ed_nodes *nodes, const char *id, struct oro_hash key,
                            struct ed_thumbnail *thumbnail);

/* An evaluation. Nodes of the shown graph have full ids that begin with `prefix` ("" or "range/"). */
struct ed_nodes_run;
struct ed_nodes_run *ed_nodes_begin(struct ed_nodes *nodes, const struct ed_steps *steps, const char *prefix,
                                    struct oro_error *err);
/* A step (SIZE_MAX: all) has news. Records what it cost if it was computed. */
void ed_nodes_step(struct ed_nodes_run *run, size_t step);
void ed_nodes_cost(struct ed_nodes_run *run, const struct oro_step_report *report);
/* Keeps what was said of the step's result. */
void ed_nodes_said(struct ed_nodes_run *run, const struct oro_step_report *report);
/* `text` is that of the failure, or NULL. The node `id` was wanted; its output may be a step of another node.
 */
void ed_nodes_end(struct ed_nodes_run *run, const char *id, const char *text);

#endif
