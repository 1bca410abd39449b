/* The files of a heightfield: the raster itself, in one or in tiles, its sidecars, its weight maps. */
#include <stdio.h>
#include <string.h>

#include "base/file_digest.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/png/png.h"
#include "formats/sidecar/sidecar.h"
#include "formats/writer/job.h"

static bool no_memory(const char *path, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
}

static int tile_count(const struct oro_write_job *job)
{
    return oro_tile_count(job->options->tiling, job->field->width, job->field->height);
}

static struct oro_tile_place tile_at(const struct oro_write_job *job, int number)
{
    return oro_tile_at(job->options->tiling, number, job->field->width, job->field->height);
}

/* A place for a tile's cells, which is not needed where the raster stays whole. */
static bool make_room(const struct oro_write_job *job, float **cells, struct oro_error *err)
{
    const struct oro_tiling *tiling = job->options->tiling;
    *cells = tiling ? oro_alloc(oro_cell_count(tiling->side, tiling->side), sizeof **cells) : NULL;
    return !tiling || *cells || no_memory(job->path, err);
}

static const float *cut(const float *whole, int width, const struct oro_tile_place *tile, int channels,
                        float *room)
{
    size_t row = (size_t)tile->width * (size_t)channels;
    for (int y = 0; y < tile->height; y++) {
        size_t cell = (size_t)(tile->row + y) * (size_t)width + (size_t)tile->column;
        memcpy(room + (size_t)y * row, whole + cell * (size_t)channels, row * sizeof *room);
    }
    return room;
}

/* What the room is for: cells of a tile, and where its sea is. */
struct rooms {
    float *cells, *sea;
};

static bool make_rooms(const struct oro_write_job *job, struct rooms *rooms, struct oro_error *err)
{
    *rooms = (struct rooms){0};
    return make_room(job, &rooms->cells, err) && (!job->field->sea || make_room(job, &rooms->sea, err));
}

static void free_rooms(struct rooms *rooms)
{
    oro_free(rooms->cells);
    oro_free(rooms->sea);
}

struct oro_heightfield oro_write_part(const struct oro_write_job *job, const struct oro_tile_place *tile)
{
    struct oro_heightfield part = *job->field;
    part.data = part.sea = part.filled = NULL;
    part.width = tile->width;
    part.height = tile->height;
    part.place.west += tile->column * part.cell;
    part.place.north -= tile->row * part.cell;
    part.has_sea_level = part.has_sea_level && !job->options->tiling; /* inland water at its border is none */
    return part;
}

/* The tile as a field of its own, with these heights of the whole. */
static struct oro_heightfield part_of(const struct oro_write_job *job, const struct oro_tile_place *tile,
                                      const float *whole, struct rooms *rooms)
{
    struct oro_heightfield part = oro_write_part(job, tile);
    part.data = (float *)whole;
    part.sea = job->field->sea;
    if (rooms->cells)
        part.data = (float *)cut(whole, job->field->width, tile, 1, rooms->cells);
    if (rooms->cells && part.sea)
        part.sea = (float *)cut(job->field->sea, job->field->width, tile, 1, rooms->sea);
    return part;
}

static char *path_of(const struct oro_write_job *job, const struct oro_tile_place *tile)
{
    return job->options->tiling
               ? oro_tile_path(job->options->tiling, tile, job->path, "", oro_path_extension(job->path))
               : oro_copy_text(job->path);
}

static bool note_sample(struct oro_write_job *job, const struct oro_raster_output *named,
                        struct oro_error *err)
{
    if (job->options->tiling || job->codec->mesh)
        return true;
    return job->codec->folder
               ? oro_file_sample_of(named->temporary, &job->sampled, &job->sample, err)
               : oro_open_file_sample(fileno(named->stream), named->path, &job->sampled, &job->sample, err);
}

/* Of a file that is written completely and still open, or of a folder. */
static bool note_digest(struct oro_write_job *job, const struct oro_raster_output *named,
                        struct oro_error *err)
{
    void *digests = job->digests;
    bool fits = oro_reserve(&digests, &job->digest_room, job->digest_count + 1, sizeof *job->digests);
    job->digests = digests;
    if (!fits)
        return no_memory(job->path, err);
    struct oro_hash *digest = &job->digests[job->digest_count++];
    return (job->codec->folder ? oro_file_digest_of(named->temporary, digest, err)
                               : oro_open_file_digest(fileno(named->stream), named->path, digest, err)) &&
           note_sample(job, named, err);
}

