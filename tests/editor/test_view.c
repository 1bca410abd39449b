/* The renderers of the views, on pictures whose appearance is known. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

#include "base/memory.h"
#include "editor/render/scene.h"
#include "tests/support/test.h"

/* ---- A context without a window */

static EGLDisplay display;
static EGLContext context;

FIXTURE(open_context)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                             EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
        return -1;
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) ? 0 : -1;
}

FIXTURE(close_context)
{
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
    eglTerminate(display);
    return 0;
}

/* ---- Pictures */

typedef float formula(int i, int j);

static struct ed_picture *make_picture(int width, int height, formula *value)
{
    float *data = oro_alloc((size_t)width * (size_t)height, sizeof *data);
    assert_non_null(data);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            data[j * width + i] = value(i, j);
    const struct ed_picture like = {
        .type = ORO_FIELD, .terrain = true, .grid = {width, height, 1, 100, -50}, .channels = 1};
    struct ed_picture *picture = ed_picture_create(&like, data, NULL);
    assert_non_null(picture);
    return picture;
}

static struct ed_raster *make_raster(int width, int height, formula *value)
{
    struct ed_picture *picture = make_picture(width, height, value);
    struct ed_raster *raster = ed_raster_create();
    assert_non_null(raster);
    for (int i = 0; !ed_raster_show(raster, picture, 0.1); i++)
        assert_true(i < 1000);
    ed_picture_release(picture);
    return raster;
}

static float zero(int i, int j)
{
    (void)i, (void)j;
    return 0;
}
static float one(int i, int j)
{
    (void)i, (void)j;
    return 1;
}
static float ramp(int i, int j)
{
    (void)j;
    return (float)i / 63;
}
static float ramp_metres(int i, int j)
{
    (void)j;
    return (float)i;
}
static float with_hole(int i, int j)
{
    return i > 20 && i < 40 && j > 20 && j < 40 ? NAN : 0.5f;
}
static float all_holes(int i, int j)
{
    (void)i, (void)j;
    return NAN;
}
static float cone(int i, int j)
{
    return fmaxf(0, 40 - hypotf((float)i - 63.5f, (float)j - 63.5f));
}
static float wall(int i, int j)
{
    (void)j;
    return i == 40 || i == 41 ? 20 : 0;
}
static float hills(int i, int j)
{
    return 8 * sinf((float)i * 0.13f) * cosf((float)j * 0.17f) + 3 * sinf((float)(i * 7 + j * 5) * 0.11f) +
           (float)((i * 31 + j * 17) % 7) * 0.4f;
}

/* ---- Targets */

static struct ed_target make_target(int width, int height)
{
    struct ed_target target = {0};
    assert_true(ed_target_size(&target, width, height, NULL));
    return target;
}

