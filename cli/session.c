#include "cli/session.h"

#include "base/memory.h"
#include "devices/devices.h"

bool cli_session_open(struct cli_session *session, const struct cli_session_options *options,
                      struct oro_error *err)
{
    *session = (struct cli_session){0};
    struct oro_gpu_options gpu = {
        .index = ORO_DEVICE_ANY, .shader_dir = options->shader_dir, .log = options->log};
    if (options->device && !oro_device_parse(options->device, &gpu.index))
        return oro_fail(err, ORO_E_USAGE,
                        "--device takes a number of 'orograph devices', or 'processor': '%s'",
                        options->device);
    session->device = oro_device_open(&gpu, err);
    if (!session->device)
        return false;
    session->memory_bytes =
        options->memory_bytes ? options->memory_bytes : oro_gpu_budget(&session->device->info);
    session->device->budget_bytes = session->memory_bytes;
    struct oro_cache_options cache = {
        .folder = options->no_cache ? "" : NULL,
        .device_bytes = session->memory_bytes / 2,
        .host_bytes = oro_memory_physical() / 4,
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
