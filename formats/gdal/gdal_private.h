/*
 * Inside formats/: what the files around GDAL share. GDAL reports errors to a handler of the thread that
 * calls it; between oro_gdal_begin and oro_gdal_end that handler keeps the first one, and nothing is printed.
 */
#ifndef ORO_FORMATS_GDAL_GDAL_PRIVATE_H
#define ORO_FORMATS_GDAL_GDAL_PRIVATE_H

#include "formats/format.h"
#include "formats/gdal/gdal.h"
#include "formats/gdal/gdal_api.h"
#include "formats/numbers.h"
#include "formats/sidecar/sidecar.h"

struct oro_gdal_call {
    const char *path; /* for messages */
    bool failed, no_memory;
    char text[400]; /* what GDAL said first */
};

/* Begins to listen. Thread-safe. Fails with ORO_E_FILE where GDAL cannot be loaded; there is then no end. */
bool oro_gdal_begin(struct oro_gdal_call *call, const char *path, struct oro_error *err);
void oro_gdal_end(void);

/* Fills `err` with "cannot WHAT 'path': " and what GDAL said; ORO_E_MEMORY where that was the reason. Returns
 * false. */
bool oro_gdal_fail(const struct oro_gdal_call *call, enum oro_code code, const char *what,
                   struct oro_error *err);

/* Opens a raster for reading after checking whatever it refers to: a mosaic (.vrt) is what gdalbuildvrt
 * makes, and, unless `any_path`, of files in its own folder or below. Close with GDALClose. NULL: ORO_E_FILE,
 * ORO_E_MEMORY. */
GDALDatasetH oro_gdal_open(const struct oro_gdal_call *call, bool any_path, struct oro_error *err);
/* The part of it for mosaics; `place` is the file's path without links. */
bool oro_gdal_check_mosaic(const struct oro_gdal_call *call, const char *place, bool any_path,
                           struct oro_error *err);
/* Calls `visit` for the rasters of a mosaic, which are not looked at. Fails as it does, or where the mosaic
 * is none. */
bool oro_gdal_visit_mosaic(const struct oro_gdal_call *call, bool (*visit)(void *user, const char *path),
                           void *user);
/* Whether a file of that name is taken for a mosaic. */
bool oro_gdal_is_mosaic(const char *path);
/* Opens a file of vectors likewise. */
GDALDatasetH oro_gdal_open_vector(const char *path);
/* Opens what is no mosaic, and refuses it where it leads to other rasters. */
GDALDatasetH oro_gdal_open_plain(const char *path);
/* Opens a text of points that lie in no order. NULL: they are no grid. */
GDALDatasetH oro_gdal_open_points(const char *path);
/* Whether a file lies in the folder of `path`, or below it, links followed. */
bool oro_gdal_lies_beside(const char *path, const char *file);

/* Finds out what the source is, from `set` on; refuses what is no heightfield. `source->crs` is to be
 * released in any case. */
struct oro_gdal_source;
/* Refuses a picture in colours, or puts heights in its place as `decode` asks for. */
bool oro_gdal_decode(struct oro_gdal_source *source, struct oro_error *err);
bool oro_gdal_describe(struct oro_gdal_source *source, struct oro_error *err);

/* Whether it is a projected or local system whose unit is the metre. NULL is not. */
bool oro_gdal_in_metres(OGRSpatialReferenceH crs);
/* A projected system in metres, as worlds and rasters lie in. NULL: `err` is filled with ORO_E_USAGE. */
OGRSpatialReferenceH oro_gdal_metric_crs(const char *text, struct oro_error *err);

/* A system from "EPSG:N" or WKT, with x east. No other text is taken: GDAL would read files or addresses by
 * it. NULL: it is none, or memory is out. */
