/* orograph-bench: measures, and prints a table or JSON; see `usage`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "bench/against.h"
#include "bench/bench.h"
#include "bench/print.h"
#include "devices/devices.h"

static const char usage[] =
    "usage: orograph-bench [SUITE]... [OPTION]...\n"
    "  erosion    what an iteration of each kind of erosion costs\n"
    "  figure15   an amplification from 128 to 4096 cells\n"
    "  balance    mountain ranges under uniform uplift: how long until uplift and rivers balance; steps, "
    "time,\n"
    "             memory and Hack's law of the figures of Schott 2023 that are in examples/\n"
    "  inversion  how well terrains come back from their uplift; no times: docs/inversion.md\n"
    "  hydrology  exact drainage, breaching, filling, retargeting; an amplification with all of them; "
    "table3\n"
    "  table3     average breaching volume of amplifications by noise, bilinear, phasor and erosion\n"
    "  table1     average breaching volume of detail by phasor, by noise of the same strength, and by "
    "erosion\n"
    "  phasor     ravines of phasor: by levels, by frequency, against fractal noise\n"
    "  uplift     35,000 ridges of an uplift tree onto 2000 x 1200 cells\n"
    "  copies     1, 8 and 64 copies of a mountain range on 100 x 60 km, and what an edit of one takes\n"
    "  constraint 100 iterations of constraint_erosion, from start to end\n"
    "  spread     a simulation with its rasters in tiles, in core and out of core, beside whole rasters\n"
    "  scales     what simulations change, and where, on grids of several sizes over the same world\n"
    "  worlds     whether water carves noise at every level, in worlds of 2, 20 and 200 km: docs/realism.md\n"
    "  write      checking and writing a terrain, by format, and a picture; wall clock and processor time\n"
    "  realism    real terrains reduced, and brought back by several ways: docs/realism.md\n"
    "  tiles      exact drainage by tiles beside that of the whole, and the bytes that tiles exchange; on "
    "the\n"
    "             processor alone\n"
    "  document   reading and planning documents of 5000 nodes; on the processor alone\n"
    "Without a suite: erosion and figure15.\n"
    "  --sizes 256,512,...    cells a side; the last is the largest that an amplification is taken to\n"
    "  --repeats N            runs of which the median counts\n"
    "  --only NODE            one node type; of hydrology also: processor; of balance: one method,\n"
    "                         figures, or log; of\n"
    "                         table1: one setting; of realism: one way besides those of --with, or none;\n"
    "                         of worlds: defaults, scaled, tubes; of write: a format\n"
    "  --inputs A.png,...     tables on these heightfields instead of made up ones\n"
    "  --high M,...           elevation of the largest value of each, in metres; the smallest is 0\n"
    "  --extent M,...         width of each, in metres (20000)\n"
    "  --base N               cells a side before tables amplify eight times (256)\n"
    "  --dems FILE...         real terrains for realism; with --high and:\n"
    "  --low M,... --cell M,...  elevation of the smallest value of each (0), width of its cells\n"
    "  --factor N,...         how far each is reduced (8)\n"
    "  --with FILE            another way to bring them back: a graph (.oro) whose imports read the coarse\n"
    "                         terrain, or a terrain that was brought back elsewhere; repeatable\n"
    "  --seeds N              the means of N seeds of the world (1)\n"
    "  --pictures DIR         relief shading of all ways beside each other\n"
    "  --against FILE.json    beside an earlier run, of which FILE is what --json printed: before, now, and "
    "the\n"
    "                         ratio, now / before, of every row that both have; names the others\n"
    "  --examples DIR         where balance finds the graphs of its figures (examples)\n"
    "  --log PREFIX           balance writes PREFIX.csv, how far terrain is from its end at every step, and "
    "draws it\n"
    "                         as PREFIX.png where gnuplot is installed (figure 28; at the first of --sizes)\n"
    "  --threads N            of the program, and of Mesa's software driver, instead of one a processor\n"
    "  --several T,C,R,S      T iterations a dispatch where kernels can do several, groups that write C x R "
    "cells,\n"
    "                         S cells an invocation, whatever the size of the grid; 1,0,0,0: one by one\n"
    "  --device N, --shader-dir DIR, --json\n";

static const struct suite {
    const char *name;
    bool (*run)(struct bench *bench, struct oro_error *err);
    bool standard; /* runs when no suite is named */
    bool alone;    /* its figures are not held against what the device's memory allows */
} suites[] = {{"erosion", bench_erosion, true, false},
              {"figure15", bench_figure15, true, false},
              {"balance", bench_balance, false, false},
              {"inversion", bench_inversion, false, true},
              {"hydrology", bench_hydrology, false, false},
              {"table1", bench_table1, false, false},
              {"table3", bench_table3, false, false},
              {"uplift", bench_uplift, false, false},
              {"copies", bench_copies, false, true},
              {"phasor", bench_phasor, false, false},
              {"constraint", bench_constraint, false, false},
              {"scales", bench_scales, false, false},
              {"worlds", bench_worlds, false, true},
              {"document", bench_document, false, true},
              {"write", bench_write, false, true},
              {"realism", bench_realism, false, true},
              {"spread", bench_spread, false, true},
              {"tiles", bench_tiles, false, true}};
