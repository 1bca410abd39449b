/* Finding the files of graphs that are used as nodes; their versions; and files that mean harm. */
#include "tests/graph/reuse_support.h"

#define NOISE(id, rest) "<node id=\"" id "\" type=\"noise\" version=\"1\">" rest "</node>"
#define USE(id, href) "<node id=\"" id "\" type=\"graph\" href=\"" href "\"/>"
#define SIZE(size)                                                                                           \
    DOCUMENT("<interface><out name=\"f\" from=\"n.field\"/></interface>" NOISE(                              \
        "n", "<in name=\"size\" value=\"" size "\"/>"))
#define PLAIN(size) DOCUMENT(NOISE("n", "<in name=\"size\" value=\"" size "\"/>"))

static struct oro_hash plain_key(const char *text)
{
    struct oro_document *doc = parse_valid(text);
    struct oro_hash key = key_of(doc, "n", "field");
    oro_document_destroy(doc);
    return key;
}

/* The key of the output of a node that uses this file, in a document at that place. */
static struct oro_hash use_key(const char *document, const char *href)
{
    char text[1000];
    struct oro_problems problems = {0};
    snprintf(text, sizeof text, DOCUMENT(USE("u", "%s")), href);
    struct oro_document *doc = parse_at(document, text, &problems);
    if (problems.count) {
        print_problems(&problems);
        fail_msg("'%s' is not found from '%s'", href, document);
    }
    struct oro_hash key = key_of(doc, "u", "f");
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    return key;
}

/* The one problem that a document with one use of `href` has. */
static void expect_fault(const char *href, const char *code, const char *reason)
{
    struct oro_text text = {0};
    struct oro_problems problems = {0};
    oro_text_add(&text,
                 "<?xml version=\"1.0\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                 "<node id=\"ok\" type=\"noise\" version=\"1\"/>\n<node id=\"u\" type=\"graph\" href=\"");
    oro_text_add(&text, href);
    oro_text_add(&text, "\"/>\n</orograph>\n");
    assert_false(text.failed);
    struct oro_document *doc = parse_at("document.oro", text.data, &problems);
    expect_problem(&problems, code, 4, reason);
    assert_int_equal(problems.errors, 1);
    assert_int_equal(oro_problems_fatal(&problems), 0);
    assert_string_equal(problems.items[0].node, "u");
    /* Outputs that do not need it are available. */
    oro_plan_destroy(plan_of(doc, "ok", "field"));
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    oro_text_free(&text);
}

/* ---- Finding ---- */

TEST_WITH(places, open_reuse, close_reuse)
{
    char path[600];
    make_folder("p");
    make_folder("p/sub");
    make_folder("one");
    make_folder("two");
    make_file("p/a.oro", SIZE("11"));
    make_file("one/a.oro", SIZE("12"));
    make_file("two/a.oro", SIZE("13"));
    make_file("one/b.oro", SIZE("21"));
    make_file("two/b.oro", SIZE("22"));
    make_file("two/c.oro", SIZE("31"));
    snprintf(path, sizeof path, "%s:%s/nothing::%s", at("one"), at("two"), at("two"));
    setenv("OROGRAPH_PATH", path, 1);
    assert_true(same_key(use_key("p/d.oro", "a.oro"), plain_key(PLAIN("11")))); /* beside it first */
    assert_true(same_key(use_key("q.oro", "a.oro"), plain_key(PLAIN("12"))));   /* then in order */
    assert_true(same_key(use_key("p/d.oro", "b.oro"), plain_key(PLAIN("21"))));
    assert_true(same_key(use_key("p/d.oro", "c.oro"), plain_key(PLAIN("31"))));
}

/* Files that a file names lie beside it, wherever it is used. */
TEST_WITH(nested_places, open_reuse, close_reuse)
{
    make_folder("lib");
    make_folder("lib/parts");
    make_folder("project");
    make_file("lib/outer.oro",
              DOCUMENT("<interface><out name=\"f\" from=\"i.f\"/></interface>" USE("i", "parts/inner.oro")));
    make_file("lib/parts/inner.oro",
              DOCUMENT("<interface><out name=\"f\" from=\"i.f\"/></interface>" USE("i", "last.oro")));
    make_file("lib/parts/last.oro", SIZE("44"));
    make_file("project/last.oro", SIZE("45"));
    setenv("OROGRAPH_PATH", at("lib"), 1);
    assert_true(same_key(use_key("project/d.oro", "outer.oro"), plain_key(PLAIN("44"))));
    assert_true(same_key(use_key("project/d.oro", "last.oro"), plain_key(PLAIN("45"))));
}

