/* For tests of meshes: whether triangles close, by their directed edges. */
#ifndef ORO_TESTS_FORMATS_EDGES_H
#define ORO_TESTS_FORMATS_EDGES_H

#include <stdint.h>
#include <stdlib.h>

#include "tests/support/test.h"

static int compare_edges(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* How many edges have no triangle on their other side; no edge may have two on the same one. */
static inline size_t open_edges(const uint32_t (*triangles)[3], size_t count)
{
    uint64_t *edges = malloc(3 * count * sizeof *edges);
    size_t open = 0;
    assert_non_null(edges);
    for (size_t i = 0; i < 3 * count; i++) {
        uint64_t from = triangles[i / 3][i % 3], to = triangles[i / 3][(i + 1) % 3];
        assert_true(from != to);
        edges[i] = from << 32 | to;
    }
    qsort(edges, 3 * count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < 3 * count; i++) {
        uint64_t back = edges[i] << 32 | edges[i] >> 32;
        assert_true(i == 0 || edges[i] != edges[i - 1]);
        open += !bsearch(&back, edges, 3 * count, sizeof *edges, compare_edges);
    }
    free(edges);
    return open;
}

#endif
