#include "graph/type/said.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 1100 };

/* By level; those of what something was made from are small. */
static const char own_marks[] = {[ORO_DEBUG] = 'D', [ORO_NOTICE] = 'N', [ORO_WARNING] = 'W'};
static const char marks[sizeof own_marks] = {[ORO_DEBUG] = 'd', [ORO_NOTICE] = 'n', [ORO_WARNING] = 'w'};

static void add(struct oro_text *said, char mark, const char *text)
{
    char line[LINE];
    int length = snprintf(line, sizeof line, "%c%.*s\n", mark, LINE - 4, text);
    for (int i = 0; i < length - 1; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    if (!said->data || !strstr(said->data, line + 1)) /* no line is another's end: they begin with a name */
        oro_text_add(said, line);
}

void oro_said_add(struct oro_text *said, enum oro_level level, const char *line)
{
    add(said, own_marks[level], line);
}

static void each(const char *lines, bool own,
                 void (*take)(void *user, enum oro_level level, const char *text), void *user)
{
    char line[LINE];
    for (const char *end; lines && (end = strchr(lines, '\n')); lines = end + 1) {
        const char *mine = memchr(own_marks, *lines, sizeof own_marks),
                   *other = memchr(marks, *lines, sizeof marks);
        snprintf(line, sizeof line, "%.*s", (int)(end - lines - 1), lines + 1);
        if (mine)
            take(user, (enum oro_level)(mine - own_marks), line);
        else if (other && !own)
            take(user, (enum oro_level)(other - marks), line);
    }
}

static void inherit(void *user, enum oro_level level, const char *text)
{
    add(user, marks[level], text);
}

void oro_said_inherit(struct oro_text *said, const char *lines)
{
    each(lines, false, inherit, said);
}

void oro_said_tell(const char *lines, bool own, const struct oro_log *log)
{
    if (log && log->write)
        each(lines, own, log->write, log->user);
}