static uint8_t *read_pixels(const struct ed_target *target)
{
    uint8_t *pixels = oro_alloc((size_t)target->width * (size_t)target->height, 4);
    assert_non_null(pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return pixels;
}

static const uint8_t *pixel(const struct ed_target *target, const uint8_t *pixels, int x, int y)
{
    assert_true(x >= 0 && y >= 0 && x < target->width && y < target->height);
    return pixels + 4 * (y * target->width + x);
}

static int brightness(const struct ed_target *target, const uint8_t *pixels, int x, int y)
{
    const uint8_t *p = pixel(target, pixels, x, y);
    return (p[0] + p[1] + p[2]) / 3;
}

static void assert_near(int value, int wanted, int tolerance)
{
    if (value < wanted - tolerance || value > wanted + tolerance)
        fail_msg("%d is not within %d of %d", value, tolerance, wanted);
}

static void assert_close(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%g is not within %g of %g", value, tolerance, wanted);
}

/* ---- Cameras and colours, without a device */

TEST(map_camera_is_invertible)
{
    struct ed_map_camera camera;
    const struct oro_grid grid = {200, 100, 10, 500, -300};
    double x, y, px, py;
    ed_map_fit(&camera, &grid, 400, 400);
    ed_map_to_pixel(&camera, 400, 400, 500, -300, &px, &py);
    assert_true(px >= 0 && px < 40 && py > 100 && py < 110);
    ed_map_to_world(&camera, 400, 400, px, py, &x, &y);
    assert_close(x, 500, 1e-9);
    assert_close(y, -300, 1e-9);
}

TEST(rays_go_through_their_pixels)
{
    const struct ed_camera camera = {
        .target = {10, 20, 30}, .distance = 500, .azimuth = 213, .elevation = 27, .field_of_view = 55};
    for (int k = 0; k < 20; k++) {
        double from[3], along[3], place[3], px, py, x = 37.0 * k, y = 23.0 * k;
        ed_camera_ray(&camera, 800, 500, x, y, from, along);
        for (int i = 0; i < 3; i++)
            place[i] = from[i] + 321 * along[i];
        assert_true(ed_camera_pixel(&camera, 800, 500, place, &px, &py));
        assert_close(px, x, 1e-6);
        assert_close(py, y, 1e-6);
        for (int i = 0; i < 3; i++)
            place[i] = from[i] - 10 * along[i];
        assert_false(ed_camera_pixel(&camera, 800, 500, place, &px, &py));
    }
}

TEST(camera_moves_as_it_should)
{
    struct ed_camera camera = {.target = {0, 0, 0}, .distance = 100, .elevation = 30};
    const double place[3] = {10, -20, 5};
    double before[2], after[2], eye[3], later[3];
    /* Looking north from the south: east is right, up is up. */
    ed_camera_eye(&camera, eye);
    assert_true(eye[1] > 80 && eye[2] > 49 && fabs(eye[0]) < 1e-9);
    assert_true(ed_camera_pixel(&camera, 640, 480, place, &before[0], &before[1]));
    assert_true(before[0] > 320);
    ed_camera_zoom(&camera, 3, place);
    assert_true(ed_camera_pixel(&camera, 640, 480, place, &after[0], &after[1]));
    assert_close(after[0], before[0], 1e-6);
    assert_close(after[1], before[1], 1e-6);
    ed_camera_eye(&camera, eye);
    ed_camera_look(&camera, 31, -17);
    ed_camera_eye(&camera, later);
    for (int i = 0; i < 3; i++)
        assert_close(later[i], eye[i], 1e-9);
    /* The ground follows the pointer. */
    ed_camera_pixel(&camera, 640, 480, camera.target, &before[0], &before[1]);
    memcpy(later, camera.target, sizeof later);
    ed_camera_pan(&camera, 25, -10, 480);
    ed_camera_pixel(&camera, 640, 480, later, &after[0], &after[1]);
    assert_close(after[0] - before[0], 25, 1e-6);
    assert_close(after[1] - before[1], -10, 1e-6);
}

TEST(framing_sees_all_of_the_ground)
{
    struct ed_picture *picture = make_picture(64, 64, hills);
    struct ed_camera camera = {0};
    ed_camera_frame(&camera, picture, 2);
    for (int k = 0; k < 4; k++) {
        const double place[3] = {100 + 64 * (k & 1), -50 + 64 * (k >> 1), 0};
        double px, py;
        assert_true(ed_camera_pixel(&camera, 600, 400, place, &px, &py));
        assert_true(px > 0 && px < 600 && py > 0 && py < 400);
    }
    ed_picture_release(picture);
}

TEST(scales_are_invertible)
{
    struct ed_picture *picture = make_picture(64, 64, hills);
    for (int mode = 0; mode < ED_MAP_MODES; mode++) {
        const struct ed_map_look look = {.mode = (enum ed_map_mode)mode};
        struct ed_map_scale scale;
        ed_map_scale_of(&look, picture, &scale);
        for (int k = 1; k < 10; k++) {
            float at = (float)k / 10;
            assert_close((double)ed_map_scale_at(&scale, ed_map_scale_value(&scale, at)), (double)at, 1e-3);
        }
    }
    struct ed_map_scale scale;
    ed_map_scale_of(&(struct ed_map_look){.mode = ED_MAP_HEIGHT}, picture, &scale);
    float sea[3], land[3];
    ed_palette_colour(scale.palette, ed_map_scale_at(&scale, -1), sea);
    ed_palette_colour(scale.palette, ed_map_scale_at(&scale, 0.1f), land);
    assert_true(sea[2] > sea[0] && land[1] > land[2]);
    ed_picture_release(picture);
}

TEST(hits_lie_on_the_ground)
{
    struct ed_picture *picture = make_picture(200, 120, hills);
    int hits = 0;
    for (int k = 0; k < 400; k++) {
        const struct ed_camera camera = {.target = {100 + k % 200, -50 + k % 120, 0},
                                         .distance = 300,
                                         .azimuth = k * 7,
                                         .elevation = 5 + k % 80};
        double from[3], along[3], hit[3];
        ed_camera_ray(&camera, 100, 100, 50, 50, from, along);
        if (!ed_scene_hit(picture, 2, from, along, hit))
            continue;
        hits++;
        double ground = 2 * (double)ed_picture_sample(picture, hit[0], hit[1], 0);
        bool side = hit[0] < 100.01 || hit[1] < -49.99 || hit[0] > 299.99 || hit[1] > 69.99;
        assert_true(side ? hit[2] <= ground + 0.01 : fabs(hit[2] - ground) < 0.01);
        /* The ray did not go through the ground before. */
        for (int s = 1; s < 200; s++) {
            double t = s / 200.0 * 0.999, p[3];
            for (int i = 0; i < 3; i++)
                p[i] = from[i] + (hit[i] - from[i]) * t;
            if (p[0] > 100 && p[0] < 300 && p[1] > -50 && p[1] < 70)
                assert_true(p[2] > 2 * (double)ed_picture_sample(picture, p[0], p[1], 0) - 0.01);
        }
    }
    assert_true(hits > 200);
    ed_picture_release(picture);
}

/* ---- Rasters */

TEST(old_pictures_stay_until_new_ones_are_whole)
{
    struct ed_raster *raster = make_raster(64, 64, ramp);
    const struct ed_picture *first = ed_raster_picture(raster);
    struct ed_picture *large = make_picture(2048, 1024, hills);
    uint64_t serial = ed_raster_serial(raster);
    int calls = 0;
    while (!ed_raster_show(raster, large, 0)) {
        assert_ptr_equal(ed_raster_picture(raster), first);
        assert_int_equal(ed_raster_serial(raster), serial);
        assert_true(++calls < 10000);
    }
    assert_true(calls > 5);
    assert_ptr_equal(ed_raster_picture(raster), large);
    assert_true(ed_raster_serial(raster) > serial);
    assert_true(ed_raster_show(raster, NULL, 0));
    assert_null(ed_raster_picture(raster));
    assert_int_equal(ed_raster_texture(raster), 0);
    ed_picture_release(large);
    ed_raster_destroy(raster);
}

/* A picture that the card cannot hold is reduced to the means of its cells. */
TEST(too_large_pictures_are_reduced)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    struct ed_raster *raster = make_raster(most + 10, 3, ramp_metres);
    struct ed_map *map = ed_map_create(NULL);
    struct ed_target target = make_target(64, 9);
    const struct oro_grid *grid = ed_raster_grid(raster);
    assert_false(ed_raster_refused(raster));
    assert_non_null(grid);
    assert_int_equal(ed_raster_reduction(raster), 2);
    assert_int_equal(grid->width, most / 2 + 5);
    assert_int_equal(grid->height, 2);
    assert_close(grid->cell, 2, 0);
    const struct ed_map_camera camera = {100 + most / 2.0, -48.5, most / 64.0};
    const struct ed_map_look look = {.mode = ED_MAP_HEIGHT, .palette = ED_PALETTE_GREY};
    ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL);
    uint8_t *pixels = read_pixels(&target);
    assert_near(brightness(&target, pixels, 32, 4), 128, 6);
    oro_free(pixels);
    ed_raster_destroy(raster);
    ed_target_free(&target);
    ed_map_destroy(map);
}

