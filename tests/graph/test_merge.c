/* Merging two versions of a document. */
#include "tests/graph/support.h"

#include "graph/derived/assets.h"
#include "graph/reuse/diff.h"
#include "graph/reuse/merge.h"

#define N(content) "  <node id=\"n\" type=\"noise\">\n" content "  </node>\n"
#define B(content)                                                                                           \
    "  <node id=\"b\" type=\"blend\">\n    <in name=\"terrain\" from=\"n.field\"/>\n" content "  </node>\n"
#define SIZE(value) "    <in name=\"size\" value=\"" value "\"/>\n"
#define HEIGHT(value) "    <in name=\"height\" value=\"" value "\"/>\n"
#define EMPTY_N "  <node id=\"n\" type=\"noise\"/>\n"

/* With graphs as nodes. */
static struct oro_registry registry;

static struct oro_document *read_graph(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &registry, &problems);
    assert_non_null(doc);
    oro_problems_free(&problems);
    return doc;
}

static size_t errors_of(const struct oro_document *doc)
{
    struct oro_problems problems = {0};
    oro_check(doc, &registry, &problems);
    size_t errors = problems.errors;
    oro_problems_free(&problems);
    return errors;
}

static struct oro_document *merge(const char *base, const char *ours, const char *theirs,
                                  const char *conflicts)
{
    struct oro_error err = {0};
    struct oro_conflicts found;
    struct oro_text lines = {0};
    struct oro_document *docs[] = {read_graph(base), read_graph(ours), read_graph(theirs)};
    oro_text_add(&lines, "");
    struct oro_document *merged = oro_merge(docs[0], docs[1], docs[2], &registry, &found, &err);
    if (!merged)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < found.count; i++) {
        oro_conflict_line(&found.items[i], &lines);
        oro_text_add(&lines, "\n");
    }
    assert_string_equal(lines.data, conflicts);
    if (errors_of(docs[1]) == 0 && errors_of(docs[2]) == 0)
        assert_int_equal(errors_of(merged), 0);
    oro_text_free(&lines);
    oro_conflicts_free(&found);
    for (size_t i = 0; i < 3; i++)
        oro_document_destroy(docs[i]);
    return merged;
}

static void expect_merge(const char *base, const char *ours, const char *theirs, const char *wanted,
                         const char *conflicts)
{
    struct oro_document *merged = merge(base, ours, theirs, conflicts);
    expect_text(merged, wanted);
    oro_document_destroy(merged);
}

TEST(trivial)
{
    const char *one = DOCUMENT(N(SIZE("1"))), *two = DOCUMENT(N(SIZE("2")) "  <!-- c -->\n");
    expect_merge(one, one, one, one, "");
    expect_merge(one, two, one, two, "");
    expect_merge(one, one, two, two, "");
    expect_merge(one, two, two, two, "");
}

TEST(combine)
{
    expect_merge(
        DOCUMENT("  <world extent=\"5000\"/>\n  <variable name=\"v\" value=\"1\"/>\n" N(SIZE("1")) B("")),
        DOCUMENT(
            "  <about title=\"T\"/>\n  <world extent=\"6000\"/>\n  <variable name=\"v\" value=\"2\"/>\n" N(
                SIZE("2")) B("    <in name=\"amount\" value=\"1\"/>\n")),
        DOCUMENT("  <world extent=\"5000\" seed=\"3\"/>\n"
                 "  <variable name=\"v\" value=\"1\" label=\"V\"/>\n  <variable name=\"w\" value=\"4\"/>\n" N(
                     SIZE("1") HEIGHT("9")) B("    <in name=\"method\" value=\"add\"/>\n")),
        DOCUMENT("  <about title=\"T\"/>\n  <world extent=\"6000\" seed=\"3\"/>\n"
                 "  <variable name=\"v\" value=\"2\" label=\"V\"/>\n  <variable name=\"w\" value=\"4\"/>\n" N(
                     SIZE("2") HEIGHT("9")) B("    <in name=\"amount\" value=\"1\"/>\n"
                                              "    <in name=\"method\" value=\"add\"/>\n")),
        "");
    /* Interfaces that both made. */
    expect_merge(DOCUMENT(EMPTY_N),
                 DOCUMENT("  <interface>\n    <out name=\"a\" from=\"n.field\"/>\n  </interface>\n" EMPTY_N),
                 DOCUMENT("  <interface>\n    <in name=\"s\" to=\"n.size\"/>\n  </interface>\n" EMPTY_N),
                 DOCUMENT("  <interface>\n    <in name=\"s\" to=\"n.size\"/>\n"
                          "    <out name=\"a\" from=\"n.field\"/>\n  </interface>\n" EMPTY_N),
                 "");
    /* Places in the editor are no conflict. */
    expect_merge(DOCUMENT("<node id=\"n\" type=\"noise\" x=\"1\" y=\"1\"/>"),
                 DOCUMENT("<node id=\"n\" type=\"noise\" x=\"2\" y=\"1\"/>"),
                 DOCUMENT("<node id=\"n\" type=\"noise\" x=\"3\" y=\"4\"/>"),
                 DOCUMENT("  <node id=\"n\" type=\"noise\" x=\"2\" y=\"4\"/>\n"), "");
}

