/* Notices that are not errors (a migration, a staircase input). The owner of a run passes a sink; a zeroed
 * struct drops them. The sink may be called from the thread that evaluates. */
#ifndef ORO_BASE_LOG_H
#define ORO_BASE_LOG_H

#include "base/error.h"

enum oro_level { ORO_DEBUG, ORO_NOTICE, ORO_WARNING };

struct oro_log {
    void (*write)(void *user, enum oro_level level, const char *text);
    void *user;
};

void oro_note(const struct oro_log *log, enum oro_level level, const char *format, ...) ORO_PRINTF(3, 4);

#endif
