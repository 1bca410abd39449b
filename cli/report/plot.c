#include "cli/report/plot.h"

#include <math.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/report/console.h"
#include "formats/network/gnuplot.h"

static const char *const names[] = {"hack", "slope-area", "hypsometry"};
enum { PLOTS = sizeof names / sizeof names[0] };

static char *plot_path(const char *prefix, const char *name)
{
    return oro_text_of("%s-%s.png", prefix, name);
}

/* ---- Scripts: they hold our own text and numbers, and no text of the user's ---- */

static const char head[] = "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size 800,600 } "
                           "else { set terminal png size 800,600 }\n"
                           "set grid\nset key bottom right\n";
static const char logarithmic[] = "set logscale xy\nset format '10^{%L}'\n";

/* Adds one point, unless a coordinate is not finite, or not positive where that is required. Returns how many
 * were added. */
static int add_point(struct oro_text *text, double x, double y, bool positive)
{
    char a[ORO_NUMBER_SIZE], b[ORO_NUMBER_SIZE];
    if (!isfinite(x) || !isfinite(y) || (positive && (x <= 0 || y <= 0)))
        return 0;
    oro_text_addf(text, "%s %s\n", oro_format_number(x, a), oro_format_number(y, b));
    return 1;
}

/* A quantity of rivers against drainage area, with the factors that convert square metres and metres to the
 * axes' units. */
struct law {
    const struct oro_metrics *metrics;
    const struct oro_drop_law *drops; /* the quantity is the slope; NULL: the length */
    struct oro_fit fit;
    double square, unit;
};

/* Adds the points of single cells. */
static int add_cloud(struct oro_text *text, const struct law *law)
{
    int points = 0;
    oro_text_add(text, "$cloud << END\n");
    for (int i = 0; i < law->metrics->sample_count; i++) {
        const struct oro_sample *sample = &law->metrics->samples[i];
        double y = law->drops ? sample->slope : sample->length;
        points += add_point(text, sample->area * law->square, y * law->unit, true);
    }
    oro_text_add(text, "END\n");
    return points;
}

/* Adds a point with the ends of its bar. Returns how many were added. */
static int add_bar(struct oro_text *text, double x, double y, double low, double high)
{
    char a[ORO_NUMBER_SIZE], numbers[3][ORO_NUMBER_SIZE];
    if (!isfinite(y) || !(low > 0) || !isfinite(high))
        return 0;
    oro_text_addf(text, "%s %s %s %s\n", oro_format_number(x, a), oro_format_number(y, numbers[0]),
                  oro_format_number(low, numbers[1]), oro_format_number(high, numbers[2]));
    return 1;
}

/* Adds a point for each half octave: the mean length of cells, with one standard deviation below and above,
 * or the median slope of drops with its quartiles. */
static int add_bins(struct oro_text *text, const struct law *law)
{
    int points = 0;
    oro_text_add(text, "$points << END\n");
    for (int k = 0; law->drops && k < law->drops->bin_count; k++) {
        const struct oro_drop_bin *bin = &law->drops->bins[k];
        points += add_bar(text, bin->area, bin->slope, bin->quartiles[0], bin->quartiles[1]);
    }
    for (int k = 0; !law->drops && k < law->metrics->bin_count; k++) {
        const struct oro_area_bin *bin = &law->metrics->bins[k];
        double y = bin->length * law->unit, times = pow(10, bin->length_spread);
        if (bin->cells > 0)
            points += add_bar(text, bin->area * law->square, y, y / times, y * times);
    }
    oro_text_add(text, "END\n");
    return points;
}

/* Areas of the first and the last bin that the fit uses. */
static void fit_ends(const struct law *law, double ends[2])
{
    const struct oro_metrics *metrics = law->metrics;
    ends[0] = ends[1] = NAN;
    for (int k = 0; k < (law->drops ? law->drops->bin_count : metrics->bin_count); k++) {
        double area = law->drops ? law->drops->bins[k].area : metrics->bins[k].area;
        if (law->drops ? law->drops->bins[k].segments < ORO_DROP_SEGMENTS
                       : metrics->bins[k].cells == 0 || exp2(k / 2.0) < ORO_HACK_CELLS)
            continue;
        ends[0] = isfinite(ends[0]) ? ends[0] : area;
        ends[1] = area;
    }
}

static int add_line(struct oro_text *text, const struct law *law)
{
    double ends[2];
    int points = 0;
    fit_ends(law, ends);
    oro_text_add(text, "$line << END\n");
    for (int i = 0; i < 2; i++) {
        double x = ends[i] * law->square;
        points += add_point(text, x, law->fit.factor * pow(x, law->fit.exponent), true);
    }
    oro_text_add(text, "END\n");
    return points;
}

