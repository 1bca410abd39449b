/* Scripts of `orograph run`, by a grammar made from the table of what they may call: the bytes choose calls
 * and their arguments. Whatever a script does, the command ends with an exit code, and nothing is written but
 * below the folder that it was given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command/commands.h"
#include "cli/options/options.h"
#include "cli/report/console.h"
#include "graph/derived/trust.h"
#include "lua/batch/batch.h"
#include "tests/fuzz/grammar.h"
#include "tests/support/folder.h"

enum { CALLS_MAX = 2 * ORO_BATCH_FUNCTIONS + 1 };
enum { NAMES = 4, NAMES_IN = 2 }; /* in, out, state and the script; a graph and an image */

static const char *calls[CALLS_MAX]; /* of the table, with rules for their arguments */

static const struct fuzz_rule rules[] = {
    FUZZ_RULE("script", "$statements", "local g = orograph.open('in/graph.oro')\n$statements",
              "local g = orograph.open('in/graph.oro') local r = g:render()\n$statements",
              "local g = orograph.new{resolution = 9, extent = 900}\n$statements",
              "local r = orograph.read('in/image.pfm')\n$statements"),
    FUZZ_RULE("statements", "", "$statement\n$statements"),
    FUZZ_RULE("statement", "pcall(function() $call end)", "g = $call", "r = $call", "$call",
              "pcall(function() g:set($t, $v) end)", "for i, x in orograph.each{$v, $v} do $statements end",
              "print($v)", "g = nil", "r = nil", "g, r = r, g",
              "local ok, e = pcall(function() r = g:render($t) end) print(ok, e)",
              "pcall(function() $statements error($v) end)",
              "pcall(function() g:add('noise', 'n', {feature = $n}) end)", "collect = {g, r, $v}"),
    {"call", calls},
    FUZZ_RULE("t", "'noise.feature'", "'in/graph.oro'", "'out/a.png'", "'out/b.oro'", "'out/c.txt'",
              "'in/image.pfm'", "'noise'", "'n'", "'terrain'", "'noise.field'", "'height'", "'../x'",
              "'/etc/passwd'", "'in'", "'*'", "''", "'breach'", "'out/d.exr'", "'out/e.r16'", "'out/f.tif'",
              "'out/g.glb'", "'x.terrain'", "'x'", "'out/\\0'", "('a'):rep(300)", "$v"),
    FUZZ_RULE("b", "'text'", "''", "'\\0\\255'", "('ab'):rep($n)", "$v"),
    FUZZ_RULE("n", "1", "0", "-1", "7", "0.5", "1e9", "-1e308", "0/0", "1/0", "64", "$v"),
    FUZZ_RULE("i", "1", "0", "-1", "3", "17", "2^31", "2^53", "1.5", "math.mininteger", "$v"),
    FUZZ_RULE("v", "1", "nil", "true", "'repair'", "'strict'", "'perlin'", "-5", "1e9", "{}", "{1, 2}", "g",
              "r", "print", "0/0", "'a'"),
    FUZZ_RULE("f", "true", "false", "$v"),
    FUZZ_RULE("m", "{}", "{feature = $v}", "{amplitude = $n, method = $t}", "{terrain = $t}", "$v"),
    FUZZ_RULE("l", "{1, 2, 3}", "{}", "$v"),
    FUZZ_RULE("o", "{}", "{$option}", "{$option, $option}", "$v"),
    FUZZ_RULE("option", "seed = $i", "max_resolution = $i", "extent = $n", "resolution = $i", "aspect = $n",
              "low = $n", "high = $n", "cell = $n", "width = $i", "height = $i", "big_endian = $f",
              "require_drained = $f", "size = $v", "drain = $t", "drain_limit = $n", "half = $f",
              "tiled = $f", "bits = $n", "compress = $t", "cog = $f", "theta = $n", "x = $v"),
    {0},
};

