/* Shared by the tests of editor/project/. */
#ifndef TESTS_EDITOR_PROJECT_SUPPORT_H
#define TESTS_EDITOR_PROJECT_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "editor/project/operations.h"
#include "editor/project/project.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "lua/expression/expression.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

/* The node types of the program, with graphs as nodes. */
static struct oro_registry registry;

FIXTURE(set_up_registry)
{
    registry = oro_builtin_nodes;
    registry.language = &oro_lua;
    registry.assets = oro_assets_create(&registry, oro_document_load_from, true);
    return registry.assets ? 0 : -1;
}

FIXTURE(tear_down_registry)
{
    oro_assets_destroy(registry.assets);
    return 0;
}

#define OK(call)                                                                                             \
    do {                                                                                                     \
        if (!(call))                                                                                         \
            fail_msg("%s: %s", #call, err.text);                                                             \
    } while (0)

static inline struct ed_project *new_project(void)
{
    struct oro_error err = {0};
    struct ed_project *project = ed_project_create(&registry, &err);
    assert_non_null(project);
    return project;
}

/* The caller frees. */
static inline char *text_of(const struct ed_project *project)
{
    struct oro_error err = {0};
    char *text = NULL;
    OK(oro_document_format(ed_project_root(project), &registry, &text, NULL, &err));
    return text;
}

static inline void expect_text(const struct ed_project *project, const char *wanted)
{
    char *text = text_of(project);
    size_t same = 0, line = 1;
    for (; text[same] && text[same] == wanted[same]; same++)
        line += text[same] == '\n';
    if (text[same] != wanted[same])
        fail_msg("line %zu: '%.60s' instead of '%.60s'", line, text + same, wanted + same);
    oro_free(text);
}

static inline const char *source_of(const struct ed_project *project, const char *node, const char *input)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(project), node);
    const struct oro_doc_input *entry = found ? oro_doc_node_input(found, input) : NULL;
    return entry && entry->from_node ? entry->from_node : "";
}

static inline struct ed_names names_of(const char *const *items)
{
    struct ed_names names = {0};
    for (; *items; items++)
        assert_true(ed_names_add(&names, *items));
    return names;
}
#define NAMES(...) names_of((const char *const[]){__VA_ARGS__, NULL})

/* The errors of the document. */
static inline size_t errors_of(const struct ed_project *project)
{
    struct oro_problems problems = {0};
    char line[800];
    oro_check(ed_project_root(project), &registry, &problems);
    size_t errors = problems.errors;
    for (size_t i = 0; i < problems.count; i++)
        if (problems.items[i].error)
            print_message("  %s\n", oro_problem_line(&problems.items[i], "test.oro", line, sizeof line));
    oro_problems_free(&problems);
    return errors;
}

/* A folder of the test's own; static text. */
static inline const char *test_folder(void)
{
    static char folder[64];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/tmp/orograph-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
    }
    return folder;
}

FIXTURE(remove_test_folder)
{
    return remove_tree(test_folder());
}

#endif
