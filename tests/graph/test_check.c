/* oro_check: every problem, with its code and line, and none for correct documents. */
#include "tests/graph/support.h"

#include <time.h>

#include "base/text.h"
#include "graph/file/load.h"

static struct oro_problems checked(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    assert_non_null(doc);
    oro_check(doc, &fake_registry, &problems);
    oro_document_destroy(doc);
    return problems;
}

static void expect_clean(const char *text)
{
    struct oro_problems problems = checked(text);
    if (problems.count) {
        print_problems(&problems);
        fail();
    }
    oro_problems_free(&problems);
}

TEST(valid)
{
    expect_clean(DOCUMENT(""));
    expect_clean(DOCUMENT(
        "<interface><out name=\"a\" from=\"b.terrain\"/><in name=\"a\" to=\"n.size\"/></interface>\n"
        "<node id=\"b\" type=\"blend\" version=\"1\">\n"
        "<in name=\"terrain\" from=\"n.field\"/><in name=\"amount\" from=\"n.field\"/>\n"
        "<in name=\"method\" value=\"add\"/>\n"
        "</node>\n"
        "<node id=\"n\" type=\"noise\" version=\"1\"><in name=\"seed\" value=\"3\"/></node>\n"
        "<node id=\"e\" type=\"erode\" version=\"3\"><in name=\"terrain\" from=\"b.terrain\"/></node>\n"
        "<node id=\"p\" type=\"paint\" version=\"1\"><in name=\"flow\" from=\"e.flow\"/></node>\n"));
}

TEST(networks_and_uplifts)
{
    expect_clean(DOCUMENT(
        "<node id=\"a\" type=\"ridges\" version=\"1\"><in name=\"lines\" value=\"1 2, 3 4\"/></node>\n"
        "<node id=\"b\" type=\"ridges\" version=\"1\"><in name=\"lines\" from=\"a.network\"/>"
        "<in name=\"rate\" from=\"a.uplift\"/></node>\n"
        "<node id=\"c\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"a.uplift\"/>"
        "<in name=\"amount\" from=\"a.uplift\"/></node>\n"
        "<node id=\"d\" type=\"ridges\" version=\"1\"><in name=\"lines\" value=\"\"/>"
        "<in name=\"base\" from=\"c.terrain\"/></node>\n"));
    struct oro_problems problems = checked(DOCUMENT("<node id=\"a\" type=\"ridges\" version=\"1\">\n"
                                                    "<in name=\"drawn\" value=\"1 2, x 4\"/>\n"
                                                    "<in name=\"open\" from=\"a.uplift\"/>\n"
                                                    "<in name=\"base\" from=\"p.picture\"/>\n"
                                                    "</node>\n"
                                                    "<node id=\"p\" type=\"paint\" version=\"1\">\n"
                                                    "<in name=\"picture\" from=\"a.network\"/>\n"
                                                    "<in name=\"caption\" from=\"a.network\"/>\n"
                                                    "</node>\n"));
    expect_problem(&problems, "missing-input", 3, "input 'lines' needs a link to a network, or a value");
    expect_problem(&problems, "bad-value", 4, "input 'drawn': ");
    expect_problem(&problems, "wrong-type", 5, "takes a network, but 'a.uplift' gives an uplift");
    expect_problem(&problems, "wrong-type", 6, "takes an uplift, but 'p.picture' gives an image");
    expect_problem(&problems, "wrong-type", 9, "takes an image, but 'a.network' gives a network");
    expect_problem(&problems, "not-linkable", 10, "takes a value (text)");
    oro_problems_free(&problems);
}

