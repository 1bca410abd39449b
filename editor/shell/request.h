/* Requests to the live thread. Threads: the window's. */
#ifndef ED_SHELL_REQUEST_H
#define ED_SHELL_REQUEST_H

#include "editor/session/session.h"

/* For what the views show, and for thumbnails of visible nodes. */
void ed_request_shown(struct ed_session *session);

#endif
