/* What is painted belongs to the document: it is saved and discarded with it, recovered, undone, and seen by
 * all that is computed, while the file of the layer is as it was saved. */
#include "tests/editor/window/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"mask\" type=\"import\" x=\"40\" y=\"40\">\n"
                               "    <in name=\"file\" value=\"paint.layers/mask.png\"/>\n"
                               "    <in name=\"high\" value=\"1\"/>\n"
                               "  </node>\n"
                               "  <node id=\"out\" type=\"export\" x=\"400\" y=\"40\">\n"
                               "    <in name=\"terrain\" from=\"mask.terrain\"/>\n"
                               "    <in name=\"file\" value=\"built.png\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

static void make_layer(const char *path)
{
    static float data[64 * 64];
    struct oro_error err = {0};
    struct oro_heightfield field = {.width = 64, .height = 64, .data = data, .cell = 156.25, .metres = true};
    struct oro_write_options options = {.has_range = true, .high = 1, .not_terrain = true};
    char command[300];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s')\"", path);
    assert_int_equal(system(command), 0);
    if (!oro_heightfield_write(path, &field, &options, &err))
        fail_msg("%s", err.text);
}

/* With the layer chosen, in the view, and the brush in the hand. */
static void take_brush(void)
{
    drive_wait(driver, "nodes=2", 20);
    drive_click(driver, "title:mask");
    drive_key(driver, "v");
    window_wait_picture(driver);
    drive_click(driver, "button:brush");
    drive_wait(driver, "painted!=", 10);
}

FIXTURE(start)
{
    const char *layer = window_path("paint.layers/mask.png");
    window_write(window_path("paint.oro"), document);
    make_layer(layer);
    window_copy(layer, window_path("before.png"));
    driver = window_start(window_path("paint.oro"));
    take_brush();
    return 0;
}

static void stroke(void)
{
    char other[100];
    snprintf(other, sizeof other, "painted!=%s", drive_state(driver, "painted"));
    drive_drag(driver, "view:0@0.45,0.4", "view:0@0.55,0.6", 1, NULL);
    drive_wait(driver, other, 10);
    drive_wait(driver, "undo=brush stroke", 10);
    drive_wait(driver, "idle", 60);
}

static void press(const char *keys, const char *what)
{
    drive_move(driver, "canvas@0.5,0.97");
    drive_key(driver, keys);
    drive_wait(driver, what, 10);
    drive_wait(driver, "idle", 60);
}

/* Of a file, at shares of its sides. */
static float value_at(const char *path, double x, double y)
{
    struct oro_error err = {0};
    struct oro_heightfield field = {0};
    struct oro_read_options options = {.has_range = true, .high = 1, .no_sidecar = true};
    if (!oro_heightfield_read(path, &options, &field, &err))
        fail_msg("%s", err.text);
    float value = field.data[(int)(y * field.height) * field.width + (int)(x * field.width)];
    oro_heightfield_free(&field);
    return value;
}

static bool is_painted(const char *path)
{
    return value_at(path, 0.5, 0.5) > 0.3f;
}

static void expect_file_as_before(void)
{
    window_assert_same(window_path("paint.layers/mask.png"), window_path("before.png"));
}

static void expect_nothing_left(void)
{
    char command[300];
    snprintf(command, sizeof command,
             "test -z \"$(find '%s/state/orograph' -type f ! -path '*/views/*' 2>/dev/null)\"",
             window_path("home"));
    assert_int_equal(system(command), 0);
}

static void leave(const char *answer)
{
    drive_key(driver, "ctrl+q");
    if (answer) {
        drive_wait(driver, "asking=1", 10);
        drive_click(driver, answer);
    }
    assert_int_equal(drive_ended(driver, 20), 0);
    expect_nothing_left();
}

TEST_WITH(discarding_takes_strokes_back, start, stop)
{
    stroke();
    drive_wait(driver, "changed=1", 10);
    expect_file_as_before();
    leave("button:Discard");
    expect_file_as_before();
}

TEST_WITH(opening_another_document_discards, start, stop)
{
    stroke();
    drive_key(driver, "ctrl+n");
    drive_wait(driver, "asking=1", 10);
    drive_click(driver, "button:Discard");
    drive_wait(driver, "nodes=0", 10);
    expect_file_as_before();
    leave(NULL);
}

TEST_WITH(saving_writes_strokes, start, stop)
{
    stroke();
    expect_file_as_before();
    press("ctrl+s", "changed=0");
    assert_true(is_painted(window_path("paint.layers/mask.png")));
    leave(NULL);
    assert_true(is_painted(window_path("paint.layers/mask.png")));
}

