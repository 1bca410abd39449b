#include <string.h>

#include "editor/live/live_private.h"

static void drop(struct ed_kept_picture *entry)
{
    oro_free(entry->id);
    oro_free(entry->output);
    ed_picture_release(entry->picture);
    *entry = (struct ed_kept_picture){0};
}

void ed_kept_clear(struct ed_kept_pictures *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        drop(&kept->entries[i]);
    kept->count = 0;
}

struct ed_kept_picture *ed_kept_find(struct ed_kept_pictures *kept, const char *id, const char *output,
                                     enum ed_derive derive)
{
    for (size_t i = 0; i < kept->count; i++) {
        struct ed_kept_picture *entry = &kept->entries[i];
        if (entry->derive == derive && strcmp(entry->id, id) == 0 && strcmp(entry->output, output) == 0)
            return entry;
    }
    return NULL;
}

/* Makes room for another entry in front, at the expense of the one renewed least recently. */
static struct ed_kept_picture make_room(struct ed_kept_pictures *kept, size_t from)
{
    struct ed_kept_picture last = kept->entries[from];
    memmove(&kept->entries[1], &kept->entries[0], from * sizeof kept->entries[0]);
    return last;
}

void ed_kept_put(struct ed_kept_pictures *kept, pthread_mutex_t *lock, const char *id,
                 const struct ed_want *want, struct oro_hash key, struct ed_picture *picture)
{
    struct ed_kept_picture entry = {oro_copy_text(id), oro_copy_text(want->output), want->derive, key,
                                    picture};
    struct ed_kept_picture old = {0};
    if (!entry.id || !entry.output) {
        drop(&entry);
        return;
    }
    pthread_mutex_lock(lock);
    struct ed_kept_picture *found = ed_kept_find(kept, id, want->output, want->derive);
    if (!found && kept->count < ED_KEPT_MAX)
        kept->entries[kept->count++] = old;
    old = make_room(kept, found ? (size_t)(found - kept->entries) : kept->count - 1);
    kept->entries[0] = entry;
    pthread_mutex_unlock(lock);
    drop(&old);
}
