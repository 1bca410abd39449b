/* What `orograph measure` prints for people. Numbers that the terrain does not determine show as "-". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/measured.h"

enum { NUMBER = 40 };

static const char *number(double value, int digits, char out[NUMBER])
{
    if (isfinite(value))
        snprintf(out, NUMBER, "%.*g", digits, value);
    else
        snprintf(out, NUMBER, "-");
    return out;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Volumes are in metres times cells, both of which may be unknown. */
struct units {
    double square;      /* area of a cell */
    const char *volume; /* " m3" */
    const char *height; /* " m", or nothing */
};

static struct units units_of(const struct cli_measured *m)
{
    bool cell = m->of.cell > 0;
    const char *volume = m->metres ? (cell ? " m3" : " m x cells") : (cell ? " x m2" : " x cells");
    return (struct units){cell ? m->of.cell * m->of.cell : 1, volume, m->metres ? " m" : ""};
}

static void print_raster(const struct cli_measured *m)
{
    char text[ORO_NUMBER_SIZE];
    const char *unit = m->metres ? " m" : "";
    int digits = m->metres ? 2 : 5;
    printf("file        %s\n", m->path);
    if (m->device && m->device[0])
        printf("from        a %s%s\n", m->device,
               strcmp(m->device, "processor") == 0 ? ", with the same bits on every other"
                                                   : "; others give it with small differences");
    printf("size        %d x %d\n", m->of.width, m->of.height);
    if (m->of.cell > 0)
        printf("cell        %s m (%.6g x %.6g m in all)\n", oro_format_number(m->of.cell, text),
               m->of.width * m->of.cell, m->of.height * m->of.cell);
    else
        printf("cell        unknown (give --cell M): lengths and areas are in cells\n");
    if (m->place && m->place->crs)
        printf("place       %.80s, west edge %.10g m, north edge %.10g m\n", m->place->crs, m->place->west,
               m->place->north);
    printf("range       %.*f..%.*f%s%s\n", digits, m->of.low, digits, m->of.high, unit,
           m->metres ? "" : " (no height range known; give --low M --high M)");
    printf("mean        %.*f%s\n", digits, m->of.mean, unit);
    if (m->of.sea > 0)
        printf("sea         %zu cell%s, which are no ground and count nowhere\n", m->of.sea,
               plural(m->of.sea));
}

static void print_drainage(const struct cli_measured *m)
{
    char text[ORO_DRAINAGE_TEXT], volume[NUMBER], deepest[NUMBER];
    const struct oro_certificate *drainage = &m->metrics.certificate;
    struct units units = units_of(m);
    printf("\nDrainage (border cells%s are outlets)\n", m->of.sea ? " and the sea" : "");
    printf("result      %s\n", oro_drainage_text(drainage, text));
    printf("pits        %zu\n", drainage->pits);
    printf("flats       %zu\n", drainage->flats);
    printf("into pits   %.2f %% of the cells, by steepest descent\n", 100 * drainage->share_ending_in_pit);
    printf("to fill     %s%s, %s%s deep at most\n", number(drainage->fill_volume * units.square, 4, volume),
           units.volume, number(drainage->deepest, 4, deepest), units.height);
}

static void print_carving(const struct cli_measured *m)
{
    char mean[NUMBER], volume[NUMBER], deepest[NUMBER];
    const struct oro_drain_cost *carve = &m->metrics.carve;
    struct units units = units_of(m);
    if (!m->metrics.breachable) {
        printf("to breach   not possible in 32-bit numbers\n");
        return;
    }
    printf("to breach   %s%s, %s%s deep at most, %zu cell%s\n",
           number(carve->cut_volume * units.square, 4, volume), units.volume,
           number(carve->deepest_cut, 4, deepest), units.height, carve->cells, plural(carve->cells));
    printf("b-bar       %s%s (mean depth of breaching)\n", number(m->metrics.mean_carve, 4, mean),
           units.height);
}

