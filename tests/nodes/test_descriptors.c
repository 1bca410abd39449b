/* Every registered node type: its descriptor is sound, and holds when the node is evaluated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "devices/gpu/gpu.h"
#include "formats/format.h"
#include "graph/file/load.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"
#include "terrain/network/network.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

static char input_file[128], input_picture[128], output_file[128], input_network[128], output_network[128];

/* Each test has a device of its own: one that has compiled some hundred kernels drops some, and compiles them
 * anew. */
FIXTURE(open_with_files)
{
    open_harness(state);
    if (!h.device)
        return 0;
    float data[48];
    for (int i = 0; i < 48; i++)
        data[i] = 100 * sinf((float)i);
    harness_store(&h, "in.pfm", 8, 6, data, input_file);
    float colours[4 * 48];
    for (int i = 0; i < 4 * 48; i++)
        colours[i] =
            (float[]){1 / 255.0f, 134 / 255.0f, 160 / 255.0f, 1}[i % 4]; /* sea level as terrain-rgb */
    assert_true(oro_image_write(harness_path(&h, "in.png", input_picture), 8, 6, colours, NULL));
    harness_path(&h, "out.png", output_file);
    static const char line[] = "{\"type\": \"LineString\", \"coordinates\": [[100, 100], [900, 500]]}";
    assert_true(oro_file_write(harness_path(&h, "in.geojson", input_network), line, sizeof line - 1, NULL));
    harness_path(&h, "out.geojson", output_network);
    return 0;
}

#define EACH_TYPE(type)                                                                                      \
    const struct oro_node_type *const *place = oro_builtin_nodes.types, *type;                               \
    place < oro_builtin_nodes.types + oro_builtin_nodes.count && (type = *place);                            \
    place++

/* ---- The descriptor on its own ---- */

#define EXPECT(condition, ...)                                                                               \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fail_msg(__VA_ARGS__);                                                                           \
    } while (0)

static bool is_number(const struct oro_input *input)
{
    return input->type == ORO_FLOAT || input->type == ORO_INT;
}

static bool has_limits(const struct oro_input *input)
{
    return input->min != 0 || input->max != 0;
}

static void check_number(const char *id, const struct oro_input *in)
{
    bool soft = in->soft_min != 0 || in->soft_max != 0;
    if (has_limits(in)) {
        EXPECT(in->min < in->max, "%s.%s: minimum %g, maximum %g", id, in->name, in->min, in->max);
        EXPECT(in->value >= in->min && in->value <= in->max, "%s.%s: default %g is out of range", id,
               in->name, in->value);
        double low = fmax(in->soft_min, in->min); /* a soft_min of 0 may stand for the minimum */
        EXPECT(!soft || (in->soft_max <= in->max && low < in->soft_max), "%s.%s: soft range %g..%g of %g..%g",
               id, in->name, in->soft_min, in->soft_max, in->min, in->max);
        EXPECT(in->soft_min == 0 || in->soft_min >= in->min, "%s.%s: soft minimum", id, in->name);
    }
    EXPECT(in->type == ORO_FLOAT || in->value == floor(in->value), "%s.%s: default", id, in->name);
}

static size_t size_of(const struct oro_input *input)
{
    switch (input->type) {
    case ORO_BOOL:
        return sizeof(bool);
    case ORO_TEXT:
    case ORO_FILE:
    case ORO_NETWORK:
        return sizeof(char *);
    case ORO_COLOUR:
        return 4 * sizeof(float);
    case ORO_POINT:
        return 2 * sizeof(float);
    case ORO_PROFILE:
        return sizeof(struct oro_profile);
    case ORO_GRADIENT:
        return sizeof(struct oro_gradient);
    default:
        return 4;
    }
}

static bool overlap(const struct oro_input *a, const struct oro_input *b)
{
    return a->offset < b->offset + size_of(b) && b->offset < a->offset + size_of(a);
}

