#define _GNU_SOURCE /* for memfd_create */
#include "devices/guest/shared.h"

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>

bool oro_shared_map(struct oro_shared *shared, int file, size_t bytes)
{
    *shared = (struct oro_shared){.file = file, .bytes = bytes};
    shared->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared->memory == MAP_FAILED)
        shared->memory = NULL;
    return shared->memory;
}

bool oro_shared_make(struct oro_shared *shared, const char *what, size_t bytes)
{
    *shared = (struct oro_shared){.file = memfd_create(what, MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    return shared->file >= 0 && ftruncate(shared->file, (off_t)bytes) == 0 &&
           fcntl(shared->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
           oro_shared_map(shared, shared->file, bytes);
}

void oro_shared_free(struct oro_shared *shared)
{
    if (shared->memory)
        munmap(shared->memory, shared->bytes);
    if (shared->file >= 0)
        close(shared->file);
    *shared = (struct oro_shared){.file = -1};
}
