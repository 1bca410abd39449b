/* Makes of an uplift tree what gles_shaders/lib/uplift.glsl reads. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/tree_private.h"

/* Growing arrays; `failed` once memory is out. */
struct compilation {
    struct oro_uplift_program *program;
    size_t code_capacity, primitive_capacity, bin_capacity, raster_capacity;
    struct oro_error *err;
    size_t steps; /* of loops that evaluation takes at one point, at the most */
    bool failed;
};

/* Software drivers end all loops of an invocation after 2^16 - 1 rounds, without a word. An instruction
 * counts for some of them: it is looked for in the middle of a loop over stacks. */
enum { STEPS_MAX = 60000, INSTRUCTION_STEPS = 7 };

/* Makes room for so many more words at the end of an array; NULL: memory is out. */
static void *extend(struct compilation *c, void **items, size_t *capacity, size_t *count, size_t more)
{
    if (c->failed || !oro_reserve(items, capacity, *count + more, sizeof(uint32_t))) {
        c->failed = true;
        return NULL;
    }
    uint32_t *room = (uint32_t *)*items + *count;
    *count += more;
    return room;
}

static void put_words(struct compilation *c, const uint32_t *words, size_t count)
{
    struct oro_uplift_program *p = c->program;
    uint32_t *room = extend(c, (void **)&p->code, &c->code_capacity, &p->code_count, count);
    if (room)
        memcpy(room, words, count * sizeof *words);
}

static void put_number(struct compilation *c, size_t number)
{
    uint32_t word = (uint32_t)number;
    put_words(c, &word, 1);
}

static void put_float(struct compilation *c, double value)
{
    struct oro_words words = {.count = 0};
    oro_words_float(&words, value);
    put_words(c, words.words, 1);
}

/* Records are read as vectors of four; gives the number of the first. */
static size_t put_primitives(struct compilation *c, const void *floats, size_t count)
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

static size_t put_bins(struct compilation *c, const struct oro_bins *bins)
{
    struct oro_uplift_program *p = c->program;
    size_t first = p->bin_count;
    uint32_t *room = extend(c, (void **)&p->bins, &c->bin_capacity, &p->bin_count, bins->words);
    if (room)
        memcpy(room, bins->starts, bins->words * sizeof *room);
    return first;
}

static void compile_group(struct compilation *c, const struct oro_op *op)
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
    put_number(c, op->code);
    put_number(c, put_primitives(c, oro_op_records(op), op->operands[0] * (size_t)ORO_RECORD_FLOATS));
    put_number(c, put_bins(c, &bins));
    put_number(c, bins.columns);
    put_number(c, bins.rows);
    put_float(c, (double)bins.x);
    put_float(c, (double)bins.y);
    put_float(c, 1 / (double)bins.side);
    if (op->code == ORO_OP_VALLEYS)
        put_number(c, put_primitives(c, op->operands + 1, ORO_VALLEY_POINTS));
    oro_free(bins.starts);
}

/* A piece is two vectors. */
static void compile_star(struct compilation *c, const struct oro_op *op)
{
    double box[4];
    size_t pieces = (size_t)op->operands[0] + op->operands[1], first = c->program->primitive_floats / 4;
    for (size_t i = 0; i < pieces; i++) {
        float piece[8] = {0};
        memcpy(piece, op->operands + ORO_STAR_HEAD + i * ORO_PIECE_FLOATS, ORO_PIECE_FLOATS * sizeof(float));
        put_primitives(c, piece, 8);
    }
    c->steps += pieces;
    put_number(c, op->code);
    put_number(c, first);
    put_words(c, op->operands, ORO_STAR_HEAD);
    oro_leaf_box(op, box);
    for (int i = 0; i < 4; i++)
        put_float(c, box[i]);
}

static void compile_raster(struct compilation *c, const struct oro_op *op)
{
    struct oro_uplift_program *p = c->program;
    size_t count = (size_t)op->operands[0] * op->operands[1];
    put_number(c, op->code);
    put_number(c, p->raster_floats);
    put_words(c, op->operands, 3);
    float *room = extend(c, (void **)&p->rasters, &c->raster_capacity, &p->raster_floats, count);
    if (room)
        memcpy(room, op->operands + 3, count * sizeof *room);
}

static void compile_op(struct compilation *c, const struct oro_op *op)
{
    if (op->code == ORO_OP_RANGES || op->code == ORO_OP_VALLEYS) {
        compile_group(c, op);
    } else if (op->code == ORO_OP_STAR) {
        compile_star(c, op);
    } else if (op->code == ORO_OP_RASTER) {
        compile_raster(c, op);
    } else {
        put_number(c, op->code);
        put_words(c, op->operands, op->length - ORO_OP_HEAD);
    }
}

bool oro_uplift_compile(const struct oro_uplift *tree, struct oro_uplift_program *program,
                        struct oro_error *err)
{
    struct oro_error own = {.code = ORO_OK};
    struct compilation c = {.program = program, .err = &own};
    *program = (struct oro_uplift_program){.code = NULL};
    for (size_t i = 0; i < tree->words && !c.failed; i += tree->code[i + 1]) {
        struct oro_op op = oro_op_at(&tree->code[i]);
        c.steps += INSTRUCTION_STEPS;
        compile_op(&c, &op);
    }
    put_number(&c, ORO_OP_COUNT);
    if (!c.failed && c.steps <= STEPS_MAX)
        return true;
    oro_uplift_program_free(program);
    if (!c.failed)
        return oro_fail(err, ORO_E_LIMIT,
                        "too many primitives and operators meet at one place, some %zu; at most %d can be "
                        "evaluated: use fewer, or smaller radii",
                        c.steps, STEPS_MAX);
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
