#include "editor/live/journal.h"

#include <stdio.h>

#include "base/memory.h"

enum { LINES_MAX = 1000 };

static void write_line(void *user, enum oro_level level, const char *text)
{
    struct ed_journal *journal = user;
    pthread_mutex_lock(&journal->lock);
    void *lines = journal->lines;
    char *copy = journal->count < LINES_MAX ? oro_copy_text(text) : NULL;
    if (copy && oro_reserve(&lines, &journal->capacity, journal->count + 1, sizeof *journal->lines)) {
        journal->lines = lines;
        journal->lines[journal->count++] = (struct ed_journal_line){level, copy};
    } else {
        oro_free(copy);
        journal->dropped++;
    }
    pthread_mutex_unlock(&journal->lock);
}

void ed_journal_begin(struct ed_journal *journal)
{
    *journal = (struct ed_journal){.log = {write_line, journal}};
    pthread_mutex_init(&journal->lock, NULL);
}

static void drop(struct ed_journal_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        oro_free(lines[i].text);
    oro_free(lines);
}

void ed_journal_end(struct ed_journal *journal)
{
    drop(journal->lines, journal->count);
    pthread_mutex_destroy(&journal->lock);
}

void ed_journal_read(struct ed_journal *journal,
                     void (*each)(void *user, enum oro_level level, const char *text), void *user)
{
    pthread_mutex_lock(&journal->lock);
    struct ed_journal_line *lines = journal->lines;
    size_t count = journal->count, dropped = journal->dropped;
    journal->lines = NULL;
    journal->count = journal->capacity = journal->dropped = 0;
    pthread_mutex_unlock(&journal->lock);
    for (size_t i = 0; i < count; i++)
        each(user, lines[i].level, lines[i].text);
    drop(lines, count);
    if (dropped > 0) {
        char text[64];
        snprintf(text, sizeof text, "%zu more lines were left out", dropped);
        each(user, ORO_NOTICE, text);
    }
}
