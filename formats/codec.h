/*
 * Inside formats/: what one file format gives to the common reader and writer. A codec knows how
 * samples lie in its file, and nothing of metres, sidecars or temporary files.
 *
 * Samples travel as floats, row-major, row 0 north: the samples of a float format as they are, those of an
 * integer format as levels 0..largest (exact, since float32 holds every integer up to 2^24).
 */
#ifndef ORO_FORMATS_CODEC_H
#define ORO_FORMATS_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "formats/heightfield.h"
#include "formats/range.h"
#include "formats/raster_file.h"
#include "formats/window.h"

struct oro_write_options;
struct oro_mesh_made;
struct oro_mesh_body;
struct oro_mesh_facts;
struct oro_tile_place;

struct oro_raster_shape {
    int width, height;
    double largest;   /* level of the top of the range; 0: float samples */
    bool big_endian;  /* byte order of the samples in the file */
    bool south_first; /* row order in the file */
    uint64_t offset;  /* of the first sample; uncompressed formats only */
};

/* A file that is being written, and what is told in it besides samples. */
struct oro_raster_output {
    const struct oro_codec *codec;
    const char *path; /* for messages */
    FILE *stream;
    const char *temporary; /* the name of the file that it writes to, which is there and empty */
    const struct oro_heightfield
        *field;                    /* where it lies, and in what unit; its values are not what is written */
    struct oro_height_range range; /* integer samples: metres of the levels 0..largest */
    const struct oro_write_options *options;
    struct oro_mesh_made *mesh; /* what was made, filled by writers of meshes */
    int block;                  /* cells along each side of the blocks or chunks that are filled by windows */
    const double *nodata;       /* what is written where there is no height, may be NaN; NULL: nothing */
};

struct oro_codec {
    const char *name;              /* its name in sidecars */
    const char *const *extensions; /* lower case, ends with NULL */
    bool headerless;               /* the file does not tell size and byte order */
    bool takes_bits;               /* writes 16 bits where oro_write_options.bits asks for them */
    const double
        *none;   /* floats: the number that the file declares where there is no height; NULL: it cannot */
    bool rounds; /* floats are rounded while they are written: what is read back is measured */
    /* The shape that it writes; size and, if headerless, byte order are filled in per file. */
    struct oro_raster_shape written;

    /* Reads the shape from the head of the file, and checks that the file can hold it, before anything is
     * allocated. For headerless formats, `shape` comes with what is known from elsewhere (0: unknown). */
    bool (*header)(struct oro_raster_file *source, struct oro_raster_shape *shape, struct oro_error *err);
    /* Reads the samples of a window, which is one of those that `reads` allows. */
    enum oro_windows reads;
    bool (*read)(struct oro_raster_file *source, const struct oro_raster_shape *shape,
                 const struct oro_cell_window *window, float *samples, struct oro_error *err);
    void (*end)(struct oro_raster_file *source); /* frees its `state`; NULL: it has none */
    /* Which windows can be written: ORO_WINDOWS_BLOCKS are raw rows, blocks, or chunks. All may fail with
     * ORO_E_WRITE, ORO_E_MEMORY or ORO_E_USAGE, and writers of meshes with ORO_E_LIMIT and ORO_E_CANCELLED.
     */
    enum oro_windows writes;
    /* Writes a file of all samples, or of those of a tile, by stream or by name. NULL: it is made of chunks.
     */
    bool (*write)(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                  const float *samples, struct oro_error *err);
    /* Makes what blocks or chunks are put into. Blocks lie one behind the other, from west to east and north
     * to south, up to the end of the file, and are all zero. NULL: raw rows, which are all that the file has.
     */
    bool (*make)(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                 struct oro_error *err);
    /* Of formats that are folders: writes the chunk that has these samples, whose rows begin `stride` apart.
     * Several threads and processes may do so at once, each its own. */
    bool (*put_chunk)(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                      const struct oro_tile_place *place, const float *samples, size_t stride,
                      struct oro_error *err);
    /* Of formats that tell more than samples: fills the cell size and the place of a field that was read,
     * where they are not known yet. NULL: of others. */
    bool (*describe)(struct oro_raster_file *source, struct oro_heightfield *field, struct oro_error *err);
    /* Of formats that cannot say where they lie: a file beside it, NAME.EXTENSION, which does. Adds its text,
     * or nothing where the place is not known: then there is no such file. Fails with ORO_E_WRITE. */
    const char *beside; /* the extension, or NULL */
    bool (*describe_beside)(const char *path, const struct oro_heightfield *field, struct oro_text *text,
                            struct oro_error *err);
    bool folder;   /* it is a folder of files: `temporary` is an empty one, and there is no stream */
    bool channels; /* it can hold half floats, tiles, and several channels */
    bool colours;  /* it holds pictures, whose colours can be decoded */
    /* Of files of triangles, which are only written: one of those in formats/mesh/file.h. */
    bool (*write_mesh)(FILE *stream, const char *path, const struct oro_mesh_body *body,
                       const struct oro_mesh_facts *facts, struct oro_error *err);
};

extern const struct oro_codec oro_codec_exr, oro_codec_png, oro_codec_r16, oro_codec_r32f, oro_codec_pfm;
extern const struct oro_codec oro_codec_geotiff, oro_codec_ascii_grid, oro_codec_terragen, oro_codec_zarr;
extern const struct oro_codec oro_codec_glb, oro_codec_obj, oro_codec_stl, oro_codec_ply;

#endif
