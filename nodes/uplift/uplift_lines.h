/* The lines of a network as straight pieces, for primitives that follow curves. */
#ifndef ORO_NODES_UPLIFT_UPLIFT_LINES_H
#define ORO_NODES_UPLIFT_UPLIFT_LINES_H

#include "graph/type/node.h"
#include "terrain/network/bend.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"

struct oro_line_piece {
    struct oro_line_end a, b;
    uint32_t line; /* number of its line in the network */
};

struct oro_line_options {
    bool smooth;  /* bent (terrain/network/bend.h); a line that ends where it began is closed */
    double width; /* of vertices without one, and of all unless `use_width` */
    bool use_width;
    const struct oro_profile *profiles[2]; /* pieces end where these bend, so that they are linear in each */
};

/* The pieces of all lines, one after another; a point is a piece without length. The caller frees `pieces`
 * with oro_free. ORO_E_MEMORY; ORO_E_LIMIT: more than 2^22 pieces. */
bool oro_network_pieces(const struct oro_network *network, const struct oro_line_options *options,
                        struct oro_line_piece **pieces, size_t *count, struct oro_error *err);

/* The profile's value at x, not below 0. */
double oro_profile_at(const struct oro_profile *profile, double x);

/* Ranges along the lines, smooth where they bend and where they meet: half the width is the radius; radius
 * and uplift are multiplied by profiles along the line. */
struct oro_range_style {
    double uplift;
    const struct oro_profile *radius_profile, *uplift_profile;
};
struct oro_uplift *oro_uplift_along(const struct oro_line_piece *pieces, size_t count,
                                    const struct oro_range_style *style, struct oro_error *err);

/* Ranges along straight segments, smooth likewise. `lines`: the number of each segment's line, whose segments
 * stand together. NULL: each is a part of lines that branch, and lower alone; one without length is a disc.
 */
struct oro_uplift *oro_uplift_smooth(const struct oro_uplift_segment *segments, const uint32_t *lines,
                                     size_t count, struct oro_error *err);

/* Inputs that ranges along lines share. */
#define ORO_UPLIFT_PROFILE_PARAMS struct oro_profile radius_profile, uplift_profile
#define ORO_IN_UPLIFT_HEIGHT(params)                                                                         \
    ORO_IN_FLOAT(params, uplift, 0.0005, .min = 0, .max = 1, .soft_max = 0.002, .unit = ORO_METRE_PER_YEAR,  \
                 .doc = "How fast the ground rises at the crest. Where erosion is in balance, twice the "    \
                        "uplift makes higher and steeper mountains")
#define ORO_IN_UPLIFT_RADIUS(params, standard, ...)                                                          \
    ORO_IN_FLOAT(params, radius, standard, .min = 1, .max = 1e6, .soft_min = 100, .soft_max = 10000,         \
                 .unit = ORO_METRE, __VA_ARGS__)
#define ORO_IN_UPLIFT_PROFILES(params)                                                                       \
    ORO_IN_PROFILE(params, radius_profile, "0 1, 1 1", .group = "Along the line",                            \
                   .doc = "Factor of the radius from the beginning (0) to the end (1) of a line"),           \
        ORO_IN_PROFILE(params, uplift_profile, "0 1, 1 1", .group = "Along the line",                        \
                       .doc = "Factor of the uplift from the beginning (0) to the end (1) of a line: "       \
                              "summits and saddles")

#endif
