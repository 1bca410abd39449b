/*
 * Writing OpenEXR: zip-compressed blocks of 16 rows, or tiles. Some blocks for each thread are packed
 * and compressed at once, then written in order, so that equal terrains give equal bytes.
 */
#include <errno.h>
#include <string.h>

#include <libdeflate.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "formats/codec.h"
#include "formats/exr/exr.h"
#include "formats/format.h"
#include "formats/half.h"

enum {
    TILE = 64,
    BLOCKS = 4,      /* that are compressed at once, for each thread: */
    BATCH = 1 << 24, /* fewer where they have more bytes than this together */
    NAME = 256,      /* a channel's name, of at most 255 bytes */
};

/* Measured: docs/performance.md. Higher levels gain nothing on floats. */
enum { LEVEL = 1, LEVEL_OF_HALVES = 2 };

/* One channel of the file. */
struct plane {
    char name[NAME];
    const float *samples;
    int step; /* floats from one sample to the next */
};

struct writer {
    FILE *stream;
    const char *path;
    const struct oro_heightfield *field;
    const struct oro_write_options *options;
    struct plane *planes;
    size_t plane_count;
    exr_context_t context;
    uint64_t position; /* of the stream */
    int reason;        /* errno, once writing has failed */

    int blocks, first; /* in the file; the block of the first coder */
    struct coder {
        exr_encode_pipeline_t pipeline;
        exr_result_t (*write)(exr_encode_pipeline_t *pipeline); /* the library's */
        exr_result_t result;
    } * coders;
    int at_once; /* coders */
};

/* What went wrong is told by results; in a context for writing, the library must not be asked anything here,
 * since it calls this with its lock held. */
static void on_error(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context;
    (void)code;
    (void)text;
}

static int64_t put(exr_const_context_t context, void *user, const void *bytes, uint64_t size, uint64_t offset,
                   exr_stream_error_func_ptr_t on_failure)
{
    struct writer *writer = user;
    (void)context;
    (void)on_failure;
    errno = 0;
    bool there = offset == writer->position || fseeko(writer->stream, (off_t)offset, SEEK_SET) == 0;
    if (!there || fwrite(bytes, 1, size, writer->stream) != size) {
        writer->reason = errno;
        return -1;
    }
    writer->position = offset + size;
    return (int64_t)size;
}

static bool fail(const struct writer *writer, exr_result_t result, struct oro_error *err)
{
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", writer->path,
                    writer->reason ? strerror(writer->reason) : exr_get_default_error_message(result));
}

/* --- channels --- */

static bool add_plane(struct writer *writer, const char *name, const char *suffix, const float *samples,
                      int step, struct oro_error *err)
{
    struct plane *plane = &writer->planes[writer->plane_count];
    int length = snprintf(plane->name, NAME, "%s%s", name, suffix);
    if (length < 1 || length >= NAME)
        return oro_fail(err, ORO_E_USAGE, "'%s': a channel's name has 1 to %d bytes, not '%s%s'",
                        writer->path, NAME - 1, name, suffix);
    for (size_t i = 0; i < writer->plane_count; i++)
        if (strcmp(writer->planes[i].name, plane->name) == 0)
            return oro_fail(err, ORO_E_USAGE, "'%s': there are two channels called '%s'", writer->path,
                            plane->name);
    plane->samples = samples;
    plane->step = step;
    writer->plane_count++;
    return true;
}

static bool add_channel(struct writer *writer, const struct oro_channel *channel, struct oro_error *err)
{
    static const char *const suffixes[][4] = {
        {""}, {".X", ".Y"}, {".X", ".Y", ".Z"}, {".R", ".G", ".B", ".A"}};
    if (channel->components < 1 || channel->components > 4)
        return oro_fail(err, ORO_E_USAGE, "'%s': channel '%s' has %d components, not 1 to 4", writer->path,
                        channel->name, channel->components);
    for (int i = 0; i < channel->components; i++)
        if (!add_plane(writer, channel->name, suffixes[channel->components - 1][i], channel->data + i,
                       channel->components, err))
            return false;
    return true;
}

