/* Carving and filling: by the rules, and by their purpose. */
#include "tests/hydrology/terrains.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/steps.h"

enum change { SUBTREE, FLOOD, FILL_SLOPED, FILL_LEVEL };

static float fall; /* of carved channels */

static bool apply(enum change change, const struct oro_ground *ground, float *out, struct oro_error *err)
{
    struct oro_routing routing;
    if (change == FLOOD)
        return oro_breach(ground, NULL, &(struct oro_breaching){ORO_BREACH_FLOOD, fall, NULL}, out, err);
    if (!oro_route(ground, &routing, err))
        return false;
    bool ok = change == SUBTREE
                  ? oro_breach(ground, &routing, &(struct oro_breaching){.fall = fall}, out, err)
                  : oro_fill(ground, &routing, change == FILL_SLOPED, out, err);
    oro_routing_free(&routing);
    return ok;
}

static void must_apply(enum change change, const struct oro_ground *ground, float *out)
{
    struct oro_error err = {0};
    if (!apply(change, ground, out, &err))
        fail_msg("%s", err.text);
}

/* From everywhere down to an outlet, by the receivers of the changed ground. */
static void check_descends(const struct site *site, const float *z)
{
    uint32_t *receiver = room_for(site->cells, sizeof *receiver);
    assert_int_equal(steepest_receivers(site, z, receiver), 0);
    for (size_t i = 0; i < site->cells; i++)
        if (receiver[i] != i && z[receiver[i]] >= z[i])
            fail_msg("cell %zu is not higher than cell %u, its receiver", i, (unsigned)receiver[i]);
    free(receiver);
}

/* Cells are lowered or raised, but never both in one change; cells that need no change keep their bits. */
static void check_changes(const struct site *site, const float *after, bool carved)
{
    for (size_t i = 0; i < site->cells; i++) {
        float z = site->z[i];
        bool same = after[i] == z && !signbit(after[i]) == !signbit(z);
        assert_true(same || (carved ? after[i] < z : after[i] > z));
    }
}

/* The rules of carving without a gradient, and of filling, word by word: over each cell's way to the outlet.
 */
static void change_by_rule(const struct site *site, bool carve, float *out)
{
    struct oro_routing routing;
    int64_t *k = room_for(site->cells, sizeof *k), *own = room_for(site->cells, sizeof *own);
    assert_true(oro_route(&site->ground, &routing, NULL));
    for (size_t i = 0; i < site->cells; i++) {
        k[i] = own[i] = oro_step_of(site->z[i]);
        if (!carve && oro_step_height((int32_t)own[i]) < oro_height(site->z[i]))
            k[i] = ++own[i];
    }
    for (size_t q = 0; q < site->cells; q++) {
        int64_t away = 0;
        for (size_t p = q, last = site->cells; p != last; last = p, p = routing.receiver[p], away++)
            if (carve)
                k[p] = own[q] - away < k[p] ? own[q] - away : k[p];
            else
                k[q] = own[p] + away > k[q] ? own[p] + away : k[q];
    }
    for (size_t i = 0; i < site->cells; i++)
        out[i] = k[i] == own[i] ? site->z[i] : oro_step_height((int32_t)k[i]);
    oro_routing_free(&routing);
    free(k);
    free(own);
}

/* As high as the flood stands: the highest ground on the way. */
static void fill_by_rule(const struct site *site, float *out)
{
    struct oro_routing routing;
    assert_true(oro_route(&site->ground, &routing, NULL));
    for (size_t i = 0; i < site->cells; i++) {
        out[i] = site->z[i];
        for (size_t p = i, last = site->cells; p != last; last = p, p = routing.receiver[p])
            out[i] = oro_height(site->z[p]) > oro_height(out[i]) ? oro_height(site->z[p]) : out[i];
    }
    oro_routing_free(&routing);
}

static void check_change(struct site *site, void *user)
{
    enum change change = *(const enum change *)user;
    float *out = room_for(site->cells, sizeof *out), *want = room_for(site->cells, sizeof *want);
    must_apply(change, &site->ground, out);
    bool told = change == FILL_LEVEL || change == FILL_SLOPED || (change == SUBTREE && fall == 0);
    if (change == FILL_LEVEL)
        fill_by_rule(site, want);
    else if (told)
        change_by_rule(site, change == SUBTREE, want);
    if (told)
        assert_same(out, want, site);
    check_changes(site, out, change == SUBTREE || change == FLOOD);
    if (change != FILL_LEVEL)
        check_descends(site, out);
    must_apply(change, &site->ground, site->z); /* in place */
    assert_same(site->z, out, site);
    if (change == FLOOD) {
        must_apply(change, &site->ground, site->z); /* ground that drains is left alone */
        assert_same(site->z, out, site);
    }
    free(out);
    free(want);
}

