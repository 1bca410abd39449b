#include "cli/report/report.h"

#include "base/clock.h"
#include "base/hash.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "cli/report/progress.h"
#include "devices/spread/spread.h"

void cli_report_begin(struct cli_report *report, const char *path, const char *document)
{
    *report = (struct cli_report){.path = path, .began = oro_now()};
    if (!path)
        return;
    report->root = json_object();
    report->steps = json_array();
    report->outputs = json_array();
    cli_json_text(report->root, "program", "orograph " OROGRAPH_VERSION);
    cli_json_text(report->root, "document", document);
}

void cli_report_device(struct cli_report *report, const struct oro_device *device)
{
    if (!report->path)
        return;
    json_t *object = json_object();
    cli_json_text(object, "name", device->info.name);
    cli_json_text(object, "version", device->info.version);
    cli_json_text(object, "platform", device->info.platform);
    cli_json_flag(object, "software", device->info.software);
    cli_json_add(report->root, "device", object);
}

void cli_report_plan(struct cli_report *report, const struct oro_plan *plan, int max_resolution)
{
    if (!report->path)
        return;
    const struct oro_grid *from = &plan->world;
    json_t *world = json_object();
    cli_json_number(world, "extent", from->cell * from->width);
    cli_json_integer(world, "resolution", from->width);
    cli_json_number(world, "aspect", (double)from->height / from->width);
    cli_json_add(report->root, "world", world);
    cli_json_integer(report->root, "seed", plan->seed);
    cli_json_add(report->root, "max_resolution", max_resolution ? json_integer(max_resolution) : NULL);
    cli_json_flag(report->root, "capped", plan->capped);
    json_t *planned = json_object();
    cli_json_integer(planned, "device_bytes", (int64_t)plan->peak_bytes);
    cli_json_integer(planned, "tile_bytes", (int64_t)plan->peak_tiles);
    cli_json_integer(planned, "host_bytes", (int64_t)plan->peak_host);
    cli_json_add(report->root, "planned", planned);
}

static json_t *figures_of(const struct oro_step_report *step)
{
    json_t *figures = json_object();
    for (int i = 0; i < step->figure_count; i++) {
        json_t *figure = json_object();
        cli_json_number(figure, "value", step->figures[i].value);
        cli_json_text(figure, "unit", step->figures[i].unit);
        cli_json_add(figures, step->figures[i].name, figure);
    }
    return figures;
}

void cli_report_step(struct cli_report *report, const struct oro_step_report *done)
{
    if (!report->path)
        return;
    char digits[ORO_HASH_TEXT];
    const struct oro_step *step = done->step;
    bool digested = done->digest.low || done->digest.high;
    json_t *object = json_object();
    cli_json_text(object, "id", step->id);
    cli_json_text(object, "type", step->type->id);
    cli_json_text(object, "outcome", cli_outcome_name(done->outcome));
    cli_json_text(object, "key", oro_hash_text(step->key, digits));
    cli_json_text(object, "digest", digested ? oro_hash_text(done->digest, digits) : NULL);
    cli_json_integer(object, "width", step->grid.width);
    cli_json_integer(object, "height", step->grid.height);
    cli_json_number(object, "cell", step->grid.cell);
    cli_json_seconds(object, "seconds", done->seconds);
    cli_json_seconds(object, "device_seconds", done->device_seconds);
    cli_json_integer(object, "dispatches", (int64_t)done->dispatches);
    cli_json_integer(object, "iterations_run", done->iterations_run);
    cli_json_integer(object, "resumed_from", done->resumed_from);
    cli_json_flag(object, "capped", step->capped);
    cli_json_add(object, "figures", figures_of(done));
    json_array_append_new(report->steps, object);
}

