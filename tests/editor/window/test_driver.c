/* The driver itself, with a program that stands in for the editor. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include "tests/editor/window/support.h"
#include "tests/support/test.h"

static struct driver *driver;
static char folder[64];

FIXTURE(make_folder)
{
    snprintf(folder, sizeof folder, "/tmp/orograph-driver-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *at(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

FIXTURE(remove_folder)
{
    static const char *const names[] = {"a.png", "b.png", "a.png.difference.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(at(names[i]));
    return rmdir(folder);
}

static void start(const char *argument)
{
    const char *const args[] = {argument, NULL};
    /* Leaks of the stand-in do not matter, and looking for them fails when libraries end threads. */
    static const char *const environment[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
    driver = drive_start(&(struct drive_options){
        .program = WINDOW_STAND_IN_PROGRAM, .args = args, .env = environment, .width = 640, .height = 480});
}

FIXTURE(stop)
{
    drive_stop(driver);
    driver = NULL;
    return 0;
}

static void use_mouse(void)
{
    drive_click(driver, "button:One");
    assert_string_equal(drive_state(driver, "clicks"), "1");
    drive_click_with(driver, "5,200", 3, "ctrl");
    assert_string_equal(drive_state(driver, "rights"), "1");
    drive_right_click(driver, "5,201");
    assert_string_equal(drive_state(driver, "rights"), "1");
    drive_wheel(driver, "node:box", 3);
    drive_wheel(driver, "node:box", -1);
    assert_string_equal(drive_state(driver, "zoom"), "2");
    struct drive_rect before = drive_find(driver, "node:box");
    drive_drag(driver, "node:box@0.25,0.5", "node:box+100,-30", 1, NULL);
    struct drive_rect after = drive_find(driver, "node:box");
    assert_int_equal(after.x - before.x, before.w / 2 + 100 - before.w / 4);
    assert_int_equal(after.y - before.y, -30);
}

TEST_WITH(the_mouse_does_what_it_is_told, NULL, stop)
{
    start("--usual");
    use_mouse();
    drive_double_click(driver, "button:One");
    assert_string_equal(drive_state(driver, "doubles"), "1");
}

TEST_WITH(a_slow_program_misses_nothing, NULL, stop)
{
    start("--slow");
    use_mouse();
    drive_key(driver, "ctrl+z");
    assert_string_equal(drive_state(driver, "undone"), "1");
}

TEST_WITH(the_keyboard_does_what_it_is_told, NULL, stop)
{
    start("--usual");
    drive_key(driver, "ctrl+z");
    drive_key(driver, "z");
    assert_string_equal(drive_state(driver, "undone"), "1");
    drive_type(driver, " Hello, \"Alps\" (2)_x=1.5/3?");
    assert_string_equal(drive_state(driver, "text"), "z Hello, \"Alps\" (2)_x=1.5/3?");
}

TEST_WITH(conditions_are_told_apart, NULL, stop)
{
    start("--usual");
    assert_true(drive_is(driver, "idle") && drive_is(driver, "node:box") && !drive_is(driver, "!node:box"));
    assert_true(drive_is(driver, "!button:Off") && !drive_is(driver, "button:Off"));
    assert_true(drive_is(driver, "!button:Two") && !drive_is(driver, "button:Two"));
    assert_true(drive_is(driver, "clicks=0") && !drive_is(driver, "clicks!=0") &&
                drive_is(driver, "none!=0"));
    assert_true(drive_is(driver, "zoom<1") && drive_is(driver, "zoom<=0") && drive_is(driver, "zoom>-1"));
    assert_false(drive_is(driver, "zoom>0") || drive_is(driver, "zoom>=1") || drive_is(driver, "none<1"));
    assert_false(drive_try(driver, "clicks=1", 0.2));
}

TEST_WITH(pictures_are_those_of_the_screen, NULL, stop)
{
    start("--usual");
    drive_settle(driver, 20);
    drive_screenshot(driver, at("a.png"));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, at("a.png")));
    assert_int_equal(image.width, 640);
    assert_int_equal(image.height, 480);
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    const unsigned char background[] = {30, 60, 90}, box[] = {10, 220, 120};
    assert_memory_equal(pixels + 3 * (479 * 640 + 639), background, 3);
    assert_memory_equal(pixels + 3 * (150 * 640 + 240), box, 3);
    free(pixels);
    drive_screenshot(driver, at("b.png"));
    assert_true(drive_compare(at("a.png"), at("b.png"), 0, 0));
    drive_drag(driver, "node:box", "node:box+10,0", 1, NULL);
    drive_settle(driver, 20);
    drive_screenshot(driver, at("a.png"));
    assert_false(drive_compare(at("a.png"), at("b.png"), 8, 0.003)); /* 2 * 10 * 60 of 307200 pixels */
    assert_true(drive_compare(at("a.png"), at("b.png"), 8, 0.004));
    assert_true(drive_compare(at("a.png"), at("b.png"), 160, 0));
    setenv("OROGRAPH_UPDATE_PICTURES", "1", 1);
    assert_true(drive_compare(at("a.png"), at("b.png"), 0, 0));
    unsetenv("OROGRAPH_UPDATE_PICTURES");
    assert_true(drive_compare(at("a.png"), at("b.png"), 0, 0));
    assert_false(drive_compare(at("none.png"), at("b.png"), 0, 0));
}

TEST_WITH(programs_end_and_start_again, NULL, stop)
{
    start("--usual");
    drive_click(driver, "button:One");
    int first = drive_pid(driver);
    drive_kill(driver);
    assert_false(drive_running(driver));
    drive_restart(driver, NULL);
    assert_int_not_equal(drive_pid(driver), first);
    assert_string_equal(drive_state(driver, "clicks"), "0");
    drive_click(driver, "button:One");
    assert_string_equal(drive_state(driver, "clicks"), "1");
    bool by_itself = drive_stop(driver);
    driver = NULL;
    assert_true(by_itself);
}

TEST_NEEDS(window_can_run);
TEST_GROUP(make_folder, remove_folder);
