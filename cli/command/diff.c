/* orograph diff: what differs between two graphs, in their own words. */
#include <stdio.h>
#include <string.h>

#include "cli/command/commands.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "graph/document/diff.h"

struct diff_options {
    bool json, places;
};

static json_t *to_json(const struct oro_difference *difference)
{
    json_t *object = json_object();
    cli_json_text(object, "what", oro_difference_of_name(difference->of));
    cli_json_text(object, "change", oro_difference_kind_name(difference->kind));
    cli_json_text(object, "group", difference->group);
    cli_json_text(object, "name", difference->name);
    cli_json_text(object, "part", difference->part);
    cli_json_text(object, "before", difference->before);
    cli_json_text(object, "after", difference->after);
    return object;
}

static bool print_json(const struct oro_differences *differences)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < differences->count; i++)
        json_array_append_new(list, to_json(&differences->items[i]));
    return cli_json_print(list);
}

static bool same_thing(const struct oro_difference *a, const struct oro_difference *b)
{
    return a->of == b->of && strcmp(a->name, b->name) == 0 && strcmp(a->group, b->group) == 0;
}

static void print_head(const struct oro_difference *difference)
{
    const char *within = difference->group[0] && difference->of != ORO_OF_GROUP ? difference->group : "";
    printf("%s%s", oro_difference_of_name(difference->of), difference->name[0] ? " " : "");
    printf("%s%s%s%s", difference->name, within[0] ? " (in group " : "", within, within[0] ? ")" : "");
}

static void print_part(const struct oro_difference *difference)
{
    printf("    %s: %s -> %s\n", difference->part, difference->before ? difference->before : "(not set)",
           difference->after ? difference->after : "(not set)");
}

static void print_whole(const struct oro_difference *difference)
{
    const char *type = difference->after ? difference->after : difference->before;
    static const char marks[ORO_DIFFERENCE_KINDS] = "+-~~~";
    printf("%c ", marks[difference->kind]);
    print_head(difference);
    if (difference->kind == ORO_RENAMED)
        printf(", renamed from %s\n", difference->before);
    else if (difference->kind == ORO_MOVED)
        printf(", moved\n");
    else
        printf(type ? ": %s\n" : "%s\n", type ? type : "");
}

static void print_text(const struct oro_differences *differences)
{
    const struct oro_difference *last = NULL;
    for (size_t i = 0; i < differences->count; i++) {
        const struct oro_difference *difference = &differences->items[i];
        if (!difference->part[0]) {
            print_whole(difference);
            last = difference->kind == ORO_MOVED ? last : difference;
            continue;
        }
        if (!last || !same_thing(last, difference)) {
            printf("~ ");
            print_head(difference);
            printf("\n");
        }
        print_part(difference);
        last = difference;
    }
    if (differences->count == 0)
        printf("no differences\n");
}

/* Places in the editor change no result. */
static void leave_places(struct oro_differences *differences)
{
    size_t kept = 0;
    for (size_t i = 0; i < differences->count; i++)
        if (differences->items[i].kind != ORO_MOVED)
            differences->items[kept++] = differences->items[i];
    differences->count = kept;
}

static bool compare(const struct diff_options *options, char *const *arguments, struct oro_document *docs[2],
                    struct oro_arena *arena, const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_differences differences;
    for (int i = 0; i < 2; i++)
        if (!(docs[i] = cli_read_any(arguments[i], registry, err)))
            return false;
    if (!oro_document_diff(docs[0], docs[1], arena, &differences, err))
        return false;
    if (!options->places)
        leave_places(&differences);
    if (options->json)
        return print_json(&differences) || oro_fail(err, ORO_E_MEMORY, "no memory for the list");
    print_text(&differences);
    return true;
}

static int run_diff(const void *parsed, char *const *arguments, int count)
{
    struct oro_registry registry;
    struct oro_error err = {0};
    struct oro_document *docs[2] = {NULL, NULL};
    struct oro_arena *arena = oro_arena_create();
    (void)count;
    bool ok = arena || oro_fail(&err, ORO_E_MEMORY, "no memory to compare");
    ok = ok && cli_registry_open(&registry, true, &err);
    if (ok) {
        ok = compare(parsed, arguments, docs, arena, &registry, &err);
        cli_registry_close(&registry);
    }
    oro_document_destroy(docs[0]);
    oro_document_destroy(docs[1]);
    oro_arena_destroy(arena);
    return ok ? CLI_DONE : (int)cli_fail(&err);
}

static const struct cli_option options_table[] = {
    {"json", 0, CLI_FLAG, offsetof(struct diff_options, json), .help = "Print a JSON array"},
    {"places", 0, CLI_FLAG, offsetof(struct diff_options, places),
     .help = "Also list what lies elsewhere in the editor"},
    {0},
};

const struct cli_command cli_diff = {
    .name = "diff",
    .arguments = "BEFORE AFTER",
    .summary = "Lists what differs between two graphs",
    .help =
        "Nodes, values, links, variables, world and interface are compared, also within groups; order,\n"
        "comments and places in the editor are not. A node with another id that is equal otherwise counts\n"
        "as renamed.\n"
        "\n"
        "  orograph diff terrain-old.oro terrain.oro\n",
    .options = options_table,
    .options_size = sizeof(struct diff_options),
    .least = 2,
    .most = 2,
    .run = run_diff,
};
