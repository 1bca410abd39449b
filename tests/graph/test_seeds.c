/* Seeds of graphs that are used as nodes: the same use twice is the same result; other seeds vary it. */
#include "tests/graph/reuse_support.h"

#define NOISE(id, rest) "<node id=\"" id "\" type=\"noise\" version=\"1\">" rest "</node>"
#define SEED(seed) "<in name=\"seed\" value=\"" seed "\"/>"
#define VARY "<in name=\"vary\" value=\"true\"/>"
#define USE(id, href, rest) "<node id=\"" id "\" type=\"graph\" href=\"" href "\">" rest "</node>"

static const char leaf[] = DOCUMENT(
    "<interface><out name=\"f\" from=\"n.field\"/><out name=\"g\" from=\"m.field\"/></interface>" NOISE(
        "n", "") NOISE("m", SEED("5")));
static const char tree[] =
    DOCUMENT("<interface><out name=\"f\" from=\"a.f\"/><out name=\"g\" from=\"b.f\"/></interface>" USE(
        "a", "leaf.oro", "") USE("b", "leaf.oro", VARY));

FIXTURE(make_files)
{
    open_reuse(state);
    make_file("leaf.oro", leaf);
    make_file("tree.oro", tree);
    return 0;
}

/* Of outputs f and g of nodes, in a document of these nodes. */
static void keys_of(const char *text, const char *const *nodes, struct oro_hash keys[])
{
    struct oro_document *doc = parse_valid(text);
    for (size_t i = 0; nodes[i]; i++) {
        keys[2 * i] = key_of(doc, nodes[i], "f");
        keys[2 * i + 1] = key_of(doc, nodes[i], "g");
    }
    oro_document_destroy(doc);
}

static void expect_different(const struct oro_hash *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_key(keys[i], keys[k]))
                fail_msg("%zu and %zu are the same", k, i);
}

/* One cache for all: the same use, in whatever place, and what the graph's own nodes give alone. */
TEST_WITH(same, make_files, close_reuse)
{
    struct oro_hash keys[8];
    keys_of(DOCUMENT(USE("x", "leaf.oro", "") USE("y", "leaf.oro", "") USE("z", "leaf.oro", SEED("0"))),
            (const char *const[]){"x", "y", "z", NULL}, keys);
    for (int i = 2; i < 6; i++)
        assert_true(same_key(keys[i], keys[i % 2]));
    struct oro_document *plain = parse_valid(leaf);
    assert_true(same_key(keys[0], key_of(plain, "n", "field")));
    assert_true(same_key(keys[1], key_of(plain, "m", "field")));
    oro_document_destroy(plain);
}

TEST_WITH(seed, make_files, close_reuse)
{
    struct oro_hash keys[8], again[2];
    keys_of(DOCUMENT(USE("x", "leaf.oro", "") USE("y", "leaf.oro", SEED("1")) USE("z", "leaf.oro", SEED("2"))
                         USE("v", "leaf.oro", SEED("5"))),
            (const char *const[]){"x", "y", "z", "v", NULL}, keys);
    expect_different(keys, 8);
    keys_of(DOCUMENT(USE("other", "leaf.oro", SEED("2"))), (const char *const[]){"other", NULL}, again);
    assert_true(same_key(again[0], keys[4]) && same_key(again[1], keys[5])); /* whatever the id */
}

TEST_WITH(vary, make_files, close_reuse)
{
    struct oro_hash keys[8], again[2];
    keys_of(DOCUMENT(USE("x", "leaf.oro", "") USE("y", "leaf.oro", VARY) USE("z", "leaf.oro", VARY)
                         USE("v", "leaf.oro", VARY SEED("1"))),
            (const char *const[]){"x", "y", "z", "v", NULL}, keys);
    expect_different(keys, 8);
    keys_of(DOCUMENT(NOISE("first", "") USE("y", "leaf.oro", VARY)), (const char *const[]){"y", NULL}, again);
    assert_true(same_key(again[0], keys[2]) && same_key(again[1], keys[3])); /* the id alone tells */
}

