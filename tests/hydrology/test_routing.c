/* Exact drainage: by its rules, word by word, and the same on any number of threads. */
#include "tests/hydrology/flats.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/routing_private.h"

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

/* Every cell once, and after its receiver: all ways end at outlets. */
static void check_order(const struct site *site, const struct oro_routing *routing)
{
    uint32_t *place = room_for(site->cells, sizeof *place);
    memset(place, 0xff, site->cells * sizeof *place);
    for (size_t i = 0; i < site->cells; i++) {
        uint32_t cell = routing->order[i], next = routing->receiver[cell];
        assert_true(cell < site->cells);
        assert_int_equal(place[cell], UINT32_MAX);
        place[cell] = (uint32_t)i;
        assert_true(place[next] <= i);
        assert_true((next == cell) == is_outlet(site, cell));
    }
    free(place);
}

/* ---- Rules 3 to 5: what makes a spanning tree the least one, and its receivers those ---- */

/* Of the saddle between neighbours: its level and its number in one, in the order of rule 4. */
static uint64_t rank_of(const struct site *site, size_t here, size_t there)
{
    size_t first = here < there ? here : there, second = here < there ? there : here, next;
    uint32_t direction = 0;
    while (!has_neighbour(site, first, 4 + (int)direction, &next) || next != second)
        direction++;
    float level = fmaxf(oro_height(site->z[first]), oro_height(site->z[second]));
    return (uint64_t)oro_level_of(level) << 32 | (4 * (uint32_t)first + direction);
}

/* Of all saddles between what drains through `exit` and the rest, the one that it drains over comes first. */
static void check_exit(const struct site *site, const struct oro_routing *routing, size_t exit, bool *above)
{
    uint64_t rank = rank_of(site, exit, routing->receiver[exit]);
    for (size_t i = 0; i < site->cells; i++) {
        size_t cell = routing->order[i], next = routing->receiver[cell];
        above[cell] = cell == exit || (next != cell && above[next]);
    }
    for (size_t i = 0, there; i < site->cells; i++)
        for (int k = 4; k < 8; k++)
            if (has_neighbour(site, i, k, &there) && above[i] != above[there])
                assert_true(rank_of(site, i, there) >= rank);
}

/* Each basin is left once. Within it, receivers are those of rules 1 and 2, or turned round on the way to the
 * exit. */
static void check_spanning_tree(const struct site *site, const struct oro_routing *routing,
                                const uint32_t *steepest, size_t pits)
{
    uint32_t *basin = room_for(site->cells, sizeof *basin);
    bool *above = room_for(site->cells, sizeof *above);
    size_t exits = 0;
    for (size_t i = 0; i < site->cells; i++)
        for (basin[i] = (uint32_t)i; steepest[basin[i]] != basin[i];)
            basin[i] = steepest[basin[i]];
    for (size_t i = 0; i < site->cells; i++) {
        uint32_t next = routing->receiver[i];
        bool outside = is_outlet(site, basin[i]);
        if (outside || basin[next] == basin[i]) {
            assert_true(next == steepest[i] || (!outside && steepest[next] == i));
            continue;
        }
        exits++;
        if (site->cells <= 600)
            check_exit(site, routing, i, above);
    }
    assert_int_equal(exits, pits);
    free(basin);
    free(above);
}

static void check_receivers(struct site *site, void *user)
{
    (void)user;
    uint32_t *steepest = room_for(site->cells, sizeof *steepest),
             *alone = room_for(site->cells, sizeof *alone);
    uint8_t *direction = room_for(site->cells, 1);
    size_t pits = steepest_receivers(site, site->z, steepest), counted;
    assert_true(oro_steepest(&site->ground, direction, &counted, NULL));
    assert_int_equal(counted, pits);
    for (size_t i = 0; i < site->cells; i++)
        alone[i] = (uint32_t)(i + (size_t)oro_offsets_of(site->ground.width).to[direction[i]]);
    assert_same(alone, steepest, site);
    struct oro_routing routing = must_route(&site->ground);
    assert_int_equal(routing.pits, pits);
    check_order(site, &routing);
    size_t left = flat_receivers(site, steepest);
    check_spanning_tree(site, &routing, steepest, left);
    oro_routing_free(&routing);
    assert_null(routing.receiver);
    free(steepest);
    free(alone);
    free(direction);
}

TEST(receivers)
{
    for_all_sites(check_receivers, NULL);
}

/* ---- Along the tree: each cell's way, followed to its end ---- */

static void check_areas(const struct site *site, const struct oro_routing *routing)
{
    uint32_t *cells = room_for(site->cells, sizeof *cells), *want = room_for(site->cells, sizeof *want);
    uint64_t *sum = room_for(site->cells, sizeof *sum), *want_sum = room_for(site->cells, sizeof *sum);
    float *area = room_for(site->cells, sizeof *area);
    memset(want, 0, site->cells * sizeof *want);
    memset(want_sum, 0, site->cells * sizeof *want_sum);
    for (size_t i = 0; i < site->cells; i++) {
        double rain = site->rain[i] > 0 ? fmin((double)site->rain[i], 1000) : 0;
        for (size_t cell = i, last = site->cells; cell != last; last = cell, cell = routing->receiver[cell]) {
            want[cell]++;
            want_sum[cell] += (uint64_t)floor(rain * 1048576 + 0.5);
        }
    }
    oro_drainage_cells(routing, cells);
    assert_same(cells, want, site);
    oro_drainage_rain(routing, site->rain, sum);
    assert_same(sum, want_sum, site);
    for (int k = 0; k < 2; k++) {
        assert_true(oro_drainage_area(routing, 12.3, k ? site->rain : NULL, area, NULL));
        for (size_t i = 0; i < site->cells; i++) {
            double exact = 12.3 * 12.3 * (k ? (double)want_sum[i] / 1048576 : (double)want[i]);
            assert_true(fabs((double)area[i] - exact) <= 3e-7 * exact);
        }
    }
    free(cells);
    free(want);
    free(sum);
    free(want_sum);
    free(area);
}

