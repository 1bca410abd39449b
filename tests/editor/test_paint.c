/* Brushes, the files of layers, and strokes in the history. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/memory.h"
#include "editor/project/working.h"
#include "editor/tools/layers.h"
#include "formats/format.h"
#include "graph/type/registry.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { WIDTH = 64, HEIGHT = 48 };
static float data[WIDTH * HEIGHT];

static struct ed_canvas_raster raster(float fill)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        data[i] = fill;
    return (struct ed_canvas_raster){WIDTH, HEIGHT, 10, 0, 1, data, 0};
}

static float at(double x, double y)
{
    return data[(int)(y / 10) * WIDTH + (int)(x / 10)];
}

static void strike(const struct ed_brush *brush, struct ed_canvas_raster *over, struct ed_stroke *stroke)
{
    assert_true(ed_stroke_begin(stroke, brush, over));
    ed_stroke_to(stroke, over, 100, 240);
    ed_stroke_to(stroke, over, 400, 240);
    ed_stroke_to(stroke, over, 100, 240); /* back over the same */
}

static void near(float got, double wanted, double within)
{
    if (!(fabs((double)got - wanted) <= within))
        fail_msg("%g, not %g", (double)got, wanted);
}

TEST(painting)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0);
    struct ed_brush brush = {ED_BRUSH_PAINT, 60, 0.5f, 0.3f, 0};
    strike(&brush, &over, &stroke);
    near(at(250, 240), 0.5, 1e-3); /* no more than the strength, however often it passes */
    near(at(250, 320), 0, 0);      /* beyond the radius */
    assert_true(at(250, 285) > 0 && at(250, 285) < 0.5f);
    assert_true(stroke.changed.x >= 3 && stroke.changed.width <= 44 && stroke.changed.y >= 17);
    ed_stroke_free(&stroke);
    brush.mode = ED_BRUSH_ERASE;
    brush.strength = 1;
    strike(&brush, &over, &stroke);
    near(at(250, 240), 0, 1e-6);
    ed_stroke_free(&stroke);
    brush.mode = ED_BRUSH_SET;
    brush.value = 0.25f;
    strike(&brush, &over, &stroke);
    near(at(250, 240), 0.25, 1e-6);
    ed_stroke_free(&stroke);
}

TEST(shaping)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0.5f);
    struct ed_brush brush = {ED_BRUSH_RAISE, 60, 1, 0.5f, 0.05f};
    strike(&brush, &over, &stroke);
    assert_true(at(250, 240) > 0.55f && at(250, 240) <= 1);
    ed_stroke_free(&stroke);
    brush.mode = ED_BRUSH_LOWER;
    brush.value = 10;
    strike(&brush, &over, &stroke);
    near(at(250, 240), 0, 0); /* stays within the range */
    ed_stroke_free(&stroke);
    over = raster(0);
    data[24 * WIDTH + 25] = 1;
    brush.mode = ED_BRUSH_SMOOTH;
    strike(&brush, &over, &stroke);
    assert_true(at(255, 245) < 0.5f && at(265, 245) > 0);
    ed_stroke_free(&stroke);
}

/* Beside the raster, and brushes smaller than a cell. */
TEST(edges)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0);
    struct ed_brush brush = {ED_BRUSH_PAINT, 0.01, 1, 0, 0};
    assert_true(ed_stroke_begin(&stroke, &brush, &over));
    ed_stroke_to(&stroke, &over, -1000, -1000);
    assert_int_equal(stroke.changed.width, 0);
    ed_stroke_to(&stroke, &over, 2000, 2000);
    assert_true(stroke.changed.x >= 0 && stroke.changed.x + stroke.changed.width <= WIDTH &&
                stroke.changed.y + stroke.changed.height <= HEIGHT);
    near(at(205, 205), 1, 1e-6);
    ed_stroke_free(&stroke);
}

