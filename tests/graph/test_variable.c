/* Variables, and expressions over them. */
#include "tests/graph/reuse_support.h"

#include <math.h>

#include "graph/document/variable.h"

#define VARIABLE(name, content) "<variable name=\"" name "\" " content "/>\n"
#define NOISE(id, rest) "<node id=\"" id "\" type=\"noise\" version=\"1\">" rest "</node>\n"
#define WORLD "<world extent=\"3200\" resolution=\"32\" aspect=\"0.5\" seed=\"9\"/>\n"

static double value_of(const struct oro_document *doc, const char *expr)
{
    struct oro_error err = {0};
    double value = NAN;
    struct oro_grid world = oro_document_grid(doc);
    struct oro_variables *all =
        oro_variables_create(doc, &reuse, &world, oro_document_world(doc)->seed, NULL, 0, &err);
    assert_non_null(all);
    if (!oro_variables_evaluate(all, expr, &value, &err))
        fail_msg("%s: %s", expr, err.text);
    oro_variables_destroy(all);
    return value;
}

static void expect_number(const struct oro_document *doc, const char *expr, double wanted)
{
    double value = value_of(doc, expr);
    if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%s gives %.17g, not %.17g", expr, value, wanted);
}

static void expect_fault(const char *text, const char *code, int line, const char *part)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro", text, &problems);
    expect_problem(&problems, code, line, part);
    char *written = text_of(doc); /* it is kept, whatever is wrong */
    oro_free(written);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(values, open_reuse, close_reuse)
{
    struct oro_document *doc =
        parse_valid(DOCUMENT(WORLD VARIABLE("late", "expr=\"early * 2 + _x1\"")
                                 VARIABLE("early", "value=\"1.5e2\" unit=\"m\" label=\"E\" doc=\"D\"")
                                     VARIABLE("_x1", "expr=\"max(early, 7) - world.cell\"")));
    expect_number(doc, "early", 150);
    expect_number(doc, "_x1", 50);
    expect_number(doc, "late", 350);
    expect_number(doc, "world.extent", 3200);
    expect_number(doc, "world.width", 3200);
    expect_number(doc, "world.height", 1600);
    expect_number(doc, "world.cell", 100);
    expect_number(doc, "world.resolution", 32);
    expect_number(doc, "world.seed", 9);
    expect_number(doc, "  2 ^ 10 ", 1024);
    expect_number(doc, "early > 100 and 3 or 4", 3);
    oro_document_destroy(doc);
}

TEST_WITH(names, open_reuse, close_reuse)
{
    assert_true(oro_is_variable_name("relief"));
    assert_true(oro_is_variable_name("_1"));
    static const char *const wrong[] = {"",     "1a",    "a-b", "a.b", "end",
                                        "math", "world", "max", "a b", "\xC3\xA4"};
    char text[400];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(oro_is_variable_name(wrong[i]));
        snprintf(text, sizeof text, DOCUMENT(VARIABLE("%s", "value=\"1\"")), wrong[i]);
        expect_fault(text, "bad-variable", 3, "cannot be the name");
    }
    expect_fault(DOCUMENT(VARIABLE("a", "value=\"1\"") VARIABLE("a", "value=\"2\"")), "bad-variable", 4,
                 "line 3");
    expect_fault(DOCUMENT(VARIABLE("a", "")), "bad-variable", 3, "neither");
    expect_fault(DOCUMENT(VARIABLE("a", "value=\"1,5\"")), "bad-variable", 3, "1,5");
    expect_fault(DOCUMENT(VARIABLE("a", "value=\"1\" expr=\"2\"")), "bad-variable", 3, "value counts");
    expect_fault(DOCUMENT(VARIABLE("a", "value=\"1\" unit=\"parsec\"")), "bad-variable", 3,
                 "no unit 'parsec'");
}

/* Errors are reported at the line where they are made, and only once even if other variables depend on the
 * wrong one. */
