/* Closed basins settled: all drains, little is moved, ground that drains stays, and cuts become valleys. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/drain.h"
#include "terrain/hydrology/settle.h"

enum { W = 60, H = 48, CELLS = W * H };
static const struct oro_settling usual = {.cell = 10, .width = 60, .gradient = 0.3};

static void settle(const struct oro_ground *ground, float *out)
{
    struct oro_error err = {0};
    if (!oro_settle(ground, &usual, out, NULL, &err))
        fail_msg("%s", err.text);
}

TEST(all_drains)
{
    for (int t = 0; t < TERRAINS; t++)
        for (int borders = 0; borders < BORDERS; borders++) {
            struct site site = make_site(&terrains[t], W, H, (enum borders)borders);
            float *out = room_for(CELLS, sizeof *out);
            struct oro_error err = {0};
            if (strcmp(terrains[t].name, "huge") != 0)
                settle(&site.ground, out);
            else if (!oro_settle(&site.ground, &usual, out, NULL, &err)) /* floats go no lower */
                assert_int_equal(err.code, ORO_E_EVALUATE);
            if (!err.code && undrained(&site, out))
                fail_msg("%s, borders %d: %zu cells do not drain", terrains[t].name, borders,
                         undrained(&site, out));
            free(out);
            free_site(&site);
        }
}

static void change(const float *before, const float *after, double *squares, double *most)
{
    *squares = *most = 0;
    for (size_t i = 0; i < CELLS; i++) {
        double d = (double)after[i] - (double)before[i];
        *squares += d * d;
        *most = fmax(*most, fabs(d));
    }
}

/* Hills on a slope, with closed basins. */
static void make_hills(float *z)
{
    for (int i = 0; i < CELLS; i++)
        z[i] = 300 + hills_at(i % W, i / W) - 2 * (float)(i % W);
}

TEST(less_is_moved_than_by_filling_or_carving)
{
    static float z[CELLS], settled[CELLS], filled[CELLS], carved[CELLS];
    make_hills(z);
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    struct oro_routing routing;
    struct oro_error err = {0};
    double squares[3], most[3];
    assert_true(oro_route(&ground, &routing, &err));
    assert_true(oro_fill(&ground, &routing, true, filled, &err));
    assert_true(oro_breach(&ground, &routing, &(struct oro_breaching){0}, carved, &err));
    oro_routing_free(&routing);
    settle(&ground, settled);
    change(z, settled, &squares[0], &most[0]);
    change(z, filled, &squares[1], &most[1]);
    change(z, carved, &squares[2], &most[2]);
    print_message("settled %.0f m2, filled %.0f, carved %.0f; at most %.1f m, %.1f, %.1f\n", squares[0],
                  squares[1], squares[2], most[0], most[1], most[2]);
    assert_true(squares[0] < squares[1]);
    assert_true(most[0] < most[1] && most[0] < most[2]);
}

TEST(ground_that_drains_stays)
{
    static float z[CELLS], carved[CELLS], settled[CELLS];
    make_hills(z);
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    struct oro_routing routing;
    struct oro_error err = {0};
    assert_true(oro_route(&ground, &routing, &err));
    assert_true(oro_breach(&ground, &routing, &(struct oro_breaching){0}, carved, &err));
    oro_routing_free(&routing);
    ground.z = carved;
    settle(&ground, settled);
    assert_memory_equal(settled, carved, sizeof carved);
}

/* A slope of 1 in 10 to the west. */
static float slope_at(int x)
{
    return 100 + (float)x;
}

TEST(a_pit_is_filled)
{
    static float z[CELLS], settled[CELLS];
    for (int i = 0; i < CELLS; i++)
        z[i] = slope_at(i % W);
    enum { PIT = 24 * W + 30 };
    z[PIT] -= 5;
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    settle(&ground, settled);
    assert_true(settled[PIT] > z[PIT] + 2);
    for (int i = 0; i < CELLS; i++)
        assert_true(fabsf(settled[i] - z[i]) < (i == PIT ? 5.0f : 2.0f));
}

/* A dam across a valley that is narrower than a cell makes such: a cell rises by a metre here. */
TEST(small_basins_stay_that_are_shallow)
{
    static float z[CELLS], settled[CELLS];
    for (int i = 0; i < CELLS; i++)
        z[i] = slope_at(i % W);
    enum { SHALLOW = 12 * W + 30, DEEP = 36 * W + 30 };
    z[SHALLOW] -= 1.3f;
    z[DEEP] -= 5;
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    struct oro_settling how = usual;
    struct oro_error err = {0};
    how.least = 4 * how.cell * how.cell;
    how.shallow = 0.5;
    assert_true(oro_settle(&ground, &how, settled, NULL, &err));
    assert_true(settled[SHALLOW] == z[SHALLOW]);
    assert_true(settled[DEEP] > z[DEEP] + 2);
    how.least = 0;
    assert_true(oro_settle(&ground, &how, settled, NULL, &err));
    assert_true(settled[SHALLOW] > z[SHALLOW]);
}

/* A wide basin behind a wall of ten cells: the floor hardly rises, and the way through the wall is a valley
 * with a floor wider than a cell and sides of about the mean slope. */
