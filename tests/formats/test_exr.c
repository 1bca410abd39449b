/* OpenEXR: what we write is what others read, every layout that others write, and everything that must be
 * refused without harm. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <openexr.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "formats/half.h"

/* --- files as other programs write them: by the library, in layouts of which we write none --- */

enum { CHANNELS = 6, PARTS = 3 };

struct channel {
    const char *name;
    exr_pixel_type_t type;
    int sampling; /* 0 is 1 */
};

struct part {
    exr_storage_t storage;
    exr_compression_t compression;
    int x, y, width, height; /* data window */
    int tile;
    bool mip_levels;
    struct channel channels[CHANNELS]; /* by name; ends with a NULL name */
};

/* The sample of every test file: a half float holds it, and B44 keeps it almost, as it is smooth. */
static float sample(int part, int channel, int level, int x, int y)
{
    return (float)(1000 * level + 500 * part + 150 * channel + 100 + x + 2 * y);
}

static void done(exr_result_t result)
{
    if (result != EXR_ERR_SUCCESS)
        fail_msg("%s", exr_get_error_code_as_string(result));
}

static void silent(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context, (void)code, (void)text;
}

/* A block of a channel as it lies in a file. */
static void fill(void *block, exr_pixel_type_t type, size_t i, float value)
{
    if (type == EXR_PIXEL_HALF)
        ((uint16_t *)block)[i] = oro_half_of(value);
    else if (type == EXR_PIXEL_FLOAT)
        ((float *)block)[i] = value;
    else
        ((uint32_t *)block)[i] = (uint32_t)value;
}

static void put_block(exr_context_t context, const struct part *parts, int part, const exr_chunk_info_t *info)
{
    static uint32_t memory[CHANNELS][1 << 14];
    exr_encode_pipeline_t coder = EXR_ENCODE_PIPELINE_INITIALIZER;
    const struct part *of = &parts[part];
    bool tiled = of->storage == EXR_STORAGE_TILED;
    int x = tiled ? info->start_x * of->tile : 0,
        y = tiled ? info->start_y * of->tile : info->start_y - of->y;
    done(exr_encoding_initialize(context, part, info, &coder));
    for (int c = 0; c < coder.channel_count; c++) {
        exr_coding_channel_info_t *channel = &coder.channels[c];
        assert_true(info->width * info->height <= 1 << 14);
        for (int i = 0; i < info->width * info->height; i++)
            fill(memory[c], of->channels[c].type, (size_t)i,
                 sample(part, c, info->level_x, x + i % info->width, y + i / info->width));
        channel->encode_from_ptr = (const uint8_t *)memory[c];
        channel->user_pixel_stride = channel->user_bytes_per_element;
        channel->user_line_stride = channel->bytes_per_element * channel->width;
    }
    done(exr_encoding_choose_default_routines(context, part, &coder));
    /* B44 leaves all but half floats as they are. What the library makes of them nobody else reads. */
    if (of->compression >= EXR_COMPRESSION_B44 && of->channels[0].type != EXR_PIXEL_HALF)
        coder.compress_fn = NULL;
    done(exr_encoding_run(context, part, &coder));
    done(exr_encoding_destroy(context, &coder));
}

static void put_tiles(exr_context_t context, const struct part *parts, int part)
{
    exr_chunk_info_t info;
    int32_t across = 0, down = 0, width, height;
    done(exr_get_tile_levels(context, part, &across, &down));
    for (int level = 0; level < across; level++) {
        done(exr_get_level_sizes(context, part, level, level, &width, &height));
        int size = parts[part].tile, columns = (width + size - 1) / size, rows = (height + size - 1) / size;
        for (int i = 0; i < columns * rows; i++) {
            done(exr_write_tile_chunk_info(context, part, i % columns, i / columns, level, level, &info));
            info.width = i % columns == columns - 1 ? width - i % columns * size : size;
            info.height = i / columns == rows - 1 ? height - i / columns * size : size;
            put_block(context, parts, part, &info);
        }
    }
}

