#include "editor/render/map.h"

#include <math.h>

#include "base/memory.h"
#include "editor/render/changed.h"
#include "editor/render/palette.h"
#include "editor/render/program.h"

static const double degree = 3.14159265358979323846 / 180;

struct ed_map {
    unsigned program, layer_program, palettes;
    struct ed_key drawn;
};

struct ed_map *ed_map_create(struct oro_error *err)
{
    static const char *const map_parts[] = {"cells.glsl", "map_scale.glsl", "map.frag", NULL};
    static const char *const layer_parts[] = {"cells.glsl", "layer.frag", NULL};
    struct ed_map *map = oro_alloc(1, sizeof *map);
    if (!map) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a view");
        return NULL;
    }
    map->program = ed_program_create(map_parts, err);
    map->layer_program = map->program ? ed_program_create(layer_parts, err) : 0;
    if (!map->layer_program) {
        ed_map_destroy(map);
        return NULL;
    }
    map->palettes = ed_palette_texture();
    return map;
}

void ed_map_destroy(struct ed_map *map)
{
    if (!map)
        return;
    glDeleteProgram(map->program);
    glDeleteProgram(map->layer_program);
    if (map->palettes)
        glDeleteTextures(1, &map->palettes);
    oro_free(map);
}

/* ---- What it depends on */

static void add_raster(struct ed_key *key, const struct ed_raster *raster)
{
    const struct ed_picture *picture = raster ? ed_raster_picture(raster) : NULL;
    ed_key_add(key, picture ? (double)picture->serial : -1);
    ed_key_add(key, raster ? (double)ed_raster_serial(raster) : -1);
}

static void add_look(struct ed_key *key, const struct ed_map_look *look)
{
    const float values[] = {
        (float)look->mode,   (float)look->palette, look->fixed_range,  look->low,      look->high,
        look->azimuth,       look->altitude,       look->exaggeration, look->contours, look->sharp,
        look->background[0], look->background[1],  look->background[2]};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ed_key_add(key, (double)values[i]);
}

static void add_layers(struct ed_key *key, const struct ed_map_layer *layers, size_t count)
{
    ed_key_add(key, (double)count);
    for (size_t i = 0; i < count; i++) {
        add_raster(key, layers[i].raster);
        for (int c = 0; c < 4; c++)
            ed_key_add(key, (double)layers[i].colour[c]);
    }
}

static void add_camera(struct ed_key *key, const struct ed_target *target, const struct ed_map_camera *camera)
{
    const double values[] = {target->framebuffer, target->texture, target->width,           target->height,
                             camera->x,           camera->y,       camera->metres_per_pixel};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ed_key_add(key, values[i]);
}

/* ---- Drawing */

/* Sets the uniforms of cells.glsl, and where the pixels lie in the cells. */
static void set_cells(unsigned program, const struct ed_raster *raster, const struct ed_part *part,
                      const struct ed_map_camera *camera)
{
    const struct oro_grid *grid = ed_raster_grid(raster);
    double per_pixel = camera->metres_per_pixel / grid->cell, x, y;
    ed_map_to_world(camera, part->width, part->height, 0, 0, &x, &y);
    ed_set_float2(program, "part_at", part->x, part->y);
    ed_set_float2(program, "origin", (x - grid->x) / grid->cell - 0.5, (y - grid->y) / grid->cell - 0.5);
    ed_set_float2(program, "step_cells", per_pixel, per_pixel);
    ed_set_texture(program, "ground", 0, ed_raster_texture(raster));
    ed_set_texture(program, "means", 1, ed_raster_means(raster));
    ed_set_int2(program, "size", grid->width, grid->height);
    int last = ed_raster_levels(raster) > 0 ? ed_raster_levels(raster) - 1 : 0;
    int level = (int)floor(log2(fmax(per_pixel, 1)) + 0.5);
    ed_set_int(program, "mean_last", last);
    ed_set_int(program, "level", level < last ? level : last);
}

static void set_look(unsigned program, const struct ed_map_look *look)
{
    double azimuth = (double)look->azimuth * degree, altitude = (double)look->altitude * degree;
    const double sun[3] = {sin(azimuth) * cos(altitude), -cos(azimuth) * cos(altitude), sin(altitude)};
    const double background[3] = {(double)look->background[0], (double)look->background[1],
                                  (double)look->background[2]};
    ed_set_float3(program, "sun", sun);
    ed_set_float3(program, "background", background);
    ed_set_float(program, "exaggeration", look->exaggeration > 0 ? (double)look->exaggeration : 1);
    ed_set_float(program, "contours", (double)look->contours);
    ed_set_int(program, "sharp", look->sharp);
}

