/* Graphs out of nodes, and nodes out of graphs: results stay the same, and undo takes all of it back. */
#include "tests/graph/reuse_support.h"

#include "graph/document/variable.h"
#include "graph/file/load.h"

#define NOISE(id, rest) "<node id=\"" id "\" type=\"noise\" version=\"1\">" rest "</node>"
#define ERODE(id, from, rest)                                                                                \
    "<node id=\"" id "\" type=\"erode\" version=\"3\"><in name=\"terrain\" from=\"" from "\"/>" rest "</"    \
    "node>"

/* ---- Results ---- */

/* The key of what the interface gives under this name. */
static struct oro_hash out_key(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && strcmp(port->name, name) == 0)
            return key_of(doc, port->node, port->socket);
    }
    fail_msg("there is no output '%s'", name);
    return (struct oro_hash){0, 0};
}

enum { KEYS_MAX = 32 };
struct keys {
    size_t count;
    char names[KEYS_MAX][64];
    struct oro_hash keys[KEYS_MAX];
};

/* Those of all outputs of the interface. */
static struct keys keys_of(const struct oro_document *doc)
{
    struct keys keys = {.count = 0};
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (!port->is_output)
            continue;
        assert_true(keys.count < KEYS_MAX);
        snprintf(keys.names[keys.count], sizeof keys.names[0], "%s", port->name);
        keys.keys[keys.count++] = key_of(doc, port->node, port->socket);
    }
    return keys;
}

static void expect_keys(const struct oro_document *doc, const struct keys *wanted)
{
    struct oro_problems problems = {0};
    oro_check(doc, &reuse, &problems);
    if (problems.errors) {
        print_problems(&problems);
        char *text = text_of(doc);
        print_message("%s", text);
        fail_msg("%zu errors", problems.errors);
    }
    oro_problems_free(&problems);
    for (size_t i = 0; i < wanted->count; i++) {
        if (same_key(out_key(doc, wanted->names[i]), wanted->keys[i]))
            continue;
        char *text = text_of(doc);
        print_message("%s", text);
        fail_msg("'%s' is another result", wanted->names[i]);
    }
}

static void expect_undone(struct oro_document *doc, const char *before)
{
    struct oro_error err = {0};
    char *after = text_of(doc);
    if (!oro_document_undo(doc, &err))
        fail_msg("%s", err.text);
    char *undone = text_of(doc);
    assert_string_equal(undone, before);
    assert_true(oro_document_redo(doc, &err));
    char *redone = text_of(doc);
    assert_string_equal(redone, after);
    oro_free(after);
    oro_free(undone);
    oro_free(redone);
}

/* ---- Grouping ---- */

static void group_list(struct oro_document *doc, const char *const *nodes, const char *name)
{
    struct oro_error err = {0};
    size_t count = 0;
    while (nodes[count])
        count++;
    if (!oro_reuse_group(doc, nodes, count, name, &reuse, &err))
        fail_msg("%s", err.text);
}
#define GROUP(doc, name, ...) group_list(doc, (const char *const[]){__VA_ARGS__, NULL}, name)

static void flatten(struct oro_document *doc, const char *node)
{
    struct oro_error err = {0};
    if (!oro_reuse_flatten(doc, node, &reuse, &err))
        fail_msg("%s: %s", node, err.text);
}

static void refuse_group(struct oro_document *doc, const char *const *nodes, size_t count, const char *name,
                         const char *reason)
{
    struct oro_error err = {0};
    char *before = text_of(doc);
    assert_false(oro_reuse_group(doc, nodes, count, name, &reuse, &err));
    expect_contains(err.text, reason);
    char *after = text_of(doc);
    assert_string_equal(after, before);
    assert_false(oro_document_can_undo(doc, NULL));
    oro_free(before);
    oro_free(after);
}