TEST_WITH(faults, open_reuse, close_reuse)
{
    expect_fault(DOCUMENT(VARIABLE("relief", "value=\"1\"") VARIABLE("b", "expr=\"relif + 1\"")),
                 "bad-expression", 4, "did you mean 'relief'");
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"1 +\"")), "bad-expression", 3, "variable 'a'");
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"1 / 0\"")), "bad-expression", 3, "inf");
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"0 / 0\"")), "bad-expression", 3, "nan");
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"world.depth\"")), "bad-expression", 3,
                 "extent, width, height");
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"\"")), "bad-expression", 3, "variable 'a'");
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"os.exit()\"")), "bad-expression", 3, "os");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"size\" expr=\"a\"/>")), "bad-expression", 4,
                 "'a' is no variable");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"size\" expr=\"-1\"/>")), "bad-value", 4, "gives -1");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"octaves\" expr=\"16.5\"/>")), "bad-value", 4, "17");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"octaves\" expr=\"2^40\"/>")), "bad-value", 4, "octaves");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"method\" expr=\"1\"/>")), "bad-expression", 4,
                 "no number");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"ridged\" expr=\"true\"/>")), "bad-expression", 4,
                 "no number");
    expect_fault(DOCUMENT(NOISE("n", "\n<in name=\"size\" value=\"5\" expr=\"6\"/>")), "bad-input", 4,
                 "more than one");
    struct oro_problems problems = {0};
    struct oro_document *doc = parse_at("d.oro",
                                        DOCUMENT(VARIABLE("a", "expr=\"oops\"") VARIABLE("b", "expr=\"a\"")
                                                     NOISE("n", "<in name=\"size\" expr=\"b\"/>")),
                                        &problems);
    expect_problem(&problems, "bad-expression", 3, "'oops' is no variable");
    size_t told = 0;
    for (size_t i = 0; i < problems.count; i++)
        told += strstr(problems.items[i].text, "oops") != NULL;
    assert_int_equal(told, 1);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(cycles, open_reuse, close_reuse)
{
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"a\"")), "bad-expression", 3, "a -> a");
    expect_fault(
        DOCUMENT(VARIABLE("a", "expr=\"b + 1\"") VARIABLE("b", "expr=\"c * 2\"") VARIABLE("c", "expr=\"b\"")),
        "bad-expression", -1, "b -> c -> b");
}

/* Through many others: refused before it could use up the stack. */
TEST_WITH(chains, open_reuse, close_reuse)
{
    for (int length = 30; length <= 1000; length += 970) {
        struct oro_text text = {0};
        struct oro_problems problems = {0};
        oro_text_add(&text, "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\">");
        for (int i = 0; i < length; i++)
            oro_text_addf(&text, "<variable name=\"v%d\" expr=\"v%d + 1\"/>", i, i + 1);
        oro_text_addf(&text, "<variable name=\"v%d\" value=\"1\"/></orograph>", length);
        struct oro_document *doc = parse_at("d.oro", text.data, &problems);
        if (length == 30)
            expect_number(doc, "v0", 31);
        else
            expect_problem(&problems, "bad-expression", -1, "through more than 32");
        oro_problems_free(&problems);
        oro_document_destroy(doc);
        oro_text_free(&text);
    }
}

static void expect_params(const char *text, double size, int octaves)
{
    struct oro_document *doc = parse_valid(text);
    struct oro_plan *plan = plan_of(doc, "n", "field");
    const struct fake_noise_params *params = step_of(plan, "n")->params;
    assert_true(fabs((double)params->size - size) < 1e-3);
    assert_int_equal(params->octaves, octaves);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
}

/* Whole numbers are rounded to the nearest. */
TEST_WITH(inputs, open_reuse, close_reuse)
{
    expect_params(
        DOCUMENT(WORLD VARIABLE("a", "value=\"4\"") NOISE(
            "n", "<in name=\"size\" expr=\"a * world.cell\"/><in name=\"octaves\" expr=\"a + 0.5\"/>")),
        400, 5);
    expect_params(DOCUMENT(VARIABLE("a", "value=\"4\"") NOISE(
                      "n", "<in name=\"size\" expr=\"a / 3\"/><in name=\"octaves\" expr=\"a + 0.49\"/>")),
                  4.0 / 3, 4);
}

