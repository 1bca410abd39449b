/* orograph nodes --search: what can be put into a graph, found by what it is called here and elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "cli/command/nodes.h"
#include "cli/report/console.h"
#include "cli/report/json.h"

struct entry {
    const struct oro_node_type *type;
    const struct oro_use *use; /* NULL: the type itself */
    const char *id;            /* "noise", "noise:voronoi", "mesa.oro" */
    char label[128];
};

struct list {
    struct oro_arena *arena;
    struct entry *entries;
    struct oro_searched *searched; /* the same, as the search sees them */
    size_t count;
    bool failed; /* memory is out */
};

static void add_entry(struct list *list, const struct oro_node_type *type, const struct oro_use *use,
                      const char *id)
{
    struct entry *entry = &list->entries[list->count];
    *entry = (struct entry){.type = type, .use = use, .id = id};
    if (use)
        snprintf(entry->label, sizeof entry->label, "%s", use->label);
    else
        oro_pretty_name(type->id, entry->label, sizeof entry->label);
    list->searched[list->count++] = (struct oro_searched){.id = id,
                                                          .label = entry->label,
                                                          .words = use ? use->words : type->words,
                                                          .category = type->category,
                                                          .doc = type->doc};
}

static void add_type(struct list *list, const struct oro_node_type *type)
{
    add_entry(list, type, NULL, type->id);
    for (const struct oro_use *use = type->uses; use && use->id; use++) {
        const char *id = oro_arena_textf(list->arena, "%s:%s", type->id, use->id);
        list->failed |= !id;
        if (id)
            add_entry(list, type, use, id);
    }
}

static json_t *entry_as_json(const struct entry *entry, struct oro_text *why)
{
    json_t *object = json_object();
    cli_json_text(object, "id", entry->id);
    cli_json_text(object, "label", entry->label);
    cli_json_text(object, "category", entry->type->category);
    cli_json_add(object, "why", cli_json_of(why));
    if (entry->use)
        cli_json_add(object, "set", cli_use_values(entry->use));
    return object;
}

static bool print_json(const char *words, const struct list *list, const struct oro_match *found,
                       size_t count)
{
    json_t *results = json_array();
    for (size_t i = 0; i < count; i++) {
        struct oro_text why = {0};
        oro_search_explain(&why, words, &list->searched[found[i].index]);
        json_array_append_new(results, entry_as_json(&list->entries[found[i].index], &why));
    }
    return cli_json_print(results);
}

static bool print_text(const char *words, const struct list *list, const struct oro_match *found,
                       size_t count)
{
    enum { MOST = 20 };
    struct oro_text text = {0};
    int id = 0, label = 0;
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &list->entries[found[i].index];
        id = (int)strlen(entry->id) > id ? (int)strlen(entry->id) : id;
        label = (int)strlen(entry->label) > label ? (int)strlen(entry->label) : label;
    }
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &list->entries[found[i].index];
        oro_text_addf(&text, "%-*s  %-*s  ", id, entry->id, label, entry->label);
        oro_search_explain(&text, words, &list->searched[found[i].index]);
        oro_text_add(&text, "\n");
    }
    return cli_print_text(&text);
}

static size_t most_entries(const struct oro_node_type *const *types, size_t count)
{
    size_t most = count + CLI_LIBRARY_MAX;
    for (size_t i = 0; i < count; i++)
        for (const struct oro_use *use = types[i]->uses; use && use->id; use++)
            most++;
    return most;
}

bool cli_nodes_search(const char *words, bool json, const struct oro_registry *registry,
                      const struct oro_node_type *const *types, size_t count)
{
    const struct oro_node_type *graphs[CLI_LIBRARY_MAX];
    const char *names[CLI_LIBRARY_MAX];
    size_t most = most_entries(types, count);
    struct list list = {oro_arena_create(), oro_alloc(most, sizeof *list.entries),
                        oro_alloc(most, sizeof *list.searched), 0, false};
    struct oro_match *found = oro_alloc(most, sizeof *found);
    struct oro_document *any = oro_document_create();
    bool ok = list.arena && list.entries && list.searched && found && any;
    for (size_t i = 0; ok && i < count; i++)
        add_type(&list, types[i]);
    size_t graph_count = ok ? cli_library_types(registry, any, list.arena, graphs, names) : 0;
    for (size_t i = 0; i < graph_count; i++)
        add_entry(&list, graphs[i], NULL, names[i]);
    size_t found_count = ok ? oro_search(words, list.searched, list.count, found) : 0;
    ok = ok && !list.failed;
    if (ok && found_count == 0)
        cli_warning("nothing is called like '%s'", words);
    ok = ok && (json ? print_json : print_text)(words, &list, found, found_count);
    oro_document_destroy(any);
    oro_free(found);
    oro_free(list.searched);
    oro_free(list.entries);
    oro_arena_destroy(list.arena);
    return ok;
}
