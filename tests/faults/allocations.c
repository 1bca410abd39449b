/* Neither instrumented nor optimised into what it stands for: see CMakeLists.txt. */
#define _GNU_SOURCE /* for RTLD_NEXT and dl_iterate_phdr */
#include "tests/faults/allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include <dlfcn.h>
#include <link.h>

static struct {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *block, size_t size);
    void (*free)(void *block);
    int (*posix_memalign)(void **block, size_t alignment, size_t size);
    void *(*aligned_alloc)(size_t alignment, size_t size);
} real;

static atomic_size_t calls, first, last;
static atomic_long blocks;

/* ---- Who asks ---- */

enum { EXEMPT_MAX = 64 };
static struct {
    uintptr_t begin, end;
} exempt[EXEMPT_MAX];
static size_t exempt_count;

static int note_library(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    static const char *const names[] = {
        "libstdc++", "libgdal", "libEGL", "libGL", "libgallium", "libLLVM", "swrast", "libproj", "libgeos",
#ifdef FAULTS_SANITIZED
        "libasan",   "libc.so", /* by which sanitizers look at each new thread, and give up where they cannot
                                 */
#endif
    };
    bool is_exempt = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        is_exempt |= strstr(info->dlpi_name, names[i]) != NULL;
    for (int i = 0; is_exempt && i < info->dlpi_phnum && exempt_count < EXEMPT_MAX; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        exempt[exempt_count].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        exempt[exempt_count].end = exempt[exempt_count].begin + info->dlpi_phdr[i].p_memsz;
        exempt_count++;
    }
    return 0;
}

void faults_allocations_begin(void)
{
    dl_iterate_phdr(note_library, NULL);
}

void faults_allocation_fails(size_t n, bool onward)
{
    atomic_store(&last, 0);
    atomic_store(&calls, 0);
    atomic_store(&first, n);
    atomic_store(&last, n && onward ? SIZE_MAX : n);
}

size_t faults_allocations(void)
{
    return atomic_load(&calls);
}

long faults_blocks(void)
{
    return atomic_load(&blocks);
}

/* For breakpoints. */
__attribute__((noinline)) void faults_allocation_failed(void);
void faults_allocation_failed(void)
{
    errno = ENOMEM;
}

static bool fails(const void *caller)
{
    for (size_t i = 0; i < exempt_count; i++)
        if ((uintptr_t)caller >= exempt[i].begin && (uintptr_t)caller < exempt[i].end)
            return false;
    size_t call = atomic_fetch_add(&calls, 1) + 1;
    if (call < atomic_load(&first) || call > atomic_load(&last))
        return false;
    faults_allocation_failed();
    return true;
}

/* ---- In place of the library's ---- */

/* What dlsym itself allocates before we know where to: never freed. */
static max_align_t early[256];
static size_t early_used;
static atomic_bool looking;

static void *early_alloc(size_t size)
{
    size_t items = (size + sizeof early[0] - 1) / sizeof early[0];
    if (items > sizeof early / sizeof early[0] - early_used)
        return NULL;
    void *block = &early[early_used];
    early_used += items;
    return block;
}

static bool is_early(const void *block)
{
    return (uintptr_t)block >= (uintptr_t)early && (uintptr_t)block < (uintptr_t)early + sizeof early;
}

/* False while it is being found out: there is one thread then. */
static bool have_real(void)
{
    if (real.free)
        return true;
    if (atomic_exchange(&looking, true))
        return false;
    *(void **)&real.malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&real.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    *(void **)&real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    *(void **)&real.free = dlsym(RTLD_NEXT, "free");
    return true;
}

static void *counted(void *block)
{
    atomic_fetch_add(&blocks, block ? 1 : 0);
    return block;
}

void *malloc(size_t size)
{
    if (!have_real())
        return early_alloc(size);
    return fails(__builtin_return_address(0)) ? NULL : counted(real.malloc(size));
}

void *calloc(size_t count, size_t size)
{
    if (!have_real())
        return early_alloc(count * size);
    return fails(__builtin_return_address(0)) ? NULL : counted(real.calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    if (!have_real() || is_early(block))
        return NULL;
    if (fails(__builtin_return_address(0)))
        return NULL;
    void *moved = real.realloc(block, size);
    if (!block)
        counted(moved);
    else if (!size && !moved)
        atomic_fetch_sub(&blocks, 1);
    return moved;
}

void free(void *block)
{
    if (!block || is_early(block) || !have_real())
        return;
    atomic_fetch_sub(&blocks, 1);
    real.free(block);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (!have_real() || fails(__builtin_return_address(0)))
        return ENOMEM;
    int code = real.posix_memalign(block, alignment, size);
    if (code == 0)
        counted(*block);
    return code;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (!have_real() || fails(__builtin_return_address(0)))
        return NULL;
    return counted(real.aligned_alloc(alignment, size));
}
