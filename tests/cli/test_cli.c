/* The `orograph` program from outside: what it prints, and how it exits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/format.h"
#include "tests/support/test.h"

extern char **environ;

enum { DONE = 0, FAILED = 1, USAGE = 2, INVALID = 3, NO_DEVICE = 5 };
enum { ARGUMENTS_MAX = 32, OUTPUT_MAX = 16 * 1024 * 1024 };

static char folder[256]; /* all files of the tests */

/* ---- Running the program ---- */

static char standard_output[1 << 20], standard_error[1 << 20];

static const char *in_folder(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void read_text(const char *path, char *to, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(to, 1, size - 1, file);
    to[length] = '\0';
    fclose(file);
}

/* Runs `orograph ...`; the arguments end with NULL. Returns the exit code. */
static int orograph(const char *first, ...)
{
    const char *words[ARGUMENTS_MAX] = {OROGRAPH_PROGRAM};
    char out[512], err[512];
    int count = 1, status = 0;
    va_list args;
    va_start(args, first);
    for (const char *word = first; word; word = va_arg(args, const char *)) {
        assert_true(count < ARGUMENTS_MAX - 1);
        words[count++] = word;
    }
    va_end(args);
    snprintf(out, sizeof out, "%s/stdout", folder);
    snprintf(err, sizeof err, "%s/stderr", folder);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t pid = 0;
    assert_int_equal(posix_spawn(&pid, OROGRAPH_PROGRAM, &actions, NULL, (char *const *)words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    read_text(out, standard_output, sizeof standard_output);
    read_text(err, standard_error, sizeof standard_error);
    return WEXITSTATUS(status);
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in: %s", part, text);
}

/* One line of error, with the program's name. */
static void assert_one_error(const char *part)
{
    assert_says(standard_error, part);
    assert_memory_equal(standard_error, "orograph: ", 10);
    assert_ptr_equal(strchr(standard_error, '\n'), standard_error + strlen(standard_error) - 1);
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void write_text(const char *path, const char *text)
{
    assert_true(oro_file_write(path, text, strlen(text), NULL));
}

/* A graph file with these nodes; returns its path. */
static const char *graph_file(const char *name, const char *body)
{
    const char *path = in_folder(name);
    struct oro_text text = {0};
    oro_text_addf(
        &text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
        "  <world extent=\"3200\" resolution=\"32\"/>\n%s</orograph>\n",
        body);
    assert_false(text.failed);
    write_text(path, text.data);
    oro_text_free(&text);
    return path;
}

static const char level_ground[] =
    "  <interface>\n    <out name=\"ground\" from=\"flat.field\"/>\n  </interface>\n"
    "  <node id=\"flat\" type=\"constant\">\n    <in name=\"value\" value=\"250\"/>\n"
    "  </node>\n";

/* A ramp of 8 x 6 levels as .r16 with a pit at (3, 3); returns its path. */
static const char *ramp_file(const char *name)
{
    unsigned char bytes[8 * 6 * 2];
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 8; i++) {
            int level = 1000 + 100 * i + 1000 * j;
            if (i == 3 && j == 3)
                level = 0;
            bytes[2 * (j * 8 + i)] = (unsigned char)(level & 255);
            bytes[2 * (j * 8 + i) + 1] = (unsigned char)(level >> 8);
        }
    }
    const char *path = in_folder(name);
    assert_true(oro_file_write(path, bytes, sizeof bytes, NULL));
    return path;
}

/* ---- Usage ---- */

TEST(no_command)
{
    assert_int_equal(orograph(NULL), USAGE);
    assert_says(standard_error, "usage: orograph COMMAND");
    assert_string_equal(standard_output, "");
}

TEST(help)
{
    static const char *const commands[] = {"render",  "check", "nodes", "info",   "measure", "convert",
                                           "devices", "cache", "trust", "schema", "version", "tiles"};
    assert_int_equal(orograph("help", NULL), DONE);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        assert_says(standard_output, commands[i]);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        assert_int_equal(orograph(commands[i], "--help", NULL), DONE);
        assert_says(standard_output, commands[i]);
        assert_string_equal(standard_error, "");
        assert_int_equal(orograph("help", commands[i], NULL), DONE);
    }
    assert_int_equal(orograph("render", "--help", NULL), DONE);
    assert_says(standard_output, "--max-resolution N");
    assert_int_equal(orograph("help", "rendr", NULL), USAGE);
}

TEST(unknown_command)
{
    assert_int_equal(orograph("rendr", NULL), USAGE);
    assert_one_error("did you mean 'render'?");
    assert_int_equal(orograph("xyzzyplugh", NULL), USAGE);
    assert_one_error("unknown command");
}

TEST(options)
{
    assert_int_equal(orograph("render", "--max-resolutoin", "64", "a.oro", NULL), USAGE);
    assert_one_error("did you mean '--max-resolution'?");
    assert_int_equal(orograph("render", "--max-resolution", NULL), USAGE);
    assert_one_error("needs a value");
    assert_int_equal(orograph("render", "--max-resolution", "6x", "a.oro", NULL), USAGE);
    assert_one_error("whole number");
    assert_int_equal(orograph("render", "--max-resolution=0", "a.oro", NULL), USAGE);
    assert_one_error("1 to 131072");
    assert_int_equal(orograph("render", "--tile", "32800", "a.oro", NULL), USAGE);
    assert_one_error("32 to 32768");
    assert_int_equal(orograph("render", "--no-cache=yes", "a.oro", NULL), USAGE);
    assert_one_error("takes no value");
    assert_int_equal(orograph("render", "--progress", "jsn", "a.oro", NULL), USAGE);
    assert_one_error("did you mean 'json'?");
    assert_int_equal(orograph("render", "--seed", "1e3", "a.oro", NULL), USAGE);
    assert_int_equal(orograph("render", "-x", "a.oro", NULL), USAGE);
    assert_int_equal(orograph("render", NULL), USAGE);
    assert_one_error("needs FILE");
    assert_int_equal(orograph("render", "a.oro", "b.oro", NULL), USAGE);
    assert_one_error("one argument too many");
    assert_int_equal(orograph("version", "now", NULL), USAGE);
}

TEST(version)
{
    assert_int_equal(orograph("version", NULL), DONE);
    assert_memory_equal(standard_output, "orograph ", 9);
    assert_int_equal(orograph("--version", NULL), DONE);
}

/* ---- nodes, schema ---- */

TEST(nodes_text)
{
    assert_int_equal(orograph("nodes", NULL), DONE);
    assert_says(standard_output, "constant");
    assert_int_equal(orograph("nodes", "constant", NULL), DONE);
    assert_says(standard_output, "Inputs:");
    assert_says(standard_output, "  value  (float, default 0");
    assert_int_equal(orograph("nodes", "constnat", NULL), USAGE);
    assert_one_error("did you mean 'constant'?");
}

TEST(nodes_markdown)
{
    assert_int_equal(orograph("nodes", "--format", "markdown", NULL), DONE);
    assert_memory_equal(standard_output, "<!-- Generated by `orograph nodes --format markdown`", 52);
    assert_says(standard_output, "### constant\n");
    assert_says(standard_output, "| `value` | float | `0` |");
    assert_says(standard_output, "(../examples/nodes/source/constant.oro)");
    char *first = oro_copy_text(standard_output);
    assert_int_equal(orograph("nodes", "--format=markdown", NULL), DONE);
    assert_string_equal(first, standard_output);
    oro_free(first);
}

TEST(nodes_json)
{
    assert_int_equal(orograph("nodes", "--format", "json", NULL), DONE);
    assert_says(standard_output, "\"id\": \"constant\"");
    assert_int_equal(orograph("nodes", "constant", "--format", "json", NULL), DONE);
    assert_memory_equal(standard_output, "{\n  \"id\": \"constant\"", 20);
    assert_int_equal(orograph("nodes", "--format", "yaml", NULL), USAGE);
}

/* As in the editor: by other programs' words, with uses, scripts and graphs of the library. */
TEST(nodes_search)
{
    assert_int_equal(orograph("nodes", "--search", "perlin", NULL), DONE);
    assert_memory_equal(standard_output, "noise  Noise  words: perlin\n", 28);
    assert_int_equal(orograph("nodes", "--search", "voronio", NULL), DONE);
    assert_memory_equal(standard_output, "noise:voronoi  Voronoi noise   like name: voronoi\n", 50);
    assert_int_equal(orograph("nodes", "--search", "butte", "--json", NULL), DONE);
    assert_says(standard_output, "\"id\": \"mesa.oro\"");
    assert_int_equal(orograph("nodes", "--search", "invert", "--format", "json", NULL), DONE);
    assert_says(standard_output, "\"to_low\": \"1\"");
    assert_int_equal(orograph("nodes", "--search", "xyzzy", NULL), DONE);
    assert_string_equal(standard_output, "");
    assert_says(standard_error, "nothing is called like 'xyzzy'");
    assert_int_equal(orograph("nodes", "--search", "xyzzy", "--json", NULL), DONE);
    assert_string_equal(standard_output, "[]\n");
    assert_int_equal(orograph("nodes", "noise", "--search", "x", NULL), USAGE);
    assert_int_equal(orograph("nodes", "--search", NULL), USAGE);
}

TEST(schema)
{
    assert_int_equal(orograph("schema", NULL), DONE);
    assert_says(standard_output, "http://relaxng.org/ns/structure/1.0");
    assert_says(standard_output, "constant");
}

/* ---- check, info ---- */

TEST(check)
{
    const char *good = graph_file("good.oro", level_ground);
    assert_int_equal(orograph("check", good, NULL), DONE);
    assert_says(standard_output, "valid, 1 node\n");
    const char *bad = graph_file("bad.oro", "  <node id=\"a\" type=\"constnat\"/>\n"
                                            "  <node id=\"b\" type=\"constant\">\n"
                                            "    <in name=\"value\" value=\"1,5\"/>\n  </node>\n");
    assert_int_equal(orograph("check", good, bad, NULL), INVALID);
    assert_says(standard_error, "bad.oro:4: ");
    assert_says(standard_error, "bad.oro:6: ");
    assert_says(standard_error, "orograph: 2 errors in 1 of 2 files\n");
    assert_int_equal(orograph("check", in_folder("none.oro"), NULL), INVALID);
    write_text(in_folder("text.oro"), "not a graph");
    assert_int_equal(orograph("check", in_folder("text.oro"), NULL), INVALID);
    assert_int_equal(orograph("check", NULL), USAGE);
}

TEST(info)
{
    const char *path = graph_file("info.oro", level_ground);
    assert_int_equal(orograph("info", path, NULL), DONE);
    assert_says(standard_output, "world   3200 x 3200 m, 32 x 32 cells of 100 m");
    assert_says(standard_output, "output  ground from flat.field, field");
    assert_says(standard_output, "4 KiB");
    write_text(in_folder("report.json"), "{\"steps\": [{\"id\": \"quick\", \"seconds\": 0.5}, "
                                         "{\"id\": \"slow\", \"seconds\": 1.5, \"type\": \"constant\"}]}");
    assert_int_equal(orograph("info", path, "--report", in_folder("report.json"), NULL), DONE);
    assert_true(strstr(standard_output, "slow ") < strstr(standard_output, "quick"));
    write_text(in_folder("report.json"), "[1]");
    assert_int_equal(orograph("info", path, "--report", in_folder("report.json"), NULL), INVALID);
    assert_int_equal(orograph("info", in_folder("none.oro"), NULL), INVALID);
}

static const char large_ground[] =
    "  <interface><out name=\"smooth\" from=\"blur.field\"/></interface>\n"
    "  <node id=\"flat\" type=\"noise\" version=\"1\"/>\n"
    "  <node id=\"large\" type=\"upsample\"><in name=\"terrain\" from=\"flat.field\"/>"
    "<in name=\"factor\" value=\"64\"/></node>\n"
    "  <node id=\"blur\" type=\"blur\"><in name=\"field\" from=\"large.terrain\"/></node>\n";

/* Without a device: the memory is given. Fields of 2048 x 2048 cells take 16 MiB. */
TEST(info_tells_what_fits)
{
    const char *path = graph_file("large.oro", large_ground);
    assert_int_equal(orograph("info", path, "--memory", "1000", NULL), DONE);
    assert_says(standard_output, "the device has 1000 MiB\n");
    assert_null(strstr(standard_output, "tiles "));
    assert_int_equal(orograph("info", path, "--memory", "40", NULL), DONE);
    assert_says(standard_output, "tiles   of 512 cells a side: about 40 MiB of device memory");
    assert_says(standard_output, " of orograph-mpi, with 40 MiB each");
    assert_int_equal(orograph("info", path, "--memory", "1000", "--whole", "512", "--tile", "256", NULL),
                     DONE);
    assert_says(standard_output, "tiles   of 256 cells a side");
    assert_says(standard_output, "one is enough");
    assert_int_equal(orograph("info", path, "--memory", "40", "--json", NULL), DONE);
    assert_says(standard_output, "\"device_bytes\": 41943040");
    assert_says(standard_output, "\"out_of_core\": true");
    assert_int_equal(orograph("info", path, "--memory", "1", "--tile", "1024", "--json", NULL), DONE);
    assert_says(standard_output, "\"problem\": \"this needs about");
    assert_int_equal(orograph("info", path, "--device", "none", NULL), USAGE);
}

/* ---- measure, convert ---- */

TEST(measure)
{
    const char *path = ramp_file("ramp.r16");
    assert_int_equal(
        orograph("measure", path, "--size", "8x6", "--low", "0", "--high", "6553.5", "--cell", "10", NULL),
        DONE);
    assert_says(standard_output, "size        8 x 6\n");
    assert_says(standard_output, "range       0.00..670.00 m\n");
    assert_says(standard_output, "pits        1\n");
    assert_int_equal(orograph("measure", path, "--size", "8x6", "--json", NULL), DONE);
    assert_says(standard_output, "\"pits\": 1");
    assert_says(standard_output, "\"metres\": false");
    assert_int_equal(orograph("measure", path, "--size", "7x6", NULL), INVALID);
    assert_int_equal(orograph("measure", path, "--size", "7", NULL), USAGE);
    assert_int_equal(orograph("measure", path, "--size", "8x6", "--low", "4", NULL), USAGE);
    assert_one_error("go together");
    assert_int_equal(orograph("measure", path, "--low", "4", "--high", "4", NULL), USAGE);
    assert_int_equal(orograph("measure", in_folder("none.png"), NULL), INVALID);
    write_text(in_folder("false.png"), "this is no PNG");
    assert_int_equal(orograph("measure", in_folder("false.png"), NULL), INVALID);
}

TEST(convert)
{
    struct oro_heightfield field = {0};
    struct oro_read_options options = {0};
    const char *path = ramp_file("from.r16"), *out = in_folder("to.png");
    assert_int_equal(
        orograph("convert", path, out, "--in-size", "8x6", "--low", "0", "--high", "6553.5", NULL), DONE);
    assert_says(standard_output, "to.png (8 x 6, 0.0..670.0 m)\n");
    assert_true(is_file(in_folder("to.png.json")));
    assert_true(oro_heightfield_read(out, &options, &field, NULL));
    assert_int_equal(field.width, 8);
    assert_true(field.metres);
    assert_float_equal(field.data[0], 100, 0.06);
    oro_heightfield_free(&field);
    assert_int_equal(orograph("convert", out, in_folder("double.pfm"), "--size", "16", NULL), DONE);
    assert_true(oro_heightfield_read(in_folder("double.pfm"), &options, &field, NULL));
    assert_int_equal(field.width, 16);
    assert_int_equal(field.height, 12);
    oro_heightfield_free(&field);
    assert_int_equal(orograph("convert", out, in_folder("n.r16"), "--size", "power_of_two_plus_one", NULL),
                     DONE);
    assert_says(standard_output, "(9 x 5, ");
}

/* Without a height range, the levels of a file come out as they went in. */
TEST(convert_keeps_levels)
{
    void *before = NULL, *after = NULL;
    size_t size = 0, size_after = 0;
    const char *path = ramp_file("levels.r16");
    assert_int_equal(orograph("convert", path, in_folder("levels.png"), "--in-size", "8x6", NULL), DONE);
    assert_says(standard_error, "does not say how high it is: its levels 0..65535 are read as 0..1");
    assert_int_equal(orograph("convert", in_folder("levels.png"), in_folder("back.raw"), NULL), DONE);
    assert_true(oro_file_read(path, OUTPUT_MAX, &before, &size, NULL));
    assert_true(oro_file_read(in_folder("back.raw"), OUTPUT_MAX, &after, &size_after, NULL));
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    oro_free(before);
    oro_free(after);
}

#ifdef OROGRAPH_GDAL
/* A part of a grid, in a system that the grid does not tell, and back. */
TEST(convert_elevation_data)
{
    static const char grid[] = "ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 5200000\ncellsize 10\n"
                               "1.5 2 3 4\n5 6 7 8\n9 10 11 12\n";
    const char *path = in_folder("grid.asc"), *out = in_folder("part.tif");
    assert_true(oro_file_write(path, grid, strlen(grid), NULL));
    assert_int_equal(orograph("convert", path, out, "--crs", "EPSG:32632", "--window",
                              "500010,5200000,500040,5200020", NULL),
                     DONE);
    assert_says(standard_output, "part.tif (3 x 2, 6.0..12.0 m)\n");
    assert_int_equal(orograph("info", out, NULL), DONE);
    assert_says(standard_output, "place       EPSG:32632, west edge 500010 m, north edge 5200020 m\n");
    assert_int_equal(
        orograph("convert", out, in_folder("levels.tif"), "--bits", "16", "--compress", "zstd", NULL), DONE);
    assert_int_equal(orograph("convert", out, in_folder("cog.tif"), "--cog", NULL), DONE);
    assert_int_equal(orograph("convert", out, in_folder("a.png"), "--cog", NULL), USAGE);
    assert_one_error("GeoTIFF");
    assert_int_equal(orograph("convert", path, in_folder("a.tif"), "--window", "5,0,1,1", NULL), USAGE);
    assert_one_error("west below east");
    assert_int_equal(orograph("convert", path, in_folder("a.tif"), "--window", "1,2,3", NULL), USAGE);
    assert_one_error("WEST,SOUTH,EAST,NORTH");
    assert_int_equal(orograph("convert", path, in_folder("a.tif"), "--window", "0,0,1,1", NULL), USAGE);
    assert_one_error("outside");
    assert_false(is_file(in_folder("a.tif")) || is_file(in_folder("a.png")));
}
#endif

TEST(convert_refuses)
{
    const char *path = ramp_file("refuse.r16");
    assert_int_equal(orograph("convert", path, NULL), USAGE);
    assert_int_equal(orograph("convert", path, in_folder("a.xyz"), NULL), USAGE);
    assert_one_error("extension");
    assert_int_equal(orograph("convert", path, in_folder("a.png"), "--size", "unreel", NULL), USAGE);
    assert_one_error("did you mean 'unreal'?");
    assert_int_equal(orograph("convert", path, in_folder("a.png"), "--size", "40000", NULL), USAGE);
    assert_int_equal(orograph("convert", path, in_folder("a.png"), "--in-size", "8x6x2", NULL), USAGE);
    assert_int_equal(orograph("convert", path, in_folder("none/a.png"), "--in-size", "8x6", NULL), FAILED);
    assert_false(is_file(in_folder("a.png")));
}

/* ---- cache ---- */

TEST(cache)
{
    assert_int_equal(orograph("cache", NULL), DONE);
    assert_says(standard_output, in_folder("cache"));
    assert_int_equal(orograph("cache", "trim", "1.5G", NULL), DONE);
    assert_says(standard_output, "removed 0 files");
    assert_int_equal(orograph("cache", "clear", NULL), DONE);
    assert_int_equal(orograph("cache", "trim", "2Q", NULL), USAGE);
    assert_int_equal(orograph("cache", "claer", NULL), USAGE);
    assert_one_error("did you mean 'clear'?");
    assert_int_equal(orograph("cache", "clear", "2G", NULL), USAGE);
}

/* ---- render ---- */

/* Everything here is found before a device is looked for. */
TEST(render_refuses)
{
    const char *path = graph_file("refuse.oro", level_ground), *out = in_folder("refuse.png");
    assert_int_equal(orograph("render", path, NULL), INVALID);
    assert_one_error("export");
    assert_int_equal(orograph("render", path, "--output", "ground", NULL), USAGE);
    assert_int_equal(orograph("render", path, "-o", in_folder("a.xyz"), NULL), USAGE);
    assert_int_equal(orograph("render", path, "-o", in_folder("none/a.png"), NULL), FAILED);
    assert_int_equal(orograph("render", path, "-o", out, "--output", "sky", NULL), INVALID);
    assert_one_error("'ground'");
    assert_int_equal(orograph("render", in_folder("none.oro"), "-o", out, NULL), INVALID);
    assert_int_equal(orograph("render", path, "-o", out, "--report", in_folder("none/r.json"), NULL), FAILED);
    assert_false(is_file(out));
}

TEST(render_set_refuses)
{
    static const struct {
        const char *set, *says;
        int code;
    } cases[] = {
        {"flat.value", "NODE.INPUT=VALUE", USAGE},
        {"value=3", "no variable and no input of the interface 'value'", INVALID},
        {".value=3", "NODE.INPUT=VALUE", USAGE},
        {"flat.=3", "NODE.INPUT=VALUE", USAGE},
        {"flta.value=3", "did you mean 'flat'?", INVALID},
        {"flat.valeu=3", "did you mean 'value'?", INVALID},
        {"flat.value=1,5", "1.5", INVALID},
        {"flat.value=1e30", "1e30", INVALID},
        {"flat.like=3", "takes a link", INVALID},
    };
    const char *path = graph_file("set.oro", level_ground), *out = in_folder("set.png");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(orograph("render", path, "-o", out, "--set", cases[i].set, NULL), cases[i].code);
        assert_one_error(cases[i].says);
    }
}

