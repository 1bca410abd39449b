#include "lua/field/rasters.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "base/random.h"
#include "graph/type/registry.h"
#include "graph/type/value.h"

static bool read_linked(struct oro_eval *eval, const struct oro_input *input,
                        struct oro_script_raster *raster)
{
    raster->grid = *oro_eval_input_grid(eval, input->name);
    raster->channels = oro_type_channels(input->map ? ORO_FIELD : input->type);
    raster->data = oro_eval_input_host(eval, input->name);
    if (input->map && input->min < input->max) {
        raster->low = (float)input->min;
        raster->high = (float)input->max;
    }
    return raster->data;
}

static int find(const struct oro_script_rasters *rasters, enum oro_role role)
{
    for (int i = 0; i < rasters->count; i++)
        if (rasters->items[i].input->role == role)
            return i;
    return -1;
}

/* Decides as graph/eval/kernel.c does. */
static void find_blend(const struct oro_node_type *type, struct oro_script_rasters *rasters)
{
    rasters->terrain = find(rasters, ORO_ROLE_TERRAIN);
    rasters->mask = find(rasters, ORO_ROLE_MASK);
    rasters->blends = oro_type_input_as(type, ORO_ROLE_MASK) && oro_type_output_as(type, ORO_ROLE_TERRAIN) &&
                      rasters->terrain >= 0 && rasters->items[rasters->terrain].data &&
                      rasters->items[rasters->terrain].channels == 1;
}

bool oro_script_rasters(struct oro_eval *eval, const void *params, struct oro_script_rasters *rasters)
{
    const struct oro_node_type *type = oro_eval_type(eval);
    *rasters = (struct oro_script_rasters){0};
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        bool linked = (input->map || oro_is_raster(input->type)) && oro_eval_input_grid(eval, input->name);
        if ((!linked && !input->map) || rasters->count == ORO_SCRIPT_INPUTS_MAX)
            continue;
        struct oro_script_raster *raster = &rasters->items[rasters->count++];
        *raster = (struct oro_script_raster){
            .input = input, .grid = *oro_eval_grid(eval), .channels = 1, .low = -INFINITY, .high = INFINITY};
        if (!linked)
            memcpy(&raster->value, (const char *)params + input->offset, sizeof raster->value);
        else if (!read_linked(eval, input, raster))
            return false;
    }
    find_blend(type, rasters);
    return true;
}

/* Holds a place to 0..most, and gives the last cell that is not beyond it. */
static double hold(double place, int most, int *cell)
{
    place = fmin(fmax(place, 0), most);
    *cell = (int)place;
    return place - *cell;
}

float oro_script_raster_between(const struct oro_script_raster *raster, double x, double y, int channel)
{
    int column, row;
    float east = (float)hold(x, raster->grid.width - 1, &column);
    float south = (float)hold(y, raster->grid.height - 1, &row);
    float nw = oro_script_raster_at(raster, column, row, channel);
    float ne = oro_script_raster_at(raster, column + 1, row, channel);
    float sw = oro_script_raster_at(raster, column, row + 1, channel);
    float se = oro_script_raster_at(raster, column + 1, row + 1, channel);
    float north = nw * (1 - east) + ne * east;
    return north * (1 - south) + (sw * (1 - east) + se * east) * south;
}

bool oro_script_blends(const struct oro_script_rasters *rasters, const struct oro_node_type *type, int output)
{
    return rasters->blends && type->outputs[output].role == ORO_ROLE_TERRAIN &&
           oro_type_channels(type->outputs[output].type) == 1;
}

float oro_script_blend(const struct oro_script_rasters *rasters, int x, int y, float value)
{
    float terrain = oro_script_raster_at(&rasters->items[rasters->terrain], x, y, 0);
    float mask = rasters->mask < 0 ? 0 : oro_script_raster_at(&rasters->items[rasters->mask], x, y, 0);
    return terrain * (1 - mask) + value * mask;
}

void oro_script_set_grid(lua_State *lua, int index, const struct oro_grid *grid)
{
    index = lua_absindex(lua, index);
    lua_pushinteger(lua, grid->width);
    lua_setfield(lua, index, "width");
    lua_pushinteger(lua, grid->height);
    lua_setfield(lua, index, "height");
    lua_pushnumber(lua, grid->cell);
    lua_setfield(lua, index, "cell");
    lua_pushnumber(lua, grid->x);
    lua_setfield(lua, index, "x");
    lua_pushnumber(lua, grid->y);
    lua_setfield(lua, index, "y");
}

void oro_script_push_place(lua_State *lua, int index)
{
    lua_Debug info;
    lua_pushvalue(lua, index);
    lua_getinfo(lua, ">S", &info);
    if (info.linedefined > 0)
        lua_pushfstring(lua, "%s:%d: ", info.short_src, info.linedefined);
    else
        lua_pushliteral(lua, "");
}

uint64_t oro_script_cell_seed(uint64_t seed, int x, int y)
{
    uint32_t low = oro_random_hash((uint32_t)seed), high = oro_random_hash((uint32_t)(seed >> 32) ^ low);
    uint32_t row = oro_random_hash((uint32_t)y + high), cell = oro_random_hash((uint32_t)x + row);
    return (uint64_t)cell << 32 | oro_random_hash(cell ^ row);
}

double oro_script_seconds(const struct oro_grid *grid)
{
    return ORO_SCRIPT_SECONDS + 1e-4 * (double)oro_grid_cells(grid);
}
