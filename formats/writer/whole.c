/* A whole raster as one window: what is made to drain and rounded is put, measured, and goes out with that.
 */
#include <string.h>

#include "base/memory.h"
#include "formats/checks.h"
#include "formats/drain.h"
#include "formats/half.h"
#include "formats/range.h"
#include "formats/writer/writer_private.h"

struct whole {
    struct oro_writer *writer;
    const struct oro_heightfield *field;
    struct oro_drain_target target;
    size_t count;   /* of cells */
    float *heights; /* the field's own, or a copy if they are changed */
    size_t clipped; /* of the cells */
    float *levels;  /* integer formats: the heights in levels; once measured, in metres again */
};

/* Makes `heights` a copy that may be changed. */
static bool own_heights(struct whole *whole, struct oro_error *err)
{
    if (whole->heights != whole->field->data)
        return true;
    whole->heights = oro_alloc(whole->count, sizeof *whole->heights);
    if (!whole->heights)
        return oro_writer_no_memory(whole->writer, err);
    memcpy(whole->heights, whole->field->data, whole->count * sizeof *whole->heights);
    return true;
}

/* Float formats have no levels, so both ways of draining carve the heights. */
static bool carve(struct whole *whole, struct oro_error *err)
{
    struct oro_writer *writer = whole->writer;
    bool floats = writer->shape.largest <= 0 && !writer->options.write.half;
    if (!oro_writer_drains(writer, ORO_DRAIN_REPAIR) &&
        !(floats && oro_writer_drains(writer, ORO_DRAIN_STRICT)))
        return true;
    return own_heights(whole, err) &&
           oro_drain_heights(&whole->target, whole->heights, &writer->written.cost, err);
}

static bool make_halves(struct whole *whole, struct oro_error *err)
{
    struct oro_writer *writer = whole->writer;
    if (!writer->options.write.half)
        return true;
    const struct oro_half_raster raster = {writer->path,        NULL,        whole->heights, 1,
                                           whole->field->width, whole->count};
    if (!oro_half_check(&raster, err) || !own_heights(whole, err))
        return false;
    oro_half_round(whole->heights, whole->count);
    return !oro_writer_drains(writer, ORO_DRAIN_STRICT) ||
           oro_drain_halves(&whole->target, whole->heights, &writer->written.cost, err);
}

static bool make_levels(struct whole *whole, struct oro_error *err)
{
    struct oro_writer *writer = whole->writer;
    if (writer->shape.largest <= 0)
        return true;
    whole->levels = oro_alloc(whole->count, sizeof *whole->levels);
    if (!whole->levels)
        return oro_writer_no_memory(writer, err);
    if (!writer->options.write.has_range)
        writer->range = oro_range_of(whole->heights, whole->count);
    whole->clipped = oro_writer_quantise(writer, whole->heights, whole->levels, whole->count);
    oro_writer_note_clipped(writer, whole->clipped);
    return !oro_writer_drains(writer, ORO_DRAIN_STRICT) ||
           oro_drain_levels(&whole->target, writer->range, writer->shape.largest, whole->levels,
                            &writer->written.cost, err);
}

/* The samples, with the format's word for none where there is no height; NULL: no memory. */
static float *with_none(const struct whole *whole, double none)
{
    float *samples = oro_alloc(whole->count, sizeof *samples);
    for (size_t i = 0; samples && i < whole->count; i++)
        samples[i] = whole->field->sea[i] > 0.5f ? (float)none : whole->heights[i];
    return samples;
}

static bool put(struct whole *whole, struct oro_error *err)
{
    struct oro_writer *writer = whole->writer;
    const struct oro_cell_window window = {0, 0, whole->field->width, whole->field->height};
    if (writer->codec->folder) {
        const char *folder = oro_file_set_folder(&writer->files, writer->path, err);
        if (!folder)
            return false;
        writer->target = oro_copy_text(folder);
        if (!writer->target)
            return oro_writer_no_memory(writer, err);
    }
    float *own = writer->options.has_nodata ? with_none(whole, writer->options.nodata) : NULL;
    if (writer->options.has_nodata && !own)
        return oro_writer_no_memory(writer, err);
    bool ok = oro_pieces_make(writer, err) && oro_pieces_put(writer, &window,
                                                             own             ? own
                                                             : whole->levels ? whole->levels
                                                                             : whole->heights,
                                                             err);
    oro_free(own);
    return ok;
}