static void need_device(void)
{
    if (orograph("devices", NULL) == NO_DEVICE)
        skip();
}

TEST(no_device)
{
    const char *path = graph_file("device.oro", level_ground);
    assert_int_equal(orograph("render", path, "-o", in_folder("device.png"), "--device", "255", NULL),
                     NO_DEVICE);
    assert_false(is_file(in_folder("device.png")));
}

TEST(render_constant)
{
    need_device();
    struct oro_heightfield field = {0};
    struct oro_read_options options = {0};
    const char *path = graph_file("constant.oro", level_ground), *out = in_folder("constant.pfm");
    const char *report = in_folder("constant.json");
    assert_int_equal(
        orograph("render", path, "-o", out, "--set", "flat.value=-12.5", "--report", report, NULL), DONE);
    assert_says(standard_output, "constant.pfm (32 x 32, ");
    assert_string_equal(standard_error, "");
    assert_true(is_file(in_folder("constant.pfm.json")));
    assert_true(oro_heightfield_read(out, &options, &field, NULL));
    assert_int_equal(field.width, 32);
    assert_float_equal(field.data[0], -12.5, 0);
    assert_float_equal(field.cell, 100, 0);
    oro_heightfield_free(&field);
    static char text[1 << 16];
    read_text(report, text, sizeof text);
    assert_says(text, "\"outcome\": \"computed\"");
    assert_says(text, "\"id\": \"flat\"");
    assert_says(text, "\"peak_device_bytes\"");
    assert_int_equal(orograph("info", path, "--report", report, NULL), DONE);
}

