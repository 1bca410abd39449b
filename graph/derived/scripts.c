/* Finding, keeping and refreshing the files of scripts. */
#include "graph/derived/scripts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"

enum { BYTES_MAX = 1 << 20, PARTS_MAX = 33, CHAINS = 4096 };

/* A script: a file by its true place, or a text within a document by its digest. */
struct script {
    char *place; /* NULL: within a document */
    char *path, *id;
    char *text; /* of a script within a document, */
    int line;   /* and the line where it begins */
    struct oro_hash digest;
    const struct oro_node_type *type;   /* NULL: it was never valid */
    bool put_off;                       /* it was not read: those before it took too long */
    struct oro_error err;               /* why the last version that was read is broken */
    struct oro_stamp stamps[PARTS_MAX]; /* of the file and of the files that it requires */
};

/* Where an id leads from a document's folder. */
struct found {
    char *folder, *id;
    size_t next;           /* in its chain: index + 1; 0: it is the last */
    struct script *script; /* NULL: nowhere */
    bool refused;          /* there is a file, which may not be used */
    struct oro_error err;
};

/* A name that is looked for costs some thirty system calls, and a document may hold 100,000 wrong ones. */
enum { MISSING_MAX = 1000 };

struct oro_scripts {
    const struct oro_script_language *language;
    bool allow_any_path;
    const struct oro_log *log;
    bool (*stopped)(void *user);
    void *user;
    struct script **items;
    size_t count, capacity;
    struct found *found;
    size_t found_count, found_capacity;
    size_t missing_count;  /* names that no file was found for, since the last refresh */
    struct found beyond;   /* every name after so many */
    size_t chains[CHAINS]; /* by hash of the id; entries may be many: every unknown type is looked up */
    const struct oro_node_type **replaced;
    size_t replaced_count, replaced_capacity;
    uint64_t revision;
    struct oro_trust trust;
    enum oro_scripts_omit omit;
    double seconds;   /* spent reading since the last refresh */
    double each, all; /* limits of that; 0: the usual ones */
    bool put_off;     /* the last script was not read, because those before it took too long */
};

struct oro_scripts *oro_scripts_create(const struct oro_script_language *language, bool allow_any_path,
                                       const struct oro_log *log)
{
    struct oro_scripts *scripts = oro_alloc(1, sizeof *scripts);
    if (!scripts)
        return NULL;
    *scripts = (struct oro_scripts){.language = language, .allow_any_path = allow_any_path, .log = log};
    oro_trust_refresh(&scripts->trust, log);
    return scripts;
}

void oro_scripts_stop_when(struct oro_scripts *scripts, bool (*stopped)(void *user), void *user)
{
    scripts->stopped = stopped;
    scripts->user = user;
}

void oro_scripts_limit(struct oro_scripts *scripts, double each, double all)
{
    scripts->each = each;
    scripts->all = all;
}

void oro_scripts_omit(struct oro_scripts *scripts, enum oro_scripts_omit omit)
{
    scripts->omit = omit;
}

static void free_script(struct oro_scripts *scripts, struct script *script)
{
    if (script->type)
        scripts->language->destroy(script->type);
    oro_free(script->place);
    oro_free(script->path);
    oro_free(script->id);
    oro_free(script->text);
    oro_free(script);
}

static void free_found(struct oro_scripts *scripts)
{
    for (size_t i = 0; i < scripts->found_count; i++) {
        oro_free(scripts->found[i].folder);
        oro_free(scripts->found[i].id);
    }
}

void oro_scripts_destroy(struct oro_scripts *scripts)
{
    if (!scripts)
        return;
    free_found(scripts);
    for (size_t i = 0; i < scripts->count; i++)
        free_script(scripts, scripts->items[i]);
    for (size_t i = 0; i < scripts->replaced_count; i++)
        scripts->language->destroy(scripts->replaced[i]);
    oro_trust_free(&scripts->trust);
    oro_free(scripts->items);
    oro_free(scripts->found);
    oro_free(scripts->replaced);
    oro_free(scripts);
}

