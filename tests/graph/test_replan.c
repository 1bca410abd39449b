/* Plans that follow a document through edits are the plans that would be made of it from nothing. */
#include "graph/plan/replan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "graph/plan/file_digests.h"
#include "tests/graph/reuse_support.h"

/* ---- Node types that make plans differ in more than values ---- */

/* Its size depends on a value, and so does its memory. */
struct rise_params {
    int factor, table;
};
static const struct oro_input rise_inputs[] = {ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
                                               ORO_IN_INT(struct rise_params, factor, 2, .min = 1, .max = 4),
                                               ORO_IN_INT(struct rise_params, table, 0, .min = 0, .max = 9),
                                               {0}};
static bool rise_shape(struct oro_shape *shape, const void *data, struct oro_grid *grid)
{
    const struct rise_params *p = data;
    *grid = *oro_shape_input(shape, "terrain");
    oro_shape_scratch(shape, 1e6 * p->table);
    if (grid->width * p->factor > oro_shape_cap(shape)) {
        oro_shape_capped(shape);
        return true;
    }
    grid->width *= p->factor;
    grid->height *= p->factor;
    grid->cell /= p->factor;
    return p->factor != 3 || oro_shape_fail(shape, "three is not a factor");
}
static const struct oro_output terrain_output[] = {ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), {0}};
static const struct oro_output rise_outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), ORO_OUT_FIELD("rest"), {0}};
static const struct oro_node_type rise = {.id = "rise",
                                          .version = 1,
                                          .inputs = rise_inputs,
                                          .outputs = rise_outputs,
                                          .params_size = sizeof(struct rise_params),
                                          .kernel = "rise.comp",
                                          .shape = rise_shape};

/* Has as many parts as a value says, or is evaluated itself. */
struct pile_params {
    int count;
    float amount;
};
static const struct oro_input pile_inputs[] = {ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
                                               ORO_IN_INT(struct pile_params, count, 2, .min = 0, .max = 3),
                                               ORO_IN_MAP(struct pile_params, amount, 1, .min = 0, .max = 9),
                                               {0}};
static bool pile_expand(struct oro_build *build, const void *data)
{
    const struct pile_params *p = data;
    int last = -1;
    for (int i = 0; i < p->count; i++) {
        static const char *const names[] = {"a", "b", "c"};
        int part = oro_build_node(build, "erode", names[i]);
        if (last < 0)
            oro_build_forward(build, part, "terrain", "terrain");
        else
            oro_build_link(build, part, "terrain", last, "terrain");
        oro_build_forward(build, part, "amount", "amount");
        last = part;
    }
    if (last >= 0)
        oro_build_output(build, "terrain", last, "terrain");
    return true;
}
static const struct oro_node_type pile = {.id = "pile",
                                          .version = 1,
                                          .inputs = pile_inputs,
                                          .outputs = terrain_output,
                                          .params_size = sizeof(struct pile_params),
                                          .kernel = "pile.comp",
                                          .expand = pile_expand};

static const struct oro_input raster_inputs[] = {ORO_IN_UPLIFT("uplift"), {0}};
static const struct oro_node_type raster = {.id = "raster",
                                            .version = 1,
                                            .inputs = raster_inputs,
                                            .outputs = terrain_output,
                                            .kernel = "raster.comp",
                                            .rasterizes = true};

/* Says where the world lies: "far" has other cells than other files. */
static int surveys; /* how often it was read */
static bool survey_site(const void *params, struct oro_site *site, struct oro_error *err)
{
    (void)err;
    const char *file = ((const struct fake_import_params *)params)->file;
    bool far = strstr(file, "far");
    surveys++;
    *site = (struct oro_site){.columns = 40, .rows = 20, .cell = far ? 90 : 30};
    site->place = (struct oro_place){oro_copy_text("EPSG:32632"), far ? 5e5 : 4e5, 5e6};
    return true;
}
static const struct oro_node_type survey = {.id = "survey",
                                            .version = 1,
                                            .inputs = fake_import_inputs,
                                            .outputs = terrain_output,
                                            .params_size = sizeof(struct fake_import_params),
                                            .placed = true,
                                            .site = survey_site};

