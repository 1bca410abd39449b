#include "tests/cli/support.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

char output[1 << 20];
double seconds;
long kilobytes;
static char folder[256];

struct used {
    int status;
    struct rusage usage;
};

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* Runs in a process of its own with a single child, because the usage of children is only known as a total.
 */
static void run_beside(const char *command, int report)
{
    struct used used = {0};
    pid_t child = fork();
    if (child == 0) {
        execlp("timeout", "timeout", "120", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    bool ok =
        child > 0 && waitpid(child, &used.status, 0) == child && getrusage(RUSAGE_CHILDREN, &used.usage) == 0;
    _exit(ok && write(report, &used, sizeof used) == (ssize_t)sizeof used ? 0 : 1);
}

static int run(const char *arguments)
{
    static char command[12000];
    struct used used;
    int ends[2];
    snprintf(command, sizeof command, "(%s) >stdout 2>&1 </dev/null", arguments);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        run_beside(command, ends[1]);
    close(ends[1]);
    assert_true(child > 0 && read(ends[0], &used, sizeof used) == (ssize_t)sizeof used);
    close(ends[0]);
    assert_true(waitpid(child, NULL, 0) == child && WIFEXITED(used.status));
    seconds = seconds_of(&used.usage.ru_utime) + seconds_of(&used.usage.ru_stime);
    kilobytes = used.usage.ru_maxrss;
    FILE *file = fopen("stdout", "rb");
    assert_non_null(file);
    output[fread(output, 1, sizeof output - 1, file)] = '\0';
    fclose(file);
    return WEXITSTATUS(used.status);
}

int shell(const char *format, ...)
{
    static char arguments[10000];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    return run(arguments);
}

void expect(int code, const char *format, ...)
{
    static char arguments[10000];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    int found = run(arguments);
    if (found != code)
        fail_msg("'%s' ended with %d, not %d: %s", arguments, found, code, output);
}

void says(const char *part)
{
    if (!strstr(output, part))
        fail_msg("'%s' is missing in: %s", part, output);
}

void says_not(const char *part)
{
    if (strstr(output, part))
        fail_msg("'%s' is in: %s", part, output);
}

int count(const char *part)
{
    int found = 0;
    for (const char *at = output; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* ---- Files ---- */

void write_file(const char *name, const char *text)
{
    struct oro_error err = {0};
    if (!oro_file_write(name, text, strlen(text), &err))
        fail_msg("%s", err.text);
}

/* The text ends with a zero byte. */
static char *read_file(const char *name, size_t *size)
{
    struct oro_error err = {0};
    void *data = NULL;
    if (!oro_file_read(name, 64 << 20, &data, size, &err))
        fail_msg("%s", err.text);
    char *text = malloc(*size + 1);
    assert_non_null(text);
    memcpy(text, data, *size);
    text[*size] = '\0';
    oro_free(data);
    return text;
}

void replace(const char *name, const char *from, const char *to)
{
    size_t size;
    char *text = read_file(name, &size), *at = strstr(text, from);
    FILE *file = fopen(name, "wb");
    if (!at)
        fail_msg("'%s' is not in %s", from, name);
    assert_non_null(file);
    const char *rest = text;
    for (; at; at = strstr(rest, from)) {
        fwrite(rest, 1, (size_t)(at - rest), file);
        fputs(to, file);
        rest = at + strlen(from);
    }
    fputs(rest, file);
    assert_int_equal(fclose(file), 0);
    free(text);
}

float *read_floats(const char *name, size_t *length)
{
    size_t size;
    char *data = read_file(name, &size);
    float *floats = malloc(size + 1);
    assert_true(floats && size > 0 && size % sizeof *floats == 0);
    memcpy(floats, data, size);
    free(data);
    *length = size / sizeof *floats;
    return floats;
}

const char *step_member(const char *report, const char *id, const char *member)
{
    static char values[4][100];
    static int next;
    char wanted[300], *value = values[next++ % 4];
    size_t size;
    char *text = read_file(report, &size);
    snprintf(wanted, sizeof wanted, "\"id\": \"%s\"", id);
    char *object = strstr(text, wanted), *end = object ? strchr(object, '}') : NULL;
    if (!end)
        fail_msg("%s has no step '%s': %s", report, id, text);
    snprintf(wanted, sizeof wanted, "\"%s\": \"", member);
    char *at = strstr(object, wanted);
    if (!at || at > end)
        fail_msg("the step '%s' has no '%s': %s", id, member, text);
    at += strlen(wanted);
    snprintf(value, sizeof values[0], "%.*s", (int)strcspn(at, "\""), at);
    free(text);
    return value;
}

/* ---- Set-up ---- */

int make_folder(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-cli-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0 || setenv("OROGRAPH", OROGRAPH_PROGRAM, 1) != 0)
        return -1;
    unsetenv("OROGRAPH_PATH");
    char cache[300];
    snprintf(cache, sizeof cache, "%s/cache", folder);
    return setenv("OROGRAPH_CACHE", cache, 1);
}

int remove_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 && remove_tree(folder) == 0 ? 0 : -1;
}