static void declare(exr_context_t context, const struct part *of, int count)
{
    char name[16];
    int part;
    snprintf(name, sizeof name, "part%d", count);
    const exr_attr_box2i_t window = {.min = {.x = of->x, .y = of->y},
                                     .max = {.x = of->x + of->width - 1, .y = of->y + of->height - 1}};
    done(exr_add_part(context, name, of->storage, &part));
    const exr_attr_v2f_t middle = {.x = 0};
    done(exr_initialize_required_attr(context, part, &window, &window, 1, &middle, 1,
                                      EXR_LINEORDER_INCREASING_Y, of->compression));
    for (const struct channel *c = of->channels; c->name; c++) {
        int sampling = c->sampling ? c->sampling : 1;
        done(exr_add_channel(context, part, c->name, c->type, EXR_PERCEPTUALLY_LOGARITHMIC, sampling,
                             sampling));
    }
    if (of->storage == EXR_STORAGE_TILED || of->storage == EXR_STORAGE_DEEP_TILED)
        done(exr_set_tile_descriptor(context, part, (uint32_t)of->tile, (uint32_t)of->tile,
                                     of->mip_levels ? EXR_TILE_MIPMAP_LEVELS : EXR_TILE_ONE_LEVEL,
                                     EXR_TILE_ROUND_DOWN));
}

static void put_exr(const char *path, const struct part *parts, int count)
{
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_context_t context;
    initializer.error_handler_fn = silent;
    done(exr_start_write(&context, path, EXR_WRITE_FILE_DIRECTLY, &initializer));
    for (int i = 0; i < count; i++)
        declare(context, &parts[i], i);
    done(exr_write_header(context));
    for (int i = 0; i < count; i++) {
        exr_chunk_info_t info;
        int32_t rows = 0;
        if (parts[i].storage == EXR_STORAGE_TILED) {
            put_tiles(context, parts, i);
            continue;
        }
        done(exr_get_scanlines_per_chunk(context, i, &rows));
        for (int y = 0; y < parts[i].height; y += rows) {
            done(exr_write_scanline_chunk_info(context, i, parts[i].y + y, &info));
            put_block(context, parts, i, &info);
        }
    }
    exr_finish(&context);
}

/* Headers alone: the library deletes the file of a context that was not finished, so it is written by hand.
 */
static void keep(exr_const_context_t context, void *user, int failed)
{
    (void)context, (void)failed;
    fclose(user);
}

static int64_t append(exr_const_context_t context, void *user, const void *bytes, uint64_t size,
                      uint64_t offset, exr_stream_error_func_ptr_t on_failure)
{
    (void)context, (void)on_failure;
    return fseek(user, (long)offset, SEEK_SET) == 0 && fwrite(bytes, 1, size, user) == size ? (int64_t)size
                                                                                            : -1;
}

static void put_header(const char *path, const struct part *part)
{
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_context_t context;
    initializer.error_handler_fn = silent;
    initializer.user_data = fopen(path, "wb");
    initializer.write_fn = append;
    initializer.destroy_fn = keep;
    assert_non_null(initializer.user_data);
    done(exr_start_write(&context, path, EXR_WRITE_FILE_DIRECTLY, &initializer));
    declare(context, part, 0);
    done(exr_write_header(context));
    assert_int_equal(fwrite((char[4096]){0}, 1, 4096, initializer.user_data), 4096);
    exr_finish(&context);
}

