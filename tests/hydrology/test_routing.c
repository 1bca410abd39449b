/* Exact drainage: the same bits as the reference, on any number of threads. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/hydrology/routing.h"

static struct oro_routing must_route(const struct oro_ground *ground)
{
    struct oro_routing routing;
    struct oro_error err = {0};
    if (!oro_route(ground, &routing, &err))
        fail_msg("%s", err.text);
    assert_int_equal(routing.width, ground->width);
    assert_int_equal(routing.height, ground->height);
    return routing;
}

/* Every cell once, and after its receiver. */
static void check_order(const struct site *site, const struct oro_routing *routing)
{
    uint32_t *place = room_for(site->cells, sizeof *place);
    memset(place, 0xff, site->cells * sizeof *place);
    for (size_t i = 0; i < site->cells; i++) {
        uint32_t cell = routing->order[i];
        assert_true(cell < site->cells);
        assert_int_equal(place[cell], UINT32_MAX);
        place[cell] = (uint32_t)i;
        assert_true(place[routing->receiver[cell]] <= i);
    }
    free(place);
}

static void check_receivers(struct site *site, void *user)
{
    (void)user;
    uint32_t *alone = room_for(site->cells, sizeof *alone);
    size_t pits = ref_steepest(&site->ref);
    assert_int_equal(oro_route_steepest(&site->ground, alone), pits);
    assert_same(alone, site->ref.receiver, site);
    struct oro_routing routing = must_route(&site->ground);
    assert_int_equal(ref_route(&site->ref), pits);
    assert_int_equal(routing.pits, pits);
    assert_same(routing.receiver, site->ref.receiver, site);
    check_order(site, &routing);
    oro_routing_free(&routing);
    assert_null(routing.receiver);
    free(alone);
}

TEST(receivers)
{
    for_all_sites(check_receivers, NULL);
}

static void check_areas(const struct site *site, const struct oro_routing *routing)
{
    uint32_t *cells = room_for(site->cells, sizeof *cells), *want = room_for(site->cells, sizeof *want);
    uint64_t *sum = room_for(site->cells, sizeof *sum), *want_sum = room_for(site->cells, sizeof *sum);
    float *area = room_for(site->cells, sizeof *area), *want_area = room_for(site->cells, sizeof *area);
    oro_drainage_cells(routing, cells);
    ref_cells(&site->ref, want);
    assert_same(cells, want, site);
    oro_drainage_rain(routing, site->rain, sum);
    ref_rain(&site->ref, site->rain, want_sum);
    assert_same(sum, want_sum, site);
    for (int k = 0; k < 2; k++) {
        assert_true(oro_drainage_area(routing, 12.3, k ? site->rain : NULL, area, NULL));
        ref_area(&site->ref, 12.3, k ? site->rain : NULL, want_area);
        assert_same(area, want_area, site);
    }
    free(cells);
    free(want);
    free(sum);
    free(want_sum);
    free(area);
    free(want_area);
}

static void check_water(const struct site *site, const struct oro_routing *routing)
{
    float *level = room_for(site->cells, sizeof *level), *want = room_for(site->cells, sizeof *want);
    uint32_t *number = room_for(site->cells, sizeof *number);
    uint32_t *want_number = room_for(site->cells, sizeof *want_number);
    oro_flood_levels(&site->ground, routing, level);
    ref_flood_levels(&site->ref, want);
    assert_same(level, want, site);
    assert_int_equal(oro_watersheds(routing, number), ref_watersheds(&site->ref, want_number));
    assert_same(number, want_number, site);
    assert_int_equal(oro_lakes(&site->ground, routing, level, number),
                     ref_lakes(&site->ref, want, want_number));
    assert_same(number, want_number, site);
    free(level);
    free(want);
    free(number);
    free(want_number);
}

static void check_along_tree(struct site *site, void *user)
{
    (void)user;
    struct oro_routing routing = must_route(&site->ground);
    ref_route(&site->ref);
    check_areas(site, &routing);
    check_water(site, &routing);
    oro_routing_free(&routing);
}

TEST(along_tree)
{
    for_all_sites(check_along_tree, NULL);
}

TEST(threads)
{
    static const int threads[] = {1, 2, 7};
    for (int t = 0; t < TERRAINS; t++) {
        struct site site = make_site(&terrains[t], 400, 300, t % 2 ? OPEN : WALLS_AND_SEA);
        struct oro_routing first = {0};
        uint32_t *cells[2] = {room_for(site.cells, sizeof **cells), room_for(site.cells, sizeof **cells)};
        for (int k = 0; k < 3; k++) {
            oro_parallel_force(threads[k]);
            struct oro_routing routing = must_route(&site.ground);
            oro_drainage_cells(&routing, cells[k != 0]);
            if (k) {
                assert_same(routing.receiver, first.receiver, &site);
                assert_same(routing.order, first.order, &site);
                assert_same(cells[1], cells[0], &site);
                oro_routing_free(&routing);
            } else {
                first = routing;
            }
        }
        oro_parallel_force(0);
        oro_routing_free(&first);
        free(cells[0]);
        free(cells[1]);
        free_site(&site);
    }
}

