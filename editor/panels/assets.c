#include "editor/panels/assets.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "editor/library/library.h"
#include "editor/ui/category.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/derived/script_about.h"
#include "graph/derived/scripts.h"
#include "graph/reuse/preset.h"
#include "graph/type/meaning.h"

/* State while the list is made. */
struct making {
    struct ed_assets *assets;
    const struct oro_registry *registry;
    const char *document; /* its path */
    const char *category; /* for graphs that name none */
    const char
        *within; /* the category of the user's library that is listed; "": none; NULL: it is not that */
    bool failed;
};

static unsigned takes_of(const struct oro_node_type *type)
{
    unsigned takes = 0;
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        for (int from = ORO_ANY; from <= ORO_NETWORK; from++)
            if (oro_input_accepts(input, (enum oro_type)from))
                takes |= 1u << from;
    return takes;
}

static unsigned gives_of(const struct oro_node_type *type)
{
    unsigned gives = 0;
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        gives |= 1u << output->type;
    return gives;
}

static struct ed_asset *add(struct making *making, const struct ed_asset *asset)
{
    struct ed_assets *assets = making->assets;
    if (!asset->key || !asset->type || !asset->label || !asset->category || !asset->doc ||
        !oro_reserve((void **)&assets->items, &assets->capacity, assets->count + 1, sizeof *assets->items)) {
        making->failed = true;
        return NULL;
    }
    assets->items[assets->count] = *asset;
    if (!asset->words)
        assets->items[assets->count].words = "";
    return &assets->items[assets->count++];
}

static const char *pretty(struct oro_arena *arena, const char *id)
{
    char label[128];
    return oro_arena_text(arena, ed_pretty_name(id, label, sizeof label));
}

/* ---- Types and scripts */

/* "my/Rocks" for what lies in a category of the user's library, else "my". */
static const char *own_category(struct oro_arena *arena, const char *path)
{
    char *href = ed_library_href(path);
    const char *slash = href ? strrchr(href, '/') : NULL;
    const char *category = slash ? oro_arena_textf(arena, "my/%.*s", (int)(slash - href), href) : "my";
    oro_free(href);
    return category;
}

static void add_type(struct making *making, const struct oro_node_type *type)
{
    struct oro_arena *arena = making->assets->arena;
    const char *category = type->category ? type->category : "script";
    struct ed_asset asset = {
        .kind = ED_ASSET_TYPE,
        .key = oro_arena_text(arena, type->id),
        .type = oro_arena_text(arena, type->id),
        .label = pretty(arena, type->id),
        .category = oro_arena_text(arena, category),
        .doc = oro_arena_text(arena, type->doc ? type->doc : ""),
        .words = oro_arena_text(arena, type->words ? type->words : ""),
        .known = true,
        .takes = takes_of(type),
        .gives = gives_of(type),
        .wanted = oro_type_wants(type),
        .given = oro_type_gives(type),
    };
    char *example = ed_example_of(category, type->id);
    asset.shows = example ? oro_arena_text(arena, example) : NULL;
    oro_free(example);
    add(making, &asset);
}

/* What a script takes and gives is not known before it is run: it is offered everywhere. */
static void add_script(void *user, const char *id, const char *path, const struct oro_error *err)
{
    struct making *making = user;
    struct oro_arena *arena = making->assets->arena;
    struct oro_script_about about = {0};
    struct oro_error trouble = *err;
    bool read = path && oro_script_about_read(path, &about, &trouble);
    struct ed_asset asset = {.kind = ED_ASSET_SCRIPT,
                             .key = oro_arena_text(arena, id),
                             .type = oro_arena_text(arena, id),
                             .label = pretty(arena, id),
                             .doc = oro_arena_text(arena, read ? about.doc : trouble.text),
                             .words = oro_arena_text(arena, about.words),
                             .path = path ? oro_arena_text(arena, path) : NULL,
                             .broken = !read,
                             .known = true,
                             .takes = UINT_MAX,
                             .gives = UINT_MAX};
    asset.shows = read ? asset.path : NULL;
    asset.own = path && ed_library_owns(path);
    asset.category = asset.own           ? own_category(arena, path)
                     : about.category[0] ? oro_arena_text(arena, about.category)
                                         : "script";
    add(making, &asset);
}

