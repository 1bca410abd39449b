#define _GNU_SOURCE /* for fopencookie */
#include "cli/report/plain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/line.h"

/* A global, as standard output is. */
static struct {
    bool all;
    char cut[4]; /* the beginning of a character whose end is still to come */
    size_t cut_length;
} plain;

static bool send(const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(STDOUT_FILENO, bytes, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* The bytes of other encodings than UTF-8 pass, but for those that terminals of eight bits obey. */
static bool is_shown(enum oro_character what, char byte)
{
    unsigned char c = (unsigned char)byte;
    return what == ORO_CHARACTER_SHOWN || byte == '\n' || byte == '\t' ||
           (what == ORO_CHARACTER_WRONG && (c < 0x80 || c >= 0xa0));
}

static bool send_plain(const char *at, size_t size)
{
    char out[4096];
    size_t used = 0;
    for (const char *end = at + size; at < end;) {
        size_t length;
        uint32_t code;
        enum oro_character what = oro_character_at(at, end, &length, &code);
        if (what == ORO_CHARACTER_CUT && end - at < (ptrdiff_t)sizeof plain.cut) {
            plain.cut_length = (size_t)(end - at);
            memcpy(plain.cut, at, plain.cut_length);
            break;
        }
        if (used + length > sizeof out) {
            if (!send(out, used))
                return false;
            used = 0;
        }
        if (is_shown(what, *at)) {
            memcpy(out + used, at, length);
            used += length;
        } else {
            out[used++] = ' ';
        }
        at += length;
    }
    return send(out, used);
}

static ssize_t write_plain(void *cookie, const char *bytes, size_t size)
{
    char joined[sizeof plain.cut + 1024];
    size_t done = 0;
    (void)cookie;
    if (plain.all)
        return send(bytes, size) ? (ssize_t)size : 0;
    while (done < size) {
        size_t part = size - done < 1024 ? size - done : 1024, before = plain.cut_length;
        memcpy(joined, plain.cut, before);
        memcpy(joined + before, bytes + done, part);
        plain.cut_length = 0;
        if (!send_plain(joined, before + part))
            return 0;
        done += part;
    }
    return (ssize_t)size;
}

void cli_plain_begin(void)
{
    FILE *filter = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_plain});
    if (!filter)
        return;
    setvbuf(filter, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    stdout = filter;
}

void cli_plain_pass(bool all)
{
    fflush(stdout);
    plain.all = all;
}
