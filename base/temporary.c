#define _GNU_SOURCE /* for O_PATH folders */
#include "base/temporary.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/process.h"

enum {
    NAME_MOST = 128, /* bytes of a name that are kept in front: names have a limit */
    DEPTH = 3,
};
#define ENDING ".part"

/* Hosts by their names, and on each of them what numbers processes: containers have their own numbers. */
static uint32_t host_key(const struct oro_process *process)
{
    char text[ORO_HOST_SIZE + 24];
    struct stat numbers = {0};
    if (stat("/proc/self/ns/pid", &numbers) != 0)
        numbers.st_ino = 0;
    int length = snprintf(text, sizeof text, "%s %ju", process->host, (uintmax_t)numbers.st_ino);
    return (uint32_t)oro_hash_of(text, (size_t)length).low;
}

void oro_temporary_name(struct oro_text *text, const char *name)
{
    static atomic_uint count;
    struct oro_process self = oro_process_self();
    size_t length = strlen(name);
    if (length > NAME_MOST)
        for (length = NAME_MOST; (name[length] & 0xc0) == 0x80;) /* keep UTF-8 whole */
            length--;
    oro_text_add_bytes(text, name, length);
    oro_text_addf(text, ".%08x-%lx-%llx-%x" ENDING, host_key(&self), (unsigned long)self.number, self.started,
                  atomic_fetch_add(&count, 1));
}

/* A hexadecimal number that ends with this character, and what comes behind it. */
static bool take_number(const char **at, char end, unsigned long long *number)
{
    char *stop = NULL;
    if (!strchr("0123456789abcdef", **at) || !**at)
        return false; /* a blank, or a sign */
    *number = strtoull(*at, &stop, 16);
    *at = stop + 1;
    return *stop == end;
}

bool oro_temporary_is_stale(const char *name)
{
    size_t length = strlen(name), ending = strlen(ENDING);
    const char *owner = name + length - ending;
    unsigned long long host, number, count;
    if (length <= ending || strcmp(owner, ENDING) != 0)
        return false;
    while (owner > name && owner[-1] != '.')
        owner--;
    struct oro_process process = oro_process_self();
    if (owner == name || !take_number(&owner, '-', &host) || !take_number(&owner, '-', &number) ||
        !take_number(&owner, '-', &process.started) || !take_number(&owner, '.', &count) ||
        host != host_key(&process))
        return false;
    process.number = (long)number;
    return oro_process_is_gone(&process);
}

static void empty(int folder, int depth)
{
    DIR *stream = fdopendir(folder);
    if (!stream) {
        close(folder);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(stream), entry->d_name, 0) == 0 || depth == 0)
            continue;
        int inner = openat(dirfd(stream), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            empty(inner, depth - 1); /* NOLINT(misc-no-recursion): as deep as DEPTH */
        unlinkat(dirfd(stream), entry->d_name, AT_REMOVEDIR);
    }
    closedir(stream);
}

void oro_remove_all(int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0)
        return;
    int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0)
        empty(inner, DEPTH - 1);
    unlinkat(folder, name, AT_REMOVEDIR);
}

void oro_temporary_sweep(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = again >= 0 ? fdopendir(again) : NULL;
    if (!stream && again >= 0)
        close(again);
    for (const struct dirent *entry; stream && (entry = readdir(stream));)
        if (oro_temporary_is_stale(entry->d_name))
            oro_remove_all(folder, entry->d_name);
    if (stream)
        closedir(stream);
}