enum { SUITES = sizeof suites / sizeof suites[0] };

struct request {
    bool wanted[SUITES], any, json;
    int device, threads; /* threads 0: as many as there are processors */
    const char *shader_dir, *against;
    struct bench *bench;
};

static bool read_sizes(struct bench *bench, const char *text)
{
    bench->size_count = 0;
    while (*text && bench->size_count < BENCH_SIZES_MAX) {
        char *end;
        long size = strtol(text, &end, 10);
        if (end == text || size < 8 || size > ORO_GRID_MAX)
            return false;
        bench->sizes[bench->size_count++] = (int)size;
        text = *end == ',' ? end + 1 : end;
    }
    return bench->size_count > 0 && !*text;
}

static bool read_number(const char *text, int *number)
{
    double value;
    if (!text || !oro_parse_number(text, &value) || value < 0 || value > 1000)
        return false;
    *number = (int)value;
    return true;
}

/* Tiles have to suit lib/iterations.glsl. */
static bool read_shape(const char *text, struct oro_dispatch_shape *per_dispatch)
{
    long numbers[4] = {0};
    for (int i = 0; i < 4; i++) {
        char *end = NULL;
        numbers[i] = text ? strtol(text, &end, 10) : 0;
        if (!text || end == text || *end != (i < 3 ? ',' : '\0') || numbers[i] < 0 || numbers[i] > 1000)
            return false;
        text = end + 1;
    }
    *per_dispatch =
        (struct oro_dispatch_shape){(int)numbers[0], (int)numbers[1], (int)numbers[2], (int)numbers[3]};
    int strip = per_dispatch->strip;
    return per_dispatch->times == 1 ||
           (per_dispatch->times > 1 && per_dispatch->times <= 64 && per_dispatch->columns >= 1 &&
            per_dispatch->columns <= 256 && per_dispatch->rows >= 1 && per_dispatch->rows <= 256 &&
            (strip == 1 || strip == 2 || strip == 4 || strip == 8) && per_dispatch->rows % strip == 0);
}

/* Cuts "A.png,B.png" up in place. */
static bool read_files(struct bench_inputs *inputs, char *text)
{
    char *rest;
    for (char *name = strtok_r(text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        if (inputs->file_count == BENCH_INPUTS_MAX)
            return false;
        inputs->files[inputs->file_count++] = name;
    }
    return inputs->file_count > 0;
}

/* One number for each file; the last one also serves for the files that have none. */
static bool read_numbers(double *numbers, char *text)
{
    int count = 0;
    char *rest;
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest), count++)
        if (count == BENCH_INPUTS_MAX || !oro_parse_number(word, &numbers[count]))
            return false;
    for (int i = count; count > 0 && i < BENCH_INPUTS_MAX; i++)
        numbers[i] = numbers[count - 1];
    return count > 0;
}

static bool read_metres(double *metres, char *text)
{
    bool ok = read_numbers(metres, text);
    for (int i = 0; ok && i < BENCH_INPUTS_MAX; i++)
        ok = metres[i] > 0;
    return ok;
}

static bool read_factors(double *factors, char *text)
{
    bool ok = read_numbers(factors, text);
    for (int i = 0; ok && i < BENCH_INPUTS_MAX; i++)
        ok = factors[i] >= 2 && factors[i] <= 64 && factors[i] == (int)factors[i];
    return ok;
}

/* Words up to the next option. Returns how many. */
static int read_dems(struct bench_inputs *inputs, char **words, int count)
{
    int taken = 0;
    while (taken < count && strncmp(words[taken], "--", 2) != 0 && inputs->file_count < BENCH_INPUTS_MAX)
        inputs->files[inputs->file_count++] = words[taken++];
    return taken;
}

static bool read_realism_option(struct bench_inputs *inputs, const char *word, char *next)
{
    if (!next)
        return false;
    if (strcmp(word, "--low") == 0)
        return read_numbers(inputs->low, next);
    if (strcmp(word, "--cell") == 0)
        return read_metres(inputs->cell, next);
    if (strcmp(word, "--factor") == 0)
        return read_factors(inputs->factor, next);
    if (strcmp(word, "--seeds") == 0)
        return read_number(next, &inputs->seeds) && inputs->seeds >= 1 && inputs->seeds <= BENCH_SEEDS_MAX;
    if (strcmp(word, "--pictures") == 0)
        inputs->pictures = next;
    else if (strcmp(word, "--with") == 0 && inputs->with_count < BENCH_WITH_MAX)
        inputs->with[inputs->with_count++] = next;
    else
        return false;
    return true;
}

