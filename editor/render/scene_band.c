#include "editor/render/scene_band.h"

#include <math.h>
#include <string.h>

#include "editor/render/palette.h"
#include "editor/render/program.h"

bool ed_scene_program_create(struct ed_scene_program *program, struct oro_error *err)
{
    static const char *const parts[] = {"cells.glsl",  "map_scale.glsl", "march.glsl",
                                        "sky.glsl",    "material.glsl",  "ground.glsl",
                                        "colour.glsl", "scene.frag",     NULL};
    program->program = ed_program_create(parts, err);
    program->palettes = program->program ? ed_palette_texture() : 0;
    if (program->program)
        program->sky_seen = ed_texture_create(GL_RGBA16F, 1, ED_SKY_COLUMNS, ED_SKY_ROWS, true);
    return program->program != 0;
}

void ed_scene_program_free(struct ed_scene_program *program)
{
    glDeleteProgram(program->program);
    if (program->palettes)
        glDeleteTextures(1, &program->palettes);
    if (program->sky_seen)
        glDeleteTextures(1, &program->sky_seen);
    *program = (struct ed_scene_program){0};
}

void ed_scene_background(const struct ed_scene_look *look, double top[3], double bottom[3])
{
    static const double dark_top[3] = {0.135, 0.150, 0.172}, dark_bottom[3] = {0.225, 0.238, 0.256};
    static const double light_top[3] = {0.70, 0.775, 0.85}, light_bottom[3] = {0.90, 0.915, 0.93};
    memcpy(top, look->light_background ? light_top : dark_top, sizeof dark_top);
    memcpy(bottom, look->light_background ? light_bottom : dark_bottom, sizeof dark_bottom);
}

static void set_ground(unsigned program, const struct ed_scene_view *view)
{
    const struct ed_raster *ground = view->rasters->ground;
    const struct oro_grid *grid = &view->block->grid;
    ed_set_texture(program, "ground", 0, ed_raster_texture(ground));
    ed_set_texture(program, "means", 1, ed_raster_means(ground));
    ed_set_texture(program, "maxima", 2, ed_raster_maxima(ground));
    ed_set_int2(program, "size", grid->width, grid->height);
    ed_set_int(program, "levels", ed_raster_levels(ground));
    ed_set_int(program, "mean_last", ed_raster_levels(ground) - 1);
    ed_set_float2(program, "upwards", view->block->scale, view->block->rise);
    ed_set_float(program, "base", view->block->base);
    ed_set_float(program, "top", view->block->top);
    ed_set_float(program, "stretch_of_slopes", view->block->scale);
}

/* The rays: of the corner, and what a pixel more adds, at a length that float32 keeps exact. */
static void set_camera(unsigned program, const struct ed_scene_view *view)
{
    double eye[3], cells[3], ends[3][3] = {{0}}, from[3], middle[3];
    int w = view->part->width, h = view->part->height;
    ed_camera_eye(view->camera, eye);
    ed_block_place(view->block, eye, cells);
    ed_camera_ray(view->camera, w, h, w / 2.0, h / 2.0, from, middle);
    const double pixels[3][2] = {{0, 0}, {w, 0}, {0, h}};
    for (int k = 0; k < 3; k++) {
        ed_camera_ray(view->camera, w, h, pixels[k][0], pixels[k][1], from, ends[k]);
        double depth = 0;
        for (int i = 0; i < 3; i++)
            depth += ends[k][i] * middle[i];
        for (int i = 0; i < 3; i++)
            ends[k][i] /= depth;
    }
    double *corner = ends[0], *right = ends[1], *below = ends[2], angle = 0;
    for (int i = 0; i < 3; i++) {
        right[i] = (right[i] - corner[i]) / w;
        below[i] = (below[i] - corner[i]) / h;
        angle += right[i] * right[i];
    }
    ed_set_float3(program, "eye", cells);
    ed_set_float3(program, "corner", corner);
    ed_set_float3(program, "across", right);
    ed_set_float3(program, "down", below);
    ed_set_float(program, "pixel_angle", sqrt(angle) * view->scale);
    ed_set_float2(program, "jitter", view->jitter[0], view->jitter[1]);
    ed_set_float(program, "pixel_scale", view->scale);
    ed_set_float2(program, "picture_size", w, h);
    ed_set_float2(program, "part_at", view->part->x / view->scale, view->part->y / view->scale);
    ed_set_int(program, "fine", view->fine);
}

