#include "formats/reader/manifest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/nodata.h"
#include "formats/reader/pattern.h"
#include "formats/sidecar/json_memory.h"
#include "formats/sidecar/sidecar.h"

/* A line for each tile, and for each of its pictures of weights. */
#define MANIFEST_BYTES_MAX ((size_t)64 << 20)

struct manifest {
    const char *path;
    json_t *root, *files; /* `files` belongs to `root` */
    struct oro_facts facts;
    struct oro_tiling tiling;
};

static bool refuse(const struct manifest *manifest, const char *why, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "'%s' is no manifest of tiles: %s", manifest->path, why);
}

static int whole_number(const json_t *object, const char *key)
{
    const json_t *item = json_object_get(object, key);
    json_int_t value = json_is_integer(item) ? json_integer_value(item) : -1;
    return value >= 0 && value <= ORO_RASTER_SIDE_MAX ? (int)value : -1;
}

/* The name of a tile that lies beside the manifest; NULL: it is none. */
static const char *file_name(const struct manifest *manifest, int number)
{
    const char *name =
        json_string_value(json_object_get(json_array_get(manifest->files, (size_t)number), "file"));
    return name && name[0] && !strchr(name, '/') && !oro_is_tiles(name) ? name : NULL;
}

static bool check_file(const struct manifest *manifest, int number, struct oro_error *err)
{
    const json_t *file = json_array_get(manifest->files, (size_t)number);
    struct oro_tile_place tile =
        oro_tile_at(&manifest->tiling, number, manifest->facts.width, manifest->facts.height);
    if (!file_name(manifest, number))
        return oro_fail(err, ORO_E_FILE, "'%s': tile %d names no file in the manifest's folder",
                        manifest->path, number + 1);
    return (whole_number(file, "column") == tile.column && whole_number(file, "row") == tile.row) ||
           oro_fail(err, ORO_E_FILE, "'%s': tile %d, '%s', does not lie at column %d, row %d", manifest->path,
                    number + 1, file_name(manifest, number), tile.column, tile.row);
}