TEST_WITH(group, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<variable name=\"relief\" value=\"3\" unit=\"m\"/><variable name=\"twice\" expr=\"relief * 2\"/>"
        "<interface><in name=\"size\" to=\"a.size\" default=\"900\" max=\"1000\"/>"
        "<in name=\"size\" to=\"c.size\"/><in name=\"rate\" to=\"b.amount\"/>"
        "<out name=\"t\" from=\"b.terrain\"/><out name=\"u\" from=\"d.terrain\"/>"
        "<out name=\"flow\" from=\"b.flow\"/></interface>" NOISE("a",
                                                                 "<in name=\"height\" expr=\"twice / 7\"/>")
            ERODE("b", "a.field",
                  "<in name=\"amount\" from=\"c.field\"/><in name=\"angle\" expr=\"relief\"/>")
                NOISE("c", "<in name=\"seed\" value=\"4\"/>")
                    ERODE("d", "b.terrain", "<in name=\"amount\" from=\"c.field\"/>")));
    struct keys keys = keys_of(doc);
    char *before = text_of(doc);
    GROUP(doc, "rock", "a", "b");
    expect_keys(doc, &keys);
    expect_undone(doc, before);
    char *text = text_of(doc);
    expect_contains(text, "<in name=\"size\" to=\"rock.size\" default=\"900\" max=\"1000\"/>");
    expect_contains(text, "<in name=\"size\" to=\"c.size\"/>");
    expect_contains(text, "<out name=\"t\" from=\"rock.terrain\"/>");
    expect_contains(text, "<in name=\"twice\" expr=\"twice\"/>");
    expect_contains(text, "<variable name=\"relief\" value=\"3\" unit=\"m\"/>");
    assert_null(oro_document_find(doc, "a"));
    char *grouped = text;
    flatten(doc, "rock");
    expect_keys(doc, &keys);
    expect_undone(doc, grouped);
    assert_non_null(oro_document_find(doc, "rock_a"));
    oro_free(grouped);
    oro_free(before);
    oro_document_destroy(doc);
}

/* Entries of the interface still lead to the same inputs, and still win over links. */
TEST_WITH(group_interface_over_link, open_reuse, close_reuse)
{
    static const char text[] =
        DOCUMENT("<interface><in name=\"terrain\" to=\"b.terrain\"/><out name=\"t\" from=\"b.terrain\"/>"
                 "<out name=\"u\" from=\"c.terrain\"/></interface>" NOISE("a", "") ERODE("b", "a.field", "")
                     ERODE("c", "a.field", ""));
    struct oro_document *doc = parse_valid(text);
    GROUP(doc, "rock", "b", "c");
    char *grouped = text_of(doc);
    make_file("plain.oro", text);
    make_file("grouped.oro", grouped);
    struct oro_document *used = parse_valid(DOCUMENT(
        "<interface><out name=\"pt\" from=\"p.t\"/><out name=\"pu\" from=\"p.u\"/>"
        "<out name=\"gt\" from=\"g.t\"/><out name=\"gu\" from=\"g.u\"/></interface>" NOISE(
            "other", "<in name=\"size\" value=\"70\"/>") "<node id=\"p\" type=\"graph\" href=\"plain.oro\" "
                                                         "version=\"1\"><in "
                                                         "name=\"terrain\" from=\"other.field\"/></node>"
                                                         "<node id=\"g\" type=\"graph\" href=\"grouped.oro\" "
                                                         "version=\"1\"><in "
                                                         "name=\"terrain\" from=\"other.field\"/></node>"));
    assert_true(same_key(out_key(used, "pt"), out_key(used, "gt")));
    assert_true(same_key(out_key(used, "pu"), out_key(used, "gu")));
    assert_false(same_key(out_key(used, "pt"), out_key(used, "pu")));
    oro_free(grouped);
    oro_document_destroy(doc);
    oro_document_destroy(used);
}

TEST_WITH(group_refused, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<group name=\"taken\"><interface><out name=\"f\" from=\"n.field\"/></interface>" NOISE(
            "n", "") "</group>" NOISE("a", "") ERODE("b", "a.field", "")
            ERODE("c", "b.terrain", "") "<node id=\"w\" type=\"write\" version=\"1\"><in name=\"terrain\" "
                                        "from=\"c.terrain\"/><in name=\"file\" value=\"x.png\"/></node>"));
    refuse_group(doc, (const char *const[]){"a", "c"}, 2, "g", "cycle"); /* b lies between */
    refuse_group(doc, (const char *const[]){"w"}, 1, "g", "writes files");
    refuse_group(doc, (const char *const[]){"a", "zz"}, 2, "g", "'zz'");
    refuse_group(doc, (const char *const[]){"a"}, 1, "taken", "already");
    refuse_group(doc, (const char *const[]){"a"}, 1, "1st", "1st");
    refuse_group(doc, (const char *const[]){"a"}, 1, "", "name");
    refuse_group(doc, (const char *const[]){"a"}, 0, "g", "at least one");
    oro_document_destroy(doc);
}

/* A node named twice is one node. */
TEST_WITH(group_twice_named, open_reuse, close_reuse)
{
    struct oro_document *doc =
        parse_valid(DOCUMENT("<interface><out name=\"t\" from=\"b.terrain\"/></interface>" NOISE("a", "")
                                 ERODE("b", "a.field", "")));
    struct oro_error err = {0};
    struct keys keys = keys_of(doc);
    if (oro_reuse_group(doc, (const char *const[]){"b", "b"}, 2, "g", &reuse, &err))
        expect_keys(doc, &keys);
    else
        expect_contains(err.text, "b");
    oro_document_destroy(doc);
}

