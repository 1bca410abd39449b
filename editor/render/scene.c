/* Schedules the view in depth: quick pictures while things change, sharp ones when they rest. */
#include "editor/render/scene.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "editor/render/changed.h"
#include "editor/render/pace.h"
#include "editor/render/program.h"
#include "editor/render/scene_band.h"

/* How many pictures a sharp one is the mean of. */
enum { SAMPLES = 8, COARSEST = 4, LEAST_PIXELS = 4096 };
/* The first sharp picture waits for light if that is at most so many seconds away, so as not to be drawn
 * twice. */
static const double short_wait = 0.35;
/* When the ground has changed, the old picture stays until the first light is there, or for so long. */
static const double light_wait = 0.3;

/* A picture that is being drawn, band by band, with the camera of its beginning. */
struct drawing {
    bool active, quick;
    bool fine;  /* with all that is expensive; else it is no part of the mean */
    bool first; /* first picture of something new: it is finished, or in steady movement nothing would be seen
                 */
    struct ed_key key;
    double light; /* serial of it */
    struct ed_camera camera;
    int scale, width, height, row, sample;
};

struct ed_scene {
    struct ed_scene_program program;
    unsigned present;
    struct ed_light *light;
    struct ed_target quick, sharp, mean;
    struct drawing drawing;
    struct ed_key shown; /* what the target shows, quick or sharp, and in which light */
    double shown_light;
    double
        waits_since; /* since when it has waited for light of the ground to be drawn; 0: it does not wait */
    int samples;     /* in the picture shown; 0: it is a quick one */
    int wanted;      /* of them */
    bool patient;    /* nothing depends on how long it takes */
    int scale;       /* of quick pictures */
    struct ed_pace pace;
    double cost_of_other; /* of a pixel: `pace` knows that of quick or of fine pictures, whichever is drawn */
    bool paces_fine;
};

struct ed_scene *ed_scene_create(struct oro_error *err)
{
    static const char *const present[] = {"present.frag", NULL};
    struct ed_scene *scene = oro_alloc(1, sizeof *scene);
    if (!scene) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a view");
        return NULL;
    }
    scene->scale = 2;
    scene->wanted = SAMPLES;
    scene->light = ed_light_create(err);
    scene->present = scene->light ? ed_program_create(present, err) : 0;
    if (scene->present && ed_scene_program_create(&scene->program, err))
        return scene;
    ed_scene_destroy(scene);
    return NULL;
}

void ed_scene_take_time(struct ed_scene *scene, int samples)
{
    scene->wanted = samples > 1 ? samples : 1;
    scene->patient = true;
    ed_light_take_time(scene->light);
}

void ed_scene_destroy(struct ed_scene *scene)
{
    if (!scene)
        return;
    ed_scene_program_free(&scene->program);
    glDeleteProgram(scene->present);
    ed_light_destroy(scene->light);
    ed_target_free(&scene->quick);
    ed_target_free(&scene->sharp);
    ed_target_free(&scene->mean);
    ed_pace_free(&scene->pace);
    oro_free(scene);
}

/* ---- What it depends on */

static void add_raster(struct ed_key *key, const struct ed_raster *raster)
{
    const struct ed_picture *picture = raster ? ed_raster_picture(raster) : NULL;
    ed_key_add(key, raster ? (double)ed_raster_serial(raster) : -1);
    ed_key_add(key, picture ? (double)picture->serial : -1);
}

static void add_look(struct ed_key *key, const struct ed_scene_look *look)
{
    const double values[] = {look->material,
                             look->palette,
                             (double)look->azimuth,
                             (double)look->altitude,
                             (double)look->softness,
                             look->shadows,
                             look->occlusion,
                             look->night,
                             (double)look->exposure,
                             look->sky,
                             (double)look->haze,
                             (double)look->low,
                             (double)look->clouds,
                             (double)look->snow,
                             (double)look->green,
                             (double)look->exaggeration,
                             look->water,
                             look->water ? (double)look->water_level : 0,
                             look->light_background};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ed_key_add(key, values[i]);
}