static void add_types(struct making *making)
{
    for (size_t i = 0; i < making->registry->count; i++)
        add_type(making, making->registry->types[i]);
    if (!making->registry->scripts)
        return;
    struct ed_asset own = {.kind = ED_ASSET_TYPE,
                           .key = ORO_INLINE_TYPE,
                           .type = ORO_INLINE_TYPE,
                           .label = "Script of its own",
                           .category = "script",
                           .doc = "A node that is defined by a Lua script within the document.",
                           .known = true};
    add(making, &own);
    if (!oro_scripts_each_file(making->registry->scripts, making->registry, making->document, add_script,
                               making))
        making->failed = true;
}

/* ---- Files */

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Calls `each` for the documents in a folder, in the order of their names. */
static void each_document(struct making *making, const char *folder,
                          void (*each)(struct making *making, const char *folder, const char *name))
{
    enum { MOST = 2000 };
    char **names = oro_alloc(MOST, sizeof *names);
    DIR *dir = names ? opendir(folder) : NULL;
    size_t count = 0;
    for (struct dirent *entry; dir && count < MOST && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.' && ends_with(entry->d_name, ".oro") &&
            (names[count] = oro_copy_text(entry->d_name)) != NULL)
            count++;
    if (dir)
        closedir(dir);
    if (names)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        each(making, folder, names[i]);
        oro_free(names[i]);
    }
    oro_free(names);
}

static const char *category_of(const struct making *making, const struct ed_about *about)
{
    struct oro_arena *arena = making->assets->arena;
    if (making->within)
        return making->within[0] ? oro_arena_textf(arena, "my/%s", making->within) : "my";
    return oro_arena_text(arena, about->category[0] ? about->category : making->category);
}

/* What is wrong with a graph as far as its beginning tells; NULL: nothing. */
static const char *fault_of(const char *path, struct ed_about *about)
{
    return !ed_about_read(path, about) ? "This file is no graph, or cannot be read."
           : !about->is_node           ? "This graph cannot be a node: its interface has no outputs."
                                       : NULL;
}

static void add_graph(struct making *making, const char *folder, const char *name)
{
    struct oro_arena *arena = making->assets->arena;
    char *path = oro_arena_textf(arena, "%s/%s", folder, name);
    bool sorted = making->within && making->within[0];
    char *href = sorted ? oro_arena_textf(arena, "%s/%s", making->within, name) : oro_arena_text(arena, name);
    char stem[256];
    struct ed_about about;
    if (!path || !href || ed_assets_find(making->assets, href) || oro_path_same(path, making->document))
        return;
    const char *fault = fault_of(path, &about);
    if (fault && !making->within) /* files beside a document are no matter of the palette */
        return;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - 4), name);
    struct ed_asset asset = {
        .kind = ED_ASSET_GRAPH,
        .key = href,
        .type = ORO_GRAPH_TYPE,
        .href = href,
        .label = about.title[0] ? oro_arena_text(arena, about.title) : pretty(arena, stem),
        .category = category_of(making, &about),
        .doc = oro_arena_text(arena, fault ? fault : about.doc),
        .words = oro_arena_text(arena, about.words),
        .path = path,
        .shows = fault ? NULL : path,
        .own = making->within,
        .broken = fault,
        .known = fault,
    };
    add(making, &asset);
}

static bool add_library(const char *folder, size_t length, void *user)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s", (int)length, folder);
    each_document(user, path, add_graph);
    return false;
}

struct listed_folder {
    struct making *making;
    const char *path;
};

static bool add_category(const char *category, void *user)
{
    const struct listed_folder *own = user;
    char path[PATH_MAX + 300];
    own->making->within = category;
    snprintf(path, sizeof path, "%s/%s", own->path, category);
    each_document(own->making, path, add_graph);
    return false;
}

static bool add_own(const char *folder, size_t length, void *user)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s", (int)length, folder);
    struct listed_folder own = {.making = user, .path = path};
    own.making->within = "";
    each_document(own.making, path, add_graph);
    oro_any_category(folder, length, add_category, &own);
    own.making->within = NULL;
    return false;
}