void cli_report_ranks(struct cli_report *report, int count, const uint64_t sums[2], double seconds)
{
    if (!report->path)
        return;
    json_t *object = json_object();
    cli_json_integer(object, "count", count);
    cli_json_integer(object, "bytes_sent", (int64_t)sums[0]);
    cli_json_integer(object, "messages_sent", (int64_t)sums[1]);
    cli_json_seconds(object, "seconds", seconds);
    cli_json_add(report->root, "ranks", object);
}

void cli_report_output(struct cli_report *report, const char *file, const struct oro_hash *digest)
{
    if (!report->path)
        return;
    char digits[ORO_HASH_TEXT];
    json_t *object = json_object();
    cli_json_text(object, "file", file);
    if (digest)
        cli_json_text(object, "digest", oro_hash_text(*digest, digits));
    json_array_append_new(report->outputs, object);
}

static json_t *error_of(const struct oro_error *failure)
{
    json_t *object = json_object();
    cli_json_text(object, "code", cli_code_name(failure->code));
    cli_json_text(object, "text", failure->text);
    if (failure->document[0])
        cli_json_text(object, "document", failure->document);
    if (failure->line > 0)
        cli_json_integer(object, "line", failure->line);
    if (failure->node[0])
        cli_json_text(object, "node", failure->node);
    return object;
}

/* What rasters in tiles took: bytes that were moved, and where the time went. */
static void add_spread(json_t *root, const struct oro_device *device)
{
    struct oro_spread_counts counts = oro_spread_counts(device);
    json_t *object = json_object();
    cli_json_integer(object, "chains", (int64_t)counts.chains);
    cli_json_integer(object, "dispatches", (int64_t)counts.dispatches);
    cli_json_integer(object, "loaded_bytes", (int64_t)counts.loaded_bytes);
    cli_json_integer(object, "stored_bytes", (int64_t)counts.stored_bytes);
    cli_json_integer(object, "to_host_bytes", (int64_t)counts.to_host_bytes);
    cli_json_integer(object, "from_host_bytes", (int64_t)counts.from_host_bytes);
    cli_json_integer(object, "to_disk_bytes", (int64_t)counts.to_disk_bytes);
    cli_json_integer(object, "from_disk_bytes", (int64_t)counts.from_disk_bytes);
    cli_json_integer(object, "peak_host_bytes", (int64_t)counts.peak_host_bytes);
    cli_json_integer(object, "peak_disk_bytes", (int64_t)counts.peak_disk_bytes);
    cli_json_integer(object, "peak_tile_bytes", (int64_t)counts.peak_tile_bytes);
    cli_json_seconds(object, "seconds", counts.seconds);
    cli_json_seconds(object, "message_seconds", counts.message_seconds);
    cli_json_seconds(object, "load_seconds", counts.load_seconds);
    cli_json_seconds(object, "step_seconds", counts.step_seconds);
    cli_json_seconds(object, "store_seconds", counts.store_seconds);
    cli_json_seconds(object, "wait_seconds", counts.wait_seconds);
    cli_json_seconds(object, "disk_seconds", counts.disk_seconds);
    cli_json_add(root, "spread", object);
}

static size_t peak_of(const struct oro_device *device)
{
    return device->tiles ? oro_spread_counts(device).peak_device_bytes : device->peak_bytes;
}

bool cli_report_end(struct cli_report *report, const struct oro_device *device,
                    const struct oro_error *failure, struct oro_error *err)
{
    if (!report->path)
        return true;
    cli_json_seconds(report->root, "seconds", oro_now() - report->began);
    if (device)
        cli_json_integer(report->root, "peak_device_bytes", (int64_t)peak_of(device));
    if (device && device->tiles)
        add_spread(report->root, device);
    cli_json_add(report->root, "steps", report->steps);
    cli_json_add(report->root, "outputs", report->outputs);
    if (failure)
        cli_json_add(report->root, "error", error_of(failure));
    bool ok = cli_json_write(report->root, report->path, err);
    json_decref(report->root);
    *report = (struct cli_report){0};
    return ok;
}
