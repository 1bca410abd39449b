/* Literals of several numbers, as the params struct of a node has them: a curve, and colours along a line. */
#ifndef ORO_BASE_CURVES_H
#define ORO_BASE_CURVES_H

/* A curve through points with rising x, linear between them, constant outside. */
enum { ORO_PROFILE_MAX = 32 };
struct oro_profile {
    int count;
    float x[ORO_PROFILE_MAX], y[ORO_PROFILE_MAX];
};

/* Colours at rising positions, red, green, blue, alpha in 0..1, sRGB-encoded. */
enum { ORO_GRADIENT_MAX = 32 };
struct oro_gradient {
    int count;
    float position[ORO_GRADIENT_MAX], colour[ORO_GRADIENT_MAX][4];
};

#endif