/* Without -o, the nodes that write files run; a file named with --set may lie anywhere. */
TEST(render_sink)
{
    need_device();
    const char *path = graph_file("sink.oro", "  <node id=\"flat\" type=\"constant\">\n"
                                              "    <in name=\"value\" value=\"250\"/>\n  </node>\n"
                                              "  <node id=\"save\" type=\"export\">\n"
                                              "    <in name=\"terrain\" from=\"flat.field\"/>\n"
                                              "    <in name=\"file\" value=\"beside.pfm\"/>\n  </node>\n");
    assert_int_equal(orograph("render", path, NULL), DONE);
    assert_true(is_file(in_folder("beside.pfm")));
    assert_int_equal(mkdir(in_folder("apart"), 0700), 0);
    struct oro_text set = {0};
    oro_text_addf(&set, "save.file=%s", in_folder("apart/saved.pfm"));
    assert_int_equal(orograph("render", path, "--set", set.data, NULL), DONE);
    assert_true(is_file(in_folder("apart/saved.pfm")));
    oro_text_free(&set);
    assert_int_equal(orograph("render", path, "--set", "save.file=none/a.pfm", NULL), INVALID);
    assert_one_error("does not exist");
    assert_int_equal(orograph("render", path, "--set", "save.file=a.xyz", NULL), INVALID);
}