/* In larger terrains, all water leaves, all of it once, and stands as high as in a flood. */
TEST(larger)
{
    for (int t = 0; t < TERRAINS; t++) {
        struct site site = make_site(&terrains[t], 500, 400, OPEN);
        struct oro_routing routing = must_route(&site.ground);
        uint32_t *cells = room_for(site.cells, sizeof *cells);
        float *level = room_for(site.cells, sizeof *level), *want = room_for(site.cells, sizeof *want);
        size_t leaving = 0;
        oro_drainage_cells(&routing, cells);
        for (size_t i = 0; i < site.cells; i++)
            leaving += oro_ground_is_outlet(&site.ground, i) ? cells[i] : 0;
        assert_int_equal(leaving, site.cells);
        oro_flood_levels(&site.ground, &routing, level);
        ref_flood_levels(&site.ref, want);
        assert_same(level, want, &site);
        oro_routing_free(&routing);
        free(cells);
        free(level);
        free(want);
        free_site(&site);
    }
}

/* ---- Errors ---- */

static void expect_refused(const struct oro_ground *ground, enum oro_code code, const char *text)
{
    struct oro_routing routing;
    struct oro_error err = {0};
    memset(&routing, 0xff, sizeof routing);
    assert_false(oro_route(ground, &routing, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, text))
        fail_msg("'%s' is not in: %s", text, err.text);
    assert_null(routing.receiver);
    assert_null(routing.order);
    assert_int_equal(routing.width, 0);
    oro_routing_free(&routing);
    assert_false(oro_route(ground, &routing, NULL));
}

TEST(bad_ground)
{
    struct site site = make_site(&terrains[0], 12, 9, OPEN);
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        site.z[12 * 4 + 7] = bad[k];
        expect_refused(&site.ground, ORO_E_EVALUATE,
                       k == 0 ? "not a number at cell 7, 4" : "infinite at cell 7, 4");
    }
    site.z[12 * 4 + 7] = 0;
    site.ground.walls = true;
    expect_refused(&site.ground, ORO_E_EVALUATE, "nowhere to go");
    for (size_t i = 0; i < site.cells; i++)
        site.sea[i] = 0.5f;
    site.ground.sea = site.sea;
    expect_refused(&site.ground, ORO_E_EVALUATE, "nowhere to go");
    site.sea[site.cells - 1] = 0.6f;
    struct oro_routing routing = must_route(&site.ground);
    oro_routing_free(&routing);
    site.ground.width = 0;
    expect_refused(&site.ground, ORO_E_EVALUATE, "without cells");
    site.ground.width = site.ground.height = 40000;
    expect_refused(&site.ground, ORO_E_LIMIT, "40000 x 40000");
    free_site(&site);
}

/* All sea: every cell is an outlet and drains itself alone. */
TEST(all_sea)
{
    struct site site = make_site(&terrains[0], 30, 40, WALLS_AND_SEA);
    for (size_t i = 0; i < site.cells; i++)
        site.sea[i] = 1;
    struct oro_routing routing = must_route(&site.ground);
    assert_int_equal(routing.pits, 0);
    for (size_t i = 0; i < site.cells; i++)
        assert_int_equal(routing.receiver[i], i);
    oro_routing_free(&routing);
    free_site(&site);
}

static void check_out_of_memory(const struct site *site)
{
    struct oro_routing routing;
    struct oro_error err = {0};
    bool done = false;
    for (size_t n = 1; !done; n++) {
        assert_true(n < 10000);
        oro_memory_fail_at(n);
        done = oro_route(&site->ground, &routing, &err);
        oro_memory_fail_at(0);
        assert_true(done || (err.code == ORO_E_MEMORY && !routing.receiver && !routing.order));
    }
    assert_int_equal(ref_route(&site->ref), routing.pits);
    assert_same(routing.receiver, site->ref.receiver, site);
    oro_memory_fail_at(1);
    assert_false(oro_drainage_area(&routing, 1, NULL, site->rain, &err));
    assert_int_equal(err.code, ORO_E_MEMORY);
    oro_memory_fail_at(0);
    oro_routing_free(&routing);
}

TEST(out_of_memory)
{
    for (int t = 0; t < 2; t++) { /* with a round over all cells, and with the list of saddles */
        struct site site = make_site(&terrains[t], 70, 80, OPEN);
        oro_parallel_force(1);
        check_out_of_memory(&site);
        oro_parallel_force(3);
        check_out_of_memory(&site);
        oro_parallel_force(0);
        free_site(&site);
    }
}

/* ---- Stopping ---- */

struct patience {
    int asked, most;
};

static bool lose_patience(void *user)
{
    struct patience *patience = user;
    return ++patience->asked > patience->most;
}

TEST(stop)
{
    struct site site = make_site(&terrains[1], 200, 200, OPEN);
    struct oro_routing routing;
    struct patience patience = {0};
    bool done = false;
    site.ground.stop = lose_patience;
    site.ground.user = &patience;
    for (; !done; patience.most++) {
        struct oro_error err = {0};
        patience.asked = 0;
        done = oro_route(&site.ground, &routing, &err);
        assert_true(done || (err.code == ORO_E_CANCELLED && !routing.receiver));
        assert_true(done || patience.asked == patience.most + 1); /* not asked again after it told to stop */
    }
    assert_true(patience.most > 5);
    ref_route(&site.ref);
    assert_same(routing.receiver, site.ref.receiver, &site);
    oro_routing_free(&routing);
    free_site(&site);
}
