#include "editor/inspector/values.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"

/* ---- Ranges ---- */

/* A range without a soft one that is wider than this many times the default does not show which values are
 * usual: a slider over it would be of no use. */
#define USUAL_SPAN 2e4

struct ed_range ed_range_of(const struct oro_input *input)
{
    struct ed_range range = {
        .min = input->min, .max = input->max, .whole = input->type == ORO_INT, .unit = input->unit};
    bool limited = input->min != 0 || input->max != 0, soft = input->soft_min != 0 || input->soft_max != 0;
    range.low = soft ? input->soft_min : input->min;
    range.high = soft ? input->soft_max : input->max;
    if (limited) {
        range.low = fmax(range.low, input->min);
        range.high = fmin(range.high, input->max);
    }
    if (!soft && range.high - range.low > USUAL_SPAN * fmax(fabs(input->value), 1))
        range.high = range.low;
    if (!(range.high > range.low))
        range.low = range.high = 0;
    range.logarithmic = range.low > 0 && range.high > 1000 * range.low;
    return range;
}

double ed_range_at(const struct ed_range *range, double share)
{
    if (range->logarithmic)
        return range->low * pow(range->high / range->low, share);
    return range->low + share * (range->high - range->low);
}

double ed_range_share(const struct ed_range *range, double value)
{
    double share;
    if (!(range->high > range->low))
        return 0;
    if (range->logarithmic)
        share = value > 0 ? log(value / range->low) / log(range->high / range->low) : 0;
    else
        share = (value - range->low) / (range->high - range->low);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* The largest of 1, 2 or 5 times a power of ten that is at most `wanted`. */
static double nice_step(double wanted)
{
    double power = pow(10, floor(log10(wanted) + 1e-9));
    double digit = wanted / power;
    return (digit >= 5 - 1e-9 ? 5 : digit >= 2 - 1e-9 ? 2 : 1) * power;
}

/* Rounds through the decimal form, so that three steps of 0.1 are 0.3. */
static double rounded(double value, double step)
{
    char text[ED_NUMBER_TEXT];
    int digits = (int)ceil(-log10(step) - 1e-9);
    value = round(value / step) * step;
    if (digits <= 0 || digits > 15)
        return value;
    double scale = pow(10, digits);
    if (fabs(value) * scale > 1e15)
        return value;
    snprintf(text, sizeof text, "%.0f", value * scale);
    double whole = 0;
    return oro_parse_number(text, &whole) ? whole / scale : value;
}

static double step_of(const struct ed_range *range, double value, bool fine, bool coarse)
{
    double span = range->logarithmic ? fabs(value) : range->high - range->low;
    double step = nice_step(fmax(span / (range->logarithmic ? 50 : 400), DBL_MIN * 1e10));
    step *= fine ? 0.1 : coarse ? 10 : 1;
    return range->whole ? fmax(round(step), 1) : step;
}

double ed_range_move(const struct ed_range *range, double from, double share, bool fine, bool coarse)
{
    struct ed_range wide = *range;
    wide.low = fmin(wide.low, from);
    wide.high = fmax(wide.high, from);
    wide.logarithmic = range->logarithmic && from > 0;
    double start = wide.logarithmic ? log(from / wide.low) / log(wide.high / wide.low)
                                    : (from - wide.low) / (wide.high - wide.low);
    double at = start + share * (fine ? 0.1 : 1);
    double value = ed_range_at(&wide, at < 0 ? 0 : at > 1 ? 1 : at);
    if (at > 0 && at < 1)
        value = rounded(value, step_of(&wide, value, fine, coarse));
    return fmin(fmax(value, wide.low), wide.high);
}

double ed_number_nudge(double from, double pixels, bool whole, bool fine)
{
    double step = nice_step(fmax(fabs(from), whole ? 100 : 1) / 100) * (fine ? 0.1 : 1);
    if (whole)
        step = fmax(round(step), 1);
    return rounded(from + pixels * step, step);
}

/* ---- Units ---- */

const char *ed_unit_suffix(enum oro_unit unit)
{
    static const char *const suffixes[ORO_UNIT_COUNT] = {
        [ORO_NO_UNIT] = "",         [ORO_METRE] = " m",
        [ORO_SQUARE_METRE] = " m²", [ORO_DEGREE] = "°",
        [ORO_PERCENT] = " %",       [ORO_CELL] = " cells",
        [ORO_PER_METRE] = " /m",    [ORO_METRE_PER_YEAR] = " m/yr",
        [ORO_YEAR] = " yr",         [ORO_SECOND] = " s",
    };
    return unit >= 0 && unit < ORO_UNIT_COUNT && suffixes[unit] ? suffixes[unit] : "";
}

const char *ed_number_text(double value, enum oro_unit unit, char out[ED_NUMBER_TEXT])
{
    char number[ORO_NUMBER_SIZE];
    double shown = value;
    if (value != 0 && isfinite(value)) { /* six digits, or all those in front of the point */
        int digits = 5 - (int)floor(log10(fabs(value)));
        double scale = pow(10, digits < 0 ? 0 : digits > 300 ? 300 : digits);
        shown = isfinite(value * scale) && scale < 1e290 ? round(value * scale) / scale : value;
    }
    snprintf(out, ED_NUMBER_TEXT, "%s%s", oro_format_number(shown, number), ed_unit_suffix(unit));
    return out;
}

struct unit_word {
    const char *word;
    enum oro_unit unit;
    double factor;
};
static const struct unit_word unit_words[] = {
    {"m", ORO_METRE, 1},           {"km", ORO_METRE, 1000},         {"cm", ORO_METRE, 0.01},
    {"mm", ORO_METRE, 0.001},      {"m2", ORO_SQUARE_METRE, 1},     {"m²", ORO_SQUARE_METRE, 1},
    {"ha", ORO_SQUARE_METRE, 1e4}, {"km2", ORO_SQUARE_METRE, 1e6},  {"km²", ORO_SQUARE_METRE, 1e6},
    {"°", ORO_DEGREE, 1},          {"deg", ORO_DEGREE, 1},          {"%", ORO_PERCENT, 1},
    {"cells", ORO_CELL, 1},        {"cell", ORO_CELL, 1},           {"/m", ORO_PER_METRE, 1},
    {"1/m", ORO_PER_METRE, 1},     {"m/yr", ORO_METRE_PER_YEAR, 1}, {"mm/yr", ORO_METRE_PER_YEAR, 0.001},
    {"yr", ORO_YEAR, 1},           {"kyr", ORO_YEAR, 1e3},          {"Myr", ORO_YEAR, 1e6},
    {"s", ORO_SECOND, 1},          {"min", ORO_SECOND, 60},         {"h", ORO_SECOND, 3600},
};

/* How many bytes of `text` are the number; its sign and exponent included. */
static size_t number_length(const char *text)
{
    size_t length = strspn(text, "+-");
    length += strspn(text + length, "0123456789.,");
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = strspn(text + length + 1, "+-");
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        length += digits ? 1 + sign + digits : 0;
    }
    return length;
}

