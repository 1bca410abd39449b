/* Writing Zarr. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <libdeflate.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/folder.h"
#include "formats/raw/samples.h"
#include "formats/tiles.h"

/* Of floats more gains next to nothing, as in OpenEXR files: docs/performance.md. */
enum { LEVEL = 1 };

static const char array[] = "height";

/* Cells of a chunk along a side: no chunk is larger than the whole. */
static int extent(const struct oro_raster_output *output, int side)
{
    return output->block < side ? output->block : side;
}

static bool no_memory(const struct oro_raster_output *output, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", output->path);
}

/* ---- Files ---- */

static bool write_file(const struct oro_raster_output *output, const char *path, const void *bytes,
                       size_t size, struct oro_error *err)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    int reason = errno;
    if (file && fclose(file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    if (file && !ok)
        unlink(path);
    return ok || oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", output->path, strerror(reason));
}

/* The file of a name in the folder. */
static bool put_file(const struct oro_raster_output *output, const char *name, const void *bytes, size_t size,
                     struct oro_error *err)
{
    char *path = oro_folder_path(output->temporary, name);
    bool ok = path ? write_file(output, path, bytes, size, err) : no_memory(output, err);
    oro_free(path);
    return ok;
}

/* ---- Chunks ---- */

/* Chunks at the border are as large as the others, and zero beyond it. */
static void encode(const struct oro_raster_shape *chunk, const struct oro_tile_place *place,
                   const float *samples, size_t stride, unsigned char *bytes)
{
    struct oro_raster_shape row = {.width = place->width, .height = 1, .largest = chunk->largest};
    size_t row_bytes = (size_t)chunk->width * (size_t)oro_sample_bytes(&row);
    for (int y = 0; y < place->height; y++)
        oro_samples_encode(&row, samples + (size_t)y * stride, bytes + (size_t)y * row_bytes);
}

static bool put_chunk(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                      const struct oro_tile_place *place, const float *samples, size_t stride,
                      struct oro_error *err)
{
    struct oro_raster_shape chunk = {.width = extent(output, shape->width),
                                     .height = extent(output, shape->height),
                                     .largest = shape->largest};
    char name[64];
    size_t size = (size_t)oro_samples_size(&chunk);
    struct libdeflate_compressor *zlib = libdeflate_alloc_compressor(LEVEL);
    size_t room = zlib ? libdeflate_zlib_compress_bound(zlib, size) : 0;
    unsigned char *bytes = oro_alloc(size, 1), *packed = room ? oro_alloc(room, 1) : NULL;
    bool ok = (bytes && packed) || no_memory(output, err);
    if (ok) {
        encode(&chunk, place, samples, stride, bytes);
        room = libdeflate_zlib_compress(zlib, bytes, size, packed, room);
        snprintf(name, sizeof name, "%s/%d.%d", array, place->y, place->x);
        ok = put_file(output, name, packed, room, err);
    }
    libdeflate_free_compressor(zlib);
    oro_free(bytes);
    oro_free(packed);
    return ok;
}

/* ---- What describes them ---- */

/* Texts of JSON, each a file, and all of them together once more in .zmetadata, which spares readers of
 * archives on the network looking for them. */
struct frame {
    const struct oro_raster_output *output;
    const struct oro_raster_shape *shape;
    struct oro_text all;
    struct oro_error *err;
};

static bool add(struct frame *frame, const char *name, struct oro_text *text)
{
    oro_text_addf(&frame->all, "%s\n    \"%s\": %s", frame->all.length ? "," : "", name,
                  text->failed ? "" : text->data);
    bool ok = !text->failed && !frame->all.failed;
    oro_text_add(text, "\n");
    ok = ok && !text->failed ? put_file(frame->output, name, text->data, text->length, frame->err)
                             : no_memory(frame->output, frame->err);
    oro_text_free(text);
    return ok;
}

static void add_number(struct oro_text *text, const char *before, double value)
{
    char number[ORO_NUMBER_SIZE];
    oro_text_addf(text, "%s%s", before, oro_format_number(value, number));
}

static bool add_array(struct frame *frame)
{
    const struct oro_raster_output *output = frame->output;
    const double *nodata = output->nodata;
    int width = frame->shape->width, height = frame->shape->height;
    struct oro_text text = {0};
    oro_text_addf(&text, "{\"zarr_format\": 2, \"shape\": [%d, %d], \"chunks\": [%d, %d], ", height, width,
                  extent(output, height), extent(output, width));
    oro_text_addf(&text, "\"dtype\": \"%s\", \"order\": \"C\", \"filters\": null, ",
                  frame->shape->largest > 0 ? "<u2" : "<f4");
    oro_text_addf(&text, "\"compressor\": {\"id\": \"zlib\", \"level\": %d}, ", LEVEL);
    if (!nodata)
        oro_text_add(&text, "\"fill_value\": null}");
    else if (isnan(*nodata))
        oro_text_add(&text, "\"fill_value\": \"NaN\"}");
    else {
        add_number(&text, "\"fill_value\": ", *nodata);
        oro_text_add(&text, "}");
    }
    return add(frame, "height/.zarray", &text);
}

/* EPSG's systems are named as GDAL names them, others told as WKT. */
static void add_system(struct oro_text *text, const char *crs)
{
    if (strncmp(crs, "EPSG:", 5) == 0 && strspn(crs + 5, "0123456789") == strlen(crs + 5)) {
        oro_text_addf(text, ", \"_CRS\": {\"url\": \"http://www.opengis.net/def/crs/EPSG/0/%s\"}", crs + 5);
        return;
    }
    json_t *node = json_string(crs);
    char *quoted = node ? json_dumps(node, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        oro_text_addf(text, ", \"_CRS\": {\"wkt\": %s}", quoted);
    free(quoted); /* jansson's */
    json_decref(node);
}

static bool add_meaning(struct frame *frame)
{
    const struct oro_heightfield *field = frame->output->field;
    struct oro_height_range range = frame->output->range;
    double largest = frame->shape->largest;
    struct oro_text text = {0};
    oro_text_add(&text, "{\"_ARRAY_DIMENSIONS\": [\"Y\", \"X\"]");
    if (field->metres)
        oro_text_add(&text, ", \"units\": \"m\"");
    if (largest > 0) {
        add_number(&text,
                   ", \"scale_factor\": ", range.high > range.low ? (range.high - range.low) / largest : 1);
        add_number(&text, ", \"add_offset\": ", range.low);
    }
    if (field->place.crs)
        add_system(&text, field->place.crs);
    oro_text_add(&text, "}");
    return add(frame, "height/.zattrs", &text);
}

/* Where the centres of columns or rows lie, as float64. */
static bool put_centres(struct frame *frame, const char *name, double first, double step, int count)
{
    unsigned char *bytes = oro_alloc((size_t)count, 8);
    char *path = oro_folder_path(frame->output->temporary, name);
    bool ok = (bytes && path) || no_memory(frame->output, frame->err);
    for (int i = 0; ok && i < count; i++) {
        double centre = first + (i + 0.5) * step;
        uint64_t bits;
        memcpy(&bits, &centre, sizeof bits);
        for (size_t k = 0; k < 8; k++)
            bytes[8 * (size_t)i + k] = (unsigned char)(bits >> (8 * k));
    }
    ok = ok && write_file(frame->output, path, bytes, (size_t)count * 8, frame->err);
    oro_free(bytes);
    oro_free(path);
    return ok;
}

static bool add_axis(struct frame *frame, char axis, double first, double step, int count)
{
    struct oro_text about = {0}, meaning = {0};
    char name[16];
    oro_text_addf(&about,
                  "{\"zarr_format\": 2, \"shape\": [%d], \"chunks\": [%d], \"dtype\": \"<f8\", \"order\": "
                  "\"C\", \"filters\": null, \"compressor\": null, \"fill_value\": null}",
                  count, count);
    oro_text_addf(&meaning, "{\"_ARRAY_DIMENSIONS\": [\"%c\"]}", axis);
    snprintf(name, sizeof name, "%c/.zarray", axis);
    bool ok = add(frame, name, &about);
    snprintf(name, sizeof name, "%c/.zattrs", axis);
    ok = ok && add(frame, name, &meaning);
    snprintf(name, sizeof name, "%c/0", axis);
    oro_text_free(&meaning);
    return ok && put_centres(frame, name, first, step, count);
}

static bool make_inner(const struct frame *frame, const char *name)
{
    char *path = oro_folder_path(frame->output->temporary, name);
    bool ok = path ? mkdir(path, 0777) == 0 || oro_fail(frame->err, ORO_E_WRITE, "cannot write '%s': %s",
                                                        frame->output->path, strerror(errno))
                   : no_memory(frame->output, frame->err);
    oro_free(path);
    return ok;
}

/* Without a place columns and rows begin at the origin, as in a GeoTIFF. */
static bool add_axes(struct frame *frame)
{
    const struct oro_heightfield *field = frame->output->field;
    if (!(field->cell > 0))
        return true;
    return make_inner(frame, "X") && make_inner(frame, "Y") &&
           add_axis(frame, 'X', field->place.west, field->cell, field->width) &&
           add_axis(frame, 'Y', field->place.north, -field->cell, field->height);
}

static bool add_all(struct frame *frame)
{
    struct oro_text text = {0};
    oro_text_addf(&text, "{\n  \"zarr_consolidated_format\": 1,\n  \"metadata\": {%s\n  }\n}\n",
                  frame->all.failed ? "" : frame->all.data);
    bool ok = text.failed || frame->all.failed
                  ? no_memory(frame->output, frame->err)
                  : put_file(frame->output, ".zmetadata", text.data, text.length, frame->err);
    oro_text_free(&text);
    return ok;
}

/* Fills the folder, which is there and empty, with everything but the chunks. */
static bool make(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                 struct oro_error *err)
{
    struct frame frame = {.output = output, .shape = shape, .err = err};
    struct oro_text group = {0};
    oro_text_add(&group, "{\"zarr_format\": 2}");
    bool ok = add(&frame, ".zgroup", &group) && make_inner(&frame, array) && add_array(&frame) &&
              add_meaning(&frame) && add_axes(&frame) && add_all(&frame);
    oro_text_free(&frame.all);
    return ok;
}

static const double no_number = NAN;

const struct oro_codec oro_codec_zarr = {
    .none = &no_number,
    .name = "zarr",
    .extensions = (const char *const[]){"zarr", NULL},
    .takes_bits = true,
    .folder = true,
    .writes = ORO_WINDOWS_BLOCKS,
    .make = make,
    .put_chunk = put_chunk,
};
