/*
 * What a node type is made of, and what its code may call. A file in nodes/ includes this and describes one
 * node type with ORO_NODE; the build finds it. Everything else about the node (validation, XML,
 * documentation, the schema, the command line, tests) is generated from the descriptor.
 *
 * A node with one kernel needs no `eval`: all inputs and outputs are bound, and the kernel runs once over the
 * output's cells. docs/adding-a-node.md tells the whole story, including what a kernel sees.
 */
#ifndef ORO_GRAPH_TYPE_NODE_H
#define ORO_GRAPH_TYPE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/gradient.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/place.h"
#include "base/profile.h"
#include "graph/type/device.h"
#include "graph/type/grid.h"
#include "graph/type/said.h"
#include "graph/type/type.h"
#include "terrain/processor/lib/resampling.h"

/* ---- Descriptor ---- */

/* What an input or an output means to the engine and to the editor, which never look at names for it. Scripts
 * and graphs declare no roles: theirs follow from names (oro_roles_by_name in registry.h). */
enum oro_role {
    ORO_ROLE_NONE,
    ORO_ROLE_TERRAIN,   /* the ground. If a node takes and gives it, `mask` blends the two */
    ORO_ROLE_FIELD,     /* of an output: a raster that is a terrain if the node was given one */
    ORO_ROLE_MASK,      /* scales the effect */
    ORO_ROLE_LIKE,      /* a raster that lends its grid; its values are ignored */
    ORO_ROLE_SIZE,      /* likewise, but its size is only for `shape`, and it is not resampled */
    ORO_ROLE_UPLIFT,    /* how fast the ground rises: where an uplift becomes a terrain */
    ORO_ROLE_SEA,       /* where water has arrived: a mask */
    ORO_ROLE_SEA_LEVEL, /* elevation of the sea's surface */
    ORO_ROLE_SEED,      /* an int that is mixed with the document's seed before the node sees it */
    ORO_ROLE_VARIANT,   /* an int whose every value gives another variant; the node sees it as it is */
    /* For a graph as a node: an int that is mixed into all seeds within, and a bool that says whether the
     * node's id is, too. */
    ORO_ROLE_GRAPH_SEED,
    ORO_ROLE_GRAPH_VARY,
    /* An int that counts repeated work. The planner sets it to 0 if the terrain did not get the resolution
     * that the work was meant for (see capped in plan.h). */
    ORO_ROLE_ITERATIONS,
    ORO_ROLE_CELLS, /* how many cells the result has: a matter of the graph, which presets leave alone */
    /* A float, simulated time, which iterations follow from where their count is 0 (docs/time.md). Set to 0
     * as they are. */
    ORO_ROLE_DURATION,
};

/* How an input can be dragged on the map. `handle_at` names the input that says where: a point, a network, or
 * two points as "from-to", for the middle between them. */
enum oro_handle {
    ORO_HANDLE_BY_TYPE, /* ORO_HANDLE_POINT of a point, ORO_HANDLE_CURVE of a network, else none */
    ORO_HANDLE_NONE,
    /* For a point: */
    ORO_HANDLE_POINT,
    ORO_HANDLE_OFFSET, /* relative to handle_at, or to the middle of the world */
    ORO_HANDLE_ARROW,  /* the end of an arrow from handle_at */
    ORO_HANDLE_LINE,   /* the end of a line from handle_at; unset if both points coincide */
    ORO_HANDLE_BOX,    /* the corner of a box opposite to handle_at; likewise */
    /* For a network, or a text that is written like one: */
    ORO_HANDLE_CURVE,
    ORO_HANDLE_OUTLINE, /* a line that closes itself */
    ORO_HANDLE_POINTS,  /* single points */
    ORO_HANDLE_SPOTS,   /* likewise, with elevations */
    ORO_HANDLE_PLACES,  /* likewise, of copies, each with an angle in degrees and a scale, which it may leave
                         * out; the inputs `from`, `to`, `angle`, `scale`, `stretch` and `mirror` are those of
                         * the first copy */
    /* For a float in metres, a distance from handle_at: */
    ORO_HANDLE_RADIUS,
    ORO_HANDLE_RADIUS_X, /* of an ellipse; the node */
    ORO_HANDLE_RADIUS_Y, /* has both */
    ORO_HANDLE_WIDTH,    /* twice the distance */
    /* For a float in degrees clockwise from north, around handle_at or the middle of the world: */
    ORO_HANDLE_ROTATION,
    /* For four floats: a rectangle's north-west corner and its sides; a side of 0 reaches to the border. */
    ORO_HANDLE_RECT_X,
    ORO_HANDLE_RECT_Y,
    ORO_HANDLE_RECT_WIDTH,
    ORO_HANDLE_RECT_HEIGHT,
    ORO_HANDLE_COUNT,
};

/* Calls `visit` for the other files that a file leads to; gives false once `visit` does. */
typedef bool oro_companions(const char *path, bool (*visit)(void *user, const char *path), void *user);

