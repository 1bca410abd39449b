#include "cli/report/console.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/line.h"

enum { LINE_SIZE = 2048 };

enum cli_exit cli_exit_code(enum oro_code code)
{
    switch (code) {
    case ORO_OK:
        return CLI_DONE;
    case ORO_E_USAGE:
        return CLI_USAGE;
    case ORO_E_DOCUMENT:
    case ORO_E_FILE:
    case ORO_E_OMITTED:
        return CLI_INVALID;
    case ORO_E_CANCELLED:
        return CLI_CANCELLED;
    case ORO_E_DEVICE:
        return CLI_NO_DEVICE;
    case ORO_E_WRITE:
    case ORO_E_MEMORY:
    case ORO_E_LIMIT:
    case ORO_E_LOST:
    case ORO_E_KERNEL:
    case ORO_E_EVALUATE:
    case ORO_E_RANKS:
        return CLI_FAILED;
    }
    return CLI_FAILED;
}

const char *cli_code_name(enum oro_code code)
{
    static const char *const names[] = {
        [ORO_OK] = "ok",
        [ORO_E_USAGE] = "usage",
        [ORO_E_DOCUMENT] = "document",
        [ORO_E_FILE] = "file",
        [ORO_E_WRITE] = "write",
        [ORO_E_MEMORY] = "memory",
        [ORO_E_LIMIT] = "limit",
        [ORO_E_DEVICE] = "device",
        [ORO_E_LOST] = "lost",
        [ORO_E_KERNEL] = "kernel",
        [ORO_E_EVALUATE] = "evaluate",
        [ORO_E_CANCELLED] = "cancelled",
        [ORO_E_OMITTED] = "omitted",
        [ORO_E_RANKS] = "ranks",
    };
    return (size_t)code < sizeof names / sizeof names[0] ? names[code] : "unknown";
}

/* A global, since messages come from everywhere. */
static bool silent;

void cli_silence(void)
{
    silent = true;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        close(STDOUT_FILENO);
    if (nowhere >= 0)
        close(nowhere);
}

/* Names in a message may hold any characters: keep it one line, and let no escape sequence reach the
 * terminal. */
static void print_line(const char *prefix, const char *line)
{
    char shown[LINE_SIZE];
    if (!silent)
        fprintf(stderr, "%s%s\n", prefix, oro_one_line(line, strlen(line), shown, sizeof shown));
}

static void say(const char *prefix, const char *format, va_list args)
{
    char line[LINE_SIZE];
    vsnprintf(line, sizeof line, format, args);
    print_line(prefix, line);
}

void cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("orograph: ", format, args);
    va_end(args);
}

void cli_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("orograph: warning: ", format, args);
    va_end(args);
}

enum cli_exit cli_fail(const struct oro_error *err)
{
    char line[LINE_SIZE];
    cli_error("%s", oro_error_line(err, line, sizeof line));
    return cli_exit_code(err->code == ORO_OK ? ORO_E_EVALUATE : err->code);
}

static void write_log(void *user, enum oro_level level, const char *text)
{
    (void)user;
    if (level == ORO_WARNING)
        cli_warning("%s", text);
    else if (level == ORO_NOTICE)
        print_line("", text);
}

const struct oro_log cli_log = {.write = write_log};

void cli_print_problems(const struct oro_problems *problems, const char *file)
{
    enum { TOLD_MAX = 1000 }; /* nobody reads more */
    char line[LINE_SIZE];
    for (size_t i = 0; i < problems->count && i < TOLD_MAX; i++) {
        oro_problem_line(&problems->items[i], file, line, sizeof line);
        print_line("", line);
    }
    if (problems->count > TOLD_MAX)
        cli_error("%s: and %zu more problems%s", file ? file : "", problems->count - TOLD_MAX,
                  problems->count == ORO_PROBLEMS_MAX ? ", or still more" : "");
}

enum cli_exit cli_flush(enum cli_exit code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    cli_error("cannot write to standard output: %s", errno ? strerror(errno) : "it was closed");
    return code == CLI_DONE ? CLI_FAILED : code;
}

bool cli_print_text(struct oro_text *text)
{
    bool ok = !text->failed;
    if (ok && text->data)
        fputs(text->data, stdout);
    oro_text_free(text);
    return ok;
}
