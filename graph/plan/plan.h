/*
 * A plan is what an evaluation will do, known before any of it is done: which nodes run, in which order, with
 * which parameters, at which size, under which cache key, and how much memory that takes. Composites are
 * expanded; steps that resample between sizes or rasterise uplifts are inserted; and levels above the
 * resolution cap let their input through.
 */
#ifndef ORO_GRAPH_PLAN_PLAN_H
#define ORO_GRAPH_PLAN_PLAN_H

#include "base/hash.h"
#include "graph/document/document.h"
#include "graph/type/device.h"

/* The output that is wanted, by node and name. A muted node gives what it lets through
 * (graph/derived/mute.h), and is not a sink. */
struct oro_target {
    const char *node, *output; /* `output` NULL: the node is a sink that is to run */
};

/* A value set from outside the document (--set NODE.INPUT=VALUE), which overrides the document's. With the
 * node "", it sets a variable. With the value NULL, what the document has for the input counts, and no
 * default of the interface. */
struct oro_override {
    const char *node, *input, *value;
};

/* Rasters of more than `whole` cells (0: none) are cut into tiles (devices/spread). */
struct oro_plan_spread {
    size_t whole;
    int tile, depth; /* cells: side of a tile, and what several dispatches may reach together */
};
enum { ORO_PLAN_LEAST_TILE = 256 };
/* What suits a device with so much memory: windows of some twelve fields fit into half of it, and whole
 * rasters are small beside it. */
struct oro_plan_spread oro_plan_spread_for(size_t memory_bytes);
/* How deep suits tiles of so many cells a side: deeper makes more work around each tile, and where tiles do
 * not fit the device, fewer times that all of them go there and back. */
int oro_plan_spread_depth(int tile, bool out_of_core);

struct oro_plan_options {
    int max_resolution; /* cells along the longer side; 0: no cap */
    bool has_seed;      /* `seed` replaces the document's */
    int64_t seed;
    const struct oro_override *overrides;
    size_t override_count;
    bool fields_only;    /* for targets that are uplifts, the field at the world's size is wanted */
    bool allow_any_path; /* files named in the document may lie anywhere */
    bool checked;        /* oro_check has already run on the document: only what is wanted is checked */
    struct oro_world_region region; /* of pictures that nodes write, this part alone is wanted */
    size_t memory_bytes;            /* refuse a plan that needs more device memory; 0: do not check */
    struct oro_plan_spread spread;
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
    struct oro_grid grid;            /* of all outputs that are rasters */
    bool spread;                     /* works on rasters in tiles */
    bool capped;                     /* here or upstream, the cap held back a rise in resolution */
    uint32_t seed;                   /* the document's seed and the node's, mixed */
    struct oro_hash key;             /* of the results */
    struct oro_hash resume_key;      /* the same without the iteration count */
    const char *document;            /* that contains the node, and the node's line in it */
    int line;
    size_t output_bytes, scratch_bytes; /* estimates */
};

/* The iterations that the step counts; 0: it has none, or they follow from a duration. */
int oro_step_iterations(const struct oro_step *step);

struct oro_plan {
    struct oro_arena *arena; /* owns everything here */
    struct oro_step *steps;  /* in an order in which every step comes after its sources */
    size_t step_count;
    struct oro_plan_source *targets; /* one per target asked for; step -1 never occurs */
    size_t target_count;
    /* Estimates of memory while evaluating: of the running step's inputs, outputs and scratch, and of what
     * later steps still need. */
    size_t least_bytes; /* of the device, without which nothing runs: rasters that are whole, and windows of
                           those in tiles */
    size_t peak_bytes;  /* of the device: with the tiles as far as they fit `memory_bytes` */
    /* If some step works on rasters in tiles: of all of them, wherever they are, which ranks share; and what
     * one rank alone has outside of its device, in the host's memory and in files: tiles that do not fit
     * there, and what the host computes with. */
    bool spread;
    size_t peak_tiles, peak_host;
    bool out_of_core;      /* with one rank, some tiles do not fit the device */
    int ranks;             /* with so many, all do; 0: with no number of them */
    size_t largest_buffer; /* bytes */
    int64_t seed;
    const char *document;   /* its path, or "" */
    const char *device;     /* of which kind it is (oro_device_kind); NULL: planned without one */
    bool capped;            /* the cap held back a rise in resolution */
    struct oro_grid world;  /* of what is made from nothing, with the extent of the file that it lies where */
    struct oro_place place; /* of the world */
    struct oro_world_region region; /* as in the options */
    bool has_sea;                   /* `sea` is the level of the world's sea, metres */
    double sea;
};

/* Plans the evaluation of `targets`. NULL on errors: the first one is in `err`; if the document is invalid,
 * all of them are in `problems`, if that is not NULL. `device` supplies the kernel digests and its name for
 * the keys; NULL plans without keys, for `orograph info` on a machine without a device. Files that nodes read
 * are digested. */
struct oro_plan *oro_plan_create(const struct oro_document *doc, const struct oro_registry *registry,
                                 const struct oro_target *targets, size_t target_count,
                                 const struct oro_plan_options *options, struct oro_device *device,
                                 struct oro_problems *problems, struct oro_error *err);
void oro_plan_destroy(struct oro_plan *plan);

#endif
