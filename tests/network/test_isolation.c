/* Isolation: against a look at everything, and the highest. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "terrain/network/isolation.h"
#include "tests/support/test.h"

#define assert_near(value, wanted, tolerance) assert_true(fabs((value) - (wanted)) <= (tolerance))

enum { WIDTH = 37, HEIGHT = 23, COUNT = 300 };
static const double cell = 10, west = 500, north = -200;

static double random_at(int i)
{
    return fabs(fmod(sin(i * 12.9898) * 43758.5453, 1));
}

static double distance(const struct oro_vertex *v, double x, double y)
{
    return hypot(x - (double)v->x, y - (double)v->y);
}

static void expect(double got, double wanted)
{
    if (isinf(wanted))
        assert_true(isinf(got));
    else
        assert_near(got, wanted, 1e-9);
}

TEST(on_ground)
{
    static float z[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = (float)floor(1000 * pow(random_at(i), 8)); /* few are high, some the same */
    struct oro_isolation_ground ground = {z, WIDTH, HEIGHT, cell, west, north};
    int highest = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        struct oro_vertex v = oro_vertex_at((float)(west + (i % WIDTH + 0.5) * cell),
                                            (float)(north + (i / WIDTH + 0.5) * cell));
        v.elevation = z[i];
        double least = INFINITY;
        for (int j = 0; j < WIDTH * HEIGHT; j++)
            if (z[j] > z[i])
                least = fmin(least,
                             distance(&v, west + (j % WIDTH + 0.5) * cell, north + (j / WIDTH + 0.5) * cell));
        highest += isinf(least);
        expect(oro_isolation_on_ground(&ground, &v), least);
    }
    assert_true(highest >= 1 && highest < 5);
    struct oro_vertex outside = oro_vertex_at(-1000, 5000); /* of another map */
    outside.elevation = 500;
    assert_true(oro_isolation_on_ground(&ground, &outside) > 4000);
}

TEST(in_a_network)
{
    struct oro_network_builder builder = {0};
    for (int i = 0; i < COUNT; i++) {
        struct oro_vertex v =
            oro_vertex_at((float)(5000 * random_at(3 * i)), (float)(90 * random_at(3 * i + 1)));
        v.elevation = i % 10 == 0 ? NAN : (float)(1000 * random_at(3 * i + 2));
        oro_network_add_vertex(&builder, v);
    }
    struct oro_network *n = oro_network_finish(&builder, NULL);
    struct oro_isolation_index *index = oro_isolation_index(n);
    const struct oro_vertex *v = oro_network_vertices(n);
    for (int i = 0; i < COUNT; i++) {
        double least = INFINITY;
        for (int j = 0; j < COUNT; j++)
            if (v[j].elevation > v[i].elevation)
                least = fmin(least, distance(&v[i], (double)v[j].x, (double)v[j].y));
        if (!isnan(v[i].elevation))
            expect(oro_isolation_in_network(index, &v[i]), least);
    }
    oro_isolation_index_free(index);
    oro_free(n);
}

TEST(one_place_alone)
{
    struct oro_network *n = oro_network_parse("5 5 100", NULL);
    struct oro_isolation_index *index = oro_isolation_index(n);
    assert_true(isinf(oro_isolation_in_network(index, oro_network_vertices(n))));
    oro_isolation_index_free(index);
    oro_free(n);
}