static const char rise_and_lines[] =
    "  <interface><out name=\"rise\" from=\"disc.uplift\"/>\n"
    "  <out name=\"lines\" from=\"move.network\" label=\"Rivers\"/></interface>\n"
    "  <node id=\"disc\" type=\"uplift_disc\"><in name=\"centre\" value=\"1600 1600\"/></node>\n"
    "  <node id=\"move\" type=\"river_network\"><in name=\"terrain\" from=\"disc.uplift\"/></node>\n";

/* Outputs that are no rasters: an uplift is written as the field that it makes, a network as GeoJSON. */
TEST(render_uplift_and_network)
{
    const char *path = graph_file("rise.oro", rise_and_lines);
    assert_int_equal(orograph("info", path, NULL), DONE);
    assert_says(standard_output, "output  rise from disc.uplift, uplift\n");
    assert_says(standard_output, "output  lines from move.network, network  (Rivers)\n");
    assert_says(standard_output, "move:terrain");
    assert_int_equal(orograph("render", path, "--output", "lines", "-o", in_folder("a.png"), NULL), USAGE);
    assert_one_error("which is written as one of .geojson");
    assert_int_equal(orograph("render", path, "--output", "rise", "-o", in_folder("a.geojson"), NULL), USAGE);
    assert_one_error("holds networks");
    need_device();
    assert_int_equal(orograph("render", path, "--output", "rise", "-o", in_folder("a.pfm"), NULL), DONE);
    assert_says(standard_output, "a.pfm (32 x 32, ");
    assert_says(standard_output, " m/yr)");
    assert_int_equal(orograph("render", path, "--output", "lines", "-o", in_folder("a.geojson"), NULL), DONE);
    assert_says(standard_output, "vertices)");
    assert_true(is_file(in_folder("a.geojson")));
}