TEST(subtree)
{
    for_all_sites(check_change, &(enum change){SUBTREE});
}

TEST(flood)
{
    for_all_sites(check_change, &(enum change){FLOOD});
}

static const float falls[] = {0.05f, 40};

TEST(subtree_with_a_gradient)
{
    for (int i = 0; i < 2; i++) {
        fall = falls[i];
        for_all_sites(check_change, &(enum change){SUBTREE});
    }
    fall = 0;
}

TEST(flood_with_a_gradient)
{
    for (int i = 0; i < 2; i++) {
        fall = falls[i];
        for_all_sites(check_change, &(enum change){FLOOD});
    }
    fall = 0;
}

/* Where a channel falls by less than it should although its cell was carved, it is counted. */
static void check_gradient(struct site *site, void *user)
{
    if (fabsf(site->z[0]) > 1e6f)
        return;
    size_t gentle = 0, missing = 0;
    struct oro_routing routing;
    struct oro_breaching how = {.fall = 0.5f, .gentle = &gentle};
    float *out = room_for(site->cells, sizeof *out), *plain = room_for(site->cells, sizeof *plain);
    (void)user;
    must_apply(SUBTREE, &site->ground, plain);
    assert_true(oro_route(&site->ground, &routing, NULL));
    assert_true(oro_breach(&site->ground, &routing, &how, out, NULL));
    for (size_t i = 0; i < site->cells; i++) {
        size_t next = routing.receiver[i], width = (size_t)site->ground.width;
        bool across = next % width != i % width && next / width != i / width;
        double least = 0.5 * (across ? sqrt(2) : 1), lost = (double)out[i] - (double)out[next];
        missing += out[i] < site->z[i] && next != i && lost < least - 1e-4;
        if (next == i) /* outlets are no lower than without, but for some steps */
            assert_true(out[i] > plain[i] - 1e-3f);
        assert_true(out[i] <= plain[i]);
    }
    assert_true(missing <= gentle);
    oro_routing_free(&routing);
    free(out);
    free(plain);
}

TEST(gradient)
{
    for_all_sites(check_gradient, NULL);
}

TEST(fill_sloped)
{
    for_all_sites(check_change, &(enum change){FILL_SLOPED});
}

TEST(fill_level)
{
    for_all_sites(check_change, &(enum change){FILL_LEVEL});
}

/* ---- The rule of ORO_BREACH_FLOOD, word by word ---- */

struct met {
    uint32_t *cell, *back; /* in the order of meeting; `back` of every cell */
    bool *had_turn;        /* in the order of meeting */
    size_t count;
};

static void meet(const struct site *site, struct met *met, uint32_t cell, uint32_t back)
{
    for (size_t i = 0; i < met->count; i++)
        if (met->cell[i] == cell)
            return;
    assert_true(met->count < site->cells);
    met->back[cell] = back;
    met->had_turn[met->count] = false;
    met->cell[met->count++] = cell;
}

static bool next_turn(const struct site *site, const struct met *met, size_t *turn)
{
    bool found = false;
    for (size_t i = 0; i < met->count; i++) {
        if (met->had_turn[i] ||
            (found && oro_height(site->z[met->cell[i]]) >= oro_height(site->z[met->cell[*turn]])))
            continue;
        found = true;
        *turn = i;
    }
    return found;
}

static void meet_all(const struct site *site, struct met *met)
{
    int width = site->ground.width, height = site->ground.height;
    size_t turn = 0;
    for (uint32_t i = 0; i < site->cells; i++)
        if (is_outlet(site, i))
            meet(site, met, i, i);
    while (next_turn(site, met, &turn)) {
        uint32_t cell = met->cell[turn];
        int x = (int)cell % width, y = (int)cell / width;
        met->had_turn[turn] = true;
        for (int v = y - 1; v <= y + 1; v++)
            for (int u = x - 1; u <= x + 1; u++)
                if (u >= 0 && u < width && v >= 0 && v < height)
                    meet(site, met, (uint32_t)(v * width + u), cell);
    }
}

