/* Cache keys: a key changes with everything that its result depends on, and with nothing else. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "formats/format.h"
#include "graph/file/xml.h"
#include "tests/engine/support.h"

static struct oro_hash key_of(const char *document, const char *target)
{
    struct run run = run_ok(NULL, document, target);
    return run.key;
}

#define assert_same_key(a, b) assert_true(oro_hash_equal(a, b))
#define assert_other_key(a, b) assert_false(oro_hash_equal(a, b))

#define BLUR(inputs) NODE("blur", "blur", LINK("field", "noise.field") inputs)

TEST(what_matters)
{
    need_device();
    struct oro_hash first = key_of(DOCUMENT(NOISE BLUR("")), "blur.field");
    static const char *const others[] = {
        DOCUMENT(NOISE BLUR(SET("radius", "201"))),
        DOCUMENT(NOISE BLUR(SET("mask", "0.5"))),
        DOCUMENT(NOISE BLUR(LINK("mask", "noise.field"))),
        DOCUMENT(NODE("noise", "noise", SET("feature", "801") SET("amplitude", "300")) BLUR("")),
        DOCUMENT(NODE("noise", "noise", SET("feature", "800") SET("amplitude", "300") SET("seed", "1"))
                     BLUR("")),
        DOCUMENT(NODE("noise", "ramp", "") BLUR("")),
        WORLD("extent=\"1600\" resolution=\"32\" seed=\"8\"", NOISE BLUR("")),
        WORLD("extent=\"1601\" resolution=\"32\" seed=\"7\"", NOISE BLUR("")),
        WORLD("extent=\"1600\" resolution=\"33\" seed=\"7\"", NOISE BLUR("")),
        WORLD("extent=\"1600\" resolution=\"32\" aspect=\"0.5\" seed=\"7\"", NOISE BLUR("")),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (oro_hash_equal(first, key_of(others[i], "blur.field")))
            fail_msg("document %zu has the same key", i);
}

TEST(what_does_not_matter)
{
    need_device();
    struct oro_hash first = key_of(DOCUMENT(NOISE BLUR("")), "blur.field");
    static const char *const others[] = {
        DOCUMENT("<about title=\"Named\"/>" NOISE BLUR("")),
        DOCUMENT("<!-- a comment -->" NOISE BLUR("")),
        DOCUMENT(NOISE BLUR(SET("radius", "200.000"))), /* the default, written out */
        DOCUMENT(NODE("other", "constant", SET("value", "5")) NOISE BLUR("")),
        DOCUMENT("<node id=\"noise\" type=\"noise\" x=\"500\" y=\"-3\">" SET("amplitude", "300")
                     SET("feature", "8e2") "</node>" BLUR("")),
        DOCUMENT("<frame title=\"f\" x=\"0\" y=\"0\" width=\"10\" height=\"10\"/>" NOISE BLUR("")),
        DOCUMENT(NOISE "<node id=\"m\" type=\"slope\" mute=\"true\">" LINK(
            "terrain", "noise.field") "</node>" NODE("blur", "blur", LINK("field", "m.field"))),
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!oro_hash_equal(first, key_of(others[i], "blur.field")))
            fail_msg("document %zu has another key", i);
    assert_same_key(first, key_of(DOCUMENT(NODE("n2", "noise", SET("feature", "800") SET("amplitude", "300"))
                                               NODE("b2", "blur", LINK("field", "n2.field"))),
                                  "b2.field"));
}

static struct oro_hash planned_key(const struct oro_registry *registry, const char *text, const char *node)
{
    struct oro_error err;
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", registry, &problems);
    struct oro_target target = {node, "field"};
    struct oro_plan *plan =
        oro_plan_create(doc, registry, &target, 1, &(struct oro_plan_options){0}, device, NULL, &err);
    if (!plan)
        fail_msg("%s", err.text);
    struct oro_hash key = plan->steps[plan->targets[0].step].key;
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return key;
}

/* How a node type is called, where it is listed and what is told of it count for nothing. */
TEST(words_do_not_matter)
{
    need_device();
    static const struct oro_use uses[] = {{.id = "x", .label = "X", .set = {{"mask", "0"}}}, {0}};
    const char *text = DOCUMENT(NOISE BLUR(""));
    size_t count = oro_builtin_nodes.count;
    struct oro_node_type *copies = oro_alloc(count, sizeof *copies);
    const struct oro_node_type **types = oro_alloc(count, sizeof *types);
    for (size_t i = 0; i < count; i++) {
        copies[i] = *oro_builtin_nodes.types[i];
        copies[i].words = "other words";
        copies[i].doc = "Another text.";
        copies[i].category = "elsewhere";
        copies[i].uses = uses;
        types[i] = &copies[i];
    }
    const struct oro_registry renamed = {.types = types, .count = count};
    assert_same_key(planned_key(&oro_builtin_nodes, text, "blur"), planned_key(&renamed, text, "blur"));
    oro_free(types);
    oro_free(copies);
}

/* The document's seed reaches only nodes that use it. */
TEST(seeds_reach_who_uses_them)
{
    need_device();
    static const char *const texts[] = {
        WORLD("extent=\"1600\" resolution=\"32\" seed=\"1\"", NODE("r", "ramp", "") NOISE),
        WORLD("extent=\"1600\" resolution=\"32\" seed=\"2\"", NODE("r", "ramp", "") NOISE)};
    assert_same_key(key_of(texts[0], "r.field"), key_of(texts[1], "r.field"));
    assert_other_key(key_of(texts[0], "noise.field"), key_of(texts[1], "noise.field"));
    struct run given = {.options = {.has_seed = true, .seed = 2}};
    run_document(&given, texts[0], "noise.field");
    assert_true(given.ok);
    assert_same_key(given.key, key_of(texts[1], "noise.field"));
}

