/*
 * What is printed is plain text: names and texts of documents, scripts and files may hold any characters, and
 * none of them is to reach a terminal that a terminal obeys.
 */
#ifndef ORO_CLI_REPORT_PLAIN_H
#define ORO_CLI_REPORT_PLAIN_H

#include <stdbool.h>

/* From now on standard output passes through a filter: of control characters only line breaks and tabs stay,
 * others become blanks. Before anything is printed. */
void cli_plain_begin(void);
/* Whether everything passes as it is: for programs that a script prints for. */
void cli_plain_pass(bool all);

#endif