static void add_camera(struct ed_key *key, const struct ed_camera *camera)
{
    const double values[] = {camera->target[0], camera->target[1], camera->target[2],    camera->distance,
                             camera->azimuth,   camera->elevation, camera->field_of_view};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ed_key_add(key, values[i]);
}

static struct ed_key key_of(const struct ed_target *target, const struct ed_scene_rasters *rasters,
                            const struct ed_scene_look *look, const struct ed_camera *camera,
                            const struct ed_part *part)
{
    struct ed_key key = {.count = 0};
    ed_key_add(&key, target->texture);
    ed_key_add(&key, target->width);
    ed_key_add(&key, target->height);
    add_raster(&key, rasters->ground);
    add_raster(&key, rasters->colour);
    add_raster(&key, rasters->water);
    add_raster(&key, rasters->mask);
    for (int i = 0; i < 4; i++)
        ed_key_add(&key, rasters->mask ? (double)rasters->mask_colour[i] : 0);
    add_look(&key, look);
    add_camera(&key, camera);
    const int places[] = {part->x, part->y, part->width, part->height};
    for (int i = 0; i < 4; i++)
        ed_key_add(&key, places[i]);
    return key;
}

/* ---- Drawing */

/* Fine pixels cost more: what was learnt of them must not make moving pictures coarser. */
static void pace_for(struct ed_scene *scene, bool fine)
{
    if (scene->paces_fine == fine)
        return;
    double known = scene->pace.unit_cost;
    scene->paces_fine = fine;
    scene->pace.unit_cost = scene->cost_of_other;
    scene->cost_of_other = known;
}

static bool begin_drawing(struct ed_scene *scene, const struct ed_target *target, const struct ed_key *key,
                          const struct ed_camera *camera, bool first)
{
    int scale = first && !scene->patient ? scene->scale : 1;
    bool quick = scale > 1;
    struct ed_target *into = quick ? &scene->quick : &scene->sharp;
    scene->drawing = (struct drawing){
        .quick = quick,
        .fine = !first || scene->patient,
        .first = first,
        .key = *key,
        .light = ed_light_serial(scene->light),
        .camera = *camera,
        .scale = scale,
        .width = (target->width + scale - 1) / scale,
        .height = (target->height + scale - 1) / scale,
        .sample = quick ? 0 : scene->samples,
    };
    pace_for(scene, scene->drawing.fine);
    scene->drawing.active = ed_target_size(into, scene->drawing.width, scene->drawing.height, NULL);
    return scene->drawing.active;
}

/* Where in a pixel the n-th ray goes: spread evenly (Martin Roberts' R2 sequence), the first in the middle.
 */
static void spread(int n, double jitter[2])
{
    jitter[0] = fmod(0.5 + n * 0.7548776662466927, 1) - 0.5;
    jitter[1] = fmod(0.5 + n * 0.5698402909980532, 1) - 0.5;
}

static void draw_band(struct ed_scene *scene, struct ed_scene_view *view, double deadline)
{
    struct drawing *drawing = &scene->drawing;
    const struct ed_target *into = drawing->quick ? &scene->quick : &scene->sharp;
    double pixels = ed_pace_units(&scene->pace, deadline, LEAST_PIXELS, 1 << 24);
    int rows = (int)(pixels / drawing->width) + 1, left = drawing->height - drawing->row;
    rows = rows < left ? rows : left;
    view->camera = &drawing->camera;
    view->fine = drawing->fine;
    view->scale = drawing->scale;
    spread(drawing->sample, view->jitter);
    ed_pace_begin(&scene->pace);
    glBindFramebuffer(GL_FRAMEBUFFER, into->framebuffer);
    glViewport(0, 0, drawing->width, drawing->height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, drawing->row, drawing->width, rows);
    ed_scene_band(&scene->program, view);
    glDisable(GL_SCISSOR_TEST);
    ed_pace_end(&scene->pace, (double)drawing->width * rows, deadline);
    drawing->row += rows;
}

