#include "editor/session/messages.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

static void fill(struct ed_message *message, enum ed_message_kind kind, const char *node, const char *text)
{
    oro_free(message->text);
    *message = (struct ed_message){.kind = kind, .text = oro_copy_text(text), .times = 1, .at = oro_now()};
    snprintf(message->node, sizeof message->node, "%s", node ? node : "");
}

void ed_message(struct ed_messages *messages, enum ed_message_kind kind, const char *node, const char *format,
                ...)
{
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    messages->serial++;
    size_t last = (messages->first + messages->count + ED_MESSAGES_MAX - 1) % ED_MESSAGES_MAX;
    struct ed_message *message = &messages->items[last];
    if (messages->count > 0 && message->kind == kind && message->text && strcmp(message->text, text) == 0 &&
        strcmp(message->node, node ? node : "") == 0) {
        message->times++;
        message->at = oro_now();
        message->revision = messages->revision;
        return;
    }
    if (messages->count == ED_MESSAGES_MAX)
        messages->first = (messages->first + 1) % ED_MESSAGES_MAX;
    else
        messages->count++;
    message = &messages->items[(messages->first + messages->count - 1) % ED_MESSAGES_MAX];
    fill(message, kind, node, text);
    message->revision = messages->revision;
}

const struct ed_message *ed_message_at(const struct ed_messages *messages, size_t k)
{
    if (k >= messages->count)
        return NULL;
    return &messages->items[(messages->first + messages->count - 1 - k) % ED_MESSAGES_MAX];
}

void ed_messages_clear(struct ed_messages *messages)
{
    messages->first = messages->count = 0;
    messages->serial++;
}

/* Keeps the order. */
static void keep(struct ed_messages *messages, bool (*stays)(const struct ed_message *message, void *user),
                 void *user)
{
    size_t kept = 0;
    for (size_t i = 0; i < messages->count; i++) {
        struct ed_message *from = &messages->items[(messages->first + i) % ED_MESSAGES_MAX];
        struct ed_message *to = &messages->items[(messages->first + kept) % ED_MESSAGES_MAX];
        if (!stays(from, user))
            continue;
        struct ed_message swapped = *to; /* texts that are left behind are freed when they are replaced */
        *to = *from;
        *from = swapped;
        kept++;
    }
    messages->serial += kept < messages->count;
    messages->count = kept;
}

static bool is_of_the_program(const struct ed_message *message, void *user)
{
    (void)user;
    return message->revision == 0;
}

void ed_messages_closed(struct ed_messages *messages)
{
    keep(messages, is_of_the_program, NULL);
    ed_problems_clear(messages);
}

struct mending {
    const struct ed_messages *messages;
    bool (*mended)(void *user, const char *node);
    void *user;
};

static bool still_holds(const struct ed_message *message, void *user)
{
    const struct mending *mending = user;
    return message->kind != ED_ERROR || !message->node[0] ||
           message->revision >= mending->messages->revision || !mending->mended(mending->user, message->node);
}

void ed_messages_mended(struct ed_messages *messages, bool (*mended)(void *user, const char *node),
                        void *user)
{
    struct mending mending = {messages, mended, user};
    keep(messages, still_holds, &mending);
}

void ed_problems_clear(struct ed_messages *messages)
{
    messages->problem_count = 0;
    messages->serial++;
}

void ed_problem(struct ed_messages *messages, enum ed_message_kind kind, const char *node, const char *text)
{
    if (messages->problem_count == ED_MESSAGES_MAX)
        return;
    fill(&messages->problems[messages->problem_count++], kind, node, text);
    messages->serial++;
}

size_t ed_messages_errors(const struct ed_messages *messages)
{
    size_t errors = 0;
    for (size_t i = 0; i < messages->problem_count; i++)
        errors += messages->problems[i].kind == ED_ERROR;
    return errors;
}

const char *ed_problem_of(const struct ed_messages *messages, const char *node)
{
    for (size_t i = 0; i < messages->problem_count; i++)
        if (messages->problems[i].kind == ED_ERROR && strcmp(messages->problems[i].node, node) == 0)
            return messages->problems[i].text;
    return NULL;
}

void ed_messages_free(struct ed_messages *messages)
{
    for (size_t i = 0; i < ED_MESSAGES_MAX; i++) {
        oro_free(messages->items[i].text);
        oro_free(messages->problems[i].text);
    }
    *messages = (struct ed_messages){0};
}
