/* What scenarios do by functions of the engine and the editor, in the working folder. They return exit codes.
 */
#ifndef ORO_TESTS_FAULTS_WORK_H
#define ORO_TESTS_FAULTS_WORK_H

#include "base/error.h"

/* Evaluates in/plain.oro with a cache in out/cache that takes everything, and prints the result's digest. */
int faults_cache(void);
/* Edits, undoes, redoes and saves out/graph.oro. */
int faults_edit(void);
/* Writes a recovery copy below out/recovery, which is gone in the end. */
int faults_recovery(void);

/* Says the error on standard error; the exit code. */
int faults_fail(const struct oro_error *err);
/* What must hold does not: ends the process. */
_Noreturn void faults_broken(const char *what);

#endif
