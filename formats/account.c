#include "formats/account.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "formats/range.h"

/* ---- Looking at cells ---- */

void oro_account_look(struct oro_account *a, const float *heights, size_t count)
{
    struct oro_height_range range = oro_range_of(heights, count);
    size_t none = 0, beyond = 0;
    for (size_t i = 0; i < count; i++) {
        none += isnan(heights[i]) != 0;
        beyond += heights[i] < (float)ORO_EARTH_LOWEST || heights[i] > (float)ORO_EARTH_HIGHEST;
    }
    if (none < count) {
        a->least = a->looked ? fmin(a->least, range.low) : range.low;
        a->greatest = a->looked ? fmax(a->greatest, range.high) : range.high;
        a->looked = true;
    }
    a->cells += count;
    a->none += none;
    a->beyond += beyond;
}

static float swapped(float sample, bool levels)
{
    if (levels) {
        unsigned level = (unsigned)sample;
        return (float)((level & 0xff) << 8 | level >> 8);
    }
    uint32_t bits;
    memcpy(&bits, &sample, sizeof bits);
    bits = __builtin_bswap32(bits);
    memcpy(&sample, &bits, sizeof bits);
    return sample;
}

/* Bytes in the wrong order make floats huge or next to nothing: then no terrain has such a step. */
static double step_of(float a, float b)
{
    double step = fabs((double)a - (double)b);
    bool tiny = (a != 0 && fabsf(a) < 1e-20f) || (b != 0 && fabsf(b) < 1e-20f);
    return step < 1e30 && !tiny ? step : (double)INFINITY;
}

void oro_account_compare_orders(struct oro_account *a, const float *samples, int width, int height,
                                bool levels)
{
    enum { ROWS = 256 }; /* are enough */
    int apart = height / ROWS + 1;
    for (int y = 0; y < height; y += apart)
        for (int x = 1; x < width; x++) {
            const float *at = samples + (size_t)y * (size_t)width + (size_t)x;
            a->step += step_of(at[-1], at[0]);
            a->swapped_step += step_of(swapped(at[-1], levels), swapped(at[0], levels));
        }
}

void oro_account_add(struct oro_account *a, const struct oro_account *part)
{
    if (part->looked) {
        a->least = a->looked ? fmin(a->least, part->least) : part->least;
        a->greatest = a->looked ? fmax(a->greatest, part->greatest) : part->greatest;
        a->looked = true;
    }
    if (part->undeclared > 0 && a->undeclared == 0)
        a->undeclared_number = part->undeclared_number;
    a->cells += part->cells;
    a->none += part->none;
    a->filled += part->filled;
    a->undeclared += part->undeclared;
    a->beyond += part->beyond;
    a->step += part->step;
    a->swapped_step += part->swapped_step;
}

/* ---- Telling ---- */

/* A number that a person reads. */
static const char *short_number(double value, char out[ORO_NUMBER_SIZE])
{
    snprintf(out, ORO_NUMBER_SIZE, "%.7g", value);
    return out;
}

enum { LIST = 240 }; /* room for all that note_assumed lists */

