/*
 * The inputs and outputs of the functions `cell` and `field` of a script: the rasters that are linked to a
 * node, and its maps, in main memory.
 */
#ifndef ORO_LUA_FIELD_RASTERS_H
#define ORO_LUA_FIELD_RASTERS_H

#include "graph/type/node.h"
#include "lua/script/script.h"

/* A linked raster, or a map: a linked raster or one value everywhere. Read with oro_script_raster_at. */
struct oro_script_raster {
    const struct oro_input *input;
    struct oro_grid grid;
    int channels;
    const float *data; /* owned by the evaluation; NULL: it is `value` everywhere */
    float value;
    float low, high; /* the values of a linked map are held to this */
};

struct oro_script_rasters {
    struct oro_script_raster items[ORO_SCRIPT_INPUTS_MAX];
    int count;
    /* The output `terrain` is blended with the input of that name by `mask`, as kernels do it. */
    bool blends;
    int terrain, mask; /* indices of items; mask -1: it is a raster that is not linked, which reads as 0, as
                          in a kernel */
};

/* One evaluation of a function `cell` or `field`, wherever it is done: in the program, or in a guest. */
struct oro_script_work {
    const struct oro_script *script;
    const void *params;
    struct oro_grid grid;
    struct oro_script_rasters rasters;
    uint64_t seed;
    float *outputs[ORO_SCRIPT_OUTPUTS_MAX]; /* one for each output, to be filled with finite numbers */
    const struct oro_log *log;
    bool (*stopped)(void *user); /* any thread */
    /* False: there is no use in going on. */
    bool (*progress)(void *user, int done, int total);
    void *user;
};

/* Evaluates a node whose script has a form with `compute`. */
bool oro_script_evaluate(struct oro_eval *eval, const void *params);

/* To be called on the thread of the evaluation; any thread may read the rasters until the evaluation ends.
 * False: the evaluation has failed. */
bool oro_script_rasters(struct oro_eval *eval, const void *params, struct oro_script_rasters *rasters);

/* A channel at a cell; outside of the raster, at the nearest cell in it. */
static inline float oro_script_raster_at(const struct oro_script_raster *raster, int64_t x, int64_t y,
                                         int channel)
{
    if (!raster->data)
        return raster->value;
    x = x < 0 ? 0 : x >= raster->grid.width ? raster->grid.width - 1 : x;
    y = y < 0 ? 0 : y >= raster->grid.height ? raster->grid.height - 1 : y;
    float value = raster->data[(y * raster->grid.width + x) * raster->channels + channel];
    return value < raster->low ? raster->low : value > raster->high ? raster->high : value;
}

/* The same between cells, by linear interpolation. Whole numbers are cells. */
float oro_script_raster_between(const struct oro_script_raster *raster, double x, double y, int channel);

/* Whether an output is blended, as set_terrain does it in kernels; and the blend of one value. */
bool oro_script_blends(const struct oro_script_rasters *rasters, const struct oro_node_type *type,
                       int output);
float oro_script_blend(const struct oro_script_rasters *rasters, int x, int y, float value);

/* Sets width, height, cell, x and y of the table at a stack index. */
void oro_script_set_grid(lua_State *lua, int index, const struct oro_grid *grid);
/* Pushes "FILE:LINE: " of the place where the function at a stack index begins. */
void oro_script_push_place(lua_State *lua, int index);

/* Mixes a seed with a cell: every cell gets a number of its own, in no visible order. */
uint64_t oro_script_cell_seed(uint64_t seed, int x, int y);

/* How long an evaluation on a grid may take: some times what its steps take, and on a small grid no longer
 * than reading the script may. */
double oro_script_seconds(const struct oro_grid *grid);

#endif