TEST(everything_wrong)
{
    struct oro_problems problems = checked(DOCUMENT("<interface>\n"
                                                    "<out name=\"a\" from=\"nn.field\"/>\n"
                                                    "<out name=\"a\" from=\"n.terrain\"/>\n"
                                                    "<in name=\"i\" to=\"n.sizes\"/>\n"
                                                    "</interface>\n"
                                                    "<node id=\"n\" type=\"nois\" version=\"1\"/>\n"
                                                    "<node id=\"b\" type=\"blend\" version=\"1\">\n"
                                                    "<in name=\"other\" from=\"n.anything\"/>\n"
                                                    "<in name=\"amuont\" value=\"1\"/>\n"
                                                    "<in name=\"method\" from=\"m.field\"/>\n"
                                                    "<in name=\"amount\" value=\"1.5\"/>\n"
                                                    "</node>\n"
                                                    "<node id=\"m\" type=\"noise\" version=\"1\">\n"
                                                    "<in name=\"method\" value=\"perln\"/>\n"
                                                    "<in name=\"size\" value=\"1,5\"/>\n"
                                                    "</node>\n"
                                                    "<node id=\"p\" type=\"paint\" version=\"1\">\n"
                                                    "<in name=\"picture\" from=\"m.field\"/>\n"
                                                    "<in name=\"flow\" from=\"m.feild\"/>\n"
                                                    "</node>\n"
                                                    "<node id=\"e\" type=\"erode\" version=\"3\">\n"
                                                    "<in name=\"terrain\" value=\"3\"/>\n"
                                                    "<in name=\"amount\" from=\"mm.field\"/>\n"
                                                    "</node>\n"));
    expect_problem(&problems, "bad-interface", 4, "there is no node 'nn'; did you mean 'n'?");
    expect_problem(&problems, "bad-interface", 5, "an output 'a' already");
    expect_problem(&problems, "unknown-type", 8, "no node type 'nois'; did you mean 'noise'?");
    expect_problem(&problems, "missing-input", 9, "input 'terrain' needs a link to a field");
    expect_problem(&problems, "unknown-input", 11, "'blend' has no input 'amuont'; did you mean 'amount'?");
    expect_problem(&problems, "not-linkable", 12, "input 'method' takes a value (choice), not a link");
    expect_problem(&problems, "bad-value", 13, "input 'amount': 1.5 is above the maximum of 1");
    expect_problem(&problems, "bad-value", 16, "did you mean 'perlin'?");
    expect_problem(&problems, "bad-value", 17, "(write 1.5)");
    expect_problem(&problems, "wrong-type", 20,
                   "input 'picture' takes an image, but 'm.field' gives a field");
    expect_problem(&problems, "unknown-output", 21, "'noise' has no such output; did you mean 'field'?");
    expect_problem(&problems, "bad-value", 24, "takes a link");
    expect_problem(&problems, "dangling-link", 25, "there is no node 'mm'; did you mean 'm'?");
    /* Nothing is said about the outputs and inputs of a node of unknown type. */
    assert_null(find_problem(&problems, "unknown-output", 10));
    assert_null(find_problem(&problems, "bad-interface", 6));
    assert_int_equal(problems.count, 13);
    assert_int_equal(problems.errors, 13);
    for (size_t i = 1; i < problems.count; i++)
        assert_true(problems.items[i - 1].line <= problems.items[i].line);
    char line[800];
    assert_string_equal(
        oro_problem_line(&problems.items[2], "a.oro", line, sizeof line),
        "a.oro:8: error [unknown-type]: node 'n': there is no node type 'nois'; did you mean 'noise'?");
    oro_problems_free(&problems);
}

TEST(world)
{
    static const char *const wrong[] = {
        "extent=\"0\"",          "extent=\"-5\"", "resolution=\"0\"",
        "resolution=\"131073\"", "aspect=\"0\"",  "resolution=\"131072\" aspect=\"2\"",
        "resolution=\"2e5\"",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, DOCUMENT("<world %s/>"), wrong[i]);
        struct oro_problems problems = {0};
        struct oro_document *doc = read_text(text, &problems);
        oro_check(doc, &fake_registry, &problems);
        assert_int_equal(problems.errors, 1);
        assert_string_equal(problems.items[0].code, "bad-world");
        struct oro_grid grid = oro_document_grid(doc);
        assert_true(grid.width >= 1 && grid.width <= ORO_GRID_MAX && grid.height >= 1 &&
                    grid.height <= ORO_GRID_MAX && grid.cell > 0);
        oro_document_destroy(doc);
        oro_problems_free(&problems);
    }
}

