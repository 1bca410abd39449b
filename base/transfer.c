#include "base/transfer.h"

#include <errno.h>

#include <unistd.h>

ssize_t oro_read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(file, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

bool oro_write_at(int file, const void *bytes, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = pwrite(file, (const char *)bytes + done, size - done, (off_t)(offset + done));
        if (put == 0)
            errno = ENOSPC;
        if (put == 0 || (put < 0 && errno != EINTR))
            return false;
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}
