/* Finds the files of presets. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/derived/paths.h"
#include "graph/file/xml.h"
#include "graph/reuse/preset.h"

const char *oro_preset_source_name(enum oro_preset_source source)
{
    static const char *const names[] = {"project", "OROGRAPH_PATH", "user", "installed"};
    return names[source];
}

/* ---- Folders ---- */

/* Called with each folder that may hold presets/, in order of precedence; returning true ends the search. */
typedef bool (*visit_folder)(void *user, const char *folder, enum oro_preset_source source);

static char *project_folder(const char *document_path)
{
    const char *slash = document_path ? strrchr(document_path, '/') : NULL;
    struct oro_text folder = {0};
    if (!slash)
        return oro_copy_text(".");
    oro_text_add_bytes(&folder, document_path, slash == document_path ? 1 : (size_t)(slash - document_path));
    return oro_text_take(&folder);
}

/* The library that is installed with the program. False: there is none, or its path is too long. */
static bool installed_library(char folder[PATH_MAX])
{
    static const char library[] = "/library";
    if (!oro_installed_folder(folder) || strlen(folder) + sizeof library > PATH_MAX)
        return false;
    memcpy(folder + strlen(folder), library, sizeof library);
    return true;
}

/* False: there is none, or its path is too long. */
static bool user_folder(char folder[PATH_MAX])
{
    char *own = oro_user_folder("XDG_DATA_HOME", ".local/share", "orograph");
    int length = own ? snprintf(folder, PATH_MAX, "%s", own) : -1;
    oro_free(own);
    return length > 0 && length < PATH_MAX;
}

static bool visit_path(visit_folder visit, void *user)
{
    const char *list = getenv("OROGRAPH_PATH");
    char folder[PATH_MAX];
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length > 0 && length < sizeof folder) {
            memcpy(folder, list, length);
            folder[length] = '\0';
            if (visit(user, folder, ORO_PRESET_PATH))
                return true;
        }
        list += length + (list[length] == ':');
    }
    return false;
}

struct in_library {
    visit_folder visit;
    void *user;
};

static bool visit_own(const char *folder, size_t length, void *user)
{
    const struct in_library *in = user;
    char name[PATH_MAX];
    return length < sizeof name && snprintf(name, sizeof name, "%.*s", (int)length, folder) > 0 &&
           in->visit(in->user, name, ORO_PRESET_USER);
}

/* False: memory is out. */
static bool visit_folders(const char *document_path, visit_folder visit, void *user)
{
    char other[PATH_MAX];
    char *project = project_folder(document_path);
    if (!project)
        return false;
    bool done = visit(user, project, ORO_PRESET_PROJECT) || visit_path(visit, user);
    oro_free(project);
    if (!done && user_folder(other))
        done = visit(user, other, ORO_PRESET_USER);
    struct in_library in_library = {visit, user};
    done = done || oro_any_own_library(visit_own, &in_library);
    if (!done && installed_library(other))
        visit(user, other, ORO_PRESET_INSTALLED);
    return true;
}

static bool is_name(const char *name)
{
    return oro_is_identifier(name) && strlen(name) <= 100;
}

/* Presets of a project may not be links that lead out of it. */
static bool is_usable(const char *document_path, enum oro_preset_source source, const char *path,
                      const char *type, const char *name)
{
    struct stat info;
    char below[256], *resolved = NULL;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    snprintf(below, sizeof below, "presets/%s/%s.oro", type, name);
    bool usable =
        source != ORO_PRESET_PROJECT || oro_resolve_path(document_path, below, false, &resolved, NULL);
    oro_free(resolved);
    return usable;
}

/* ---- Finding ---- */

struct search {
    const char *document_path, *type, *name;
    char *found;
    bool failed; /* memory is out */
};

static char *file_in(const char *folder, const char *type, const char *name)
{
    struct oro_text path = {0};
    oro_text_addf(&path, "%s/presets/%s", folder, type);
    if (name)
        oro_text_addf(&path, "/%s.oro", name);
    return oro_text_take(&path);
}

