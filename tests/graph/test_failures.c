/* Memory that runs out at every point of reading, checking, writing and editing: an error, no crash, no
 * half-way. */
#include "tests/graph/support.h"

#include "graph/file/load.h"

static const char sample[] =
    DOCUMENT("  <!-- top -->\n"
             "  <about title=\"Sample\" by=\"me\"/>\n"
             "  <world extent=\"1,5\" seed=\"3\"/>\n"
             "  <interface>\n"
             "    <!-- entries -->\n"
             "    <in name=\"size\" to=\"n.size\" label=\"Size\"/>\n"
             "    <out name=\"a\" from=\"b.terrain\"/>\n"
             "  </interface>\n"
             "  <node id=\"n\" type=\"noise\" version=\"1\" x=\"1\" y=\"2\">\n"
             "    <!-- coarse -->\n"
             "    <in name=\"size\" value=\"500\"/>\n"
             "    <in name=\"octaves\" value=\"2\"/>\n"
             "  </node>\n"
             "  <node id=\"b\" type=\"blend\" version=\"1\" e:n=\"1\" xmlns:e=\"urn:e\">\n"
             "    <in name=\"terrain\" from=\"n.field\"/>\n"
             "    <in name=\"other\" from=\"b.terrain\"/>\n"
             "    <in name=\"methd\" value=\"1\"/>\n"
             "  </node>\n"
             "  <node id=\"old\" type=\"erode\" version=\"2\">\n"
             "    <in name=\"force\" value=\"3\"/>\n"
             "  </node>\n"
             "  <frame title=\"F\" x=\"0\" y=\"0\" width=\"10\" height=\"10\"/>\n");

TEST(read)
{
    struct oro_problems wanted = {0};
    struct oro_document *whole = read_text(sample, &wanted);
    char *text = written(whole);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct oro_problems problems = {0};
        oro_memory_fail_at(n);
        struct oro_document *doc = read_text(sample, &problems);
        oro_memory_fail_at(0);
        if (doc) /* only a problem, or nothing, was lost; never its count */
            expect_text(doc, text);
        assert_true(doc ? problems.errors == wanted.errors : problems.errors > 0);
        done = doc && problems.count == wanted.count;
        oro_document_destroy(doc);
        oro_problems_free(&problems);
    }
    oro_free(text);
    oro_problems_free(&wanted);
    oro_document_destroy(whole);
}

TEST(check)
{
    struct oro_problems ignored = {0}, wanted = {0};
    struct oro_document *doc = read_text(sample, &ignored);
    oro_check(doc, &fake_registry, &wanted);
    size_t before = oro_memory_count();
    oro_check(doc, &fake_registry, &ignored);
    size_t allocations = oro_memory_count() - before;
    for (size_t n = 1; n <= allocations; n++) {
        struct oro_problems problems = {0};
        oro_memory_fail_at(n);
        oro_check(doc, &fake_registry, &problems);
        oro_memory_fail_at(0);
        assert_true(problems.errors > 0);
        oro_problems_free(&problems);
    }
    oro_problems_free(&ignored);
    oro_problems_free(&wanted);
    oro_document_destroy(doc);
}

TEST(write)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(sample, &problems);
    char *wanted = written(doc);
    for (size_t n = 1;; n++) {
        char *text = NULL;
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_document_format(doc, &fake_registry, &text, NULL, &err);
        oro_memory_fail_at(0);
        if (ok) {
            assert_string_equal(text, wanted);
            oro_free(text);
            break;
        }
        assert_null(text);
        assert_int_equal(err.code, ORO_E_MEMORY);
    }
    oro_free(wanted);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* ---- Edits ---- */