static bool gather(struct writer *writer, struct oro_error *err)
{
    const struct oro_write_options *options = writer->options;
    const char *name = options->channel ? options->channel : ORO_EXR_HEIGHT;
    writer->planes = oro_alloc(1 + 4 * options->other_count, sizeof *writer->planes);
    bool ok = writer->planes || fail(writer, EXR_ERR_OUT_OF_MEMORY, err);
    ok = ok && add_plane(writer, name, "", writer->field->data, 1, err);
    for (size_t i = 0; ok && i < options->other_count; i++)
        ok = add_channel(writer, &options->others[i], err);
    size_t cells = (size_t)writer->field->width * (size_t)writer->field->height;
    for (size_t i = 1; ok && options->half && i < writer->plane_count;
         i++) { /* heights are rounded already */
        const struct plane *plane = &writer->planes[i];
        ok = oro_half_check(&(struct oro_half_raster){writer->path, plane->name, plane->samples, plane->step,
                                                      writer->field->width, cells},
                            err);
    }
    return ok;
}

/* --- the header --- */

static exr_result_t declare(struct writer *writer)
{
    const struct oro_heightfield *field = writer->field;
    exr_context_t context = writer->context;
    exr_pixel_type_t type = writer->options->half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
    int part;
    bool long_names = false; /* of more than 31 bytes, which call for readers newer than 2013 */
    for (size_t i = 0; i < writer->plane_count; i++)
        long_names |= strlen(writer->planes[i].name) > 31;
    exr_result_t result = exr_set_longname_support(context, long_names);
    ORO_EXR_THEN(result,
                 exr_add_part(context, NULL,
                              writer->options->tiled ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part));
    ORO_EXR_THEN(result, exr_initialize_required_attr_simple(context, 0, field->width, field->height,
                                                             EXR_COMPRESSION_ZIP));
    for (size_t i = 0; i < writer->plane_count; i++)
        ORO_EXR_THEN(result, exr_add_channel(context, 0, writer->planes[i].name, type,
                                             EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    if (writer->options->tiled)
        ORO_EXR_THEN(
            result, exr_set_tile_descriptor(context, 0, TILE, TILE, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN));
    return result;
}

static exr_result_t describe(struct writer *writer)
{
    const struct oro_heightfield *field = writer->field;
    exr_context_t context = writer->context;
    struct oro_measure measure;
    oro_measure_values(field, &measure);
    exr_result_t result = exr_attr_set_string(context, 0, ORO_EXR_CHANNEL, writer->planes[0].name);
    ORO_EXR_THEN(result, exr_attr_set_double(context, 0, ORO_EXR_MINIMUM, measure.low));
    ORO_EXR_THEN(result, exr_attr_set_double(context, 0, ORO_EXR_MAXIMUM, measure.high));
    if (field->cell > 0)
        ORO_EXR_THEN(result, exr_attr_set_double(context, 0, ORO_EXR_CELL, field->cell));
    if (field->place.crs) {
        ORO_EXR_THEN(result, exr_attr_set_string(context, 0, ORO_EXR_CRS, field->place.crs));
        ORO_EXR_THEN(result, exr_attr_set_double(context, 0, ORO_EXR_WEST, field->place.west));
        ORO_EXR_THEN(result, exr_attr_set_double(context, 0, ORO_EXR_NORTH, field->place.north));
    }
    return result;
}

/* --- blocks --- */

/* Points the channels of a coder, which the library has sorted by name, at a block's samples. */
static void point(const struct writer *writer, exr_encode_pipeline_t *coder)
{
    int side = writer->options->tiled ? TILE : 1, x = coder->chunk.start_x * side,
        y = coder->chunk.start_y * side;
    size_t cell = (size_t)y * (size_t)writer->field->width + (size_t)x;
    for (int c = 0; c < coder->channel_count; c++) {
        exr_coding_channel_info_t *channel = &coder->channels[c];
        const struct plane *plane = writer->planes, *last = plane + writer->plane_count - 1;
        while (plane < last && strcmp(plane->name, channel->channel_name) != 0)
            plane++;
        channel->encode_from_ptr = (const uint8_t *)(plane->samples + cell * (size_t)plane->step);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_pixel_stride = (int32_t)sizeof(float) * plane->step;
        channel->user_line_stride = channel->user_pixel_stride * writer->field->width;
    }
}

static exr_result_t locate(const struct writer *writer, int block, exr_chunk_info_t *info)
{
    int32_t rows = 0, across = (writer->field->width + TILE - 1) / TILE;
    if (writer->options->tiled)
        return exr_write_tile_chunk_info(writer->context, 0, block % across, block / across, 0, 0, info);
    exr_result_t result = exr_get_scanlines_per_chunk(writer->context, 0, &rows);
    return ORO_EXR_THEN(result, exr_write_scanline_chunk_info(writer->context, 0, block * rows, info));
}

static bool make_room(void **buffer, size_t *room, size_t wanted)
{
    if (*room >= wanted)
        return true;
    oro_free(*buffer);
    *buffer = oro_alloc(wanted, 1);
    *room = *buffer ? wanted : 0;
    return *buffer != NULL;
}

static void take_differences(const unsigned char *bytes, size_t count, unsigned char *out)
{
    const unsigned char *odd = bytes + 1;
    size_t evens = (count + 1) / 2, odds = count / 2;
    unsigned char *second = out + evens;
    out[0] = bytes[0];
    for (size_t i = 1; i < evens; i++)
        out[i] = (unsigned char)(bytes[2 * i] - bytes[2 * i - 2] + 128);
    if (odds > 0)
        second[0] = (unsigned char)(odd[0] - bytes[2 * (evens - 1)] + 128);
    for (size_t i = 1; i < odds; i++)
        second[i] = (unsigned char)(odd[2 * i] - odd[2 * i - 2] + 128);
}

/* OpenEXR's ZIP: the bytes of a block at even places, then those at odd ones, as differences of neighbours,
 * in a zlib stream. The library has zlib make it; libdeflate makes the same kind of stream in a third of the
 * time. A block that does not get shorter is left as it is: readers know it by its length. */
static exr_result_t zip(exr_encode_pipeline_t *coder)
{
    const struct writer *writer = coder->encoding_user_data;
    size_t count = coder->packed_bytes;
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(writer->options->half ? LEVEL_OF_HALVES : LEVEL);
    bool ok = compressor && make_room(&coder->scratch_buffer_1, &coder->scratch_alloc_size_1, count) &&
              make_room(&coder->compressed_buffer, &coder->compressed_alloc_size, count);
    if (ok) {
        take_differences(coder->packed_buffer, count, coder->scratch_buffer_1);
        coder->compressed_bytes = libdeflate_zlib_compress(compressor, coder->scratch_buffer_1, count,
                                                           coder->compressed_buffer, count - 1);
    }
    libdeflate_free_compressor(compressor);
    if (ok && coder->compressed_bytes == 0) {
        memcpy(coder->compressed_buffer, coder->packed_buffer, count);
        coder->compressed_bytes = count;
    }
    return ok ? EXR_ERR_SUCCESS : EXR_ERR_OUT_OF_MEMORY;
}

/* Compresses a block; it is written by write_blocks, in order. */
static exr_result_t encode(struct writer *writer, int which)
{
    exr_encode_pipeline_t *pipeline = &writer->coders[which].pipeline;
    exr_chunk_info_t info;
    bool begun = pipeline->context;
    exr_result_t result = locate(writer, writer->first + which, &info);
    ORO_EXR_THEN(result, begun ? exr_encoding_update(writer->context, 0, &info, pipeline)
                               : exr_encoding_initialize(writer->context, 0, &info, pipeline));
    if (result != EXR_ERR_SUCCESS)
        return result;
    point(writer, pipeline);
    if (!begun) {
        result = exr_encoding_choose_default_routines(writer->context, 0, pipeline);
        writer->coders[which].write = pipeline->write_fn;
    }
    pipeline->yield_until_ready_fn = NULL;
    pipeline->write_fn = NULL;
    pipeline->compress_fn = zip;
    pipeline->encoding_user_data = writer;
    return ORO_EXR_THEN(result, exr_encoding_run(writer->context, 0, pipeline));
}

static void encode_some(void *user, size_t first, size_t end)
{
    struct writer *writer = user;
    for (size_t i = first; i < end; i++)
        writer->coders[i].result = encode(writer, (int)i);
}

static exr_result_t write_blocks(struct writer *writer)
{
    exr_result_t result = EXR_ERR_SUCCESS;
    for (; result == EXR_ERR_SUCCESS && writer->first < writer->blocks; writer->first += writer->at_once) {
        int left = writer->blocks - writer->first, count = left < writer->at_once ? left : writer->at_once;
        oro_parallel((size_t)count, 1, encode_some, writer);
        for (int i = 0; result == EXR_ERR_SUCCESS && i < count; i++) {
            result = writer->coders[i].result;
            ORO_EXR_THEN(result, writer->coders[i].write(&writer->coders[i].pipeline));
        }
    }
    return result;
}

static exr_result_t make_coders(struct writer *writer)
{
    exr_result_t result = exr_get_chunk_count(writer->context, 0, &writer->blocks);
    if (result != EXR_ERR_SUCCESS)
        return result;
    size_t cells = (size_t)writer->field->width * (size_t)writer->field->height;
    size_t block = cells * writer->plane_count * sizeof(float) / (size_t)writer->blocks + 1;
    size_t threads = (size_t)oro_parallel_threads(), count = BATCH / block;
    count = count < BLOCKS * threads ? count : BLOCKS * threads;
    count = count > threads ? count : threads;
    writer->at_once = count < (size_t)writer->blocks ? (int)count : writer->blocks;
    writer->coders = oro_alloc((size_t)writer->at_once, sizeof *writer->coders);
    return writer->coders ? EXR_ERR_SUCCESS : EXR_ERR_OUT_OF_MEMORY;
}

static exr_result_t write_file(struct writer *writer)
{
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    initializer.error_handler_fn = on_error;
    initializer.alloc_fn = oro_exr_allocate;
    initializer.free_fn = oro_free;
    initializer.user_data = writer;
    initializer.write_fn = put;
    exr_result_t result =
        exr_start_write(&writer->context, writer->path, EXR_WRITE_FILE_DIRECTLY, &initializer);
    if (result != EXR_ERR_SUCCESS)
        return result;
    result = declare(writer);
    ORO_EXR_THEN(result, describe(writer));
    ORO_EXR_THEN(result, exr_write_header(writer->context));
    ORO_EXR_THEN(result, make_coders(writer));
    ORO_EXR_THEN(result, write_blocks(writer));
    for (int i = 0; writer->coders && i < writer->at_once; i++)
        if (writer->coders[i].pipeline.context)
            exr_encoding_destroy(writer->context, &writer->coders[i].pipeline);
    oro_free(writer->coders);
    exr_result_t finished = exr_finish(&writer->context);
    return ORO_EXR_THEN(result, finished);
}

bool oro_exr_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                   const float *samples, struct oro_error *err)
{
    (void)shape;
    struct oro_heightfield field = *output->field;
    field.data = (float *)samples; /* only read */
    struct writer writer = {
        .stream = output->stream, .path = output->path, .field = &field, .options = output->options};
    bool ok = gather(&writer, err);
    if (ok) {
        exr_result_t result = write_file(&writer);
        ok = result == EXR_ERR_SUCCESS || fail(&writer, result, err);
    }
    oro_free(writer.planes);
    return ok;
}