bool oro_write_raster(struct oro_write_job *job, const char *path, const struct oro_heightfield *part,
                      struct oro_error *err)
{
    struct oro_raster_shape shape = job->shape;
    shape.width = part->width;
    shape.height = part->height;
    struct oro_raster_output named = {.path = path,
                                      .field = part,
                                      .range = job->range,
                                      .options = job->options,
                                      .mesh = &job->written.mesh};
    if (job->codec->folder) {
        named.temporary = oro_file_set_folder(&job->files, path, err);
        return named.temporary && job->codec->write(&named, &shape, part->data, err) &&
               note_digest(job, &named, err);
    }
    struct oro_file_output *output = oro_file_set_begin(&job->files, path, err);
    if (!output)
        return false;
    named.stream = output->stream;
    named.temporary = output->temporary;
    /* It is sealed once it has been measured. */
    return job->codec->write(&named, &shape, part->data, err) && oro_file_set_flush(&job->files, err) &&
           note_digest(job, &named, err);
}

/* --- weights --- */

static void fill_picture(const struct oro_write_job *job, const struct oro_tile_place *tile, size_t picture,
                         int channels, unsigned char *bytes)
{
    const struct oro_weight_maps *weights = job->options->weights;
    unsigned char levels[ORO_WEIGHTS_MOST + 4] = {0};
    size_t first = channels == 1 ? picture : 4 * picture;
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++, bytes += channels) {
            oro_weights_levels(
                weights, (size_t)(tile->row + y) * (size_t)job->field->width + (size_t)(tile->column + x),
                levels);
            memcpy(bytes, levels + first, (size_t)channels);
        }
}

static bool packs(const struct oro_write_job *job)
{
    return job->options->engine && job->options->engine->packs;
}

char *oro_weights_path(const struct oro_write_options *options, const char *path,
                       const struct oro_tile_place *tile, size_t picture)
{
    char suffix[256];
    if (options->engine && options->engine->packs)
        snprintf(suffix, sizeof suffix, "_weights%zu", picture);
    else
        snprintf(suffix, sizeof suffix, "_%.200s", options->weights->names[picture]);
    return oro_tile_path(options->tiling, tile, path, suffix, "png");
}

static bool write_picture(struct oro_write_job *job, const struct oro_tile_place *tile, size_t picture,
                          struct oro_error *err)
{
    int channels = oro_weights_channels(job->options->weights, packs(job), picture);
    unsigned char *bytes = oro_alloc(oro_cell_count(tile->width, tile->height), (size_t)channels);
    char *path = oro_weights_path(job->options, job->path, tile, picture);
    bool ok = (bytes && path) || no_memory(job->path, err);
    if (ok)
        fill_picture(job, tile, picture, channels, bytes);
    struct oro_file_output *output = ok ? oro_file_set_begin(&job->files, path, err) : NULL;
    ok = output &&
         oro_png_write_bytes(output->stream, path, tile->width, tile->height, channels, bytes, err) &&
         oro_file_set_seal(&job->files, err);
    oro_free(path);
    oro_free(bytes);
    return ok;
}

static bool write_weights(struct oro_write_job *job, const struct oro_tile_place *tile, struct oro_error *err)
{
    size_t pictures = job->options->weights ? oro_weights_pictures(job->options->weights, packs(job)) : 0;
    for (size_t i = 0; i < pictures; i++)
        if (!write_picture(job, tile, i, err))
            return false;
    return true;
}

bool oro_write_rasters(struct oro_write_job *job, struct oro_error *err)
{
    struct rooms rooms;
    bool ok = make_rooms(job, &rooms, err);
    for (int i = 0; ok && i < tile_count(job); i++) {
        struct oro_tile_place tile = tile_at(job, i);
        char *path = path_of(job, &tile);
        ok = path || no_memory(job->path, err);
        if (ok) {
            struct oro_heightfield part =
                part_of(job, &tile, job->levels ? job->levels : job->heights, &rooms);
            ok = oro_write_raster(job, path, &part, err) && write_weights(job, &tile, err);
        }
        if (ok && job->options->stop && job->options->stop(job->options->stop_user))
            ok = oro_fail(err, ORO_E_CANCELLED, "cancelled");
        oro_free(path);
    }
    free_rooms(&rooms);
    return ok;
}

/* --- beside the rasters --- */

static bool write_record(struct oro_write_job *job, const char *name, const struct oro_record *record,
                         struct oro_error *err)
{
    struct oro_text text = {0};
    oro_sidecar_write(record, &text);
    bool ok = text.failed ? no_memory(name, err)
                          : oro_file_set_text(&job->files, name, text.data, text.length, err);
    oro_text_free(&text);
    return ok;
}

/* Of formats that cannot say it themselves: where they lie. What an earlier file of that name said is not
 * true any more. */
static bool write_beside(struct oro_write_job *job, const struct oro_tile_place *tile,
                         const struct oro_heightfield *part, struct oro_error *err)
{
    if (!job->codec->beside)
        return true;
    char *path = oro_tile_path(job->options->tiling, tile, job->path, "", job->codec->beside);
    struct oro_text text = {0};
    bool ok = path ? job->codec->describe_beside(job->path, part, &text, err) : no_memory(job->path, err);
    if (ok && text.failed)
        ok = no_memory(job->path, err);
    if (ok)
        ok = text.length > 0 ? oro_file_set_text(&job->files, path, text.data, text.length, err)
                             : oro_file_set_drop(&job->files, path, err);
    oro_text_free(&text);
    oro_free(path);
    return ok;
}

