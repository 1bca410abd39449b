/* Drainage as a user meets it: `measure`, what `convert` and `render` say and refuse, sidecars. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/format.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { DONE = 0, FAILED = 1, USAGE = 2, INVALID = 3, NO_DEVICE = 5 };
enum { SIZE = 64 };

static char folder[256]; /* the working folder of the tests */
static char output[1 << 20], errors[1 << 16];

static void read_text(const char *path, char *to, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    to[fread(to, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Runs `orograph` with these words of a shell, in the tests' folder. */
static int orograph(const char *format, ...) ORO_PRINTF(1, 2);
static int orograph(const char *format, ...)
{
    char arguments[4096], command[5000];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    snprintf(command, sizeof command, "\"$OROGRAPH\" %s >stdout 2>stderr </dev/null", arguments);
    int status = system(command);
    read_text("stdout", output, sizeof output);
    read_text("stderr", errors, sizeof errors);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect(int code, const char *arguments)
{
    int found = orograph("%s", arguments);
    if (found != code)
        fail_msg("'%s' ended with %d, not %d: %s%s", arguments, found, code, output, errors);
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in: %s", part, text);
}

static void assert_silent(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is said: %s", part, text);
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static void assert_sidecar(const char *path, const char *part)
{
    char name[100];
    static char text[1 << 16];
    snprintf(name, sizeof name, "%s.json", path);
    read_text(name, text, sizeof text);
    assert_says(text, part);
}

/* Hills with hollows, in metres; `step` above 0 makes terraces. */
static void make_terrain(const char *path, float step)
{
    static float z[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++) {
        double x = i % SIZE, y = (double)(i / SIZE);
        z[i] = (float)(400 + 150 * sin(x * 0.41 + y * 0.13) + 120 * cos(y * 0.37 - x * 0.09));
        if (step > 0)
            z[i] = floorf(z[i] / step) * step;
    }
    struct oro_heightfield field = {.width = SIZE, .height = SIZE, .data = z, .cell = 20, .metres = true};
    struct oro_error err = {0};
    if (!oro_heightfield_write(path, &field, NULL, &err))
        fail_msg("%s", err.text);
}

static struct oro_certificate certificate_of(const char *path)
{
    struct oro_heightfield field;
    struct oro_measure measure;
    struct oro_error err = {0};
    if (!oro_heightfield_read(path, NULL, &field, &err) || !oro_measure(&field, &measure, &err))
        fail_msg("%s", err.text);
    oro_heightfield_free(&field);
    return measure.drainage;
}

static void need_device(void)
{
    if (orograph("devices") == NO_DEVICE)
        skip();
}

/* ---- measure ---- */

TEST(measure_says_it_all)
{
    expect(DONE, "measure hills.pfm");
    assert_says(output, "cell        20 m");
    assert_says(output, " closed depressions (");
    assert_says(output, "\npits        ");
    assert_says(output, "m3, ");
    assert_says(output, "b-bar       ");
    assert_says(output, "(km, km2)");
    assert_says(output, "chi         theta 0.4: R2 ");
    assert_says(output, "integral    0.");
    assert_says(output, "drops of 20 m (m2)");
    assert_says(output, "Realism (R 160 m");
    assert_silent(output, "given    ");
    char *before = strdup(output);
    expect(DONE, "info hills.pfm");
    assert_string_equal(before, output);
    free(before);
    expect(DONE, "measure hills.pfm --theta 0.6");
    assert_says(output, "theta 0.6");
    expect(USAGE, "measure hills.pfm --theta 0");
    expect(DONE, "measure hills.pfm --scale 80");
    assert_says(output, "Realism (R 80 m");
    expect(USAGE, "measure hills.pfm --scale 0");
}

/* ---- Without room for the whole ---- */

enum { WIDE = 700, HIGH = 500 };

static void make_wide(const char *path, float (*change)(int x, int y, float z))
{
    static float z[WIDE * HIGH];
    for (int i = 0; i < WIDE * HIGH; i++) {
        int x = i % WIDE, y = i / WIDE;
        z[i] = (float)(300 + 90 * sin(x * 0.041 + y * 0.013) + 70 * cos(y * 0.37 - x * 0.09));
        z[i] = change ? change(x, y, z[i]) : z[i];
    }
    struct oro_heightfield field = {.width = WIDE, .height = HIGH, .data = z, .cell = 20, .metres = true};
    struct oro_error err = {0};
    if (!oro_heightfield_write(path, &field, NULL, &err) && !strstr(err.text, "built without GDAL"))
        fail_msg("%s", err.text);
}

/* Both texts have the same from one member to another. */
static void same_between(const char *a, const char *b, const char *from, const char *to)
{
    const char *first = strstr(a, from), *second = strstr(b, from);
    assert_true(first && second && strstr(first, to) && strstr(second, to));
    size_t length = (size_t)(strstr(first, to) - first);
    if (strncmp(first, second, length) != 0)
        fail_msg("%.*s is not the same in: %.*s", (int)length, first, (int)length, second);
}

static void expect_same_by_tiles(const char *path, const char *options)
{
    static char whole[1 << 20];
    if (!exists(path))
        return;
    if (orograph("measure %s --json %s", path, options) != DONE)
        fail_msg("%s", errors);
    strcpy(whole, output);
    assert_silent(whole, "\"breach\": null");
    if (orograph("measure %s --json --memory 8 %s", path, options) != DONE)
        fail_msg("%s", errors);
    same_between(whole, output, "{", "\"breach\"");
    same_between(whole, output, "\"hypsometry\"", "\"realism\"");
    assert_says(output, "\"hack\": null");
    assert_says(output, "\"breach\": null");
    assert_says(output, "\"realism\": null");
}

static float torn(int x, int y, float z)
{
    return x == 300 && y == 200 ? -9999 : z;
}

static float flooded(int x, int y, float z)
{
    return x > 600 ? 200 : y < 30 ? floorf(z) : z;
}

TEST(measure_by_tiles)
{
    static const char *const names[] = {"wide.r32", "wide.r16", "wide.pfm", "wide.png",
                                        "wide.exr", "wide.tif", "wide.zarr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make_wide(names[i], i % 2 ? flooded : NULL);
        expect_same_by_tiles(names[i], i == 2 ? "--cell 7.5" : "");
    }
    expect(DONE, "measure wide.pfm --memory 8");
    assert_says(output, "closed depressions (");
    assert_says(output, "integral    0.");
    assert_says(output, "take the whole in memory: --memory 13");
    expect(DONE, "measure wide.pfm --memory 13");
    assert_says(output, "Hack        l = c a^n");
    make_wide("wide.r16", torn);
    make_wide("other.r16", flooded);
    assert_int_equal(rename("other.r16.json", "wide.r16.json"), 0);
    expect(DONE, "measure wide.r16 --memory 8");
    assert_says(errors, "do not match");
    expect(1, "measure wide.pfm --memory 8 --sea 200"); /* which takes the whole */
    assert_says(errors, "--memory");
}

/* What a cell without a height becomes takes the whole. */
TEST(measure_by_tiles_needs_all_heights)
{
    static const char *const names[] = {"torn.r32", "torn.pfm"};
    for (int i = 0; i < 2; i++) {
        make_wide(names[i], torn);
        if (orograph("measure %s --nodata -9999 --memory 1", names[i]) == DONE)
            fail_msg("%s", output);
        assert_true(errors[0]);
        if (orograph("measure %s --nodata -9999", names[i]) != DONE)
            fail_msg("%s", errors);
    }
}

/* Scripts rely on these. */
TEST(measure_has_stable_keys)
{
    static const char *const keys[] = {
        "file",
        "width",
        "height",
        "cell",
        "metres",
        "low",
        "high",
        "mean",
        "pits",
        "flats",
        "drained",
        "closed_depressions",
        "fill",
        "breach",
        "hack",
        "chi",
        "slope_area",
        "undrained_cells",
        "bins",
        "theta",
        "ks",
        "r2",
        "fitted_bins",
        "share_ending_in_pit",
        "volume",
        "given",
        "rms",
        "bias",
        "drainage_error",
        "steepest",
        "curve",
        "mean",
        "area",
        "integral",
        "hypsometry",
        "steepness",
        "slope",
        "length",
        "cells",
        "deepest",
        "without",
        "possible",
        "c",
        "n",
        "scatter",
        "samples",
        "slope_spread",
        "length_spread",
        "drops",
        "rms",
        "realism",
        "hack",
        "segments",
        "convergent",
        "scale",
        "straight",
        "concavity",
        "trench_cells",
        "mean_slope",
        "spectrum_slope",
        "border_slope",
        "deepest_trench",
        "quartiles",
        "anisotropy",
        "inner_slope",
    };
    expect(DONE, "measure hills.pfm --json");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char key[64];
        snprintf(key, sizeof key, "\"%s\": ", keys[i]);
        assert_says(output, key);
    }
    assert_says(output, "\"given\": null");
    assert_silent(output, "nan");
}

TEST(measure_takes_any_file)
{
    static const char *const files[] = {"one.r16", "row.r16", "column.r16", "even.r16", "huge.r32"};
    static const char *const sizes[] = {"1x1", "9x1", "1x9", "8x8", "4x4"};
    static const unsigned short levels[64] = {7, 1, 3, 9, 4, 4, 4, 0, 65535};
    static const unsigned short even[64] = {0};
    static const float huge[16] = {-3e38f, 3e38f, 0,      1,      -1, -3e38f, 3e38f, 3,
                                   3,      3e38f, -3e38f, 1e-40f, 5,  5,      5,     5};
    assert_true(oro_file_write("one.r16", levels, 2, NULL) && oro_file_write("row.r16", levels, 18, NULL) &&
                oro_file_write("column.r16", levels, 18, NULL) &&
                oro_file_write("even.r16", even, 128, NULL) && oro_file_write("huge.r32", huge, 64, NULL));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (int json = 0; json < 2; json++) {
            int code = orograph("measure %s --size %s %s", files[i], sizes[i], json ? "--json" : "");
            if (code != DONE)
                fail_msg("%s: %s", files[i], errors);
            assert_silent(output, "nan");
            assert_silent(output, "inf");
        }
    expect(DONE, "measure even.r16 --size 8x8");
    assert_says(output, "result      drains across 36 flat cells");
    assert_says(output, "unknown (give --cell M)");
    assert_says(output, "Realism: not known");
    expect(DONE, "measure even.r16 --size 8x8 --json");
    assert_says(output, "\"realism\": null");
}

TEST(measure_compares_drainage)
{
    static float ones[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++)
        ones[i] = 400;
    assert_true(oro_file_write("area.r32", ones, sizeof ones, NULL));
    assert_true(oro_file_write("few.r32", ones, 16, NULL));
    assert_true(oro_file_write("area.r16", ones, sizeof(short) * SIZE * SIZE, NULL));
    expect(DONE, "measure hills.pfm --drainage area.r32");
    assert_says(output, "given    ");
    expect(DONE, "measure hills.pfm --drainage area.r32 --json");
    assert_silent(output, "\"given\": null");
    expect(INVALID, "measure hills.pfm --drainage few.r32");
    assert_says(errors, "'few.r32' is 2 x 2, but 'hills.pfm' is 64 x 64");
    expect(INVALID, "measure hills.pfm --drainage area.r16");
    assert_says(errors, "whose meaning nobody knows");
    expect(INVALID, "measure hills.pfm --drainage none.r32");
}

static bool has_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static bool is_png(const char *path)
{
    char bytes[8] = "";
    FILE *file = fopen(path, "rb");
    bool ok = file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
              memcmp(bytes, "\x89PNG\r\n\x1a\n", sizeof bytes) == 0;
    if (file)
        fclose(file);
    return ok;
}

TEST(measure_plots)
{
    if (!has_gnuplot())
        skip();
    expect(DONE, "measure hills.pfm --plot \"a 'b\\\"; exit\"");
    assert_true(is_png("a 'b\"; exit-hack.png"));
    assert_true(is_png("a 'b\"; exit-slope-area.png"));
    assert_true(is_png("a 'b\"; exit-hypsometry.png"));
    expect(DONE, "measure even.r16 --size 8x8 --plot even");
    assert_says(errors, "'even-hypsometry.png' is not drawn");
    assert_false(exists("even-hypsometry.png"));
    expect(FAILED, "measure hills.pfm --plot none/a");
    assert_string_equal(output, "");
}

TEST(measure_without_gnuplot)
{
    int status = system("PATH=/nowhere \"$OROGRAPH\" measure hills.pfm --plot p >stdout 2>stderr");
    read_text("stderr", errors, sizeof errors);
    assert_int_equal(WEXITSTATUS(status), FAILED);
    assert_says(errors, "gnuplot-nox");
    assert_false(exists("p-hack.png"));
}

/* ---- convert ---- */

TEST(convert_tells)
{
    expect(DONE, "convert hills.pfm plain.png --size unreal");
    assert_says(output, "plain.png: ");
    assert_says(output, " closed depressions (");
    assert_says(output, " cells); --drain repair carves a way out\n");
    assert_sidecar("plain.png", "\"drained\": false");
    assert_true(certificate_of("plain.png").depressions > 0);
}

/* What drained before does so after another size is made of it; what did not is told, or carved. */
TEST(convert_repairs)
{
    expect(DONE, "convert terraces.pfm drained.pfm --drain repair");
    assert_says(output, "drained.pfm: drains\n");
    assert_string_equal(errors, "");
    assert_int_equal(certificate_of("drained.pfm").pits, 0);
    expect(DONE, "convert drained.pfm bigger.png --size 127");
    assert_says(output, "bigger.png: it drained before it was resampled, and was carved open again: ");
    assert_int_equal(certificate_of("bigger.png").depressions, 0);
    assert_sidecar("bigger.png", "\"method\": \"repair\"");
    expect(DONE, "convert drained.pfm bigger.r16 --for unreal --require-drained");
    expect(DONE, "convert drained.pfm smaller.tif --size 20x30 --require-drained");
    expect(DONE, "convert hills.pfm bigger.png --size 127");
    assert_says(output, " closed depressions (");
    assert_true(certificate_of("bigger.png").depressions > 0);
    expect(DONE, "convert drained.pfm bigger.png --size 127 --drain repair --require-drained");
    assert_says(output, "bigger.png: drains across ");
    assert_int_equal(certificate_of("bigger.png").depressions, 0);
    assert_sidecar("bigger.png", "\"method\": \"repair\"");
    expect(DONE, "convert drained.pfm bigger.pfm --size 127 --drain repair");
    assert_int_equal(certificate_of("bigger.pfm").pits, 0);
}

TEST(convert_drains_strictly)
{
    expect(DONE, "convert terraces.pfm strict.png --drain strict --drain-limit 0");
    assert_says(output, "strict.png: drains\n");
    assert_int_equal(certificate_of("strict.png").pits, 0);
    assert_sidecar("strict.png", "\"method\": \"strict\"");
    expect(FAILED, "convert terraces.pfm limited.png --drain strict --drain-limit 0.5");
    assert_says(errors, "more than the limit of 0.5 m");
    assert_false(exists("limited.png") || exists("limited.png.json"));
}

TEST(convert_refuses)
{
    expect(FAILED, "convert hills.pfm required.png --require-drained");
    assert_says(errors, "'required.png' is not written: it would have ");
    assert_says(errors, "--drain repair carves a way out");
    assert_false(exists("required.png") || exists("required.png.json"));
    expect(USAGE, "convert hills.pfm required.png --drain");
    assert_says(errors, "--drain needs a value: one of check, repair, strict");
    expect(USAGE, "convert hills.pfm required.png --drain repair --drain-limit 3");
    expect(USAGE, "convert hills.pfm required.png --drain strict --drain-limit -3");
    assert_false(exists("required.png"));
}

/* ---- The sea ---- */

/* Hills to the north of a coast; `sea` to the south. */
static void make_coast(const char *path, float sea)
{
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    make_terrain(path, 0);
    assert_true(oro_heightfield_read(path, NULL, &field, &err));
    for (int i = 0; i < SIZE * SIZE; i++)
        field.data[i] = i / SIZE < SIZE * 2 / 3 ? field.data[i] : sea;
    field.cell = 20;
    assert_true(oro_heightfield_write(path, &field, NULL, &err));
    oro_heightfield_free(&field);
}

TEST(measure_knows_the_sea)
{
    make_coast("coast.pfm", 0);
    expect(DONE, "measure coast.pfm");
    assert_silent(output, "\nsea ");
    assert_says(output, "range       0.00..");
    expect(DONE, "measure coast.pfm --sea 0");
    assert_says(output, "cells, which are no ground");
    assert_says(output, "border cells and the sea are outlets");
    assert_silent(output, "range       0.00..");
    char *before = strdup(strstr(output, "\nDrainage"));
    make_coast("void.pfm", -3000);
    expect(DONE, "measure void.pfm --sea 0");
    strstr(before, "\nto breach")[0] = 0; /* the way down to such a sea is steep */
    assert_says(output, before);
    free(before);
    expect(DONE, "measure void.pfm --nodata -3000 --json");
    assert_says(output, "\"sea\": ");
    expect(DONE, "measure void.pfm --sea hills.pfm"); /* a mask; above 0.5 everywhere */
    assert_says(output, "-");
    expect(USAGE, "measure void.pfm --sea 0 --against coast.pfm");
    expect(INVALID, "measure void.pfm --sea nowhere.png");
}

TEST(convert_keeps_the_sea)
{
    make_coast("coast.pfm", 0);
    expect(DONE, "convert coast.pfm sea.png --low 0 --high 700 --drain strict --drain-limit 0 --sea 0");
    assert_sidecar("sea.png", "\"sea_cells\": ");
    struct oro_heightfield before, after;
    assert_true(oro_heightfield_read("coast.pfm", NULL, &before, NULL));
    assert_true(oro_heightfield_read("sea.png", NULL, &after, NULL));
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_true(before.data[i] > 0 || after.data[i] == 0);
    oro_heightfield_free(&before);
    oro_heightfield_free(&after);
}

/* ---- render ---- */

#define IMPORT "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"hills.pfm\"/></node>\n"
#define BREACH "<node id=\"dig\" type=\"breach\"><in name=\"terrain\" from=\"dem.terrain\"/></node>\n"
#define BLUR                                                                                                 \
    "<node id=\"soft\" type=\"blur\"><in name=\"field\" from=\"dig.terrain\"/>"                              \
    "<in name=\"radius\" value=\"60\"/></node>\n"
#define EXPORT(from, more)                                                                                   \
    "<node id=\"save\" type=\"export\"><in name=\"terrain\" from=\"" from                                    \
    "\"/><in name=\"file\" value=\"saved.png\"/>" more "</node>\n"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"

static void write_graph(const char *nodes)
{
    static char text[1 << 14];
    snprintf(text, sizeof text,
             "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n<world extent=\"1280\" "
             "resolution=\"64\"/>\n%s</orograph>\n",
             nodes);
    assert_true(oro_file_write("graph.oro", text, strlen(text), NULL));
    remove("saved.png");
    remove("saved.png.json");
}

TEST(export_leads_water_to_the_sea)
{
    need_device();
    make_coast("void.pfm", -9999);
    write_graph("<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"void.pfm\"/></node>\n"
                "<node id=\"dig\" type=\"breach\" version=\"1\"><in name=\"terrain\" from=\"dem.terrain\"/>"
                "<in name=\"sea\" from=\"dem.sea\"/></node>\n" EXPORT(
                    "dig.terrain", "<in name=\"sea\" from=\"dem.sea\"/>" SET("drain", "strict")));
    expect(DONE, "render graph.oro --require-drained");
    assert_says(errors, "drains");
    assert_sidecar("saved.png", "\"sea_cells\": ");
    assert_sidecar("saved.png", "\"pits\": 0");
    write_graph("<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"void.pfm\"/></node>\n"
                "<node id=\"dig\" type=\"breach\" version=\"1\"><in name=\"terrain\" from=\"dem.terrain\"/>"
                "<in name=\"sea\" from=\"dem.sea\"/></node>\n" EXPORT("dig.terrain", ""));
    expect(DONE, "render graph.oro --require-drained"); /* the sea comes with the terrain */
    assert_sidecar("saved.png", "\"sea_cells\": ");
    write_graph(
        "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"hills.pfm\"/></node>\n"
        "<node id=\"low\" type=\"mask_select\"><in name=\"terrain\" from=\"dem.terrain\"/>" SET("low", "0")
            SET("high", "300") "</node>\n<node id=\"dig\" type=\"breach\" version=\"1\"><in "
                               "name=\"terrain\" from=\"dem.terrain\"/>"
                               "<in name=\"sea\" from=\"low.mask\"/></node>\n" EXPORT("dig.terrain", ""));
    expect(DONE, "render graph.oro");
    assert_says(errors, "left them, because of its sea");
}

TEST(render_requires_drainage)
{
    need_device();
    write_graph(IMPORT BREACH EXPORT("dem.terrain", ""));
    expect(DONE, "render graph.oro");
    assert_says(errors, "saved.png: ");
    assert_says(errors, "put a breach node before it, or set 'drain' to repair");
    assert_sidecar("saved.png", "\"drained\": false");
    write_graph(IMPORT BREACH EXPORT("dem.terrain", ""));
    expect(FAILED, "render graph.oro --require-drained");
    assert_says(errors, "node 'save': 'saved.png' is not written: it would have ");
    assert_false(exists("saved.png") || exists("saved.png.json"));
    expect(DONE, "render graph.oro --require-drained --set save.drain=repair");
    assert_int_equal(certificate_of("saved.png").depressions, 0);
    write_graph(IMPORT BREACH EXPORT("dig.terrain", ""));
    expect(DONE, "render graph.oro --require-drained");
    assert_silent(errors, "warning");
    assert_sidecar("saved.png", "\"drained\": true");
    assert_sidecar("saved.png", "\"method\": \"none\"");
    assert_sidecar("saved.png", "\"breach\": {\"node\": \"dig\", \"deepest_cut\": ");
}

TEST(render_names_the_culprit)
{
    need_device();
    write_graph(IMPORT BREACH BLUR EXPORT("soft.field", ""));
    expect(DONE, "render graph.oro");
    assert_says(errors, "node 'soft' changed the terrain after 'dig', so its drainage is no longer certain");
    expect(FAILED, "render graph.oro --require-drained");
    assert_says(errors, "node 'soft' changed the terrain after 'dig'");
    write_graph(IMPORT BREACH EXPORT("dig.terrain", SET("preset", "unreal")));
    expect(DONE, "render graph.oro --require-drained");
    assert_says(errors, "saved.png: it drained before it was resampled, and was carved open again: ");
    assert_int_equal(certificate_of("saved.png").depressions, 0);
    expect(DONE, "render graph.oro --set save.drain=repair");
    assert_silent(errors, "warning");
    assert_silent(errors, "it drained before");
    write_graph(IMPORT BREACH EXPORT("dig.terrain", SET("drain", "strict") SET("drain_limit", "0")));
    expect(DONE, "render graph.oro --require-drained");
    assert_int_equal(certificate_of("saved.png").pits, 0);
    expect(FAILED, "render graph.oro --set save.drain_limit=0.0001");
    assert_says(errors, "more than the limit of 0.0001 m");
}

TEST(render_out_is_certified)
{
    need_device();
    write_graph(IMPORT BREACH BLUR);
    expect(DONE, "render graph.oro --output dem.terrain -o out.png");
    assert_says(output, "out.png: ");
    assert_says(output, "; put a breach node before it, or give --drain repair\n");
    assert_sidecar("out.png", "\"drained\": false");
    remove("out.png");
    expect(FAILED, "render graph.oro --output dem.terrain -o out.png --require-drained");
    assert_false(exists("out.png"));
    expect(DONE, "render graph.oro --output dig.terrain -o out.pfm --require-drained");
    assert_says(output, "out.pfm: drains\n");
    assert_sidecar("out.pfm", "\"pits\": 0");
}

/* A mask is no terrain, and has no drainage. */
TEST(masks_are_left_alone)
{
    static char text[1 << 16];
    need_device();
    write_graph(IMPORT BREACH EXPORT("dig.carved", ""));
    expect(DONE, "render graph.oro --require-drained");
    read_text("saved.png.json", text, sizeof text);
    assert_silent(text, "hydrology");
    assert_silent(errors, "warning");
    expect(DONE, "render graph.oro --output dig.mask -o mask.png --require-drained");
    read_text("mask.png.json", text, sizeof text);
    assert_silent(text, "hydrology");
}

/* ---- Set-up ---- */

FIXTURE(make_folder)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-drain-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0 || setenv("OROGRAPH", OROGRAPH_PROGRAM, 1) != 0)
        return -1;
    make_terrain("hills.pfm", 0);
    make_terrain("terraces.pfm", 4);
    return setenv("OROGRAPH_CACHE", "cache", 1);
}

FIXTURE(remove_folder)
{
    return chdir("/") == 0 && remove_tree(folder) == 0 ? 0 : -1;
}

TEST_GROUP(make_folder, remove_folder);
