#include "tests/faults/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_digest.h"
#include "base/memory.h"
#include "base/walls.h"
#include "formats/sidecar/sidecar.h"
#include "tests/faults/output.h"
#include "tests/faults/work.h"
#include "tests/support/folder.h"

/* cli/main.c, whose main function has this name here. */
int orograph_main(int argc, char **argv);

const struct faults_scenario faults_scenarios[] = {
    {.name = "check", .command = "check in/graph.oro"},
    {.name = "check_wrong", .command = "check in/wrong.oro in/graph.oro", .code = 3},
    {.name = "info", .command = "info in/graph.oro --memory 1024 --device processor"},
    {.name = "info_json", .command = "info in/graph.oro --memory 1024 --device processor --json"},
    {.name = "nodes", .command = "nodes"},
    {.name = "nodes_json", .command = "nodes --json"},
    {.name = "search", .command = "nodes --search voronoi"},
    {.name = "library", .command = "library"},
    {.name = "schema", .command = "schema"},
    {.name = "render",
     .command = "render in/graph.oro --device processor --no-cache --output land -o out/a.png",
     .writes = true},
    {.name = "render_mesh",
     .command =
         "render in/graph.oro --device processor --no-cache --output land -o out/a.glb --triangles 200",
     .writes = true},
    {.name = "render_report",
     .command =
         "render in/graph.oro --device processor --no-cache --output land -o out/a.r32 --progress json",
     .writes = true},
    {.name = "render_channels",
     .command = "render in/graph.oro --device processor --no-cache --output image,land -o out/a.exr",
     .writes = true},
    {.name = "render_script",
     .command = "render in/script.oro --device processor --no-cache --output terrain -o out/a.pfm",
     .writes = true},
    {.name = "render_rivers",
     .command = "render in/rivers.oro --device processor --no-cache -o out/a.png",
     .writes = true},
    {.name = "render_uplift",
     .command = "render in/uplift.oro --device processor --no-cache -o out/a.png",
     .writes = true},
    {.name = "convert_exr", .command = "convert in/hills.png out/a.exr --size 33", .writes = true},
    {.name = "convert_pfm", .command = "convert in/hills.png out/a.pfm", .writes = true},
    {.name = "convert_mesh", .command = "convert in/hills.png out/a.obj --error 20", .writes = true},
    {.name = "convert_tiles",
     .command = "convert in/hills.png out/a.r16 --tiles 33 --size 65",
     .writes = true},
    {.name = "measure", .command = "measure in/hills.png"},
    {.name = "measure_json", .command = "measure in/hills.png --json"},
    {.name = "measure_pair", .command = "measure in/old.r16 --json"},
    {.name = "group",
     .command = "group in/graph.oro --nodes noise,mask --name pair -o out/a.oro --replace",
     .writes = true},
    {.name = "flatten", .command = "flatten in/group.oro -o out/a.oro --replace", .writes = true},
    {.name = "extract",
     .command = "extract out/group.oro pair -o out/pair.oro --replace",
     .writes = true,
     .edits = "group.oro"},
    {.name = "lock", .command = "lock in/graph.oro -o out/a.lock --keep out --seed 3", .writes = true},
    {.name = "verify", .command = "verify in/graph.oro --lock in/old.lock --kept in --all", .code = 1},
    {.name = "diff", .command = "diff in/graph.oro in/other.oro"},
    {.name = "presets", .command = "preset list"},
    {.name = "preset",
     .command = "preset save in/graph.oro noise mine -o out/a.oro --replace",
     .writes = true},
    {.name = "cache", .work = faults_cache, .writes = true},
    {.name = "trim", .work = faults_trim, .writes = true},
#ifdef OROGRAPH_EDITOR
    {.name = "edit", .work = faults_edit, .writes = true, .edits = "graph.oro"},
    {.name = "paint", .work = faults_paint, .writes = true, .edits = "painted.oro"},
    {.name = "recovery",
     .work = faults_recovery,
     .writes = true,
     .edits = "graph.oro",
     .check = faults_recovered},
#endif
    {.name = "batch",
     .command = "run in/batch.lua --write out --device processor --no-cache",
     .writes = true},
};
const int faults_scenario_count = sizeof faults_scenarios / sizeof faults_scenarios[0];

/* The program takes a filter for its standard output, and walls for a batch, until it ends. */
static int run_program(int count, char **words)
{
    FILE *own = stdout;
    int code = orograph_main(count, words);
    if (stdout != own)
        fclose(stdout);
    stdout = own;
    oro_walls_forget();
    return code;
}