static const struct oro_node_type *const types[] = {
    &fake_blend,   &fake_erode,  &fake_import, &fake_noise, &fake_paint,  &pile,      &raster,
    &fake_reroute, &fake_ridges, &rise,        &survey,     &fake_switch, &fake_write};

/* ---- A device whose kernels can change ---- */

static int kernels_version;
static bool changing_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                            struct oro_error *err)
{
    bool ok = fake_kernel_digest(device, file, digest, err);
    digest->high += (uint64_t)kernels_version;
    return ok;
}
static struct oro_device_ops ops;
static struct oro_device device;
static struct oro_replanner *replanner;

FIXTURE(open_replan)
{
    open_reuse(state);
    reuse.types = types;
    reuse.count = sizeof types / sizeof types[0];
    device = FAKE_DEVICE;
    ops = fake_ops;
    ops.kernel_digest = changing_digest;
    device.ops = &ops;
    replanner = oro_replanner_create();
    assert_non_null(replanner);
    return 0;
}

FIXTURE(close_replan)
{
    oro_replanner_destroy(replanner);
    return close_reuse(state);
}

/* ---- Comparing ---- */

static void expect_same_value(const struct oro_input *input, const struct oro_step *a,
                              const struct oro_step *b)
{
    static const size_t sizes[] = {[ORO_FLOAT] = 4,
                                   [ORO_INT] = 4,
                                   [ORO_CHOICE] = 4,
                                   [ORO_BOOL] = sizeof(bool),
                                   [ORO_COLOUR] = 4 * sizeof(float),
                                   [ORO_POINT] = 2 * sizeof(float),
                                   [ORO_PROFILE] = sizeof(struct oro_profile),
                                   [ORO_GRADIENT] = sizeof(struct oro_gradient)};
    const char *left = (const char *)a->params + input->offset,
               *right = (const char *)b->params + input->offset;
    if (input->type == ORO_TEXT || input->type == ORO_FILE || input->type == ORO_NETWORK) {
        const char *texts[2];
        memcpy(&texts[0], left, sizeof texts[0]);
        memcpy(&texts[1], right, sizeof texts[1]);
        assert_int_equal(!texts[0], !texts[1]);
        if (texts[0])
            assert_string_equal(texts[0], texts[1]);
    } else if (oro_input_has_literal(input)) {
        assert_memory_equal(left, right, sizes[input->type]);
    }
}

static void expect_same_step(const struct oro_step *a, const struct oro_step *b)
{
    assert_string_equal(a->id, b->id);
    assert_string_equal(a->document, b->document);
    assert_ptr_equal(a->type, b->type);
    assert_memory_equal(&a->grid, &b->grid, sizeof a->grid);
    assert_int_equal(a->capped, b->capped);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->output_bytes, b->output_bytes);
    assert_int_equal(a->scratch_bytes, b->scratch_bytes);
    assert_true(same_key(a->key, b->key) && same_key(a->resume_key, b->resume_key));
    for (size_t i = 0; a->type->inputs[i].name; i++) {
        assert_int_equal(a->sources[i].step, b->sources[i].step);
        if (a->sources[i].step >= 0)
            assert_int_equal(a->sources[i].output, b->sources[i].output);
        else
            expect_same_value(&a->type->inputs[i], a, b);
    }
}

static void expect_same_plan(const struct oro_plan *a, const struct oro_plan *b)
{
    assert_int_equal(a->step_count, b->step_count);
    assert_int_equal(a->target_count, b->target_count);
    for (size_t i = 0; i < a->step_count; i++)
        expect_same_step(&a->steps[i], &b->steps[i]);
    for (size_t i = 0; i < a->target_count; i++) {
        assert_int_equal(a->targets[i].step, b->targets[i].step);
        assert_int_equal(a->targets[i].output, b->targets[i].output);
    }
    assert_int_equal(a->peak_bytes, b->peak_bytes);
    assert_int_equal(a->largest_buffer, b->largest_buffer);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->capped, b->capped);
    assert_string_equal(a->document, b->document);
}

static size_t made; /* plans that did not fail */

/* Plans a copy of the document, as the editor does, which is gone before the next one. Returns the first
 * target's key, or zeros. */