static bool add_node(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_add_node(doc, "new", "blend", 1, 1, 2, err);
}
static bool remove_node(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_remove_node(doc, "n", err);
}
static bool remove_self_linked(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_remove_node(doc, "b", err);
}
static bool rename_node(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_rename_node(doc, "n", "renamed", err);
}
static bool set_new(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_set(doc, "n", "seed", "5", err);
}
static bool set_link(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_set(doc, "b", "terrain", "5", err);
}
static bool reset(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_set(doc, "n", "size", NULL, err);
}
static bool link_nodes(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_connect(doc, "b", "amount", "n", "field", err);
}
static bool move(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_move(doc, "n", 100, 200, err);
}
static bool set_world(struct oro_document *doc, struct oro_error *err)
{
    struct oro_world world = ORO_WORLD_DEFAULT;
    return oro_edit_world(doc, &world, err);
}
static bool set_title(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_title(doc, "Other", err);
}
static bool add_port(struct oro_document *doc, struct oro_error *err)
{
    struct oro_doc_port port = {
        .name = (char *)"p", .node = (char *)"n", .socket = (char *)"octaves", .texts = {(char *)"L"}};
    return oro_edit_add_port(doc, &port, err);
}
static bool remove_port(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_remove_port(doc, true, "a", err);
}
static bool add_frame(struct oro_document *doc, struct oro_error *err)
{
    struct oro_doc_frame frame = {.title = (char *)"G"};
    return oro_edit_add_frame(doc, &frame, err);
}
static bool remove_frame(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_remove_frame(doc, 0, err);
}
static bool begin(struct oro_document *doc, struct oro_error *err)
{
    return oro_edit_begin(doc, "Group", err) && oro_edit_cancel(doc, err);
}

static bool (*const edits[])(struct oro_document *, struct oro_error *) = {
    add_node, remove_node, remove_self_linked, rename_node, set_new,     set_link,  reset,        link_nodes,
    move,     set_world,   set_title,          add_port,    remove_port, add_frame, remove_frame, begin,
};

/* Lets every allocation of the edit fail in turn; the document stays as it is until the edit succeeds. */
static void fail_everywhere(struct oro_document *doc, bool (*edit)(struct oro_document *, struct oro_error *))
{
    char *before = written(doc);
    uint64_t revision = oro_document_revision(doc);
    for (size_t n = 1;; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = edit(doc, &err);
        oro_memory_fail_at(0);
        if (ok) {
            assert_true(n > 1);
            break;
        }
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_int_equal(oro_document_revision(doc), revision);
        expect_text(doc, before);
        assert_non_null(oro_document_find(doc, "n"));
    }
    /* Undoing needs no memory at all. */
    oro_memory_fail_at(1);
    if (edit != begin)
        assert_true(oro_document_undo(doc, NULL));
    oro_memory_fail_at(0);
    expect_text(doc, before);
    oro_free(before);
}

TEST(edits)
{
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        struct oro_problems problems = {0};
        struct oro_document *doc = read_text(sample, &problems);
        fail_everywhere(doc, edits[i]);
        fail_everywhere(doc, edits[(i + 7) % (sizeof edits / sizeof edits[0])]); /* with a step to redo */
        oro_problems_free(&problems);
        oro_document_destroy(doc);
    }
}

TEST(edits_in_group)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(sample, &problems);
    char *before = written(doc);
    assert_true(oro_edit_begin(doc, "Group", NULL));
    assert_true(add_node(doc, NULL));
    char *added = written(doc);
    for (size_t n = 1;; n++) {
        oro_memory_fail_at(n);
        bool ok = remove_node(doc, NULL);
        oro_memory_fail_at(0);
        if (ok)
            break;
        expect_text(doc, added);
    }
    assert_true(oro_edit_end(doc, NULL));
    assert_true(oro_document_undo(doc, NULL));
    expect_text(doc, before);
    oro_free(before);
    oro_free(added);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST(create)
{
    for (size_t n = 1;; n++) {
        oro_memory_fail_at(n);
        struct oro_document *doc = oro_document_create();
        oro_memory_fail_at(0);
        if (doc) {
            assert_string_equal(oro_document_path(doc), "");
            oro_document_destroy(doc);
            break;
        }
    }
}

TEST_GROUP(NULL, clean_up_xml);