bool oro_scripts_build_graphs(const struct oro_scripts *scripts)
{
    for (size_t i = 0; i < scripts->count; i++)
        if (scripts->items[i]->type && scripts->items[i]->type->expand)
            return true;
    return false;
}

uint64_t oro_scripts_revision(const struct oro_scripts *scripts)
{
    return scripts ? scripts->revision : 0;
}

/* ---- Reading ---- */

static const char *part_of(const struct oro_scripts *scripts, const struct script *script, size_t index)
{
    if (index == 0)
        return script->path;
    return script->type ? scripts->language->part(script->type, index - 1) : NULL;
}

static void take_stamps(const struct oro_scripts *scripts, struct script *script)
{
    const char *path;
    for (size_t i = 0; i < PARTS_MAX && (path = part_of(scripts, script, i)); i++)
        script->stamps[i] = oro_stamp_of(path);
}

/* A text within a document cannot change; only files that it requires can. */
static bool has_changed(const struct oro_scripts *scripts, const struct script *script)
{
    const char *path;
    for (size_t i = script->place ? 0 : 1; i < PARTS_MAX && (path = part_of(scripts, script, i)); i++) {
        struct oro_stamp now = oro_stamp_of(path);
        if (!oro_stamp_equal(&now, &script->stamps[i]))
            return true;
    }
    return false;
}

/* Each script's time is limited, and so is the time for all together, since there may be thousands. NULL:
 * `err` is filled. */
static const struct oro_node_type *read_source(struct oro_scripts *scripts,
                                               const struct oro_script_source *source, struct oro_error *err)
{
    double all = scripts->all > 0 ? scripts->all : ORO_SCRIPTS_SECONDS;
    scripts->put_off = scripts->seconds > all;
    if (scripts->put_off) {
        oro_fail(err, ORO_E_LIMIT, "it is not read: the scripts before it took more than %.0f s", all);
        return NULL;
    }
    if (scripts->omit == ORO_OMIT_ALL || (scripts->omit == ORO_OMIT_UNTRUSTED && !source->trusted)) {
        oro_fail(err, ORO_E_OMITTED, "scripts that nobody has trusted are not run for a list");
        return NULL;
    }
    struct oro_script_source watched = *source;
    watched.trust = &scripts->trust;
    watched.within = scripts->omit == ORO_OMIT_UNTRUSTED;
    watched.stopped = scripts->stopped;
    watched.user = scripts->user;
    watched.seconds = scripts->each;
    double start = oro_now();
    const struct oro_node_type *type = scripts->language->read(&watched, scripts->log, err);
    scripts->seconds += oro_now() - start;
    /* cppcheck-suppress returnDanglingLifetime ; a type keeps no pointer to its source */
    return type;
}

static const struct oro_node_type *read_text(struct oro_scripts *scripts, const struct script *script,
                                             struct oro_error *err)
{
    size_t length = strlen(script->text);
    const struct oro_script_source source = {
        .path = script->path,
        .line = script->line,
        .text = script->text,
        .length = length,
        .trusted = oro_trust_allows(&scripts->trust, NULL, script->text, length)};
    return read_source(scripts, &source, err);
}

/* One of the program's own is read from its true place: a link to it may lead elsewhere by now. */
static const struct oro_node_type *read_file(struct oro_scripts *scripts, const struct script *script,
                                             struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    bool own = oro_path_is_installed(script->place);
    if (!oro_file_read(own ? script->place : script->path, BYTES_MAX, &data, &size, err))
        return NULL;
    const struct oro_script_source source = {.id = script->id,
                                             .path = script->path,
                                             .line = 1,
                                             .text = data,
                                             .length = size,
                                             .trusted =
                                                 own || oro_trust_allows(&scripts->trust, NULL, data, size)};
    const struct oro_node_type *type = read_source(scripts, &source, err);
    oro_free(data);
    return type;
}

