/* Tags and descriptions of what is in the library already. */
#include <string.h>

#include "base/file.h"
#include "editor/library/library.h"
#include "graph/file/xml.h"

enum { SCRIPT_BYTES_MAX = 1 << 20 };

static bool describe_script(const char *path, const char *words, const char *doc, struct oro_error *err)
{
    void *before = NULL;
    size_t size;
    bool ok = oro_file_read(path, SCRIPT_BYTES_MAX, &before, &size, err);
    char *text = ok ? ed_library_script(before, NULL, words, doc, err) : NULL;
    ok = text && oro_file_write(path, text, strlen(text), err);
    oro_free(text);
    oro_free(before);
    return ok;
}

bool ed_library_describe(const char *path, const char *words, const char *doc,
                         const struct oro_registry *registry, struct oro_error *err)
{
    if (strcmp(oro_path_extension(path), "lua") == 0)
        return describe_script(path, words, doc, err);
    struct oro_problems problems = {0};
    struct oro_document *graph = oro_document_read(path, registry, &problems);
    bool ok = graph || oro_fail(err, ORO_E_DOCUMENT, "%s cannot be changed: %s", path,
                                problems.count ? problems.items[0].text : "it is no graph");
    if (ok) {
        struct oro_doc_about about = oro_document_about(graph);
        about.words = (char *)words; /* only read */
        about.doc = (char *)doc;
        ok = oro_edit_about(graph, &about, err) && oro_document_write(graph, registry, path, err);
    }
    oro_document_destroy(graph);
    oro_problems_free(&problems);
    return ok;
}