TEST_WITH(undo_goes_across_saving, start, stop)
{
    char clean[100], painted[100];
    snprintf(clean, sizeof clean, "painted=%s", drive_state(driver, "painted"));
    stroke();
    snprintf(painted, sizeof painted, "painted=%s", drive_state(driver, "painted"));
    press("ctrl+z", clean);
    assert_string_equal(drive_state(driver, "changed"), "0");
    expect_file_as_before();
    press("ctrl+shift+z", painted);
    assert_string_equal(drive_state(driver, "changed"), "1");
    expect_file_as_before();
    press("ctrl+s", "changed=0");
    window_copy(window_path("paint.layers/mask.png"), window_path("saved.png"));
    press("ctrl+z", clean);
    assert_string_equal(drive_state(driver, "changed"), "1");
    window_assert_same(window_path("paint.layers/mask.png"), window_path("saved.png"));
    press("ctrl+shift+z", painted);
    assert_string_equal(drive_state(driver, "changed"), "0");
    press("ctrl+z", clean);
    press("ctrl+s", "changed=0");
    assert_false(is_painted(window_path("paint.layers/mask.png")));
    leave(NULL);
}

static bool is_copied(void)
{
    char command[300];
    snprintf(command, sizeof command, "grep -qs mask.png '%s'/state/orograph/recovery/*.json",
             window_path("home"));
    return system(command) == 0;
}

TEST_WITH(strokes_are_recovered, start, stop)
{
    static const char *const args[] = {"--no-tour", NULL};
    stroke();
    for (int i = 0; i < 400 && !is_copied(); i++)
        window_pause(0.1);
    drive_kill(driver);
    expect_file_as_before();
    drive_restart(driver, args);
    drive_wait(driver, "recover:0", 20);
    drive_click(driver, "recover:0");
    drive_wait(driver, "changed=1", 20);
    take_brush();
    expect_file_as_before();
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    assert_true(is_painted(window_path("paint.layers/mask.png")));
    leave(NULL);
}

/* The session ends while the stroke is still on its way to the disk; strokes after the recovery count, too.
 */
TEST_WITH(a_signal_keeps_strokes, start, stop)
{
    static const char *const args[] = {"--no-tour", NULL};
    drive_drag(driver, "view:0@0.45,0.4", "view:0@0.55,0.6", 1, NULL);
    kill(drive_pid(driver), SIGTERM);
    assert_int_equal(drive_ended(driver, 20), 0);
    expect_file_as_before();
    drive_restart(driver, args);
    drive_wait(driver, "recover:0", 20);
    drive_click(driver, "recover:0");
    drive_wait(driver, "changed=1", 20);
    take_brush();
    drive_drag(driver, "view:0@0.6,0.3", "view:0@0.65,0.3", 1, NULL);
    kill(drive_pid(driver), SIGTERM);
    assert_int_equal(drive_ended(driver, 20), 0);
    drive_restart(driver, args);
    drive_wait(driver, "recover:0", 20);
    assert_true(drive_is(driver, "!recover:1"));
    drive_click(driver, "recover:0");
    drive_wait(driver, "changed=1", 20);
    take_brush();
    press("ctrl+s", "changed=0");
    const char *layer = window_path("paint.layers/mask.png");
    assert_true(is_painted(layer));
    assert_true(value_at(layer, 0.75, 0.3) > 0.3f); /* the map is a square in the middle of the view */
    leave(NULL);
}

TEST_WITH(builds_see_strokes, start, stop)
{
    stroke();
    drive_key(driver, "ctrl+b");
    drive_wait(driver, "dialog=build", 10);
    drive_click(driver, "build:start");
    drive_wait(driver, "build=done", 60);
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    const char *built = window_path("built.png");
    assert_true(value_at(built, 0.5, 0.5) > value_at(built, 0.05, 0.05) + 0.3f);
    expect_file_as_before();
    leave("button:Discard");
    expect_file_as_before();
}

/* A new layer has no file before the document names it on the disk. */
TEST_WITH(new_layers_are_saved_with_the_document, start, stop)
{
    drive_click(driver, "button:new-layer");
    drive_click(driver, "layer-name");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "meadow");
    drive_click(driver, "button:create-layer");
    drive_wait(driver, "nodes=3", 10);
    drive_wait(driver, "idle", 60);
    stroke();
    assert_false(window_exists(window_path("paint.layers/meadow.png")));
    window_save_as(driver, window_path("own.oro"));
    drive_wait(driver, "changed=0", 10);
    assert_true(is_painted(window_path("own.layers/meadow.png")));
    assert_false(window_exists(window_path("paint.layers/meadow.png")));
    expect_file_as_before();
    leave(NULL);
}

TEST_GROUP(window_make_folder, window_remove_folder);