/* The node takes the group's name, or the next that is free; long names are no trouble. */
TEST_WITH(group_names, open_reuse, close_reuse)
{
    char name[101];
    memset(name, 'n', 100);
    name[100] = '\0';
    struct oro_document *doc =
        parse_valid(DOCUMENT("<interface><out name=\"t\" from=\"b.terrain\"/></interface>" NOISE("a", "")
                                 ERODE("b", "a.field", "")));
    struct keys keys = keys_of(doc);
    GROUP(doc, "b", "a");
    assert_non_null(oro_document_find(doc, "b_2"));
    GROUP(doc, name, "b");
    expect_keys(doc, &keys);
    assert_non_null(oro_document_find_group(doc, name));
    oro_document_destroy(doc);
}

/* A group of nodes one of which is a group; a group used twice. */
TEST_WITH(group_of_groups, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(
        DOCUMENT("<variable name=\"v\" value=\"6\"/><interface><out name=\"t\" from=\"c.terrain\"/><out "
                 "name=\"f\" from=\"b.flow\"/></interface>" NOISE("a", "<in name=\"size\" expr=\"v * 3\"/>")
                     ERODE("b", "a.field", "<in name=\"angle\" expr=\"v\"/>") ERODE("c", "b.terrain", "")));
    struct keys keys = keys_of(doc);
    char *before = text_of(doc);
    GROUP(doc, "inner", "a", "b");
    GROUP(doc, "outer", "inner", "c");
    expect_keys(doc, &keys);
    flatten(doc, "outer");
    expect_keys(doc, &keys);
    flatten(doc, "outer_inner");
    expect_keys(doc, &keys);
    for (int i = 0; i < 4; i++)
        assert_true(oro_document_undo(doc, NULL));
    char *after = text_of(doc);
    assert_string_equal(after, before);
    for (int i = 0; i < 4; i++)
        assert_true(oro_document_redo(doc, NULL));
    expect_keys(doc, &keys);
    oro_free(before);
    oro_free(after);
    oro_document_destroy(doc);
}

TEST_WITH(flatten_one_of_two, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<interface><out name=\"x\" from=\"p.f\"/><out name=\"y\" from=\"q.f\"/></interface>"
        "<group name=\"g\"><interface><in name=\"size\" to=\"n.size\" default=\"77\"/><out name=\"f\" "
        "from=\"n.field\"/></interface>" NOISE(
            "n", "<in name=\"seed\" value=\"3\"/>") "</group>"
                                                    "<node id=\"p\" type=\"graph\" href=\"#g\" "
                                                    "version=\"1\"/><node "
                                                    "id=\"q\" type=\"graph\" href=\"#g\" version=\"1\"><in "
                                                    "name=\"size\" "
                                                    "value=\"99\"/><in name=\"seed\" value=\"8\"/><in "
                                                    "name=\"vary\" value=\"true\"/></node>"));
    struct keys keys = keys_of(doc);
    flatten(doc, "q");
    expect_keys(doc, &keys);
    assert_non_null(oro_document_find_group(doc, "g"));
    flatten(doc, "p");
    expect_keys(doc, &keys);
    oro_document_destroy(doc);
}

/* ---- Ids that collide ---- */

TEST_WITH(flatten_collisions, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<variable name=\"g_v\" value=\"5\"/><interface><out name=\"x\" from=\"g.f\"/><out name=\"y\" "
        "from=\"g.h\"/>"
        "<out name=\"z\" from=\"g_a.field\"/><out name=\"w\" from=\"g_1.field\"/></interface>"
        "<group name=\"g\"><variable name=\"v\" value=\"7\"/><interface><out name=\"f\" "
        "from=\"a.field\"/><out name=\"h\" from=\"a_2.field\"/></interface>" NOISE(
            "a", "<in name=\"size\" expr=\"v\"/>")
            NOISE("a_2", "<in name=\"size\" value=\"12\"/>") "</group>" NOISE(
                "g_a", "<in name=\"size\" expr=\"g_v\"/>")
                NOISE("g_1", "<in name=\"size\" value=\"14\"/>") "<node id=\"g\" type=\"graph\" href=\"#g\" "
                                                                 "version=\"1\"/>"));
    struct keys keys = keys_of(doc);
    flatten(doc, "g");
    expect_keys(doc, &keys);
    oro_document_destroy(doc);
}