TEST(hands_that_leave)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0);
    struct ed_brush brush = {ED_BRUSH_PAINT, 40, 1, 0.5f, 0};
    assert_true(ed_stroke_begin(&stroke, &brush, &over));
    ed_stroke_to(&stroke, &over, 100, 100);
    ed_stroke_lift(&stroke);
    ed_stroke_to(&stroke, &over, 500, 100);
    near(at(500, 100), 1, 1e-3);
    near(at(300, 100), 0, 0); /* nothing in between */
    ed_stroke_cancel(&stroke, &over);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        near(data[i], 0, 0);
    assert_int_equal(stroke.changed.width, 0);
    ed_stroke_free(&stroke);
}

/* Four metres to a pixel up to a ridge, behind which 300 m are hidden. */
static bool over_a_ridge(void *user, double x, double y, double place[2])
{
    (void)user;
    place[0] = x * 4 + (x < 50 ? 0 : 300);
    place[1] = y * 4;
    return true;
}

TEST(strokes_across_ridges)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0);
    struct ed_brush brush = {ED_BRUSH_PAINT, 20, 1, 0.5f, 0};
    struct ed_view_of_ground view = {over_a_ridge, NULL};
    assert_true(ed_stroke_begin(&stroke, &brush, &over));
    ed_stroke_over(&stroke, &over, &view, (double[]){5, 50});
    ed_stroke_over(&stroke, &over, &view, (double[]){80, 50}); /* in a single move */
    near(at(105, 205), 1, 0.1);                                /* what is seen on the way */
    near(at(185, 205), 1, 0.1);
    near(at(350, 205), 0, 0); /* what is hidden */
    near(at(525, 205), 1, 0.1);
    near(at(600, 205), 1, 0.1);
    ed_stroke_free(&stroke);
}

/* A layer that is stretched to its world is painted where it is seen, and the brush is round there. */
TEST(stretched_layers)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0);
    struct ed_brush brush = {ED_BRUSH_PAINT, 60, 1, 0, 0};
    over.cell_y = 5;
    assert_true(ed_stroke_begin(&stroke, &brush, &over));
    ed_stroke_to(&stroke, &over, 320, 120);
    near(data[24 * WIDTH + 32], 1, 1e-6);
    near(data[14 * WIDTH + 32], 1, 1e-6); /* 50 m north */
    near(data[10 * WIDTH + 32], 0, 0);    /* 70 m */
    near(data[24 * WIDTH + 26], 1, 1e-6); /* 55 m west */
    near(data[24 * WIDTH + 25], 0, 0);
    ed_stroke_free(&stroke);
    brush.mode = ED_BRUSH_SMOOTH;
    assert_true(ed_stroke_begin(&stroke, &brush, &over));
    ed_stroke_to(&stroke, &over, 320, 120);
    ed_stroke_free(&stroke);
}

/* As far in metres on a fine layer as on a coarse one. */
TEST(smoothing_of_fine_layers)
{
    struct ed_stroke stroke;
    struct ed_canvas_raster over = raster(0);
    struct ed_brush brush = {ED_BRUSH_SMOOTH, 200, 1, 0, 0};
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        data[i] = i % WIDTH < 32 ? 0 : 1;
    assert_true(ed_stroke_begin(&stroke, &brush, &over));
    ed_stroke_to(&stroke, &over, 320, 240);
    near(at(305, 240), 0.2, 1e-3); /* means of 5 cells, 2 beyond: one dab */
    near(at(315, 240), 0.4, 1e-3);
    near(at(285, 240), 0, 1e-6);
    near(at(315, 15), 0, 1e-6); /* beyond the radius */
    ed_stroke_free(&stroke);
}

TEST(modes_with_keys)
{
    assert_int_equal(ed_brush_mode_with(ED_BRUSH_PAINT, false, false), ED_BRUSH_PAINT);
    assert_int_equal(ed_brush_mode_with(ED_BRUSH_PAINT, false, true), ED_BRUSH_ERASE);
    assert_int_equal(ed_brush_mode_with(ED_BRUSH_LOWER, false, true), ED_BRUSH_RAISE);
    assert_int_equal(ed_brush_mode_with(ED_BRUSH_SET, false, true), ED_BRUSH_SET);
    assert_int_equal(ed_brush_mode_with(ED_BRUSH_RAISE, true, true), ED_BRUSH_SMOOTH);
}

