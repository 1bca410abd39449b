/* The schema accepts what the reader and oro_check accept, and refuses what they refuse, as far as a grammar
 * can. */
#include "tests/graph/support.h"

#include <libxml/relaxng.h>

#include "graph/file/load.h"
#include "graph/type/literal.h"

static xmlRelaxNG *schema;

static void quiet(void *user, const char *format, ...)
{
    (void)user, (void)format;
}

static bool is_valid(const char *text)
{
    xmlDoc *tree = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);
    assert_non_null(tree);
    xmlRelaxNGValidCtxt *context = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidErrors(context, quiet, quiet, NULL);
    int result = xmlRelaxNGValidateDoc(context, tree);
    assert_true(result >= 0);
    xmlRelaxNGFreeValidCtxt(context);
    xmlFreeDoc(tree);
    return result == 0;
}

static void accepted(const char *text)
{
    if (!is_valid(text))
        fail_msg("refused: %s", text);
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    assert_non_null(doc);
    oro_check(doc, &fake_registry, &problems);
    if (problems.errors)
        print_problems(&problems);
    assert_int_equal(problems.errors, 0);
    /* What is written is valid too. */
    char *again = written(doc);
    if (!is_valid(again))
        fail_msg("refused: %s", again);
    oro_free(again);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

static void refused(const char *text)
{
    if (is_valid(text))
        fail_msg("accepted: %s", text);
}

TEST(whole)
{
    accepted(DOCUMENT(""));
    accepted(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- notes -->\n"
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\" xmlns:e=\"urn:e\" e:mode=\"1\" xml:lang=\"en\">\n"
        "  <about title=\"Alps, amplified\"/>\n"
        "  <world extent=\"25600\" resolution=\"128\" aspect=\"0.5\" seed=\"-7\"/>\n"
        "  <interface>\n"
        "    <out name=\"terrain\" from=\"l1.terrain\"/>\n"
        "    <in name=\"relief\" to=\"dem.high\" label=\"Relief\"/>\n"
        "    <out name=\"picture\" from=\"p.picture\"/>\n"
        "  </interface>\n"
        "  <e:layout e:x=\"1\"><e:any><none xmlns=\"\"/>text</e:any></e:layout>\n"
        "  <node id=\"dem\" type=\"import\" version=\"1\" x=\"40\" y=\"-8.5e-1\" mute=\"false\" "
        "collapsed=\"true\">\n"
        "    <in name=\"file\" value=\"alps &amp; co.png\"/>\n"
        "    <!-- high -->\n"
        "    <in name=\"high\" value=\"4200\" e:pinned=\"1\"/>\n"
        "  </node>\n"
        "  <frame title=\"Large scale\" x=\"0\" y=\"0\" width=\"900\" height=\"300\"/>\n"
        "  <node id=\"l1\" type=\"erode\" version=\"3\" x=\"240\" y=\"80\">\n"
        "    <in name=\"iterations\" value=\"1800\"/>\n"
        "    <in name=\"terrain\" from=\"dem.terrain\"/>\n"
        "    <in name=\"amount\" from=\"dem.terrain\"/>\n"
        "    <e:note>text</e:note>\n"
        "  </node>\n"
        "  <node id=\"p\" type=\"paint\" version=\"1\">\n"
        "    <in name=\"tint\" value=\"#aabbccdd\"/><in name=\"centre\" value=\"1 -2\"/>\n"
        "    <in name=\"curve\" value=\"0 0, 0.5 1,1 0\"/><in name=\"caption\" value=\"\"/>\n"
        "  </node>\n"
        "  <node id=\"n\" type=\"noise\" version=\"1\" mute=\"true\"><in name=\"ridged\" value=\"true\"/>\n"
        "    <in name=\"method\" value=\"worley\"/><in name=\"size\" value=\"1e3\"/></node>\n"
        "</orograph>\n");
}

#define RIDGES(lines)                                                                                        \
    DOCUMENT("<node id=\"a\" type=\"ridges\" version=\"1\"><in name=\"lines\" " lines "/></node>")

TEST(network_literals)
{
    static const char *const good[] = {"", "1 2", "1 2,3 4.5", " 1 2 , -3 4e1 5 ; 6 7 8 9 ", ";1 2;", " "};
    static const char *const bad[] = {"1", "1 2 3 4 5", "1 2,", "1 2,,3 4", "1,2", "a b", "1 nan"};
    char text[400];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(text, sizeof text, RIDGES("value=\"%s\""), good[i]);
        accepted(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, RIDGES("value=\"%s\""), bad[i]);
        refused(text);
        assert_false(oro_literal_parse(&fake_ridges_inputs[0], bad[i], NULL, NULL));
    }
    accepted(DOCUMENT("<node id=\"b\" type=\"ridges\" version=\"1\"><in name=\"lines\" value=\"1 2\"/></node>"
                      "<node id=\"a\" type=\"ridges\" version=\"1\"><in name=\"lines\" from=\"b.network\"/>"
                      "<in name=\"base\" from=\"b.uplift\"/><in name=\"rate\" from=\"b.uplift\"/></node>"));
    refused(RIDGES("value=\"1 2\" from=\"b.network\""));
    refused(DOCUMENT("<node id=\"a\" type=\"ridges\" version=\"1\"><in name=\"base\" value=\"1\"/></node>"));
}

