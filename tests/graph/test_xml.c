/* Reading and writing documents. */
#include "tests/graph/support.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/file/load.h"
#include "graph/file/xml_private.h"

/* ---- Round trips ---- */

/* The full form of a document, with types of the test registry and an unknown one. */
static const char alps[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                           "  <about title=\"Alps, amplified\" words=\"peaks, crags\"/>\n"
                           "  <world extent=\"25600\" resolution=\"128\" seed=\"7\"/>\n"
                           "  <interface>\n"
                           "    <in name=\"relief\" to=\"dem.high\" label=\"Relief\"/>\n"
                           "    <out name=\"terrain\" from=\"l1.terrain\"/>\n"
                           "  </interface>\n"
                           "  <node id=\"dem\" type=\"import\" version=\"1\" x=\"40\" y=\"80\">\n"
                           "    <in name=\"file\" value=\"alps_128.png\"/>\n"
                           "    <in name=\"high\" value=\"4200\"/>\n"
                           "  </node>\n"
                           "  <node id=\"l1\" type=\"erode\" version=\"3\" x=\"240\" y=\"80.5\">\n"
                           "    <in name=\"terrain\" from=\"dem.terrain\"/>\n"
                           "    <in name=\"amount\" from=\"rock.field\"/>\n"
                           "    <in name=\"iterations\" value=\"1800\"/>\n"
                           "  </node>\n"
                           "  <node id=\"rock\" type=\"noise\" version=\"1\" x=\"-40\" y=\"0.001\"/>\n"
                           "  <node id=\"plain\" type=\"noise\" version=\"1\"/>\n"
                           "  <frame title=\"Large scale\" x=\"0\" y=\"0\" width=\"900\" height=\"300\"/>\n"
                           "</orograph>\n";

static void round_trip(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    if (!doc)
        print_problems(&problems);
    assert_non_null(doc);
    expect_text(doc, text);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

TEST(canonical_round_trip)
{
    struct oro_document *doc = read_clean(alps);
    assert_int_equal(oro_document_node_count(doc), 4);
    assert_string_equal(oro_document_title(doc), "Alps, amplified");
    const struct oro_doc_node *l1 = oro_document_find(doc, "l1");
    assert_int_equal(oro_document_find_index(doc, "l1"), 1);
    assert_int_equal(oro_document_find_index(doc, "l2"), SIZE_MAX);
    assert_string_equal(oro_doc_node_input(l1, "amount")->from_node, "rock");
    assert_string_equal(oro_doc_node_input(l1, "amount")->from_output, "field");
    assert_int_equal(oro_doc_node_input(l1, "amount")->line, 15);
    assert_int_equal(l1->version, 3);
    assert_true(l1->y == 80.5);
    assert_int_equal(oro_document_port_count(doc), 2);
    assert_string_equal(oro_document_port(doc, 0)->texts[ORO_PORT_LABEL], "Relief");
    assert_true(oro_document_port(doc, 1)->is_output);
    assert_true(oro_document_frame(doc, 0)->width == 900);
    struct oro_grid grid = oro_document_grid(doc);
    assert_int_equal(grid.width, 128);
    assert_int_equal(grid.height, 128);
    assert_true(grid.cell == 200);
    expect_text(doc, alps);
    oro_document_destroy(doc);
}

/* A network that equals the default is left out; one that is empty is not. */
TEST(networks)
{
    struct oro_document *doc =
        read_clean(DOCUMENT("<node id=\"a\" type=\"ridges\" version=\"1\"><in name=\"lines\" value=\"\"/>"
                            "<in name=\"drawn\" value=\" 10 20,30.50 4e1\"/>"
                            "<in name=\"open\" value=\"1.0 2 ;3 4, 5 6;\"/></node>"));
    expect_text(doc, DOCUMENT("  <node id=\"a\" type=\"ridges\" version=\"1\">\n"
                              "    <in name=\"lines\" value=\"\"/>\n"
                              "    <in name=\"open\" value=\"1 2; 3 4, 5 6\"/>\n"
                              "  </node>\n"));
    oro_document_destroy(doc);
}

TEST(empty)
{
    round_trip(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\"/>\n");
    struct oro_document *doc = oro_document_create();
    expect_text(doc, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<orograph xmlns=\"urn:orograph:1\" version=\"1\"/>\n");
    oro_document_destroy(doc);
}

/* Documents written by a user or another program become canonical: without defaults, with short numbers, in
 * one layout. */
TEST(normalised)
{
    struct oro_document *doc = read_clean("\xEF\xBB\xBF<o:orograph version='1' xmlns:o='urn:orograph:1'>"
                                          "<o:world resolution='256.0' extent='1e4' aspect='0.50'/><o:about/>"
                                          "<o:node y='2' x='1.0' type='noise' id='n'><o:in value='2e3' "
                                          "name='size'/><o:in name='octaves'\n\n value='3.0'/>"
                                          "</o:node></o:orograph>");
    expect_text(doc, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<orograph xmlns=\"urn:orograph:1\" version=\"1\" xmlns:o=\"urn:orograph:1\">\n"
                     "  <world aspect=\"0.5\"/>\n"
                     "  <node id=\"n\" type=\"noise\" version=\"1\" x=\"1\" y=\"2\">\n"
                     "    <in name=\"octaves\" value=\"3\"/>\n"
                     "  </node>\n"
                     "</orograph>\n");
    oro_document_destroy(doc);
}

TEST(escaping)
{
    struct oro_document *doc = oro_document_create();
    const char *nasty = "\"quotes\" 'and' <tags> & é \xF0\x9F\x8F\x94\n\tnew\r\n]]>";
    assert_true(oro_edit_add_node(doc, "p", "paint", 1, 0, 0, NULL));
    assert_true(oro_edit_set(doc, "p", "caption", nasty, NULL));
    assert_true(oro_edit_title(doc, nasty, NULL));
    char *text = written(doc);
    struct oro_document *again = read_clean(text);
    assert_string_equal(oro_document_title(again), nasty);
    assert_string_equal(oro_doc_node_input(oro_document_find(again, "p"), "caption")->value, nasty);
    expect_text(again, text);
    oro_free(text);
    oro_document_destroy(again);
    assert_false(oro_edit_title(doc, "bell \a", NULL));
    assert_false(oro_edit_title(doc, "bad \xC3(", NULL));
    assert_false(oro_edit_title(doc, "overlong \xC0\xAF", NULL));
    assert_false(oro_edit_title(doc, "surrogate \xED\xA0\x80", NULL));
    assert_false(oro_edit_title(doc, "nonchar \xEF\xBF\xBF", NULL));
    assert_string_equal(oro_document_title(doc), nasty);
    oro_document_destroy(doc);
}

/* ---- Unknown content ---- */

TEST(unknown_kept)
{
    round_trip(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- made by hand: ä -->\n"
        "<?tool keep=\"me\"?>\n"
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\" xmlns:e=\"urn:e\" future=\"1\" xml:lang=\"de\" "
        "e:a=\"&lt;\">\n"
        "  <!-- before about -->\n"
        "  <about title=\"T\" author=\"A\">\n"
        "    <licence>CC0</licence>\n"
        "  </about>\n"
        "  <world seed=\"-9223372036854775808\" sea=\"0\">\n"
        "    <!-- two\n"
        "      lines -->\n"
        "  </world>\n"
        "  <e:layout><e:row n=\"1\">é &amp; <![CDATA[<raw>]]></e:row></e:layout>\n"
        "  <interface mode=\"x\">\n"
        "    <!-- first -->\n"
        "    <out name=\"t\" from=\"n.field\" e:z=\"1\">\n"
        "      <note/>\n"
        "    </out>\n"
        "    <both name=\"q\"/>\n"
        "    <in name=\"s\" to=\"n.size\"/>\n"
        "    <!-- last -->\n"
        "  </interface>\n"
        "  <cluster id=\"g\"/>\n"
        "  <node id=\"n\" type=\"noise\" version=\"1\" x=\"1\" y=\"2\" xmlns:f=\"urn:f?a&amp;b\" "
        "locked=\"true\" "
        "f:c=\"1\">\n"
        "    <!-- size -->\n"
        "    <in name=\"size\" value=\"5\">\n"
        "      <!-- why -->\n"
        "    </in>\n"
        "    <in name=\"octaves\" value=\"8\" pinned=\"yes\"/>\n"
        "    <f:data/>\n"
        "    <in name=\"colour\" value=\"001,50\"/>\n"
        "    <none xmlns=\"\"><deep/></none>\n"
        "    <none xmlns=\"urn:&#38;\" a=\"&amp;\"/>\n"
        "    some text\n"
        "  </node>\n"
        "  <node id=\"v\" type=\"volcano\" href=\"a.oro\" version=\"9\">\n"
        "    <in name=\"height\" value=\"01.50\"/>\n"
        "    <in name=\"base\" from=\"n.field\"/>\n"
        "  </node>\n"
        "  <frame title=\"F\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" hue=\"3\">\n"
        "    <!-- in a frame -->\n"
        "  </frame>\n"
        "  <!-- behind -->\n"
        "</orograph>\n"
        "<!-- the end -->\n");
}

TEST(unknown_noticed)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(DOCUMENT("<nodes/>\n"
                                                  "<node id=\"n\" type=\"noise\" version=\"1\" X=\"3\">\n"
                                                  "<inn/>\n"
                                                  "<e:ext xmlns:e=\"urn:e\"/>\n"
                                                  "</node>\n"
                                                  "<world/><world seed=\"2\"/>\n"),
                                         &problems);
    assert_non_null(doc);
    expect_problem(&problems, "unknown-element", 3, "unknown element 'nodes' is kept; did you mean 'node'?");
    expect_problem(&problems, "unknown-attribute", 4, "'X' is kept; did you mean 'x'?");
    expect_problem(&problems, "unknown-element", 5, "did you mean 'in'?");
    expect_problem(&problems, "repeated-element", 8, "second <world>");
    assert_int_equal(problems.count, 4);
    assert_int_equal(problems.errors, 1);
    assert_int_equal(oro_document_world(doc)->seed, 0);
    char *text = written(doc);
    assert_non_null(strstr(text, "  <world seed=\"2\"/>\n"));
    oro_free(text);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

/* A document whose elements have a prefix: unknown elements without one must not slip into our namespace. */
TEST(default_namespace)
{
    struct oro_problems problems = {0};
    struct oro_document *doc =
        read_text("<o:orograph xmlns:o=\"urn:orograph:1\" xmlns=\"urn:other\" version=\"1\"><a><b/></a>"
                  "<o:about xmlns=\"\"><c/></o:about></o:orograph>",
                  &problems);
    assert_non_null(doc);
    const char *wanted = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<orograph xmlns=\"urn:orograph:1\" version=\"1\" xmlns:o=\"urn:orograph:1\">\n"
                         "  <a xmlns=\"urn:other\"><b/></a>\n"
                         "  <about>\n"
                         "    <c xmlns=\"\"/>\n"
                         "  </about>\n"
                         "</orograph>\n";
    expect_text(doc, wanted);
    round_trip(wanted);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

/* ---- Errors ---- */

TEST(all_problems)
{
    static const char text[] = DOCUMENT(
        "  <world extent=\"1,5\" resolution=\"12.5\" aspect=\"1e999\" seed=\"9223372036854775808\"/>\n"
        "  <node type=\"noise\" version=\"1\" x=\"ten\"/>\n"
        "  <node id=\"2nd\" type=\"noise\" version=\"1\"/>\n"
        "  <node id=\"a\" version=\"0\"/>\n"
        "  <node id=\"a\" type=\"noise\" version=\"1\">\n"
        "    <in value=\"1\"/>\n"
        "    <in name=\"size\" value=\"1\" from=\"a.field\"/>\n"
        "    <in name=\"height\" from=\"field\"/>\n"
        "    <in name=\"seed\"/>\n"
        "    <in name=\"octaves\" value=\"1\"/>\n"
        "    <in name=\"octaves\" value=\"2\"/>\n"
        "  </node>\n"
        "  <interface>\n"
        "    <out name=\"o\"/>\n"
        "    <in name=\"i\" to=\"a.\"/>\n"
        "  </interface>\n"
        "  <frame width=\"1 m\"/>\n");
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    assert_non_null(doc);
    expect_problem(&problems, "bad-world", 3, "aspect: '1e999' is too large for a number");
    expect_problem(&problems, "bad-world", 3, "extent: '1,5' is not a number (write 1.5)");
    expect_problem(&problems, "bad-world", 3, "resolution: '12.5' must be a whole number");
    expect_problem(&problems, "bad-world", 3, "seed: '9223372036854775808' must be");
    expect_problem(&problems, "bad-id", 4, "a node has no id");
    expect_problem(&problems, "bad-number", 4, "x: 'ten' is not a number");
    expect_problem(&problems, "bad-id", 5, "an id is a letter");
    expect_problem(&problems, "unknown-type", 6, "no type");
    expect_problem(&problems, "bad-number", 6, "version: '0' must be a whole number");
    expect_problem(&problems, "duplicate-id", 7, "the node of line 6 has the same id");
    expect_problem(&problems, "bad-input", 8, "has no name");
    expect_problem(&problems, "bad-input", 9, "both a value and a link");
    expect_problem(&problems, "bad-link", 10, "from=\"node.output\"");
    expect_problem(&problems, "bad-input", 11, "neither a value nor a link");
    expect_problem(&problems, "duplicate-input", 13, "more than once");
    expect_problem(&problems, "bad-interface", 16, "output 'o' needs from=\"node.output\"");
    expect_problem(&problems, "bad-interface", 17, "input 'i' needs to=\"node.input\"");
    expect_problem(&problems, "bad-number", 19, "(write 1)");
    for (size_t i = 1; i < problems.count; i++)
        assert_true(problems.items[i - 1].line <= problems.items[i].line);
    /* Defaults in memory, the original text in the file. */
    assert_true(oro_document_world(doc)->extent == 10000);
    assert_int_equal(oro_document_world(doc)->resolution, 256);
    assert_string_equal(oro_doc_node_input(oro_document_node(doc, 3), "size")->from_node, "a");
    size_t before = problems.count;
    char *first = written(doc);
    assert_non_null(strstr(first, "<world extent=\"1,5\" resolution=\"12.5\" aspect=\"1e999\" "
                                  "seed=\"9223372036854775808\"/>"));
    assert_non_null(strstr(first, "<in name=\"size\" from=\"a.field\" value=\"1\"/>"));
    assert_non_null(strstr(first, "<in name=\"height\" from=\"field\"/>"));
    assert_non_null(strstr(first, "<node id=\"a\" version=\"0\"/>"));
    /* The written file gives the same problems again. */
    struct oro_problems again = {0};
    struct oro_document *second = read_text(first, &again);
    assert_int_equal(again.count, before);
    expect_text(second, first);
    /* An edit replaces the wrong text. */
    struct oro_world world = ORO_WORLD_DEFAULT;
    assert_true(oro_edit_world(doc, &world, NULL));
    char *edited = written(doc);
    assert_null(strstr(edited, "<world"));
    oro_free(edited);
    oro_free(first);
    oro_document_destroy(second);
    oro_document_destroy(doc);
    oro_problems_free(&again);
    oro_problems_free(&problems);
}

static void expect_no_document(const char *text, size_t size, const char *code, const char *part)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, size, "", &fake_registry, &problems);
    assert_null(doc);
    assert_true(problems.errors > 0);
    expect_problem(&problems, code, -1, part);
    oro_problems_free(&problems);
}

static void not_a_document(const char *text, const char *code, const char *part)
{
    expect_no_document(text, strlen(text), code, part);
}

TEST(not_documents)
{
    not_a_document("", "malformed", "empty");
    not_a_document("hello", "malformed", "Start tag expected");
    not_a_document("<orograph", "malformed", "");
    not_a_document("<svg/>", "not-orograph", "<svg>");
    not_a_document("<orograph version=\"1\"/>", "not-orograph", "urn:orograph:1");
    not_a_document(DOCUMENT("<node>"), "malformed", "mismatch");
    not_a_document(DOCUMENT("&unknown;"), "malformed", "unknown");
    not_a_document(DOCUMENT("<e:a/>"), "malformed", "prefix");
    not_a_document(DOCUMENT("<a xmlns=\"&lt;\"/>"), "malformed", "namespace name");
    not_a_document(DOCUMENT("<about title=\"\xFF\"/>"), "malformed", "UTF-8");
    not_a_document(DOCUMENT("<about title=\"a\" title=\"b\"/>"), "malformed", "redefined");
    not_a_document("<orograph xmlns=\"urn:orograph:1\" version=\"2\"/>", "newer-version", "newer program");
    not_a_document("<orograph xmlns=\"urn:orograph:1\" version=\"0\"/>", "old-version", "version 0");
    not_a_document("<orograph xmlns=\"urn:orograph:1\" version=\"1.5\"/>", "bad-version", "'1.5'");
    expect_no_document("\xFF\xFE<\0a\0/\0>\0", 10, "malformed", "UTF-16");
    expect_no_document("<a\0b/>", 6, "malformed", "");
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text("<orograph xmlns=\"urn:orograph:1\"/>", &problems);
    assert_non_null(doc);
    expect_problem(&problems, "no-version", 1, "version=\"1\"");
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

TEST(malformed_lines)
{
    struct oro_problems problems = {0};
    assert_null(read_text("<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                          "<node id=\"a\" type=noise/>\n"
                          "<frame></fram>\n"
                          "</orograph>\n",
                          &problems));
    assert_non_null(find_problem(&problems, "malformed", 2));
    assert_non_null(find_problem(&problems, "malformed", 3));
    oro_problems_free(&problems);
}

/* ---- Hostile files ---- */

TEST(dtd)
{
    static const char bomb[] =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY a "
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">\n"
        "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">\n"
        "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">\n<!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">\n"
        "<!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\">\n<!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\">\n]>\n"
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><about title=\"&g;\"/>&g;</orograph>\n";
    clock_t start = clock();
    not_a_document(bomb, "dtd", "DOCTYPE");
    assert_true(clock() - start < CLOCKS_PER_SEC);
    struct oro_problems problems = {0};
    assert_null(read_text(bomb, &problems));
    assert_int_equal(problems.count, 1);
    assert_int_equal(problems.items[0].line, 2);
    oro_problems_free(&problems);
    not_a_document("<!DOCTYPE orograph><orograph xmlns=\"urn:orograph:1\" version=\"1\"/>", "dtd", "DOCTYPE");
    not_a_document("<!DOCTYPE orograph SYSTEM \"/etc/passwd\"><orograph/>", "dtd", "DOCTYPE");
    not_a_document("<!DOCTYPE o [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><o>&x;</o>", "dtd", "DOCTYPE");
    not_a_document("<!DOCTYPE o [<!ENTITY % p SYSTEM \"http://127.0.0.1/\"> %p;]><o/>", "dtd", "DOCTYPE");
    /* An error before the DTD must not open a way around the hook. */
    not_a_document("<?xml version=\"1.0\" bad?><!DOCTYPE o [<!ENTITY x \"y\">]><o>&x;</o>", "malformed", "");
}

static char *repeat(const char *head, const char *part, size_t count, const char *tail)
{
    struct oro_text text = {0};
    oro_text_add(&text, head);
    for (size_t i = 0; i < count; i++)
        oro_text_add(&text, part);
    oro_text_add(&text, tail);
    assert_false(text.failed);
    return text.data;
}

static void too_much(char *text, const char *part)
{
    not_a_document(text, "limit", part);
    oro_free(text);
}

#define HEAD "<orograph xmlns=\"urn:orograph:1\" version=\"1\">"
#define TAIL "</orograph>"

TEST(limits)
{
    too_much(repeat(HEAD, "<a>", 64, ""), "nested");
    too_much(repeat(HEAD, "<a>", 1000000, ""), "nested");
    char *deep = repeat(HEAD, "<a>", 62, "");
    char *whole = repeat(deep, "</a>", 62, TAIL);
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(whole, &problems);
    assert_non_null(doc);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    oro_free(deep);
    oro_free(whole);
    too_much(repeat(HEAD, "<node id=\"a\" type=\"noise\" version=\"1\"/>", 100001, TAIL), "nodes");
    too_much(repeat(HEAD "<node>", "<in/>", 257, "</node>" TAIL), "inputs");
    too_much(repeat(HEAD "<interface>", "<in/>", 1025, "</interface>" TAIL), "interface");
    too_much(repeat(HEAD, "<a/>", 2000001, TAIL), "too many elements");
    too_much(repeat(HEAD, "<!---->", 2000001, TAIL), "too many elements");
    too_much(repeat(HEAD "<about title=\"", "0123456789abcdef", 65537, "\"/>" TAIL), "longer than 1 MiB");
}

TEST(many_attributes)
{
    struct oro_text text = {0};
    oro_text_add(&text, HEAD "\n<about ");
    for (int i = 0; i < 300000; i++)
        oro_text_addf(&text, "a%d=\"\" ", i);
    oro_text_add(&text, "/>" TAIL);
    clock_t start = clock();
    not_a_document(text.data, "limit", "more than 64 attributes");
    assert_true(clock() - start < CLOCKS_PER_SEC);
    oro_text_free(&text);
    for (int i = 0; i < 300; i++)
        oro_text_addf(&text, "%s<a xmlns:p%d=\"urn:p\"/>", i ? "" : HEAD, i);
    oro_text_add(&text, TAIL);
    not_a_document(text.data, "limit", "namespaces");
    oro_text_free(&text);
}

TEST(flood_of_errors)
{
    char *text = repeat(HEAD, "<a b=c>&x;</d>", 100000, "");
    struct oro_problems problems = {0};
    assert_null(read_text(text, &problems));
    assert_true(problems.count > 0 && problems.count <= 100);
    oro_problems_free(&problems);
    oro_free(text);
    text = repeat(HEAD, "<node/>\n", 50000, TAIL); /* each with several errors */
    struct oro_document *doc = read_text(text, &problems);
    assert_non_null(doc);
    assert_int_equal(problems.count, 10000);
    assert_non_null(find_problem(&problems, "too-many", -1));
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    oro_free(text);
}

/* Every prefix of a document, and every document with one byte changed, gives a document or problems. */
TEST(damage)
{
    char text[sizeof alps];
    for (size_t i = 0; i < sizeof alps - 1; i++) {
        struct oro_problems problems = {0};
        struct oro_document *doc = oro_document_parse(alps, i, "", &fake_registry, &problems);
        assert_true(doc || problems.errors > 0);
        oro_document_destroy(doc);
        oro_problems_free(&problems);
        memcpy(text, alps, sizeof alps);
        text[i] = (char)(text[i] ^ (1 << i % 8));
        doc = oro_document_parse(text, sizeof alps - 1, "", &fake_registry, &problems);
        assert_true(doc || problems.errors > 0);
        if (doc)
            oro_check(doc, &fake_registry, &problems);
        oro_document_destroy(doc);
        oro_problems_free(&problems);
    }
}

/* ---- Migrations ---- */

static bool rename_caption(struct _xmlNode *root, struct oro_problems *problems)
{
    oro_problem_add(problems, false, "test", 0, NULL, "captions became titles");
    for (xmlNode *child = root->children; child; child = child->next) {
        xmlChar *caption = xmlGetNoNsProp(child, (const xmlChar *)"caption");
        if (!caption)
            continue;
        xmlSetProp(child, (const xmlChar *)"title", caption);
        xmlUnsetProp(child, (const xmlChar *)"caption");
        xmlFree(caption);
    }
    return true;
}

static bool keep_all(struct _xmlNode *root, struct oro_problems *problems)
{
    (void)root, (void)problems;
    return true;
}

TEST(document_migration)
{
    static const struct oro_document_migration steps[] = {{2, keep_all}, {1, rename_caption}};
    static const struct oro_document_migrations table = {3, steps, 2};
    static const char text[] = DOCUMENT("  <about caption=\"T\"/>\n");
    struct oro_problems problems = {0};
    struct oro_document *doc =
        oro_document_parse_with(text, sizeof text - 1, "", &fake_registry, &table, &problems);
    assert_non_null(doc);
    assert_string_equal(oro_document_title(doc), "T");
    expect_problem(&problems, "migrated", 2, "from version 1 to version 3");
    expect_problem(&problems, "test", 0, "captions");
    assert_int_equal(problems.errors, 0);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    static const struct oro_document_migrations gap = {3, steps, 1};
    assert_null(oro_document_parse_with(text, sizeof text - 1, "", &fake_registry, &gap, &problems));
    expect_problem(&problems, "old-version", 2, "no longer reads");
    oro_problems_free(&problems);
}

TEST(type_migration)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(DOCUMENT("  <interface>\n"
                                                  "    <in name=\"power\" to=\"e.strength\"/>\n"
                                                  "  </interface>\n"
                                                  "  <node id=\"n\" type=\"noise\" version=\"1\"/>\n"
                                                  "  <node id=\"e\" type=\"erode\" version=\"1\">\n"
                                                  "    <in name=\"terrain\" from=\"n.field\"/>\n"
                                                  "    <in name=\"speed\" value=\"3\"/>\n"
                                                  "    <!-- strong -->\n"
                                                  "    <in name=\"strength\" value=\"2.50\"/>\n"
                                                  "  </node>\n"
                                                  "  <node id=\"later\" type=\"erode\" version=\"4\">\n"
                                                  "    <in name=\"new\" value=\"1.0\"/>\n"
                                                  "  </node>\n"),
                                         &problems);
    assert_non_null(doc);
    expect_problem(&problems, "migrated", 7, "'erode' was brought from version 1 to version 3");
    expect_problem(&problems, "dropped-input", 9, "input 'speed' no longer exists in version 2 of 'erode'");
    assert_int_equal(problems.errors, 0);
    oro_check(doc, &fake_registry, &problems);
    expect_problem(&problems, "newer-type", 13, "version 4 of 'erode'");
    assert_int_equal(problems.errors, 1);
    expect_text(doc, DOCUMENT("  <interface>\n"
                              "    <in name=\"power\" to=\"e.amount\"/>\n"
                              "  </interface>\n"
                              "  <node id=\"n\" type=\"noise\" version=\"1\"/>\n"
                              "  <node id=\"e\" type=\"erode\" version=\"3\">\n"
                              "    <in name=\"terrain\" from=\"n.field\"/>\n"
                              "    <!-- strong -->\n"
                              "    <in name=\"amount\" value=\"2.5\"/>\n"
                              "  </node>\n"
                              "  <node id=\"later\" type=\"erode\" version=\"4\">\n"
                              "    <in name=\"new\" value=\"1.0\"/>\n"
                              "  </node>\n"));
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

/* A type that knew one method only, and whose inputs `wide` and `high` had each other's names. */
struct swapped_params {
    float wide, high, depth;
    int method;
};
static const char *const swapped_methods[] = {"new", "old", NULL};
static const struct oro_input swapped_inputs[] = {
    ORO_IN_FLOAT(struct swapped_params, wide, 3, .doc = "In metres"),
    ORO_IN_FLOAT(struct swapped_params, high, 10, .doc = "In metres"),
    ORO_IN_FLOAT(struct swapped_params, depth, 1, .doc = "Once called dept"),
    ORO_IN_CHOICE(struct swapped_params, method, 0, swapped_methods, .doc = "How"),
    {0},
};
static const struct oro_output swapped_outputs[] = {ORO_OUT_FIELD("field"), {0}};
static const struct oro_node_migration swapped_migrations[] = {
    {.from = 1, .new_name = "method", .value = "old"},
    {.from = 1, .old_name = "wide", .new_name = "high"},
    {.from = 1, .old_name = "high", .new_name = "wide"},
    {.from = 1, .old_name = "dept", .new_name = "depth"},
    {0},
};
static const struct oro_node_type swapped = {.id = "swapped",
                                             .version = 2,
                                             .inputs = swapped_inputs,
                                             .outputs = swapped_outputs,
                                             .params_size = sizeof(struct swapped_params),
                                             .kernel = "swapped.comp",
                                             .migrations = swapped_migrations};

static struct oro_document *read_swapped(const char *text, struct oro_problems *problems)
{
    static const struct oro_node_type *const types[] = {&swapped};
    static const struct oro_registry registry = {.types = types, .count = 1};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &registry, problems);
    assert_non_null(doc);
    oro_check(doc, &registry, problems);
    return doc;
}

static const char *text_of(const struct oro_document *doc, const char *node, const char *input)
{
    const struct oro_doc_input *entry = oro_doc_node_input(oro_document_find(doc, node), input);
    return !entry ? "" : entry->value ? entry->value : entry->expr;
}

/* Nodes of an older version get what it meant without saying so; those of the present one, and those that say
 * no version, are left alone. One notice tells of all nodes of a type. */
TEST(values_of_older_versions)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_swapped(DOCUMENT("  <node id=\"a\" type=\"swapped\" version=\"1\"/>\n"
                                                     "  <node id=\"b\" type=\"swapped\" version=\"1\">\n"
                                                     "    <in name=\"wide\" value=\"1.5\"/>\n"
                                                     "    <in name=\"high\" expr=\"3 + 1\"/>\n"
                                                     "  </node>\n"
                                                     "  <node id=\"c\" type=\"swapped\" version=\"1\">\n"
                                                     "    <in name=\"method\" value=\"new\"/>\n"
                                                     "  </node>\n"
                                                     "  <node id=\"d\" type=\"swapped\" version=\"2\">\n"
                                                     "    <in name=\"wide\" value=\"7\"/>\n"
                                                     "  </node>\n"
                                                     "  <node id=\"e\" type=\"swapped\">\n"
                                                     "    <in name=\"high\" value=\"8\"/>\n"
                                                     "  </node>\n"),
                                            &problems);
    static const char *const expected[][4] = {{"a", "", "", "old"},
                                              {"b", "3 + 1", "1.5", "old"},
                                              {"c", "", "", "new"},
                                              {"d", "7", "", ""},
                                              {"e", "", "8", ""}};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(text_of(doc, expected[i][0], "wide"), expected[i][1]);
        assert_string_equal(text_of(doc, expected[i][0], "high"), expected[i][2]);
        assert_string_equal(text_of(doc, expected[i][0], "method"), expected[i][3]);
        assert_int_equal(oro_document_find(doc, expected[i][0])->version, 2);
    }
    expect_problem(&problems, "migrated", 3,
                   "'swapped' was brought from version 1 to version 2 here and in 2 more nodes");
    assert_int_equal(problems.count - problems.errors, 1); /* no expressions here: an error */
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

