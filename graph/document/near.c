/* Names of a document that may have been meant, for messages. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/document/document.h"

/* More are not looked at: it would take longer than the message is worth. */
enum { NAMES_MAX = 2000 };

static const char *near(const char *name, const char **names, size_t count, char out[ORO_NEAR_SIZE])
{
    const char *found = names ? oro_suggest(name, names, count) : NULL;
    oro_free(names);
    return oro_did_you_mean(found, out);
}

const char *oro_document_near_node(const struct oro_document *doc, const char *id, char out[ORO_NEAR_SIZE])
{
    size_t count = oro_document_node_count(doc);
    const char **names = count > NAMES_MAX ? NULL : oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = oro_document_node(doc, i)->id;
    return near(id, names, count, out);
}

const char *oro_document_near_group(const struct oro_document *doc, const char *name, char out[ORO_NEAR_SIZE])
{
    size_t count = oro_document_group_count(doc);
    const char **names = oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = oro_document_group(doc, i)->name;
    return near(name, names, count, out);
}
