/*
 * Whether a graph has a sea, so that views can show it: some node upstream is told where water has arrived
 * (ORO_ROLE_SEA), or how high the sea stands (ORO_ROLE_SEA_LEVEL), or the world has one.
 */
#ifndef ED_SESSION_SEA_H
#define ED_SESSION_SEA_H

#include "editor/session/session.h"

/* Of what a node of the shown graph is made from. `level`: metres; 0 where only a mask tells of the sea. */
bool ed_sea_of(const struct ed_session *session, const char *node, double *level);

#endif
