/* Discs, neighbours and clusters: what folds.h promises. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/folds/folds.h"
#include "tests/support/test.h"

struct set {
    struct oro_point *points;
    size_t count;
    struct oro_neighbours neighbours;
};

static const double degree = 3.14159265358979323846 / 180;

static double apart(struct oro_point a, struct oro_point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static struct set discs_of(struct oro_poisson poisson)
{
    struct set set = {0};
    struct oro_error err;
    if (!oro_poisson_discs(&poisson, &set.points, &set.count, &err) ||
        !oro_delaunay(set.points, set.count, &set.neighbours, &err))
        fail_msg("%s", err.text);
    return set;
}

static void free_set(struct set *set)
{
    oro_free(set->points);
    oro_neighbours_free(&set->neighbours);
}

/* ---- Discs ---- */

static double nearest(const struct set *set, struct oro_point at, size_t but)
{
    double least = INFINITY;
    for (size_t i = 0; i < set->count; i++)
        if (i != but)
            least = fmin(least, apart(set->points[i], at));
    return least;
}

TEST(discs_fill_the_rectangle)
{
    static const struct oro_poisson cases[] = {
        {0, 0, 1000, 700, 50, 1},        {-300, 40, 100, 3000, 70, 2}, {0, 0, 30, 40, 50, 3},
        {5e5, 5e5, 10000, 0.001, 80, 4}, {0, 0, 1, 1, 1e7, 5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct oro_poisson *p = &cases[k];
        struct set set = discs_of(*p);
        assert_true(set.count >= 1);
        for (size_t i = 0; i < set.count; i++) {
            struct oro_point at = set.points[i];
            assert_true(at.x >= p->x && at.x <= p->x + p->width);
            assert_true(at.y >= p->y && at.y <= p->y + p->height);
            assert_true(nearest(&set, at, i) >= p->distance * (1 - 1e-9));
        }
        enum { SIDE = 101 };
        for (int i = 0; i < SIDE * SIDE; i++) {
            struct oro_point at = {p->x + p->width * (i % SIDE) / (SIDE - 1),
                                   p->y + p->height * (double)(i / SIDE) / (SIDE - 1)};
            assert_true(nearest(&set, at, SIZE_MAX) < p->distance * 1.00001);
        }
        free_set(&set);
    }
}

TEST(discs_repeat_and_seeds_differ)
{
    struct oro_poisson poisson = {0, 0, 1000, 1000, 40, 1};
    struct set first = discs_of(poisson), same = discs_of(poisson);
    poisson.seed = 2;
    struct set other = discs_of(poisson);
    assert_int_equal(first.count, same.count);
    assert_memory_equal(first.points, same.points, first.count * sizeof *first.points);
    assert_true(first.count != other.count ||
                memcmp(first.points, other.points, first.count * sizeof *first.points) != 0);
    free_set(&first);
    free_set(&same);
    free_set(&other);
}

TEST(too_many_discs_are_refused)
{
    static const struct oro_poisson cases[] = {{0, 0, 1e6, 1e6, 1, 0},
                                               {0, 0, 1e9, 1, 1e-3, 0},
                                               {0, 0, 10, 10, 0, 0},
                                               {0, 0, 10, NAN, 1, 0},
                                               {0, 0, 10, 10, -1, 0}};
    static const char *const words[] = {"take 1395 m", "take 1363 m", "above 0", "above 0", "above 0"};
    for (int i = 0; i < 5; i++) {
        struct oro_point *points;
        size_t count;
        struct oro_error err;
        assert_false(oro_poisson_discs(&cases[i], &points, &count, &err));
        assert_null(points);
        if (!strstr(err.text, words[i]))
            fail_msg("%s", err.text);
    }
}

/* ---- Neighbours ---- */

static bool are_neighbours(const struct oro_neighbours *n, uint32_t a, uint32_t b)
{
    for (uint32_t i = n->start[a]; i < n->start[a + 1]; i++)
        if (n->neighbour[i] == b)
            return true;
    return false;
}

static bool is_empty_circle(const struct set *set, const struct oro_point corner[3])
{
    double ax = corner[1].x - corner[0].x, ay = corner[1].y - corner[0].y;
    double bx = corner[2].x - corner[0].x, by = corner[2].y - corner[0].y;
    double twice = 2 * (ax * by - ay * bx), a = ax * ax + ay * ay, b = bx * bx + by * by;
    if (fabs(twice) < 1e-9)
        return false;
    struct oro_point offset = {(by * a - ay * b) / twice, (ax * b - bx * a) / twice};
    struct oro_point centre = {corner[0].x + offset.x, corner[0].y + offset.y};
    return nearest(set, centre, SIZE_MAX) > hypot(offset.x, offset.y) * (1 - 1e-9);
}

/* By definition: three points are neighbours where no other lies within the circle through them. */
TEST(neighbours_are_those_of_delaunay)
{
    struct set set = discs_of((struct oro_poisson){0, 0, 100, 80, 14, 7});
    assert_in_range(set.count, 20, 80);
    bool(*expected)[80] = calloc(80, sizeof *expected);
    assert_non_null(expected);
    for (size_t a = 0; a < set.count; a++)
        for (size_t b = 0; b < a; b++)
            for (size_t c = 0; c < b; c++) {
                struct oro_point corner[] = {set.points[a], set.points[b], set.points[c]};
                if (is_empty_circle(&set, corner))
                    expected[a][b] = expected[b][c] = expected[a][c] = true;
            }
    for (uint32_t a = 0; a < set.count; a++)
        for (uint32_t b = 0; b < a; b++) {
            assert_int_equal(are_neighbours(&set.neighbours, a, b), expected[a][b]);
            assert_int_equal(are_neighbours(&set.neighbours, b, a), expected[a][b]);
        }
    free(expected);
    free_set(&set);
}

TEST(rows_squares_and_pairs_have_neighbours)
{
    static const struct oro_point row[] = {{3, 3}, {1, 1}, {4, 4}, {2, 2}},
                                  upright[] = {{5, 9}, {5, 1}, {5, 4}},
                                  square[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, twice[] = {{1, 2}, {1, 2}};
    struct oro_neighbours n;
    struct oro_error err;
    assert_true(oro_delaunay(row, 4, &n, &err));
    assert_true(are_neighbours(&n, 1, 3) && are_neighbours(&n, 3, 0) && are_neighbours(&n, 0, 2));
    assert_int_equal(n.start[4], 6);
    oro_neighbours_free(&n);
    assert_true(oro_delaunay(upright, 3, &n, &err));
    assert_true(are_neighbours(&n, 1, 2) && are_neighbours(&n, 2, 0) && n.start[3] == 4);
    oro_neighbours_free(&n);
    assert_true(oro_delaunay(square, 4, &n, &err));
    assert_int_equal(n.start[4], 10);
    oro_neighbours_free(&n);
    for (size_t count = 0; count < 3; count++) {
        assert_true(oro_delaunay(row, count, &n, &err));
        assert_int_equal(n.start[count], count == 2 ? 2 : 0);
        oro_neighbours_free(&n);
    }
    assert_false(oro_delaunay(twice, 2, &n, &err));
    assert_non_null(strstr(err.text, "at 1 2"));
    assert_null(n.start);
}

/* ---- Growth ---- */

/* Circles about the origin, and no direction near it. */
static void circular(const void *user, struct oro_point at, double tensor[2])
{
    (void)user;
    bool none = hypot(at.x, at.y) < 100;
    tensor[0] = none ? 0 : at.y * at.y - at.x * at.x;
    tensor[1] = none ? 0 : -2 * at.x * at.y;
}

static struct oro_clusters grown(const struct set *set, const struct oro_growth *growth)
{
    struct oro_clusters clusters;
    struct oro_error err;
    if (!oro_grow_clusters(set->points, set->count, &set->neighbours, growth, &clusters, &err))
        fail_msg("%s", err.text);
    return clusters;
}

static double angle_to_circles(struct oro_point a, struct oro_point b)
{
    struct oro_point m = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    double cosine = ((b.x - a.x) * -m.y + (b.y - a.y) * m.x) / (apart(a, b) * hypot(m.x, m.y));
    return acos(fmin(fabs(cosine), 1));
}

/* Walking up to the parents ends at the disc where the cluster began, by edges that the rules allow. */
static void check_clusters(const struct set *set, const struct oro_clusters *clusters, double angle)
{
    size_t roots = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t parent = clusters->parent[i], steps = 0;
        assert_true(clusters->cluster[i] < clusters->count);
        roots += parent == i;
        for (uint32_t at = i; clusters->parent[at] != at; at = clusters->parent[at])
            assert_true(steps++ < set->count);
        if (parent == i)
            continue;
        assert_int_equal(clusters->cluster[i], clusters->cluster[parent]);
        assert_true(are_neighbours(&set->neighbours, i, parent));
        struct oro_point a = set->points[i], b = set->points[parent];
        assert_true(apart(a, b) <= 50);
        bool directed = hypot((a.x + b.x) / 2, (a.y + b.y) / 2) >= 100;
        assert_true(!directed || angle_to_circles(a, b) <= angle + 1e-9);
    }
    assert_int_equal(roots, clusters->count);
}

TEST(clusters_are_trees_along_the_field)
{
    struct set set = discs_of((struct oro_poisson){-500, -500, 1000, 1000, 25, 9});
    static const double angles[] = {0, 20, 45, 90};
    size_t before = SIZE_MAX;
    for (int i = 0; i < 4; i++) {
        struct oro_growth growth = {circular, NULL, angles[i] * degree, 50, 3, 0.7, 5};
        struct oro_clusters clusters = grown(&set, &growth);
        check_clusters(&set, &clusters, angles[i] * degree);
        assert_true(clusters.count < before || (i == 3 && clusters.count == before));
        before = clusters.count;
        oro_clusters_free(&clusters);
    }
    assert_in_range(before, 3, 6); /* one that is cut off by the others ends early */
    free_set(&set);
}

TEST(growth_repeats_and_seeds_differ)
{
    struct set set = discs_of((struct oro_poisson){-500, -500, 1000, 1000, 30, 9});
    struct oro_growth growth = {circular, NULL, 30 * degree, 60, 4, 1, 5};
    struct oro_clusters first = grown(&set, &growth), same = grown(&set, &growth);
    growth.seed = 6;
    struct oro_clusters other = grown(&set, &growth);
    assert_memory_equal(first.parent, same.parent, set.count * sizeof *first.parent);
    assert_memory_equal(first.cluster, same.cluster, set.count * sizeof *first.cluster);
    assert_memory_not_equal(first.parent, other.parent, set.count * sizeof *first.parent);
    oro_clusters_free(&first);
    oro_clusters_free(&same);
    oro_clusters_free(&other);
    free_set(&set);
}

/* The longest way from a disc to its cluster's beginning. */
static size_t depth_of(const struct set *set, const struct oro_clusters *clusters)
{
    size_t deepest = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        size_t depth = 0;
        for (uint32_t at = i; clusters->parent[at] != at; at = clusters->parent[at])
            depth++;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

TEST(less_branching_gives_longer_ranges)
{
    struct set set = discs_of((struct oro_poisson){-500, -500, 1000, 1000, 25, 9});
    struct oro_growth growth = {circular, NULL, 90 * degree, 50, 1, 1, 5};
    struct oro_clusters bushy = grown(&set, &growth);
    growth.branching = 0;
    struct oro_clusters straight = grown(&set, &growth);
    assert_true(depth_of(&set, &straight) > 3 * depth_of(&set, &bushy));
    oro_clusters_free(&bushy);
    oro_clusters_free(&straight);
    free_set(&set);
}

/* Whichever allocation fails, it is an error, and nothing is left behind. */
TEST(lost_memory_is_an_error)
{
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct set set = {0};
        struct oro_clusters clusters = {0};
        struct oro_error err = {0};
        struct oro_poisson poisson = {0, 0, 100, 100, 20, 1};
        struct oro_growth growth = {circular, NULL, 1, 40, 2, 1, 5};
        oro_memory_fail_at(n);
        done = oro_poisson_discs(&poisson, &set.points, &set.count, &err) &&
               oro_delaunay(set.points, set.count, &set.neighbours, &err) &&
               oro_grow_clusters(set.points, set.count, &set.neighbours, &growth, &clusters, &err);
        oro_memory_fail_at(0);
        assert_true(done || err.code == ORO_E_MEMORY);
        assert_true(n < 1000);
        oro_clusters_free(&clusters);
        free_set(&set);
    }
}