/* Unreal's importer looks for the size of a file without a header in NAME.json. */
static bool write_raw_facts(struct oro_write_job *job, const struct oro_tile_place *tile,
                            struct oro_error *err)
{
    if (!job->options->engine || !job->options->engine->raw_facts || !job->codec->headerless)
        return true;
    char *path = oro_tile_path(job->options->tiling, tile, job->path, "", "json");
    struct oro_text text = {0};
    oro_text_addf(&text, "{\"width\": %d, \"height\": %d, \"bpp\": 16}\n", tile->width, tile->height);
    bool ok = path && !text.failed ? oro_file_set_text(&job->files, path, text.data, text.length, err)
                                   : no_memory(job->path, err);
    oro_text_free(&text);
    oro_free(path);
    return ok;
}

void oro_write_find_figures(struct oro_write_job *job)
{
    const struct oro_engine *engine = job->options->engine;
    const struct oro_measure *measure = &job->written.measure;
    struct oro_tile_place tile = tile_at(job, 0);
    bool levels = job->shape.largest > 0;
    struct oro_engine_terrain terrain = {.width = tile.width,
                                         .height = tile.height,
                                         .cell = job->field->cell,
                                         .low = levels ? job->range.low : measure->low,
                                         .high = levels ? job->range.high : measure->high,
                                         .levels = levels};
    if (engine && job->field->metres)
        engine->figures(&terrain, &job->written.figures);
}

static struct oro_record record_of(const struct oro_write_job *job, const struct oro_heightfield *part,
                                   const struct oro_hash *digest)
{
    return (struct oro_record){.field = part,
                               .codec = job->codec,
                               .shape = &job->shape,
                               .range = job->range,
                               .options = job->options,
                               .written = &job->written,
                               .path = job->path,
                               .digests = digest};
}

/* With the sample: gets its name when the raster has its own. */
static bool write_late_record(struct oro_write_job *job, const char *name, const struct oro_heightfield *part,
                              const struct oro_hash *digest, struct oro_error *err)
{
    struct oro_text text = {0};
    struct oro_record record = record_of(job, part, digest);
    record.sample = &job->sample;
    oro_sidecar_write(&record, &text);
    bool ok = text.failed ? no_memory(name, err)
                          : oro_file_set_late(&job->files, name, text.data, text.length, err);
    oro_text_free(&text);
    return ok;
}

bool oro_write_record(struct oro_write_job *job, const struct oro_tile_place *tile,
                      const struct oro_heightfield *part, const struct oro_written *written,
                      const char *manifest, const struct oro_hash *digest, struct oro_error *err)
{
    struct oro_record record = record_of(job, part, digest);
    record.written = written;
    record.tile_of = manifest ? oro_path_name(manifest) : NULL;
    char *path = path_of(job, tile), *name = path ? oro_sidecar_path(path) : NULL;
    bool ok = name ? write_record(job, name, &record, err) : no_memory(job->path, err);
    if (ok && job->sampled)
        ok = write_late_record(job, name, part, digest, err);
    oro_free(name);
    oro_free(path);
    return ok && write_beside(job, tile, part, err) && write_raw_facts(job, tile, err);
}

static bool write_tile_record(struct oro_write_job *job, int number, const char *manifest,
                              struct rooms *rooms, struct oro_error *err)
{
    struct oro_tile_place tile = tile_at(job, number);
    struct oro_heightfield part = part_of(job, &tile, job->read_back, rooms);
    struct oro_written written = job->written;
    if (manifest)
        oro_measure_values(&part, &written.measure);
    return oro_write_record(job, &tile, &part, &written, manifest, &job->digests[number], err);
}

bool oro_write_manifest(struct oro_write_job *job, const char *manifest, struct oro_error *err)
{
    struct oro_record record = record_of(job, job->field, job->digests);
    record.tiles = true;
    return write_record(job, manifest, &record, err);
}

bool oro_write_companions(struct oro_write_job *job, struct oro_error *err)
{
    struct rooms rooms = {0};
    bool tiled = job->options->tiling;
    char *manifest = tiled ? oro_tiles_manifest_path(job->path) : NULL;
    bool ok = (!tiled || manifest || no_memory(job->path, err)) && make_rooms(job, &rooms, err);
    oro_write_find_figures(job);
    job->written.tiles = tiled ? tile_count(job) : 0;
    for (int i = 0; ok && i < tile_count(job); i++)
        ok = write_tile_record(job, i, manifest, &rooms, err);
    ok = ok && (!tiled || oro_write_manifest(job, manifest, err));
    free_rooms(&rooms);
    oro_free(manifest);
    return ok;
}
