/*
 * The world that the window shows and edits. Where it lies as a file says (`from`), its extent, aspect and
 * place are those of the newest evaluation that could read the file; before there is one, the document's.
 * Threads: the window's.
 */
#ifndef ED_SESSION_WORLD_H
#define ED_SESSION_WORLD_H

#include "editor/session/session.h"

/* Takes what the live evaluation found. Call it at the beginning of a frame. */
void ed_world_take(struct ed_session *session);
/* Its texts are valid in this frame. */
struct oro_world ed_world(const struct ed_session *session);
struct oro_grid ed_world_grid(const struct ed_session *session);
/* Longitude and latitude of a place in the world, metres from its corner. False: the world lies nowhere. */
bool ed_world_degrees(struct ed_session *session, double x, double y, double degrees[2]);

#endif
