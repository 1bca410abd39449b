/* kernelc: texts that have what it makes something of its own of, against the same in plain C. */
#include <math.h>
#include <string.h>

#include "devices/processor/native.h"
#include "tests/support/test.h"

enum { WIDTH_MAX = 150, HEIGHT = 5, CELLS_MAX = WIDTH_MAX * HEIGHT };

struct block {
    int width, height, reach, stride;
};

static float values[CELLS_MAX], results[CELLS_MAX], pairs[2 * CELLS_MAX], fours[4 * CELLS_MAX];

static float random_value(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return (float)(*state >> 8) * (16.0F / (1 << 24)) - 8;
}

typedef float expected(const struct block *block, int x, int y, int word);

/* Runs a text for all kinds of processor, widths and reaches, and compares `words` words of each cell of
 * `out`. */
static void compare(int text, int words, float *out, expected *function)
{
    static const int widths[] = {1, 3, 16, 37, WIDTH_MAX}, reaches[] = {0, 1, 3, 20, 63, 64, 200};
    for (int i = 0; i < 5 * 7 * 3 * ORO_NATIVE_KINDS; i++) {
        struct block block = {widths[i % 5], HEIGHT, reaches[i / 5 % 7], i / 35 % 3 + 1};
        unsigned state = 1;
        int cells = block.width * HEIGHT;
        for (int c = 0; c < cells; c++)
            values[c] = random_value(&state);
        for (int c = 0; c < 4 * cells; c++)
            fours[c] = pairs[c / 2] = random_value(&state);
        float want[4 * CELLS_MAX];
        for (int c = 0; c < words * cells; c++)
            want[c] = function(&block, c / words % block.width, c / words / block.width, c % words);
        struct oro_native_buffer buffers[] = {{values, cells},
                                              {words == 1 ? results : pairs, (words == 1 ? 1 : 2) * cells},
                                              {fours, 4L * cells}};
        unsigned char bytes[16384] = {0};
        memcpy(bytes, &block, sizeof block);
        oro_native_force((enum oro_native_kind)(i / 105));
        assert_true(oro_native_run(&oro_native_table[text], bytes, buffers, 3, (block.width + 15) / 16 * 16,
                                   16, NULL, NULL));
        for (int c = 0; c < words * cells; c++)
            if (!(out[c] == want[c]))
                fail_msg("kind %d, width %d, reach %d, stride %d, cell %d, word %d: %.9g, not %.9g", i / 105,
                         block.width, block.reach, block.stride, c / words, c % words, (double)out[c],
                         (double)want[c]);
    }
}

static float weight_of(const struct block *block, int i)
{
    float away = (float)i / (float)(block->reach + 1);
    return 1 - away * away;
}

static int clamped(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static float windows(const struct block *block, int x, int y, int word)
{
    (void)word;
    const float *row = values + (size_t)y * (size_t)block->width;
    float total = 0, middle = 0, sum = 0, around = 0;
    int seen = 0;
    for (int i = -block->reach; i <= block->reach; i++)
        total += weight_of(block, i);
    for (int i = -block->reach; i <= block->reach; i++)
        middle += weight_of(block, i) / total * (float)(i * i);
    for (int i = -block->reach; i <= block->reach; i++) {
        float value = row[clamped(x + i * block->stride, 0, block->width - 1)];
        sum += value < 0 ? 0 : weight_of(block, i) * value;
        seen += !(value < 0);
    }
    for (int j = -2; j <= 2; j++)
        for (int i = -5; i <= 5; i++)
            if (x + i >= 0 && y + j >= 0 && x + i < block->width && y + j < HEIGHT)
                around += (float)(i * j) * values[(y + j) * block->width + x + i];
    return sum / total + middle * (float)seen + around;
}

TEST(loops_that_all_cells_run_alike)
{
    compare(0, 1, results, windows);
}

static float step_of(float value)
{
    static const float steps[] = {-4, -1, 2, 5};
    for (int i = 1; i < 4; i++)
        if (value < steps[i])
            return steps[i - 1] + (float)i;
    return 100;
}

static float ways_out(const struct block *block, int x, int y, int word)
{
    (void)word;
    const float *row = values + (size_t)y * (size_t)block->width;
    float here = row[x];
    int found = -1, tries = 0, halves = 0;
    for (int i = 0; i < block->reach && found < 0; i++) {
        float there = row[(x + i * block->stride) % block->width];
        if (there > 6)
            found = i;
        tries += there > 6 || there < here ? 1 : 3;
    }
    for (float rest = fabsf(here); rest > 0.5F && halves < 3; rest *= 0.5F)
        halves++;
    return step_of(here) + (float)(found * 1000 + tries * 10 + halves);
}

TEST(cells_that_leave_loops_one_by_one)
{
    compare(1, 1, results, ways_out);
}

static float east_of(const struct block *block, int x)
{
    return (float)(x + block->stride < block->width - 1 ? x + block->stride : block->width - 1);
}

static float west_of(const struct block *block, int x)
{
    return (float)(x - block->reach > 2 ? x - block->reach : 2);
}

static float pair_of(const struct block *block, int x, int y, int word)
{
    const float *row = values + (size_t)y * (size_t)block->width;
    const float *pair = pairs + 2 * ((size_t)y * (size_t)block->width + (size_t)x);
    float chosen = y % 2 == 0 ? west_of(block, x) : east_of(block, x);
    float there = row[clamped((int)chosen, 0, block->width - 1)];
    return !(row[x] > 0) ? pair[word] : word == 0 ? pair[1] + there : pair[0];
}

static float four_of(const struct block *block, int x, int y, int word)
{
    int last = block->width - 1, next = x + 1 < last ? x + 1 : last;
    const float *row = values + (size_t)y * (size_t)block->width;
    const float *four = fours + 4 * ((size_t)y * (size_t)block->width + (size_t)x);
    int bounded = next < 1 ? 1 : next;
    bounded = clamped(bounded < last - 1 ? bounded : last - 1, 0, last);
    const float low[] = {-1, west_of(block, x), east_of(block, x), four[2]};
    const float others[] = {four[3], row[bounded], four[0], four[1]};
    return row[x] < -2 ? low[word] : others[word];
}

TEST(elements_of_some_cells)
{
    compare(2, 2, pairs, pair_of);
    compare(2, 4, fours, four_of);
}

TEST_GROUP(NULL, NULL);
