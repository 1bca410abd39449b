/* The document: edits, their conditions, undoing and redoing. */
#include "tests/graph/support.h"

#include <math.h>

#include "base/text.h"
#include "graph/file/load.h"

static const char sample[] = DOCUMENT("  <!-- top -->\n"
                                      "  <about title=\"Sample\" words=\"some\"/>\n"
                                      "  <interface>\n"
                                      "    <in name=\"size\" to=\"n.size\"/>\n"
                                      "    <!-- between -->\n"
                                      "    <out name=\"a\" from=\"b.terrain\"/>\n"
                                      "    <out name=\"b\" from=\"n.field\" label=\"Noise\"/>\n"
                                      "  </interface>\n"
                                      "  <node id=\"n\" type=\"noise\" version=\"1\" x=\"1\" y=\"2\">\n"
                                      "    <!-- coarse -->\n"
                                      "    <in name=\"size\" value=\"500\"/>\n"
                                      "    <!-- few -->\n"
                                      "    <in name=\"octaves\" value=\"2\"/>\n"
                                      "  </node>\n"
                                      "  <!-- middle -->\n"
                                      "  <node id=\"b\" type=\"blend\" version=\"1\">\n"
                                      "    <in name=\"terrain\" from=\"n.field\"/>\n"
                                      "    <!-- second -->\n"
                                      "    <in name=\"other\" from=\"m.field\"/>\n"
                                      "    <in name=\"amount\" from=\"n.field\"/>\n"
                                      "  </node>\n"
                                      "  <node id=\"m\" type=\"noise\" version=\"1\"/>\n"
                                      "  <frame title=\"F\" x=\"0\" y=\"0\" width=\"10\" height=\"10\"/>\n");

static struct oro_error err;

static void expect_name(const struct oro_document *doc, bool undo, const char *wanted)
{
    const char *name = NULL;
    assert_true(undo ? oro_document_can_undo(doc, &name) : oro_document_can_redo(doc, &name));
    assert_string_equal(name, wanted);
}

/* Undoing gives `before`, redoing what it is now. */
static void check_step(struct oro_document *doc, const char *before)
{
    char *after = written(doc);
    assert_true(oro_document_undo(doc, &err));
    expect_text(doc, before);
    assert_true(oro_document_redo(doc, &err));
    expect_text(doc, after);
    assert_true(oro_document_undo(doc, &err));
    oro_free(after);
}

TEST(add)
{
    struct oro_document *doc = read_clean(sample);
    uint64_t revision = oro_document_revision(doc);
    assert_true(oro_edit_add_node(doc, "new-1", "blend", 1, 3, 4.5, &err));
    assert_int_equal(oro_document_node_count(doc), 4);
    assert_int_equal(oro_document_find_index(doc, "new-1"), 3);
    assert_true(oro_document_find(doc, "new-1")->y == 4.5);
    assert_true(oro_document_revision(doc) != revision);
    expect_name(doc, true, "Add new-1");
    char *text = written(doc);
    assert_non_null(
        strstr(text, "  <node id=\"m\" type=\"noise\" version=\"1\"/>\n"
                     "  <node id=\"new-1\" type=\"blend\" version=\"1\" x=\"3\" y=\"4.5\"/>\n  <frame"));
    oro_free(text);
    check_step(doc, sample);
    expect_name(doc, false, "Add new-1");
    assert_null(oro_document_find(doc, "new-1"));
    oro_document_destroy(doc);
}

TEST(remove)
{
    struct oro_document *doc = read_clean(sample);
    assert_true(oro_edit_remove_node(doc, "n", &err));
    expect_text(doc, DOCUMENT("  <!-- top -->\n"
                              "  <about title=\"Sample\" words=\"some\"/>\n"
                              "  <interface>\n"
                              "    <!-- between -->\n"
                              "    <out name=\"a\" from=\"b.terrain\"/>\n"
                              "  </interface>\n"
                              "  <!-- middle -->\n"
                              "  <node id=\"b\" type=\"blend\" version=\"1\">\n"
                              "    <!-- second -->\n"
                              "    <in name=\"other\" from=\"m.field\"/>\n"
                              "  </node>\n"
                              "  <node id=\"m\" type=\"noise\" version=\"1\"/>\n"
                              "  <frame title=\"F\" x=\"0\" y=\"0\" width=\"10\" height=\"10\"/>\n"));
    assert_null(oro_document_find(doc, "n"));
    assert_int_equal(oro_document_find_index(doc, "m"), 1);
    check_step(doc, sample);
    assert_int_equal(oro_document_find_index(doc, "m"), 2);
    oro_document_destroy(doc);
}

