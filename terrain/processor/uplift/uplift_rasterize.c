/* An uplift tree at the centre of every cell: the program is run over rows of cells. */
#include "terrain/processor/lib/noise.h"
#include "terrain/processor/lib/uplift.h"
#include "terrain/processor/lib/uplift_copies.h"
#include "terrain/processor/lib/uplift_star.h"

/* enum oro_uplift_code */
enum { RANGES, VALLEYS, STAR, CURVES, CONSTANT, RASTER };
enum { MAX = 6, MIN, ADD, CARVE, MULTIPLY, LOWEST, BLEND, SCALE };
enum { AFFINE = 14, TWIST, NOISE, RETURN, PASTE, END, PASTED };
enum { VALUES_MAX = 32, POINTS_MAX = 16 };
static const int words_of[PASTE] = {8, 9, 11, 9, 2, 5, 1, 1, 1, 1, 1, 1, 1, 2, 9, 5, 5, 1};

#define VALUE_MAX ORO_UPLIFT_MOST
#define POSITION_MAX ORO_UPLIFT_FAR
#define NOISE_GAIN 0.4F

struct rasterize {
    struct oro_run_grid grid;
    struct oro_uplift_arrays tree;
    float *out;
    int copies; /* frames that they need */
    atomic_bool *no_memory;
};

/* A row of cells, or some of them, on its way through the program. */
struct row {
    int width, value, point; /* width; how many values there are; the points that count */
    int frame;               /* frames in use */
    struct oro_copies_frame *frames;
    float values[VALUES_MAX + 1][ORO_TILE_WIDTH];
    struct oro_uplift_points points[POINTS_MAX + 1];
};

ORO_INLINE void put_leaf(const struct rasterize *k, uint32_t kind, const uint32_t *at, struct row *row)
{
    const struct oro_uplift_points *p = &row->points[row->point];
    float *value = row->values[row->value++];
    switch (kind) {
    case RANGES:
        oro_uplift_group_row(&k->tree, at, p, row->width, false, value);
        break;
    case VALLEYS:
        oro_uplift_group_row(&k->tree, at, p, row->width, true, value);
        break;
    case CURVES:
        oro_uplift_curves_row(&k->tree, at, p, row->width, value);
        break;
    case STAR:
        oro_star_row(&k->tree, at, p, row->width, value);
        break;
    case RASTER:
        oro_uplift_raster_row(&k->tree, at, p, row->width, value);
        break;
    default:
        for (int x = 0; x < row->width; x++)
            value[x] = oro_uplift_float(at);
    }
}

/* ---- Operators ---- */

ORO_INLINE float operate(uint32_t how, float a, float b)
{
    float more = oro_max(a, b), less = oro_min(a, b);
    float sum = oro_min(oro_max(a, 0) + oro_max(b, 0), VALUE_MAX), product = oro_min(a * b, VALUE_MAX);
    switch (how) {
    case MAX:
        return more;
    case MIN:
        return less;
    case ADD:
        return more < 0 ? -1 : sum;
    case CARVE:
        return b < 0 ? a : less;
    case MULTIPLY:
        return less < 0 ? -1 : product;
    default:
        return oro_uplift_lowest(a, b);
    }
}

ORO_INLINE void operate_on(struct row *row, uint32_t how)
{
    float *a = row->values[row->value - 2];
    const float *b = row->values[row->value - 1];
#pragma omp simd
    for (int x = 0; x < row->width; x++)
        a[x] = operate(how, a[x], b[x]);
    row->value--;
}

ORO_INLINE void combine(struct row *row, uint32_t how)
{
    switch (how) {
    case MAX:
        operate_on(row, MAX);
        break;
    case MIN:
        operate_on(row, MIN);
        break;
    case ADD:
        operate_on(row, ADD);
        break;
    case CARVE:
        operate_on(row, CARVE);
        break;
    case MULTIPLY:
        operate_on(row, MULTIPLY);
        break;
    default:
        operate_on(row, LOWEST);
    }
}