/* Graphs as nodes need assets to be checked: of them, only what the grammar says is looked at here. */
static void fits(const char *text)
{
    if (!is_valid(text))
        fail_msg("refused: %s", text);
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    assert_non_null(doc);
    char *again = written(doc);
    if (!is_valid(again))
        fail_msg("refused: %s", again);
    oro_free(again);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

#define FIELD_OUT                                                                                            \
    "<interface><out name=\"f\" from=\"n.field\"/></interface><node id=\"n\" type=\"noise\" version=\"1\"/>"

TEST(reuse)
{
    accepted(DOCUMENT(
        "<about title=\"A\" category=\"hills\" doc=\"All. Of it.\" words=\"mounds, downs\"/>"
        "<variable name=\"a\" value=\"1e3\" unit=\"m\" label=\"A\" doc=\"D\"/>"
        "<interface version=\"3\"><in name=\"x\" to=\"n.size\" label=\"X\" group=\"G\" default=\"5\" "
        "min=\"1\" max=\"10\" soft-min=\"2\" soft-max=\"9\" unit=\"m\" was=\"y z\" doc=\"D\"/>"
        "<in name=\"x\" to=\"n.height\"/><in name=\"v\" to=\"a\"/>"
        "<out name=\"f\" from=\"n.field\" label=\"F\" unit=\"m\" was=\"g\" doc=\"D\"/></interface>"
        "<node id=\"n\" type=\"noise\" version=\"1\"/>"));
    fits(DOCUMENT(
        "<variable name=\"b\" expr=\"1 + a\"/><variable name=\"a\" value=\"2\"/>"
        "<node id=\"n\" type=\"noise\" version=\"1\"><in name=\"size\" expr=\"a * b\"/><in name=\"octaves\" "
        "expr=\"a\"/></node>"
        "<node id=\"e\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"n.field\"/><in "
        "name=\"amount\" "
        "expr=\"a\"/></node>"));
    fits(DOCUMENT("<group name=\"g\"><about title=\"G\"/><variable name=\"a\" value=\"1\"/>" FIELD_OUT
                  "<frame title=\"T\"/></group>"
                  "<node id=\"u\" type=\"graph\" href=\"#g\" version=\"2\" x=\"1\" y=\"2\"><in name=\"any\" "
                  "value=\"x\"/>"
                  "<in name=\"other\" expr=\"1\"/><in name=\"last\" from=\"w.f\"/></node>"
                  "<node id=\"w\" type=\"graph\" href=\"library/alpine.oro\" version=\"1\"/>"));
    static const char *const wrong[] = {
        "<variable value=\"1\"/>",
        "<variable name=\"a\"/>",
        "<variable name=\"a\" value=\"x\"/>",
        "<variable name=\"a\" value=\"1\" expr=\"1\"/>",
        "<variable name=\"a-b\" value=\"1\"/>",
        "<variable name=\"a\" value=\"1\" size=\"1\"/>",
        "<interface version=\"x\"><in name=\"a\" to=\"n.size\"/></interface>",
        "<interface><in name=\"a\" to=\"n.size\" min=\"x\"/></interface>",
        "<interface><in name=\"a\" to=\"n.size\" minimum=\"1\"/></interface>",
        "<interface><in to=\"n.size\"/></interface>",
        "<interface><out name=\"a\" from=\"n\"/></interface>",
        "<group>" FIELD_OUT "</group>",
        "<group name=\"g\"><group name=\"h\"/></group>",
        "<group name=\"1\"/>",
        "<group name=\"g\"><node id=\"n\" type=\"no se\" version=\"1\"/></group>",
        "<group name=\"g\"><world/><world/></group>",
        "<node id=\"u\" type=\"graph\" version=\"1\"/>",
        "<node id=\"u\" type=\"noise\" href=\"a.oro\" version=\"1\"/>",
        "<node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"1\"><in name=\"a\"/></node>",
        "<node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"1\"><in name=\"a\" value=\"1\" "
        "expr=\"1\"/></node>",
        "<node id=\"n\" type=\"noise\" version=\"1\"><in name=\"method\" expr=\"1\"/></node>",
        "<node id=\"n\" type=\"noise\" version=\"1\"><in name=\"size\" value=\"1\" expr=\"1\"/></node>",
    };
    char text[1000];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, DOCUMENT("%s"), wrong[i]);
        refused(text);
    }
}