/* One input. Parameters and links are one concept: a literal, or a link where the type allows it.
 * In the params struct, at `offset`, a literal is stored as: float, int, bool, int (choice: index), const
 * char * (text; file: the path made absolute or relative to the working folder), float[4] (colour), float[2]
 * (point), struct oro_profile, struct oro_gradient; network: const char *, the text. */
struct oro_input {
    const char *name;
    enum oro_type type;
    enum oro_role role;
    size_t offset;
    double value;     /* default of float, int, bool, choice (index) */
    const char *text; /* default of text, file, colour, point, profile, gradient, network (NULL: must be
                         linked, or given) */
    double min, max;  /* closed range of float and int; both 0: unlimited */
    double soft_min, soft_max; /* range of a slider; both 0: as min and max */
    double share; /* of a size, a float in metres: where 0 is written, the node gets this share of the world's
                     width; of one per metre, the inverse. So worlds of all sizes have the same forms */
    enum oro_unit unit;
    const char *label; /* what a user sees; NULL: the name */
    const char *group, *doc;
    const char *const *choices; /* of a choice; ends with NULL */
    enum oro_handle handle;
    const char *handle_at;   /* the place of the handle: see above */
    const char *handle_when; /* a condition as `when`, for the handle alone; NULL: none */
    /* When the input has an effect: "choice=word|word", "choice!=word", "switch=true", or "start=end", two
     * equal points; NULL: always. Else it has no handle, and the editor hides it. */
    const char *when;
    const char *bends; /* of a network: the bool input that bends its lines (terrain/network/bend.h), and
                          closes those whose ends meet; "": always bent, and closed only if it is an outline;
                          NULL: its lines are straight */
    bool map;          /* a float that also accepts a field */
    bool takes_uplift; /* such a float that takes an uplift without rasterising it (oro_eval_uplift) */
    bool optional;     /* a field, uplift or network input that may stay unlinked */
    bool own_size; /* a field that is not resampled to the node's size; the node binds it (oro_eval_input) */
    bool writes; /* a file that the node writes; otherwise it reads it, and the file's digest is in the key */
    oro_companions *companions; /* of a file that is read; their digests are in the key, too. NULL: there are
                                   none */
};

struct oro_output {
    const char *name;
    enum oro_type type;
    enum oro_role role;
    const char *like; /* the field input that gives the size. NULL: the first linked field input; the world's
                         base grid if the type has none */
    enum oro_unit unit;
    const char
        *unit_of; /* "a b": inputs whose unit it has, where `unit` says none: if those that have one agree */
    const char *doc;
};

/* A way to use a node type that people look for by a name of its own, as they know it from elsewhere:
 * "Voronoi" is the noise whose method is worley. A search offers it beside the type, and adding it sets these
 * inputs. */
enum { ORO_USE_SETS = 4 };
struct oro_use {
    const char *id;    /* among the uses of its type: "voronoi" */
    const char *label; /* as a title: "Voronoi noise" */
    const char *words; /* as those of a type */
    struct {
        const char *input, *value; /* as in XML */
    } set[ORO_USE_SETS];           /* as many as have an `input` */
};

struct oro_uplift;
struct oro_network;
struct oro_eval;
struct oro_build;
struct oro_shape;

/* How documents written for an older version of a node type are brought up to date on load. `from` is the
 * version that the step starts from (it leads to from + 1). An input is renamed (all of one step at once),
 * or, with `new_name` NULL, dropped with a notice. With `old_name` NULL, `new_name` is an input whose default
 * does not give the older version's results: a node without a value for it gets `value`. */
struct oro_node_migration {
    int from;
    const char *old_name, *new_name;
    const char *value;
};

/* The ground that a file is of. */
struct oro_site {
    int columns, rows;
    double cell;            /* metres; 0: the file does not say */
    struct oro_place place; /* `crs` is freed by the caller */
};

/* What a node does with rasters that a device keeps in tiles (devices/spread). */
enum oro_spread {
    ORO_SPREAD_WHOLE, /* needs them whole */
    ORO_SPREAD_TILES, /* says of all that it reads how far away it lies, so that tiles are enough */
    /* Likewise, but finds drainage on the host, where rasters are in tiles: by tiles, too, each rank those
     * that it has; but a priority flood takes the whole. */
    ORO_SPREAD_DRAINAGE,
    ORO_SPREAD_HOST, /* works on the host, which has them whole in its memory; or has none */
};

