/* Gabor noise has neither steps nor creases, between the cells of its lattice and where its kernels end: on
 * strips with far more cells to a wave than are needed, where a step stands out against the differences of a
 * smooth wave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

static const double pi = 3.14159265358979323846;

/* A row or a column across the stripes, in standard deviations of the field: up to 3, where it is cut off.
 * Frequencies in waves per metre. */
static float *strip(bool column, int cells, double cell, const float *frequency, int seed)
{
    struct site site = site_start(&h, column ? 1 : cells, column ? cells : 1, cell);
    site_raster(&site, "map", frequency);
    site_node(&site, "n", "gabor",
              LINK("frequency", "map.terrain") IN("amplitude", "3") IN("angle", "%d") IN("seed", "%d"),
              column ? 90 : 0, seed);
    return site_take(&site, "n", "field");
}

/* Largest first and second differences between neighbours. */
struct differences {
    double first, second;
};

static void widen(struct differences *most, const float *row, int from, int to)
{
    for (int i = from + 1; i < to - 1; i++) {
        double here = (double)row[i], before = here - (double)row[i - 1], after = (double)row[i + 1] - here;
        if (fabs(here) >= 3 || fabs(here - before) >= 3 || fabs(here + after) >= 3)
            continue;
        most->first = fmax(most->first, fabs(after));
        most->second = fmax(most->second, fabs(after - before));
    }
}

static struct differences of_waves(double cells_per_wave, int waves, double cell)
{
    enum { SEEDS = 8 };
    int cells = (int)(cells_per_wave * waves);
    float *frequency = site_uniform(cells, 1, 1 / (cells_per_wave * cell));
    struct differences most = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
        float *row = strip(seed & 1, cells, cell, frequency, seed);
        widen(&most, row, 0, cells);
        oro_free(row);
    }
    oro_free(frequency);
    return most;
}

/* With cells a quarter as wide, first differences of a smooth field are a quarter as large, second ones a
 * sixteenth; a step stays as large as it is. Second differences have a standard deviation of 1.15 (2 pi /
 * wave)^2. */
TEST(differences_shrink_with_the_cells)
{
    need_device();
    enum { WAVE = 100, WAVES = 20, FINER = 4 };
    struct differences coarse = of_waves(WAVE, WAVES, FINER), fine = of_waves(WAVE * FINER, WAVES, 1);
    double steepness = 2 * pi / WAVE;
    print_message("differences of cells a quarter as wide: %.3f / 4, %.3f / 16\n",
                  4 * fine.first / coarse.first, 16 * fine.second / coarse.second);
    assert_true(coarse.first > 2 * steepness && coarse.first < 4.5 * steepness);
    assert_true(coarse.second < 4.5 * 1.15 * steepness * steepness);
    assert_near(4 * fine.first / coarse.first, 1, 0.02);
    assert_near(16 * fine.second / coarse.second, 1, 0.05);
}

/* Kernels on a narrow band along the stripes, and nothing else. From 3 of their standard deviations on they
 * are so low that second differences are well below 1 / deviation^2; a crease where they end, at 3.46, or a
 * step, would be larger by the number of cells to a deviation. */
TEST(kernels_end_without_a_crease)
{
    need_device();
    enum { DEVIATION = 800, WAVE = 2 * DEVIATION, WEST = 100, EAST = 250, CELLS = 3300, SEEDS = 20 };
    float *frequency = site_uniform(CELLS, 1, 0);
    for (int i = WEST; i < EAST; i++)
        frequency[i] = 1.0f / WAVE;
    double highest = 0;
    struct differences most = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
        float *row = strip(seed & 1, CELLS, 1, frequency, seed);
        widen(&most, row, EAST + 3 * DEVIATION, CELLS);
        for (int i = EAST + 3 * DEVIATION; i < CELLS; i++)
            highest = fmax(highest, fabs((double)row[i]));
        assert_true(row[CELLS - 1] == 0); /* the end is within the strip */
        oro_free(row);
    }
    oro_free(frequency);
    print_message("tails: %.2g high, second differences %.2g / deviation^2\n", highest,
                  most.second * DEVIATION * DEVIATION);
    assert_true(highest > 1e-3);
    assert_true(most.second * DEVIATION * DEVIATION < 1);
}

TEST_GROUP(open_harness, close_harness);