static bool check(struct manifest *manifest, struct oro_error *err)
{
    const json_t *tiles = json_object_get(manifest->root, "tiles");
    manifest->files = json_object_get(tiles, "files");
    if (!tiles || !json_is_array(manifest->files))
        return refuse(manifest, "it lists no tiles", err);
    const char *wrong = oro_facts_take(manifest->root, &manifest->facts);
    if (wrong || manifest->facts.width == 0)
        return refuse(manifest, wrong ? wrong : "width", err);
    if (manifest->facts.width > ORO_HEIGHTFIELD_SIDE_MAX || manifest->facts.height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(
            err, ORO_E_FILE, "'%s' is %d x %d: at most %d cells a side are read, and tiles not by windows",
            manifest->path, manifest->facts.width, manifest->facts.height, ORO_HEIGHTFIELD_SIDE_MAX);
    manifest->tiling =
        (struct oro_tiling){.side = whole_number(tiles, "side"), .overlap = whole_number(tiles, "overlap")};
    struct oro_error why = {0};
    if (!oro_tiling_check(&manifest->tiling, &why) ||
        !oro_tiling_fits(&manifest->tiling, manifest->path, manifest->facts.width, manifest->facts.height,
                         &why))
        return refuse(manifest, why.text, err);
    int count = oro_tile_count(&manifest->tiling, manifest->facts.width, manifest->facts.height);
    if (json_array_size(manifest->files) != (size_t)count)
        return oro_fail(err, ORO_E_FILE, "'%s' lists %zu tiles, and its size needs %d", manifest->path,
                        json_array_size(manifest->files), count);
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = check_file(manifest, i, err);
    return ok;
}

static bool parse(struct manifest *manifest, const char *path, struct oro_error *err)
{
    void *text = NULL;
    size_t size = 0;
    json_error_t problem;
    if (!oro_file_read(path, MANIFEST_BYTES_MAX, &text, &size, err))
        return false;
    bool fits = oro_json_fits(path, text, size, err), whole = true;
    if (fits)
        manifest->root = oro_json_parse(text, size, JSON_REJECT_DUPLICATES, &problem, &whole);
    oro_free(text);
    if (!fits)
        return false;
    if (!whole)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    if (!manifest->root)
        return oro_fail(err, ORO_E_FILE, "'%s' is no manifest of tiles: line %d: %s", path, problem.line,
                        problem.text);
    return true;
}

static bool open_manifest(struct manifest *manifest, const char *path, const struct oro_read_options *options,
                          struct oro_error *err)
{
    *manifest = (struct manifest){.path = path};
    if (oro_path_is_pattern(path))
        manifest->root = oro_pattern_manifest(path, options, err);
    else if (!parse(manifest, path, err))
        return false;
    return manifest->root && check(manifest, err);
}

/* --- tiles --- */

/* Whether the tile's bytes are those that the manifest tells of. */
static bool vouches_for(const struct manifest *manifest, int number, bool *same, struct oro_error *err)
{
    struct oro_hash told;
    bool found;
    *same = oro_digest_take(json_array_get(manifest->files, (size_t)number), "digest", &told, &found);
    if (!*same || !found)
        return true;
    char *path = oro_path_beside(manifest->path, file_name(manifest, number));
    bool ok = path ? oro_digest_vouches(path, told, same, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    oro_free(path);
    return ok;
}

/* Tiles of another writing have another range of heights, which nothing tells. */
static bool distrust(struct manifest *manifest, const struct oro_log *log, struct oro_error *err)
{
    size_t count = json_array_size(manifest->files);
    for (size_t i = 0; i < count; i++) {
        bool same;
        if (!vouches_for(manifest, (int)i, &same, err))
            return false;
        if (same)
            continue;
        oro_note(
            log, ORO_WARNING,
            "'%s' and its manifest '%s' do not match: one of them was changed, or not written to the end. "
            "What the manifest tells of heights is ignored",
            file_name(manifest, (int)i), manifest->path);
        manifest->facts.has_range = manifest->facts.has_sea = manifest->facts.has_nodata = false;
        return true;
    }
    return true;
}

/* Everything that a tile's own sidecar could say stands in the manifest. */
static struct oro_read_options tile_options(const struct manifest *manifest, const char *path,
                                            const struct oro_read_options *given)
{
    struct oro_read_options options = *given;
    bool levels =
        oro_codec_to_read(path) && manifest->facts.has_range && (!given->has_range || given->range_assumed);
    options.no_sidecar = true;
    options.max_side = options.fit_width = options.fit_height = 0;
    options.crs = NULL;
    options.window = (struct oro_map_window){0};
    options.row = NULL;
    options.big_endian = given->big_endian || manifest->facts.big_endian;
    options.south_first = given->south_first || manifest->facts.south_first;
    options.width = options.height = manifest->tiling.side;
    options.log = NULL; /* the whole has one account, and is filled as one */
    options.keeps_holes = true;
    options.cell = 0;
    if (levels && manifest->facts.range.low < manifest->facts.range.high) {
        options.has_range = true;
        options.range_assumed = false;
        options.low = manifest->facts.range.low;
        options.high = manifest->facts.range.high;
    }
    if (manifest->facts.has_nodata) {
        options.has_nodata = true;
        options.nodata = manifest->facts.nodata;
    }
    return options;
}

/* Cells that neighbours share are the same in what we write; where they are not, the tiles were changed. */
static size_t paste(const struct oro_heightfield *tile, const struct oro_tile_place *where, int overlap,
                    struct oro_heightfield *field)
{
    size_t differing = 0;
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++) {
            size_t to = (size_t)(where->row + y) * (size_t)field->width + (size_t)(where->column + x);
            float value = tile->data[(size_t)y * (size_t)tile->width + (size_t)x];
            bool shared = (x < overlap && where->column > 0) || (y < overlap && where->row > 0);
            differing += shared && field->data[to] != value && !(isnan(field->data[to]) && isnan(value));
            field->data[to] = value;
        }
    return differing;
}

static bool add_tile(const struct manifest *manifest, int number, const struct oro_read_options *given,
                     struct oro_heightfield *field, size_t *differing, struct oro_error *err)
{
    struct oro_heightfield tile = {0};
    struct oro_tile_place where = oro_tile_at(&manifest->tiling, number, field->width, field->height);
    char *path = oro_path_beside(manifest->path, file_name(manifest, number));
    if (!path)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    struct oro_read_options options = tile_options(manifest, path, given);
    bool ok = oro_heightfield_read(path, &options, &tile, err);
    if (ok && (tile.width != where.width || tile.height != where.height))
        ok = oro_fail(err, ORO_E_FILE, "'%s' has %d x %d cells, and '%s' tells %d x %d", path, tile.width,
                      tile.height, manifest->path, where.width, where.height);
    if (ok)
        *differing += paste(&tile, &where, manifest->tiling.overlap, field);
    if (number == 0)
        field->account = tile.account;
    else
        oro_account_add(&field->account, &tile.account);
    field->metres = tile.metres && (number == 0 || field->metres);
    oro_heightfield_free(&tile);
    oro_free(path);
    return ok;
}

static bool read_tiles(const struct manifest *manifest, const struct oro_read_options *options,
                       struct oro_heightfield *field, struct oro_error *err)
{
    size_t differing = 0;
    int count = oro_tile_count(&manifest->tiling, field->width, field->height);
    field->data = oro_alloc(oro_cell_count(field->width, field->height), sizeof *field->data);
    if (!field->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %dx%d cells of '%s'", field->width,
                        field->height, manifest->path);
    for (int i = 0; i < count; i++)
        if (!add_tile(manifest, i, options, field, &differing, err))
            return false;
    if (differing > 0)
        oro_note(options->log, ORO_WARNING,
                 "'%s': %zu cells differ between tiles that share them; those of the tile further east or "
                 "south are taken",
                 manifest->path, differing);
    struct oro_account *account = &field->account;
    snprintf(account->file, sizeof account->file, "%s", oro_path_name(manifest->path));
    account->size = ORO_TOLD;
    account->cell = options->cell > 0 ? ORO_GIVEN : field->cell > 0 ? ORO_TOLD : ORO_UNTOLD;
    account->system = field->place.crs ? ORO_TOLD : ORO_UNTOLD;
    account->metres_assumed = false;
    return oro_heightfield_fill(field, err);
}

/* Metres between levels; tiles of floats have no range. */
static double step_of(const struct manifest *manifest)
{
    return manifest->facts.has_range ? (manifest->facts.range.high - manifest->facts.range.low) / 65535 : 0;
}

bool oro_manifest_read(const char *path, const struct oro_read_options *options,
                       struct oro_heightfield *field, struct oro_error *err)
{
    struct manifest manifest;
    bool ok = open_manifest(&manifest, path, options, err) && distrust(&manifest, options->log, err);
    if (ok) {
        field->width = manifest.facts.width;
        field->height = manifest.facts.height;
        field->cell = options->cell > 0 ? options->cell : manifest.facts.cell;
        if (manifest.facts.crs[0])
            field->place = (struct oro_place){oro_copy_text(manifest.facts.crs), manifest.facts.west,
                                              manifest.facts.north};
        ok = !manifest.facts.crs[0] || field->place.crs ||
             oro_fail(err, ORO_E_MEMORY, "no memory for a coordinate system");
        ok = ok && (options->shape_only ||
                    (read_tiles(&manifest, options, field, err) &&
                     oro_facts_mark_sea(&manifest.facts, options, step_of(&manifest), field, err)));
    }
    json_decref(manifest.root);
    if (!ok)
        oro_heightfield_free(field);
    return ok;
}

bool oro_manifest_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    struct manifest manifest;
    bool ok = true;
    if (oro_path_is_pattern(path))
        return oro_pattern_visit(path, visit, user);
    if (open_manifest(&manifest, path, NULL, NULL)) {
        int count = oro_tile_count(&manifest.tiling, manifest.facts.width, manifest.facts.height);
        for (int i = 0; ok && i < count; i++) {
            char *tile = oro_path_beside(path, file_name(&manifest, i));
            ok = tile && visit(user, tile);
            oro_free(tile);
        }
    }
    json_decref(manifest.root);
    return ok;
}
