/* River networks: a valley whose rivers are known, and what must hold on any ground. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/rivers.h"
#include "tests/support/test.h"

static const double cell = 10;

static struct oro_network *rivers(const struct oro_ground *ground, struct oro_river_options options,
                                  struct oro_river_report *report)
{
    struct oro_error err = {0};
    options.cell = cell;
    struct oro_network *network = oro_river_network(ground, &options, report, &err);
    if (!network)
        fail_msg("%s", err.text);
    assert_true(oro_network_check_tree(network, &err));
    assert_non_null(oro_network_of(network, oro_network_bytes(network), &err));
    return network;
}

static const struct oro_vertex *at(const struct oro_network *network, int x, int y)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    for (uint32_t i = 0; i < network->vertex_count; i++)
        if (v[i].x == (float)((x + 0.5) * cell) && v[i].y == (float)((y + 0.5) * cell))
            return &v[i];
    fail_msg("no vertex in cell %d, %d", x, y);
    return NULL;
}

/* Two channels that meet and leave over the southern border: letters are their cells, the rest is high and
 * falls to nowhere but the border or them. */
TEST(fork)
{
    static const char map[] = "........."
                              "........."
                              "..a...b.."
                              "...a.b..."
                              "....j...."
                              "....c...."
                              "....c...."
                              "....o....";
    float z[9 * 8], area[9 * 8];
    for (int i = 0; i < 9 * 8; i++) {
        bool channel = map[i] != '.';
        z[i] = channel ? (float)(90 - 10 * (i / 9)) : 1000;
        area[i] = channel ? (float)(1000 * (i / 9)) : 1;
    }
    area[6 * 9 + 4] = 10; /* too little: a river keeps what it has */
    struct oro_ground ground = {.width = 9, .height = 8, .z = z};
    struct oro_river_options options = {.drainage = area, .threshold = 1500, .width = 20, .simplify = 0.1};
    struct oro_river_report report;
    struct oro_network *n = rivers(&ground, options, &report);
    assert_int_equal(report.sources, 2);
    assert_int_equal(report.junctions, 1);
    assert_int_equal(report.outlets, 1);
    assert_int_equal(report.order, 2);
    assert_int_equal(n->line_count, 3);
    const struct oro_vertex *source = at(n, 2, 2), *joint = at(n, 4, 4), *end = at(n, 4, 7);
    assert_true(source->kind == ORO_VERTEX_SOURCE && source->order == 1 && source->elevation == 70);
    assert_true(joint->kind == ORO_VERTEX_JUNCTION && joint->order == 2 && joint->drainage == 4000);
    assert_true(end->kind == ORO_VERTEX_OUTLET && end->order == 2 && end->drainage == 7000);
    assert_true(fabsf(joint->width - 20 * powf(0.004f, 0.4f)) < 1e-4f);
    assert_int_equal(at(n, 3, 3)->order, 1); /* the last one before the junction stays */
    assert_int_equal(at(n, 3, 3)->kind, ORO_VERTEX_PLAIN);
    oro_free(n);
    /* Lines run downstream. */
    options.threshold = 4500;
    n = rivers(&ground, options, &report);
    assert_int_equal(n->line_count, 1);
    assert_true(at(n, 4, 5) == &oro_network_vertices(n)[oro_network_indices(n)[0]]);
    oro_free(n);
    options.threshold = 1e6;
    n = rivers(&ground, options, &report);
    assert_int_equal(n->line_count + n->vertex_count + report.outlets, 0);
    oro_free(n);
}

static float noise(uint32_t number)
{
    uint32_t x = number * 747796405u + 2891336453u;
    x = (x >> (x >> 28)) ^ x;
    x *= 277803737u;
    return (float)(x >> 8) / 16777216.0f;
}

enum { SIZE = 60 };

static void make_noise(float *z)
{
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        z[i] = 40 * noise(i) + 100 * sinf((float)(i % SIZE) / 7) * cosf((float)i / SIZE / 5);
}

/* Every vertex against the one that follows downstream. */
static void check_downstream(const struct oro_network *n, double least)
{
    const struct oro_vertex *v = oro_network_vertices(n);
    const uint32_t *starts = oro_network_starts(n), *indices = oro_network_indices(n);
    uint32_t order[SIZE * SIZE];
    assert_true(oro_network_strahler(n, order, NULL));
    for (uint32_t line = 0; line < n->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            const struct oro_vertex *a = &v[indices[i]], *b = &v[indices[i + 1]];
            assert_true(a->drainage <= b->drainage && (double)a->drainage >= least);
            assert_true(a->elevation >= b->elevation);
            assert_true(a->width <= b->width && a->width > 0);
            assert_true(a->order <= b->order && a->order == order[indices[i]]);
        }
}

TEST(any_ground)
{
    static float z[SIZE * SIZE], sea[SIZE * SIZE];
    struct oro_ground ground = {.width = SIZE, .height = SIZE, .z = z};
    struct oro_river_options options = {.threshold = 3000, .width = 5, .simplify = 10, .smooth = 2};
    struct oro_river_report report;
    make_noise(z);
    for (int i = 0; i < SIZE * SIZE; i++)
        sea[i] = hypot(i % SIZE - 30, i / SIZE - 40) < 8;
    for (int with_sea = 0; with_sea < 2; with_sea++) {
        ground.sea = with_sea ? sea : NULL;
        ground.walls = with_sea;
        struct oro_network *n = rivers(&ground, options, &report);
        assert_true(report.sources > 10 && report.order >= 3);
        assert_true(report.sources > report.junctions && report.outlets >= 1);
        check_downstream(n, options.threshold);
        const struct oro_vertex *v = oro_network_vertices(n);
        for (uint32_t i = 0; with_sea && i < n->vertex_count; i++)
            if (v[i].kind == ORO_VERTEX_OUTLET)
                assert_true(hypot((double)v[i].x / cell - 30.5, (double)v[i].y / cell - 40.5) < 8);
        struct oro_network *again = rivers(&ground, options, &report);
        assert_memory_equal(n, again, oro_network_bytes(n));
        oro_free(again);
        oro_free(n);
    }
}

TEST(small)
{
    static const float z[4] = {3, 1, 2, 0};
    static const int sizes[][2] = {{1, 1}, {1, 4}, {4, 1}, {2, 2}};
    struct oro_river_report report;
    for (int i = 0; i < 4; i++) { /* border alone: all water has arrived */
        struct oro_ground ground = {.width = sizes[i][0], .height = sizes[i][1], .z = z};
        struct oro_network *n = rivers(&ground, (struct oro_river_options){.threshold = 1}, &report);
        assert_int_equal(n->line_count, 0);
        oro_free(n);
    }
}

TEST(failures)
{
    static float z[SIZE * SIZE];
    make_noise(z);
    struct oro_ground ground = {.width = SIZE, .height = SIZE, .z = z, .walls = true};
    struct oro_river_options options = {.cell = cell, .threshold = 3000};
    struct oro_river_report report;
    struct oro_error err = {0};
    assert_null(oro_river_network(&ground, &options, &report, &err)); /* nowhere to go */
    assert_int_equal(err.code, ORO_E_EVALUATE);
    ground.walls = false;
    struct oro_network *n = NULL;
    for (size_t i = 1; !n; i++) {
        oro_memory_fail_at(i);
        n = oro_river_network(&ground, &options, &report, &err);
        oro_memory_fail_at(0);
        assert_true(n || err.code == ORO_E_MEMORY);
        assert_true(i < 1000);
    }
    oro_free(n);
    z[77] = INFINITY;
    assert_null(oro_river_network(&ground, &options, &report, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
}
