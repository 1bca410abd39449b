#include "formats/sidecar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/file_digest.h"
#include "base/memory.h"
#include "formats/json_memory.h"
#include "formats/nodata.h"

/* A sidecar has some 600 bytes; users may have added to it. */
#define SIDECAR_BYTES_MAX ((size_t)1 << 20)
#define CELL_MAX 1e9

char *oro_sidecar_path(const char *path)
{
    struct oro_text name = {0};
    oro_text_addf(&name, "%s.json", path);
    if (name.failed)
        oro_text_free(&name);
    return name.data;
}

/* --- reading --- */

/* Reads a number within bounds; a missing key leaves `value` as it is. False: it is present and invalid. */
static bool take_number(const json_t *root, const char *key, double least, double most, double *value,
                        bool *found)
{
    const json_t *item = json_object_get(root, key);
    *found = item != NULL;
    if (!item)
        return true;
    double number = json_number_value(item);
    if (!json_is_number(item) || !isfinite(number) || number < least || number > most)
        return false;
    *value = number;
    return true;
}

static bool take_side(const json_t *root, const char *key, int *side)
{
    double number = 0;
    bool found;
    if (!take_number(root, key, 1, ORO_RASTER_SIDE_MAX, &number, &found) || number != floor(number))
        return false;
    *side = (int)number;
    return true;
}

/* Sets the flag if the text is `yes`. A text must be `yes` or `no`, but may be missing. */
static bool take_choice(const json_t *root, const char *key, const char *no, const char *yes, bool *is_yes)
{
    const json_t *item = json_object_get(root, key);
    const char *text = json_string_value(item);
    if (!item)
        return true;
    *is_yes = text && strcmp(text, yes) == 0;
    return *is_yes || (text && strcmp(text, no) == 0);
}

static bool take_range(const json_t *root, struct oro_facts *facts)
{
    double most = 3.5e38;
    bool has_low, has_high;
    if (!take_number(root, "low", -most, most, &facts->range.low, &has_low) ||
        !take_number(root, "high", -most, most, &facts->range.high, &has_high) || has_low != has_high)
        return false;
    facts->has_range = has_low;
    return oro_range_valid(facts->range);
}

/* A place has all three keys. */
static bool take_place(const json_t *root, struct oro_facts *facts)
{
    const json_t *item = json_object_get(root, "crs");
    const char *text = json_string_value(item);
    bool has_west, has_north;
    if (!take_number(root, "west", -CELL_MAX, CELL_MAX, &facts->west, &has_west) ||
        !take_number(root, "north", -CELL_MAX, CELL_MAX, &facts->north, &has_north) ||
        has_west != has_north || has_west != (item != NULL))
        return false;
    if (!item)
        return true;
    return text && snprintf(facts->crs, sizeof facts->crs, "%s", text) < (int)sizeof facts->crs;
}

static bool digit_value(char c, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    *value = at ? (uint64_t)(at - digits) : 0;
    return at != NULL;
}

bool oro_digest_take(const json_t *object, const char *key, struct oro_hash *digest, bool *found)
{
    const json_t *item = json_object_get(object, key);
    const char *text = json_string_value(item);
    *digest = (struct oro_hash){0};
    *found = item != NULL;
    if (!item || !text || strlen(text) != ORO_HASH_TEXT - 1)
        return !item;
    for (; *text; text++) {
        uint64_t value;
        if (!digit_value(*text, &value))
            return false;
        digest->high = digest->high << 4 | digest->low >> 60;
        digest->low = digest->low << 4 | value;
    }
    return true;
}

const char *oro_facts_take(const json_t *root, struct oro_facts *facts)
{
    bool found;
    if (!take_side(root, "width", &facts->width))
        return "width";
    if (!take_side(root, "height", &facts->height) || (facts->width == 0) != (facts->height == 0))
        return "height";
    if (!take_number(root, "cell_size", 0, CELL_MAX, &facts->cell, &found) || (found && facts->cell <= 0))
        return "cell_size";
    if (!take_place(root, facts))
        return "crs, west and north";
    if (!take_range(root, facts))
        return "low and high";
    if (!take_number(root, "nodata", -3.5e38, 3.5e38, &facts->nodata, &facts->has_nodata))
        return "nodata";
    if (!take_number(root, "sea", -3.5e38, 3.5e38, &facts->sea, &facts->has_sea))
        return "sea";
    if (!take_choice(root, "endianness", "little", "big", &facts->big_endian))
        return "endianness";
    if (!take_choice(root, "row_order", "north_first", "south_first", &facts->south_first))
        return "row_order";
    if (!oro_digest_take(root, "digest", &facts->digest, &facts->has_digest))
        return "digest";
    if (!oro_digest_take(root, "sample", &facts->sample, &facts->has_sample))
        return "sample";
    return NULL;
}

