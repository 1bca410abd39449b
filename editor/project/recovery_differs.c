/* Which copy is of a document, and what it has that the document has not. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "editor/project/safety_private.h"
#include "graph/document/diff.h"
#include "graph/file/xml.h"

bool ed_recovery_of(const struct ed_recoveries *recoveries, const char *document,
                    const struct ed_recovery **found)
{
    struct oro_stamp file = oro_stamp_of(document);
    for (size_t i = 0; i < recoveries->count; i++) { /* newest first */
        *found = &recoveries->items[i];
        if ((*found)->document[0] && (*found)->seconds >= file.seconds &&
            oro_path_same((*found)->document, document))
            return true;
    }
    return false;
}

/* What was done to nodes, each of which counts once; places in the editor and all else are the rest. */
enum { NODES_ADDED, NODES_REMOVED, NODES_CHANGED, REST, WAYS };

static int way_of(const struct oro_difference *difference)
{
    if (difference->of != ORO_OF_NODE || difference->kind == ORO_MOVED)
        return REST;
    if (difference->part[0] || difference->kind == ORO_CHANGED || difference->kind == ORO_RENAMED)
        return NODES_CHANGED;
    return difference->kind == ORO_ADDED ? NODES_ADDED : NODES_REMOVED;
}

static void add_way(struct oro_text *text, const struct oro_differences *differences, int way)
{
    enum { NAMED = 3 };
    static const char *const words[] = {"added", "removed", "changed"};
    struct oro_text names = {0};
    size_t count = 0;
    const struct oro_difference *last = NULL;
    for (size_t i = 0; i < differences->count; i++) {
        const struct oro_difference *one = &differences->items[i];
        if (way_of(one) != way ||
            (last && !strcmp(last->name, one->name) && !strcmp(last->group, one->group)))
            continue;
        last = one;
        if (count < NAMED)
            oro_text_addf(&names, "%s%s", count ? ", " : "", one->name);
        count++;
    }
    if (count > 0 && !names.failed)
        oro_text_addf(text, "%s%zu %s %s (%s%s)", text->length ? "; " : "", count,
                      count == 1 ? "node" : "nodes", words[way], names.data,
                      count > NAMED ? ", \xe2\x80\xa6" : "");
    oro_text_free(&names);
}

static void add_rest(struct oro_text *text, const struct oro_differences *differences)
{
    size_t count = 0;
    for (size_t i = 0; i < differences->count; i++)
        count += way_of(&differences->items[i]) == REST;
    if (count > 0)
        oro_text_addf(text, "%s%zu %s", text->length ? "; " : "", count,
                      count == 1 ? "other change" : "other changes");
}

bool ed_recovery_differs(const struct ed_recovery *recovery, const struct ed_project *project, char *out,
                         size_t size)
{
    struct oro_problems problems = {0};
    struct oro_differences differences = {0};
    struct oro_text text = {0};
    struct oro_arena *arena = oro_arena_create();
    struct oro_document *copy = oro_document_read(recovery->file, project->registry, &problems);
    bool ok = arena && copy && oro_document_diff(project->root, copy, arena, &differences, NULL);
    if (ok) {
        for (int way = 0; way < REST; way++)
            add_way(&text, &differences, way);
        add_rest(&text, &differences);
        if (recovery->files > 0)
            oro_text_addf(&text, "%sstrokes on %zu %s", text.length ? "; " : "", recovery->files,
                          recovery->files == 1 ? "file" : "files");
    }
    bool differs = ok && text.length > 0 && !text.failed;
    if (differs)
        snprintf(out, size, "%s", text.data);
    oro_text_free(&text);
    oro_document_destroy(copy);
    oro_problems_free(&problems);
    oro_arena_destroy(arena);
    return differs;
}