int faults_run_scenario(const struct faults_scenario *scenario)
{
    enum { WORDS_MAX = 30 };
    char line[1000], *words[WORDS_MAX + 1] = {(char *)"orograph"}, *rest = NULL;
    int count = 1;
    if (scenario->work)
        return scenario->work();
    snprintf(line, sizeof line, "%s", scenario->command);
    for (char *word = strtok_r(line, " ", &rest); word && count < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    words[count] = NULL;
    return run_program(count, words);
}

/* ---- The folder ---- */

#define GRAPH(nodes)                                                                                         \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "<world extent=\"3200\" resolution=\"16\" seed=\"7\"/>\n" nodes "</orograph>\n"

static const struct {
    const char *name, *text;
} files[] = {
    {"in/old.lock",
     "{\"document\": \"00000000000000000000000000000000\", \"settings\": {\"set\": [\"noise.seed=3\"]},"
     " \"results\": [{\"id\": \"noise\", \"type\": \"noise\", \"portable\": true, \"outputs\": {\"field\":"
     " {\"digest\": \"00000000000000000000000000000000\", \"bytes\": 1024}}}]}\n"},
    {"in/graph.oro",
     GRAPH(
         "<!-- of all kinds -->\n<interface><out name=\"image\" from=\"shade.image\"/>"
         "<out name=\"land\" from=\"eroded.terrain\"/></interface>\n"
         "<node id=\"noise\" type=\"noise\" x=\"0\" y=\"0\"><in name=\"amplitude\" expr=\"200 + "
         "100\"/></node>\n"
         "<node id=\"mask\" type=\"remap\" x=\"0\" y=\"0\"><in name=\"field\" from=\"noise.field\"/></node>\n"
         "<node id=\"eroded\" type=\"amplify\" version=\"1\" x=\"0\" y=\"0\"><in name=\"terrain\" "
         "from=\"noise.field\"/>"
         "<in name=\"hardness\" from=\"mask.field\"/><in name=\"iterations\" value=\"2\"/></node>\n"
         "<node id=\"shade\" type=\"hillshade\" x=\"0\" y=\"0\"><in name=\"terrain\" "
         "from=\"eroded.terrain\"/></node>\n")},
    {"in/other.oro",
     GRAPH("<node id=\"noise\" type=\"noise\" x=\"0\" y=\"0\"><in name=\"amplitude\" value=\"30\"/></node>\n"
           "<node id=\"mesk\" type=\"remap\" x=\"0\" y=\"0\"><in name=\"field\" "
           "from=\"noise.field\"/></node>\n")},
    {"in/plain.oro", GRAPH("<node id=\"noise\" type=\"noise\" x=\"0\" y=\"0\"/>\n"
                           "<node id=\"rough\" type=\"amplify\" version=\"1\" x=\"0\" y=\"0\"><in "
                           "name=\"terrain\" from=\"noise.field\"/>"
                           "<in name=\"iterations\" value=\"3\"/></node>\n")},
    {"in/wrong.oro",
     GRAPH("<node id=\"noise\" type=\"noize\" x=\"0\" y=\"0\"><in name=\"amplitude\" value=\"30\"/></node>\n"
           "<node id=\"mask\" type=\"remap\" x=\"0\" y=\"0\"><in name=\"field\" "
           "from=\"noise.feld\"/></node>\n")},
    {"in/painted.oro", GRAPH("<node id=\"layer\" type=\"import\" x=\"0\" y=\"0\"><in name=\"file\" "
                             "value=\"layer.pfm\"/></node>\n")},
    {"in/batch.lua",
     "local g = orograph.open('in/graph.oro')\nfor i = 1, 2 do\n"
     "  g:set('noise.amplitude', 100 * i)\n  g:render('land'):write('out/' .. i .. '.pfm')\nend\n"},
};

static bool copy(const char *from, const char *to)
{
    struct oro_error err = {0};
    void *data = NULL;
    size_t size = 0;
    bool ok = oro_file_read(from, 64 << 20, &data, &size, &err) && oro_file_write(to, data, size, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    oro_free(data);
    return ok;
}

static bool copy_examples(const char *root)
{
    static const char *const examples[][2] = {
        {"examples/nodes/source/hills_64.png", "in/hills.png"},
        {"examples/nodes/source/hills_64.png.json", "in/hills.png.json"},
        {"examples/lua/terraces.lua", "in/terraces.lua"},
        {"examples/lua/terraces.oro", "in/script.oro"},
        {"examples/nodes/network/river_network.oro", "in/rivers.oro"},
        {"examples/nodes/uplift/uplift_rasterize.oro", "in/uplift.oro"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        char from[700];
        snprintf(from, sizeof from, "%s/%s", root, examples[i][0]);
        struct stat info;
        if (stat(from, &info) == 0 && !copy(from, examples[i][1]))
            return false;
    }
    return true;
}

bool faults_clear(const struct faults_scenario *scenario)
{
    remove_tree("out");
    return mkdir("out", 0777) == 0 && faults_restore(scenario);
}

bool faults_restore(const struct faults_scenario *scenario)
{
    char from[200], to[200];
    snprintf(from, sizeof from, "in/%s", scenario->edits ? scenario->edits : "");
    snprintf(to, sizeof to, "out/%s", scenario->edits ? scenario->edits : "");
    return !scenario->edits || copy(from, to);
}

static const struct faults_scenario older[] = {
    {.command = "convert in/hills.png in/old.png --size 20"},
    {.command = "convert in/hills.png in/old.r16 --size 20"},
    {.command = "convert in/hills.png in/old.r32 --size 20"},
    {.command = "convert in/hills.png in/old.pfm --size 20"},
    {.command = "convert in/hills.png in/old.exr --size 20"},
    {.command = "convert in/hills.png in/old.glb --size 20"},
    {.command = "convert in/hills.png in/old.obj --size 20"},
};

static bool prepare(const char *root)
{
    bool ok = mkdir("in", 0777) == 0 && mkdir("out", 0777) == 0;
    for (size_t i = 0; ok && i < sizeof files / sizeof files[0]; i++)
        ok = oro_file_write(files[i].name, files[i].text, strlen(files[i].text), NULL);
    ok = ok && copy_examples(root);
    static const struct faults_scenario grouped = {
        .command = "group in/graph.oro --nodes noise,mask --name pair -o in/group.oro"};
    ok = ok && faults_run_scenario(&grouped) == 0;
    for (size_t i = 0; ok && i < sizeof older / sizeof older[0]; i++)
        ok = faults_run_scenario(&older[i]) == 0;
    return ok;
}

/* In a process of its own, whose threads and guests end with it. */
static bool prepare_apart(const char *root)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        faults_output_begin();
        exit(prepare(root) ? 0 : 1);
    }
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
        return true;
    faults_output_read();
    fprintf(stderr, "the folder of the scenarios could not be made: %s\n", faults_complained);
    return false;
}

static char home[600], working[100];

bool faults_enter_folder(void)
{
    const char *temporary = getenv("TMPDIR"), *in_memory = "/dev/shm"; /* whose files are flushed at once */
    if (!temporary)
        temporary = access(in_memory, W_OK) == 0 ? in_memory : "/tmp";
    snprintf(working, sizeof working, "%.70s/orograph-faults-XXXXXX", temporary);
    unsetenv("XDG_CACHE_HOME"), unsetenv("XDG_STATE_HOME"), unsetenv("XDG_DATA_HOME");
    oro_sample_from(1); /* as sidecars of large files are written */
    return setenv("HOME", "/nonexistent", 1) == 0 && getcwd(home, sizeof home) && mkdtemp(working) &&
           chdir(working) == 0 && prepare_apart(home);
}

void faults_leave_folder(void)
{
    if (chdir(home) == 0)
        remove_tree(working);
}

/* An older picture with its sidecar, in the format of what it stands for; other files have but another text.
 */
static void make_older(const char *name)
{
    char path[220], from[64], plain[220];
    snprintf(path, sizeof path, "out/%s", name);
    snprintf(plain, sizeof plain, "%s", name);
    size_t length = strlen(plain), tail = strlen(".json");
    bool sidecar = length > tail && strcmp(plain + length - tail, ".json") == 0;
    plain[length - (sidecar ? tail : 0)] = '\0';
    snprintf(from, sizeof from, "in/old.%.9s%s", oro_path_extension(plain), sidecar ? ".json" : "");
    if (access(path, F_OK) == 0 || (access(from, F_OK) == 0 && copy(from, path)))
        return;
    FILE *file = fopen(path, "wb");
    if (file) {
        fputs("old", file);
        fclose(file);
    }
}

void faults_make_old(const struct faults_scenario *scenario, const struct faults_state *state)
{
    faults_clear(scenario);
    for (size_t i = 0; state && i < state->count; i++)
        make_older(state->files[i].path);
}

bool faults_is_early_sidecar(const char *name)
{
    char path[220];
    void *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "out/%s", name);
    bool early = strcmp(oro_path_extension(name), "json") == 0 &&
                 oro_file_read(path, 1 << 20, &text, &size, NULL) && strstr(text, "\"digest\"") &&
                 !strstr(text, "\"sample\"");
    oro_free(text);
    return early;
}

bool faults_pair_is_told(const char *name)
{
    char path[220], sidecar[230];
    struct oro_hash kept, is;
    snprintf(path, sizeof path, "out/%s", name);
    snprintf(sidecar, sizeof sidecar, "%s.json", name);
    return oro_sidecar_digest(path, &kept, NULL) && oro_file_digest_of(path, &is, NULL) &&
           (oro_hash_equal(kept, is) || faults_is_early_sidecar(sidecar));
}

bool faults_is_wanted(const char *name, char *const *names)
{
    bool any = !*names;
    for (; *names; names++)
        any |= strcmp(*names, name) == 0;
    return any;
}
