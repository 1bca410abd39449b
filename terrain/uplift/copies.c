/* Copies in compiled programs: their table, which gles_shaders/lib/uplift.glsl reads, and the bins that say
 * which of them are near a point. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/compile_private.h"

/* Words of the header before the copies, and of a copy: AFFINE's operands, the region's box, method, limit,
 * region, and where the region lies in the code. */
enum { HEADER = 10, COPY = 16, CUT = ORO_PASTE_MAX + 1 };

/* Bins per copy that are aimed at, and entries per copy at the most, about. */
enum { BINS = 16, ENTRIES = 32 };

static const float identity[6] = {1, 0, 0, 1, 0, 0};

/* ---- Copies ---- */

/* Around where the region of a copy lies; everywhere if that cannot be told. */
static void place_target(struct oro_copy *copy)
{
    const double far = 2 * ORO_UPLIFT_POSITION_MAX;
    double m[ORO_AFFINE_WORDS], *t = copy->target;
    for (int i = 0; i < ORO_AFFINE_WORDS && copy->affine; i++)
        m[i] = (double)oro_float_of(copy->affine[i]);
    double det = copy->affine ? m[2] * m[5] - m[3] * m[4] : 1;
    t[0] = t[1] = INFINITY;
    t[2] = t[3] = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double u = copy->box[i % 2 * 2], v = copy->box[i / 2 * 2 + 1], x = u, y = v;
        if (copy->affine) {
            x = m[0] + (m[5] * (u - m[6]) - m[3] * (v - m[7])) / det;
            y = m[1] + (m[2] * (v - m[7]) - m[4] * (u - m[6])) / det;
        }
        t[0] = fmin(t[0], x);
        t[1] = fmin(t[1], y);
        t[2] = fmax(t[2], x);
        t[3] = fmax(t[3], y);
    }
    bool known = isnormal(det);
    for (int i = 0; i < 4; i++) {
        known = known && isfinite(t[i]);
        t[i] = fmin(fmax(t[i] + (i < 2 ? -1e-6 : 1e-6) * fabs(t[i]), -far), far);
    }
    for (int i = 0; i < 4 && !known; i++)
        t[i] = i < 2 ? -far : far;
}

static void add_copy(struct oro_copies *copies, const struct oro_pasted *paste, const uint32_t *affine,
                     uint32_t limit)
{
    struct oro_copy *copy = &copies->items[copies->count++];
    *copy = (struct oro_copy){.paste = paste, .affine = affine, .limit = limit};
    oro_region_box(paste, copy->box);
    place_target(copy);
}

static bool list_copies(const struct oro_op *op, struct oro_copies *copies)
{
    uint32_t count = op->operands[1];
    size_t most = 0;
    copies->pastes = oro_alloc(count, sizeof *copies->pastes);
    for (uint32_t i = 0; copies->pastes && i < count; i++) {
        copies->pastes[i] = i > 0 ? oro_pasted_next(&copies->pastes[i - 1]) : oro_pasted_first(op);
        most += copies->pastes[i].places + copies->pastes[i].cut;
    }
    copies->items = copies->pastes ? oro_alloc(most + 1, sizeof *copies->items) : NULL;
    for (uint32_t i = 0; copies->items && i < count; i++) {
        const struct oro_pasted *paste = &copies->pastes[i];
        uint32_t limit = (uint32_t)copies->count;
        if (paste->cut)
            add_copy(copies, paste, NULL, limit);
        for (size_t k = 0; k < paste->places; k++)
            add_copy(copies, paste, paste->affines + k * ORO_AFFINE_WORDS, limit);
    }
    return copies->items != NULL;
}

/* ---- Bins ---- */

static double span(const double box[4], int axis)
{
    return fmax(box[2 + axis] - box[axis], 0);
}

