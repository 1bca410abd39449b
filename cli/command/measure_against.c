/* orograph measure --against: how far the ridges and rivers of one terrain, or the lines of one network, lie
 * from those of another, and how far terrains look alike. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/command/measure.h"
#include "cli/report/json.h"
#include "formats/network/network_file.h"
#include "terrain/network/compare.h"

/* The default prominence, as a share of the relief. The default river area is where `orograph measure` begins
 * rivers. */
static const double prominence_share = 0.02;

/* Lines of a file are sampled at least this many times where no cell size is given. */
enum { LINE_SAMPLES = 10000 };

struct row {
    const char *name;
    struct oro_comparison of;
};

struct compared {
    const struct cli_measure_request *request;
    double cell; /* metres; 0: not known, and lengths are in cells */
    bool metres; /* lengths are in metres */
    const char *threshold_unit[2];
    struct row rows[2];
    int count;
    struct cli_realism realism; /* of terrains */
};

/* ---- Showing ---- */

static bool show_json(const struct compared *c, struct oro_error *err)
{
    json_t *object = json_object();
    cli_json_text(object, "file", c->request->path);
    cli_json_text(object, "against", c->request->against);
    cli_json_add(object, "cell", c->cell > 0 ? json_real(c->cell) : NULL);
    for (int i = 0; i < c->count; i++) {
        const struct oro_comparison *of = &c->rows[i].of;
        json_t *row = json_object();
        cli_json_number(row, "there", of->there);
        cli_json_number(row, "back", of->back);
        cli_json_number(row, "mean", of->mean);
        cli_json_pair(row, "length", of->length);
        if (c->count > 1)
            cli_json_pair(row, "threshold", of->threshold);
        cli_json_add(object, c->rows[i].name, row);
    }
    if (c->realism.count > 0)
        cli_realism_json(object, &c->realism);
    return cli_json_print(object) || oro_fail(err, ORO_E_MEMORY, "no memory for the measures");
}

static void show_row(const struct compared *c, const struct row *row, const char *threshold_unit)
{
    const struct oro_comparison *of = &row->of;
    const char *unit = c->metres ? "m" : "cells";
    if (isnan(of->mean)) {
        printf("%-11s none to compare\n", row->name);
        return;
    }
    printf("%-11s %.2f %s apart on average", row->name, of->mean, unit);
    if (c->metres && c->cell > 0)
        printf(" (%.2f cells)", of->mean / c->cell);
    printf(", %.2f there, %.2f back\n            %.0f and %.0f %s long", of->there, of->back, of->length[0],
           of->length[1], unit);
    if (threshold_unit)
        printf(", from %.4g and %.4g%s on", of->threshold[0], of->threshold[1], threshold_unit);
    putchar('\n');
}

static bool show(const struct compared *c, struct oro_error *err)
{
    if (c->request->json)
        return show_json(c, err);
    printf("file        %s\nagainst     %s\n", c->request->path, c->request->against);
    for (int i = 0; i < c->count; i++)
        show_row(c, &c->rows[i], c->threshold_unit[i]);
    if (c->realism.count > 0)
        cli_realism_text(&c->realism);
    return true;
}

/* ---- Lines of files ---- */

/* A GeoPackage may hold heights as well: it has lines where the other file has. */
static bool has_lines(const char *path, const char *other)
{
    const char *const gpkg = "gpkg";
    bool may = oro_network_file_known(path), either = strcasecmp(oro_path_extension(path), gpkg) == 0;
    return may &&
           (!either || (oro_network_file_known(other) && strcasecmp(oro_path_extension(other), gpkg) != 0));
}

static void compare_lines(const struct cli_measure_request *request, const struct oro_network *a,
                          const struct oro_network *b, struct oro_comparison *of)
{
    of->length[0] = oro_network_length(a);
    of->length[1] = oro_network_length(b);
    double all = of->length[0] + of->length[1];
    double step = request->cell > 0 ? request->cell / 2 : all > 0 ? all / LINE_SAMPLES : 1;
    of->there = oro_network_distance(a, b, step);
    of->back = oro_network_distance(b, a, step);
    of->mean = (of->there + of->back) / 2;
}

