/* Muted nodes let their input through; muted and collapsed nodes in files, edits and comparisons. */
#include "tests/graph/reuse_support.h"

#include "graph/derived/mute.h"

#define NODE(id, type, rest) "<node id=\"" id "\" type=\"" type "\">" rest "</node>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define ERODE(id, attributes, inputs)                                                                        \
    "<node id=\"" id "\" type=\"erode\" version=\"3\"" attributes ">" inputs "</node>"
#define BLEND(id, attributes, inputs)                                                                        \
    "<node id=\"" id "\" type=\"blend\" version=\"1\"" attributes ">" inputs "</node>"
#define MUTE " mute=\"true\""
#define A NODE("a", "noise", "")
#define B NODE("b", "noise", "<in name=\"size\" value=\"50\"/>")

/* ---- Helpers ---- */

static struct oro_hash key_in(const char *text, const char *node, const char *output)
{
    struct oro_document *doc = parse_valid(text);
    struct oro_hash key = key_of(doc, node, output);
    oro_document_destroy(doc);
    return key;
}

static void same_result(const char *muted, const char *drawn, const char *output)
{
    struct oro_hash key = key_in(drawn, "end", output);
    if (!same_key(key_in(muted, "end", output), key))
        fail_msg("another result than: %s", drawn);
}

static size_t steps_of(const char *text, const char *node, const char *output)
{
    struct oro_error err = {0};
    struct oro_document *doc = parse_valid(text);
    struct oro_plan *plan = plan_with(doc, node, output, &(struct oro_plan_options){0}, &err);
    if (!plan)
        fail_msg("%s", err.text);
    size_t count = plan->step_count;
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    return count;
}

