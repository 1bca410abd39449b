/*
 * The history of a project: steps of documents, and foreign steps of other things, in the order in which they
 * were done. A step of a document corresponds to one of its undo steps (oro_document_undo), so the two
 * histories move together.
 */
#ifndef ED_PROJECT_HISTORY_H
#define ED_PROJECT_HISTORY_H

#include "editor/project/foreign_step.h"
#include "graph/document/document.h"

/* Fewer than ORO_UNDO_STEPS, so that the document still has what the history has. */
enum { ED_HISTORY_STEPS = 400 };

struct ed_history_step {
    struct oro_document *doc; /* whose undo step it is; NULL: a foreign step */
    bool joined;              /* undone and redone together with the step before it */
    uint64_t state;           /* number of the project's state after the step: each state has its own */
    char *name;
    struct ed_foreign_step foreign; /* its name is not used */
};

struct ed_history {
    struct ed_history_step steps[ED_HISTORY_STEPS]; /* oldest first; those from `done` on were undone */
    size_t count, done;
    uint64_t last_state; /* the highest number given */
    uint64_t base_state; /* before the oldest step */
    size_t bytes;        /* of foreign steps */
    bool gesture;
    char *gesture_name;
    size_t gesture_steps; /* steps that the gesture has made, at the end */
};

/* Call this when a document has got another undo step; it must live as long as the history has it. */
void ed_history_edited(struct ed_history *history, struct oro_document *doc, const char *name);
/* Takes ownership of the step even if it fails. */
bool ed_history_add(struct ed_history *history, const struct ed_foreign_step *step, struct oro_error *err);
bool ed_history_undo(struct ed_history *history, struct oro_error *err);
bool ed_history_redo(struct ed_history *history, struct oro_error *err);
/* The name of the next step to undo or redo; if steps are joined, that of the first. NULL: there is none. */
const char *ed_history_name(const struct ed_history *history, bool undo);
/* Steps that are joined count as one. */
size_t ed_history_count(const struct ed_history *history, size_t *done);
/* Of the step with that number, from 0. */
const char *ed_history_step_name(const struct ed_history *history, size_t step);
void ed_history_forget_undone(struct ed_history *history);
/* Forgets all. */
void ed_history_clear(struct ed_history *history);
/* The number of the project's current state. */
uint64_t ed_history_state(const struct ed_history *history);

#endif
