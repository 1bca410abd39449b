/* The file of the scripts that the user trusts. */
#include "graph/derived/trust.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/derived/paths.h"

enum { BYTES_MAX = 1 << 20, DIGITS = ORO_SHA256_TEXT - 1, DATE = sizeof "2000-01-01" - 1 };

static char *trusted_file(void)
{
    return oro_user_folder("XDG_STATE_HOME", ".local/state", "orograph/trusted");
}

void oro_trust_free(struct oro_trust *trust)
{
    oro_free(trust->items);
    *trust = (struct oro_trust){0};
}

static struct oro_trusted *find(const struct oro_trust *trust, const char *digest)
{
    for (size_t i = 0; i < trust->count; i++)
        if (strcmp(trust->items[i].digest, digest) == 0)
            return &trust->items[i];
    return NULL;
}

bool oro_trust_has(const struct oro_trust *trust, const char *digest)
{
    return find(trust, digest);
}

bool oro_trust_allows(const struct oro_trust *trust, const char *path, const void *text, size_t length)
{
    char digest[ORO_SHA256_TEXT];
    return (path && *path && oro_path_is_installed(path)) ||
           (trust->count > 0 && oro_trust_has(trust, oro_sha256(text, length, digest)));
}

/* ---- Reading ---- */

static bool add(struct oro_trust *trust, const struct oro_trusted *item)
{
    void *items = trust->items;
    if (trust->count >= ORO_TRUSTED_MAX ||
        !oro_reserve(&items, &trust->capacity, trust->count + 1, sizeof *trust->items))
        return false;
    trust->items = items;
    trust->items[trust->count++] = *item;
    return true;
}

/* A name in one line, cut off where there is no room. */
static void take_name(char out[ORO_TRUSTED_NAME], const char *name, size_t length)
{
    size_t at = 0;
    for (; at < length && at < ORO_TRUSTED_NAME - 1; at++)
        out[at] = (unsigned char)name[at] < ' ' || name[at] == 0x7F ? '?' : name[at];
    out[at] = '\0';
}

/* "DIGEST DATE NAME" */
static bool parse(const char *line, size_t length, struct oro_trusted *item)
{
    static const char form[] = "0000-00-00";
    if (length < DIGITS + 1 + DATE + 1 || line[DIGITS] != ' ' || line[DIGITS + 1 + DATE] != ' ')
        return false;
    const char *date = line + DIGITS + 1;
    for (size_t i = 0; i < DIGITS; i++)
        if (!oro_is_digit(line[i]) && !(line[i] >= 'a' && line[i] <= 'f'))
            return false;
    for (size_t i = 0; i < DATE; i++)
        if (form[i] == '-' ? date[i] != '-' : !oro_is_digit(date[i]))
            return false;
    *item = (struct oro_trusted){0};
    memcpy(item->digest, line, DIGITS);
    memcpy(item->date, date, DATE);
    take_name(item->name, date + DATE + 1, length - (DIGITS + 1 + DATE + 1));
    return true;
}

static void parse_lines(struct oro_trust *trust, const char *path, const char *text, size_t size,
                        const struct oro_log *log)
{
    size_t number = 0, wrong = 0, first = 0;
    for (size_t at = 0, length; at < size; at += length + 1) {
        const char *end = memchr(text + at, '\n', size - at);
        struct oro_trusted item;
        length = end ? (size_t)(end - (text + at)) : size - at;
        number++;
        if (length == 0)
            continue;
        if (!parse(text + at, length, &item)) {
            first = wrong++ ? first : number;
        } else if (!find(trust, item.digest) && !add(trust, &item)) {
            oro_note(log, ORO_WARNING, "no script counts as trusted: no memory for what '%s' lists", path);
            trust->unreadable = true;
            trust->count = 0;
            return;
        }
    }
    if (wrong > 0)
        oro_note(log, ORO_WARNING, "%s:%zu: this is no line of a trusted script; it is passed over%s", path,
                 first, wrong > 1 ? ", as are others" : "");
}