static void refused(const char *text, const char *node, const char *output, const char *place,
                    const char *part)
{
    struct oro_error err = {0};
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("refused.oro", text, &problems);
    assert_null(plan_with(doc, node, output, &(struct oro_plan_options){0}, &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    expect_contains(err.text, part);
    assert_string_equal(err.node, place);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

static struct oro_problems problems_of(const char *text)
{
    struct oro_problems problems = {0};
    oro_document_destroy(parse_at("problems.oro", text, &problems));
    return problems;
}

/* ---- What a muted node lets through ---- */

TEST_WITH(results_are_those_of_links_drawn_past, open_reuse, close_reuse)
{
    const char *drawn = DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field")));
    same_result(DOCUMENT(A ERODE("m", MUTE, LINK("terrain", "a.field"))
                             BLEND("end", "", LINK("terrain", "m.terrain"))),
                drawn, "terrain");
    same_result(DOCUMENT(A ERODE("m", MUTE, LINK("terrain", "n.terrain")) ERODE(
                    "n", MUTE, LINK("terrain", "a.field")) BLEND("end", "", LINK("terrain", "m.terrain"))),
                drawn, "terrain");
    const char *live =
        DOCUMENT(A ERODE("m", "", LINK("terrain", "a.field")) BLEND("end", "", LINK("terrain", "m.terrain")));
    assert_false(same_key(key_in(live, "end", "terrain"), key_in(drawn, "end", "terrain")));
}

TEST_WITH(a_muted_node_is_no_step, open_reuse, close_reuse)
{
    const char *text = DOCUMENT(A B BLEND("m", MUTE, LINK("terrain", "a.field") LINK("other", "b.field"))
                                    BLEND("end", "", LINK("terrain", "m.terrain")));
    assert_int_equal(steps_of(text, "end", "terrain"), 2);
    assert_int_equal(steps_of(text, "m", "terrain"), 1);
    assert_true(same_key(key_in(text, "m", "terrain"), key_in(text, "a", "field")));
}

/* Inputs are tried in the order of the type, not of the document; those that do not fit are skipped. */
TEST_WITH(the_first_that_fits_is_passed_on, open_reuse, close_reuse)
{
    same_result(DOCUMENT(A B BLEND("m", MUTE, LINK("other", "b.field") LINK("terrain", "a.field"))
                             BLEND("end", "", LINK("terrain", "m.terrain"))),
                DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field"))), "terrain");
    same_result(DOCUMENT(A B BLEND("m", MUTE, LINK("amount", "b.field"))
                             BLEND("end", "", LINK("terrain", "m.terrain"))),
                DOCUMENT(B BLEND("end", "", LINK("terrain", "b.field"))), "terrain");
    same_result(
        DOCUMENT(A ERODE("e", "", LINK("terrain", "a.field"))
                     NODE("p", "paint", "") "<node id=\"m\" type=\"paint\" version=\"1\"" MUTE ">" LINK(
                         "picture", "p.picture")
                         LINK("flow", "e.flow") "</node>" NODE("end", "paint", LINK("flow", "m.picture"))),
        DOCUMENT(A ERODE("e", "", LINK("terrain", "a.field")) NODE("end", "paint", LINK("flow", "e.flow"))),
        "picture");
}

/* `network` is like nothing; from the other muted node nothing that fits comes, so the search goes on. */
TEST_WITH(a_way_without_end_is_left, open_reuse, close_reuse)
{
    same_result(DOCUMENT(A NODE("p", "paint",
                                "") "<node id=\"dead\" type=\"paint\" version=\"1\"" MUTE
                                    ">" LINK("picture", "p.picture") "</node>" BLEND(
                                        "m", MUTE, LINK("terrain", "dead.picture") LINK("other", "a.field"))
                                        BLEND("end", "", LINK("terrain", "m.terrain"))),
                DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field"))), "terrain");
}

TEST_WITH(an_input_that_takes_anything_gets_the_first, open_reuse, close_reuse)
{
    struct oro_document *doc =
        parse_valid(DOCUMENT(A B NODE("s", "switch", LINK("value0", "m.terrain"))
                                 BLEND("m", MUTE, LINK("amount", "a.field") LINK("terrain", "b.field"))));
    const struct oro_graph graph = {doc, doc};
    const struct oro_doc_node *s = oro_document_find(doc, "s");
    assert_int_equal(oro_output_type(&reuse, &graph, s, &any_output[0]), ORO_FIELD);
    assert_true(same_key(key_of(doc, "s", "value"), key_of(doc, "b", "field")));
    oro_document_destroy(doc);
}

static const struct oro_input masked_inputs[] = {
    ORO_IN_FIELD("mask", .optional = true), ORO_IN_FIELD("terrain"), {0}};
static const struct oro_node_type masked = {
    .id = "masked", .version = 1, .inputs = masked_inputs, .outputs = fake_blend_outputs, .kernel = "m.comp"};

TEST_WITH(the_input_that_it_is_like_comes_first, open_reuse, close_reuse)
{
    const struct oro_node_type *const types[] = {&fake_blend, &masked, &fake_noise};
    reuse.types = types;
    reuse.count = 3;
    same_result(
        DOCUMENT(A B "<node id=\"m\" type=\"masked\" version=\"1\"" MUTE ">" LINK("mask", "b.field")
                     LINK("terrain", "a.field") "</node>" BLEND("end", "", LINK("terrain", "m.terrain"))),
        DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field"))), "terrain");
}

TEST_WITH(types_are_those_of_what_is_passed_on, open_reuse, close_reuse)
{
    struct oro_document *doc =
        parse_valid(DOCUMENT("<interface><out name=\"t\" from=\"m.value\"/></interface>" NODE(
            "r", "ridges",
            "<in name=\"lines\" value=\"0 0, 1 1\"/>") "<node id=\"m\" type=\"reroute\" version=\"1\"" MUTE
                                                       ">" LINK("value", "e.terrain") "</node>" ERODE(
                                                           "e", MUTE, LINK("terrain", "r.uplift"))));
    const struct oro_graph graph = {doc, doc};
    const struct oro_doc_node *e = oro_document_find(doc, "e"), *m = oro_document_find(doc, "m");
    assert_int_equal(oro_output_type(&reuse, &graph, e, &fake_erode_outputs[0]), ORO_UPLIFT);
    assert_int_equal(oro_output_type(&reuse, &graph, e, &fake_erode_outputs[1]), ORO_VECTOR); /* nothing */
    assert_int_equal(oro_output_type(&reuse, &graph, m, &any_output[0]), ORO_UPLIFT);
    const struct oro_node_type *type = oro_graph_type(&reuse, &graph, NULL);
    assert_int_equal(oro_type_output(type, "t")->type, ORO_UPLIFT);
    oro_document_destroy(doc);
}

TEST_WITH(many_muted_nodes_are_followed, open_reuse, close_reuse)
{
    enum { COUNT = 20000 };
    struct oro_text text = {0};
    oro_text_add(&text, "<orograph xmlns=\"urn:orograph:1\" version=\"1\">" A);
    for (int i = 0; i < COUNT; i++)
        oro_text_addf(&text, BLEND("m%d", MUTE, LINK("terrain", "%s%d.%s") LINK("other", "%s%d.%s")), i,
                      i + 1 < COUNT ? "m" : "a", i + 1, i + 1 < COUNT ? "terrain" : "field",
                      i + 1 < COUNT ? "m" : "a", i + 1, i + 1 < COUNT ? "terrain" : "field");
    oro_text_add(&text, "<node id=\"a20000\" type=\"noise\" version=\"1\"/>" BLEND(
                            "end", "", LINK("terrain", "m0.terrain"))
                            NODE("p", "paint", LINK("picture", "m0.terrain")) "</orograph>");
    assert_false(text.failed);
    assert_int_equal(steps_of(text.data, "end", "terrain"), 2);
    assert_int_equal(steps_of(text.data, "p", "picture"), 1); /* every way is tried, each node once */
    oro_text_free(&text);
}

/* ---- Nothing to let through ---- */

TEST_WITH(what_must_be_linked_is_missing, open_reuse, close_reuse)
{
    const char *text = DOCUMENT(ERODE("m", MUTE, "") BLEND("end", "", LINK("terrain", "m.terrain")));
    struct oro_problems problems = problems_of(text);
    assert_int_equal(problems.errors, 1);
    expect_problem(&problems, "missing-input", -1, "'m' is muted, and has nothing to pass on");
    oro_problems_free(&problems);
    const struct oro_plan_options checked = {.checked = true};
    struct oro_error err = {0};
    struct oro_document *doc = parse_at("missing.oro", text, &problems);
    assert_null(plan_with(doc, "end", "terrain", &checked, &err));
    expect_contains(err.text, "'m' is muted, and has nothing to pass on");
    assert_string_equal(err.node, "end");
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(what_may_be_open_is_open, open_reuse, close_reuse)
{
    same_result(DOCUMENT(A ERODE("m", MUTE, "") BLEND("end", "",
                                                      LINK("terrain", "a.field") LINK("other", "m.terrain")
                                                          LINK("amount", "m.terrain"))),
                DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field"))), "terrain");
}

TEST_WITH(what_is_asked_for_by_name_fails, open_reuse, close_reuse)
{
    const char *text = DOCUMENT("<interface><out name=\"t\" from=\"m.terrain\"/></interface>" A ERODE(
        "m", MUTE, "") "<node id=\"w\" type=\"write\" version=\"1\"" MUTE
                       ">" LINK("terrain", "a.field") "</node>");
    refused(text, "m", "terrain", "m", "muted, and has nothing to pass on");
    refused(text, "m", "flow", "m", "muted, and has nothing to pass on");
    refused(text, "m", "none", "", "no output 'none'");
    refused(text, "w", NULL, "w", "muted, and not run");
    struct oro_problems problems = problems_of(text);
    assert_int_equal(problems.errors, 0);
    expect_problem(&problems, "muted-output", -1, "'t'");
    oro_problems_free(&problems);
}

TEST_WITH(a_circle_of_muted_nodes_ends, open_reuse, close_reuse)
{
    struct oro_problems problems = problems_of(DOCUMENT(ERODE("m", MUTE, LINK("terrain", "n.terrain")) ERODE(
        "n", MUTE, LINK("terrain", "m.terrain")) BLEND("end", "", LINK("terrain", "m.terrain"))));
    expect_problem(&problems, "cycle", -1, "m");
    expect_problem(&problems, "missing-input", -1, "muted");
    oro_problems_free(&problems);
}

/* ---- Within graphs ---- */

#define GROUP                                                                                                \
    "<group name=\"g\"><interface><in name=\"in\" to=\"m.terrain\"/><in name=\"share\" to=\"m.amount\"/>"    \
    "<out name=\"out\" from=\"m.terrain\"/></interface>" ERODE("m", MUTE, "") "</group>"
#define USE(id, inputs) "<node id=\"" id "\" type=\"graph\" href=\"#g\" version=\"1\">" inputs "</node>"

TEST_WITH(what_the_interface_brings_is_passed_on, open_reuse, close_reuse)
{
    same_result(DOCUMENT(GROUP A USE("u", LINK("in", "a.field")) BLEND("end", "", LINK("terrain", "u.out"))),
                DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field"))), "terrain");
    const char *literal =
        DOCUMENT(GROUP A USE("u", LINK("in", "a.field") "<in name=\"share\" value=\"3\"/>"));
    assert_true(same_key(key_in(literal, "u", "out"), key_in(literal, "a", "field")));
}

TEST_WITH(a_muted_graph_is_passed_by, open_reuse, close_reuse)
{
    const char *text = DOCUMENT(
        "<group name=\"g\"><interface><in name=\"in\" to=\"m.terrain\"/><out name=\"out\" "
        "from=\"m.terrain\"/></interface>" ERODE(
            "m", "", "") "</group>" A "<node id=\"u\" type=\"graph\" href=\"#g\" version=\"1\"" MUTE
                         ">" LINK("in", "a.field") "</node>" BLEND("end", "", LINK("terrain", "u.out")));
    same_result(text, DOCUMENT(A BLEND("end", "", LINK("terrain", "a.field"))), "terrain");
}

TEST_WITH(a_graph_that_is_missing_can_be_muted, open_reuse, close_reuse)
{
    const char *text =
        DOCUMENT(A "<node id=\"lost\" type=\"graph\" href=\"lost.oro\" version=\"1\"" MUTE
                   ">" LINK("x", "a.field") "</node>" BLEND("end", "", LINK("terrain", "lost.y")));
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct oro_document *doc = parse_at("lost.oro.oro", text, &problems);
    expect_problem(&problems, "missing-graph", -1, "lost.oro");
    struct oro_plan *plan =
        plan_with(doc, "end", "terrain", &(struct oro_plan_options){.checked = true}, &err);
    if (!plan)
        fail_msg("%s", err.text);
    assert_int_equal(plan->step_count, 2);
    oro_plan_destroy(plan);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

/* ---- The document ---- */

static const char both[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "  <group name=\"g\">\n"
    "    <node id=\"n\" type=\"noise\" version=\"1\" mute=\"true\"/>\n"
    "  </group>\n"
    "  <node id=\"a\" type=\"noise\" version=\"1\" x=\"1\" y=\"2\" mute=\"true\" collapsed=\"true\"/>\n"
    "  <node id=\"b\" type=\"noise\" version=\"1\"/>\n"
    "</orograph>\n";

TEST_WITH(files_keep_both, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(both), *copy = oro_document_clone(doc);
    expect_text(doc, both);
    expect_text(copy, both);
    assert_true(oro_document_find(doc, "a")->mute && oro_document_find(doc, "a")->collapsed);
    assert_false(oro_document_find(doc, "b")->mute || oro_document_find(doc, "b")->collapsed);
    oro_document_destroy(copy);
    oro_document_destroy(doc);
}

TEST_WITH(edits_are_undone, open_reuse, close_reuse)
{
    const char *name = NULL;
    struct oro_error err = {0};
    struct oro_document *doc = parse_valid(both);
    assert_true(oro_edit_mute(doc, "a", true, &err)); /* changes nothing */
    assert_true(oro_edit_collapse(doc, "b", false, &err));
    assert_false(oro_document_can_undo(doc, NULL));
    assert_true(oro_edit_mute(doc, "b", true, &err));
    assert_true(oro_document_can_undo(doc, &name));
    assert_string_equal(name, "Mute b");
    assert_true(oro_edit_collapse(doc, "a", false, &err));
    assert_true(oro_document_find(doc, "b")->mute);
    assert_false(oro_document_find(doc, "a")->collapsed);
    assert_true(oro_document_undo(doc, &err) && oro_document_undo(doc, &err));
    expect_text(doc, both);
    assert_false(oro_edit_mute(doc, "none", true, &err));
    oro_document_destroy(doc);
}

TEST_WITH(a_word_that_is_neither_is_kept_until_it_is_edited, open_reuse, close_reuse)
{
    struct oro_error err = {0};
    struct oro_problems problems = {0};
    struct oro_document *doc =
        parse_at("word.oro",
                 DOCUMENT("<node id=\"a\" type=\"noise\" version=\"1\" mute=\"yes\" collapsed=\"false\"/>"),
                 &problems);
    assert_int_equal(problems.errors, 1);
    expect_problem(&problems, "bad-value", -1, "mute: 'yes'");
    char *text = text_of(doc);
    expect_contains(text, "<node id=\"a\" type=\"noise\" version=\"1\" mute=\"yes\"/>");
    oro_free(text);
    assert_true(oro_edit_mute(doc, "a", false, &err));
    text = text_of(doc);
    expect_contains(text, "<node id=\"a\" type=\"noise\" version=\"1\"/>");
    oro_free(text);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(groups_keep_it_and_are_taken_apart_again, open_reuse, close_reuse)
{
    static const char *const nodes[] = {"m", "end"};
    struct oro_error err = {0};
    struct oro_document *doc =
        parse_valid(DOCUMENT("<interface><out name=\"t\" from=\"end.terrain\"/></interface>" A ERODE(
            "m", MUTE " collapsed=\"true\"", LINK("terrain", "a.field"))
                                 BLEND("end", "", LINK("terrain", "m.terrain"))));
    struct oro_hash key = key_of(doc, "end", "terrain");
    assert_true(oro_reuse_group(doc, nodes, 2, "g", &reuse, &err));
    const struct oro_doc_node *within = oro_document_find(oro_document_find_group(doc, "g")->body, "m");
    assert_true(within->mute && within->collapsed);
    const struct oro_doc_port *port = oro_document_port(doc, 0);
    assert_true(same_key(key_of(doc, port->node, port->socket), key));
    assert_true(oro_edit_mute(doc, "g", true, &err));
    assert_false(oro_reuse_flatten(doc, "g", &reuse, &err));
    expect_contains(err.text, "muted");
    assert_true(oro_edit_mute(doc, "g", false, &err));
    assert_true(oro_reuse_flatten(doc, "g", &reuse, &err));
    assert_true(oro_document_find(doc, "g_m")->mute && oro_document_find(doc, "g_m")->collapsed);
    assert_true(same_key(key_of(doc, "g_end", "terrain"), key));
    oro_document_destroy(doc);
}

/* If a link brings nothing, a use of a graph keeps the value inside; so it does when the graph is taken
 * apart. */
TEST_WITH(an_empty_link_stays_empty, open_reuse, close_reuse)
{
    struct oro_error err = {0};
    struct oro_document *doc = parse_valid(DOCUMENT(
        "<group name=\"g\"><interface><in name=\"in\" to=\"e.terrain\"/><out name=\"out\" "
        "from=\"e.terrain\"/></interface>" A ERODE("e", "", LINK("terrain", "a.field")) "</group>" ERODE(
            "m", MUTE, "") USE("u", LINK("in", "m.terrain"))));
    struct oro_hash key = key_of(doc, "u", "out");
    if (!oro_reuse_flatten(doc, "u", &reuse, &err))
        fail_msg("%s", err.text);
    assert_true(same_key(key_of(doc, "u_e", "terrain"), key));
    oro_document_destroy(doc);
}

TEST_WITH(memory_may_be_out, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(A ERODE("m", MUTE, LINK("terrain", "a.field"))
                                                        BLEND("end", "", LINK("terrain", "m.terrain"))));
    size_t before = oro_memory_count();
    key_of(doc, "end", "terrain");
    size_t count = oro_memory_count() - before;
    for (size_t n = 1; n <= count; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        struct oro_plan *plan = plan_with(doc, "end", "terrain", &(struct oro_plan_options){0}, &err);
        oro_memory_fail_at(0);
        if (!plan)
            assert_true(err.code != ORO_OK);
        oro_plan_destroy(plan);
    }
    oro_document_destroy(doc);
}

TEST_GROUP(NULL, clean_up_xml);
