/*
 * What is done to a copy of a document before it is rendered: profiles of builds, nodes that write what the
 * document only offers, a part of the world instead of all of it, and the sea that belongs to a terrain. All
 * are edits; texts that they give belong to `arena`. They fail like the edits in graph/document/document.h.
 */
#ifndef ORO_GRAPH_REUSE_PREPARE_H
#define ORO_GRAPH_REUSE_PREPARE_H

#include "graph/derived/builds.h"

/* Adds a node that writes an output to a file, which is to be set as its input `file`, and gives its id.
 * NULL: no node type writes such a result. */
const char *oro_prepare_writer(struct oro_document *doc, const struct oro_registry *registry,
                               const char *node, const char *output, struct oro_arena *arena,
                               struct oro_error *err);

/* Gives the world the build's resolution. */
bool oro_prepare_world(struct oro_document *doc, const struct oro_doc_build *build, struct oro_error *err);
/* Reads "X,Y,WIDTH,HEIGHT", in metres or, where none is above 1, in shares. Fails with ORO_E_USAGE. */
bool oro_world_region_parse(const char *text, struct oro_world_region *region, struct oro_error *err);
/* Has the output give the region alone, in the same cells: `one` is then another node's. A node that writes
 * files is given the region of each field; of pictures it writes the part that the plan is told
 * (oro_plan_options.region), and networks stay whole. Fails for what no region can be cut out of. */
bool oro_prepare_region(struct oro_document *doc, const struct oro_registry *registry,
                        const struct oro_world_region *region, struct oro_rendered *one,
                        struct oro_arena *arena, struct oro_error *err);

/* The sea that belongs to the terrain of a node: what the nearest node on the way up its terrain gives as
 * such (ORO_ROLE_SEA), or else the interface, of what it offers besides. False: there is none. */
bool oro_sea_of(const struct oro_document *doc, const struct oro_registry *registry, const char *node,
                const char *output, struct oro_rendered *sea);
/* Links it to the nodes that write files and take a sea, where nothing is linked yet. */
bool oro_prepare_seas(struct oro_document *doc, const struct oro_registry *registry, struct oro_error *err);

#endif
