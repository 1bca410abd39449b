/* Brushes, the files of layers, and strokes in the history. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "editor/view/layers.h"
#include "graph/registry.h"

enum { WIDTH = 64, HEIGHT = 48 };
static float data[WIDTH * HEIGHT];

static struct ed_canvas_raster raster(float fill)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        data[i] = fill;
    return (struct ed_canvas_raster){WIDTH, HEIGHT, 10, 0, 1, data};
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

static void painting(void **state)
{
    (void)state;
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

static void shaping(void **state)
{
    (void)state;
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
static void edges(void **state)
{
    (void)state;
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

static void patches(void **state)
{
    (void)state;
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

static void names(void **state)
{
    (void)state;
    char *name = ed_layer_name("/some/where/alps.oro", "mask");
    assert_string_equal(name, "alps.layers/mask.png");
    assert_true(ed_is_layer_name(name));
    assert_false(ed_is_layer_name("dem.png"));
    assert_false(ed_is_layer_name(NULL));
    oro_free(name);
}

static void in_history(void **state)
{
    (void)state;
    char folder[] = "/tmp/orograph-paint-XXXXXX", path[200], sidecar[220];
    struct oro_error err = {0};
    struct ed_brush brush = {ED_BRUSH_PAINT, 60, 1, 0.3f, 0};
    struct ed_stroke stroke;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.layers/mask.png", folder);
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    const struct oro_grid grid = {.width = WIDTH, .height = HEIGHT, .cell = 640.0 / WIDTH};
    assert_true(ed_layer_write_new(path, &grid, 0, 1, 0, &err));
    struct ed_project *project = ed_project_create(&oro_builtin_nodes, &err);
    struct ed_layers *layers = ed_layers_create();
    struct ed_layer *layer = ed_layers_open(layers, path, 0, 1, 640, &err);
    assert_non_null(layer);
    near((float)layer->raster.cell, 10, 1e-6);
    strike(&brush, &layer->raster, &stroke);
    ed_layer_changed(layers, layer);
    assert_true(ed_layer_did(layers, layer, &stroke, 640, project, &err));
    ed_stroke_free(&stroke);
    size_t middle = 24 * WIDTH + 25;
    near(layer->raster.data[middle], 1, 1e-6);
    assert_string_equal(ed_project_undo_name(project), "brush stroke");
    assert_true(ed_project_undo(project, &err));
    near(layer->raster.data[middle], 0, 0);
    assert_true(ed_project_redo(project, &err));
    assert_true(ed_layers_flush(layers, &err));
    /* Others that open the file see it, and the history outlives who painted. */
    struct ed_layers *fresh = ed_layers_create();
    struct ed_layer *again = ed_layers_open(fresh, path, 0, 1, 640, &err);
    assert_non_null(again);
    near(again->raster.data[middle], 1, 1e-4);
    ed_layers_release(fresh);
    ed_layers_release(layers);
    assert_true(ed_project_undo(project, &err));
    ed_project_destroy(project);
    fresh = ed_layers_create();
    again = ed_layers_open(fresh, path, 0, 1, 640, &err);
    near(again->raster.data[middle], 0, 1e-4);
    ed_layers_release(fresh);
    unlink(path);
    unlink(sidecar);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(painting), cmocka_unit_test(shaping),
                                       cmocka_unit_test(edges),    cmocka_unit_test(patches),
                                       cmocka_unit_test(names),    cmocka_unit_test(in_history)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