/* Takes over `place`, which may be NULL, in any case. NULL: `err` is filled. */
static struct script *add_script(struct oro_scripts *scripts, char *place, const char *path, const char *id,
                                 struct oro_error *err)
{
    void *items = scripts->items;
    struct script *script = NULL;
    if (scripts->count >= ORO_SCRIPTS_MAX)
        oro_fail(err, ORO_E_LIMIT, "more than %d different scripts are used", ORO_SCRIPTS_MAX);
    else if (!(script = oro_alloc(1, sizeof *script)))
        oro_fail(err, ORO_E_MEMORY, "no memory for a script");
    if (!script) {
        oro_free(place);
        return NULL;
    }
    *script = (struct script){.place = place, .path = oro_copy_text(path), .id = oro_copy_text(id)};
    bool room = oro_reserve(&items, &scripts->capacity, scripts->count + 1, sizeof *scripts->items);
    scripts->items = room ? items : scripts->items;
    if (!room || !script->path || (id && !script->id)) {
        free_script(scripts, script);
        oro_fail(err, ORO_E_MEMORY, "no memory for a script");
        return NULL;
    }
    scripts->items[scripts->count++] = script;
    return script;
}

static struct script *load(struct oro_scripts *scripts, const char *path, const char *id,
                           struct oro_error *err)
{
    char *place = oro_path_true(path);
    if (!place) {
        oro_fail(err, ORO_E_FILE, "'%.200s' cannot be read", path);
        return NULL;
    }
    for (size_t i = 0; i < scripts->count; i++) {
        struct script *script = scripts->items[i];
        if (script->place && strcmp(script->place, place) == 0 && strcmp(script->id, id) == 0) {
            oro_free(place);
            return script;
        }
    }
    struct script *script = add_script(scripts, place, path, id, err);
    if (!script)
        return NULL;
    script->type = read_file(scripts, script, &script->err);
    script->put_off = scripts->put_off;
    take_stamps(scripts, script);
    return script;
}

/* ---- Finding ---- */

/* The length of the path of a document's folder, with the slash. */
static size_t folder_length(const char *document_path)
{
    const char *slash = document_path ? strrchr(document_path, '/') : NULL;
    return slash ? (size_t)(slash - document_path) + 1 : 0;
}

static size_t *chain_of(struct oro_scripts *scripts, const char *id)
{
    return &scripts->chains[oro_hash_of(id, strlen(id)).low % CHAINS];
}

static struct found *found_before(struct oro_scripts *scripts, const char *document_path, const char *id)
{
    size_t length = folder_length(document_path);
    for (size_t i = *chain_of(scripts, id); i > 0; i = scripts->found[i - 1].next) {
        struct found *found = &scripts->found[i - 1];
        if (strcmp(found->id, id) == 0 && strlen(found->folder) == length &&
            (length == 0 || memcmp(found->folder, document_path, length) == 0))
            return found;
    }
    return NULL;
}

/* A file that is looked for in the categories of the user's library. */
struct in_category {
    const struct oro_scripts *scripts;
    const char *document_path, *name;
    char *path; /* found */
    const char *folder;
    size_t length;
};

static bool category_holds(const char *category, void *user)
{
    struct in_category *in = user;
    struct oro_text name = {0}, whole = {0};
    struct stat info;
    oro_text_addf(&name, "%s/%s", category, in->name);
    oro_text_addf(&whole, "%.*s/%s", (int)in->length, in->folder, name.data ? name.data : "");
    if (!name.failed && !whole.failed && stat(whole.data, &info) == 0)
        oro_resolve_path(in->document_path, name.data, in->scripts->allow_any_path, &in->path, NULL);
    oro_text_free(&whole);
    oro_text_free(&name);
    return in->path;
}

static bool library_holds(const char *folder, size_t length, void *user)
{
    struct in_category *in = user;
    in->folder = folder;
    in->length = length;
    return oro_any_category(folder, length, category_holds, in);
}

/* The file of a script; the caller frees. NULL: there is none, unless `err` has a code: then it may not be
 * used, or memory is out. */
static char *locate(const struct oro_scripts *scripts, const char *document_path, const char *id,
                    struct oro_error *err)
{
    struct oro_text name = {0};
    struct stat info;
    char *path = NULL;
    oro_text_addf(&name, "%s%s", id, scripts->language->extension);
    if (name.failed)
        oro_fail(err, ORO_E_MEMORY, "no memory to look for '%.100s'", id);
    else if (oro_resolve_path(document_path, name.data, scripts->allow_any_path, &path, err) &&
             stat(path, &info) != 0) {
        struct in_category in = {.scripts = scripts, .document_path = document_path, .name = name.data};
        oro_free(path);
        oro_any_own_library(library_holds, &in);
        path = in.path;
    }
    oro_text_free(&name);
    return path;
}