static void carve_by_rule(const struct site *site, const struct met *met, float *out)
{
    int64_t *k = room_for(site->cells, sizeof *k);
    uint32_t *steepest = room_for(site->cells, sizeof *steepest);
    bool again = true;
    steepest_receivers(site, site->z, steepest);
    for (size_t i = 0; i < site->cells; i++)
        k[i] = oro_step_of(site->z[i]);
    while (again) {
        again = false;
        for (uint32_t q = 0; q < site->cells; q++) {
            bool pit = steepest[q] == q && !is_outlet(site, q);
            uint32_t p = met->back[q];
            if (p == q || !(pit || k[q] < oro_step_of(site->z[q])) || k[p] <= k[q] - 1)
                continue;
            k[p] = k[q] - 1;
            again = true;
        }
    }
    for (size_t i = 0; i < site->cells; i++)
        out[i] = k[i] < oro_step_of(site->z[i]) ? oro_step_height((int32_t)k[i]) : site->z[i];
    free(k);
    free(steepest);
}

static void check_flood_rule(struct site *site, void *user)
{
    (void)user;
    if (site->cells > 250)
        return;
    struct met met = {.cell = room_for(site->cells, sizeof *met.cell),
                      .back = room_for(site->cells, sizeof *met.back),
                      .had_turn = room_for(site->cells, sizeof *met.had_turn)};
    float *out = room_for(site->cells, sizeof *out), *want = room_for(site->cells, sizeof *want);
    meet_all(site, &met);
    assert_int_equal(met.count, site->cells);
    carve_by_rule(site, &met, want);
    must_apply(FLOOD, &site->ground, out);
    assert_same(out, want, site);
    free(met.cell);
    free(met.back);
    free(met.had_turn);
    free(out);
    free(want);
}

TEST(flood_rule)
{
    for_all_sites(check_flood_rule, NULL);
}

/* ---- Threads, failures ---- */

TEST(threads)
{
    struct site site = make_site(&terrains[1], 400, 300, OPEN);
    float *out[2] = {room_for(site.cells, sizeof **out), room_for(site.cells, sizeof **out)};
    for (int change = SUBTREE; change <= FILL_LEVEL; change++) {
        oro_parallel_force(1);
        must_apply((enum change)change, &site.ground, out[0]);
        oro_parallel_force(5);
        must_apply((enum change)change, &site.ground, out[1]);
        assert_same(out[1], out[0], &site);
    }
    oro_parallel_force(0);
    free(out[0]);
    free(out[1]);
    free_site(&site);
}

TEST(out_of_memory)
{
    struct site site = make_site(&terrains[0], 50, 60, OPEN);
    float *before = room_for(site.cells, sizeof *before);
    memcpy(before, site.z, site.cells * sizeof *before);
    for (int change = SUBTREE; change <= FILL_SLOPED; change++) {
        struct oro_error err = {0};
        bool done = false;
        for (size_t n = 1; !done; n++) {
            assert_true(n < 10000);
            assert_same(site.z, before, &site);
            oro_memory_fail_at(n);
            done = apply((enum change)change, &site.ground, site.z, &err);
            oro_memory_fail_at(0);
            assert_true(done || err.code == ORO_E_MEMORY);
        }
        memcpy(site.z, before, site.cells * sizeof *before);
    }
    free(before);
    free_site(&site);
}

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
    struct site site = make_site(&terrains[0], 120, 120, OPEN);
    float *before = room_for(site.cells, sizeof *before);
    memcpy(before, site.z, site.cells * sizeof *before);
    for (int change = SUBTREE; change <= FILL_LEVEL; change++) {
        struct patience patience = {0};
        struct oro_error err = {0};
        site.ground.stop = lose_patience;
        site.ground.user = &patience;
        for (; !apply((enum change)change, &site.ground, site.z, &err); patience.most++) {
            assert_int_equal(err.code, ORO_E_CANCELLED);
            assert_int_equal(patience.asked, patience.most + 1);
            assert_same(site.z, before, &site);
            patience.asked = 0;
        }
        assert_true(patience.most > 0);
        memcpy(site.z, before, site.cells * sizeof *before);
    }
    free(before);
    free_site(&site);
}

/* ---- The ends of float ---- */