/* Two calls of each function: with the arguments that it needs, and with all. */
static void fill_calls(void)
{
    static char texts[CALLS_MAX][128];
    for (int i = 0; i < 2 * ORO_BATCH_FUNCTIONS; i++) {
        const struct oro_batch_entry *entry = &oro_batch_functions[i / 2];
        char *text = texts[i];
        bool graph = strcmp(entry->object, "graph") == 0, result = strcmp(entry->object, "result") == 0;
        snprintf(text, sizeof texts[0], "%s%s(", graph ? "g:" : result ? "r:" : "orograph.", entry->name);
        const char *between = "";
        for (const char *c = entry->takes; *c; c++) {
            if (*c == '?' && i % 2 == 0)
                break;
            if (*c == '?')
                continue;
            snprintf(text + strlen(text), sizeof texts[0] - strlen(text), "%s$%c", between, *c);
            between = ", ";
        }
        strcat(text, ")");
        calls[i] = text;
    }
}

/* ---- The folder: in/ with a graph and an image, out/ that may be written, and the script. ---- */

static const char graph[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "<world extent=\"900\" resolution=\"9\"/>\n"
    "<interface><in name=\"height\" to=\"noise.amplitude\"/><out name=\"terrain\" "
    "from=\"x.terrain\"/></interface>\n"
    "<node id=\"noise\" type=\"noise\"/>\n"
    "<node id=\"x\" type=\"terrace\" version=\"1\"><in name=\"terrain\" "
    "from=\"noise.field\"/></node>\n</orograph>\n";

static void set_up(void)
{
    char path[FUZZ_PATH], image[64];
    fill_calls();
    fuzz_require(chdir(fuzz_folder()) == 0);
    fuzz_require(mkdir(fuzz_path(path, "in"), 0700) == 0);
    fuzz_write(fuzz_path(path, "in/graph.oro"), graph, sizeof graph - 1);
    int length = snprintf(image, sizeof image, "Pf\n2 2\n-1.0\n%016d", 0);
    fuzz_write(fuzz_path(path, "in/image.pfm"), image, (size_t)length);
    fuzz_require(mkdir(fuzz_path(path, "state"), 0700) == 0 && setenv("XDG_STATE_HOME", path, 1) == 0);
    fuzz_require(freopen("/dev/null", "w", stdout));
}

/* Only what is trusted runs within the program, where the fuzzer sees it. */
static void trust(const char *text, size_t length)
{
    struct oro_trust trust = {0};
    struct oro_trusted script = {.name = "script.lua"};
    oro_sha256(text, length, script.digest);
    unlink("state/orograph/trusted");
    fuzz_require(oro_trust_add(&trust, &script, 1, NULL));
    oro_trust_free(&trust);
}

/* Names in a folder, with "." and "..". */
static int names_in(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    fuzz_require(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* The folder itself stays: it is held open by what may write there. */
static void empty_out(void)
{
    char path[FUZZ_PATH + 256];
    DIR *folder = opendir("out");
    fuzz_require(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        snprintf(path, sizeof path, "out/%s", entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            fuzz_require(remove_tree(path) == 0);
    }
    closedir(folder);
}

static int run_command(void)
{
    char *words[] = {"script.lua", "--write", "out",    "--read",    "in", "--device", "processor",
                     "--no-cache", "--steps", "100000", "--seconds", "5",  "--memory", "64"};
    struct cli_parsed parsed;
    struct oro_error err = {0};
    fuzz_require(cli_parse(&cli_run_command, sizeof words / sizeof words[0], words, &parsed, &err));
    int code = cli_run_command.run(parsed.options, parsed.arguments, parsed.count);
    cli_parsed_free(&cli_run_command, &parsed);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_text text = {0};
    char path[FUZZ_PATH];
    if (!calls[0])
        set_up();
    fuzz_expand(&bytes, rules, "$script", &text);
    fuzz_write(fuzz_path(path, "script.lua"), text.data ? text.data : "", text.length);
    trust(text.data ? text.data : "", text.length);
    int code = run_command();
    fuzz_require(code >= CLI_DONE && code <= CLI_NO_DEVICE);
    fuzz_require(names_in(".") == 2 + NAMES && names_in("in") == 2 + NAMES_IN);
    empty_out();
    oro_text_free(&text);
    return 0;
}