TEST(a_wide_basin_is_opened_by_a_valley)
{
    static float z[CELLS], settled[CELLS];
    for (int i = 0; i < CELLS; i++) {
        int x = i % W, y = i / W;
        z[i] = 2 * slope_at(x) - 100 + 3 * (float)abs(y - H / 2);
        if (x < 20)
            z[i] = 160 - 3 * (float)abs(x - 10) + 3 * (float)abs(y - H / 2);
    }
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    settle(&ground, settled);
    int lowered = 0;
    float lowest = 1000, before = z[10];
    for (int y = 0; y < H; y++) {
        lowered += settled[y * W + 10] < z[y * W + 10] - 0.5f;
        lowest = fminf(lowest, settled[y * W + 10]);
        before = fminf(before, z[y * W + 10]);
    }
    print_message("the crest is lowered by %.1f m, over %d cells\n", (double)(before - lowest), lowered);
    assert_true(before - lowest > 5 && lowered > 5);
    assert_int_equal(undrained(&(struct site){.ground = ground, .cells = CELLS, .z = z}, settled), 0);
}

/* A stream in a groove along the crest of such a wall joins where that is opened. */
TEST(streams_cut_down_with_what_they_join)
{
    static float z[CELLS], settled[CELLS];
    for (int i = 0; i < CELLS; i++) {
        int x = i % W, y = i / W;
        z[i] = 2 * slope_at(x) - 100 + 3 * (float)abs(y - H / 2);
        if (x < 20)
            z[i] = 160 - 3 * (float)abs(x - 10) + 3 * (float)abs(y - H / 2) - (x == 10 ? 4 : 0);
    }
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    settle(&ground, settled);
    enum { GAP = H / 2 * W + 10, ABOVE = 10 * W };
    float gap = z[GAP] - settled[GAP], near = z[GAP + ABOVE / 2] - settled[GAP + ABOVE / 2];
    float far = z[GAP + ABOVE] - settled[GAP + ABOVE];
    print_message("lowered by %.1f m, the stream by %.1f and %.1f\n", (double)gap, (double)near, (double)far);
    assert_true(gap > 4 && near > 0.3f * gap && near < gap && far < near);
    assert_int_equal(undrained(&(struct site){.ground = ground, .cells = CELLS, .z = z}, settled), 0);
}

TEST(the_sea_stays)
{
    struct site site = make_site(&terrains[1], W, H, WALLS_AND_SEA);
    static float out[CELLS];
    settle(&site.ground, out);
    size_t kept = 0, sea = 0;
    for (size_t i = 0; i < CELLS; i++)
        if (site.sea[i] > 0.5f) {
            sea++;
            kept += out[i] <= site.z[i];
        }
    assert_true(sea > 10);
    assert_int_equal(kept, sea);
    free_site(&site);
}

TEST(large_basins_may_stay_lakes)
{
    static float z[CELLS], bed[CELLS], surface[CELLS];
    for (int i = 0; i < CELLS; i++) {
        float x = (float)(i % W) - 40, y = (float)(i / W) - 24;
        z[i] = slope_at(i % W) - 30 * expf(-(x * x + y * y) / 60);
    }
    enum { PIT = 10 * W + 10, MIDDLE = 24 * W + 39 };
    z[PIT] -= 5;
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    struct oro_settling how = usual;
    struct oro_error err = {0};
    how.lake = 30 * how.cell * how.cell;
    assert_true(oro_settle(&ground, &how, bed, surface, &err));
    assert_true(bed[PIT] == surface[PIT] && bed[PIT] > z[PIT]);
    assert_true(bed[MIDDLE] == z[MIDDLE] && surface[MIDDLE] > z[MIDDLE] + 10);
    assert_int_equal(undrained(&(struct site){.ground = ground, .cells = CELLS, .z = z}, surface), 0);
    for (int i = 0; i < CELLS; i++)
        if (bed[i] < surface[i])
            assert_true(fabsf(surface[i] - surface[MIDDLE]) < 0.01f);
}

TEST(threads_do_not_matter)
{
    static float z[CELLS], out[2][CELLS];
    make_hills(z);
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    for (int k = 0; k < 2; k++) {
        oro_parallel_force(k ? 5 : 1);
        settle(&ground, out[k]);
    }
    oro_parallel_force(0);
    assert_memory_equal(out[0], out[1], sizeof out[0]);
}

TEST(memory_may_run_out)
{
    static float z[CELLS], out[CELLS];
    make_hills(z);
    struct oro_ground ground = {.width = W, .height = H, .z = z};
    size_t before = oro_memory_count();
    settle(&ground, out);
    size_t count = oro_memory_count() - before;
    assert_true(count > 5);
    for (size_t n = 1; n <= count; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_settle(&ground, &usual, out, NULL, &err);
        oro_memory_fail_at(0);
        assert_false(ok);
        assert_int_equal(err.code, ORO_E_MEMORY);
    }
}

static bool stop(void *user)
{
    (void)user;
    return true;
}

TEST(it_can_be_stopped)
{
    static float z[CELLS], out[CELLS];
    make_hills(z);
    struct oro_ground ground = {.width = W, .height = H, .z = z, .stop = stop};
    struct oro_error err = {0};
    assert_false(oro_settle(&ground, &usual, out, NULL, &err));
    assert_int_equal(err.code, ORO_E_CANCELLED);
}