/* ---- The flat view */

TEST(compared_pictures_share_their_range)
{
    struct ed_picture *low = make_picture(64, 64, ramp_metres), *high = make_picture(100, 8, ramp_metres);
    struct ed_picture *share = make_picture(64, 64, ramp);
    share->terrain = false;
    assert_true(ed_map_is_mask(share));
    assert_false(ed_map_is_mask(low));
    struct ed_map_look looks[2] = {{.mode = ED_MAP_AUTO}, {.mode = ED_MAP_AUTO}};
    ed_map_share_range(looks, (const struct ed_picture *const[]){low, share});
    assert_false(looks[0].fixed_range || looks[1].fixed_range);
    ed_map_share_range(looks, (const struct ed_picture *const[]){low, high});
    for (int i = 0; i < 2; i++) {
        assert_true(looks[i].fixed_range);
        assert_close((double)looks[i].low, 0, 0);
        assert_close((double)looks[i].high, 99, 0);
    }
    ed_picture_release(low);
    ed_picture_release(high);
    ed_picture_release(share);
}

/* 64 cells on 256 pixels: 4 pixels a cell, and no margin. */
static struct ed_map_camera close_camera(void)
{
    return (struct ed_map_camera){132, -18, 0.25};
}

TEST(masks_are_grey)
{
    struct ed_map *map = ed_map_create(NULL);
    struct ed_target target = make_target(320, 256);
    struct ed_raster *raster = make_raster(64, 64, ramp);
    struct ed_map_camera camera = close_camera();
    struct ed_map_look look = {.mode = ED_MAP_MASK, .background = {1, 0, 0}};
    assert_non_null(map);
    assert_true(ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL));
    assert_false(ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL));
    uint8_t *pixels = read_pixels(&target);
    assert_int_equal(pixel(&target, pixels, 10, 100)[0], 255); /* outside */
    assert_int_equal(pixel(&target, pixels, 10, 100)[1], 0);
    assert_near(brightness(&target, pixels, 33, 100), 0, 3);
    assert_near(brightness(&target, pixels, 286, 100), 255, 3);
    assert_near(brightness(&target, pixels, 160, 20), 128, 4);
    oro_free(pixels);
    /* Beyond the range: in colour. */
    look.fixed_range = true, look.low = 0.25f, look.high = 0.75f;
    assert_true(ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL));
    pixels = read_pixels(&target);
    const uint8_t *low = pixel(&target, pixels, 40, 100), *high = pixel(&target, pixels, 280, 100);
    assert_true(low[2] > low[0] + 40);
    assert_true(high[0] > high[2] + 40);
    oro_free(pixels);
    ed_raster_destroy(raster);
    ed_target_free(&target);
    ed_map_destroy(map);
}