static struct oro_hash expect_same(const struct oro_document *doc, const struct oro_target *targets,
                                   size_t count, int cap)
{
    const struct oro_plan_options options = {.checked = true, .fields_only = true, .max_resolution = cap};
    struct oro_error followed_err = {0}, err = {0};
    struct oro_document *copy = oro_document_clone(doc);
    assert_non_null(copy);
    struct oro_hash key = {0};
    const struct oro_plan *followed =
        oro_replan(replanner, copy, &reuse, targets, count, &options, &device, &followed_err);
    struct oro_plan *plan = oro_plan_create(copy, &reuse, targets, count, &options, &device, NULL, &err);
    if (!followed != !plan)
        fail_msg("one plan failed: '%s', '%s'", followed_err.text, err.text);
    oro_document_destroy(copy); /* plans live without it */
    if (plan) {
        made++;
        expect_same_plan(followed, plan);
        key = plan->steps[plan->targets[0].step].key;
    } else {
        assert_int_equal(followed_err.code, err.code);
        assert_int_equal(followed_err.line, err.line);
        assert_string_equal(followed_err.text, err.text);
        assert_string_equal(followed_err.node, err.node);
    }
    oro_plan_destroy(plan);
    return key;
}

/* ---- Random edits ---- */

#define NODE(id, type, rest) "<node id=\"" id "\" type=\"" type "\">" rest "</node>\n"
#define FROM(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define VALUE(name, value) "<in name=\"" name "\" value=\"" value "\"/>"

static const char graph[] = DOCUMENT(
    "<world resolution=\"32\"/><variable name=\"v\" value=\"3\"/>"
    "<group name=\"part\"><interface><in name=\"in\" to=\"e.terrain\"/><in name=\"height\" to=\"n.height\"/>"
    "<out name=\"out\" from=\"b.terrain\"/><out name=\"flow\" from=\"e.flow\"/></interface>" NODE(
        "n", "noise", "") NODE("e", "erode", "")
        NODE("b", "blend", FROM("terrain", "e.terrain") FROM("other", "n.field")) "</group>" NODE(
            "n0", "noise", "<in name=\"height\" expr=\"v * 2\"/>") NODE("n1", "noise", VALUE("seed", "4"))
            NODE("u0", "ridges", VALUE("lines", "0 0, 100 100")) NODE("r0", "rise",
                                                                      FROM("terrain", "n0.field"))
                NODE("b0", "blend", FROM("terrain", "r0.terrain") FROM("other", "n1.field"))
                    NODE("b1", "blend", FROM("terrain", "b0.terrain") FROM("other", "u0.uplift")) NODE(
                        "e0", "erode",
                        FROM("terrain", "b1.terrain") FROM(
                            "amount",
                            "n1.field")) "<node id=\"g0\" type=\"graph\" "
                                         "href=\"#part\">" FROM("in", "e0.terrain") "</node>" NODE(
                                             "p0", "pile", FROM("terrain", "g0.out"))
                                             NODE("q0", "paint", FROM("flow", "g0.flow")) NODE(
                                                 "b2", "blend",
                                                 FROM("terrain", "p0.terrain") FROM("other", "e0.terrain"))
                                                 NODE("s0", "switch", FROM("value0", "b2.terrain"))
                                                     NODE("e1", "erode", FROM("terrain", "s0.value")));

static uint64_t state_of_random;

static size_t any(size_t count)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state_of_random >> 33) % count;
}

static const struct oro_doc_node *any_node(const struct oro_document *doc)
{
    return oro_document_node(doc, any(oro_document_node_count(doc)));
}

/* A literal, at times one that is not valid. */
static const char *any_value(const struct oro_input *input)
{
    static char text[64];
    snprintf(text, sizeof text, "%zu", any(4));
    if (any(40) == 0)
        return "no such value";
    switch (input->type) {
    case ORO_BOOL:
        return any(2) ? "true" : "false";
    case ORO_CHOICE:
        return input->choices[any(2)];
    case ORO_POINT:
        return any(2) ? "1 2" : "3 4";
    case ORO_COLOUR:
        return any(2) ? "#102030" : "#405060";
    case ORO_PROFILE:
        return any(2) ? "0 0, 2 2" : "0 1, 1 0";
    case ORO_GRADIENT:
        return any(2) ? "0 #000000" : "0 #ffffff, 1 #000000";
    case ORO_NETWORK:
        return any(2) ? "0 0, 50 50" : "0 0, 60 60, 70 70";
    default:
        return text;
    }
}