static struct oro_hash import_key(const char *text, const char *node, const char *output)
{
    struct oro_document *doc = parse_valid(text);
    struct oro_hash key = key_of(doc, node, output);
    oro_document_destroy(doc);
    return key;
}

/* Maps that a graph names lie beside it; those that its user gives lie beside the user's document. */
TEST_WITH(files_within, open_reuse, close_reuse)
{
    make_folder("lib");
    make_file("lib/map.png", "a map");
    make_file("map.png", "another map");
    make_file(
        "lib/i.oro",
        DOCUMENT(
            "<interface><in name=\"map\" to=\"i.file\"/><in name=\"second\" to=\"j.file\" "
            "default=\"map.png\"/>"
            "<out name=\"f\" from=\"i.terrain\"/><out name=\"s\" from=\"j.terrain\"/></interface>"
            "<node id=\"i\" type=\"import\" version=\"1\"><in name=\"file\" value=\"map.png\"/></node><node "
            "id=\"j\" type=\"import\" version=\"1\"/>"));
#define IMPORT(file)                                                                                         \
    DOCUMENT("<node id=\"i\" type=\"import\" version=\"1\"><in name=\"file\" value=\"" file "\"/></node>")
    struct oro_hash inside = import_key(IMPORT("lib/map.png"), "i", "terrain");
    struct oro_hash outside = import_key(IMPORT("map.png"), "i", "terrain");
    assert_false(same_key(inside, outside));
#define USE_MAP                                                                                              \
    DOCUMENT(                                                                                                \
        "<node id=\"u\" type=\"graph\" href=\"lib/i.oro\" version=\"1\"/><node id=\"v\" type=\"graph\" "     \
        "href=\"lib/i.oro\"><in name=\"map\" value=\"map.png\"/><in name=\"second\" "                        \
        "value=\"map.png\"/></node>")
    assert_true(same_key(import_key(USE_MAP, "u", "f"), inside));
    assert_true(same_key(import_key(USE_MAP, "u", "s"), inside));
    assert_true(same_key(import_key(USE_MAP, "v", "f"), outside));
    assert_true(same_key(import_key(USE_MAP, "v", "s"), outside));
}

/* The interface's defaults hold for the document itself, though some other entry leads to what is missing. */
TEST_WITH(defaults_without_a_graph, open_reuse, close_reuse)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at(
        "d.oro",
        DOCUMENT("<interface><in name=\"relief\" to=\"gone.relief\"/><in name=\"size\" to=\"n.size\" "
                 "default=\"77\"/></interface>" NOISE("n", "") USE("gone", "gone.oro")),
        &problems);
    assert_true(same_key(key_of(doc, "n", "field"), plain_key(PLAIN("77"))));
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* ---- Versions ---- */

static const char *const first_version = DOCUMENT(
    "<interface version=\"1\"><in name=\"relief\" to=\"n.height\"/><in name=\"width\" to=\"n.size\"/><in "
    "name=\"old\" to=\"n.octaves\"/><out name=\"ground\" from=\"n.field\"/></interface>" NOISE("n", ""));
static const char *const second_version = DOCUMENT(
    "<interface version=\"2\"><in name=\"height\" to=\"n.height\" was=\"relief  tall\"/><in name=\"width\" "
    "to=\"n.size\"/><out name=\"terrain\" from=\"n.field\" was=\"ground\"/></interface>" NOISE("n", ""));
#define OWNER(version, inputs, output)                                                                       \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "  <interface>\n    <in name=\"r\" to=\"u." inputs "\"/>\n    <out name=\"t\" from=\"u." output          \
    "\"/>\n  </interface>\n"                                                                                 \
    "  <node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"" version "\">\n    <in name=\"" inputs        \
    "\" value=\"40\"/>\n  </node>\n"                                                                         \
    "  <node id=\"e\" type=\"erode\" version=\"3\">\n    <in name=\"terrain\" from=\"u." output              \
    "\"/>\n  </node>\n</orograph>\n"

