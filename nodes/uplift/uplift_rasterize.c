/* Makes a field of an uplift tree. */
#include "graph/type/node.h"
#include "terrain/uplift/uplift.h"

static const struct oro_input inputs[] = {
    ORO_IN_UPLIFT("uplift", .unit = ORO_METRE_PER_YEAR, .doc = "What to draw"),
    ORO_IN_LIKE(.doc = "Gives the result the size of this raster; without it, the world's base resolution"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE_PER_YEAR,
                  .doc = "The uplift at the centre of every cell, 0 where there is none"),
    {0},
};

/* A buffer with `count` words in it, or with one where there are none. */
static struct oro_buffer *store(struct oro_eval *e, const void *words, size_t count)
{
    static const uint32_t nothing[4] = {0};
    const void *data = count > 0 ? words : nothing;
    size_t stored = count > 0 ? count : 4;
    struct oro_buffer *buffer = oro_eval_buffer(e, stored);
    return buffer && oro_eval_upload(e, buffer, data, stored * sizeof(uint32_t)) ? buffer : NULL;
}

/* Kernels keep frames for copies within each other, and are the better the fewer they are. */
static const char *frames_of(const struct oro_uplift_program *program)
{
    return program->frames == 0   ? "#define COPIES 0\n"
           : program->frames <= 8 ? "#define COPIES 8\n"
                                  : "#define COPIES 72\n";
}

static bool draw(struct oro_eval *e, const struct oro_uplift_program *program)
{
    return oro_eval_default(
        e, &(struct oro_dispatch){
               .defines = frames_of(program),
               .slots = {
                   {"code", store(e, program->code, program->code_count), ORO_READ, "uint"},
                   {"primitives", store(e, program->primitives, program->primitive_floats), ORO_READ, "vec4"},
                   {"bins", store(e, program->bins, program->bin_count), ORO_READ, "uint"},
                   {"rasters", store(e, program->rasters, program->raster_floats)},
               }});
}

static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    struct oro_uplift_program program;
    struct oro_error err = {.code = ORO_OK};
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift");
    if (!tree)
        return false;
    if (!oro_uplift_compile(tree, &program, &err))
        return oro_eval_failed(e, &err);
    bool ok = draw(e, &program);
    oro_uplift_program_free(&program);
    return ok;
}

ORO_NODE_WITH(
    uplift_rasterize, 0, .version = 1, .category = "uplift",
    .words = "uplift to field, convert, bake, to heightfield",
    .doc =
        "Turns an uplift tree into a raster: to look at it, or to work on it with filters. Where a node "
        "takes "
        "a field, a tree can be linked as it is, and this happens by itself, at the node's own resolution.",
    .paper = "Schott 2023, section 5", .rasterizes = true, .spread = ORO_SPREAD_TILES,
    .reach = ORO_REACH_CELL, .kernel = "uplift/uplift_rasterize.comp", .eval = eval);
