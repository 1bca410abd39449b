#include "cli/engine/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "base/file.h"
#include "cli/engine/interrupt.h"
#include "cli/options/deliver.h"
#include "cli/options/mesh.h"
#include "cli/options/weights.h"
#include "cli/report/console.h"
#include "formats/network/network_file.h"
#include "formats/range.h"
#include "graph/eval/evaluator.h"
#include "graph/type/said.h"
#include "terrain/network/network.h"

bool cli_output_check(const char *path, const struct oro_output *output, struct oro_error *err)
{
    bool lines = oro_network_file_known(path);
    if (output->type == ORO_NETWORK && !lines)
        return oro_fail(err, ORO_E_USAGE, "'%s': output '%s' is a network, which is written as one of %s",
                        path, output->name, oro_network_file_names);
    if (output->type != ORO_NETWORK && lines)
        return oro_fail(err, ORO_E_USAGE, "'%s': output '%s' is %s, and .%s holds networks", path,
                        output->name, oro_type_phrase(output->type), oro_path_extension(path));
    if (output->type == ORO_NETWORK)
        return oro_file_may_write(path, err);
    if (output->type == ORO_IMAGE && !oro_image_writable(path))
        return oro_fail(err, ORO_E_USAGE, "'%s': output '%s' is an image, which is written as .png", path,
                        output->name);
    if (output->type == ORO_VECTOR)
        return oro_fail(err, ORO_E_USAGE,
                        "output '%s' is of type %s, which only an .exr file holds, beside other outputs",
                        output->name, oro_type_name(output->type));
    if (!oro_format_writable(path))
        return oro_fail(err, ORO_E_USAGE, "'%s': the file's extension must be one of %s", path,
                        oro_format_names);
    return oro_format_may_write(path, err);
}

bool cli_stopped(void *unused)
{
    (void)unused;
    return !cli_interrupt_none(NULL);
}

double cli_tidy(double value, int digits)
{
    return fabs(value) * pow(10, digits) < 0.5 ? 0 : value;
}

void cli_range_of(const float *data, size_t count, double *low, double *high)
{
    struct oro_height_range range = oro_range_of(data, count);
    *low = range.low;
    *high = range.high;
}

void cli_say_drainage(const char *path, const struct oro_write_options *options)
{
    char text[ORO_DRAINAGE_TEXT];
    const struct oro_certificate *drainage = &options->written->measure.drainage;
    if (options->not_terrain)
        return;
    bool advice = drainage->depressions > 0 && options->drain_advice;
    bool simplified = options->written->mesh.triangles > 0 && !options->written->mesh.whole;
    printf("%s: %s%s%s%s\n", path, simplified ? "before it was simplified: " : "",
           oro_drainage_text(drainage, text), advice ? "; " : "", advice ? options->drain_advice : "");
    char kept[ORO_DRAIN_KEPT_TEXT];
    if (oro_drain_kept_text(options->written, kept)[0])
        printf("%s: %s\n", path, kept);
}

/* A copy in a size that the engine takes, and the weight maps with it. */
static bool store_resized(const char *path, const struct oro_heightfield *field, int width, int height,
                          struct oro_write_options *options, struct oro_error *err)
{
    struct oro_heightfield resized = {0};
    struct cli_weights weights = {0};
    bool ok = true;
    oro_engine_note_stretch(options->engine, path, (const int[]){field->width, field->height},
                            (const int[]){width, height}, options->log);
    for (size_t i = 0; ok && options->weights && i < options->weights->count; i++)
        ok = cli_weights_add(&weights, options->weights->names[i], options->weights->masks[i], err);
    ok = ok && cli_weights_resize(&weights, field->width, field->height, width, height, err) &&
         oro_drain_keep(field, options, err) &&
         oro_heightfield_resize(field, width, height, options->resampling, &resized, err);
    options->weights = options->weights ? &weights.weights : NULL;
    ok = ok && oro_heightfield_write(path, &resized, options, err);
    cli_weights_free(&weights);
    oro_heightfield_free(&resized);
    return ok;
}

