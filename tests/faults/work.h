/* What scenarios do by functions of the engine and the editor, in the working folder. They return exit codes.
 */
#ifndef ORO_TESTS_FAULTS_WORK_H
#define ORO_TESTS_FAULTS_WORK_H

#include <stdbool.h>

#include "base/error.h"

/* Evaluates in/plain.oro with a cache in out/cache that takes everything, and prints the result's digest. */
int faults_cache(void);
/* Edits, undoes, redoes and saves out/graph.oro. */
int faults_edit(void);
/* Saves out/painted.oro together with a new layer, out/layer.pfm. */
int faults_paint(void);
/* Leaves a recovery copy below out/recovery, as a program that crashes, and takes it over; in the end it is
 * gone. Prints "kept" when there is one, and "clearing" before it is removed. */
int faults_recovery(void);
/* Whether there is one if there must be; takes and discards them all. */
bool faults_recovered(const char *printed);
/* The same as faults_cache, twice, and in between the cache is trimmed to half of its size. */
int faults_trim(void);

/* Says the error on standard error; the exit code. */
int faults_fail(const struct oro_error *err);
/* What must hold does not: ends the process. */
_Noreturn void faults_broken(const char *what);

#endif
