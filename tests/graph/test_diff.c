/* What differs between two documents. */
#include "graph/document/diff.h"
#include "tests/graph/support.h"

static const char base[] =
    DOCUMENT("  <world resolution=\"64\"/>\n"
             "  <variable name=\"relief\" value=\"200\"/>\n"
             "  <interface><out name=\"terrain\" from=\"eroded.terrain\"/></interface>\n"
             "  <node id=\"hills\" type=\"noise\" version=\"1\" x=\"10\" y=\"20\">\n"
             "    <in name=\"scale\" value=\"2\"/>\n"
             "  </node>\n"
             "  <node id=\"eroded\" type=\"erode\" version=\"3\">\n"
             "    <in name=\"terrain\" from=\"hills.field\"/>\n"
             "    <in name=\"rate\" expr=\"relief * 2\"/>\n"
             "  </node>\n");

struct pair {
    struct oro_document *before, *after;
    struct oro_arena *arena;
    struct oro_differences found;
};

static struct pair begin(void)
{
    struct pair pair = {.before = read_clean(base), .after = read_clean(base), .arena = oro_arena_create()};
    assert_non_null(pair.arena);
    return pair;
}

static void edit(bool ok, const struct oro_error *err)
{
    if (!ok)
        fail_msg("%s", err->text);
}
#define EDIT(function, ...)                                                                                  \
    do {                                                                                                     \
        struct oro_error err = {0};                                                                          \
        edit(function(__VA_ARGS__, &err), &err);                                                             \
    } while (0)

static void compare(struct pair *pair)
{
    struct oro_error err = {0};
    if (!oro_document_diff(pair->before, pair->after, pair->arena, &pair->found, &err))
        fail_msg("%s", err.text);
    oro_document_destroy(pair->before); /* the result does not need them */
    oro_document_destroy(pair->after);
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The differences as lines, "kind of group/name part before after". */
static void expect(struct pair *pair, const char *const *wanted)
{
    size_t count = 0;
    compare(pair);
    for (; wanted[count]; count++) {
        char line[300];
        if (count >= pair->found.count)
            fail_msg("missing: %s", wanted[count]);
        const struct oro_difference *d = &pair->found.items[count];
        snprintf(line, sizeof line, "%s %s %s/%s|%s|%s|%s", oro_difference_kind_name(d->kind),
                 oro_difference_of_name(d->of), d->group, d->name, d->part, d->before ? d->before : "-",
                 d->after ? d->after : "-");
        assert_string_equal(line, wanted[count]);
    }
    assert_int_equal(pair->found.count, count);
    oro_arena_destroy(pair->arena);
}

TEST(equal_documents_do_not_differ)
{
    struct pair pair = begin();
    expect(&pair, (const char *const[]){NULL});
}

TEST(values_and_links)
{
    struct pair pair = begin();
    EDIT(oro_edit_set, pair.after, "hills", "scale", "3");
    EDIT(oro_edit_set, pair.after, "hills", "seed", "7");
    EDIT(oro_edit_set, pair.after, "eroded", "rate", "5");
    EDIT(oro_edit_set, pair.after, "eroded", "terrain", NULL);
    EDIT(oro_edit_mute, pair.after, "eroded", true);
    expect(&pair, (const char *const[]){"changed node /hills|scale|2|3", "added node /hills|seed|-|7",
                                        "removed node /eroded|terrain|from hills.field|-",
                                        "changed node /eroded|rate|= relief * 2|5",
                                        "added node /eroded|muted|-|true", NULL});
}

TEST(nodes_come_and_go)
{
    struct pair pair = begin();
    EDIT(oro_edit_add_node, pair.after, "more", "noise", 1, 0, 0);
    EDIT(oro_edit_remove_node, pair.after, "hills");
    expect(&pair, (const char *const[]){"removed node /hills||noise|-",
                                        "removed node /eroded|terrain|from hills.field|-",
                                        "added node /more||-|noise", NULL});
}

/* Links to it are as they were. */
TEST(a_node_is_renamed)
{
    struct pair pair = begin();
    EDIT(oro_edit_rename_node, pair.after, "hills", "mounds");
    expect(&pair, (const char *const[]){"renamed node /mounds||hills|mounds", NULL});
}

/* With other values it is another node. */
TEST(a_renamed_node_that_differs_is_new)
{
    struct pair pair = begin();
    EDIT(oro_edit_rename_node, pair.after, "hills", "mounds");
    EDIT(oro_edit_set, pair.after, "mounds", "scale", "9");
    compare(&pair);
    assert_int_equal(pair.found.count, 3);
    assert_int_equal(pair.found.items[0].kind, ORO_REMOVED);
    assert_true(same(pair.found.items[1].after, "from mounds.field"));
    assert_int_equal(pair.found.items[2].kind, ORO_ADDED);
    oro_arena_destroy(pair.arena);
}

TEST(the_world_variables_and_the_interface)
{
    struct pair pair = begin();
    struct oro_world world = *oro_document_world(pair.after);
    world.resolution = 128;
    world.crs = NULL;
    world.from = NULL;
    EDIT(oro_edit_world, pair.after, &world);
    struct oro_doc_variable more = {.name = "more", .value = "1"},
                            relief = {.name = "relief", .value = "300"};
    EDIT(oro_edit_variable, pair.after, &relief);
    EDIT(oro_edit_variable, pair.after, &more);
    struct oro_doc_port scale = {.name = "scale", .node = "hills", .socket = "scale"};
    EDIT(oro_edit_add_port, pair.after, &scale);
    EDIT(oro_edit_remove_port, pair.after, true, "terrain");
    expect(&pair, (const char *const[]){"changed world /|resolution|64|128",
                                        "changed variable /relief|value|200|300", "added variable /more||-|-",
                                        "added input /scale||-|-", "removed output /terrain||-|-", NULL});
}

TEST(places_in_the_editor)
{
    struct pair pair = begin();
    struct oro_doc_frame frame = {.title = "first", .width = 100, .height = 50};
    EDIT(oro_edit_move, pair.after, "hills", 40, 50);
    EDIT(oro_edit_add_frame, pair.after, &frame);
    EDIT(oro_edit_add_frame, pair.after, &frame);
    expect(&pair, (const char *const[]){"moved node /hills||10 20|40 50", "added frame /first||-|-",
                                        "added frame /first (2)||-|-", NULL});
}

TEST(within_groups)
{
    struct pair pair = begin();
    struct oro_document *body = oro_document_create(), *other = oro_document_create();
    EDIT(oro_edit_add_node, body, "inner", "noise", 1, 0, 0);
    EDIT(oro_edit_group, pair.before, "rock", body);
    EDIT(oro_edit_set, body, "inner", "scale", "4");
    EDIT(oro_edit_group, pair.after, "rock", body);
    EDIT(oro_edit_group, pair.after, "soil", other);
    oro_document_destroy(body);
    oro_document_destroy(other);
    expect(&pair,
           (const char *const[]){"added node rock/inner|scale|-|4", "added group soil/soil||-|-", NULL});
}

TEST_GROUP(NULL, clean_up_xml);