TEST(wipes_and_layers_are_drawn)
{
    struct ed_map *map = ed_map_create(NULL);
    struct ed_target target = make_target(256, 256);
    struct ed_raster *dark = make_raster(64, 64, zero), *bright = make_raster(64, 64, one);
    struct ed_map_camera camera = close_camera();
    const struct ed_map_look look = {.mode = ED_MAP_MASK};
    const struct ed_map_wipe wipe = {bright, look, 0.25f};
    ed_map_draw(map, &target, dark, &look, &camera, NULL, 0, &wipe, NULL);
    uint8_t *pixels = read_pixels(&target);
    assert_near(brightness(&target, pixels, 60, 128), 0, 2);
    assert_near(brightness(&target, pixels, 68, 128), 255, 2);
    oro_free(pixels);
    const struct ed_map_layer layer = {bright, {0, 1, 0, 0.5f}};
    ed_map_draw(map, &target, dark, &look, &camera, &layer, 1, NULL, NULL);
    pixels = read_pixels(&target);
    assert_near(pixel(&target, pixels, 128, 128)[1], 128, 3);
    assert_near(pixel(&target, pixels, 128, 128)[0], 0, 3);
    oro_free(pixels);
    ed_raster_destroy(dark);
    ed_raster_destroy(bright);
    ed_target_free(&target);
    ed_map_destroy(map);
}

TEST(contours_lie_at_their_heights)
{
    struct ed_map *map = ed_map_create(NULL);
    struct ed_target target = make_target(256, 256);
    struct ed_raster *raster = make_raster(64, 64, ramp_metres);
    struct ed_map_camera camera = close_camera();
    struct ed_map_look look = {
        .mode = ED_MAP_HEIGHT, .palette = ED_PALETTE_GREY, .fixed_range = true, .low = -100, .high = 100};
    ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL);
    uint8_t *plain = read_pixels(&target);
    look.contours = 8;
    ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL);
    uint8_t *pixels = read_pixels(&target);
    for (int x = 8; x < 248; x++) {
        /* Of the middle of the pixel: cell i has its centre at pixel 4 i + 2. */
        double metres = (x + 0.5 - 2) / 4, away = fabs(metres - 8 * round(metres / 8)) * 4;
        int darker = brightness(&target, plain, x, 99) - brightness(&target, pixels, x, 99);
        if (away < 0.6)
            assert_true(darker > 20);
        if (away > 2.1)
            assert_near(darker, 0, 1);
    }
    oro_free(plain);
    oro_free(pixels);
    ed_raster_destroy(raster);
    ed_target_free(&target);
    ed_map_destroy(map);
}

