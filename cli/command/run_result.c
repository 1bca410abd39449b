/* The results of a script: heightfields that were read, and outputs of graphs; measuring and writing them. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "cli/command/measure.h"
#include "cli/command/run.h"
#include "cli/engine/frames.h"
#include "cli/engine/output.h"
#include "cli/engine/resample.h"
#include "formats/nodata.h"

void cli_run_result_free(struct cli_run_result *result)
{
    if (!result)
        return;
    if (result->value)
        oro_value_release(result->value);
    else
        oro_heightfield_free(&result->field);
    oro_free(result->sea);
    oro_arena_destroy(result->arena);
    oro_free(result);
}

/* ---- Giving one to the script ---- */

/* Adds the members that only rasters have. */
static size_t add_raster(const struct oro_batch_value *raster, double cell, enum oro_unit unit,
                         struct oro_batch_value *items)
{
    double low, high;
    size_t count = 0;
    cli_range_of(raster->data, (size_t)raster->width * (size_t)raster->height * (size_t)raster->channels,
                 &low, &high);
    items[count++] = oro_batch_number("width", raster->width);
    items[count++] = oro_batch_number("height", raster->height);
    if (cell > 0)
        items[count++] = oro_batch_number("cell", cell);
    items[count++] = oro_batch_text("unit", oro_unit_name(unit));
    items[count++] = oro_batch_number("minimum", low);
    items[count++] = oro_batch_number("maximum", high);
    return count;
}

bool cli_run_give_result(struct oro_batch_call *call, struct cli_run_result *result, double seconds,
                         const struct oro_figure *figures, int figure_count, struct oro_error *err)
{
    enum { FIELDS = 10, OVERHEAD = 20 << 10 }; /* bytes, for the arena and what is in it */
    struct oro_value *value = result->value;
    struct oro_batch_value given = oro_batch_room(call->arena, ORO_BATCH_RESULT, NULL, FIELDS);
    given.object = result;
    given.data = value && value->channels ? value->host : result->field.data;
    given.width = value ? value->grid.width : result->field.width;
    given.height = value ? value->grid.height : result->field.height;
    given.channels = value ? value->channels : 1;
    given.bytes = OVERHEAD + (value ? oro_value_bytes(value)
                                    : (size_t)given.width * (size_t)given.height * sizeof(float));
    struct oro_batch_value table =
        oro_batch_room(call->arena, ORO_BATCH_TABLE, "figures", (size_t)figure_count);
    for (int i = 0; table.items && i < figure_count; i++)
        table.items[i] = oro_batch_number(oro_arena_text(call->arena, figures[i].name), figures[i].value);
    if (!given.items || !table.items) {
        cli_run_result_free(result);
        return oro_fail(err, ORO_E_MEMORY, "no memory for a result");
    }
    size_t count = 0;
    given.items[count++] = oro_batch_text("type", oro_type_name(result->output.type));
    given.items[count++] = oro_batch_number("seconds", seconds);
    given.items[count++] = table;
    if (given.data)
        count += add_raster(&given, value ? value->grid.cell : result->field.cell, result->output.unit,
                            given.items + count);
    given.count = count;
    call->result = given;
    return true;
}

/* ---- Reading ---- */

static double number_of(const struct oro_batch_value *table, const char *name)
{
    return oro_batch_item(table, name)->number; /* 0 where no number is given */
}

static bool given(const struct oro_batch_value *table, const char *name)
{
    return oro_batch_item(table, name)->kind != ORO_BATCH_NIL;
}

static bool range_of(const struct oro_batch_value *options, bool *has_range, double *low, double *high,
                     struct oro_error *err)
{
    *has_range = given(options, "low");
    *low = number_of(options, "low");
    *high = number_of(options, "high");
    if (given(options, "low") != given(options, "high"))
        return oro_fail(err, ORO_E_USAGE, "'low' and 'high' go together");
    return !*has_range || *low < *high || oro_fail(err, ORO_E_USAGE, "'low' must be below 'high'");
}

