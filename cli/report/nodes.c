#include "cli/report/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/console.h"

const char *const cli_nodes_formats[] = {"text", "markdown", "json", NULL};

static int by_category(const void *a, const void *b)
{
    const struct oro_node_type *first = *(const struct oro_node_type *const *)a;
    const struct oro_node_type *second = *(const struct oro_node_type *const *)b;
    int order = strcmp(first->category, second->category);
    return order ? order : strcmp(first->id, second->id);
}

bool cli_nodes_print(int format, const struct oro_node_type **types, size_t count)
{
    struct oro_text text = {0};
    qsort(types, count, sizeof *types, by_category);
    if (format == CLI_NODES_JSON)
        return cli_nodes_json(types, count);
    if (format == CLI_NODES_MARKDOWN)
        cli_nodes_markdown(&text, types, count);
    else
        cli_nodes_list(&text, types, count);
    return cli_print_text(&text);
}

bool cli_nodes_print_page(int format, const struct oro_node_type *type)
{
    struct oro_text text = {0};
    if (format == CLI_NODES_JSON)
        return cli_nodes_json_page(type);
    if (format == CLI_NODES_MARKDOWN)
        cli_nodes_markdown_page(&text, type);
    else
        cli_nodes_page(&text, type);
    return cli_print_text(&text);
}

const struct oro_node_type *cli_nodes_unread(struct oro_arena *arena, const struct oro_node_type *like)
{
    struct oro_node_type *type = oro_arena_alloc(arena, 1, sizeof *type);
    if (!type)
        return NULL;
    *type = (struct oro_node_type){.id = oro_arena_text(arena, like->id),
                                   .category = oro_arena_text(arena, like->category),
                                   .doc = oro_arena_text(arena, like->doc),
                                   .words = oro_arena_text(arena, like->words),
                                   .file = oro_arena_text(arena, like->file)};
    return type->id && type->category && type->doc && type->words && type->file ? type : NULL;
}