static void look_for(struct oro_scripts *scripts, const char *document_path, struct found *found)
{
    char *path = locate(scripts, document_path, found->id, &found->err);
    scripts->missing_count += !path;
    if (path)
        found->script = load(scripts, path, found->id, &found->err);
    found->refused = !found->script && found->err.code != ORO_OK;
    oro_free(path);
}

static struct found *look_no_more(struct oro_scripts *scripts, const char *id)
{
    scripts->beyond.refused = true;
    oro_fail(&scripts->beyond.err, ORO_E_LIMIT,
             "there is no node type '%.100s', and no script is looked for: %d others are missing", id,
             MISSING_MAX);
    return &scripts->beyond;
}

/* NULL: memory is out. */
static struct found *find(struct oro_scripts *scripts, const char *document_path, const char *id)
{
    struct found *before = found_before(scripts, document_path, id);
    if (before)
        return before;
    if (scripts->missing_count >= MISSING_MAX)
        return look_no_more(scripts, id);
    void *items = scripts->found;
    if (!oro_reserve(&items, &scripts->found_capacity, scripts->found_count + 1, sizeof *scripts->found))
        return NULL;
    scripts->found = items;
    struct found *found = &scripts->found[scripts->found_count];
    struct oro_text folder = {0};
    oro_text_add_bytes(&folder, document_path ? document_path : "", folder_length(document_path));
    if (!folder.data)
        oro_text_add(&folder, "");
    *found = (struct found){.folder = folder.data, .id = oro_copy_text(id)};
    if (folder.failed || !folder.data || !found->id) {
        oro_text_free(&folder);
        oro_free(found->id);
        return NULL;
    }
    size_t *chain = chain_of(scripts, id);
    found->next = *chain;
    *chain = ++scripts->found_count;
    look_for(scripts, document_path, found);
    return found;
}

/* Ids that have another meaning in documents. */
static bool is_taken(const char *id)
{
    return strcmp(id, ORO_INLINE_TYPE) == 0 || strcmp(id, ORO_GRAPH_TYPE) == 0;
}

const struct oro_node_type *oro_script_type(struct oro_scripts *scripts, const char *document_path,
                                            const char *id, bool *found, struct oro_error *err)
{
    *found = false;
    if (!scripts || !oro_is_identifier(id) || is_taken(id))
        return NULL;
    struct found *entry = find(scripts, document_path, id);
    if (!entry) {
        oro_fail(err, ORO_E_MEMORY, "no memory to look for '%.100s'", id);
        *found = true;
        return NULL;
    }
    *found = entry->script || entry->refused;
    const struct oro_error *why = entry->script ? &entry->script->err : &entry->err;
    if (entry->script && entry->script->type)
        return entry->script->type;
    if (*found)
        oro_fail(err, why->code, "%s", why->text);
    return NULL;
}

const char *oro_scripts_problem(const struct oro_scripts *scripts, const char *path)
{
    for (size_t i = 0; scripts && i < scripts->count; i++) {
        const struct script *script = scripts->items[i];
        if (script->place && script->err.code != ORO_OK && strcmp(script->path, path) == 0)
            return script->err.text;
    }
    return NULL;
}

/* ---- Within a document ---- */

bool oro_node_is_inline(const struct oro_doc_node *node)
{
    return strcmp(node->type, ORO_INLINE_TYPE) == 0;
}

static struct oro_hash digest_of(const char *document_path, const struct oro_doc_node *node)
{
    struct oro_hash parts[2] = {oro_hash_of(document_path, strlen(document_path)),
                                oro_hash_of(node->script, strlen(node->script))};
    parts[0].low ^= (uint64_t)node->script_line; /* messages name the line */
    return oro_hash_of(parts, sizeof parts);
}

