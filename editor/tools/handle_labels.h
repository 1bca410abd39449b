/* What is said of a handle. */
#ifndef ED_TOOLS_HANDLE_LABELS_H
#define ED_TOOLS_HANDLE_LABELS_H

#include "editor/pane/pane.h"
#include "editor/tools/handles.h"

/* Handles that are drawn as rings: they set a size or a direction, not a place. */
bool ed_handle_is_round(const struct ed_handle *handle);
/* Numbers of a handle: where it is, how far from its neighbour and, while it is dragged, from where it was
 * (`start`; NULL: it rests). Two lines. */
void ed_handle_say(const struct ed_pane *pane, const struct ed_handles *handles, size_t which,
                   const double start[3], char first[160], char second[160]);

#endif
