/*
 * What a file told of its heights, and what had to be assumed. Whoever reads heights fills it, it goes with
 * the field (formats/heightfield.h), and one function turns it into notices: the same words on the command
 * line, in sidecars and in the editor.
 */
#ifndef ORO_FORMATS_ACCOUNT_H
#define ORO_FORMATS_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "base/text.h"

/* Whom a fact is from. */
enum oro_whence {
    ORO_UNTOLD, /* nobody: it stays unknown */
    ORO_TOLD,   /* the file, or what lies beside it */
    ORO_GIVEN,  /* the user */
    ORO_ASSUMED,
};

/* Heights beyond these are of no place on Earth. */
#define ORO_EARTH_LOWEST (-11500.0)
#define ORO_EARTH_HIGHEST 9000.0

enum { ORO_ACCOUNT_TEXT = 48, ORO_ACCOUNT_FILE = 256 };

/* Plain data. Zeroed, it says nothing. */
struct oro_account {
    char file[ORO_ACCOUNT_FILE]; /* its name, without folders; "": there is none */
    enum oro_whence size, order, rows, range, unit, cell, system;

    int width, height; /* of the file, in cells */
    bool big_endian;
    double largest;      /* of levels; 0: its numbers are heights */
    double low, high;    /* metres that the levels span */
    bool range_unused;   /* a range was given, and the file holds heights */
    bool unit_unused;    /* a unit was given, and levels have metres of a range that was given, too */
    bool whole_numbers;  /* heights whose unit was assumed */
    double cell_size;    /* metres */
    bool metres_assumed; /* of cells, whose system nobody tells */
    double like_degrees; /* so large are cells that are probably degrees; 0: they are not */
    double factor;       /* metres of its system in a metre of ground; 0: near 1 */
    char system_name[ORO_ACCOUNT_TEXT], warped_to[ORO_ACCOUNT_TEXT]; /* where there is a factor */

    /* Of the cells that were read. */
    bool looked;
    double least, greatest;    /* metres, of those with a height */
    size_t cells, none;        /* all; those without a height */
    size_t filled;             /* of these, holes within the ground, which were interpolated */
    size_t undeclared;         /* of these, those that hold a number which usually stands for none */
    double undeclared_number;  /* the first such number */
    size_t beyond;             /* cells below or above all ground on Earth */
    double step, swapped_step; /* sums of differences of neighbours; with bytes the other way round */
};

/* Looks at heights in metres, NaN where there is none: `least` to `beyond`. */
void oro_account_look(struct oro_account *account, const float *heights, size_t count);
/* Compares neighbours in rows of samples as the file has them: `levels` of 16 bits, or floats. */
void oro_account_compare_orders(struct oro_account *account, const float *samples, int width, int height,
                                bool levels);
/* Adds what was found in the cells of a part to that of the whole. */
void oro_account_add(struct oro_account *account, const struct oro_account *part);

/* Tells all that a user should know, line by line. */
void oro_account_note(const struct oro_account *account, const struct oro_log *log);
/* The names of facts that are from there, one after the other, as sidecars have them; NULL: there are no
 * more. */
const char *oro_account_fact(const struct oro_account *account, enum oro_whence whence, int number);

#endif