TEST_WITH(renamed, open_reuse, close_reuse)
{
    make_file("a.oro", first_version);
    struct oro_document *before = parse_valid(OWNER("1", "relief", "ground"));
    struct oro_hash key = key_of(before, "e", "terrain");
    oro_document_destroy(before);
    make_file("a.oro", second_version);
    reopen_registry();
    struct oro_problems problems = {0};
    struct oro_document *after = parse_at("document.oro", OWNER("1", "relief", "ground"), &problems);
    assert_int_equal(problems.errors, 0);
    expect_problem(&problems, "migrated", 8, "'relief' is called 'height' now");
    expect_problem(&problems, "migrated", 11, "'ground' is called 'terrain' now");
    expect_problem(&problems, "migrated", 4, "'relief'");
    expect_problem(&problems, "migrated", 5, "'ground'");
    expect_problem(&problems, "migrated", 7, "from version 1 to version 2");
    assert_true(same_key(key, key_of(after, "e", "terrain")));
    char *text = text_of(after);
    assert_string_equal(text, OWNER("2", "height", "terrain"));
    oro_problems_free(&problems);
    oro_document_destroy(after);
    after = parse_at("document.oro", text, &problems);
    assert_int_equal(problems.count, 0);
    oro_free(text);
    oro_document_destroy(after);
}

/* A name that is listed among old ones, but is again that of an input, is that input's. */
TEST_WITH(renamed_and_back, open_reuse, close_reuse)
{
    make_file(
        "a.oro",
        DOCUMENT("<interface version=\"3\"><in name=\"b\" to=\"n.size\" was=\"a\"/><in name=\"a\" "
                 "to=\"n.height\" was=\"b\"/><out name=\"f\" from=\"n.field\"/></interface>" NOISE("n", "")));
    struct oro_problems problems = {0};
    static const char text[] = DOCUMENT("<node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"3\"><in "
                                        "name=\"a\" value=\"1\"/><in name=\"b\" value=\"2\"/></node>");
    struct oro_document *doc = parse_at("d.oro", text, &problems);
    assert_int_equal(problems.count, 0);
    const struct oro_doc_node *node = oro_document_find(doc, "u");
    assert_string_equal(oro_doc_node_input(node, "a")->value, "1");
    assert_string_equal(oro_doc_node_input(node, "b")->value, "2");
    oro_document_destroy(doc);
}

