/* Uplift trees as bytes that may be damaged, memory that runs out, and bins. */
#include "tests/uplift/trees.h"

/* Every accepted tree can be evaluated. */
static void use(const struct oro_uplift *tree)
{
    struct oro_uplift_program program;
    struct oro_error err;
    assert_true(oro_uplift_size(tree) > 0 || tree->words < 12);
    for (int i = 0; i < 6; i++) {
        double value = oro_uplift_at(tree, 1800.0 * i, 9000 - 1500.0 * i);
        assert_true(isfinite(value) && value >= 0);
    }
    if (oro_uplift_compile(tree, &program, &err))
        oro_uplift_program_free(&program);
}

/* A copy that ends where the memory ends, for sanitizers. */
static bool accepted(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    struct oro_error err = {0};
    memcpy(copy, bytes, size);
    const struct oro_uplift *tree = oro_uplift_of(copy, size, &err);
    if (tree)
        use(tree);
    else
        assert_true(err.code == ORO_E_EVALUATE || err.code == ORO_E_LIMIT);
    free(copy);
    return tree != NULL;
}

TEST(whole_trees_are_accepted)
{
    struct oro_uplift *tree = everything();
    assert_true(accepted((unsigned char *)tree, oro_uplift_bytes(tree)));
    assert_null(oro_uplift_of(NULL, 0, NULL));
    assert_null(oro_uplift_of((char *)tree + 2, oro_uplift_bytes(tree) - 2, NULL));
    oro_free(tree);
}

TEST(truncated_trees_are_refused)
{
    struct oro_uplift *tree = everything();
    size_t size = oro_uplift_bytes(tree);
    for (size_t i = 0; i < size; i += i < 200 ? 1 : 37)
        assert_false(accepted((unsigned char *)tree, i));
    oro_free(tree);
}

/* A tree that says it is shorter, cut at every instruction: most leave the stack unbalanced. */
TEST(cut_programs_are_safe)
{
    struct oro_uplift *tree = everything();
    uint32_t words = tree->words;
    for (uint32_t i = 0; i < words; i += tree->code[i + 1]) {
        tree->words = i;
        accepted((unsigned char *)tree, oro_uplift_bytes(tree));
    }
    oro_free(tree);
}

TEST(damaged_trees_are_safe)
{
    struct oro_uplift *tree = everything();
    size_t size = oro_uplift_bytes(tree), kept = 0;
    unsigned char *bytes = (unsigned char *)tree;
    uint32_t sequence = 99;
    for (int i = 0; i < 3000; i++) {
        /* Heads of instructions, now and then; else anywhere. */
        size_t at = (size_t)(chance(&sequence) * (double)size);
        if (i % 3 == 0) {
            size_t word = 0, skip = (size_t)(chance(&sequence) * 25);
            for (size_t k = 0; k < skip && word + tree->code[word + 1] < tree->words; k++)
                word += tree->code[word + 1];
            at = sizeof *tree + 4 * word + (size_t)(chance(&sequence) * 20);
            at = at < size ? at : size - 1;
        }
        unsigned char before = bytes[at];
        bytes[at] ^= (unsigned char)(1u << (unsigned)(chance(&sequence) * 8));
        kept += accepted(bytes, size);
        bytes[at] = before;
    }
    assert_true(kept > 100);
    oro_free(tree);
}

TEST(memory_may_run_out)
{
    for (size_t n = 1; n < 40; n++) {
        struct oro_error err = {0};
        struct oro_paste_place place = {.scale = {1, 1}};
        struct oro_paste paste = {.radius = {10, 10}, .cut = true, .places = &place, .place_count = 1};
        struct oro_uplift_program program;
        struct oro_uplift *tree = everything();
        oro_memory_fail_at(n);
        struct oro_uplift *pasted = oro_uplift_paste(tree, &paste, &err);
        if (!pasted)
            assert_int_equal(err.code, ORO_E_MEMORY);
        oro_memory_fail_at(n);
        if (oro_uplift_compile(tree, &program, &err))
            oro_uplift_program_free(&program);
        else
            assert_int_equal(err.code, ORO_E_MEMORY);
        oro_memory_fail_at(0);
        oro_free(pasted);
        oro_free(tree);
    }
}