TEST(rename)
{
    struct oro_document *doc = read_clean(sample);
    assert_true(oro_edit_rename_node(doc, "n", "noise_1", &err));
    assert_null(oro_document_find(doc, "n"));
    assert_int_equal(oro_document_find_index(doc, "noise_1"), 0);
    const struct oro_doc_node *b = oro_document_find(doc, "b");
    assert_string_equal(oro_doc_node_input(b, "terrain")->from_node, "noise_1");
    assert_string_equal(oro_doc_node_input(b, "amount")->from_node, "noise_1");
    assert_string_equal(oro_document_port(doc, 0)->node, "noise_1");
    assert_string_equal(oro_document_port(doc, 2)->node, "noise_1");
    check_step(doc, sample);
    oro_document_destroy(doc);
}

TEST(inputs)
{
    struct oro_document *doc = read_clean(sample);
    assert_true(oro_edit_set(doc, "n", "size", "7", &err));
    expect_name(doc, true, "Set n.size");
    check_step(doc, sample);
    assert_true(oro_edit_set(doc, "n", "size", NULL, &err));
    check_step(doc, sample);
    assert_true(oro_edit_set(doc, "m", "seed", "4", &err));
    check_step(doc, sample);
    assert_true(oro_edit_set(doc, "b", "amount", "0.25", &err)); /* a value instead of a link */
    assert_null(oro_doc_node_input(oro_document_find(doc, "b"), "amount")->from_node);
    check_step(doc, sample);
    assert_true(oro_edit_connect(doc, "b", "amount", "m", "field", &err));
    check_step(doc, sample);
    assert_true(oro_edit_connect(doc, "m", "size", "n", "field", &err));
    check_step(doc, sample);
    /* An edit that changes nothing is no step. */
    struct oro_document *fresh = read_clean(sample);
    assert_true(oro_edit_set(fresh, "n", "size", "500", &err));
    assert_true(oro_edit_set(fresh, "n", "seed", NULL, &err));
    assert_true(oro_edit_connect(fresh, "b", "terrain", "n", "field", &err));
    assert_true(oro_edit_move(fresh, "n", 1, 2, &err));
    assert_true(oro_edit_title(fresh, "Sample", &err));
    assert_true(oro_edit_world(fresh, oro_document_world(fresh), &err));
    assert_true(oro_edit_rename_node(fresh, "n", "n", &err));
    assert_false(oro_document_can_undo(fresh, NULL));
    assert_int_equal(oro_document_revision(fresh), 0);
    oro_document_destroy(fresh);
    oro_document_destroy(doc);
}

TEST(others)
{
    struct oro_document *doc = read_clean(sample);
    struct oro_world world = {.extent = 5000, .resolution = 64, .aspect = 0.5, .seed = -3};
    assert_true(oro_edit_world(doc, &world, &err));
    assert_int_equal(oro_document_grid(doc).height, 32);
    check_step(doc, sample);
    assert_true(oro_edit_title(doc, NULL, &err));
    assert_string_equal(oro_document_title(doc), "");
    assert_string_equal(oro_document_about(doc).words, "some");
    check_step(doc, sample);
    assert_true(oro_edit_move(doc, "m", -5, 0.25, &err));
    check_step(doc, sample);
    struct oro_doc_port port = {
        .is_output = true, .name = (char *)"c", .node = (char *)"m", .socket = (char *)"field"};
    assert_true(oro_edit_add_port(doc, &port, &err));
    assert_int_equal(oro_document_port_count(doc), 4);
    check_step(doc, sample);
    assert_true(oro_edit_remove_port(doc, true, "a", &err));
    check_step(doc, sample);
    struct oro_doc_frame frame = {.title = (char *)"G", .x = 1, .y = 2, .width = 3, .height = 4};
    assert_true(oro_edit_add_frame(doc, &frame, &err));
    assert_int_equal(oro_document_frame_count(doc), 2);
    assert_true(oro_edit_frame(doc, 0, &frame, &err));
    assert_string_equal(oro_document_frame(doc, 0)->title, "G");
    assert_true(oro_edit_remove_frame(doc, 1, &err));
    assert_true(oro_document_undo(doc, &err));
    assert_true(oro_document_undo(doc, &err));
    check_step(doc, sample);
    oro_document_destroy(doc);
}