/* What a format makes of heights that it rounds in a way of its own, for measuring. The writer of such a
 * format does not tell when the disk is full; this does. */
static bool read_rounded(struct whole *whole, struct oro_error *err)
{
    struct oro_heightfield again = {0};
    struct oro_error why = {0};
    if (!whole->writer->codec->rounds)
        return true;
    if (!oro_heightfield_read(whole->writer->files.files[0].temporary,
                              &(struct oro_read_options){.no_sidecar = true}, &again, &why)) {
        oro_heightfield_free(&again);
        return oro_fail(err, why.code == ORO_E_MEMORY ? ORO_E_MEMORY : ORO_E_WRITE,
                        "cannot write '%s': it cannot be read back", whole->writer->path);
    }
    whole->levels = again.data;
    again.data = NULL;
    oro_heightfield_free(&again);
    return true;
}

/* Measures what will be read back; this overwrites the levels. */
static bool measure(struct whole *whole, struct oro_error *err)
{
    struct oro_writer *writer = whole->writer;
    struct oro_heightfield again = *whole->field;
    struct oro_measure *measure = &writer->written.measure;
    if (whole->levels && writer->shape.largest > 0)
        oro_range_to_metres(writer->range, writer->shape.largest, whole->levels, whole->count);
    again.data = whole->levels ? whole->levels : whole->heights;
    oro_measure_values(&again, measure);
    if (writer->codec->write_mesh) {
        measure->low = writer->written.mesh.low;
        measure->high = writer->written.mesh.high;
    }
    oro_writer_find_figures(writer);
    /* Volumes in cells become cubic metres, if the cell size is known. */
    double square = again.cell > 0 ? again.cell * again.cell : 1;
    writer->written.cost.cut_volume *= square;
    writer->written.cost.raise_volume *= square;
    struct oro_ground ground = oro_drain_ground(&whole->target, again.data);
    return writer->options.write.not_terrain || (oro_certify(&ground, &measure->drainage, err) &&
                                                 oro_drain_check(&whole->target, &measure->drainage, err));
}

static bool write_whole(struct whole *whole, struct oro_error *err)
{
    return carve(whole, err) && make_halves(whole, err) && make_levels(whole, err) && put(whole, err) &&
           read_rounded(whole, err) && measure(whole, err) && oro_pieces_seal(whole->writer, 0, 1, err) &&
           oro_writer_close(whole->writer, err) &&
           (oro_writer_note_flats(whole->writer, whole->clipped), true);
}

static bool write_field(const char *path, const struct oro_heightfield *field,
                        const struct oro_write_options *options, struct oro_error *err)
{
    const struct oro_codec *codec = oro_codec_of(path);
    struct oro_writer_options by_window = {.write = *options};
    bool floats = codec && (!codec->takes_bits || by_window.write.bits != 16);
    by_window.has_nodata = by_window.write.keeps_none && field->sea && floats && codec->none;
    by_window.nodata = by_window.has_nodata ? *codec->none : 0;
    struct oro_writer *writer = oro_writer_create(path, field, &by_window, true, err);
    if (!writer)
        return false;
    struct whole whole = {.writer = writer,
                          .field = field,
                          .target = {path, &writer->options.write, field->width, field->height, field->sea},
                          .count = oro_cell_count(field->width, field->height),
                          .heights = field->data};
    bool ok = write_whole(&whole, err);
    writer->written.drains_again = writer->options.write.drains_again;
    if (ok && writer->options.write.written)
        *writer->options.write.written = writer->written;
    if (whole.heights != field->data)
        oro_free(whole.heights);
    oro_free(whole.levels);
    oro_writer_free(writer);
    return ok;
}

bool oro_heightfield_write(const char *path, const struct oro_heightfield *field,
                           const struct oro_write_options *options, struct oro_error *err)
{
    static const struct oro_write_options defaults = {0};
    struct oro_heightfield flooded;
    options = options ? options : &defaults;
    if (!options->has_sea && !options->sea_mask && (!field->sea || field->has_sea_level))
        return write_field(path, field, options, err);
    bool ok = oro_drain_flood(field, options, &flooded, err) && write_field(path, &flooded, options, err);
    oro_free(flooded.sea);
    return ok;
}
