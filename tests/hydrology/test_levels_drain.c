/* Draining in integer levels, against a flood that looks for the next cell anew each time. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/drain.h"

/* A terrain in whole levels from 0 to `top`. */
static struct site make_levels(const struct terrain *terrain, int width, int height, enum borders borders,
                               float top)
{
    struct site site = make_site(terrain, width, height, borders);
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < site.cells; i++) {
        low = fminf(low, site.z[i] / 4);
        high = fmaxf(high, site.z[i] / 4);
    }
    for (size_t i = 0; i < site.cells; i++)
        site.z[i] = high > low ? roundf((site.z[i] / 4 - low) / (high - low) * top) : roundf(top / 2);
    return site;
}

/* ---- By the rules, word by word ---- */

struct tree {
    size_t *order, *next; /* from the border; the cell that a cell was met from, itself at the border */
    float *queue;         /* that a cell was put into */
    size_t count;
};

static void put(struct tree *tree, size_t cell, size_t next, float queue)
{
    tree->next[cell] = next;
    tree->queue[cell] = queue;
    tree->order[tree->count++] = cell;
}

/* The order of being put in decides between cells of one queue. */
static void grow(const struct site *site, struct tree *tree)
{
    size_t width = (size_t)site->ground.width;
    bool *met = room_for(site->cells, sizeof *met), *done = room_for(site->cells, sizeof *done);
    memset(met, 0, site->cells);
    memset(done, 0, site->cells);
    for (size_t i = 0; i < site->cells; i++)
        if (is_outlet(site, i)) {
            met[i] = true;
            put(tree, i, i, site->z[i]);
        }
    for (size_t turns = 0; turns < site->cells; turns++) {
        size_t best = site->cells;
        for (size_t i = 0; i < tree->count; i++) {
            size_t cell = tree->order[i];
            if (!done[cell] && (best == site->cells || tree->queue[cell] < tree->queue[best]))
                best = cell;
        }
        done[best] = true;
        for (int k = 0; k < 9; k++) {
            size_t x = best % width + (size_t)(k % 3) - 1, y = best / width + (size_t)(k / 3) - 1;
            if (x >= width || y >= site->cells / width || met[y * width + x])
                continue;
            met[y * width + x] = true;
            put(tree, y * width + x, best, fmaxf(tree->queue[best], site->z[y * width + x]));
        }
    }
    free(met);
    free(done);
}

static void drain_by_rule(const struct site *site, double top, float *out)
{
    struct tree tree = {room_for(site->cells, sizeof(size_t)), room_for(site->cells, sizeof(size_t)),
                        room_for(site->cells, sizeof(float)), 0};
    double *c = room_for(site->cells, sizeof *c), *r = room_for(site->cells, sizeof *r);
    double *most = room_for(site->cells, sizeof *most), *least = room_for(site->cells, sizeof *least);
    grow(site, &tree);
    for (size_t i = 0; i < site->cells; i++) {
        c[i] = r[i] = (double)site->z[i];
        least[i] = 0;
        most[i] = top;
    }
    for (size_t q = 0; q < site->cells; q++) { /* from every cell down its way */
        double distance = 0;
        for (size_t p = q;; p = tree.next[p], distance++) {
            c[p] = fmin(c[p], (double)site->z[q] - distance);
            r[q] = fmax(r[q], (double)site->z[p] + distance);
            most[p] = fmin(most[p], top - distance);
            least[q] = distance;
            if (tree.next[p] == p)
                break;
        }
    }
    for (size_t i = 0; i < site->cells; i++)
        out[i] = (float)fmax(fmin(floor((c[i] + r[i]) / 2), most[i]), least[i]);
    free(tree.order);
    free(tree.next);
    free(tree.queue);
    free(c);
    free(r);
    free(most);
    free(least);
}

static void check_levels(const struct terrain *terrain, int width, int height, enum borders borders,
                         float top)
{
    struct site site = make_levels(terrain, width, height, borders, top);
    float *want = room_for(site.cells, sizeof *want), *before = room_for(site.cells, sizeof *before);
    struct oro_drain_cost cost, other;
    struct oro_error err = {0};
    memcpy(before, site.z, site.cells * sizeof *before);
    drain_by_rule(&site, (double)top, want);
    if (!oro_levels_drain(&site.ground, (double)top, site.z, &cost, &err))
        fail_msg("%s: %s", terrain->name, err.text);
    assert_same(site.z, want, &site);
    assert_int_equal(undrained(&site, site.z), 0);
    for (size_t i = 0; i < site.cells; i++)
        assert_true(site.z[i] >= 0 && site.z[i] <= top && floorf(site.z[i]) == site.z[i]);
    other = oro_drain_cost(before, site.z, site.cells);
    assert_memory_equal(&cost, &other, sizeof cost);
    free(want);
    free(before);
    free_site(&site);
}

