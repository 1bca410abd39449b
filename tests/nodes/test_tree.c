/* Exact drainage trees as nodes: the kernels give the same bits as the functions for the processor, which
 * tests/hydrology holds to the rules. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/drain.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

/* A terrain with its drainage tree. */
struct ground {
    struct oro_ground given;
    struct oro_routing routing;
    size_t cells;
    float *z, *sea, *rain;
};

static void *room(size_t cells)
{
    void *made = oro_alloc(cells, 4);
    assert_non_null(made);
    return made;
}

static struct ground ground_of(int width, int height, float *z)
{
    struct ground ground = {.cells = (size_t)width * (size_t)height, .z = z};
    ground.given = (struct oro_ground){.width = width, .height = height, .z = z};
    return ground;
}

static void route(struct ground *ground)
{
    struct oro_error err = {0};
    ground->given.sea = ground->sea;
    if (!oro_route(&ground->given, &ground->routing, &err))
        fail_msg("%s", err.text);
}

static void free_ground(struct ground *ground)
{
    oro_routing_free(&ground->routing);
    oro_free(ground->z);
    oro_free(ground->sea);
    oro_free(ground->rain);
}

/* An output of a node over the ground. */
static float *take(struct ground *ground, const char *type, const char *inputs, const char *output)
{
    struct site site = site_start(&h, ground->given.width, ground->given.height, 2);
    site_raster(&site, "z", ground->z);
    if (ground->sea)
        site_raster(&site, "sea", ground->sea);
    if (ground->rain)
        site_raster(&site, "rain", ground->rain);
    site_node(&site, "node", type, LINK("terrain", "z.terrain") "%s%s%s",
              ground->sea ? LINK("sea", "sea.terrain") : "",
              ground->given.walls ? IN("borders", "walls") : "", inputs);
    return site_take(&site, "node", output);
}

/* Bit for bit, but for what counts as zero. */
static void assert_same(const char *what, const float *got, const float *expected, size_t cells)
{
    for (size_t i = 0; i < cells; i++) {
        bool zeros = fabsf(got[i]) < FLT_MIN && fabsf(expected[i]) < FLT_MIN;
        if (got[i] != expected[i] && !zeros)
            fail_msg("%s, cell %zu: %.9g, not %.9g", what, i, (double)got[i], (double)expected[i]);
    }
}

static void expect(struct ground *ground, const char *type, const char *inputs, const char *output,
                   float *expected)
{
    float *got = take(ground, type, inputs, output);
    assert_same(output, got, expected, ground->cells);
    oro_free(got);
}

static void expect_numbers(struct ground *ground, const char *output, const uint32_t *numbers)
{
    float *expected = room(ground->cells);
    for (size_t i = 0; i < ground->cells; i++)
        expected[i] = (float)numbers[i];
    expect(ground, "flow", "", output, expected);
    oro_free(expected);
}

static void expect_receivers(struct ground *ground)
{
    float *got = take(ground, "flow", "", "receivers");
    static const int across[9] = {-1, 0, 1, -1, 1, -1, 0, 1, 0}, down[9] = {-1, -1, -1, 0, 0, 1, 1, 1, 0};
    for (size_t i = 0; i < ground->cells; i++) {
        int k = (int)got[i];
        assert_in_range(k, 0, 8);
        assert_int_equal((long)i + down[k] * ground->given.width + across[k], ground->routing.receiver[i]);
    }
    oro_free(got);
}

static void expect_spills(struct ground *ground, const uint32_t *lakes)
{
    uint32_t *spills = room(ground->cells);
    for (size_t i = 0; i < ground->cells; i++)
        if (lakes[i] && !lakes[ground->routing.receiver[i]])
            spills[ground->routing.receiver[i]] = lakes[i];
    expect_numbers(ground, "spills", spills);
    oro_free(spills);
}

