/*
 * Steps of the history by which the document becomes another one as a whole: a version that is brought back,
 * or a state from before the program was closed. Nothing but the document changes: strokes on layers stay.
 */
#ifndef ED_PROJECT_BECOME_H
#define ED_PROJECT_BECOME_H

#include "editor/project/project.h"

/* The document becomes `other`, which is taken over even if this fails. */
bool ed_project_become(struct ed_project *project, const char *name, struct oro_document *other,
                       struct oro_error *err);
/* Adds a step that has been done: before it, the document was as `before` says, which is read when the step
 * is undone. */
bool ed_project_became(struct ed_project *project, const char *name, const char *before,
                       struct oro_error *err);
/* Whether a foreign step is such a one. */
bool ed_is_becoming(const struct ed_foreign_step *step);

#endif
