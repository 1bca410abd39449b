/* Settled drainage: the same bits on any number of threads, and nothing lost. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/parallel.h"
#include "terrain/hydrology/steady_drainage.h"

enum { WIDTH = 410, HEIGHT = 230, CELLS = WIDTH * HEIGHT };

static void drain(float (*height)(int x, int y), bool walls, int threads, float *area)
{
    static float z[CELLS];
    for (int i = 0; i < CELLS; i++) {
        z[i] = height(i % WIDTH, i / WIDTH);
        area[i] = 1 + chance((uint32_t)i);
    }
    struct oro_steady_drainage ground = {WIDTH, HEIGHT, 10, 1.3, walls, z};
    struct oro_error err = {0};
    oro_parallel_force(threads);
    assert_true(oro_steady_drainage(&ground, area, &err));
    oro_parallel_force(0);
}

TEST(threads)
{
    static float (*const heights[])(int x, int y) = {hills_at, terraces_at, maze_at, tiny_at};
    static float alone[CELLS], together[CELLS];
    for (int i = 0; i < 8; i++) {
        drain(heights[i / 2], i % 2, 1, alone);
        drain(heights[i / 2], i % 2, 4, together);
        assert_memory_equal(together, alone, sizeof alone);
    }
}

/* Between walls, all that falls on a plane comes to its lowest corner, whose mirror images give it to itself.
 */
TEST(all_comes_to_the_lowest_corner)
{
    static float area[CELLS];
    double fallen = 0;
    drain(plane_at, true, 4, area);
    for (int i = 0; i < CELLS; i++)
        fallen += 1 + (double)chance((uint32_t)i);
    assert_true(fabs((double)area[0] - fallen) < 1e-4 * fallen);
}