TEST(order)
{
#define NODE(id) "  <node id=\"" id "\" type=\"noise\"/>\n"
    expect_merge(
        DOCUMENT(NODE("a") NODE("b") NODE("c")),
        DOCUMENT(NODE("o1") NODE("a") NODE("b") NODE("o2") NODE("c") NODE("o3")),
        DOCUMENT(NODE("a") NODE("t1") NODE("b") NODE("t2") NODE("t3") NODE("c") NODE("t4") "  <!-- t -->\n"),
        DOCUMENT(NODE("o1") NODE("a") NODE("t1") NODE("b") NODE("o2") NODE("t2") NODE("t3") NODE("c")
                     NODE("o3") NODE("t4") "  <!-- t -->\n"),
        "");
    /* What they follow is gone here. */
    expect_merge(DOCUMENT(NODE("a") NODE("b") NODE("c")), DOCUMENT(NODE("a") NODE("c")),
                 DOCUMENT(NODE("a") NODE("b") "  <node id=\"t\" type=\"import\"/>\n" NODE("c")),
                 DOCUMENT(NODE("a") "  <node id=\"t\" type=\"import\"/>\n" NODE("c")), "");
}

TEST(conflicts)
{
    expect_merge(DOCUMENT(N(SIZE("1"))), DOCUMENT(N(SIZE("2"))), DOCUMENT(N(SIZE("3"))),
                 DOCUMENT(N(SIZE("2"))), "node n: size: 1 -> 2, theirs 3; ours is kept\n");
    /* One resets, the other changes. */
    expect_merge(DOCUMENT(N(SIZE("1"))), DOCUMENT(EMPTY_N), DOCUMENT(N(SIZE("3"))), DOCUMENT(EMPTY_N),
                 "node n: size: 1 -> 2000 (default), theirs 3; ours is kept\n");
    expect_merge(DOCUMENT(N(SIZE("1"))), DOCUMENT(N(SIZE("3"))), DOCUMENT(EMPTY_N), DOCUMENT(N(SIZE("3"))),
                 "node n: size: 1 -> 3, theirs 2000 (default); ours is kept\n");
    /* A value here, a link there. */
    expect_merge(DOCUMENT(EMPTY_N B("")), DOCUMENT(EMPTY_N B("    <in name=\"amount\" value=\"1\"/>\n")),
                 DOCUMENT(EMPTY_N B("    <in name=\"amount\" from=\"n.field\"/>\n")),
                 DOCUMENT(EMPTY_N B("    <in name=\"amount\" value=\"1\"/>\n")),
                 "node b: amount: 0.5 (default) -> 1, theirs from n.field; ours is kept\n");
    expect_merge(DOCUMENT(N(SIZE("1")) NODE("k")), DOCUMENT(NODE("k")), DOCUMENT(N(SIZE("2")) NODE("k")),
                 DOCUMENT(NODE("k")),
                 "node n: removed here, changed there; it stays removed (noise, size 2)\n");
    expect_merge(DOCUMENT(N(SIZE("1")) NODE("k")), DOCUMENT(N(SIZE("2")) NODE("k")), DOCUMENT(NODE("k")),
                 DOCUMENT(N(SIZE("2")) NODE("k")),
                 "node n: changed here, removed there; ours is kept (noise, size 2)\n");
    expect_merge(DOCUMENT(""), DOCUMENT(N(SIZE("1"))), DOCUMENT(N(SIZE("2"))), DOCUMENT(N(SIZE("1"))),
                 "node n: both sides added it; ours is kept, theirs is not (noise, size 2)\n");
    expect_merge(DOCUMENT(""), DOCUMENT(N(SIZE("1"))), DOCUMENT(N(SIZE("1"))), DOCUMENT(N(SIZE("1"))), "");
}

