/*
 * Inside formats/: what the numbers of a file mean: metres, or no height at all. There is one rule for all
 * formats.
 */
#ifndef ORO_FORMATS_NUMBERS_H
#define ORO_FORMATS_NUMBERS_H

#include "formats/account.h"
#include "formats/range.h"

struct oro_numbers {
    double largest; /* levels 0..largest span the range; 0: numbers are heights */
    struct oro_height_range range;
    bool shares;                /* `range` is of floats that all lie within 0..1, which is to be found out */
    double scale, offset, unit; /* metres = (number * scale + offset) * unit */
    bool usual; /* numbers that usually stand for none do so here: nobody has named another one */
    bool has_none;
    double none, tolerance; /* metres so near to it are none */
};

/* Numbers become metres, and what is no height NaN: what is not a number, beyond 1e30, `none` as a number or
 * in metres, and, of heights, the usual ones. Those that nobody had named are counted in `account`. */
void oro_numbers_apply(const struct oro_numbers *meaning, float *numbers, size_t count,
                       struct oro_account *account);

/* Numbers stay what they are, but for those that are no height, which become NaN. Gives how many that are. */
size_t oro_numbers_drop(const struct oro_numbers *meaning, float *numbers, size_t count,
                        struct oro_account *account);
/* Finds out, from the range of all numbers. */
void oro_numbers_take_shares(struct oro_numbers *meaning, struct oro_height_range range_of,
                             struct oro_account *account);

/* Metres in a unit of length: "m", "feet", "US survey foot", "0.3048"; 0: it is none that is known. `name`
 * NULL, empty or "unknown" is not a unit that was told: 1, with `*told` false. */
double oro_unit_metres(const char *name, bool *told);
/* Fails with `code`, and asks for `unit`. */
bool oro_unit_check(const char *path, enum oro_code code, const char *name, struct oro_error *err);

#endif