TEST(overrides_count_like_the_document)
{
    need_device();
    struct oro_override override = {"blur", "radius", "77"};
    struct run run = {.options = {.overrides = &override, .override_count = 1}};
    run_document(&run, DOCUMENT(NOISE BLUR("")), "blur.field");
    assert_true(run.ok);
    assert_same_key(run.key, key_of(DOCUMENT(NOISE BLUR(SET("radius", "77"))), "blur.field"));
}

static void write_terrain(const char *path, float lift)
{
    float data[16];
    for (int i = 0; i < 16; i++)
        data[i] = (float)i + lift;
    struct oro_heightfield field = {.width = 4, .height = 4, .data = data, .cell = 1, .metres = true};
    assert_true(oro_heightfield_write(path, &field, NULL, NULL));
}

TEST(files_count_by_content)
{
    need_device();
    char folder[64], path[128], sidecar[140];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.r32", folder);
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    const char *text = text_of(DOCUMENT(NODE("dem", "import", SET("file", "%s"))), path);
    write_terrain(path, 0);
    struct oro_hash first = key_of(text, "dem.terrain");
    assert_same_key(first, key_of(text, "dem.terrain"));
    assert_int_equal(chmod(path, 0600), 0);
    write_terrain(path, 0); /* another file with the same content */
    assert_same_key(first, key_of(text, "dem.terrain"));
    write_terrain(path, 1);
    assert_other_key(first, key_of(text, "dem.terrain"));
    write_terrain(path, 0);
    assert_same_key(first, key_of(text, "dem.terrain"));
    void *bytes;
    size_t size;
    assert_true(oro_file_read(sidecar, 100000, &bytes, &size, NULL));
    unlink(sidecar);
    assert_other_key(first, key_of(text, "dem.terrain"));
    assert_true(oro_file_write(sidecar, bytes, size, NULL));
    assert_same_key(first, key_of(text, "dem.terrain"));
    oro_free(bytes);
    /* The name does not count. */
    char other[128];
    snprintf(other, sizeof other, "%s/b.r32", folder);
    write_terrain(other, 0);
    assert_same_key(
        first, key_of(text_of(DOCUMENT(NODE("dem", "import", SET("file", "%s"))), other), "dem.terrain"));
    remove_folder(folder);
}

TEST(a_missing_file_is_an_error)
{
    need_device();
    static const char *const sizes[] = {"world", "file"};
    for (int i = 0; i < 2; i++) {
        struct run run = {0};
        run_document(
            &run,
            text_of(DOCUMENT(NODE("dem", "import", SET("file", "/nowhere/none.png") SET("size", "%s"))),
                    sizes[i]),
            "dem.terrain");
        assert_false(run.ok);
        assert_int_equal(run.err.code, ORO_E_FILE);
        assert_string_equal(run.err.node, "dem");
        assert_non_null(strstr(run.err.text, "/nowhere/none.png"));
    }
}

/* Kernels read from a folder count by their text, with what they include. */
TEST(kernels_count_by_text)
{
    need_device();
    char folder[64], path[160];
    make_folder(folder);
    for (size_t i = 0; i < oro_shader_file_count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, oro_shader_files[i].name);
        char *name = strrchr(path, '/');
        *name = '\0';
        assert_true(oro_make_folders(path, NULL));
        *name = '/';
        assert_true(oro_file_write(path, oro_shader_files[i].text, oro_shader_files[i].size, NULL));
    }
    static const char *const changed[] = {"filter/blur.comp", "lib/terrain.glsl", "mask/slope.comp"};
    const char *text = DOCUMENT(NOISE BLUR("") NODE("slope", "slope", LINK("terrain", "noise.field")));
    struct oro_hash before[2] = {key_of(text, "blur.field"), key_of(text, "slope.field")};
    struct oro_device *embedded = device;
    bool slope_changes[] = {false, true, true}, blur_changes[] = {true, false, false};
    for (int i = 0; i < 3; i++) {
        device = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_ANY, .shader_dir = folder}, NULL);
        assert_non_null(device);
        struct oro_hash same[2] = {key_of(text, "blur.field"), key_of(text, "slope.field")};
        assert_same_key(same[0], before[0]);
        assert_same_key(same[1], before[1]);
        snprintf(path, sizeof path, "%s/%s", folder, changed[i]);
        FILE *file = fopen(path, "a");
        fputs("\n/* changed */\n", file);
        fclose(file);
        assert_int_equal(oro_hash_equal(key_of(text, "blur.field"), before[0]), !blur_changes[i]);
        assert_int_equal(oro_hash_equal(key_of(text, "slope.field"), before[1]), !slope_changes[i]);
        device->ops->destroy(device);
        for (size_t k = 0; k < oro_shader_file_count; k++)
            if (strcmp(oro_shader_files[k].name, changed[i]) == 0)
                assert_true(oro_file_write(path, oro_shader_files[k].text, oro_shader_files[k].size, NULL));
    }
    device = embedded;
    remove_folder(folder);
}

TEST_GROUP(open_driver, close_device);