TEST(groups)
{
#define GROUP(content) "  <group name=\"rock\">\n" content "  </group>\n"
#define IN_GROUP(inputs) "    <node id=\"n\" type=\"noise\">\n" inputs "    </node>\n"
    expect_merge(DOCUMENT(GROUP(IN_GROUP("  " SIZE("1")))), DOCUMENT(GROUP(IN_GROUP("  " SIZE("2")))),
                 DOCUMENT(GROUP(IN_GROUP("  " SIZE("1") "  " HEIGHT("5")))),
                 DOCUMENT(GROUP(IN_GROUP("  " SIZE("2") "  " HEIGHT("5")))), "");
    expect_merge(DOCUMENT(GROUP(IN_GROUP("  " SIZE("1")))), DOCUMENT(GROUP(IN_GROUP("  " SIZE("2")))),
                 DOCUMENT(GROUP(IN_GROUP("  " SIZE("3")))), DOCUMENT(GROUP(IN_GROUP("  " SIZE("2")))),
                 "group rock: node n: size: 1 -> 2, theirs 3; ours is kept\n");
}

TEST(renamed)
{
    /* Here renamed, there changed and used once more. */
    expect_merge(DOCUMENT(N(SIZE("1")) B("")),
                 DOCUMENT("<node id=\"m\" type=\"noise\"><in name=\"size\" value=\"1\"/></node>"
                          "<node id=\"b\" type=\"blend\"><in name=\"terrain\" from=\"m.field\"/></node>"),
                 DOCUMENT(N(SIZE("2")) B("    <in name=\"other\" from=\"n.field\"/>\n")),
                 DOCUMENT("  <node id=\"m\" type=\"noise\">\n" SIZE(
                     "2") "  </node>\n"
                          "  <node id=\"b\" type=\"blend\">\n    <in name=\"terrain\" from=\"m.field\"/>\n"
                          "    <in name=\"other\" from=\"m.field\"/>\n  </node>\n"),
                 "");
    expect_merge(DOCUMENT(N(SIZE("1"))), DOCUMENT(N(SIZE("2"))),
                 DOCUMENT("<node id=\"m\" type=\"noise\"><in name=\"size\" value=\"1\"/></node>"),
                 DOCUMENT("  <node id=\"m\" type=\"noise\">\n" SIZE("2") "  </node>\n"), "");
    expect_merge(DOCUMENT(N(SIZE("1"))),
                 DOCUMENT("<node id=\"o\" type=\"noise\"><in name=\"size\" value=\"1\"/></node>"),
                 DOCUMENT("<node id=\"t\" type=\"noise\"><in name=\"size\" value=\"1\"/></node>"),
                 DOCUMENT("  <node id=\"o\" type=\"noise\">\n" SIZE("1") "  </node>\n"),
                 "node n: renamed to o here, to t there; ours is kept\n");
}

TEST(used)
{
    /* Removed there, linked here; and the other way round. */
    const char *with = DOCUMENT(EMPTY_N B("") "  <node id=\"k\" type=\"import\"/>\n");
    const char *without = DOCUMENT(EMPTY_N B(""));
    const char *linked = DOCUMENT(
        EMPTY_N B("    <in name=\"other\" from=\"k.terrain\"/>\n") "  <node id=\"k\" type=\"import\"/>\n");
    expect_merge(with, linked, without, linked, "node k: removed there, but used here; it is kept\n");
    expect_merge(with, without, linked, linked, "node k: removed here, but used there; it is kept\n");
    /* A group, and the variable that leads to it. */
    const char *graph = "  <interface>\n    <in name=\"a\" to=\"v\"/>\n  </interface>\n";
    const char *use = "  <node id=\"g\" type=\"graph\" href=\"#rock\"/>\n";
    char before[1000], removed[1000], used[1000];
    snprintf(before, sizeof before, "%s",
             DOCUMENT("  <variable name=\"v\" value=\"1\"/>\n" GROUP(
                 "    <interface>\n      <out name=\"o\" from=\"n.field\"/>\n"
                 "    </interface>\n    <node id=\"n\" type=\"noise\"/>\n") EMPTY_N));
    snprintf(removed, sizeof removed, "%s", DOCUMENT(EMPTY_N));
    const char *end = strstr(before, "</orograph>"), *variable_end = strstr(before, "  <group");
    snprintf(used, sizeof used, "%.*s%s%.*s%s</orograph>\n", (int)(variable_end - before), before, graph,
             (int)(end - variable_end), variable_end, use);
    expect_merge(before, removed, used, used,
                 "variable v: removed here, but used there; it is kept\n"
                 "group rock: removed here, but used there; it is kept\n");
}