/* What a channel of our files holds, by the library. */
static float *get_channel(const char *path, const char *name, int *width, int *height)
{
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_context_t context;
    exr_chunk_info_t info;
    exr_attr_box2i_t window;
    int32_t rows;
    initializer.error_handler_fn = silent;
    done(exr_start_read(&context, path, &initializer));
    done(exr_get_data_window(context, 0, &window));
    done(exr_get_scanlines_per_chunk(context, 0, &rows));
    *width = window.max.x + 1;
    *height = window.max.y + 1;
    float *samples = oro_alloc((size_t)*width * (size_t)*height, sizeof *samples);
    bool found = false;
    for (int y = 0; y < *height; y += rows) {
        done(exr_read_scanline_chunk_info(context, 0, y, &info));
        done(exr_decoding_initialize(context, 0, &info, &decoder));
        for (int c = 0; c < decoder.channel_count; c++) {
            if (strcmp(decoder.channels[c].channel_name, name) != 0)
                continue;
            found = true;
            decoder.channels[c].decode_to_ptr = (uint8_t *)(samples + (size_t)y * (size_t)*width);
            decoder.channels[c].user_pixel_stride = 4;
            decoder.channels[c].user_line_stride = 4 * *width;
        }
        done(exr_decoding_choose_default_routines(context, 0, &decoder));
        done(exr_decoding_run(context, 0, &decoder));
        done(exr_decoding_destroy(context, &decoder));
    }
    exr_finish(&context);
    if (!found)
        fail_msg("'%s' has no channel '%s'", path, name);
    return samples;
}

/* --- what we write --- */

static void expect_same_bits(const char *path, const float *values, int width, int height)
{
    struct oro_heightfield again = read_field(path, NULL);
    assert_int_equal(again.width, width);
    assert_int_equal(again.height, height);
    assert_true(again.metres);
    assert_memory_equal(again.data, values, (size_t)width * (size_t)height * sizeof *values);
    oro_heightfield_free(&again);
}

TEST(round_trips)
{
    static const int sizes[][2] = {{1, 1}, {1, 40}, {65, 1}, {64, 64}, {130, 67}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int layout = 0; layout < 4; layout++) {
            struct oro_heightfield field = make_hills(sizes[i][0], sizes[i][1]);
            struct oro_write_options options = {.half = layout & 1, .tiled = layout & 2};
            size_t cells = (size_t)field.width * (size_t)field.height;
            write_field(in_folder("r.exr"), &field, &options);
            if (options.half)
                oro_half_round(field.data, cells);
            expect_same_bits(in_folder("r.exr"), field.data, field.width, field.height);
            oro_heightfield_free(&field);
        }
}

/* Noise cannot be compressed: blocks of it are stored as they are. */
TEST(noise)
{
    enum { SIDE = 90 };
    struct oro_heightfield field = make_field(SIDE, SIDE, NULL);
    uint32_t random = 1;
    for (int i = 0; i < SIDE * SIDE; i++) {
        uint32_t bits = (random = random * 1664525U + 1013904223U) & 0xbfffffffU;
        memcpy(&field.data[i], &bits, sizeof bits);
    }
    for (int tiled = 0; tiled < 2; tiled++) {
        write_field(in_folder("noise.exr"), &field,
                    &(struct oro_write_options){.tiled = tiled, .not_terrain = true});
        expect_same_bits(in_folder("noise.exr"), field.data, SIDE, SIDE);
    }
    oro_heightfield_free(&field);
}

TEST(equal_bytes)
{
    struct oro_heightfield field = make_hills(150, 150);
    for (int tiled = 0; tiled < 2; tiled++) {
        for (int threads = 1; threads < 8; threads += 3) {
            char name[32];
            snprintf(name, sizeof name, "b%d.exr", threads);
            oro_parallel_force(threads);
            write_field(in_folder(name), &field, &(struct oro_write_options){.tiled = tiled});
        }
        oro_parallel_force(0);
        assert_same_file(in_folder("b1.exr"), in_folder("b4.exr"));
        assert_same_file(in_folder("b1.exr"), in_folder("b7.exr"));
    }
    oro_heightfield_free(&field);
}

