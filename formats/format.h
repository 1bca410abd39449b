/*
 * Heightfield and image files (design, section 7). The format follows the extension:
 *
 *   .png         16-bit grey out; any grey in, also as RGB, RGBA or palette; other colours as
 *                `decode` tells; alpha is ignored
 *   .r16 .raw    uint16, little-endian unless told otherwise; size given, from the sidecar, or square
 *   .r32 .r32f   float32, little-endian; likewise
 *   .pfm         float32; size and byte order in its header; rows from the bottom up, as the format demands
 *   .tif .tiff   GeoTIFF: float32 or, by option, uint16 out; through GDAL, as those below
 *   .zarr        Zarr 2: a folder of chunks; float32 or, by option, uint16 out; read through GDAL, by the
 *                command line alone
 *   .asc         ESRI ASCII grid: float32 out, with nine digits, which is all that a float32 has
 *   .ter         Terragen: 16-bit steps of the terrain's own range; neither place nor strict draining
 *   .hgt .dem .vrt .img .bil ...   read alone (oro_format_readable); as is any other file that GDAL
 * opens as one raster of numbers. Degrees are warped to metres, and holes are filled.
 *   .exr         OpenEXR: float32 or half floats, scan lines or tiles, compressed with ZIP; says its cell
 * size and place itself. In: the channel that its header names (ours do), else `height`, else the only one,
 * else Y, Z or R; of the first part that has it; half, float or unsigned; not DWA
 *   .glb .obj .stl .ply   a mesh of triangles (formats/mesh/file.h); out alone
 *
 *   NAME.tiles.json   the manifest of tiles (formats/tiles.h), which are read as the whole
 *
 * Integer formats have no metres: their range is given, or found in the sidecar PATH.json; otherwise values
 * are 0..1.
 */
#ifndef ORO_FORMATS_FORMAT_H
#define ORO_FORMATS_FORMAT_H

#include <stdint.h>

#include "formats/engine.h"
#include "formats/heightfield.h"
#include "formats/measure.h"
#include "formats/mesh/file.h"
#include "formats/sizes.h"
#include "formats/tiles.h"
#include "formats/weights.h"
#include "terrain/processor/lib/resampling.h"

/* A part of the Earth, in metres of the system that a raster is read in. */
struct oro_map_window {
    bool given;
    bool whole; /* cells that fill the window, also where the file has no ground; false: the file's own cells
                   in it, where they can stay as they are */
    double west, south, east, north;
};

/* How pictures in colours are read (formats/decode.h). */
enum oro_decode { ORO_DECODE_NONE, ORO_DECODE_TERRARIUM, ORO_DECODE_TERRAIN_RGB, ORO_DECODE_LUMINANCE };
/* The words for them, in that order; ends with NULL. */
extern const char *const oro_decode_words[];