static bool no_memory(const char *path, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to read the sidecar of '%s'", path);
}

static bool parse(const char *name, const char *text, size_t size, const struct oro_log *log,
                  struct oro_facts *facts)
{
    json_error_t problem;
    bool fits;
    json_t *root = oro_json_parse(text, size, JSON_REJECT_DUPLICATES, &problem, &fits);
    struct oro_facts told = {.found = true};
    const char *wrong = json_is_object(root) ? oro_facts_take(root, &told) : "the whole";
    if (!root && fits)
        oro_note(log, ORO_WARNING, "'%s' is ignored: line %d: %s", name, problem.line, problem.text);
    else if (wrong && fits)
        oro_note(log, ORO_WARNING, "'%s' is ignored: %s makes no sense in it", name, wrong);
    else
        *facts = told;
    json_decref(root);
    return fits;
}

/* One that is damaged is ignored; one for which there is no memory would tell what is not known without it.
 */
static bool load(const char *path, const struct oro_log *log, struct oro_facts *facts, struct oro_error *err)
{
    struct oro_error why = {0};
    void *text = NULL;
    size_t size = 0;
    char *name = oro_sidecar_path(path);
    bool there = name && access(name, F_OK) == 0, fits = name != NULL;
    *facts = (struct oro_facts){0};
    if (there && oro_file_read(name, SIDECAR_BYTES_MAX, &text, &size, &why))
        fits = parse(name, text, size, log, facts);
    else if (there && why.code == ORO_E_MEMORY)
        fits = false;
    else if (there)
        oro_note(log, ORO_WARNING, "the sidecar is ignored: %s", why.text);
    else if (name)
        oro_note(log, ORO_DEBUG, "'%s' has no sidecar", path);
    oro_free(text);
    oro_free(name);
    return fits || no_memory(path, err);
}

bool oro_digest_vouches(const char *path, struct oro_hash told, bool *same, struct oro_error *err)
{
    struct oro_error why = {0};
    struct oro_hash digest;
    bool known = oro_file_digest_of(path, &digest, &why);
    *same = !known || oro_hash_equal(digest, told);
    return known || why.code != ORO_E_MEMORY || oro_fail(err, why.code, "%s", why.text);
}

/* A user who takes the digest out wants it to be believed. */
static bool vouches(const struct oro_facts *facts, const char *path, bool *same, struct oro_error *err)
{
    struct oro_error why = {0};
    struct oro_hash sample;
    bool large = false;
    *same = true;
    if (!facts->has_digest)
        return true;
    if (facts->has_sample && !oro_file_sample_of(path, &large, &sample, &why))
        return why.code != ORO_E_MEMORY || oro_fail(err, why.code, "%s", why.text);
    if (!large)
        return oro_digest_vouches(path, facts->digest, same, err);
    *same = oro_hash_equal(sample, facts->sample);
    return true;
}

bool oro_sidecar_read(const char *path, const struct oro_log *log, struct oro_facts *facts,
                      struct oro_error *err)
{
    bool same = true;
    if (!load(path, log, facts, err) || !vouches(facts, path, &same, err))
        return false;
    if (same)
        return true;
    oro_note(
        log, ORO_WARNING,
        "'%s' and its sidecar do not match: one of them was changed, or not written to the end. What it "
        "tells of heights and of the ground is ignored; without its member 'digest' it would be believed",
        path);
    *facts = (struct oro_facts){.found = true,
                                .width = facts->width,
                                .height = facts->height,
                                .big_endian = facts->big_endian,
                                .south_first = facts->south_first};
    return true;
}

bool oro_sidecar_digest(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_facts facts;
    if (!load(path, NULL, &facts, err))
        return false;
    *digest = facts.digest;
    return facts.has_digest || oro_fail(err, ORO_E_FILE, "'%s' has no sidecar that tells a digest", path);
}

