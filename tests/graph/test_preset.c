/* Presets: finding, applying, making. */
#include "tests/graph/support.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/document/expression.h"
#include "graph/reuse/preset.h"
#include "tests/support/folder.h"

static char folder[256];
static struct oro_error err;

#define NOISE(inputs) "  <node id=\"noise\" type=\"noise\" version=\"1\">\n" inputs "  </node>\n"
#define IN(name, value) "    <in name=\"" name "\" value=\"" value "\"/>\n"

/* The little that the tests need of a language: numbers, and the name of a variable. */
static struct oro_interpreter *create(struct oro_error *e)
{
    (void)e;
    return (struct oro_interpreter *)folder;
}
static void destroy(struct oro_interpreter *interpreter)
{
    (void)interpreter;
}
static bool evaluate(struct oro_interpreter *interpreter, const char *text, const struct oro_names *names,
                     double *value, struct oro_error *e)
{
    (void)interpreter;
    return oro_parse_number(text, value) || names->look_up(names->user, text, value, e);
}
static const struct oro_language language = {create, destroy, evaluate};
static struct oro_registry registry;

static struct oro_document *parse(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &registry, &problems);
    assert_non_null(doc);
    oro_problems_free(&problems);
    return doc;
}

static void write_below(const char *path, const char *text)
{
    char full[600], *slash;
    snprintf(full, sizeof full, "%s/%s", folder, path);
    slash = strrchr(full, '/');
    *slash = '\0';
    assert_true(oro_make_folders(full, &err));
    *slash = '/';
    assert_true(oro_file_write(full, text, strlen(text), &err));
}

static void expect_applied(const char *doc_text, const char *preset_text, bool reset, const char *wanted)
{
    struct oro_document *doc = parse(doc_text), *preset = parse(preset_text);
    if (!oro_preset_apply(doc, "n", preset, reset, &registry, NULL, &err))
        fail_msg("%s", err.text);
    expect_text(doc, wanted);
    if (strcmp(wanted, doc_text) != 0) { /* one step */
        assert_true(oro_document_undo(doc, &err));
        assert_false(oro_document_can_undo(doc, NULL));
        expect_text(doc, doc_text);
    }
    oro_document_destroy(doc);
    oro_document_destroy(preset);
}

#define N(inputs) "  <node id=\"n\" type=\"noise\" version=\"1\">\n" inputs "  </node>\n"

TEST(apply)
{
    const char *preset = DOCUMENT(NOISE(IN("size", "700") IN("octaves", "3")));
    expect_applied(DOCUMENT(N(IN("size", "500") IN("height", "9"))), preset, false,
                   DOCUMENT(N(IN("size", "700") IN("height", "9") IN("octaves", "3"))));
    expect_applied(DOCUMENT(N(IN("size", "500") IN("height", "9"))), preset, true,
                   DOCUMENT(N(IN("size", "700") IN("octaves", "3"))));
    expect_applied(DOCUMENT(N(IN("size", "700") IN("octaves", "3"))), preset, false,
                   DOCUMENT(N(IN("size", "700") IN("octaves", "3"))));
    /* An expression that can be evaluated in the document. */
    expect_applied(
        DOCUMENT("  <variable name=\"v\" value=\"4\"/>\n" N(IN("size", "500"))),
        DOCUMENT(NOISE("<in name=\"size\" expr=\"v\"/>")), false,
        DOCUMENT("  <variable name=\"v\" value=\"4\"/>\n" N("    <in name=\"size\" expr=\"v\"/>\n")));
}

static void count_notes(void *user, enum oro_level level, const char *text)
{
    (void)level, (void)text;
    ++*(int *)user;
}

/* Links stay, and so do inputs without a default. */
TEST(links)
{
    int notes = 0;
    const struct oro_log log = {count_notes, &notes};
    const char *text = DOCUMENT("  <node id=\"m\" type=\"noise\" version=\"1\"/>\n"
                                "  <node id=\"b\" type=\"blend\" version=\"1\">\n"
                                "    <in name=\"terrain\" from=\"m.field\"/>\n"
                                "    <in name=\"amount\" from=\"m.field\"/>\n"
                                "  </node>\n");
    struct oro_document *doc = parse(text);
    struct oro_document *preset =
        parse(DOCUMENT("<node id=\"b\" type=\"blend\" version=\"1\">" IN("amount", "1") "</node>"));
    assert_true(oro_preset_apply(doc, "b", preset, true, &registry, &log, &err));
    assert_int_equal(notes, 1);
    expect_text(doc, text);
    oro_document_destroy(doc);
    oro_document_destroy(preset);
}

