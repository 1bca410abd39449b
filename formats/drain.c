#include "formats/drain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/half.h"
#include "formats/nodata.h"

/* Fails if the cost exceeds the limit; a limit of 0 is none. */
static bool check_limit(const struct oro_drain_target *target, const struct oro_drain_cost *cost,
                        const char *help, struct oro_error *err)
{
    double most = fmax(cost->deepest_cut, cost->highest_raise), limit = target->options->drain_limit;
    if (target->options->drain != ORO_DRAIN_STRICT || !(limit > 0) || most <= limit)
        return true;
    return oro_fail(
        err, ORO_E_WRITE,
        "'%s' is not written: draining it strictly would change the terrain by up to %.4g m, more "
        "than the limit of %.4g m; raise the limit, %s",
        target->path, most, limit, help);
}

bool oro_drain_flood(const struct oro_heightfield *field, const struct oro_write_options *options,
                     struct oro_heightfield *flooded, struct oro_error *err)
{
    const float *mask = field->sea ? field->sea : options->sea_mask;
    *flooded = *field;
    flooded->sea = NULL;
    return (!mask || oro_heightfield_mark(flooded, mask, err)) &&
           (!options->has_sea || options->not_terrain ||
            oro_heightfield_mark_sea(flooded, options->sea, err)) &&
           (options->not_terrain || oro_heightfield_find_sea(flooded, err));
}

bool oro_drain_keep(const struct oro_heightfield *terrain, struct oro_write_options *options,
                    struct oro_error *err)
{
    struct oro_heightfield flooded = {0};
    bool drained = false;
    if (options->not_terrain || options->drain != ORO_DRAIN_NONE)
        return true;
    const struct oro_drain_target target = {
        .options = options, .width = terrain->width, .height = terrain->height};
    bool ok = oro_drain_flood(terrain, options, &flooded, err);
    struct oro_ground ground = oro_drain_ground(&target, terrain->data);
    ground.sea = flooded.sea;
    ok = ok && oro_drains(&ground, &drained, err);
    oro_free(flooded.sea);
    options->drains_again = ok && drained;
    if (options->drains_again)
        options->drain = ORO_DRAIN_REPAIR;
    return ok;
}

const char *oro_drain_kept_text(const struct oro_written *written, char text[ORO_DRAIN_KEPT_TEXT])
{
    const struct oro_drain_cost *cost = &written->cost;
    text[0] = '\0';
    if (written->drains_again && cost->cells > 0)
        snprintf(
            text, ORO_DRAIN_KEPT_TEXT,
            "it drained before it was resampled, and was carved open again: %zu cell%s, at most %.3g m deep",
            cost->cells, cost->cells == 1 ? "" : "s", cost->deepest_cut);
    return text;
}

struct oro_ground oro_drain_ground(const struct oro_drain_target *target, const float *heights)
{
    return (struct oro_ground){.width = target->width,
                               .height = target->height,
                               .z = heights,
                               .sea = target->sea,
                               .stop = target->options->stop,
                               .user = target->options->stop_user};
}

bool oro_drain_heights(const struct oro_drain_target *target, float *heights, struct oro_drain_cost *cost,
                       struct oro_error *err)
{
    size_t cells = (size_t)target->width * (size_t)target->height;
    struct oro_ground ground = oro_drain_ground(target, heights);
    struct oro_routing routing = {0};
    struct oro_error why = {0};
    float *carved = oro_alloc(cells, sizeof *carved);
    if (!carved)
        return oro_fail(err, ORO_E_MEMORY, "no memory to drain '%s'", target->path);
    bool ok = oro_route(&ground, &routing, &why) &&
              oro_breach(&ground, &routing, &(struct oro_breaching){0}, carved, &why);
    oro_routing_free(&routing);
    if (!ok) {
        oro_fail(err, why.code, "'%s' is not written: %s", target->path, why.text);
    } else {
        *cost = oro_drain_cost(heights, carved, cells);
        memcpy(heights, carved, cells * sizeof *heights);
        ok = check_limit(target, cost, "or breach the terrain before", err);
    }
    oro_free(carved);
    return ok;
}

bool oro_drain_levels(const struct oro_drain_target *target, struct oro_height_range range, double largest,
                      float *levels, struct oro_drain_cost *cost, struct oro_error *err)
{
    struct oro_error few = {0};
    struct oro_ground ground = oro_drain_ground(target, levels);
    double step = (range.high - range.low) / largest;
    bool has_inside = target->width > 2 && target->height > 2;
    if (has_inside && step <= 0)
        return oro_fail(
            err, ORO_E_WRITE,
            "'%s' is not written: a level plane has no way down; give a range in metres, low below "
            "high, to drain it strictly",
            target->path);
    if (!oro_levels_drain(&ground, largest, levels, cost, &few))
        return oro_fail(err, few.code == ORO_E_EVALUATE ? ORO_E_WRITE : few.code, "'%s' is not written: %s",
                        target->path, few.text);
    /* Converts a cost in levels to metres. */
    cost->deepest_cut *= step;
    cost->highest_raise *= step;
    cost->cut_volume *= step;
    cost->raise_volume *= step;
    return check_limit(target, cost,
                       "breach the terrain before, narrow the range of heights, or write a float format "
                       "(.r32, .pfm)",
                       err);
}

bool oro_drain_halves(const struct oro_drain_target *target, float *halves, struct oro_drain_cost *cost,
                      struct oro_error *err)
{
    size_t cells = (size_t)target->width * (size_t)target->height;
    struct oro_error few = {0};
    float *levels = oro_alloc(cells, sizeof *levels);
    if (!levels)
        return oro_fail(err, ORO_E_MEMORY, "no memory to drain '%s'", target->path);
    oro_half_to_levels(halves, cells, levels);
    struct oro_ground ground = oro_drain_ground(target, levels);
    bool ok = oro_levels_drain(&ground, ORO_HALF_LEVELS, levels, NULL, &few);
    if (!ok) {
        oro_fail(err, few.code == ORO_E_EVALUATE ? ORO_E_WRITE : few.code, "'%s' is not written: %s",
                 target->path, few.text);
    } else {
        oro_half_from_levels(levels, cells);
        *cost = oro_drain_cost(halves, levels, cells);
        memcpy(halves, levels, cells * sizeof *halves);
        ok = check_limit(target, cost, "breach the terrain before, or write it as float", err);
    }
    oro_free(levels);
    return ok;
}

bool oro_drain_check(const struct oro_drain_target *target, const struct oro_certificate *drainage,
                     struct oro_error *err)
{
    const struct oro_write_options *options = target->options;
    if (!options->require_drained || drainage->depressions == 0)
        return true;
    char text[ORO_DRAINAGE_TEXT];
    return oro_fail(err, ORO_E_WRITE, "'%s' is not written: it would have %s, the deepest of %.4g m: %s",
                    target->path, oro_drainage_text(drainage, text), drainage->deepest,
                    options->drain_advice ? options->drain_advice : "carve it before, or while writing");
}
