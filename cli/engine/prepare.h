/* What the command line changes in a document before it is planned: its world, a build, a part, its sea. */
#ifndef ORO_CLI_ENGINE_PREPARE_H
#define ORO_CLI_ENGINE_PREPARE_H

#include "cli/engine/graph.h"
#include "graph/reuse/prepare.h"
#include "graph/type/value.h"

/* Sets what is called world.NAME: a number, "=EXPRESSION", or a text of crs, origin and from. `item` is what
 * messages call it. Fails with ORO_E_DOCUMENT. */
bool cli_set_world(struct cli_graph *graph, const char *item, const char *name, const char *value,
                   struct oro_error *err);

/* The build of that name, whose resolution the world then has. NULL: there is none, or it makes no sense. */
const struct oro_doc_build *cli_take_build(struct cli_graph *graph, const char *name, struct oro_error *err);
/* Wants what the build writes: nodes that write files, and, beside the document, a file for each other
 * output, "alps-unreal.r16" or "alps-unreal-terrain.r16". Files that it names may lie anywhere. */
bool cli_want_build(struct cli_graph *graph, const struct oro_doc_build *build, struct oro_error *err);

/* Has all that is wanted be of the region alone; `*cut` where there are images or vectors, which no node
 * cuts: then all that is computed has to be cut afterwards. */
bool cli_want_region(struct cli_graph *graph, const struct oro_world_region *region, bool *cut,
                     struct oro_error *err);
/* Replaces rasters by their part. On failure all of them still have to be released. */
bool cli_cut_region(const struct oro_world_region *region, struct oro_device *device,
                    struct oro_value **values, size_t count, struct oro_error *err);
/* Wants the sea of the first target, behind all others. False: it has none of its own. */
bool cli_want_sea(struct cli_graph *graph);

#endif
