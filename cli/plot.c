#include "cli/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/console.h"

extern char **environ;

static const char *const names[] = {"hack", "slope-area", "hypsometry"};
enum { PLOTS = sizeof names / sizeof names[0] };

/* ---- Running gnuplot ---- */

/* Runs gnuplot without a shell and without the user's own settings. It reads `input` and writes `output`;
 * -1: nothing. Returns 0, or the error of starting it; `status` is how it ended. */
static int run_gnuplot(const char *argument, int input, int output, int *status)
{
    char *const words[] = {"gnuplot", "--default-settings", (char *)argument, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int problem = posix_spawn_file_actions_init(&actions);
    if (problem)
        return problem;
    if (input >= 0)
        problem = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    else
        problem = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!problem && output >= 0)
        problem = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    else if (!problem)
        problem = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!problem)
        problem = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!problem)
        problem = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!problem && waitpid(pid, status, 0) < 0)
        problem = errno == EINTR ? 0 : errno;
    return problem;
}

static bool check_gnuplot(struct oro_error *err)
{
    int status = 0, problem = run_gnuplot("--version", -1, -1, &status);
    if (problem == ENOENT || problem == EACCES ||
        (!problem && WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return oro_fail(err, ORO_E_WRITE,
                        "--plot needs the program gnuplot, which is not installed (Debian: gnuplot-nox)");
    if (problem)
        return oro_fail(err, ORO_E_WRITE, "gnuplot cannot be run: %s", strerror(problem));
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           oro_fail(err, ORO_E_WRITE, "gnuplot does not work: 'gnuplot --version' fails");
}

static char *plot_path(const char *prefix, const char *name)
{
    struct oro_text text = {0};
    oro_text_addf(&text, "%s-%s.png", prefix, name);
    if (text.failed)
        oro_text_free(&text);
    return text.data;
}

/* The picture goes from gnuplot's output into the file, so that gnuplot never sees the file's name. */
static bool draw(const char *path, FILE *script, struct oro_error *err)
{
    struct oro_file_output file = {0};
    int status = 0;
    if (!oro_file_begin(&file, path, err))
        return false;
    int problem = run_gnuplot("-", fileno(script), fileno(file.stream), &status);
    bool drawn = !problem && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                 lseek(fileno(file.stream), 0, SEEK_END) > 0;
    if (drawn)
        return oro_file_commit(&file, err);
    oro_file_abort(&file);
    return oro_fail(err, ORO_E_WRITE, "gnuplot could not draw '%s'", path);
}

/* ---- Scripts: text of ours and numbers, nothing of the user's ---- */

static const char head[] = "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size 800,600 } "
                           "else { set terminal png size 800,600 }\n"
                           "set grid\nset key bottom right\n";
static const char logarithmic[] = "set logscale xy\nset format '10^{%L}'\n";

/* One point; those that do not exist are left out. Returns how many were added. */
static int add_point(struct oro_text *text, double x, double y, bool positive)
{
    char a[ORO_NUMBER_SIZE], b[ORO_NUMBER_SIZE];
    if (!isfinite(x) || !isfinite(y) || (positive && (x <= 0 || y <= 0)))
        return 0;
    oro_text_addf(text, "%s %s\n", oro_format_number(x, a), oro_format_number(y, b));
    return 1;
}

/* The fitted line between the areas `from` and `to`. */
static void add_fit(struct oro_text *text, const struct oro_fit *fit, double from, double to, double unit)
{
    const double ends[] = {from, to};
    oro_text_add(text, "$line << END\n");
    for (int i = 0; i < 2; i++)
        add_point(text, ends[i] * unit, fit->factor * pow(ends[i] * unit, fit->exponent), true);
    oro_text_add(text, "END\n");
}

/* Areas of the first and the last bin that are part of a fit. */
static void fit_ends(const struct oro_metrics *metrics, double *from, double *to)
{
    *from = *to = NAN;
    for (int k = 0; k < metrics->bin_count; k++) {
        const struct oro_area_bin *bin = &metrics->bins[k];
        if (bin->cells == 0 || exp2(k / 2.0) < ORO_HACK_CELLS)
            continue;
        *from = isfinite(*from) ? *from : bin->area;
        *to = bin->area;
    }
}

static void add_plot(struct oro_text *text, const struct oro_fit *fit)
{
    oro_text_add(text, "plot $points with points pt 7 title 'means of half octaves'");
    if (isfinite(fit->exponent))
        oro_text_addf(text, ", $line with lines lw 2 title '%.3g a^{%.3g}, R^2 %.3f'", fit->factor,
                      fit->exponent, fit->r2);
    oro_text_add(text, "\n");
}

static int add_hack(struct oro_text *text, const struct oro_metrics *metrics, bool metres)
{
    double square_km = metres ? 1e-6 : 1, km = metres ? 1e-3 : 1, from, to;
    int points = 0;
    oro_text_addf(text,
                  "%sset title \"Hack's law\"\nset xlabel 'drainage area a (%s)'\nset ylabel "
                  "'longest way from the divide (%s)'\n$points << END\n",
                  logarithmic, metres ? "km^2" : "cells", metres ? "km" : "cells");
    for (int k = 0; k < metrics->bin_count; k++)
        if (metrics->bins[k].cells > 0)
            points += add_point(text, metrics->bins[k].area * square_km, metrics->bins[k].length * km, true);
    oro_text_add(text, "END\n");
    fit_ends(metrics, &from, &to);
    add_fit(text, &metrics->hack, from, to, square_km);
    add_plot(text, &metrics->hack);
    return points;
}

static int add_slope_area(struct oro_text *text, const struct oro_metrics *metrics, bool metres)
{
    double from, to;
    int points = 0;
    oro_text_addf(text,
                  "%sset title 'Slope against area'\nset key top right\nset xlabel 'drainage area a (%s)'\n"
                  "set ylabel 'slope'\n$points << END\n",
                  logarithmic, metres ? "m^2" : "cells");
    for (int k = 0; k < metrics->bin_count; k++)
        if (metrics->bins[k].cells > 0)
            points += add_point(text, metrics->bins[k].area, metrics->bins[k].slope, true);
    oro_text_add(text, "END\n");
    fit_ends(metrics, &from, &to);
    add_fit(text, &metrics->slope_area, from, to, 1);
    add_plot(text, &metrics->slope_area);
    return points;
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
static int add_script(struct oro_text *text, int plot, const struct oro_metrics *metrics, bool metres)
{
    oro_text_add(text, head);
    switch (plot) {
    case 0:
        return add_hack(text, metrics, metres);
    case 1:
        return add_slope_area(text, metrics, metres);
    default:
        return add_hypsometry(text, metrics);
    }
}

static bool draw_text(const char *path, const struct oro_text *text, struct oro_error *err)
{
    FILE *script = tmpfile();
    bool ok = script && fwrite(text->data, 1, text->length, script) == text->length && fflush(script) == 0 &&
              fseek(script, 0, SEEK_SET) == 0;
    if (!ok)
        oro_fail(err, ORO_E_WRITE, "cannot write a temporary file for gnuplot: %s", strerror(errno));
    ok = ok && draw(path, script, err);
    if (script)
        fclose(script);
    return ok;
}

bool cli_plot_check(const char *prefix, struct oro_error *err)
{
    bool ok = check_gnuplot(err);
    for (int i = 0; ok && i < PLOTS; i++) {
        char *path = plot_path(prefix, names[i]);
        ok = path ? oro_file_may_write(path, err) : oro_fail(err, ORO_E_MEMORY, "no memory for a name");
        oro_free(path);
    }
    return ok;
}

bool cli_plot_metrics(const char *prefix, const struct oro_metrics *metrics, bool metres,
                      struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < PLOTS; i++) {
        struct oro_text text = {0};
        char *path = plot_path(prefix, names[i]);
        int points = add_script(&text, i, metrics, metres);
        if (!path || text.failed)
            ok = oro_fail(err, ORO_E_MEMORY, "no memory to draw");
        else if (points < 2)
            cli_warning("'%s' is not drawn: the terrain gives no points for it", path);
        else
            ok = draw_text(path, &text, err);
        oro_free(path);
        oro_text_free(&text);
    }
    return ok;
}
