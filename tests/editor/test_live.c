/* Live evaluation: requests are answered, the newest in the end, with the same bits as a build. */
#include "base/file.h"
#include "editor/live/live_private.h"
#include "formats/format.h"
#include "graph/eval/evaluator.h"
#include "tests/editor/live_support.h"

static const double PATIENCE = 60; /* seconds; a loaded machine is slow */

/* ---- Asking ---- */

static struct ed_live *start_with(bool disk_cache)
{
    struct ed_live_options options = {.device = ORO_DEVICE_ANY, .no_disk_cache = !disk_cache};
    struct oro_error err = {0};
    struct ed_live *live = ed_live_create(&options, &err);
    if (!live)
        fail_msg("%s", err.text);
    struct ed_live_status status = {.opening = true};
    for (double since = oro_now(); status.opening && oro_now() - since < PATIENCE; pause_for(0.01))
        ed_live_status(live, &status);
    if (!status.ready) {
        ed_live_destroy(live);
        skip();
    }
    return live;
}

static struct ed_live *start(void)
{
    return start_with(false);
}

static void request(struct ed_live *live, const struct ed_live_request *wanted)
{
    struct oro_error err = {0};
    if (!ed_live_request(live, wanted, &err))
        fail_msg("%s", err.text);
}

static struct ed_live_status settled(struct ed_live *live)
{
    struct ed_live_status status = {0};
    double since = oro_now();
    do {
        pause_for(0.005);
        ed_live_status(live, &status);
    } while (status.busy && oro_now() - since < PATIENCE);
    assert_false(status.busy);
    return status;
}

static struct ed_live_request request_of(const struct oro_document *doc, const struct ed_want *views,
                                         size_t count)
{
    return (struct ed_live_request){.root = doc,
                                    .revision = oro_document_revision(doc) + 1,
                                    .views = views,
                                    .view_count = count,
                                    .preview = 32};
}

static struct ed_picture *picture(struct ed_live *live, const struct ed_want *want)
{
    struct ed_picture *found = ed_live_picture(live, want);
    if (!found) {
        struct ed_live_status status;
        ed_live_status(live, &status);
        fail_msg("there is no picture of %s.%s: %s", want->node, want->output, status.problem);
    }
    return found;
}

/* ---- The results of a build ---- */

static struct oro_hash built(const struct oro_document *doc, const char *node, const char *output)
{
    struct oro_error err = {0};
    struct oro_device *device = oro_device_open(&(struct oro_gpu_options){.index = ORO_DEVICE_ANY}, &err);
    assert_non_null(device);
    const struct oro_target target = {node, output};
    const struct oro_plan_options options = {.fields_only = true, .checked = true};
    struct oro_plan *plan = oro_plan_create(doc, &registry, &target, 1, &options, device, NULL, &err);
    if (!plan)
        fail_msg("%s", err.text);
    const struct oro_evaluator_options none = {0};
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &none);
    struct oro_value *value = NULL;
    if (!oro_evaluate(evaluator, plan, &value, &err))
        fail_msg("%s", err.text);
    const void *data = oro_value_host(value, &err);
    assert_non_null(data);
    struct oro_hash hash = oro_hash_of(data, oro_value_bytes(value));
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    device->ops->destroy(device);
    return hash;
}

static struct oro_hash digest(const struct ed_picture *shown)
{
    size_t cells = oro_grid_cells(&shown->grid) * (size_t)shown->channels;
    return oro_hash_of(shown->data, cells * sizeof(float));
}

static void expect_built(struct ed_live *live, const struct oro_document *doc, const struct ed_want *want)
{
    struct ed_picture *shown = picture(live, want);
    assert_true(oro_hash_equal(digest(shown), built(doc, want->node, want->output)));
    assert_false(shown->draft || shown->running);
    ed_picture_release(shown);
}

/* ---- Tests ---- */

#define LEVELS                                                                                               \
    WORLD("resolution=\"64\"",                                                                               \
          NOISE NODE("eroded", "thermal_erosion", LINK("terrain", "noise.field") SET("iterations", "3000"))  \
              NODE("fine", "amplify",                                                                        \
                   LINK("terrain", "eroded.terrain") SET("factor", "4") SET("iterations", "100")))

