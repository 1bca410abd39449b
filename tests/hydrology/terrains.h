/* Small terrains to drain, made by formulas: the difficult cases of drainage. */
#ifndef ORO_TESTS_HYDROLOGY_TERRAINS_H
#define ORO_TESTS_HYDROLOGY_TERRAINS_H

#include <stdint.h>
#include <stdlib.h>

#include <float.h>
#include <math.h>

#include "terrain/drainage/ground.h"
#include "terrain/drainage/steps.h"
#include "tests/support/test.h"

static inline float chance(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (float)((x ^ x >> 16) >> 8) / 16777216.0f;
}

static inline float noise_at(int x, int y)
{
    return 100 * chance((uint32_t)(x * 7919 + y * 104729 + 1));
}

/* Hills with some pits: smooth noise of two sizes. */
static inline float hills_at(int x, int y)
{
    float u = (float)x, v = (float)y;
    return 40 * sinf(u / 9) * cosf(v / 7) + 6 * sinf(u * 0.9f + 1) * sinf(v * 0.8f) + noise_at(x, y) / 100;
}

static inline float terraces_at(int x, int y)
{
    return floorf(hills_at(x, y) / 4) * 4;
}

static inline float flat_at(int x, int y)
{
    (void)x;
    (void)y;
    return 3;
}

static inline float plane_at(int x, int y)
{
    return (float)(3 * x + 2 * y);
}

/* Rings of walls, each with one gap, ever deeper inside. */
static inline float nested_at(int x, int y)
{
    int ring = x < y ? x : y;
    bool gap = (x * 7 + y) % 31 == 0;
    return ring % 3 == 2 && !gap ? 500.0f - (float)ring : 100.0f - 3 * (float)ring;
}

/* One long way between walls, which never branches: columns joined at alternate ends. */
static inline float maze_at(int x, int y)
{
    bool wall = x % 2 == 1 && (x % 4 == 1 ? y != 1 : y % 29 != 27);
    return wall ? 1000.0f : 50.0f - (float)(x % 3);
}

static inline float checkers_at(int x, int y)
{
    return (float)((x + y) & 1);
}

/* Differences of the least sizes, some of which do not count, zeros of both signs, many ties. */
static inline float tiny_at(int x, int y)
{
    static const float heights[] = {0.0f,  -0.0f,  1e-40f,          -1e-40f,         FLT_MIN, -FLT_MIN,
                                    3e-7f, -3e-7f, 1.25f * FLT_MIN, -1.5f * FLT_MIN, 2e-6f};
    return heights[(int)(noise_at(x, y) * 10.99f) % 11];
}

/* Up to the ends of float, so that differences overflow. */
static inline float huge_at(int x, int y)
{
    float z = noise_at(x, y) / 50 - 1;
    return z * 0.99f * FLT_MAX;
}

/* Across 8 m and 0, where steps change. */
static inline float low_at(int x, int y)
{
    return noise_at(x, y) / 5 - 10;
}

struct terrain {
    const char *name;
    float (*at)(int x, int y);
};
static const struct terrain terrains[] = {
    {"noise", noise_at},       {"hills", hills_at},   {"terraces", terraces_at}, {"flat", flat_at},
    {"plane", plane_at},       {"nested", nested_at}, {"maze", maze_at},         {"checkers", checkers_at},
    {"tiny numbers", tiny_at}, {"huge", huge_at},     {"low", low_at},
};
enum { TERRAINS = sizeof terrains / sizeof *terrains };

enum borders { OPEN, OPEN_AND_SEA, WALLS_AND_SEA, BORDERS };

/* A terrain with everything that is needed to drain it. */
struct site {
    struct oro_ground ground;
    size_t cells;
    float *z, *sea, *rain;
};

/* `count` items that are not zero before they are written. */
static inline void *room_for(size_t count, size_t size)
{
    unsigned char *room = malloc(count * size);
    assert_non_null(room);
    for (size_t i = 0; i < count * size; i++)
        room[i] = 0xa5;
    return room;
}

static inline struct site make_site(const struct terrain *terrain, int width, int height,
                                    enum borders borders)
{
    struct site site = {.cells = (size_t)width * (size_t)height};
    site.z = room_for(site.cells, sizeof *site.z);
    site.sea = room_for(site.cells, sizeof *site.sea);
    site.rain = room_for(site.cells, sizeof *site.rain);
    for (size_t i = 0; i < site.cells; i++) {
        int x = (int)(i % (size_t)width), y = (int)(i / (size_t)width);
        site.z[i] = terrain->at(x, y);
        site.sea[i] = noise_at(y + 3, x) < 2 || i == site.cells / 2 ? 1.0f : 0.5f;
        site.rain[i] = noise_at(x + 17, y) / 25 - 0.5f;
    }
    site.rain[0] = NAN;
    site.rain[site.cells - 1] = 1e9f;
    site.ground.width = width;
    site.ground.height = height;
    site.ground.z = site.z;
    site.ground.sea = borders == OPEN ? NULL : site.sea;
    site.ground.walls = borders == WALLS_AND_SEA;
    return site;
}

