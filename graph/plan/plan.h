/*
 * A plan is what an evaluation will do, known before any of it is done: which nodes run, in which order, with
 * which parameters, at which size, under which cache key, and how much memory that takes. Composites are
 * expanded, steps that resample between sizes or rasterise uplifts are inserted, and levels above the
 * resolution cap are passed through.
 */
#ifndef ORO_GRAPH_PLAN_PLAN_H
#define ORO_GRAPH_PLAN_PLAN_H

#include "base/hash.h"
#include "graph/document/document.h"
#include "graph/type/device.h"

/* The output that is wanted: of a node, by name. A muted node gives what it passes on (graph/derived/mute.h),
 * and is no sink. */
struct oro_target {
    const char *node, *output; /* `output` NULL: the node is a sink, run it */
};

/* A value set from outside the document (--set NODE.INPUT=VALUE): wins over the document's. With the node ""
 * a variable is set. */
struct oro_override {
    const char *node, *input, *value;
};

struct oro_plan_options {
    int max_resolution; /* cells along the longer side; 0: no cap */
    bool has_seed;      /* `seed` replaces the document's */
    int64_t seed;
    const struct oro_override *overrides;
    size_t override_count;
    bool fields_only;    /* of targets that are uplifts, the field is wanted, at the world's size */
    bool allow_any_path; /* files named in the document may lie anywhere */
    bool checked;        /* the document has gone through oro_check: only what is wanted is looked at */
    size_t memory_bytes; /* refuse a plan that needs more device memory; 0: do not check */
};

/* Where one input of a step comes from. */
struct oro_plan_source {
    int step;   /* index of an earlier step, or -1: unlinked */
    int output; /* index in that step's type's outputs */
};

struct oro_step {
    const char *id; /* node id; steps inside a composite are "id/name", inserted ones "id:input" */
    const struct oro_node_type *type;
    void *params;                    /* resolved; const during evaluation */
    struct oro_plan_source *sources; /* one per input of the type */
    struct oro_grid grid;            /* of every output that is a raster */
    bool capped;                     /* somewhere upstream a rise in resolution was held back by the cap */
    uint32_t seed;                   /* the document's seed and the node's, mixed */
    struct oro_hash key;             /* of the results */
    struct oro_hash resume_key;      /* the same without the iteration count */
    const char *document;            /* that the node stands in, and its line there */
    int line;
    size_t output_bytes, scratch_bytes; /* estimates */
};

struct oro_plan {
    struct oro_arena *arena; /* owns everything here */
    struct oro_step *steps;  /* in an order in which every step comes after its sources */
    size_t step_count;
    struct oro_plan_source *targets; /* one per target asked for; step -1 never occurs */
    size_t target_count;
    size_t peak_bytes;     /* estimate of device memory while evaluating, the inputs of the running step, its
                            * outputs and scratch, and what later steps still need */
    size_t largest_buffer; /* bytes */
    int64_t seed;
    const char *document; /* its path, or "" */
    bool capped;          /* the cap held something back */
};

/* Plans the evaluation of `targets`. Errors (all of them when the document is invalid, in `problems` if it is
 * not NULL; the first one in `err`) end with NULL. `device` gives the kernel digests and the name for the
 * keys; NULL plans without keys, for `orograph info` on a machine without a device. Files that nodes read are
 * digested. */
struct oro_plan *oro_plan_create(const struct oro_document *doc, const struct oro_registry *registry,
                                 const struct oro_target *targets, size_t target_count,
                                 const struct oro_plan_options *options, struct oro_device *device,
                                 struct oro_problems *problems, struct oro_error *err);
void oro_plan_destroy(struct oro_plan *plan);

#endif
