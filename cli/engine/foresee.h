/*
 * What rendering a graph would refuse, known before any work is done: files that are missing, unreadable or
 * outside, formats that nobody knows, two nodes that write one file, values that no plan can be made with.
 */
#ifndef ORO_CLI_ENGINE_FORESEE_H
#define ORO_CLI_ENGINE_FORESEE_H

#include "cli/engine/graph.h"

/* Adds what would be refused of any node of the graph, which has no fatal errors, to `problems`, and sorts
 * them. Each of them once; what is listed already, such as a missing graph, is not listed again. */
void cli_foresee(const struct cli_graph *graph, struct oro_problems *problems);

/* Whether a file that a step reads or writes is as it has to be. `err` has no place. */
bool cli_foresee_file(const struct oro_step *step, const struct oro_input *input, const char *path,
                      struct oro_error *err);
/* Whether the world of the document lies in a system in metres, where it says one. Fails with ORO_E_DOCUMENT.
 */
bool cli_foresee_crs(const struct oro_document *doc, struct oro_error *err);

#endif