/* A field without its values. */
static struct oro_heightfield field_on(const struct oro_grid *grid, const struct oro_output *output,
                                       const struct oro_place *world, const struct oro_write_options *options)
{
    return (struct oro_heightfield){.width = grid->width,
                                    .height = grid->height,
                                    .cell = grid->cell,
                                    .metres = output->unit == ORO_METRE || !options->not_terrain,
                                    .place = oro_place_within(world, grid->x, grid->y)};
}

static bool store_field(const char *path, const struct oro_output *output, const struct oro_value *value,
                        const float *data, const struct oro_place *world,
                        const struct oro_write_options *given, struct oro_written *written,
                        struct oro_error *err)
{
    struct oro_heightfield field = field_on(&value->grid, output, world, given);
    struct oro_write_options options = *given;
    int width = oro_engine_side(given->engine, field.width);
    int height = oro_engine_side(given->engine, field.height);
    /* The writer only reads the data; the cast is needed because a heightfield can also own its data. */
    field.data = (float *)data;
    options.written = written;
    if (options.not_terrain && !options.channel)
        options.channel = output->name; /* else the channel would be called a height */
    if (given->tiling || (width == field.width && height == field.height))
        return oro_heightfield_write(path, &field, &options, err);
    field.sea = (float *)options.sea_mask; /* resampled with the heights */
    options.sea_mask = NULL;
    return store_resized(path, &field, width, height, &options, err);
}

static const struct oro_network *network_of(struct oro_value *value, struct oro_error *err)
{
    const void *data = oro_value_host(value, err);
    return data ? oro_network_of(data, oro_value_bytes(value), err) : NULL;
}

bool cli_output_store(const char *path, const struct oro_output *output, struct oro_value *value,
                      const struct oro_place *world, const struct oro_write_options *options,
                      struct oro_written *written, struct oro_error *err)
{
    if (value->type == ORO_NETWORK) {
        const struct oro_network *network = network_of(value, err);
        return network && oro_network_file_write(network, world, path, err);
    }
    const float *data = oro_value_host(value, err);
    if (!data)
        return false;
    if (value->type == ORO_IMAGE && options->tiling)
        return oro_image_write_tiles(path, options->tiling, value->grid.width, value->grid.height, data, err);
    if (value->type == ORO_IMAGE)
        return oro_image_write(path, value->grid.width, value->grid.height, data, err);
    return store_field(path, output, value, data, world, options, written, err);
}

/* Advice where resampling for an engine broke the drainage. */
static const char *advise_draining(const char *path, const struct oro_engine *engine, char *text, size_t size)
{
    snprintf(text, size,
             "the terrain did not drain before it was resampled, either: --drain repair carves '%.200s' open "
             "for %s, "
             "or put a breach node before it",
             path, engine->title);
    return text;
}

static void say_field(const char *path, const struct oro_output *output, const struct oro_grid *grid,
                      const struct oro_height_range *range, const struct oro_write_options *options)
{
    double low = range->low, high = range->high;
    const struct oro_measure *measure = &options->written->measure;
    if (measure->width != grid->width || measure->height != grid->height) {
        low = measure->low; /* it was resampled */
        high = measure->high;
    }
    const char *unit = oro_unit_name(output->unit);
    int digits = output->unit == ORO_METRE ? 1 : output->unit == ORO_METRE_PER_YEAR ? 6 : 3;
    char mesh[CLI_MESH_TEXT];
    printf("wrote %s (%d x %d, %.*f..%.*f%s%s%s)\n", path, options->written->measure.width,
           options->written->measure.height, digits, cli_tidy(low, digits), digits, cli_tidy(high, digits),
           unit[0] ? " " : "", unit, cli_mesh_text(&options->written->mesh, mesh));
    cli_say_drainage(path, options);
    cli_deliver_say(path, grid->width, grid->height, options);
}

