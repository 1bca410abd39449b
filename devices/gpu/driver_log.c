#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gpu/source.h"

struct message {
    long source, line;
    const char *text; /* within the driver's line */
    const char *level;
};

static bool number_at(const char **at, long *number)
{
    if (!isdigit((unsigned char)**at))
        return false;
    char *end;
    *number = strtol(*at, &end, 10);
    *at = end;
    return *number < INT_MAX;
}

static const char *skip(const char *at, const char *characters)
{
    return at + strspn(at, characters);
}

/* "0:12(5): error: text", where "(5)" may be missing. */
static bool parse_mesa(const char *at, struct message *message)
{
    if (!number_at(&at, &message->source) || *at++ != ':' || !number_at(&at, &message->line))
        return false;
    if (*at == '(') {
        long column;
        at++;
        if (!number_at(&at, &column) || *at++ != ')')
            return false;
    }
    if (*at != ':')
        return false;
    message->text = skip(at + 1, " ");
    return true;
}

/* "0(12) : error C0000: text" */
static bool parse_nvidia(const char *at, struct message *message)
{
    if (!number_at(&at, &message->source) || *at++ != '(' || !number_at(&at, &message->line) || *at++ != ')')
        return false;
    at = skip(at, " ");
    if (*at != ':')
        return false;
    message->text = skip(at + 1, " ");
    return true;
}

/* "ERROR: 0:12: text" */
static bool parse_prefixed(const char *at, struct message *message)
{
    if (strncmp(at, "ERROR: ", 7) == 0)
        message->level = "error: ";
    else if (strncmp(at, "WARNING: ", 9) == 0)
        message->level = "warning: ";
    else
        return false;
    return parse_mesa(strchr(at, ' ') + 1, message);
}

static void rewrite_line(struct oro_text *out, const struct oro_source *source, const char *line,
                         const char *end)
{
    struct message message = {.level = ""};
    bool known = parse_prefixed(line, &message);
    if (!known) {
        message.level = "";
        known = parse_mesa(line, &message) || parse_nvidia(line, &message);
    }
    if (known && message.line >= ORO_SOURCE_LINES) {
        message.source = message.line / ORO_SOURCE_LINES;
        message.line %= ORO_SOURCE_LINES;
    }
    const char *name = known && message.text <= end ? oro_source_name(source, message.source) : NULL;
    if (name) {
        oro_text_addf(out, "%s:%ld: %s", name, message.line, message.level);
        line = message.text;
    }
    oro_text_add_bytes(out, line, (size_t)(end - line));
    oro_text_add(out, "\n");
}

void oro_driver_log(struct oro_text *out, const struct oro_source *source, const char *log)
{
    while (*log) {
        const char *end = log + strcspn(log, "\r\n");
        if (end > log)
            rewrite_line(out, source, log, end);
        log = skip(end, "\r\n");
    }
}

static bool is_error(const char *line, const char *end)
{
    const char *at = strstr(line, "error");
    return at && at < end;
}

static int summarise(struct oro_text *out, const char *log, bool errors_only)
{
    enum { MESSAGES_MAX = 4 };
    int count = 0;
    while (*log && count < MESSAGES_MAX) {
        const char *end = log + strcspn(log, "\n");
        if (end > log && (!errors_only || is_error(log, end))) {
            oro_text_add(out, count++ ? "; " : "");
            oro_text_add_bytes(out, log, (size_t)(end - log));
        }
        log = skip(end, "\n");
    }
    return count;
}

void oro_driver_log_summary(struct oro_text *out, const char *rewritten)
{
    if (summarise(out, rewritten, true) == 0 && summarise(out, rewritten, false) == 0)
        oro_text_add(out, "the driver gave no reason");
}