const struct oro_node_type *oro_script_type_inline(struct oro_scripts *scripts, const char *document_path,
                                                   const struct oro_doc_node *node, struct oro_error *err)
{
    if (!scripts || !node->script) {
        oro_fail(err, ORO_E_DOCUMENT,
                 scripts ? "it needs a <script> that returns a node type" : "this program runs no scripts");
        return NULL;
    }
    const char *path = document_path ? document_path : "";
    struct oro_hash digest = digest_of(path, node);
    struct script *script = NULL;
    for (size_t i = 0; i < scripts->count && !script; i++)
        if (!scripts->items[i]->place && oro_hash_equal(scripts->items[i]->digest, digest))
            script = scripts->items[i];
    if (!script) {
        script = add_script(scripts, NULL, path, NULL, err);
        if (!script)
            return NULL;
        script->digest = digest;
        script->line = node->script_line;
        script->text = oro_copy_text(node->script);
        if (script->text)
            script->type = read_text(scripts, script, &script->err);
        else
            oro_fail(&script->err, ORO_E_MEMORY, "no memory for a script");
        script->put_off = scripts->put_off;
        take_stamps(scripts, script);
    }
    if (!script->type)
        oro_fail(err, script->err.code, "%s", script->err.text);
    return script->type;
}

/* ---- Refreshing ---- */

static bool keep_replaced(struct oro_scripts *scripts, const struct oro_node_type *type)
{
    void *items = scripts->replaced;
    if (!oro_reserve(&items, &scripts->replaced_capacity, scripts->replaced_count + 1,
                     sizeof *scripts->replaced))
        return false;
    scripts->replaced = items;
    scripts->replaced[scripts->replaced_count++] = type;
    return true;
}

/* Whether the type is different now, or missing for another reason. */
static bool read_anew(struct oro_scripts *scripts, struct script *script)
{
    struct oro_error why = {0};
    const struct oro_node_type *before = script->type, *type = NULL;
    if (scripts->replaced_count < ORO_SCRIPTS_MAX)
        type = script->place ? read_file(scripts, script, &why) : read_text(scripts, script, &why);
    else
        oro_fail(&why, ORO_E_LIMIT, "scripts changed more than %d times; restart the program",
                 ORO_SCRIPTS_MAX);
    bool told = strcmp(script->err.text, why.text) == 0;
    script->err = why;
    script->put_off = scripts->put_off;
    if (type && before && !keep_replaced(scripts, before)) {
        scripts->language->destroy(type);
        type = NULL;
        oro_fail(&script->err, ORO_E_MEMORY, "no memory for a script");
    }
    if (type)
        script->type = type;
    take_stamps(scripts, script);
    if (!type && before && !told)
        oro_note(scripts->log, ORO_WARNING, "%s; the last good version stays in use", script->err.text);
    else if (type && before && !oro_hash_equal(type->source, before->source))
        oro_note(scripts->log, ORO_NOTICE, "script '%s' was reloaded", script->path);
    return type ? !before || !oro_hash_equal(type->source, before->source) : !before && !told;
}

/* Whether a script that is broken may be read by now: perhaps it lacked a module, whose file is unknown then.
 * One that took too long does so again. */
static bool may_be_mended(const struct script *script)
{
    return script->put_off || (script->err.code != ORO_OK && script->err.code != ORO_E_LIMIT);
}

static bool refresh(struct oro_scripts *scripts, struct script *script, bool trust_changed)
{
    bool again = may_be_mended(script) && (script->place || script->text);
    return (trust_changed || has_changed(scripts, script) || again) && read_anew(scripts, script);
}

/* Whether an id leads elsewhere now: to a file that has appeared, or to one in an earlier folder. A script
 * whose file is gone stays in use. */
static bool look_again(struct oro_scripts *scripts, struct found *found)
{
    struct script *before = found->script;
    struct oro_error err = found->err;
    bool refused = found->refused;
    found->script = NULL;
    found->refused = false;
    found->err = (struct oro_error){0};
    look_for(scripts, found->folder, found);
    if (!found->script && before) {
        found->script = before;
        found->refused = refused;
        found->err = err;
    }
    return found->script != before || found->refused != refused || strcmp(found->err.text, err.text) != 0;
}