/* An input given under both names: the new one counts, and neither is lost. */
TEST_WITH(renamed_twice_given, open_reuse, close_reuse)
{
    make_file("a.oro", second_version);
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at(
        "d.oro",
        DOCUMENT(
            "<node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"1\"><in name=\"relief\" value=\"1\"/><in "
            "name=\"height\" value=\"2\"/></node>"),
        &problems);
    char *text = text_of(doc);
    expect_contains(text, "name=\"relief\" value=\"1\"");
    expect_contains(text, "name=\"height\" value=\"2\"");
    oro_free(text);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* An input that is gone, without a name to follow, is an error as long as it has a value, which is kept; so
 * is one that an older graph does not have yet. */
TEST_WITH(vanished, open_reuse, close_reuse)
{
    static const char text[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
        "  <node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"1\">\n    <in name=\"old\" value=\"3\"/>\n"
        "    <in name=\"width\" value=\"90\"/>\n  </node>\n</orograph>\n";
    make_file("a.oro", second_version);
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("document.oro", text, &problems);
    expect_problem(&problems, "unknown-input", 4, "'a' has no input 'old'");
    assert_int_equal(problems.errors, 1);
    char *written = text_of(doc);
    assert_string_equal(written, text);
    oro_free(written);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(older, open_reuse, close_reuse)
{
    make_file("a.oro", first_version);
    struct oro_problems problems = {0};
    static const char text[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
        "  <node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"2\">\n    <in name=\"height\" "
        "value=\"3\"/>\n"
        "    <in name=\"width\" value=\"90\"/>\n  </node>\n</orograph>\n";
    struct oro_document *doc = parse_at("document.oro", text, &problems);
    expect_problem(&problems, "older-graph", 3, "version 2");
    expect_problem(&problems, "unknown-input", 4, "'a' has no input 'height'");
    assert_int_equal(problems.errors, 1);
    char *written = text_of(doc);
    assert_string_equal(written, text);
    oro_free(written);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* Misspelt in a document of the same version: an error, with a suggestion. */
TEST_WITH(unknown_input, open_reuse, close_reuse)
{
    make_file("a.oro", second_version);
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro",
                                        DOCUMENT("<node id=\"u\" type=\"graph\" href=\"a.oro\" "
                                                 "version=\"2\"><in name=\"widht\" value=\"3\"/></node>"),
                                        &problems);
    expect_problem(&problems, "unknown-input", 3, "did you mean 'width'");
    assert_int_equal(problems.errors, 1);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* ---- Missing and broken ---- */

TEST_WITH(missing, open_reuse, close_reuse)
{
    expect_fault("gone.oro", "missing-graph", "'gone.oro' is missing");
    expect_fault("", "bad-graph", "needs href");
    expect_fault("#", "missing-graph", "no group");
    expect_fault("#gone", "missing-graph", "no group 'gone'");
    make_file("broken.oro", "<orograph");
    expect_fault("broken.oro", "bad-graph", "'broken.oro' is not a valid graph: line 1");
    make_file("empty.oro", "");
    expect_fault("empty.oro", "bad-graph", "not a valid graph");
    make_file("other.oro", "<?xml version=\"1.0\"?>\n<svg/>");
    expect_fault("other.oro", "bad-graph", "<svg>");
    make_file("wrong.oro", DOCUMENT("<interface><out name=\"f\" from=\"n.field\"/></interface>" NOISE(
                               "n", "<in name=\"size\" value=\"x\"/>")));
    expect_fault("wrong.oro", "bad-graph", "line 3: input 'size'");
    make_file("plain.oro", DOCUMENT(NOISE("n", "")));
    expect_fault("plain.oro", "bad-graph", "no interface");
}

/* A missing file deep inside: what does not need it works, at every level. */
TEST_WITH(missing_within, open_reuse, close_reuse)
{
    make_file("a.oro",
              DOCUMENT("<interface><out name=\"good\" from=\"b.good\"/><out name=\"bad\" "
                       "from=\"b.bad\"/><out name=\"lost\" from=\"b.lost\"/></interface>" USE("b", "b.oro")));
    make_file("b.oro",
              DOCUMENT("<interface><out name=\"good\" from=\"n.field\"/><out name=\"bad\" "
                       "from=\"e.terrain\"/><out name=\"lost\" from=\"c.f\"/></interface>" NOISE("n", "")
                           USE("c", "gone.oro") "<node id=\"e\" type=\"erode\" version=\"3\"><in "
                                                "name=\"terrain\" from=\"c.f\"/></node>"));
    struct oro_document *doc = parse_valid(DOCUMENT(USE("a", "a.oro")));
    assert_true(same_key(key_of(doc, "a", "good"), plain_key(DOCUMENT(NOISE("n", "")))));
    struct oro_error err = {0};
    const struct oro_plan_options options = {0};
    assert_null(plan_with(doc, "a", "lost", &options, &err));
    assert_string_equal(err.node, "a/b/c");
    assert_null(plan_with(doc, "a", "bad", &options, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    expect_contains(err.text, "gone.oro");
    expect_contains(err.document, "b.oro"); /* the document that names it */
    assert_string_equal(err.node, "a/b/c");
    oro_document_destroy(doc);
}

/* ---- Where files may lie ---- */

TEST_WITH(outside, open_reuse, close_reuse)
{
    make_folder("project");
    make_folder("secret");
    make_file("secret/s.oro", SIZE("5"));
    make_file("up.oro", SIZE("5"));
    char deep[4000] = "";
    for (int i = 0; i < 1000; i++)
        strcat(deep, "../");
    strcat(deep, "etc/passwd");
    assert_int_equal(symlink(at("secret"), at("project/door")), 0);
    assert_int_equal(symlink(at("secret/s.oro"), at("project/s.oro")), 0);
    assert_int_equal(symlink("/dev/zero", at("zero.oro")), 0);
    assert_int_equal(symlink("loop.oro", at("loop.oro")), 0);
    assert_int_equal(symlink("nowhere.oro", at("dangling.oro")), 0);
    assert_int_equal(mkfifo(at("pipe.oro"), 0600), 0);
    make_folder("folder.oro");
    static const struct {
        const char *href, *reason;
    } wrong[] = {
        {"/dev/zero", "absolute"},
        {"/dev/random", "absolute"},
        {"../up.oro", "leads out"},
        {"a/../../up.oro", "leads out"},
        {"zero.oro", "leads out"},
        {"loop.oro", ""},
        {"dangling.oro", ""},
        {"pipe.oro", "not a regular file"},
        {"folder.oro", "not a regular file"},
        {".", "not a regular file"},
        {"project/door/s.oro", ""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0] - 1; i++)
        expect_fault(wrong[i].href, "missing-graph", wrong[i].reason);
    expect_fault(deep, "missing-graph", "../..");
    /* From within the project. */
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at(
        "project/d.oro", DOCUMENT(USE("a", "door/s.oro") USE("b", "s.oro") USE("c", "../up.oro")), &problems);
    assert_int_equal(problems.errors, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(problems.items[i].code, "missing-graph");
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    /* Devices are no graphs even where any path is allowed. */
    close_registry();
    open_registry(true);
    expect_fault("/dev/zero", "missing-graph", "not a regular file");
    expect_fault("zero.oro", "missing-graph", "not a regular file");
    expect_fault("pipe.oro", "missing-graph", "not a regular file");
    assert_true(same_key(use_key("project/d.oro", "../up.oro"), plain_key(PLAIN("5"))));
    assert_true(same_key(use_key("project/d.oro", "door/s.oro"), plain_key(PLAIN("5"))));
}

TEST_WITH(strange_names, open_reuse, close_reuse)
{
    struct oro_text long_name = {0};
    for (int i = 0; i < 100000; i++)
        oro_text_add(&long_name, "x");
    expect_fault(long_name.data, "missing-graph", "longer than a path can be");
    oro_text_free(&long_name);
    for (int i = 0; i < 50000; i++)
        oro_text_add(&long_name, "x/");
    expect_fault(long_name.data, "missing-graph", "longer than a path can be");
    oro_text_free(&long_name);
    expect_fault("a&#10;b&#9;c&#13;d.oro", "missing-graph", "d.oro");
    expect_fault("%s%n%s.oro", "missing-graph", "%s%n%s.oro");
    expect_fault("#%s&#10;", "missing-graph", "no group");
    expect_fault(" ", "missing-graph", "");
}

/* ---- Graphs that contain themselves ---- */

TEST_WITH(cycles, open_reuse, close_reuse)
{
#define FORWARD(id, href) DOCUMENT("<interface><out name=\"f\" from=\"" id ".f\"/></interface>" USE(id, href))
    make_file("own.oro", FORWARD("x", "own.oro"));
    expect_fault("own.oro", "bad-graph", "own.oro -> own");
    make_file("a2.oro", FORWARD("x", "b2.oro"));
    make_file("b2.oro", FORWARD("x", "a2.oro"));
    expect_fault("a2.oro", "bad-graph", "-> ");
    make_file("a3.oro", FORWARD("x", "b3.oro"));
    make_file("b3.oro", FORWARD("x", "c3.oro"));
    make_file("c3.oro", FORWARD("x", "a3.oro"));
    expect_fault("a3.oro", "bad-graph", "contains itself");
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro", FORWARD("x", "a3.oro"), &problems);
    bool whole = false;
    for (size_t i = 0; i < problems.count; i++)
        whole |= strstr(problems.items[i].text, "b3") && strstr(problems.items[i].text, "c3") &&
                 strstr(problems.items[i].text, "a3");
    if (!whole)
        print_problems(&problems);
    assert_true(whole); /* the message tells the whole chain */
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    /* The document itself is a part of what it uses. */
    make_file("d.oro", FORWARD("x", "back.oro"));
    make_file("back.oro", FORWARD("x", "d.oro"));
    doc = oro_document_read(at("d.oro"), &reuse, &problems);
    assert_non_null(doc);
    oro_check(doc, &reuse, &problems);
    expect_problem(&problems, "bad-graph", -1, "d");
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(group_cycles, open_reuse, close_reuse)
{
#define GROUP(name, uses)                                                                                    \
    "<group name=\"" name                                                                                    \
    "\"><interface><out name=\"f\" from=\"i.f\"/></interface><node id=\"i\" type=\"graph\" href=\"" uses     \
    "\"/></group>"
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro",
                                        DOCUMENT(GROUP("own", "#own") GROUP("a", "#b") GROUP("b", "#c") GROUP(
                                            "c", "#a") USE("x", "#own") USE("y", "#a") NOISE("ok", "")),
                                        &problems);
    expect_problem(&problems, "bad-graph", -1, "own -> own");
    expect_problem(&problems, "bad-graph", -1, "a -> b -> c -> a");
    oro_plan_destroy(plan_of(doc, "ok", "field"));
    const struct oro_plan_options options = {0};
    struct oro_error err = {0};
    assert_null(plan_with(doc, "y", "f", &options, &err));
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* A file reached through a symbolic link counts as the same file. */
TEST_WITH(cycle_by_link, open_reuse, close_reuse)
{
    make_folder("in");
    make_file("in/a.oro", FORWARD("x", "other.oro"));
    assert_int_equal(symlink("a.oro", at("in/other.oro")), 0);
    expect_fault("in/a.oro", "bad-graph", "contains itself");
}

/* ---- Too much ---- */

/* Each uses the next: given up after ORO_GRAPH_DEPTH_MAX, whatever the number. */
TEST_WITH(deep, open_reuse, close_reuse)
{
    char name[64], text[600];
    enum { FILES = 1000 };
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "f%d.oro", i);
        snprintf(text, sizeof text, FORWARD("x", "f%d.oro"), i + 1);
        FILE *file = fopen(at(name), "w"); /* without waiting for the disk */
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    }
    expect_fault("f0.oro", "bad-graph", "more than 32 deep");
    snprintf(name, sizeof name, "f%d.oro", FILES - 20);
    make_file("f1000.oro", SIZE("8"));
    reopen_registry();
    assert_true(same_key(use_key("d.oro", name), plain_key(PLAIN("8"))));
}

TEST_WITH(deep_groups, open_reuse, close_reuse)
{
    struct oro_text text = {0};
    struct oro_problems problems = {0};
    oro_text_add(&text, "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\">");
    for (int i = 0; i < 10000; i++)
        oro_text_addf(&text, "<group name=\"g%d\">", i);
    for (int i = 0; i < 10000; i++)
        oro_text_add(&text, "</group>");
    oro_text_add(&text, "</orograph>");
    assert_null(oro_document_parse(text.data, text.length, "", &reuse, &problems));
    expect_problem(&problems, "limit", -1, "nested too deeply");
    oro_problems_free(&problems);
    oro_text_free(&text);
    struct oro_document *doc =
        parse_at("d.oro", DOCUMENT("<group name=\"a\"><group name=\"b\"/></group>"), &problems);
    expect_problem(&problems, "nested-group", 3, "beside");
    char *written = text_of(doc);
    expect_contains(written, "name=\"b\"");
    oro_free(written);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* Each graph uses the next twice: 2^n nodes out of n files. Measured with a limit of 4 GB of address space:
 * refused after some 0.5 s and 250 MB. */
TEST_WITH(doubling, open_reuse, close_reuse)
{
    char name[64], text[900];
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "f%d.oro", i);
        snprintf(
            text, sizeof text,
            DOCUMENT(
                "<interface><in name=\"t\" to=\"b.t\"/><out name=\"f\" from=\"e.terrain\"/></interface>" USE(
                    "a", "f%d.oro")
                    USE("b", "f%d.oro") "<node id=\"e\" type=\"blend\" version=\"1\"><in name=\"terrain\" "
                                        "from=\"a.f\"/><in name=\"other\" from=\"b.f\"/></node>"),
            i + 1, i + 1);
        make_file(name, text);
    }
    make_file(
        "f30.oro",
        DOCUMENT(
            "<interface><in name=\"t\" to=\"n.size\"/><out name=\"f\" from=\"n.field\"/></interface>" NOISE(
                "n", "")));
    struct oro_document *doc = parse_valid(DOCUMENT(USE("x", "f0.oro")));
    const struct oro_plan_options options = {0};
    struct oro_error err = {0};
    assert_null(plan_with(doc, "x", "f", &options, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    oro_document_destroy(doc);
    doc = parse_valid(DOCUMENT(USE("x", "f20.oro")));
    oro_plan_destroy(plan_of(doc, "x", "f"));
    oro_document_destroy(doc);
}

/* The same with wide interfaces and many variables: what is made for each use is counted. */
TEST_WITH(wide_doubling, open_reuse, close_reuse)
{
    enum { WIDTH = 300 };
    char name[64];
    for (int i = 0; i <= 24; i++) {
        struct oro_text text = {0};
        oro_text_add(&text, "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\">");
        for (int k = 0; k < WIDTH; k++)
            oro_text_addf(&text, "<variable name=\"v%d\" value=\"1\"/>", k);
        oro_text_add(&text, "<interface><out name=\"f\" from=\"e.terrain\"/>");
        for (int k = 0; k < WIDTH; k++)
            oro_text_addf(&text, "<in name=\"i%d\" to=\"v%d\"/>", k, k);
        oro_text_add(&text, "</interface>");
        for (int k = 0; k < 2; k++)
            oro_text_addf(&text, "<node id=\"%c\" type=\"%s\" href=\"f%d.oro\" version=\"1\"/>", 'a' + k,
                          i < 24 ? "graph" : "noise", i + 1);
        oro_text_addf(&text,
                      "<node id=\"e\" type=\"blend\" version=\"1\"><in name=\"terrain\" from=\"a.%s\"/><in "
                      "name=\"other\" "
                      "from=\"b.%s\"/></node></orograph>",
                      i < 24 ? "f" : "field", i < 24 ? "f" : "field");
        snprintf(name, sizeof name, "f%d.oro", i);
        make_file(name, text.data);
        oro_text_free(&text);
    }
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro", DOCUMENT(USE("x", "f0.oro")), &problems);
    const struct oro_plan_options options = {0};
    struct oro_error err = {0};
    assert_null(plan_with(doc, "x", "f", &options, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(many_files, open_reuse, close_reuse)
{
    char name[64];
    struct oro_text text = {0};
    struct oro_problems problems = {0};
    oro_text_add(&text, "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\">");
    for (int i = 0; i < ORO_ASSETS_MAX + 6; i++) {
        snprintf(name, sizeof name, "m%d.oro", i);
        FILE *file = fopen(at(name), "w");
        fputs(SIZE("5"), file);
        fclose(file);
        oro_text_addf(&text, "<node id=\"n%d\" type=\"graph\" href=\"m%d.oro\" version=\"1\"/>", i, i);
    }
    oro_text_add(&text, "</orograph>");
    struct oro_document *doc = parse_at("d.oro", text.data, &problems);
    assert_int_equal(problems.errors, 6);
    expect_problem(&problems, "bad-graph", -1, "more than 1024 different graphs");
    oro_plan_destroy(plan_of(doc, "n1000", "f"));
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    oro_text_free(&text);
}

TEST_WITH(huge_file, open_reuse, close_reuse)
{
    FILE *file = fopen(at("huge.oro"), "w");
    assert_non_null(file);
    fputs(SIZE("5"), file);
    assert_int_equal(ftruncate(fileno(file), 65 * 1024 * 1024), 0);
    fclose(file);
    expect_fault("huge.oro", "bad-graph", "huge.oro");
}

TEST_WITH(many_missing, open_reuse, close_reuse)
{
    struct oro_text text = {0};
    struct oro_problems problems = {0};
    oro_text_add(&text, "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\"><node "
                        "id=\"ok\" type=\"noise\" version=\"1\"/>");
    for (int i = 0; i < 5000; i++)
        oro_text_addf(&text, "<node id=\"n%d\" type=\"graph\" href=\"no%d.oro\" version=\"1\"/>", i, i);
    oro_text_add(&text, "</orograph>");
    struct oro_document *doc = parse_at("d.oro", text.data, &problems);
    assert_int_equal(problems.errors, 5000);
    oro_plan_destroy(plan_of(doc, "ok", "field"));
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    oro_text_free(&text);
}

/* ---- Memory ---- */

TEST_WITH(memory, open_reuse, close_reuse)
{
    make_file("inner.oro", SIZE("5"));
    make_file("a.oro", DOCUMENT("<variable name=\"v\" value=\"2\"/><interface version=\"2\"><in name=\"v\" "
                                "to=\"v\" was=\"w\"/><in name=\"s\" to=\"n.size\"/><out name=\"f\" "
                                "from=\"i.f\"/><out name=\"g\" from=\"n.field\"/></interface>" USE(
                                    "i", "inner.oro") NOISE("n", "<in name=\"height\" expr=\"v / 3\"/>")));
    static const char text[] = DOCUMENT(
        "<node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"1\"><in name=\"w\" value=\"3\"/></node>");
    bool done = false;
    for (size_t n = 1; !done; n += 1 + n / 64) {
        struct oro_problems problems = {0};
        struct oro_error err = {0};
        struct oro_device device = FAKE_DEVICE;
        const struct oro_target target = {.node = "u", .output = "g"};
        const struct oro_plan_options options = {0};
        reopen_registry();
        oro_memory_fail_at(n);
        struct oro_document *doc = oro_document_parse(text, strlen(text), at("d.oro"), &reuse, &problems);
        struct oro_plan *plan = NULL;
        if (doc) {
            oro_check(doc, &reuse, &problems);
            plan = oro_plan_create(doc, &reuse, &target, 1, &options, &device, NULL, &err);
        }
        oro_memory_fail_at(0);
        done = plan && problems.errors == 0;
        oro_plan_destroy(plan);
        oro_problems_free(&problems);
        oro_document_destroy(doc);
        assert_true(n < 100000);
    }
}

/* ---- Changes ---- */

static void expect_refreshed(const char *document, const char *size)
{
    assert_true(oro_assets_refresh(reuse.assets));
    assert_true(same_key(use_key(document, "a.oro"), plain_key(size)));
    assert_false(oro_assets_refresh(reuse.assets));
}

TEST_WITH(refresh, open_reuse, close_reuse)
{
    make_folder("p");
    make_folder("lib");
    setenv("OROGRAPH_PATH", at("lib"), 1);
    assert_false(oro_assets_refresh(reuse.assets));
    make_file("lib/a.oro", SIZE("11"));
    assert_true(same_key(use_key("p/d.oro", "a.oro"), plain_key(PLAIN("11"))));
    assert_false(oro_assets_refresh(reuse.assets));
    make_file("lib/a.oro", SIZE("12")); /* changes, with the same size */
    expect_refreshed("p/d.oro", PLAIN("12"));
    make_file("p/a.oro", SIZE("13")); /* is hidden by one that is nearer */
    expect_refreshed("p/d.oro", PLAIN("13"));
    assert_int_equal(unlink(at("p/a.oro")), 0);
    expect_refreshed("p/d.oro", PLAIN("12"));
    assert_int_equal(unlink(at("lib/a.oro")), 0); /* goes, and comes */
    assert_true(oro_assets_refresh(reuse.assets));
    expect_fault("a.oro", "missing-graph", "missing");
    assert_false(oro_assets_refresh(reuse.assets));
    make_file("a.oro", SIZE("14"));
    expect_refreshed("document.oro", PLAIN("14"));
}

/* The type of a group that stays open follows the file that it uses. */
TEST_WITH(refresh_type, open_reuse, close_reuse)
{
    static const char part[] = DOCUMENT("<interface><in name=\"size\" to=\"n.size\" default=\"%d\"/>"
                                        "<out name=\"f\" from=\"n.field\"/></interface>" NOISE("n", ""));
    char text[1000];
    struct oro_problems problems = {0};
    snprintf(text, sizeof text, part, 11);
    make_file("a.oro", text);
    struct oro_document *doc =
        parse_at("document.oro",
                 DOCUMENT("<group name=\"g\"><interface><in name=\"size\" to=\"i.size\"/><out name=\"f\" "
                          "from=\"i.f\"/></interface>" USE("i", "a.oro") "</group>" USE("u", "#g")),
                 &problems);
    const struct oro_doc_node *node = oro_document_find(doc, "u");
    assert_true(oro_type_input(oro_type_of(&reuse, doc, node, NULL), "size")->value == 11);
    snprintf(text, sizeof text, part, 12);
    make_file("a.oro", text);
    assert_true(oro_assets_refresh(reuse.assets));
    assert_true(oro_type_input(oro_type_of(&reuse, doc, node, NULL), "size")->value == 12);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_GROUP(NULL, clean_up_xml);