/* An entry of the interface that is changed keeps its place, and what is unknown in it. */
TEST(ports)
{
    static const char before[] = DOCUMENT("  <interface>\n"
                                          "    <in name=\"s\" to=\"a.size\" label=\"Size\" tint=\"red\"/>\n"
                                          "    <!-- both -->\n"
                                          "    <in name=\"s\" to=\"b.size\"/>\n"
                                          "    <out name=\"o\" from=\"a.field\"/>\n"
                                          "  </interface>\n"
                                          "  <node id=\"a\" type=\"noise\" version=\"1\"/>\n"
                                          "  <node id=\"b\" type=\"noise\" version=\"1\"/>\n");
    struct oro_problems notices = {0};
    struct oro_document *doc =
        oro_document_parse(before, strlen(before), "test.oro", &fake_registry, &notices);
    assert_non_null(doc);
    assert_int_equal(notices.errors, 0);
    oro_problems_free(&notices);
    struct oro_doc_port port = *oro_document_port(doc, 0);
    assert_true(oro_edit_port(doc, 0, &port, &err));
    assert_false(oro_document_can_undo(doc, NULL)); /* it was so before */
    port.name = (char *)"t";
    port.texts[ORO_PORT_LABEL] = NULL;
    port.texts[ORO_PORT_MAX] = (char *)"9";
    assert_true(oro_edit_port(doc, 0, &port, &err));
    assert_true(oro_edit_drop_port(doc, 1, &err));
    expect_text(doc, DOCUMENT("  <interface>\n"
                              "    <in name=\"t\" to=\"a.size\" max=\"9\" tint=\"red\"/>\n"
                              "    <!-- both -->\n"
                              "    <out name=\"o\" from=\"a.field\"/>\n"
                              "  </interface>\n"
                              "  <node id=\"a\" type=\"noise\" version=\"1\"/>\n"
                              "  <node id=\"b\" type=\"noise\" version=\"1\"/>\n"));
    assert_true(oro_document_undo(doc, &err) && oro_document_undo(doc, &err));
    port.name = (char *)"s";
    port.node = (char *)"b";
    assert_false(oro_edit_port(doc, 0, &port, &err)); /* the second says so already */
    assert_false(oro_edit_port(doc, 3, &port, &err));
    assert_false(oro_edit_drop_port(doc, 3, &err));
    expect_text(doc, before);
    oro_document_destroy(doc);
}

/* New documents grow in the canonical order whatever is added first. */
TEST(order_of_new)
{
    struct oro_document *doc = oro_document_create();
    struct oro_doc_frame frame = {.width = 3, .height = 4};
    struct oro_doc_port port = {.name = (char *)"s", .node = (char *)"a", .socket = (char *)"size"};
    struct oro_world world = {.extent = 10000, .resolution = 256, .aspect = 1, .seed = 1};
    assert_true(oro_edit_add_frame(doc, &frame, &err));
    assert_true(oro_edit_add_node(doc, "a", "noise", 1, 0, 0, &err));
    assert_true(oro_edit_add_port(doc, &port, &err));
    assert_true(oro_edit_world(doc, &world, &err));
    assert_true(oro_edit_title(doc, "T", &err));
    assert_true(oro_edit_add_node(doc, "b", "noise", 1, 0, 0, &err));
    expect_text(doc, DOCUMENT("  <about title=\"T\"/>\n"
                              "  <world seed=\"1\"/>\n"
                              "  <interface>\n"
                              "    <in name=\"s\" to=\"a.size\"/>\n"
                              "  </interface>\n"
                              "  <node id=\"a\" type=\"noise\" version=\"1\"/>\n"
                              "  <node id=\"b\" type=\"noise\" version=\"1\"/>\n"
                              "  <frame x=\"0\" y=\"0\" width=\"3\" height=\"4\"/>\n"));
    oro_document_destroy(doc);
}

static void refused(bool done, const struct oro_document *doc, const char *part)
{
    if (done || !strstr(err.text, part))
        fail_msg("done %d, '%s' is not in: %s", done, part, err.text);
    assert_false(oro_document_can_undo(doc, NULL));
    expect_text(doc, sample);
}

