/* Finding and keeping the files of graphs that are used as nodes. */
#include "graph/derived/assets.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/missing.h"
#include "graph/derived/assets_private.h"
#include "graph/derived/paths.h"
#include "graph/document/document_private.h"

/* A file. One that is being read is there already, so that a cycle is found. */
struct asset {
    char *place;              /* its true path */
    struct oro_stamp stamp;   /* of what was read, then */
    struct oro_document *doc; /* NULL: being read, or broken */
    bool reading;
    struct oro_error err; /* why it is broken */
};

/* Documents times hrefs: each is looked up in a list. */
enum { FOUND_MAX = 20000 };

/* Where a document's href leads. */
struct found {
    char *from, *href;
    size_t asset; /* MISSING: nowhere; it is looked for each time */
};
#define MISSING SIZE_MAX

struct oro_assets {
    uint64_t number; /* that no other assets of the process have, nor had these before they were read anew */
    const struct oro_registry *registry;
    oro_load_fn *load;
    bool allow_any_path;
    struct asset *assets;
    size_t asset_count, asset_capacity;
    struct found *found;
    size_t found_count, found_capacity;
    size_t nodes;
    struct oro_document *working; /* an empty document: what stands in for files; NULL: nothing */
    struct oro_graph_chain chain;
};

/* What is derived from assets that are gone must not be taken for new. */
static uint64_t next_number(void)
{
    static atomic_uint_least64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

struct oro_assets *oro_assets_create(const struct oro_registry *registry, oro_load_fn *load,
                                     bool allow_any_path)
{
    struct oro_assets *assets = oro_alloc(1, sizeof *assets);
    if (assets)
        *assets = (struct oro_assets){
            .number = next_number(), .registry = registry, .load = load, .allow_any_path = allow_any_path};
    return assets;
}

uint64_t oro_assets_number(const struct oro_assets *assets)
{
    return assets->number;
}

static void forget(struct oro_assets *assets)
{
    for (size_t i = 0; i < assets->asset_count; i++) {
        oro_document_destroy(assets->assets[i].doc);
        oro_free(assets->assets[i].place);
    }
    for (size_t i = 0; i < assets->found_count; i++) {
        oro_free(assets->found[i].from);
        oro_free(assets->found[i].href);
    }
    assets->asset_count = assets->found_count = assets->nodes = 0;
}

void oro_assets_destroy(struct oro_assets *assets)
{
    if (!assets)
        return;
    forget(assets);
    oro_document_destroy(assets->working);
    oro_free(assets->assets);
    oro_free(assets->found);
    oro_free(assets);
}

struct oro_graph_chain *oro_assets_chain(struct oro_assets *assets)
{
    return &assets->chain;
}

/* ---- Reading ---- */

/* What is read for the file at a place. */
static const char *file_for(const struct oro_assets *assets, const char *place)
{
    return assets->working ? oro_document_file_for(assets->working, place) : place;
}

static bool not_a_graph(const char *href, const struct oro_problems *problems, struct oro_error *err)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct oro_problem *problem = &problems->items[i];
        if (problem->error && !oro_problem_is_local(problem))
            return oro_fail(err, ORO_E_DOCUMENT, "'%.200s' is not a valid graph: line %d: %s", href,
                            problem->line, problem->text);
    }
    return oro_fail(err, ORO_E_DOCUMENT, "'%.200s' is not a valid graph", href);
}

static size_t count_nodes(const struct oro_document *doc)
{
    size_t count = oro_document_node_count(doc);
    for (size_t i = 0; i < oro_document_group_count(doc); i++)
        count += oro_document_node_count(oro_document_group(doc, i)->body);
    return count;
}

/* What in it lacks a graph of its own may still have results that do not need it. */
static struct oro_document *read_asset(struct oro_assets *assets, const char *href, const char *file,
                                       const char *path, struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = assets->load(file, path, assets->registry, &problems);
    if (doc)
        assets->nodes += count_nodes(doc);
    bool ok = doc && oro_problems_fatal(&problems) == 0;
    if (!ok)
        not_a_graph(href, &problems, err);
    if (ok && assets->nodes > ORO_ASSET_NODES_MAX)
        ok = oro_fail(err, ORO_E_LIMIT, "the graphs that are used have more than %d nodes",
                      ORO_ASSET_NODES_MAX);
    oro_problems_free(&problems);
    if (!ok) {
        oro_document_destroy(doc);
        doc = NULL;
    }
    return doc; /* cppcheck-suppress returnDanglingLifetime; a document does not point to its problems */
}

