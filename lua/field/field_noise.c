/* Fractal gradient noise. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "base/random.h"
#include "lua/field/field_private.h"
#include "lua/field/rasters.h"

enum { OCTAVES_MAX = 24, DIRECTIONS = 64 };

struct noise {
    double feature, roughness;
    int octaves;
    uint32_t seeds[OCTAVES_MAX];
    float weights[OCTAVES_MAX]; /* scaled so that the greatest possible sum is 1 */
    float directions[DIRECTIONS][2];
    struct oro_grid grid;
    float *to;
};

/* What a corner of the lattice contributes at a distance of `x` and `y`. */
static float corner(const struct noise *noise, uint32_t row, uint32_t column, float x, float y)
{
    const float *direction = noise->directions[oro_random_hash(column + row) >> 26];
    return direction[0] * x + direction[1] * y;
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Gradient noise (Perlin 1985, 2002); at most sqrt(1/2) high. */
static float at(const struct noise *noise, uint32_t seed, double x, double y)
{
    double column = floor(x), row = floor(y);
    float east = (float)(x - column), south = (float)(y - row), u = fade(east), v = fade(south);
    uint32_t i = (uint32_t)(int64_t)column, j = (uint32_t)(int64_t)row;
    uint32_t here = oro_random_hash(j + seed), next = oro_random_hash(j + 1 + seed);
    float north =
        corner(noise, here, i, east, south) * (1 - u) + corner(noise, here, i + 1, east - 1, south) * u;
    float below = corner(noise, next, i, east, south - 1) * (1 - u) +
                  corner(noise, next, i + 1, east - 1, south - 1) * u;
    return north * (1 - v) + below * v;
}

static void noise_row(void *user, int y)
{
    const struct noise *noise = user;
    const struct oro_grid *grid = &noise->grid;
    float *to = noise->to + (size_t)y * (size_t)grid->width;
    double south = (grid->y + (y + 0.5) * grid->cell) / noise->feature;
    for (int x = 0; x < grid->width; x++) {
        double east = (grid->x + (x + 0.5) * grid->cell) / noise->feature;
        float sum = 0;
        for (int i = 0; i < noise->octaves; i++) {
            double scale = ldexp(1, i);
            sum += noise->weights[i] * at(noise, noise->seeds[i], east * scale, south * scale);
        }
        to[x] = sum;
    }
}

/* ---- Options ---- */

static double option(lua_State *lua, const char *name, double standard, double low, double high)
{
    if (lua_isnoneornil(lua, 1) || lua_getfield(lua, 1, name) == LUA_TNIL)
        return standard;
    double value = lua_tonumber(lua, -1);
    if (lua_type(lua, -1) != LUA_TNUMBER || !(value >= low && value <= high))
        luaL_error(lua, "noise: '%s' is a number from %f to %f", name, low, high);
    lua_pop(lua, 1);
    return value;
}

static void refuse_others(lua_State *lua)
{
    static const char *const known[] = {"feature", "octaves", "roughness", "seed"};
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        bool is_known = false;
        for (size_t i = 0; lua_type(lua, -2) == LUA_TSTRING && i < sizeof known / sizeof known[0]; i++)
            is_known = is_known || strcmp(lua_tostring(lua, -2), known[i]) == 0;
        if (!is_known)
            luaL_error(lua, "noise has no option '%s': it takes feature, octaves, roughness and seed",
                       lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : luaL_typename(lua, -2));
    }
}

int oro_field_noise(lua_State *lua)
{
    struct noise noise = {0};
    if (!lua_isnone(lua, 1)) {
        luaL_checktype(lua, 1, LUA_TTABLE);
        refuse_others(lua);
    }
    /* Octaves finer than two cells are left out: they would only add random values. */
    const struct oro_space *space = oro_field_space(lua);
    noise.grid = space->grid;
    noise.feature = option(lua, "feature", 500, 1e-3, 1e9);
    noise.roughness = option(lua, "roughness", 0.5, 0, 1);
    noise.octaves = (int)option(lua, "octaves", 6, 1, OCTAVES_MAX);
    uint32_t seed = (uint32_t)(int64_t)option(lua, "seed", 0, -2147483648.0, 2147483647);
    uint32_t sequence = oro_random_hash(seed + (uint32_t)oro_script_cell_seed(space->seed, 0, 0));
    double weight = 1, total = 0;
    int octaves = noise.octaves;
    for (int i = 0; i < octaves; i++, weight *= noise.roughness) {
        noise.seeds[i] = oro_random_next(&sequence);
        noise.weights[i] = (float)weight;
        total += weight;
        if (i && noise.feature / ldexp(1, i) < 2 * noise.grid.cell && noise.octaves > i)
            noise.octaves = i;
    }
    for (int i = 0; i < octaves; i++)
        noise.weights[i] *= (float)(sqrt(2) / total);
    for (int i = 0; i < DIRECTIONS; i++) {
        double angle = (i + 0.5) * 6.283185307179586 / DIRECTIONS;
        noise.directions[i][0] = (float)cos(angle);
        noise.directions[i][1] = (float)sin(angle);
    }
    noise.to = oro_field_push(lua);
    oro_field_rows(lua, 4.0 * noise.octaves, noise_row, &noise);
    return 1;
}
