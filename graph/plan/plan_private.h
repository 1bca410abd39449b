/* Shared by the files that make a plan: plan.c (the whole), scope.c (order, values, graphs used as nodes),
 * memory.c (what it takes), step.c (one step), convert.c (inserted steps), build.c (composites), key.c (cache
 * keys), type_facts.c, and replan.c (plans that follow edits). */
#ifndef ORO_GRAPH_PLAN_PLAN_PRIVATE_H
#define ORO_GRAPH_PLAN_PLAN_PRIVATE_H

#include "base/file_list.h"
#include "base/memory.h"
#include "graph/plan/plan.h"

/* A node on its way to becoming one step, or several when it is a composite. */
struct oro_draft {
    const char *id;
    const struct oro_node_type *type;
    struct oro_type_facts *facts;    /* of the type */
    void *params;                    /* literals resolved; in the plan's arena */
    struct oro_plan_source *sources; /* one per input; step -1: unlinked */
    struct oro_grid grid;            /* of the outputs, overriding the type; zeroed: the type decides */
    const char *document;            /* that contains the node, and the node's line in it */
    int line;
};

/* What planning asks of a node type again and again (type_facts.c). */
struct oro_type_facts {
    const struct oro_node_type *type;
    struct oro_type_facts *next; /* in its bucket */
    size_t input_count, output_count;
    const struct oro_input *iterations; /* NULL: there are none */
    int like;                           /* the input that the first output is like; -1: none */
    void *defaults;                     /* params */
    unsigned char *flags;               /* of each input */
    unsigned char all;                  /* flags that some input has */
    bool digested;
    struct oro_hash digest; /* what is part of the keys of all its steps (key.c) */
};
enum {
    ORO_FACT_REQUIRED = 1,    /* must be linked, or given */
    ORO_FACT_LITERAL = 2,     /* has a literal form */
    ORO_FACT_TAKES_FIELD = 4, /* an uplift that is linked there is rasterised */
    ORO_FACT_SETTLED = 8,     /* the planner has a say in the value */
    ORO_FACT_FILE = 16,
    ORO_FACT_WRITES = 32, /* a file */
    ORO_FACT_SHARE = 64,  /* a size that follows the world's width */
};
enum { ORO_PLAN_TYPE_BUCKETS = 256, ORO_COMPOSITES_MAX = 16 };

/* A step that does the work of several nodes. */
struct oro_shared_step {
    int step;
    struct oro_shared_step *next;
};

struct oro_planner {
    struct oro_plan *plan;
    size_t step_capacity;
    const struct oro_document *doc;
    const struct oro_registry *registry;
    const struct oro_plan_options *options;
    struct oro_device *device;
    const struct oro_node_type *rasterizer; /* NULL: there is none */
    struct oro_error *err;
    /* Composites within composites that are being built, the innermost last. */
    const struct oro_node_type *composites[ORO_COMPOSITES_MAX];
    int depth;
    double seconds;             /* spent building the graphs of scripts */
    struct oro_scope *scopes;   /* all scopes, the newest first */
    struct oro_scope *root;     /* the document's; as long as the plan */
    size_t scope_nodes;         /* in all of them */
    const char *document;       /* of the node that is being planned */
    bool has_files;             /* some step reads or writes a file */
    bool writes_files;          /* some step writes one */
    struct oro_file_list files; /* that were read for keys, or for where the world lies */
    bool passed_muted;          /* links of muted nodes were followed */
    bool follows;               /* no further steps are planned */
    bool asks_for_site;         /* only to learn where the world lies */
    struct oro_shared_step *shared;
    struct oro_type_facts *types[ORO_PLAN_TYPE_BUCKETS]; /* by address */
    struct oro_key_bytes {
        unsigned char *data;
        size_t length, capacity;
    } key; /* that is being made (key.c) */
    /* Steps by key, as 1 + index, to find equal ones; linear probing. */
    size_t *known;
    size_t known_size; /* a power of two, at least twice the steps; or 0 */
};

/* A document while it is planned: the main document, or a graph that is used as a node. */
struct oro_scope {
    struct oro_planner *planner;
    struct oro_scope *next; /* in the planner's list */
    const struct oro_document *doc, *root;
    const char *path;         /* the document's, for messages */
    const char *prefix;       /* of ids, such as "alpine/" */
    int seed;                 /* of the use of the graph, mixed into the seeds of its nodes; 0: none */
    struct oro_visit *visits; /* document order */
    size_t *stack;            /* nodes that wait for their sources */
    size_t depth;
    struct oro_variables *variables;
    struct oro_binding *bindings; /* what inputs get through the interface */
    size_t binding_count;
    struct oro_given *given; /* what variables get through the interface */
    size_t given_count;
};