static bool read_input_option(struct bench_inputs *inputs, const char *word, char *next)
{
    if (!next)
        return false;
    if (strcmp(word, "--inputs") == 0)
        return read_files(inputs, next);
    if (strcmp(word, "--high") == 0)
        return read_metres(inputs->high, next);
    if (strcmp(word, "--extent") == 0)
        return read_metres(inputs->extent, next);
    return strcmp(word, "--base") == 0 && read_number(next, &inputs->base) && inputs->base >= 8;
}

static bool read_suite(const char *word, struct request *request)
{
    for (int i = 0; i < SUITES; i++)
        if (strcmp(word, suites[i].name) == 0)
            return request->any = request->wanted[i] = true;
    return false;
}

static bool read_arguments(int count, char **words, struct request *request)
{
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        char *next = i + 1 < count ? words[i + 1] : NULL;
        if (read_suite(word, request))
            continue;
        if (strcmp(word, "--json") == 0)
            request->json = true;
        else if (strcmp(word, "--only") == 0 && next)
            request->bench->only = words[++i];
        else if (strcmp(word, "--shader-dir") == 0 && next)
            request->shader_dir = words[++i];
        else if (strcmp(word, "--against") == 0 && next)
            request->against = words[++i];
        else if (strcmp(word, "--examples") == 0 && next)
            request->bench->examples = words[++i];
        else if (strcmp(word, "--log") == 0 && next)
            request->bench->log = words[++i];
        else if (strcmp(word, "--threads") == 0 && read_number(next, &request->threads) && request->threads)
            i++;
        else if (strcmp(word, "--sizes") == 0 && next && read_sizes(request->bench, next))
            i++;
        else if (strcmp(word, "--repeats") == 0 && read_number(next, &request->bench->repeats))
            i++;
        else if (strcmp(word, "--several") == 0 && read_shape(next, &request->bench->per_dispatch))
            i++;
        else if (strcmp(word, "--device") == 0 && next && oro_device_parse(next, &request->device))
            i++;
        else if (strcmp(word, "--dems") == 0 && next)
            i += read_dems(&request->bench->inputs, words + i + 1, count - i - 1);
        else if (read_input_option(&request->bench->inputs, word, next) ||
                 read_realism_option(&request->bench->inputs, word, next))
            i++;
        else
            return false;
    }
    return request->bench->repeats > 0;
}

/* `before`: the run of --against, or NULL. False if its rows can't be held against those of this run. */
static bool print(const struct bench *bench, bool json, const json_t *before, struct oro_error *err)
{
    json_t *now = bench_json(bench);
    bool ok = !before || bench_against(now, before, err);
    if (json) {
        json_dumpf(now, stdout, JSON_INDENT(2));
        printf("\n");
    } else {
        bench_print(bench);
        if (before)
            bench_against_print(now);
    }
    json_decref(now);
    return ok;
}

static bool run(const struct request *request, struct oro_error *err)
{
    bool copied = false;
    for (int i = 0; i < SUITES; i++) {
        if (request->any ? !request->wanted[i] : !suites[i].standard)
            continue;
        if (!suites[i].alone && !copied && !(copied = bench_copy(request->bench, err)))
            return false;
        if (!suites[i].run(request->bench, err))
            return false;
    }
    return true;
}

/* Mesa's software driver has threads of its own, and asks how many when a device is made. */
static void use_threads(int threads)
{
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    if (threads > 0 && setenv("LP_NUM_THREADS", text, 1) == 0)
        oro_parallel_force(threads);
}

static int fail(const struct oro_error *err, int code)
{
    fprintf(stderr, "orograph-bench: %s\n", err->text);
    return code;
}

static int measure(const struct request *request, const json_t *before)
{
    struct bench *bench = request->bench;
    struct oro_error err = {0};
    use_threads(request->threads);
    struct oro_gpu_options options = {.index = request->device, .shader_dir = request->shader_dir};
    bench->device = oro_device_open(&options, &err);
    if (!bench->device)
        return fail(&err, 5);
    const struct oro_device_info *info = &bench->device->info;
    if (info->software || info->memory_bytes) /* else the driver says when there is no more */
        bench->device->budget_bytes = oro_gpu_budget(info);
    bool ok = run(request, &err);
    ok = print(bench, ok && request->json, before, ok ? &err : NULL) && ok;
    oro_free(bench->realism);
    bench->device->ops->destroy(bench->device);
    return ok ? 0 : fail(&err, 1);
}

int main(int count, char **words)
{
    static struct bench bench = {.sizes = {256, 512, 1024},
                                 .size_count = 3,
                                 .repeats = 5,
                                 .examples = "examples",
                                 .inputs = {.base = 256, .seeds = 1}};
    struct request request = {.device = ORO_DEVICE_ANY, .bench = &bench};
    struct oro_error err = {0};
    json_t *before = NULL;
    if (!read_arguments(count, words, &request)) {
        fputs(usage, stderr);
        return 2;
    }
    if (request.against && !(before = bench_against_read(request.against, &err)))
        return fail(&err, 1);
    int code = measure(&request, before);
    json_decref(before);
    return code;
}