void oro_facts_drop(struct oro_facts *facts, const char *path, const struct oro_log *log)
{
    oro_note(log, ORO_WARNING, "the sidecar of '%s' is ignored: it is of a file of %dx%d cells", path,
             facts->width, facts->height);
    *facts = (struct oro_facts){0};
}

void oro_facts_keep_own(struct oro_facts *facts, const char *path, int width, int height,
                        const struct oro_log *log)
{
    bool same = (width == 0 || facts->width == width) && (height == 0 || facts->height == height);
    if (facts->width > 0 && !same)
        oro_facts_drop(facts, path, log);
}

bool oro_facts_mark_sea(const struct oro_facts *facts, const struct oro_read_options *options, double step,
                        struct oro_heightfield *field, struct oro_error *err)
{
    if (!facts->has_sea || options->no_sea || facts->width != field->width || facts->height != field->height)
        return true;
    /* What lay at the level before it was rounded still does. */
    bool ok = oro_heightfield_mark_sea(field, facts->sea + step / 2, err);
    field->sea_level = facts->sea;
    return ok;
}

/* --- writing --- */

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

static void add_inner_count(struct oro_text *text, const char *key, size_t value)
{
    oro_text_addf(text, ",\n    \"%s\": %zu", key, value);
}

static void add_certificate(struct oro_text *text, const struct oro_certificate *drainage)
{
    oro_text_addf(text, "    \"drained\": %s", drainage->depressions == 0 ? "true" : "false");
    add_inner_count(text, "closed_depressions", drainage->depressions);
    add_inner_count(text, "undrained_cells", drainage->undrained);
    add_inner_count(text, "pits", drainage->pits);
    add_inner_count(text, "flats", drainage->flats);
    add_inner_number(text, "share_ending_in_pit", drainage->share_ending_in_pit);
}

static void add_breach(struct oro_text *text, const struct oro_sidecar *given)
{
    char cut[ORO_NUMBER_SIZE], volume[ORO_NUMBER_SIZE];
    if (given->breach_node) /* a node's id needs no escaping, because of its form */
        oro_text_addf(text, ",\n    \"breach\": {\"node\": \"%s\", \"deepest_cut\": %s, \"cut_volume\": %s}",
                      given->breach_node, oro_format_number(given->breach_deepest_cut, cut),
                      oro_format_number(given->breach_cut_volume, volume));
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
    if (record->codec->mesh && !record->written->mesh.whole)
        oro_text_add(text, "    \"of\": \"the grid before it was simplified\",\n");
    add_certificate(text, &record->written->measure.drainage);
    const struct oro_drain_cost *cost = &record->written->cost;
    bool has_volume = record->written->measure.cell > 0;
    oro_text_addf(text, ",\n    \"method\": \"%s\"",
                  record->options->drain == ORO_DRAIN_NONE ? "none"
                                                           : oro_drain_words[record->options->drain]);
    add_inner_count(text, "cells_changed", cost->cells);
    add_inner_number(text, "deepest_cut", cost->deepest_cut);
    add_inner_number(text, "highest_raise", cost->highest_raise);
    if (has_volume) {
        add_inner_number(text, "cut_volume", cost->cut_volume);
        add_inner_number(text, "raise_volume", cost->raise_volume);
    }
    if (record->written->measure.sea > 0)
        add_inner_count(text, "sea_cells", record->written->measure.sea);
    add_breach(text, &record->options->sidecar);
    oro_text_add(text, "\n  }");
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
    add_inner_count(text, "vertices", made->vertices);
    add_inner_count(text, "triangles", made->triangles);
    add_inner_count(text, "surface_triangles", made->surface_triangles);
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
    if (measure->cell > 0 && measure->cell <= CELL_MAX)
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
    if (record->shape->largest > 0) {
        add_number(text, "low", record->range.low);
        add_number(text, "high", record->range.high);
    }
    if (record->codec->mesh) {
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
    oro_text_add(text, "  \"program\": \"orograph " OROGRAPH_VERSION "\"");
    add_hydrology(text, record);
    add_engine(text, record);
    add_weights(text, record);
    if (record->tiles)
        oro_tiles_add(text, record->options->tiling, record->path, measure->width, measure->height,
                      record->digests);
    oro_text_add(text, "\n}\n");
}
