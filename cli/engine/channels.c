#include "cli/engine/channels.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/engine/output.h"
#include "cli/options/deliver.h"
#include "graph/eval/evaluator.h"

static bool want_one(struct cli_graph *graph, const char *name, struct cli_wanted *wanted,
                     struct oro_error *err)
{
    if (name && !name[0])
        return oro_fail(err, ORO_E_USAGE,
                        "a list of outputs has names with commas between them: one is empty");
    if (!cli_want_output(graph, name, err) ||
        !cli_wanted_output(graph, graph->target_count - 1, &wanted->output, err))
        return false;
    wanted->name = name ? name : wanted->output.name;
    return true;
}

bool cli_want_list(struct cli_graph *graph, const char *list, const char *more,
                   const struct cli_wanted **wanted, size_t *count, struct oro_error *err)
{
    size_t items = list ? cli_list_count(list) : 1, all = items + cli_list_count(more);
    struct cli_wanted *made = oro_arena_alloc(graph->arena, all, sizeof *made);
    struct oro_target *targets = oro_arena_alloc(graph->arena, all + 1, sizeof *targets); /* and a texture */
    if (!made || !targets)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a list of outputs");
    graph->targets = targets;
    graph->target_count = 0;
    for (size_t i = 0; i < all; i++) {
        char *item = i >= items ? cli_list_item(more, i - items) : list ? cli_list_item(list, i) : NULL;
        const char *name = item ? oro_arena_textf(graph->arena, "%s", item) : NULL;
        oro_free(item);
        if (!name && (list || i > 0))
            return oro_fail(err, ORO_E_MEMORY, "no memory for a list of outputs");
        if (!want_one(graph, name, &made[i], err))
            return false;
    }
    *wanted = made;
    *count = items;
    return true;
}

static bool is_plain(const struct oro_output *output)
{
    return output->type == ORO_FIELD || output->type == ORO_UPLIFT;
}

bool cli_channels_check(const char *path, const struct cli_wanted *wanted, size_t count,
                        struct oro_error *err)
{
    bool plain = false;
    if (count == 1)
        return cli_output_check(path, &wanted[0].output, err);
    if (!oro_format_has_channels(path))
        return oro_fail(err, ORO_E_USAGE, "'%s' holds one output; several are channels of one .exr file",
                        path);
    for (size_t i = 0; i < count; i++) {
        plain = plain || is_plain(&wanted[i].output);
        if (wanted[i].output.type == ORO_NETWORK)
            return oro_fail(err, ORO_E_USAGE, "'%s': output '%s' is a network, and channels are rasters",
                            path, wanted[i].name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(wanted[i].name, wanted[k].name) == 0)
                return oro_fail(err, ORO_E_USAGE, "--output names '%s' twice", wanted[i].name);
    }
    if (!plain)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s': one of the outputs must be a plain raster, such as a terrain", path);
    return oro_file_may_write(path, err);
}

static const struct oro_grid *grid_of(const struct oro_plan *plan, size_t target)
{
    return &plan->steps[plan->targets[target].step].grid;
}

bool cli_channels_fit(const char *path, const struct cli_wanted *wanted, size_t count,
                      const struct oro_plan *plan, struct oro_error *err)
{
    const struct oro_grid *first = grid_of(plan, 0);
    for (size_t i = 1; i < count; i++) {
        const struct oro_grid *grid = grid_of(plan, i);
        if (!oro_grid_same_size(first, grid))
            return oro_fail(
                err, ORO_E_USAGE, "'%s': channels have one size, but '%s' is %d x %d and '%s' is %d x %d",
                path, wanted[0].name, first->width, first->height, wanted[i].name, grid->width, grid->height);
        if (!oro_grid_same_ground(first, grid))
            return oro_fail(err, ORO_E_USAGE, "'%s': '%s' and '%s' do not show the same ground", path,
                            wanted[0].name, wanted[i].name);
    }
    return true;
}

/* The terrain among the outputs, with its options; else the first plain raster. */
static bool choose_terrain(const struct oro_plan *plan, struct oro_value *const *values, size_t count,
                           size_t *chosen, char digest[ORO_HASH_TEXT], struct oro_write_options *options,
                           struct oro_error *err)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        struct oro_write_options of_this;
        char digest_of_this[ORO_HASH_TEXT];
        const void *data = oro_value_host(values[i], err);
        if (!data)
            return false;
        if (values[i]->type != ORO_FIELD)
            continue;
        if (!cli_output_options(plan, i, values[i], data, oro_grid_cells(&values[i]->grid), digest_of_this,
                                &of_this, err))
            return false;
        if (found && of_this.not_terrain)
            continue;
        found = true;
        *chosen = i;
        *options = of_this;
        memcpy(digest, digest_of_this, ORO_HASH_TEXT);
        options->sidecar.graph_digest = digest;
        if (!options->not_terrain)
            break;
    }
    return true;
}

static bool write_file(const char *path, const struct cli_wanted *wanted, const struct oro_plan *plan,
                       struct oro_value *const *values, size_t count, size_t terrain,
                       struct oro_write_options *options, struct oro_error *err)
{
    struct oro_channel *others = oro_alloc(count, sizeof *others);
    if (!others)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    if (!options->channel)
        options->channel = wanted[terrain].name;
    options->others = others;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const float *data = oro_value_host(values[i], err);
        ok = data;
        if (i != terrain)
            others[options->other_count++] =
                (struct oro_channel){.name = wanted[i].name, .data = data, .components = values[i]->channels};
    }
    const struct oro_output *output = cli_given_output(plan, terrain, &wanted[terrain].output);
    ok = ok && cli_output_store(path, output, values[terrain], &plan->place, options, options->written, err);
    oro_free(others);
    return ok;
}

bool cli_channels_write(const char *path, const struct cli_wanted *wanted, size_t count,
                        const struct oro_plan *plan, struct oro_value *const *values,
                        const struct oro_write_options *given, struct oro_error *err)
{
    size_t terrain = 0;
    char digest[ORO_HASH_TEXT];
    struct oro_write_options options;
    struct oro_written written = {0};
    if (!choose_terrain(plan, values, count, &terrain, digest, &options, err))
        return false;
    options.half = given->half;
    options.tiled = given->tiled;
    options.channel = given->channel;
    options.drain = given->drain;
    options.drain_limit = given->drain_limit;
    options.require_drained = given->require_drained;
    options.sea_mask = given->sea_mask;
    options.written = &written;
    if (!write_file(path, wanted, plan, values, count, terrain, &options, err))
        return false;
    printf("wrote %s (%d x %d, %zu outputs", path, written.measure.width, written.measure.height, count);
    if (!options.not_terrain)
        printf("; %s %.1f..%.1f m", wanted[terrain].name, written.measure.low, written.measure.high);
    printf(")\n");
    cli_say_drainage(path, &options);
    return true;
}
