/* Shared by assets.c (files) and graph_type.c (node types of graphs). */
#ifndef ORO_GRAPH_DERIVED_ASSETS_PRIVATE_H
#define ORO_GRAPH_DERIVED_ASSETS_PRIVATE_H

#include "base/memory.h"
#include "graph/derived/assets.h"

/* The graphs that are being read or examined, each used by the one before: to find cycles, and to limit the
 * depth. */
struct oro_graph_chain {
    char *names[ORO_GRAPH_DEPTH_MAX];
    int depth;
};

struct oro_graph_chain *oro_assets_chain(struct oro_assets *assets);
/* The last part of a path, which names a file in messages about cycles. */
const char *oro_graph_file(const char *path);
bool oro_graph_enter(struct oro_graph_chain *chain, const char *name, struct oro_error *err);
void oro_graph_leave(struct oro_graph_chain *chain);
/* Fails with a message that shows the cycle from `name` back to itself. Returns false. */
bool oro_graph_cycle(const struct oro_graph_chain *chain, const char *name, struct oro_error *err);

/* The node type of a document, kept with the document until something that it was made from changes. */
struct oro_graph_type {
    enum { ORO_GRAPH_UNKNOWN, ORO_GRAPH_OPEN, ORO_GRAPH_READY, ORO_GRAPH_FAILED } state;
    uint64_t assets, scripts; /* number of the assets, revision of the scripts, */
    uint64_t revision, root_revision;
    int height; /* depth of graphs within graphs, itself included */
    struct oro_error err;
    struct oro_arena *arena; /* owns what `type` points to */
    struct oro_node_type type;
};

/* A number that no other assets of the process have. */
uint64_t oro_assets_number(const struct oro_assets *assets);

/* Makes the input for entry `index` of the interface, in `arena`; `was` says which error the entry causes.
 * Fails with ORO_E_DOCUMENT where the entry is invalid. */
bool oro_port_input(const struct oro_registry *registry, const struct oro_graph *graph, size_t index,
                    struct oro_arena *arena, struct oro_input *input, struct oro_error *err);

#endif