static void expect_flow(struct ground *ground)
{
    float *level = room(ground->cells), *area = room(ground->cells);
    uint32_t *numbers = room(ground->cells);
    expect_receivers(ground);
    oro_flood_levels(&ground->given, &ground->routing, level);
    expect(ground, "flow", "", "flood", level);
    assert_true(oro_drainage_area(&ground->routing, 2, NULL, area, NULL));
    expect(ground, "flow", "", "drainage", area);
    oro_watersheds(&ground->routing, numbers);
    expect_numbers(ground, "watersheds", numbers);
    oro_lakes(&ground->given, &ground->routing, level, numbers);
    expect_numbers(ground, "lakes", numbers);
    expect_spills(ground, numbers);
    oro_free(level);
    oro_free(area);
    oro_free(numbers);
}

/* The area that drains through the cells of the breached ground. */
static void expect_drainage_after(struct ground *ground, const char *inputs, const float *breached)
{
    float *area = room(ground->cells);
    struct oro_ground after = ground->given;
    struct oro_routing routing;
    after.z = breached;
    assert_true(oro_route(&after, &routing, NULL));
    assert_int_equal(routing.pits, 0);
    assert_true(oro_drainage_area(&routing, 2, NULL, area, NULL));
    expect(ground, "breach", inputs, "drainage", area);
    oro_routing_free(&routing);
    oro_free(area);
}

#define SUBTREE IN("method", "subtree_minimum")

/* The results of breaching and filling. */
static void expect_drained(struct ground *ground)
{
    float *out = room(ground->cells);
    const double degree = 3.14159265358979323846 / 180;
    const struct {
        const char *inputs;
        float fall; /* over 2 m */
    } variants[] = {{SUBTREE IN("least_gradient", "0"), 0},
                    {SUBTREE IN("least_gradient", "45"), (float)(2 * tan(45 * degree))},
                    {SUBTREE, (float)(2 * tan((double)0.05f * degree))}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const struct oro_breaching how = {.fall = variants[i].fall};
        assert_true(oro_breach(&ground->given, &ground->routing, &how, out, NULL));
        expect(ground, "breach", variants[i].inputs, "terrain", out);
        expect_drainage_after(ground, variants[i].inputs, out);
    }
    assert_true(oro_fill(&ground->given, &ground->routing, true, out, NULL));
    expect(ground, "fill", IN("method", "sloped"), "terrain", out);
    assert_true(oro_fill(&ground->given, &ground->routing, false, out, NULL));
    expect(ground, "fill", "", "terrain", out);
    oro_free(out);
}

static void expect_all(struct ground ground)
{
    need_device();
    route(&ground);
    for (int kernels = 0; kernels < 2; kernels++) {
        h.kernels_only = kernels;
        expect_flow(&ground);
        expect_drained(&ground);
    }
    h.kernels_only = false;
    free_ground(&ground);
}

/* ---- Terrains ---- */

TEST(rough)
{
    expect_all(ground_of(96, 64, site_rough(96, 64, 12, 300, -20, 1)));
    expect_all(ground_of(61, 77, site_scatter(61, 77, -5, 12, 2)));
}

/* Larger, for those who ask: OROGRAPH_TEST_SIDE=1024. */
TEST(large)
{
    const char *wanted = getenv("OROGRAPH_TEST_SIDE");
    int side = wanted ? (int)strtol(wanted, NULL, 10) : 160;
    assert_in_range(side, 2, 4096);
    expect_all(ground_of(side, side, site_rough(side, side, side / 8.0, 900, 0, 4)));
}

TEST(terraces)
{
    struct ground ground = ground_of(70, 50, site_rough(70, 50, 20, 60, 0, 3));
    for (size_t i = 0; i < ground.cells; i++)
        ground.z[i] = floorf(ground.z[i] / 6) * 6;
    expect_all(ground);
}