static bool against_lines(const struct cli_measure_request *request, struct oro_error *err)
{
    struct compared c = {
        .request = request, .cell = request->cell, .metres = true, .rows = {{.name = "lines"}}, .count = 1};
    struct oro_network *of[2];
    bool ok = oro_network_file_read_two((const char *const[]){request->path, request->against}, of, err);
    if (ok)
        compare_lines(request, of[0], of[1], &c.rows[0].of);
    ok = ok && show(&c, err);
    oro_free(of[0]);
    oro_free(of[1]);
    return ok;
}

/* ---- Ridges and rivers of terrains ---- */

static double relief_of(const struct oro_heightfield *field)
{
    struct oro_measure of;
    oro_measure_values(field, &of);
    return of.high - of.low;
}

static bool compare_realism(struct compared *c, const struct oro_ground *a, const struct oro_ground *b,
                            struct oro_error *err)
{
    double scale = c->request->scale;
    return !c->realism.known || (oro_realism(a, c->cell, scale, &c->realism.of[0], err) &&
                                 oro_realism(b, c->cell, scale, &c->realism.of[1], err) &&
                                 oro_realism_against(a, b, c->cell, scale, &c->realism.difference, err));
}

static bool compare_terrains(const struct cli_measure_request *request, const struct oro_heightfield *a,
                             const struct oro_heightfield *b, struct oro_error *err)
{
    struct oro_ground first = oro_heightfield_ground(a), second = oro_heightfield_ground(b);
    double cell = a->cell > 0 ? a->cell : b->cell > 0 ? b->cell : 1;
    struct compared c = {.request = request,
                         .cell = a->cell > 0 || b->cell > 0 ? cell : 0,
                         .metres = a->cell > 0 || b->cell > 0,
                         .rows = {{.name = "ridges"}, {.name = "rivers"}},
                         .count = 2,
                         .realism = {.count = 2}};
    c.realism.known = c.metres && a->metres && b->metres;
    c.threshold_unit[0] = a->metres && b->metres ? " m of prominence" : " of prominence";
    c.threshold_unit[1] = c.metres ? " m2" : " cells";
    double prominence = request->prominence > 0 ? request->prominence : prominence_share * relief_of(a);
    double area = request->river_area > 0 ? request->river_area : ORO_HACK_CELLS * cell * cell;
    return oro_compare_ridges(&first, &second, cell, prominence, &c.rows[0].of, err) &&
           oro_compare_rivers(&first, &second, cell, area, &c.rows[1].of, err) &&
           compare_realism(&c, &first, &second, err) && show(&c, err);
}

/* The other file has the metres that it says itself, else those of the request. */
static bool read_other(const struct cli_measure_request *request, struct oro_heightfield *field,
                       struct oro_error *err)
{
    struct oro_read_options options = request->read;
    options.range_assumed = true;
    options.cell = 0;
    return oro_heightfield_read(request->against, &options, field, err);
}

static bool against_terrain(const struct cli_measure_request *request, struct oro_error *err)
{
    struct oro_heightfield a = {0}, b = {0};
    bool ok = oro_heightfield_read(request->path, &request->read, &a, err) && read_other(request, &b, err);
    if (ok && (a.width != b.width || a.height != b.height))
        ok = oro_fail(err, ORO_E_FILE,
                      "'%s' is %d x %d, but '%s' is %d x %d: bring them to one size with convert",
                      request->against, b.width, b.height, request->path, a.width, a.height);
    ok = ok && compare_terrains(request, &a, &b, err);
    oro_heightfield_free(&a);
    oro_heightfield_free(&b);
    return ok;
}

bool cli_measure_against(const struct cli_measure_request *request, struct oro_error *err)
{
    bool lines = has_lines(request->path, request->against);
    if (lines != has_lines(request->against, request->path))
        return oro_fail(err, ORO_E_USAGE, "--against compares two heightfields, or two networks (%s)",
                        oro_network_file_names);
    return lines ? against_lines(request, err) : against_terrain(request, err);
}