/* Ids of the greatest length that are alike in the part that is kept. */
TEST_WITH(flatten_long_ids, open_reuse, close_reuse)
{
    struct oro_text text = {0};
    char id[100];
    memset(id, 'x', 97);
    id[97] = '\0';
    oro_text_add(&text,
                 "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\"><interface>");
    for (int i = 0; i < 12; i++)
        oro_text_addf(&text, "<out name=\"o%d\" from=\"%s.f%d\"/>", i, id, i);
    oro_text_add(&text, "</interface><group name=\"g\"><interface>");
    for (int i = 0; i < 12; i++)
        oro_text_addf(&text, "<out name=\"f%d\" from=\"%s%d.field\"/>", i, id, i);
    oro_text_add(&text, "</interface>");
    for (int i = 0; i < 12; i++)
        oro_text_addf(
            &text,
            "<variable name=\"v%s%d\" value=\"%d\"/><node id=\"%s%d\" type=\"noise\" version=\"1\"><in "
            "name=\"size\" expr=\"v%s%d\"/></node>",
            id, i, i + 1, id, i, id, i);
    oro_text_addf(&text, "</group><node id=\"%s\" type=\"graph\" href=\"#g\" version=\"1\"/></orograph>", id);
    struct oro_document *doc = parse_valid(text.data);
    struct keys keys = keys_of(doc);
    flatten(doc, id);
    expect_keys(doc, &keys);
    oro_text_free(&text);
    oro_document_destroy(doc);
}

TEST_WITH(flatten_refused, open_reuse, close_reuse)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at(
        "document.oro",
        DOCUMENT(NOISE("n", "") "<node id=\"gone\" type=\"graph\" href=\"gone.oro\" version=\"1\"/><node "
                                "id=\"lost\" type=\"graph\" href=\"#lost\" version=\"1\"/>"),
        &problems);
    char *before = text_of(doc);
    static const struct {
        const char *node, *reason;
    } wrong[] = {{"n", "no graph"}, {"gone", "gone.oro"}, {"lost", "lost"}, {"none", "none"}};
    for (size_t i = 0; i < 4; i++) {
        struct oro_error err = {0};
        assert_false(oro_reuse_flatten(doc, wrong[i].node, &reuse, &err));
        expect_contains(err.text, wrong[i].reason);
    }
    char *after = text_of(doc);
    assert_string_equal(before, after);
    assert_false(oro_document_can_undo(doc, NULL));
    oro_free(before);
    oro_free(after);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* The texts of the graph's own interface are kept, and the first of several inputs of one name stays the
 * first. */
TEST_WITH(flatten_interface, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<interface><in name=\"s\" to=\"g.size\" label=\"S\"/><in name=\"s\" to=\"n.size\" default=\"600\"/>"
        "<in name=\"k\" to=\"g.level\" max=\"50\"/><out name=\"f\" from=\"g.f\"/><out name=\"h\" "
        "from=\"n.field\"/></interface>"
        "<group name=\"g\"><variable name=\"level\" value=\"3\"/><interface><in name=\"size\" to=\"a.size\" "
        "default=\"70\" min=\"7\" max=\"800\" unit=\"yr\" was=\"old\"/>"
        "<in name=\"size\" to=\"b.size\"/><in name=\"level\" to=\"level\" doc=\"Height\"/><out name=\"f\" "
        "from=\"e.terrain\"/></interface>" NOISE("a", "<in name=\"height\" expr=\"level\"/>") NOISE("b", "")
            ERODE("e", "a.field",
                  "<in name=\"amount\" from=\"b.field\"/>") "</group>"
                                                            "<node id=\"g\" type=\"graph\" href=\"#g\" "
                                                            "version=\"1\"/>" NOISE("n", "")));
    struct keys keys = keys_of(doc);
    flatten(doc, "g");
    expect_keys(doc, &keys);
    char *text = text_of(doc);
    expect_contains(text, "<in name=\"s\" to=\"g_a.size\" label=\"S\" min=\"7\" max=\"800\" unit=\"yr\"/>\n  "
                          "  <in name=\"s\" to=\"n.size\"");
    expect_contains(text, "<in name=\"s\" to=\"g_b.size\"");
    expect_contains(text, "<in name=\"k\" to=\"g_level\" max=\"50\" doc=\"Height\"/>");
    oro_free(text);
    oro_document_destroy(doc);
}

