/* Shared by the files that make a plan: plan.c (order), step.c (one step), convert.c (steps put in between),
 * build.c (composites), key.c (cache keys). */
#ifndef ORO_GRAPH_PLAN_PRIVATE_H
#define ORO_GRAPH_PLAN_PRIVATE_H

#include "base/memory.h"
#include "graph/plan.h"

/* A node on its way to becoming one step, or several when it is a composite. */
struct oro_draft {
    const char *id;
    const struct oro_node_type *type;
    void *params;               /* literals resolved; in the plan's arena */
    struct oro_source *sources; /* one per input; step -1: unlinked */
    struct oro_grid grid;       /* of the outputs, whatever the type says; zeroed: as the type says */
    int line;
};

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
    int depth; /* of composites within composites */
};

/* Makes a draft with default literals and no links. NULL: memory is out (err is filled). */
struct oro_draft *oro_draft_create(struct oro_planner *planner, const struct oro_node_type *type,
                                   const char *id, int line);
/* Turns a draft into steps; `outputs` receives one source per output of the type. */
bool oro_plan_draft(struct oro_planner *planner, struct oro_draft *draft, struct oro_source *outputs);
/* Expands a composite (build.c). `expanded` false: the node is to be evaluated itself. */
bool oro_plan_expand(struct oro_planner *planner, struct oro_draft *draft, struct oro_source *outputs,
                     bool *expanded);
/* No step writes a file that another reads or writes (plan_files.c). */
bool oro_plan_check_files(const struct oro_planner *planner);
/* Computes step->key and step->resume_key (key.c). */
bool oro_plan_key(struct oro_planner *planner, struct oro_step *step);
/* Digest of a file that a node reads, with its sidecar. */
bool oro_plan_file_digest(const char *path, struct oro_hash *digest, struct oro_error *err);

/* What a source gives; ORO_NONE: it is unlinked. */
enum oro_type oro_plan_source_type(const struct oro_planner *planner, struct oro_source source);
/* NULL: unlinked, or no raster. */
const struct oro_grid *oro_plan_source_grid(const struct oro_planner *planner, struct oro_source source);

/* Puts a step between a source and what takes it, "id:input", which brings the source to that grid
 * (convert.c). Resampling takes a field. */
bool oro_plan_resample(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                       const struct oro_grid *grid, struct oro_source *source);
bool oro_plan_rasterize(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                        const struct oro_grid *grid, struct oro_source *source);

/* Brings a raster to another grid (resample.c): inserted where fields of different sizes meet. */
extern const struct oro_node_type oro_node_resample;

#endif