/* Without its sidecar, a file says what it needs. */
TEST(header_says_all)
{
    struct oro_heightfield field = make_hills(20, 20);
    field.cell = 12.5;
    field.place = (struct oro_place){.crs = oro_copy_text("EPSG:32632"), .west = 445000.5, .north = 5.1e6};
    write_field(in_folder("place.exr"), &field, NULL);
    struct oro_heightfield again =
        read_field(in_folder("place.exr"), &(struct oro_read_options){.no_sidecar = true});
    assert_true(again.cell == 12.5);
    assert_string_equal(again.place.crs, "EPSG:32632");
    assert_true(again.place.west == 445000.5 && again.place.north == 5.1e6);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(several_channels)
{
    enum { WIDTH = 37, HEIGHT = 21, CELLS = WIDTH * HEIGHT };
    struct oro_heightfield field = make_hills(WIDTH, HEIGHT);
    static float flow[CELLS], wind[2 * CELLS], colour[4 * CELLS];
    for (int i = 0; i < 4 * CELLS; i++) {
        colour[i] = (float)i;
        wind[i / 2] = (float)(-i / 2);
        flow[i / 4] = NAN; /* no heights: they may be anything */
    }
    const struct oro_channel others[] = {{"alpha", flow, 1}, {"wind", wind, 2}, {"picture", colour, 4}};
    struct oro_write_options options = {.channel = "erosion.terrain", .others = others, .other_count = 3};
    write_field(in_folder("all.exr"), &field, &options);
    expect_same_bits(in_folder("all.exr"), field.data, WIDTH, HEIGHT);
    static const char *const names[] = {"wind.X",    "wind.Y",    "picture.R",
                                        "picture.G", "picture.B", "picture.A"};
    for (int k = 0; k < 6; k++) {
        int width, height;
        float *samples = get_channel(in_folder("all.exr"), names[k], &width, &height);
        assert_true(width == WIDTH && height == HEIGHT);
        for (int i = 0; i < CELLS; i++)
            assert_true(samples[i] == (k < 2 ? wind[2 * i + k] : colour[4 * i + k - 2]));
        oro_free(samples);
    }
    oro_heightfield_free(&field);
}

static void expect_unwritten(const char *name, const struct oro_write_options *options, enum oro_code code,
                             const char *part)
{
    struct oro_heightfield field = make_hills(20, 20);
    struct oro_error err = {0};
    size_t before = files_in_folder();
    field.data[25] = 70000;
    assert_false(oro_heightfield_write(in_folder(name), &field, options, &err));
    if (err.code != code || !strstr(err.text, part))
        fail_msg("code %d: %s", (int)err.code, err.text);
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

TEST(unwritten)
{
    const float values[400] = {0, 1e9F};
    const struct oro_channel twice[] = {{"height", values, 1}}, large[] = {{"area", values, 1}};
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[299] = '\0';
    struct oro_write_options half = {.half = true};
    expect_unwritten("h.exr", &half, ORO_E_WRITE, "half floats end at 65504, and cell 5,1 is 70000");
    expect_unwritten("h.png", &half, ORO_E_USAGE, "only .exr files have half floats");
    expect_unwritten("t.pfm", &(struct oro_write_options){.tiled = true}, ORO_E_USAGE, "only .exr");
    struct oro_write_options options = {.others = twice, .other_count = 1};
    expect_unwritten("c.r32", &options, ORO_E_USAGE, "several channels");
    expect_unwritten("c.exr", &options, ORO_E_USAGE, "two channels called 'height'");
    expect_unwritten("n.exr", &(struct oro_write_options){.channel = name}, ORO_E_USAGE, "255 bytes");
    struct oro_heightfield field = make_hills(20, 20);
    struct oro_error err = {0};
    options = (struct oro_write_options){.half = true, .others = large, .other_count = 1};
    assert_false(oro_heightfield_write(in_folder("l.exr"), &field, &options, &err));
    assert_non_null(strstr(err.text, "cell 1,0 of area is 1e+09"));
    oro_heightfield_free(&field);
}

/* --- half floats are steps --- */

TEST(half_floats)
{
    static const float cases[][2] = {{0, 0},         {1, 1},           {-3.5F, -3.5F},
                                     {2049, 2048},   {2051, 2052},     {65504, 65504},
                                     {65519, 65504}, {-65519, -65504}, {0.1F, 0.0999755859375F},
                                     {1e-8F, 0},     {4e-8F, 0x1p-24F}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value = cases[i][0];
        oro_half_round(&value, 1);
        assert_true(value == cases[i][1]);
    }
    for (int half = 0; half < 0x10000; half++) {
        float value = oro_half_value((uint16_t)half), level = 0;
        if (!isfinite(value))
            continue;
        assert_int_equal(oro_half_of(value), half);
        oro_half_to_levels(&value, 1, &level);
        assert_true(level >= 0 && level <= (float)ORO_HALF_LEVELS && level == floorf(level));
        oro_half_from_levels(&level, 1);
        assert_true(level == value);
    }
    assert_true(isinf(oro_half_value(oro_half_of(65520))) && isnan(oro_half_value(oro_half_of(NAN))));
}

static struct oro_measure measure_file(const char *path)
{
    struct oro_heightfield field = read_field(path, NULL);
    struct oro_measure measure;
    assert_true(oro_measure(&field, &measure, NULL));
    oro_heightfield_free(&field);
    return measure;
}

/* The certificate is that of the file: rounding to steps of half a metre makes pits and flats. */
TEST(half_drains)
{
    struct oro_heightfield field = make_hills(96, 96);
    static const enum oro_drain ways[] = {ORO_DRAIN_NONE, ORO_DRAIN_REPAIR, ORO_DRAIN_STRICT};
    for (size_t i = 0; i < 3; i++) {
        struct oro_written written;
        struct oro_write_options options = {.half = true, .drain = ways[i], .written = &written};
        write_field(in_folder("drain.exr"), &field, &options);
        struct oro_measure measure = measure_file(in_folder("drain.exr"));
        assert_true(measure.low == written.measure.low && measure.high == written.measure.high);
        assert_int_equal(measure.drainage.depressions, written.measure.drainage.depressions);
        assert_int_equal(measure.drainage.pits, written.measure.drainage.pits);
        assert_int_equal(measure.drainage.depressions > 0, ways[i] == ORO_DRAIN_NONE);
        assert_int_equal(measure.drainage.pits > 0, ways[i] != ORO_DRAIN_STRICT);
        assert_int_equal(written.cost.cells > 0, ways[i] != ORO_DRAIN_NONE);
    }
    struct oro_error err = {0};
    struct oro_write_options options = {.half = true, .drain = ORO_DRAIN_STRICT, .drain_limit = 1e-3};
    assert_false(oro_heightfield_write(in_folder("limit.exr"), &field, &options, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, "more than the limit of 0.001 m"));
    oro_heightfield_free(&field);
}

/* --- what others write --- */

static void expect_samples(const char *path, const struct part *parts, int part, int channel)
{
    struct oro_heightfield field = read_field(path, NULL);
    assert_int_equal(field.width, parts[part].width);
    assert_int_equal(field.height, parts[part].height);
    for (int i = 0; i < field.width * field.height; i++) {
        float expected = sample(part, channel, 0, i % field.width, i / field.width);
        double error = parts[part].compression >= EXR_COMPRESSION_B44 ? 0.02 * (double)expected : 0;
        if (fabs((double)(field.data[i] - expected)) > error)
            fail_msg("compression %d, channel %d: cell %d is %g, not %g", (int)parts[part].compression,
                     channel, i, (double)field.data[i], (double)expected);
    }
    oro_heightfield_free(&field);
}

TEST(types_and_compressions)
{
    static const exr_pixel_type_t types[] = {EXR_PIXEL_UINT, EXR_PIXEL_HALF, EXR_PIXEL_FLOAT};
    static const int channel_counts[] = {1, 3, 4}; /* the library has its own ways for some */
    for (int compression = EXR_COMPRESSION_NONE; compression <= EXR_COMPRESSION_B44A; compression++)
        for (int k = 0; k < 3 * 3 * 2; k++) {
            struct part part = {.storage = k & 1 ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE,
                                .compression = (exr_compression_t)compression,
                                .width = 45,
                                .height = 70,
                                .tile = 32};
            static const char *const names[] = {"A", "B", "G", "height"};
            int count = channel_counts[k / 2 % 3];
            for (int c = 0; c < count; c++)
                part.channels[c] = (struct channel){names[4 - count + c], types[k / 6], 1};
            put_exr(in_folder("other.exr"), &part, 1);
            expect_samples(in_folder("other.exr"), &part, 0, count - 1);
        }
}

TEST(windows_and_levels)
{
    struct part part = {EXR_STORAGE_SCANLINE,       EXR_COMPRESSION_ZIP, -7, -20, 30, 41, 0, false,
                        {{"x", EXR_PIXEL_FLOAT, 1}}};
    put_exr(in_folder("window.exr"), &part, 1);
    expect_samples(in_folder("window.exr"), &part, 0, 0);
    part = (struct part){EXR_STORAGE_TILED,         EXR_COMPRESSION_ZIP, 100, 5, 70, 33, 16, true,
                         {{"x", EXR_PIXEL_HALF, 1}}};
    put_exr(in_folder("levels.exr"), &part, 1);
    expect_samples(in_folder("levels.exr"), &part, 0, 0);
}

/* `height`, else the only channel, else Y, Z, R; the first part that has it. */
TEST(choice_of_channel)
{
    static const struct {
        struct part parts[2];
        int count, part, channel;
    } cases[] = {
        {{{.channels = {{"R", EXR_PIXEL_HALF, 1},
                        {"Y", EXR_PIXEL_FLOAT, 1},
                        {"height", EXR_PIXEL_FLOAT, 1}}}},
         1,
         0,
         2},
        {{{.channels = {{"R", EXR_PIXEL_HALF, 1}, {"Y", EXR_PIXEL_FLOAT, 1}, {"Z", EXR_PIXEL_FLOAT, 1}}}},
         1,
         0,
         1},
        {{{.channels = {{"A", EXR_PIXEL_HALF, 1}, {"R", EXR_PIXEL_UINT, 1}, {"Z", EXR_PIXEL_HALF, 1}}}},
         1,
         0,
         2},
        {{{.channels = {{"A", EXR_PIXEL_HALF, 1},
                        {"B", EXR_PIXEL_HALF, 1},
                        {"G", EXR_PIXEL_HALF, 1},
                        {"R", EXR_PIXEL_HALF, 1}}}},
         1,
         0,
         3},
        {{{.channels = {{"R", EXR_PIXEL_HALF, 1}, {"Z", EXR_PIXEL_FLOAT, 1}}},
          {.channels = {{"mine", EXR_PIXEL_UINT, 1}}}},
         2,
         1,
         0},
        {{{.channels = {{"only", EXR_PIXEL_HALF, 1}}},
          {.channels = {{"A", EXR_PIXEL_UINT, 1}, {"height", EXR_PIXEL_FLOAT, 1}}}},
         2,
         1,
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct part parts[2] = {cases[i].parts[0], cases[i].parts[1]};
        for (int k = 0; k < 2; k++) {
            parts[k].compression = EXR_COMPRESSION_ZIPS;
            parts[k].width = 12 + k;
            parts[k].height = 9;
            parts[k].storage = k ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE;
            parts[k].tile = 8;
        }
        put_exr(in_folder("choice.exr"), parts, cases[i].count);
        expect_samples(in_folder("choice.exr"), parts, cases[i].part, cases[i].channel);
    }
}

/* --- what is refused --- */

static const struct part plain = {
    EXR_STORAGE_SCANLINE, EXR_COMPRESSION_ZIP, 0, 0, 50, 40, 0, false, {{"height", EXR_PIXEL_FLOAT, 1}}};

static void refuse_header(const struct part *part, const char *why)
{
    put_header(in_folder("head.exr"), part);
    expect_refused(in_folder("head.exr"), NULL, ORO_E_FILE, why);
}

TEST(no_heightfields)
{
    struct part part = plain;
    put_text(in_folder("text.exr"), "not a picture at all");
    expect_refused(in_folder("text.exr"), NULL, ORO_E_FILE, "is not an OpenEXR file");
    put_text(in_folder("empty.exr"), "");
    expect_refused(in_folder("empty.exr"), NULL, ORO_E_FILE, "is empty");
    put_file(in_folder("magic.exr"), "\x76\x2f\x31\x01\x02\0\0\0", 8);
    expect_refused(in_folder("magic.exr"), NULL, ORO_E_FILE, "is damaged");
    part.width = part.height = 200000;
    refuse_header(&part, "is 200000x200000: at most 32768 cells a side are read");
    part.width = part.height = 32768;
    refuse_header(&part, "is truncated");
    part = plain;
    refuse_header(&part, "damaged or truncated: the cells from 0,0 on");
    part.storage = EXR_STORAGE_DEEP_SCANLINE;
    part.compression = EXR_COMPRESSION_ZIPS;
    refuse_header(&part, "holds deep data");
    part = plain;
    part.compression = EXR_COMPRESSION_DWAB;
    refuse_header(&part, "compressed with DWAB");
    part = plain;
    part.channels[1] = (struct channel){"less", EXR_PIXEL_HALF, 2};
    refuse_header(&part, "channel 'less' has a sample for every 2 x 2 pixels only");
    part = plain;
    part.channels[0] = (struct channel){"G", EXR_PIXEL_FLOAT, 1};
    part.channels[1] = (struct channel){"a\nb", EXR_PIXEL_FLOAT, 1};
    refuse_header(&part, "none is called 'height', 'Y', 'Z' or 'R': G, a?b");
}

/* A file that lost the channel which its header names: what is left, if only one, is no terrain. */
/* Headers of megabytes, with channels or attributes without number, which the library would take minutes to
 * sort. */
static void put_attribute(struct oro_text *text, const char *name, const char *type, size_t size)
{
    const unsigned char bytes[4] = {size & 255, size >> 8 & 255, size >> 16 & 255, size >> 24 & 255};
    oro_text_add_bytes(text, name, strlen(name) + 1);
    oro_text_add_bytes(text, type, strlen(type) + 1);
    oro_text_add_bytes(text, (const char *)bytes, sizeof bytes);
}

TEST(headers_without_end)
{
    enum { MANY = 100000, CHANNEL = 6 + 1 + 16 };
    static const char magic[8] = "\x76\x2f\x31\x01\2", channel[16] = "\2\0\0\0\0\0\0\0\1\0\0\0\1";
    struct oro_text text = {0};
    oro_text_add_bytes(&text, magic, sizeof magic);
    put_attribute(&text, "channels", "chlist", (size_t)MANY * CHANNEL + 1);
    for (int i = 0; i < MANY; i++) {
        oro_text_addf(&text, "c%05d", i);
        oro_text_add_bytes(&text, "", 1);
        oro_text_add_bytes(&text, channel, sizeof channel);
    }
    put_file(in_folder("channels.exr"), text.data, text.length);
    expect_refused(in_folder("channels.exr"), NULL, ORO_E_FILE, "more than 1024 channels");
    oro_text_free(&text);
    oro_text_add_bytes(&text, magic, sizeof magic);
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        put_attribute(&text, name, "string", 0);
    }
    put_file(in_folder("attributes.exr"), text.data, text.length);
    expect_refused(in_folder("attributes.exr"), NULL, ORO_E_FILE, "more than 4096 attributes");
    oro_text_free(&text);
}

TEST(lost_channel)
{
    struct oro_heightfield field = make_hills(12, 9);
    write_field(in_folder("lost.exr"), &field, &(struct oro_write_options){.channel = "ground"});
    size_t size = 0;
    unsigned char *bytes = get_file(in_folder("lost.exr"), &size);
    size_t at = 0;
    while (memcmp(bytes + at, "ground", 7) != 0) /* with the zero that ends a channel's name */
        at++;
    bytes[at] = '\n';
    put_file(in_folder("lost.exr"), bytes, size);
    oro_free(bytes);
    expect_refused(in_folder("lost.exr"), NULL, ORO_E_FILE,
                   "has no channel 'ground', in which its header says that the heights are; it has ?round");
    struct oro_heightfield read = read_field(
        in_folder("lost.exr"), &(struct oro_read_options){.channel = "\nround", .no_sidecar = true});
    assert_memory_equal(read.data, field.data, 12 * 9 * sizeof(float));
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

/* Cut anywhere, and with any byte changed: an error, or samples, but no harm. */
TEST(damage)
{
    struct oro_heightfield field = make_hills(50, 40);
    for (int tiled = 0; tiled < 2; tiled++) {
        size_t size;
        write_field(in_folder("d.exr"), &field, &(struct oro_write_options){.tiled = tiled, .half = tiled});
        unsigned char *bytes = get_file(in_folder("d.exr"), &size);
        for (size_t cut = 0; cut < size; cut += cut < 600 ? 1 : 37) {
            unlink(in_folder("cut.exr")); /* some file systems are slow to write over a file */
            put_file(in_folder("cut.exr"), bytes, cut);
            expect_refused(in_folder("cut.exr"), NULL, ORO_E_FILE, "cut.exr' is ");
        }
        for (size_t at = 0; at < size; at += at < 700 ? 1 : 29) {
            unsigned char was = bytes[at];
            struct oro_heightfield again;
            struct oro_error err = {0};
            bytes[at] ^= (unsigned char)(1 + at % 255);
            unlink(in_folder("bad.exr"));
            put_file(in_folder("bad.exr"), bytes, size);
            if (!oro_heightfield_read(in_folder("bad.exr"), NULL, &again, &err) && err.code != ORO_E_FILE)
                fail_msg("byte %zu: code %d: %s", at, (int)err.code, err.text);
            oro_heightfield_free(&again);
            bytes[at] = was;
        }
        oro_free(bytes);
    }
    oro_heightfield_free(&field);
}

/* What the library allocates fails as well. */
TEST(no_memory)
{
    const float other[50 * 40 * 4] = {0};
    const struct oro_channel others[] = {{"o", other, 4}, {"p", other, 1}};
    struct oro_heightfield field = make_hills(50, 40);
    field.place.crs = oro_copy_text("EPSG:2193");
    oro_parallel_force(1); /* so that allocations come in one order */
    for (int layout = 0; layout < 4; layout++) {
        struct oro_write_options options = {
            .half = layout & 1, .tiled = layout & 2, .others = others, .other_count = 2};
        bool ok = false;
        for (size_t n = 1; !ok; n++) {
            struct oro_error err = {0};
            oro_memory_fail_at(n);
            ok = oro_heightfield_write(in_folder("m.exr"), &field, &options, &err);
            oro_memory_fail_at(0);
            if (!ok && err.code != ORO_E_MEMORY)
                fail_msg("allocation %zu: code %d: %s", n, (int)err.code, err.text);
        }
        ok = false;
        for (size_t n = 1; !ok || n < 200; n++) { /* the last ones are never reached */
            struct oro_heightfield again;
            struct oro_error err = {0};
            oro_memory_fail_at(n);
            ok = oro_heightfield_read(in_folder("m.exr"), NULL, &again, &err);
            oro_memory_fail_at(0);
            if (!ok && err.code != ORO_E_MEMORY)
                fail_msg("allocation %zu: code %d: %s", n, (int)err.code, err.text);
            oro_heightfield_free(&again);
        }
    }
    oro_parallel_force(0);
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
