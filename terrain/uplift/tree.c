/* Uplift trees as pieces of memory: put together, checked, counted. */
#include "base/memory.h"
#include "terrain/uplift/tree_private.h"

/* 512 MiB; an index into a tree is an int in kernels. */
enum { WORDS_MAX = 1 << 27 };

size_t oro_uplift_bytes(const struct oro_uplift *tree)
{
    return sizeof *tree + (size_t)tree->words * sizeof tree->code[0];
}

const struct oro_uplift *oro_uplift_of(const void *data, size_t bytes, struct oro_error *err)
{
    const struct oro_uplift *tree = data;
    bool whole = data && (uintptr_t)data % _Alignof(struct oro_uplift) == 0 && bytes >= sizeof *tree &&
                 tree->magic == ORO_UPLIFT_MAGIC && tree->version == ORO_UPLIFT_VERSION &&
                 tree->reserved == 0 && tree->words <= WORDS_MAX && oro_uplift_bytes(tree) == bytes;
    if (!whole) {
        oro_fail(err, ORO_E_EVALUATE, "this is not an uplift tree, or a damaged one");
        return NULL;
    }
    return oro_uplift_check(tree->code, tree->words, err) ? tree : NULL;
}

size_t oro_uplift_size(const struct oro_uplift *tree)
{
    size_t size = 0;
    for (size_t i = 0; i < tree->words; i += tree->code[i + 1]) {
        struct oro_op op = oro_op_at(&tree->code[i]);
        if (oro_op_is_group(op.code))
            size += op.operands[0];
        else if (op.code != ORO_OP_RETURN)
            size++;
    }
    return size;
}

void oro_words_number(struct oro_words *words, uint32_t number)
{
    words->words[words->count++] = number;
}

void oro_words_float(struct oro_words *words, double value)
{
    float rounded = (float)value;
    memcpy(&words->words[words->count++], &rounded, sizeof rounded);
}

struct oro_uplift *oro_uplift_join(const struct oro_part *parts, size_t count, struct oro_error *err)
{
    size_t words = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].count > WORDS_MAX - words) {
            oro_fail(err, ORO_E_LIMIT, "the uplift tree would take more than %d MiB",
                     WORDS_MAX / (1 << 20) * 4);
            return NULL;
        }
        words += parts[i].count;
    }
    struct oro_uplift *tree = oro_alloc(1, sizeof *tree + words * sizeof tree->code[0]);
    if (!tree) {
        oro_fail(err, ORO_E_MEMORY, "no memory for an uplift tree of %zu bytes", words * 4);
        return NULL;
    }
    tree->magic = ORO_UPLIFT_MAGIC;
    tree->version = ORO_UPLIFT_VERSION;
    for (size_t i = 0; i < count; tree->words += (uint32_t)parts[i++].count)
        if (parts[i].count > 0)
            memcpy(&tree->code[tree->words], parts[i].words, parts[i].count * sizeof tree->code[0]);
    if (oro_uplift_check(tree->code, tree->words, err))
        return tree;
    oro_free(tree);
    return NULL;
}

struct oro_uplift *oro_uplift_leaf(uint32_t code, const struct oro_words *operands, struct oro_part tail,
                                   struct oro_error *err)
{
    size_t length = ORO_OP_HEAD + operands->count + (tail.count < WORDS_MAX ? tail.count : WORDS_MAX);
    uint32_t head[ORO_OP_HEAD] = {code, (uint32_t)length};
    struct oro_part parts[] = {{head, ORO_OP_HEAD}, {operands->words, operands->count}, tail};
    return oro_uplift_join(parts, 3, err);
}

struct oro_uplift *oro_uplift_moved(uint32_t code, const struct oro_words *operands,
                                    const struct oro_uplift *tree, struct oro_error *err)
{
    uint32_t head[ORO_OP_HEAD] = {code, (uint32_t)(ORO_OP_HEAD + operands->count)};
    uint32_t end[ORO_OP_HEAD] = {ORO_OP_RETURN, ORO_OP_HEAD};
    struct oro_part parts[] = {{head, ORO_OP_HEAD},
                               {operands->words, operands->count},
                               {tree->code, tree->words},
                               {end, ORO_OP_HEAD}};
    return oro_uplift_join(parts, 4, err);
}
