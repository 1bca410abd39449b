/* What a run found, as a table or as JSON. */
#ifndef ORO_BENCH_PRINT_H
#define ORO_BENCH_PRINT_H

#include <jansson.h>

#include "bench/bench.h"

/* Of the JSON, as its member `layout`. Raised when members that are there change their meaning. */
enum { BENCH_LAYOUT = 1 };

void bench_print(const struct bench *bench);
json_t *bench_json(const struct bench *bench);
/* Null for what is no number. */
json_t *bench_json_number(double value);

#endif
