/* Bytes of an open file at a place of their own: several threads, and processes, may read and write at once.
 */
#ifndef ORO_BASE_TRANSFER_H
#define ORO_BASE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

/* As many bytes as there are, of those asked for; -1: errno says why. */
ssize_t oro_read_at(int file, void *bytes, size_t size, uint64_t offset);
/* False: errno says why not all were written. */
bool oro_write_at(int file, const void *bytes, size_t size, uint64_t offset);

#endif