size_t oro_scripts_refresh(struct oro_scripts *scripts)
{
    bool trust_changed = oro_trust_refresh(&scripts->trust, scripts->log);
    size_t changed = trust_changed && scripts->count > 0;
    scripts->seconds = 0;
    for (size_t i = 0; i < scripts->count; i++)
        changed += refresh(scripts, scripts->items[i], trust_changed);
    scripts->missing_count = 0;
    for (size_t i = 0; i < scripts->found_count; i++)
        changed += look_again(scripts, &scripts->found[i]);
    scripts->revision += changed > 0;
    return changed;
}

/* ---- Listing ---- */

struct listing {
    struct oro_scripts *scripts;
    void (*each)(void *user, const char *id, const char *path, const struct oro_error *err);
    void *user;
    const char *folder; /* of the categories that are listed */
    size_t length;
    char **ids;
    size_t count, capacity;
    bool failed;
};

static void list_id(struct listing *listing, const char *file)
{
    const char *extension = listing->scripts->language->extension;
    size_t length = strlen(file), tail = strlen(extension);
    if (length <= tail || strcmp(file + length - tail, extension) != 0)
        return;
    char *id = oro_copy_text(file);
    if (id)
        id[length - tail] = '\0';
    void *items = listing->ids;
    bool room = id && oro_reserve(&items, &listing->capacity, listing->count + 1, sizeof *listing->ids);
    listing->failed = listing->failed || !room;
    if (room) {
        listing->ids = (char **)items;
        listing->ids[listing->count++] = id;
    } else {
        oro_free(id);
    }
}

static bool list_folder(const char *folder, size_t length, void *user)
{
    struct listing *listing = user;
    struct oro_text path = {0};
    oro_text_add_bytes(&path, folder, length);
    oro_text_add(&path, length > 0 ? "" : ".");
    DIR *dir = path.failed ? NULL : opendir(path.data);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        list_id(listing, entry->d_name);
    if (dir)
        closedir(dir);
    listing->failed = listing->failed || path.failed;
    oro_text_free(&path);
    return listing->failed;
}

static bool list_category(const char *category, void *user)
{
    struct listing *listing = user;
    struct oro_text path = {0};
    oro_text_addf(&path, "%.*s/%s", (int)listing->length, listing->folder, category);
    bool failed = path.failed || list_folder(path.data, path.length, listing);
    listing->failed = listing->failed || failed;
    oro_text_free(&path);
    return failed;
}

static bool list_categories(const char *folder, size_t length, void *user)
{
    struct listing *listing = user;
    listing->folder = folder;
    listing->length = length;
    return oro_any_category(folder, length, list_category, listing);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *oro_script_file(const struct oro_scripts *scripts, const char *document_path, const char *id,
                      struct oro_error *err)
{
    return oro_is_identifier(id) && !is_taken(id) ? locate(scripts, document_path, id, err) : NULL;
}

static void list_file(const struct listing *listing, const char *document_path, const char *id)
{
    struct oro_error err = {0};
    char *path = oro_script_file(listing->scripts, document_path, id, &err);
    if (path || err.code != ORO_OK)
        listing->each(listing->user, id, path, &err);
    oro_free(path);
}

bool oro_scripts_each_file(
    struct oro_scripts *scripts, const struct oro_registry *registry, const char *document_path,
    void (*each)(void *user, const char *id, const char *path, const struct oro_error *err), void *user)
{
    struct listing listing = {.scripts = scripts, .each = each, .user = user};
    list_folder(document_path ? document_path : "", folder_length(document_path), &listing);
    oro_any_library(list_folder, &listing);
    oro_any_own_library(list_categories, &listing);
    if (listing.count > 1)
        qsort(listing.ids, listing.count, sizeof *listing.ids, compare);
    for (size_t i = 0; i < listing.count; i++)
        if ((i == 0 || strcmp(listing.ids[i], listing.ids[i - 1]) != 0) &&
            !oro_registry_find(registry, listing.ids[i]))
            list_file(&listing, document_path, listing.ids[i]);
    for (size_t i = 0; i < listing.count; i++)
        oro_free(listing.ids[i]);
    oro_free(listing.ids);
    return !listing.failed;
}
