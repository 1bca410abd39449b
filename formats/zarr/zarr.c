#include "formats/zarr/zarr.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <libdeflate.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "formats/folder.h"
#include "formats/raw/samples.h"

/* Of floats more gains next to nothing, as in OpenEXR files: docs/performance.md. */
enum { LEVEL = 1 };

static const char array[] = "height";

static int chunk_side(const struct oro_zarr *zarr)
{
    return zarr->chunk > 0 ? zarr->chunk : ORO_ZARR_CHUNK;
}

static int count_along(const struct oro_zarr *zarr, int side)
{
    return (side + chunk_side(zarr) - 1) / chunk_side(zarr);
}

int oro_zarr_chunks_across(const struct oro_zarr *zarr)
{
    return count_along(zarr, zarr->field->width);
}

int oro_zarr_chunks(const struct oro_zarr *zarr)
{
    return oro_zarr_chunks_across(zarr) * count_along(zarr, zarr->field->height);
}

/* Cells of a chunk along a side: no chunk is larger than the whole. */
static int extent(const struct oro_zarr *zarr, int side)
{
    return chunk_side(zarr) < side ? chunk_side(zarr) : side;
}

struct oro_tile_place oro_zarr_chunk_at(const struct oro_zarr *zarr, int number)
{
    int across = oro_zarr_chunks_across(zarr), side = chunk_side(zarr);
    struct oro_tile_place place = {.x = number % across, .y = number / across};
    place.column = place.x * side;
    place.row = place.y * side;
    int right = zarr->field->width - place.column, below = zarr->field->height - place.row;
    place.width = side < right ? side : right;
    place.height = side < below ? side : below;
    return place;
}

/* ---- Files ---- */

static bool write_file(const struct oro_zarr *zarr, const char *path, const void *bytes, size_t size,
                       struct oro_error *err)
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
    return ok || oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", zarr->path, strerror(reason));
}

