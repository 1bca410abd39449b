/* What `orograph measure --json` prints; docs/command-line.md describes the members. Numbers that the terrain
 * does not determine are null. */
#include "cli/report/json.h"
#include "cli/report/measured.h"

static void add_notice(void *notices, enum oro_level level, const char *text)
{
    (void)level;
    json_array_append_new(notices, json_string(text));
}

static void add_raster(json_t *object, const struct cli_measured *m)
{
    cli_json_text(object, "file", m->path);
    if (m->device && m->device[0])
        cli_json_text(object, "device", m->device);
    cli_json_integer(object, "width", m->of.width);
    cli_json_integer(object, "height", m->of.height);
    cli_json_add(object, "cell", m->of.cell > 0 ? json_real(m->of.cell) : NULL);
    if (m->place && m->place->crs) {
        cli_json_text(object, "crs", m->place->crs);
        cli_json_number(object, "west", m->place->west);
        cli_json_number(object, "north", m->place->north);
    }
    cli_json_flag(object, "metres", m->metres);
    cli_json_number(object, "low", m->of.low);
    cli_json_number(object, "high", m->of.high);
    cli_json_number(object, "mean", m->of.mean);
    if (m->of.sea > 0)
        cli_json_integer(object, "sea", (int64_t)m->of.sea);
    json_t *notices = json_array();
    oro_account_note(&m->account, &(struct oro_log){add_notice, notices});
    cli_json_add(object, "notices", notices);
}

static void add_drainage(json_t *object, const struct cli_measured *m)
{
    const struct oro_certificate *drainage = &m->metrics.certificate;
    double square = m->of.cell > 0 ? m->of.cell * m->of.cell : 1;
    json_t *fill = json_object();
    cli_json_flag(object, "drained", drainage->depressions == 0);
    cli_json_integer(object, "closed_depressions", (int64_t)drainage->depressions);
    cli_json_integer(object, "undrained_cells", (int64_t)drainage->undrained);
    cli_json_integer(object, "pits", (int64_t)drainage->pits);
    cli_json_integer(object, "flats", (int64_t)drainage->flats);
    cli_json_number(object, "share_ending_in_pit", drainage->share_ending_in_pit);
    cli_json_number(fill, "volume", drainage->fill_volume * square);
    cli_json_number(fill, "deepest", drainage->deepest);
    cli_json_add(object, "fill", fill);
}

static void add_carving(json_t *object, const struct cli_measured *m)
{
    const struct oro_drain_cost *carve = &m->metrics.carve;
    double square = m->of.cell > 0 ? m->of.cell * m->of.cell : 1;
    json_t *breach = json_object();
    cli_json_flag(breach, "possible", m->metrics.breachable);
    cli_json_integer(breach, "cells", (int64_t)carve->cells);
    cli_json_number(breach, "deepest", carve->deepest_cut);
    cli_json_number(breach, "volume", carve->cut_volume * square);
    cli_json_number(breach, "mean", m->metrics.mean_carve);
    cli_json_add(object, "breach", breach);
}

static void add_hack(json_t *object, const struct oro_fit *fit)
{
    json_t *hack = json_object();
    cli_json_number(hack, "c", fit->factor);
    cli_json_number(hack, "n", fit->exponent);
    cli_json_number(hack, "r2", fit->r2);
    cli_json_number(hack, "scatter", fit->scatter);
    cli_json_integer(hack, "cells", (int64_t)fit->count);
    cli_json_add(object, "hack", hack);
}

static json_t *bins_of(const struct oro_metrics *metrics)
{
    json_t *bins = json_array();
    for (int k = 0; k < metrics->bin_count; k++) {
        if (metrics->bins[k].cells == 0)
            continue;
        json_t *bin = json_object();
        cli_json_number(bin, "area", metrics->bins[k].area);
        cli_json_integer(bin, "cells", (int64_t)metrics->bins[k].cells);
        cli_json_number(bin, "slope", metrics->bins[k].slope);
        cli_json_number(bin, "length", metrics->bins[k].length);
        cli_json_number(bin, "slope_spread", metrics->bins[k].slope_spread);
        cli_json_number(bin, "length_spread", metrics->bins[k].length_spread);
        json_array_append_new(bins, bin);
    }
    return bins;
}