static void print_area_error(const char *name, const struct oro_area_error *error)
{
    char rms[NUMBER], bias[NUMBER];
    printf("%s   off by %s octaves (root mean square), %s on average", name, number(error->rms, 3, rms),
           number(error->bias, 3, bias));
    if (error->without > 0)
        printf("; %zu cell%s without an area", error->without, plural(error->without));
    putchar('\n');
}

static void print_rivers(const struct cli_measured *m)
{
    char a[NUMBER], b[NUMBER], c[NUMBER], d[NUMBER];
    const struct oro_metrics *metrics = &m->metrics;
    const struct oro_drop_law *drops = &m->realism.of[0].drops;
    bool cell = m->of.cell > 0;
    if (m->hidden_by > 0) {
        printf("\nRivers\n");
        printf(
            "not told    %.0f %% of the ground is level in steps of %s%s, and water could cross it in many "
            "ways: measure 32-bit heights, a file of a narrower range, or one that was drained with "
            "'strict'\n",
            100 * m->hidden_by, number(m->step, 3, a), m->metres ? " m" : "");
        return;
    }
    printf("\nRivers (where %d cells or more drain through)\n", ORO_HACK_CELLS);
    printf("Hack        l = c a^n: c %s, n %s, R2 %s, scatter x %s, %zu cell%s (%s)\n",
           number(metrics->hack.factor, 3, a), number(metrics->hack.exponent, 3, b),
           number(metrics->hack.r2, 3, c), number(pow(10, metrics->hack.scatter), 3, d), metrics->hack.count,
           plural(metrics->hack.count), cell ? "km, km2" : "in cells");
    printf("slope-area  s = ks a^-theta: ks %s, theta %s, R2 %s, scatter x %s, %zu drop%s of %d m (%s)\n",
           number(drops->ks, 3, a), number(drops->theta, 3, b), number(drops->r2, 3, c),
           number(pow(10, drops->scatter), 3, d), drops->segments, plural(drops->segments), ORO_DROP,
           cell ? "m2" : "in cells");
    printf("chi         theta %s: R2 %s, steepness %s\n", number(m->theta, 3, a),
           number(metrics->chi_r2, 3, b), number(metrics->chi_steepness, 3, c));
    print_area_error("plain D8 ", &metrics->steepest);
    if (m->drainage)
        print_area_error("given    ", &metrics->given);
}

static void print_shape(const struct cli_measured *m)
{
    char a[NUMBER];
    const double *curve = m->metrics.hypsometry;
    printf("\nHypsometry\n");
    printf("integral    %s\n", number(m->metrics.hypsometric_integral, 3, a));
    printf("above       ");
    for (int k = 10; k < 100; k += 20)
        printf("%d %%: %s%s", k, number(100 * curve[k], 3, a), k < 90 ? ", " : "");
    printf(" (%% of the cells above a share of the relief)\n");
}

static void print_left_out(const struct oro_measure *of)
{
    double bytes = (double)of->width * of->height * CLI_MEASURE_CELL_BYTES;
    if (of->width > ORO_HEIGHTFIELD_SIDE_MAX || of->height > ORO_HEIGHTFIELD_SIDE_MAX)
        printf("\nBreaching, rivers and realism are measured of the whole, up to %d cells a side\n",
               ORO_HEIGHTFIELD_SIDE_MAX);
    else
        printf("\nBreaching, rivers and realism take the whole in memory: --memory %.0f\n",
               ceil(bytes / (1 << 20)) + 1);
}

void cli_measure_text(const struct cli_measured *measured)
{
    print_raster(measured);
    print_drainage(measured);
    if (!measured->by_tiles) {
        print_carving(measured);
        print_rivers(measured);
    }
    print_shape(measured);
    if (measured->by_tiles)
        print_left_out(&measured->of);
    else
        cli_realism_text(&measured->realism);
}
