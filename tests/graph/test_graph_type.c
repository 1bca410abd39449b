/* A graph with an interface is a node type like any other. */
#include "tests/graph/reuse_support.h"

#define NOISE "<node id=\"n\" type=\"noise\" version=\"1\"><in name=\"size\" value=\"500\"/></node>"
#define ERODE "<node id=\"e\" type=\"erode\" version=\"3\"><in name=\"terrain\" from=\"n.field\"/></node>"
#define INTERFACE(entries) "<interface>" entries "</interface>"

/* The document of the type that is looked at. */
static struct oro_document *held;

static const struct oro_node_type *type_of(const char *text, struct oro_error *err)
{
    struct oro_problems problems = {0};
    oro_document_destroy(held);
    held = oro_document_parse(text, strlen(text), at("asset.oro"), &reuse, &problems);
    oro_problems_free(&problems);
    assert_non_null(held);
    const struct oro_graph graph = {held, held};
    return oro_graph_type(&reuse, &graph, err);
}

static const struct oro_node_type *type_from(const char *text)
{
    struct oro_error err = {0};
    const struct oro_node_type *type = type_of(text, &err);
    if (!type)
        fail_msg("%s", err.text);
    return type;
}

static const struct oro_input *input_of(const char *text, const char *name)
{
    const struct oro_input *input = oro_type_input(type_from(text), name);
    assert_non_null(input);
    return input;
}