static void add_item(char list[LIST], const char *item)
{
    size_t length = strlen(list);
    snprintf(list + length, LIST - length, "%s%s", length ? ", " : "", item);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void note_assumed(const struct oro_account *a, const char *name, const struct oro_log *log)
{
    char list[LIST] = "", size[48], cells[96], cell[ORO_NUMBER_SIZE];
    snprintf(size, sizeof size, "%d x %d cells", a->width, a->height);
    if (a->size == ORO_ASSUMED)
        add_item(list, size);
    if (a->order == ORO_ASSUMED)
        add_item(list, a->big_endian ? "big-endian numbers" : "little-endian numbers");
    if (a->rows == ORO_ASSUMED)
        add_item(list, "the first row in the north");
    if (a->unit == ORO_ASSUMED && a->range != ORO_GIVEN && !a->whole_numbers)
        add_item(list, "heights in metres");
    if (a->cell == ORO_UNTOLD && a->like_degrees <= 0)
        add_item(list, "cells of unknown size");
    snprintf(cells, sizeof cells, "cells of %s m on the ground, which a world from this file has, too",
             short_number(a->cell_size, cell));
    if (a->cell == ORO_TOLD && a->metres_assumed && a->like_degrees <= 0)
        add_item(list, cells);
    if (list[0])
        oro_note(log, ORO_NOTICE, "'%s': assumed, not told: %s", name, list);
}

static void note_range(const struct oro_account *a, const char *name, const struct oro_log *log)
{
    char low[ORO_NUMBER_SIZE], high[ORO_NUMBER_SIZE];
    static const char advice[] = "set low and high (convert: --in-low, --in-high)";
    short_number(a->low, low);
    short_number(a->high, high);
    if (a->largest > 0 && a->range == ORO_ASSUMED)
        oro_note(log, ORO_WARNING,
                 "'%s' does not say how high it is: its levels 0..%g are taken to span %s..%s m; %s", name,
                 a->largest, low, high, advice);
    if (a->largest > 0 && a->range == ORO_UNTOLD)
        oro_note(log, ORO_WARNING, "'%s' does not say how high it is: its levels 0..%g are read as 0..1; %s",
                 name, a->largest, advice);
    if (a->unit_unused)
        oro_note(log, ORO_NOTICE, "'%s' holds levels, and low and high are in metres: the unit is left aside",
                 name);
    if (a->range_unused)
        oro_note(log, ORO_NOTICE, "'%s' holds heights, not levels: low and high, %s..%s m, are left aside",
                 name, low, high);
    if (a->largest <= 0 && a->looked && a->least >= 0 && a->greatest <= 1 && a->least < a->greatest)
        oro_note(log, ORO_WARNING, "'%s': all heights lie within 0..1, which are shares of a range; %s", name,
                 advice);
    else if (a->whole_numbers && a->looked)
        oro_note(
            log, ORO_WARNING,
            "'%s' tells neither a unit nor where it lies: its whole numbers, %s..%s, are taken as metres; "
            "unit=m (--unit m) says so; if they are levels, %s",
            name, short_number(a->least, low), short_number(a->greatest, high), advice);
}

static void note_place(const struct oro_account *a, const char *name, const struct oro_log *log)
{
    char cell[ORO_NUMBER_SIZE];
    if (a->like_degrees > 0)
        oro_note(log, ORO_WARNING,
                 "'%s' has cells of %s and tells no coordinate system: these are probably degrees, and the "
                 "size of cells stays unknown; a file NAME.prj or 'gdal_translate -a_srs EPSG:4326' says so",
                 name, short_number(a->like_degrees, cell));
    if (a->factor > 0)
        oro_note(log, ORO_NOTICE, "'%s' lies in %s, where %.4g m are 1 m of ground: it is warped to %s", name,
                 a->system_name, a->factor, a->warped_to);
}

static void note_none(const struct oro_account *a, const char *name, const struct oro_log *log)
{
    size_t beyond = a->none - a->filled;
    char number[ORO_NUMBER_SIZE];
    if (a->undeclared > 0)
        oro_note(log, ORO_WARNING,
                 "'%s' has %zu cell%s of %s, which it does not declare as no height, and which %s taken as "
                 "such; nodata (--nodata) names another number",
                 name, a->undeclared, plural(a->undeclared), short_number(a->undeclared_number, number),
                 a->undeclared == 1 ? "is" : "are");
    const char *is = a->none == 1 ? "is" : "are";
    if (a->filled > 0 && beyond > 0)
        oro_note(log, ORO_NOTICE,
                 "'%s' has no height in %zu of %zu cells: %zu within its ground, interpolated; %zu at its "
                 "border or "
                 "beyond it, no ground",
                 name, a->none, a->cells, a->filled, beyond);
    else if (a->none > 0)
        oro_note(log, ORO_NOTICE, "'%s' has no height in %zu of %zu cells %s, which %s %s", name, a->none,
                 a->cells, beyond > 0 ? "at its border or beyond it" : "within its ground", is,
                 beyond > 0 ? "no ground" : "interpolated");
}

static void note_doubts(const struct oro_account *a, const char *name, const struct oro_log *log)
{
    const double smoother = 4;
    char low[ORO_NUMBER_SIZE], high[ORO_NUMBER_SIZE];
    bool asked = a->unit == ORO_GIVEN || a->range == ORO_GIVEN;
    if (a->beyond > 0 && !asked)
        oro_note(log, ORO_WARNING,
                 "'%s' has heights of no place on Earth, %s..%s m, in %zu of %zu cells: if they stand for no "
                 "height, set nodata (--nodata); if they are not metres, unit (--unit)",
                 name, short_number(a->least, low), short_number(a->greatest, high), a->beyond, a->cells);
    if (a->swapped_step * smoother < a->step)
        oro_note(log, ORO_WARNING,
                 "'%s' would be %s times smoother with the bytes of its numbers in the other order: %s", name,
                 isfinite(a->step) ? short_number(floor(a->step / fmax(a->swapped_step, a->step * 1e-6)), low)
                                   : "many",
                 a->big_endian ? "little-endian (leave out big_endian)"
                               : "set big_endian (convert: --in-big-endian, measure: --big-endian)");
}

void oro_account_note(const struct oro_account *account, const struct oro_log *log)
{
    const char *name = account->file;
    if (!name[0])
        return;
    note_assumed(account, name, log);
    note_range(account, name, log);
    note_place(account, name, log);
    note_none(account, name, log);
    note_doubts(account, name, log);
}

const char *oro_account_fact(const struct oro_account *a, enum oro_whence whence, int number)
{
    const struct {
        const char *name;
        enum oro_whence whence;
    } facts[] = {{"size", a->size}, {"byte_order", a->order}, {"orientation", a->rows}, {"range", a->range},
                 {"unit", a->unit}, {"cell_size", a->cell},   {"system", a->system}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (facts[i].whence == whence && number-- == 0)
            return facts[i].name;
    return NULL;
}
