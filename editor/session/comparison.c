#include "editor/session/comparison.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void ed_comparison_destroy(struct ed_comparison *comparison)
{
    if (!comparison)
        return;
    oro_document_destroy(comparison->before);
    oro_document_destroy(comparison->after);
    oro_arena_destroy(comparison->arena);
    oro_free(comparison);
}

static bool find(struct ed_comparison *comparison, const struct ed_project *project, struct oro_error *err)
{
    oro_arena_destroy(comparison->arena);
    comparison->arena = oro_arena_create();
    comparison->differences = (struct oro_differences){0};
    comparison->revision = ed_project_revision(project);
    const struct oro_document *after = comparison->after ? comparison->after : ed_project_main(project);
    if (!comparison->arena)
        return oro_fail(err, ORO_E_MEMORY, "no memory to compare");
    return oro_document_diff(comparison->before, after, comparison->arena, &comparison->differences, err);
}

struct ed_comparison *ed_comparison_create(const struct ed_project *project, struct oro_document *before,
                                           const char *before_name, struct oro_document *after,
                                           const char *after_name, struct oro_error *err)
{
    struct ed_comparison *comparison = oro_alloc(1, sizeof *comparison);
    if (!comparison) {
        oro_document_destroy(before);
        oro_document_destroy(after);
        oro_fail(err, ORO_E_MEMORY, "no memory to compare");
        return NULL;
    }
    comparison->before = before;
    comparison->after = after;
    snprintf(comparison->before_name, sizeof comparison->before_name, "%s", before_name);
    snprintf(comparison->after_name, sizeof comparison->after_name, "%s", after_name);
    if (find(comparison, project, err))
        return comparison;
    ed_comparison_destroy(comparison);
    return NULL;
}

bool ed_comparison_follow(struct ed_comparison *comparison, const struct ed_project *project,
                          struct oro_error *err)
{
    return comparison->after || comparison->revision == ed_project_revision(project) ||
           find(comparison, project, err);
}

static bool is_of(const struct oro_difference *difference, const char *group, const char *node)
{
    return difference->of == ORO_OF_NODE && strcmp(difference->name, node) == 0 &&
           strcmp(difference->group, group) == 0;
}

enum oro_difference_kind ed_comparison_of_node(const struct ed_comparison *comparison, const char *group,
                                               const char *node)
{
    enum oro_difference_kind kind = ORO_DIFFERENCE_KINDS;
    for (size_t i = 0; i < comparison->differences.count; i++) {
        const struct oro_difference *difference = &comparison->differences.items[i];
        if (!is_of(difference, group, node))
            continue;
        if (difference->part[0])
            kind = ORO_CHANGED;
        else if (difference->kind != ORO_MOVED || kind == ORO_DIFFERENCE_KINDS)
            return difference->kind; /* a moved node may have changed, too, but then that was found first */
    }
    return kind;
}
