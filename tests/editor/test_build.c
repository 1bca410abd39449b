/* Builds write the same bytes as `orograph render`. */
#include <sys/stat.h>

#include "base/file.h"
#include "editor/live/build.h"
#include "tests/editor/live_support.h"
#include "tests/support/folder.h"

static const double PATIENCE = 60;

static struct ed_build *start(const struct ed_build_options *options)
{
    struct oro_error err = {0};
    struct ed_build_options all = *options;
    all.live = (struct ed_live_options){.device = ORO_DEVICE_ANY, .no_disk_cache = true};
    struct ed_build *build = ed_build_start(&all, &err);
    if (!build)
        fail_msg("%s", err.text);
    return build;
}

static struct ed_build_status ended(struct ed_build *build)
{
    struct ed_build_status status = {0};
    for (double since = oro_now(); status.phase == ED_BUILD_RUNNING && oro_now() - since < PATIENCE;
         pause_for(0.005))
        ed_build_status(build, &status);
    return status;
}

static void expect_done(struct ed_build *build)
{
    struct ed_build_status status = ended(build);
    if (status.phase != ED_BUILD_DONE)
        fail_msg("%s: %s", status.problem_node, status.problem);
    assert_true(status.progress == 1 && status.seconds > 0 && status.peak_bytes > 0);
}

static void expect_same(const char *a, const char *b)
{
    struct oro_error err = {0};
    void *bytes[2];
    size_t sizes[2];
    if (!oro_file_read(a, 1 << 24, &bytes[0], &sizes[0], &err) ||
        !oro_file_read(b, 1 << 24, &bytes[1], &sizes[1], &err))
        fail_msg("%s", err.text);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    oro_free(bytes[0]);
    oro_free(bytes[1]);
}

static void render(const char *arguments)
{
    char command[1000];
    snprintf(command, sizeof command, "'%s' render '%s' --no-cache --progress off %s >'%s' 2>&1",
             OROGRAPH_PROGRAM, path_of("test.oro"), arguments, path_of("said"));
    if (system(command) != 0) {
        char again[1100];
        snprintf(again, sizeof again, "cat '%s'", path_of("said"));
        (void)!system(again);
        fail_msg("%s", command);
    }
}

static void move(const char *from, const char *to)
{
    assert_int_equal(rename(path_of(from), path_of(to)), 0);
}

#define EXPORTED                                                                                             \
    ERODED NODE("bare", "breach", LINK("terrain", "eroded.terrain"))                                         \
        NODE("save", "export", LINK("terrain", "bare.terrain") SET("file", "saved.r32"))

/* A node of the document, as it is; and the same with another seed, resolution and cap. */
TEST(a_node)
{
    struct oro_document *doc = document(DOCUMENT(EXPORTED));
    const struct ed_build_output output = {.node = "save"};
    const struct ed_build_options options = {.root = doc, .outputs = &output, .output_count = 1};
    render("");
    move("saved.r32", "rendered.r32");
    move("saved.r32.json", "rendered.r32.json");
    struct ed_build *build = start(&options);
    expect_done(build);
    expect_same(path_of("saved.r32"), path_of("rendered.r32"));
    expect_same(path_of("saved.r32.json"), path_of("rendered.r32.json"));
    assert_non_null(ed_build_file(build, 0));
    assert_string_equal(ed_build_file(build, 0), path_of("saved.r32"));
    assert_null(ed_build_file(build, 1));
    ed_build_destroy(build);
    oro_document_destroy(doc);
}

TEST(with_options)
{
    struct oro_document *doc = document(
        DOCUMENT(NOISE NODE("fine", "upsample", LINK("terrain", "noise.field") SET("factor", "4"))
                     NODE("save", "export", LINK("terrain", "fine.terrain") SET("file", "saved.r32"))));
    const struct ed_build_output output = {.node = "save"};
    const struct ed_build_options options = {.root = doc,
                                             .outputs = &output,
                                             .output_count = 1,
                                             .max_resolution = 100,
                                             .has_seed = true,
                                             .seed = 42};
    render("--seed 42 --max-resolution 100");
    move("saved.r32", "rendered.r32");
    move("saved.r32.json", "rendered.r32.json");
    struct ed_build *build = start(&options);
    expect_done(build);
    expect_same(path_of("saved.r32"), path_of("rendered.r32"));
    expect_same(path_of("saved.r32.json"), path_of("rendered.r32.json"));
    ed_build_destroy(build);
    oro_document_destroy(doc);
}

