/*
 * The flat form of an uplift tree: a program in words of 32 bits that leaves one value on a stack. It holds
 * no addresses, so that trees are put together by putting their words one after another.
 *
 * An instruction is its code, its length in words with these two, and its operands; floats by their bits. A
 * value is negative where it is undefined. AFFINE, TWIST and NOISE replace the point at which what follows is
 * evaluated, up to the matching RETURN, between which lies exactly one value.
 *
 * PASTE evaluates what lies between it and its RETURN, its content, at the point itself and wherever copies
 * come from. It holds a list of pastes, each of which acts on what those before it have made of the content:
 * so a copy of a copy needs no second content, and nothing can contain itself.
 */
#ifndef ORO_TERRAIN_UPLIFT_TREE_PRIVATE_H
#define ORO_TERRAIN_UPLIFT_TREE_PRIVATE_H

#include <string.h>

#include "terrain/uplift/uplift.h"

struct oro_uplift {
    uint32_t magic, version, words, reserved;
    uint32_t code[];
};

enum { ORO_UPLIFT_MAGIC = 0x5455524f, ORO_UPLIFT_VERSION = 1 };

/* Numbers known to gles_shaders/lib/uplift.glsl. */
enum oro_uplift_code {
    ORO_OP_RANGES,   /* count; records */
    ORO_OP_VALLEYS,  /* count; profile, records */
    ORO_OP_STAR,     /* pieces of the skeleton, of the boundary; uplift, origin, the pieces */
    ORO_OP_CURVES,   /* count; uplift, points */
    ORO_OP_CONSTANT, /* value */
    ORO_OP_RASTER,   /* width, height; cell, values */
    ORO_OP_MAX,
    ORO_OP_MIN,
    ORO_OP_ADD,
    ORO_OP_CARVE,
    ORO_OP_MULTIPLY,
    ORO_OP_LOWEST, /* the lower of those that are defined: min among valleys */
    ORO_OP_BLEND,
    ORO_OP_SCALE,  /* factor */
    ORO_OP_AFFINE, /* from, matrix by rows, to: q = to + M (p - from) */
    ORO_OP_TWIST,  /* centre, radius, angle */
    ORO_OP_NOISE,  /* amplitude, wavelength; octaves, seed */
    ORO_OP_RETURN,
    ORO_OP_PASTE, /* words of the content, count; pastes: struct oro_pasted */
    ORO_OP_COUNT,
    /* Of compiled programs alone. */
    ORO_OP_END = ORO_OP_COUNT,
    ORO_OP_PASTED /* the header of its PASTE */
};

enum {
    ORO_OP_HEAD = 2,
    ORO_RECORD_FLOATS = 8, /* struct oro_uplift_segment, struct oro_valley */
    ORO_CURVE_FLOATS = 4,  /* x, y, radius, weight */
    ORO_STAR_POINTS_MAX = 64,
    ORO_STAR_HEAD = 5, /* operands before the pieces */
    ORO_VALUES_MAX = 32,
    ORO_POINTS_MAX = 16,
    ORO_OCTAVES_MAX = 4,
    ORO_PASTES_MAX = 1024,
    ORO_PLACES_MAX = 1024, /* of one paste */
    ORO_COPIES_MAX = 4096, /* of all pastes of one instruction, with what they cut */
    ORO_EDGES_MAX = 1024,
    ORO_FRAMES_MAX = 72,
    ORO_RASTER_SIDE_MAX = 131072,
    ORO_RASTER_CELLS_MAX = 1 << 30 /* so that kernels can number the words of an instruction */
};

/* Values stay below this, so that the product of two is a float; positions too, in metres. */
#define ORO_UPLIFT_VALUE_MAX 1e18
#define ORO_UPLIFT_POSITION_MAX 1e8
/* Ratio of an octave's amplitude to that of the one before: below a half, so that finer octaves are not
 * steeper. */
#define ORO_UPLIFT_NOISE_GAIN 0.4

struct oro_op {
    uint32_t code, length;
    const uint32_t *operands;
};

static inline struct oro_op oro_op_at(const uint32_t *words)
{
    return (struct oro_op){words[0], words[1], words + ORO_OP_HEAD};
}

static inline float oro_float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline double oro_operand(const struct oro_op *op, size_t index)
{
    return (double)oro_float_of(op->operands[index]);
}

/* What a curve's crest is the root of: terrain/uplift/uplift.h. */
#define ORO_CURVE_ROOT (6.0 / 17)

/* A quadratic curve by its powers: start + s (along + s bend), s from 0 to 1. */
struct oro_piece {
    double start[2], along[2], bend[2];
};
enum { ORO_PIECE_FLOATS = 6 };
struct oro_piece oro_star_piece(const struct oro_op *op, size_t index);

/* Whether an instruction is a group of primitives, which are sorted into bins. */
static inline bool oro_op_is_group(uint32_t code)
{
    return code == ORO_OP_RANGES || code == ORO_OP_VALLEYS || code == ORO_OP_CURVES;
}

/* Operands of a group before its records, and the floats of a record. */
static inline uint32_t oro_group_head(uint32_t code)
{
    return code == ORO_OP_VALLEYS ? 1 + ORO_VALLEY_POINTS : code == ORO_OP_CURVES ? 2 : 1;
}

static inline uint32_t oro_group_floats(uint32_t code)
{
    return code == ORO_OP_CURVES ? ORO_CURVE_FLOATS : ORO_RECORD_FLOATS;
}

/* The words of a group's records. */
static inline const uint32_t *oro_op_records(const struct oro_op *op)
{
    return op->operands + oro_group_head(op->code);
}