static bool is_plain_name(const char *name)
{
    return oro_is_identifier(name) && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static void check_input(const struct oro_node_type *type, const struct oro_input *in)
{
    const char *id = type->id;
    EXPECT(is_plain_name(in->name), "%s: input '%s' is badly named", id, in->name);
    EXPECT(oro_type_input(type, in->name) == in, "%s: two inputs '%s'", id, in->name);
    EXPECT(in->doc && in->doc[0], "%s.%s has no doc", id, in->name);
    EXPECT(!in->map || in->type == ORO_FLOAT, "%s.%s: only a float is a map", id, in->name);
    EXPECT(!in->takes_uplift || in->map, "%s.%s: only a map takes a number or a tree", id, in->name);
    EXPECT(!in->optional || !oro_input_has_default(in), "%s.%s: what has a default is always optional", id,
           in->name);
    EXPECT((in->type == ORO_CHOICE) == (in->choices != NULL), "%s.%s: choices", id, in->name);
    if (is_number(in))
        check_number(id, in);
    if (!oro_input_has_literal(in))
        return;
    EXPECT(in->offset + size_of(in) <= type->params_size, "%s.%s lies outside the params", id, in->name);
    for (const struct oro_input *other = type->inputs; other < in; other++)
        EXPECT(!oro_input_has_literal(other) || !overlap(in, other), "%s: '%s' and '%s' overlap", id,
               in->name, other->name);
    if (!oro_input_has_default(in))
        return;
    char *standard = oro_literal_default(in);
    struct oro_error err;
    EXPECT(oro_literal_parse(in, standard, NULL, &err), "%s.%s: default: %s", id, in->name, err.text);
    oro_free(standard);
}

/* What a use sets are values of inputs, and not the defaults: else it would be the type itself. */
static void check_use(const struct oro_node_type *type, const struct oro_use *use)
{
    struct oro_error err;
    bool differs = false;
    EXPECT(is_plain_name(use->id) && use->label && use->label[0], "%s: a use without a name", type->id);
    for (const struct oro_use *other = type->uses; other < use; other++)
        EXPECT(strcmp(other->id, use->id) != 0, "%s: two uses '%s'", type->id, use->id);
    for (size_t i = 0; i < ORO_USE_SETS && use->set[i].input; i++) {
        const struct oro_input *in = oro_type_input(type, use->set[i].input);
        EXPECT(in && oro_input_has_literal(in), "%s:%s sets '%s'", type->id, use->id, use->set[i].input);
        EXPECT(oro_literal_parse(in, use->set[i].value, NULL, &err), "%s:%s: %s", type->id, use->id,
               err.text);
        differs = differs || !oro_literal_is_default(in, use->set[i].value);
    }
    EXPECT(differs, "%s:%s sets nothing", type->id, use->id);
}

static bool is_kernel(const char *file)
{
    for (size_t i = 0; i < oro_shader_file_count; i++)
        if (strcmp(oro_shader_files[i].name, file) == 0)
            return true;
    return false;
}

/* A text for readers of the graph, with nothing to evaluate. */
static bool is_annotation(const struct oro_node_type *type)
{
    return !type->sink && oro_type_output_count(type) == 0 && !type->kernel && !type->eval && !type->expand;
}

static void check_outputs(const struct oro_node_type *type)
{
    for (const struct oro_output *out = type->outputs; out && out->name; out++) {
        EXPECT(is_plain_name(out->name), "%s: output '%s' is badly named", type->id, out->name);
        EXPECT(oro_type_output(type, out->name) == out, "%s: two outputs '%s'", type->id, out->name);
        EXPECT(out->doc && out->doc[0], "%s: output '%s' has no doc", type->id, out->name);
        EXPECT(!out->like || oro_type_input(type, out->like), "%s: output like '%s'", type->id, out->like);
    }
    EXPECT(oro_type_output_count(type) <= ORO_RESULT_VALUES_MAX, "%s has too many outputs", type->id);
    EXPECT(type->sink == (oro_type_output_count(type) == 0) || is_annotation(type),
           "%s: a sink has no outputs", type->id);
}

/* Nodes that the planner inserts have no inputs to set. */
static void check_rasterizer(const struct oro_node_type *type)
{
    EXPECT(type == oro_registry_rasterizer(&oro_builtin_nodes), "%s: one node type rasterises", type->id);
    EXPECT(type->inputs[0].type == ORO_UPLIFT && type->outputs[0].type == ORO_FIELD, "%s: rasterises",
           type->id);
    for (const struct oro_input *input = type->inputs + 1; input->name; input++)
        EXPECT(!oro_input_required(input), "%s.%s: must do without", type->id, input->name);
}

TEST(descriptors_are_sound)
{
    const char *before = "";
    for (EACH_TYPE(type)) {
        EXPECT(is_plain_name(type->id), "'%s' is badly named", type->id);
        EXPECT(strcmp(before, type->id) < 0, "'%s' comes behind '%s'", type->id, before);
        before = type->id;
        EXPECT(type->version >= 1 && type->category && type->category[0], "%s: version, category", type->id);
        EXPECT(type->doc && strlen(type->doc) > 10 && type->doc[strlen(type->doc) - 1] == '.', "%s: doc",
               type->id);
        EXPECT((type->kernel || type->eval || type->expand) == !is_annotation(type),
               "%s: a kernel, or eval, or expand", type->id);
        EXPECT(!type->kernel || is_kernel(type->kernel), "%s: no kernel '%s'", type->id, type->kernel);
        for (int i = 0; type->kernels && type->kernels[i]; i++)
            EXPECT(is_kernel(type->kernels[i]), "%s: no kernel '%s'", type->id, type->kernels[i]);
        const struct oro_input *count = oro_type_input_as(type, ORO_ROLE_ITERATIONS);
        EXPECT(!count || (count->type == ORO_INT && count->min == 0), "%s: iterations", type->id);
        for (const struct oro_input *input = type->inputs; input->name; input++)
            check_input(type, input);
        for (const struct oro_use *use = type->uses; use && use->id; use++)
            check_use(type, use);
        check_outputs(type);
        if (type->rasterizes)
            check_rasterizer(type);
        /* Nodes that change a terrain have a mask, except those that change its size: they have no old value
         * to blend with. */
        bool changes = oro_type_input(type, "terrain") && oro_type_output(type, "terrain") && !type->shape;
        EXPECT(!changes || oro_type_input(type, "mask"), "%s changes a terrain and has no mask", type->id);
    }
}

/* ---- Documents with one node ---- */

struct shape {
    int width, height;
};

struct subject {
    const struct oro_node_type *type;
    struct shape size;
    /* One input that is not at its default: */
    const struct oro_input *chosen;
    const char *value; /* NULL: linked to a constant field */
    const char *field; /* the constant */
    bool to_uplift;    /* linked to an uplift instead */
    /* Another one, with a value; or NULL. */
    const struct oro_input *forced;
    const char *forced_value;
};

/* Length of a name without the number of a row, as in "iterations3". */
static size_t stem(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length;
}

static bool is_iterations(const struct oro_input *input)
{
    size_t length = stem(input->name), tail = strlen("iterations");
    return input->type == ORO_INT && length >= tail &&
           strncmp(input->name + length - tail, "iterations", tail) == 0;
}

/* Few iterations: some by default, or as a simulation, whose duration takes many, unless that is tried. */
static bool needs_few(const struct subject *s, const struct oro_input *in)
{
    bool simulates = in->role == ORO_ROLE_ITERATIONS && oro_type_input_as(s->type, ORO_ROLE_DURATION);
    return is_iterations(in) &&
           (in->value > 3 || (simulates && (!s->chosen || s->chosen->role != ORO_ROLE_DURATION)));
}

static bool is_factor(const struct oro_input *input)
{
    return input->type == ORO_INT && stem(input->name) == strlen("factor") &&
           strncmp(input->name, "factor", strlen("factor")) == 0;
}

/* The table of a chain's levels, whose factors would multiply up. */
static bool is_table(const struct oro_input *input)
{
    return input->type == ORO_TEXT && strcmp(input->name, "levels") == 0;
}

/* Some that are optional are so because other inputs can do without. */
static bool is_needed(const struct oro_node_type *type, const struct oro_input *in)
{
    bool retarget = strcmp(type->id, "retarget") == 0 || strcmp(type->id, "amplify_chain") == 0;
    return !in->optional || strcmp(type->id, "export") == 0 ||
           (retarget && (strcmp(in->name, "reference") == 0 || strcmp(in->name, "constraints") == 0));
}

static bool chooses(const struct subject *s, const char *input, const char *word)
{
    return s->chosen && s->value && strcmp(s->chosen->name, input) == 0 && strcmp(s->value, word) == 0;
}

/* Of files, the one of the kind that the node reads or writes. */
static const char *file_for(const struct subject *s, const struct oro_input *in)
{
    const struct oro_node_type *type = s->type;
    bool network = false;
    for (const struct oro_input *input = type->inputs; input->name; input++)
        network |= input->type == ORO_NETWORK && in->writes;
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        network |= output->type == ORO_NETWORK && !in->writes;
    if (network)
        return in->writes ? output_network : input_network;
    bool colours = s->chosen && strcmp(s->chosen->name, "decode") == 0 && !chooses(s, "decode", "none");
    return in->writes ? output_file : colours ? input_picture : input_file;
}

static void add_input(struct oro_text *text, const struct subject *s, const struct oro_input *in)
{
    if (in == s->forced)
        oro_text_addf(text, "<in name=\"%s\" value=\"%s\"/>", in->name, s->forced_value);
    else if (in == s->chosen && s->value)
        oro_text_addf(text, "<in name=\"%s\" value=\"%s\"/>", in->name, s->value);
    else if (in == s->chosen)
        oro_text_addf(text, "<in name=\"%s\" from=\"%s\"/>", in->name,
                      s->to_uplift             ? "rise.uplift"
                      : in->type == ORO_VECTOR ? "directions.tensor"
                                               : "number.field");
    else if (in->type == ORO_UPLIFT && !in->optional)
        oro_text_addf(text, "<in name=\"%s\" from=\"rise.uplift\"/>", in->name);
    else if (in->type == ORO_NETWORK &&
             (oro_input_required(in) || chooses(s, "method", "ridge") || chooses(s, "method", "vertices")))
        oro_text_addf(text, "<in name=\"%s\" value=\"100 100, 900 500 800\"/>", in->name);
    else if (in->type == ORO_FIELD && (is_needed(s->type, in) || chooses(s, "region", "mask")))
        oro_text_addf(text, "<in name=\"%s\" from=\"noise.field\"/>", in->name);
    else if (in->type == ORO_ANY && (!in->optional || strcmp(in->name, "value0") == 0))
        oro_text_addf(text, "<in name=\"%s\" from=\"noise.field\"/>", in->name);
    else if (in->type == ORO_IMAGE && !in->optional)
        oro_text_addf(text, "<in name=\"%s\" from=\"picture.image\"/>", in->name);
    else if (in->type == ORO_VECTOR && chooses(s, "method", "vector"))
        oro_text_addf(text, "<in name=\"%s\" from=\"directions.direction\"/>", in->name);
    else if (in->type == ORO_FILE)
        oro_text_addf(text, "<in name=\"%s\" value=\"%s\"/>", in->name, file_for(s, in));
    else if (strcmp(in->name, "drain_limit") == 0) /* the noise is rougher than what the limit is for */
        oro_text_add(text, "<in name=\"drain_limit\" value=\"0\"/>");
    else if (needs_few(s, in))
        oro_text_addf(text, "<in name=\"%s\" value=\"3\"/>", in->name);
    else if (strcmp(in->name, "rounds") == 0)
        oro_text_add(text, "<in name=\"rounds\" value=\"2\"/>");
    else if (is_table(in) && (s->chosen || s->size.width * s->size.height > 16))
        oro_text_addf(text, "<in name=\"%s\" value=\"1; 1; 1\"/>", in->name);
}

/* The caller frees. */
static char *document_of(const struct subject *s)
{
    struct oro_text text = {0};
    char aspect[ORO_NUMBER_SIZE];
    oro_text_addf(
        &text,
        "<orograph xmlns=\"urn:orograph:1\" version=\"1\">"
        "<world extent=\"%d\" resolution=\"%d\" aspect=\"%s\" seed=\"3\"/>"
        "<node id=\"noise\" type=\"noise\" x=\"0\" y=\"0\"><in name=\"feature\" value=\"500\"/></node>"
        "<node id=\"picture\" type=\"hillshade\" x=\"0\" y=\"0\"><in name=\"terrain\" "
        "from=\"noise.field\"/></node>"
        "<node id=\"rise\" type=\"uplift_disc\" x=\"0\" y=\"0\">"
        "<in name=\"centre\" value=\"%d %d\"/><in name=\"radius\" value=\"%d\"/></node>"
        "<node id=\"directions\" type=\"tensor_field\" x=\"0\" y=\"0\"/>"
        "<node id=\"number\" type=\"constant\" x=\"0\" y=\"0\"><in name=\"value\" value=\"%s\"/></node>"
        "<node id=\"node\" type=\"%s\" version=\"%d\" x=\"0\" y=\"0\">",
        s->size.width * 20, s->size.width, oro_format_number((double)s->size.height / s->size.width, aspect),
        s->size.width * 10, s->size.height * 8, s->size.width * 8, s->field ? s->field : "0", s->type->id,
        s->type->version);
    for (const struct oro_input *input = s->type->inputs; input->name; input++)
        add_input(&text, s, input);
    oro_text_add(&text, "</node></orograph>");
    assert_false(text.failed);
    return text.data;
}

static void describe(const struct subject *s, char *text, size_t size)
{
    snprintf(text, size, "%s, %d x %d, %s = %s", s->type->id, s->size.width, s->size.height,
             s->chosen ? s->chosen->name : "all", s->chosen ? s->value ? s->value : "a field" : "default");
}

/* Evaluates all outputs; `rasters` has room for them. */
static void evaluate(const struct subject *s, struct harness_raster *rasters)
{
    char *document = document_of(s), about[256];
    describe(s, about, sizeof about);
    if (s->type->sink && !harness_try(&h, document, "node", NULL, NULL))
        fail_msg("%s: %s", about, h.err.text);
    for (const struct oro_output *out = s->type->outputs; out && out->name; out++)
        if (!harness_try(&h, document, "node", out->name, &rasters[out - s->type->outputs]))
            fail_msg("%s: output '%s': %s", about, out->name, h.err.text);
    oro_free(document);
}

static size_t values_of(const struct harness_raster *raster)
{
    return oro_grid_cells(&raster->grid) * (size_t)raster->channels;
}

static void free_all(struct harness_raster *rasters)
{
    for (int i = 0; i < ORO_RESULT_VALUES_MAX; i++)
        harness_free(&rasters[i]);
}

static void expect_finite(const struct subject *s)
{
    struct harness_raster rasters[ORO_RESULT_VALUES_MAX] = {0};
    char about[256];
    describe(s, about, sizeof about);
    h.options.fields_only = true; /* an uplift is looked at where it matters: in cells */
    evaluate(s, rasters);
    h.options.fields_only = false;
    for (const struct oro_output *out = s->type->outputs; out && out->name; out++) {
        const struct harness_raster *raster = &rasters[out - s->type->outputs];
        if (raster->type == ORO_NETWORK && !oro_network_of(raster->data, raster->bytes, &h.err))
            fail_msg("%s: output '%s': %s", about, out->name, h.err.text);
        for (size_t i = 0; i < values_of(raster); i++)
            if (!isfinite(raster->data[i]))
                fail_msg("%s: output '%s' is %g at %zu", about, out->name, (double)raster->data[i], i);
    }
    free_all(rasters);
}

static const struct shape sizes[] = {{1, 1}, {1, 7}, {13, 1}, {33, 20}, {64, 64}};
enum { SIZES = sizeof sizes / sizeof sizes[0], ODD = 3 };

TEST_WITH(defaults_are_finite, open_with_files, close_harness)
{
    need_device();
    for (EACH_TYPE(type)) {
        harness_forget(&h);
        for (int i = 0; i < SIZES; i++)
            expect_finite(&(struct subject){.type = type, .size = sizes[i]});
    }
}

/* Empty networks, a single point, a loop, lines far away. If these make no sense to a node, it fails with a
 * message. */
TEST_WITH(networks_are_taken_or_refused, open_with_files, close_harness)
{
    static const char *const networks[] = {
        "", "100 100", "100 100, 500 300; 500 300, 100 400; 100 400, 100 100",
        "-1e6 -1e6, 1e6 1e6 1e4 100; 3 3, 3 3.00001", "10 10 100, 300 10 200; 300 10, 300 300, 10 310"};
    need_device();
    for (EACH_TYPE(type))
        for (const struct oro_input *input = type->inputs; input->name; input++)
            for (int i = 0; i < 5 && input->type == ORO_NETWORK; i++) {
                struct subject s = {.type = type, .size = sizes[ODD], .chosen = input, .value = networks[i]};
                char *document = document_of(&s);
                const char *output = type->sink ? NULL : type->outputs[0].name;
                struct harness_raster raster = {0};
                if (harness_try(&h, document, "node", output, output ? &raster : NULL))
                    expect_finite(&s);
                else if ((h.err.code != ORO_E_EVALUATE && h.err.code != ORO_E_DOCUMENT) || !h.err.text[0])
                    fail_msg("%s.%s='%s': %s", type->id, input->name, networks[i], h.err.text);
                harness_free(&raster);
                oro_free(document);
            }
}

/* The extreme value to try: iterations and factors are kept small to save time. */
static double extreme(const struct oro_input *in, bool high, struct shape size)
{
    double value = has_limits(in) ? (high ? in->max : in->min) : high ? 1e6 : -1e6;
    if (is_iterations(in))
        return fmin(value, 3);
    if (in->role == ORO_ROLE_DURATION)
        return fmin(value, in->value / 100);
    if (is_factor(in) && size.width * size.height > 16)
        return fmin(value, 4);
    return value;
}

/* The text that the message must contain if an extreme is refused. NULL: none is refused. Files need `low`
 * below `high`, or both the same; strict draining has a limit; walls all around keep water from an outlet
 * unless there is a sea; distances need something to be measured from; of a crop that lies elsewhere nothing
 * is left. */
static const char *reason_to_refuse(const struct subject *s)
{
    bool of_file = oro_type_input(s->type, "file") && oro_type_input(s->type, "high");
    bool wrong = (strcmp(s->chosen->name, "low") == 0 && s->value[0] != '-') ||
                 (strcmp(s->chosen->name, "high") == 0 && s->value[0] == '-');
    if (of_file && wrong)
        return "low";
    if (oro_type_input(s->type, "drain") && strcmp(s->value, "strict") == 0)
        return "limit";
    if (strcmp(s->chosen->name, "for") == 0) /* the file is a PNG, which few engines read */
        return "end the name";
    if (s->chosen->group && strcmp(s->chosen->group, "Format") == 0) /* and whose format leaves no choice */
        return strcmp(s->chosen->name, "half") == 0 || strcmp(s->chosen->name, "tiled") == 0 ? ".exr"
                                                                                             : "GeoTIFF";
    if (strcmp(s->type->id, "crop") == 0)
        return "outside";
    if (oro_type_output(s->type, "uplift") && is_number(s->chosen))
        return strcmp(s->chosen->name, "distance") == 0
                   ? "too many" /* as close as that, for this world */
                   : "fold";    /* displaced by more than what displaces it is long */
    if (oro_type_input(s->type, "from") && strcmp(s->value, "distance") == 0)
        return "link 'from'";
    return oro_type_input(s->type, "sea") && strcmp(s->value, "walls") == 0 ? "sea" : NULL;
}

static bool refused(const struct subject *s)
{
    const char *reason = reason_to_refuse(s);
    if (!reason)
        return false;
    char *document = document_of(s);
    const struct oro_output *out = s->type->outputs;
    struct harness_raster raster = {0};
    h.options.fields_only = true; /* as expect_finite looks at it */
    bool fails = !harness_try(&h, document, "node", out->name, out->name ? &raster : NULL);
    h.options.fields_only = false;
    if (fails && !strstr(h.err.text, reason))
        fail_msg("%s.%s = %s: %s", s->type->id, s->chosen->name, s->value, h.err.text);
    harness_free(&raster);
    oro_free(document);
    return fails;
}

static void try_extremes(const struct oro_node_type *type, const struct oro_input *in, struct shape size)
{
    struct subject s = {.type = type, .size = size, .chosen = in};
    char number[ORO_NUMBER_SIZE];
    for (int high = 0; high < 2 && is_number(in); high++) {
        s.value = oro_format_number(extreme(in, high, size), number);
        if (!refused(&s))
            expect_finite(&s);
    }
    for (int i = 0; in->choices && in->choices[i]; i++) {
        s.value = in->choices[i];
        if (!refused(&s))
            expect_finite(&s);
    }
    if (in->type == ORO_BOOL) {
        s.value = in->value != 0 ? "false" : "true";
        if (!refused(&s))
            expect_finite(&s);
    }
}

/* Rows of a table are alike: the second stands for those behind it. */
static bool is_further_row(const struct oro_input *input)
{
    return input->name[stem(input->name)] > '2';
}

TEST_WITH(extremes_are_finite, open_with_files, close_harness)
{
    need_device();
    for (EACH_TYPE(type)) {
        harness_forget(&h);
        for (const struct oro_input *input = type->inputs; input->name; input++)
            for (int i = 0; i < SIZES && !is_further_row(input); i++)
                if (!type->expand || i == ODD) /* parts of composites are tried at every size */
                    try_extremes(type, input, sizes[i]);
    }
}

/* Optional inputs that are linked, each on its own. */
TEST_WITH(optional_links_are_finite, open_with_files, close_harness)
{
    need_device();
    for (EACH_TYPE(type)) {
        if (strcmp(type->id, "export") == 0)
            continue; /* takes a terrain or an image, not both: tests/nodes/test_filters.c has more */
        harness_forget(&h);
        for (const struct oro_input *input = type->inputs; input->name; input++)
            for (int i = 0; i < SIZES; i++) {
                struct subject s = {.type = type, .size = sizes[i], .chosen = input, .field = "2.5"};
                if ((input->type == ORO_UPLIFT || oro_is_raster(input->type)) && input->optional &&
                    input->type != ORO_IMAGE)
                    expect_finite(&s);
                s.to_uplift = true;
                if (input->takes_uplift || (input->type == ORO_UPLIFT && input->optional))
                    expect_finite(&s);
            }
    }
}

/* How much the same number may come out different, in metres: thermal erosion takes a mask that is one number
 * out of a sum over the neighbours, which rounds differently. What follows it in `amplify` carries that on,
 * and the levels of a chain multiply it: water that is divided between two ways weighs rounding. */
static float rounding(const struct subject *s)
{
    if (!s->chosen || strcmp(s->chosen->name, "mask") != 0)
        return 0;
    if (strcmp(s->type->id, "amplify_chain") == 0)
        return 0.25f;
    return strcmp(s->type->id, "thermal_erosion") == 0 || strcmp(s->type->id, "amplify") == 0 ? 0.001f : 0;
}

static bool alike(const struct harness_raster *x, const struct harness_raster *y, float tolerance)
{
    if (!oro_grid_same_size(&x->grid, &y->grid) || x->channels != y->channels || x->bytes != y->bytes)
        return false;
    if (tolerance == 0)
        return memcmp(x->data, y->data, x->bytes) == 0;
    for (size_t i = 0; i < values_of(x); i++)
        if (!(fabsf(x->data[i] - y->data[i]) <= tolerance))
            return false;
    return true;
}

static void expect_same(const struct subject *a, const struct subject *b, const char *what)
{
    struct harness_raster first[ORO_RESULT_VALUES_MAX] = {0}, second[ORO_RESULT_VALUES_MAX] = {0};
    char about[256];
    describe(b, about, sizeof about);
    evaluate(a, first);
    struct oro_cache *cache = h.cache;
    h.cache = NULL; /* nothing may be taken from the first run */
    evaluate(b, second);
    h.cache = cache;
    for (int i = 0; i < (int)oro_type_output_count(a->type); i++) {
        bool terrain = strcmp(a->type->outputs[i].name, "terrain") == 0;
        if (rounding(b) > 0 && !terrain)
            continue;
        if (!alike(&first[i], &second[i], rounding(b)))
            fail_msg("%s: output '%s' %s", about, a->type->outputs[i].name, what);
    }
    free_all(first);
    free_all(second);
}

TEST_WITH(results_repeat, open_with_files, close_harness)
{
    need_device();
    for (EACH_TYPE(type)) {
        struct subject s = {.type = type, .size = sizes[ODD]};
        expect_same(&s, &s, "differs between two runs");
    }
}

/* A number, or a field with that number everywhere: the same bits. */
TEST_WITH(maps_take_numbers_and_fields_alike, open_with_files, close_harness)
{
    need_device();
    int maps = 0;
    for (EACH_TYPE(type)) {
        harness_forget(&h);
        for (const struct oro_input *input = type->inputs; input->name; input++) {
            if (!input->map)
                continue;
            h.options.fields_only = input->takes_uplift; /* the uplift trees differ, but mean the same */
            double low = has_limits(input) ? fmax(input->soft_min, input->min) : -10;
            double high = input->soft_max != 0 ? input->soft_max : has_limits(input) ? input->max : 10;
            for (int i = 0; i < 2; i++) {
                char number[ORO_NUMBER_SIZE];
                oro_format_number(low + (high - low) * (i ? 0.7 : 0.31), number);
                struct subject literal = {.type = type, .size = sizes[ODD], .chosen = input, .value = number};
                struct subject linked = {.type = type, .size = sizes[ODD], .chosen = input, .field = number};
                expect_same(&literal, &linked, "differs between a number and a field of it");
            }
            maps++;
        }
    }
    h.options.fields_only = false;
    assert_true(maps > 5);
}

/* ---- XML ---- */

static void other_value(const struct oro_input *in, char text[64])
{
    char number[ORO_NUMBER_SIZE];
    int choices = 0;
    double value = in->value + 1.5;
    switch (in->type) {
    case ORO_FLOAT:
    case ORO_INT:
        if (has_limits(in))
            value = in->min + (in->max - in->min) * 0.37;
        if (in->type == ORO_INT)
            value = floor(value);
        if (value == in->value)
            value = in->min;
        snprintf(text, 64, "%s", oro_format_number(value, number));
        break;
    case ORO_BOOL:
        snprintf(text, 64, "%s", in->value != 0 ? "false" : "true");
        break;
    case ORO_CHOICE:
        while (in->choices[choices])
            choices++;
        snprintf(text, 64, "%s", in->choices[((int)in->value + 1) % choices]);
        break;
    case ORO_COLOUR:
        snprintf(text, 64, "#12345678");
        break;
    case ORO_POINT:
        snprintf(text, 64, "1.5 -2");
        break;
    case ORO_NETWORK:
        snprintf(text, 64, "100 100; 0.5 -2 30, 400 500 60 7");
        break;
    case ORO_PROFILE:
        snprintf(text, 64, "0 0.25, 0.5 1, 1 0");
        break;
    case ORO_GRADIENT:
        snprintf(text, 64, "0 #12345678, 0.5 #ffffff, 2 #000000");
        break;
    default:
        snprintf(text, 64, "a <b> & \"c\" 'd'.png");
        break;
    }
}

static struct oro_document *with_other_values(const struct oro_node_type *type)
{
    struct oro_document *doc = oro_document_create();
    struct oro_error err;
    char value[64];
    assert_non_null(doc);
    assert_true(oro_edit_add_node(doc, "source", "noise", 1, 0, 0, &err));
    assert_true(oro_edit_add_node(doc, "picture", "hillshade", 1, 0, 0, &err));
    assert_true(oro_edit_add_node(doc, "directions", "tensor_field", 1, 0, 0, &err));
    assert_true(oro_edit_connect(doc, "picture", "terrain", "source", "field", &err));
    assert_true(oro_edit_add_node(doc, "node", type->id, type->version, 1.25, -3, &err));
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        bool ok = true;
        if (input->type == ORO_FIELD || input->type == ORO_UPLIFT || input->type == ORO_ANY)
            ok = oro_edit_connect(doc, "node", input->name, "source", "field", &err);
        else if (input->type == ORO_IMAGE)
            ok = oro_edit_connect(doc, "node", input->name, "picture", "image", &err);
        else if (input->type == ORO_VECTOR)
            ok = oro_edit_connect(doc, "node", input->name, "directions", "tensor", &err);
        else if (oro_input_has_literal(input))
            other_value(input, value), ok = oro_edit_set(doc, "node", input->name, value, &err);
        if (!ok)
            fail_msg("%s.%s: %s", type->id, input->name, err.text);
    }
    return doc;
}