static void add_samples(json_t *object, const struct oro_metrics *metrics)
{
    const struct oro_sample *first = metrics->samples;
    size_t count = (size_t)metrics->sample_count;
    json_t *samples = json_object();
    cli_json_add(samples, "area", cli_json_numbers(&first->area, count, sizeof *first));
    cli_json_add(samples, "length", cli_json_numbers(&first->length, count, sizeof *first));
    cli_json_add(samples, "slope", cli_json_numbers(&first->slope, count, sizeof *first));
    cli_json_add(object, "samples", samples);
}

static json_t *drops_of(const struct oro_drop_law *law)
{
    json_t *drops = json_array();
    for (int k = 0; k < law->bin_count; k++) {
        const struct oro_drop_bin *bin = &law->bins[k];
        json_t *drop = json_object();
        cli_json_number(drop, "area", bin->area);
        cli_json_integer(drop, "segments", (int64_t)bin->segments);
        cli_json_number(drop, "slope", bin->slope);
        cli_json_pair(drop, "quartiles", bin->quartiles);
        json_array_append_new(drops, drop);
    }
    return drops;
}

static void add_slope_area(json_t *object, const struct cli_measured *m)
{
    const struct oro_drop_law *law = &m->realism.of[0].drops;
    json_t *slope_area = json_object();
    cli_json_number(slope_area, "ks", law->ks);
    cli_json_number(slope_area, "theta", law->theta);
    cli_json_number(slope_area, "r2", law->r2);
    cli_json_number(slope_area, "scatter", law->scatter);
    cli_json_integer(slope_area, "fitted_bins", law->fitted);
    cli_json_integer(slope_area, "segments", (int64_t)law->segments);
    cli_json_add(slope_area, "drops", drops_of(law));
    cli_json_add(slope_area, "bins", bins_of(&m->metrics));
    cli_json_add(object, "slope_area", slope_area);
}

static void add_rivers(json_t *object, const struct cli_measured *m)
{
    const struct oro_metrics *metrics = &m->metrics;
    json_t *chi = json_object();
    if (m->hidden_by > 0)
        cli_json_number(object, "rivers_hidden_by", m->hidden_by);
    add_hack(object, &metrics->hack);
    add_slope_area(object, m);
    add_samples(object, metrics);
    cli_json_number(chi, "theta", m->theta);
    cli_json_number(chi, "steepness", metrics->chi_steepness);
    cli_json_number(chi, "r2", metrics->chi_r2);
    cli_json_add(object, "chi", chi);
}

static json_t *area_error(const struct oro_area_error *error)
{
    json_t *object = json_object();
    cli_json_number(object, "rms", error->rms);
    cli_json_number(object, "bias", error->bias);
    cli_json_integer(object, "cells", (int64_t)error->cells);
    cli_json_integer(object, "without", (int64_t)error->without);
    return object;
}

static void add_drainage_error(json_t *object, const struct cli_measured *m)
{
    json_t *error = json_object();
    cli_json_add(error, "steepest", area_error(&m->metrics.steepest));
    cli_json_add(error, "given", m->drainage ? area_error(&m->metrics.given) : NULL);
    cli_json_add(object, "drainage_error", error);
}

/* What takes the whole. */
static void add_unknown(json_t *object)
{
    static const char *const names[] = {"breach", "hack", "slope_area", "samples", "chi", "drainage_error"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cli_json_add(object, names[i], NULL);
}

static void add_hypsometry(json_t *object, const struct cli_measured *m)
{
    json_t *hypsometry = json_object();
    cli_json_number(hypsometry, "integral", m->metrics.hypsometric_integral);
    cli_json_add(hypsometry, "curve",
                 cli_json_numbers(m->metrics.hypsometry, ORO_HYPSOMETRY_POINTS, sizeof(double)));
    cli_json_add(object, "hypsometry", hypsometry);
}

json_t *cli_measured_object(const struct cli_measured *measured)
{
    json_t *object = json_object();
    add_raster(object, measured);
    add_drainage(object, measured);
    if (measured->by_tiles)
        add_unknown(object);
    else {
        add_carving(object, measured);
        add_rivers(object, measured);
        add_drainage_error(object, measured);
    }
    add_hypsometry(object, measured);
    cli_realism_json(object, &measured->realism);
    return object;
}

bool cli_measure_json(const struct cli_measured *measured, struct oro_error *err)
{
    return cli_json_print(cli_measured_object(measured)) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the measures");
}
