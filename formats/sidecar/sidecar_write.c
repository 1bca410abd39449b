#include "formats/sidecar/sidecar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"

static void add_number(struct oro_text *text, const char *key, double value)
{
    char number[ORO_NUMBER_SIZE];
    oro_text_addf(text, "  \"%s\": %s,\n", key, oro_format_number(value, number));
}

/* jansson accepts only UTF-8, but paths can be any bytes. */
static json_t *text_node(const char *value)
{
    json_t *node = json_string(value);
    char *plain = node ? NULL : oro_copy_text(value);
    if (!plain)
        return node;
    for (char *s = plain; *s; s++)
        if ((unsigned char)*s >= 0x80)
            *s = '?';
    node = json_string(plain);
    oro_free(plain);
    return node;
}

static void add_quoted(struct oro_text *text, const char *value)
{
    json_t *node = text_node(value);
    char *quoted = node ? json_dumps(node, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        oro_text_add(text, quoted);
    else
        text->failed = true;
    free(quoted); /* jansson's */
    json_decref(node);
}

static void add_string(struct oro_text *text, const char *key, const char *value)
{
    if (!value)
        return;
    oro_text_addf(text, "  \"%s\": ", key);
    add_quoted(text, value);
    oro_text_add(text, ",\n");
}

/* Adds a member of "hydrology", on the line where the one before it ended. */
static void add_inner_number(struct oro_text *text, const char *key, double value)
{
    char number[ORO_NUMBER_SIZE];
    oro_text_addf(text, ",\n    \"%s\": %s", key, oro_format_number(value, number));
}

static void add_hydrology(struct oro_text *text, const struct oro_record *record)
{
    if (record->tile_of) {
        oro_text_add(text, ",\n  \"tile_of\": ");
        add_quoted(text, record->tile_of);
        return;
    }
    if (record->options->not_terrain)
        return;
    oro_text_add(text, ",\n  \"hydrology\": {\n");
    if (record->codec->write_mesh && !record->written->mesh.whole)
        oro_text_add(text, "    \"of\": \"the grid before it was simplified\",\n");
    const struct oro_certificate *drainage = &record->written->measure.drainage;
    const struct oro_drain_cost *cost = &record->written->cost;
    const struct oro_sidecar *given = &record->options->sidecar;
    oro_text_addf(text, "    \"drained\": %s", drainage->depressions == 0 ? "true" : "false");
    add_inner_number(text, "closed_depressions", (double)drainage->depressions);
    add_inner_number(text, "undrained_cells", (double)drainage->undrained);
    add_inner_number(text, "pits", (double)drainage->pits);
    add_inner_number(text, "flats", (double)drainage->flats);
    add_inner_number(text, "share_ending_in_pit", drainage->share_ending_in_pit);
    bool has_volume = record->written->measure.cell > 0;
    oro_text_addf(text, ",\n    \"method\": \"%s\"",
                  record->options->drain == ORO_DRAIN_NONE ? "none"
                                                           : oro_drain_words[record->options->drain]);
    add_inner_number(text, "cells_changed", (double)cost->cells);
    add_inner_number(text, "deepest_cut", cost->deepest_cut);
    add_inner_number(text, "highest_raise", cost->highest_raise);
    if (has_volume) {
        add_inner_number(text, "cut_volume", cost->cut_volume);
        add_inner_number(text, "raise_volume", cost->raise_volume);
    }
    if (record->written->measure.sea > 0)
        add_inner_number(text, "sea_cells", (double)record->written->measure.sea);
    char cut[ORO_NUMBER_SIZE], volume[ORO_NUMBER_SIZE];
    if (given->breach_node) /* a node's id needs no escaping, because of its form */
        oro_text_addf(text, ",\n    \"breach\": {\"node\": \"%s\", \"deepest_cut\": %s, \"cut_volume\": %s}",
                      given->breach_node, oro_format_number(given->breach_deepest_cut, cut),
                      oro_format_number(given->breach_cut_volume, volume));
    oro_text_add(text, "\n  }");
}

/* --- what it was made from --- */

static void add_facts(struct oro_text *text, const char *key, const struct oro_account *account,
                      enum oro_whence whence)
{
    const char *fact;
    oro_text_addf(text, ",\n    \"%s\": [", key);
    for (int i = 0; (fact = oro_account_fact(account, whence, i)); i++)
        oro_text_addf(text, "%s\"%s\"", i ? ", " : "", fact);
    oro_text_add(text, "]");
}

struct notices {
    struct oro_text *text;
    bool any;
};

static void add_notice(void *user, enum oro_level level, const char *notice)
{
    struct notices *notices = user;
    (void)level;
    oro_text_add(notices->text, notices->any ? ",\n    " : ",\n  \"notices\": [\n    ");
    add_quoted(notices->text, notice);
    notices->any = true;
}

/* Which facts the file that was read had told, and which were assumed. */
static void add_source(struct oro_text *text, const struct oro_account *account)
{
    oro_text_add(text, ",\n  \"source\": {\n    \"file\": ");
    add_quoted(text, account->file);
    add_facts(text, "told", account, ORO_TOLD);
    add_facts(text, "given", account, ORO_GIVEN);
    add_facts(text, "assumed", account, ORO_ASSUMED);
    oro_text_add(text, "\n  }");
}

static void add_notices(struct oro_text *text, const struct oro_record *record)
{
    const struct oro_sidecar *given = &record->options->sidecar;
    struct notices notices = {text, false};
    const struct oro_log log = {add_notice, &notices};
    if (record->tile_of)
        return;
    if (record->field->account.file[0]) {
        add_source(text, &record->field->account);
        oro_account_note(&record->field->account, &log);
    }
    if (given->notices)
        given->notices(given->notices_user, &log);
    oro_text_add(text, notices.any ? "\n  ]" : "");
}

/* --- for engines, and in tiles --- */

static void add_engine(struct oro_text *text, const struct oro_record *record)
{
    const struct oro_engine_figures *figures = &record->written->figures;
    char number[ORO_NUMBER_SIZE];
    if (!record->options->engine)
        return;
    oro_text_addf(text, ",\n  \"engine\": {\n    \"name\": \"%s\"", record->options->engine->name);
    for (size_t i = 0; i < figures->count; i++)
        oro_text_addf(text, ",\n    \"%s\": %s", figures->items[i].key,
                      oro_format_number(figures->items[i].value, number));
    oro_text_add(text, "\n  }");
}

static void add_file(struct oro_text *text, char *path)
{
    oro_text_add(text, "{\"file\": ");
    if (path)
        add_quoted(text, oro_path_name(path));
    text->failed = text->failed || !path;
    oro_free(path);
}

static void add_picture(struct oro_text *text, const struct oro_record *record,
                        const struct oro_tile_place *tile, size_t picture)
{
    const struct oro_weight_maps *weights = record->options->weights;
    bool packed = record->options->engine && record->options->engine->packs;
    size_t first = packed ? 4 * picture : picture, end = packed ? first + 4 : first + 1;
    add_file(text, oro_weights_path(record->options, record->path, tile, picture));
    oro_text_add(text, ", \"masks\": [");
    for (size_t i = first; i < end && i < weights->count; i++) {
        oro_text_add(text, i > first ? ", " : "");
        add_quoted(text, weights->names[i]);
    }
    oro_text_add(text, "]}");
}

/* Of the manifest, each tile's. */
static void add_weights(struct oro_text *text, const struct oro_record *record)
{
    const struct oro_weight_maps *weights = record->options->weights;
    const struct oro_tiling *tiling = record->options->tiling;
    int width = record->written->measure.width, height = record->written->measure.height;
    if (!weights || record->tile_of)
        return;
    size_t pictures =
        oro_weights_pictures(weights, record->options->engine && record->options->engine->packs);
    oro_text_add(text, ",\n  \"weights\": [");
    for (int i = 0; i < oro_tile_count(tiling, width, height); i++) {
        struct oro_tile_place tile = oro_tile_at(tiling, i, width, height);
        for (size_t k = 0; k < pictures; k++) {
            oro_text_add(text, i || k ? ",\n    " : "\n    ");
            add_picture(text, record, &tile, k);
        }
    }
    oro_text_add(text, "\n  ]");
}

void oro_tiles_add(struct oro_text *text, const struct oro_tiling *tiling, const char *path, int width,
                   int height, const struct oro_hash *digests)
{
    char digest[ORO_HASH_TEXT];
    oro_text_addf(text,
                  ",\n  \"tiles\": {\n    \"side\": %d,\n    \"overlap\": %d,\n    \"columns\": %d,\n    "
                  "\"rows\": %d,\n    \"files\": [",
                  tiling->side, tiling->overlap, oro_tiling_count(tiling, width),
                  oro_tiling_count(tiling, height));
    for (int i = 0; i < oro_tile_count(tiling, width, height) && !text->failed; i++) {
        struct oro_tile_place tile = oro_tile_at(tiling, i, width, height);
        oro_text_add(text, i ? ",\n      " : "\n      ");
        add_file(text, oro_tile_path(tiling, &tile, path, "", oro_path_extension(path)));
        oro_text_addf(text, ", \"x\": %d, \"y\": %d, \"column\": %d, \"row\": %d", tile.x, tile.y,
                      tile.column, tile.row);
        if (digests)
            oro_text_addf(text, ", \"digest\": \"%s\"", oro_hash_text(digests[i], digest));
        oro_text_add(text, "}");
    }
    oro_text_add(text, "\n    ]\n  }");
}

static void add_mesh(struct oro_text *text, const struct oro_record *record)
{
    const struct oro_mesh_made *made = &record->written->mesh;
    const struct oro_mesh_options *options = &record->options->mesh;
    oro_text_addf(text, "  \"mesh\": {\n    \"up\": \"%s\"", record->codec == &oro_codec_glb ? "y" : "z");
    add_inner_number(text, "vertices", (double)made->vertices);
    add_inner_number(text, "triangles", (double)made->triangles);
    add_inner_number(text, "surface_triangles", (double)made->surface_triangles);
    add_inner_number(text, "largest_error", made->deviation.largest);
    add_inner_number(text, "rms_error", made->deviation.rms);
    if (options->skirt > 0)
        add_inner_number(text, "skirt", options->skirt);
    if (options->base > 0)
        add_inner_number(text, "base", options->base);
    oro_text_add(text, "\n  },\n");
}

void oro_sidecar_write(const struct oro_record *record, struct oro_text *text)
{
    const struct oro_measure *measure = &record->written->measure;
    const struct oro_sidecar *given = &record->options->sidecar;
    char digest[ORO_HASH_TEXT];
    oro_text_addf(text, "{\n  \"width\": %d,\n  \"height\": %d,\n", measure->width, measure->height);
    if (measure->cell > 0 && measure->cell <= ORO_SIDECAR_METRES_MAX)
        add_number(text, "cell_size", measure->cell);
    if (record->field->place.crs) {
        add_string(text, "crs", record->field->place.crs);
        add_number(text, "west", record->field->place.west);
        add_number(text, "north", record->field->place.north);
    }
    add_number(text, "minimum", measure->low);
    add_number(text, "maximum", measure->high);
    if (record->field->has_sea_level)
        add_number(text, "sea", record->field->sea_level);
    if (record->field->has_sea_level && record->field->sea_inland)
        add_string(text, "sea_reach", "everywhere");
    if (record->shape->largest > 0) {
        add_number(text, "low", record->range.low);
        add_number(text, "high", record->range.high);
    }
    if (record->codec->write_mesh) {
        add_mesh(text, record);
    } else {
        add_string(text, "endianness", record->shape->big_endian ? "big" : "little");
        add_string(text, "row_order", record->shape->south_first ? "south_first" : "north_first");
    }
    add_string(text, "format", record->codec->name);
    if (record->digests && !record->tiles)
        add_string(text, "digest", oro_hash_text(*record->digests, digest));
    if (record->sample)
        add_string(text, "sample", oro_hash_text(*record->sample, digest));
    oro_text_addf(text, "  \"seed\": %" PRId64 ",\n", given->seed);
    add_string(text, "graph", given->graph_digest);
    add_string(text, "document", given->document);
    add_string(text, "device", given->device);
    oro_text_add(text, "  \"program\": \"orograph " OROGRAPH_VERSION "\"");
    add_notices(text, record);
    add_hydrology(text, record);
    add_engine(text, record);
    add_weights(text, record);
    if (record->tiles)
        oro_tiles_add(text, record->options->tiling, record->path, measure->width, measure->height,
                      record->digests);
    oro_text_add(text, "\n}\n");
}

size_t oro_sidecar_take_sample_out(char *text, size_t size)
{
    static const char key[] = "\n  \"sample\":"; /* as add_string puts it */
    for (size_t at = 0; at + sizeof key <= size; at++) {
        const char *end =
            memcmp(text + at, key, sizeof key - 1) == 0 ? memchr(text + at + 1, '\n', size - at - 1) : NULL;
        if (!end)
            continue;
        memmove(text + at, end, size - (size_t)(end - text));
        return size - (size_t)(end - text) + at;
    }
    return size;
}