static void refused(const char *text, const char *reason)
{
    struct oro_error err = {0};
    assert_null(type_of(text, &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    expect_contains(err.text, reason);
}

FIXTURE(drop)
{
    oro_document_destroy(held);
    held = NULL;
    return close_reuse(state);
}

static void near(double a, double b)
{
    if (!(a - b < 1e-12 && b - a < 1e-12))
        fail_msg("%.17g is not %.17g", a, b);
}

TEST_WITH(about, open_reuse, drop)
{
    const struct oro_node_type *type = type_from(
        DOCUMENT("<about title=\"Alps\" category=\"range\" doc=\"Sharp. And high.\" words=\"peaks\"/>"
                 "<interface version=\"7\"><in name=\"size\" to=\"n.size\"/></interface>" NOISE));
    assert_string_equal(type->id, "asset");
    assert_string_equal(type->category, "range");
    assert_string_equal(type->doc, "Sharp. And high.");
    assert_string_equal(type->words, "peaks");
    assert_int_equal(type->version, 7);
    assert_int_equal(oro_type_output_count(type), 0);
    type = type_from(DOCUMENT("<about title=\"Alps\"/>" INTERFACE("<in name=\"s\" to=\"n.size\"/>") NOISE));
    assert_string_equal(type->doc, "Alps");
    assert_string_equal(type->category, "graph");
    assert_int_equal(type->version, 1);
}

TEST_WITH(attributes, open_reuse, drop)
{
    const struct oro_input *all =
        input_of(DOCUMENT(INTERFACE("<in name=\"relief\" to=\"n.size\" label=\"Relief\" group=\"Form\" "
                                    "default=\"700\" min=\"10\" max=\"2000\" soft-min=\"20\" "
                                    "soft-max=\"1500\" unit=\"yr\" doc=\"How much\"/>") NOISE),
                 "relief");
    assert_int_equal(all->type, ORO_FLOAT);
    near(all->value, 700);
    near(all->min, 10);
    near(all->max, 2000);
    near(all->soft_min, 20);
    near(all->soft_max, 1500);
    assert_int_equal(all->unit, ORO_YEAR);
    assert_string_equal(all->group, "Form");
    assert_string_equal(all->doc, "How much");
}

/* Whatever the entry does not say is taken from the input that it leads to, with the value set inside the
 * graph. */
TEST_WITH(inherited, open_reuse, drop)
{
    const struct oro_input *size =
        input_of(DOCUMENT(INTERFACE("<in name=\"relief\" to=\"n.size\" label=\"Relief\"/>") NOISE), "relief");
    near(size->value, 500);
    near(size->min, 0.1);
    near(size->max, 1e6);
    assert_int_equal(size->unit, ORO_METRE);
    assert_string_equal(size->label, "Relief");
    assert_null(size->doc); /* the input has no text of its own */
    const struct oro_input *share = input_of(
        DOCUMENT(INTERFACE("<in name=\"share\" to=\"b.amount\" label=\"Share\"/>") "<node id=\"b\" "
                                                                                   "type=\"blend\"/>"),
        "share");
    assert_string_equal(share->doc, "Share of the second");
    near(share->value, 0.5);
    assert_true(share->map);
    const struct oro_input *below =
        input_of(DOCUMENT(INTERFACE("<in name=\"h\" to=\"n.height\" max=\"50\"/>") NOISE), "h");
    assert_true(below->min < -1e38);
    near(below->max, 50);
    assert_true(below->soft_max <= 50);
}

/* A side that is not given stays as it is; a slider stays within. */
TEST_WITH(narrower, open_reuse, drop)
{
    const struct oro_input *input =
        input_of(DOCUMENT(INTERFACE("<in name=\"a\" to=\"n.size\" min=\"100\"/>") NOISE), "a");
    near(input->min, 100);
    near(input->max, 1e6);
    assert_true(input->soft_min >= 100 && input->soft_max <= 1e6);
    struct oro_error err = {0};
    assert_false(oro_literal_parse(input, "99", NULL, &err));
    assert_true(oro_literal_parse(input, "100", NULL, &err));
}

static const struct {
    const char *name;
    enum oro_type type;
    bool required;
    const char *text;
} wanted[] = {
    {"float", ORO_FLOAT, false, "2000"},
    {"int", ORO_INT, false, "3"},
    {"choice", ORO_CHOICE, false, "worley"},
    {"bool", ORO_BOOL, false, "true"},
    {"file", ORO_FILE, false, "a.png"},
    {"text", ORO_TEXT, false, "none"},
    {"colour", ORO_COLOUR, false, "#ff8000"},
    {"point", ORO_POINT, false, "3 4"},
    {"profile", ORO_PROFILE, false, "0 1, 1 0"},
    {"gradient", ORO_GRADIENT, false, "0 #000000, 1 #ffffff"},
    {"image", ORO_IMAGE, false, NULL},
    {"vector", ORO_VECTOR, false, NULL},
    {"lines", ORO_NETWORK, true, NULL},
    {"drawn", ORO_NETWORK, false, "10 20, 30.5 40"},
    {"uplift", ORO_UPLIFT, false, NULL},
    {"map", ORO_FLOAT, false, "0.001"},
    {"field", ORO_FIELD, true, NULL},
};

TEST_WITH(types, open_reuse, drop)
{
    const struct oro_node_type *type = type_from(DOCUMENT(INTERFACE(
        "<in name=\"float\" to=\"n.size\"/><in name=\"int\" to=\"n.octaves\" default=\"3\"/>"
        "<in name=\"choice\" to=\"n.method\"/><in name=\"bool\" to=\"n.ridged\" default=\"true\"/>"
        "<in name=\"file\" to=\"i.file\" default=\"a.png\"/><in name=\"text\" to=\"p.caption\"/>"
        "<in name=\"colour\" to=\"p.tint\"/><in name=\"point\" to=\"p.centre\" default=\"3 4\"/>"
        "<in name=\"profile\" to=\"p.curve\"/><in name=\"gradient\" to=\"p.colours\"/>"
        "<in name=\"image\" to=\"p.picture\"/><in name=\"vector\" to=\"p.flow\"/>"
        "<in name=\"lines\" to=\"r.lines\"/><in name=\"drawn\" to=\"r.drawn\"/>"
        "<in name=\"uplift\" to=\"r.base\"/><in name=\"map\" to=\"r.rate\"/><in name=\"field\" "
        "to=\"b.terrain\"/>"
        "<out name=\"image\" from=\"p.picture\"/><out name=\"uplift\" from=\"r.uplift\"/>"
        "<out name=\"network\" from=\"r.network\"/><out name=\"field\" from=\"b.terrain\" unit=\"m\" "
        "doc=\"It\"/>") "<node id=\"n\" type=\"noise\" version=\"1\"><in name=\"method\" "
                        "value=\"worley\"/></node><node "
                        "id=\"i\" type=\"import\" version=\"1\"/>"
                        "<node id=\"p\" type=\"paint\" version=\"1\"><in name=\"curve\" value=\"0 1, 1 "
                        "0\"/></node>"
                        "<node id=\"r\" type=\"ridges\" version=\"1\"/><node id=\"b\" type=\"blend\" "
                        "version=\"1\"/>"));
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const struct oro_input *input = oro_type_input(type, wanted[i].name);
        assert_non_null(input);
        assert_int_equal(input->type, wanted[i].type);
        assert_int_equal(oro_input_required(input), wanted[i].required);
        char *text = wanted[i].text ? oro_literal_default(input) : NULL;
        if (wanted[i].text)
            assert_string_equal(text, wanted[i].text);
        oro_free(text);
    }
    assert_true(oro_type_input(type, "map")->takes_uplift);
    assert_int_equal(oro_type_output(type, "image")->type, ORO_IMAGE);
    assert_int_equal(oro_type_output(type, "uplift")->type, ORO_UPLIFT);
    assert_int_equal(oro_type_output(type, "network")->type, ORO_NETWORK);
    assert_int_equal(oro_type_output(type, "field")->unit, ORO_METRE);
    assert_string_equal(oro_type_output(type, "field")->doc, "It");
    /* All literals have places of their own. */
    for (const struct oro_input *a = type->inputs; a->name; a++)
        for (const struct oro_input *b = a + 1; b->name; b++)
            assert_true(b->offset > a->offset && b->offset < type->params_size);
}

TEST_WITH(variables, open_reuse, drop)
{
    const struct oro_node_type *type = type_from(DOCUMENT(
        "<variable name=\"relief\" value=\"800\" unit=\"m\" doc=\"Height\"/>"
        "<variable name=\"half\" expr=\"relief / 2\"/>" INTERFACE(
            "<in name=\"relief\" to=\"relief\" min=\"0\" max=\"1000\"/><in name=\"half\" to=\"half\"/>"
            "<in name=\"size\" to=\"n.size\"/>") "<node id=\"n\" type=\"noise\" version=\"1\"><in "
                                                 "name=\"size\" "
                                                 "expr=\"half + 1\"/></node>"));
    const struct oro_input *relief = oro_type_input(type, "relief");
    near(relief->value, 800);
    near(relief->max, 1000);
    assert_int_equal(relief->unit, ORO_METRE);
    assert_string_equal(relief->doc, "Height");
    assert_false(oro_input_linkable(relief));
    near(oro_type_input(type, "half")->value, 400);
    near(oro_type_input(type, "size")->value, 401); /* the expression's value is the default */
}

/* Inputs of one name are one input; the first says what it is. */
TEST_WITH(several_places, open_reuse, drop)
{
    const struct oro_node_type *type = type_from(
        DOCUMENT(INTERFACE("<in name=\"a\" to=\"n.size\" default=\"9\"/><in name=\"a\" to=\"n.height\"/>"
                           "<in name=\"a\" to=\"n.octaves\"/><in name=\"t\" to=\"b.terrain\"/>"
                           "<in name=\"t\" to=\"b.other\"/><in name=\"t\" to=\"b.amount\"/>") NOISE
                 "<node id=\"b\" type=\"blend\" version=\"1\"/>"));
    assert_int_equal(oro_type_input_count(type), 4); /* a, t, seed, vary */
    near(oro_type_input(type, "a")->value, 9);
    assert_int_equal(oro_type_input(type, "t")->type, ORO_FIELD);
    refused(DOCUMENT(INTERFACE("<in name=\"a\" to=\"n.size\"/><in name=\"a\" to=\"n.method\"/>") NOISE),
            "different types");
    refused(DOCUMENT(INTERFACE("<in name=\"a\" to=\"n.size\"/><in name=\"a\" to=\"b.terrain\"/>") NOISE
                     "<node id=\"b\" type=\"blend\" version=\"1\"/>"),
            "different types");
    refused(DOCUMENT(INTERFACE("<in name=\"a\" to=\"n.size\"/><in name=\"a\" to=\"n.none\"/>") NOISE),
            "no input");
}

/* A link inside the graph counts if nothing is linked from outside. */
TEST_WITH(linked_within, open_reuse, drop)
{
    static const char text[] = DOCUMENT(
        INTERFACE("<in name=\"terrain\" to=\"e.terrain\"/><out name=\"t\" from=\"e.terrain\"/>") NOISE ERODE);
    assert_false(oro_input_required(input_of(text, "terrain")));
    assert_true(oro_input_required(input_of(
        DOCUMENT(INTERFACE("<in name=\"terrain\" to=\"e.terrain\"/>") "<node id=\"e\" type=\"erode\" "
                                                                      "version=\"3\"/>"),
        "terrain")));
    make_file("asset.oro", text);
    struct oro_document *plain = parse_valid(DOCUMENT(NOISE ERODE));
    struct oro_document *used =
        parse_valid(DOCUMENT("<node id=\"g\" type=\"graph\" href=\"asset.oro\" version=\"1\"/>"));
    assert_true(same_key(key_of(plain, "e", "terrain"), key_of(used, "g", "t")));
    struct oro_document *linked =
        parse_valid(DOCUMENT("<node id=\"o\" type=\"noise\" version=\"1\"/><node id=\"g\" type=\"graph\" "
                             "href=\"asset.oro\"><in name=\"terrain\" from=\"o.field\"/></node>"));
    assert_false(same_key(key_of(plain, "e", "terrain"), key_of(linked, "g", "t")));
    oro_document_destroy(plain);
    oro_document_destroy(used);
    oro_document_destroy(linked);
}

TEST_WITH(standard_inputs, open_reuse, drop)
{
    const struct oro_node_type *type =
        type_from(DOCUMENT(INTERFACE("<out name=\"f\" from=\"n.field\"/>") NOISE));
    assert_int_equal(oro_type_input_count(type), 2);
    assert_int_equal(oro_type_input(type, "seed")->type, ORO_INT);
    assert_int_equal(oro_type_input(type, "vary")->type, ORO_BOOL);
    assert_int_equal(oro_type_input(type, "seed")->role, ORO_ROLE_GRAPH_SEED);
    type = type_from(
        DOCUMENT(INTERFACE("<in name=\"seed\" to=\"n.size\"/><in name=\"vary\" to=\"n.method\"/>") NOISE));
    assert_int_equal(oro_type_input_count(type), 2);
    assert_int_equal(oro_type_input(type, "seed")->type, ORO_FLOAT);
    assert_int_equal(oro_type_input(type, "vary")->type, ORO_CHOICE);
}

TEST_WITH(nested, open_reuse, drop)
{
    make_file("inner.oro",
              DOCUMENT(INTERFACE("<in name=\"size\" to=\"n.size\" max=\"900\" unit=\"yr\" doc=\"Inner\"/>"
                                 "<out name=\"field\" from=\"n.field\"/>") NOISE));
    const struct oro_node_type *type = type_from(DOCUMENT(INTERFACE(
        "<in name=\"width\" to=\"g.size\" min=\"5\"/><in name=\"variant\" to=\"g.seed\"/>"
        "<in name=\"each\" to=\"g.vary\"/><out name=\"f\" from=\"g.field\"/>") "<node id=\"g\" "
                                                                               "type=\"graph\" "
                                                                               "href=\"inner.oro\"/>"));
    const struct oro_input *width = oro_type_input(type, "width");
    near(width->min, 5);
    near(width->max, 900);
    near(width->value, 500);
    assert_int_equal(width->unit, ORO_YEAR);
    assert_string_equal(width->doc, "Inner");
    assert_int_equal(oro_type_input(type, "variant")->type, ORO_INT);
    assert_int_equal(oro_type_input(type, "each")->type, ORO_BOOL);
    assert_int_equal(oro_type_output(type, "f")->type, ORO_FIELD);
    refused(
        DOCUMENT(INTERFACE("<in name=\"width\" to=\"g.size\" max=\"901\"/>") "<node id=\"g\" type=\"graph\" "
                                                                             "href=\"inner.oro\"/>"),
        "beyond");
}

/* A node that forwards any type has the type that is linked to it. */
TEST_WITH(any, open_reuse, drop)
{
    const struct oro_node_type *type = type_from(DOCUMENT(
        INTERFACE("<in name=\"open\" to=\"r.value\"/><in name=\"free\" to=\"lone.value\"/>"
                  "<in name=\"far\" to=\"r1.value\"/>"
                  "<out name=\"flow\" from=\"s.value\"/><out name=\"bent\" from=\"q.value\"/>") NOISE
        "<node id=\"r\" type=\"reroute\" version=\"1\"/><node id=\"lone\" type=\"reroute\" version=\"1\"/>"
        "<node id=\"r1\" type=\"reroute\" version=\"1\"/><node id=\"r2\" type=\"reroute\" version=\"1\"><in "
        "name=\"value\" "
        "from=\"r1.value\"/></node>"
        "<node id=\"e\" type=\"erode\" version=\"3\"><in name=\"terrain\" from=\"r.value\"/><in "
        "name=\"amount\" from=\"r2.value\"/></node>"
        "<node id=\"s\" type=\"switch\" version=\"1\"><in name=\"value1\" from=\"e.flow\"/></node>"
        "<node id=\"q\" type=\"reroute\" version=\"1\"><in name=\"value\" from=\"s.value\"/></node>"));
    assert_int_equal(oro_type_input(type, "open")->type, ORO_FIELD);
    assert_int_equal(oro_type_input(type, "free")->type, ORO_ANY);
    assert_int_equal(oro_type_input(type, "far")->type, ORO_FIELD); /* through two */
    assert_int_equal(oro_type_output(type, "flow")->type, ORO_VECTOR);
    assert_int_equal(oro_type_output(type, "bent")->type, ORO_VECTOR);
}

TEST_WITH(refused, open_reuse, drop)
{
    static const struct {
        const char *entry, *reason;
    } wrong[] = {
        {"<in name=\"a\" to=\"n.size\" max=\"1e7\"/>", "beyond"},
        {"<in name=\"a\" to=\"n.size\" min=\"0\"/>", "beyond"},
        {"<in name=\"a\" to=\"n.size\" min=\"9\" max=\"8\"/>", "beyond"},
        {"<in name=\"a\" to=\"n.size\" min=\"x\"/>", "not a number"},
        {"<in name=\"a\" to=\"n.size\" soft-max=\"1,5\"/>", "not a number"},
        {"<in name=\"a\" to=\"n.method\" min=\"0\"/>", "only numbers have a range"},
        {"<in name=\"a\" to=\"n.size\" unit=\"parsec\"/>", "no unit 'parsec'"},
        {"<in name=\"a\" to=\"m.size\"/>", "no node 'm'"},
        {"<in name=\"a\" to=\"n.sise\"/>", "no input 'sise'"},
        {"<in name=\"a\" to=\"n.size\" default=\"big\"/>", "big"},
        {"<in name=\"a\" to=\"n.size\" max=\"800\" default=\"900\"/>", "900"},
        {"<in name=\"a\" to=\"n.size\" min=\"600\"/>", "default"}, /* the value inside is 500 */
        {"<in name=\"a\" to=\"n.method\" default=\"perlyn\"/>", "perlyn"},
        {"<in name=\"a\" to=\"e.terrain\" default=\"1\"/>", "takes a link"},
        {"<in name=\"a\" to=\"none\"/>", "no variable 'none'"},
        {"<out name=\"a\" from=\"m.field\"/>", "no node 'm'"},
        {"<out name=\"a\" from=\"n.feild\"/>", "no output 'feild'"},
        {"<out name=\"a\" from=\"n.field\" unit=\"parsec\"/>", "no unit 'parsec'"},
    };
    char text[1000];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, DOCUMENT(INTERFACE("%s") NOISE ERODE), wrong[i].entry);
        refused(text, wrong[i].reason);
    }
    refused(DOCUMENT(NOISE), "no interface");
}

TEST_GROUP(NULL, clean_up_xml);
