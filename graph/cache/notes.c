#include "graph/cache/notes.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/cache/cache.h"

/* As it is in the file: the check is a digest of the key and the note. */
struct checked {
    struct oro_hash check;
    unsigned char note[ORO_NOTE_MAX];
};

static struct oro_hash check_of(struct oro_hash key, const void *note, size_t size)
{
    unsigned char bytes[sizeof key + ORO_NOTE_MAX];
    memcpy(bytes, &key, sizeof key);
    memcpy(bytes + sizeof key, note, size);
    return oro_hash_of(bytes, sizeof key + size);
}

/* The path of a note, as cache_disk.c names results; NULL: there is no folder. `*subfolder` is freed as well.
 */
static char *path_of(const char *folder, struct oro_hash key, char **subfolder)
{
    char standard[512], hex[ORO_HASH_TEXT];
    struct oro_text shelf = {0}, path = {0};
    if (!folder && !oro_cache_folder(standard, sizeof standard))
        return NULL;
    oro_hash_text(key, hex);
    oro_text_addf(&shelf, "%s/v1/%.2s", folder ? folder : standard, hex);
    oro_text_addf(&path, "%s/%s", shelf.failed ? "" : shelf.data, hex);
    if (shelf.failed || path.failed) {
        oro_text_free(&shelf);
        oro_text_free(&path);
    }
    *subfolder = shelf.data;
    return path.data;
}

bool oro_note_get(const char *folder, struct oro_hash key, void *note, size_t size)
{
    struct checked checked;
    void *bytes = NULL;
    size_t length = 0;
    char *subfolder = NULL, *path = path_of(folder, key, &subfolder);
    bool ok = path && oro_file_read(path, sizeof checked, &bytes, &length, NULL) &&
              length == sizeof checked.check + size;
    if (ok) {
        memcpy(&checked, bytes, length);
        ok = oro_hash_equal(checked.check, check_of(key, checked.note, size));
        memcpy(note, checked.note, ok ? size : 0);
    }
    oro_free(bytes);
    oro_free(subfolder);
    oro_free(path);
    return ok;
}

void oro_note_put(const char *folder, struct oro_hash key, const void *note, size_t size)
{
    struct checked checked = {.check = check_of(key, note, size)};
    char *subfolder = NULL, *path = path_of(folder, key, &subfolder);
    memcpy(checked.note, note, size);
    if (path && oro_make_folders(subfolder, NULL))
        oro_file_write(path, &checked, sizeof checked.check + size, NULL);
    oro_free(subfolder);
    oro_free(path);
}
