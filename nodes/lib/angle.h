/* Degrees, as artists see angles, in radians, as libraries take them. */
#ifndef ORO_NODES_LIB_ANGLE_H
#define ORO_NODES_LIB_ANGLE_H

static inline double oro_radians(double degrees)
{
    return degrees * (3.14159265358979323846 / 180);
}

#endif
