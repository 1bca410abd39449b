#include "cli/session.h"

#include <unistd.h>

#include "gpu/gpu.h"

static const size_t MEMORY_UNKNOWN = (size_t)2
                                     << 30; /* when neither device nor system says how much there is */

size_t cli_physical_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return 2 * MEMORY_UNKNOWN;
    return (size_t)pages * (size_t)page;
}

/* A software device shares the system's memory with everything else; a GPU's own is mostly ours. */
static size_t default_budget(const struct oro_device_info *info)
{
    if (info->software)
        return cli_physical_memory() / 2;
    return info->memory_bytes ? info->memory_bytes / 10 * 8 : MEMORY_UNKNOWN;
}

bool cli_session_open(struct cli_session *session, const struct cli_session_options *options,
                      struct oro_error *err)
{
    *session = (struct cli_session){0};
    struct oro_gpu_options gpu = {
        .index = options->device, .shader_dir = options->shader_dir, .log = options->log};
    session->device = oro_gpu_create(&gpu, err);
    if (!session->device)
        return false;
    session->memory_bytes =
        options->memory_bytes ? options->memory_bytes : default_budget(&session->device->info);
    session->device->budget_bytes = session->memory_bytes;
    struct oro_cache_options cache = {
        .folder = options->no_cache ? "" : NULL,
        .device_bytes = session->memory_bytes / 2,
        .host_bytes = cli_physical_memory() / 4,
        .log = options->log,
    };
    session->cache = oro_cache_create(&cache);
    if (session->cache)
        return true;
    cli_session_close(session);
    return oro_fail(err, ORO_E_MEMORY, "no memory for the cache");
}

void cli_session_close(struct cli_session *session)
{
    oro_cache_destroy(session->cache);
    if (session->device)
        session->device->ops->destroy(session->device);
    *session = (struct cli_session){0};
}