TEST(broken)
{
    refused("<orograph version=\"1\"/>");
    refused("<orograph xmlns=\"urn:orograph:1\"/>");
    refused("<orograph xmlns=\"urn:orograph:1\" version=\"2\"/>");
    refused(DOCUMENT("<nodes/>"));
    refused(DOCUMENT("text"));
    refused(DOCUMENT("<world/><world/>"));
    refused(DOCUMENT("<about title=\"a\" author=\"b\"/>"));
    refused(DOCUMENT("<world extent=\"1,5\"/>"));
    refused(DOCUMENT("<world extent=\"0\"/>"));
    refused(DOCUMENT("<world resolution=\"1.5\"/>"));
    refused(DOCUMENT("<world resolution=\"140000\"/>"));
    refused(DOCUMENT("<world seed=\"x\"/>"));
    refused(DOCUMENT("<interface><in name=\"a\" from=\"b.c\"/></interface>"));
    refused(DOCUMENT("<interface><out name=\"a\" from=\"b\"/></interface>"));
    refused(DOCUMENT("<node id=\"a\" type=\"vol cano\" version=\"1\"/>"));
    refused(DOCUMENT("<node type=\"noise\" version=\"1\"/>"));
    refused(DOCUMENT("<node id=\"1\" type=\"noise\" version=\"1\"/>"));
    refused(DOCUMENT("<node id=\"a\" type=\"noise\" version=\"3\"/>"));
    refused(DOCUMENT("<node id=\"a\" type=\"erode\" version=\"1\"/>")); /* version 1 of a type that has 3 */
    refused(DOCUMENT("<node id=\"a\" type=\"noise\" version=\"1\" x=\"left\"/>"));
    refused(DOCUMENT("<node id=\"a\" type=\"noise\" version=\"1\" mute=\"yes\"/>"));
}

TEST(broken_inputs)
{
    static const char *const wrong[] = {
        "name=\"sizes\" value=\"1\"",
        "name=\"size\"",
        "name=\"size\" value=\"big\"",
        "name=\"size\" value=\"inf\"",
        "name=\"size\" value=\"NaN\"",
        "name=\"size\" value=\"0\"",
        "name=\"size\" value=\"1e7\"",
        "name=\"size\" from=\"a.field\"",
        "name=\"octaves\" value=\"2.5\"",
        "name=\"octaves\" value=\"17\"",
        "name=\"method\" value=\"perln\"",
        "name=\"ridged\" value=\"1\"",
        "value=\"1\"",
        "name=\"size\" value=\"1\" other=\"1\"",
    };
    char text[400];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, DOCUMENT("<node id=\"a\" type=\"noise\" version=\"1\"><in %s/></node>"),
                 wrong[i]);
        refused(text);
    }
    static const char *const wrong_paint[] = {
        "name=\"tint\" value=\"red\"",     "name=\"tint\" value=\"#1234567\"", "name=\"centre\" value=\"1\"",
        "name=\"curve\" value=\"0 0, 1\"", "name=\"picture\" value=\"1\"",     "name=\"picture\" from=\"a\"",
    };
    for (size_t i = 0; i < sizeof wrong_paint / sizeof wrong_paint[0]; i++) {
        snprintf(text, sizeof text, DOCUMENT("<node id=\"a\" type=\"paint\" version=\"1\"><in %s/></node>"),
                 wrong_paint[i]);
        refused(text);
    }
    refused(DOCUMENT(
        "<node id=\"a\" type=\"blend\" version=\"1\"><in name=\"amount\" value=\"1\" from=\"a.b\"/></node>"));
}

static xmlRelaxNG *compile(const struct oro_registry *registry)
{
    char *text = oro_schema(registry);
    assert_non_null(text);
    xmlRelaxNGParserCtxt *context = xmlRelaxNGNewMemParserCtxt(text, (int)strlen(text));
    xmlRelaxNG *compiled = xmlRelaxNGParse(context);
    xmlRelaxNGFreeParserCtxt(context);
    oro_free(text);
    return compiled;
}

TEST(no_types)
{
    const struct oro_registry none = {.types = NULL, .count = 0};
    xmlRelaxNG *kept = schema;
    schema = compile(&none);
    assert_non_null(schema);
    assert_true(is_valid(DOCUMENT("<world/>")));
    assert_true(is_valid(DOCUMENT("<node id=\"a\" type=\"noise\" version=\"1\"/>"))); /* it may be a script */
    assert_true(
        is_valid(DOCUMENT("<node id=\"a\" type=\"lua\" version=\"1\"><script>return {}</script></node>")));
    refused(DOCUMENT("<node id=\"a\" type=\"lua\" version=\"1\"/>"));
    refused(DOCUMENT("<node id=\"a\" type=\"two words\" version=\"1\"/>"));
    xmlRelaxNGFree(schema);
    schema = kept;
}

TEST(memory)
{
    for (size_t n = 1;; n++) {
        oro_memory_fail_at(n);
        char *text = oro_schema(&fake_registry);
        oro_memory_fail_at(0);
        if (text) {
            oro_free(text);
            assert_true(n > 1);
            break;
        }
    }
}

FIXTURE(set_up)
{
    schema = compile(&fake_registry);
    return schema ? 0 : -1;
}

FIXTURE(clean_up)
{
    xmlRelaxNGFree(schema);
    xmlRelaxNGCleanupTypes();
    xmlCleanupParser();
    return 0;
}

TEST_GROUP(set_up, clean_up);