/* What is valid on both sides is valid together, or theirs gives way. */
TEST(valid)
{
    /* A cycle of one link from each side. */
#define C(content)                                                                                           \
    "  <node id=\"c\" type=\"blend\">\n    <in name=\"terrain\" from=\"n.field\"/>\n" content "  </node>\n"
    const char *ours = DOCUMENT(EMPTY_N B("    <in name=\"other\" from=\"c.terrain\"/>\n") C(""));
    struct oro_document *merged =
        merge(DOCUMENT(EMPTY_N B("") C("")), ours,
              DOCUMENT(N(SIZE("4")) B("") C("    <in name=\"other\" from=\"b.terrain\"/>\n"
                                            "    <in name=\"amount\" value=\"1\"/>\n")),
              "node c: other: theirs would make the graph invalid (links form a cycle: b -> c -> b); ours is "
              "kept\n");
    assert_string_equal(oro_document_node(merged, 0)->inputs[0].value, "4");
    assert_string_equal(oro_doc_node_input(oro_document_find(merged, "c"), "amount")->value, "1");
    assert_null(oro_doc_node_input(oro_document_find(merged, "c"), "other"));
    oro_document_destroy(merged);
    /* A new link of theirs on the way to the cycle is none of it. */
#define E(from)                                                                                              \
    "  <node id=\"e\" type=\"blend\">\n    <in name=\"terrain\" from=\"" from ".field\"/>\n  </node>\n"
#define ON_E(content)                                                                                        \
    "  <node id=\"b\" type=\"blend\">\n    <in name=\"terrain\" from=\"e.terrain\"/>\n" content "  "         \
    "</node>\n"
    expect_merge(
        DOCUMENT(EMPTY_N NODE("k") E("n") ON_E("") C("")),
        DOCUMENT(EMPTY_N NODE("k") E("n") ON_E("    <in name=\"other\" from=\"c.terrain\"/>\n") C("")),
        DOCUMENT(EMPTY_N NODE("k") E("k") ON_E("") C("    <in name=\"other\" from=\"b.terrain\"/>\n")),
        DOCUMENT(EMPTY_N NODE("k") E("k") ON_E("    <in name=\"other\" from=\"c.terrain\"/>\n") C("")),
        "node c: other: theirs would make the graph invalid (links form a cycle: b -> c -> b); ours is "
        "kept\n");
    /* Another type there, a link to what it had here. */
    expect_merge(DOCUMENT(EMPTY_N), DOCUMENT(EMPTY_N B("")), DOCUMENT("<node id=\"n\" type=\"import\"/>"),
                 DOCUMENT(EMPTY_N B("")),
                 "node n: theirs would make the graph invalid (input 'terrain' is linked to 'n.field', but "
                 "'import' has no "
                 "such output); ours is kept\n");
}

/* ---- Any edits ---- */

static uint32_t state_of_dice;

static int roll(int sides)
{
    state_of_dice = state_of_dice * 1664525U + 1013904223U;
    return (int)((state_of_dice >> 16) % (uint32_t)sides);
}

static const char *any_id(char id[16])
{
    snprintf(id, 16, "%c%d", "nb"[roll(4) > 0], roll(8));
    return id;
}

/* One edit of many kinds; those that make no sense are refused. */
static void edit(struct oro_document *doc)
{
    static const char *const inputs[] = {"terrain", "other", "amount"};
    struct oro_error err;
    char a[16], b[16], number[16];
    struct oro_doc_port port = {.is_output = roll(2), .name = roll(2) ? "p" : "q", .node = (char *)any_id(a)};
    snprintf(number, sizeof number, "0.%d", roll(4));
    switch (roll(8)) {
    case 0:
        any_id(a);
        oro_edit_add_node(doc, a, a[0] == 'n' ? "noise" : "blend", 1, 0, 0, &err);
        if (a[0] == 'b')
            oro_edit_connect(doc, a, "terrain", any_id(b), b[0] == 'n' ? "field" : "terrain", &err);
        break;
    case 1:
        oro_edit_remove_node(doc, any_id(a), &err);
        break;
    case 2:
        any_id(a);
        snprintf(b, sizeof b, "%c%d", a[0], 8 + roll(4)); /* of its kind, for the links' sake */
        oro_edit_rename_node(doc, a, b, &err);
        break;
    case 3:
        port.socket = port.is_output ? a[0] == 'n' ? "field" : "terrain" : a[0] == 'n' ? "size" : "amount";
        oro_edit_add_port(doc, &port, &err);
        break;
    case 4:
        any_id(a);
        oro_edit_set(doc, a, a[0] == 'n' ? "height" : "amount", number, &err);
        break;
    default:
        if (any_id(a)[0] == 'b')
            oro_edit_connect(doc, a, inputs[roll(3)], any_id(b), b[0] == 'n' ? "field" : "terrain", &err);
    }
}