static void add_graphs(struct making *making)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(making->document, '/');
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - making->document), making->document);
        making->category = "beside";
        each_document(making, folder[0] ? folder : "/", add_graph);
    }
    oro_any_own_library(add_own, making);
    making->category = "landscape";
    oro_any_library(add_library, making);
}

static void add_example_of(struct making *making, const char *folder, const char *name, const char *kind)
{
    struct ed_assets *assets = making->assets;
    struct oro_arena *arena = assets->arena;
    char stem[256], path[PATH_MAX], label[256];
    struct ed_about about;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!ed_about_read(path, &about) || !oro_reserve((void **)&assets->examples, &assets->example_capacity,
                                                     assets->example_count + 1, sizeof *assets->examples))
        return;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - 4), name);
    ed_pretty_name(stem, label, sizeof label);
    struct ed_example example = {.name = oro_arena_text(arena, stem),
                                 .folder = kind,
                                 .category = oro_arena_text(arena, about.category),
                                 .title = oro_arena_text(arena, about.title[0] ? about.title : label),
                                 .path = oro_arena_text(arena, path),
                                 .doc = oro_arena_text(arena, about.doc)};
    if (example.name && example.title && example.path && example.doc && example.category)
        assets->examples[assets->example_count++] = example;
}

static void add_example(struct making *making, const char *folder, const char *name)
{
    add_example_of(making, folder, name, "examples");
}

static void add_script_example(struct making *making, const char *folder, const char *name)
{
    add_example_of(making, folder, name, "lua");
}

static void add_library_example(struct making *making, const char *folder, const char *name)
{
    add_example_of(making, folder, name, "library");
}

/* Examples for beginners come first, the others by name. */
static int example_order(const char *name)
{
    static const char *const first[] = {"amplify",       "mountain-range",   "canyon",
                                        "zagros",        "constraint-range", "star-ranges",
                                        "river-network", "island",           "springs"};
    int count = sizeof first / sizeof first[0];
    for (int i = 0; i < count; i++)
        if (strcmp(first[i], name) == 0)
            return i;
    return count;
}

static int compare_examples(const void *a, const void *b)
{
    const struct ed_example *left = a, *right = b;
    int order = example_order(left->name) - example_order(right->name);
    return order ? order : strcmp(left->name, right->name);
}

static bool add_example_folder(const char *name, void *user)
{
    const struct listed_folder *examples = user;
    char path[PATH_MAX + 300];
    snprintf(path, sizeof path, "%s/%s", examples->path, name);
    each_document(examples->making, path, strcmp(name, "lua") == 0 ? add_script_example : add_example);
    return false;
}

static void add_examples(struct making *making)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    if (!oro_installed_folder(folder))
        return;
    snprintf(path, sizeof path, "%s/examples", folder);
    each_document(making, path, add_example);
    oro_any_category(path, strlen(path), add_example_folder, &(struct listed_folder){making, path});
    snprintf(path, sizeof path, "%s/library", folder);
    each_document(making, path, add_library_example);
    if (making->assets->example_count > 0)
        qsort(making->assets->examples, making->assets->example_count, sizeof *making->assets->examples,
              compare_examples);
}

char *ed_example_of(const char *category, const char *type)
{
    char folder[PATH_MAX];
    struct oro_text path = {0};
    if (!oro_installed_folder(folder))
        return NULL;
    oro_text_addf(&path, "%s/examples/nodes/%s/%s.oro", folder, category, type);
    if (!path.failed && access(path.data, R_OK) == 0)
        return path.data;
    oro_text_free(&path);
    return NULL;
}

/* ---- Presets, order */

static int compare(const void *a, const void *b)
{
    const struct ed_asset *left = a, *right = b;
    int order = ed_category_order(left->category) - ed_category_order(right->category);
    if (order == 0)
        order = strcmp(left->category, right->category);
    if (order == 0)
        order = strcmp(left->label, right->label);
    return order ? order : strcmp(left->key, right->key);
}