bool oro_trust_refresh(struct oro_trust *trust, const struct oro_log *log)
{
    char *path = trusted_file();
    struct oro_stamp stamp = path ? oro_stamp_of(path) : (struct oro_stamp){0}, none = {0};
    bool anew = !oro_stamp_equal(&stamp, &trust->stamp);
    if (anew) {
        struct oro_error err = {0};
        void *text = NULL;
        size_t size = 0;
        bool there = !oro_stamp_equal(&stamp, &none);
        trust->count = 0;
        trust->stamp = stamp;
        trust->unreadable = !path || (there && !oro_file_read(path, BYTES_MAX, &text, &size, &err));
        if (there && trust->unreadable)
            oro_note(log, ORO_WARNING, "no script counts as trusted: %s", err.text);
        else if (text)
            parse_lines(trust, path, text, size, log);
        oro_free(text);
    }
    oro_free(path);
    return anew;
}

/* ---- Writing ---- */

static bool write_all(struct oro_trust *trust, const char *path, struct oro_error *err)
{
    struct oro_text text = {0};
    char *folder = oro_copy_text(path), *slash = folder ? strrchr(folder, '/') : NULL;
    oro_text_add(&text, "");
    for (size_t i = 0; i < trust->count; i++)
        oro_text_addf(&text, "%s %s %s\n", trust->items[i].digest, trust->items[i].date,
                      trust->items[i].name);
    if (slash)
        *slash = '\0';
    bool ok = (slash && !text.failed) || oro_fail(err, ORO_E_MEMORY, "no memory to write %s", path);
    ok = ok && oro_make_folders(folder, err) && oro_file_write(path, text.data, text.length, err);
    oro_text_free(&text);
    oro_free(folder);
    return ok;
}

/* What another process has written in the meantime is read before, and what was not written is forgotten. */
static bool change(struct oro_trust *trust,
                   bool (*edit)(struct oro_trust *trust, const void *what, size_t count), const void *what,
                   size_t count, struct oro_error *err)
{
    char *path = trusted_file();
    if (!path)
        return oro_fail(err, ORO_E_WRITE, "there is no place for what is trusted: HOME is not set");
    trust->stamp = (struct oro_stamp){.seconds = -1};
    oro_trust_refresh(trust, NULL);
    bool ok = !trust->unreadable ||
              oro_fail(err, ORO_E_WRITE, "'%s' cannot be read, and is not overwritten: move it away", path);
    ok = ok && (edit(trust, what, count) ||
                (trust->count < ORO_TRUSTED_MAX
                     ? oro_fail(err, ORO_E_MEMORY, "no memory for what is trusted")
                     : oro_fail(err, ORO_E_LIMIT, "more than %d scripts cannot be trusted: forget some",
                                ORO_TRUSTED_MAX)));
    ok = ok && write_all(trust, path, err);
    trust->stamp = (struct oro_stamp){.seconds = -1};
    oro_trust_refresh(trust, NULL);
    oro_free(path);
    return ok;
}

static bool add_all(struct oro_trust *trust, const void *what, size_t count)
{
    const struct oro_trusted *added = what;
    const time_t now = time(NULL);
    struct tm parts;
    for (size_t i = 0; i < count; i++) {
        struct oro_trusted item = {0};
        if (find(trust, added[i].digest))
            continue;
        memcpy(item.digest, added[i].digest, sizeof item.digest);
        take_name(item.name, added[i].name, strlen(added[i].name));
        if (!localtime_r(&now, &parts) || !strftime(item.date, sizeof item.date, "%Y-%m-%d", &parts) ||
            !add(trust, &item))
            return false;
    }
    return true;
}

bool oro_trust_add(struct oro_trust *trust, const struct oro_trusted *added, size_t count,
                   struct oro_error *err)
{
    return change(trust, add_all, added, count, err);
}

static bool remove_one(struct oro_trust *trust, const void *digest, size_t count)
{
    (void)count;
    struct oro_trusted *item = digest ? find(trust, digest) : NULL;
    if (!digest)
        trust->count = 0;
    else if (item)
        memmove(item, item + 1, (size_t)(trust->items + --trust->count - item) * sizeof *item);
    return true;
}

bool oro_trust_remove(struct oro_trust *trust, const char *digest, struct oro_error *err)
{
    return change(trust, remove_one, digest, 0, err);
}