/* A seed reaches all that is within, at any depth. */
TEST_WITH(nested, make_files, close_reuse)
{
    struct oro_hash keys[8], leaves[4];
    keys_of(DOCUMENT(USE("x", "tree.oro", "") USE("y", "tree.oro", SEED("1")) USE("z", "tree.oro", VARY)
                         USE("v", "tree.oro", VARY SEED("1"))),
            (const char *const[]){"x", "y", "z", "v", NULL}, keys);
    expect_different(keys, 8);
    keys_of(DOCUMENT(USE("a", "leaf.oro", "") USE("b", "leaf.oro", VARY)),
            (const char *const[]){"a", "b", NULL}, leaves);
    assert_true(same_key(keys[0], leaves[0]));
    assert_true(same_key(keys[1], leaves[2]));
}

/* Checks the numbers themselves, so that documents look the same in later versions of the program. */
TEST_WITH(numbers, make_files, close_reuse)
{
    assert_int_equal(oro_seed_within(0, 7), 7);
    assert_int_equal(oro_seed_of_use(7, false, "a"), 7);
    assert_true(oro_seed_within(1, 7) > 0 && oro_seed_within(7, 1) > 0);
    assert_int_not_equal(oro_seed_within(1, 7), oro_seed_within(7, 1));
    assert_int_not_equal(oro_seed_of_use(0, true, "a"), oro_seed_of_use(0, true, "b"));
    assert_int_equal(oro_seed_within(1, 7), 0x3e6e2e83);
    assert_int_equal(oro_seed_of_use(3, true, "hills"), 0x5855ddd3);
}

/* Entries named like these inputs mean what the interface says, and vary nothing else. */
TEST_WITH(own_seed, make_files, close_reuse)
{
    make_file("own.oro",
              DOCUMENT("<interface><in name=\"seed\" to=\"n.seed\"/><in name=\"vary\" to=\"n.ridged\"/><out "
                       "name=\"f\" from=\"n.field\"/><out name=\"g\" from=\"m.field\"/></interface>" NOISE(
                           "n", "") NOISE("m", "")));
    struct oro_hash keys[6];
    keys_of(
        DOCUMENT(USE("x", "own.oro", "") USE("y", "own.oro", SEED("4")) USE("z", "own.oro", SEED("4") VARY)),
        (const char *const[]){"x", "y", "z", NULL}, keys);
    assert_true(same_key(keys[1], keys[3]) && same_key(keys[1], keys[5]));
    assert_false(same_key(keys[0], keys[2]));
    assert_false(same_key(keys[2], keys[4]));
    struct oro_document *plain = parse_valid(DOCUMENT(NOISE("n", SEED("4"))));
    assert_true(same_key(keys[2], key_of(plain, "n", "field")));
    oro_document_destroy(plain);
}

/* Taken apart to the last node, the same. */
TEST_WITH(flattened, make_files, close_reuse)
{
    struct oro_document *doc = parse_valid(
        DOCUMENT("<interface><out name=\"p\" from=\"x.f\"/><out name=\"q\" from=\"x.g\"/></interface>" USE(
            "x", "tree.oro", VARY SEED("12"))));
    struct oro_hash f = key_of(doc, "x", "f"), g = key_of(doc, "x", "g");
    static const char *const order[] = {"x", "x_a", "x_b"};
    for (int i = 0; i < 3; i++) {
        struct oro_error err = {0};
        if (!oro_reuse_flatten(doc, order[i], &reuse, &err))
            fail_msg("%s", err.text);
        const struct oro_doc_port *p = oro_document_port(doc, 0), *q = oro_document_port(doc, 1);
        assert_true(same_key(f, key_of(doc, p->node, p->socket)));
        assert_true(same_key(g, key_of(doc, q->node, q->socket)));
    }
    oro_document_destroy(doc);
}

TEST_GROUP(NULL, clean_up_xml);