static void place_bins(const struct oro_copies *copies, struct oro_bins *bins)
{
    double all[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY}, area = 0, count = (double)copies->count;
    for (size_t i = 0; i < copies->count; i++) {
        const double *target = copies->items[i].target;
        area += span(target, 0) * span(target, 1);
        for (int k = 0; k < 4; k++)
            all[k] = k < 2 ? fmin(all[k], target[k]) : fmax(all[k], target[k]);
    }
    double width = span(all, 0), height = span(all, 1), side = sqrt(area / (ENTRIES * count));
    side = fmax(side, sqrt(width * height / (BINS * count)));
    side = fmax(side, fmax(width, height) / fmin(BINS * count, 1 << 12));
    side = fmax(side, 1e-6 * (fabs(all[0]) + fabs(all[1]) + width + height));
    bins->x = (float)all[0];
    bins->y = (float)all[1];
    bins->side = (float)side;
    bins->columns = (uint32_t)(width / side) + 1;
    bins->rows = (uint32_t)(height / side) + 1;
}

/* Number of the bin, by columns or rows, in which a coordinate lies, up to rounding by kernels. */
static uint32_t bin_at(const struct oro_bins *bins, double at, int axis, double margin)
{
    double corner = (double)(axis ? bins->y : bins->x), last = (axis ? bins->rows : bins->columns) - 1;
    return (uint32_t)fmin(fmax((at - corner) / (double)bins->side + margin, 0), last);
}

static bool make_bins(const struct oro_copies *copies, struct oro_bins *bins)
{
    struct oro_bin_run *runs = NULL;
    size_t count = 0, capacity = 0;
    bool ok = true;
    *bins = (struct oro_bins){.side = 1};
    if (copies->count > 0)
        place_bins(copies, bins);
    for (size_t i = 0; ok && i < copies->count; i++) {
        const double *t = copies->items[i].target;
        uint32_t left = bin_at(bins, t[0], 0, -1e-2), right = bin_at(bins, t[2], 0, 1e-2);
        uint32_t bottom = bin_at(bins, t[3], 1, 1e-2);
        for (uint32_t row = bin_at(bins, t[1], 1, -1e-2); ok && row <= bottom; row++) {
            ok = oro_reserve((void **)&runs, &capacity, count + 1, sizeof *runs);
            if (ok)
                runs[count++] =
                    (struct oro_bin_run){row * bins->columns + left, right - left + 1, (uint32_t)i};
        }
    }
    ok = ok && oro_bins_sort(bins, runs, count);
    oro_free(runs);
    return ok;
}

/* A copy in a bin is looked at three times: whether it counts, whether it hides others, and for its value. */
static size_t scan_steps(const struct oro_copies *copies, const struct oro_bins *bins)
{
    size_t most = 0;
    for (size_t b = 0; b < (size_t)bins->columns * bins->rows; b++) {
        size_t steps = 0;
        for (uint32_t k = bins->starts[b]; k < bins->starts[b + 1]; k++) {
            const struct oro_pasted *paste = copies->items[bins->indices[k]].paste;
            steps += 3 + (paste->region == ORO_REGION_POLYGON ? 2 * paste->shape[0] : 0);
        }
        most = steps > most ? steps : most;
    }
    return most + 2;
}

/* ---- The table ---- */

static void put_region(struct oro_compilation *c, const struct oro_pasted *paste)
{
    const uint32_t *shape = paste->shape;
    if (paste->region == ORO_REGION_ELLIPSE) {
        oro_put_words(c, shape, ORO_ELLIPSE_WORDS);
    } else if (paste->region == ORO_REGION_POLYGON) {
        oro_put_number(c, oro_put_primitives(c, shape + ORO_POLYGON_HEAD, 4 * (size_t)shape[0]));
        oro_put_words(c, shape, ORO_POLYGON_HEAD);
    } else {
        size_t count = (size_t)shape[0] * shape[1];
        oro_put_number(c, oro_put_rasters(c, shape + ORO_MASK_HEAD, count));
        oro_put_words(c, shape, ORO_MASK_HEAD);
    }
}

