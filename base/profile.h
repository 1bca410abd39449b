/* A curve, as the params struct of a node has it. */
#ifndef ORO_BASE_PROFILE_H
#define ORO_BASE_PROFILE_H

/* A curve through points with rising x, linear between them, constant outside. */
enum { ORO_PROFILE_MAX = 32 };
struct oro_profile {
    int count;
    float x[ORO_PROFILE_MAX], y[ORO_PROFILE_MAX];
};

#endif