/* An entry that led to a seed that no longer exists cannot lead anywhere. */
TEST_WITH(flatten_offered_seed, open_reuse, close_reuse)
{
    static const char *const refused[] = {"<in name=\"s\" to=\"g.seed\"/>", "<in name=\"s\" to=\"g.vary\"/>",
                                          "<in name=\"s\" to=\"v.inner\"/>"};
    char text[2000];
    for (size_t i = 0; i < 4; i++) {
        snprintf(
            text, sizeof text,
            DOCUMENT("<interface>%s<out name=\"f\" from=\"g.f\"/><out name=\"h\" from=\"v.f\"/></interface>"
                     "<group name=\"g\"><interface><in name=\"inner\" to=\"n.seed\"/><out name=\"f\" "
                     "from=\"n.field\"/></interface>" NOISE(
                         "n", "") "</group>"
                                  "<node id=\"g\" type=\"graph\" href=\"#g\" version=\"1\"/><node id=\"v\" "
                                  "type=\"graph\" "
                                  "href=\"#g\"><in name=\"seed\" value=\"3\"/></node>"),
            i < 3 ? refused[i] : "<in name=\"s\" to=\"g.inner\" default=\"6\"/>");
        struct oro_document *doc = parse_valid(text);
        struct keys keys = keys_of(doc);
        struct oro_error err = {0};
        assert_int_equal(oro_reuse_flatten(doc, i == 2 ? "v" : "g", &reuse, &err), i == 3);
        expect_keys(doc, &keys);
        if (i < 3)
            expect_contains(err.text, "seed");
        oro_document_destroy(doc);
    }
}

/* ---- Files ---- */

#define ASSET                                                                                                \
    DOCUMENT(                                                                                                \
        "<about title=\"A\"/><interface><in name=\"size\" to=\"k.size\"/><out name=\"f\" "                   \
        "from=\"e.terrain\"/></interface>"                                                                   \
        "<group name=\"rock\"><interface><in name=\"size\" to=\"n.size\"/><out name=\"f\" "                  \
        "from=\"n.field\"/></interface>" NOISE(                                                              \
            "n",                                                                                             \
            "<in name=\"seed\" value=\"5\"/>") "</group>"                                                    \
                                               "<node id=\"k\" type=\"graph\" href=\"#rock\" "               \
                                               "version=\"1\"><in "                                          \
                                               "name=\"vary\" value=\"true\"/></node>" ERODE(                \
                                                   "e", "k.f",                                               \
                                                   "<in name=\"amount\" from=\"s.f\"/>") "<node id=\"s\" "   \
                                                                                         "type=\"graph\" "   \
                                                                                         "href=\"sub/"       \
                                                                                         "soft.oro\"/>")
#define SOFT                                                                                                 \
    DOCUMENT("<interface><out name=\"f\" from=\"i.terrain\"/></interface><node id=\"i\" "                    \
             "type=\"import\"><in name=\"file\" value=\"map.png\"/></node>")

static void make_assets(void)
{
    make_folder("lib");
    make_folder("lib/sub");
    make_file("lib/asset.oro", ASSET);
    make_file("lib/sub/soft.oro", SOFT);
    make_file("lib/sub/map.png", "map");
}

/* The document has groups of the names that the file's have. */
TEST_WITH(embed, open_reuse, close_reuse)
{
    make_assets();
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<interface><out name=\"x\" from=\"u.f\"/><out name=\"y\" from=\"v.f\"/><out name=\"z\" "
        "from=\"r.f\"/></interface>"
        "<group name=\"rock\"><interface><out name=\"f\" from=\"n.field\"/></interface>" NOISE(
            "n", "") "</group>"
                     "<node id=\"r\" type=\"graph\" href=\"#rock\" version=\"1\"/>"
                     "<node id=\"u\" type=\"graph\" href=\"lib/asset.oro\" version=\"1\"><in name=\"size\" "
                     "value=\"41\"/></node>"
                     "<node id=\"v\" type=\"graph\" href=\"lib/asset.oro\" version=\"1\"><in name=\"seed\" "
                     "value=\"4\"/></node>"));
    struct keys keys = keys_of(doc);
    struct oro_error err = {0};
    char *before = text_of(doc);
    if (!oro_reuse_embed(doc, "lib/asset.oro", "asset", &reuse, &err))
        fail_msg("%s", err.text);
    expect_keys(doc, &keys);
    expect_undone(doc, before);
    char *after = text_of(doc);
    expect_lacks(after, "lib/asset.oro");
    expect_contains(after, "href=\"lib/sub/soft.oro\"");
    expect_contains(after, "href=\"#rock_2\"");
    assert_false(oro_reuse_embed(doc, "lib/asset.oro", "asset", &reuse, &err));
    expect_contains(err.text, "already");
    assert_false(oro_reuse_embed(doc, "lib/none.oro", "none", &reuse, &err));
    assert_false(oro_reuse_embed(doc, "#asset", "none", &reuse, &err));
    assert_false(oro_reuse_embed(doc, "lib/asset.oro", "not a name", &reuse, &err));
    if (!oro_reuse_embed(doc, "lib/sub/soft.oro", "soft", &reuse, &err))
        fail_msg("%s", err.text);
    expect_keys(doc, &keys);
    oro_free(before);
    oro_free(after);
    oro_document_destroy(doc);
}