TEST(render_progress)
{
    need_device();
    const char *path = graph_file("progress.oro", level_ground), *out = in_folder("progress.png");
    assert_int_equal(orograph("render", path, "-o", out, "--no-cache", "--progress", "json", NULL), DONE);
    assert_says(standard_error, "{\"event\":\"step_begin\",\"step\":\"flat\"");
    assert_says(standard_error, "{\"event\":\"step_done\",\"step\":\"flat\"");
    assert_says(standard_error, "{\"event\":\"done\"}\n");
    assert_int_equal(orograph("render", path, "-o", out, "--no-cache", "--progress", "bar", NULL), DONE);
    assert_says(standard_error, "flat");
    assert_int_equal(orograph("render", path, "-o", out, "--progress", "off", NULL), DONE);
    assert_string_equal(standard_error, "");
}

/* ---- Films ---- */

static const char slide[] = "  <interface><out name=\"terrain\" from=\"slide.terrain\"/></interface>\n"
                            "  <node id=\"hills\" type=\"noise\" version=\"1\"/>\n"
                            "  <node id=\"slide\" type=\"thermal_erosion\" version=\"1\"><in "
                            "name=\"terrain\" from=\"hills.field\"/>\n"
                            "    <in name=\"iterations\" value=\"25\"/></node>\n";