static void put(const struct ed_scene *scene, const struct ed_target *from, int scale,
                const struct ed_target *into)
{
    glBindFramebuffer(GL_FRAMEBUFFER, into->framebuffer);
    glViewport(0, 0, into->width, into->height);
    glUseProgram(scene->present);
    ed_set_texture(scene->present, "picture", 0, from->texture);
    /* A reduced picture may reach a little beyond the target. */
    ed_set_float2(scene->present, "picture_size", from->width * scale, from->height * scale);
    ed_set_int(scene->present, "exact", scale == 1);
    ed_draw_full();
}

/* Shows the drawn picture, or adds it to the mean as one more sample and shows that. Blending is done here
 * and not in the bands, because the software driver would compile their long shader a second time for it. */
static void present(struct ed_scene *scene, const struct drawing *drawing, const struct ed_target *target)
{
    const struct ed_target *from = drawing->quick ? &scene->quick : &scene->sharp;
    if (!drawing->fine || !ed_target_size_fine(&scene->mean, drawing->width, drawing->height)) {
        put(scene, from, drawing->scale, target);
        return;
    }
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendColor(0, 0, 0, 1.0f / (float)(drawing->sample + 1));
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    put(scene, from, 1, &scene->mean);
    glDisable(GL_BLEND);
    put(scene, &scene->mean, 1, target);
}

static void finish_drawing(struct ed_scene *scene, const struct ed_target *target)
{
    struct drawing *drawing = &scene->drawing;
    drawing->active = false;
    present(scene, drawing, target);
    scene->shown = drawing->key;
    scene->shown_light = drawing->light;
    scene->samples = drawing->fine ? drawing->sample + 1 : 0;
}

/* Chooses the scale so that a quick picture takes no more than most of the available time. */
static void choose_scale(struct ed_scene *scene, const struct ed_target *target, double seconds)
{
    double cost = (double)target->width * target->height * scene->pace.unit_cost;
    if (cost <= 0)
        return;
    int scale = 1;
    while (scale < COARSEST && cost / (scale * scale) > 0.8 * seconds)
        scale++;
    /* Returns to a finer scale only if that fits easily, so as not to flicker between two. */
    if (scale < scene->scale && cost / (scale * scale) > 0.55 * seconds)
        scale++;
    scene->scale = scale;
}

/* ---- Drawing */

static bool same_number(double a, double b)
{
    return a <= b && a >= b;
}

/* Begins the next picture. False: there is nothing to draw for now; `finished` if all is done. */
static bool next_pass(struct ed_scene *scene, const struct ed_target *target, const struct ed_key *key,
                      const struct ed_camera *camera, bool moving, bool light_ready, double seconds,
                      bool *finished)
{
    bool same_light = same_number(ed_light_serial(scene->light), scene->shown_light);
    bool fresh = ed_key_same(key, &scene->shown);
    *finished = false;
    if (scene->patient && !light_ready)
        return false;
    if (!fresh || (moving && !same_light)) {
        pace_for(scene, false);
        choose_scale(scene, target, seconds);
        scene->samples = 0;
        return begin_drawing(scene, target, key, camera, true);
    }
    if (moving)
        return false;
    if (!same_light)
        scene->samples = 0;
    if (!light_ready && (scene->samples > 0 || ed_light_left(scene->light) < short_wait))
        return false;
    *finished = scene->samples >= scene->wanted;
    return !*finished && begin_drawing(scene, target, key, camera, false);
}

/* A picture with the shadows of another ground would be wrong. True: wait for the first light of this one,
 * while the target still shows the old picture. */
