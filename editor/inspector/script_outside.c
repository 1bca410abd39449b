/* Opens the chosen node's script in the user's own editor. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <SDL2/SDL_error.h>
#include <SDL2/SDL_misc.h>

#include "editor/inspector/script.h"

extern char **environ;

enum { WORDS_MAX = 16 };

/* $VISUAL is a program with its options, parted by blanks; no shell sees the name of the file. */
static bool open_with(const char *program, const char *path)
{
    char words[512], *rest = NULL, *args[WORDS_MAX + 2];
    int count = 0;
    pid_t child;
    snprintf(words, sizeof words, "%s", program);
    for (char *word = strtok_r(words, " \t", &rest); word && count < WORDS_MAX;
         word = strtok_r(NULL, " \t", &rest))
        args[count++] = word;
    args[count] = (char *)path;
    args[count + 1] = NULL;
    return count > 0 && posix_spawnp(&child, args[0], NULL, NULL, args, environ) == 0;
}

/* "file:///a%20b": everything but the plainest letters is written as numbers. */
static void url_of(const char *path, char *url, size_t size)
{
    size_t used = (size_t)snprintf(url, size, "file://");
    for (; *path && used + 4 < size; path++) {
        bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                     (*path >= '0' && *path <= '9') || strchr("/._-", *path);
        used += (size_t)snprintf(url + used, size - used, plain ? "%c" : "%%%02X", (unsigned char)*path);
    }
}

void ed_script_open_outside(struct ed_session *session)
{
    char path[1024], url[3 * sizeof path + 16];
    const struct oro_doc_node *node = ed_selected_node(session);
    const char *visual = getenv("VISUAL");
    if (node)
        ed_script_file(session, node, path);
    if (!node || !path[0]) {
        ed_message(&session->messages, ED_NOTICE, NULL, "The chosen node has no script in a file of its own");
        return;
    }
    if (visual && visual[0] && open_with(visual, path))
        return;
    url_of(path, url, sizeof url);
    if (SDL_OpenURL(url) != 0)
        ed_message(&session->messages, ED_WARNING, NULL, "%s cannot be opened: %s", path, SDL_GetError());
}