/* One of the words from `first` on, which `among` names; `chosen` stays as it is where none is given. */
static bool choice_of(const struct oro_batch_value *options, const char *name, const char *const *words,
                      int first, const char *among, int *chosen, struct oro_error *err)
{
    const struct oro_batch_value *word = oro_batch_item(options, name);
    if (word->kind == ORO_BATCH_NIL)
        return true;
    for (*chosen = first; words[*chosen]; ++*chosen)
        if (strcmp(word->text, words[*chosen]) == 0)
            return true;
    return oro_fail(err, ORO_E_USAGE, "'%s' must be %s", name, among);
}

static bool read_options(const struct cli_run *run, const struct oro_batch_value *options,
                         struct oro_read_options *read, struct oro_error *err)
{
    double width = number_of(options, "width"), height = number_of(options, "height");
    if (width < 0 || height < 0 || width > ORO_HEIGHTFIELD_SIDE_MAX || height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "'width' and 'height' must be from 1 to %d",
                        ORO_HEIGHTFIELD_SIDE_MAX);
    int decode = ORO_DECODE_NONE;
    if (!choice_of(options, "decode", oro_decode_words, ORO_DECODE_TERRARIUM,
                   "\"terrarium\", \"terrain-rgb\" or \"luminance\"", &decode, err))
        return false;
    *read = (struct oro_read_options){.decode = (enum oro_decode)decode,
                                      .width = (int)width,
                                      .height = (int)height,
                                      .big_endian = oro_batch_item(options, "big_endian")->boolean,
                                      .cell = number_of(options, "cell"),
                                      .unit = oro_batch_item(options, "unit")->text,
                                      .has_nodata = given(options, "nodata"),
                                      .nodata = number_of(options, "nodata"),
                                      .log = &run->work.log};
    return range_of(options, &read->has_range, &read->low, &read->high, err);
}

static struct cli_run_result *read_file(struct cli_run *run, const char *path,
                                        const struct oro_batch_value *options, struct oro_error *err)
{
    struct oro_read_options read;
    struct cli_run_result *result = oro_alloc(1, sizeof *result);
    if (result)
        result->arena = oro_arena_create();
    if (result && result->arena)
        result->path = oro_arena_text(result->arena, path);
    bool ok = (result && result->path) || oro_fail(err, ORO_E_MEMORY, "no memory for a heightfield");
    ok = ok && read_options(run, options, &read, err) &&
         oro_heightfield_read(path, &read, &result->field, err);
    if (!ok) {
        cli_run_result_free(result);
        return NULL;
    }
    result->output = (struct oro_output){
        .name = "terrain", .type = ORO_FIELD, .unit = result->field.metres ? ORO_METRE : ORO_NO_UNIT};
    result->options = (struct oro_write_options){.stop = cli_stopped,
                                                 .drain_advice = "drain = \"repair\" carves a way out"};
    return result;
}

bool cli_run_read(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    char *path = cli_places_read(&run->places, call->arguments[0].text, err);
    struct cli_run_result *result = path ? read_file(run, path, &call->arguments[1], err) : NULL;
    oro_free(path);
    return result && cli_run_give_result(call, result, 0, NULL, 0, err);
}

/* ---- Measuring ---- */

static bool need_field(const struct cli_run_result *result, const char *what, struct oro_error *err)
{
    return result->field.data || oro_fail(err, ORO_E_USAGE, "a result of type '%s' cannot be %s",
                                          oro_type_name(result->output.type), what);
}

static bool from_json(struct oro_arena *arena, const char *name, const json_t *json, bool in_list,
                      struct oro_batch_value *value);

static bool from_list(struct oro_arena *arena, const char *name, const json_t *json,
                      struct oro_batch_value *value)
{
    *value = oro_batch_room(arena, ORO_BATCH_ITEMS, name, json_array_size(json));
    bool ok = value->items;
    for (size_t i = 0; ok && i < value->count; i++)
        ok = from_json(arena, NULL, json_array_get(json, i), true, &value->items[i]);
    return ok;
}

