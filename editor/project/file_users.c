/* Which documents use a graph's file: looked for in their texts, without reading them as documents. */
#include <stdio.h>
#include <string.h>

#include <dirent.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/project/opened.h"
#include "graph/derived/paths.h"

enum { DOCUMENTS_MAX = 200, BYTES_MAX = 1 << 20 };

static bool leads_to(const char *document, const char *href, size_t length, const char *file)
{
    char name[512], *path = NULL;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), href);
    bool same = name[0] && oro_resolve_path(document, name, true, &path, NULL) && oro_path_same(path, file);
    oro_free(path);
    return same;
}

static bool uses(const char *document, const char *file)
{
    static const char mark[] = " href=\"";
    void *bytes = NULL;
    size_t size = 0;
    if (!oro_file_read(document, BYTES_MAX, &bytes, &size, NULL))
        return false;
    bool found = false;
    const char *at = bytes, *end;
    while (!found && (at = strstr(at, mark)) && (end = strchr(at += sizeof mark - 1, '"')))
        found = *at != '#' && leads_to(document, at, (size_t)(end - at), file);
    oro_free(bytes);
    return found;
}

static bool look_at(const char *document, const char *file, const char *except, struct ed_names *users)
{
    if ((*except && oro_path_same(document, except)) || ed_names_have(users, document) ||
        !uses(document, file))
        return true;
    return ed_names_add(users, document);
}

bool ed_file_users(const char *file, const char *except, const char *const *more, size_t count,
                   struct ed_names *users)
{
    const char *slash = strrchr(file, '/');
    int looked = 0;
    bool ok = true;
    struct oro_text folder = {0};
    oro_text_addf(&folder, "%.*s", slash ? (int)(slash - file) : 0, file);
    DIR *stream = folder.failed ? NULL : opendir(folder.data);
    for (struct dirent *entry; ok && stream && looked < DOCUMENTS_MAX && (entry = readdir(stream));) {
        struct oro_text path = {0};
        if (strcmp(oro_path_extension(entry->d_name), "oro") != 0)
            continue;
        looked++;
        oro_text_addf(&path, "%s/%s", folder.data, entry->d_name);
        ok = path.failed || look_at(path.data, file, except, users);
        oro_text_free(&path);
    }
    if (stream)
        closedir(stream);
    oro_text_free(&folder);
    for (size_t i = 0; ok && i < count; i++)
        ok = look_at(more[i], file, except, users);
    return ok;
}
