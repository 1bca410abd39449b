#include "cli/engine/session.h"

#include <stdio.h>

#include "base/budget.h"
#include "cli/engine/share.h"
#include "devices/devices.h"
#include "devices/spread/spread.h"

enum { CARDS_MAX = 64 };

/* Where a device was asked for, or nobody is there to share them with, cards are not looked for. */
static struct cli_share share_of(const struct oro_ranks *ranks, bool named)
{
    int cards[CARDS_MAX];
    bool shares = !named && ranks && ranks->local_count > 1;
    return cli_share_of(ranks, cards, shares ? oro_gpu_cards(cards, CARDS_MAX) : 0);
}

/* Rank 0's notes alone are seen. */
static void say_share(const struct cli_session_options *options, const struct cli_share *share)
{
    struct oro_ranks *ranks = options->ranks;
    if (ranks && share->cards > 0 && share->ranks > 1)
        oro_note(options->log, ORO_NOTICE, "the %d ranks on %s share %d graphics card%s", ranks->local_count,
                 ranks->host, share->cards, share->cards == 1 ? "" : "s");
}

static bool open_device(struct cli_session *session, const struct cli_session_options *options,
                        struct cli_share *share, struct oro_error *err)
{
    struct oro_gpu_options gpu = {
        .index = ORO_DEVICE_ANY, .shader_dir = options->shader_dir, .log = options->log};
    if (options->device && !oro_device_parse(options->device, &gpu.index))
        return oro_fail(err, ORO_E_USAGE,
                        "--device takes a number of 'orograph devices', or 'processor': '%s'",
                        options->device);
    *share = share_of(options->ranks, options->device);
    if (share->cards > 0)
        gpu.index = share->number;
    session->device = oro_device_open(&gpu, err);
    return session->device;
}

/* Results of different drivers differ in their last bits. */
static bool same_device(const struct cli_session *session, struct oro_ranks *ranks, struct oro_error *err)
{
    const struct oro_device_info *info = &session->device->info;
    char text[sizeof info->name + sizeof info->version + 4];
    snprintf(text, sizeof text, "%s, %s", info->name, info->version);
    return oro_ranks_same(ranks, "device and driver", text, ORO_E_DEVICE, err);
}

/* Puts a device over the one that was opened that keeps large rasters in tiles. */
static bool put_spread(struct cli_session *session, const struct oro_plan_spread *how,
                       struct oro_ranks *ranks, struct oro_error *err)
{
    struct oro_spread_options spread = {.whole = how->whole,
                                        .tile = how->tile,
                                        .depth = how->depth,
                                        .host_bytes = oro_budget() / 2,
                                        .ranks = ranks};
    struct oro_device *device = oro_spread_create(session->device, &spread, err);
    if (!device)
        return false;
    session->device = device;
    session->spread = *how;
    return true;
}

struct cli_fit cli_session_fit(const struct cli_session *session, const struct cli_session_options *options)
{
    return (struct cli_fit){.memory_bytes = session->memory_bytes,
                            .whole = options->whole,
                            .tile = options->tile,
                            .always = session->spread.whole > 0,
                            .never = session->device->ops->memory != NULL,
                            .ranks = options->ranks ? options->ranks->count : 1};
}

/* Tiles were asked for, or other ranks could take a share of them. The processor's memory holds whole rasters
 * alone. */
static bool spread(struct cli_session *session, const struct cli_session_options *options,
                   struct oro_error *err)
{
    bool several = options->ranks && options->ranks->count > 1 && !session->device->ops->memory;
    struct cli_fit fit = cli_session_fit(session, options);
    struct oro_plan_spread standard = cli_fit_spread(&fit);
    return (!options->whole && !options->tile && !several) ||
           put_spread(session, &standard, options->ranks, err);
}

static bool open_cache(struct cli_session *session, const struct cli_session_options *options,
                       struct oro_error *err)
{
    struct oro_cache_options cache = {
        .folder = options->no_cache ? "" : NULL,
        .device_bytes = session->memory_bytes / (session->spread.whole ? 8 : 2), /* windows need the rest */
        .host_bytes = (size_t)oro_ranks_least(options->ranks, oro_budget() / 4),
        .log = options->log,
        .ranks = options->ranks,
    };
    session->cache = oro_cache_create(&cache);
    return session->cache || oro_fail(err, ORO_E_MEMORY, "no memory for the cache");
}

bool cli_session_spread(struct cli_session *session, const struct cli_session_options *options,
                        const struct oro_plan_spread *how, struct oro_error *err)
{
    if (!how->whole)
        return true;
    if (session->spread.whole) {
        oro_spread_cut_by(session->device, how->tile, how->depth);
        session->spread = *how;
        return true;
    }
    if (!put_spread(session, how, options->ranks, err))
        return false;
    oro_cache_destroy(session->cache);
    session->cache = NULL;
    return open_cache(session, options, err);
}

/* The device's budget, and that of the host. A device that computes in the host's memory has half of that. */
static void divide_memory(struct cli_session *session, const struct cli_session_options *options,
                          const struct cli_share *share)
{
    const struct oro_device_info *info = &session->device->info;
    size_t host = options->host_bytes ? options->host_bytes : options->memory_bytes;
    if (host)
        oro_budget_choose(host);
    size_t own = oro_gpu_budget(info) / (size_t)share->ranks;
    if (options->memory_bytes && !info->software)
        own = options->memory_bytes;
    /* What a driver holds is not counted with the host's. */
    if (info->software && !session->device->ops->memory)
        oro_budget_set(oro_budget() / 2);
    session->memory_bytes = (size_t)oro_ranks_least(options->ranks, own);
    session->device->budget_bytes = session->memory_bytes;
}

bool cli_session_open(struct cli_session *session, const struct cli_session_options *options,
                      struct oro_error *err)
{
    struct oro_ranks *ranks = options->ranks;
    struct cli_share share = {.ranks = 1};
    *session = (struct cli_session){0};
    bool ok = oro_ranks_agree(ranks, open_device(session, options, &share, err), err) &&
              same_device(session, ranks, err);
    if (ok) {
        say_share(options, &share);
        divide_memory(session, options, &share);
        ok = oro_ranks_agree(ranks, spread(session, options, err) && open_cache(session, options, err), err);
    }
    if (!ok)
        cli_session_close(session);
    return ok;
}

void cli_session_close(struct cli_session *session)
{
    oro_cache_destroy(session->cache);
    if (session->device)
        session->device->ops->destroy(session->device);
    *session = (struct cli_session){0};
}