struct oro_read_options {
    /* Levels: 0 becomes `low`, the largest value `high`; floats that all lie within 0..1 count as such. Left
     * aside where the file says what its numbers mean: by a unit, a scale, or a place on Earth. false: as in
     * the sidecar. */
    bool has_range;
    bool range_assumed; /* nobody has said so: only for levels without any other range */
    double low, high;   /* metres */
    double cell;        /* metres, in the place of what the file says; 0: as it says */
    const char *unit; /* of the numbers of a file that holds heights; NULL or "": the file's own, or metres */
    bool not_heights; /* a mask or the like: nothing is said of its numbers, and none is a usual void */
    int width, height;   /* headerless formats; 0: sidecar, else square. If one is given, the other follows */
    bool big_endian;     /* headerless formats; false: as in the sidecar, else little-endian */
    bool south_first;    /* headerless formats; false: as in the sidecar, else the first row is north */
    bool no_sidecar;     /* do not look for PATH.json */
    bool no_sea;         /* leave aside the level of the sea that it tells */
    const char *channel; /* .exr alone: the channel to read; NULL: the heights */
    enum oro_decode decode; /* pictures; ORO_DECODE_NONE: colours that differ are refused */
    /* Cells without a height (formats/numbers.h) are filled: see oro_heightfield_fill. Of those are cells
     * that are as high as `nodata`, in metres or as a number; false: as what the file or its sidecar says,
     * else as any of the usual numbers for none. */
    bool has_nodata;
    double nodata;
    bool keeps_holes; /* they stay NaN */
    /* `crs` and `window` fail with ORO_E_USAGE where neither the file nor its sidecar says where it lies; but
     * a raster of GDAL's whose numbers are coordinates can be told the system. */
    const char *crs; /* "EPSG:32632" or WKT: warped to it, or, where the file does not say, taken to lie in
                        it. NULL: the file's own, or for degrees the zone of UTM that fits */
    struct oro_map_window window; /* only this part is read; rounded to cells unless warped */
    bool
        where_known; /* a file that does not say where it lies is read as it is, without `crs` and `window` */
    int max_side;    /* read with at most so many cells a side, averaged; 0: all that there are */
    bool shape_only; /* only size, cell and place: `data` stays NULL */
    /* Resampled to so many cells, as by oro_heightfield_resize (monotone); what has no nodata and comes by
     * rows (.png, raw samples, .pfm) is then never whole in memory. 0: as many as it has. */
    int fit_width, fit_height;
    /* Asked at every row that is read (.png, raw samples, .pfm): true ends it with ORO_E_CANCELLED. Or NULL.
     */
    bool (*stop)(void *user);
    void *stop_user;
    /* Sees every row before, from north to south, and may change it; where it turns out that the whole is
     * needed, all of them once more from the first one. false ends the reading, with `err`
     * filled. `file` has the sides, cell and unit that were read. May be NULL. */
    bool (*row)(void *user, const struct oro_heightfield *file, int y, float *row, struct oro_error *err);
    void *row_user;
    bool any_path; /* a mosaic (.vrt) may name files outside its own folder */
    /* For what the file told and what was assumed (formats/account.h), an unusable sidecar; may be NULL. */
    const struct oro_log *log;
};

/* Reads a heightfield; NULL options are the defaults. A sidecar that is damaged, makes no sense, or tells
 * another size is ignored with a warning. Fails with ORO_E_FILE (unknown extension, wrong magic, truncated,
 * no height at all, a size that does not fit, no such channel, or more than ORO_HEIGHTFIELD_SIDE_MAX a side,
 * which is refused before any allocation), ORO_E_MEMORY, or ORO_E_USAGE (options: low is not below high,
 * sides out of range). After a failure `field` is empty. Thread-safe. */
bool oro_heightfield_read(const char *path, const struct oro_read_options *options,
                          struct oro_heightfield *field, struct oro_error *err);

/* Calls `visit` for every other file that makes up the heightfield: the rasters of a mosaic, headers and such
 * beside it, not the sidecar. Gives false once `visit` does. A file that cannot be opened has none. */
bool oro_heightfield_companions(const char *path, bool (*visit)(void *user, const char *path), void *user);

/* What a written file's sidecar records besides what the file itself shows. */
struct oro_sidecar {
    int64_t seed;
    const char *graph_digest; /* hexadecimal, or NULL */
    const char *document;     /* or NULL */
    const char *device;       /* of which kind computed it: "processor", "driver", "card"; or NULL */
    /* The node of the graph that carved the terrain so that it drains, or NULL; and what it carved. */
    const char *breach_node;
    double breach_deepest_cut, breach_cut_volume; /* metres, cubic metres */
    /* Tells what was said of what it was made from, besides the field's account; or NULL. */
    void (*notices)(const void *user, const struct oro_log *log);
    const void *notices_user;
};

/* A raster that a file of several channels holds beside the heights, as large as they are. */
struct oro_channel {
    const char *name;
    const float *data; /* interleaved */
    int components;    /* 1: channel NAME; 2 and 3: NAME.X, .Y, .Z; 4: NAME.R, .G, .B, .A */
};

/* What is done to make a terrain drain. */
enum oro_drain {
    ORO_DRAIN_NONE,
    ORO_DRAIN_REPAIR, /* its heights are carved (oro_breach) before they are rounded: float files have neither
                         pits nor flats; integer files have no closed depressions, but may have flats */
    ORO_DRAIN_STRICT, /* float files: the same. Integer files: levels fall strictly from every cell to the
                         border, by carving and raising (oro_levels_drain). Half floats are drained as
                         integers are: in their steps, which grow with the height */
};

