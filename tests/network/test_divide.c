/* Divide trees: ground whose peaks and saddles are known, and random ground against a slow algorithm. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/divide.h"
#include "tests/support/test.h"

enum { SIZE = 41 };
static const double cell = 10;

static struct oro_network *divide(int width, int height, const float *z, struct oro_divide_options options,
                                  struct oro_divide_report *report)
{
    struct oro_ground ground = {.width = width, .height = height, .z = z};
    struct oro_error err = {0};
    options.cell = cell;
    struct oro_network *network = oro_divide_tree(&ground, &options, report, &err);
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

static void add_cone(float *z, int x, int y, double height, double slope)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        z[i] = fmaxf(z[i], (float)(height - slope * hypot(i % SIZE - x, i / SIZE - y)));
}

TEST(two_cones)
{
    float z[SIZE * SIZE] = {0};
    struct oro_divide_report report;
    add_cone(z, 10, 20, 100, 5);
    add_cone(z, 30, 20, 80, 5);
    struct oro_network *n = divide(SIZE, SIZE, z, (struct oro_divide_options){.simplify = 1}, &report);
    const struct oro_vertex *high = at(n, 10, 20), *low = at(n, 30, 20), *saddle = at(n, 22, 20);
    assert_int_equal(report.peaks, 2);
    assert_int_equal(report.saddles, 1);
    assert_true(high->kind == ORO_VERTEX_PEAK && isinf(high->prominence) && high->elevation == 100);
    assert_true(low->kind == ORO_VERTEX_PEAK && low->prominence == 40 && low->elevation == 80);
    assert_true(saddle->kind == ORO_VERTEX_SADDLE && saddle->elevation == 40 && isnan(saddle->prominence));
    assert_int_equal(n->vertex_count, 3); /* the rest lies on two straight lines */
    assert_int_equal(n->line_count, 2);
    assert_true(oro_network_length(n) == 20 * cell);
    oro_free(n);
    /* The lower is merged away: a peak that is alone is a point. */
    n = divide(SIZE, SIZE, z, (struct oro_divide_options){.prominence = 40.5}, &report);
    assert_int_equal(n->line_count, 1);
    assert_int_equal(n->vertex_count, 1);
    assert_true(report.peaks == 1 && report.saddles == 0 && report.merged >= 1);
    oro_free(n);
    n = divide(SIZE, SIZE, z, (struct oro_divide_options){.prominence = 101}, &report);
    assert_int_equal(n->line_count + n->vertex_count + report.peaks, 0);
    oro_free(n);
}

/* The ridge between the outer two leads over the one between them, and stays when that is no peak any more.
 */
TEST(three_peaks)
{
    float z[SIZE * SIZE] = {0};
    struct oro_divide_report report;
    add_cone(z, 4, 20, 100, 5);
    add_cone(z, 20, 24, 70, 3);
    add_cone(z, 36, 20, 90, 5);
    struct oro_network *all = divide(SIZE, SIZE, z, (struct oro_divide_options){0}, &report);
    assert_int_equal(report.peaks, 3);
    assert_int_equal(report.saddles, 2);
    float between = at(all, 20, 24)->prominence, right = at(all, 36, 20)->prominence;
    assert_true(between > 5 && between < 30 && right > 40);
    struct oro_divide_options options = {.prominence = between + 0.1};
    struct oro_network *two = divide(SIZE, SIZE, z, options, &report);
    assert_int_equal(report.peaks, 2);
    assert_int_equal(report.saddles, 1);
    assert_true(oro_network_distance(all, two, 1) < 1e-6 && oro_network_distance(two, all, 1) < 1e-6);
    oro_free(two);
    options.prominence = right + 0.1;
    struct oro_network *one = divide(SIZE, SIZE, z, options, &report);
    assert_int_equal(one->vertex_count, 1);
    assert_true(at(one, 4, 20)->kind == ORO_VERTEX_PEAK);
    oro_free(one);
    oro_free(all);
}

/* A crater's rim is closed: the divide tree leaves it open at its lowest saddle. */
TEST(volcano)
{
    float z[SIZE * SIZE];
    struct oro_divide_report report;
    for (int i = 0; i < SIZE * SIZE; i++) {
        double x = i % SIZE - 20, y = i / SIZE - 20;
        z[i] = (float)(200 - 10 * fabs(hypot(x, y) - 12) + 10 * cos(3 * atan2(y, x)) + x / 10);
    }
    struct oro_network *n = divide(SIZE, SIZE, z, (struct oro_divide_options){.prominence = 10}, &report);
    assert_int_equal(report.peaks, 3);
    assert_int_equal(report.saddles, 2);
    /* From peak to peak two thirds of the way around, in steps of a grid. */
    assert_true(oro_network_length(n) > 2.0 / 3 * 24 * M_PI * cell * 0.95);
    assert_true(oro_network_length(n) < 2.0 / 3 * 24 * M_PI * cell * 1.2);
    oro_free(n);
}

