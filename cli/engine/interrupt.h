/* Ctrl-C and SIGTERM end the work cleanly; a second one ends the program as usual. */
#ifndef ORO_CLI_ENGINE_INTERRUPT_H
#define ORO_CLI_ENGINE_INTERRUPT_H

#include "graph/eval/evaluator.h"

/* From now on a signal is remembered. With `insist`, the program ends within a second after it, whatever the
 * work does; others wait for a rank to end as it should. */
void cli_interrupt_begin(bool insist);
/* From now on a signal cancels `evaluator`, which must live until cli_interrupt_end; a signal that came
 * before cancels it at once. */
void cli_interrupt_watch(struct oro_evaluator *evaluator);
/* False, with ORO_E_CANCELLED, after a signal. For work that is not an evaluation: call it between its
 * parts. */
bool cli_interrupt_none(struct oro_error *err);
void cli_interrupt_end(void);

#endif