/* The words for them in documents and scripts, in that order: "check", "repair", "strict"; ends with NULL. */
extern const char *const oro_drain_words[];

/* Words for how a GeoTIFF is written, in documents and options; each ends with NULL. The first is the
 * default. */
extern const char *const oro_bits_words[];     /* "32", "16" */
extern const char *const oro_compress_words[]; /* "deflate", "zstd" */
enum { ORO_COMPRESS_ZSTD = 1 };
static inline int oro_bits_of(int word)
{
    return word == 1 ? 16 : 32;
}

/* A limit for ORO_DRAIN_STRICT that is enough for hilly ground (docs/command-line.md has the figures). If
 * more is needed, there is probably a wide plain, or depressions that nobody has breached. Metres. */
#define ORO_DRAIN_LIMIT 10.0

/* What was written. */
struct oro_written {
    struct oro_measure measure; /* of the file as it will be read back */
    /* What `drain` changed, in metres and cubic metres (metres times cells if the cell size is unknown). */
    struct oro_drain_cost cost;
    bool drains_again;                 /* that was to keep it drained: oro_drain_keep */
    struct oro_engine_figures figures; /* of a terrain for an engine */
    int tiles;                         /* 0: one file */
    /* Of meshes alone. `measure` then has the range of the surface, and the drainage of the grid that it was
     * made from. */
    struct oro_mesh_made mesh;
};

struct oro_write_options {
    bool has_range; /* integer formats; false: the field's own minimum and maximum */
    double low, high;
    bool big_endian; /* headerless formats */
    int bits; /* GeoTIFF and Zarr: 16, with a range as for the other integer formats; 0 or 32: float32 */
    bool keeps_none; /* cells of `sea` have no height: floats of formats that can say so do */
    bool zstd;       /* GeoTIFF: compressed by zstd instead of deflate */
    bool cog; /* GeoTIFF: laid out for reading parts of it from afar, with overviews ("cloud optimized") */
    /* These three fail with ORO_E_USAGE for other formats. */
    /* .exr alone; others fail with ORO_E_USAGE. */
    bool half;           /* half floats (formats/half.h); fails with ORO_E_WRITE beyond 65504 */
    bool tiled;          /* in tiles, for programs that read parts of a file */
    const char *channel; /* the name of the heights; NULL: "height". Other formats leave it aside */
    const struct oro_channel *others;
    size_t other_count;
    /* Whom the file is for, or NULL. Fails with ORO_E_USAGE where it takes no such file, or no such size. */
    const struct oro_engine *engine;
    enum oro_resampling resampling; /* of what is brought to the engine's size before it is written */
    /* In tiles, or NULL. Range and drainage are those of the whole; PATH itself is not written. Fails with
     * ORO_E_USAGE where tiles do not cover the field, in formats that fit their steps to the heights of a
     * file
     * (.ter), and with several channels. */
    const struct oro_tiling *tiling;
    const struct oro_weight_maps *weights; /* written with it, as large as the field; or NULL */
    struct oro_mesh_options mesh;          /* .glb, .obj, .stl, .ply; others fail with ORO_E_USAGE */
    struct oro_sidecar sidecar;
    const struct oro_log *log; /* for warnings: cells outside the range are clipped; may be NULL */

    /* The sea of a terrain, where the field does not have one itself: its level in metres, from the border
     * and from what is sea already, or a mask as large as the field. Water has arrived there. */
    bool has_sea;
    double sea;
    const float *sea_mask;
    bool not_terrain; /* a mask or other raster: its drainage is neither reported nor changed (all options
                         below) */
    enum oro_drain drain;
    bool drains_again;    /* `drain` was set by oro_drain_keep */
    double drain_limit;   /* metres: ORO_DRAIN_STRICT fails if it would change a cell by more; 0: no limit */
    bool require_drained; /* fail if a closed depression would be left */
    const char *drain_advice; /* what the message of that failure advises; may be NULL */
    /* Asked now and then while drainage is computed: true ends the work with ORO_E_CANCELLED. May be NULL. */
    bool (*stop)(void *user);
    void *stop_user;
    struct oro_written *written; /* filled after success; may be NULL */
};

/* Whether the format of `path` has what the options ask for of one format alone (GeoTIFF, .exr). Fails with
 * ORO_E_USAGE, as writing does; to find out before the work is done. */
