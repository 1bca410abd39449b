/*
 * What the window tells of its document without being asked: problems and messages that the live thread has
 * found out, and the window's title. Threads: the window's.
 */
#ifndef ED_SHELL_NEWS_H
#define ED_SHELL_NEWS_H

#include "editor/session/session.h"

struct SDL_Window;

/* What was told last; zero at first. */
struct ed_news {
    uint64_t problems_of; /* number of the check that the session's problems are of */
    uint64_t mended_of;   /* revision for which messages were last looked through */
    char title[320];      /* of the window */
};
void ed_news_take(struct ed_news *news, struct ed_session *session, struct SDL_Window *window);
/* A log's `write`; `session` is the log's user. */
void ed_news_log(void *session, enum oro_level level, const char *text);

#endif