OGRSpatialReferenceH oro_gdal_crs(const char *text);
void oro_gdal_crs_free(OGRSpatialReferenceH crs);
/* The horizontal part of a system. NULL: memory is out. */
OGRSpatialReferenceH oro_gdal_flat(OGRSpatialReferenceH crs);
/* "EPSG:N" or WKT; oro_alloc. NULL: memory is out. */
char *oro_gdal_crs_text(OGRSpatialReferenceH crs);

/* A raster that is being read. */
struct oro_gdal_source {
    const struct oro_gdal_call *call;
    const struct oro_read_options *options;
    struct oro_read_options spread; /* the same for a raster that lies nowhere */
    GDALDatasetH set;
    GDALRasterBandH band, alpha; /* of the heights; where there are none, or NULL */
    int width, height;
    bool has_transform;
    double transform[6];      /* cells to coordinates, rows south; without one the identity */
    bool south_first;         /* so lie its own rows */
    OGRSpatialReferenceH crs; /* horizontal; NULL: unknown */
    bool by_windows;          /* it is not read at once, and may be as large as ORO_RASTER_SIDE_MAX */
};

/* The cells that are wanted of it: `width` by `height` of `cell` metres, and where they lie. */
struct oro_gdal_grid {
    bool warped;
    int width, height;
    double coarser;                       /* cells of the source along one, at least 1 */
    double west, north, cell, cell_south; /* in units of `crs`, or of the transform where that is unknown */
    OGRSpatialReferenceH crs;             /* NULL: unknown */
    double first_x, first_y, cells_x, cells_y; /* not warped: the part of the source */
};

/* Chooses the grid. Fails with ORO_E_FILE or ORO_E_USAGE where there is no sensible one, or it is too large;
 * `grid->crs` is to be released in any case. */
bool oro_gdal_choose_grid(const struct oro_gdal_source *source, struct oro_gdal_grid *grid,
                          struct oro_account *account, struct oro_error *err);
/* The size of cells that are probably degrees, as nobody tells a system; 0: they are not. */
double oro_gdal_like_degrees(const struct oro_gdal_source *source);
/* Fills `data`, NaN where there is no height. */
bool oro_gdal_read_cells(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid, float *data,
                         struct oro_error *err);

/* Whether one of these drivers of GDAL's reads it. */
bool oro_gdal_is_by(const struct oro_gdal_source *source, const char *const *drivers);
/* Whether a file has enough bytes for so many cells at once (oro_check_worth). */
bool oro_gdal_check_worth(const struct oro_gdal_source *source, int width, int height, struct oro_error *err);
/* Whether the path is of a file that GDAL may see: a named pipe never comes to it, and a folder only if it is
 * a Zarr array that was looked at. Fails with ORO_E_FILE. */
bool oro_gdal_is_file(const char *path, struct oro_error *err);
/* The sidecar's facts, if it is of this raster. The place is taken from there where the raster itself does
 * not tell its system. Fails with ORO_E_MEMORY. */
bool oro_gdal_facts_of(struct oro_gdal_source *source, struct oro_facts *facts, struct oro_error *err);
/* What its numbers mean, and whom that is from. Fails with ORO_E_FILE for a unit that is unknown. */
bool oro_gdal_find_meaning(const struct oro_gdal_source *source, const struct oro_facts *facts,
                           struct oro_numbers *meaning, struct oro_account *account, struct oro_error *err);
/* The place and the size of cells of a field whose sides are known. */
bool oro_gdal_take_place(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                         const struct oro_facts *facts, struct oro_heightfield *field, struct oro_error *err);

/* A raster of GDAL's upon memory of ours, whose rows begin `row` bytes apart. NULL: GDAL could not. */
GDALDatasetH oro_gdal_view(const void *data, GDALDataType type, int width, int height, size_t row);

/* The fields of lines, in files that have such: the numbers of enum oro_vector_number, what vertices have
 * besides, and what they are. */
static const char *const oro_vector_fields[] = {"width",     "drainage", "prominence", "order",
                                                "elevation", "highest",  "kind"};

#endif
