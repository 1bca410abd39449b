#include "tests/fuzz/kept.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/file/xml.h"

char *fuzz_kept(const struct oro_document *doc)
{
    char *text = NULL;
    size_t size = 0;
    fuzz_require(oro_document_format(doc, &oro_builtin_nodes, &text, &size, NULL));
    fuzz_require(text && strlen(text) == size);
    return text;
}

void fuzz_require_kept(const struct oro_document *doc, const char *text)
{
    char *now = fuzz_kept(doc);
    if (strcmp(now, text) != 0) {
        fprintf(stderr, "was:\n%s\nis:\n%s\n", text, now);
        fuzz_fail(__FILE__, __LINE__, "the document is as it was");
    }
    oro_free(now);
}

void fuzz_require_saved(const struct oro_document *doc, const struct oro_registry *registry)
{
    struct oro_problems problems = {0};
    char *text = fuzz_kept(doc);
    struct oro_document *back =
        oro_document_parse(text, strlen(text), oro_document_path(doc), registry, &problems);
    if (!back)
        fprintf(stderr, "%s\n%s\n", text, problems.count > 0 ? problems.items[0].text : "");
    fuzz_require(back);
    fuzz_require_kept(back, text);
    oro_problems_free(&problems);
    oro_document_destroy(back);
    oro_free(text);
}