static char *written(const struct oro_document *doc)
{
    char *text = NULL;
    struct oro_error err;
    if (!oro_document_format(doc, &oro_builtin_nodes, &text, NULL, &err))
        fail_msg("%s", err.text);
    return text;
}

TEST(documents_come_back)
{
    for (EACH_TYPE(type)) {
        struct oro_document *doc = with_other_values(type);
        char *text = written(doc), value[64];
        struct oro_problems problems = {0};
        struct oro_document *back = oro_document_parse(text, strlen(text), "", &oro_builtin_nodes, &problems);
        assert_non_null(back);
        oro_check(back, &oro_builtin_nodes, &problems);
        if (problems.errors)
            fail_msg("%s: %s", type->id, problems.items[0].text);
        for (const struct oro_input *input = type->inputs; input->name; input++) {
            const struct oro_doc_input *kept =
                oro_doc_node_input(oro_document_find(back, "node"), input->name);
            EXPECT(kept, "%s.%s was not written", type->id, input->name);
            if (!oro_input_has_literal(input))
                continue;
            other_value(input, value);
            EXPECT(strcmp(kept->value, value) == 0, "%s.%s: '%s' became '%s'", type->id, input->name, value,
                   kept->value);
        }
        char *again = written(back);
        assert_string_equal(text, again);
        oro_free(text);
        oro_free(again);
        oro_problems_free(&problems);
        oro_document_destroy(back);
        oro_document_destroy(doc);
    }
}