static void set_size(unsigned program, const char *name, const struct ed_raster *raster)
{
    const struct oro_grid *grid = raster ? ed_raster_grid(raster) : NULL;
    ed_set_int2(program, name, grid ? grid->width : 1, grid ? grid->height : 1);
}

static const struct ed_picture *picture_of(const struct ed_raster *raster)
{
    const struct ed_picture *picture = raster && ed_raster_texture(raster) ? ed_raster_picture(raster) : NULL;
    return picture;
}

static void set_material(const struct ed_scene_program *p, const struct ed_scene_view *view)
{
    const struct ed_scene_look *look = view->look;
    const struct ed_picture *colour = picture_of(view->rasters->colour),
                            *mask = picture_of(view->rasters->mask);
    const struct ed_picture *ground = view->block->ground;
    static const float none[4] = {0};
    struct ed_map_look heights = {.mode = ED_MAP_HEIGHT, .palette = look->palette};
    struct ed_map_scale scale;
    enum ed_palette palette = look->palette;
    ed_map_scale_of(&heights, ground, &scale);
    if (look->material != ED_MATERIAL_ELEVATION && palette == ED_PALETTE_TERRAIN)
        palette = ED_PALETTE_VIRIDIS;
    ed_set_int(p->program, "material", (int)look->material);
    ed_set_texture(p->program, "palettes", 3, p->palettes);
    ed_set_float(p->program, "palette_row", (double)ed_palette_row((int)palette));
    ed_set_float2(p->program, "range", (double)scale.low, (double)scale.high);
    ed_set_float(p->program, "zero_at", (double)scale.zero_at);
    ed_set_int(p->program, "logarithm", 0);
    ed_set_texture(p->program, "colours", 4, colour ? ed_raster_texture(view->rasters->colour) : 0);
    ed_set_int(p->program, "has_colours", colour != NULL);
    ed_set_int(p->program, "colour_channels", colour ? colour->channels : 0);
    ed_set_float2(p->program, "colour_range", colour ? (double)colour->low : 0,
                  colour ? (double)colour->high : 1);
    set_size(p->program, "colours_size", colour ? view->rasters->colour : NULL);
    ed_set_texture(p->program, "mask", 5, mask ? ed_raster_texture(view->rasters->mask) : 0);
    ed_set_float4(p->program, "mask_colour", mask ? view->rasters->mask_colour : none);
    set_size(p->program, "mask_size", mask ? view->rasters->mask : NULL);
    ed_set_float2(p->program, "height_range", (double)ground->low, (double)ground->high);
}

static void set_water(unsigned program, const struct ed_scene_view *view)
{
    const struct ed_picture *water = picture_of(view->rasters->water), *ground = view->block->ground;
    double level = (double)view->look->water_level, longer = oro_grid_longer(&view->block->grid);
    bool sea = view->look->water;
    ed_set_int(program, "water", (sea ? 1 : 0) | (water ? 2 : 0));
    ed_set_texture(program, "levels_of_water", 6, water ? ed_raster_texture(view->rasters->water) : 0);
    set_size(program, "water_size", water ? view->rasters->water : NULL);
    ed_set_float(program, "sea", level * view->block->scale + view->block->rise);
    /* Real water is clear for some metres, which on a map of many kilometres would be no more than a line. */
    double relief = ((double)ground->high - (double)ground->low) * view->block->scale;
    double depth = sea ? fmax(level - (double)ground->low, 0) * view->block->scale : 0.25 * relief;
    ed_set_float(program, "clear_depth",
                 fmax(0.16 * fmin(depth, relief) + 0.004 * relief, 1e-3 + 2e-4 * longer));
    ed_set_float(program, "shore", sea ? fmax(level, (double)ground->low) : (double)ground->low);
}

