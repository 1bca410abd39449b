/*
 * Inside formats/: the sidecar PATH.json, which keeps what an image file cannot say. It is read as untrusted
 * input: a sidecar that is damaged or makes no sense is treated as missing.
 *
 * A sidecar holds for the very bytes that its digest tells. One that has a digest which is not the file's is
 * of an older or newer file: a program was killed while it wrote both, or the file was changed without it.
 * Then only what files without a header need is taken from it, with a warning: sides and order, to which the
 * file's size must fit. Without a digest it is believed. Of a large file only a sample is looked at
 * (base/file_digest.h), if the sidecar tells one: it does once it and the file both have their names. Until
 * then the sidecar has none, and a digest tells the halves of two pairs apart, whatever they have in common.
 *
 * Keys, in this order: width, height, cell_size (metres; absent: unknown), crs ("EPSG:N" or WKT), west,
 * north (metres in it, of the outer corner; all three absent: unknown), minimum, maximum (metres, of the
 * file as it is read back), low, high (metres of the lowest and the highest level; integer formats),
 * sea (metres of its level, from the border inland; absent: none, or given in another way), sea_reach
 * ("everywhere": in hollows inland, too),
 * nodata (read, never written: metres of cells that are no ground), endianness ("little", "big"), row_order
 * ("north_first", "south_first"; of meshes neither, but mesh), format, digest (XXH3-128 of the file's bytes
 * in 32 hexadecimal digits, as xxhsum -H2 tells it; of a folder, of the names and digests of its files),
 * sample (likewise; of large files that are neither tiles nor meshes),
 * seed, graph, document, device ("processor", "driver", "card"; absent: unknown), program, and for terrains
 * hydrology. There is no time stamp: equal terrains give equal bytes. For an engine: engine, with its name
 * and figures (engine.h). With weight maps: weights, for each picture its file and the masks in its channels.
 * A tile has tile_of, the name of its manifest, which certifies drainage; the manifest describes the whole
 * and has tiles: side, overlap, columns, rows, and files, each with file, x, y (as in its name), column and
 * row (of its first cell, from the north-west), and digest.
 *
 * mesh: up ("y", "z": the axis), vertices, triangles, surface_triangles (without skirt or base),
 * largest_error, rms_error (metres between surface and terrain, vertically, at the centres of cells), skirt,
 * base (metres; absent: none). Then width, height and hydrology are those of the grid that it was made from,
 * minimum and maximum those of the surface; if it was simplified, hydrology says so with the member of.
 *
 * hydrology describes the file as it is read back: drained (no closed depression), closed_depressions,
 * undrained_cells, pits, flats, share_ending_in_pit (terrain/hydrology/metrics.h); sea_cells, where it has a
 * sea; what writing changed so
 * that the terrain drains: method ("none", "repair", "strict"), cells_changed, deepest_cut, highest_raise
 * (metres), cut_volume, raise_volume (cubic metres; absent: no cell size); and, if known, what a node of the
 * graph carved before: breach with node, deepest_cut (metres), cut_volume (cubic metres).
 */
#ifndef ORO_FORMATS_SIDECAR_SIDECAR_H
#define ORO_FORMATS_SIDECAR_SIDECAR_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "formats/codec.h"
#include "formats/format.h"
#include "formats/range.h"

/* Room for a coordinate system; WKT of the longest has some 5000 characters. */
enum { ORO_CRS_TEXT = 8192 };
/* Metres of the largest cells that are believed, and of places. */
#define ORO_SIDECAR_METRES_MAX 1e9

/* The facts in a sidecar that help reading. */
struct json_t;
struct oro_facts {
    bool found;
    int width, height; /* 0: missing */
    double cell;       /* 0: missing */
    bool has_range;
    struct oro_height_range range;
    bool has_nodata, has_sea, sea_inland;
    double nodata, sea;
    bool big_endian, south_first;
    char crs[ORO_CRS_TEXT]; /* "": the place is unknown */
    double west, north;
    bool has_digest;
    struct oro_hash digest; /* of the bytes of the file that it describes */
    bool has_sample;
    struct oro_hash sample; /* of that file */
    char device[16];        /* that computed it; "": unknown */
};

