/* Graph files: whatever the bytes are, reading, checking and writing end without a crash. The written file
 * can be read again and, if the document was valid, is the same when written a second time. */
#include <string.h>

#include "base/memory.h"
#include "graph/file/load.h"
#include "tests/fuzz/fuzz.h"

static struct oro_document *parse(const char *text, size_t size, bool *valid)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, size, "fuzz.oro", &oro_builtin_nodes, &problems);
    if (doc)
        oro_check(doc, &oro_builtin_nodes, &problems);
    else
        fuzz_require(problems.errors > 0); /* refused with a reason */
    *valid = problems.errors == 0;
    oro_problems_free(&problems);
    return doc;
}

/* Writes the document; what was written is the caller's. */
static char *format(const struct oro_document *doc, size_t *size)
{
    char *text = NULL;
    struct oro_error err = {0};
    fuzz_require(oro_document_format(doc, &oro_builtin_nodes, &text, size, &err));
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool valid, still_valid;
    struct oro_document *doc = parse((const char *)data, size, &valid);
    if (!doc)
        return 0;
    size_t first_size = 0, second_size = 0;
    char *first = format(doc, &first_size);
    oro_document_destroy(doc);
    doc = parse(first, first_size, &still_valid);
    fuzz_require(doc); /* what it wrote can be read */
    char *second = format(doc, &second_size);
    bool same = first_size == second_size && memcmp(first, second, first_size) == 0;
    fuzz_require(!valid || (still_valid && same)); /* written again, it is the same */
    oro_document_destroy(doc);
    oro_free(first);
    oro_free(second);
    return 0;
}