/* Names that are changed to be free must not collide. */
TEST_WITH(embed_names, open_reuse, close_reuse)
{
#define ONE(name, size)                                                                                      \
    "<group name=\"" name "\"><interface><out name=\"f\" from=\"n.field\"/></interface>" NOISE(              \
        "n", "<in name=\"size\" value=\"" size "\"/>") "</group>"
    make_file(
        "file.oro",
        DOCUMENT("<interface><out name=\"x\" from=\"p.f\"/><out name=\"y\" from=\"q.f\"/></interface>" ONE(
            "a", "11") ONE("a_2", "12")
                     ONE("b", "13") "<node id=\"p\" type=\"graph\" href=\"#a\" version=\"1\"/><node "
                                    "id=\"q\" type=\"graph\" href=\"#a_2\" version=\"1\"/>"));
    struct oro_document *doc = parse_valid(
        DOCUMENT("<interface><out name=\"x\" from=\"u.x\"/><out name=\"y\" from=\"u.y\"/><out "
                 "name=\"z\" from=\"r.f\"/></interface>" ONE("a", "20")
                     ONE("b", "21") "<node id=\"r\" type=\"graph\" href=\"#a\" version=\"1\"/><node id=\"u\" "
                                    "type=\"graph\" href=\"file.oro\" version=\"1\"/>"));
    struct keys keys = keys_of(doc);
    struct oro_error err = {0};
    if (!oro_reuse_embed(doc, "file.oro", "b_2", &reuse, &err))
        fail_msg("%s", err.text);
    expect_keys(doc, &keys);
    oro_document_destroy(doc);
}

/* Files that the graph's file finds in a library are found there from the document, too. */
TEST_WITH(embed_library, open_reuse, close_reuse)
{
    make_folder("library");
    make_folder("parts");
    make_file("library/common.oro",
              DOCUMENT("<interface><out name=\"f\" from=\"n.field\"/></interface>" NOISE("n", "")));
    make_file("parts/a.oro", DOCUMENT("<interface><out name=\"f\" from=\"c.f\"/></interface><node id=\"c\" "
                                      "type=\"graph\" href=\"common.oro\" version=\"1\"/>"));
    setenv("OROGRAPH_PATH", at("library"), 1);
    struct oro_document *doc =
        parse_valid(DOCUMENT("<interface><out name=\"f\" from=\"a.f\"/></interface><node id=\"a\" "
                             "type=\"graph\" href=\"parts/a.oro\" version=\"1\"/>"));
    struct keys keys = keys_of(doc);
    struct oro_error err = {0};
    if (!oro_reuse_embed(doc, "parts/a.oro", "a", &reuse, &err))
        fail_msg("%s", err.text);
    expect_keys(doc, &keys);
    oro_document_destroy(doc);
    doc = parse_valid(DOCUMENT("<interface><out name=\"f\" from=\"a.f\"/></interface><node id=\"a\" "
                               "type=\"graph\" href=\"parts/a.oro\" version=\"1\"/>"));
    flatten(doc, "a");
    expect_keys(doc, &keys);
    oro_document_destroy(doc);
}

TEST_WITH(extract, open_reuse, close_reuse)
{
    make_assets();
    make_folder("library");
    struct oro_document *doc = parse_valid(
        DOCUMENT("<world extent=\"500\" seed=\"3\"/><interface><out name=\"x\" from=\"u.f\"/><out name=\"y\" "
                 "from=\"w.f\"/></interface>"
                 "<node id=\"u\" type=\"graph\" href=\"lib/asset.oro\" version=\"1\"/><group "
                 "name=\"user\"><interface><out "
                 "name=\"f\" from=\"h.f\"/></interface><node id=\"h\" type=\"graph\" href=\"lib/asset.oro\" "
                 "version=\"1\"/></group>"
                 "<node id=\"w\" type=\"graph\" href=\"#user\" version=\"1\"/>"));
    struct keys keys = keys_of(doc);
    struct oro_error err = {0};
    assert_true(oro_reuse_embed(doc, "lib/asset.oro", "asset", &reuse, &err));
    char *before = text_of(doc);
    struct oro_document *file = oro_reuse_file_of(doc, "asset", "lib/", &reuse, &err);
    assert_non_null(file);
    char *text = text_of(file);
    expect_contains(text, "href=\"sub/soft.oro\"");
    expect_contains(text, "<world extent=\"500\" seed=\"3\"/>");
    expect_contains(text, "<group name=\"rock");
    make_file("lib/made.oro", text);
    assert_true(oro_reuse_extract(doc, "asset", "lib/made.oro", &err));
    expect_keys(doc, &keys); /* that of the group `user`, too */
    expect_undone(doc, before);
    assert_null(oro_document_find_group(doc, "asset"));
    assert_null(oro_reuse_file_of(doc, "asset", "", &reuse, &err));
    expect_contains(err.text, "no group 'asset'");
    assert_false(oro_reuse_extract(doc, "asset", "x.oro", &err));
    assert_false(oro_reuse_extract(doc, "user", "", &err));
    assert_false(oro_reuse_extract(doc, "user", "#asset", &err));
    oro_free(text);
    oro_free(before);
    oro_document_destroy(file);
    oro_document_destroy(doc);
}

