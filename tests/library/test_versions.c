/* A file of every version is kept in tests/library/versions, and is read by every later program: format-N.oro
 * has all elements and attributes of version N of the format, nodes-N.oro has a node of each type that has
 * version N, with its inputs and outputs. Such files are never changed; a new version of a type is a new
 * node, in a file of its own or in that of its number. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include <libxml/parser.h>

#include "base/memory.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "lua/expression/expression.h"
#include "tests/support/test.h"

#define FOLDER "tests/library/versions/"

static struct oro_registry registry;
static glob_t files;

FIXTURE(open_registry)
{
    registry = oro_builtin_nodes;
    registry.language = &oro_lua;
    registry.assets = oro_assets_create(&registry, oro_document_load_from, true);
    return registry.assets && glob(FOLDER "*.oro", 0, NULL, &files) == 0 ? 0 : -1;
}

FIXTURE(close_registry)
{
    globfree(&files);
    oro_assets_destroy(registry.assets);
    xmlCleanupParser();
    return 0;
}

/* What a problem says that a kept file may have: it is brought up to date, and the program has no scripts
 * here. */
static bool is_allowed(const struct oro_problem *problem)
{
    static const char *const codes[] = {"migrated", "dropped-input", "open-input", "bad-script"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(problem->code, codes[i]) == 0)
            return true;
    return false;
}

/* An input that was renamed or removed without a migration would be unknown, and a removed choice a bad
 * value. */
TEST(files_of_every_version_are_read)
{
    int wrong = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct oro_problems problems = {0};
        struct oro_document *doc = oro_document_load(files.gl_pathv[i], &registry, &problems);
        assert_non_null(doc);
        for (size_t k = 0; k < problems.count; k++) {
            const struct oro_problem *problem = &problems.items[k];
            if (is_allowed(problem))
                continue;
            print_error("%s:%d: [%s] %s\n", files.gl_pathv[i], problem->line, problem->code, problem->text);
            wrong++;
        }
        oro_document_destroy(doc);
        oro_problems_free(&problems);
    }
    assert_int_equal(wrong, 0);
}

/* The versions as the files have them: nothing is brought up to date without a registry. */
static bool is_kept(const char *type, int version)
{
    static const struct oro_registry none;
    bool found = false;
    for (size_t i = 0; i < files.gl_pathc && !found; i++) {
        struct oro_problems problems = {0};
        struct oro_document *doc = oro_document_read(files.gl_pathv[i], &none, &problems);
        assert_non_null(doc);
        for (size_t k = 0; k < oro_document_node_count(doc) && !found; k++) {
            const struct oro_doc_node *node = oro_document_node(doc, k);
            found = strcmp(node->type, type) == 0 && node->version == version;
        }
        oro_document_destroy(doc);
        oro_problems_free(&problems);
    }
    return found;
}

TEST(every_version_is_kept)
{
    char path[sizeof FOLDER + 32];
    int missing = 0;
    for (int version = 1; version <= ORO_DOCUMENT_VERSION; version++) {
        snprintf(path, sizeof path, FOLDER "format-%d.oro", version);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        fclose(file);
    }
    for (size_t i = 0; i < registry.count; i++) {
        for (int version = 1; version <= registry.types[i]->version; version++) {
            if (is_kept(registry.types[i]->id, version))
                continue;
            print_error("no file keeps a node of '%s' in version %d: add one to " FOLDER "nodes-%d.oro\n",
                        registry.types[i]->id, version, version);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

/* The present form comes back as it was. */
TEST(the_present_format_is_written)
{
    char path[sizeof FOLDER + 32];
    snprintf(path, sizeof path, FOLDER "format-%d.oro", ORO_DOCUMENT_VERSION);
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    char *text = NULL;
    struct oro_document *doc = oro_document_load(path, &registry, &problems);
    assert_true(oro_document_format(doc, &registry, &text, NULL, &err));
    FILE *file = fopen(path, "r");
    char kept[8192] = "";
    assert_true(fread(kept, 1, sizeof kept - 1, file) > 1000);
    fclose(file);
    assert_string_equal(text, kept);
    oro_free(text);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

TEST_GROUP(open_registry, close_registry);