ORO_INLINE void blend(struct row *row)
{
    float *out = row->values[row->value - 3];
    const float *other = row->values[row->value - 2], *weight = row->values[row->value - 1];
#pragma omp simd
    for (int x = 0; x < row->width; x++)
        out[x] = oro_uplift_blended(out[x], other[x], weight[x]);
    row->value -= 2;
}

ORO_INLINE void scale(struct row *row, float factor)
{
    float *value = row->values[row->value - 1];
#pragma omp simd
    for (int x = 0; x < row->width; x++) {
        float scaled = oro_min(value[x] * factor, VALUE_MAX);
        value[x] = value[x] < 0 ? value[x] : scaled;
    }
}

/* ---- Moves: where what follows is evaluated, eq. 8 ---- */

ORO_INLINE void untwist(const uint32_t *at, int width, const struct oro_uplift_points *p,
                        struct oro_uplift_points *q)
{
    float cx = oro_uplift_float(at), cy = oro_uplift_float(at + 1), radius = oro_uplift_float(at + 2);
    float twist = oro_uplift_float(at + 3);
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float dx = p->x[x] - cx, dy = p->y[x] - cy;
        float fall = oro_max(1 - (dx * dx + dy * dy) / (radius * radius), 0);
        struct oro_turn turn = oro_sincos(-twist * fall * fall);
        q->x[x] = cx + (turn.cosine * dx - turn.sine * dy);
        q->y[x] = cy + (turn.sine * dx + turn.cosine * dy);
    }
}

/* Adds one octave's displacement along one axis. */
ORO_INLINE void displace(const struct oro_uplift_points *p, int width, float frequency, float amplitude,
                         uint32_t seed, float *place)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_lattice_place at = oro_lattice_reduce(0, 0, p->x[x] * frequency, p->y[x] * frequency);
        place[x] += amplitude * oro_gradient_noise(at, seed);
    }
}

ORO_INLINE void unwarp(const uint32_t *at, int width, const struct oro_uplift_points *p,
                       struct oro_uplift_points *q)
{
    float amplitude = oro_uplift_float(at) * 0.70710678F, frequency = 1 / oro_uplift_float(at + 1);
    memcpy(q, p, sizeof *q);
    for (uint32_t i = 0; i < at[2]; i++) {
        displace(p, width, frequency, amplitude, oro_hash_number(at[3] + 2 * i), q->x);
        displace(p, width, frequency, amplitude, oro_hash_number(at[3] + 2 * i + 1), q->y);
        amplitude *= NOISE_GAIN;
        frequency *= 2;
    }
}

ORO_INLINE void move(uint32_t how, const uint32_t *at, struct row *row)
{
    const struct oro_uplift_points *p = &row->points[row->point];
    struct oro_uplift_points *q = &row->points[++row->point];
    if (how == AFFINE)
        oro_uplift_affine_row(at, row->width, p, q);
    else if (how == TWIST)
        untwist(at, row->width, p, q);
    else
        unwarp(at, row->width, p, q);
#pragma omp simd
    for (int x = 0; x < row->width; x++) {
        q->x[x] = oro_clamp(q->x[x], -POSITION_MAX, POSITION_MAX);
        q->y[x] = oro_clamp(q->y[x], -POSITION_MAX, POSITION_MAX);
    }
}

/* ---- Copies ---- */

/* Begins to look up some points. Whether the content is needed for any, which are then the row's. */
ORO_INLINE bool begin_frame(const struct rasterize *k, const uint32_t *header, struct row *row,
                            uint32_t limit)
{
    struct oro_copies_frame *f = &row->frames[row->frame++];
    oro_copies_begin(&k->tree, header, f, limit);
    if (f->lanes == 0)
        return false;
    struct oro_uplift_points *p = &row->points[row->point];
    for (int i = 0; i < f->lanes; i++) {
        p->x[i] = f->p.x[f->lane[i]];
        p->y[i] = f->p.y[f->lane[i]];
    }
    row->width = f->lanes;
    return true;
}

