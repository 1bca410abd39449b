#include "editor/render/light.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "editor/render/changed.h"
#include "editor/render/pace.h"
#include "editor/render/program.h"

/* The coarse light has a quarter of the texels per side. The fine one is at most this wide, but finer than a
 * small ground, whose shadows would otherwise be ragged. */
enum { COARSER = 4, SIDE_MAX = 2048, SIDE_FINE = 512, GROUP = 8, LEAST_TEXELS = 1024 };

/* Longest time for the fine light. */
static const double fine_seconds = 2;

struct image {
    GLuint texture;
    int width, height;
};

struct ed_light {
    unsigned program;
    struct image shown, next;
    struct ed_key key; /* of what is being made */
    int stage, row;    /* 0 coarse, 1 fine, 2 done */
    double serial;
    uint64_t of; /* serial of the picture that `shown` is of */
    bool patient;
    struct ed_pace pace;
};

struct ed_light *ed_light_create(struct oro_error *err)
{
    static const char *const parts[] = {"cells.glsl", "light.comp", NULL};
    struct ed_light *light = oro_alloc(1, sizeof *light);
    if (!light) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a view");
        return NULL;
    }
    light->program = ed_program_create(parts, err);
    if (light->program)
        return light;
    oro_free(light);
    return NULL;
}

void ed_light_take_time(struct ed_light *light)
{
    light->patient = true;
}

static void free_image(struct image *image)
{
    if (image->texture)
        glDeleteTextures(1, &image->texture);
    *image = (struct image){0};
}

void ed_light_destroy(struct ed_light *light)
{
    if (!light)
        return;
    free_image(&light->shown);
    free_image(&light->next);
    glDeleteProgram(light->program);
    ed_pace_free(&light->pace);
    oro_free(light);
}

static void size_image(struct image *image, int width, int height)
{
    if (image->texture && image->width == width && image->height == height)
        return;
    free_image(image);
    *image = (struct image){
        .texture = ed_texture_create(GL_RGBA8, 1, width, height, true), .width = width, .height = height};
}

/* Cells of the light for one of the ground, a side. */
static double fineness(const struct ed_light *light, int longer)
{
    double factor = longer <= SIDE_FINE ? 2 : longer > SIDE_MAX ? (double)SIDE_MAX / longer : 1;
    if (light->stage == 0)
        return factor / COARSER;
    /* The cost of a texel is known from the coarse light. */
    double side = factor * longer;
    while (!light->patient && side > SIDE_FINE && side * side * light->pace.unit_cost > fine_seconds)
        side /= 2;
    return side / longer;
}

static void begin_stage(struct ed_light *light, const struct oro_grid *grid)
{
    double factor = fineness(light, oro_grid_longer(grid));
    int width = (int)ceil(grid->width * factor), height = (int)ceil(grid->height * factor);
    size_image(&light->next, width > 1 ? width : 1, height > 1 ? height : 1);
    light->row = 0;
}

static struct ed_key key_of(const struct ed_raster *ground, const struct ed_scene_look *look)
{
    struct ed_key key = {.count = 0};
    bool sun = look->shadows;
    const double values[] = {(double)ed_raster_serial(ground),
                             (double)ed_raster_picture(ground)->serial,
                             look->shadows,
                             look->occlusion,
                             sun ? (double)look->azimuth : 0,
                             sun ? (double)look->altitude : 0,
                             sun ? (double)look->softness : 0,
                             (double)look->exaggeration};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ed_key_add(&key, values[i]);
    return key;
}

static void set_light(const struct ed_light *light, const struct ed_raster *ground,
                      const struct ed_block *block, const struct ed_scene_look *look)
{
    const double degree = 3.14159265358979323846 / 180;
    const struct oro_grid *grid = &block->grid;
    unsigned program = light->program;
    double softness = look->softness > 0 ? (double)look->softness : 2;
    double azimuth = (double)look->azimuth * degree;
    ed_set_texture(program, "ground", 0, ed_raster_texture(ground));
    ed_set_texture(program, "means", 1, ed_raster_means(ground));
    ed_set_int2(program, "size", grid->width, grid->height);
    ed_set_int(program, "mean_last", ed_raster_levels(ground) - 1);
    ed_set_int(program, "first", light->row);
    ed_set_float2(program, "per_texel", (double)grid->width / light->next.width,
                  (double)grid->height / light->next.height);
    ed_set_float(program, "stretch", block->scale);
    ed_set_float2(program, "towards", sin(azimuth), -cos(azimuth));
    ed_set_float(program, "altitude", (double)look->altitude * degree);
    ed_set_float(program, "disc", fmax(softness / 2, 0.05) * degree);
    ed_set_float(program, "highest", (double)block->ground->high);
    ed_set_int(program, "with_sun", look->shadows);
    ed_set_int(program, "with_sky", look->occlusion);
}

static void band(struct ed_light *light, const struct ed_raster *ground, const struct ed_block *block,
                 const struct ed_scene_look *look, double deadline)
{
    int width = light->next.width, left = light->next.height - light->row;
    double units = ed_pace_units(&light->pace, deadline, LEAST_TEXELS, 1 << 22);
    int rows = ((int)(units / width) + GROUP) / GROUP * GROUP;
    rows = rows < left ? rows : left;
    ed_pace_begin(&light->pace);
    glUseProgram(light->program);
    set_light(light, ground, block, look);
    glBindImageTexture(0, light->next.texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute((GLuint)((width + GROUP - 1) / GROUP), (GLuint)((rows + GROUP - 1) / GROUP), 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    ed_pace_end(&light->pace, (double)width * rows, deadline);
    light->row += rows;
}

static void finish_stage(struct ed_light *light, const struct ed_raster *ground)
{
    struct image old = light->shown;
    light->shown = light->next;
    light->next = old;
    light->stage++;
    light->row = 0;
    light->serial++;
    light->of = ed_raster_picture(ground)->serial;
}

bool ed_light_step(struct ed_light *light, const struct ed_raster *ground, const struct ed_block *block,
                   const struct ed_scene_look *look, double deadline)
{
    struct ed_key key = key_of(ground, look);
    if (!ed_key_same(&key, &light->key)) {
        light->key = key;
        light->stage = light->row = 0;
    }
    bool first = true;
    while (light->stage < 2 && (first || oro_now() < deadline)) {
        first = false;
        if (!ed_pace_ready(&light->pace, deadline))
            break;
        if (light->row == 0)
            begin_stage(light, &block->grid);
        band(light, ground, block, look, deadline);
        if (light->row == light->next.height)
            finish_stage(light, ground);
    }
    return light->stage == 2;
}

bool ed_light_fits(const struct ed_light *light, const struct ed_raster *ground)
{
    return light->shown.texture && light->of == ed_raster_picture(ground)->serial;
}

void ed_light_drop(struct ed_light *light)
{
    if (!light->shown.texture)
        return;
    free_image(&light->shown);
    light->serial++;
}

unsigned ed_light_texture(const struct ed_light *light)
{
    return light->shown.texture;
}

double ed_light_serial(const struct ed_light *light)
{
    return light->serial;
}

double ed_light_left(const struct ed_light *light)
{
    double rows = light->stage == 1 ? light->next.height - light->row : 0;
    return light->stage == 2 ? 0 : light->stage == 0 ? 1e3 : rows * light->next.width * light->pace.unit_cost;
}