/* Puts what is a way to set an asset behind it, and behind others of its kind. */
static void insert(struct making *making, size_t owner, const struct ed_asset *variant)
{
    struct ed_assets *assets = making->assets;
    if (!add(making, variant))
        return;
    struct ed_asset asset = assets->items[assets->count - 1];
    size_t at = owner + 1;
    while (at < assets->count - 1 && ed_asset_is_variant(&assets->items[at]))
        at++;
    memmove(assets->items + at + 1, assets->items + at, (assets->count - 1 - at) * sizeof asset);
    assets->items[at] = asset;
}

/* "Noise with method worley, fractal none.", and what the type says. */
static const char *doc_of_use(struct oro_arena *arena, const struct ed_asset *owner,
                              const struct oro_use *use)
{
    struct oro_text text = {0};
    oro_text_addf(&text, "%s with", owner->label);
    for (size_t i = 0; i < ORO_USE_SETS && use->set[i].input; i++)
        oro_text_addf(&text, "%s %s %s", i ? "," : "", use->set[i].input, use->set[i].value);
    oro_text_addf(&text, ". %s", owner->doc);
    const char *doc = text.failed ? owner->doc : oro_arena_text(arena, text.data);
    oro_text_free(&text);
    return doc;
}

static void add_uses(struct making *making)
{
    struct oro_arena *arena = making->assets->arena;
    for (size_t i = 0; i < making->registry->count; i++) {
        const struct oro_node_type *type = making->registry->types[i];
        for (const struct oro_use *use = type->uses; use && use->id; use++) {
            const struct ed_asset *owner = ed_assets_find(making->assets, type->id);
            if (!owner)
                continue;
            struct ed_asset asset = *owner;
            asset.kind = ED_ASSET_USE;
            asset.key = oro_arena_textf(arena, "%s:%s", type->id, use->id);
            asset.label = use->label;
            asset.words = use->words ? use->words : "";
            asset.use = use;
            asset.doc = doc_of_use(arena, owner, use);
            insert(making, (size_t)(owner - making->assets->items), &asset);
        }
    }
}

/* The folder's name says what the presets in it are for: a node type, or a graph's file name without its
 * extension. */
static size_t owner_of(const struct ed_assets *assets, const char *type)
{
    char file[300];
    const struct ed_asset *owner = ed_assets_find(assets, type);
    snprintf(file, sizeof file, "%s.oro", type);
    owner = owner ? owner : ed_assets_find(assets, file);
    return owner ? (size_t)(owner - assets->items) : SIZE_MAX;
}

static void add_preset(struct making *making, const struct oro_preset *preset)
{
    struct ed_assets *assets = making->assets;
    size_t owner = owner_of(assets, preset->type);
    if (owner == SIZE_MAX)
        return;
    struct ed_asset asset = assets->items[owner];
    asset.kind = ED_ASSET_PRESET;
    asset.key = oro_arena_textf(assets->arena, "%s/%s", preset->type, preset->name);
    asset.label = preset->title[0] ? preset->title : pretty(assets->arena, preset->name);
    asset.doc = preset->doc[0] ? preset->doc : asset.doc;
    asset.words = preset->words;
    asset.path = asset.shows = preset->path;
    asset.own = preset->source == ORO_PRESET_USER;
    insert(making, owner, &asset);
}

static void add_presets(struct making *making)
{
    struct oro_presets presets = {0};
    struct oro_error err;
    if (!oro_presets_list(making->document[0] ? making->document : NULL, NULL, making->registry,
                          making->assets->arena, &presets, &err))
        return;
    for (size_t i = 0; i < presets.count; i++)
        add_preset(making, &presets.items[i]);
}

static bool list_all(struct ed_assets *assets, const struct oro_registry *registry, const char *path)
{
    struct making making = {.assets = assets, .registry = registry, .document = path};
    oro_arena_destroy(assets->arena);
    assets->count = assets->example_count = 0;
    assets->arena = oro_arena_create();
    oro_free(assets->path);
    assets->path = oro_copy_text(path);
    assets->listed = true;
    assets->serial++;
    assets->fixed = 0;
    if (!assets->arena || !assets->path)
        return false;
    add_types(&making);
    add_graphs(&making);
    if (assets->count > 0)
        qsort(assets->items, assets->count, sizeof *assets->items, compare);
    add_uses(&making);
    add_presets(&making);
    add_examples(&making);
    assets->fixed = assets->count;
    return !making.failed;
}

/* ---- Groups of the document */

