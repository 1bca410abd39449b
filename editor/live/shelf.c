#include <string.h>

#include "editor/live/live_private.h"

static void drop(struct ed_shelf_entry *entry)
{
    oro_free(entry->id);
    oro_free(entry->output);
    ed_picture_release(entry->picture);
    *entry = (struct ed_shelf_entry){0};
}

void ed_shelf_clear(struct ed_shelf *shelf)
{
    for (size_t i = 0; i < shelf->count; i++)
        drop(&shelf->entries[i]);
    shelf->count = 0;
}

struct ed_shelf_entry *ed_shelf_find(struct ed_shelf *shelf, const char *id, const char *output,
                                     enum ed_derive derive)
{
    for (size_t i = 0; i < shelf->count; i++) {
        struct ed_shelf_entry *entry = &shelf->entries[i];
        if (entry->derive == derive && strcmp(entry->id, id) == 0 && strcmp(entry->output, output) == 0)
            return entry;
    }
    return NULL;
}

/* Room for another in front; what was not renewed for longest gives way. */
static struct ed_shelf_entry make_room(struct ed_shelf *shelf, size_t from)
{
    struct ed_shelf_entry last = shelf->entries[from];
    memmove(&shelf->entries[1], &shelf->entries[0], from * sizeof shelf->entries[0]);
    return last;
}

void ed_shelf_put(struct ed_shelf *shelf, pthread_mutex_t *lock, const char *id, const struct ed_want *want,
                  struct oro_hash key, struct ed_picture *picture)
{
    struct ed_shelf_entry entry = {oro_copy_text(id), oro_copy_text(want->output), want->derive, key,
                                   picture};
    struct ed_shelf_entry old = {0};
    if (!entry.id || !entry.output) {
        drop(&entry);
        return;
    }
    pthread_mutex_lock(lock);
    struct ed_shelf_entry *found = ed_shelf_find(shelf, id, want->output, want->derive);
    if (!found && shelf->count < ED_SHELF_MAX)
        shelf->entries[shelf->count++] = old;
    old = make_room(shelf, found ? (size_t)(found - shelf->entries) : shelf->count - 1);
    shelf->entries[0] = entry;
    pthread_mutex_unlock(lock);
    drop(&old);
}