static void edit_value(struct oro_document *doc)
{
    const struct oro_doc_node *node = any_node(doc);
    const struct oro_node_type *type = oro_type_of(&reuse, doc, node, NULL);
    size_t count = type ? oro_type_input_count(type) : 0;
    const struct oro_input *input = count ? &type->inputs[any(count)] : NULL;
    char id[64];
    snprintf(id, sizeof id, "%s", node->id);
    if (!input || !oro_input_has_literal(input) || input->type == ORO_FILE)
        return;
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    if (entry && entry->from_node && any(8)) /* would end a link */
        return;
    if (any(12) == 0)
        oro_edit_set_expression(doc, id, input->name, any(5) ? "v + 1" : "w", NULL);
    else
        oro_edit_set(doc, id, input->name, any(10) ? any_value(input) : NULL, NULL);
}

static void edit_link(struct oro_document *doc)
{
    static const char *const outputs[] = {"terrain", "field", "flow", "out", "uplift", "value"};
    const struct oro_doc_node *to = any_node(doc), *from = any_node(doc);
    const struct oro_node_type *type = oro_type_of(&reuse, doc, to, NULL);
    const struct oro_node_type *from_type = oro_type_of(&reuse, doc, from, NULL);
    size_t count = type ? oro_type_input_count(type) : 0;
    const char *output = outputs[any(6)];
    if (from_type && oro_type_output_count(from_type) > 0 && any(20))
        output = from_type->outputs[any(oro_type_output_count(from_type))].name;
    if (count > 0)
        oro_edit_connect(doc, to->id, type->inputs[any(count)].name, from->id, output, NULL);
}

static void edit_nodes(struct oro_document *doc)
{
    static const char *const more[] = {"blend", "erode", "noise", "pile", "rise", "reroute", "switch"};
    char id[32];
    snprintf(id, sizeof id, "x%zu", any(1000));
    switch (any(4)) {
    case 0:
        oro_edit_add_node(doc, id, more[any(7)], 3, 0, 0, NULL);
        break;
    case 1:
        if (oro_document_node_count(doc) > 8)
            oro_edit_remove_node(doc, any_node(doc)->id, NULL);
        break;
    case 2:
        oro_edit_rename_node(doc, any_node(doc)->id, id, NULL);
        break;
    default:
        oro_edit_move(doc, any_node(doc)->id, (double)any(100), 0, NULL);
    }
}

static void edit_group(struct oro_document *doc)
{
    const struct oro_doc_group *group = oro_document_find_group(doc, "part");
    struct oro_document *body = oro_document_clone(group->body);
    assert_non_null(body);
    oro_edit_set(body, "n", "height", any(2) ? "5" : "6", NULL);
    oro_edit_group(doc, "part", body, NULL);
    oro_document_destroy(body);
}

static void edit_setting(struct oro_document *doc)
{
    struct oro_world world = *oro_document_world(doc);
    const struct oro_doc_variable variable = {.name = (char *)(any(4) ? "v" : "w"),
                                              .value = (char *)(any(2) ? "2" : "1")};
    switch (any(4)) {
    case 0:
        world.resolution = any(2) ? 32 : 40;
        oro_edit_world(doc, &world, NULL);
        break;
    case 1:
        oro_edit_title(doc, any(2) ? "one" : "two", NULL);
        break;
    case 2:
        oro_edit_variable(doc, &variable, NULL);
        break;
    default:
        edit_group(doc);
    }
}

static void edit(struct oro_document *doc)
{
    size_t kind = any(24);
    if (kind < 14)
        edit_value(doc);
    else if (kind < 16)
        edit_link(doc);
    else if (kind == 16)
        edit_nodes(doc);
    else if (kind == 17)
        edit_setting(doc);
    else if (kind == 18)
        oro_edit_mute(doc, any_node(doc)->id, any(3) == 0, NULL);
    else if (kind == 19)
        oro_document_redo(doc, NULL);
    else
        oro_document_undo(doc, NULL);
}

