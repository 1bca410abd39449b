/* What lies beside the rasters: sidecars, the manifest of tiles, and what engines and formats ask for. */

#include "base/file_digest.h"
#include "base/memory.h"
#include "formats/sidecar/sidecar.h"
#include "formats/writer/writer_private.h"

struct oro_heightfield oro_writer_part(const struct oro_writer *writer, const struct oro_tile_place *tile)
{
    struct oro_heightfield part = writer->field;
    part.data = part.sea = part.filled = NULL;
    part.width = tile->width;
    part.height = tile->height;
    part.place.west += tile->column * part.cell;
    part.place.north -= tile->row * part.cell;
    /* Inland water at the border of a tile is none. */
    part.has_sea_level = part.has_sea_level && !writer->options.write.tiling;
    return part;
}

void oro_writer_find_figures(struct oro_writer *writer)
{
    const struct oro_engine *engine = writer->options.write.engine;
    const struct oro_measure *measure = &writer->written.measure;
    struct oro_tile_place tile =
        oro_tile_at(writer->options.write.tiling, 0, writer->field.width, writer->field.height);
    bool levels = writer->shape.largest > 0;
    struct oro_engine_terrain terrain = {.width = tile.width,
                                         .height = tile.height,
                                         .cell = writer->field.cell,
                                         .low = levels ? writer->range.low : measure->low,
                                         .high = levels ? writer->range.high : measure->high,
                                         .levels = levels};
    writer->written.figures.count = 0;
    if (engine && writer->field.metres)
        engine->figures(&terrain, &writer->written.figures);
}

/* ---- Texts ---- */

/* Adds a file of that text to the set, and frees both. `late`: it gets its name after all others. */
static bool put_text(struct oro_writer *writer, char *path, struct oro_text *text, bool late,
                     struct oro_error *err)
{
    bool ok = !path || text->failed ? oro_writer_no_memory(writer, err)
              : late                ? oro_file_set_late(&writer->files, path, text->data, text->length, err)
                                    : oro_file_set_text(&writer->files, path, text->data, text->length, err);
    oro_text_free(text);
    oro_free(path);
    return ok;
}

/* Of formats that cannot say it themselves: where they lie. What an earlier file of that name said is not
 * true any more. */
static bool put_beside(struct oro_writer *writer, const struct oro_tile_place *tile,
                       const struct oro_heightfield *part, struct oro_error *err)
{
    struct oro_text text = {0};
    if (!writer->codec->beside)
        return true;
    char *path = oro_tile_path(writer->options.write.tiling, tile, writer->base, "", writer->codec->beside);
    bool ok = path ? writer->codec->describe_beside(writer->base, part, &text, err)
                   : oro_writer_no_memory(writer, err);
    if (ok && (text.length > 0 || text.failed))
        return put_text(writer, path, &text, false, err);
    ok = ok && oro_file_set_drop(&writer->files, path, err);
    oro_text_free(&text);
    oro_free(path);
    return ok;
}

/* Unreal's importer looks for the size of a file without a header in NAME.json. */
static bool put_raw_facts(struct oro_writer *writer, const struct oro_tile_place *tile, struct oro_error *err)
{
    const struct oro_engine *engine = writer->options.write.engine;
    struct oro_text text = {0};
    if (!engine || !engine->raw_facts || !writer->codec->headerless)
        return true;
    oro_text_addf(&text, "{\"width\": %d, \"height\": %d, \"bpp\": 16}\n", tile->width, tile->height);
    return put_text(writer, oro_tile_path(writer->options.write.tiling, tile, writer->base, "", "json"),
                    &text, false, err);
}

/* ---- Sidecars ---- */

static struct oro_record record_of(const struct oro_writer *writer, const struct oro_heightfield *part,
                                   const struct oro_hash *digests)
{
    return (struct oro_record){.field = part,
                               .codec = writer->codec,
                               .shape = &writer->shape,
                               .range = writer->range,
                               .options = &writer->options.write,
                               .written = &writer->written,
                               .path = writer->base,
                               .digests = digests};
}

