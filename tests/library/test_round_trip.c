/* Graphs that come with the program are as the program writes them, byte by byte, so that a user's first
 * change shows as that change alone. */
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libxml/parser.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "lua/expression/expression.h"
#include "tests/support/test.h"

static struct oro_registry registry;

FIXTURE(open_registry)
{
    registry = oro_builtin_nodes;
    registry.language = &oro_lua;
    registry.assets = oro_assets_create(&registry, oro_document_load_from, true);
    return registry.assets ? 0 : -1;
}

FIXTURE(close_registry)
{
    oro_assets_destroy(registry.assets);
    xmlCleanupParser();
    return 0;
}

/* What the program writes of a document. The caller frees; NULL: it cannot be read or written. */
static char *rewritten(const char *path, const char *text, size_t size, size_t *new_size)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    char *result = NULL;
    struct oro_document *doc = oro_document_parse(text, size, path, &registry, &problems);
    if (!doc || !oro_document_format(doc, &registry, &result, new_size, &err))
        print_error("%s: cannot be read and written: %s\n", path, err.text);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return result;
}

static bool comes_back(const char *path)
{
    struct oro_error err = {0};
    void *text = NULL;
    size_t size = 0, new_size = 0;
    if (!oro_file_read(path, ORO_DOCUMENT_BYTES_MAX, &text, &size, &err))
        fail_msg("%s", err.text);
    char *written = rewritten(path, text, size, &new_size);
    bool same = written && new_size == size && memcmp(text, written, size) == 0;
    if (!same)
        print_error("%s: does not come back as it was\n", path);
    oro_free(text);
    oro_free(written);
    return same;
}

static void all_come_back(const char *pattern)
{
    glob_t files = {0};
    size_t others = 0;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        others += !comes_back(files.gl_pathv[i]);
    globfree(&files);
    assert_int_equal(others, 0);
}

TEST(library)
{
    all_come_back("library/*.oro");
}

TEST(examples)
{
    all_come_back("examples/*.oro");
    all_come_back("examples/*/*.oro");
}

TEST(presets)
{
    all_come_back("library/presets/*/*.oro");
}

TEST(node_examples)
{
    all_come_back("examples/nodes/*/*.oro");
}

TEST_GROUP(open_registry, close_registry);