struct oro_node_type {
    const char *id;       /* as in XML */
    int version;          /* raised when results change or inputs are renamed; part of every cache key */
    const char *category; /* source, filter, mask, erosion, output, ... */
    const char *doc;      /* Markdown; the first sentence is the summary */
    const char *paper;    /* source in the literature: "Schott 2024, eq. 5", or NULL */
    /* What people may call it who know other programs, besides the words of its id: "perlin, simplex,
     * fractal", the nearest first. Searches find it by them, and by words that begin or end like them
     * (base/search.h). NULL: nothing else. */
    const char *words;
    const struct oro_use *uses;       /* end with a zeroed one; or NULL */
    const struct oro_input *inputs;   /* end with a zeroed one */
    const struct oro_output *outputs; /* likewise; none for a node that only writes files */
    size_t params_size;
    const char *kernel;         /* what the default evaluation runs (oro_eval_default) */
    const char *const *kernels; /* all kernel files that `eval` may run: their texts are in the cache key, and
                                   running any other fails. Ends with NULL. ORO_NODE fills it in. */
    /* How far around a cell `kernel` reads (ORO_REACH_...), in its own grid and in that of its input where
     * that is another one. 0: it runs on whole rasters alone. */
    int reach, source_reach;
    enum oro_spread spread;
    /* What it does with some params, where that is not always `spread`; or NULL. */
    enum oro_spread (*spread_by)(const void *params);
    int scratch_fields; /* buffers of the output's size that `eval` makes besides outputs, for the estimate */
    /* How many of these take turns with others, or with outputs, in a simulation: in tiles, only the one of
     * two that has the state is kept. */
    int turns;
    bool sink;       /* writes files: always runs, is never cached */
    bool rasterizes; /* its first input is an uplift, and its first output is the same as a field: the planner
                        inserts it where an uplift is linked to an input that takes a field. One node type has
                        this. */
    /* From every cell of the output `terrain`, water finds its way to the border or the sea: there is no
     * closed depression (breach, fill). When an export finds that this was lost, it names the later node:
     * oro_eval_lineage. */
    bool drains;
    const struct oro_node_migration *migrations; /* end with from == 0 */
    /* For a type that is made while the program runs: data for its functions, the file that it comes from
     * (or the document that contains it), and a digest of what its results depend on besides the
     * descriptor. */
    const void *script;
    const char *file;
    struct oro_hash source;

    bool placed; /* results depend on where the world lies (oro_eval_place) */
    /* For a node that reads the ground from a file: what the file says about its place, for worlds that lie
     * where it does (struct oro_world). */
    bool (*site)(const void *params, struct oro_site *site, struct oro_error *err);
    /* The size of the outputs, if it is not that of an input. NULL: see oro_output.like. */
    bool (*shape)(struct oro_shape *shape, const void *params, struct oro_grid *grid);
    /* For nodes that need more than the kernel: several dispatches, or a dispatch with data that the
     * descriptor cannot know (oro_eval_default). `params` is the params struct. False: it failed (with
     * oro_eval_fail) or was cancelled. */
    bool (*eval)(struct oro_eval *eval, const void *params);
    /* Of sinks, or NULL: tried before `eval`, which runs on rank 0 alone and has its inputs whole. All ranks
     * call this, to write together what lies in tiles (oro_eval_input_tiles). `*done` is false; where it
     * stays so, nothing was written. */
    bool (*eval_tiles)(struct oro_eval *eval, const void *params, bool *done);
    /* A composite: instead of evaluating, it builds a graph of other nodes (build API below). If it builds
     * none, and the type has `eval` or `kernel`, the node is evaluated. */
    bool (*expand)(struct oro_build *build, const void *params);
};

/* ORO_NODE(slope, .version = 1, ...); is the descriptor of the node type `slope` in nodes/.../slope.c, with
 * its own `inputs`, `outputs` and `struct params`. The build derives the list of kernels from the file names
 * (in quotes) in that file and in the helpers that it includes (cmake/registry.cmake). ORO_NODE_WITH says how
 * long the params are. */
#define ORO_NODE(name, ...) ORO_NODE_WITH(name, sizeof(struct params), __VA_ARGS__)
#define ORO_NODE_WITH(name, size, ...)                                                                       \
    extern const char *const oro_kernels_##name[];                                                           \
    const struct oro_node_type oro_node_##name = {.id = #name,                                               \
                                                  .inputs = inputs,                                          \
                                                  .outputs = outputs,                                        \
                                                  .params_size = size,                                       \
                                                  .kernels = oro_kernels_##name,                             \
                                                  __VA_ARGS__}

/* Input and output macros. Further fields follow as designated initialisers:
 *   ORO_IN_FLOAT(struct params, lo, 20, .min = 0, .max = 90, .unit = ORO_DEGREE, .doc = "Mask begins here")
 * The input is named like the struct's field. ORO_IN_MAP is a float that also accepts a field; its params
 * field holds the literal. */
#define ORO_IN_FIELD(input_name, ...)                                                                        \
    {                                                                                                        \
        .name = input_name, .type = ORO_FIELD, __VA_ARGS__                                                   \
    }
#define ORO_IN_TERRAIN(...) ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .unit = ORO_METRE, __VA_ARGS__)
#define ORO_IN_LIKE(...) ORO_IN_FIELD("like", .role = ORO_ROLE_LIKE, .optional = true, __VA_ARGS__)
#define ORO_IN_IMAGE(input_name, ...)                                                                        \
    {                                                                                                        \
        .name = input_name, .type = ORO_IMAGE, __VA_ARGS__                                                   \
    }