TEST(interface_feeds)
{
    struct oro_problems problems =
        checked(DOCUMENT("<interface><in name=\"ground\" to=\"b.terrain\"/></interface>\n"
                         "<node id=\"b\" type=\"blend\" version=\"1\"/>\n"));
    assert_int_equal(problems.errors, 0);
    expect_problem(&problems, "open-input", 4, "interface input 'ground'");
    oro_problems_free(&problems);
}

TEST(cycles)
{
    struct oro_problems problems = checked(DOCUMENT(
        "<node id=\"a\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"c.terrain\"/></node>\n"
        "<node id=\"b\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"a.terrain\"/></node>\n"
        "<node id=\"c\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"b.terrain\"/></node>\n"
        "<node id=\"d\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"c.terrain\"/>"
        "<in name=\"other\" from=\"c.terrain\"/></node>\n"
        "<node id=\"s\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"s.terrain\"/></node>\n"
        "<node id=\"u\" type=\"what\" version=\"1\"><in name=\"t\" from=\"v.t\"/></node>\n"
        "<node id=\"v\" type=\"what\" version=\"1\"><in name=\"t\" from=\"u.t\"/></node>\n"));
    expect_problem(&problems, "cycle", 3, "a -> b -> c -> a");
    expect_problem(&problems, "cycle", 7, "s -> s");
    expect_problem(&problems, "cycle", 8, "u -> v -> u");
    assert_int_equal(problems.count, 5);
    oro_problems_free(&problems);
}

/* Long chains and fans: deep without recursion, wide without squares. */
TEST(large)
{
    struct oro_text text = {0};
    enum { NODES = 99998 };
    oro_text_add(&text, "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n<node id=\"n0\" type=\"noise\" "
                        "version=\"1\"/>\n");
    for (int i = 1; i < NODES; i++)
        oro_text_addf(
            &text,
            "<node id=\"n%d\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"n%d.%s\"/></node>\n",
            i, i - 1, i == 1 ? "field" : "terrain");
    size_t open = text.length;
    oro_text_add(&text, "</orograph>\n");
    clock_t start = clock();
    expect_clean(text.data);
    /* A loop over all of them, and lines beyond 65535. */
    text.length = open;
    oro_text_addf(&text,
                  "<node id=\"n0\" type=\"blend\" version=\"1\"/><node id=\"x\" type=\"blend\" "
                  "version=\"1\"><in name=\"terrain\" "
                  "from=\"n%d.terrain\"/>"
                  "<in name=\"other\" from=\"y.terrain\"/></node>\n</orograph>\n",
                  NODES - 1);
    struct oro_problems problems = checked(text.data);
    expect_problem(&problems, "duplicate-id", NODES + 2, "line 2");
    expect_problem(&problems, "dangling-link", NODES + 2, "'y'");
    oro_problems_free(&problems);
    oro_text_free(&text);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
}

TEST(full_cycle)
{
    struct oro_text text = {0};
    enum { NODES = 50000 };
    oro_text_add(&text, "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n");
    for (int i = 0; i < NODES; i++)
        oro_text_addf(
            &text,
            "<node id=\"n%d\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"n%d.terrain\"/>"
            "<in name=\"other\" from=\"n0.terrain\"/></node>\n",
            i, (i + 1) % NODES);
    oro_text_add(&text, "</orograph>\n");
    clock_t start = clock();
    struct oro_problems problems = checked(text.data);
    expect_problem(&problems, "cycle", 2, "n0 -> n49999 -> n49998");
    assert_true(problems.count <= 20);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
    oro_problems_free(&problems);
    oro_text_free(&text);
}

TEST(reading_twice)
{
    struct oro_problems problems = {0};
    struct oro_document *doc =
        read_text(DOCUMENT("<node id=\"1\" type=\"noise\" version=\"1\" x=\"?\"/>"), &problems);
    assert_int_equal(problems.errors, 2);
    oro_check(doc, &fake_registry, &problems);
    oro_check(doc, &fake_registry, &problems);
    assert_int_equal(problems.errors, 2);
    assert_int_equal(problems.count, 2);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

TEST_GROUP(NULL, clean_up_xml);
