#include "cli/options/deliver.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool cli_deliver_check(const struct cli_deliver_options *options, const char *out, struct oro_error *err)
{
    if (!out && (options->engine || options->tiles.given || options->weights))
        return oro_fail(err, ORO_E_USAGE, "--for, --tiles and --weights go with -o OUT");
    if (!options->tiles.given && (options->overlap.given || options->name))
        return oro_fail(err, ORO_E_USAGE, "--overlap and --name go with --tiles");
    return !out || strcmp(out, "-") != 0 || (!options->tiles.given && !options->weights) ||
           oro_fail(err, ORO_E_USAGE, "standard output takes one file: --tiles and --weights write several");
}

bool cli_deliver_begin(const struct cli_deliver_options *options, const char *out,
                       struct cli_deliver *deliver, struct oro_error *err)
{
    *deliver = (struct cli_deliver){.engine = oro_engine_at(options->engine),
                                    .resampling = (enum oro_resampling)options->resampling,
                                    .tiled = options->tiles.given};
    if ((deliver->tiled || options->weights) && oro_format_is_mesh(out))
        return oro_fail(err, ORO_E_USAGE, "'%s': --tiles and --weights go with a raster, not with a mesh",
                        out);
    if (deliver->engine && !oro_engine_takes(deliver->engine, out, err))
        return false;
    if (!deliver->tiled)
        return true;
    deliver->tiling = (struct oro_tiling){.side = (int)options->tiles.value,
                                          .overlap = options->overlap.given ? (int)options->overlap.value : 1,
                                          .name = options->name,
                                          .y_north = deliver->engine && deliver->engine->south_first};
    return oro_tiling_check(&deliver->tiling, err) &&
           (!deliver->engine ||
            oro_engine_fits(deliver->engine, "a tile", deliver->tiling.side, deliver->tiling.side, err));
}

bool cli_deliver_fits(const struct cli_deliver *deliver, const char *out, int width, int height,
                      struct oro_error *err)
{
    char what[256];
    snprintf(what, sizeof what, "'%.200s'", out);
    if (deliver->tiled)
        return oro_tiling_fits(&deliver->tiling, out, width, height, err);
    return !deliver->engine || oro_engine_fits(deliver->engine, what, oro_engine_side(deliver->engine, width),
                                               oro_engine_side(deliver->engine, height), err);
}

void cli_deliver_into(const struct cli_deliver *deliver, struct oro_write_options *write)
{
    write->engine = deliver->engine;
    write->resampling = deliver->resampling;
    write->tiling = deliver->tiled ? &deliver->tiling : NULL;
    if (deliver->engine && !write->channel)
        write->channel = "Y"; /* of .exr: every program shows it */
}

size_t cli_list_count(const char *list)
{
    size_t count = list ? 1 : 0;
    for (const char *c = list; c && *c; c++)
        count += *c == ',';
    return count;
}

char *cli_list_item(const char *list, size_t number)
{
    struct oro_text text = {0};
    for (; number > 0; number--)
        list += strcspn(list, ",") + 1;
    oro_text_add_bytes(&text, list, strcspn(list, ","));
    return oro_text_take(&text);
}

void cli_deliver_say(const char *path, int width, int height, const struct oro_write_options *options)
{
    const struct oro_written *written = options->written;
    struct oro_text text = {0};
    if (written->measure.width != width || written->measure.height != height)
        printf("%s: resampled from %d x %d to %d x %d cells, a size that %s takes\n", path, width, height,
               written->measure.width, written->measure.height, options->engine->title);
    if (options->tiling)
        printf("%s: in %d tiles of %d x %d cells\n", path, written->tiles, options->tiling->side,
               options->tiling->side);
    oro_engine_say(&written->figures, &text);
    if (written->figures.count > 0 && !text.failed)
        printf("%s: for %s: %s\n", path, options->engine->title, text.data);
    oro_text_free(&text);
}