#define ORO_IN_VECTOR(input_name, ...)                                                                       \
    {                                                                                                        \
        .name = input_name, .type = ORO_VECTOR, __VA_ARGS__                                                  \
    }
#define ORO_IN_UPLIFT(input_name, ...)                                                                       \
    {                                                                                                        \
        .name = input_name, .type = ORO_UPLIFT, __VA_ARGS__                                                  \
    }
#define ORO_IN_NUMBER_(params, field, kind, standard, ...)                                                   \
    {                                                                                                        \
        .name = #field, .type = kind, .offset = offsetof(params, field), .value = standard, __VA_ARGS__      \
    }
#define ORO_IN_FLOAT(params, field, standard, ...)                                                           \
    ORO_IN_NUMBER_(params, field, ORO_FLOAT, standard, __VA_ARGS__)
#define ORO_IN_MAP(params, field, standard, ...)                                                             \
    ORO_IN_NUMBER_(params, field, ORO_FLOAT, standard, .map = true, __VA_ARGS__)
#define ORO_IN_INT(params, field, standard, ...) ORO_IN_NUMBER_(params, field, ORO_INT, standard, __VA_ARGS__)
#define ORO_IN_BOOL(params, field, standard, ...)                                                            \
    ORO_IN_NUMBER_(params, field, ORO_BOOL, standard, __VA_ARGS__)
#define ORO_IN_CHOICE(params, field, standard, words, ...)                                                   \
    ORO_IN_NUMBER_(params, field, ORO_CHOICE, standard, .choices = words, __VA_ARGS__)
#define ORO_IN_SEED(params, field)                                                                           \
    ORO_IN_NUMBER_(params, field, ORO_INT, 0, .min = 0, .max = 2147483647, .soft_max = 1000,                 \
                   .role = ORO_ROLE_SEED,                                                                    \
                   .doc = "Another number gives another variant; mixed with the document's seed")
#define ORO_IN_WORDS_(params, field, kind, standard, ...)                                                    \
    {                                                                                                        \
        .name = #field, .type = kind, .offset = offsetof(params, field), .text = standard, __VA_ARGS__       \
    }
#define ORO_IN_TEXT(params, field, standard, ...)                                                            \
    ORO_IN_WORDS_(params, field, ORO_TEXT, standard, __VA_ARGS__)
#define ORO_IN_FILE(params, field, standard, ...)                                                            \
    ORO_IN_WORDS_(params, field, ORO_FILE, standard, __VA_ARGS__)
#define ORO_IN_COLOUR(params, field, standard, ...)                                                          \
    ORO_IN_WORDS_(params, field, ORO_COLOUR, standard, __VA_ARGS__)
#define ORO_IN_POINT(params, field, standard, ...)                                                           \
    ORO_IN_WORDS_(params, field, ORO_POINT, standard, __VA_ARGS__)
#define ORO_IN_PROFILE(params, field, standard, ...)                                                         \
    ORO_IN_WORDS_(params, field, ORO_PROFILE, standard, __VA_ARGS__)
#define ORO_IN_GRADIENT(params, field, standard, ...)                                                        \
    ORO_IN_WORDS_(params, field, ORO_GRADIENT, standard, __VA_ARGS__)
/* Linked, or a literal (oro_eval_network). With `standard` NULL one of them is required, unless the input is
 * optional. */
#define ORO_IN_NETWORK(params, field, standard, ...)                                                         \
    ORO_IN_WORDS_(params, field, ORO_NETWORK, standard, __VA_ARGS__)
/* The mask that every node has that changes a terrain: it scales the effect. */
#define ORO_IN_MASK(params)                                                                                  \
    ORO_IN_MAP(params, mask, 1, .role = ORO_ROLE_MASK, .min = 0, .max = 1, .group = "Mask",                  \
               .doc = "Strength of the effect: 0 none, 1 full")
#define ORO_OUT_FIELD(output_name, ...)                                                                      \
    {                                                                                                        \
        .name = output_name, .type = ORO_FIELD, __VA_ARGS__                                                  \
    }
#define ORO_OUT_TERRAIN(...)                                                                                 \
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .unit = ORO_METRE, __VA_ARGS__)
#define ORO_OUT_IMAGE(output_name, ...)                                                                      \
    {                                                                                                        \
        .name = output_name, .type = ORO_IMAGE, __VA_ARGS__                                                  \
    }
#define ORO_OUT_UPLIFT(output_name, ...)                                                                     \
    {                                                                                                        \
        .name = output_name, .type = ORO_UPLIFT, __VA_ARGS__                                                 \
    }
#define ORO_OUT_NETWORK(output_name, ...)                                                                    \
    {                                                                                                        \
        .name = output_name, .type = ORO_NETWORK, __VA_ARGS__                                                \
    }
#define ORO_OUT_VECTOR(output_name, ...)                                                                     \
    {                                                                                                        \
        .name = output_name, .type = ORO_VECTOR, __VA_ARGS__                                                 \
    }

/* ---- Shape: what a node's output size may depend on ---- */

