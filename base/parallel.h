/*
 * Work on all processors. The work of one call must not depend on where it is cut, so that the result doesn't
 * either.
 */
#ifndef ORO_BASE_PARALLEL_H
#define ORO_BASE_PARALLEL_H

#include <stddef.h>

/* How many threads oro_parallel uses at most: the processors that the program may run on. */
int oro_parallel_threads(void);

/* For tests and benchmarks: uses that many threads, whatever the processors; 0 uses the processors again. */
void oro_parallel_force(int threads);

/* Calls body(user, first, end) for parts of 0..count, at once on several threads, and returns when all are
 * done. Each part has at least `least` items (1 or more) if there are so many. The caller does the first part
 * and takes from the others what it can; workers, which are made once and sleep when there is nothing to do,
 * take the rest. A call costs a few microseconds, some tens if the workers sleep.
 *
 * Any thread may call this, a body too, and so may a forked process. Calls at the same time share the
 * workers; a caller does all the work where there are too many calls, or where threads cannot be made. No
 * body may wait for another part of its call. Workers leave signals to the program's other threads. */
void oro_parallel(size_t count, size_t least, void (*body)(void *user, size_t first, size_t end), void *user);

#endif