/* The index of a file, read or being read. False: memory is out, or there are too many. */
static bool load(struct oro_assets *assets, const char *href, const char *path, size_t *index,
                 struct oro_error *err)
{
    char *place = oro_path_true(path);
    if (!place)
        return oro_fail(err, ORO_E_FILE, "'%s' cannot be read", href);
    for (size_t i = 0; i < assets->asset_count; i++) {
        if (strcmp(assets->assets[i].place, place) == 0) {
            oro_free(place);
            *index = i;
            return true;
        }
    }
    if (assets->asset_count >= ORO_ASSETS_MAX) {
        oro_free(place);
        return oro_fail(err, ORO_E_LIMIT, "more than %d different graphs are used", ORO_ASSETS_MAX);
    }
    void *items = assets->assets;
    bool room = oro_reserve(&items, &assets->asset_capacity, assets->asset_count + 1, sizeof *assets->assets);
    assets->assets = room ? items : assets->assets;
    if (!room || !oro_graph_enter(&assets->chain, oro_graph_file(href), err)) {
        oro_free(place);
        return room ? false : oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", href);
    }
    size_t at = assets->asset_count++;
    /* The stamp comes first: what is written while it is read is noticed later. */
    const char *file = file_for(assets, place);
    assets->assets[at] = (struct asset){.place = place, .stamp = oro_stamp_of(file), .reading = true};
    struct oro_error why = {0};
    struct oro_document *doc = read_asset(assets, href, file == place ? path : file, path, &why);
    oro_graph_leave(&assets->chain);
    assets->assets[at].doc = doc; /* others may have been read meanwhile */
    assets->assets[at].err = why;
    assets->assets[at].reading = false;
    *index = at;
    return true;
}

/* ---- Finding ---- */

static struct found *found_before(const struct oro_assets *assets, const char *from, const char *href)
{
    for (size_t i = 0; i < assets->found_count; i++)
        if (strcmp(assets->found[i].href, href) == 0 && strcmp(assets->found[i].from, from) == 0)
            return &assets->found[i];
    return NULL;
}

static bool remember(struct oro_assets *assets, const char *from, const char *href, size_t asset)
{
    void *items = assets->found;
    if (!oro_reserve(&items, &assets->found_capacity, assets->found_count + 1, sizeof *assets->found))
        return false;
    assets->found = items;
    struct found *found = &assets->found[assets->found_count];
    *found = (struct found){.from = oro_copy_text(from), .href = oro_copy_text(href), .asset = asset};
    if (found->from && found->href) {
        assets->found_count++;
        return true;
    }
    oro_free(found->from);
    oro_free(found->href);
    return false;
}

struct nearest {
    const char *href;
    char text[ORO_NEAR_SIZE];
};

/* Ends the search in the first folder that has a file of a similar name. */
static bool has_similar(const char *folder, size_t length, void *user)
{
    struct nearest *nearest = user;
    struct oro_text path = {0};
    oro_text_addf(&path, "%.*s/%s", (int)length, folder, nearest->href);
    bool found = path.data && *oro_near_file(path.data, nearest->text);
    oro_text_free(&path);
    return found;
}

/* `path` is where it would be beside the document. */
static void fail_missing(const char *href, const char *path, struct oro_error *err)
{
    struct nearest nearest = {.href = href};
    if (!*oro_near_file(path, nearest.text))
        oro_any_library(has_similar, &nearest);
    oro_fail(err, ORO_E_FILE,
             "'%s' is missing: it is neither beside the document nor in a folder of OROGRAPH_PATH nor in the "
             "installed library%s",
             href, nearest.text);
}

static bool look_for(struct oro_assets *assets, const char *from, const char *href, size_t *index,
                     struct oro_error *err)
{
    char *path = NULL;
    struct stat info;
    if (assets->found_count >= FOUND_MAX)
        return oro_fail(err, ORO_E_LIMIT, "graphs are named in more than %d ways", FOUND_MAX);
    if (!oro_resolve_path(from, href, assets->allow_any_path, &path, err))
        return false;
    bool ok = stat(path, &info) == 0;
    if (!ok)
        fail_missing(href, path, err);
    ok = ok && load(assets, href, path, index, err);
    oro_free(path);
    return ok;
}