bool cli_output_write(const char *path, const struct oro_output *output, struct oro_value *value,
                      const struct oro_place *world, const struct oro_write_options *given,
                      struct oro_error *err)
{
    struct oro_written written = {0};
    struct oro_write_options options = *given;
    char advice[512];
    options.written = &written;
    if (!cli_output_store(path, output, value, world, given, &written, err))
        return false;
    const struct oro_network *network = value->type == ORO_NETWORK ? network_of(value, err) : NULL;
    if (network)
        printf("wrote %s (%" PRIu32 " lines, %" PRIu32 " vertices)\n", path, network->line_count,
               network->vertex_count);
    else if (value->type == ORO_IMAGE)
        printf("wrote %s (%d x %d)\n", path, value->grid.width, value->grid.height);
    else if (written.measure.width != value->grid.width || written.measure.height != value->grid.height)
        options.drain_advice = advise_draining(path, options.engine, advice, sizeof advice);
    if (value->type != ORO_NETWORK && value->type != ORO_IMAGE) {
        struct oro_height_range range =
            oro_range_of(oro_value_host(value, err), oro_grid_cells(&value->grid));
        say_field(path, output, &value->grid, &range, &options);
    }
    return true;
}

bool cli_output_write_tiles(const char *path, const struct oro_output *output,
                            const struct oro_spread_raster *raster, const struct oro_height_range *range,
                            const struct oro_place *world, const struct oro_write_options *given, bool *done,
                            struct oro_error *err)
{
    struct oro_written written = {0};
    struct oro_write_options options = *given;
    struct oro_heightfield about = field_on(&raster->grid, output, world, given);
    options.written = &written;
    *done = oro_spread_file_fits(path, raster, &about, range, &options);
    if (!*done)
        return true;
    if (!oro_spread_file_write(path, raster, &about, range, &options, done, err))
        return false;
    if (written.measure.width > 0) /* rank 0 knows what was written, if anything was */
        say_field(path, output, &raster->grid, range, &options);
    return true;
}

const struct oro_output *cli_given_output(const struct oro_plan *plan, size_t target,
                                          const struct oro_output *wanted)
{
    struct oro_plan_source source = plan->targets[target];
    return wanted->type == ORO_UPLIFT ? &plan->steps[source.step].type->outputs[source.output] : wanted;
}

/* What to do about a terrain that does not drain. */
static const char *drain_advice(const struct oro_lineage *lineage)
{
    if (!lineage->drained_by)
        return "put a breach node before it, or give --drain repair";
    return lineage->changed_by || lineage->resampled
               ? "write the terrain right after its breach node, or give --drain repair"
               : "its breach node left them to a sea: tell it by --sea M, by the world's sea, or by an "
                 "output 'sea'; or give --drain repair";
}

static void tell_notices(const void *value, const struct oro_log *log)
{
    oro_said_tell(((const struct oro_value *)value)->said, false, log);
}

bool cli_output_options(const struct oro_plan *plan, size_t target, const struct oro_value *value,
                        const void *data, size_t count, char digest[ORO_HASH_TEXT],
                        struct oro_write_options *options, struct oro_error *err)
{
    struct oro_lineage lineage;
    if (!oro_plan_lineage(plan, plan->targets[target], &lineage, err))
        return false;
    *options = (struct oro_write_options){
        .sidecar = {.seed = plan->seed,
                    .graph_digest = oro_hash_text(plan->steps[plan->targets[target].step].key, digest),
                    .document = plan->document,
                    .device = plan->device,
                    .notices = tell_notices,
                    .notices_user = value},
        .not_terrain = value->type != ORO_FIELD || !oro_lineage_is_terrain(&lineage, data, count),
        .has_sea = plan->has_sea,
        .sea = plan->sea,
        .stop = cli_stopped,
        .log = &cli_log,
        .drain_advice = drain_advice(&lineage),
    };
    return true;
}

const char *cli_file_of(const struct oro_step *step, const struct oro_input *input)
{
    if (input->type != ORO_FILE)
        return "";
    const char *path = *(const char *const *)((const char *)step->params + input->offset);
    return path ? path : "";
}
