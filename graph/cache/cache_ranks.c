/* What processes that evaluate together have to find out about the cache's folder, and tell each other. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/cache/cache_private.h"

/* A file that nobody else makes, under a temporary name: left behind, it is swept as such. */
static char *token_path(const char *folder, struct oro_hash token)
{
    char hex[ORO_HASH_TEXT], name[ORO_CACHE_NAME];
    char *subfolder = oro_cache_subfolder(folder, token);
    snprintf(name, sizeof name, "%s.ranks", oro_hash_text(token, hex));
    char *path = subfolder ? oro_cache_join(subfolder, name) : NULL;
    oro_free(subfolder);
    return path;
}

static bool write_token(const char *folder, struct oro_hash token)
{
    char *subfolder = oro_cache_subfolder(folder, token), *path = token_path(folder, token);
    bool ok = subfolder && path && oro_make_folders(subfolder, NULL) &&
              oro_file_write(path, &token, sizeof token, NULL);
    oro_free(subfolder);
    oro_free(path);
    return ok;
}

static bool find_token(const char *folder, struct oro_hash token)
{
    char standard[512];
    if (!folder)
        folder = oro_cache_folder(standard, sizeof standard) ? standard : NULL;
    char *path = folder ? token_path(folder, token) : NULL;
    bool found = path && access(path, F_OK) == 0;
    oro_free(path);
    return found;
}

bool oro_cache_is_shared(struct oro_ranks *ranks, const struct oro_disk_cache *disk, const char *folder)
{
    struct oro_hash token = {0};
    if (!ranks || ranks->count == 1)
        return true;
    bool written = disk && getentropy(&token, sizeof token) == 0 && write_token(oro_disk_folder(disk), token);
    if (!oro_ranks_decide(ranks, written) || !ranks->ops->broadcast(ranks, 0, &token, sizeof token, NULL))
        return false;
    bool shared = oro_ranks_all(ranks, find_token(folder, token));
    char *path = written ? token_path(oro_disk_folder(disk), token) : NULL;
    if (path)
        unlink(path);
    oro_free(path);
    return shared;
}

bool oro_cache_spread_bytes(struct oro_ranks *ranks, void **bytes, size_t *size)
{
    uint64_t count = *bytes ? *size : 0;
    if (!ranks || ranks->count == 1)
        return *bytes;
    if (!ranks->ops->broadcast(ranks, 0, &count, sizeof count, NULL) || count == 0)
        return false;
    if (!*bytes)
        *bytes = oro_alloc(count, 1);
    *size = count;
    return oro_ranks_all(ranks, *bytes) && ranks->ops->broadcast(ranks, 0, *bytes, count, NULL);
}