static size_t region_size(const struct oro_pasted *paste)
{
    return paste->region == ORO_REGION_ELLIPSE   ? ORO_ELLIPSE_WORDS
           : paste->region == ORO_REGION_POLYGON ? 1 + ORO_POLYGON_HEAD
                                                 : 1 + ORO_MASK_HEAD;
}

static void put_copy(struct oro_compilation *c, const struct oro_copy *copy, size_t region)
{
    if (copy->affine) {
        oro_put_words(c, copy->affine, ORO_AFFINE_WORDS);
    } else {
        oro_put_number(c, 0);
        oro_put_number(c, 0);
        for (int i = 0; i < 6; i++)
            oro_put_float(c, (double)identity[i]);
    }
    for (int i = 0; i < 4; i++)
        oro_put_float(c, copy->box[i]);
    oro_put_number(c, copy->affine ? copy->paste->method : CUT);
    oro_put_number(c, copy->limit);
    oro_put_number(c, copy->paste->region);
    oro_put_number(c, region);
}

static void put_header(struct oro_compilation *c, const struct oro_copies *copies, uint32_t pastes,
                       const struct oro_bins *bins)
{
    size_t region = copies->header + HEADER + COPY * copies->count, words = HEADER + COPY * copies->count;
    for (uint32_t i = 0; i < pastes; i++)
        words += region_size(&copies->pastes[i]);
    oro_put_number(c, ORO_OP_PASTE);
    oro_put_number(c, words);
    oro_put_number(c, 0); /* what follows it: oro_copies_end */
    oro_put_number(c, copies->count);
    oro_put_number(c, oro_put_bins(c, bins));
    oro_put_number(c, bins->columns);
    oro_put_number(c, bins->rows);
    oro_put_float(c, (double)bins->x);
    oro_put_float(c, (double)bins->y);
    oro_put_float(c, 1 / (double)bins->side);
    for (size_t i = 0, paste = 0; i < copies->count; i++) {
        for (; copies->items[i].paste != &copies->pastes[paste]; paste++)
            region += region_size(&copies->pastes[paste]);
        put_copy(c, &copies->items[i], region);
    }
    for (uint32_t i = 0; i < pastes; i++)
        put_region(c, &copies->pastes[i]);
}

bool oro_copies_begin(struct oro_compilation *c, const struct oro_op *op, struct oro_copies *copies)
{
    struct oro_bins bins = {.starts = NULL};
    *copies = (struct oro_copies){.header = c->program->code_count, .steps = c->steps, .frames = c->frames};
    bool ok = list_copies(op, copies) && make_bins(copies, &bins);
    if (ok) {
        put_header(c, copies, op->operands[1], &bins);
        copies->scan = scan_steps(copies, &bins);
    }
    oro_free(bins.starts);
    c->steps = 0;
    c->frames = 0;
    if (ok)
        return true;
    oro_free(copies->items);
    oro_free(copies->pastes);
    c->failed = true;
    return false;
}

/* An evaluation of the content also takes the steps of what begins it and of what ends it. */
void oro_copies_end(struct oro_compilation *c, struct oro_copies *copies)
{
    size_t steps = 0;
    int depth = 0;
    oro_put_number(c, ORO_OP_PASTED);
    oro_put_number(c, copies->header);
    if (!c->failed) {
        c->program->code[copies->header + 2] = (uint32_t)c->program->code_count;
        c->failed = !oro_copies_work(copies, c->steps + copies->scan + 2 * (size_t)ORO_INSTRUCTION_STEPS,
                                     &steps, &depth, c->err);
    }
    int frames = c->frames + depth;
    if (!c->failed && frames > ORO_FRAMES_MAX) {
        c->failed = true;
        oro_fail(c->err, ORO_E_LIMIT,
                 "copies of copies are nested too deep: %d within each other, at most %d", frames,
                 ORO_FRAMES_MAX);
    }
    c->frames = frames > copies->frames ? frames : copies->frames;
    c->program->frames = c->frames > c->program->frames ? c->frames : c->program->frames;
    c->steps = copies->steps + steps;
    oro_free(copies->items);
    oro_free(copies->pastes);
}