TEST(refusals)
{
    struct oro_document *d = read_clean(sample);
    refused(oro_edit_add_node(d, "n", "noise", 1, 0, 0, &err), d, "is taken");
    refused(oro_edit_add_node(d, "2", "noise", 1, 0, 0, &err), d, "cannot be an id");
    refused(oro_edit_add_node(d, "a\"b", "noise", 1, 0, 0, &err), d, "cannot be an id");
    refused(oro_edit_add_node(d, "", "noise", 1, 0, 0, &err), d, "cannot be an id");
    refused(oro_edit_add_node(d, "q", "a b", 1, 0, 0, &err), d, "a node type");
    refused(oro_edit_add_node(d, "q", "noise", 0, 0, 0, &err), d, "version");
    refused(oro_edit_add_node(d, "q", "noise", 1, (double)INFINITY, 0, &err), d, "finite");
    refused(oro_edit_remove_node(d, "q", &err), d, "no node 'q'");
    refused(oro_edit_rename_node(d, "q", "r", &err), d, "no node 'q'");
    refused(oro_edit_rename_node(d, "n", "b", &err), d, "is taken");
    refused(oro_edit_rename_node(d, "n", "n.b", &err), d, "cannot be an id");
    refused(oro_edit_set(d, "q", "size", "1", &err), d, "no node 'q'");
    refused(oro_edit_set(d, "n", "size\x01", "1", &err), d, "name of an input");
    refused(oro_edit_set(d, "n", "size", "\x02", &err), d, "control characters");
    refused(oro_edit_connect(d, "n", "size", "q", "field", &err), d, "no node 'q'");
    refused(oro_edit_connect(d, "n", "size", "m", "", &err), d, "name of an output");
    refused(oro_edit_connect(d, "n", "size", "n", "field", &err), d, "cycle");
    refused(oro_edit_connect(d, "n", "size", "b", "terrain", &err), d, "cycle");
    assert_string_equal(err.node, "n");
    refused(oro_edit_move(d, "n", 0, (double)NAN, &err), d, "finite");
    struct oro_world world = {.extent = -1, .resolution = 1, .aspect = 1};
    refused(oro_edit_world(d, &world, &err), d, "extent");
    struct oro_doc_port port = {
        .is_output = true, .name = (char *)"a", .node = (char *)"m", .socket = (char *)"field"};
    refused(oro_edit_add_port(d, &port, &err), d, "already");
    port.name = (char *)"new";
    port.node = (char *)"q";
    refused(oro_edit_add_port(d, &port, &err), d, "no node 'q'");
    refused(oro_edit_remove_port(d, false, "a", &err), d, "no input 'a'");
    refused(oro_edit_remove_frame(d, 1, &err), d, "no frame 1");
    refused(oro_document_undo(d, &err), d, "nothing to undo");
    refused(oro_document_redo(d, &err), d, "nothing to redo");
    refused(oro_edit_end(d, &err), d, "no edit has begun");
    refused(oro_edit_cancel(d, &err), d, "no edit has begun");
    char text[120];
    memset(text, 'x', sizeof text);
    text[101] = '\0';
    refused(oro_edit_add_node(d, text, "noise", 1, 0, 0, &err), d, "at most 100");
    oro_document_destroy(d);
}

TEST(transactions)
{
    struct oro_document *doc = read_clean(sample);
    assert_true(oro_edit_begin(doc, "Paste", &err));
    assert_true(oro_edit_add_node(doc, "p", "blend", 1, 0, 0, &err));
    assert_true(oro_edit_begin(doc, "inner", &err));
    assert_true(oro_edit_connect(doc, "p", "terrain", "n", "field", &err));
    assert_false(oro_edit_connect(doc, "n", "size", "p", "terrain", &err));
    assert_true(oro_edit_end(doc, &err));
    assert_false(oro_document_can_undo(doc, NULL));
    assert_false(oro_document_undo(doc, &err));
    assert_true(oro_edit_remove_node(doc, "n", &err));
    assert_true(oro_edit_rename_node(doc, "p", "q", &err));
    assert_true(oro_edit_move(doc, "q", 5, 5, &err));
    assert_true(oro_edit_end(doc, &err));
    expect_name(doc, true, "Paste");
    check_step(doc, sample);
    assert_false(oro_document_can_undo(doc, NULL));
    /* An empty one is no step; a cancelled one leaves nothing. */
    assert_true(oro_edit_begin(doc, "Nothing", &err));
    assert_true(oro_edit_end(doc, &err));
    assert_false(oro_document_can_undo(doc, NULL));
    assert_true(oro_edit_begin(doc, "Drag", &err));
    assert_true(oro_edit_begin(doc, "Drag", &err));
    assert_true(oro_edit_move(doc, "n", 9, 9, &err));
    assert_true(oro_edit_remove_node(doc, "b", &err));
    assert_true(oro_edit_end(doc, &err));
    assert_true(oro_edit_cancel(doc, &err));
    expect_text(doc, sample);
    assert_false(oro_document_can_undo(doc, NULL));
    /* One within another leaves what the other did before and does afterwards. */
    assert_true(oro_edit_begin(doc, "Outer", &err));
    assert_true(oro_edit_move(doc, "n", 9, 9, &err));
    assert_true(oro_edit_begin(doc, "inner", &err));
    assert_true(oro_edit_move(doc, "n", 10, 10, &err));
    assert_true(oro_edit_remove_node(doc, "b", &err));
    assert_true(oro_edit_cancel(doc, &err));
    assert_true(oro_document_find(doc, "n")->x == 9 && oro_document_find(doc, "b"));
    assert_true(oro_edit_rename_node(doc, "n", "moved", &err));
    assert_true(oro_edit_end(doc, &err));
    assert_true(oro_document_find(doc, "moved")->x == 9);
    expect_name(doc, true, "Outer");
    check_step(doc, sample);
    /* Left open when the document ends. */
    assert_true(oro_edit_begin(doc, "Open", &err));
    assert_true(oro_edit_remove_node(doc, "n", &err));
    oro_document_destroy(doc);
}

