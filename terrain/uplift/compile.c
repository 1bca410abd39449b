/* Makes of an uplift tree what gles_shaders/lib/uplift.glsl reads. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/compile_private.h"
#include "terrain/uplift/star_private.h"

/* Makes room for so many more words at the end of an array; NULL: memory is out, or there are none. */
static void *extend(struct oro_compilation *c, void **items, size_t *capacity, size_t *count, size_t more)
{
    c->failed = c->failed || !oro_reserve(items, capacity, *count + more, sizeof(uint32_t));
    if (c->failed || more == 0)
        return NULL;
    uint32_t *room = (uint32_t *)*items + *count;
    *count += more;
    return room;
}

void oro_put_words(struct oro_compilation *c, const uint32_t *words, size_t count)
{
    struct oro_uplift_program *p = c->program;
    uint32_t *room = extend(c, (void **)&p->code, &c->code_capacity, &p->code_count, count);
    if (room)
        memcpy(room, words, count * sizeof *words);
}

void oro_put_number(struct oro_compilation *c, size_t number)
{
    uint32_t word = (uint32_t)number;
    oro_put_words(c, &word, 1);
}

void oro_put_float(struct oro_compilation *c, double value)
{
    struct oro_words words = {.count = 0};
    oro_words_float(&words, value);
    oro_put_words(c, words.words, 1);
}

/* Records are read as vectors of four; gives the number of the first. */
size_t oro_put_primitives(struct oro_compilation *c, const void *floats, size_t count)
{
    struct oro_uplift_program *p = c->program;
    size_t first = p->primitive_floats / 4, whole = (count + 3) / 4 * 4;
    float *room = extend(c, (void **)&p->primitives, &c->primitive_capacity, &p->primitive_floats, whole);
    if (!room)
        return 0;
    memset(room, 0, whole * sizeof *room);
    if (count > 0)
        memcpy(room, floats, count * sizeof *room);
    return first;
}

size_t oro_put_bins(struct oro_compilation *c, const struct oro_bins *bins)
{
    struct oro_uplift_program *p = c->program;
    size_t first = p->bin_count;
    uint32_t *room = extend(c, (void **)&p->bins, &c->bin_capacity, &p->bin_count, bins->words);
    if (room)
        memcpy(room, bins->starts, bins->words * sizeof *room);
    return first;
}

static void compile_group(struct oro_compilation *c, const struct oro_op *op)
{
    struct oro_bins bins;
    if (!oro_bins_make(op, &bins, c->err)) {
        c->failed = true;
        return;
    }
    uint32_t fullest = 0;
    for (size_t i = 0; i < (size_t)bins.columns * bins.rows; i++)
        if (bins.starts[i + 1] - bins.starts[i] > fullest)
            fullest = bins.starts[i + 1] - bins.starts[i];
    c->steps += fullest;
    oro_put_number(c, op->code);
    oro_put_number(
        c, oro_put_primitives(c, oro_op_records(op), op->operands[0] * (size_t)oro_group_floats(op->code)));
    oro_put_number(c, oro_put_bins(c, &bins));
    oro_put_number(c, bins.columns);
    oro_put_number(c, bins.rows);
    oro_put_float(c, (double)bins.x);
    oro_put_float(c, (double)bins.y);
    oro_put_float(c, 1 / (double)bins.side);
    if (op->code == ORO_OP_VALLEYS)
        oro_put_number(c, oro_put_primitives(c, op->operands + 1, ORO_VALLEY_POINTS));
    if (op->code == ORO_OP_CURVES)
        oro_put_words(c, op->operands + 1, 1);
    oro_free(bins.starts);
}

/* Chords, a vector each: from one end to the other. */
static void put_chords(struct oro_compilation *c, const struct oro_op *op, size_t first, size_t count)
{
    for (size_t i = 0; i < count * ORO_STAR_CHORDS; i++) {
        double from[2], to[2];
        oro_star_vertex(op, first, count, i, from);
        oro_star_vertex(op, first, count, i + 1, to);
        float chord[4] = {(float)from[0], (float)from[1], (float)to[0], (float)to[1]};
        oro_put_primitives(c, chord, 4);
    }
}

