/* What differs between two documents. */
#include "tests/graph/support.h"

#include "graph/file/diff.h"

#define WORLD "  <world extent=\"5000\" resolution=\"128\"/>\n"
#define NOISE(content) "  <node id=\"n\" type=\"noise\">\n" content "  </node>\n"
#define BLEND(content) "  <node id=\"b\" type=\"blend\">\n" content "  </node>\n"

/* The lines that lead from one document to the other; moves are told, too. */
static void expect_diff(const char *before, const char *after, const char *wanted)
{
    struct oro_error err = {0};
    struct oro_problems problems = {0};
    struct oro_differences differences;
    struct oro_text lines = {0};
    struct oro_document *a = read_text(before, &problems), *b = read_text(after, &problems);
    oro_text_add(&lines, "");
    assert_non_null(a);
    assert_non_null(b);
    if (!oro_diff(a, b, &fake_registry, &differences, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < differences.count; i++) {
        oro_difference_line(&differences.items[i], &lines);
        oro_text_add(&lines, "\n");
    }
    assert_false(lines.failed);
    assert_string_equal(lines.data, wanted);
    oro_text_free(&lines);
    oro_differences_free(&differences);
    oro_document_destroy(a);
    oro_document_destroy(b);
    oro_problems_free(&problems);
}

TEST(equal)
{
    /* Order of attributes and inputs, numbers in another form, defaults written or not, empty elements. */
    expect_diff(
        DOCUMENT("<interface/>" NOISE("<in name=\"size\" value=\"500\"/><in name=\"octaves\" value=\"8\"/>")),
        DOCUMENT("<about/><world aspect=\"1\"/>" NOISE(
            "<in name=\"ridged\" value=\"false\"/><in value=\"5e2\" name=\"size\"/>")),
        "");
    /* Of types that are not known, numbers count as such. */
    expect_diff(DOCUMENT("<node id=\"g\" type=\"strange\"><in name=\"a\" value=\"1.0\"/></node>"),
                DOCUMENT("<node id=\"g\" type=\"strange\"><in name=\"a\" value=\"1\"/></node>"), "");
    /* Of those that are, texts do not. */
    expect_diff(DOCUMENT("<node id=\"p\" type=\"paint\"><in name=\"caption\" value=\"1.0\"/></node>"),
                DOCUMENT("<node id=\"p\" type=\"paint\"><in name=\"caption\" value=\"1\"/></node>"),
                "node p: caption: 1.0 -> 1\n");
}

TEST(document)
{
    expect_diff(DOCUMENT("<about title=\"Old\"/>" WORLD),
                DOCUMENT("<about title=\"A new\" doc=\"two&#10;lines\"/><world extent=\"6000\" seed=\"3\"/>"),
                "about: title: Old -> \"A new\"\n"
                "about: doc: (none) -> \"two\\nlines\"\n"
                "world: extent: 5000 -> 6000\n"
                "world: seed: 0 (default) -> 3\n"
                "world: resolution: 128 -> 256 (default)\n");
    expect_diff(DOCUMENT("<variable name=\"relief\" value=\"2\"/><variable name=\"old\" value=\"1\"/>"),
                DOCUMENT("<variable name=\"relief\" expr=\"1 + 1\"/><variable name=\"new\" value=\"1\"/>"),
                "variable relief: value: 2 -> expr \"1 + 1\"\n"
                "variable new: added: 1\n"
                "variable old: removed: 1\n");
    expect_diff(
        DOCUMENT(
            "<interface><in name=\"s\" to=\"n.size\"/><out name=\"a\" from=\"n.field\"/></interface>" NOISE(
                "")),
        DOCUMENT("<interface version=\"2\"><in name=\"s\" to=\"n.size\" label=\"Size\" max=\"9\"/>"
                 "<in name=\"s\" to=\"n.height\"/><out name=\"b\" from=\"n.field\"/></interface>" NOISE("")),
        "interface: version: 1 (default) -> 2\n"
        "in s: label: (none) -> Size\n"
        "in s: max: (none) -> 9\n"
        "in s: added: to n.height\n"
        "out b: added: from n.field\n"
        "out a: removed: from n.field\n");
}

TEST(nodes)
{
    expect_diff(
        DOCUMENT(NOISE("<in name=\"size\" value=\"500\"/>") BLEND("<in name=\"terrain\" from=\"n.field\"/>")),
        DOCUMENT(NOISE("<in name=\"height\" value=\"7\"/>") BLEND(
            "<in name=\"terrain\" from=\"m.field\"/><in name=\"other\" from=\"n.field\"/>"
            "<in name=\"amount\" expr=\"0.1 * 2\"/>") "<node id=\"m\" type=\"noise\" x=\"3\"/>"),
        "node n: height: 0.1 (default) -> 7\n"
        "node n: size: 500 -> 2000 (default)\n"
        "node b: terrain: from n.field -> from m.field\n"
        "node b: other: (none) -> from n.field\n"
        "node b: amount: 0.5 (default) -> expr \"0.1 * 2\"\n"
        "node m: added: noise\n");
    expect_diff(DOCUMENT("<node id=\"g\" type=\"graph\" href=\"a.oro\" muted=\"true\"/>"),
                DOCUMENT("<node id=\"g\" type=\"graph\" href=\"b.oro\" version=\"2\" x=\"5\"/>"),
                "node g: href: a.oro -> b.oro\n"
                "node g: version: 1 (default) -> 2\n"
                "node g: muted: true -> (none)\n"
                "node g: moved: 0 0 -> 5 0\n");
    /* What was removed is told where it was. */
    expect_diff(
        DOCUMENT("<node id=\"x\" type=\"noise\"/>" NOISE("") "<node id=\"y\" type=\"import\"/>" BLEND("")),
        DOCUMENT(NOISE("") BLEND("<in name=\"amount\" value=\"1\"/>")),
        "node x: removed: noise\n"
        "node y: removed: import\n"
        "node b: amount: 0.5 (default) -> 1\n");
}

TEST(renamed)
{
    /* A chain of two, and what is linked to it; the interface leads to it, too. */
    expect_diff(DOCUMENT("<interface><out name=\"a\" from=\"b.terrain\"/></interface>" NOISE(
                    "<in name=\"size\" value=\"500\"/>") BLEND("<in name=\"terrain\" from=\"n.field\"/>")),
                DOCUMENT("<interface><out name=\"a\" from=\"d.terrain\"/></interface>"
                         "<node id=\"hills\" type=\"noise\" x=\"4\"><in name=\"size\" value=\"500\"/></node>"
                         "<node id=\"d\" type=\"blend\"><in name=\"terrain\" from=\"hills.field\"/></node>"),
                "node b: renamed to d\n"
                "node n: renamed to hills\n"
                "node hills: moved: 0 0 -> 4 0\n");
    /* Two of a kind are told apart by what they are linked to, in whatever order they come. */
#define TWO(size1, id1, size2, id2)                                                                          \
    "<node id=\"" id1 "\" type=\"noise\"><in name=\"size\" value=\"" size1 "\"/></node>"                     \
    "<node id=\"" id2 "\" type=\"noise\"><in name=\"size\" value=\"" size2 "\"/></node>"
#define USE(id, from)                                                                                        \
    "<node id=\"" id "\" type=\"blend\"><in name=\"terrain\" from=\"" from ".field\"/></node>"
    expect_diff(
        DOCUMENT(TWO("1", "n1", "2", "n2") USE("b1", "n1") USE("b2", "n2")),
        DOCUMENT(TWO("1", "m1", "2", "m2") USE("d2", "m2") USE("d1", "m1")),
        "node b1: renamed to d1\nnode b2: renamed to d2\nnode n1: renamed to m1\nnode n2: renamed to m2\n");
    expect_diff(
        DOCUMENT(USE("b1", "n1") USE("b2", "n2") TWO("1", "n1", "2", "n2")),
        DOCUMENT(USE("d2", "m2") USE("d1", "m1") TWO("1", "m1", "2", "m2")),
        "node b1: renamed to d1\nnode b2: renamed to d2\nnode n1: renamed to m1\nnode n2: renamed to m2\n");
    /* The like of one that is linked to something else is not it. */
    expect_diff(
        DOCUMENT(NOISE("") "<node id=\"b\" type=\"blend\"><in name=\"terrain\" from=\"n.field\"/></node>"),
        DOCUMENT(NOISE("") "<node id=\"k\" type=\"import\"/>"
                           "<node id=\"d\" type=\"blend\"><in name=\"terrain\" from=\"k.terrain\"/></node>"),
        "node k: added: import\n"
        "node d: added: blend, terrain from k.terrain\n"
        "node b: removed: blend, terrain from n.field\n");
}

TEST(groups)
{
    expect_diff(
        DOCUMENT("<group name=\"rock\">" NOISE("<in name=\"size\" value=\"500\"/>") "</group>"
                                                                                    "<group name=\"sand\"/>"),
        DOCUMENT("<group name=\"rock\"><variable name=\"v\" value=\"1\"/>"
                 "<node id=\"n\" type=\"noise\"><in name=\"size\" value=\"600\"/></node></group>"
                 "<group name=\"snow\">" NOISE("") BLEND("") "</group>"),
        "group rock: variable v: added: 1\n"
        "group rock: node n: size: 500 -> 600\n"
        "group snow: added: nodes 2\n"
        "group sand: removed: nodes 0\n");
    expect_diff(DOCUMENT("<group name=\"rock\"><node id=\"a\" type=\"noise\"/></group>"),
                DOCUMENT("<group name=\"rock\"><node id=\"z\" type=\"noise\"/></group>"),
                "group rock: node a: renamed to z\n");
}

TEST(rest)
{
    expect_diff(DOCUMENT("<!-- one --><frame title=\"Large scale\" x=\"1\"/><frame title=\"B\"/>" NOISE(
                    "<!-- in n --><in name=\"size\" value=\"5\"/>")),
                DOCUMENT("<!-- two --><frame title=\"Large scale\" x=\"2\"/><frame title=\"C\"/>" NOISE(
                    "<in name=\"size\" value=\"5\" lock=\"yes\"/>")),
                "comment: added: \"<!-- two -->\"\n"
                "comment: removed: \"<!-- one -->\"\n"
                "frame \"Large scale\": moved: 1 0 0 0 -> 2 0 0 0\n"
                "frame C: added\n"
                "frame B: removed\n"
                "node n: comment: removed: \"<!-- in n -->\"\n"
                "node n: size lock: (none) -> yes\n");
    expect_diff(DOCUMENT("<e:view xmlns:e=\"urn:e\" zoom=\"1\"/>"),
                DOCUMENT("<e:view xmlns:e=\"urn:e\" zoom=\"2\"/>"),
                "content: \"<e:view xmlns:e=\\\"urn:e\\\" zoom=\\\"1\\\"/>\" -> "
                "\"<e:view xmlns:e=\\\"urn:e\\\" zoom=\\\"2\\\"/>\"\n");
}

/* Documents with errors can be compared, too. */
TEST(wrong)
{
    expect_diff(DOCUMENT("<node id=\"n\" type=\"noise\"/><node id=\"n\" type=\"noise\"/><node/>"),
                DOCUMENT("<node id=\"n\" type=\"noise\"/><node id=\"n\" type=\"import\"/><node type=\"a\"/>"),
                "node n: type: noise -> import\n"
                "node: type: (none) -> a\n");
    expect_diff(DOCUMENT(NOISE("<in name=\"size\" value=\"1\" from=\"a.b\"/><in/>")),
                DOCUMENT(NOISE("<in name=\"size\" value=\"2\" from=\"a.b\"/><in/>")),
                "node n: size value: 1 -> 2\n");
}

TEST(memory)
{
    struct oro_differences differences;
    struct oro_error err = {0};
    struct oro_document *a = read_clean(DOCUMENT(NOISE("<in name=\"size\" value=\"500\"/>")));
    struct oro_document *b = read_clean(DOCUMENT(BLEND("") WORLD));
    bool ok = false;
    for (size_t n = 1; !ok; n++) {
        oro_memory_fail_at(n);
        ok = oro_diff(a, b, &fake_registry, &differences, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY || err.code == ORO_E_LIMIT);
        assert_true(n < 10000);
    }
    assert_int_equal(differences.count, 4);
    oro_differences_free(&differences);
    oro_document_destroy(a);
    oro_document_destroy(b);
}

TEST_GROUP(NULL, clean_up_xml);