static bool from_object(struct oro_arena *arena, const char *name, json_t *json,
                        struct oro_batch_value *value)
{
    *value = oro_batch_room(arena, ORO_BATCH_TABLE, name, json_object_size(json));
    struct oro_batch_value *item = value->items;
    bool ok = item;
    for (void *at = json_object_iter(json); ok && at; at = json_object_iter_next(json, at), item++) {
        const char *key = oro_arena_text(arena, json_object_iter_key(at));
        ok = key && from_json(arena, key, json_object_iter_value(at), false, item);
    }
    return ok;
}

/* Converts JSON for Lua. A list would end at the first nil, so unknown numbers become NaN in lists. */
static bool from_json(struct oro_arena *arena, const char *name, const json_t *json, bool in_list,
                      struct oro_batch_value *value)
{
    if (json_is_object(json))
        return from_object(arena, name, (json_t *)json, value);
    if (json_is_array(json))
        return from_list(arena, name, json, value);
    if (json_is_boolean(json))
        *value = oro_batch_boolean(name, json_is_true(json));
    else if (json_is_number(json))
        *value = oro_batch_number(name, json_number_value(json));
    else if (json_is_string(json))
        *value = oro_batch_text(name, oro_arena_text(arena, json_string_value(json)));
    else
        *value = in_list ? oro_batch_number(name, NAN) : (struct oro_batch_value){.name = name};
    return !json_is_string(json) || value->text;
}

bool cli_run_measure(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    const struct cli_run_result *result = call->self;
    double theta = number_of(&call->arguments[0], "theta");
    struct cli_measured measured;
    if (given(&call->arguments[0], "theta") && (theta < 0.01 || theta > 2))
        return oro_fail(err, ORO_E_USAGE, "'theta' must be from 0.01 to 2");
    if (!need_field(result, "measured", err) ||
        !cli_measure_field(&result->field, theta, 0, NULL, &measured, err))
        return false;
    measured.path = result->path;
    json_t *json = cli_measured_object(&measured);
    bool ok = json && from_json(call->arena, NULL, json, false, &call->result);
    json_decref(json);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for the measures");
}

/* ---- Writing ---- */

static bool bits_of(const struct oro_batch_value *options, struct oro_write_options *write,
                    struct oro_error *err)
{
    const struct oro_batch_value *word = oro_batch_item(options, "compress");
    double bits = given(options, "bits") ? number_of(options, "bits") : 32;
    if (bits != 16 && bits != 32)
        return oro_fail(err, ORO_E_USAGE, "'bits' must be 16 or 32");
    write->bits = (int)bits;
    write->cog = oro_batch_item(options, "cog")->boolean;
    if (word->kind == ORO_BATCH_NIL)
        return true;
    write->zstd = strcmp(word->text, oro_compress_words[ORO_COMPRESS_ZSTD]) == 0;
    return write->zstd || strcmp(word->text, oro_compress_words[0]) == 0 ||
           oro_fail(err, ORO_E_USAGE, "'compress' must be \"%s\" or \"%s\"", oro_compress_words[0],
                    oro_compress_words[ORO_COMPRESS_ZSTD]);
}

static bool write_options(const struct cli_run *run, const struct oro_batch_value *given_options,
                          struct oro_write_options *options, struct oro_error *err)
{
    options->big_endian = oro_batch_item(given_options, "big_endian")->boolean;
    options->half = oro_batch_item(given_options, "half")->boolean;
    options->tiled = oro_batch_item(given_options, "tiled")->boolean;
    options->require_drained = oro_batch_item(given_options, "require_drained")->boolean;
    options->drain_limit =
        given(given_options, "drain_limit") ? number_of(given_options, "drain_limit") : ORO_DRAIN_LIMIT;
    options->log = &run->work.log;
    int drain = ORO_DRAIN_NONE;
    bool chosen = choice_of(given_options, "drain", oro_drain_words, ORO_DRAIN_REPAIR,
                            "\"repair\" or \"strict\"", &drain, err);
    options->drain = (enum oro_drain)drain;
    return chosen && bits_of(given_options, options, err) &&
           range_of(given_options, &options->has_range, &options->low, &options->high, err);
}