static const char rise_fast[] =
    "  <interface><out name=\"terrain\" from=\"rise.terrain\"/></interface>\n"
    "  <node id=\"start\" type=\"upsample\"><in name=\"terrain\" from=\"flat.field\"/></node>\n"
    "  <node id=\"flat\" type=\"constant\"/>\n"
    "  <node id=\"rise\" type=\"stream_power\"><in name=\"terrain\" from=\"start.terrain\"/></node>\n";

TEST(film_refuses)
{
    const char *path = graph_file("slide.oro", slide), *out = in_folder("slide.pfm");
    const char *film = in_folder("film");
    assert_int_equal(orograph("render", path, "--frames", film, NULL), USAGE);
    assert_one_error("give -o OUT too");
    assert_int_equal(orograph("render", path, "-o", out, "--frame-every", "2", NULL), USAGE);
    assert_one_error("go with --frames");
    need_device();
    path = graph_file("still.oro", level_ground);
    assert_int_equal(orograph("render", path, "-o", out, "--frames", film, NULL), USAGE);
    assert_one_error("no simulation of terrain leads to 'flat'");
    path = graph_file("slide.oro", slide);
    assert_int_equal(orograph("render", path, "-o", out, "--frames", path, NULL), FAILED);
    assert_true(oro_make_folders(in_folder("spoilt/frame-00002.png"), NULL)); /* found out on the way */
    assert_int_equal(orograph("render", path, "-o", out, "--frames", in_folder("spoilt"), NULL), FAILED);
    assert_one_error("frame-00002.png': it is a folder");
    assert_false(is_file(out));
}

