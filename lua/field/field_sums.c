/* Numbers that depend on all cells of a field. Sums are taken over blocks of fixed size, in double. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/field/field_private.h"
#include "lua/sandbox/guard.h"

enum { BLOCK = 4096 };

struct sum {
    double sum;
    float low, high;
};

struct sums {
    struct oro_operand f;
    size_t cells;
    struct sum *blocks;
};

static void add(struct sum *sum, float value)
{
    sum->sum += (double)value;
    sum->low = value < sum->low ? value : sum->low;
    sum->high = value > sum->high ? value : sum->high;
}

static void sum_block(void *user, size_t number)
{
    const struct sums *sums = user;
    size_t first = number * BLOCK, end = sums->cells - first < BLOCK ? sums->cells : first + BLOCK;
    struct sum sum = {0, sums->f.data[first], sums->f.data[first]};
    for (size_t i = first; i < end; i++)
        add(&sum, sums->f.data[i]);
    sums->blocks[number] = sum;
}

static struct sum sum_of(lua_State *lua, const struct oro_operand *f, size_t cells)
{
    if (!f->data)
        return (struct sum){(double)f->value * (double)cells, f->value, f->value};
    size_t count = (cells + BLOCK - 1) / BLOCK;
    struct sums sums = {*f, cells, oro_field_scratch(lua, count, sizeof *sums.blocks)};
    oro_field_parts(lua, count, 0.3 * (double)cells, sum_block, &sums);
    struct sum all = sums.blocks[0];
    for (size_t i = 1; i < count; i++) {
        all.sum += sums.blocks[i].sum;
        all.low = fminf(all.low, sums.blocks[i].low);
        all.high = fmaxf(all.high, sums.blocks[i].high);
    }
    lua_pop(lua, 1);
    return all;
}

static struct sum sum_first(lua_State *lua, size_t *cells)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    *cells = oro_grid_cells(&oro_field_space(lua)->grid);
    return sum_of(lua, &f, *cells);
}

int oro_field_minimum(lua_State *lua)
{
    size_t cells;
    lua_pushnumber(lua, (double)sum_first(lua, &cells).low);
    return 1;
}

int oro_field_maximum(lua_State *lua)
{
    size_t cells;
    lua_pushnumber(lua, (double)sum_first(lua, &cells).high);
    return 1;
}

int oro_field_sum(lua_State *lua)
{
    size_t cells;
    lua_pushnumber(lua, sum_first(lua, &cells).sum);
    return 1;
}

int oro_field_mean(lua_State *lua)
{
    size_t cells;
    double sum = sum_first(lua, &cells).sum;
    lua_pushnumber(lua, sum / (double)cells);
    return 1;
}

/* ---- normalize ---- */

int oro_field_normalize(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    double low = lua_gettop(lua) > 1 ? oro_field_number(lua, 2) : 0;
    double high = lua_gettop(lua) > 2 ? oro_field_number(lua, 3) : 1;
    struct sum range = sum_of(lua, &f, oro_grid_cells(&oro_field_space(lua)->grid));
    double height = (double)range.high - (double)range.low;
    if (!(height > 0)) { /* level ground counts as the foot */
        oro_field_push_constant(lua, (float)low);
        return 1;
    }
    struct oro_operand ends[] = {f, {NULL, range.low}},
                       scale[] = {{0}, {NULL, (float)((high - low) / height)}};
    oro_field_each(lua, oro_field_function("__sub"), ends, 2);
    scale[0] = oro_field_operand(lua, -1);
    oro_field_each(lua, oro_field_function("__mul"), scale, 2);
    struct oro_operand from[] = {oro_field_operand(lua, -1), {NULL, (float)low}};
    oro_field_each(lua, oro_field_function("__add"), from, 2);
    return 1;
}

/* ---- quantile ---- */

/* Maps floats to whole numbers of the same order. */
static uint32_t rank(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float unrank(uint32_t bits)
{
    float value;
    bits = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The number of the class that holds the k-th of all values; k becomes its place within the class. */
static uint32_t find_class(const uint32_t *counts, size_t *k)
{
    uint32_t number = 0;
    while (*k >= counts[number])
        *k -= counts[number++];
    return number;
}

/* The k-th value in order: counts how often the upper halves of the numbers occur, then the lower halves of
 * the numbers with the right upper half. */
static float select(lua_State *lua, const float *data, size_t cells, size_t k)
{
    enum { CLASSES = 1 << 16 };
    uint32_t *counts = oro_field_scratch(lua, CLASSES, sizeof *counts);
    oro_guard_charge(lua, CLASSES + 0.5 * (double)cells);
    memset(counts, 0, CLASSES * sizeof *counts);
    for (size_t i = 0; i < cells; i++)
        counts[rank(data[i]) >> 16]++;
    uint32_t upper = find_class(counts, &k);
    memset(counts, 0, CLASSES * sizeof *counts);
    for (size_t i = 0; i < cells; i++)
        if (rank(data[i]) >> 16 == upper)
            counts[rank(data[i]) & 0xffff]++;
    uint32_t lower = find_class(counts, &k);
    lua_pop(lua, 1);
    return unrank(upper << 16 | lower);
}

int oro_field_quantile(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    double q = oro_field_number(lua, 2);
    size_t cells = oro_grid_cells(&oro_field_space(lua)->grid);
    if (q < 0 || q > 1)
        return luaL_argerror(lua, 2, "it is not from 0 to 1");
    double place = q * (double)(cells - 1), part = place - floor(place), value = (double)f.value;
    if (f.data) {
        value = (double)select(lua, f.data, cells, (size_t)place);
        if (part > 0)
            value += part * ((double)select(lua, f.data, cells, (size_t)place + 1) - value);
    }
    lua_pushnumber(lua, value);
    return 1;
}
