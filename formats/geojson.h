/*
 * Networks as GeoJSON (RFC 7946), for GIS programs and scripts, with one difference: coordinates are the
 * world's metres, x east and y south of its north-west corner, not longitude and latitude. A member "crs"
 * says nothing to us.
 *
 * A line is a Feature with a LineString, a point (a peak that is alone) one with a Point. What is known of
 * their vertices is in the properties, each an array with one item per vertex: "elevation" (which is the
 * third coordinate, too, where it is known), "drainage" (m^2), "width", "prominence" (metres; the string
 * "infinite" for the highest peak), "order" (Strahler's), "kind" (plain, peak, saddle, source, junction,
 * outlet). What is not known of a vertex is null; a property that no vertex has is left out. Of a Point they
 * are no arrays.
 */
#ifndef ORO_FORMATS_GEOJSON_H
#define ORO_FORMATS_GEOJSON_H

#include "terrain/network/network.h"

/* Atomic. A network that was read back is the same bit by bit, but that vertices are numbered in the order in
 * which lines name them, and those that no line names are not written. Fails with ORO_E_WRITE, ORO_E_MEMORY.
 */
bool oro_geojson_write(const struct oro_network *network, const char *path, struct oro_error *err);

/* A FeatureCollection, a Feature, or a geometry: LineString, MultiLineString, Point, MultiPoint, and
 * collections of them. A property may be one value for all vertices; of a MultiLineString an array of arrays.
 * Other properties, and values that are no numbers, belong to others and are passed over; but an array that
 * does not fit the line is an error, as are polygons. Vertices at the very same place are one
 * (oro_network_join). Fails with ORO_E_FILE (says in which feature; also above 128 MiB, or coordinates beyond
 * 1e9 m), ORO_E_MEMORY, or as oro_network_finish. */
struct oro_network *oro_geojson_read(const char *path, struct oro_error *err);

#endif
