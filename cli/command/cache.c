/* orograph cache: shows what the cache on disk holds, and makes it smaller. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/report/console.h"
#include "cli/report/table.h"
#include "graph/cache/cache.h"

static bool show(const char *folder, struct oro_error *err)
{
    struct oro_cache_stats stats = {0};
    char used[CLI_BYTES_SIZE], limit[CLI_BYTES_SIZE];
    if (!oro_cache_disk_stats(folder, &stats, err))
        return false;
    printf("folder  %s\nfiles   %" PRIu64 "\nsize    %s of at most %s\n", folder, stats.files,
           cli_bytes_text(stats.bytes, used), cli_bytes_text(stats.limit_bytes, limit));
    return true;
}

static void show_removed(const struct oro_cache_stats *removed)
{
    char bytes[CLI_BYTES_SIZE];
    printf("removed %" PRIu64 " file%s, %s\n", removed->files, removed->files == 1 ? "" : "s",
           cli_bytes_text(removed->bytes, bytes));
}

static bool clear(const char *folder, struct oro_error *err)
{
    struct oro_cache_stats removed = {0};
    if (!oro_cache_disk_clear(folder, &removed, err))
        return false;
    show_removed(&removed);
    return true;
}

static bool trim(const char *folder, const char *size, struct oro_error *err)
{
    struct oro_cache_stats stats = {0}, removed = {0};
    uint64_t bytes = 0;
    if (size && !oro_parse_bytes(size, &bytes))
        return oro_fail(err, ORO_E_USAGE, "'%s' is not a size; write bytes, or 500M, or 2G", size);
    if (!oro_cache_disk_stats(folder, &stats, err) ||
        !oro_cache_disk_trim(folder, size ? bytes : stats.limit_bytes, &removed, err))
        return false;
    show_removed(&removed);
    return true;
}

static bool act(const char *action, const char *size, struct oro_error *err)
{
    static const char *const actions[] = {"stats", "clear", "trim"};
    struct oro_cache_stats stats;
    if (size && strcmp(action, "trim") != 0)
        return oro_fail(err, ORO_E_USAGE, "'%s' is one argument too many for 'cache %s'", size, action);
    if (!oro_cache_disk_stats(NULL, &stats, err))
        return false;
    const char *folder = stats.folder;
    if (strcmp(action, "stats") == 0)
        return show(folder, err);
    if (strcmp(action, "clear") == 0)
        return clear(folder, err);
    if (strcmp(action, "trim") == 0)
        return trim(folder, size, err);
    char meant[ORO_NEAR_SIZE];
    const char *near = oro_suggest(action, actions, 3);
    return oro_fail(err, ORO_E_USAGE, "'cache' takes stats, clear or trim, not '%s'%s", action,
                    oro_did_you_mean(near, meant));
}

static int run_cache(const void *options, char *const *arguments, int count)
{
    (void)options;
    struct oro_error err = {0};
    if (!act(count > 0 ? arguments[0] : "stats", count > 1 ? arguments[1] : NULL, &err))
        return (int)cli_fail(&err);
    return CLI_DONE;
}

const struct cli_command cli_cache = {
    .name = "cache",
    .arguments = "[stats | clear | trim [SIZE]]",
    .summary = "Shows, empties or shrinks the cache of results on disk",
    .help = "The cache lies in OROGRAPH_CACHE, else in XDG_CACHE_HOME/orograph, else in ~/.cache/orograph.\n"
            "'trim' removes what was not used for longest until at most SIZE (such as 2G) is left;\n"
            "without SIZE, until the cache's own limit is kept.\n"
            "Example: orograph cache trim 2G\n",
    .most = 2,
    .run = run_cache,
};
