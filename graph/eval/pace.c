#include "graph/eval/pace.h"

#include <math.h>
#include <string.h>

#include "graph/cache/notes.h"
#include "graph/type/registry.h"

/* A note: seconds for a unit of work, and the work that told it. */
struct pace {
    double seconds, work;
};

enum counted { BY_CELLS, BY_ITERATIONS, BY_DURATION };

struct work {
    double amount;
    enum counted counted;
};

static const double LEAST_SECONDS = 0.5;
static const double SMALLER = 4;    /* a raster that many times as small tells less than the one before */
static const double THE_SAME = 1.2; /* a pace that differs by less is not noted again */

/* The iterations that a duration takes go with 1 / the size of a cell (docs/time.md). */
static struct work work_of(const struct oro_step *step)
{
    const struct oro_input *duration = oro_type_input_as(step->type, ORO_ROLE_DURATION);
    double cells = (double)oro_grid_cells(&step->grid);
    int count = oro_step_iterations(step);
    float time = 0;
    if (duration)
        memcpy(&time, (const char *)step->params + duration->offset, sizeof time);
    if (count > 0)
        return (struct work){cells * count, BY_ITERATIONS};
    if (time > 0 && step->grid.cell > 0)
        return (struct work){cells * (double)time / step->grid.cell, BY_DURATION};
    return (struct work){cells, BY_CELLS};
}

static bool key_of(const char *device, const struct oro_step *step, enum counted counted,
                   struct oro_hash *key)
{
    const int numbers[] = {step->type->version, (int)counted, step->spread};
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return false;
    oro_hash_string(hasher, "pace");
    oro_hash_string(hasher, step->type->id);
    oro_hash_string(hasher, device);
    oro_hash_bytes(hasher, numbers, sizeof numbers);
    *key = oro_hasher_end(hasher);
    return true;
}

static bool find(const char *folder, struct oro_hash key, struct pace *pace)
{
    return oro_note_get(folder, key, pace, sizeof *pace) && isfinite(pace->seconds) && pace->seconds > 0 &&
           pace->work > 0;
}

void oro_pace_learn(const char *folder, const char *device, const struct oro_step *step, double share,
                    double seconds)
{
    struct work work = work_of(step);
    struct oro_hash key;
    struct pace before, now = {.work = work.amount * share};
    if (seconds < LEAST_SECONDS || !(now.work > 0) || !key_of(device, step, work.counted, &key))
        return;
    now.seconds = seconds / now.work;
    if (find(folder, key, &before)) {
        double ratio = now.seconds / before.seconds;
        bool same = ratio < THE_SAME && ratio > 1 / THE_SAME;
        if (now.work * SMALLER < before.work || (same && now.work < before.work * SMALLER))
            return;
    }
    oro_note_put(folder, key, &now, sizeof now);
}

void oro_forecast_add(struct oro_forecast *forecast, const char *folder, const char *device,
                      const struct oro_step *step, double share)
{
    struct work work = work_of(step);
    struct oro_hash key;
    struct pace pace;
    if (!key_of(device, step, work.counted, &key) || !find(folder, key, &pace)) {
        forecast->unknown++;
        return;
    }
    double seconds = pace.seconds * work.amount * share;
    forecast->known++;
    forecast->seconds += seconds;
    if (seconds > forecast->longest_seconds) {
        forecast->longest = step;
        forecast->longest_seconds = seconds;
    }
}

struct oro_forecast oro_forecast_plan(const struct oro_plan *plan, const char *folder, const char *device)
{
    struct oro_forecast forecast = {0};
    for (size_t i = 0; i < plan->step_count; i++)
        oro_forecast_add(&forecast, folder, device, &plan->steps[i], 1);
    return forecast;
}
