/* Ctrl-C and SIGTERM end an evaluation cleanly; a second one ends the program as usual. */
#ifndef ORO_CLI_INTERRUPT_H
#define ORO_CLI_INTERRUPT_H

#include "graph/evaluator.h"

/* From now on a signal cancels `evaluator`, which must live until cli_interrupt_end. */
void cli_interrupt_begin(struct oro_evaluator *evaluator);
void cli_interrupt_end(void);

#endif