TEST(hillshades_are_lit_from_their_sun)
{
    struct ed_map *map = ed_map_create(NULL);
    struct ed_target target = make_target(256, 256);
    struct ed_raster *raster = make_raster(128, 128, cone);
    struct ed_map_camera camera = {164, 14, 0.5};
    const struct ed_map_look look = {.mode = ED_MAP_HILLSHADE, .azimuth = 90, .altitude = 45};
    ed_map_draw(map, &target, raster, &look, &camera, NULL, 0, NULL, NULL);
    uint8_t *pixels = read_pixels(&target);
    assert_true(brightness(&target, pixels, 160, 128) > brightness(&target, pixels, 96, 128) + 80);
    assert_near(brightness(&target, pixels, 128, 96), brightness(&target, pixels, 128, 160), 6);
    oro_free(pixels);
    ed_raster_destroy(raster);
    ed_target_free(&target);
    ed_map_destroy(map);
}

/* ---- The view in depth */

static const struct ed_scene_look clay = {.material = ED_MATERIAL_CLAY, .azimuth = 270, .altitude = 45};

static uint8_t *draw_scene(struct ed_scene *scene, struct ed_target *target,
                           const struct ed_scene_rasters *rasters, const struct ed_scene_look *look,
                           const struct ed_camera *camera)
{
    for (int i = 0; !ed_scene_draw(scene, target, rasters, look, camera, NULL, false, 0.2); i++)
        assert_true(i < 2000);
    return read_pixels(target);
}

/* Straight from above, nearly without perspective, 4 pixels a metre. */
static struct ed_camera above(double x, double y)
{
    return (struct ed_camera){.target = {x, y, 0},
                              .distance = 64 / 2.0 / tan(2.5 * 3.14159265 / 180),
                              .elevation = 89,
                              .field_of_view = 5};
}

TEST(outlines_are_those_of_the_ground)
{
    struct ed_scene *scene = ed_scene_create(NULL);
    assert_non_null(scene);
    struct ed_target target = make_target(300, 200);
    struct ed_raster *ground = make_raster(160, 90, hills), *mask = make_raster(8, 8, one);
    const struct ed_scene_rasters rasters = {.ground = ground, .mask = mask, .mask_colour = {1, 0, 0, 1}};
    for (int azimuth = 0; azimuth < 360; azimuth += 72) {
        struct ed_camera camera = {
            .target = {180, -5, 0}, .distance = 150, .azimuth = azimuth, .elevation = 14};
        uint8_t *pixels = draw_scene(scene, &target, &rasters, &clay, &camera);
        int wrong = 0, seen = 0;
        for (int x = 2; x < 298; x += 3) {
            int drawn = 0, known = 0;
            for (; drawn < 200; drawn++) {
                const uint8_t *p = pixel(&target, pixels, x, drawn);
                if (p[0] > p[1] + 25)
                    break;
            }
            double from[3], along[3], hit[3];
            for (; known < 200; known++) {
                ed_camera_ray(&camera, 300, 200, x + 0.5, known + 0.5, from, along);
                if (ed_scene_hit(ed_raster_picture(ground), 1, from, along, hit))
                    break;
            }
            seen += known < 200;
            wrong += abs(known - drawn) > 2; /* the drawn outline is a mean of samples */
        }
        assert_true(seen > 50);
        assert_true(wrong <= 2); /* at the corners, sides come before the ground */
        oro_free(pixels);
    }
    ed_raster_destroy(ground);
    ed_raster_destroy(mask);
    ed_target_free(&target);
    ed_scene_destroy(scene);
}

TEST(shadows_are_as_long_as_they_should)
{
    struct ed_scene *scene = ed_scene_create(NULL);
    struct ed_target target = make_target(256, 256);
    struct ed_raster *ground = make_raster(128, 128, wall);
    const struct ed_scene_rasters rasters = {.ground = ground};
    struct ed_scene_look look = clay;
    look.shadows = true;
    look.softness = 0.5f;
    struct ed_camera camera = above(164, 14);
    uint8_t *pixels = draw_scene(scene, &target, &rasters, &look, &camera);
    /* The wall ends at x 142 m; its shadow, 20 m long at 45 degrees, about x 161.5 m. */
    int lit = brightness(&target, pixels, (int)(128 + 4 * (175 - 164)), 128);
    int dark = brightness(&target, pixels, (int)(128 + 4 * (152 - 164)), 128);
    assert_true(lit > dark + 50);
    int end = 128 + 4 * (152 - 164);
    while (brightness(&target, pixels, end, 128) < (lit + dark) / 2)
        end++;
    assert_close(164 + (end - 128) / 4.0, 161.5, 1.5);
    oro_free(pixels);
    look.shadows = false;
    pixels = draw_scene(scene, &target, &rasters, &look, &camera);
    assert_near(brightness(&target, pixels, 128 + 4 * (152 - 164), 128), lit, 4);
    oro_free(pixels);
    ed_raster_destroy(ground);
    ed_target_free(&target);
    ed_scene_destroy(scene);
}