const struct oro_grid *oro_shape_world(const struct oro_shape *shape);  /* the document's base grid */
const struct oro_place *oro_shape_place(const struct oro_shape *shape); /* of the document's world */
/* Of an input that is linked to a raster; else NULL. */
const struct oro_grid *oro_shape_input(const struct oro_shape *shape, const char *name);
bool oro_shape_linked(const struct oro_shape *shape, const char *name); /* to a value of any type */
/* The resolution cap (cells along the longer side), or INT_MAX. A node whose higher resolution would exceed
 * it gives its input's size, or the part of its result that still fits, and says so with oro_shape_capped.
 */
int oro_shape_cap(const struct oro_shape *shape);
void oro_shape_capped(struct oro_shape *shape);
/* Device memory that the evaluation takes besides its outputs and `scratch_fields`, for the estimate. */
void oro_shape_scratch(struct oro_shape *shape, double bytes);
bool oro_shape_fail(struct oro_shape *shape, const char *format, ...) ORO_PRINTF(2, 3); /* returns false */
/* Fails with an existing error. Returns false. */
bool oro_shape_failed(struct oro_shape *shape, const struct oro_error *err);

/* ---- Evaluation ---- */
/* Buffers returned here belong to the evaluation, which frees those that are not given as outputs. */

const struct oro_node_type *oro_eval_type(const struct oro_eval *eval);
const struct oro_grid *oro_eval_grid(struct oro_eval *eval); /* of the outputs */
const struct oro_grid *oro_eval_input_grid(struct oro_eval *eval,
                                           const char *name); /* NULL: no raster is linked */
bool oro_eval_linked(struct oro_eval *eval, const char *name);
/* Where the world lies on Earth. A cell's place in it is that of its grid. */
const struct oro_place *oro_eval_place(const struct oro_eval *eval);
/* The part of pictures that nodes are to write; NULL: all. Fields come cut. */
const struct oro_world_region *oro_eval_region(const struct oro_eval *eval);
/* Whether the world has a sea, for nodes that write files; and its level in metres. */
bool oro_eval_sea(const struct oro_eval *eval, double *level);
/* Whether this is a preview: a rise in resolution, here or upstream, was held back by the cap. */
bool oro_eval_capped(const struct oro_eval *eval);
/* Whether rasters over the outputs' grid are kept in tiles: then reaches have to be known that cost something
 * to find out, and groups have to fit into a tile. Others run by the programs of an undivided device, as
 * another program may round in another way. */
bool oro_eval_spread(const struct oro_eval *eval);
/* Whether a raster lies in tiles now: others are whole on every rank, and kernels without a reach may run on
 * them. */
bool oro_eval_in_tiles(const struct oro_eval *eval, const struct oro_buffer *raster);
/* The device, if it keeps all rasters over the outputs' grid in tiles, this one among them: for code that
 * works by tiles (device.h: tiles). NULL: it has to be taken as a whole. */
struct oro_device *oro_eval_tiled(struct oro_eval *eval, const struct oro_buffer *raster);
/* A linked raster on the device, read-only; or on the host. NULL when not linked, or on failure (then the
 * evaluation has failed, and later calls do nothing). */
struct oro_buffer *oro_eval_input(struct oro_eval *eval, const char *name);
const float *oro_eval_input_host(struct oro_eval *eval, const char *name);
/* For `eval_tiles`: the raster, where it lies in tiles on every rank (struct oro_device_tiles); else NULL.
 * And the device that it is on. */
struct oro_buffer *oro_eval_input_tiles(struct oro_eval *eval, const char *name);
struct oro_device *oro_eval_device(struct oro_eval *eval);
/* A linked uplift, checked. A field that is linked to an uplift input, or to a map with `takes_uplift`,
 * comes as an uplift tree of one raster. NULL when not linked, or on failure. It lives as long as the
 * evaluation. */
const struct oro_uplift *oro_eval_uplift(struct oro_eval *eval, const char *name);
/* The network linked to a network input, checked, or else that of the literal. NULL on failure, and when
 * there is neither. It lives as long as the evaluation. */
const struct oro_network *oro_eval_network(struct oro_eval *eval, const char *name);
/* An uninitialised buffer of `cells` float32. */
struct oro_buffer *oro_eval_buffer(struct oro_eval *eval, size_t cells);
/* A buffer for a field of the outputs' grid. Rasters, and they alone, may be kept in tiles: what a kernel
 * indexes by oro_index or NAME_at has to be one. */
struct oro_buffer *oro_eval_field(struct oro_eval *eval);
/* The same for a raster of `type` over `grid`: for states that differ from the outputs' fields. */
struct oro_buffer *oro_eval_raster(struct oro_eval *eval, enum oro_type type, const struct oro_grid *grid);
bool oro_eval_upload(struct oro_eval *eval, struct oro_buffer *buffer, const void *data, size_t bytes);
bool oro_eval_download(struct oro_eval *eval, struct oro_buffer *buffer, void *data, size_t bytes);
bool oro_eval_copy(struct oro_eval *eval, struct oro_buffer *from, struct oro_buffer *to, size_t cells);
/* Nothing reads the buffer any more before all of it is written anew: it need not be kept. */
void oro_eval_discard(struct oro_eval *eval, struct oro_buffer *buffer);
/* Of two buffers that take turns, what one step wrote is what the next one reads. */
static inline void oro_swap_buffers(struct oro_buffer **a, struct oro_buffer **b)
{
    struct oro_buffer *was_a = *a;
    *a = *b;
    *b = was_a;
}

