/*
 * Messages for the log panel, with the node that they are about. Repeated ones are counted. The last
 * ED_MESSAGES_MAX are kept, and go when their document is closed or replaced.
 */
#ifndef ED_SESSION_MESSAGES_H
#define ED_SESSION_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"

enum { ED_MESSAGES_MAX = 500 };
enum ed_message_kind { ED_NOTICE, ED_WARNING, ED_ERROR };

struct ed_message {
    enum ed_message_kind kind;
    char *text;
    char node[128]; /* "" */
    int times;
    double at;         /* seconds, as oro_now */
    uint64_t revision; /* of the document when it was said last; 0: it is about the program */
};
struct ed_messages {
    struct ed_message items[ED_MESSAGES_MAX];
    size_t first, count;
    uint64_t serial;   /* rises with every message */
    uint64_t revision; /* of the document that is open; 0: none is yet */
    /* Problems that the document's check found; kept apart, and replaced as a whole. */
    struct ed_message problems[ED_MESSAGES_MAX];
    size_t problem_count;
};

void ed_message(struct ed_messages *messages, enum ed_message_kind kind, const char *node, const char *format,
                ...) ORO_PRINTF(4, 5);
/* The k-th newest; 0 is the last. */
const struct ed_message *ed_message_at(const struct ed_messages *messages, size_t k);
void ed_messages_clear(struct ed_messages *messages);
/* Another document is open: what was said of the one before goes, and so do its problems. */
void ed_messages_closed(struct ed_messages *messages);
/* Takes away errors about nodes that have been mended since: those for which `mended` says so. It is asked
 * only about errors of earlier revisions. */
void ed_messages_mended(struct ed_messages *messages, bool (*mended)(void *user, const char *node),
                        void *user);
void ed_problems_clear(struct ed_messages *messages);
void ed_problem(struct ed_messages *messages, enum ed_message_kind kind, const char *node, const char *text);
size_t ed_messages_errors(const struct ed_messages *messages); /* among the problems */
/* The first problem that the check found with a node; NULL: none. */
const char *ed_problem_of(const struct ed_messages *messages, const char *node);
void ed_messages_free(struct ed_messages *messages);

#endif
