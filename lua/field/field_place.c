/* Functions that take values from other cells: shifts, samples, derivatives. */
#include <math.h>

#include <lauxlib.h>

#include "lua/field/field_private.h"
#include "lua/field/rasters.h"

static struct oro_script_raster raster_of(const struct oro_operand *f, const struct oro_grid *grid)
{
    return (struct oro_script_raster){
        .grid = *grid, .channels = 1, .data = f->data, .value = f->value, .low = -INFINITY, .high = INFINITY};
}

/* What all of these functions need to compute a row. */
struct place {
    struct oro_script_raster from;
    struct oro_operand columns, rows;
    int64_t east, south;
    float *to, *to_south;
};

static struct place place_of(lua_State *lua, const struct oro_operand *f)
{
    return (struct place){.from = raster_of(f, &oro_field_space(lua)->grid)};
}

/* ---- shift, sample ---- */

static void shift_row(void *user, int y)
{
    const struct place *place = user;
    int width = place->from.grid.width;
    float *to = place->to + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++)
        to[x] = oro_script_raster_at(&place->from, x - place->east, y - place->south, 0);
}

/* Reads a whole number of cells. A number wider than any grid gives the edge everywhere. */
static int64_t cells(lua_State *lua, int index)
{
    double number = oro_field_number(lua, index);
    if (number != floor(number))
        luaL_argerror(lua, index, "it is not a whole number of cells");
    return (int64_t)fmin(fmax(number, -ORO_GRID_MAX), ORO_GRID_MAX);
}

int oro_field_shift(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    struct place place = place_of(lua, &f);
    place.east = cells(lua, 2);
    place.south = cells(lua, 3);
    place.to = oro_field_push(lua);
    oro_field_rows(lua, 0.3, shift_row, &place);
    return 1;
}

static void sample_row(void *user, int y)
{
    const struct place *place = user;
    size_t width = (size_t)place->from.grid.width, start = (size_t)y * width;
    for (size_t i = start; i < start + width; i++)
        place->to[i] = oro_script_raster_between(&place->from, (double)oro_operand_at(&place->columns, i),
                                                 (double)oro_operand_at(&place->rows, i), 0);
}

int oro_field_sample(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    struct place place = place_of(lua, &f);
    place.columns = oro_field_operand(lua, 2);
    place.rows = oro_field_operand(lua, 3);
    place.to = oro_field_push(lua);
    oro_field_rows(lua, 1, sample_row, &place);
    return 1;
}

/* ---- Derivatives, as in gles_shaders/lib/terrain.glsl ---- */

/* Reads at most one cell beyond an edge, where the surface continues its last slope. */
static float beyond(const struct oro_script_raster *f, int x, int y)
{
    int right = f->grid.width - 1, bottom = f->grid.height - 1;
    int column = x < 0 ? 0 : x > right ? right : x, row = y < 0 ? 0 : y > bottom ? bottom : y;
    float edge = oro_script_raster_at(f, column, row, 0), h = edge;
    if (x != column)
        h += edge - oro_script_raster_at(f, column + (x < 0 ? 1 : -1), row, 0);
    if (y != row)
        h += edge - oro_script_raster_at(f, column, row + (y < 0 ? 1 : -1), 0);
    return h;
}

/* Horn 1981, metres per metre. */
static void gradient_at(const struct oro_script_raster *f, int x, int y, float *east, float *south)
{
    float nw = beyond(f, x - 1, y - 1), n = beyond(f, x, y - 1), ne = beyond(f, x + 1, y - 1);
    float w = beyond(f, x - 1, y), e = beyond(f, x + 1, y);
    float sw = beyond(f, x - 1, y + 1), s = beyond(f, x, y + 1), se = beyond(f, x + 1, y + 1);
    float cell = (float)f->grid.cell;
    *east = ((ne - nw) + 2 * (e - w) + (se - sw)) / (8 * cell);
    *south = ((sw - nw) + 2 * (s - n) + (se - ne)) / (8 * cell);
}

static void gradient_row(void *user, int y)
{
    const struct place *place = user;
    size_t start = (size_t)y * (size_t)place->from.grid.width;
    for (int x = 0; x < place->from.grid.width; x++)
        gradient_at(&place->from, x, y, place->to + start + x, place->to_south + start + x);
}

int oro_field_gradient(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    struct place place = place_of(lua, &f);
    place.to = oro_field_push(lua);
    place.to_south = oro_field_push(lua);
    oro_field_rows(lua, 3, gradient_row, &place);
    return 2;
}

static int derive(lua_State *lua, double cost, void (*row)(void *user, int y))
{
    struct oro_operand f = oro_field_operand(lua, 1);
    struct place place = place_of(lua, &f);
    place.to = oro_field_push(lua);
    oro_field_rows(lua, cost, row, &place);
    return 1;
}

static void slope_row(void *user, int y)
{
    const struct place *place = user;
    float *to = place->to + (size_t)y * (size_t)place->from.grid.width, east, south;
    for (int x = 0; x < place->from.grid.width; x++) {
        gradient_at(&place->from, x, y, &east, &south);
        to[x] = atanf(sqrtf(east * east + south * south)) * 57.29577951f;
    }
}

int oro_field_slope(lua_State *lua)
{
    return derive(lua, 4, slope_row);
}

static void laplacian_row(void *user, int y)
{
    const struct place *place = user;
    const struct oro_script_raster *f = &place->from;
    float *to = place->to + (size_t)y * (size_t)f->grid.width, cell = (float)f->grid.cell;
    for (int x = 0; x < f->grid.width; x++) {
        float middle = oro_script_raster_at(f, x, y, 0);
        float across = (beyond(f, x - 1, y) - middle) + (beyond(f, x + 1, y) - middle);
        float down = (beyond(f, x, y - 1) - middle) + (beyond(f, x, y + 1) - middle);
        to[x] = (across + down) / (cell * cell);
    }
}

int oro_field_laplacian(lua_State *lua)
{
    return derive(lua, 2, laplacian_row);
}
