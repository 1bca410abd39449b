/*
 * Inside formats/: rasters that GDAL reads and writes. Reading goes by what the file holds, not by its name,
 * through those drivers of GDAL that read elevation from files (gdal_open.c lists them): no network, no
 * databases, no files outside the folder of the one that is read.
 *
 * A program built without GDAL (OROGRAPH_GDAL=OFF) has the same functions, which fail and say so.
 */
#ifndef ORO_FORMATS_GDAL_GDAL_H
#define ORO_FORMATS_GDAL_GDAL_H

#include "formats/codec.h"
#include "formats/format.h"
#include "terrain/network/network.h"

/* A raster that is being read. One thread at a time. */
struct oro_gdal_file;
struct oro_reader_about;
struct oro_numbers;
struct oro_facts;
/* Opens it for windows of any cells (`blocks`: GeoTIFF, mosaics and Zarr that need no warping, block after
 * block), or for one window of all that the options ask for. What only the sidecar knows comes from there:
 * `facts`. `meaning` is that of the numbers. Fails as oro_reader_open; NULL then. Of `about` the place is the
 * caller's. */
struct oro_gdal_file *oro_gdal_open_file(const char *path, const struct oro_read_options *options,
                                         bool blocks, struct oro_reader_about *about,
                                         struct oro_numbers *meaning, struct oro_facts *facts,
                                         struct oro_error *err);
/* Reads numbers, NaN where the file says that there is none. The window lies in the raster. */
bool oro_gdal_read_window(struct oro_gdal_file *file, const struct oro_cell_window *window, float *numbers,
                          struct oro_error *err);
void oro_gdal_close_file(struct oro_gdal_file *file); /* NULL is allowed */

/* Puts a raster that was read, and says where it lies, to the system and the window of the options. Of one
 * without `data` it finds the size. */
bool oro_gdal_put(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                  struct oro_error *err);

/* Whether files beside a picture, as GIS programs write them, say where it lies or what its numbers mean:
 * PATH.aux.xml, or a world file. Then GDAL reads it with them. */
bool oro_gdal_is_told_beside(const char *path);

/* As oro_heightfield_companions. */
bool oro_gdal_companions(const char *path, bool (*visit)(void *user, const char *path), void *user);

/* A line of a network, or a point, in a file of vectors. */
enum oro_vector_number {
    ORO_VECTOR_WIDTH,
    ORO_VECTOR_DRAINAGE,
    ORO_VECTOR_PROMINENCE,
    ORO_VECTOR_ORDER,
    ORO_VECTOR_NUMBERS
};
struct oro_vector_line {
    const struct oro_vertex *vertices;
    const uint32_t *indices;
    size_t count;
    bool point;
    double numbers[ORO_VECTOR_NUMBERS]; /* of the line as a whole; NaN: not known */
    const char *kind;                   /* or NULL */
    const char *known;                  /* at its vertices, as JSON; NULL: nothing */
};
static inline const struct oro_vertex *oro_vector_vertex(const struct oro_vector_line *line, size_t i)
{
    return &line->vertices[line->indices[i]];
}
struct oro_vector_lines {
    size_t count;
    bool points, polylines; /* there are some */
    bool heights;           /* all are known */
    struct oro_place place; /* of the network's corner */
    bool (*line)(void *user, size_t number, struct oro_vector_line *line, struct oro_error *err);
    void *user;
};
/* Writes .shp (points go to NAME_points.shp where there are lines), .gpkg, .kml or .dxf, which has no room
 * for more than the geometry; the place has a system for .kml. All or nothing. Fails with ORO_E_WRITE,
 * ORO_E_USAGE, ORO_E_MEMORY. */
bool oro_vector_write(const char *path, const struct oro_vector_lines *lines, struct oro_error *err);
/* Reads what GDAL takes for a file of vectors: the text of a FeatureCollection, with the properties that
 * networks have, and its system, oro_alloc, NULL where it tells none. Fails with ORO_E_FILE, ORO_E_MEMORY,
 * ORO_E_LIMIT (a text of more than `most` bytes). */
struct oro_text;
bool oro_vector_read(const char *path, size_t most, struct oro_text *text, char **crs, struct oro_error *err);

/* Brings points from one system to another: "EPSG:N" or WKT, x east, degrees or metres. `path` is for
 * messages. Fails with ORO_E_FILE where there is no such system, or no such place in the second. */
bool oro_gdal_transform(const char *path, const char *from, const char *to, size_t count, double *x,
                        double *y, struct oro_error *err);

#endif
