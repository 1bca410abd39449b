/* Brings a raster to another size. */
#include "graph/type/node.h"

struct params {
    int divide;
};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "Elevation, or any other raster"),
    ORO_IN_FIELD("like", .role = ORO_ROLE_SIZE, .optional = true,
                 .doc = "A raster of the size that is wanted; without it, that of `terrain`. Of one that "
                        "covers other ground, as `crop` cuts it out, the result covers the same"),
    ORO_IN_INT(struct params, divide, 1, .role = ORO_ROLE_CELLS, .min = 1, .max = 4096, .soft_max = 16,
               .doc = "That size divided by this, rounded up"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "The same with other cells"),
    {0},
};

static int divided(int cells, int by)
{
    return (cells - 1) / by + 1;
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    const struct oro_grid *like = oro_shape_input(s, "like");
    *grid = *oro_shape_input(s, "terrain");
    if (like)
        *grid = *like;
    double extent = grid->cell * grid->width;
    grid->width = divided(grid->width, p->divide);
    grid->height = divided(grid->height, p->divide);
    grid->cell = extent / grid->width;
    return true;
}

/* Where `like` covers other ground, such as a part cut out, so does the result. */
static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    const struct oro_grid *from = oro_eval_input_grid(e, "terrain"), *to = oro_eval_grid(e);
    struct oro_buffer *terrain = oro_eval_input(e, "terrain");
    if (!from || !terrain)
        return false;
    const struct oro_grid *like = oro_eval_input_grid(e, "like");
    bool placed = like && !oro_grid_same_ground(from, like);
    if (oro_grid_same_size(from, to) && !placed)
        return oro_eval_give(e, "terrain", terrain);
    float place[2];
    oro_grid_place(from, to, place);
    struct oro_dispatch extras = {.slots = {{"field", terrain}},
                                  .defines = placed ? "#define PLACED 1\n#define set_field set_terrain\n"
                                                    : "#define set_field set_terrain\n",
                                  .constants = {{"east", place[0]}, {"south", place[1]}}};
    oro_dispatch_resampling(&extras, to, from, placed ? place : NULL);
    return oro_eval_default(e, &extras);
}

ORO_NODE(
    resize, .version = 1, .category = "resolution",
    .words = "resample, resolution, downsample, scale, upscale, downscale",
    .doc = "Brings a terrain to another size: area average where cells get larger, a smooth surface through "
           "them where "
           "they get smaller.",
    .shape = shape, .spread = ORO_SPREAD_TILES, .kernel = "lib/resample.comp", .eval = eval);