TEST(level_and_plane)
{
    expect_all(ground_of(33, 20, site_uniform(33, 20, 0)));
    expect_all(ground_of(24, 31, site_uniform(24, 31, 812.5)));
    struct ground plane = ground_of(30, 30, site_uniform(30, 30, 0));
    for (int i = 0; i < 900; i++)
        plane.z[i] = (float)(i % 30) * 0.25f;
    expect_all(plane);
}

/* A floor over several squares of kernels, around an island, with an outlet in the east and a closed pan in a
 * corner. */
TEST(flats)
{
    enum { WIDE = 150, HIGH = 90 };
    struct ground ground = ground_of(WIDE, HIGH, site_uniform(WIDE, HIGH, 40));
    for (int y = 1; y < HIGH - 1; y++)
        for (int x = 1; x < WIDE - 1; x++) {
            bool island = hypot(x - 60, y - 50) < 14, pan = hypot(x - 120, y - 20) < 12;
            ground.z[y * WIDE + x] = island ? 33 : pan ? 28.5F : 30;
        }
    ground.z[60 * WIDE + WIDE - 1] = 30;
    expect_all(ground);
}

/* A way over level ground that is longer than kernels go at once. */
TEST(level_windings)
{
    enum { N = 65 };
    struct ground ground = ground_of(N, N, site_uniform(N, N, 500));
    ground.z[1] = 7;
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            if (y % 2 || x == (y % 4 == 2 ? N - 2 : 1))
                ground.z[y * N + x] = 7;
    need_device();
    route(&ground);
    h.kernels_only = true;
    expect_receivers(&ground);
    h.kernels_only = false;
    free_ground(&ground);
}

TEST(small)
{
    for (int width = 1; width <= 5; width += 1)
        for (int height = 1; height <= 7; height += 2)
            expect_all(
                ground_of(width, height, site_scatter(width, height, 0, 9, (unsigned)(width * 8 + height))));
}

/* Bowls within bowls, each floor lower than its rim is high. */
TEST(nested)
{
    struct ground ground = ground_of(65, 65, site_uniform(65, 65, 0));
    for (int i = 0; i < 65 * 65; i++) {
        double x = i % 65 - 32, y = i / 65 - 32, r = hypot(x, y);
        ground.z[i] = (float)(20 * cos(r * 0.8) - 0.4 * (32 - r) + 0.01 * x);
    }
    expect_all(ground);
}

/* One long way: a spiral trench between walls, falling inwards; its floor must be turned round cell by cell.
 */
TEST(spiral)
{
    enum { N = 41 };
    struct ground ground = ground_of(N, N, site_uniform(N, N, 500));
    int x = 1, y = 1, dx = 1, dy = 0;
    for (int step = 0; step < N * N; step++) {
        ground.z[y * N + x] = 100 - 0.125f * (float)step;
        int ahead_x = x + 2 * dx, ahead_y = y + 2 * dy;
        bool blocked = ahead_x < 1 || ahead_y < 1 || ahead_x > N - 2 || ahead_y > N - 2 ||
                       ground.z[ahead_y * N + ahead_x] < 200;
        if (blocked) {
            int turned = dx;
            dx = -dy;
            dy = turned;
            if (ground.z[(y + dy) * N + x + dx] < 200 || ground.z[(y + 2 * dy) * N + x + 2 * dx] < 200)
                break;
        }
        x += dx;
        y += dy;
    }
    expect_all(ground);
}

/* A way of 2000 cells up a trench in windings, more than a walk of grades goes at once. It begins in the last
 * rows, to which devices come last, so that no other cell's walk goes on with it. */
TEST(windings)
{
    enum { N = 65 };
    struct ground ground = ground_of(N, N, site_uniform(N, N, 500));
    int step = 0;
    ground.z[1] = -6000; /* the way out, deep enough for the steepest gradient */
    for (int y = 1; y < N - 1; y++)
        for (int i = 1; i < N - 1; i++) {
            int x = (y - 1) % 4 < 2 ? i : N - 1 - i;
            if (y % 2 || i == N - 2)
                ground.z[y * N + x] = 100 - 0.125f * (float)step++;
        }
    expect_all(ground);
}

