#include "cli/command/info_memory.h"

#include <stdio.h>

#include "cli/engine/forecast.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "cli/report/table.h"
#include "devices/devices.h"

/* What `fit` has to know of a device, and the largest raster that it takes in one piece (0: not known). */
static bool ask_device(const struct cli_memory_request *request, struct cli_memory_answer *answer,
                       struct cli_fit *fit, size_t *limit, struct oro_error *err)
{
    struct oro_gpu_options gpu = {.index = ORO_DEVICE_ANY, .log = &cli_log};
    *fit = (struct cli_fit){.memory_bytes = request->memory_bytes,
                            .whole = request->whole,
                            .tile = request->tile,
                            .always = request->whole || request->tile};
    *limit = 0;
    if (request->memory_bytes && !request->device)
        return true;
    if (request->device && !oro_device_parse(request->device, &gpu.index))
        return oro_fail(err, ORO_E_USAGE,
                        "--device takes a number of 'orograph devices', or 'processor': '%s'",
                        request->device);
    struct oro_device *device = oro_device_open(&gpu, err);
    if (!device)
        return false;
    snprintf(answer->device, sizeof answer->device, "%s", device->info.name);
    *limit = device->info.buffer_limit;
    fit->never = device->ops->memory != NULL;
    if (!fit->memory_bytes)
        fit->memory_bytes = oro_gpu_budget(&device->info);
    device->ops->destroy(device);
    return !fit->never || !fit->always ||
           oro_fail(err, ORO_E_DEVICE,
                    "'%s' keeps rasters whole: tiles need a device that runs kernels (--device)",
                    answer->device);
}

static void ask_tiles(const struct cli_graph *graph, const struct oro_plan_options *given,
                      const struct cli_fit *fit, struct cli_memory_answer *answer)
{
    struct oro_plan_options options = *given;
    struct cli_fit in_tiles = *fit;
    in_tiles.always = true;
    struct oro_plan *plan = cli_fit_plan(graph, &in_tiles, &options, NULL, &answer->tiles_err);
    if (!plan)
        return;
    answer->whole = !plan->spread;
    answer->spread = options.spread;
    answer->least_bytes = plan->least_bytes;
    answer->peak_bytes = plan->peak_bytes;
    answer->tile_bytes = plan->peak_tiles;
    answer->host_bytes = plan->peak_host;
    answer->out_of_core = plan->out_of_core;
    answer->ranks = plan->ranks;
    oro_plan_destroy(plan);
}

bool cli_memory_ask(const struct cli_graph *graph, const struct oro_plan *plan,
                    const struct oro_plan_options *options, const struct cli_memory_request *request,
                    struct cli_memory_answer *answer, struct oro_error *err)
{
    struct cli_fit fit;
    size_t limit;
    *answer = (struct cli_memory_answer){.whole_bytes = plan->peak_bytes, .ranks = 1};
    if (!ask_device(request, answer, &fit, &limit, err))
        return false;
    answer->memory_bytes = fit.memory_bytes;
    if (answer->device[0])
        answer->time = oro_forecast_plan(plan, NULL, answer->device);
    bool fits = plan->peak_bytes <= fit.memory_bytes && (!limit || plan->largest_buffer <= limit);
    answer->whole = fits && !fit.always;
    if (!answer->whole && fit.never)
        oro_fail(&answer->tiles_err, ORO_E_DEVICE, "'%s' keeps rasters whole", answer->device);
    else if (!answer->whole)
        ask_tiles(graph, options, &fit, answer);
    return true;
}

/* Only if something is known. */
static void print_time(const struct cli_memory_answer *answer)
{
    char time[CLI_ABOUT_SIZE];
    if (answer->time.known > 0)
        printf("time    %s %s on %s, less what the cache has\n", answer->time.unknown ? "at least" : "about",
               cli_about(answer->time.seconds, time), answer->device);
}

void cli_memory_print(const struct cli_memory_answer *answer)
{
    char whole[CLI_BYTES_SIZE], has[CLI_BYTES_SIZE], peak[CLI_BYTES_SIZE], host[CLI_BYTES_SIZE],
        least[CLI_BYTES_SIZE];
    printf("whole   about %s of device memory; %s has %s\n", cli_bytes_text(answer->whole_bytes, whole),
           answer->device[0] ? answer->device : "the device", cli_bytes_text(answer->memory_bytes, has));
    print_time(answer);
    if (answer->whole)
        return;
    if (answer->tiles_err.text[0]) {
        printf("tiles   none: %s\n", answer->tiles_err.text);
        return;
    }
    printf("tiles   of %d cells a side: about %s of device memory, at least %s, and %s of the host's, by one "
           "process\n",
           answer->spread.tile, cli_bytes_text(answer->peak_bytes, peak),
           cli_bytes_text(answer->least_bytes, least), cli_bytes_text(answer->host_bytes, host));
    if (answer->ranks == 1)
        printf("ranks   one is enough to keep all tiles on the device\n");
    else if (answer->ranks)
        printf("ranks   %d of orograph-mpi, with %s each, keep all tiles on their devices\n", answer->ranks,
               has);
    else
        printf("ranks   no number of devices with %s keeps all tiles there\n", has);
}

json_t *cli_memory_json(const struct cli_memory_answer *answer)
{
    json_t *object = json_object();
    cli_json_text(object, "device", answer->device[0] ? answer->device : NULL);
    cli_json_integer(object, "device_memory", (int64_t)answer->memory_bytes);
    cli_json_integer(object, "whole_bytes", (int64_t)answer->whole_bytes);
    cli_json_flag(object, "whole", answer->whole);
    cli_json_add(object, "seconds", answer->time.known > 0 ? json_real(answer->time.seconds) : NULL);
    if (answer->whole)
        return object;
    cli_json_text(object, "problem", answer->tiles_err.text[0] ? answer->tiles_err.text : NULL);
    if (answer->tiles_err.text[0])
        return object;
    cli_json_integer(object, "tile", answer->spread.tile);
    cli_json_integer(object, "depth", answer->spread.depth);
    cli_json_integer(object, "device_bytes", (int64_t)answer->peak_bytes);
    cli_json_integer(object, "least_device_bytes", (int64_t)answer->least_bytes);
    cli_json_integer(object, "tile_bytes", (int64_t)answer->tile_bytes);
    cli_json_integer(object, "host_bytes", (int64_t)answer->host_bytes);
    cli_json_flag(object, "out_of_core", answer->out_of_core);
    cli_json_add(object, "ranks", answer->ranks ? json_integer(answer->ranks) : NULL);
    return object;
}
