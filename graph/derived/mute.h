/*
 * Muted nodes let their input through: a link from an output of a muted node counts as a link from what the
 * node's first suitable input is linked to. An input is suitable if the taker accepts what its link gives.
 * The input that the output is `like` is tried first, then the others in the type's order (in the document's
 * order if the type is unknown). Links that come from muted nodes are followed in turn. If no input is
 * suitable, the link counts as missing.
 *
 * Threads: as in graph/derived/assets.h.
 */
#ifndef ORO_GRAPH_DERIVED_MUTE_H
#define ORO_GRAPH_DERIVED_MUTE_H

#include "graph/derived/assets.h"

/* What a muted node lets through. */
struct oro_mute_source {
    const struct oro_doc_node *node; /* NULL: nothing */
    const char *output;              /* of `node`, which is not muted; or NULL, and then: */
    const char *input;               /* of `node`, which is muted: the interface gives the input its value */
    enum oro_type type;              /* of that value; with an output ORO_NONE: ask oro_output_type */
};

/* Tells whether an input gets something from outside instead of what the document says, and its type:
 * ORO_NONE for anything but a link. */
typedef bool oro_mute_outside(void *user, const struct oro_doc_node *node, const char *input,
                              enum oro_type *type);

/* Finds what a muted node lets through at an output. `taker` NULL: the output is asked for by name, for
 * example by an entry of the interface, and must give what an input of its own type accepts. `outside` NULL:
 * interface inputs are taken to bring something if they lead to inputs that must be linked and are not. Time
 * and memory grow with the document. False: memory is out (err is filled). */
bool oro_mute_follow(const struct oro_registry *registry, const struct oro_graph *graph,
                     const struct oro_doc_node *node, const char *output, const struct oro_input *taker,
                     oro_mute_outside *outside, void *user, struct oro_mute_source *behind,
                     struct oro_error *err);

#endif
