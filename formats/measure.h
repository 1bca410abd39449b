/*
 * What can be measured of a heightfield, wherever it comes from. terrain/hydrology/metrics.h measures more.
 */
#ifndef ORO_FORMATS_MEASURE_H
#define ORO_FORMATS_MEASURE_H

#include "formats/heightfield.h"
#include "terrain/hydrology/metrics.h"

struct oro_measure {
    int width, height;
    double cell;                     /* metres, 0: unknown */
    double low, high, mean;          /* of the ground */
    size_t sea;                      /* cells that are none */
    struct oro_certificate drainage; /* depths and volumes in units of the values (times cells) */
};

/* Measures only range and mean. A field without cells gives zeros. */
void oro_measure_values(const struct oro_heightfield *field, struct oro_measure *measure);

/* The same row after row, from north to south, to the same bits. `sea` may be NULL. */
struct oro_row_measure {
    double sum;
    size_t ground, cells;
    float low, high;
};
struct oro_row_measure oro_measure_no_rows(void);
struct oro_row_measure oro_measure_row(const float *data, const float *sea, size_t width);
void oro_measure_add_row(struct oro_row_measure *all, const struct oro_row_measure *row);
/* What was measured of all rows of a field, of which no values are used. */
struct oro_measure oro_measure_of_rows(const struct oro_heightfield *field,
                                       const struct oro_row_measure *all);

/* Measures drainage, too; border cells and the sea are outlets. Fails as oro_certify (values that are not
 * finite, memory); a field without cells drains. Thread-safe. */
bool oro_measure(const struct oro_heightfield *field, struct oro_measure *measure, struct oro_error *err);

/* In words: "drains", "drains across 1234 flat cells", "12 closed depressions (345 cells)". Returns `out`. */
enum { ORO_DRAINAGE_TEXT = 100 };
const char *oro_drainage_text(const struct oro_certificate *drainage, char out[ORO_DRAINAGE_TEXT]);

/* The field as ground for hydrology; it must outlive the ground. */
struct oro_ground oro_heightfield_ground(const struct oro_heightfield *field);

#endif