enum { ORO_SCOPE_NODES_MAX = 500000, ORO_PLAN_STEPS_MAX = 250000 };

/* Makes planner->plan; to begin with, the planner has a document, registry, options and perhaps a device. On
 * failure the plan is NULL. The planner is to be ended in either case. */
bool oro_planner_run(struct oro_planner *planner, const struct oro_target *targets, size_t target_count,
                     struct oro_problems *problems);
void oro_planner_end(struct oro_planner *planner);

/* Finds the plan's world, and where it lies on Earth (site.c). */
bool oro_plan_world(struct oro_planner *planner);

/* The scope of the planner's document. NULL: `err` is filled. */
struct oro_scope *oro_scope_create(struct oro_planner *planner);
void oro_scopes_destroy(struct oro_planner *planner);
/* Plans a node and what its output needs; of a graph, only what that output needs. */
bool oro_scope_output(struct oro_scope *scope, const char *node, const char *output,
                      struct oro_plan_source *source);
/* Plans a node that writes files; `source` receives its step. */
bool oro_scope_sink(struct oro_scope *scope, const char *node, struct oro_plan_source *source);
/* Takes the nodes of another state of its document, with nodes of the same ids in the same order. */
void oro_scope_follow(struct oro_scope *scope, const struct oro_document *doc);
/* Frees the values of variables. */
void oro_scope_close(struct oro_scope *scope);
/* Makes the step of an edited node anew, without its key, if nothing but values of the node has changed.
 * `*step` -1: the plan does without the node. False: more has changed, that cannot be told, or `err` is
 * filled; the plan is then of no use any more. */
bool oro_scope_redraft(struct oro_scope *scope, size_t node, int *step);

/* NULL: memory is out. Valid as long as the plan. */
struct oro_type_facts *oro_plan_type_facts(struct oro_planner *planner, const struct oro_node_type *type);
/* Makes a draft with default literals and no links. `id` must be kept in the plan. NULL: memory is out (err
 * is filled). */
struct oro_draft *oro_draft_create(struct oro_planner *planner, const struct oro_node_type *type,
                                   const char *id, int line);
/* Turns a draft into steps; `outputs` receives one source per output of the type. */
bool oro_plan_draft(struct oro_planner *planner, struct oro_draft *draft, struct oro_plan_source *outputs);
/* Gives a step the params of a new draft of its node. False: more than the params would change, or `err` is
 * filled. */
bool oro_plan_redraft(struct oro_planner *planner, struct oro_draft *draft, int index);
/* Expands a composite (build.c). `expanded` false: it built no graph, and the node itself is to be
 * evaluated. */
bool oro_plan_expand(struct oro_planner *planner, struct oro_draft *draft, struct oro_plan_source *outputs,
                     bool *expanded);
/* Estimates memory, marks the steps that work on tiles, and refuses what does not fit (memory.c). */
bool oro_plan_memory(struct oro_planner *planner);
/* Checks that no step writes a file that another one reads or writes (plan_files.c). */
bool oro_plan_check_files(const struct oro_planner *planner);
/* A node's seed as its code sees it: mixed with the document's. */
uint32_t oro_plan_seed(int64_t document, int node);
/* Computes step->key and step->resume_key (key.c). */
bool oro_plan_key(struct oro_planner *planner, struct oro_type_facts *facts, struct oro_step *step);
/* Digests the types of all steps anew. False: a kernel has changed, or `err` is filled. */
bool oro_plan_types_same(struct oro_planner *planner);
/* Whether no two steps do the same. */
bool oro_plan_all_differ(struct oro_planner *planner);
/* An earlier step that does the same as `step`, whose key is known, or -1; then `step` is remembered as the
 * next one to be added. False: memory is out. */
bool oro_plan_find_same(struct oro_planner *planner, const struct oro_step *step, int *same);

/* The type of what a source gives; ORO_NONE: unlinked. */
enum oro_type oro_plan_source_type(const struct oro_planner *planner, struct oro_plan_source source);
/* NULL: unlinked, or not a raster. */
const struct oro_grid *oro_plan_source_grid(const struct oro_planner *planner, struct oro_plan_source source);

/* Inserts a step, "id:input", between a source and the input that takes it, which brings the source to that
 * grid (convert.c). Only fields can be resampled. */
bool oro_plan_resample(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                       const struct oro_grid *grid, struct oro_plan_source *source);
bool oro_plan_rasterize(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                        const struct oro_grid *grid, struct oro_plan_source *source);
/* Same cells, on the same ground, to the bit. */
bool oro_plan_same_grid(const struct oro_grid *a, const struct oro_grid *b);

/* Brings a raster to another grid (resample.c); inserted where fields of different sizes meet. */
extern const struct oro_node_type oro_node_resample;

#endif