/* Every primitive that covers a point is in the point's bin, and in rising order. */
static void check_bins(const struct oro_uplift *tree, double mean_entries)
{
    struct oro_bins bins;
    struct oro_op op = oro_op_at(tree->code);
    uint32_t sequence = 31, count = op.operands[0], cells;
    assert_true(oro_bins_make(&op, &bins, NULL));
    cells = bins.columns * bins.rows;
    for (uint32_t i = 0; i < cells; i++) {
        assert_true(bins.starts[i] <= bins.starts[i + 1]);
        for (uint32_t k = bins.starts[i] + 1; k < bins.starts[i + 1]; k++)
            assert_true(bins.indices[k - 1] < bins.indices[k] && bins.indices[k] < count);
    }
    assert_int_equal(bins.words, cells + 1 + bins.starts[cells]);
    assert_true(bins.starts[cells] <= mean_entries * count + 4);
    for (int i = 0; i < 3000; i++) {
        size_t index = (size_t)(chance(&sequence) * count);
        struct oro_uplift_segment r = oro_op_record(&op, index);
        struct oro_uplift *one = MAKE(ranges, &r, 1);
        double b[4];
        leaf_box(one, b);
        double x = chance_of(&sequence, b[0], b[2]), y = chance_of(&sequence, b[1], b[3]);
        bool covers = oro_uplift_at(one, x, y) > 0, found = false;
        double column = floor((x - (double)bins.x) / (double)bins.side);
        double row = floor((y - (double)bins.y) / (double)bins.side);
        oro_free(one);
        if (!covers)
            continue;
        assert_true(column >= 0 && row >= 0 && column < bins.columns && row < bins.rows);
        uint32_t bin = (uint32_t)row * bins.columns + (uint32_t)column;
        for (uint32_t k = bins.starts[bin]; k < bins.starts[bin + 1]; k++)
            found |= bins.indices[k] == index;
        assert_true(found);
    }
    oro_free(bins.starts);
}

TEST(bins_hold_what_is_near)
{
    static const struct {
        size_t count;
        double extent, size;
    } cases[] = {{1, 100, 50}, {2, 100000, 3}, {300, 10000, 300}, {2000, 50000, 400}, {200, 100, 4000}};
    uint32_t sequence = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_uplift *tree = random_ranges(&sequence, cases[i].count, cases[i].extent, cases[i].size);
        check_bins(tree, 12);
        oro_free(tree);
    }
    struct oro_uplift *mixed = joined(random_ranges(&sequence, 500, 100000, 20),
                                      random_ranges(&sequence, 3, 100000, 50000), ORO_UPLIFT_MAX);
    check_bins(mixed, 12);
    oro_free(mixed);
}

TEST(an_empty_group_has_no_bins)
{
    struct oro_uplift *none = MAKE(ranges, NULL, 0);
    struct oro_uplift_program program;
    struct oro_bins bins;
    struct oro_op op = oro_op_at(none->code);
    assert_true(oro_bins_make(&op, &bins, NULL));
    assert_int_equal(bins.columns * bins.rows, 0);
    oro_free(bins.starts);
    assert_true(oro_uplift_compile(none, &program, NULL));
    assert_int_equal(program.primitive_floats, 0);
    oro_uplift_program_free(&program);
    oro_free(none);
}

TEST(compiling_twice_gives_the_same)
{
    struct oro_uplift *tree = everything();
    struct oro_uplift_program a, b;
    assert_true(oro_uplift_compile(tree, &a, NULL) && oro_uplift_compile(tree, &b, NULL));
    assert_int_equal(a.code_count, b.code_count);
    assert_int_equal(a.bin_count, b.bin_count);
    assert_memory_equal(a.code, b.code, a.code_count * 4);
    assert_memory_equal(a.bins, b.bins, a.bin_count * 4);
    assert_memory_equal(a.primitives, b.primitives, a.primitive_floats * 4);
    oro_uplift_program_free(&a);
    oro_uplift_program_free(&b);
    oro_free(tree);
}