/* A trench in windings, which falls inwards, from pit to pit or all the way: the chains of basins, and the
 * way that is turned round, are longer than kernels go at once. */
static struct ground winding_trench(bool pits)
{
    enum { N = 193 };
    struct ground ground = ground_of(N, N, site_uniform(N, N, 500));
    int step = 0;
    ground.z[1] = 0;
    for (int y = 1; y < N - 1; y++)
        for (int i = 1; i < N - 1; i++) {
            int x = (y - 1) % 4 < 2 ? i : N - 1 - i;
            if (y % 2 || i == N - 2) {
                ground.z[y * N + x] = 100 - 0.125f * (float)step + (pits && step % 2 ? 0.5f : 0);
                step++;
            }
        }
    return ground;
}

TEST(chains)
{
    need_device();
    for (int pits = 0; pits < 2; pits++) {
        struct ground ground = winding_trench(pits);
        route(&ground);
        h.kernels_only = true;
        expect_receivers(&ground);
        h.kernels_only = false;
        free_ground(&ground);
    }
}

TEST(sea_and_walls)
{
    struct ground ground = ground_of(60, 45, site_rough(60, 45, 15, 200, 0, 5));
    ground.sea = site_uniform(60, 45, 0);
    for (int i = 0; i < 60 * 45; i++)
        ground.sea[i] = ground.z[i] < 60 ? 1 : 0;
    ground.given.walls = true;
    expect_all(ground);
}

/* Rounds are queued before it is known that there is nothing to join to; they must end, and it must be said.
 */
TEST(no_outlet)
{
    enum { W = 70, H = 50 };
    need_device();
    static char text[SITE_TEXT_MAX + 512];
    float *z = site_rough(W, H, 12, 300, 0, 8), *sea = site_uniform(W, H, 0);
    struct site site = site_start(&h, W, H, 2);
    site_raster(&site, "z", z);
    site_raster(&site, "sea", sea);
    site_node(&site, "node", "flow",
              LINK("terrain", "z.terrain") LINK("sea", "sea.terrain") IN("borders", "walls"));
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"140\" resolution=\"16\"", "%s"), site.nodes);
    for (int kernels = 0; kernels < 2; kernels++) {
        struct harness_raster raster = {0};
        h.kernels_only = kernels;
        assert_false(harness_try(&h, text, "node", "drainage", &raster));
        assert_non_null(strstr(h.err.text, "no cell is sea"));
    }
    h.kernels_only = false;
    oro_free(z);
    oro_free(sea);
}

TEST(rain)
{
    need_device();
    struct ground ground = ground_of(50, 40, site_rough(50, 40, 9, 100, 0, 6));
    ground.rain = site_scatter(50, 40, 0, 3, 7);
    float *area = room(ground.cells);
    route(&ground);
    assert_true(oro_drainage_area(&ground.routing, 2, ground.rain, area, NULL));
    for (int kernels = 0; kernels < 2; kernels++) {
        h.kernels_only = kernels;
        expect(&ground, "flow", LINK("rain", "rain.terrain"), "drainage", area);
    }
    h.kernels_only = false;
    oro_free(area);
    free_ground(&ground);
}

/* Heights that devices like to disagree about: tiny ones, both zeros, and very large ones. */
TEST(awkward_heights)
{
    static const float heights[] = {0,    -0.0f, 1e-40f, -1e-40f,    1e-7f, -1e-7f,
                                    1e9f, -1e9f, 8,      7.9999995f, -8,    1e-38f};
    struct ground ground = ground_of(20, 20, site_uniform(20, 20, 0));
    for (int i = 0; i < 400; i++)
        ground.z[i] = heights[(int)(site_random(9, i) * 12)];
    expect_all(ground);
}

TEST_GROUP(open_harness, close_harness);