TEST(bound)
{
    struct oro_document *doc = read_clean(sample);
    for (int i = 0; i < 2 * ORO_UNDO_STEPS; i++)
        assert_true(oro_edit_move(doc, "n", i + 10, 0, &err));
    int steps = 0;
    while (oro_document_undo(doc, NULL))
        steps++;
    assert_int_equal(steps, ORO_UNDO_STEPS);
    assert_true(oro_document_find(doc, "n")->x == ORO_UNDO_STEPS + 9);
    assert_true(oro_edit_move(doc, "n", 0, 0, &err));
    assert_false(oro_document_can_redo(doc, NULL));
    oro_document_destroy(doc);
}

/* A document read with errors can be put right by edits. */
TEST(repair)
{
    static const char broken[] = DOCUMENT("  <node id=\"a\" type=\"noise\" version=\"1\" x=\"1,5\">\n"
                                          "    <in name=\"size\" value=\"1\"/>\n"
                                          "    <in name=\"octaves\" from=\"oops\"/>\n"
                                          "    <in name=\"size\" value=\"2\"/>\n"
                                          "  </node>\n"
                                          "  <node id=\"a\" type=\"noise\" version=\"1\"/>\n"
                                          "  <node type=\"noise\" version=\"1\"/>\n"
                                          "  <node id=\"b\" type=\"blend\" version=\"1\">\n"
                                          "    <in name=\"terrain\" from=\"a.field\"/>\n"
                                          "    <in name=\"other\" from=\"b.terrain\"/>\n"
                                          "  </node>\n");
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(broken, &problems);
    oro_problems_free(&problems);
    assert_true(oro_edit_remove_node(doc, "a", &err)); /* the other one takes its links */
    assert_string_equal(oro_doc_node_input(oro_document_find(doc, "b"), "terrain")->from_node, "a");
    check_step(doc, broken);
    assert_true(oro_edit_rename_node(doc, "a", "c", &err));
    assert_int_equal(oro_document_find_index(doc, "a"), 1);
    assert_true(oro_edit_rename_node(doc, "", "d", &err));
    assert_true(oro_edit_move(doc, "c", 1.5, 0, &err));
    assert_true(oro_edit_set(doc, "c", "size", "3", &err));
    assert_true(oro_edit_set(doc, "c", "octaves", "4", &err));
    assert_true(oro_edit_set(doc, "b", "other", NULL, &err));
    oro_check(doc, &fake_registry, &problems);
    assert_int_equal(problems.count, 0);
    while (oro_document_undo(doc, NULL))
        ;
    expect_text(doc, broken);
    assert_true(oro_edit_remove_node(doc, "b", &err)); /* linked to itself */
    check_step(doc, broken);
    oro_document_destroy(doc);
}

/* ---- Random edits ---- */

static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static const char *random_id(void)
{
    static char ids[4][16];
    static int next;
    char *id = ids[next++ % 4];
    snprintf(id, sizeof ids[0], "%c%u", "nbm"[random_below(3)], (unsigned)random_below(6));
    if (random_below(4) == 0)
        id[1] = '\0';
    return id;
}

