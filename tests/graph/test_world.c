/* Where a world lies on Earth: in documents, through edits, in plans, and in the keys of what depends on it.
 */
#include "graph/file/load.h"
#include "graph/plan/plan.h"
#include "tests/graph/support.h"

/* ---- Nodes ---- */

struct survey_params {
    const char *file;
};
static const struct oro_input survey_inputs[] = {ORO_IN_FILE(struct survey_params, file, ""), {0}};
static const struct oro_output terrain[] = {ORO_OUT_TERRAIN(.doc = "Ground"), {0}};

/* "utm" is a file of 30 x 20 cells of 90 m in a known place, "sized" the same without a place. */
static bool survey_site(const void *params, struct oro_site *site, struct oro_error *err)
{
    const struct survey_params *p = params;
    if (!strstr(p->file, "utm") && !strstr(p->file, "sized"))
        return oro_fail(err, ORO_E_FILE, "'%s' is no survey", p->file);
    *site = (struct oro_site){.columns = 30, .rows = 20, .cell = 90};
    if (strstr(p->file, "utm"))
        site->place = (struct oro_place){oro_copy_text("EPSG:32632"), 399960, 5100000};
    return true;
}
static const struct oro_node_type survey = {.id = "survey",
                                            .version = 1,
                                            .inputs = survey_inputs,
                                            .outputs = terrain,
                                            .params_size = sizeof(struct survey_params),
                                            .site = survey_site};
static const struct oro_input no_inputs[] = {{0}};
static const struct oro_node_type flat = {
    .id = "flat", .version = 1, .inputs = no_inputs, .outputs = terrain};
static const struct oro_node_type *const types[] = {&flat, &survey};
static const struct oro_registry registry = {.types = types, .count = sizeof types / sizeof types[0]};

#define SURVEY(file)                                                                                         \
    "<node id=\"dem\" type=\"survey\" version=\"1\"><in name=\"file\" value=\"" file "\"/></node>"
#define FLAT "<node id=\"f\" type=\"flat\" version=\"1\"/>"

static struct oro_document *parse(const char *text)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &registry, &problems);
    assert_non_null(doc);
    oro_problems_free(&problems);
    return doc;
}

static struct oro_plan *plan(const char *text, const struct oro_override *override, struct oro_error *err)
{
    struct oro_document *doc = parse(text);
    const struct oro_target target = {"f", "terrain"};
    const struct oro_plan_options options = {
        .overrides = override, .override_count = override ? 1 : 0, .allow_any_path = true};
    struct oro_plan *made = oro_plan_create(doc, &registry, &target, 1, &options, NULL, NULL, err);
    oro_document_destroy(doc);
    return made;
}

/* ---- Documents ---- */

TEST(a_place_is_kept_and_edited)
{
    static const char text[] =
        DOCUMENT("  <world extent=\"2700\" seed=\"7\" crs=\"EPSG:32632\" origin=\"399960 5100000.5\" "
                 "from=\"n\"/>\n"
                 "  <node id=\"n\" type=\"noise\" version=\"1\"/>\n");
    struct oro_error err = {0};
    struct oro_problems problems = {0};
    struct oro_document *doc = read_text(text, &problems);
    oro_problems_free(&problems);
    char *same = written(doc);
    assert_string_equal(same, text);
    oro_free(same);
    assert_true(oro_document_world(doc)->west == 399960 && oro_document_world(doc)->north == 5100000.5);

    struct oro_document *clone = oro_document_clone(doc);
    assert_true(oro_edit_rename_node(doc, "n", "dem", &err));
    assert_string_equal(oro_document_world(doc)->from, "dem");
    assert_true(oro_edit_remove_node(doc, "dem", &err));
    assert_null(oro_document_world(doc)->from);
    assert_string_equal(oro_document_world(clone)->from, "n");

    struct oro_world world = *oro_document_world(doc);
    world.crs = "EPSG:2056";
    assert_true(oro_edit_world(doc, &world, &err));
    assert_string_equal(oro_document_world(doc)->crs, "EPSG:2056");
    assert_true(oro_document_undo(doc, &err));
    assert_string_equal(oro_document_world(doc)->crs, "EPSG:32632");
    world.crs = NULL;
    assert_false(oro_edit_world(doc, &world, &err));
    assert_non_null(strstr(err.text, "set crs, too"));
    oro_document_destroy(doc);
    oro_document_destroy(clone);
}

TEST(a_wrong_place_is_told)
{
    static const struct {
        const char *world, *told;
    } wrong[] = {{"origin=\"12\" crs=\"EPSG:2056\"", "origin must be two numbers"},
                 {"origin=\"1 2 3\" crs=\"EPSG:2056\"", "origin must be two numbers"},
                 {"origin=\"1 2\"", "set crs, too"},
                 {"from=\"den\"", "there is no node 'den'; did you mean 'dem'?"},
                 {"from=\"f\"", "'f' (flat) reads no terrain from a file"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[600], line[800];
        bool told = false;
        struct oro_problems problems = {0};
        snprintf(text, sizeof text, DOCUMENT("<world %s/>" SURVEY("utm") FLAT), wrong[i].world);
        struct oro_document *doc = oro_document_parse(text, strlen(text), "", &registry, &problems);
        oro_check(doc, &registry, &problems);
        for (size_t k = 0; k < problems.count; k++)
            told = told || strstr(oro_problem_line(&problems.items[k], "", line, sizeof line), wrong[i].told);
        if (!told)
            fail_msg("'%s' is not told", wrong[i].told);
        oro_problems_free(&problems);
        oro_document_destroy(doc);
    }
}

/* ---- Plans ---- */

TEST(a_world_lies_where_a_file_does)
{
    static const char text[] =
        DOCUMENT("<world extent=\"640\" resolution=\"60\" from=\"dem\"/>" SURVEY("utm") FLAT);
    struct oro_error err = {0};
    struct oro_plan *made = plan(text, NULL, &err);
    assert_non_null(made);
    const struct oro_grid *grid = &made->steps[made->targets[0].step].grid;
    assert_true(grid->width == 60 && grid->height == 40 && grid->cell == 45);
    assert_string_equal(made->place.crs, "EPSG:32632");
    assert_true(made->place.west == 399960 && made->place.north == 5100000);
    oro_plan_destroy(made);

    made = plan(text, &(struct oro_override){"dem", "file", "sized"}, &err);
    assert_non_null(made);
    assert_true(made->steps[made->targets[0].step].grid.cell == 45);
    assert_null(made->place.crs);
    oro_plan_destroy(made);

    assert_null(plan(text, &(struct oro_override){"dem", "file", "other"}, &err));
    assert_non_null(strstr(err.text, "is no survey"));
}

TEST(a_place_that_is_given_stays)
{
    struct oro_error err = {0};
    struct oro_plan *made =
        plan(DOCUMENT("<world crs=\"EPSG:2056\" origin=\"2600000 1200000\"/>" FLAT), NULL, &err);
    assert_non_null(made);
    struct oro_place part = oro_place_within(&made->place, 100, 300);
    assert_string_equal(part.crs, "EPSG:2056");
    assert_true(part.west == 2600100 && part.north == 1199700);
    oro_plan_destroy(made);
}

TEST_GROUP(NULL, clean_up_xml);
