/* Wavelengths of gabor, phasor_noise and phasor: the power spectrum has its peak at the frequency asked for.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { CELLS_MAX = 4096, CELL = 5 };
static const double pi = 3.14159265358979323846;

/* Power around a frequency, in cycles per cell, summed over rows of `cells`: bins from `first` on. */
struct spectrum {
    double frequency;
    int cells, first, count, rows;
    double power[CELLS_MAX];
};

static struct spectrum spectrum_around(double frequency, int cells)
{
    struct spectrum s = {.frequency = frequency, .cells = cells, .first = (int)(0.3 * frequency * cells)};
    s.count = (int)fmin(1.8 * frequency * cells, cells / 2) - s.first;
    return s;
}

static double power_at(const float *row, int cells, int bin)
{
    double c = cos(2 * pi * bin / cells), s = sin(2 * pi * bin / cells), x = 1, y = 0, re = 0, im = 0;
    for (int i = 0; i < cells; i++) {
        double turned = x * c - y * s;
        re += (double)row[i] * x;
        im += (double)row[i] * y;
        y = x * s + y * c;
        x = turned;
    }
    return re * re + im * im;
}

/* With Hann's window. */
static void add_row(struct spectrum *s, const float *row)
{
    float windowed[CELLS_MAX];
    for (int i = 0; i < s->cells; i++)
        windowed[i] = (float)((double)row[i] * (1 - cos(2 * pi * (i + 0.5) / s->cells)));
    for (int i = 0; i < s->count; i++)
        s->power[i] += power_at(windowed, s->cells, s->first + i);
    s->rows++;
}

/* Where the spectrum is highest, after smoothing by a Gaussian of 8 % of the frequency: relative to that. */
static double peak_of(const struct spectrum *s)
{
    double best = 0, most = -1, width = 0.08 * s->frequency * s->cells;
    for (double at = 0.5; at < 1.5; at += 0.002) {
        double sum = 0, total = 0;
        for (int i = 0; i < s->count; i++) {
            double d = (s->first + i - at * s->frequency * s->cells) / width, weight = exp(-d * d / 2);
            sum += weight * s->power[i];
            total += weight;
        }
        if (sum / total > most) {
            most = sum / total;
            best = at;
        }
    }
    return best;
}

/* Stripes from north to south on a single row, and another one for each seed. */
static void add_noise(struct spectrum *s, const char *type, int seeds)
{
    float *none = site_uniform(s->cells, 1, 0);
    for (int seed = 0; seed < seeds; seed++) {
        struct site site = site_start(&h, s->cells, 1, CELL);
        site_raster(&site, "size", none);
        site_node(&site, "n", type, LINK("like", "size.terrain") IN("frequency", "%.9g") IN("seed", "%d"),
                  s->frequency / CELL, seed);
        float *row = site_take(&site, "n", "field");
        add_row(s, row);
        oro_free(row);
    }
    oro_free(none);
}

/* Ravines down a plane that falls to the south. */
static void add_phasor(struct spectrum *s, int seeds)
{
    enum { ROWS = 2 };
    float *plane = site_uniform(s->cells, ROWS, 0);
    for (int i = 0; i < s->cells * ROWS; i++)
        plane[i] = (float)(-2 * (i / s->cells));
    for (int seed = 0; seed < seeds; seed++) {
        struct site site = site_start(&h, s->cells, ROWS, CELL);
        site_raster(&site, "plane", plane);
        site_node(&site, "n", "phasor",
                  LINK("terrain", "plane.terrain") IN("scale", "1") IN("rivers", "false") IN("radius", "0")
                      IN("frequency", "%.9g") IN("seed", "%d"),
                  s->frequency / CELL, seed);
        float *detail = site_take(&site, "n", "detail");
        add_row(s, detail);
        oro_free(detail);
    }
    oro_free(plane);
}

/* Waves of 4 cells, the shortest there are, to 100: 1/2 to 1/50 of Nyquist's frequency. Enough rows to have
 * about 5000 waves or more, of which a kernel has some three; half as many of `phasor`. */
static const struct {
    int wave, cells, rows;
} cases[] = {{4, 1024, 32}, {9, 2048, 36}, {25, 4096, 50}, {100, 4096, 120}};
enum { CASES = sizeof cases / sizeof cases[0] };

TEST(peaks_are_where_asked)
{
    need_device();
    static const char *const types[] = {"gabor", "phasor_noise", "phasor"};
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < CASES; i++) {
            struct spectrum s = spectrum_around(1.0 / cases[i].wave, cases[i].cells);
            if (t < 2)
                add_noise(&s, types[t], cases[i].rows);
            else
                add_phasor(&s, cases[i].rows / 2);
            double peak = peak_of(&s);
            print_message("%s, waves of %d cells: peak at %.3f of the frequency\n", types[t], cases[i].wave,
                          peak);
            assert_near(peak, 1, 0.05);
        }
}

/* Waves of 16 cells in the west, of 8 in the east. */
TEST(maps_of_frequency_are_followed)
{
    need_device();
    enum { CELLS = 4096, HALF = CELLS / 2, SEEDS = 40 };
    struct spectrum west = spectrum_around(1.0 / 16, HALF), east = spectrum_around(1.0 / 8, HALF);
    float *frequency = site_uniform(CELLS, 1, 1.0 / (16 * CELL));
    for (int i = HALF; i < CELLS; i++)
        frequency[i] *= 2;
    for (int seed = 0; seed < SEEDS; seed++) {
        struct site site = site_start(&h, CELLS, 1, CELL);
        site_raster(&site, "map", frequency);
        site_node(&site, "n", "gabor", LINK("frequency", "map.terrain") IN("seed", "%d"), seed);
        float *row = site_take(&site, "n", "field");
        add_row(&west, row);
        add_row(&east, row + HALF);
        oro_free(row);
    }
    oro_free(frequency);
    assert_near(peak_of(&west), 1, 0.05);
    assert_near(peak_of(&east), 1, 0.05);
}

TEST_GROUP(open_harness, close_harness);