static bool random_edit(struct oro_document *doc)
{
    static const char *const inputs[] = {"size", "terrain", "amount", "octaves", "other"};
    const char *input = inputs[random_below(5)];
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)random_below(20));
    struct oro_doc_port port = {.is_output = random_below(2),
                                .name = (char *)input,
                                .node = (char *)random_id(),
                                .socket = (char *)"field",
                                .texts = {random_below(2) ? number : NULL}};
    struct oro_doc_frame frame = {.title = number, .x = random_below(9), .width = 1, .height = 1};
    struct oro_world world = {.extent = 1 + random_below(9), .resolution = 4, .aspect = 1};
    switch (random_below(16)) {
    case 0:
    case 1:
        return oro_edit_add_node(doc, random_id(), "blend", 1, random_below(99), random_below(99), &err);
    case 2:
        return oro_edit_remove_node(doc, random_id(), &err);
    case 3:
        return oro_edit_rename_node(doc, random_id(), random_id(), &err);
    case 4:
    case 5:
    case 6:
        return oro_edit_connect(doc, random_id(), input, random_id(), "terrain", &err);
    case 7:
        return oro_edit_set(doc, random_id(), input, random_below(3) ? number : NULL, &err);
    case 8:
        return oro_edit_move(doc, random_id(), random_below(9), random_below(9), &err);
    case 9:
        return oro_edit_add_port(doc, &port, &err);
    case 10:
        return oro_edit_remove_port(doc, port.is_output, input, &err);
    case 11:
        return oro_edit_add_frame(doc, &frame, &err);
    case 13:
        return oro_edit_port(doc, (size_t)random_below(3), &port, &err);
    case 14:
        return oro_edit_drop_port(doc, (size_t)random_below(3), &err);
    case 12:
        return random_below(2) ? oro_edit_remove_frame(doc, random_below(3), &err)
                               : oro_edit_frame(doc, random_below(3), &frame, &err);
    default:
        return random_below(2) ? oro_edit_world(doc, &world, &err) : oro_edit_title(doc, number, &err);
    }
}

/* Derived data agrees with the items. */
static void check_tables(const struct oro_document *doc)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        assert_ptr_equal(oro_document_find(doc, node->id), node);
        assert_int_equal(oro_document_find_index(doc, node->id), i);
    }
    struct oro_problems problems = {0};
    oro_check(doc, &fake_registry, &problems);
    assert_null(find_problem(&problems, "cycle", -1));
    assert_null(find_problem(&problems, "duplicate-id", -1));
    assert_null(find_problem(&problems, "dangling-link", -1));
    oro_problems_free(&problems);
}

static void soak(uint32_t seed)
{
    enum { STEPS = 300 };
    char *texts[STEPS + 1];
    size_t count = 0;
    random_state = seed;
    struct oro_document *doc = read_clean(sample);
    texts[0] = written(doc);
    while (count < STEPS) {
        uint64_t revision = oro_document_revision(doc);
        bool grouped = random_below(5) == 0;
        if (grouped)
            assert_true(oro_edit_begin(doc, "Group", &err));
        for (uint32_t i = grouped ? 1 + random_below(5) : 1; i > 0; i--) {
            uint64_t before = oro_document_revision(doc);
            if (!random_edit(doc))
                assert_int_equal(oro_document_revision(doc), before);
        }
        if (grouped)
            assert_true(oro_edit_end(doc, &err));
        check_tables(doc);
        if (oro_document_revision(doc) == revision) {
            expect_text(doc, texts[count]);
            continue;
        }
        texts[++count] = written(doc);
        for (uint32_t back = random_below(12) == 0 ? random_below(5) : 0; back > 0 && count > 0; back--) {
            assert_true(oro_document_undo(doc, &err));
            oro_free(texts[count--]);
        }
    }
    for (int round = 0; round < 2; round++) {
        for (size_t i = count; i > 0; i--) {
            expect_text(doc, texts[i]);
            assert_true(oro_document_undo(doc, &err));
            check_tables(doc);
        }
        expect_text(doc, sample);
        assert_false(oro_document_can_undo(doc, NULL));
        for (size_t i = 0; i < count; i++) {
            expect_text(doc, texts[i]);
            assert_true(oro_document_redo(doc, &err));
        }
        assert_false(oro_document_can_redo(doc, NULL));
    }
    struct oro_document *again = read_clean(texts[count]);
    expect_text(again, texts[count]);
    oro_document_destroy(again);
    for (size_t i = 0; i <= count; i++)
        oro_free(texts[i]);
    oro_document_destroy(doc);
}

TEST(soak)
{
    for (uint32_t seed = 1; seed <= 20; seed++)
        soak(seed);
}

TEST_GROUP(NULL, clean_up_xml);