/* How a dispatch uses a buffer. In the kernel the buffer is an array of the slot's name. */
enum oro_access { ORO_READ, ORO_WRITE, ORO_UPDATE };
struct oro_slot {
    const char *name;
    struct oro_buffer *buffer;
    enum oro_access access;
    const char *type; /* of an element, in GLSL; NULL is "float" */
};
/* A number that is not in the descriptor: `pass.NAME` in the kernel, a float. */
struct oro_constant {
    const char *name;
    float value;
};
enum { ORO_CONSTANTS_MAX = 16 };
/* A kernel with everything that it runs on. All `map` inputs and params are bound, too. It may run many
 * times: the first run compiles it, and oro_bind and oro_set change values between runs. Names, access and
 * types stay as they were. */
struct oro_dispatch {
    const char *kernel;
    const char *text; /* NULL, or the kernel itself: oro_kernel_source.text, .foreign */
    int first_line;
    bool foreign;
    struct oro_slot slots[ORO_BUFFERS_MAX]; /* end with one without a name */
    struct oro_constant constants[ORO_CONSTANTS_MAX];
    const char *defines; /* preprocessor lines put before the kernel, or NULL: "#define WALLS 1\n" */
    int group_columns, group_rows; /* 0: 16 x 16 */
    int columns, rows;             /* invocations; 0: one per cell of the outputs */
    /* How far around a cell the kernel reads rasters of `grid`, and of `source` where that is another one
     * (struct oro_device_extent); 0: that of the node type. */
    int reach, source_reach;
    float source_corner[2];      /* where the corner of `grid` lies, in cells of `source` */
    int cell_columns, cell_rows; /* cells that a group goes through; 0: one for each invocation */
    bool sums;            /* arrays of words that it writes are sums over cells (struct oro_device_extent) */
    struct oro_grid grid; /* the kernel's `grid`; zeroed: that of the outputs */
    struct oro_grid source;        /* the kernel's `source`, which NAME_at() reads over; zeroed: `grid` */
    bool inputs_on_grid;           /* NAME_at() reads inputs and maps over `grid`, whatever `source` is */
    const char *const *maps;       /* the maps that the kernel reads, ends with NULL; NULL: all */
    struct oro_compiled *compiled; /* filled by the first run: one of these */
    struct oro_compiled *native;
    struct oro_processor_dispatch *described;
    const char *unknown; /* a name that oro_bind or oro_set did not find, which makes the next run fail */
};
/* Set another buffer, or value, for a name that the dispatch has. */
void oro_bind(struct oro_dispatch *dispatch, const char *name, struct oro_buffer *buffer);
void oro_set(struct oro_dispatch *dispatch, const char *name, double value);
/* Add a slot, or a constant, before the first run. */
void oro_add_slot(struct oro_dispatch *dispatch, struct oro_slot slot);
void oro_add_constant(struct oro_dispatch *dispatch, const char *name, double value);
/* Adds a slot for a raster input, by its name, if one is linked. */
void oro_eval_add_input(struct oro_eval *eval, struct oro_dispatch *dispatch, const char *name);
bool oro_eval_dispatch(struct oro_eval *eval, struct oro_dispatch *dispatch);
/* Lets a dispatch over `grid` read rasters of another grid: up to `reach` cells (ORO_REACH_...) around what a
 * cell covers there. `corner`: where the corner of `grid` lies in `source`, in its cells; NULL: at its own.
 * Rasters of `grid` are read in the cell itself, unless the dispatch says more. */
void oro_dispatch_source(struct oro_dispatch *dispatch, const struct oro_grid *grid,
                         const struct oro_grid *source, const float corner[2], int reach);
/* Evaluates a node as if it had no `eval`: binds all linked rasters by their names and new buffers for the
 * outputs, each as NAME_out, runs the descriptor's kernel once over the output's cells, and gives the
 * outputs. `extras` adds what the descriptor cannot know: further buffers and constants, or another size; a
 * buffer with the name of an input or output replaces it. NULL: there are none. */
bool oro_eval_default(struct oro_eval *eval, const struct oro_dispatch *extras);

/* Evaluates a node whose kernel is lib/resample.comp, and whose first input and output are called "field" or
 * "terrain": brings the input to the node's grid. `placed`: both stay where they lie; else they cover the
 * same ground, corner to corner. */
bool oro_eval_resample(struct oro_eval *eval, bool placed, enum oro_resampling method);

/* To be called between the steps of long work. Reports progress, keeps the device's queue short, and returns
 * false when the user cancelled or something failed: then return false from `eval`. */