static void edit_and_compare(struct oro_document *doc, int edits)
{
    static const struct oro_target all[] = {{"e1", "terrain"}, {"q0", "picture"}},
                                   half[] = {{"b1", "terrain"}}, uplift[] = {{"u0", "uplift"}};
    for (int i = 0; i < edits; i++) {
        edit(doc);
        size_t before = made;
        expect_same(doc, all, 2, i % 2 ? 50 : 0);
        expect_same(doc, half, 1, 0);
        expect_same(doc, uplift, 1, 0);
        if (made - before < 3 && any(4)) /* else little could be planned before long */
            oro_document_undo(doc, NULL);
        if (any(60) == 0)
            kernels_version++;
    }
}

TEST_WITH(any_edits, open_replan, close_replan)
{
    enum { ROUNDS = 20, EDITS = 150 };
    for (int round = 0; round < ROUNDS; round++) {
        state_of_random = (uint64_t)round;
        struct oro_document *doc = parse_valid(graph);
        edit_and_compare(doc, EDITS);
        oro_document_destroy(doc);
    }
    /* Of three plans for each edit most succeed; of these many follow, and many do not. */
    size_t followed = oro_replanner_followed(replanner);
    assert_true(made > 3 * ROUNDS * EDITS * 2 / 3);
    assert_true(followed > made / 3 && followed < made * 9 / 10);
}

/* ---- What must be noticed ---- */

static void set(struct oro_document *doc, const char *node, const char *input, const char *value)
{
    struct oro_error err = {0};
    if (!oro_edit_set(doc, node, input, value, &err))
        fail_msg("%s", err.text);
}

static size_t follows(const struct oro_document *doc, const char *node, const char *output)
{
    const struct oro_target target = {node, output};
    size_t before = oro_replanner_followed(replanner);
    expect_same(doc, &target, 1, 0);
    return oro_replanner_followed(replanner) - before;
}

TEST_WITH(values_are_followed, open_replan, close_replan)
{
    struct oro_document *doc = parse_valid(graph);
    assert_int_equal(follows(doc, "e1", "terrain"), 0);
    assert_int_equal(follows(doc, "e1", "terrain"), 1);
    set(doc, "n1", "height", "7");
    assert_int_equal(follows(doc, "e1", "terrain"), 1);
    set(doc, "r0", "factor", "4"); /* other sizes */
    assert_int_equal(follows(doc, "e1", "terrain"), 0);
    set(doc, "r0", "table", "1"); /* other memory */
    assert_int_equal(follows(doc, "e1", "terrain"), 0);
    oro_document_undo(doc, NULL);
    assert_int_equal(follows(doc, "e1", "terrain"), 0);
    set(doc, "p0", "count", "3"); /* other steps */
    assert_int_equal(follows(doc, "e1", "terrain"), 0);
    set(doc, "n0", "octaves", "3"); /* beside an expression */
    assert_int_equal(follows(doc, "e1", "terrain"), 1);
    oro_document_undo(doc, NULL);
    assert_int_equal(follows(doc, "e1", "terrain"), 1);
    set(doc, "e1", "angle", "3");
    assert_int_equal(follows(doc, "b1", "terrain"), 0); /* another target */
    assert_int_equal(follows(doc, "e1", "terrain"), 1);
    set(doc, "e1", "angle", "4"); /* not among what that one needs */
    assert_int_equal(follows(doc, "b1", "terrain"), 1);
    oro_document_destroy(doc);
}

