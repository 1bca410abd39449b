/*
 * Numbers as the user sees and types them: with units, independent of the locale. Threads: any.
 */
#ifndef ED_INSPECTOR_VALUES_H
#define ED_INSPECTOR_VALUES_H

#include "graph/type/node.h"

/* The range of a slider. */
struct ed_range {
    double low, high; /* equal: no range, and dragging changes the number by shares of itself */
    double min, max;  /* that a number may have at all; both 0: no limit */
    bool whole, logarithmic;
    enum oro_unit unit;
};
/* The soft range within the hard one; logarithmic where it spans more than three decades above 0. */
struct ed_range ed_range_of(const struct oro_input *input);

/* A slider's value at 0..1 of its width, and the other way round. */
double ed_range_at(const struct ed_range *range, double share);
double ed_range_share(const struct ed_range *range, double value);
/* The value after a slider's handle was moved by a share of its width, within the range (widened to `from`
 * where that is outside). Rounded to a step that is 1, 2 or 5 times a power of ten; `fine` takes a tenth of
 * the step and of the way, `coarse` ten steps. */
double ed_range_move(const struct ed_range *range, double from, double share, bool fine, bool coarse);
/* The value of a number without a range, after the pointer has moved so many pixels. */
double ed_number_nudge(double from, double pixels, bool whole, bool fine);

enum { ED_NUMBER_TEXT = 64 };
/* "m", "°", "%", ... as shown behind a number, including a blank if one belongs there. */
const char *ed_unit_suffix(enum oro_unit unit);
/* "320 m", "35°", "50 %": at most six digits. Returns `out`. */
const char *ed_number_text(double value, enum oro_unit unit, char out[ED_NUMBER_TEXT]);
/* Reads a number that may have blanks around it and a unit behind it: "320", "320 m", "1.2km", "35°", "35
 * deg". Units are converted within their kind; others are refused. ORO_E_USAGE says what is wrong. */
bool ed_number_parse(const char *text, enum oro_unit unit, double *value, struct oro_error *err);

#endif
