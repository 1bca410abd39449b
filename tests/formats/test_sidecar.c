/* The sidecar: what is in it, what reading takes from it, and that a bad one does no harm. */
#include "support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file_digest.h"
#include "base/memory.h"
#include "formats/sidecar/sidecar.h"

TEST(text)
{
    /* A pit in the middle and a slope of 0.1 m: all 9 cells, 8 of them border. */
    struct oro_heightfield field = make_field(3, 3, (float[]){1, 1, 1, 1, 0, 1, 1, 1, 2.5F});
    field.cell = 0.1;
    struct oro_write_options options = {.has_range = true,
                                        .low = 0,
                                        .high = 655.35,
                                        .sidecar = {.seed = INT64_MIN,
                                                    .graph_digest = "ab12",
                                                    .document = "a \"b\"\xff.oro",
                                                    .breach_node = "a/b",
                                                    .breach_deepest_cut = 2.5,
                                                    .breach_cut_volume = 100}};
    write_field(in_folder("t.png"), &field, &options);
    size_t size;
    unsigned char *text = get_file(in_folder("t.png.json"), &size);
    assert_string_equal((char *)text, "{\n"
                                      "  \"width\": 3,\n"
                                      "  \"height\": 3,\n"
                                      "  \"cell_size\": 0.1,\n"
                                      "  \"minimum\": 0,\n"
                                      "  \"maximum\": 2.5,\n"
                                      "  \"low\": 0,\n"
                                      "  \"high\": 655.35,\n"
                                      "  \"endianness\": \"big\",\n"
                                      "  \"row_order\": \"north_first\",\n"
                                      "  \"format\": \"png\",\n"
                                      "  \"digest\": \"786040ab1628d6121d4a1b1e74666d99\",\n"
                                      "  \"seed\": -9223372036854775808,\n"
                                      "  \"graph\": \"ab12\",\n"
                                      "  \"document\": \"a \\\"b\\\"?.oro\",\n"
                                      "  \"program\": \"orograph " OROGRAPH_VERSION "\",\n"
                                      "  \"hydrology\": {\n"
                                      "    \"drained\": false,\n"
                                      "    \"closed_depressions\": 1,\n"
                                      "    \"undrained_cells\": 1,\n"
                                      "    \"pits\": 1,\n"
                                      "    \"flats\": 0,\n"
                                      "    \"share_ending_in_pit\": 0.1111111111111111,\n"
                                      "    \"method\": \"none\",\n"
                                      "    \"cells_changed\": 0,\n"
                                      "    \"deepest_cut\": 0,\n"
                                      "    \"highest_raise\": 0,\n"
                                      "    \"cut_volume\": 0,\n"
                                      "    \"raise_volume\": 0,\n"
                                      "    \"breach\": {\"node\": \"a/b\", \"deepest_cut\": 2.5, "
                                      "\"cut_volume\": 100}\n"
                                      "  }\n"
                                      "}\n");
    oro_free(text);
    oro_heightfield_free(&field);
}

static json_t *load(const char *path)
{
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    return root;
}

static const char *text_at(const json_t *root, const char *key)
{
    return json_string_value(json_object_get(root, key));
}

TEST(float_formats)
{
    struct oro_heightfield field = make_field(1, 2, (float[]){1, 0.1F});
    write_field(in_folder("f.pfm"), &field, NULL);
    json_t *root = load(in_folder("f.pfm.json"));
    assert_null(json_object_get(root, "low"));
    assert_null(json_object_get(root, "cell_size"));
    assert_null(json_object_get(root, "graph"));
    assert_string_equal(text_at(root, "row_order"), "south_first");
    assert_string_equal(text_at(root, "endianness"), "little");
    assert_string_equal(text_at(root, "format"), "pfm");
    assert_true((float)json_number_value(json_object_get(root, "minimum")) == 0.1F);
    json_decref(root);
    struct oro_write_options options = {.big_endian = true};
    write_field(in_folder("f.r32"), &field, &options);
    root = load(in_folder("f.r32.json"));
    assert_string_equal(text_at(root, "endianness"), "big");
    assert_string_equal(text_at(root, "row_order"), "north_first");
    json_decref(root);
    oro_heightfield_free(&field);
}