/* The name of the sidecar of `path`. The caller frees. NULL: memory is out. */
char *oro_sidecar_path(const char *path);

/* Reads facts from the sidecar of `path`. `found` is false if there is none, or (with a warning) if it is
 * unusable. Fails with ORO_E_MEMORY: without it, heights would be others. */
bool oro_sidecar_read(const char *path, const struct oro_log *log, struct oro_facts *facts,
                      struct oro_error *err);

/* Whether the bytes of `path` have the digest that was told. A file that cannot be read is noticed by whoever
 * reads it, and counts as the same. Fails with ORO_E_MEMORY. */
bool oro_digest_vouches(const char *path, struct oro_hash told, bool *same, struct oro_error *err);

/* The digest that the sidecar of `path` tells, which the program has written. Fails with ORO_E_FILE,
 * ORO_E_MEMORY. */
bool oro_sidecar_digest(const char *path, struct oro_hash *digest, struct oro_error *err);
/* Reads a digest as sidecars tell it, if there is one of that key. False: it is there and makes no sense. */
bool oro_digest_take(const struct json_t *object, const char *key, struct oro_hash *digest, bool *found);

/* Ignore facts that turn out to be of another file, with a warning: always, or where the file's size is not
 * theirs (a side of 0 is unknown). */
void oro_facts_drop(struct oro_facts *facts, const char *path, const struct oro_log *log);
void oro_facts_keep_own(struct oro_facts *facts, const char *path, int width, int height,
                        const struct oro_log *log);

/* Marks the sea at the level that the facts tell, if they do, for a file of these very cells. Levels lie
 * `step` apart; 0: floats. Fails with ORO_E_MEMORY. */
bool oro_facts_mark_sea(const struct oro_facts *facts, const struct oro_read_options *options, double step,
                        struct oro_heightfield *field, struct oro_error *err);

/* What a sidecar records. */
struct oro_record {
    const struct oro_heightfield *field; /* its place and its sea's level; not its values */
    const struct oro_codec *codec;
    const struct oro_raster_shape *shape;
    struct oro_height_range range; /* integer formats */
    const struct oro_write_options *options;
    const struct oro_written *written;
    const char *path;    /* that was asked for: names of tiles and weight maps come from it */
    const char *tile_of; /* the manifest's name, of a tile: drainage is told there */
    bool tiles;          /* it is that manifest */
    /* Of the file's bytes, or of those of each tile of the manifest. NULL: unknown. */
    const struct oro_hash *digests;
    const struct oro_hash *sample; /* of the file, which has its name already; NULL: none */
};

/* Takes the facts from a parsed sidecar. Returns the first key that is invalid, or NULL. */
const char *oro_facts_take(const struct json_t *root, struct oro_facts *facts);

/* The path of a picture of weights, beside the terrain `path` or its tile. The caller frees; NULL: memory is
 * out. */
char *oro_weights_path(const struct oro_write_options *options, const char *path,
                       const struct oro_tile_place *tile, size_t picture);

/* Adds the list of files that a manifest of `width` by `height` cells has, to the end of an object's text.
 * `digests`: of each; NULL: unknown. */
void oro_tiles_add(struct oro_text *text, const struct oro_tiling *tiling, const char *path, int width,
                   int height, const struct oro_hash *digests);

/* Adds the sidecar's text to `text`, whose `failed` tells if memory ran out. */
void oro_sidecar_write(const struct oro_record *record, struct oro_text *text);

/* Takes the sample out of such a text, for a copy that gets its name before its file does: a sample would
 * vouch for the older file there, while by the digest all of a file is looked at. Returns the size that is
 * left. */
size_t oro_sidecar_take_sample_out(char *text, size_t size);

#endif
