/* What is done with the text of a kernel, however it came about. */
#ifndef ORO_TESTS_FUZZ_KERNEL_GUARDED_H
#define ORO_TESTS_FUZZ_KERNEL_GUARDED_H

#include "tests/fuzz/fuzz.h"

/* Guards the text, which may use the field `terrain` and the float `params.amount`, and has to set
 * `terrain_out`: kernel_guarded.c. Or evaluates a node with it: kernel_compiled.c. */
void fuzz_kernel(const char *text);

#endif
