#include "editor/shell/news.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "editor/panels/files.h"
#include "editor/panels/panels.h"

void ed_news_log(void *user, enum oro_level level, const char *text)
{
    struct ed_session *session = user;
    if (level != ORO_DEBUG)
        ed_message(&session->messages, level == ORO_WARNING ? ED_WARNING : ED_NOTICE, NULL, "%s", text);
}

static void take_problem(void *user, const struct oro_problem *problem)
{
    struct ed_session *session = user;
    ed_problem(&session->messages, problem->error ? ED_ERROR : ED_WARNING, problem->node, problem->text);
}

/* ---- Errors that hold no longer */

/* Whether a node of the shown graph is gone, or gives results again. */
static bool is_mended(void *user, const char *node)
{
    struct ed_session *session = user;
    struct ed_node_state state = {0};
    if (!oro_document_find(ed_project_shown(session->project), node))
        return ed_project_depth(session->project) == 0 && !strchr(node, '/');
    ed_live_node(session->live, node, &state);
    return (state.phase == ED_NODE_DONE || state.phase == ED_NODE_CACHED) &&
           !ed_problem_of(&session->messages, node);
}

/* Once for each revision, when all of it is evaluated. */
static void take_mended(struct ed_news *news, struct ed_session *session)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    if (status.busy || !status.complete || status.revision != session->messages.revision ||
        news->mended_of == status.revision)
        return;
    news->mended_of = status.revision;
    ed_messages_mended(&session->messages, is_mended, session);
}

/* ---- The title */

/* X refuses letters that the user's locale does not have. */
static void keep_ascii(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if ((*from & 0xc0) != 0x80) /* a letter's first byte */
            *to++ = *from & 0x80 ? '?' : *from;
    *to = '\0';
}

/* The mark comes first: where titles are cut, as in task bars, their ends go. */
static void show_title(struct ed_news *news, const struct ed_session *session, SDL_Window *window)
{
    const char *path = ed_project_path(session->project), *slash = strrchr(path, '/');
    bool empty = !path[0] && oro_document_node_count(ed_project_root(session->project)) == 0;
    char name[256], title[sizeof news->title];
    ed_file_shown(slash ? slash + 1 : path, name, sizeof name);
    if (MB_CUR_MAX == 1)
        keep_ascii(name);
    if (empty && ed_start_shown(session))
        snprintf(title, sizeof title, "Orograph");
    else
        snprintf(title, sizeof title, "%s%s - Orograph", ed_project_changed(session->project) ? "*" : "",
                 name[0] ? name : "Untitled");
    if (strcmp(title, news->title) == 0)
        return;
    snprintf(news->title, sizeof news->title, "%s", title);
    SDL_SetWindowTitle(window, title);
}

void ed_news_take(struct ed_news *news, struct ed_session *session, SDL_Window *window)
{
    if (session->messages.revision)
        session->messages.revision = ed_project_revision(session->project);
    if (ed_live_problems(session->live, news->problems_of, NULL, NULL) != news->problems_of) {
        ed_problems_clear(&session->messages);
        news->problems_of = ed_live_problems(session->live, news->problems_of, take_problem, session);
    }
    ed_live_log(session->live, ed_news_log, session);
    take_mended(news, session);
    show_title(news, session, window);
}
