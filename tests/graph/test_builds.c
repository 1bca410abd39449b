/* Builds of a document, and numbers of its world that follow from variables: as they are read, written,
 * edited, compared, checked and evaluated. */
#include "tests/graph/reuse_support.h"

#include <math.h>

#include "graph/derived/builds.h"
#include "graph/document/diff.h"
#include "graph/document/variable.h"
#include "graph/reuse/prepare.h"

#define WORLD "  <world extent=\"=size * 1000\" resolution=\"=cells\" aspect=\"0.5\" sea=\"-12.5\"/>\n"
#define VARIABLES                                                                                            \
    "  <variable name=\"size\" value=\"8\"/>\n  <variable name=\"cells\" expr=\"size * 4 + 0.4\"/>\n"
#define NODES                                                                                                \
    "  <interface>\n    <out name=\"ground\" from=\"hills.field\"/>\n  </interface>\n"                       \
    "  <build name=\"game\" resolution=\"=cells * 2\" outputs=\"ground\"/>\n"                                \
    "  <build name=\"print\" resolution=\"505\" outputs=\"hills.field, ground\">\n    <!-- large -->\n"      \
    "  </build>\n"                                                                                           \
    "  <node id=\"hills\" type=\"noise\" version=\"1\"/>\n"

static struct oro_document *document(void)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro", DOCUMENT(WORLD VARIABLES NODES), &problems);
    if (problems.errors)
        print_problems(&problems);
    assert_int_equal(problems.errors, 0);
    oro_problems_free(&problems);
    return doc;
}

TEST_WITH(they_are_written_as_they_were_read, open_reuse, close_reuse)
{
    struct oro_document *doc = document(), *clone = oro_document_clone(doc);
    struct oro_document *const both[] = {doc, clone};
    for (int i = 0; i < 2; i++) {
        char *text = text_of(both[i]);
        assert_string_equal(text, DOCUMENT(WORLD VARIABLES NODES));
        oro_free(text);
    }
    assert_int_equal(oro_document_build_count(clone), 2);
    assert_string_equal(oro_document_find_build(clone, "game")->resolution, "=cells * 2");
    assert_null(oro_document_find_build(doc, "prin"));
    oro_document_destroy(clone);
    oro_document_destroy(doc);
}

static void expect_world(const struct oro_document *doc, const struct oro_given *given, double extent,
                         int columns, int rows)
{
    struct oro_error err = {0};
    struct oro_world world;
    if (!oro_world_evaluate(doc, &reuse, given, given ? 1 : 0, &world, &err))
        fail_msg("%s", err.text);
    struct oro_grid grid = oro_world_grid(&world);
    assert_true(fabs(grid.cell * grid.width - extent) < 1e-9 * extent);
    assert_int_equal(grid.width, columns);
    assert_int_equal(grid.height, rows);
    assert_true(world.has_sea && world.sea == -12.5);
}

TEST_WITH(the_world_follows_variables, open_reuse, close_reuse)
{
    struct oro_document *doc = document();
    const struct oro_given larger = {"size", 20};
    struct oro_error err = {0};
    expect_world(doc, NULL, 8000, 32, 16);
    expect_world(doc, &larger, 20000, 80, 40);
    struct oro_doc_variable size = {.name = "size", .value = "12"};
    assert_true(oro_edit_variable(doc, &size, &err));
    expect_world(doc, NULL, 12000, 48, 24);

    struct oro_world world = *oro_document_world(doc);
    oro_world_set(&world, ORO_WORLD_RESOLUTION, 100);
    assert_true(oro_edit_world(doc, &world, &err));
    expect_world(doc, NULL, 12000, 100, 50);
    assert_true(oro_document_undo(doc, &err) && oro_document_undo(doc, &err));
    expect_world(doc, NULL, 8000, 32, 16);
    assert_true(oro_world_follows(oro_document_world(doc)));
    oro_document_destroy(doc);
}