/* Inside a graph, the world is that of the document that uses it. */
TEST_WITH(world_within, open_reuse, close_reuse)
{
    make_file(
        "a.oro",
        DOCUMENT(
            "<world extent=\"100\" resolution=\"10\" seed=\"1\"/><variable name=\"v\" expr=\"world.cell * "
            "2\"/><interface><in name=\"v\" to=\"v\"/><out name=\"f\" from=\"n.field\"/></interface>" NOISE(
                "n", "<in name=\"size\" expr=\"v + world.seed\"/>")));
    struct oro_document *doc = parse_valid(DOCUMENT(
        WORLD "<node id=\"u\" type=\"graph\" href=\"a.oro\" version=\"1\"/><node id=\"w\" type=\"graph\" "
              "href=\"a.oro\"><in name=\"v\" expr=\"world.resolution\"/></node>"));
    struct oro_plan *plan = plan_of(doc, "u", "f");
    assert_true(fabsf(((const struct fake_noise_params *)step_of(plan, "u/n")->params)->size - 209) < 1e-3F);
    oro_plan_destroy(plan);
    plan = plan_of(doc, "w", "f");
    assert_true(fabsf(((const struct fake_noise_params *)step_of(plan, "w/n")->params)->size - 41) < 1e-3F);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
}

/* A variable set from outside replaces its expression; what depends on it follows. */
TEST_WITH(overrides, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(VARIABLE("a", "expr=\"1 + 1\"") VARIABLE(
        "b", "expr=\"a * 10\"") "<interface><in name=\"b\" to=\"b\" "
                                "default=\"40\"/></interface>" NOISE("n",
                                                                     "<in name=\"size\" expr=\"a + b\"/>")));
    const struct oro_override both[] = {{"", "a", "5"}, {"", "b", "70"}, {"", "b", "60"}},
                              bad[] = {{"", "a", "x"}}, none[] = {{"", "c", "1"}};
    struct oro_plan_options options = {.overrides = both, .override_count = 1};
    struct oro_error err = {0};
    static const float wanted[] = {0, 45, 75, 65}; /* b: 40 by the interface, then set; the last one counts */
    for (size_t count = 1; count <= 3; count++) {
        options.override_count = count;
        struct oro_plan *plan = plan_with(doc, "n", "field", &options, &err);
        assert_non_null(plan);
        float size = ((const struct fake_noise_params *)step_of(plan, "n")->params)->size;
        if (fabsf(size - wanted[count]) > 1e-3F)
            fail_msg("%zu overrides: size %g, not %g", count, (double)size, (double)wanted[count]);
        oro_plan_destroy(plan);
    }
    options.override_count = 1;
    options.overrides = bad;
    assert_null(plan_with(doc, "n", "field", &options, &err));
    expect_contains(err.text, "not a number");
    options.overrides = none;
    assert_null(plan_with(doc, "n", "field", &options, &err));
    expect_contains(err.text, "no variable 'c'");
    oro_document_destroy(doc);
}