TEST(shadows_are_never_those_of_another_ground)
{
    struct ed_scene *scene = ed_scene_create(NULL);
    struct ed_target target = make_target(256, 256);
    struct ed_raster *ground = make_raster(128, 128, wall);
    struct ed_picture *flat = make_picture(128, 128, zero);
    const struct ed_scene_rasters rasters = {.ground = ground};
    struct ed_scene_look look = clay;
    look.shadows = true;
    struct ed_camera camera = above(164, 14);
    uint8_t *before = draw_scene(scene, &target, &rasters, &look, &camera), *pixels;
    int lit = brightness(&target, before, 128 + 4 * (175 - 164), 128), other = 0;
    while (!ed_raster_show(ground, flat, 1))
        continue;
    bool done = false;
    for (int i = 0; !done; i++) {
        assert_true(i < 2000);
        done = ed_scene_draw(scene, &target, &rasters, &look, &camera, NULL, i < 10, 0);
        pixels = read_pixels(&target);
        if (memcmp(pixels, before, 256 * 256 * 4) != 0) {
            assert_near(brightness(&target, pixels, 128 + 4 * (152 - 164), 128), lit, 8);
            other++;
        }
        oro_free(pixels);
    }
    assert_true(other > 0);
    oro_free(before);
    ed_picture_release(flat);
    ed_raster_destroy(ground);
    ed_target_free(&target);
    ed_scene_destroy(scene);
}

TEST(the_side_of_the_sun_is_brighter)
{
    struct ed_scene *scene = ed_scene_create(NULL);
    struct ed_target target = make_target(256, 256);
    struct ed_raster *ground = make_raster(128, 128, cone);
    const struct ed_scene_rasters rasters = {.ground = ground};
    struct ed_camera camera = above(164, 14);
    uint8_t *pixels = draw_scene(scene, &target, &rasters, &clay, &camera);
    assert_true(brightness(&target, pixels, 78, 128) > brightness(&target, pixels, 178, 128) + 60);
    oro_free(pixels);
    /* In a sea of 10 m, the foot of the cone is blue and its top is not. */
    struct ed_scene_look look = clay;
    look.water = true;
    look.water_level = 10;
    pixels = draw_scene(scene, &target, &rasters, &look, &camera);
    const uint8_t *foot = pixel(&target, pixels, 6, 6), *peak = pixel(&target, pixels, 120, 128);
    assert_true(foot[2] > foot[0] + 20);
    assert_true(peak[2] < peak[0] + 10);
    oro_free(pixels);
    ed_raster_destroy(ground);
    ed_target_free(&target);
    ed_scene_destroy(scene);
}

/* ---- Pictures that are kept */

static const struct ed_scene_look full = {.azimuth = 250,
                                          .altitude = 25,
                                          .shadows = true,
                                          .occlusion = true,
                                          .sky = true,
                                          .haze = 0.5f,
                                          .clouds = 0.3f,
                                          .water = true,
                                          .water_level = -2};

static struct ed_camera low_camera(void)
{
    return (struct ed_camera){.target = {164, 14, 0}, .distance = 130, .azimuth = 20, .elevation = 9};
}

/* All of a picture in tiles of that size. */
static uint8_t *draw_tiles(struct ed_scene *scene, const struct ed_scene_rasters *rasters, int width,
                           int height, int tile)
{
    struct ed_camera camera = low_camera();
    struct ed_target target = {0};
    uint8_t *all = oro_alloc((size_t)width * (size_t)height, 4);
    assert_non_null(all);
    for (int y = 0; y < height; y += tile)
        for (int x = 0; x < width; x += tile) {
            const struct ed_part part = {x, y, width, height};
            int w = width - x < tile ? width - x : tile, h = height - y < tile ? height - y : tile;
            assert_true(ed_target_size(&target, w, h, NULL));
            for (int i = 0; !ed_scene_draw(scene, &target, rasters, &full, &camera, &part, false, 0.2); i++)
                assert_true(i < 2000);
            uint8_t *pixels = read_pixels(&target);
            for (int row = 0; row < h; row++)
                memcpy(all + 4 * ((y + row) * width + x), pixels + 4 * row * w, 4 * (size_t)w);
            oro_free(pixels);
        }
    ed_target_free(&target);
    return all;
}