static void clear(const float colour[3])
{
    glClearColor(colour[0], colour[1], colour[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void draw_raster(const struct ed_map *map, const struct ed_part *part, const struct ed_raster *raster,
                        const struct ed_map_look *look, const struct ed_map_camera *camera)
{
    const struct ed_picture *picture = raster ? ed_raster_picture(raster) : NULL;
    if (!picture || !ed_raster_texture(raster)) {
        clear(look->background);
        return;
    }
    glUseProgram(map->program);
    set_cells(map->program, raster, part, camera);
    struct ed_map_scale scale;
    ed_map_scale_of(look, picture, &scale);
    ed_set_texture(map->program, "palettes", 2, map->palettes);
    ed_set_float(map->program, "palette_row", (double)ed_palette_row(scale.palette));
    ed_set_float2(map->program, "range", (double)scale.low, (double)scale.high);
    ed_set_float(map->program, "zero_at", (double)scale.zero_at);
    ed_set_int(map->program, "logarithm", scale.logarithm);
    ed_set_int(map->program, "mode", (int)scale.mode);
    double largest = fmax(fabs((double)picture->low), fabs((double)picture->high));
    ed_set_float(map->program, "largest", fmax(largest, 1e-30));
    set_look(map->program, look);
    ed_set_int(map->program, "channels", picture->channels);
    ed_set_float(map->program, "cell", ed_raster_grid(raster)->cell);
    ed_draw_full();
}

static void draw_layer(const struct ed_map *map, const struct ed_part *part, const struct ed_map_layer *layer,
                       bool sharp, const struct ed_map_camera *camera)
{
    if (!layer->raster || !ed_raster_picture(layer->raster) || !ed_raster_texture(layer->raster))
        return;
    glUseProgram(map->layer_program);
    set_cells(map->layer_program, layer->raster, part, camera);
    ed_set_int(map->layer_program, "sharp", sharp);
    ed_set_float4(map->layer_program, "tint", layer->colour);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    ed_draw_full();
    glDisable(GL_BLEND);
}

static void draw_wipe(const struct ed_map *map, const struct ed_target *target, const struct ed_part *part,
                      const struct ed_map_wipe *wipe, const struct ed_map_camera *camera)
{
    static const float line[3] = {0.95f, 0.95f, 0.95f};
    int at = (int)lrintf(wipe->at * (float)part->width) - part->x;
    glEnable(GL_SCISSOR_TEST);
    if (at < target->width) {
        int from = at > 0 ? at : 0;
        glScissor(from, 0, target->width - from, target->height);
        draw_raster(map, part, wipe->raster, &wipe->look, camera);
    }
    glScissor(at - 1, 0, 2, target->height);
    clear(line);
    glDisable(GL_SCISSOR_TEST);
}

bool ed_map_draw(struct ed_map *map, struct ed_target *target, const struct ed_raster *raster,
                 const struct ed_map_look *look, const struct ed_map_camera *camera,
                 const struct ed_map_layer *layers, size_t layer_count, const struct ed_map_wipe *wipe,
                 const struct ed_part *part)
{
    struct ed_key key = {.count = 0};
    const struct ed_part whole = {0, 0, target->width, target->height};
    if (!part || part->width < 1)
        part = &whole;
    const int places[] = {part->x, part->y, part->width, part->height};
    for (int i = 0; i < 4; i++)
        ed_key_add(&key, places[i]);
    add_raster(&key, raster);
    add_look(&key, look);
    add_camera(&key, target, camera);
    add_layers(&key, layers, layer_count);
    ed_key_add(&key, wipe ? (double)wipe->at : -1);
    if (wipe) {
        add_raster(&key, wipe->raster);
        add_look(&key, &wipe->look);
    }
    if (ed_key_same(&key, &map->drawn))
        return false;
    map->drawn = key;
    ed_gl_neutral();
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
    draw_raster(map, part, raster, look, camera);
    if (wipe)
        draw_wipe(map, target, part, wipe, camera);
    for (size_t i = 0; i < layer_count; i++)
        draw_layer(map, part, &layers[i], look->sharp, camera);
    ed_gl_neutral();
    return true;
}