/* A graph from a file is taken apart like a group, in one step of undo. */
TEST_WITH(flatten_file, open_reuse, close_reuse)
{
    make_assets();
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<interface><out name=\"x\" from=\"u.f\"/></interface><node id=\"u\" type=\"graph\" "
        "href=\"lib/asset.oro\"><in name=\"seed\" value=\"9\"/><in name=\"size\" value=\"30\"/></node>"));
    struct keys keys = keys_of(doc);
    char *before = text_of(doc);
    flatten(doc, "u");
    expect_keys(doc, &keys);
    expect_undone(doc, before);
    flatten(doc, "u_k");
    flatten(doc, "u_s");
    expect_keys(doc, &keys);
    char *text = text_of(doc);
    expect_contains(text, "value=\"lib/sub/map.png\"");
    oro_free(text);
    oro_free(before);
    oro_document_destroy(doc);
}

/* ---- Memory ---- */

/* Whatever allocation fails, the document is as it was. */
TEST_WITH(memory, open_reuse, close_reuse)
{
    make_assets();
    static const char text[] =
        DOCUMENT("<variable name=\"v\" value=\"5\"/><interface><in name=\"s\" to=\"a.size\"/><out name=\"x\" "
                 "from=\"u.f\"/><out name=\"t\" from=\"b.terrain\"/></interface>"
                 "<node id=\"u\" type=\"graph\" href=\"lib/asset.oro\" version=\"1\"/>" NOISE(
                     "a", "<in name=\"height\" expr=\"v\"/>")
                     ERODE("b", "a.field", "<in name=\"amount\" from=\"u.f\"/>"));
    struct oro_document *doc = parse_valid(text);
    char *before = text_of(doc);
    for (int action = 0; action < 3; action++) {
        bool done = false;
        for (size_t n = 1; !done; n++) {
            struct oro_error err = {0};
            const char *const nodes[] = {"a", "b"};
            oro_memory_fail_at(n);
            done = action == 0   ? oro_reuse_group(doc, nodes, 2, "g", &reuse, &err)
                   : action == 1 ? oro_reuse_flatten(doc, "u", &reuse, &err)
                                 : oro_reuse_embed(doc, "lib/asset.oro", "asset", &reuse, &err);
            oro_memory_fail_at(0);
            assert_true(n < 20000);
            if (done)
                assert_true(oro_document_undo(doc, NULL));
            char *after = text_of(doc);
            assert_string_equal(after, before);
            oro_free(after);
        }
    }
    oro_free(before);
    oro_document_destroy(doc);
}

/* ---- Random graphs ---- */

static uint32_t random_state;
static int grouped, taken_apart; /* how often */

static unsigned pick(unsigned count)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % count;
}

enum { NODES = 9 };

/* 'n': noise, 'e': erosion, 'b': blend, 'r': bend. */
static const char *socket_of(char kind)
{
    return kind == 'n' ? "field" : kind == 'r' ? "value" : "terrain";
}

