/*
 * Reading OpenEXR. What is read is one channel of one part, of which the header tells everything that is
 * allocated. Nothing but flat parts with samples for every pixel gets as far as the library's decoders.
 */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/transfer.h"
#include "formats/codec.h"
#include "formats/exr/exr.h"
#include "formats/half.h"

enum {
    CHANNELS_MAX = 1024,
    ATTRIBUTES_MAX = 4096, /* of all parts */
    NAME_MAX_BYTES = 256,
    NAMES_LISTED = 16, /* in a message */
    CRS_MAX = 1 << 16,
    /* The most that a compression of OpenEXR can save: PXR24's, deflate (1032) on three bytes of four. */
    RATIO_MAX = 1376,
};

#define BLOCK_BYTES_MAX ((uint64_t)1 << 30)

/* A file whose header was read, and the channel in it. */
struct reader {
    struct oro_raster_file *source;
    exr_context_t context;
    char trouble[200]; /* what the library said last */
    bool listening;    /* while the header is read, by one thread */
    bool out_of_memory;

    int part, channel;
    exr_attr_box2i_t window;
    exr_storage_t storage;
    exr_compression_t compression;
    exr_pixel_type_t type;
    int block_width, block_height, blocks_across, blocks; /* tiles of level 0, or groups of rows */

    int width; /* of the raster */
    float *samples;
    _Atomic uint64_t
        failure; /* the first block that cannot be read, and above 32 bits why; see note_failure */
};

/* In a context for reading, user data can be asked for at any time. */
static void on_error(exr_const_context_t context, exr_result_t code, const char *text)
{
    void *user = NULL;
    if (!context || exr_get_user_data(context, &user) != EXR_ERR_SUCCESS)
        return;
    struct reader *reader = user;
    if (!reader->listening)
        return;
    reader->out_of_memory = reader->out_of_memory || code == EXR_ERR_OUT_OF_MEMORY;
    snprintf(reader->trouble, sizeof reader->trouble, "%s", text);
}

/* Several threads read at once, each where it wants. Gives fewer bytes at the end of the file. */
static int64_t pull(exr_const_context_t context, void *user, void *bytes, uint64_t size, uint64_t offset,
                    exr_stream_error_func_ptr_t on_failure)
{
    const struct oro_raster_file *source = ((const struct reader *)user)->source;
    uint64_t left = offset < source->size ? source->size - offset : 0;
    (void)context;
    (void)on_failure;
    return oro_read_at(fileno(source->stream), bytes, size < left ? size : left, offset);
}

static int64_t tell_size(exr_const_context_t context, void *user)
{
    const struct reader *reader = user;
    (void)context;
    return (int64_t)reader->source->size;
}