static bool find_factor(const char *word, enum oro_unit unit, double *factor, struct oro_error *err)
{
    *factor = 1;
    if (!*word)
        return true;
    for (size_t i = 0; i < sizeof unit_words / sizeof unit_words[0]; i++)
        if (strcmp(unit_words[i].word, word) == 0 && unit_words[i].unit == unit) {
            *factor = unit_words[i].factor;
            return true;
        }
    const char *own = oro_unit_name(unit);
    if (*own)
        return oro_fail(err, ORO_E_USAGE, "'%.40s' is not a unit of this number, which is in %s", word, own);
    return oro_fail(err, ORO_E_USAGE, "'%.40s' follows the number, which has no unit", word);
}

bool ed_number_parse(const char *text, enum oro_unit unit, double *value, struct oro_error *err)
{
    char number[80], word[80], what[200];
    while (isspace((unsigned char)*text))
        text++;
    size_t digits = number_length(text), end = strlen(text);
    while (end > digits && isspace((unsigned char)text[end - 1]))
        end--;
    size_t start = digits;
    while (start < end && isspace((unsigned char)text[start]))
        start++;
    snprintf(number, sizeof number, "%.*s", (int)(digits < 79 ? digits : 79), text);
    snprintf(word, sizeof word, "%.*s", (int)(end - start < 79 ? end - start : 79), text + start);
    double read = 0, factor = 1;
    if (!oro_parse_number(number, &read))
        return oro_fail(err, ORO_E_USAGE, "%s", oro_not_a_number(digits ? number : text, what, sizeof what));
    if (!find_factor(word, unit, &factor, err))
        return false;
    /* 1.1 km is 1100 m, not 1100.0000000000002: the product is taken to 15 digits. */
    char product[40];
    snprintf(product, sizeof product, "%.15g", read * factor);
    if (factor == 1 || !oro_parse_number(product, value))
        *value = read * factor;
    return true;
}
