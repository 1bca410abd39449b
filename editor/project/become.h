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
/* The same for the document of a file that was opened in place (opened.h). */
bool ed_opened_become(struct ed_project *project, struct oro_document *opened, const char *name,
                      struct oro_document *other, struct oro_error *err);
/* Adds a step that has been done: before it, the document was as `before` says, which is read when the step
 * is undone. */
bool ed_project_became(struct ed_project *project, const char *name, const char *before,
                       struct oro_error *err);
/* Whether a foreign step is such a one, of the project's own document. */
bool ed_is_becoming(const struct ed_project *project, const struct ed_foreign_step *step);

#endif