TEST(in_levels)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LEVELS);
    const struct ed_want want = {"fine", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    int last = 0, levels = 0;
    bool drafts = false;
    uint64_t serial = 0;
    struct ed_live_status status = {.busy = true};
    request(live, &wanted);
    for (double since = oro_now(); status.busy && oro_now() - since < PATIENCE; pause_for(0.0005)) {
        ed_live_status(live, &status);
        struct ed_picture *shown = ed_live_picture(live, &want);
        if (shown && shown->serial != serial && !shown->running) {
            assert_true(shown->grid.width >= last);
            assert_false(shown->draft && levels > 0); /* the draft comes first, if at all */
            levels += shown->grid.width > last;
            last = shown->grid.width;
            serial = shown->serial;
            drafts = drafts || shown->draft;
        }
        ed_picture_release(shown);
    }
    assert_true(drafts);
    assert_true(levels >= 3); /* 32 at first, then 64, 128, 256 */
    assert_int_equal(last, 256);
    assert_true(status.complete && status.revision == wanted.revision);
    expect_built(live, doc, &want);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* Results that are there already are not shown as drafts again. */
TEST(undone)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LEVELS);
    const struct ed_want want = {"fine", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    settled(live);
    struct ed_picture *before = picture(live, &want);
    oro_edit_move(doc, "fine", 5, 5, NULL); /* changes nothing */
    wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    assert_true(settled(live).complete);
    struct ed_picture *after = picture(live, &want);
    assert_true(after->serial == before->serial && after->revision == wanted.revision);
    ed_picture_release(after);
    ed_picture_release(before);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST(a_slider)
{
    enum { STEPS = 200 };
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT(ERODED));
    const struct ed_want want = {"eroded", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    int seen = 0;
    uint64_t serial = 0;
    for (int i = 0; i < STEPS; i++) {
        char value[32];
        snprintf(value, sizeof value, "%d", 300 + i);
        edit_set(doc, "noise", "amplitude", value);
        wanted = request_of(doc, &want, 1);
        request(live, &wanted);
        pause_for(0.008);
        struct ed_picture *shown = ed_live_picture(live, &want);
        seen += shown && shown->serial != serial;
        serial = shown ? shown->serial : serial;
        ed_picture_release(shown);
    }
    assert_true(settled(live).revision == wanted.revision);
    assert_true(seen >= 3);
    expect_built(live, doc, &want);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* Many requests at once: the last one is answered. */
TEST(a_flood)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT(ERODED));
    const struct ed_want want = {"eroded", "terrain", ED_DERIVE_NOTHING};
    for (int round = 0; round < 10; round++) {
        struct ed_live_request wanted = {0};
        for (int i = 0; i < 20; i++) {
            char value[32];
            snprintf(value, sizeof value, "%d", 300 + 20 * round + i);
            edit_set(doc, "noise", "amplitude", value);
            wanted = request_of(doc, &want, 1);
            request(live, &wanted);
        }
        assert_true(settled(live).revision == wanted.revision);
    }
    expect_built(live, doc, &want);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

#define LONG                                                                                                 \
    DOCUMENT(                                                                                                \
        NOISE NODE("long", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", "100000")))

static void wait_for_work(struct ed_live *live)
{
    struct ed_live_status status = {0};
    for (double since = oro_now(); strcmp(status.node, "long") != 0 && oro_now() - since < PATIENCE;
         pause_for(0.002))
        ed_live_status(live, &status);
    assert_string_equal(status.node, "long");
}

TEST(cancelled)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LONG);
    const struct ed_want views[] = {{"long", "terrain", ED_DERIVE_NOTHING},
                                    {"noise", "field", ED_DERIVE_NOTHING}};
    struct ed_live_request wanted = request_of(doc, views, 1);
    request(live, &wanted);
    wait_for_work(live);
    struct ed_node_state node;
    ed_live_node(live, "long", &node);
    assert_int_equal(node.phase, ED_NODE_RUNNING);
    double since = oro_now();
    ed_live_cancel(live);
    struct ed_live_status status = settled(live);
    assert_true(oro_now() - since < 2);
    assert_false(status.complete);
    assert_true(status.stopped); /* and both say so */
    ed_live_node(live, "long", &node);
    assert_int_equal(node.falls, ED_SHORT_STOPPED);
    ed_live_resume(live);
    wait_for_work(live);
    ed_live_status(live, &status);
    assert_false(status.stopped);
    ed_live_node(live, "long", &node);
    assert_int_equal(node.falls, ED_SHORT_NOT);
    ed_live_cancel(live);
    assert_true(settled(live).stopped);
    request(live, &wanted); /* the same again: stays as it is */
    pause_for(0.1);
    ed_live_status(live, &status);
    assert_false(status.busy);
    wanted = request_of(doc, views + 1, 1); /* no later evaluation fails because of it */
    request(live, &wanted);
    assert_true(settled(live).complete);
    expect_built(live, doc, &views[1]);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* A limit below what the document asks for is told, until the limit is lifted. */
TEST(coarse)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LEVELS);
    const struct ed_want want = {"fine", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    struct ed_node_state node;
    for (int twice = 0; twice < 2; twice++) {
        wanted.resolution = 64;
        request(live, &wanted);
        struct ed_live_status status = settled(live);
        assert_true(status.complete && status.coarse && !status.stopped);
        ed_live_node(live, "fine", &node);
        assert_int_equal(node.falls, ED_SHORT_COARSE);
        wanted.resolution = 0;
        request(live, &wanted);
        status = settled(live);
        assert_true(status.complete && !status.coarse);
        ed_live_node(live, "fine", &node);
        assert_int_equal(node.falls, ED_SHORT_NOT);
    }
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* States of a simulation are shown on the way. */
TEST(on_the_way)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LONG);
    const struct ed_want want = {"long", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    int states = 0, done = -1;
    request(live, &wanted);
    for (double since = oro_now(); states < 3 && oro_now() - since < PATIENCE; pause_for(0.01)) {
        struct ed_picture *shown = ed_live_picture(live, &want);
        if (shown && shown->running && shown->done > done) {
            done = shown->done;
            states++;
        }
        ed_picture_release(shown);
    }
    assert_int_equal(states, 3);
    double since = oro_now();
    oro_document_destroy(doc);
    ed_live_destroy(live); /* while it runs */
    assert_true(oro_now() - since < 1.5);
}

/* Other small pictures alone end nothing; they are made when there is time. */
TEST(other_thumbnails)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LONG);
    const struct ed_want views[] = {{"long", "terrain", ED_DERIVE_NOTHING},
                                    {"noise", "field", ED_DERIVE_NOTHING}};
    static struct ed_thumbnail thumbnail;
    struct ed_live_request wanted = request_of(doc, views, 1);
    struct ed_live_status status;
    request(live, &wanted);
    wait_for_work(live);
    wanted.thumbnails = &views[1];
    wanted.thumbnail_count = 1;
    request(live, &wanted);
    pause_for(0.7);
    ed_live_status(live, &status);
    assert_true(status.busy);
    assert_string_equal(status.node, "long");
    edit_set(doc, "long", "iterations", "3");
    wanted = request_of(doc, views, 1);
    request(live, &wanted);
    settled(live);
    assert_false(ed_live_thumbnail(live, "noise", 0, &thumbnail));
    wanted.thumbnails = &views[1];
    wanted.thumbnail_count = 1;
    request(live, &wanted);
    assert_true(settled(live).complete);
    assert_true(ed_live_thumbnail(live, "noise", 0, &thumbnail));
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST(overtaken)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(LONG);
    const struct ed_want want = {"long", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    wait_for_work(live);
    edit_set(doc, "long", "iterations", "3");
    wanted = request_of(doc, &want, 1);
    double since = oro_now();
    request(live, &wanted);
    assert_true(settled(live).complete);
    assert_true(oro_now() - since < 10);
    expect_built(live, doc, &want);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST(a_failing_node)
{
    struct ed_live *live = start();
    /* The file does not exist, which is found out only when it is read. */
    struct oro_document *doc =
        document(DOCUMENT(ERODED NODE("missing", "import", SET("file", "nothing.png"))
                              NODE("slope", "slope", LINK("terrain", "missing.terrain"))));
    const struct ed_want views[] = {{"missing", "terrain", ED_DERIVE_NOTHING},
                                    {"nobody", "terrain", ED_DERIVE_NOTHING},
                                    {"eroded", "terrain", ED_DERIVE_NOTHING}};
    const struct ed_want thumbnails[] = {{"slope", "field", ED_DERIVE_NOTHING},
                                         {"noise", "field", ED_DERIVE_NOTHING}};
    struct ed_live_request wanted = request_of(doc, views, 3);
    static struct ed_thumbnail thumbnail;
    struct ed_node_state node;
    wanted.thumbnails = thumbnails;
    wanted.thumbnail_count = 2;
    request(live, &wanted);
    struct ed_live_status status = settled(live);
    assert_false(status.complete);
    assert_true(status.problem[0]);
    expect_built(live, doc, &views[2]);
    ed_live_node(live, "missing", &node);
    assert_int_equal(node.phase, ED_NODE_FAILED);
    assert_non_null(strstr(node.text, "nothing.png"));
    ed_live_node(live, "eroded", &node);
    assert_true(node.phase == ED_NODE_DONE || node.phase == ED_NODE_CACHED);
    assert_true(node.seconds >= 0 && node.width == 64);
    assert_true(ed_live_thumbnail(live, "noise", 0, &thumbnail));
    assert_true(thumbnail.width == 32 && thumbnail.rgba[3] == 255);
    assert_false(ed_live_thumbnail(live, "noise", thumbnail.serial, &thumbnail));
    assert_false(ed_live_thumbnail(live, "slope", 0, &thumbnail));
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

#define GROUPS                                                                                               \
    "<group name=\"inner\"><interface><in name=\"ground\" to=\"first.terrain\"/><out name=\"out\" "          \
    "from=\"second.terrain\"/></interface>" NODE("first", "thermal_erosion", SET("iterations", "5")) NODE(   \
        "second", "thermal_erosion",                                                                         \
        LINK("terrain", "first.terrain") SET(                                                                \
            "iterations",                                                                                    \
            "4")) "</group><group name=\"outer\"><interface><in name=\"ground\" to=\"deep.ground\"/><out "   \
                  "name=\"out\" from=\"deep.out\"/></interface>"                                             \
                  "<node id=\"deep\" type=\"graph\" href=\"#inner\"/></group>"                               \
                  "<node id=\"a\" type=\"graph\" href=\"#outer\">" LINK(                                     \
                      "ground", "noise.field") "</node>"                                                     \
                                               "<node id=\"b\" type=\"graph\" href=\"#outer\">" LINK(        \
                                                   "ground", "a.out") "</node>"

TEST(in_groups)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT(GROUPS NOISE));
    const char *const way[] = {"b", "deep"};
    const struct ed_want want = {"first", "terrain", ED_DERIVE_NOTHING},
                         whole = {"b", "out", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &whole, 1);
    struct ed_node_state node;
    request(live, &wanted);
    assert_true(settled(live).complete);
    expect_built(live, doc, &whole);
    ed_live_node(live, "b", &node);
    assert_int_equal(node.phase, ED_NODE_DONE);
    wanted.views = &want;
    wanted.entered = way;
    wanted.depth = 2;
    request(live, &wanted);
    struct ed_live_status status = settled(live);
    if (!status.complete)
        fail_msg("%s", status.problem);
    ed_live_node(live, "first", &node);
    assert_int_equal(node.phase, ED_NODE_CACHED); /* the keys are the same with another output */
    struct ed_picture *shown = picture(live, &want);
    /* The same without groups. */
    struct oro_document *flat = document(DOCUMENT(
        NOISE NODE("a1", "thermal_erosion", LINK("terrain", "noise.field") SET("iterations", "5"))
            NODE("a2", "thermal_erosion", LINK("terrain", "a1.terrain") SET("iterations", "4"))
                NODE("b1", "thermal_erosion", LINK("terrain", "a2.terrain") SET("iterations", "5"))));
    assert_true(oro_hash_equal(digest(shown), built(flat, "b1", "terrain")));
    ed_picture_release(shown);
    oro_document_destroy(flat);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* A graph whose file is gone cannot be looked into, and says so. */
TEST(in_files_that_are_gone)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT("<node id=\"use\" type=\"graph\" href=\"gone.oro\"/>"));
    const char *const path[] = {"use"};
    const struct ed_want want = {"n", "field", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    wanted.entered = path;
    wanted.depth = 1;
    request(live, &wanted);
    struct ed_live_status status = settled(live);
    assert_false(status.complete);
    assert_non_null(strstr(status.problem, "gone.oro"));
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* The same inside a graph from a file, while files change on the disk. */
TEST(in_files)
{
    struct ed_live *live = start();
    static const char inside[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
        "<interface><out name=\"out\" from=\"end.terrain\"/></interface>" NODE("n", "noise",
                                                                               SET("amplitude", "%s"))
            NODE("end", "thermal_erosion", LINK("terrain", "n.field") SET("iterations", "3")) "</orograph>";
    char text[2000];
    snprintf(text, sizeof text, inside, "50");
    write_text(path_of("part.oro"), text);
    struct oro_document *doc = document(DOCUMENT("<node id=\"use\" type=\"graph\" href=\"part.oro\"/>"));
    const char *const way[] = {"use"};
    const struct ed_want want = {"n", "field", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    wanted.entered = way;
    wanted.depth = 1;
    request(live, &wanted);
    struct ed_live_status status = settled(live);
    if (!status.complete)
        fail_msg("%s", status.problem);
    struct ed_picture *shown = picture(live, &want);
    float high = shown->high;
    assert_true(high > 0 && high < 50.1F);
    ed_picture_release(shown);
    snprintf(text, sizeof text, inside, "500");
    write_text(path_of("part.oro"), text);
    for (double since = oro_now(); oro_now() - since < PATIENCE; pause_for(0.02)) {
        shown = picture(live, &want);
        bool changed = shown->high > 2 * high;
        high = changed ? INFINITY : high;
        ed_picture_release(shown);
        if (changed)
            break;
    }
    assert_true(isinf(high));
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

static void write_pfm(const char *path, float value)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "Pf\n8 8\n-1.0\n");
    for (int i = 0; i < 64; i++)
        fwrite(&value, sizeof value, 1, file);
    assert_int_equal(fclose(file), 0);
}

static bool waits_for_high(struct ed_live *live, const struct ed_want *want, float high)
{
    for (double since = oro_now(); oro_now() - since < PATIENCE; pause_for(0.02)) {
        struct ed_picture *shown = ed_live_picture(live, want);
        bool there = shown && shown->high == high;
        ed_picture_release(shown);
        if (there)
            return true;
    }
    return false;
}

/* The same for a file that was missing at first. */
TEST(changed_files)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT(NODE("read", "import", SET("file", "heights.pfm"))));
    const struct ed_want want = {"read", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    assert_true(settled(live).problem[0]);
    write_pfm(path_of("heights.pfm"), 12);
    assert_true(waits_for_high(live, &want, 12));
    write_pfm(path_of("heights.pfm"), 99);
    assert_true(waits_for_high(live, &want, 99));
    assert_int_equal(settled(live).problem[0], 0);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* Painted layers from 0 to 1 are masks, whatever the node's type says; others are in metres. */
TEST(painted_masks)
{
    struct ed_live *live = start();
    struct oro_document *doc =
        document(DOCUMENT(NODE("mask", "import", SET("file", "test.layers/mask.png") SET("high", "1"))));
    const struct ed_want want = {"mask", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    struct oro_error err = {0};
    float data[4] = {0, 0.25f, 0.5f, 1};
    const struct oro_heightfield field = {
        .width = 2, .height = 2, .data = data, .cell = 1600, .metres = true};
    const struct oro_write_options options = {.has_range = true, .high = 1, .not_terrain = true};
    assert_true(oro_make_folders(path_of("test.layers"), &err));
    assert_true(oro_heightfield_write(path_of("test.layers/mask.png"), &field, &options, &err));
    request(live, &wanted);
    assert_int_equal(settled(live).problem[0], 0);
    struct ed_picture *shown = picture(live, &want);
    assert_true(!shown->terrain && shown->unit == ORO_NO_UNIT);
    ed_picture_release(shown);
    edit_set(doc, "mask", "high", "900");
    wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    settled(live);
    shown = picture(live, &want);
    assert_true(shown->terrain && shown->unit == ORO_METRE);
    ed_picture_release(shown);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

/* Results from the disk run no kernel: kernels are compiled all the same once everything is done. */
TEST(kernels_are_ready)
{
    struct oro_document *doc = document(DOCUMENT(
        NOISE NODE("eroded", "thermal_erosion", LINK("terrain", "noise.field") SET("iterations", "30000"))));
    const struct ed_want want = {"eroded", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    struct ed_node_state node;
    for (int again = 0; again < 2; again++) {
        struct ed_live *live = start_with(true);
        request(live, &wanted);
        assert_int_equal(settled(live).problem[0], 0);
        ed_live_node(live, "eroded", &node);
        assert_int_equal(node.phase, again ? ED_NODE_CACHED : ED_NODE_DONE);
        assert_int_equal(live->kernels.count, 2);
        ed_live_destroy(live);
    }
    oro_document_destroy(doc);
}

static void count_problem(void *user, const struct oro_problem *problem)
{
    *(int *)user += strcmp(problem->code, "unknown-type") == 0;
}

static void find_print(void *user, enum oro_level level, const char *text)
{
    (void)level;
    *(int *)user += strstr(text, "hello from here") != NULL;
}

TEST(problems_and_log)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT(
        NOISE NODE("what", "no_such_type", "") "<node id=\"talk\" type=\"lua\"><script>return { inputs = {}, "
                                               "outputs = { { name = \"field\", type = \"field\" } }, cell = "
                                               "function(p) return 1 end, doc = \"x\" }</script></node>"));
    const struct ed_want want = {"noise", "field", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    int found = 0, lines = 0;
    wanted.paused = true;
    request(live, &wanted);
    settled(live);
    assert_null(ed_live_picture(live, &want)); /* it waits */
    uint64_t number = ed_live_problems(live, 0, count_problem, &found);
    assert_int_equal(found, 1);
    assert_true(number > 0 && ed_live_problems(live, number, count_problem, &found) == number);
    assert_int_equal(found, 1);
    wanted.paused = false;
    request(live, &wanted);
    settled(live);
    expect_built(live, doc, &want); /* errors elsewhere do not matter */
    ed_live_log(live, find_print, &lines);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST(a_cycle)
{
    struct ed_live *live = start();
    struct oro_document *doc =
        document(DOCUMENT(NODE("a", "thermal_erosion", LINK("terrain", "b.terrain"))
                              NODE("b", "thermal_erosion", LINK("terrain", "a.terrain"))));
    const struct ed_want want = {"a", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    assert_non_null(strstr(settled(live).problem, "cycle"));
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST(drainage)
{
    struct ed_live *live = start();
    struct oro_document *doc = document(DOCUMENT(ERODED));
    const struct ed_want want = {"eroded", "terrain", ED_DERIVE_DRAINAGE};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    request(live, &wanted);
    assert_true(settled(live).complete);
    struct ed_picture *shown = picture(live, &want);
    assert_true(shown->unit == ORO_SQUARE_METRE && shown->grid.width == 64 && !shown->terrain);
    assert_true(shown->low == 2500 && shown->high > 20 * 2500); /* one cell at least */
    ed_picture_release(shown);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST(destroyed_at_once)
{
    struct oro_document *doc = document(LONG);
    const struct ed_want want = {"long", "terrain", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    struct ed_live_options options = {.device = ORO_DEVICE_ANY, .no_disk_cache = true};
    for (int i = 0; i < 5; i++) {
        struct ed_live *live = ed_live_create(&options, NULL);
        assert_non_null(live);
        request(live, &wanted);
        pause_for(0.05 * i);
        double since = oro_now();
        ed_live_destroy(live);
        assert_true(oro_now() - since < 2);
    }
    oro_document_destroy(doc);
}

TEST(without_device)
{
    struct ed_live_options options = {.device = 250, .no_disk_cache = true};
    struct ed_live *live = ed_live_create(&options, NULL);
    struct oro_document *doc = document(DOCUMENT(NOISE NODE("what", "no_such_type", "")));
    const struct ed_want want = {"noise", "field", ED_DERIVE_NOTHING};
    struct ed_live_request wanted = request_of(doc, &want, 1);
    int found = 0;
    request(live, &wanted);
    struct ed_live_status status = settled(live);
    assert_false(status.ready || status.opening);
    assert_true(status.problem[0]);
    ed_live_problems(live, 0, count_problem, &found);
    assert_int_equal(found, 1);
    oro_document_destroy(doc);
    ed_live_destroy(live);
}

TEST_GROUP(begin_tests, end_tests);