TEST_WITH(plans_follow_them, open_reuse, close_reuse)
{
    struct oro_document *doc = document();
    struct oro_error err = {0};
    const struct oro_target target = {"hills", "field"};
    const struct oro_override size = {"", "size", "5"};
    for (int i = 0; i < 2; i++) {
        const struct oro_plan_options options = {.overrides = &size, .override_count = (size_t)i};
        struct oro_plan *plan = oro_plan_create(doc, &reuse, &target, 1, &options, NULL, NULL, &err);
        assert_non_null(plan);
        assert_int_equal(plan->world.width, i ? 20 : 32);
        assert_int_equal(plan->steps[plan->targets[0].step].grid.height, i ? 10 : 16);
        assert_true(plan->has_sea && plan->sea == -12.5);
        oro_plan_destroy(plan);
    }
    oro_document_destroy(doc);
}

TEST_WITH(builds_are_edited, open_reuse, close_reuse)
{
    struct oro_document *doc = document();
    struct oro_error err = {0};
    char *before = text_of(doc);
    assert_true(oro_edit_build(doc, &(struct oro_doc_build){.name = "web", .resolution = "64"}, &err));
    assert_true(oro_edit_build(doc, &(struct oro_doc_build){.name = "game", .outputs = "hills.field"}, &err));
    assert_int_equal(oro_document_build_count(doc), 3);
    assert_null(oro_document_find_build(doc, "game")->resolution);
    assert_string_equal(oro_document_build(doc, 2)->name, "web");
    assert_true(oro_edit_remove_build(doc, "print", &err));
    assert_false(oro_edit_remove_build(doc, "print", &err));
    assert_false(oro_edit_build(doc, &(struct oro_doc_build){.name = "no name"}, &err));
    assert_true(oro_edit_build(doc, oro_document_build(doc, 0), &err)); /* no change, and no step */
    for (int i = 0; i < 3; i++)
        assert_true(oro_document_undo(doc, &err));
    char *after = text_of(doc);
    assert_string_equal(after, before);
    assert_false(oro_document_can_undo(doc, NULL));
    oro_free(before);
    oro_free(after);
    oro_document_destroy(doc);
}

TEST_WITH(builds_follow_renamed_nodes, open_reuse, close_reuse)
{
    struct oro_document *doc = document();
    struct oro_error err = {0};
    assert_true(oro_edit_build(
        doc, &(struct oro_doc_build){.name = "more", .outputs = "hills,  hills.field hillside.x ground"},
        &err));
    assert_true(oro_edit_rename_node(doc, "hills", "mounds", &err));
    assert_string_equal(oro_document_find_build(doc, "more")->outputs,
                        "mounds,  mounds.field hillside.x ground");
    assert_string_equal(oro_document_find_build(doc, "print")->outputs, "mounds.field, ground");
    assert_true(oro_edit_rename_node(doc, "mounds", "ground", &err)); /* of the name of an output */
    assert_true(oro_edit_rename_node(doc, "ground", "hills", &err));
    assert_string_equal(oro_document_find_build(doc, "game")->outputs, "ground");
    oro_document_destroy(doc);
}

static const char *change(const struct oro_differences *all, enum oro_difference_of of, const char *part)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].of == of && strcmp(all->items[i].part, part) == 0)
            return all->items[i].after;
    return "nothing";
}

TEST_WITH(differences_tell_of_them, open_reuse, close_reuse)
{
    struct oro_document *before = document(), *after = document();
    struct oro_arena *arena = oro_arena_create();
    struct oro_differences found;
    struct oro_error err = {0};
    struct oro_world world = *oro_document_world(after);
    world.exprs[ORO_WORLD_EXTENT] = "size";
    oro_world_set(&world, ORO_WORLD_SEA, 3);
    assert_true(oro_edit_world(after, &world, &err));
    assert_true(oro_edit_build(after, &(struct oro_doc_build){.name = "game", .engine = "none"}, &err));
    assert_true(oro_document_diff(before, after, arena, &found, &err));
    assert_string_equal(change(&found, ORO_OF_WORLD, "extent"), "= size");
    assert_string_equal(change(&found, ORO_OF_WORLD, "sea"), "3");
    assert_string_equal(change(&found, ORO_OF_BUILD, "for"), "none");
    assert_null(change(&found, ORO_OF_BUILD, "outputs"));
    oro_arena_destroy(arena);
    oro_document_destroy(before);
    oro_document_destroy(after);
}

