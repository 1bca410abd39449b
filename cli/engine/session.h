/* A device with its cache, which every command that evaluates opens in the same way. */
#ifndef ORO_CLI_ENGINE_SESSION_H
#define ORO_CLI_ENGINE_SESSION_H

#include "cli/engine/fit.h"
#include "graph/cache/cache.h"
#include "graph/plan/plan.h"
#include "graph/type/device.h"

struct cli_session_options {
    const char *device;        /* as listed by `orograph devices`; NULL: the best */
    const char *shader_dir;    /* or NULL */
    size_t memory_bytes;       /* budget of device memory, and of the host's; 0: chosen automatically */
    size_t host_bytes;         /* budget of the host's memory where it is another; 0: it is not */
    bool no_cache;             /* neither read nor write the cache on disk */
    const struct oro_log *log; /* must outlive the session */
    struct oro_ranks *ranks;   /* borrowed; NULL: this process alone */
    int whole, tile;           /* cells along a side: struct oro_spread_options; 0: standard */
};

struct cli_session {
    struct oro_device *device;
    struct oro_cache *cache;
    size_t memory_bytes;           /* the device's budget */
    struct oro_plan_spread spread; /* which rasters the device keeps in tiles; zeroed: none */
};

/* With ranks it is collective: those of one host share its graphics cards, each takes the next, and without
 * `memory_bytes` those that share one divide its memory. Devices must be of one kind, with one driver. On
 * failure there is nothing to close. */
bool cli_session_open(struct cli_session *session, const struct cli_session_options *options,
                      struct oro_error *err);
/* What a graph has to fit. */
struct cli_fit cli_session_fit(const struct cli_session *session, const struct cli_session_options *options);
/* Lets the device cut rasters as a plan has it, before any work is done: zeroed, it cuts none. */
bool cli_session_spread(struct cli_session *session, const struct cli_session_options *options,
                        const struct oro_plan_spread *how, struct oro_error *err);
void cli_session_close(struct cli_session *session); /* release all values first */

#endif