TEST(patches)
{
    raster(0);
    data[5 * WIDTH + 7] = 3;
    struct ed_patch_rect rect = {6, 4, 3, 2};
    float *patch = ed_patch_take(data, WIDTH, rect);
    assert_non_null(patch);
    near(patch[4], 3, 0);
    data[5 * WIDTH + 7] = 9;
    ed_patch_put(data, WIDTH, rect, patch);
    near(data[5 * WIDTH + 7], 3, 0);
    oro_free(patch);
}

TEST(names)
{
    char *name = ed_layer_name("/some/where/alps.oro", "mask");
    assert_string_equal(name, "alps.layers/mask.png");
    assert_true(ed_is_layer_name(name));
    assert_false(ed_is_layer_name("dem.png"));
    assert_false(ed_is_layer_name(NULL));
    assert_true(ed_is_painted_mask("import", name, 0, 1));
    assert_false(ed_is_painted_mask("import", name, 0, 1000));
    assert_false(ed_is_painted_mask("import", "dem.png", 0, 1));
    assert_false(ed_is_painted_mask("noise", NULL, 0, 1));
    oro_free(name);
}

/* ---- Files ---- */

static char folder[64];

FIXTURE(begin_folder)
{
    snprintf(folder, sizeof folder, "/tmp/orograph-paint-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(end_folder)
{
    return remove_tree(folder);
}

static const char *layer_path(const char *name)
{
    static char path[4][200];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static struct ed_layer *new_layer(struct ed_layers *layers, const char *path)
{
    struct oro_error err = {0};
    const struct oro_grid grid = {.width = WIDTH, .height = HEIGHT, .cell = 640.0 / WIDTH};
    assert_true(ed_layers_add(layers, path, &grid, 0, 1, 0, &err));
    struct ed_layer *layer = ed_layers_open(layers, path, 0, 1, 640, &err);
    assert_non_null(layer);
    return layer;
}

static void paint_on(struct ed_layers *layers, struct ed_layer *layer, bool step)
{
    struct oro_error err = {0};
    struct ed_stroke stroke;
    struct ed_brush brush = {ED_BRUSH_PAINT, 60, 1, 0.3f, 0};
    strike(&brush, &layer->raster, &stroke);
    ed_layer_changed(layers, layer);
    if (step)
        assert_true(ed_layer_did(layers, layer, &stroke, 640, &err));
    ed_stroke_free(&stroke);
}

/* As others read the layer. */
static float middle_of(struct ed_project *project, const char *path)
{
    struct oro_error err = {0};
    struct oro_heightfield field = {0};
    struct oro_read_options options = {.has_range = true, .high = 1, .no_sidecar = true};
    assert_true(
        oro_heightfield_read(ed_working_file(ed_project_workings(project), path), &options, &field, &err));
    float value = field.data[24 * WIDTH + 25];
    oro_heightfield_free(&field);
    return value;
}

TEST(memory_is_bounded)
{
    enum { BYTES = WIDTH * HEIGHT * sizeof(float) };
    struct oro_error err = {0};
    struct ed_project *project = ed_project_create(&oro_builtin_nodes, &err);
    struct ed_layers *layers = ed_layers_create(project);
    struct ed_layer *first = new_layer(layers, layer_path("a.layers/1.png"));
    struct ed_layer *second = new_layer(layers, layer_path("a.layers/2.png"));
    new_layer(layers, layer_path("a.layers/3.png"));
    assert_int_equal(ed_layers_bytes(layers), 3 * BYTES);
    ed_layers_trim(layers, first, 3 * BYTES);
    assert_int_equal(ed_layers_bytes(layers), 3 * BYTES);
    paint_on(layers, second, false);
    ed_layers_trim(layers, first, 0); /* what is not written stays, and what is in use */
    assert_int_equal(ed_layers_bytes(layers), 2 * BYTES);
    assert_true(ed_layers_flush(layers, &err));
    ed_layers_trim(layers, NULL, BYTES);
    assert_int_equal(ed_layers_bytes(layers), BYTES);
    near(second->raster.data[24 * WIDTH + 25], 1, 1e-6); /* it was opened after the first */
    near(middle_of(project, layer_path("a.layers/2.png")), 1, 1e-4);
    ed_layers_clear(layers);
    assert_int_equal(ed_layers_bytes(layers), 0);
    ed_layers_release(layers);
    ed_project_destroy(project);
}

/* An open layer outlives its working copy, and the next stroke writes it anew. */
TEST(deleted_files)
{
    struct oro_error err = {0};
    struct ed_project *project = ed_project_create(&oro_builtin_nodes, &err);
    struct ed_layers *layers = ed_layers_create(project);
    const char *path = layer_path("gone.layers/mask.png");
    struct ed_layer *layer = new_layer(layers, path);
    paint_on(layers, layer, false);
    assert_true(ed_layers_flush(layers, &err));
    char *copy = oro_copy_text(ed_working_file(ed_project_workings(project), path));
    assert_string_not_equal(copy, path);
    assert_int_equal(unlink(copy), 0);
    assert_ptr_equal(ed_layers_open(layers, path, 0, 1, 640, &err), layer);
    near(layer->raster.data[24 * WIDTH + 25], 1, 1e-6);
    ed_layer_changed(layers, layer);
    assert_true(ed_layers_flush(layers, &err));
    near(middle_of(project, path), 1, 1e-4);
    ed_layers_release(layers);
    ed_project_destroy(project);
    assert_int_not_equal(access(copy, F_OK), 0);
    oro_free(copy);
}

/* Painting over cells that are full already is no step. */
TEST(strokes_of_nothing)
{
    struct oro_error err = {0};
    struct ed_project *project = ed_project_create(&oro_builtin_nodes, &err);
    struct ed_layers *layers = ed_layers_create(project);
    struct ed_layer *layer = new_layer(layers, layer_path("nothing.layers/mask.png"));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        layer->raster.data[i] = 1;
    paint_on(layers, layer, true);
    assert_null(ed_project_undo_name(project));
    ed_layers_release(layers);
    ed_project_destroy(project);
}

TEST(in_history)
{
    const char *path = layer_path("history.layers/mask.png");
    struct oro_error err = {0};
    struct ed_brush brush = {ED_BRUSH_PAINT, 60, 1, 0.3f, 0};
    struct ed_stroke stroke;
    struct ed_project *project = ed_project_create(&oro_builtin_nodes, &err);
    struct ed_layers *layers = ed_layers_create(project);
    struct ed_layer *layer = new_layer(layers, path);
    near((float)layer->raster.cell, 10, 1e-6);
    strike(&brush, &layer->raster, &stroke);
    ed_layer_changed(layers, layer);
    assert_true(ed_layer_did(layers, layer, &stroke, 640, &err));
    ed_stroke_free(&stroke);
    size_t middle = 24 * WIDTH + 25;
    near(layer->raster.data[middle], 1, 1e-6);
    assert_string_equal(ed_project_undo_name(project), "brush stroke");
    assert_true(ed_project_undo(project, &err));
    near(layer->raster.data[middle], 0, 0);
    assert_true(ed_project_redo(project, &err));
    assert_true(ed_layers_flush(layers, &err));
    /* Others that read it see the stroke, and the history outlives the tool. */
    near(middle_of(project, path), 1, 1e-4);
    ed_layers_release(layers);
    assert_true(ed_project_undo(project, &err));
    assert_true(ed_layers_flush(layers, &err));
    near(middle_of(project, path), 0, 1e-4);
    ed_project_destroy(project);
}

TEST_GROUP(begin_folder, end_folder);