/* Two nodes become alike, one step does for both; then they differ again. */
TEST_WITH(equal_steps_are_one, open_replan, close_replan)
{
    struct oro_document *doc =
        parse_valid(DOCUMENT(NODE("a", "noise", "") NODE("b", "noise", VALUE("height", "2"))
                                 NODE("c", "blend", FROM("terrain", "a.field") FROM("other", "b.field"))));
    for (int i = 0; i < 3; i++) {
        set(doc, "b", "height", "3");
        follows(doc, "c", "terrain");
        set(doc, "b", "height", "0.1");
        assert_int_equal(follows(doc, "c", "terrain"), 0);
        set(doc, i == 1 ? "a" : "b", "height", "4");
        assert_int_equal(follows(doc, "c", "terrain"), 0);
        set(doc, "a", "height", NULL);
        follows(doc, "c", "terrain");
    }
    oro_document_destroy(doc);
}

static struct oro_hash key_now(const struct oro_document *doc, const char *node, const char *output)
{
    const struct oro_target target = {node, output};
    return expect_same(doc, &target, 1, 0);
}

TEST_WITH(files_and_kernels_are_looked_at, open_replan, close_replan)
{
    make_file("a.raw", "one");
    struct oro_document *doc = parse_valid(DOCUMENT(NODE("i", "import", VALUE("file", "a.raw"))
                                                        NODE("e", "erode", FROM("terrain", "i.terrain"))));
    struct oro_hash first = key_now(doc, "e", "terrain");
    make_file("a.raw", "two");
    struct oro_hash second = key_now(doc, "e", "terrain");
    assert_false(same_key(first, second));
    kernels_version++;
    assert_false(same_key(second, key_now(doc, "e", "terrain")));
    oro_document_destroy(doc);
    doc = parse_valid(DOCUMENT(NODE("n", "noise", "")));
    first = key_now(doc, "n", "field");
    kernels_version++;
    assert_false(same_key(first, key_now(doc, "n", "field")));
    oro_document_destroy(doc);
}

