/*
 * Where on Earth a raster lies. Its columns run east and its rows south in a projected coordinate system
 * whose unit is the metre, without rotation.
 */
#ifndef ORO_FORMATS_PLACE_H
#define ORO_FORMATS_PLACE_H

struct oro_place {
    char *crs; /* "EPSG:32632", or WKT where the system has no such number; oro_alloc. NULL: the place is
                  unknown */
    double west, north; /* metres in that system: the outer corner of the first cell, not its centre */
};

#endif