/* The file of a name in the folder. */
static bool put_file(const struct oro_zarr *zarr, const char *folder, const char *name, const void *bytes,
                     size_t size, struct oro_error *err)
{
    char *path = oro_folder_path(folder, name);
    bool ok = path ? write_file(zarr, path, bytes, size, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", zarr->path);
    oro_free(path);
    return ok;
}

/* ---- Chunks ---- */

static char *chunk_path(const char *folder, const struct oro_zarr *zarr, int number)
{
    struct oro_tile_place place = oro_zarr_chunk_at(zarr, number);
    struct oro_text path = {0};
    oro_text_addf(&path, "%s/%s/%d.%d", folder, array, place.y, place.x);
    if (path.failed)
        oro_text_free(&path);
    return path.data;
}

bool oro_zarr_has(const char *folder, const struct oro_zarr *zarr, int number)
{
    char *path = chunk_path(folder, zarr, number);
    bool has = path && access(path, F_OK) == 0;
    oro_free(path);
    return has;
}

/* Chunks at the border are as large as the others, and zero beyond it. */
static void encode(const struct oro_zarr *zarr, const struct oro_tile_place *place, const float *samples,
                   size_t stride, unsigned char *bytes)
{
    struct oro_raster_shape row = {.width = place->width, .height = 1, .largest = zarr->largest};
    size_t row_bytes = (size_t)extent(zarr, zarr->field->width) * (size_t)oro_sample_bytes(&row);
    for (int y = 0; y < place->height; y++)
        oro_samples_encode(&row, samples + (size_t)y * stride, bytes + (size_t)y * row_bytes);
}

bool oro_zarr_put(const struct oro_zarr *zarr, const char *folder, int number, const float *samples,
                  size_t stride, struct oro_error *err)
{
    struct oro_tile_place place = oro_zarr_chunk_at(zarr, number);
    struct oro_raster_shape shape = {.width = extent(zarr, zarr->field->width),
                                     .height = extent(zarr, zarr->field->height),
                                     .largest = zarr->largest};
    size_t size = (size_t)oro_samples_size(&shape);
    struct libdeflate_compressor *zlib = libdeflate_alloc_compressor(LEVEL);
    size_t room = zlib ? libdeflate_zlib_compress_bound(zlib, size) : 0;
    unsigned char *bytes = oro_alloc(size, 1), *packed = room ? oro_alloc(room, 1) : NULL;
    char *path = chunk_path(folder, zarr, number);
    bool ok = (bytes && packed && path) || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", zarr->path);
    if (ok) {
        encode(zarr, &place, samples, stride, bytes);
        room = libdeflate_zlib_compress(zlib, bytes, size, packed, room);
        ok = write_file(zarr, path, packed, room, err);
    }
    libdeflate_free_compressor(zlib);
    oro_free(bytes);
    oro_free(packed);
    oro_free(path);
    return ok;
}

/* ---- What describes them ---- */

/* Texts of JSON, each a file, and all of them together once more in .zmetadata, which spares readers of
 * archives on the network looking for them. */
struct frame {
    const struct oro_zarr *zarr;
    const char *folder;
    struct oro_text all;
    struct oro_error *err;
};

static bool add(struct frame *frame, const char *name, struct oro_text *text)
{
    oro_text_addf(&frame->all, "%s\n    \"%s\": %s", frame->all.length ? "," : "", name,
                  text->failed ? "" : text->data);
    bool ok = !text->failed && !frame->all.failed;
    oro_text_add(text, "\n");
    ok = ok && !text->failed
             ? put_file(frame->zarr, frame->folder, name, text->data, text->length, frame->err)
             : oro_fail(frame->err, ORO_E_MEMORY, "no memory to write '%s'", frame->zarr->path);
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
    const struct oro_zarr *zarr = frame->zarr;
    int width = zarr->field->width, height = zarr->field->height;
    struct oro_text text = {0};
    oro_text_addf(&text, "{\"zarr_format\": 2, \"shape\": [%d, %d], \"chunks\": [%d, %d], ", height, width,
                  extent(zarr, height), extent(zarr, width));
    oro_text_addf(&text, "\"dtype\": \"%s\", \"order\": \"C\", \"filters\": null, ",
                  zarr->largest > 0 ? "<u2" : "<f4");
    oro_text_addf(&text, "\"compressor\": {\"id\": \"zlib\", \"level\": %d}, ", LEVEL);
    if (!zarr->has_nodata)
        oro_text_add(&text, "\"fill_value\": null}");
    else if (isnan(zarr->nodata))
        oro_text_add(&text, "\"fill_value\": \"NaN\"}");
    else {
        add_number(&text, "\"fill_value\": ", zarr->nodata);
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
    const struct oro_zarr *zarr = frame->zarr;
    struct oro_height_range range = zarr->range;
    struct oro_text text = {0};
    oro_text_add(&text, "{\"_ARRAY_DIMENSIONS\": [\"Y\", \"X\"]");
    if (zarr->field->metres)
        oro_text_add(&text, ", \"units\": \"m\"");
    if (zarr->largest > 0) {
        add_number(&text, ", \"scale_factor\": ",
                   range.high > range.low ? (range.high - range.low) / zarr->largest : 1);
        add_number(&text, ", \"add_offset\": ", range.low);
    }
    if (zarr->field->place.crs)
        add_system(&text, zarr->field->place.crs);
    oro_text_add(&text, "}");
    return add(frame, "height/.zattrs", &text);
}

/* Where the centres of columns or rows lie, as float64. */
static bool put_centres(struct frame *frame, const char *name, double first, double step, int count)
{
    unsigned char *bytes = oro_alloc((size_t)count, 8);
    char *path = oro_folder_path(frame->folder, name);
    bool ok =
        (bytes && path) || oro_fail(frame->err, ORO_E_MEMORY, "no memory to write '%s'", frame->zarr->path);
    for (int i = 0; ok && i < count; i++) {
        double centre = first + (i + 0.5) * step;
        uint64_t bits;
        memcpy(&bits, &centre, sizeof bits);
        for (size_t k = 0; k < 8; k++)
            bytes[8 * (size_t)i + k] = (unsigned char)(bits >> (8 * k));
    }
    ok = ok && write_file(frame->zarr, path, bytes, (size_t)count * 8, frame->err);
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
    char *path = oro_folder_path(frame->folder, name);
    bool ok = path ? mkdir(path, 0777) == 0 || oro_fail(frame->err, ORO_E_WRITE, "cannot write '%s': %s",
                                                        frame->zarr->path, strerror(errno))
                   : oro_fail(frame->err, ORO_E_MEMORY, "no memory to write '%s'", frame->zarr->path);
    oro_free(path);
    return ok;
}

/* Without a place columns and rows begin at the origin, as in a GeoTIFF. */
static bool add_axes(struct frame *frame)
{
    const struct oro_heightfield *field = frame->zarr->field;
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
                  ? oro_fail(frame->err, ORO_E_MEMORY, "no memory to write '%s'", frame->zarr->path)
                  : put_file(frame->zarr, frame->folder, ".zmetadata", text.data, text.length, frame->err);
    oro_text_free(&text);
    return ok;
}

bool oro_zarr_begin(const struct oro_zarr *zarr, const char *folder, struct oro_error *err)
{
    struct frame frame = {.zarr = zarr, .folder = folder, .err = err};
    struct oro_text group = {0};
    oro_text_add(&group, "{\"zarr_format\": 2}");
    bool ok = add(&frame, ".zgroup", &group) && make_inner(&frame, array) && add_array(&frame) &&
              add_meaning(&frame) && add_axes(&frame) && add_all(&frame);
    oro_text_free(&frame.all);
    return ok;
}

/* ---- The whole ---- */

struct whole {
    const struct oro_zarr *zarr;
    const char *folder;
    const float *samples;
    atomic_bool failed;
    struct oro_error *err; /* of the first that fails */
};

static void put_chunks(void *user, size_t first, size_t end)
{
    struct whole *whole = user;
    for (size_t i = first; i < end && !atomic_load(&whole->failed); i++) {
        struct oro_error why = {0};
        struct oro_tile_place place = oro_zarr_chunk_at(whole->zarr, (int)i);
        size_t width = (size_t)whole->zarr->field->width;
        const float *from = whole->samples + (size_t)place.row * width + (size_t)place.column;
        if (!oro_zarr_put(whole->zarr, whole->folder, (int)i, from, width, &why) &&
            !atomic_exchange(&whole->failed, true) && whole->err)
            *whole->err = why;
    }
}

static bool write_whole(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                        const float *samples, struct oro_error *err)
{
    struct oro_heightfield about = *output->field;
    about.width = shape->width;
    about.height = shape->height;
    const struct oro_zarr zarr = {
        .path = output->path, .field = &about, .largest = shape->largest, .range = output->range};
    struct whole whole = {.zarr = &zarr, .folder = output->temporary, .samples = samples, .err = err};
    if (!oro_zarr_begin(&zarr, output->temporary, err))
        return false;
    oro_parallel((size_t)oro_zarr_chunks(&zarr), 1, put_chunks, &whole);
    return !atomic_load(&whole.failed);
}

const struct oro_codec oro_codec_zarr = {
    .name = "zarr",
    .extensions = (const char *const[]){"zarr", NULL},
    .takes_bits = true,
    .folder = true,
    .writes = ORO_WINDOWS_BLOCKS,
    .write = write_whole,
};
