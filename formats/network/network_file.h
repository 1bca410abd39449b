/*
 * Networks in the formats of other programs. GeoJSON (geojson.h) keeps everything. The others are told apart
 * by their bytes when they are read, and by the extension when they are written:
 *
 *   .shp .gpkg .kml .dxf   through GDAL, in the world's system; KML is in longitudes and latitudes. Where the
 *                          world lies nowhere, in its metres, with y going north: its northern edge is at 0.
 *                          A file that tells no system is in that of a world that has one
 *   .svg                   a drawing in the world's metres, x east and y south
 *
 * The third coordinate is the elevation, where it is known at all vertices. A GeoPackage, KML and SVG keep
 * besides what is known of every vertex (`vertices`), and like a shapefile one number for each line: the mean
 * of width and drainage, the highest order, a point's prominence and kind. DXF keeps nothing more.
 */
#ifndef ORO_FORMATS_NETWORK_NETWORK_FILE_H
#define ORO_FORMATS_NETWORK_NETWORK_FILE_H

#include "formats/network/geojson.h"

/* As oro_geojson_write; fails as oro_network_file_fits, too. */
bool oro_network_file_write(const struct oro_network *network, const struct oro_place *world,
                            const char *path, struct oro_error *err);
/* Of GeoJSON, reads a FeatureCollection, a Feature, or a geometry: LineString, MultiLineString, Point,
 * MultiPoint, and collections of them. A property may be one value for all vertices; for a MultiLineString,
 * it may be an array of arrays. Other properties, and values that are not numbers, are ignored; but an array
 * that does not fit the line is an error, and so are polygons (but in SVG). Vertices at exactly the same
 * place become one (oro_network_join). Where `world` has a place, a file may be in any system: that of its
 * member "crs", or, without one, longitudes and latitudes (WGS 84, as RFC 7946 has it) if all positions are
 * within 180 and 90; else it is in the world's metres, or, of the formats of maps, in its system, which is
 * told. GDAL brings it to the world's system. Fails with ORO_E_FILE (says in which feature; also above 128
 * MiB, or for coordinates beyond 1e9 m), ORO_E_LIMIT (more values than 400 MiB hold, or than the budget has
 * left), ORO_E_MEMORY, or as oro_network_finish. */
struct oro_network *oro_network_file_read(const char *path, const struct oro_place *world,
                                          const struct oro_log *log, struct oro_error *err);
/* Reads two that are to be compared: both in the system of the first that tells one in metres. Fails
 * likewise; the caller frees both in any case. */
bool oro_network_file_read_two(const char *const paths[2], struct oro_network *networks[2],
                               struct oro_error *err);
/* Whether a network of that world can be written so. Fails with ORO_E_USAGE. */
bool oro_network_file_fits(const char *path, const struct oro_place *world, struct oro_error *err);

/* Calls `visit` for what lies beside a shapefile: its numbers, its system. As oro_heightfield_companions. */
bool oro_network_file_companions(const char *path, bool (*visit)(void *user, const char *path), void *user);

/* Whether the extension is one of them, and of these one whose y goes north. */
bool oro_network_file_known(const char *path);
bool oro_network_file_goes_north(const char *path);
extern const char oro_network_file_names[]; /* for messages */

#endif