TEST(even)
{
    float z[SIZE * SIZE] = {0};
    struct oro_divide_report report;
    struct oro_network *n = divide(SIZE, SIZE, z, (struct oro_divide_options){0}, &report);
    assert_int_equal(n->vertex_count + n->line_count + report.peaks, 0);
    oro_free(n);
    /* A table is one peak, though none of its cells is above the others. */
    for (int i = 0; i < SIZE * SIZE; i++)
        z[i] = hypot(i % SIZE - 20, i / SIZE - 20) < 10 ? 50 : 0;
    n = divide(SIZE, SIZE, z, (struct oro_divide_options){0}, &report);
    assert_int_equal(n->vertex_count, 1);
    assert_true(oro_network_vertices(n)->elevation == 50);
    oro_free(n);
}

TEST(narrow)
{
    static const float z[9] = {1, 5, 2, 8, 3, 3, 4, 0, 6};
    struct oro_divide_report report;
    for (int turn = 0; turn < 2; turn++) {
        struct oro_network *n =
            divide(turn ? 1 : 9, turn ? 9 : 1, z, (struct oro_divide_options){0}, &report);
        assert_int_equal(report.peaks, 4);
        assert_int_equal(report.saddles, 3);
        static const int places[] = {1, 3, 6, 8};
        static const float prominences[] = {3, INFINITY, 1, 6};
        for (int i = 0; i < 4; i++)
            assert_true(at(n, turn ? 0 : places[i], turn ? places[i] : 0)->prominence == prominences[i]);
        oro_free(n);
    }
    struct oro_network *n = divide(1, 1, z, (struct oro_divide_options){0}, &report);
    assert_int_equal(n->vertex_count, 0);
    oro_free(n);
}

TEST(islands)
{
    float z[SIZE * SIZE] = {0}, sea[SIZE * SIZE];
    struct oro_divide_options options = {.cell = cell, .prominence = 30};
    struct oro_divide_report report;
    struct oro_ground ground = {.width = SIZE, .height = SIZE, .z = z, .sea = sea, .walls = true};
    add_cone(z, 8, 8, 100, 10);
    add_cone(z, 30, 30, 60, 10);
    add_cone(z, 8, 30, 20, 10); /* too low */
    for (int i = 0; i < SIZE * SIZE; i++)
        sea[i] = z[i] <= 0;
    struct oro_network *n = oro_divide_tree(&ground, &options, &report, NULL);
    assert_int_equal(n->line_count, 2);
    assert_int_equal(n->vertex_count, 2);
    assert_true(isinf(at(n, 30, 30)->prominence) && isinf(at(n, 8, 8)->prominence));
    oro_free(n);
    for (int i = 0; i < SIZE * SIZE; i++)
        sea[i] = 1;
    n = oro_divide_tree(&ground, &options, &report, NULL);
    assert_int_equal(n->vertex_count, 0);
    oro_free(n);
}

TEST(refused)
{
    float z[6] = {1, 2, 3, 4, NAN, 6};
    struct oro_ground ground = {.width = 3, .height = 2, .z = z};
    struct oro_divide_options options = {.cell = 1};
    struct oro_divide_report report;
    struct oro_error err = {0};
    assert_null(oro_divide_tree(&ground, &options, &report, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    assert_non_null(strstr(err.text, "1, 1"));
    ground.width = 0;
    assert_null(oro_divide_tree(&ground, &options, &report, &err));
}

/* ---- Against a slow way ---- */

enum { WIDTH = 13, HEIGHT = 9, CELLS = WIDTH * HEIGHT };

static float noise(uint32_t number)
{
    uint32_t x = number * 747796405u + 2891336453u;
    x = (x >> (x >> 28)) ^ x;
    x *= 277803737u;
    return (float)(x >> 8) / 16777216.0f;
}

/* Whether a comes before b: no ties. */
static bool before(const float *z, int a, int b)
{
    float of_a = z[a], of_b = z[b];
    return of_a > of_b || (of_a == of_b && a < b);
}

/* For all cells: the last in order of the cells on the best way from `from`. */
static void best_ways(const float *z, int from, int last[CELLS])
{
    for (int i = 0; i < CELLS; i++)
        last[i] = -1;
    last[from] = from;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < CELLS; i++)
            for (int k = 0; k < 9; k++) {
                int x = i % WIDTH + k % 3 - 1, y = i / WIDTH + k / 3 - 1, j = y * WIDTH + x;
                if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || last[j] < 0)
                    continue;
                int by = before(z, last[j], i) ? i : last[j];
                if (last[i] < 0 || before(z, by, last[i])) {
                    last[i] = by;
                    changed = true;
                }
            }
    }
}

/* 0: no peak. Infinite: no way leads to a cell that comes before. */
static float prominence_of(const float *z, int peak, const int last[CELLS])
{
    int best = -1;
    for (int i = 0; i < CELLS; i++)
        if (before(z, i, peak) && (best < 0 || before(z, last[i], best)))
            best = last[i];
    return best < 0 ? INFINITY : best == peak ? 0 : z[peak] - z[best];
}

