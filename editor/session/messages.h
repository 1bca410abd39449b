/*
 * Messages for the log panel, with the node that they are about. Repeated ones are counted. The last
 * ED_MESSAGES_MAX are kept.
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
    double at; /* seconds, as oro_now */
};
struct ed_messages {
    struct ed_message items[ED_MESSAGES_MAX];
    size_t first, count;
    uint64_t serial; /* rises with every message */
    /* Problems that the document's check found; kept apart, and replaced as a whole. */
    struct ed_message problems[ED_MESSAGES_MAX];
    size_t problem_count;
};

void ed_message(struct ed_messages *messages, enum ed_message_kind kind, const char *node, const char *format,
                ...) ORO_PRINTF(4, 5);
/* The k-th newest; 0 is the last. */
const struct ed_message *ed_message_at(const struct ed_messages *messages, size_t k);
void ed_messages_clear(struct ed_messages *messages);
void ed_problems_clear(struct ed_messages *messages);
void ed_problem(struct ed_messages *messages, enum ed_message_kind kind, const char *node, const char *text);
size_t ed_messages_errors(const struct ed_messages *messages); /* among the problems */
/* The first problem that the check found with a node; NULL: none. */
const char *ed_problem_of(const struct ed_messages *messages, const char *node);
void ed_messages_free(struct ed_messages *messages);

#endif