/* What needs a link gets one. */
static void link_all(struct oro_document *doc)
{
    struct oro_error err;
    char source[16] = "";
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        if (strcmp(oro_document_node(doc, i)->type, "noise") == 0)
            snprintf(source, sizeof source, "%.10s", oro_document_node(doc, i)->id);
    if (!*source)
        oro_edit_add_node(doc, strcpy(source, "n0"), "noise", 1, 0, 0, &err);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (strcmp(node->type, "blend") == 0 && !oro_doc_node_input(node, "terrain"))
            oro_edit_connect(doc, node->id, "terrain", source, "field", &err);
    }
}

static struct oro_document *edited(const struct oro_document *base, int edits)
{
    struct oro_document *doc = oro_document_clone(base);
    assert_non_null(doc);
    for (int i = 0; i < edits; i++)
        edit(doc);
    link_all(doc);
    return doc;
}

/* What is merged of valid graphs is valid, whatever the edits. */
TEST(any)
{
    int valid = 0, clean = 0;
    for (uint32_t seed = 1; seed <= 600; seed++) {
        struct oro_error err = {0};
        struct oro_conflicts conflicts, again;
        struct oro_document *empty = oro_document_create();
        state_of_dice = seed;
        struct oro_document *base = edited(empty, 40), *ours = edited(base, 25), *theirs = edited(base, 25);
        struct oro_document *merged = oro_merge(base, ours, theirs, &registry, &conflicts, &err);
        if (!merged)
            fail_msg("%u: %s", seed, err.text);
        if (errors_of(ours) == 0 && errors_of(theirs) == 0) {
            valid++;
            clean += conflicts.count == 0;
            if (errors_of(merged) != 0)
                fail_msg("%u: merged of valid graphs is not", seed);
        }
        /* The same change on both sides is one; without a change of ours, theirs is the result. */
        struct oro_document *same = oro_merge(base, theirs, theirs, &registry, &again, &err);
        assert_int_equal(again.count, 0);
        char *text = written(theirs);
        expect_text(same, text);
        oro_conflicts_free(&again);
        struct oro_document *alone = oro_merge(base, base, theirs, &registry, &again, &err);
        struct oro_differences differences;
        assert_int_equal(again.count, 0);
        assert_true(oro_diff(alone, theirs, &registry, &differences, &err));
        assert_int_equal(differences.count, 0);
        oro_differences_free(&differences);
        oro_conflicts_free(&again);
        oro_conflicts_free(&conflicts);
        struct oro_document *const all[] = {empty, base, ours, theirs, merged, same, alone};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            oro_document_destroy(all[i]);
        oro_free(text);
    }
    print_message("%d of 600 valid, %d of them without conflicts\n", valid, clean);
    assert_true(valid > 60 && clean > 20);
}

TEST(memory)
{
    struct oro_conflicts conflicts;
    struct oro_error err = {0};
    struct oro_document *a = read_graph(DOCUMENT(EMPTY_N B("")));
    struct oro_document *b =
        read_graph(DOCUMENT("<node id=\"m\" type=\"noise\"/><node id=\"b\" type=\"blend\">"
                            "<in name=\"terrain\" from=\"m.field\"/></node>"));
    struct oro_document *c =
        read_graph(DOCUMENT(EMPTY_N B("    <in name=\"amount\" value=\"1\"/>\n") "<!-- c -->"));
    struct oro_document *merged = NULL;
    for (size_t n = 1; !merged; n++) {
        oro_memory_fail_at(n);
        merged = oro_merge(a, b, c, &registry, &conflicts, &err);
        oro_memory_fail_at(0);
        assert_true(merged || err.code == ORO_E_MEMORY || err.code == ORO_E_LIMIT);
        assert_true(n < 20000);
    }
    oro_conflicts_free(&conflicts);
    oro_document_destroy(merged);
    oro_document_destroy(a);
    oro_document_destroy(b);
    oro_document_destroy(c);
}

FIXTURE(open_registry)
{
    registry = fake_registry;
    registry.assets = oro_assets_create(&registry, false);
    return !registry.assets;
}

FIXTURE(close_registry)
{
    oro_assets_destroy(registry.assets);
    return clean_up_xml(state);
}

TEST_GROUP(open_registry, close_registry);
