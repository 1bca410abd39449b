/* Names of files, and where they lie. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "editor/library/library.h"
#include "graph/derived/paths.h"
#include "graph/reuse/preset.h"

/* Whether a byte may stand in names of files on all systems. */
static bool is_plain(unsigned char c)
{
    return c >= ' ' && c != 0x7f && !strchr("/\\:*?\"<>|", c);
}

const char *ed_library_name(const char *text, char out[ED_LIBRARY_NAME + 1])
{
    size_t used = 0;
    const char *s = text + strspn(text, " .\t");
    for (; *s && used < ED_LIBRARY_NAME; s++)
        out[used++] = *s;
    if (((unsigned char)*s & 0xc0) == 0x80) { /* cut before a letter, not within it */
        while (used > 0 && ((unsigned char)out[used - 1] & 0xc0) == 0x80)
            used--;
        used -= used > 0;
    }
    for (size_t i = 0; i < used; i++)
        out[i] = is_plain((unsigned char)out[i]) ? out[i] : '_';
    while (used > 0 && (out[used - 1] == ' ' || out[used - 1] == '.'))
        used--;
    out[used] = '\0';
    if (strspn(out, "_ .") == used)
        out[0] = '\0';
    return out;
}

const char *ed_library_identifier(const char *text, char out[ED_LIBRARY_NAME + 1])
{
    char plain[80], digest[ORO_HASH_TEXT];
    bool others = false;
    size_t n = 0;
    for (const char *s = text; *s && n + 1 < sizeof plain; s++) {
        char c = *s;
        others = others || (c & 0x80);
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
            plain[n++] = c;
        else if (n > 0 && plain[n - 1] != '_')
            plain[n++] = '_';
    }
    while (n > 0 && plain[n - 1] == '_')
        n--;
    plain[n] = '\0';
    oro_hash_text(oro_hash_of(text, strlen(text)), digest);
    out[0] = '\0';
    if (n || others)
        snprintf(out, ED_LIBRARY_NAME + 1, "%s%.60s%s%.8s", oro_is_identifier(plain) ? "" : "preset_", plain,
                 others && n ? "_" : "", others ? digest : "");
    return out;
}

/* ---- Places ---- */

static char *preset_file(const struct ed_library_place *place, struct oro_error *err)
{
    char name[ED_LIBRARY_NAME + 1];
    struct oro_text path = {0};
    if (!ed_library_identifier(place->name, name)[0]) {
        oro_fail(err, ORO_E_USAGE, "a preset needs a name with letters or digits");
        return NULL;
    }
    char *folder = oro_preset_folder(ORO_PRESET_USER, NULL, place->preset_of, err);
    if (!folder)
        return NULL;
    oro_text_addf(&path, "%s/%s.oro", folder, name);
    oro_free(folder);
    if (path.failed) {
        oro_text_free(&path);
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    }
    return path.data;
}

char *ed_library_file(const struct ed_library_place *place, struct oro_error *err)
{
    char name[ED_LIBRARY_NAME + 1], category[ED_LIBRARY_NAME + 1] = "";
    struct oro_text path = {0};
    if (place->preset_of)
        return preset_file(place, err);
    bool sorted = place->category && place->category[0];
    bool ok = (place->script ? oro_is_identifier(place->name) : ed_library_name(place->name, name)[0]) ||
              oro_fail(err, ORO_E_USAGE, "'%.100s' cannot be its name: a name has letters", place->name);
    ok = ok &&
         (!sorted || ed_library_name(place->category, category)[0] ||
          oro_fail(err, ORO_E_USAGE, "'%.100s' cannot be a category: it has no letters", place->category));
    if (ok && strcmp(category, "presets") == 0)
        ok = oro_fail(err, ORO_E_USAGE, "'presets' cannot be a category: presets lie there");
    char *own = !ok || place->folder ? NULL : oro_own_library();
    const char *folder = place->folder ? place->folder : own;
    if (ok && !folder)
        ok = oro_fail(err, ORO_E_WRITE, "there is no place for a library: set XDG_DATA_HOME or HOME");
    if (ok)
        oro_text_addf(&path, "%s%s%s/%s.%s", folder, sorted ? "/" : "", category,
                      place->script ? place->name : name, place->script ? "lua" : "oro");
    if (ok && path.failed) {
        oro_text_free(&path);
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    }
    oro_free(own);
    return path.data;
}

/* ---- What lies in the library ---- */

struct lying {
    char *place; /* true path of the file */
    const char *below;
};

static bool holds(const char *folder, size_t length, void *user)
{
    struct lying *lying = user;
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%.*s", (int)length, folder);
    char *root = oro_path_true(name);
    size_t size = root ? strlen(root) : 0;
    if (root && strncmp(lying->place, root, size) == 0 && lying->place[size] == '/')
        lying->below = lying->place + size + 1;
    oro_free(root);
    return lying->below;
}

char *ed_library_href(const char *path)
{
    struct lying lying = {.place = oro_path_true(path)};
    if (lying.place)
        oro_any_own_library(holds, &lying);
    char *href = lying.below ? oro_copy_text(lying.below) : NULL;
    oro_free(lying.place);
    return href;
}

bool ed_library_owns(const char *path)
{
    struct lying lying = {.place = oro_path_true(path)};
    char *own = oro_user_folder("XDG_DATA_HOME", ".local/share", "orograph");
    bool owns =
        lying.place && ((own && holds(own, strlen(own), &lying)) || oro_any_own_library(holds, &lying));
    oro_free(own);
    oro_free(lying.place);
    return owns;
}