static void compile_star(struct oro_compilation *c, const struct oro_op *op)
{
    double box[4];
    size_t pieces = (size_t)op->operands[0] + op->operands[1], first = c->program->primitive_floats / 4;
    put_chords(c, op, 0, op->operands[0]);
    put_chords(c, op, op->operands[0], op->operands[1]);
    c->steps += pieces * ORO_STAR_CHORDS;
    oro_put_number(c, op->code);
    oro_put_number(c, first);
    oro_put_number(c, op->operands[0] * (size_t)ORO_STAR_CHORDS);
    oro_put_number(c, op->operands[1] * (size_t)ORO_STAR_CHORDS);
    oro_put_words(c, op->operands + 2, ORO_STAR_HEAD - 2);
    oro_leaf_box(op, box);
    for (int i = 0; i < 4; i++)
        oro_put_float(c, box[i]);
}

size_t oro_put_rasters(struct oro_compilation *c, const uint32_t *values, size_t count)
{
    struct oro_uplift_program *p = c->program;
    size_t first = p->raster_floats;
    float *room = extend(c, (void **)&p->rasters, &c->raster_capacity, &p->raster_floats, count);
    if (room)
        memcpy(room, values, count * sizeof *room);
    return first;
}

static void compile_raster(struct oro_compilation *c, const struct oro_op *op)
{
    size_t count = (size_t)op->operands[0] * op->operands[1];
    oro_put_number(c, op->code);
    oro_put_number(c, oro_put_rasters(c, op->operands + 3, count));
    oro_put_words(c, op->operands, 3);
}

static void compile_op(struct oro_compilation *c, const struct oro_op *op)
{
    c->steps += ORO_INSTRUCTION_STEPS;
    if (oro_op_is_group(op->code)) {
        compile_group(c, op);
    } else if (op->code == ORO_OP_STAR) {
        compile_star(c, op);
    } else if (op->code == ORO_OP_RASTER) {
        compile_raster(c, op);
    } else {
        oro_put_number(c, op->code);
        oro_put_words(c, op->operands, op->length - ORO_OP_HEAD);
    }
}

/* From `at` to the RETURN of the PASTE that it lies in, or to the end. */
static size_t compile_from(struct oro_compilation *c, const struct oro_uplift *tree, size_t at, size_t end)
{
    for (; at < end && !c->failed; at += tree->code[at + 1]) {
        struct oro_op op = oro_op_at(&tree->code[at]);
        if (op.code != ORO_OP_PASTE) {
            compile_op(c, &op);
            continue;
        }
        struct oro_copies copies;
        if (!oro_copies_begin(c, &op, &copies))
            return end;
        at += op.length;
        at = compile_from(c, tree, at, at + op.operands[0]);
        oro_copies_end(c, &copies);
    }
    return at;
}

static bool too_many(const struct oro_compilation *c, struct oro_error *err)
{
    return oro_fail(err, ORO_E_LIMIT,
                    "too many primitives and operators meet at one place, some %zu; at most %d can be "
                    "evaluated: use fewer, or smaller radii",
                    c->steps, ORO_STEPS_MAX);
}

bool oro_uplift_compile(const struct oro_uplift *tree, struct oro_uplift_program *program,
                        struct oro_error *err)
{
    struct oro_error own = {.code = ORO_OK};
    struct oro_compilation c = {.program = program, .err = &own};
    *program = (struct oro_uplift_program){.code = NULL};
    compile_from(&c, tree, 0, tree->words);
    oro_put_number(&c, ORO_OP_END);
    if (!c.failed && c.steps <= ORO_STEPS_MAX)
        return true;
    oro_uplift_program_free(program);
    if (!c.failed)
        return too_many(&c, err);
    if (own.code == ORO_E_LIMIT)
        return oro_fail(err, own.code, "%s", own.text);
    return oro_fail(err, ORO_E_MEMORY, "no memory to rasterise an uplift tree of %zu bytes",
                    oro_uplift_bytes(tree));
}

void oro_uplift_program_free(struct oro_uplift_program *program)
{
    oro_free(program->code);
    oro_free(program->primitives);
    oro_free(program->bins);
    oro_free(program->rasters);
    *program = (struct oro_uplift_program){.code = NULL};
}