static bool look_in(void *user, const char *folder, enum oro_preset_source source)
{
    struct search *search = user;
    char *path = file_in(folder, search->type, search->name);
    search->failed = search->failed || !path;
    if (path && is_usable(search->document_path, source, path, search->type, search->name)) {
        search->found = path;
        return true;
    }
    oro_free(path);
    return search->failed;
}

static void tell_missing(const struct search *search, const struct oro_registry *registry,
                         struct oro_error *err)
{
    struct oro_arena *arena = oro_arena_create();
    struct oro_presets presets = {0};
    const char *near = NULL;
    if (arena && oro_presets_list(search->document_path, search->type, registry, arena, &presets, NULL)) {
        const char **names = oro_arena_alloc(arena, presets.count + 1, sizeof *names);
        for (size_t i = 0; names && i < presets.count; i++)
            names[i] = presets.items[i].name;
        near = names ? oro_suggest(search->name, names, presets.count) : NULL;
    }
    oro_fail(err, ORO_E_FILE, "there is no preset '%s' of '%s'%s%s%s", search->name, search->type,
             near                 ? "; did you mean '"
             : presets.count == 0 ? ", nor any other"
                                  : "",
             near ? near : "", near ? "'?" : "");
    oro_arena_destroy(arena);
}

char *oro_preset_find(const char *document_path, const char *type, const char *name,
                      const struct oro_registry *registry, struct oro_error *err)
{
    struct search search = {.document_path = document_path, .type = type, .name = name};
    if (!is_name(type) || !is_name(name)) {
        oro_fail(err, ORO_E_USAGE, "'%.100s' cannot be the name of a %s", is_name(type) ? name : type,
                 is_name(type) ? "preset" : "node type");
        return NULL;
    }
    if (!visit_folders(document_path, look_in, &search) || search.failed)
        oro_fail(err, ORO_E_MEMORY, "no memory to look for presets");
    else if (!search.found)
        tell_missing(&search, registry, err);
    return search.found;
}

char *oro_preset_folder(enum oro_preset_source source, const char *document_path, const char *type,
                        struct oro_error *err)
{
    char user[PATH_MAX];
    char *project = source == ORO_PRESET_PROJECT ? project_folder(document_path) : NULL;
    if (!is_name(type)) {
        oro_fail(err, ORO_E_USAGE, "'%.100s' cannot be the name of a node type", type);
        oro_free(project);
        return NULL;
    }
    bool ok = source == ORO_PRESET_PROJECT || user_folder(user);
    if (!ok)
        oro_fail(err, ORO_E_WRITE, "there is no folder for presets: set XDG_DATA_HOME or HOME");
    char *folder = !ok ? NULL : project ? file_in(project, type, NULL) : file_in(user, type, NULL);
    if (ok && !folder)
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    oro_free(project);
    return folder;
}

/* ---- Listing ---- */

struct listing {
    const char *document_path, *type; /* NULL: all */
    const struct oro_registry *registry;
    struct oro_arena *arena;
    struct oro_preset *items;
    size_t count, capacity;
    bool failed; /* memory is out */
};

