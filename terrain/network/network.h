/*
 * Networks: polylines on the map, with what is known at their vertices. Ridges (peaks joined over saddles),
 * rivers, and lines that an artist draws. What travels along links of type `network` is the bytes of one.
 *
 * A network is one immutable piece of memory without pointers, so that it can be copied, stored and digested
 * as it is. Lines name vertices by number: where they meet they share the vertex.
 */
#ifndef ORO_TERRAIN_NETWORK_NETWORK_H
#define ORO_TERRAIN_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum oro_vertex_kind {
    ORO_VERTEX_PLAIN,
    ORO_VERTEX_PEAK,
    ORO_VERTEX_SADDLE,
    ORO_VERTEX_SOURCE,
    ORO_VERTEX_JUNCTION,
    ORO_VERTEX_OUTLET
};

/* A number that is not known is NaN, an `order` 0. */
struct oro_vertex {
    float x, y;       /* metres, x east and y south from the north-west corner, as everywhere */
    float elevation;  /* metres */
    float drainage;   /* m^2 */
    float width;      /* metres */
    float prominence; /* of a peak, metres; infinite for the highest */
    uint32_t order;   /* Strahler 1957 */
    uint32_t kind;    /* enum oro_vertex_kind */
};

/* Header of the bytes. Then follow: vertices, line_count + 1 starts into the indices, indices. Line i has the
 * vertices index[start[i]] to index[start[i + 1] - 1], two or more (rivers: in the direction of flow). A
 * point is a line that names its vertex twice. Vertices that no line names are possible. */
struct oro_network {
    uint32_t magic, version;
    uint32_t vertex_count, line_count, index_count, reserved;
};

const struct oro_vertex *oro_network_vertices(const struct oro_network *network);
const uint32_t *oro_network_starts(const struct oro_network *network);
const uint32_t *oro_network_indices(const struct oro_network *network);
size_t oro_network_bytes(const struct oro_network *network);

/* Whether bytes (from a link, or from the cache on disk) are a network: sizes, numbers of vertices, finite
 * positions; elevations that are finite, areas, widths and prominences >= 0, or not known. NULL, with `err`
 * filled (ORO_E_EVALUATE), if not. `data` is aligned to 4 bytes. */
const struct oro_network *oro_network_of(const void *data, size_t bytes, struct oro_error *err);

/* A network under construction; zeroed is empty. Calls after one that failed for memory do nothing; the
 * failure shows in oro_network_finish. */
struct oro_network_builder {
    struct oro_vertex *vertices;
    uint32_t *starts, *indices;
    size_t vertex_count, line_count, index_count;
    size_t vertex_capacity, line_capacity, index_capacity;
    bool failed;
};
struct oro_vertex oro_vertex_at(float x, float y); /* nothing else known */
/* Returns its number, counting from 0. */
uint32_t oro_network_add_vertex(struct oro_network_builder *builder, struct oro_vertex vertex);
/* Vertices may be added after the lines that name them. `count` is two or more; fewer are no line. */
void oro_network_add_line(struct oro_network_builder *builder, const uint32_t *vertices, size_t count);
/* Vertices at the very same place become one: the first of them, which takes what it does not know from the
 * others, in their order. A vertex that follows upon itself in a line is dropped, so that a line that never
 * leaves its place becomes a point. Needs all vertices that lines name. */
void oro_network_join(struct oro_network_builder *builder);
/* The network, made with oro_alloc, or NULL. Frees the builder's memory in any case. Fails with
 * ORO_E_MEMORY, ORO_E_LIMIT (above 2^26 vertices, or 2^28 of them in lines), and as oro_network_of. An empty
 * network is possible. */
struct oro_network *oro_network_finish(struct oro_network_builder *builder, struct oro_error *err);

/* The literal form, as in graphs: lines parted by ';', their vertices by ',', a vertex is "x y", "x y
 * elevation" or "x y elevation width" in metres. Two vertices at the very same place are one
 * (oro_network_join). A line of a single vertex is a point. Lines with nothing in them are left out; "" is
 * the empty network. Fails with ORO_E_DOCUMENT. At most 4096 vertices. */
struct oro_network *oro_network_parse(const char *text, struct oro_error *err);

/* False if a network has loops (parallel lines, cycles, whatever their direction); `err` (ORO_E_EVALUATE)
 * says where. Parts that do not touch are no error. */
bool oro_network_check_tree(const struct oro_network *network, struct oro_error *err);

/* Strahler order of all vertices of a river network whose lines run downstream, into `order`
 * (vertex_count): 1 at a source, one more than that of the upstream ones where two or more have the highest.
 * Fails with ORO_E_EVALUATE on loops, ORO_E_MEMORY. */
bool oro_network_strahler(const struct oro_network *network, uint32_t *order, struct oro_error *err);

/* A copy that lies elsewhere: every vertex at x + `east` and y + `south`, or `south` - y where `mirrored`,
 * for maps whose y goes north. Fails with ORO_E_MEMORY, and as oro_network_of. */
struct oro_network *oro_network_moved(const struct oro_network *network, double east, double south,
                                      bool mirrored, struct oro_error *err);

/* The length of all lines together, metres. */
double oro_network_length(const struct oro_network *network);

/* How far apart lines lie on average, metres: lines of length L in a rectangle of area A leave A / L between
 * them. A rectangle counts as at least a quarter as wide as it is long. 0 where lines have no length. */
double oro_network_spacing(const struct oro_network *network);

/* Mean distance, metres, from points along the lines of `a` (in the middle of pieces of at most `step`
 * metres, each weighted by its length; at most some 2^20 of them) to the nearest line of `b`. NaN where one
 * of them has no line, or memory is out. */
double oro_network_distance(const struct oro_network *a, const struct oro_network *b, double step);

#endif
