/*
 * Networks as GeoJSON (RFC 7946), for GIS programs and scripts, with one difference: coordinates are the
 * world's metres, x east and y south of its north-west corner, not longitude and latitude. Where it is known
 * where on Earth the world lies, they are eastings and northings in its coordinate system, which the member
 * "crs" names, as GDAL writes and reads it.
 *
 * A line is a Feature with a LineString, a single point (such as a lone peak) one with a Point. The known
 * attributes of their vertices are in the properties, each an array with one item per vertex: "elevation"
 * (also the third coordinate, where it is known), "drainage" (m^2), "width", "prominence" (metres), "highest"
 * (true for peaks without a saddle to higher ground, whose prominence is infinite, and null as a number),
 * "order" (Strahler's), "kind" (plain, peak, saddle, source, junction, outlet). Unknown attributes of a
 * vertex are null; a property that no vertex has is left out. For a Point, the properties are single values,
 * not arrays.
 */
#ifndef ORO_FORMATS_NETWORK_GEOJSON_H
#define ORO_FORMATS_NETWORK_GEOJSON_H

#include "base/log.h"
#include "base/place.h"
#include "terrain/network/network.h"

/* Atomic. `world` may be NULL, or without a coordinate system: then a network that is read back is the same
 * bit by bit, except that vertices are numbered in the order in which lines name them, and that vertices
 * without a line are lost. In a coordinate system they lie within 0.1 mm. Fails with ORO_E_WRITE,
 * ORO_E_MEMORY. */
bool oro_geojson_write(const struct oro_network *network, const struct oro_place *world, const char *path,
                       struct oro_error *err);

#endif
