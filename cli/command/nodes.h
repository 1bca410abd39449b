/* What can be put into a graph, besides the node types of the program: graphs of the libraries; and finding
 * both. */
#ifndef ORO_CLI_COMMAND_NODES_H
#define ORO_CLI_COMMAND_NODES_H

#include "cli/report/nodes.h"
#include "graph/document/document.h"

/* The graphs of the libraries as node types, with the names of their files; names those that are broken on
 * standard error. The types are the registry's, or in the arena. Scripts that nobody has trusted are not run
 * for it, so that nothing is known of the inputs and outputs of graphs that lead to them. Returns how many
 * there are. */
enum { CLI_LIBRARY_MAX = 1000 };
size_t cli_library_types(const struct oro_registry *registry, const struct oro_document *any,
                         struct oro_arena *arena, const struct oro_node_type *types[CLI_LIBRARY_MAX],
                         const char *names[CLI_LIBRARY_MAX]);
/* Prints what is found by words among types, their uses, and the graphs of the libraries, best first
 * (nodes_search.c). False: memory is out, or the output cannot be written. */
bool cli_nodes_search(const char *words, bool json, const struct oro_registry *registry,
                      const struct oro_node_type *const *types, size_t count);

#endif