static int add_law(struct oro_text *text, const struct law *law)
{
    int cloud = add_cloud(text, law), points = add_bins(text, law), line = add_line(text, law);
    oro_text_add(text, "plot ");
    if (cloud > 0)
        oro_text_add(text, "$cloud with points pt 7 ps 0.4 lc rgb '#b0b0b0' title 'single cells', ");
    oro_text_addf(text, "$points with yerrorbars pt 7 lc rgb '#1f4e9c' title 'half octaves: %s'",
                  law->drops ? "median of drops, quartiles" : "mean, standard deviation");
    if (line > 0)
        oro_text_addf(text, ", $line with lines lw 2 lc rgb '#c8401a' title '%.3g a^{%.3g}, R^2 %.3f'",
                      law->fit.factor, law->fit.exponent, law->fit.r2);
    oro_text_add(text, "\n");
    return points;
}

static int add_hack(struct oro_text *text, const struct oro_metrics *metrics, bool metres)
{
    struct law law = {
        .metrics = metrics, .fit = metrics->hack, .square = metres ? 1e-6 : 1, .unit = metres ? 1e-3 : 1};
    oro_text_addf(text,
                  "%sset title \"Hack's law\"\nset xlabel 'drainage area a (%s)'\nset ylabel "
                  "'longest way from the divide (%s)'\n",
                  logarithmic, metres ? "km^2" : "cells", metres ? "km" : "cells");
    return add_law(text, &law);
}

static int add_slope_area(struct oro_text *text, const struct oro_metrics *metrics,
                          const struct oro_drop_law *drops, bool metres)
{
    struct law law = {.metrics = metrics,
                      .drops = drops,
                      .fit = {.factor = drops->ks, .exponent = -drops->theta, .r2 = drops->r2},
                      .square = 1,
                      .unit = 1};
    oro_text_addf(text,
                  "%sset title 'Slope against area'\nset key top right\nset xlabel 'drainage area a (%s)'\n"
                  "set ylabel 'slope'\n",
                  logarithmic, metres ? "m^2" : "cells");
    return add_law(text, &law);
}

static int add_hypsometry(struct oro_text *text, const struct oro_metrics *metrics)
{
    int points = 0;
    oro_text_addf(text,
                  "set title 'Hypsometry (integral %.3f)'\nset xlabel 'share of the area at or above'\n"
                  "set ylabel 'share of the relief'\nset xrange [0:1]\nset yrange [0:1]\nunset key\n"
                  "$points << END\n",
                  metrics->hypsometric_integral);
    for (int k = 0; k < ORO_HYPSOMETRY_POINTS; k++)
        points += add_point(text, metrics->hypsometry[k], k / (ORO_HYPSOMETRY_POINTS - 1.0), false);
    oro_text_add(text, "END\nplot $points with lines lw 2\n");
    return points;
}

/* Returns how many points there are. */
static int add_script(struct oro_text *text, int plot, const struct oro_metrics *metrics,
                      const struct oro_drop_law *drops, bool metres)
{
    oro_text_add(text, head);
    switch (plot) {
    case 0:
        return add_hack(text, metrics, metres);
    case 1:
        return add_slope_area(text, metrics, drops, metres);
    default:
        return add_hypsometry(text, metrics);
    }
}

bool cli_plot_check(const char *prefix, struct oro_error *err)
{
    bool ok = oro_gnuplot_check(err);
    for (int i = 0; ok && i < PLOTS; i++) {
        char *path = plot_path(prefix, names[i]);
        ok = path ? oro_file_may_write(path, err) : oro_fail(err, ORO_E_MEMORY, "no memory for a name");
        oro_free(path);
    }
    return ok;
}

bool cli_plot_metrics(const char *prefix, const struct oro_metrics *metrics, const struct oro_drop_law *drops,
                      bool metres, struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < PLOTS; i++) {
        struct oro_text text = {0};
        char *path = plot_path(prefix, names[i]);
        int points = add_script(&text, i, metrics, drops, metres);
        if (!path || text.failed)
            ok = oro_fail(err, ORO_E_MEMORY, "no memory to draw");
        else if (points < 2)
            cli_warning("'%s' is not drawn: the terrain gives no points for it", path);
        else
            ok = oro_gnuplot_draw(path, text.data, err);
        oro_free(path);
        oro_text_free(&text);
    }
    return ok;
}
