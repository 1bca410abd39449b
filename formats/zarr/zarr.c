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
static bool put_chunk(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                      const struct oro_tile_place *place, const float *samples, size_t stride,
                      struct oro_error *err)
{
    struct oro_raster_shape chunk = {.width = extent(output, shape->width),
                                     .height = extent(output, shape->height),
                                     .largest = shape->largest};
    const struct oro_raster_shape row = {.width = place->width, .largest = shape->largest};
    char name[64];
    size_t size = (size_t)oro_samples_size(&chunk), row_bytes = size / (size_t)chunk.height;
    struct libdeflate_compressor *zlib = libdeflate_alloc_compressor(LEVEL);
    size_t room = zlib ? libdeflate_zlib_compress_bound(zlib, size) : 0;
    unsigned char *bytes = oro_alloc(size, 1), *packed = room ? oro_alloc(room, 1) : NULL;
    bool ok = (bytes && packed) || no_memory(output, err);
    for (size_t y = 0; ok && y < (size_t)place->height; y++)
        oro_samples_encode(&row, samples + y * stride, bytes + y * row_bytes);
    if (ok) {
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

/* Documents of JSON, each a file, and all of them together once more in .zmetadata, which spares readers of
 * archives on the network looking for them. A document that is NULL found no memory. */
struct frame {
    const struct oro_raster_output *output;
    const struct oro_raster_shape *shape;
    json_t *all;
    struct oro_error *err;
};

/* Takes the document. */
static bool put_document(const struct frame *frame, const char *name, json_t *document)
{
    char *text = document ? json_dumps(document, JSON_INDENT(4)) : NULL;
    bool ok = text ? put_file(frame->output, name, text, strlen(text), frame->err)
                   : no_memory(frame->output, frame->err);
    free(text); /* jansson's */
    json_decref(document);
    return ok;
}

static bool add(struct frame *frame, const char *name, json_t *document)
{
    if (document && json_object_set(frame->all, name, document) == 0)
        return put_document(frame, name, document);
    json_decref(document);
    return no_memory(frame->output, frame->err);
}

static json_t *array_of(json_t *shape, json_t *chunks, const char *type, json_t *compressor, json_t *fill)
{
    return json_pack("{s:i, s:o, s:o, s:s, s:s, s:n, s:o, s:o}", "zarr_format", 2, "shape", shape, "chunks",
                     chunks, "dtype", type, "order", "C", "filters", "compressor", compressor, "fill_value",
                     fill);
}

static json_t *height_of(const struct frame *frame)
{
    const struct oro_raster_output *output = frame->output;
    const double *nodata = output->nodata;
    int width = frame->shape->width, height = frame->shape->height;
    json_t *fill = !nodata ? json_null() : isnan(*nodata) ? json_string("NaN") : json_real(*nodata);
    return array_of(json_pack("[i, i]", height, width),
                    json_pack("[i, i]", extent(output, height), extent(output, width)),
                    frame->shape->largest > 0 ? "<u2" : "<f4",
                    json_pack("{s:s, s:i}", "id", "zlib", "level", LEVEL), fill);
}

/* EPSG's systems are named as GDAL names them, others told as WKT. */
static json_t *system_of(const char *crs)
{
    if (strncmp(crs, "EPSG:", 5) == 0 && strspn(crs + 5, "0123456789") == strlen(crs + 5))
        return json_pack("{s:s+}", "url", "http://www.opengis.net/def/crs/EPSG/0/", crs + 5);
    return json_pack("{s:s}", "wkt", crs);
}

static json_t *meaning_of(const struct frame *frame)
{
    const struct oro_heightfield *field = frame->output->field;
    struct oro_height_range range = frame->output->range;
    double largest = frame->shape->largest, steps = range.high > range.low ? range.high - range.low : largest;
    json_t *node = json_pack("{s:[s, s]}", "_ARRAY_DIMENSIONS", "Y", "X");
    bool ok = !field->metres || json_object_set_new(node, "units", json_string("m")) == 0;
    if (ok && largest > 0)
        ok = json_object_set_new(node, "scale_factor", json_real(steps / largest)) == 0 &&
             json_object_set_new(node, "add_offset", json_real(range.low)) == 0;
    if (ok && field->place.crs)
        ok = json_object_set_new(node, "_CRS", system_of(field->place.crs)) == 0;
    if (ok)
        return node;
    json_decref(node);
    return NULL;
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

static bool make_inner(const struct frame *frame, const char *name)
{
    char *path = oro_folder_path(frame->output->temporary, name);
    bool ok = path ? mkdir(path, 0777) == 0 || oro_fail(frame->err, ORO_E_WRITE, "cannot write '%s': %s",
                                                        frame->output->path, strerror(errno))
                   : no_memory(frame->output, frame->err);
    oro_free(path);
    return ok;
}

static bool add_axis(struct frame *frame, const char *axis, double first, double step, int count)
{
    char about[16], meaning[16], centres[16];
    snprintf(about, sizeof about, "%s/.zarray", axis);
    snprintf(meaning, sizeof meaning, "%s/.zattrs", axis);
    snprintf(centres, sizeof centres, "%s/0", axis);
    return make_inner(frame, axis) &&
           add(frame, about,
               array_of(json_pack("[i]", count), json_pack("[i]", count), "<f8", json_null(), json_null())) &&
           add(frame, meaning, json_pack("{s:[s]}", "_ARRAY_DIMENSIONS", axis)) &&
           put_centres(frame, centres, first, step, count);
}

/* Fills the folder, which is there and empty, with everything but the chunks. Without a place columns and
 * rows begin at the origin, as in a GeoTIFF. */
static bool make(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                 struct oro_error *err)
{
    struct frame frame = {.output = output, .shape = shape, .all = json_object(), .err = err};
    const struct oro_heightfield *field = output->field;
    bool ok =
        add(&frame, ".zgroup", json_pack("{s:i}", "zarr_format", 2)) && make_inner(&frame, array) &&
        add(&frame, "height/.zarray", height_of(&frame)) &&
        add(&frame, "height/.zattrs", meaning_of(&frame)) &&
        (!(field->cell > 0) || (add_axis(&frame, "X", field->place.west, field->cell, field->width) &&
                                add_axis(&frame, "Y", field->place.north, -field->cell, field->height))) &&
        put_document(&frame, ".zmetadata",
                     json_pack("{s:i, s:O}", "zarr_consolidated_format", 1, "metadata", frame.all));
    json_decref(frame.all);
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