static void add_node(struct oro_text *text, const char *kinds, int i)
{
    static const char *const names[] = {"noise", "erode", "blend", "reroute"};
    static const char letters[] = "nebr";
    char kind = kinds[i];
    oro_text_addf(text, "<node id=\"n%d\" type=\"%s\" version=\"%d\">", i,
                  names[strchr(letters, kind) - letters], kind == 'e' ? 3 : 1);
    if (kind == 'n') {
        oro_text_addf(text, "<in name=\"seed\" value=\"%u\"/>", pick(5));
        if (pick(2))
            oro_text_addf(text, "<in name=\"size\" expr=\"%s\"/>", pick(2) ? "y * 2" : "x + y");
    } else {
        unsigned from = pick((unsigned)i);
        oro_text_addf(text, "<in name=\"%s\" from=\"n%u.%s\"/>", kind == 'r' ? "value" : "terrain", from,
                      socket_of(kinds[from]));
    }
    if ((kind == 'e' || kind == 'b') && pick(2)) {
        unsigned from = pick((unsigned)i);
        oro_text_addf(text, "<in name=\"amount\" from=\"n%u.%s\"/>", from, socket_of(kinds[from]));
    } else if ((kind == 'e' || kind == 'b') && pick(2)) {
        oro_text_add(text, "<in name=\"amount\" expr=\"x / 100\"/>");
    }
    oro_text_add(text, "</node>");
}

static struct oro_document *random_document(void)
{
    struct oro_text text = {0};
    char kinds[NODES];
    for (int i = 0; i < NODES; i++)
        kinds[i] = i == 0 ? 'n' : "nneebbr"[pick(7)];
    oro_text_addf(
        &text,
        "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\"><world seed=\"%u\"/>"
        "<variable name=\"x\" value=\"31\"/><variable name=\"y\" expr=\"x / 3 + world.seed\"/><interface>",
        pick(3));
    for (int i = 0; i < NODES; i++) {
        if (kinds[i] == 'n' && pick(2))
            oro_text_addf(&text, "<in name=\"h%d\" to=\"n%d.height\" default=\"%u\"/>", i % 3, i,
                          7 + pick(9));
        oro_text_addf(&text, "<out name=\"o%d\" from=\"n%d.%s\"/>", i, i, socket_of(kinds[i]));
    }
    oro_text_add(&text, "</interface>");
    for (int i = 0; i < NODES; i++)
        add_node(&text, kinds, i);
    oro_text_add(&text, "</orograph>");
    assert_false(text.failed);
    struct oro_document *doc = parse_valid(text.data);
    oro_text_free(&text);
    return doc;
}

/* Groups some nodes of those that are there. False: there would be a cycle. */
static bool group_some(struct oro_document *doc, const char *name)
{
    const char *nodes[NODES];
    char ids[NODES][64];
    size_t count = 0;
    for (size_t i = 0; i < oro_document_node_count(doc) && count < NODES; i++) {
        if (pick(3) > 0)
            continue;
        snprintf(ids[count], sizeof ids[0], "%s", oro_document_node(doc, i)->id);
        nodes[count] = ids[count];
        count++;
    }
    struct oro_error err = {0};
    bool done = count > 0 && oro_reuse_group(doc, nodes, count, name, &reuse, &err);
    if (!done && count > 0)
        expect_contains(err.text, "cycle");
    grouped += done;
    return done;
}

static bool flatten_some(struct oro_document *doc)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        if (!oro_node_is_graph(oro_document_node(doc, i)))
            continue;
        char id[128];
        snprintf(id, sizeof id, "%s", oro_document_node(doc, i)->id);
        flatten(doc, id);
        taken_apart++;
        return true;
    }
    return false;
}

static void check_random(unsigned seed)
{
    random_state = seed;
    struct oro_document *doc = random_document();
    struct keys keys = keys_of(doc);
    char *before = text_of(doc);
    int steps = 0;
    steps += group_some(doc, "g");
    expect_keys(doc, &keys);
    steps += group_some(doc, "h");
    expect_keys(doc, &keys);
    if (steps && pick(2)) { /* another variant of a graph, that taking it apart keeps */
        for (size_t i = 0; i < oro_document_node_count(doc); i++) {
            const struct oro_doc_node *node = oro_document_node(doc, i);
            if (!oro_node_is_graph(node))
                continue;
            assert_true(oro_edit_set(doc, node->id, "seed", "12", NULL));
            steps++;
            if (pick(2)) {
                assert_true(oro_edit_set(doc, oro_document_node(doc, i)->id, "vary", "true", NULL));
                steps++;
            }
            break;
        }
        keys = keys_of(doc);
    }
    while (flatten_some(doc)) {
        steps++;
        expect_keys(doc, &keys);
    }
    while (steps-- > 0)
        assert_true(oro_document_undo(doc, NULL));
    char *after = text_of(doc);
    assert_string_equal(after, before);
    oro_free(before);
    oro_free(after);
    oro_document_destroy(doc);
}

TEST_WITH(random, open_reuse, close_reuse)
{
    for (unsigned seed = 1; seed <= 400; seed++)
        check_random(seed);
    assert_true(grouped > 200 && taken_apart >= grouped);
}

TEST_GROUP(NULL, clean_up_xml);
