/*
 * Histories that outlast the program, of those documents for which that is wanted: the states that the saved
 * document went through, in the user's folder (XDG_STATE_HOME/orograph/history, else ~/.local/state/...).
 * They belong to a file as it was saved: if another program has changed it, they are not used. The latest 100
 * steps are kept, and no more than 16 MiB. Strokes of brushes are not among them, nor what was undone.
 */
#ifndef ED_PROJECT_KEPT_HISTORY_H
#define ED_PROJECT_KEPT_HISTORY_H

#include "editor/project/project.h"

/* Whether the open document's history is to be kept. */
bool ed_history_is_kept(const struct ed_project *project);
/* Keeps it from now on, or no longer, which removes what was kept. ORO_E_USAGE: it has no file yet. */
bool ed_history_keep(struct ed_project *project, bool keep, struct oro_error *err);

/* Before the document is replaced or closed; does nothing where nothing is to be kept. */
bool ed_history_store(struct ed_project *project, struct oro_error *err);
/* After it was opened. What cannot be used is ignored. */
void ed_history_bring(struct ed_project *project);

#endif
