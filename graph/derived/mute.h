/*
 * Muted nodes are passed by: a link from an output of one leads on to what is linked to the node's first
 * input whose link gives what the taker accepts. The input that the output is `like` comes first, then the
 * others as the type lists them (as the document does, where the type is not known); links that come from
 * muted nodes are followed in turn. Where there is nothing, the link counts as not there.
 *
 * Threads: as graph/derived/assets.h.
 */
#ifndef ORO_GRAPH_DERIVED_MUTE_H
#define ORO_GRAPH_DERIVED_MUTE_H

#include "graph/derived/assets.h"

/* What is passed on. */
struct oro_mute_source {
    const struct oro_doc_node *node; /* NULL: nothing is */
    const char *output;              /* of `node`, which is not muted; or NULL: */
    const char *input;               /* of `node`, which is muted: what the interface brings in there */
    enum oro_type type;              /* of that; ORO_NONE with an output, which oro_output_type tells */
};

/* What comes into an input in place of what the document has: false where nothing does, else with its type,
 * ORO_NONE for what is no link. */
typedef bool oro_mute_outside(void *user, const struct oro_doc_node *node, const char *input,
                              enum oro_type *type);

/* Follows an output of a muted node. `taker` NULL: for whoever asks by name, such as an entry of the
 * interface; then what an input of the output's type accepts is passed on. `outside` NULL: interface inputs
 * that lead to inputs that must be linked, and are not, are taken to bring something. Takes time and memory
 * that grow with the document. False: memory is out (err is filled). */
bool oro_mute_follow(const struct oro_registry *registry, const struct oro_graph *graph,
                     const struct oro_doc_node *node, const char *output, const struct oro_input *taker,
                     oro_mute_outside *outside, void *user, struct oro_mute_source *passed,
                     struct oro_error *err);

#endif