/* An edit of a variable changes what depends on it, and nothing else. */
TEST_WITH(keys, open_reuse, close_reuse)
{
    struct oro_document *doc = parse_valid(DOCUMENT(
        VARIABLE("a", "value=\"5\"") VARIABLE("b", "value=\"6\"") VARIABLE("c", "expr=\"a * 2\"")
            NOISE("na", "<in name=\"size\" expr=\"c\"/>")
                NOISE("nb", "<in name=\"size\" expr=\"b\"/>") "<group name=\"g\"><variable name=\"a\" "
                                                              "value=\"1\"/><interface><in name=\"in\" "
                                                              "to=\"a\"/><out name=\"f\" "
                                                              "from=\"n.field\"/></interface>" NOISE(
                                                                  "n", "<in name=\"size\" expr=\"a + "
                                                                       "3\"/>") "</group>"
                                                                                "<node id=\"ga\" "
                                                                                "type=\"graph\" "
                                                                                "href=\"#g\"><in "
                                                                                "name=\"in\" "
                                                                                "expr=\"a\"/></"
                                                                                "node><node id=\"gb\" "
                                                                                "type=\"graph\" "
                                                                                "href=\"#g\"/>"));
    static const char *const nodes[] = {"na", "nb", "ga", "gb"}, *const outputs[] = {"field", "field", "f",
                                                                                     "f"};
    struct oro_hash before[4];
    for (int i = 0; i < 4; i++)
        before[i] = key_of(doc, nodes[i], outputs[i]);
    struct oro_doc_variable edited = *oro_document_find_variable(doc, "a");
    edited.value = (char *)"5.25";
    assert_true(oro_edit_variable(doc, &edited, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(same_key(before[i], key_of(doc, nodes[i], outputs[i])), i % 2 == 1);
    assert_true(oro_document_undo(doc, NULL));
    for (int i = 0; i < 4; i++)
        assert_true(same_key(before[i], key_of(doc, nodes[i], outputs[i])));
    /* Another name, or another way to the same number, is no other result. */
    assert_true(oro_edit_set_expression(doc, "na", "size", "(a + a) * 1", NULL));
    assert_true(same_key(before[0], key_of(doc, "na", "field")));
    assert_true(oro_edit_set(doc, "na", "size", "10", NULL));
    assert_true(same_key(before[0], key_of(doc, "na", "field")));
    oro_document_destroy(doc);
}

static const char *double_word(void *user, const char *name, size_t length)
{
    (void)name;
    return length == 1 ? user : NULL;
}

static void expect_rewritten(const char *expr, const char *wanted)
{
    char new_name[] = "long_name";
    char *text = oro_expression_rewrite(expr, double_word, new_name);
    assert_string_equal(text, wanted);
    oro_free(text);
}

TEST_WITH(rewrite, open_reuse, close_reuse)
{
    expect_rewritten("a+bb*c", "long_name+bb*long_name");
    expect_rewritten("world.a + a", "world.a + long_name");
    expect_rewritten("world . a", "world . a");
    expect_rewritten("1e5 + 0x1F * 2e-3", "1e5 + 0x1F * 2e-3");
    expect_rewritten("a 'a' \"a\\\"a\" a", "long_name 'a' \"a\\\"a\" long_name");
    expect_rewritten("a -- a", "long_name -- a");
    expect_rewritten("'a", "'a");
    expect_rewritten("", "");
}

/* 4096 bytes of nested calls, powers and brackets; the longest texts; many that fail: all end, and soon. */
TEST_WITH(heavy, open_reuse, close_reuse)
{
    struct oro_text nested = {0}, text = {0};
    struct oro_problems problems = {0};
    for (int i = 0; i < 1000; i++)
        oro_text_add(&nested, "sin(");
    oro_text_add(&nested, "1");
    for (int i = 0; i < 90; i++)
        oro_text_add(&nested, ")");
    oro_text_add(&text, "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\">");
    for (int i = 0; i < 2000; i++)
        oro_text_addf(&text,
                      "<node id=\"n%d\" type=\"noise\" version=\"1\"><in name=\"size\" expr=\"%s\"/></node>",
                      i, nested.data);
    oro_text_add(&text, "</orograph>");
    assert_false(text.failed);
    struct oro_document *doc = parse_at("d.oro", text.data, &problems);
    assert_true(problems.errors >= 1999);
    expect_problem(&problems, "bad-expression", -1, "500 expressions have failed");
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    oro_text_free(&nested);
    oro_text_free(&text);
    for (int i = 0; i < 700000; i++)
        oro_text_add(&nested, "-");
    oro_text_addf(&text,
                  "<?xml version=\"1.0\"?><orograph xmlns=\"urn:orograph:1\" version=\"1\"><variable "
                  "name=\"a\" expr=\"%s1\"/></orograph>",
                  nested.data);
    doc = parse_at("d.oro", text.data, &problems);
    expect_problem(&problems, "bad-expression", 1, "variable 'a'");
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    oro_text_free(&nested);
    oro_text_free(&text);
}

/* Without a language there are no expressions, and no crash. */
TEST_WITH(no_language, open_reuse, close_reuse)
{
    reuse.language = NULL;
    expect_fault(DOCUMENT(VARIABLE("a", "expr=\"1\"")), "bad-expression", 3, "evaluates no expressions");
    expect_params(DOCUMENT(VARIABLE("a", "value=\"1\"") NOISE("n", "")), 2000, 8);
}

TEST_GROUP(NULL, clean_up_xml);