TEST(tiles_make_the_same_picture)
{
    enum { WIDTH = 90, HEIGHT = 70 };
    struct ed_raster *ground = make_raster(128, 128, hills);
    const struct ed_scene_rasters rasters = {.ground = ground};
    uint8_t *pictures[2];
    for (int k = 0; k < 2; k++) {
        struct ed_scene *scene = ed_scene_create(NULL);
        assert_non_null(scene);
        ed_scene_take_time(scene, 3);
        pictures[k] = draw_tiles(scene, &rasters, WIDTH, HEIGHT, k ? 32 : 100);
        ed_scene_destroy(scene);
    }
    assert_memory_equal(pictures[0], pictures[1], (size_t)WIDTH * HEIGHT * 4);
    oro_free(pictures[0]);
    oro_free(pictures[1]);
    ed_raster_destroy(ground);
}

TEST(tiles_make_the_same_map)
{
    enum { WIDTH = 100, HEIGHT = 60, TILE = 32 };
    struct ed_map *map = ed_map_create(NULL);
    struct ed_raster *ground = make_raster(64, 64, hills), *other = make_raster(64, 64, ramp_metres);
    struct ed_target whole = make_target(WIDTH, HEIGHT), tile = {0};
    const struct ed_map_camera camera = {132.3, -18.1, 0.71};
    const struct ed_map_look look = {.mode = ED_MAP_SHADED, .azimuth = 300, .altitude = 40, .contours = 1};
    const struct ed_map_wipe wipe = {other, look, 0.4f};
    ed_map_draw(map, &whole, ground, &look, &camera, NULL, 0, &wipe, NULL);
    uint8_t *all = read_pixels(&whole);
    for (int y = 0; y < HEIGHT; y += TILE)
        for (int x = 0; x < WIDTH; x += TILE) {
            const struct ed_part part = {x, y, WIDTH, HEIGHT};
            int w = WIDTH - x < TILE ? WIDTH - x : TILE, h = HEIGHT - y < TILE ? HEIGHT - y : TILE;
            assert_true(ed_target_size(&tile, w, h, NULL));
            ed_map_draw(map, &tile, ground, &look, &camera, NULL, 0, &wipe, &part);
            uint8_t *pixels = read_pixels(&tile);
            for (int row = 0; row < h; row++)
                assert_memory_equal(pixels + 4 * row * w, all + 4 * ((y + row) * WIDTH + x), 4 * (size_t)w);
            oro_free(pixels);
        }
    oro_free(all);
    ed_target_free(&whole);
    ed_target_free(&tile);
    ed_raster_destroy(ground);
    ed_raster_destroy(other);
    ed_map_destroy(map);
}

/* The mean of many pictures is the same however the work was cut, is smoother than one of them, and stays. */
TEST(still_pictures_converge)
{
    struct ed_target target = make_target(80, 60);
    struct ed_raster *ground = make_raster(128, 128, hills);
    const struct ed_scene_rasters rasters = {.ground = ground};
    struct ed_camera camera = low_camera();
    uint8_t *pictures[3];
    for (int k = 0; k < 3; k++) {
        struct ed_scene *scene = ed_scene_create(NULL);
        assert_non_null(scene);
        if (k == 2)
            ed_scene_take_time(scene, 1);
        /* It moves at first: what is drawn then is no part of the mean. */
        for (int i = 0; i < 3; i++)
            ed_scene_draw(scene, &target, &rasters, &full, &camera, NULL, k == 1, 0.05);
        for (int i = 0;
             !ed_scene_draw(scene, &target, &rasters, &full, &camera, NULL, false, k ? 0.3 : 0.002); i++)
            assert_true(i < 5000);
        pictures[k] = read_pixels(&target);
        assert_true(ed_scene_draw(scene, &target, &rasters, &full, &camera, NULL, false, 0.1));
        uint8_t *later = read_pixels(&target);
        assert_memory_equal(pictures[k], later, (size_t)80 * 60 * 4);
        oro_free(later);
        ed_scene_destroy(scene);
    }
    assert_memory_equal(pictures[0], pictures[1], (size_t)80 * 60 * 4);
    assert_true(memcmp(pictures[0], pictures[2], (size_t)80 * 60 * 4) != 0);
    for (int k = 0; k < 3; k++)
        oro_free(pictures[k]);
    ed_raster_destroy(ground);
    ed_target_free(&target);
}