/* Water stands as high as the lowest of the neighbours' levels, or the ground; from the outlets on, again and
 * again until nothing changes. */
static void flood_by_rule(const struct site *site, float *level)
{
    for (size_t i = 0; i < site->cells; i++)
        level[i] = is_outlet(site, i) ? oro_height(site->z[i]) : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0, there; n < 2 * site->cells; n++) { /* there and back */
            size_t i = n < site->cells ? n : 2 * site->cells - 1 - n;
            for (int k = 0; k < 8; k++)
                if (has_neighbour(site, i, k, &there) &&
                    fmaxf(level[there], oro_height(site->z[i])) < level[i]) {
                    level[i] = fmaxf(level[there], oro_height(site->z[i]));
                    changed = true;
                }
        }
    }
}

/* `number` comes with 1 for the cells that are to be numbered, and else 0. Returns how many there are. */
static uint32_t count_off(const struct site *site, uint32_t *number)
{
    uint32_t count = 0;
    for (size_t i = 0; i < site->cells; i++)
        number[i] = number[i] ? ++count : 0;
    return count;
}

static void check_watersheds(const struct site *site, const struct oro_routing *routing)
{
    uint32_t *watershed = room_for(site->cells, sizeof *watershed),
             *number = room_for(site->cells, sizeof *number);
    for (size_t i = 0; i < site->cells; i++)
        number[i] = is_outlet(site, i);
    assert_int_equal(oro_watersheds(routing, watershed), count_off(site, number));
    for (size_t i = 0; i < site->cells; i++) {
        size_t cell = i;
        while (!is_outlet(site, cell))
            cell = routing->receiver[cell];
        assert_int_equal(watershed[i], number[cell]);
    }
    free(watershed);
    free(number);
}

static void check_lakes(const struct site *site, const struct oro_routing *routing, const float *level)
{
    uint32_t *lake = room_for(site->cells, sizeof *lake), *number = room_for(site->cells, sizeof *number),
             *spill = room_for(site->cells, sizeof *spill);
    memset(number, 0, site->cells * sizeof *number);
    for (size_t i = 0; i < site->cells; i++) {
        for (spill[i] = (uint32_t)i; level[spill[i]] > oro_height(site->z[spill[i]]);)
            spill[i] = routing->receiver[spill[i]];
        if (spill[i] != i)
            number[spill[i]] = 1;
    }
    uint32_t count = count_off(site, number);
    assert_int_equal(oro_lakes(&site->ground, routing, level, lake), count);
    for (size_t i = 0; i < site->cells; i++)
        assert_int_equal(lake[i], spill[i] != i ? number[spill[i]] : 0);
    free(lake);
    free(number);
    free(spill);
}

static void check_along_tree(struct site *site, void *user)
{
    (void)user;
    float *level = room_for(site->cells, sizeof *level), *want = room_for(site->cells, sizeof *want);
    struct oro_routing routing = must_route(&site->ground);
    check_areas(site, &routing);
    oro_flood_levels(&site->ground, &routing, level);
    flood_by_rule(site, want);
    assert_same(level, want, site);
    check_watersheds(site, &routing);
    check_lakes(site, &routing, level);
    oro_routing_free(&routing);
    free(level);
    free(want);
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
        struct site site = make_site(&terrains[t], 400, 300, OPEN);
        struct oro_routing routing = must_route(&site.ground);
        uint32_t *cells = room_for(site.cells, sizeof *cells);
        float *level = room_for(site.cells, sizeof *level), *want = room_for(site.cells, sizeof *want);
        size_t leaving = 0;
        oro_drainage_cells(&routing, cells);
        for (size_t i = 0; i < site.cells; i++)
            leaving += is_outlet(&site, i) ? cells[i] : 0;
        assert_int_equal(leaving, site.cells);
        oro_flood_levels(&site.ground, &routing, level);
        flood_by_rule(&site, want);
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
    struct oro_routing routing, whole = must_route(&site->ground);
    struct oro_error err = {0};
    bool done = false;
    for (size_t n = 1; !done; n++) {
        assert_true(n < 10000);
        oro_memory_fail_at(n);
        done = oro_route(&site->ground, &routing, &err);
        oro_memory_fail_at(0);
        assert_true(done || (err.code == ORO_E_MEMORY && !routing.receiver && !routing.order));
    }
    assert_same(routing.receiver, whole.receiver, site);
    oro_routing_free(&whole);
    oro_memory_fail_at(1);
    assert_false(oro_drainage_area(&routing, 1, site->rain, site->rain, &err));
    assert_int_equal(err.code, ORO_E_MEMORY);
    oro_memory_fail_at(0);
    oro_routing_free(&routing);
}

TEST(out_of_memory)
{
    for (int t = 0; t < 3; t++) { /* a round over all cells; the list of saddles; flats */
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
    struct oro_routing routing, whole = must_route(&site.ground);
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
    assert_same(routing.receiver, whole.receiver, &site);
    oro_routing_free(&routing);
    oro_routing_free(&whole);
    free_site(&site);
}