TEST(rule)
{
    for (int t = 0; t < TERRAINS; t++) {
        check_levels(&terrains[t], 23, 31, OPEN, 1000);
        check_levels(&terrains[t], 40, 9, OPEN, 255);
        check_levels(&terrains[t], 14, 14, OPEN, 200); /* maze: a long way, near to the limit */
        check_levels(&terrains[t], 17, 5, OPEN, 16777216);
        check_levels(&terrains[t], 21, 16, OPEN_AND_SEA, 1000);
        check_levels(&terrains[t], 16, 21, WALLS_AND_SEA, 1000);
        check_levels(&terrains[t], 1, 1, OPEN, 0);
        check_levels(&terrains[t], 1, 6, OPEN, 3);
        check_levels(&terrains[t], 6, 2, OPEN, 65535);
    }
}

/* A plane that falls by one level a cell is as it should be. */
TEST(left_alone)
{
    struct site site = make_site(&terrains[4], 30, 20, OPEN);
    float *before = room_for(site.cells, sizeof *before);
    struct oro_drain_cost cost;
    memcpy(before, site.z, site.cells * sizeof *before);
    assert_true(oro_levels_drain(&site.ground, 65535, site.z, &cost, NULL));
    assert_same(site.z, before, &site);
    assert_int_equal(cost.cells, 0);
    free(before);
    free_site(&site);
}

/* A flat at either end of the levels can only be changed to one side, by as many levels as it is deep. */
TEST(flat_at_the_ends)
{
    for (int k = 0; k < 2; k++) {
        struct site site = make_site(&terrains[3], 21, 21, OPEN);
        struct oro_drain_cost cost;
        for (size_t i = 0; i < site.cells; i++)
            site.z[i] = k ? 50 : 0;
        assert_true(oro_levels_drain(&site.ground, 50, site.z, &cost, NULL));
        assert_int_equal(undrained(&site, site.z), 0);
        assert_true(cost.deepest_cut == (k ? 10 : 0) && cost.highest_raise == (k ? 0 : 10));
        free_site(&site);
    }
}

static void expect_refused(const struct site *site, double top, const char *text)
{
    struct oro_error err = {0};
    float *before = room_for(site->cells, sizeof *before);
    memcpy(before, site->z, site->cells * sizeof *before);
    assert_false(oro_levels_drain(&site->ground, top, site->z, NULL, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    if (!strstr(err.text, text))
        fail_msg("'%s' is not in: %s", text, err.text);
    assert_same(site->z, before, site);
    free(before);
}

TEST(refused)
{
    struct site site = make_site(&terrains[3], 21, 21, OPEN);
    expect_refused(&site, 9, "cell 10, 10 to the border has 10 cells");
    expect_refused(&site, -1, "not at -1");
    expect_refused(&site, 20.5, "not at 20.5");
    expect_refused(&site, NAN, "levels end at");
    expect_refused(&site, 1e9, "levels end at");
    static const float bad[] = {0.5f, -1, 256, FLT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        site.z[21 * 3 + 5] = bad[i];
        expect_refused(&site, 255, "at cell 5, 3, is not a level");
    }
    site.z[21 * 3 + 5] = NAN;
    expect_refused(&site, 255, "not a number at cell 5, 3");
    site.z[21 * 3 + 5] = 3;
    assert_true(oro_levels_drain(&site.ground, 10, site.z, NULL, NULL));
    assert_int_equal(undrained(&site, site.z), 0);
    site.ground.width = 0;
    assert_false(oro_levels_drain(&site.ground, 10, site.z, NULL, NULL));
    free_site(&site);
}

TEST(out_of_memory)
{
    struct site site = make_levels(&terrains[0], 20, 20, OPEN, 255);
    float *before = room_for(site.cells, sizeof *before);
    bool done = false;
    memcpy(before, site.z, site.cells * sizeof *before);
    for (size_t n = 1; !done; n++) {
        struct oro_error err = {0};
        assert_true(n < 100);
        assert_same(site.z, before, &site);
        oro_memory_fail_at(n);
        done = oro_levels_drain(&site.ground, 255, site.z, NULL, &err);
        oro_memory_fail_at(0);
        assert_true(done || err.code == ORO_E_MEMORY);
    }
    free(before);
    free_site(&site);
}

static bool lose_patience(void *user)
{
    return --*(int *)user < 0;
}

TEST(stop)
{
    struct site site = make_levels(&terrains[0], 20, 20, OPEN, 255);
    float *before = room_for(site.cells, sizeof *before);
    int most = 0, left = 0;
    memcpy(before, site.z, site.cells * sizeof *before);
    site.ground.stop = lose_patience;
    site.ground.user = &left;
    for (struct oro_error err = {0}; !oro_levels_drain(&site.ground, 255, site.z, NULL, &err);
         left = ++most) {
        assert_int_equal(err.code, ORO_E_CANCELLED);
        assert_same(site.z, before, &site);
    }
    assert_true(most > 1);
    free(before);
    free_site(&site);
}