/* The lowest elevation on the way through the divide tree from vertex to vertex: depth first. */
static bool lowest_between(const struct oro_network *n, uint32_t from, uint32_t to, uint32_t parent,
                           float *lowest)
{
    const uint32_t *starts = oro_network_starts(n), *indices = oro_network_indices(n);
    float z = oro_network_vertices(n)[from].elevation;
    bool found = from == to;
    *lowest = INFINITY;
    for (uint32_t line = 0; !found && line < n->line_count; line++)
        for (uint32_t i = starts[line]; !found && i + 1 < starts[line + 1]; i++) {
            uint32_t a = indices[i], b = indices[i + 1], other = a == from ? b : a;
            if ((a == from || b == from) && other != parent && other != from)
                found = lowest_between(n, other, to, from, lowest);
        }
    *lowest = fminf(*lowest, z);
    return found;
}

static void check_against_slow_way(const float *z, float threshold)
{
    struct oro_divide_report report;
    struct oro_divide_options options = {.prominence = (double)threshold};
    struct oro_network *n = divide(WIDTH, HEIGHT, z, options, &report);
    const struct oro_vertex *v = oro_network_vertices(n);
    size_t peaks = 0;
    for (int i = 0; i < CELLS; i++) {
        int last[CELLS];
        best_ways(z, i, last);
        float prominence = prominence_of(z, i, last);
        if (!(prominence > 0) || prominence < threshold)
            continue;
        const struct oro_vertex *peak = at(n, i % WIDTH, i / WIDTH);
        peaks++;
        assert_int_equal(peak->kind, ORO_VERTEX_PEAK);
        assert_true(peak->prominence == prominence);
        for (uint32_t k = 0; k < n->vertex_count; k++) {
            float lowest = 0;
            int other = (int)((double)v[k].x / cell) + WIDTH * (int)((double)v[k].y / cell);
            if (v[k].kind != ORO_VERTEX_PEAK)
                continue;
            assert_true(lowest_between(n, (uint32_t)(peak - v), k, UINT32_MAX, &lowest));
            assert_true(lowest == z[last[other]]);
        }
    }
    assert_int_equal(report.peaks, peaks);
    oro_free(n);
}

TEST(random)
{
    for (uint32_t seed = 0; seed < 12; seed++) {
        float z[CELLS];
        for (uint32_t i = 0; i < CELLS; i++) /* in some of them many heights are equal */
            z[i] = seed % 2 ? floorf(noise(i + 999 * seed) * 6) : noise(i + 999 * seed);
        check_against_slow_way(z, 0);
        check_against_slow_way(z, seed % 2 ? 2 : 0.4f);
    }
}

/* Lines that are simplified stay where they were, as far as was asked for; smoothing moves no peak. */
TEST(simplified)
{
    float z[SIZE * SIZE];
    struct oro_divide_report report;
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        z[i] = 30 * noise(i) + 100 * sinf((float)(i % SIZE) / 7) * cosf((float)i / SIZE / 5);
    struct oro_network *fine = divide(SIZE, SIZE, z, (struct oro_divide_options){.prominence = 20}, &report);
    struct oro_divide_options options = {.prominence = 20, .simplify = 15, .smooth = 3};
    struct oro_network *coarse = divide(SIZE, SIZE, z, options, &report);
    struct oro_network *again = divide(SIZE, SIZE, z, options, &report);
    assert_true(report.peaks > 5);
    assert_int_equal(coarse->line_count, fine->line_count);
    assert_true(coarse->vertex_count < fine->vertex_count);
    assert_true(oro_network_distance(fine, coarse, 1) < 10);
    assert_true(oro_network_length(coarse) < oro_network_length(fine));
    assert_int_equal(oro_network_bytes(coarse), oro_network_bytes(again));
    assert_memory_equal(coarse, again, oro_network_bytes(coarse));
    const struct oro_vertex *v = oro_network_vertices(coarse);
    for (uint32_t i = 0; i < coarse->vertex_count; i++)
        if (v[i].kind != ORO_VERTEX_PLAIN)
            assert_int_equal(at(fine, (int)((double)v[i].x / cell), (int)((double)v[i].y / cell))->kind,
                             v[i].kind);
    oro_free(fine);
    oro_free(coarse);
    oro_free(again);
}

static bool stop(void *user)
{
    return user == NULL;
}

TEST(failures)
{
    float z[CELLS];
    for (uint32_t i = 0; i < CELLS; i++)
        z[i] = noise(i);
    struct oro_ground ground = {.width = WIDTH, .height = HEIGHT, .z = z, .stop = stop};
    struct oro_divide_options options = {.cell = cell};
    struct oro_divide_report report;
    struct oro_error err = {0};
    assert_null(oro_divide_tree(&ground, &options, &report, &err));
    assert_int_equal(err.code, ORO_E_CANCELLED);
    ground.stop = NULL;
    struct oro_network *n = NULL;
    for (size_t i = 1; !n; i++) {
        oro_memory_fail_at(i);
        n = oro_divide_tree(&ground, &options, &report, &err);
        oro_memory_fail_at(0);
        assert_true(n || err.code == ORO_E_MEMORY);
        assert_true(i < 100);
    }
    oro_free(n);
}
