/* Colours along a line, as the params struct of a node has them. */
#ifndef ORO_BASE_GRADIENT_H
#define ORO_BASE_GRADIENT_H

/* Colours at rising positions, red, green, blue, alpha in 0..1, sRGB-encoded. */
enum { ORO_GRADIENT_MAX = 32 };
struct oro_gradient {
    int count;
    float position[ORO_GRADIENT_MAX], colour[ORO_GRADIENT_MAX][4];
};

#endif