/* Outputs into files that the document does not name, also elsewhere. */
TEST(into_files)
{
    struct oro_document *doc =
        document(DOCUMENT(EXPORTED NODE("shade", "hillshade", LINK("terrain", "bare.terrain"))
                              NODE("paint", "colorize", LINK("field", "bare.terrain"))
                                  NODE("rivers", "river_network", LINK("terrain", "bare.terrain"))));
    char elsewhere[200];
    snprintf(elsewhere, sizeof elsewhere, "%s-2", folder);
    assert_int_equal(mkdir(elsewhere, 0777), 0);
    strcat(elsewhere, "/chosen.r32");
    const struct ed_build_output outputs[] = {{"bare", "terrain", elsewhere},
                                              {"paint", "image", "paint.png"},
                                              {"rivers", "network", "rivers.geojson"},
                                              {.node = "save"}};
    const struct ed_build_options options = {.root = doc, .outputs = outputs, .output_count = 4};
    struct ed_build *build = start(&options);
    expect_done(build);
    expect_same(elsewhere, path_of("saved.r32"));
    strcat(elsewhere, ".json");
    expect_same(elsewhere, path_of("saved.r32.json"));
    assert_non_null(ed_build_file(build, 3));
    ed_build_destroy(build);
    char arguments[300];
    snprintf(arguments, sizeof arguments, "-o '%s' --output paint.image", path_of("rendered.png"));
    render(arguments);
    expect_same(path_of("paint.png"), path_of("rendered.png"));
    elsewhere[strlen(folder) + 2] = '\0';
    assert_int_equal(remove_tree(elsewhere), 0);
    oro_document_destroy(doc);
}

TEST(failures)
{
    struct oro_document *doc = document(DOCUMENT(EXPORTED));
    const struct ed_build_output wrong[] = {{"nobody", "terrain", "a.r32"},
                                            {"bare", "terrain", "no_such_folder/a.r32"},
                                            {"bare", "terrain", "a.what"}};
    for (int i = 0; i < 3; i++) {
        const struct ed_build_options options = {.root = doc, .outputs = &wrong[i], .output_count = 1};
        struct ed_build *build = start(&options);
        struct ed_build_status status = ended(build);
        assert_int_equal(status.phase, ED_BUILD_FAILED);
        assert_true(status.problem[0] && status.problem_node[0]);
        ed_build_destroy(build);
    }
    oro_document_destroy(doc);
}

TEST(stopped)
{
    struct oro_document *doc = document(DOCUMENT(
        NOISE NODE("long", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", "100000"))));
    const struct ed_build_output output = {"long", "terrain", "never.r32"};
    const struct ed_build_options options = {.root = doc, .outputs = &output, .output_count = 1};
    struct ed_build *build = start(&options);
    struct ed_build_status status = {0};
    for (double since = oro_now(); !(status.progress > 0) && oro_now() - since < PATIENCE; pause_for(0.005))
        ed_build_status(build, &status);
    assert_true(status.phase == ED_BUILD_RUNNING && status.progress > 0 && status.progress < 1);
    assert_string_equal(status.node, "long");
    double since = oro_now();
    ed_build_cancel(build);
    assert_int_equal(ended(build).phase, ED_BUILD_CANCELLED);
    assert_true(oro_now() - since < 1);
    assert_int_not_equal(access(path_of("never.r32"), F_OK), 0);
    ed_build_destroy(build);
    build = start(&options); /* destroying it ends it, too */
    pause_for(0.2);
    since = oro_now();
    ed_build_destroy(build);
    assert_true(oro_now() - since < 1.5);
    oro_document_destroy(doc);
}

TEST(estimated)
{
    struct oro_document *doc =
        document(DOCUMENT(NOISE NODE("fine", "upsample", LINK("terrain", "noise.field") SET("factor", "4"))));
    struct ed_build_output output = {"fine", "terrain", "a.r32"};
    struct ed_build_options options = {.outputs = &output, .output_count = 1};
    struct ed_build_estimate estimate = {0};
    struct oro_error err = {0};
    assert_true(ed_build_estimate(doc, &registry, &options, &estimate, &err));
    assert_true(estimate.width == 256 && estimate.height == 256);
    assert_true(estimate.peak_bytes >= 256 * 256 * 4);
    options.base_resolution = 100;
    assert_true(ed_build_estimate(doc, &registry, &options, &estimate, &err));
    assert_int_equal(estimate.width, 400);
    assert_int_equal(oro_document_world(doc)->resolution, 64);
    /* What an engine takes is known before. */
    struct ed_build_size sizes[1] = {{0, 0}};
    estimate.sizes = sizes;
    options.engine = 1; /* Unreal */
    output.path = "a.png";
    options.base_resolution = 64;
    assert_true(ed_build_estimate(doc, &registry, &options, &estimate, &err));
    assert_true(sizes[0].width == 253 && sizes[0].height == 253); /* 256 cells, as it takes them */
    oro_document_destroy(doc);
}

TEST_GROUP(begin_tests, end_tests);
