/*
 * One budget of host memory, so that no input makes a program take all that the machine has. Counted is every
 * block of ORO_BUDGET_BLOCK bytes or more that oro_alloc and oro_resize give: rasters, files, values, arenas.
 * What does not fit is not given, and errors with ORO_E_MEMORY then tell how much was wanted and is left
 * (base/error.h). Thread-safe.
 */
#ifndef ORO_BASE_BUDGET_H
#define ORO_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

enum { ORO_BUDGET_BLOCK = 16384 };

/* Programs set it once, before they work; 0, the beginning, is no limit. */
void oro_budget_set(size_t bytes);
/* The same, because the user said so. */
void oro_budget_choose(size_t bytes);
bool oro_budget_is_chosen(void);
/* What programs set by themselves: most of what the system has left for this process, which a limit of its
 * control group or of its address space may make less. */
size_t oro_budget_standard(void);
/* What a limit on the address space (RLIMIT_AS) leaves; SIZE_MAX: there is none. */
size_t oro_budget_address_space(void);
/* The limit; where none is set, the machine's memory. */
size_t oro_budget(void);
size_t oro_budget_used(void);
size_t oro_budget_left(void);
/* The machine's memory in bytes; a guess where the system does not tell. */
size_t oro_memory_physical(void);

/* ---- For base/memory.c and base/error.c ---- */

/* Counts a block, or refuses it: then this thread's next ORO_E_MEMORY tells so. */
bool oro_budget_take(size_t bytes);
/* Counts `has` instead of `taken`. */
void oro_budget_settle(size_t taken, size_t has);
/* Notes that the system had no such block. */
void oro_budget_note(size_t bytes);
/* The bytes that this thread was refused last, 0: none; and whether by the limit. Forgets them. */
size_t oro_budget_refused(bool *by_limit);

#endif