static void expect_wrong(const char *text, const char *code, const char *part)
{
    struct oro_problems problems = {0};
    bool told = false;
    struct oro_document *doc = parse_at("d.oro", text, &problems);
    for (size_t i = 0; i < problems.count; i++)
        told |= strcmp(problems.items[i].code, code) == 0 && strstr(problems.items[i].text, part);
    if (!told) {
        print_problems(&problems);
        fail_msg("not told: %s", part);
    }
    char *first = text_of(doc); /* it is kept, whatever is wrong */
    struct oro_problems again = {0};
    struct oro_document *second = parse_at("d.oro", first, &again);
    assert_int_equal(again.count, problems.count);
    oro_free(first);
    oro_document_destroy(doc);
    oro_document_destroy(second);
    oro_problems_free(&problems);
    oro_problems_free(&again);
}

#define BUILD(rest) DOCUMENT("  <build " rest "/>\n  <node id=\"hills\" type=\"noise\" version=\"1\"/>\n")

TEST_WITH(mistakes_are_told, open_reuse, close_reuse)
{
    expect_wrong(BUILD("name=\"a b\""), "bad-build", "'a b' cannot be the name of a build");
    expect_wrong(BUILD("name=\"a\" resolution=\"12.5\" outputs=\"hills.field\""), "bad-build",
                 "from 1 to 131072 cells, or =EXPRESSION, not '12.5'");
    expect_wrong(BUILD("name=\"a\" resolution=\"0\" outputs=\"hills.field\""), "bad-build", "not '0'");
    expect_wrong(BUILD("name=\"a\" resolution=\"=two\" outputs=\"hills.field\""), "bad-build",
                 "'two' is no variable");
    expect_wrong(BUILD("name=\"a\" outputs=\"hils\""), "bad-build", "did you mean 'hills'?");
    expect_wrong(BUILD("name=\"a\" outputs=\"hills.feld\""), "bad-build", "writes 'hills.feld', which is no");
    expect_wrong(BUILD("name=\"a\"/><build name=\"a\""), "bad-build", "has the same name");
    expect_wrong(DOCUMENT("  <world resolution=\"=two\"/>\n"), "bad-world",
                 "the world's resolution: 'two' is no variable");
    expect_wrong(DOCUMENT("  <world extent=\"=world.cell * 9\"/>\n"), "bad-world",
                 "'world.cell' is not known yet: the world depends on it");
    expect_wrong(DOCUMENT("  <world aspect=\"=-1\"/>\n"), "bad-world", "aspect must be above 0");
    expect_wrong(DOCUMENT("  <world sea=\"high\"/>\n"), "bad-world", "sea: ");
    expect_wrong(DOCUMENT("  <world sea=\"2000000\"/>\n"), "bad-world", "from -100000 to 100000 m");
}

TEST_WITH(regions_are_read, open_reuse, close_reuse)
{
    struct oro_world_region region;
    struct oro_error err;
    assert_true(oro_world_region_parse("0.25,0,0.5,1", &region, &err));
    assert_true(region.given && region.shares && region.x == 0.25 && region.height == 1);
    assert_true(oro_world_region_parse("0,0,1,200.5", &region, &err));
    assert_true(!region.shares && region.height == 200.5);
    const char *const wrong[] = {"",        "1,2,3",       "1,2,3,4,5", "0,0,0,1",  "-1,0,5,5",
                                 "a,0,1,1", "0.5,0,0.6,1", "1,2,3,4 m", "0,0,nan,1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (oro_world_region_parse(wrong[i], &region, &err))
            fail_msg("'%s' is taken", wrong[i]);
}

TEST_GROUP(NULL, clean_up_xml);