bool oro_write_options_fit(const char *path, const struct oro_write_options *options, struct oro_error *err);

/* Writes the file and its sidecar PATH.json (keys: sidecar.h), and what else the options ask for: tiles with
 * their sidecars and manifest, weight maps; all or nothing. NULL options are the defaults.
 * The sidecar's minimum, maximum and hydrology are those of the file as it will be read back, after
 * quantisation. Equal fields and options give equal bytes. Fails with ORO_E_WRITE (also if a value is not
 * finite, and because of the limit of `drain` or `require_drained`), ORO_E_MEMORY, ORO_E_EVALUATE (heights
 * that float32 cannot drain), ORO_E_CANCELLED, or ORO_E_USAGE (unknown extension, low is not below high, no
 * cells). Thread-safe for different paths. */
bool oro_heightfield_write(const char *path, const struct oro_heightfield *field,
                           const struct oro_write_options *options, struct oro_error *err);

/* To be called with a terrain that is about to be resampled and then written: where it drains, and nothing
 * else is asked for, `options` are made to carve it open again. Fails as oro_certify. */
bool oro_drain_keep(const struct oro_heightfield *terrain, struct oro_write_options *options,
                    struct oro_error *err);
/* "drained before it was resampled; carved open again: 214 cells, at most 3.1 m deep", after the writing.
 * Returns `text`, which is "" where nothing of that happened. */
enum { ORO_DRAIN_KEPT_TEXT = 160 };
const char *oro_drain_kept_text(const struct oro_written *written, char text[ORO_DRAIN_KEPT_TEXT]);

/* Whether oro_heightfield_write knows the extension. The names are for messages: of all formats that are
 * written, of those that are read, too, and of meshes; `oro_format_extensions`, each with its dot, ends with
 * NULL. */
bool oro_format_writable(const char *path);
/* Whether the extension is that of a mesh, which is written and not read. */
bool oro_format_is_mesh(const char *path);
/* Whether the extension is that of a heightfield, of one that is only read, too. */
bool oro_format_readable(const char *path);
/* Whether files of that extension can have half floats, tiles and several channels: .exr. */
bool oro_format_has_channels(const char *path);
/* Whether files of that extension can have 16 bits or 32: GeoTIFF and Zarr. */
bool oro_format_takes_bits(const char *path);
/* Whether it can have other compression and overviews, too. */
bool oro_format_is_geotiff(const char *path);
/* Whether it is written as a folder of files: Zarr. */
bool oro_format_is_folder(const char *path);
/* As oro_file_may_write, also of such a folder. */
bool oro_format_may_write(const char *path, struct oro_error *err);
extern const char oro_format_names[], oro_raster_format_names[], oro_mesh_format_names[];
extern const char *const oro_format_extensions[];

/* An 8-bit RGBA PNG from `width * height * 4` floats, clipped to 0..1 (NaN: 0). Atomic, no sidecar. */
bool oro_image_writable(const char *path); /* whether the extension is that of a PNG */
bool oro_image_write(const char *path, int width, int height, const float *rgba, struct oro_error *err);
/* The same from `width * height * 3` bytes, RGB. */
bool oro_image_write_bytes(const char *path, int width, int height, const uint8_t *rgb,
                           struct oro_error *err);
/* The first in tiles, with their manifest; all or nothing. */
bool oro_image_write_tiles(const char *path, const struct oro_tiling *tiling, int width, int height,
                           const float *rgba, struct oro_error *err);
/* The same into memory, for the texture of a mesh; the caller frees `*bytes` with oro_free. `name` is for
 * messages. */
bool oro_image_encode(const char *name, int width, int height, const float *rgba, char **bytes, size_t *size,
                      struct oro_error *err);

/* Resamples to another size: area average where coarser, and where finer the surface of `method`
 * (gles_shaders/lib/resample.comp), cell-centred. Constants stay constant, and averaging keeps the mean.
 * `cell` is adjusted to keep the extent along x. `to` must not be `from`, and is empty after a failure:
 * ORO_E_USAGE (sides), ORO_E_MEMORY. */
bool oro_heightfield_resize(const struct oro_heightfield *from, int width, int height,
                            enum oro_resampling method, struct oro_heightfield *to, struct oro_error *err);

#endif