static void describe(const struct listing *listing, struct oro_preset *preset)
{
    struct oro_registry builtin = *listing->registry; /* for a list no script is run, and no graph read */
    struct oro_problems problems = {0};
    builtin.scripts = NULL;
    builtin.assets = NULL;
    struct oro_document *doc = oro_document_read(preset->path, &builtin, &problems);
    struct oro_doc_about about = {NULL};
    if (doc)
        about = oro_document_about(doc);
    preset->title = oro_arena_text(listing->arena, about.title ? about.title : "");
    preset->doc = oro_arena_text(listing->arena, about.doc ? about.doc : "");
    preset->words = oro_arena_text(listing->arena, about.words ? about.words : "");
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

static void add_preset(struct listing *listing, const char *path, const char *type, const char *name,
                       enum oro_preset_source source)
{
    void *items = listing->items;
    if (!oro_reserve(&items, &listing->capacity, listing->count + 1, sizeof *listing->items)) {
        listing->failed = true;
        return;
    }
    listing->items = items;
    struct oro_preset *added = &listing->items[listing->count++];
    *added = (struct oro_preset){.type = oro_arena_text(listing->arena, type),
                                 .name = oro_arena_text(listing->arena, name),
                                 .path = oro_arena_text(listing->arena, path),
                                 .source = source};
    listing->failed = listing->failed || !added->type || !added->name || !added->path;
    if (added->path)
        describe(listing, added);
    listing->failed = listing->failed || !added->title || !added->doc || !added->words;
}

static void list_type(struct listing *listing, const char *folder, const char *type,
                      enum oro_preset_source source)
{
    char *below = file_in(folder, type, NULL);
    DIR *entries = below ? opendir(below) : NULL;
    for (struct dirent *entry; entries && !listing->failed && (entry = readdir(entries));) {
        char name[256];
        size_t length = strlen(entry->d_name);
        if (length <= 4 || length >= sizeof name || strcmp(entry->d_name + length - 4, ".oro") != 0)
            continue;
        memcpy(name, entry->d_name, length - 4);
        name[length - 4] = '\0';
        char *path = is_name(name) ? file_in(folder, type, name) : NULL;
        if (path && is_usable(listing->document_path, source, path, type, name))
            add_preset(listing, path, type, name, source);
        oro_free(path);
    }
    listing->failed = listing->failed || !below;
    if (entries)
        closedir(entries);
    oro_free(below);
}

static bool list_folder(void *user, const char *folder, enum oro_preset_source source)
{
    struct listing *listing = user;
    char *presets = file_in(folder, "", NULL);
    DIR *entries = presets ? opendir(presets) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_name(entry->d_name) && (!listing->type || strcmp(listing->type, entry->d_name) == 0))
            list_type(listing, folder, entry->d_name, source);
    listing->failed = listing->failed || !presets;
    if (entries)
        closedir(entries);
    oro_free(presets);
    return listing->failed;
}

/* Puts presets of one name in the order in which they were found. */
static int by_name(const void *a, const void *b)
{
    const struct oro_preset *x = *(const struct oro_preset *const *)a,
                            *y = *(const struct oro_preset *const *)b;
    int order = strcmp(x->type, y->type);
    if (order == 0)
        order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y); /* the order in which they were found */
}

/* Sorts the presets, and drops those that are hidden. */
static bool finish(const struct listing *listing, struct oro_presets *presets)
{
    const struct oro_preset **order = oro_arena_alloc(listing->arena, listing->count + 1, sizeof *order);
    presets->items = oro_arena_alloc(listing->arena, listing->count + 1, sizeof *presets->items);
    if (!order || !presets->items)
        return false;
    for (size_t i = 0; i < listing->count; i++)
        order[i] = &listing->items[i];
    qsort(order, listing->count, sizeof *order, by_name);
    for (size_t i = 0; i < listing->count; i++)
        if (i == 0 || strcmp(order[i]->name, order[i - 1]->name) != 0 ||
            strcmp(order[i]->type, order[i - 1]->type) != 0)
            presets->items[presets->count++] = *order[i];
    return true;
}

bool oro_presets_list(const char *document_path, const char *type, const struct oro_registry *registry,
                      struct oro_arena *arena, struct oro_presets *presets, struct oro_error *err)
{
    struct listing listing = {
        .document_path = document_path, .type = type, .registry = registry, .arena = arena};
    *presets = (struct oro_presets){0};
    bool ok =
        visit_folders(document_path, list_folder, &listing) && !listing.failed && finish(&listing, presets);
    oro_free(listing.items);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to list presets");
}