static void set_light(unsigned program, const struct ed_scene_view *view)
{
    const struct ed_scene_look *look = view->look;
    double sun[3];
    ed_sun_direction((double)look->azimuth, (double)look->altitude, sun);
    ed_set_float3(program, "sun", sun);
    unsigned texture = look->shadows || look->occlusion ? ed_light_texture(view->light) : 0;
    ed_set_texture(program, "light", 7, texture);
    ed_set_int(program, "lit", texture != 0);
}

/* The sky is made anew when light or air change. */
static void refresh_sky(struct ed_scene_program *p, const struct ed_scene_look *look)
{
    const double values[] = {(double)look->azimuth, (double)look->altitude, (double)look->haze,
                             (double)look->clouds,  (double)look->exposure, look->night};
    struct ed_key key = {.count = 0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ed_key_add(&key, values[i]);
    if (ed_key_same(&key, &p->sky_key))
        return;
    p->sky_key = key;
    ed_sky_make(&p->sky, look);
    glActiveTexture(GL_TEXTURE8);
    glBindTexture(GL_TEXTURE_2D, p->sky_seen);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ED_SKY_COLUMNS, ED_SKY_ROWS, GL_RGBA, GL_FLOAT, p->sky.seen);
}

/* Haze begins at the sphere around the block, so that it stays when the camera goes away from it. */
static void set_haze(unsigned program, const struct ed_scene_view *view)
{
    const struct ed_block *block = view->block;
    double eye[3], cells[3], away = 0, thick = (double)view->look->haze, low = (double)view->look->low;
    ed_camera_eye(view->camera, eye);
    ed_block_place(block, eye, cells);
    const double middle[3] = {block->grid.width / 2.0, block->grid.height / 2.0, block->top / 2};
    for (int i = 0; i < 3; i++)
        away += (cells[i] - middle[i]) * (cells[i] - middle[i]);
    double density = thick * (0.35 + 1.5 * thick) * (1 + 1.6 * low) / (2 * block->radius);
    const double haze[3] = {fmax(sqrt(away) - block->radius, 0), density,
                            fmax(block->top, 1e-3) * 3 * pow(0.07, low)};
    ed_set_float3(program, "haze", haze);
}

static void set_air(struct ed_scene_program *p, const struct ed_scene_view *view)
{
    double top[3], bottom[3];
    refresh_sky(p, view->look);
    ed_scene_background(view->look, top, bottom);
    ed_set_float3(p->program, "background_top", top);
    ed_set_float3(p->program, "background_bottom", bottom);
    ed_set_texture(p->program, "sky_seen", 8, p->sky_seen);
    ed_set_float3(p->program, "sun_light", p->sky.sun);
    ed_set_float3(p->program, "sun_disc", p->sky.disc);
    ed_set_float3(p->program, "ambient[0]", p->sky.ambient[0]);
    ed_set_float3(p->program, "ambient[1]", p->sky.ambient[1]);
    ed_set_float3(p->program, "ambient[2]", p->sky.ambient[2]);
    ed_set_float3(p->program, "ambient[3]", p->sky.ambient[3]);
    ed_set_float(p->program, "clouds", (double)view->look->clouds);
    ed_set_int(p->program, "night", view->look->night);
    ed_set_int(p->program, "with_sky", view->look->sky);
    ed_set_float(p->program, "snow_more", (double)view->look->snow);
    ed_set_float(p->program, "green_more", (double)view->look->green);
    set_haze(p->program, view);
}

void ed_scene_band(struct ed_scene_program *program, const struct ed_scene_view *view)
{
    glUseProgram(program->program);
    set_ground(program->program, view);
    set_camera(program->program, view);
    set_material(program, view);
    set_water(program->program, view);
    set_light(program->program, view);
    set_air(program, view);
    ed_draw_full();
}