/* High ground is white, where there is to be more snow; the sky is above, and blue at noon. */
TEST(natural_ground_has_snow_and_a_sky)
{
    struct ed_scene *scene = ed_scene_create(NULL);
    struct ed_target target = make_target(128, 96);
    struct ed_raster *ground = make_raster(128, 128, ramp);
    const struct ed_scene_rasters rasters = {.ground = ground};
    struct ed_camera camera = {.target = {164, 14, 0}, .distance = 150, .elevation = 8};
    struct ed_scene_look look;
    ed_look_begin(&look);
    ed_lighting_use(&look, 2);
    look.clouds = 0;
    uint8_t *green = draw_scene(scene, &target, &rasters, &look, &camera);
    look.snow = 1;
    uint8_t *white = draw_scene(scene, &target, &rasters, &look, &camera);
    const uint8_t *sky = pixel(&target, green, 64, 4);
    assert_true(sky[2] > sky[0] + 15);
    assert_true(brightness(&target, white, 64, 50) > brightness(&target, green, 64, 50) + 40);
    const uint8_t *grass = pixel(&target, green, 64, 50);
    assert_true(grass[1] > grass[2]);
    oro_free(green);
    oro_free(white);
    ed_raster_destroy(ground);
    ed_target_free(&target);
    ed_scene_destroy(scene);
}

TEST(strange_pictures_are_drawn)
{
    static const struct {
        int width, height;
        formula *value;
    } cases[] = {{1, 1, one},         {1, 300, hills}, {300, 1, hills}, {64, 64, with_hole},
                 {64, 64, all_holes}, {2, 3, ramp},    {257, 129, zero}};
    struct ed_scene *scene = ed_scene_create(NULL);
    struct ed_map *map = ed_map_create(NULL);
    struct ed_target flat = make_target(64, 48), deep = make_target(64, 48);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ed_raster *raster = make_raster(cases[k].width, cases[k].height, cases[k].value);
        const struct ed_scene_rasters rasters = {.ground = raster, .water = raster, .colour = raster};
        struct ed_map_camera camera;
        struct ed_camera eye = {0};
        ed_map_fit(&camera, &ed_raster_picture(raster)->grid, 64, 48);
        ed_camera_frame(&eye, ed_raster_picture(raster), 1);
        for (int mode = 0; mode < ED_MAP_MODES; mode++) {
            const struct ed_map_look look = {
                .mode = (enum ed_map_mode)mode, .contours = 1, .sharp = mode & 1};
            ed_map_draw(map, &flat, raster, &look, &camera, NULL, 0, NULL, NULL);
        }
        for (int material = 0; material < ED_MATERIALS; material++) {
            struct ed_scene_look look = {.material = (enum ed_material)material,
                                         .altitude = 30,
                                         .shadows = true,
                                         .occlusion = true,
                                         .haze = 0.5f,
                                         .sky = k % 2,
                                         .water = material & 1};
            oro_free(draw_scene(scene, &deep, &rasters, &look, &eye));
        }
        ed_raster_destroy(raster);
    }
    ed_target_free(&flat);
    ed_target_free(&deep);
    ed_map_destroy(map);
    ed_scene_destroy(scene);
}

TEST(drawing_ends_and_leaves_nothing_bound)
{
    struct ed_scene *scene = ed_scene_create(NULL);
    struct ed_target target = make_target(200, 150);
    struct ed_raster *ground = make_raster(128, 128, cone);
    const struct ed_scene_rasters rasters = {.ground = ground};
    struct ed_camera camera = above(164, 14);
    oro_free(draw_scene(scene, &target, &rasters, &clay, &camera));
    assert_true(ed_scene_draw(scene, &target, &rasters, &clay, &camera, NULL, false, 0.01));
    ed_camera_orbit(&camera, 10, 0);
    assert_false(ed_scene_draw(scene, &target, &rasters, &clay, &camera, NULL, true, 0.01));
    GLint bound = -1;
    glGetIntegerv(GL_CURRENT_PROGRAM, &bound);
    assert_int_equal(bound, 0);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    assert_int_equal(bound, 0);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    assert_int_equal(bound, 0);
    assert_false(glIsEnabled(GL_BLEND) || glIsEnabled(GL_SCISSOR_TEST));
    ed_raster_destroy(ground);
    ed_target_free(&target);
    ed_scene_destroy(scene);
}

TEST_GROUP(open_context, close_context);
