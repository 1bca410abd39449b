#include "base/budget.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/resource.h>
#include <unistd.h>

static atomic_size_t limit, used;
static atomic_bool chosen;

/* What a thread was refused last. An error is filled by the thread that could not allocate, soon after. */
static _Thread_local size_t refused_bytes;
static _Thread_local bool refused_by_limit;

/* ---- What the system has ---- */

size_t oro_memory_physical(void)
{
    static const size_t unknown = (size_t)4 << 30;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page <= 0 ? unknown : (size_t)pages * (size_t)page;
}

/* The number behind a word at the beginning of a line of a file, or at its beginning. */
static bool read_number(const char *path, const char *word, uint64_t *number)
{
    char line[256];
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0) {
            char *end = line;
            *number = strtoull(line + strlen(word), &end, 10);
            found = end > line + strlen(word); /* "max" is none */
        }
    if (file)
        fclose(file);
    return found;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the control group leaves; above it in the tree there may be lower limits, which its own view of the
 * files hides where it is a container. */
static uint64_t group_left(void)
{
    static const struct {
        const char *most, *now;
    } files[] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    uint64_t most, now = 0, left = UINT64_MAX;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (read_number(files[i].most, "", &most) && read_number(files[i].now, "", &now))
            left = least(left, most > now ? most - now : 0);
    return left;
}

/* What a limit on the address space leaves. */
size_t oro_budget_address_space(void)
{
    struct rlimit space;
    uint64_t pages = 0;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    read_number("/proc/self/statm", "", &pages);
    uint64_t taken = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return space.rlim_cur > taken ? space.rlim_cur - taken : 0;
}

size_t oro_budget_standard(void)
{
    uint64_t kilobytes, left = oro_memory_physical();
    if (read_number("/proc/meminfo", "MemAvailable:", &kilobytes))
        left = least(left, kilobytes << 10);
    left = least(least(left, group_left()), oro_budget_address_space());
    return (size_t)(left / 10 * 8);
}

/* ---- The account ---- */

void oro_budget_choose(size_t bytes)
{
    atomic_store(&chosen, true);
    oro_budget_set(bytes);
}

bool oro_budget_is_chosen(void)
{
    return atomic_load(&chosen);
}

void oro_budget_set(size_t bytes)
{
    atomic_store(&limit, bytes);
}

size_t oro_budget(void)
{
    size_t bytes = atomic_load(&limit);
    return bytes ? bytes : oro_memory_physical();
}

size_t oro_budget_used(void)
{
    return atomic_load(&used);
}

size_t oro_budget_left(void)
{
    size_t all = atomic_load(&limit), taken = oro_budget_used();
    return !all ? SIZE_MAX : taken < all ? all - taken : 0;
}

void oro_budget_note(size_t bytes)
{
    refused_bytes = bytes < ORO_BUDGET_BLOCK ? 0 : bytes;
    refused_by_limit = false;
}

bool oro_budget_take(size_t bytes)
{
    if (bytes == 0)
        return true;
    size_t all = atomic_load(&limit), taken = atomic_fetch_add(&used, bytes) + bytes;
    refused_bytes = 0;
    if (!all || (taken >= bytes && taken <= all))
        return true;
    atomic_fetch_sub(&used, bytes);
    refused_bytes = bytes;
    refused_by_limit = true;
    return false;
}

/* Blocks that a library allocated and oro_free frees were never counted: the account does not go below 0. */
void oro_budget_settle(size_t taken, size_t has)
{
    if (has > taken)
        atomic_fetch_add(&used, has - taken);
    size_t less = taken > has ? taken - has : 0, before = atomic_load(&used);
    while (less && !atomic_compare_exchange_weak(&used, &before, before > less ? before - less : 0))
        ;
}

size_t oro_budget_refused(bool *by_limit)
{
    size_t bytes = refused_bytes;
    *by_limit = refused_by_limit;
    refused_bytes = 0;
    return bytes;
}