static inline void free_site(struct site *site)
{
    free(site->z);
    free(site->sea);
    free(site->rain);
}

static const int sizes[][2] = {
    {1, 1}, {1, 2},   {2, 1},   {1, 7},   {7, 1},   {2, 2},   {3, 3},    {3, 5},     {5, 7},
    {4, 9}, {17, 13}, {40, 40}, {64, 33}, {9, 100}, {100, 9}, {600, 20}, {1100, 10}, {120, 130},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Calls check(site, user) for every terrain, size and kind of border; failures say which it was. */
static inline void for_all_sites(void (*check)(struct site *site, void *user), void *user)
{
    for (int t = 0; t < TERRAINS; t++)
        for (int s = 0; s < SIZES; s++)
            for (int b = 0; b < BORDERS; b++) {
                struct site site = make_site(&terrains[t], sizes[s][0], sizes[s][1], (enum borders)b);
                check(&site, user);
                free_site(&site);
            }
}

/* Bits, so that zeros of both signs differ. */
#define assert_same(a, b, site)                                                                              \
    assert_same_bytes((a), (b), (site)->cells, sizeof *(a), #a, (site), __FILE__, __LINE__)

static inline void assert_same_bytes(const void *a, const void *b, size_t count, size_t size,
                                     const char *what, const struct site *site, const char *file, int line)
{
    const unsigned char *p = a, *q = b;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size; k++)
            if (p[i * size + k] != q[i * size + k]) {
                print_error("%s of %d x %d cells (borders: walls %d, sea %d), first height %g: cell %zu\n",
                            what, site->ground.width, site->ground.height, site->ground.walls,
                            site->ground.sea != NULL, (double)site->z[0], i);
                _fail(file, line);
            }
}

/* ---- The first rule of routing.h, word by word: it shares no code with terrain/drainage ---- */

static inline bool is_outlet(const struct site *site, size_t cell)
{
    const struct oro_ground *g = &site->ground;
    size_t width = (size_t)g->width, x = cell % width, y = cell / width;
    bool border = x == 0 || y == 0 || x == width - 1 || y == (size_t)g->height - 1;
    return (g->sea && g->sea[cell] > 0.5f) || (border && !g->walls);
}

/* Whether a cell has a neighbour 0..7, row by row; then `there` is it. */
static inline bool has_neighbour(const struct site *site, size_t cell, int k, size_t *there)
{
    static const int across[] = {-1, 0, 1, -1, 1, -1, 0, 1}, down[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    int x = (int)(cell % (size_t)site->ground.width) + across[k],
        y = (int)(cell / (size_t)site->ground.width) + down[k];
    *there = (size_t)y * (size_t)site->ground.width + (size_t)x;
    return x >= 0 && x < site->ground.width && y >= 0 && y < site->ground.height;
}

static inline size_t steepest_from(const struct site *site, const float *z, size_t cell)
{
    size_t best = cell, there;
    float most = 0;
    for (int k = 0; k < 8; k++) {
        if (!has_neighbour(site, cell, k, &there))
            continue;
        float drop = oro_height(z[cell]) - oro_height(z[there]);
        float slope = k == 0 || k == 2 || k == 5 || k == 7 ? drop * 0.70710678f : drop;
        if (drop < FLT_MIN || slope <= most)
            continue;
        most = slope;
        best = there;
    }
    return best;
}

/* Of heights `z` on the site's ground. A pit is its own receiver. Returns how many pits there are. */
static inline size_t steepest_receivers(const struct site *site, const float *z, uint32_t *receiver)
{
    size_t pits = 0;
    for (size_t i = 0; i < site->cells; i++) {
        bool outlet = is_outlet(site, i);
        receiver[i] = (uint32_t)(outlet ? i : steepest_from(site, z, i));
        pits += !outlet && receiver[i] == i;
    }
    return pits;
}

/* How many cells have nowhere to go down to: pits and flats. */
static inline size_t undrained(const struct site *site, const float *z)
{
    size_t count = 0;
    for (size_t i = 0; i < site->cells; i++)
        count += !is_outlet(site, i) && steepest_from(site, z, i) == i;
    return count;
}

#endif
