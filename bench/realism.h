/* Ways to bring a coarse terrain back to its former cells, each held against what was there: docs/realism.md.
 */
#ifndef ORO_BENCH_REALISM_H
#define ORO_BENCH_REALISM_H

#include <jansson.h>

#include "bench/bench.h"
#include "terrain/realism/realism.h"

enum { BENCH_WAYS_MAX = 24, BENCH_TRUTH = 0 };

struct bench_measured {
    double seconds;
    struct oro_realism of;
    struct oro_realism_difference off;
};

struct bench_way {
    char name[24];
    bool ours; /* the chain, and graphs of the user: these do not contest each other */
    float *z;  /* of the first seed; released once it is drawn */
    struct bench_measured measured[BENCH_SEEDS_MAX];
    int count; /* of seeds; 1 of the truth */
};

/* One terrain; way 0 is the truth. */
struct bench_realism {
    char name[24];
    int width, height, factor;
    double cell; /* metres */
    struct bench_way ways[BENCH_WAYS_MAX];
    int way_count;
};

/* The figures of all ways side by side, the nearest to the truth marked. */
void bench_realism_print(const struct bench_realism *results, int count);
json_t *bench_realism_json(const struct bench_realism *results, int count);

/* Writes FOLDER/NAME.png: relief shading of all ways beside each other, the truth first, and below each a
 * quarter of its width from the middle, four times as large. */
bool bench_realism_draw(const struct bench_realism *result, const char *folder, struct oro_error *err);

#endif
