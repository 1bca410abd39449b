#include "devices/gpu/verdicts.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

/* Raised when kernels are tried in another way. */
enum { TRIALS = 2 };

/* A ring, as an artist may change a kernel many times. */
enum { KEPT = 256 };
static struct {
    struct oro_hash digest;
    struct oro_error harm; /* code 0: none */
} kept[KEPT];
static size_t count;

struct oro_hash oro_verdict_digest(const struct oro_device_info *info, const char *text)
{
    struct oro_hash parts[4] = {{.low = TRIALS},
                                oro_hash_of(info->name, strlen(info->name)),
                                oro_hash_of(info->version, strlen(info->version)),
                                oro_hash_of(text, strlen(text))};
    return oro_hash_of(parts, sizeof parts);
}

/* FOLDER/kernels/DIGEST: empty, or a program with a head. The caller frees; NULL: there is no such place. */
static char *path_of(struct oro_hash digest, bool folder)
{
    char *place = oro_cache_place();
    struct oro_text path = {0};
    char hex[ORO_HASH_TEXT];
    if (place)
        oro_text_addf(&path, folder ? "%s/kernels" : "%s/kernels/%s", place, oro_hash_text(digest, hex));
    oro_free(place);
    return oro_text_take(&path);
}

bool oro_verdict_find(struct oro_hash digest, struct oro_error *err)
{
    for (size_t i = 0; i < count && i < KEPT; i++)
        if (oro_hash_equal(kept[i].digest, digest)) {
            if (kept[i].harm.code)
                *err = kept[i].harm;
            return !kept[i].harm.code;
        }
    char *path = path_of(digest, false);
    bool known = path && access(path, F_OK) == 0;
    oro_free(path);
    return known;
}

static void write_verdict(struct oro_hash digest, const void *data, size_t size)
{
    char *folder = path_of(digest, true), *path = path_of(digest, false);
    if (folder && path && oro_make_folders(folder, NULL))
        oro_file_write(path, data, size, NULL);
    oro_free(folder);
    oro_free(path);
}

static void remember(struct oro_hash digest, const struct oro_error *harm)
{
    static const struct oro_error none;
    kept[count % KEPT].digest = digest;
    kept[count++ % KEPT].harm = harm ? *harm : none;
}

void oro_verdict_keep(struct oro_hash digest, const struct oro_error *harm)
{
    remember(digest, harm);
    if (!harm)
        write_verdict(digest, "", 0);
}

/* ---- Programs: drivers believe what they are given, so a damaged one must not get there. ---- */

struct head {
    struct oro_hash program;
    uint32_t format;
};
enum { PROGRAM_MAX = 64 << 20 };

void *oro_verdict_program(struct oro_hash digest, uint32_t *format, size_t *size)
{
    char *path = path_of(digest, false);
    void *data = NULL;
    struct head head;
    bool ok = path && oro_file_read(path, PROGRAM_MAX, &data, size, NULL) && *size > sizeof head;
    oro_free(path);
    if (ok) {
        memcpy(&head, data, sizeof head);
        *size -= sizeof head;
        *format = head.format;
        memmove(data, (char *)data + sizeof head, *size);
        ok = oro_hash_equal(head.program, oro_hash_of(data, *size));
    }
    if (!ok) {
        oro_free(data);
        return NULL;
    }
    return data;
}

void oro_verdict_keep_program(struct oro_hash digest, uint32_t format, const void *program, size_t size)
{
    struct oro_text text = {0};
    struct head head = {0};
    remember(digest, NULL);
    head.program = oro_hash_of(program, size);
    head.format = format;
    oro_text_add_bytes(&text, (const char *)&head, sizeof head);
    oro_text_add_bytes(&text, program, size);
    if (!text.failed)
        write_verdict(digest, text.data, text.length);
    oro_text_free(&text);
}
