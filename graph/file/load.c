#include "graph/file/load.h"

struct oro_document *oro_document_load_from(const char *file, const char *path,
                                            const struct oro_registry *registry,
                                            struct oro_problems *problems)
{
    struct oro_document *doc = oro_document_read_from(file, path, registry, problems);
    if (doc) {
        oro_settle_names(doc, registry, problems);
        oro_check(doc, registry, problems);
    }
    return doc;
}

struct oro_document *oro_document_load(const char *path, const struct oro_registry *registry,
                                       struct oro_problems *problems)
{
    return oro_document_load_from(path, path, registry, problems);
}
