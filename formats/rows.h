/*
 * Inside formats/: where a codec puts the samples that it reads: all into one field, or row after row into
 * one row, for who takes them as they come.
 */
#ifndef ORO_FORMATS_ROWS_H
#define ORO_FORMATS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct oro_rows {
    float *samples; /* the field, or one row */
    int width;
    /* Called with each row that is complete, from north to south; false ends the reading, and `err` is
     * filled. NULL: `samples` has room for all. */
    bool (*take)(void *user, int y, float *row, struct oro_error *err);
    void *user;
    bool (*stop)(void *user); /* asked at every row: true ends the reading with ORO_E_CANCELLED; or NULL */
    void *stop_user;
};

/* Where row y goes. */
static inline float *oro_row_at(const struct oro_rows *rows, int y)
{
    return rows->samples + (rows->take ? 0 : (size_t)y * (size_t)rows->width);
}

static inline bool oro_row_done(const struct oro_rows *rows, int y, struct oro_error *err)
{
    if (rows->stop && rows->stop(rows->stop_user))
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    return !rows->take || rows->take(rows->user, y, rows->samples, err);
}

#endif
