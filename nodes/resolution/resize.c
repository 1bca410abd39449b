/* Brings a raster to another size. */
#include "graph/type/node.h"

struct params {
    int divide, method;
};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .doc = "Elevation, or any other raster"),
    ORO_IN_FIELD("like", .role = ORO_ROLE_SIZE, .optional = true,
                 .doc = "A raster of the size that is wanted; without it, that of `terrain`. Of one that "
                        "covers other ground, as `crop` cuts it out, the result covers the same"),
    ORO_IN_INT(struct params, divide, 1, .role = ORO_ROLE_CELLS, .min = 1, .max = 4096, .soft_max = 16,
               .doc = "That size divided by this, rounded up"),
    ORO_IN_CHOICE(
        struct params, method, ORO_RESAMPLE_MONOTONE, oro_resampling_words,
        .doc =
            "The surface where cells get smaller. monotone: nowhere lower or higher than the cells around. "
            "catmull_rom: smoother, but overshoots beside cliffs. b_spline: smoother still, and lowers peaks "
            "a little. bilinear: straight between cells"),
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
    const struct params *p = data;
    const struct oro_grid *from = oro_eval_input_grid(e, "terrain"), *like = oro_eval_input_grid(e, "like");
    struct oro_buffer *terrain = oro_eval_input(e, "terrain");
    if (!from || !terrain)
        return false;
    bool placed = like && !oro_grid_same_ground(from, like);
    if (oro_grid_same_size(from, oro_eval_grid(e)) && !placed)
        return oro_eval_give(e, "terrain", terrain);
    return oro_eval_resample(e, placed, (enum oro_resampling)p->method);
}

ORO_NODE(resize, .version = 1, .category = "resolution",
         .words = "resample, resolution, downsample, scale, upscale, downscale",
         .doc = "Brings a terrain to another size: area average where cells get larger, a "
                "surface through them where they get smaller.",
         .shape = shape, .spread = ORO_SPREAD_TILES, .kernel = "lib/resample.comp", .eval = eval);
