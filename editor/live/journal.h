/* Carries log lines from one thread to another. Internal to live/. Any thread. */
#ifndef ED_LIVE_JOURNAL_H
#define ED_LIVE_JOURNAL_H

#include <stddef.h>

#include <pthread.h>

#include "base/log.h"

struct ed_journal {
    pthread_mutex_t lock;
    struct ed_journal_line {
        enum oro_level level;
        char *text;
    } * lines;
    size_t count, capacity, dropped; /* dropped: lines for which there was no room */
    struct oro_log log;              /* writes to it */
};

void ed_journal_begin(struct ed_journal *journal);
void ed_journal_end(struct ed_journal *journal);
/* Calls `each` with the lines since the last time, in order, and forgets them. */
void ed_journal_read(struct ed_journal *journal,
                     void (*each)(void *user, enum oro_level level, const char *text), void *user);

#endif
