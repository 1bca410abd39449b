/* Shared by the tests of documents. */
#ifndef TESTS_GRAPH_SUPPORT_H
#define TESTS_GRAPH_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libxml/parser.h>

#include "base/memory.h"
#include "graph/document/document.h"
#include "graph/file/xml.h"
#include "tests/graph/fake_nodes.h"
#include "tests/support/test.h"

#define DOCUMENT(content)                                                                                    \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" "                        \
    "version=\"1\">\n" content "</orograph>\n"

/* Ends a group, and frees what libxml2 keeps, so that it does not look like a leak. */
FIXTURE(clean_up_xml)
{
    xmlCleanupParser();
    return 0;
}

static inline struct oro_document *read_text(const char *text, struct oro_problems *problems)
{
    return oro_document_parse(text, strlen(text), "", &fake_registry, problems);
}

static inline void print_problems(const struct oro_problems *problems)
{
    char line[800];
    for (size_t i = 0; i < problems->count && i < 20; i++)
        print_message("  %s\n", oro_problem_line(&problems->items[i], "test.oro", line, sizeof line));
}

/* A document that must be read without any problem. */
static inline struct oro_document *read_clean(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    if (!doc || problems.count) {
        print_problems(&problems);
        fail_msg("%zu problems", problems.count);
    }
    oro_problems_free(&problems);
    return doc;
}

/* The caller frees with oro_free. */
static inline char *written(const struct oro_document *doc)
{
    char *text = NULL;
    struct oro_error err = {0};
    if (!oro_document_format(doc, &fake_registry, &text, NULL, &err))
        fail_msg("%s", err.text);
    return text;
}

static inline void expect_text(const struct oro_document *doc, const char *wanted)
{
    char *text = written(doc);
    assert_string_equal(text, wanted);
    oro_free(text);
}

/* The first problem with this code, at this line unless that is negative. */
static inline const struct oro_problem *find_problem(const struct oro_problems *problems, const char *code,
                                                     int line)
{
    for (size_t i = 0; i < problems->count; i++)
        if (strcmp(problems->items[i].code, code) == 0 && (line < 0 || problems->items[i].line == line))
            return &problems->items[i];
    return NULL;
}

static inline void expect_problem(const struct oro_problems *problems, const char *code, int line,
                                  const char *part)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct oro_problem *problem = &problems->items[i];
        if (strcmp(problem->code, code) == 0 && (line < 0 || problem->line == line) &&
            strstr(problem->text, part))
            return;
    }
    print_problems(problems);
    fail_msg("no problem [%s] at line %d with '%s'", code, line, part);
}

#endif