static void assert_same_files(const char *a, const char *b)
{
    void *data[2];
    size_t size[2];
    assert_true(oro_file_read(a, OUTPUT_MAX, &data[0], &size[0], NULL));
    assert_true(oro_file_read(b, OUTPUT_MAX, &data[1], &size[1], NULL));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    oro_free(data[0]);
    oro_free(data[1]);
}

/* The beginning, steps 10 and 20, and the end, which is what -o writes; from the cache or not. */
TEST(film)
{
    need_device();
    const char *path = graph_file("slide.oro", slide), *out = in_folder("slide.pfm");
    assert_int_equal(orograph("render", path, "-o", out, NULL), DONE);
    assert_int_equal(orograph("render", path, "-o", out, "--frames", in_folder("film/heights"),
                              "--frame-format", "pfm", NULL),
                     DONE);
    assert_says(standard_output, "wrote 4 frames to ");
    assert_string_equal(standard_error, "");
    assert_true(is_file(in_folder("film/heights/frame-00001.pfm")));
    assert_same_files(in_folder("film/heights/frame-00004.pfm"), out);
    assert_false(is_file(in_folder("film/heights/frame-00005.pfm")));
    assert_int_equal(orograph("render", path, "-o", out, "--frames", in_folder("film/heights"),
                              "--frame-format", "pfm", NULL),
                     FAILED);
    assert_one_error("delete the older film");
}