/* What is missing is remembered, so that it is noticed when it comes. */
static bool find_asset(struct oro_assets *assets, const char *from, const char *href, size_t *asset,
                       struct oro_error *err)
{
    struct found *found = found_before(assets, from, href);
    *asset = found ? found->asset : MISSING;
    if (*asset != MISSING)
        return true;
    bool there = look_for(assets, from, href, asset, err);
    found = found_before(assets, from, href); /* reading has found others */
    if (found)
        found->asset = *asset;
    else if (assets->found_count < FOUND_MAX && !remember(assets, from, href, *asset) && there)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", href);
    return there;
}

static bool find_file(struct oro_assets *assets, const char *from, const char *href, struct oro_graph *graph,
                      struct oro_error *err)
{
    size_t index;
    if (!find_asset(assets, from, href, &index, err))
        return false;
    const struct asset *asset = &assets->assets[index];
    if (asset->reading)
        return oro_graph_cycle(&assets->chain, oro_graph_file(href), err);
    if (!asset->doc)
        return oro_fail(err, asset->err.code, "%s", asset->err.text);
    *graph = (struct oro_graph){.doc = asset->doc, .root = asset->doc};
    return true;
}

/* ---- Changes ---- */

/* Whether the name leads to another file now, or to none. */
static bool leads_elsewhere(const struct oro_assets *assets, const struct found *found)
{
    char *path = NULL, *place = NULL;
    struct stat info;
    if (oro_resolve_path(found->from, found->href, assets->allow_any_path, &path, NULL) &&
        stat(path, &info) == 0)
        place = oro_path_true(path);
    const char *before = found->asset == MISSING ? NULL : assets->assets[found->asset].place;
    bool same = place && before ? strcmp(place, before) == 0 : !place == !before;
    oro_free(place);
    oro_free(path);
    return !same;
}

static bool has_changed(const struct oro_assets *assets, const struct asset *asset)
{
    struct oro_stamp now = oro_stamp_of(file_for(assets, asset->place));
    return !oro_stamp_equal(&now, &asset->stamp);
}

bool oro_assets_refresh(struct oro_assets *assets)
{
    bool changed = false;
    if (!assets)
        return false;
    for (size_t i = 0; !changed && i < assets->asset_count; i++)
        changed = has_changed(assets, &assets->assets[i]);
    for (size_t i = 0; !changed && i < assets->found_count; i++)
        changed = leads_elsewhere(assets, &assets->found[i]);
    if (!changed)
        return false;
    forget(assets);
    assets->number = next_number();
    return true;
}

bool oro_assets_stand_in(struct oro_assets *assets, const struct oro_document *doc)
{
    if (!assets || oro_stand_ins_equal(assets->working, doc))
        return false;
    oro_document_destroy(assets->working);
    assets->working = oro_document_create();
    if (assets->working && !oro_stand_ins_copy(assets->working, doc))
        oro_stand_ins_free(assets->working);
    forget(assets);
    assets->number = next_number();
    return true;
}

bool oro_node_is_graph(const struct oro_doc_node *node)
{
    return strcmp(node->type, ORO_GRAPH_TYPE) == 0;
}

bool oro_graph_find(const struct oro_registry *registry, const struct oro_document *root,
                    const struct oro_doc_node *node, struct oro_graph *graph, struct oro_error *err)
{
    const char *href = node->href;
    if (!registry || !registry->assets)
        return oro_fail(err, ORO_E_DOCUMENT, "this program uses no graphs as nodes");
    if (!href || !*href)
        return oro_fail(err, ORO_E_DOCUMENT, "it needs href=\"FILE\", or href=\"#GROUP\"");
    if (*href != '#')
        return find_file(registry->assets, oro_document_path(root), href, graph, err);
    const struct oro_doc_group *group = oro_document_find_group(root, href + 1);
    char near[ORO_NEAR_SIZE];
    if (!group)
        return oro_fail(err, ORO_E_FILE, "there is no group '%.100s' in the document%s", href + 1,
                        oro_document_near_group(root, href + 1, near));
    *graph = (struct oro_graph){.doc = group->body, .root = root};
    return true;
}

/* ---- Seeds ---- Mixed as literals, so that a graph taken apart can be given the same seeds. */

static int mix(const void *data, size_t size)
{
    return (int)(oro_hash_of(data, size).low & 0x7FFFFFFF);
}

int oro_seed_within(int seed, int own)
{
    const int32_t both[2] = {seed, own};
    return seed == 0 ? own : mix(both, sizeof both);
}

int oro_seed_of_use(int seed, bool vary, const char *id)
{
    return vary ? oro_seed_within(mix(id, strlen(id)), seed) : seed;
}