static bool put_record(struct oro_writer *writer, char *path, const struct oro_record *record, bool late,
                       struct oro_error *err)
{
    struct oro_text text = {0};
    oro_sidecar_write(record, &text);
    return put_text(writer, path, &text, late, err);
}

bool oro_writer_record_tile(struct oro_writer *writer, const struct oro_tile_made *tile,
                            struct oro_error *err)
{
    const struct oro_tiling *tiling = writer->options.write.tiling;
    struct oro_tile_place place =
        oro_tile_at(tiling, tile->number, writer->field.width, writer->field.height);
    struct oro_heightfield part = oro_writer_part(writer, &place);
    struct oro_written written = writer->written;
    struct oro_record record = record_of(writer, &part, &tile->digest);
    written.measure = (struct oro_measure){.width = place.width,
                                           .height = place.height,
                                           .cell = part.cell,
                                           .low = tile->range.low,
                                           .high = tile->range.high};
    char *manifest = oro_tiles_manifest_path(writer->base);
    char *path = oro_tile_path(tiling, &place, writer->base, "", oro_path_extension(writer->base));
    record.written = &written;
    record.tile_of = manifest ? oro_path_name(manifest) : NULL;
    bool ok = manifest && path
                  ? put_record(writer, oro_sidecar_path(path), &record, false, err) &&
                        put_beside(writer, &place, &part, err) && put_raw_facts(writer, &place, err)
                  : oro_writer_no_memory(writer, err);
    oro_free(path);
    oro_free(manifest);
    return ok;
}

/* Files that were put in parts are complete now. With a sample the sidecar comes once more, and gets its name
 * when the raster has its own. */
bool oro_writer_record_whole(struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_tile_place whole = oro_tile_at(NULL, 0, writer->field.width, writer->field.height);
    if (!writer->digested && (!oro_file_digest_of(writer->target, &writer->digest, err) ||
                              !oro_file_sample_of(writer->target, &writer->sampled, &writer->sample, err)))
        return false;
    struct oro_record record = record_of(writer, &writer->field, &writer->digest);
    bool ok = put_record(writer, oro_sidecar_path(writer->base), &record, false, err);
    record.sample = &writer->sample;
    ok = ok && (!writer->sampled || put_record(writer, oro_sidecar_path(writer->base), &record, true, err));
    return ok && put_beside(writer, &whole, &writer->field, err) && put_raw_facts(writer, &whole, err);
}

/* ---- The manifest ---- */

/* What each process wrote, it has told in the sidecars of its tiles. */
static bool find_digest(const struct oro_writer *writer, int number, struct oro_hash *digest,
                        struct oro_error *err)
{
    const struct oro_tiling *tiling = writer->options.write.tiling;
    struct oro_tile_place place = oro_tile_at(tiling, number, writer->field.width, writer->field.height);
    if (writer->whole) {
        *digest = writer->tiles[number].digest;
        return true;
    }
    char *path = oro_tile_path(tiling, &place, writer->target, "", oro_path_extension(writer->target));
    bool ok = path ? oro_sidecar_digest(path, digest, err) : oro_writer_no_memory(writer, err);
    oro_free(path);
    return ok;
}

bool oro_writer_record_manifest(struct oro_writer *writer, struct oro_error *err)
{
    int count = writer->written.tiles;
    struct oro_hash *digests = oro_alloc((size_t)count, sizeof *digests);
    bool ok = digests || oro_writer_no_memory(writer, err);
    for (int i = 0; ok && i < count; i++)
        ok = find_digest(writer, i, &digests[i], err);
    struct oro_record record = record_of(writer, &writer->field, digests);
    record.tiles = true;
    ok = ok && put_record(writer, oro_tiles_manifest_path(writer->base), &record, false, err);
    oro_free(digests);
    return ok;
}