static void expect_refused(const char *preset_text, const char *says)
{
    const char *text = DOCUMENT(N(IN("size", "500")));
    struct oro_document *doc = parse(text), *preset = parse(preset_text);
    assert_false(oro_preset_apply(doc, "n", preset, true, &registry, NULL, &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
    expect_text(doc, text); /* nothing is half done */
    assert_false(oro_document_can_undo(doc, NULL));
    oro_document_destroy(doc);
    oro_document_destroy(preset);
}

TEST(refused)
{
    expect_refused(DOCUMENT("<node id=\"b\" type=\"blend\" version=\"1\">" IN("amount", "1") "</node>"),
                   "node 'n' is of type 'noise', and the preset is one of 'blend'");
    expect_refused(DOCUMENT(NOISE(IN("octaves", "3") IN("size", "-1"))), "'size' does not fit");
    expect_refused(DOCUMENT(NOISE(IN("octaves", "3") IN("colour", "red"))), "sets 'colour'");
    expect_refused(DOCUMENT(NOISE(IN("octaves", "3") "<in name=\"size\" expr=\"relief\"/>")),
                   "'relief' is no variable");
    expect_refused(DOCUMENT(NOISE("<in name=\"method\" expr=\"1\"/>")), "it is no number");
}

static void expect_no_preset(const char *text, const char *says)
{
    char path[300];
    write_below("wrong.oro", text);
    snprintf(path, sizeof path, "%s/wrong.oro", folder);
    assert_null(oro_preset_read(path, &registry, &err));
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
}

TEST(read)
{
    expect_no_preset("no xml", "is no preset");
    expect_no_preset(DOCUMENT(""), "exactly one node");
    expect_no_preset(DOCUMENT(NOISE("") N("")), "exactly one node");
    expect_no_preset(DOCUMENT("<node id=\"a\" type=\"strange\" version=\"1\"/>"), "no known type");
    expect_no_preset(DOCUMENT("<node id=\"a\" type=\"noise\" version=\"3\"/>"), "newer than this program");
    expect_no_preset(DOCUMENT("<variable name=\"v\" value=\"1\"/>" NOISE("")), "variables");
    expect_no_preset(DOCUMENT(NOISE("<in name=\"size\" from=\"a.b\"/>")), "linked");
}

static void expect_made(const char *doc_text, bool all, int notes_wanted, const char *wanted)
{
    int notes = 0;
    const struct oro_log log = {count_notes, &notes};
    const struct oro_preset_about about = {.title = "A & B", .all = all};
    struct oro_document *doc = parse(doc_text);
    char *text = oro_preset_make(doc, "n", &about, &registry, &log, &err);
    if (!text)
        fail_msg("%s", err.text);
    assert_string_equal(text, wanted);
    assert_int_equal(notes, notes_wanted);
    oro_document_destroy(parse(text));
    oro_free(text);
    oro_document_destroy(doc);
}

TEST(make)
{
    expect_made(DOCUMENT("<variable name=\"v\" value=\"4\"/>" N(
                    IN("octaves", "3.0") IN("height", "0.1") "<in name=\"size\" expr=\"v\"/>"
                                                             "<in name=\"seed\" expr=\"7\"/>")),
                false, 1,
                DOCUMENT("  <about title=\"A &amp; B\"/>\n" NOISE(
                    IN("size", "4") IN("octaves", "3") "    <in name=\"seed\" expr=\"7\"/>\n")));
    expect_made(DOCUMENT("<node id=\"n\" type=\"import\" version=\"1\">" IN("file", "a.png")
                             IN("low", "5") "</node>"),
                true, 1,
                DOCUMENT("  <about title=\"A &amp; B\"/>\n"
                         "  <node id=\"import\" type=\"import\" version=\"1\">\n" IN("low", "5")
                             IN("high", "1000") "  </node>\n"));
    /* Links stay behind, and what must be linked is left open. */
    expect_made(
        DOCUMENT("<node id=\"m\" type=\"noise\" version=\"1\"/><node id=\"n\" type=\"blend\" "
                 "version=\"1\"><in name=\"terrain\" "
                 "from=\"m.field\"/><in name=\"amount\" from=\"m.field\"/>" IN("method", "add") "</node>"),
        false, 0,
        DOCUMENT("  <about title=\"A &amp; B\"/>\n"
                 "  <interface>\n    <in name=\"terrain\" to=\"blend.terrain\"/>\n  </interface>\n"
                 "  <node id=\"blend\" type=\"blend\" version=\"1\">\n" IN("method", "add") "  </node>\n"));
    struct oro_document *doc = parse(DOCUMENT(N(IN("size", "wide"))));
    assert_null(oro_preset_make(doc, "n", &(struct oro_preset_about){0}, &registry, NULL, &err));
    assert_non_null(strstr(err.text, "'wide'"));
    assert_null(oro_preset_make(doc, "m", &(struct oro_preset_about){0}, &registry, NULL, &err));
    oro_document_destroy(doc);
}

static void expect_found(const char *document, const char *name, const char *wanted)
{
    char *path = oro_preset_find(document, "noise", name, &registry, &err), full[600];
    snprintf(full, sizeof full, "%s/%s", folder, wanted);
    if (!path)
        fail_msg("%s", err.text);
    assert_string_equal(path, full);
    oro_free(path);
}

TEST(find)
{
    char document[300], path[600], data[300], target[600], link[600];
    snprintf(document, sizeof document, "%s/project/graph.oro", folder);
    snprintf(path, sizeof path, "%s/nowhere:%s/shared", folder, folder);
    snprintf(data, sizeof data, "%s/data", folder);
    setenv("OROGRAPH_PATH", path, 1);
    setenv("XDG_DATA_HOME", data, 1);
    const char *preset = DOCUMENT("<about title=\"T\"/>" NOISE(""));
    write_below("data/orograph/presets/noise/soft.oro", preset);
    expect_found(document, "soft", "data/orograph/presets/noise/soft.oro");
    write_below("shared/presets/noise/soft.oro", preset);
    expect_found(document, "soft", "shared/presets/noise/soft.oro");
    write_below("project/presets/noise/soft.oro", preset);
    expect_found(document, "soft", "project/presets/noise/soft.oro");
    /* Names are no paths, and links of a project do not lead out of it. */
    write_below("secret.oro", preset);
    const char *const bad[] = {"../../../secret", "", ".", "a/b", "soft.oro"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(oro_preset_find(document, "noise", bad[i], &registry, &err));
        assert_int_equal(err.code, ORO_E_USAGE);
        assert_null(oro_preset_find(document, bad[i], "soft", &registry, &err));
        assert_int_equal(err.code, ORO_E_USAGE);
    }
    snprintf(target, sizeof target, "%s/secret.oro", folder);
    snprintf(link, sizeof link, "%s/project/presets/noise/out.oro", folder);
    assert_int_equal(symlink(target, link), 0);
    assert_null(oro_preset_find(document, "noise", "out", &registry, &err));
    assert_null(oro_preset_find(document, "noise", "sotf", &registry, &err));
    assert_non_null(strstr(err.text, "did you mean 'soft'?"));
    /* The list contains each preset once. */
    write_below("shared/presets/noise/hard.oro", preset);
    write_below("shared/presets/noise/broken.oro", "no xml");
    write_below("shared/presets/blend/a.oro", preset);
    struct oro_arena *arena = oro_arena_create();
    struct oro_presets presets;
    assert_true(oro_presets_list(document, "noise", &registry, arena, &presets, &err));
    assert_int_equal(presets.count, 3);
    assert_string_equal(presets.items[0].name, "broken");
    assert_string_equal(presets.items[0].title, "");
    assert_string_equal(presets.items[1].name, "hard");
    assert_int_equal(presets.items[1].source, ORO_PRESET_PATH);
    assert_string_equal(presets.items[2].name, "soft");
    assert_string_equal(presets.items[2].title, "T");
    assert_int_equal(presets.items[2].source, ORO_PRESET_PROJECT);
    assert_true(oro_presets_list(document, NULL, &registry, arena, &presets, &err));
    assert_int_equal(presets.count, 4);
    assert_string_equal(presets.items[0].type, "blend");
    oro_arena_destroy(arena);
}

TEST(type)
{
    static const char *const hrefs[][2] = {{"alpine_range.oro", "alpine_range"},
                                           {"../lib/alpine_range.oro", "alpine_range"},
                                           {"#rock", "rock"},
                                           {"two words.oro", NULL},
                                           {"..", NULL}};
    struct oro_arena *arena = oro_arena_create();
    for (size_t i = 0; i < sizeof hrefs / sizeof hrefs[0]; i++) {
        const struct oro_doc_node node = {.type = (char *)"graph", .href = (char *)hrefs[i][0]};
        const char *type = oro_preset_type(&node, arena);
        assert_true(!type == !hrefs[i][1]);
        if (type)
            assert_string_equal(type, hrefs[i][1]);
    }
    oro_arena_destroy(arena);
}

FIXTURE(make_folder)
{
    snprintf(folder, sizeof folder, "/tmp/orograph-preset-XXXXXX");
    registry = fake_registry;
    registry.language = &language;
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
    return remove_tree(folder) == 0 ? clean_up_xml(state) : -1;
}

TEST_GROUP(make_folder, remove_folder);