bool oro_eval_progress(struct oro_eval *eval, int done, int total);
/* For work that ends as soon as it has converged, and not only after `total` iterations: how far it still was
 * from that after `done` of them, in the measure that ends it below `tolerance` (INFINITY: not known yet).
 * The time left is then estimated by how fast this falls, and not before two of these have told. */
void oro_eval_converging(struct oro_eval *eval, int done, double change, double tolerance);

/* Simulations can resume. oro_eval_resume looks for a stored state of the same simulation (equal in all but
 * the iteration count and the duration) after at most `iterations` steps, fills `state` (buffers that the
 * evaluation made) and returns how many steps it had; 0: there is none, `state` is untouched; negative:
 * failed. oro_eval_checkpoint offers a state to the store, which keeps the last one, a few before it, and on
 * the way the newest that is old enough for its loss to matter. The
 * last state (done == iterations) is kept without copying: its buffers may be given as outputs afterwards,
 * but not be written to. */
int oro_eval_resume(struct oro_eval *eval, int iterations, struct oro_buffer *const *state, int count);
bool oro_eval_checkpoint(struct oro_eval *eval, int done, int iterations, struct oro_buffer *const *state,
                         int count);
/* Whether oro_eval_checkpoint would keep the state now: for simulations that have to prepare it. */
bool oro_eval_checkpoint_due(struct oro_eval *eval, int done, int iterations);

/* Simulations may do several iterations in one dispatch, if nothing is to be shown or kept between them.
 * Gives how many may follow after `done`: at least one. */
int oro_eval_iterations_ahead(const struct oro_eval *eval, int done, int iterations);
/* The shape of such dispatches: so many iterations, columns and rows of cells that a group writes, and cells
 * below each other that an invocation computes. */
struct oro_dispatch_shape {
    int times, columns, rows, strip;
};
/* `usual`, or what a test or a benchmark wants instead. One iteration where `step` runs on the processor,
 * which gains nothing by several, or the outputs' grid is kept in tiles. */
struct oro_dispatch_shape oro_eval_dispatch_shape(const struct oro_eval *eval,
                                                  const struct oro_dispatch *step,
                                                  struct oro_dispatch_shape usual);
/* Whether the device can run work groups of so many invocations with so much shared memory. */
bool oro_eval_group_fits(const struct oro_eval *eval, int invocations, size_t shared_bytes);

/* Shows what an output (a raster of the outputs' size) looks like after `done` steps, if anyone watches the
 * simulation (oro_evaluator_options.live). `buffer` is only read, and only during the call. Costs nothing if
 * nobody watches. The end need not be shown, because the output itself is. */
bool oro_eval_show(struct oro_eval *eval, const char *output, struct oro_buffer *buffer, int done);

/* Whether oro_eval_show would show something now: for simulations that have to prepare it. The output then
 * counts as shown, so that its end is shown, too. */
bool oro_eval_watched(struct oro_eval *eval, const char *output, int done);

/* For what hangs on the clock: where many processes evaluate together, they must do the same. Gives what the
 * first of them has for `here`; alone, `here` itself. All of them ask at the same places. */
bool oro_eval_decide(struct oro_eval *eval, bool here);

/* Some nodes go another way on the processor than on a graphics card, to the same results. True: go that way.
 * Such code reads oro_eval_input_host and gives oro_eval_give_host. (Single kernels with code for the
 * processor need no branch: terrain/processor/run.h.) */
bool oro_eval_on_processor(const struct oro_eval *eval);
/* Whether the device runs kernels faster than the processor would do the same, be rasters whole or in tiles.
 */
bool oro_eval_by_kernels(const struct oro_eval *eval);
/* For such code: the memory of a buffer, as new as what was done to it last, and if it `writes` there, seen
 * by all that follows; valid until a kernel writes to the buffer. NULL: the buffer has to be downloaded and
 * uploaded. */
void *oro_eval_memory(struct oro_eval *eval, struct oro_buffer *buffer, bool writes);
/* For such code: whether the user has cancelled. The argument is the evaluation; any thread may ask. */
bool oro_eval_stopped(void *eval);

/* Gives an output; the evaluation no longer owns the buffer. Giving an input's buffer shares it. */
bool oro_eval_give(struct oro_eval *eval, const char *output, struct oro_buffer *buffer);
/* The same from host memory made with oro_alloc, which is taken over. */
bool oro_eval_give_host(struct oro_eval *eval, const char *output, float *data);

/* Give an uplift or a network made with oro_alloc, which is taken over; NULL with `err` filled fails with
 * that error: oro_eval_give_uplift(eval, "uplift", oro_uplift_combine(a, b, how, &err), &err). */
bool oro_eval_give_uplift(struct oro_eval *eval, const char *output, struct oro_uplift *uplift,
                          const struct oro_error *err);
bool oro_eval_give_network(struct oro_eval *eval, const char *output, struct oro_network *network,
                           const struct oro_error *err);

/* A named figure of the result, kept with it and shown in reports: "sediment_left", 12345.6, "m3". */
void oro_eval_figure(struct oro_eval *eval, const char *name, double value, const char *unit);