/* An input that has both its older and its present name is not given twice: the present one counts. */
TEST(an_older_name_beside_the_present_one)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_swapped(DOCUMENT("  <node id=\"a\" type=\"swapped\" version=\"1\">\n"
                                                     "    <in name=\"dept\" value=\"4\"/>\n"
                                                     "    <in name=\"depth\" value=\"5\"/>\n"
                                                     "  </node>\n"),
                                            &problems);
    assert_string_equal(text_of(doc, "a", "depth"), "5");
    assert_string_equal(text_of(doc, "a", "dept"), "4");
    expect_problem(&problems, "unknown-input", 4, "'swapped' has no input 'dept'; did you mean 'depth'?");
    assert_int_equal(problems.errors, 1);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

/* ---- Files ---- */

TEST(files)
{
    char folder[] = "/tmp/orograph-xml-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.oro", folder);
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    assert_null(oro_document_read(path, &fake_registry, &problems));
    expect_problem(&problems, "unreadable", 0, "cannot read");
    oro_problems_free(&problems);
    struct oro_document *doc = read_clean(alps);
    assert_true(oro_document_write(doc, &fake_registry, path, &err));
    struct oro_document *again = oro_document_read(path, &fake_registry, &problems);
    assert_int_equal(problems.count, 0);
    assert_string_equal(oro_document_path(again), path);
    expect_text(again, alps);
    /* A write that fails leaves the old file, and nothing else: here the disk takes only 100 bytes. */
    struct rlimit limit, old_limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    limit = old_limit;
    limit.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    assert_true(oro_edit_title(doc, "changed", &err));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool written_anyway = oro_document_write(doc, &fake_registry, path, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
    assert_false(written_anyway);
    assert_int_equal(err.code, ORO_E_WRITE);
    /* Nor does one that runs out of memory at any point. */
    for (size_t n = 1;; n++) {
        oro_memory_fail_at(n);
        bool ok = oro_document_write(doc, &fake_registry, path, &err);
        oro_memory_fail_at(0);
        if (ok)
            break;
        void *data = NULL;
        size_t size = 0;
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_true(oro_file_read(path, 1 << 20, &data, &size, &err));
        assert_string_equal(data, alps);
        oro_free(data);
    }
    assert_false(oro_document_write(doc, &fake_registry, "/nowhere/at/all.oro", &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    oro_document_destroy(doc);
    oro_document_destroy(again);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
}

TEST_GROUP(NULL, clean_up_xml);
