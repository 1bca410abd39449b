/* A run beside an earlier one: `--against`. Both are JSON as bench/print.h makes it. */
#ifndef ORO_BENCH_AGAINST_H
#define ORO_BENCH_AGAINST_H

#include <jansson.h>

#include "base/error.h"

/* Reads an earlier run. NULL: the file is none, or is of another layout. Freed by json_decref. */
json_t *bench_against_read(const char *path, struct oro_error *err);

/* Adds to each row of a run that the earlier one has too: `before`, and `ratio`, now / before; null where
 * they are no numbers. Adds to the run: `against`, that is where the earlier one was made, with
 * `only_before`, its rows that this one does not have. Warns on stderr where the two were made by other
 * means. False: a row is in another unit than the earlier one. */
bool bench_against(json_t *now, const json_t *before, struct oro_error *err);

/* Prints what bench_against added. */
void bench_against_print(const json_t *now);

#endif