/* As if nobody had written there for a while. */
static void settle(const char *name)
{
    const struct timespec times[2] = {{.tv_sec = time(NULL) - 100}, {.tv_sec = time(NULL) - 100}};
    assert_int_equal(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

/* The same plan while an expensive file stays as it is, another one when it does not. */
TEST_WITH(files_are_followed, open_replan, close_replan)
{
    make_file("near.tif", "one");
    make_file("far.tif", "one");
    settle("near.tif");
    settle("far.tif");
    settle(".");
    reuse.digests = oro_file_digests_create();
    struct oro_document *doc = parse_valid(DOCUMENT("<world resolution=\"20\" from=\"d\"/>" NODE(
        "d", "survey", VALUE("file", "near.tif")) NODE("e", "erode", FROM("terrain", "d.terrain"))));
    surveys = 0;
    struct oro_hash first = key_now(doc, "e", "terrain");
    assert_true(oro_edit_set(doc, "e", "amount", "3", NULL));
    assert_false(same_key(first, key_now(doc, "e", "terrain")));
    assert_true(oro_edit_set(doc, "e", "amount", "4", NULL));
    key_now(doc, "e", "terrain");
    assert_int_equal(oro_replanner_followed(replanner), 2);
    assert_int_equal(surveys, 1); /* also of the plans from nothing that they are compared with */

    assert_true(oro_edit_set(doc, "d", "file", "far.tif", NULL)); /* the world is elsewhere */
    struct oro_hash there = key_now(doc, "e", "terrain");
    assert_int_equal(oro_replanner_followed(replanner), 2);
    make_file("far.tif", "two");
    settle("far.tif");
    settle(".");
    assert_false(same_key(there, key_now(doc, "e", "terrain")));
    assert_int_equal(oro_replanner_followed(replanner), 2);
    assert_int_equal(surveys, 3);
    oro_document_destroy(doc);
    oro_file_digests_destroy(reuse.digests);
    reuse.digests = NULL;
}

TEST_WITH(graphs_are_looked_at, open_replan, close_replan)
{
    static const char leaf[] =
        DOCUMENT("<interface><out name=\"f\" from=\"n.field\"/></interface>" NODE("n", "noise", "%s"));
    char text[600];
    snprintf(text, sizeof text, leaf, "");
    make_file("leaf.oro", text);
    struct oro_document *doc =
        parse_valid(DOCUMENT("<node id=\"g\" type=\"graph\" href=\"leaf.oro\" version=\"1\"/>\n" NODE(
            "e", "erode", FROM("terrain", "g.f"))));
    assert_int_equal(follows(doc, "e", "terrain"), 0);
    set(doc, "e", "angle", "3");
    assert_int_equal(follows(doc, "e", "terrain"), 1);
    snprintf(text, sizeof text, leaf, VALUE("height", "7"));
    make_file("leaf.oro", text);
    assert_true(oro_assets_refresh(reuse.assets));
    set(doc, "e", "angle", "4");
    assert_int_equal(follows(doc, "e", "terrain"), 0);
    oro_document_destroy(doc);
}

/* Texts that are replaced in place, in the document and in what undo brings back. */
TEST_WITH(replaced_texts, open_replan, close_replan)
{
    static const char *const from[] = {"old"}, *const to[] = {"new"};
    struct oro_document *doc = parse_valid(DOCUMENT(NODE("q", "paint", VALUE("caption", "old"))));
    struct oro_hash old = key_now(doc, "q", "picture");
    assert_true(oro_document_replace_texts(doc, from, to, 1, NULL));
    struct oro_hash now = key_now(doc, "q", "picture");
    assert_false(same_key(now, old));
    set(doc, "q", "caption", "other");
    assert_true(oro_document_replace_texts(doc, to, from, 1, NULL));
    oro_document_undo(doc, NULL);
    assert_true(same_key(key_now(doc, "q", "picture"), old));
    oro_document_destroy(doc);
}

/* Another node in the place of one that was removed. */
TEST_WITH(replaced_node, open_replan, close_replan)
{
    struct oro_document *doc = parse_valid(DOCUMENT(NODE("a", "noise", "") NODE("b", "noise", "")));
    key_now(doc, "b", "field");
    oro_edit_remove_node(doc, "b", NULL);
    oro_edit_add_node(doc, "b", "noise", 1, 0, 0, NULL);
    assert_int_equal(follows(doc, "b", "field"), 0); /* it has no line in the file */
    oro_document_undo(doc, NULL);
    oro_edit_add_node(doc, "b", "ridges", 1, 0, 0, NULL);
    assert_int_equal(follows(doc, "b", "field"), 0);
    oro_document_destroy(doc);
}

/* Linked to the same node as before, but not to the same output. */
TEST_WITH(other_output, open_replan, close_replan)
{
    struct oro_document *doc = parse_valid(DOCUMENT(NODE("n", "noise", "") NODE(
        "r", "rise", FROM("terrain", "n.field")) NODE("e", "erode", FROM("terrain", "r.terrain"))));
    struct oro_hash before = key_now(doc, "e", "terrain");
    assert_true(oro_edit_connect(doc, "e", "terrain", "r", "rest", NULL));
    assert_false(same_key(key_now(doc, "e", "terrain"), before));
    oro_document_destroy(doc);
}

/* A graph on its own, whose interface says what its nodes' values are. */
TEST_WITH(interface, open_replan, close_replan)
{
    struct oro_document *doc =
        parse_valid(DOCUMENT("<interface><in name=\"h\" to=\"n.height\" default=\"5\"/>"
                             "<out name=\"f\" from=\"n.field\"/></interface>" NODE("n", "noise", "")));
    key_now(doc, "n", "field");
    set(doc, "n", "height", "7");
    set(doc, "n", "size", "70");
    key_now(doc, "n", "field");
    oro_document_destroy(doc);
}

/* Without memory a plan fails, and the next one is as it should be. */
TEST_WITH(memory_is_out, open_replan, close_replan)
{
    const struct oro_target target = {"e1", "terrain"};
    const struct oro_plan_options options = {.checked = true};
    struct oro_document *doc = parse_valid(graph);
    bool ok = false;
    for (size_t n = 1; !ok; n++) {
        struct oro_error err = {0};
        expect_same(doc, &target, 1, 0);
        set(doc, "n1", "height", n % 2 ? "7" : "8");
        oro_memory_fail_at(n);
        ok = oro_replan(replanner, doc, &reuse, &target, 1, &options, &device, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY);
        expect_same(doc, &target, 1, 0);
        ok = ok && n > 400;
    }
    oro_document_destroy(doc);
}

TEST_GROUP(NULL, clean_up_xml);