enum { GROUP_LABEL = 128 };

static const char *label_of(const struct oro_doc_group *group, char out[GROUP_LABEL])
{
    const char *title = oro_document_title(group->body);
    return title[0] ? title : ed_pretty_name(group->name, out, GROUP_LABEL);
}

static bool groups_same(const struct ed_assets *assets, const struct oro_document *root)
{
    size_t count = oro_document_group_count(root);
    if (count != assets->count - assets->fixed)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ed_asset *asset = &assets->items[assets->fixed + i];
        const struct oro_doc_group *group = oro_document_group(root, i);
        char label[GROUP_LABEL];
        if (strcmp(asset->key + 1, group->name) != 0 || strcmp(asset->label, label_of(group, label)) != 0)
            return false;
    }
    return true;
}

static bool list_groups(struct ed_assets *assets, const struct oro_document *root)
{
    struct making making = {.assets = assets};
    oro_arena_destroy(assets->group_arena);
    struct oro_arena *arena = assets->group_arena = oro_arena_create();
    assets->count = assets->fixed;
    assets->serial++;
    if (!arena)
        return false;
    for (size_t i = 0; i < oro_document_group_count(root); i++) {
        const struct oro_doc_group *group = oro_document_group(root, i);
        struct oro_doc_about about = oro_document_about(group->body);
        char label[GROUP_LABEL], *key = oro_arena_textf(arena, "#%s", group->name);
        struct ed_asset asset = {
            .kind = ED_ASSET_GROUP,
            .key = key,
            .type = ORO_GRAPH_TYPE,
            .href = key,
            .label = oro_arena_text(arena, label_of(group, label)),
            .category = "group",
            .doc = oro_arena_text(arena, about.doc ? about.doc : "A group of this document."),
            .words = oro_arena_text(arena, about.words ? about.words : ""),
        };
        add(&making, &asset);
    }
    return !making.failed;
}

bool ed_assets_refresh(struct ed_assets *assets, const struct oro_registry *registry,
                       const struct oro_document *root, uint64_t revision, bool again)
{
    const char *path = oro_document_path(root);
    bool ok = true, anew = again || !assets->listed || !assets->path || strcmp(assets->path, path) != 0;
    if (anew)
        ok = list_all(assets, registry, path);
    if (anew || revision != assets->revision) {
        if (anew || !groups_same(assets, root))
            ok = list_groups(assets, root) && ok;
        for (size_t i = assets->fixed; i < assets->count; i++)
            assets->items[i].known = false; /* its interface may have changed */
        assets->revision = revision;
    }
    return ok;
}

void ed_assets_free(struct ed_assets *assets)
{
    oro_arena_destroy(assets->arena);
    oro_arena_destroy(assets->group_arena);
    oro_free(assets->items);
    oro_free(assets->examples);
    oro_free(assets->path);
    *assets = (struct ed_assets){0};
}

const struct ed_asset *ed_assets_find(const struct ed_assets *assets, const char *key)
{
    for (size_t i = 0; i < assets->count; i++)
        if (strcmp(assets->items[i].key, key) == 0)
            return &assets->items[i];
    return NULL;
}

bool ed_assets_learn(struct ed_assets *assets, const struct oro_registry *registry,
                     const struct oro_registry *listed, const struct oro_document *root)
{
    for (size_t i = 0; i < assets->count; i++) {
        struct ed_asset *asset = &assets->items[i];
        if (asset->known || !asset->href)
            continue;
        char id[] = "asset", type[] = ORO_GRAPH_TYPE;
        struct oro_doc_node node = {.id = id, .type = type, .version = 1, .href = (char *)asset->href};
        struct oro_error err = {0};
        const struct oro_node_type *found =
            oro_type_of(asset->kind == ED_ASSET_GROUP ? registry : listed, root, &node, &err);
        unsigned unknown = err.code == ORO_E_OMITTED ? UINT_MAX : 0;
        asset->known = true;
        asset->takes = found ? takes_of(found) : unknown;
        asset->gives = found ? gives_of(found) : unknown;
        asset->wanted = found ? oro_type_wants(found) : 0;
        asset->given = found ? oro_type_gives(found) : 0;
        return true;
    }
    return false;
}