/* ---- What is said to have no effect ---- */

/* A word with which a condition does not hold. */
static const char *word_against(const struct oro_input *choice, const char *condition)
{
    static const char *const switched[] = {"true", "false", NULL};
    const char *const *words = choice->type == ORO_BOOL ? switched : choice->choices;
    for (; words && *words; words++)
        if (!oro_condition_holds(condition, *words))
            return *words;
    return NULL;
}

/* Two values of a number that is said not to count. True: it was tried. */
static bool try_without_effect(const struct oro_node_type *type, const struct oro_input *input)
{
    char name[64], low[ORO_NUMBER_SIZE], high[ORO_NUMBER_SIZE];
    if (!input->when || !is_number(input))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)oro_condition_input(input->when), input->when);
    const struct oro_input *choice = oro_type_input(type, name);
    const char *word = choice ? word_against(choice, input->when) : NULL;
    if (!word)
        return false; /* two points */
    struct subject s = {
        .type = type, .size = sizes[ODD], .chosen = input, .forced = choice, .forced_value = word};
    struct subject other = s;
    s.value = oro_format_number(extreme(input, false, s.size), low);
    other.value = oro_format_number(extreme(input, true, s.size), high);
    expect_same(&s, &other, "differs where it is said to have no effect");
    return true;
}

TEST_WITH(hidden_inputs_have_no_effect, open_with_files, close_harness)
{
    int tried = 0;
    need_device();
    for (EACH_TYPE(type)) {
        harness_forget(&h);
        for (const struct oro_input *input = type->inputs; input->name; input++)
            tried += try_without_effect(type, input);
    }
    assert_true(tried > 30);
}
