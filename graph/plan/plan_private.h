/* Shared by the files that make a plan: plan.c (the whole), scope.c (order, values, graphs used as nodes),
 * step.c (one step), convert.c (steps put in between), build.c (composites), key.c (cache keys). */
#ifndef ORO_GRAPH_PLAN_PLAN_PRIVATE_H
#define ORO_GRAPH_PLAN_PLAN_PRIVATE_H

#include "base/memory.h"
#include "graph/plan/plan.h"

/* A node on its way to becoming one step, or several when it is a composite. */
struct oro_draft {
    const char *id;
    const struct oro_node_type *type;
    void *params;                    /* literals resolved; in the plan's arena */
    struct oro_plan_source *sources; /* one per input; step -1: unlinked */
    struct oro_grid grid;            /* of the outputs, whatever the type says; zeroed: as the type says */
    const char *document;            /* in which the node stands, and where */
    int line;
};

/* What enters the keys of all steps of one type (key.c). */
struct oro_type_digest {
    const struct oro_node_type *type;
    struct oro_hash digest;
};
enum { ORO_PLAN_DIGESTS = 256, ORO_COMPOSITES_MAX = 16 };

struct oro_planner {
    struct oro_plan *plan;
    size_t step_capacity;
    const struct oro_document *doc;
    const struct oro_registry *registry;
    const struct oro_plan_options *options;
    struct oro_device *device;
    const struct oro_node_type *rasterizer; /* NULL: there is none */
    struct oro_grid world;
    struct oro_error *err;
    /* Composites within composites that are being built, the innermost last. */
    const struct oro_node_type *composites[ORO_COMPOSITES_MAX];
    int depth;
    double seconds;           /* that building the graphs of scripts took */
    struct oro_scope *scopes; /* all that were made, the last one first */
    size_t scope_nodes;       /* in all of them */
    const char *document;     /* of the node that is being planned */
    struct oro_type_digest digests[ORO_PLAN_DIGESTS];
    size_t digest_count;
    /* Steps by key, as 1 + index, for what occurs twice; linear probing. */
    size_t *known;
    size_t known_size; /* a power of two, at least twice the steps; or 0 */
};

/* A document while it is planned: the one that was asked for, or a graph that a node of it is. */
struct oro_scope {
    struct oro_planner *planner;
    struct oro_scope *next; /* of the planner's list */
    const struct oro_document *doc, *root;
    const char *path;         /* the document's, for messages */
    const char *prefix;       /* of ids: "alpine/" */
    int seed;                 /* of the use, mixed into the seeds of the nodes; 0: none */
    struct oro_visit *visits; /* document order */
    size_t *stack;            /* nodes that wait for their sources */
    size_t depth;
    struct oro_variables *variables;
    struct oro_binding *bindings; /* what the interface brings in */
    size_t binding_count;
    struct oro_given *given; /* likewise, variables */
    size_t given_count;
};

enum { ORO_SCOPE_NODES_MAX = 500000, ORO_PLAN_STEPS_MAX = 250000 };

/* That of the planner's document. NULL: `err` is filled. */
struct oro_scope *oro_scope_create(struct oro_planner *planner);
void oro_scopes_destroy(struct oro_planner *planner);
/* Plans what an output of a node needs, and the node; a graph only as far as that output needs it. */
bool oro_scope_output(struct oro_scope *scope, const char *node, const char *output,
                      struct oro_plan_source *source);
/* Plans a node that writes files: the source names its step. */
bool oro_scope_sink(struct oro_scope *scope, const char *node, struct oro_plan_source *source);

/* Makes a draft with default literals and no links. NULL: memory is out (err is filled). */
struct oro_draft *oro_draft_create(struct oro_planner *planner, const struct oro_node_type *type,
                                   const char *id, int line);
/* Turns a draft into steps; `outputs` receives one source per output of the type. */
bool oro_plan_draft(struct oro_planner *planner, struct oro_draft *draft, struct oro_plan_source *outputs);
/* Expands a composite (build.c). `expanded` false: the node is to be evaluated itself. */
bool oro_plan_expand(struct oro_planner *planner, struct oro_draft *draft, struct oro_plan_source *outputs,
                     bool *expanded);
/* No step writes a file that another reads or writes (plan_files.c). */
bool oro_plan_check_files(const struct oro_planner *planner);
/* A node's seed as the node sees it. */
uint32_t oro_plan_seed(int64_t document, int node);
/* Computes step->key and step->resume_key (key.c). */
bool oro_plan_key(struct oro_planner *planner, struct oro_step *step);
/* The step that does the same as `step`, whose key is known, or -1; it is remembered otherwise, as the next
 * that is added. False: memory is out. */
bool oro_plan_find_same(struct oro_planner *planner, const struct oro_step *step, int *same);

/* What a source gives; ORO_NONE: it is unlinked. */
enum oro_type oro_plan_source_type(const struct oro_planner *planner, struct oro_plan_source source);
/* NULL: unlinked, or no raster. */
const struct oro_grid *oro_plan_source_grid(const struct oro_planner *planner, struct oro_plan_source source);

/* Puts a step between a source and what takes it, "id:input", which brings the source to that grid
 * (convert.c). Resampling takes a field. */
bool oro_plan_resample(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                       const struct oro_grid *grid, struct oro_plan_source *source);
bool oro_plan_rasterize(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                        const struct oro_grid *grid, struct oro_plan_source *source);

/* Brings a raster to another grid (resample.c): inserted where fields of different sizes meet. */
extern const struct oro_node_type oro_node_resample;

#endif