bool oro_eval_fail(struct oro_eval *eval, enum oro_code code, const char *format, ...) ORO_PRINTF(3, 4);
/* Fails with an existing error. */
bool oro_eval_failed(struct oro_eval *eval, const struct oro_error *err);
/* With what it has failed. */
void oro_eval_error(const struct oro_eval *eval, struct oro_error *err);
const struct oro_log *oro_eval_log(struct oro_eval *eval);
/* The same, for what is said of the result: it is kept with it and with what is made from it (said.h). */
const struct oro_log *oro_eval_result_log(struct oro_eval *eval);
/* Whether no later step of this type belongs to the same node of the document. What a composite's parts have
 * in common, the last of them says alone. */
bool oro_eval_last_of_node(const struct oro_eval *eval);

/* What a written file's sidecar says about its origin. */
struct oro_origin {
    int64_t seed;
    struct oro_hash graph; /* key of the step that gave the data: equal digests mean equal results */
    const char *document;  /* path, or "" */
    const char *device;    /* of which kind it is: oro_device_kind */
    const char *said;      /* of what is written (said.h), or NULL */
};
struct oro_origin oro_eval_origin(struct oro_eval *eval);

/* The history of a terrain in the graph, for messages about its drainage. */
struct oro_lineage {
    bool terrain;           /* the raster is a terrain, or was made from one as a plain raster (`field`) */
    bool certain;           /* it is a terrain: the output is called `terrain`, or `field` in metres */
    const char *drained_by; /* the last node on the way that drained it (descriptor: drains), or NULL */
    const char *changed_by; /* the first node after that which changed the terrain, or NULL */
    bool resampled;         /* it was resized after that, before any node changed it */
    /* What `drained_by` carved (its figures deepest_cut and cut_volume), known if it gave this terrain
     * itself. */
    bool has_figures;
    double deepest_cut, cut_volume; /* metres, cubic metres */
};
/* The lineage of what is linked to `input`. False: the evaluation has failed. */
bool oro_eval_lineage(struct oro_eval *eval, const char *input, struct oro_lineage *lineage);
/* Whether a raster with this lineage is elevation. A raster that was made from a terrain and lies within 0..1
 * counts as a mask. */
bool oro_lineage_is_terrain(const struct oro_lineage *lineage, const float *values, size_t count);
/* Terrains that are written must drain: oro_evaluator_options.require_drained. */
bool oro_eval_require_drained(const struct oro_eval *eval);

/* ---- Composites ---- */

const struct oro_node_type *oro_build_type(const struct oro_build *build); /* of the composite */
/* The type that a composite calls by that name: a built-in one, or else a script beside the file that the
 * composite comes from. NULL with `err` filled. */
const struct oro_node_type *oro_build_find(const struct oro_build *build, const char *id,
                                           struct oro_error *err);
/* The composite's seed input, mixed as other nodes see theirs; 0: it has none. Parts mix a seed that is
 * forwarded to them themselves. */
uint32_t oro_build_seed(const struct oro_build *build);
/* The document's base grid, and the grid of what is linked to one of the composite's own inputs; NULL: no
 * raster is linked. */
const struct oro_grid *oro_build_world(const struct oro_build *build);
const struct oro_grid *oro_build_grid(const struct oro_build *build, const char *own_input);
bool oro_build_linked(const struct oro_build *build, const char *own_input);
/* Whether a linked input did not get its resolution (oro_step.capped). */
bool oro_build_capped(const struct oro_build *build);

/* Adds a node of another type; `name` is unique within the composite and shows as "<node>/<name>". Returns
 * its number, or -1 when the composite has failed; later calls then do nothing. */
int oro_build_node(struct oro_build *build, const char *type, const char *name);
int oro_build_node_of(struct oro_build *build, const struct oro_node_type *type, const char *name);
/* Gives a node's input what the composite's own input has: a link or a literal. */
void oro_build_forward(struct oro_build *build, int node, const char *input, const char *own_input);
void oro_build_link(struct oro_build *build, int node, const char *input, int from, const char *output);
/* Also for a bool: anything but 0 is true. */
void oro_build_number(struct oro_build *build, int node, const char *input, double value);
/* Any literal, as written in documents. The path of a file is relative to the file of the composite's
 * type. */
void oro_build_text(struct oro_build *build, int node, const char *input, const char *text);
/* Why the composite has failed; NULL: it has not. */
const struct oro_error *oro_build_error(const struct oro_build *build);
/* Fails with this error, replacing an earlier one. Returns false. */
bool oro_build_fail(struct oro_build *build, const struct oro_error *err);
/* Makes what is linked to one of the composite's inputs one of its outputs. */
void oro_build_output_of_input(struct oro_build *build, const char *own_output, const char *own_input);
/* Makes a node's output one of the composite's. Every output needs this, or oro_build_output_of_input. */
void oro_build_output(struct oro_build *build, const char *own_output, int node, const char *output);

#endif