/* Goes on until the content is needed for some points (true), or all values are known. */
ORO_INLINE bool go_on(const struct rasterize *k, const uint32_t *header, struct row *row)
{
    for (;;) {
        struct oro_copies_frame *f = &row->frames[row->frame - 1];
        uint32_t limit;
        if (row->frame < k->copies && oro_copies_next(&k->tree, header, f, f + 1, &limit)) {
            if (begin_frame(k, header, row, limit))
                return true;
            continue;
        }
        row->frame--;
        if (f->whole) {
            row->point--;
            row->width = f->width;
            memcpy(row->values[row->value++], f->value, sizeof f->value);
            return false;
        }
        oro_copies_put(header, &row->frames[row->frame - 1], f);
    }
}

/* What follows a PASTE, or its end. */
ORO_INLINE const uint32_t *paste(const struct rasterize *k, const uint32_t *at, struct row *row)
{
    const uint32_t *header = *at == PASTE ? at : k->tree.code + at[1];
    bool content = false;
    if (*at == PASTE) {
        struct oro_copies_frame *f = &row->frames[row->frame];
        f->whole = true;
        f->width = row->width;
        f->p = row->points[row->point++];
        content = begin_frame(k, header, row, header[3]);
    } else {
        struct oro_copies_frame *f = &row->frames[row->frame - 1];
        const float *value = row->values[--row->value];
        for (int i = 0; i < f->lanes; i++)
            f->value[f->lane[i]] = value[i];
    }
    if (!content)
        content = go_on(k, header, row);
    return content ? header + header[1] : k->tree.code + header[2];
}

/* ---- The program ---- */

ORO_INLINE const uint32_t *run_op(const struct rasterize *k, const uint32_t *code, struct row *row)
{
    if (*code >= PASTE)
        return paste(k, code, row);
    if (*code < MAX)
        put_leaf(k, *code, code + 1, row);
    else if (*code < BLEND)
        combine(row, *code);
    else if (*code == BLEND)
        blend(row);
    else if (*code == SCALE)
        scale(row, oro_uplift_float(code + 1));
    else if (*code == RETURN)
        row->point--;
    else
        move(*code, code + 1, row);
    return code + words_of[*code];
}

static ORO_CLONES void rasterize(const void *user, const struct oro_tile *tile)
{
    const struct rasterize *k = user;
    struct row row = {.frames = k->copies > 0 ? oro_alloc((size_t)k->copies, sizeof *row.frames) : NULL};
    if (k->copies > 0 && !row.frames)
        *k->no_memory = true;
    for (int y = tile->y; y < tile->y + tile->height && (row.frames || k->copies == 0); y++) {
        float *out = k->out + (size_t)y * (size_t)k->grid.width + tile->x;
        for (int x = 0; x < tile->width; x++) {
            row.points[0].x[x] = k->grid.x + ((float)(tile->x + x) + 0.5F) * k->grid.cell;
            row.points[0].y[x] = k->grid.y + ((float)y + 0.5F) * k->grid.cell;
        }
        row.value = row.point = row.frame = 0;
        row.width = tile->width;
        for (const uint32_t *code = k->tree.code; *code != END;)
            code = run_op(k, code, &row);
        for (int x = 0; x < tile->width; x++)
            out[x] = oro_max(row.values[0][x], 0);
    }
    oro_free(row.frames);
}

ORO_PROCESSOR(uplift, uplift_rasterize)
{
    atomic_bool no_memory = false;
    struct rasterize k = {.grid = run->grid,
                          .copies = oro_run_defined(run, "COPIES"),
                          .no_memory = &no_memory,
                          .tree = {.code = oro_run_buffer(run, "code"),
                                   .bins = oro_run_buffer(run, "bins"),
                                   .primitives = oro_run_buffer(run, "primitives"),
                                   .rasters = oro_run_buffer(run, "rasters")},
                          .out = oro_run_buffer(run, "field_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, rasterize, &k);
    run->no_memory |= no_memory;
}