/* Texts of the file, and the library's about them, may hold anything; one line of text is wanted. */
static void make_plain(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

static void take_plain(const char *text, char plain[64])
{
    snprintf(plain, 64, "%s", text);
    make_plain(plain);
}

static bool fail_header(struct reader *reader, exr_result_t result, struct oro_error *err)
{
    if (reader->out_of_memory || result == EXR_ERR_OUT_OF_MEMORY)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", reader->source->path);
    make_plain(reader->trouble);
    return oro_fail(err, ORO_E_FILE, "'%s' is damaged: %s", reader->source->path,
                    reader->trouble[0] ? reader->trouble : exr_get_default_error_message(result));
}

/* Reads the text at `*at` and goes behind its end. False: there is none. */
static bool take_text(const struct reader *reader, uint64_t *at, char text[NAME_MAX_BYTES])
{
    int64_t got = pull(NULL, (void *)(uintptr_t)reader, text, NAME_MAX_BYTES, *at, NULL);
    const char *end = got > 0 ? memchr(text, '\0', (size_t)got) : NULL;
    *at += end ? (uint64_t)(end - text) + 1 : 0;
    return end;
}

/* The library takes hours over a header of some megabytes: it sorts each channel and each attribute in among
 * those before. What is wrong otherwise, it tells itself. */
static bool check_attributes(const struct reader *reader, struct oro_error *err)
{
    enum { CHANNEL_BYTES = NAME_MAX_BYTES + 16 };
    char name[NAME_MAX_BYTES], type[NAME_MAX_BYTES];
    unsigned char size[4], head[8] = {0};
    uint64_t at = sizeof head; /* behind it the attributes begin */
    if (pull(NULL, (void *)(uintptr_t)reader, head, sizeof head, 0, NULL) == 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is empty", reader->source->path);
    if (memcmp(head, "\x76\x2f\x31\x01", 4) != 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is not an OpenEXR file", reader->source->path);
    bool parts = head[5] & 0x10; /* several */
    for (int count = 0; count <= ATTRIBUTES_MAX; count++) {
        if (!take_text(reader, &at, name))
            return true;
        if (!name[0] && !(parts && take_text(reader, &at, name) && name[0])) /* the next part's, or the end */
            return true;
        if (!take_text(reader, &at, type) ||
            pull(NULL, (void *)(uintptr_t)reader, size, sizeof size, at, NULL) != sizeof size)
            return true;
        uint32_t bytes = size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16 | (uint32_t)size[3] << 24;
        if (strcmp(type, "chlist") == 0 && bytes > CHANNELS_MAX * CHANNEL_BYTES)
            return oro_fail(err, ORO_E_FILE, "'%s' has more than %d channels, which are not read",
                            reader->source->path, CHANNELS_MAX);
        at += sizeof size + bytes;
    }
    return oro_fail(err, ORO_E_FILE, "'%s' has more than %d attributes in its header, which are not read",
                    reader->source->path, ATTRIBUTES_MAX);
}

static bool open_file(struct reader *reader, struct oro_error *err)
{
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    initializer.error_handler_fn = on_error;
    initializer.alloc_fn = oro_exr_allocate;
    initializer.free_fn = oro_free;
    initializer.user_data = reader;
    initializer.read_fn = pull;
    initializer.size_fn = tell_size;
    initializer.flags = EXR_CONTEXT_FLAG_STRICT_HEADER | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    reader->listening = true;
    exr_result_t result = exr_start_read(&reader->context, reader->source->path, &initializer);
    return result == EXR_ERR_SUCCESS || fail_header(reader, result, err);
}

/* --- which channel --- */

static const exr_attr_chlist_t *channels_of(const struct reader *reader, int part)
{
    const exr_attr_chlist_t *channels = NULL;
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    if (exr_get_storage(reader->context, part, &storage) != EXR_ERR_SUCCESS ||
        (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED) ||
        exr_get_channels(reader->context, part, &channels) != EXR_ERR_SUCCESS)
        return NULL;
    return channels;
}

static const exr_attribute_t *attribute_of(const struct reader *reader, int part, const char *name,
                                           exr_attribute_type_t type)
{
    const exr_attribute_t *attribute = NULL;
    bool found = exr_get_attribute_by_name(reader->context, part, name, &attribute) == EXR_ERR_SUCCESS &&
                 attribute->type == type;
    return found ? attribute : NULL;
}

/* The first part that has a channel of that name, or (NULL) no other channel. */
static bool find_channel(struct reader *reader, int parts, const char *name)
{
    for (reader->part = 0; reader->part < parts; reader->part++) {
        const exr_attr_chlist_t *channels = channels_of(reader, reader->part);
        int count = channels ? channels->num_channels : 0;
        for (reader->channel = 0; reader->channel < count; reader->channel++)
            if (name ? strcmp(channels->entries[reader->channel].name.str, name) == 0 : count == 1)
                return true;
    }
    return false;
}

/* `wanted`: the channel that must be there; NULL: one of those that heights are looked for in. */
static bool fail_channels(const struct reader *reader, int parts, const char *wanted, struct oro_error *err)
{
    struct oro_text names = {0};
    char missing[64];
    int flat = 0, count = 0;
    for (int part = 0; part < parts; part++) {
        const exr_attr_chlist_t *channels = channels_of(reader, part);
        flat += channels != NULL;
        for (int i = 0; channels && i < channels->num_channels; i++, count++)
            if (count <= NAMES_LISTED)
                oro_text_addf(&names, "%s%s", count ? ", " : "",
                              count == NAMES_LISTED ? "..." : channels->entries[i].name.str);
    }
    if (names.data && !names.failed)
        make_plain(names.data);
    take_plain(wanted ? wanted : "", missing);
    if (flat == 0)
        oro_fail(err, ORO_E_FILE, "'%s' holds deep data, several samples a pixel: save it flat",
                 reader->source->path);
    else if (wanted)
        oro_fail(err, ORO_E_FILE, "'%s' has no channel '%s'%s; it has %s", reader->source->path, missing,
                 reader->source->channel ? "" : ", in which its header says that the heights are",
                 names.failed ? "?" : names.data);
    else
        oro_fail(err, ORO_E_FILE,
                 "'%s' has several channels, and none is called '" ORO_EXR_HEIGHT "', 'Y', 'Z' or 'R': %s",
                 reader->source->path, names.failed ? "?" : names.data);
    oro_text_free(&names);
    return false;
}

static bool choose_channel(struct reader *reader, struct oro_error *err)
{
    static const char *const usual[] = {ORO_EXR_HEIGHT, NULL, "Y", "Z", "R"};
    int parts = 0;
    const char *wanted = reader->source->channel;
    exr_get_count(reader->context, &parts);
    for (int part = 0; part < parts && !wanted; part++) {
        const exr_attribute_t *named = attribute_of(reader, part, ORO_EXR_CHANNEL, EXR_ATTR_STRING);
        wanted = named ? named->string->str : NULL;
    }
    /* Others in a file that lacks the one it names are no heights. */
    bool found = wanted && find_channel(reader, parts, wanted);
    for (size_t i = 0; !wanted && !found && i < sizeof usual / sizeof usual[0]; i++)
        found = find_channel(reader, parts, usual[i]);
    return found || fail_channels(reader, parts, wanted, err);
}

/* --- what the header promises --- */

/* Bytes of all channels in a pixel; 0 where `err` is filled. Blocks hold all channels, so that one which is
 * not wanted must be harmless, too. */
static uint64_t check_channels(struct reader *reader, struct oro_error *err)
{
    const exr_attr_chlist_t *channels = channels_of(reader, reader->part);
    uint64_t bytes = 0;
    if (channels->num_channels > CHANNELS_MAX) {
        oro_fail(err, ORO_E_FILE, "'%s' has %d channels: at most %d are read", reader->source->path,
                 channels->num_channels, CHANNELS_MAX);
        return 0;
    }
    for (int i = 0; i < channels->num_channels; i++) {
        const exr_attr_chlist_entry_t *channel = &channels->entries[i];
        if (channel->x_sampling != 1 || channel->y_sampling != 1) {
            char name[64];
            take_plain(channel->name.str, name);
            oro_fail(
                err, ORO_E_FILE,
                "'%s': channel '%s' has a sample for every %d x %d pixels only: save all channels at full "
                "resolution",
                reader->source->path, name, channel->x_sampling, channel->y_sampling);
            return 0;
        }
        bytes += channel->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    }
    reader->type = channels->entries[reader->channel].pixel_type;
    return bytes;
}

static bool measure_blocks(struct reader *reader, int width, int height)
{
    uint32_t across = (uint32_t)width, down = 0;
    int32_t rows = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    if (reader->storage == EXR_STORAGE_TILED) {
        if (exr_get_tile_descriptor(reader->context, reader->part, &across, &down, &levels, &rounding) !=
            EXR_ERR_SUCCESS)
            return false;
    } else if (exr_get_scanlines_per_chunk(reader->context, reader->part, &rows) == EXR_ERR_SUCCESS &&
               rows > 0) {
        down = (uint32_t)rows;
    }
    if (across == 0 || down == 0)
        return false;
    reader->block_width = across < (uint32_t)width ? (int)across : width;
    reader->block_height = down < (uint32_t)height ? (int)down : height;
    reader->blocks_across = (width + reader->block_width - 1) / reader->block_width;
    reader->blocks = reader->blocks_across * ((height + reader->block_height - 1) / reader->block_height);
    return true;
}

static bool check_blocks(struct reader *reader, uint64_t pixel, int width, int height, struct oro_error *err)
{
    if (!measure_blocks(reader, width, height))
        return fail_header(reader, EXR_ERR_FILE_BAD_HEADER, err);
    uint64_t block = pixel * (uint64_t)reader->block_width * (uint64_t)reader->block_height;
    if (block > BLOCK_BYTES_MAX)
        return oro_fail(err, ORO_E_FILE, "'%s' has blocks of %" PRIu64 " bytes: at most %" PRIu64 " are read",
                        reader->source->path, block, BLOCK_BYTES_MAX);
    /* Before anything as large is allocated: could the file hold that much? */
    uint64_t all = pixel * (uint64_t)width * (uint64_t)height;
    uint64_t least = reader->compression == EXR_COMPRESSION_NONE ? all : all / RATIO_MAX;
    if (least > reader->source->size)
        return oro_fail(err, ORO_E_FILE, "'%s' is truncated: %" PRIu64 " bytes cannot hold %dx%d cells",
                        reader->source->path, reader->source->size, width, height);
    return true;
}

/* Reads the header and checks everything that it says. */
static bool open_reader(struct reader *reader, struct oro_raster_shape *shape, struct oro_error *err)
{
    if (!check_attributes(reader, err) || !open_file(reader, err) || !choose_channel(reader, err))
        return false;
    exr_result_t result = exr_get_data_window(reader->context, reader->part, &reader->window);
    ORO_EXR_THEN(result, exr_get_storage(reader->context, reader->part, &reader->storage));
    ORO_EXR_THEN(result, exr_get_compression(reader->context, reader->part, &reader->compression));
    if (result != EXR_ERR_SUCCESS)
        return fail_header(reader, result, err);
    int64_t across = (int64_t)reader->window.max.x - reader->window.min.x + 1;
    int64_t down = (int64_t)reader->window.max.y - reader->window.min.y + 1;
    if (!oro_raster_check_size(reader->source, (uint64_t)across, (uint64_t)down, err))
        return false;
    *shape = (struct oro_raster_shape){.width = (int)across, .height = (int)down};
    reader->width = shape->width;
    uint64_t pixel = check_channels(reader, err);
    reader->listening = false;
    if (pixel > 0 && reader->compression >= EXR_COMPRESSION_DWAA)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' is compressed with %s, which loses precision and is not read: save it with ZIP",
                        reader->source->path,
                        reader->compression == EXR_COMPRESSION_DWAA   ? "DWAA"
                        : reader->compression == EXR_COMPRESSION_DWAB ? "DWAB"
                                                                      : "unknown");
    return pixel > 0 && check_blocks(reader, pixel, shape->width, shape->height, err);
}

static bool header(struct oro_raster_file *source, struct oro_raster_shape *shape, struct oro_error *err)
{
    struct reader *reader = source->state = oro_alloc(1, sizeof *reader);
    if (!reader)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->path);
    reader->source = source;
    return open_reader(reader, shape, err);
}

static void end(struct oro_raster_file *source)
{
    struct reader *reader = source->state;
    if (reader && reader->context)
        exr_finish(&reader->context);
    oro_free(reader);
    source->state = NULL;
}

/* --- samples --- */

/* A thread's decoder, and room for the samples of a block. */
struct decoder {
    exr_decode_pipeline_t pipeline;
    exr_result_t (*decompress)(exr_decode_pipeline_t *pipeline); /* the library's choice */
    void *block;
};

static exr_result_t find_block(const struct reader *reader, int block, exr_chunk_info_t *info)
{
    int column = block % reader->blocks_across, row = block / reader->blocks_across;
    exr_result_t result =
        reader->storage == EXR_STORAGE_TILED
            ? exr_read_tile_chunk_info(reader->context, reader->part, column, row, 0, 0, info)
            : exr_read_scanline_chunk_info(reader->context, reader->part,
                                           reader->window.min.y + row * reader->block_height, info);
    if (result != EXR_ERR_SUCCESS)
        return result;
    bool fits = info->width <= reader->block_width && info->height <= reader->block_height;
    /* The library would take what is missing in an uncompressed block for zeros. */
    bool whole = reader->compression != EXR_COMPRESSION_NONE || info->packed_size == info->unpacked_size;
    return fits && whole ? EXR_ERR_SUCCESS : EXR_ERR_CORRUPT_CHUNK;
}

/* Samples are decoded in the file's own type: where the library converts some channels and skips the others,
 * it writes to those that it skips. */
static exr_result_t decode(const struct reader *reader, struct decoder *decoder, const exr_chunk_info_t *info)
{
    exr_decode_pipeline_t *pipeline = &decoder->pipeline;
    bool begun = pipeline->context;
    exr_result_t result = begun ? exr_decoding_update(reader->context, reader->part, info, pipeline)
                                : exr_decoding_initialize(reader->context, reader->part, info, pipeline);
    if (result != EXR_ERR_SUCCESS)
        return result;
    exr_coding_channel_info_t *channel = &pipeline->channels[reader->channel];
    channel->decode_to_ptr = decoder->block;
    channel->user_pixel_stride = channel->user_bytes_per_element;
    channel->user_line_stride = channel->bytes_per_element * info->width;
    if (!begun) {
        result = exr_decoding_choose_default_routines(reader->context, reader->part, pipeline);
        decoder->decompress = pipeline->decompress_fn;
    }
    /* Compression that saves nothing is left out, and the length of the block tells. The library forgets that
     * in B44 alone. */
    pipeline->decompress_fn = info->packed_size == info->unpacked_size ? NULL : decoder->decompress;
    ORO_EXR_THEN(result, exr_decoding_run(reader->context, reader->part, pipeline));
    /* So the decoder of B44 says that a block is too short. */
    bool short_block = result == EXR_ERR_OUT_OF_MEMORY && reader->compression >= EXR_COMPRESSION_B44;
    return short_block ? EXR_ERR_CORRUPT_CHUNK : result;
}

static void convert_row(exr_pixel_type_t type, const void *row, int width, float *out)
{
    const uint16_t *halves = row;
    const uint32_t *wholes = row;
    if (type == EXR_PIXEL_FLOAT)
        memcpy(out, row, (size_t)width * sizeof *out);
    else
        for (int x = 0; x < width; x++)
            out[x] = type == EXR_PIXEL_HALF ? oro_half_value(halves[x]) : (float)wholes[x];
}

static exr_result_t read_block(const struct reader *reader, struct decoder *decoder, int block)
{
    exr_chunk_info_t info = {0};
    size_t x = (size_t)(block % reader->blocks_across) * (size_t)reader->block_width;
    size_t y = (size_t)(block / reader->blocks_across) * (size_t)reader->block_height;
    size_t bytes = reader->type == EXR_PIXEL_HALF ? 2 : 4;
    exr_result_t result = find_block(reader, block, &info);
    ORO_EXR_THEN(result, decode(reader, decoder, &info));
    for (int row = 0; result == EXR_ERR_SUCCESS && row < info.height; row++)
        convert_row(reader->type, (char *)decoder->block + (size_t)row * (size_t)info.width * bytes,
                    info.width, reader->samples + (y + (size_t)row) * (size_t)reader->width + x);
    return result;
}

/* Keeps the failure of the first block in the file, so that the message is the same for any number of
 * threads. */
static void note_failure(struct reader *reader, int block, exr_result_t result)
{
    uint64_t mine = (uint64_t)block << 32 | (uint32_t)result;
    uint64_t known = atomic_load(&reader->failure);
    while (mine < known && !atomic_compare_exchange_weak(&reader->failure, &known, mine))
        ;
}

static void read_blocks(void *user, size_t first, size_t end)
{
    struct reader *reader = user;
    struct decoder decoder = {.block =
                                  oro_alloc((size_t)reader->block_width * (size_t)reader->block_height, 4)};
    exr_result_t result = decoder.block ? EXR_ERR_SUCCESS : EXR_ERR_OUT_OF_MEMORY;
    for (size_t i = first; i < end; i++) {
        ORO_EXR_THEN(result, read_block(reader, &decoder, (int)i));
        if (result != EXR_ERR_SUCCESS) {
            note_failure(reader, (int)i, result);
            break;
        }
    }
    if (decoder.pipeline.context)
        exr_decoding_destroy(reader->context, &decoder.pipeline);
    oro_free(decoder.block);
}

static bool fail_block(const struct reader *reader, uint64_t failure, struct oro_error *err)
{
    int block = (int)(failure >> 32);
    exr_result_t result = (exr_result_t)(failure & UINT32_MAX);
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", reader->source->path);
    return oro_fail(
        err, ORO_E_FILE, "'%s' is damaged or truncated: the cells from %d,%d on cannot be read (%s)",
        reader->source->path, block % reader->blocks_across * reader->block_width,
        block / reader->blocks_across * reader->block_height, exr_get_default_error_message(result));
}

static bool read_samples(struct oro_raster_file *source, const struct oro_raster_shape *shape,
                         const struct oro_cell_window *window, float *samples, struct oro_error *err)
{
    struct reader *reader = source->state;
    (void)shape;
    (void)window; /* all of it */
    reader->samples = samples;
    reader->failure = UINT64_MAX;
    oro_parallel((size_t)reader->blocks, 1, read_blocks, reader);
    uint64_t failure = atomic_load(&reader->failure);
    return failure == UINT64_MAX || fail_block(reader, failure, err);
}

/* --- what else our files say --- */

static double number_of(const struct reader *reader, const char *name)
{
    const exr_attribute_t *attribute = attribute_of(reader, reader->part, name, EXR_ATTR_DOUBLE);
    return attribute ? attribute->d : NAN;
}

static bool describe(struct oro_raster_file *source, struct oro_heightfield *field, struct oro_error *err)
{
    const struct reader *reader = source->state;
    const exr_attribute_t *crs = attribute_of(reader, reader->part, ORO_EXR_CRS, EXR_ATTR_STRING);
    double cell = number_of(reader, ORO_EXR_CELL), west = number_of(reader, ORO_EXR_WEST),
           north = number_of(reader, ORO_EXR_NORTH);
    if (field->cell == 0 && cell > 0 && cell <= 1e9)
        field->cell = cell;
    if (field->place.crs || !crs || !crs->string->str[0] || crs->string->length > CRS_MAX ||
        !isfinite(west) || !isfinite(north))
        return true;
    field->place = (struct oro_place){.crs = oro_copy_text(crs->string->str), .west = west, .north = north};
    return field->place.crs || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->path);
}

const struct oro_codec oro_codec_exr = {
    .name = "exr",
    .extensions = (const char *const[]){"exr", NULL},
    .written = {.largest = 0},
    .header = header,
    .reads = ORO_WINDOWS_WHOLE,
    .read = read_samples,
    .end = end,
    .describe = describe,
    .writes = ORO_WINDOWS_WHOLE,
    .write = oro_exr_write,
    .channels = true,
};