/* The hydrology is that of the file: here rounding to levels makes a pit of a slope. */
TEST(hydrology_is_of_the_file)
{
    float slope[15] = {9, 9, 9, 9, 9, 1, 1.0001F, 1.0002F, 1.0003F, 9, 9, 9, 9, 9, 1e6F};
    struct oro_heightfield field = make_field(5, 3, slope);
    write_field(in_folder("h.png"), &field, NULL);
    write_field(in_folder("h.pfm"), &field, NULL);
    json_t *png = load(in_folder("h.png.json")), *pfm = load(in_folder("h.pfm.json"));
    json_t *rounded = json_object_get(png, "hydrology"), *exact = json_object_get(pfm, "hydrology");
    assert_int_equal(json_integer_value(json_object_get(exact, "pits")), 0);
    assert_int_equal(json_integer_value(json_object_get(rounded, "pits")), 3);
    assert_int_equal(json_integer_value(json_object_get(rounded, "flats")), 3);
    assert_true(json_number_value(json_object_get(rounded, "share_ending_in_pit")) == 0.2);
    json_decref(png);
    json_decref(pfm);
    oro_heightfield_free(&field);
}

/* The sidecar says nothing about the drainage of a raster that is no terrain. */
TEST(no_terrain)
{
    struct oro_heightfield field = make_field(3, 3, (float[]){1, 1, 1, 1, 0, 1, 1, 1, 1});
    struct oro_write_options options = {.not_terrain = true,
                                        .require_drained = true,
                                        .drain = ORO_DRAIN_REPAIR,
                                        .sidecar = {.breach_node = "a"}};
    write_field(in_folder("mask.pfm"), &field, &options);
    json_t *root = load(in_folder("mask.pfm.json"));
    assert_null(json_object_get(root, "hydrology"));
    assert_non_null(json_object_get(root, "program"));
    json_decref(root);
    struct oro_heightfield again = read_field(in_folder("mask.pfm"), NULL);
    assert_same_values(&field, &again, 0);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

static void expect_ignored(const char *path, const char *json, const char *part)
{
    struct notes notes;
    notes_begin(&notes);
    struct oro_read_options options = {.log = &notes.log};
    char name[600];
    snprintf(name, sizeof name, "%s.json", path);
    put_text(name, json);
    struct oro_heightfield field = read_field(path, &options);
    assert_false(field.metres);
    assert_true(field.cell == 0);
    if (notes.count != 2 || !strstr(notes.text, part)) /* the other one is of the range, which is unknown */
        fail_msg("'%s' gave %d warnings: %s", json, notes.count, notes.text);
    oro_heightfield_free(&field);
}

TEST(nonsense)
{
    struct oro_heightfield field = make_field(2, 2, (float[]){0, 1, 2, 3});
    const char *path = in_folder("n.png");
    write_field(path, &field, NULL);
    static const char *const cases[][2] = {
        {"", "line 1"},
        {"{", "line 1"},
        {"[]", "the whole"},
        {"7", "line 1"},
        {"{\"width\": 2, \"width\": 2}", "duplicate"},
        {"{\"low\": 1e999, \"high\": 2}", "line 1"},
        {"{\"low\": 1}", "low and high"},
        {"{\"low\": 5, \"high\": 1}", "low and high"},
        {"{\"low\": \"0\", \"high\": 1}", "low and high"},
        {"{\"low\": 0, \"high\": 1e300}", "low and high"},
        {"{\"width\": 2}", "height"},
        {"{\"width\": -2, \"height\": 2}", "width"},
        {"{\"width\": 2.5, \"height\": 2}", "width"},
        {"{\"width\": 99999999999999999, \"height\": 2}", "width"},
        {"{\"cell_size\": 0}", "cell_size"},
        {"{\"cell_size\": null}", "cell_size"},
        {"{\"endianness\": \"middle\"}", "endianness"},
        {"{\"row_order\": 4}", "row_order"},
        {"{\"width\": 3, \"height\": 2, \"low\": 0, \"high\": 9, \"cell_size\": 4}",
         "of a file of 3x2 cells"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_ignored(path, cases[i][0], cases[i][1]);
    oro_heightfield_free(&field);
}

TEST(deep_and_long)
{
    enum { LONG = 3 << 20 };
    struct oro_heightfield field = make_field(2, 2, (float[]){0, 1, 2, 3});
    const char *path = in_folder("d.png");
    write_field(path, &field, NULL);
    char *text = oro_alloc(LONG + 1, 1);
    memset(text, '[', LONG);
    expect_ignored(path, text, "at most");
    text[1000000] = '\0';
    expect_ignored(path, text, "depth");
    oro_free(text);
    oro_heightfield_free(&field);
}

/* Keys that users add, or that later versions write, do no harm; numbers may be whole. */
TEST(more_keys)
{
    struct oro_heightfield field = make_field(2, 1, (float[]){0, 1});
    const char *path = in_folder("k.png");
    write_field(path, &field, NULL);
    put_text(in_folder("k.png.json"),
             "{\"low\": 10, \"high\": 20, \"cell_size\": 2, \"mood\": {\"x\": [1]}}");
    struct oro_heightfield again = read_field(path, NULL);
    assert_true(again.metres && again.cell == 2 && again.data[0] == 10 && again.data[1] == 20);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(headerless)
{
    const char *path = in_folder("s.r16");
    put_file(path, "\0\0\0\1\0\2\0\3\0\4\0\5", 12);
    put_text(in_folder("s.r16.json"), "{\"width\": 3, \"height\": 2, \"endianness\": \"big\","
                                      "\"row_order\": \"south_first\", \"low\": 0, \"high\": 65535}");
    struct oro_heightfield field = read_field(path, NULL);
    assert_int_equal(field.width, 3);
    assert_memory_equal(field.data, ((float[]){3, 4, 5, 0, 1, 2}), 24);
    oro_heightfield_free(&field);
    /* Another size is asked for: the sidecar is of another file. */
    struct notes notes;
    notes_begin(&notes);
    struct oro_read_options options = {.width = 6, .height = 1, .log = &notes.log};
    field = read_field(path, &options);
    assert_int_equal(field.width, 6);
    assert_false(field.metres);
    assert_non_null(strstr(notes.text, "is of a file of 3x2 cells"));
    oro_heightfield_free(&field);
    /* The file has grown: a square is guessed. */
    put_file(path, "\0\0\0\1\0\2\0\3", 8);
    notes_begin(&notes);
    options = (struct oro_read_options){.log = &notes.log};
    field = read_field(path, &options);
    assert_int_equal(field.width, 2);
    assert_non_null(strstr(notes.text, "is of a file of 3x2 cells"));
    assert_int_equal(field.account.size, ORO_ASSUMED);
    oro_heightfield_free(&field);
}

/* ---- Whose sidecar it is ---- */

static int warnings;

static void count_mismatch(void *user, enum oro_level level, const char *text)
{
    (void)user;
    warnings += level == ORO_WARNING && strstr(text, "do not match") != NULL;
}

static struct oro_heightfield read_counting(const char *path)
{
    static const struct oro_log log = {.write = count_mismatch};
    return read_field(path, &(struct oro_read_options){.log = &log});
}

/* Writes terrain of another range under the same name and takes the older sidecar, as it is after a process
 * was killed between two files. */
static void mix(const char *name, const struct oro_write_options *options)
{
    char path[512], sidecar[520], kept[520];
    struct oro_heightfield low = make_field(4, 4, (float[16]){-1284, 3, 2, 1}),
                           high = make_field(4, 4, (float[16]){416, 3, -428, 1});
    snprintf(path, sizeof path, "%s", in_folder(name));
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    snprintf(kept, sizeof kept, "%s.kept", path);
    write_field(path, &high, options);
    assert_int_equal(rename(sidecar, kept), 0);
    write_field(path, &low, options);
    warnings = 0;
    struct oro_heightfield again = read_counting(path);
    assert_int_equal(warnings, 0);
    assert_true(again.metres);
    assert_true((double)again.data[0] < -1283);
    oro_heightfield_free(&again);
    assert_int_equal(rename(kept, sidecar), 0);
    oro_heightfield_free(&low);
    oro_heightfield_free(&high);
}

TEST(the_sidecar_of_an_older_file_is_not_believed)
{
    static const char *const names[] = {"mixed.png", "mixed.r16", "mixed.tif"};
    struct oro_write_options options = {.bits = 16};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = in_folder(names[i]);
        mix(names[i], strstr(names[i], "tif") ? &options : NULL);
        struct oro_heightfield field = read_counting(path);
        assert_int_equal(warnings, 1);
        if (!strstr(names[i], "tif")) { /* which says its range itself */
            assert_false(field.metres);
            assert_true(field.data[0] >= 0 && field.data[1] <= 1);
        } else {
            assert_true((double)field.data[0] < -1283);
        }
        oro_heightfield_free(&field);
    }
}

/* Sidecars that others write, or that were written earlier. */
TEST(a_sidecar_without_digest_is_believed)
{
    struct oro_heightfield field = make_field(2, 2, (float[]){10, 20, 30, 40});
    write_field(in_folder("own.png"), &field, NULL);
    put_text(in_folder("own.png.json"), "{\"low\": 0, \"high\": 65535}");
    warnings = 0;
    struct oro_heightfield again = read_counting(in_folder("own.png"));
    assert_int_equal(warnings, 0);
    assert_true(again.metres);
    assert_true(again.data[3] == 65535);
    oro_heightfield_free(&again);
    put_text(in_folder("own.png.json"), "{\"low\": 0, \"high\": 65535, \"digest\": \"1\"}");
    again = read_field(in_folder("own.png"), NULL);
    assert_false(again.metres); /* it makes no sense */
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

/* Writes two terrains by turns, until it is killed. */
static void write_by_turns(const char *path)
{
    for (int i = 0;; i = !i) {
        struct oro_heightfield field = make_field(2, 2, (float[]){i ? -1284 : -428, 0, 0, i ? 1248 : 416});
        if (!oro_heightfield_write(path, &field, NULL, NULL))
            _exit(1);
        oro_heightfield_free(&field);
    }
}

static bool tells_sample(const char *sidecar)
{
    size_t size;
    unsigned char *text = get_file(sidecar, &size);
    bool tells = strstr((char *)text, "\"sample\"");
    oro_free(text);
    return tells;
}

/* ---- Large files ---- */

static void change_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int byte = getc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    putc(~byte & 0xff, file);
    fclose(file);
}

static void expect_mismatches(const char *path, int wanted)
{
    warnings = 0;
    struct oro_heightfield field = read_counting(path);
    assert_int_equal(warnings, wanted);
    assert_true(field.metres == !wanted);
    oro_heightfield_free(&field);
}

static void drop_member(const char *sidecar, const char *key)
{
    char line[64];
    size_t size;
    unsigned char *text = get_file(sidecar, &size);
    snprintf(line, sizeof line, "  \"%s\": ", key);
    char *from = strstr((char *)text, line), *to = from ? strchr(from, '\n') : NULL;
    assert_non_null(to);
    memmove(from, to + 1, strlen(to + 1) + 1);
    put_text(sidecar, (char *)text);
    oro_free(text);
}

/* Whose pair is complete, only a sample is looked at; without it the whole. */
TEST(a_large_file_is_told_by_a_sample)
{
    const struct oro_write_options options = {.not_terrain = true};
    const char *path = in_folder("large.r16"), *sidecar = in_folder("large.r16.json");
    struct oro_heightfield field = make_field(4096, ORO_SAMPLED_BYTES / 2 / 4096 - 1, NULL);
    field.data[0] = 1000;
    write_field(path, &field, &options);
    assert_false(tells_sample(sidecar));
    oro_heightfield_free(&field);
    field = make_field(4096, ORO_SAMPLED_BYTES / 2 / 4096, NULL);
    field.data[0] = 1000;
    write_field(path, &field, &options);
    oro_heightfield_free(&field);
    assert_true(tells_sample(sidecar));
    expect_mismatches(path, 0);
    change_byte(path, 40000); /* between two pieces */
    expect_mismatches(path, 0);
    change_byte(path, ORO_SAMPLED_BYTES - 1);
    expect_mismatches(path, 1);
    change_byte(path, ORO_SAMPLED_BYTES - 1);
    drop_member(sidecar, "sample"); /* as before the pair has both its names */
    expect_mismatches(path, 1);
    drop_member(sidecar, "digest");
    expect_mismatches(path, 0);
}

/* Of all formats, and of folders; each is noticed to be another one. */
TEST(samples_of_all_formats)
{
    static const char *const names[] = {"s.png", "s.r16", "s.pfm", "s.exr", "s.tif", "s.zarr"};
    struct oro_heightfield field = make_hills(40, 30);
    field.cell = 20;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct oro_error err = {0};
        char path[512], sidecar[520], byte_of[540];
        snprintf(path, sizeof path, "%s", in_folder(names[i]));
        snprintf(sidecar, sizeof sidecar, "%s.json", path);
        snprintf(byte_of, sizeof byte_of, "%s%s", path, i == 5 ? "/height/0.0" : "");
        oro_sample_from(1);
        if (oro_heightfield_write(path, &field, NULL, &err)) {
            struct oro_facts facts;
            assert_true(tells_sample(sidecar));
            assert_true(oro_sidecar_read(path, NULL, &facts, NULL) && facts.has_digest && facts.cell == 20);
            change_byte(byte_of, 30);
            assert_true(oro_sidecar_read(path, NULL, &facts, NULL) && !facts.has_digest && facts.cell == 0);
            oro_sample_from(0); /* small files are looked at as a whole, whatever is told of them */
            assert_true(oro_sidecar_read(path, NULL, &facts, NULL) && !facts.has_digest);
            change_byte(byte_of, 30);
            assert_true(oro_sidecar_read(path, NULL, &facts, NULL) && facts.has_digest);
        } else if (err.code != ORO_E_USAGE || !strstr(err.text, "built without GDAL")) {
            fail_msg("%s", err.text);
        }
        oro_sample_from(0);
    }
    oro_heightfield_free(&field);
}

/* ---- Kills ---- */

static void nap(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* At any moment a file is there, and it is one of the two or said not to match: by a digest of all of it,
 * even if it is large. */
TEST(a_killed_writer_leaves_no_wrong_heights)
{
    char path[512], sidecar[520];
    snprintf(path, sizeof path, "%s", in_folder("turns.png"));
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    size_t before = files_in_folder();
    for (int round = 0; round < 60; round++) {
        oro_sample_from(round < 30 ? 1 : 0);
        pid_t child = fork();
        if (child == 0)
            write_by_turns(path);
        while (!file_exists(path))
            nap(200);
        nap(500 + 487 * round % 20000);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        warnings = 0;
        struct oro_heightfield field = read_counting(path);
        bool first = field.metres && fabs((double)field.data[0] + 1284) < 1 &&
                     fabs((double)field.data[3] - 1248) < 1,
             second = field.metres && fabs((double)field.data[0] + 428) < 1 &&
                      fabs((double)field.data[3] - 416) < 1;
        assert_true(warnings ? !field.metres && !tells_sample(sidecar) : first || second);
        oro_heightfield_free(&field);
    }
    struct oro_heightfield last = make_field(2, 2, (float[]){1, 2, 3, 4});
    write_field(path, &last, NULL);
    oro_heightfield_free(&last);
    assert_int_equal(files_in_folder(), before + 2); /* no litter */
}

TEST_GROUP(folder_setup, folder_teardown);