/* Record `index` of a group. A point of a curve is a segment without length, with its weight as uplift. */
static inline struct oro_uplift_segment oro_op_record(const struct oro_op *op, size_t index)
{
    struct oro_uplift_segment record;
    const uint32_t *words = oro_op_records(op) + index * oro_group_floats(op->code);
    if (op->code == ORO_OP_CURVES) {
        float p[ORO_CURVE_FLOATS];
        memcpy(p, words, sizeof p);
        return (struct oro_uplift_segment){p[0], p[1], p[0], p[1], p[2], p[2], p[3], p[3]};
    }
    memcpy(&record, words, sizeof record);
    return record;
}

/* Checks everything that evaluation relies on. */
bool oro_uplift_check(const uint32_t *code, size_t words, struct oro_error *err);

/* How many values an instruction acts on. */
static inline int oro_op_takes(uint32_t code)
{
    return code == ORO_OP_BLEND                          ? 3
           : code >= ORO_OP_MAX && code <= ORO_OP_LOWEST ? 2
           : code == ORO_OP_SCALE                        ? 1
                                                         : 0;
}

/* Whether a RETURN belongs to it. */
static inline bool oro_op_opens(uint32_t code)
{
    return code == ORO_OP_AFFINE || code == ORO_OP_TWIST || code == ORO_OP_NOISE || code == ORO_OP_PASTE;
}

/* Operands of an instruction under construction. */
struct oro_words {
    uint32_t words[48];
    size_t count;
};
void oro_words_number(struct oro_words *words, uint32_t number);
void oro_words_float(struct oro_words *words, double value);

/* AFFINE's operands. */
bool oro_affine_words(const struct oro_affine *affine, struct oro_words *words, struct oro_error *err);

/* Part of a tree: some words. A tree is made of parts, one after another. */
struct oro_part {
    const void *words;
    size_t count;
};
struct oro_uplift *oro_uplift_join(const struct oro_part *parts, size_t count, struct oro_error *err);
/* An instruction with further operands in `tail`. */
struct oro_uplift *oro_uplift_leaf(uint32_t code, const struct oro_words *operands, struct oro_part tail,
                                   struct oro_error *err);
/* The tree evaluated at points that an instruction leads to. */
struct oro_uplift *oro_uplift_moved(uint32_t code, const struct oro_words *operands,
                                    const struct oro_uplift *tree, struct oro_error *err);

/* One of the pastes of a PASTE, in its words: words in all, region, method, cut, places; the region; places
 * of AFFINE's operands each, which lead back from the copy. Regions are ellipse: centre, half axes, feather
 * (share); polygon: edges, feather (metres); ax, ay, bx, by of each; mask: width, height; corner, cell,
 * values. */
struct oro_pasted {
    uint32_t words, region, method, cut, places;
    const uint32_t *shape, *affines;
};
enum {
    ORO_PASTED_HEAD = 5,
    ORO_PASTE_HEAD = 2,
    ORO_AFFINE_WORDS = 8,
    ORO_ELLIPSE_WORDS = 5,
    ORO_POLYGON_HEAD = 2,
    ORO_MASK_HEAD = 5
};
size_t oro_region_words(uint32_t region, const uint32_t *shape); /* of a shape that was checked */
struct oro_pasted oro_pasted_at(const uint32_t *words);
static inline struct oro_pasted oro_pasted_first(const struct oro_op *op)
{
    return oro_pasted_at(op->operands + ORO_PASTE_HEAD);
}
static inline struct oro_pasted oro_pasted_next(const struct oro_pasted *pasted)
{
    return oro_pasted_at(pasted->shape - ORO_PASTED_HEAD + pasted->words);
}

/* The greatest distance that a point within the polygon has from its edges, to a hundredth; 0: it has no
 * inside. */
double oro_polygon_reach(const float (*edges)[4], size_t count);
bool oro_paste_check(const struct oro_op *op, struct oro_error *err);
/* Weight of a region at a point, 0 to 1, and the box beyond which it is 0: minimum x, y, maximum x, y. */
double oro_region_at(const struct oro_pasted *pasted, double x, double y);
void oro_region_box(const struct oro_pasted *pasted, double box[4]);

/* The primitives of a group in the bins of a grid: those of bin (column, row) are indices[start[row *
 * columns + column]] to the next start. Memory is made with oro_alloc. */
struct oro_bins {
    float x, y, side; /* the corner, and a bin's side, metres */
    uint32_t columns, rows;
    uint32_t *starts, *indices; /* one piece: the indices follow the starts */
    size_t words;               /* of both */
};
/* What the bins are made of in a second step: the bins of one row that an item reaches into. */
struct oro_bin_run {
    uint32_t bin, count, item;
};
/* Sorts runs, which come in rising order of their items, into a grid whose size is set. False: memory. */
bool oro_bins_sort(struct oro_bins *bins, const struct oro_bin_run *runs, size_t count);
bool oro_bins_make(const struct oro_op *group, struct oro_bins *bins, struct oro_error *err);

/* Box around record `record`'s support: minimum x, y, maximum x, y. */
static inline void oro_record_box(const struct oro_uplift_segment *r, double box[4])
{
    double a = (double)r->radius_a, b = (double)r->radius_b;
    double ax = (double)r->ax, ay = (double)r->ay, bx = (double)r->bx, by = (double)r->by;
    box[0] = ax - a < bx - b ? ax - a : bx - b;
    box[1] = ay - a < by - b ? ay - a : by - b;
    box[2] = ax + a > bx + b ? ax + a : bx + b;
    box[3] = ay + a > by + b ? ay + a : by + b;
}

/* The box of a leaf's support: infinite for constants and rasters, empty (minimum above maximum) where there
 * is none. */
void oro_leaf_box(const struct oro_op *op, double box[4]);

#endif
