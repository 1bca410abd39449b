/* The `orograph` program in the hands of hostile and clumsy users: one line that says what is wrong, the
 * right exit code, and nothing half-written. */
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
#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { DONE = 0, FAILED = 1, USAGE = 2, INVALID = 3, CANCELLED = 4, NO_DEVICE = 5 };

static char folder[256]; /* the working folder of the tests */
static char errors[1 << 16];

static int run(const char *format, va_list args)
{
    char arguments[8192], command[10000];
    vsnprintf(arguments, sizeof arguments, format, args);
    snprintf(command, sizeof command, "(%s) >stdout 2>stderr </dev/null", arguments);
    int status = system(command);
    FILE *file = fopen("stderr", "rb");
    assert_non_null(file);
    errors[fread(errors, 1, sizeof errors - 1, file)] = '\0';
    fclose(file);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs a shell's command line in the tests' folder. */
static int shell(const char *format, ...) ORO_PRINTF(1, 2);
static int shell(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int code = run(format, args);
    va_end(args);
    return code;
}

/* The program must fail like this, with one line. */
static void refused(int code, const char *says, const char *format, ...) ORO_PRINTF(3, 4);
static void refused(int code, const char *says, const char *format, ...)
{
    char arguments[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    int found = shell("\"$OROGRAPH\" %s", arguments);
    if (found != code)
        fail_msg("'%s' ended with %d, not %d: %s", arguments, found, code, errors);
    if (!strstr(errors, says))
        fail_msg("'%s' did not say '%s' but: %s", arguments, says, errors);
    if (strchr(errors, '\n') != errors + strlen(errors) - 1)
        fail_msg("'%s' said more than a line: %s", arguments, errors);
}

static void write_file(const char *name, const char *text)
{
    assert_true(oro_file_write(name, text, strlen(text), NULL));
}

static const char flat[] = "<node id=\"flat\" type=\"constant\"><in name=\"value\" value=\"5\"/></node>\n";

static void write_graph(const char *name, const char *nodes)
{
    static char text[1 << 16];
    snprintf(text, sizeof text,
             "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n<world extent=\"320\" resolution=\"32\"/>\n"
             "<interface><out name=\"ground\" from=\"flat.field\"/></interface>\n%s%s</orograph>\n",
             flat, nodes);
    write_file(name, text);
}

static void need_device(void)
{
    static int code = -1;
    if (code < 0)
        code = shell("\"$OROGRAPH\" devices");
    if (code == NO_DEVICE)
        skip();
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

/* ---- Documents ---- */

TEST(what_is_no_document)
{
    refused(INVALID, "No such file", "render none.oro");
    refused(INVALID, "not a regular file", "render /dev/zero");
    refused(INVALID, "not a regular file", "info .");
    refused(INVALID, "cannot read ''", "render ''");
    assert_int_equal(shell("mkfifo pipe.oro && \"$OROGRAPH\" render pipe.oro"), INVALID);
}

TEST(a_zero_byte_is_not_the_end)
{
    write_graph("zero.oro", "");
    assert_int_equal(shell("printf '\\0<x/>' >> zero.oro; \"$OROGRAPH\" check zero.oro"), INVALID);
    assert_non_null(strstr(errors, "zero.oro:6: error [malformed]"));
}

TEST(names_do_not_break_lines)
{
    write_graph("lines.oro", "<node id=\"a&#10;b\" type=\"constant\"/>\n");
    assert_int_equal(shell("\"$OROGRAPH\" check lines.oro"), INVALID);
    assert_non_null(strstr(errors, "lines.oro:5: error [bad-id]: node 'a b'"));
    refused(INVALID, "no such   file.png", "measure 'no such \033 file.png'");
    assert_null(strchr(errors, '\033'));
}

/* Titles of documents and names of files, on standard output as well: a pager or a terminal may come behind
 * it. */
TEST(nothing_printed_is_obeyed_by_terminals)
{
    static const char *const commands[] = {"check esc.oro",
                                           "info esc.oro",
                                           "info --json esc.oro",
                                           "nodes esc.lua",
                                           "nodes --format json esc.lua",
                                           "check 'no\302\233such.oro'"};
    write_graph("esc.oro", "<about title=\"a&#x9b;2Jb&#x202e;c\"/><node id=\"n\" type=\"constant\"/>\n");
    write_file("esc.lua", "return {doc = 'a\\u{9b}2J\\27[2J\\u{202e}b', inputs = {}, outputs = "
                          "{{name = 'out', type = 'field'}}, cell = function() return 1 end}");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[200];
        snprintf(line, sizeof line, "\"$OROGRAPH\" %s >&2", commands[i]);
        shell(line);
        assert_null(strstr(errors, "\xc2\x9b"));
        assert_null(strchr(errors, '\33'));
        assert_null(strstr(errors, "\xe2\x80\xae"));
    }
}

TEST(outputs_that_are_not_there)
{
    write_graph("outputs.oro", "");
    refused(INVALID, "node 'flat' offers 'flat.field'", "render outputs.oro -o a.png --output flat.felid");
    refused(INVALID, "node 'flat' offers 'flat.field'", "render outputs.oro -o a.png --output flat");
    refused(INVALID, "the interface offers 'ground'", "render outputs.oro -o a.png --output falt.field");
    assert_false(exists("a.png"));
}

/* ---- Files that must stay what they are ---- */

TEST(only_files_are_replaced)
{
    struct stat info;
    write_graph("keep.oro", "");
    write_file("level.pfm", "Pf\n1 1\n-1\nabcd");
    assert_int_equal(symlink("/dev/null", "null.png"), 0);
    assert_int_equal(mkfifo("pipe.png", 0600), 0);
    assert_int_equal(mkdir("folder.png", 0700), 0);
    static const char *const places[] = {"null.png", "pipe.png", "folder.png"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        refused(FAILED, "cannot write", "render keep.oro -o %s", places[i]);
        refused(FAILED, "cannot write", "render keep.oro -o a.png --report %s", places[i]);
        refused(FAILED, "cannot write", "convert level.pfm %s", places[i]);
        assert_int_equal(lstat(places[i], &info), 0);
        assert_false(S_ISREG(info.st_mode));
    }
    refused(FAILED, "Not a directory", "render keep.oro -o keep.oro/a.png");
}

TEST(the_report_replaces_nothing_of_the_work)
{
    write_graph("work.oro", "");
    refused(USAGE, "would replace 'work.oro'", "render work.oro -o a.png --report ./work.oro");
    refused(USAGE, "would replace 'a.png'", "render work.oro -o a.png --report a.png");
    refused(USAGE, "would replace 'a.png.json'", "render work.oro -o a.png --report a.png.json");
    assert_int_equal(shell("\"$OROGRAPH\" check work.oro"), DONE);
}

TEST(input_stays_input)
{
    need_device();
    write_graph("input.oro",
                "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"dem.pfm\"/></node>\n");
    write_file("dem.pfm", "Pf\n1 1\n-1\n\n\n\n\n");
    refused(USAGE, "is read here", "render input.oro --output dem.terrain -o ./dem.pfm");
    assert_int_equal(shell("\"$OROGRAPH\" render input.oro --output dem.terrain -o other.pfm"), DONE);
}

/* ---- Nodes that write files: what is wrong is said before the work ---- */

TEST(export_is_checked_first)
{
    static const struct {
        const char *file, *says;
        int code;
    } cases[] = {
        {"", "no file given", INVALID},
        {"a.jpg", "no known format", INVALID},
        {"none/a.png", "No such file", FAILED},
        {"../a.png", "leads out", INVALID},
    };
    need_device();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char nodes[1000];
        snprintf(nodes, sizeof nodes,
                 "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"not-there.png\"/></node>\n"
                 "<node id=\"out\" type=\"export\"><in name=\"terrain\" from=\"flat.field\"/>"
                 "<in name=\"file\" value=\"%s\"/></node>\n",
                 cases[i].file);
        write_graph("export.oro", nodes);
        refused(cases[i].code, cases[i].says, "render export.oro");
        assert_non_null(strstr(errors, "export.oro:6: node 'out'"));
    }
}

TEST(one_file_is_written_once)
{
    need_device();
    write_graph("twice.oro", "<node id=\"one\" type=\"export\"><in name=\"terrain\" from=\"flat.field\"/>"
                             "<in name=\"file\" value=\"same.png\"/></node>\n"
                             "<node id=\"two\" type=\"export\"><in name=\"terrain\" from=\"flat.field\"/>"
                             "<in name=\"file\" value=\"./same.png\"/></node>\n");
    refused(INVALID, "twice.oro:5: node 'one': writes 'same.png', which node 'two' writes, too",
            "render twice.oro");
    assert_false(exists("same.png"));
}

/* ---- Numbers beyond all ground ---- */

TEST(numbers_stay_finite)
{
    need_device();
    static const float huge[4] = {1, 2, 3e29f, 4};
    assert_true(oro_file_write("huge.r32", huge, sizeof huge, NULL));
    write_graph("huge.oro",
                "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"huge.r32\"/></node>\n"
                "<node id=\"high\" type=\"constant\"><in name=\"value\" value=\"1e9\"/></node>\n"
                "<node id=\"a\" type=\"combine\"><in name=\"a\" from=\"high.field\"/>"
                "<in name=\"b\" value=\"3e38\"/><in name=\"method\" value=\"multiply\"/></node>\n"
                "<node id=\"shade\" type=\"hillshade\"><in name=\"terrain\" from=\"a.field\"/></node>\n"
                "<node id=\"mask\" type=\"remap\"><in name=\"field\" from=\"a.field\"/></node>\n");
    refused(INVALID, "cell 0,1 is 3e+29 m", "render huge.oro --output dem.terrain -o a.r32");
    refused(FAILED, "too large", "render huge.oro --output shade.image -o a.png");
    refused(FAILED, "too large", "render huge.oro --output mask.field -o a.r32");
    refused(FAILED, "infinite", "render huge.oro --output a.field -o a.r32");
    assert_false(exists("a.r32"));
    assert_false(exists("a.png"));
    static const float none[4] = {NAN, NAN, NAN, NAN};
    assert_true(oro_file_write("none.r32", none, sizeof none, NULL));
    refused(INVALID, "'none.r32': no cell of the 2 x 2 has a height", "measure none.r32");
}

/* ---- Limits and signals ---- */

TEST(a_file_limit_is_an_error)
{
    static const float heights[64 * 64] = {0};
    assert_true(oro_file_write("limit.r32", heights, sizeof heights, NULL));
    assert_int_equal(shell("(ulimit -f 8; exec \"$OROGRAPH\" convert limit.r32 limited.pfm)"), FAILED);
    assert_non_null(strstr(errors, "cannot write 'limited.pfm'"));
    assert_int_equal(shell("ls limited.pfm*"), 2);
}

TEST(a_signal_cancels)
{
    need_device();
    write_graph("long.oro",
                "<node id=\"rain\" type=\"fluvial_erosion\"><in name=\"terrain\" from=\"flat.field\"/>"
                "<in name=\"iterations\" value=\"1000000\"/></node>\n");
    for (int i = 0; i < 3; i++) {
        int code =
            shell("\"$OROGRAPH\" render long.oro --output rain.terrain -o long.r32 --no-cache & sleep %g; "
                  "kill -TERM $!; wait $!",
                  0.2 + 0.4 * i);
        assert_int_equal(code, CANCELLED);
        assert_non_null(strstr(errors, "cancelled"));
        assert_int_equal(shell("ls long.r32*"), 2);
    }
}

/* ---- Set-up ---- */

FIXTURE(make_folder)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-bad-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0 || setenv("OROGRAPH", OROGRAPH_PROGRAM, 1) != 0)
        return -1;
    return setenv("OROGRAPH_CACHE", "cache", 1);
}

FIXTURE(remove_folder)
{
    return chdir("/") == 0 && remove_tree(folder) == 0 ? 0 : -1;
}

TEST_GROUP(make_folder, remove_folder);
