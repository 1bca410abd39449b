/*
 * Where on Earth a raster lies. Its columns run east and its rows south in a projected coordinate system
 * whose unit is the metre, without rotation.
 */
#ifndef ORO_BASE_PLACE_H
#define ORO_BASE_PLACE_H

struct oro_place {
    char *crs; /* "EPSG:32632", or WKT where the system has no such number; oro_alloc. NULL: the place is
                  unknown */
    double west, north; /* metres in that system: the outer corner of the first cell, not its centre */
};

/* The place of a part of a world, whose corner lies so many metres east and south of the world's. */
static inline struct oro_place oro_place_within(const struct oro_place *world, double x, double y)
{
    return (struct oro_place){world->crs, world->west + x, world->north - y};
}

#endif