/* Raises what the error names to what it asks for; returns whether there was such an error. */
static bool raise_as_told(enum change change, struct site *site, float *out)
{
    struct oro_error err = {0};
    if (apply(change, &site->ground, out, &err))
        return false;
    assert_int_equal(err.code, ORO_E_EVALUATE);
    const char *place = strstr(err.text, "cell "), *height = strstr(err.text, "at least ");
    assert_non_null(place);
    assert_non_null(height);
    char *comma, *unit;
    size_t x = strtoul(place + strlen("cell "), &comma, 10);
    assert_int_equal(*comma, ',');
    size_t y = strtoul(comma + 1, NULL, 10);
    double least = strtod(height + strlen("at least "), &unit);
    assert_memory_equal(unit, " m", 2);
    float *z = &site->z[y * (size_t)site->ground.width + x];
    assert_true((float)least > *z);
    *z = nextafterf((float)least, -INFINITY);
    assert_false(apply(change, &site->ground, out, NULL)); /* less is not enough */
    *z = (float)least;
    return true;
}

TEST(too_deep)
{
    for (int change = SUBTREE; change <= FLOOD; change++) {
        struct site site = make_site(&terrains[1], 30, 20, OPEN);
        float *out = room_for(site.cells, sizeof *out);
        site.z[30 * 9 + 14] = -FLT_MAX;
        assert_true(raise_as_told((enum change)change, &site, out));
        must_apply((enum change)change, &site.ground, out);
        check_descends(&site, out);
        free(out);
        free_site(&site);
    }
}

TEST(too_deep_in_several_places)
{
    for (int change = SUBTREE; change <= FLOOD; change++) {
        struct site site = make_site(&terrains[3], 30, 20, OPEN);
        float *out = room_for(site.cells, sizeof *out);
        struct oro_error err = {0};
        int raised = 0;
        site.z[30 * 9 + 14] = site.z[30 * 3 + 5] = site.z[30 * 12 + 22] = -FLT_MAX;
        assert_false(apply((enum change)change, &site.ground, out, &err));
        assert_non_null(strstr(err.text, "2 more cells are too deep"));
        while (raise_as_told((enum change)change, &site, out))
            assert_true(++raised <= 3);
        assert_int_equal(raised, 3);
        check_descends(&site, out);
        free(out);
        free_site(&site);
    }
}

/* A cell at the border is deep enough for its own water, but not for that of others. */
TEST(lowest_outlet)
{
    for (int change = SUBTREE; change <= FLOOD; change++) {
        struct site site = make_site(&terrains[4], 12, 12, OPEN);
        float *out = room_for(site.cells, sizeof *out);
        site.z[12 * 5] = -FLT_MAX;
        must_apply((enum change)change, &site.ground, out);
        assert_same(out, site.z, &site);
        free(out);
        free_site(&site);
    }
}

TEST(too_high)
{
    struct site site = make_site(&terrains[3], 9, 9, WALLS_AND_SEA);
    float *out = room_for(site.cells, sizeof *out);
    struct oro_error err = {0};
    for (size_t i = 0; i < site.cells; i++) {
        site.sea[i] = i == 0;
        site.z[i] = i / 9 == 4 ? FLT_MAX : 0;
    }
    assert_false(apply(FILL_SLOPED, &site.ground, out, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    assert_non_null(strstr(err.text, "is too high"));
    must_apply(FILL_LEVEL, &site.ground, out);
    for (size_t i = 0; i < site.cells; i++)
        assert_true(out[i] == (i / 9 < 4 ? 0 : FLT_MAX));
    for (size_t i = 0; i < site.cells; i++)
        site.z[i] = i / 9 == 4 ? oro_step_height(-ORO_STEPS_LOWEST - 36) : 0;
    must_apply(FILL_SLOPED, &site.ground, out);
    check_descends(&site, out);
    free(out);
    free_site(&site);
}

TEST(cost)
{
    const float before[] = {1, 2, 3, 4, 0.0f}, after[] = {1, 0.5f, 5, 3, -0.0f};
    struct oro_drain_cost cost = oro_drain_cost(before, after, 5);
    assert_int_equal(cost.cells, 3);
    assert_true(cost.deepest_cut == 1.5 && cost.highest_raise == 2);
    assert_true(cost.cut_volume == 2.5 && cost.raise_volume == 2);
    cost = oro_drain_cost(before, before, 5);
    assert_true(cost.cells == 0 && cost.cut_volume == 0 && cost.highest_raise == 0);
}
