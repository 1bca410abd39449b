/* What a pane shows: wants, and the pictures that the live thread has made of them. Threads: the window's. */
#ifndef ED_PANE_SLOTS_H
#define ED_PANE_SLOTS_H

#include "editor/pane/pane.h"

void ed_slots_resolve(const struct ed_session *session, struct ed_pane *pane);
/* Takes new pictures and uploads them, for at most so many seconds. */
void ed_slots_update(struct ed_session *session, struct ed_pane *pane, double seconds);
/* The raster of a slot, or NULL where it shows nothing. */
const struct ed_raster *ed_slot_raster(const struct ed_slot *slot);
/* The number that an input of a node of the shown graph has, also by an expression. False: it is linked, its
 * expression fails, or there is no such input. */
bool ed_node_number(const struct ed_session *session, const struct oro_doc_node *node, const char *name,
                    double *value);

#endif