/* A resized result is no longer what the graph's digest stands for. */
static bool write_resized(const char *path, const struct cli_run_result *result, const char *size,
                          struct oro_write_options *options, struct oro_error *err)
{
    size_t cells = (size_t)result->field.width * (size_t)result->field.height;
    struct oro_heightfield field = result->field;
    field.data = oro_alloc(cells, sizeof *field.data);
    field.sea = field.filled = NULL;
    field.place.crs = oro_copy_text(field.place.crs);
    options->sea_mask = NULL; /* it has the old size: resampled with the heights */
    if (!field.data || !field.place.crs != !result->field.place.crs) {
        oro_heightfield_free(&field);
        return oro_fail(err, ORO_E_MEMORY, "no memory for %d x %d cells", result->field.width,
                        result->field.height);
    }
    memcpy(field.data, result->field.data, cells * sizeof *field.data);
    bool ok = (!result->field.sea || oro_heightfield_mark(&field, result->field.sea, err)) &&
              (!size || oro_drain_keep(&field, options, err)) &&
              cli_resize(&field, size, ORO_RESAMPLE_MONOTONE, err);
    bool resized = field.width != result->field.width || field.height != result->field.height;
    if (resized)
        options->sidecar.graph_digest = NULL;
    oro_engine_note_stretch(NULL, path, (const int[]){result->field.width, result->field.height},
                            (const int[]){field.width, field.height}, options->log);
    if (result->path)
        cli_choose_range(&field, resized, options);
    ok = ok && oro_heightfield_write(path, &field, options, err);
    oro_heightfield_free(&field);
    return ok;
}

static bool write_result(const char *path, const struct cli_run_result *result, const char *size,
                         struct oro_write_options *options, struct oro_error *err)
{
    if (size || !result->value)
        return need_field(result, "resized", err) && write_resized(path, result, size, options, err);
    return cli_output_store(path, &result->output, result->value, &result->world, options, options->written,
                            err);
}

static bool give_written(struct oro_batch_call *call, const struct cli_run_result *result,
                         const struct oro_write_options *options, struct oro_error *err)
{
    const struct oro_measure *measure = &options->written->measure;
    call->result = oro_batch_room(call->arena, ORO_BATCH_TABLE, NULL, result->field.data ? 6 : 0);
    struct oro_batch_value *items = call->result.items;
    if (!items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a table");
    if (!result->field.data)
        return true;
    items[0] = oro_batch_number("width", measure->width);
    items[1] = oro_batch_number("height", measure->height);
    items[2] = oro_batch_number("low", measure->low);
    items[3] = oro_batch_number("high", measure->high);
    if (options->not_terrain)
        return true;
    items[4] = oro_batch_boolean("drained", measure->drainage.depressions == 0);
    items[5] = oro_batch_number("closed_depressions", (double)measure->drainage.depressions);
    return true;
}

bool cli_run_write(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    const struct cli_run_result *result = call->self;
    const char *path = call->arguments[0].text;
    const struct oro_batch_value *size = oro_batch_item(&call->arguments[1], "size");
    const char *size_text = size->kind == ORO_BATCH_NIL ? NULL : cli_run_value_text(call->arena, size);
    struct oro_written written = {0};
    struct oro_write_options options = result->options;
    options.written = &written;
    return cli_places_write(&run->places, path, err) && cli_output_check(path, &result->output, err) &&
           write_options(run, &call->arguments[1], &options, err) &&
           write_result(path, result, size_text, &options, err) && give_written(call, result, &options, err);
}

bool cli_run_hillshade(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    const struct cli_run_result *result = call->self;
    const char *path = call->arguments[0].text;
    struct oro_heightfield field = result->field;
    if (!need_field(result, "shaded", err) || !cli_places_write(&run->places, path, err))
        return false;
    if (!oro_image_writable(path))
        return oro_fail(err, ORO_E_USAGE, "'%.300s': a picture is written as .png", path);
    if (field.cell <= 0)
        field.cell = 1;
    return cli_relief_write(path, &field, err);
}