TEST(film_has_an_end)
{
    need_device();
    const char *path = graph_file("slide.oro", slide), *out = in_folder("slide.pfm");
    assert_int_equal(orograph("render", path, "-o", out, "--frames", in_folder("short"), "--frame-every", "1",
                              "--frame-limit", "3", NULL),
                     DONE);
    assert_says(standard_error, "the film ends at frame 3");
    assert_true(is_file(in_folder("short/frame-00003.png")));
    assert_false(is_file(in_folder("short/frame-00004.png")));
    assert_int_equal(orograph("render", path, "-o", out, "--frames", in_folder("none"), "--set",
                              "slide.iterations=0", "--set", "slide.duration=0", NULL),
                     DONE);
    assert_says(standard_error, "no frames");
}

/* Coarse levels come at the size of the finest. */
TEST(film_of_levels)
{
    need_device();
    const char *path = graph_file("rise.oro", rise_fast), *out = in_folder("rise.pfm");
    assert_int_equal(orograph("render", path, "-o", out, "--frames", in_folder("rise"), "--frame-every", "1",
                              "--frame-format", "pfm", NULL),
                     DONE);
    assert_says(standard_output, "(64 x 64)");
    struct oro_heightfield field;
    assert_true(oro_heightfield_read(in_folder("rise/frame-00001.pfm"), NULL, &field, NULL));
    assert_int_equal(field.width, 64);
    oro_heightfield_free(&field);
}

/* ---- Reports ---- */

TEST(report_of_failure)
{
    static char text[1 << 16];
    const char *path = graph_file("failure.oro", level_ground), *report = in_folder("failure.json");
    assert_int_equal(orograph("render", path, "--report", report, NULL), INVALID);
    read_text(report, text, sizeof text);
    assert_says(text, "\"code\": \"document\"");
    assert_says(text, "\"steps\": []");
}

/* ---- Set-up ---- */

FIXTURE(make_folder)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-test-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    return setenv("OROGRAPH_CACHE", in_folder("cache"), 1);
}

/* The folder holds files, and below cache/ more folders. */
static void remove_all(const char *path)
{
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char inner[1024];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0)
            remove_all(inner);
    }
    if (entries)
        closedir(entries);
    rmdir(path);
}

FIXTURE(remove_folder)
{
    remove_all(folder);
    return 0;
}

TEST_GROUP(make_folder, remove_folder);