static bool waits_for_light(struct ed_scene *scene, const struct ed_key *key,
                            const struct ed_scene_view *view)
{
    bool shows = scene->shown.count > 3; /* something in this target, of this size */
    for (int i = 0; i < 3; i++)
        shows = shows && same_number(key->values[i], scene->shown.values[i]);
    bool lit = view->look->shadows || view->look->occlusion;
    if (!lit || ed_light_fits(scene->light, view->rasters->ground)) {
        scene->waits_since = 0;
        return false;
    }
    double now = oro_now();
    if (scene->waits_since <= 0)
        scene->waits_since = now;
    if (shows && ed_light_texture(scene->light) && now - scene->waits_since < light_wait)
        return true;
    ed_light_drop(scene->light);
    return false;
}

/* If there is a picture already, if only of another ground, light may take all of the time; else it shares it
 * with drawing. */
static double light_share(const struct ed_scene *scene, const struct ed_raster *ground,
                          const struct ed_key *key, bool moving, bool first)
{
    if (ed_light_texture(scene->light) && !ed_light_fits(scene->light, ground))
        return 1;
    bool rests = ed_key_same(key, &scene->shown) && scene->samples > 0;
    return moving ? 0.25 : rests || !first ? 1 : 0.4;
}

static bool draw_ground(struct ed_scene *scene, const struct ed_target *target, const struct ed_key *key,
                        struct ed_scene_view *view, bool moving, double seconds)
{
    double deadline = oro_now() + seconds;
    bool first = true, finished = false, ready = false;
    if (scene->drawing.active && !scene->drawing.first && (moving || !ed_key_same(key, &scene->drawing.key)))
        scene->drawing.active = false;
    const struct ed_camera *camera = view->camera;
    while (first || oro_now() < deadline) {
        if (!ed_pace_ready(&scene->pace, deadline))
            break;
        if (!scene->drawing.active) {
            double share = light_share(scene, view->rasters->ground, key, moving, first);
            ready = ed_light_step(scene->light, view->rasters->ground, view->block, view->look,
                                  fmin(deadline, oro_now() + seconds * share));
            if (waits_for_light(scene, key, view) ||
                !next_pass(scene, target, key, camera, moving, ready, seconds, &finished))
                break;
        }
        first = false;
        draw_band(scene, view, deadline);
        if (scene->drawing.row == scene->drawing.height && ed_pace_ready(&scene->pace, deadline + 1))
            finish_drawing(scene, target);
    }
    return finished && !moving;
}

bool ed_scene_draw(struct ed_scene *scene, struct ed_target *target, const struct ed_scene_rasters *rasters,
                   const struct ed_scene_look *look, const struct ed_camera *camera,
                   const struct ed_part *part, bool moving, double seconds)
{
    const struct ed_part whole = {0, 0, target->width, target->height};
    if (!part || part->width < 1)
        part = &whole;
    const struct ed_picture *ground = rasters->ground ? ed_raster_picture(rasters->ground) : NULL;
    struct ed_key key = key_of(target, rasters, look, camera, part);
    bool finished = true;
    ed_gl_neutral();
    if (ground && ed_raster_maxima(rasters->ground)) {
        struct ed_block block;
        ed_block_of(&block, rasters, look);
        struct ed_scene_view view = {.rasters = rasters,
                                     .look = look,
                                     .camera = camera,
                                     .block = &block,
                                     .light = scene->light,
                                     .part = part};
        finished = draw_ground(scene, target, &key, &view, moving, seconds);
    } else if (!ed_key_same(&key, &scene->shown)) {
        double top[3], bottom[3];
        ed_scene_background(look, top, bottom);
        glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
        glClearColor((float)(top[0] + bottom[0]) / 2, (float)(top[1] + bottom[1]) / 2,
                     (float)(top[2] + bottom[2]) / 2, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        scene->drawing.active = false;
        scene->shown = key;
    }
    ed_gl_neutral();
    return finished;
}
