/* Pictures of the view, films around it, and the light in depth, which is kept. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FIXTURE(start)
{
    driver = window_start_mountains("mountains.oro");
    drive_move(driver, "view:0");
    drive_key(driver, "3");
    drive_wait(driver, "view0_depth=1", 10);
    return 0;
}

static int number_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

static void assert_png(const char *path, int width, int height)
{
    size_t size;
    char *bytes = window_read(path, &size);
    assert_true(size > 24 && memcmp(bytes + 1, "PNG", 3) == 0);
    assert_int_equal(number_at(bytes + 16), width);
    assert_int_equal(number_at(bytes + 20), height);
    free(bytes);
}

static void choose_size(const char *size)
{
    char item[60];
    snprintf(item, sizeof item, "picture-size:%s", size);
    drive_wait(driver, "combo:picture-size", 10);
    drive_click(driver, "combo:picture-size");
    drive_click(driver, item);
    snprintf(item, sizeof item, "!picture-size:%s", size);
    drive_wait(driver, item, 10);
}

TEST_WITH(pictures_have_the_size_that_was_asked_for, start, stop)
{
    const char *square = window_path("square.png"), *own = window_path("own.png");
    drive_key(driver, "F12");
    choose_size("Square"); /* of four tiles */
    drive_key(driver, "Return");
    window_choose_path(driver, square);
    drive_wait(driver, "picture=", 120);
    assert_png(square, 2048, 2048);
    /* From above, an odd size, without the legend. */
    drive_key(driver, "3");
    drive_wait(driver, "view0_depth=0", 10);
    drive_key(driver, "F12");
    choose_size("Own size");
    window_type_number(driver, "picture:width", "1333");
    window_type_number(driver, "picture:height", "77");
    drive_click(driver, "picture:annotated");
    drive_click(driver, "button:Save picture");
    window_choose_path(driver, own);
    drive_wait(driver, "picture=", 60);
    assert_png(own, 1333, 77);
    /* Escape leaves the dialog alone. */
    drive_key(driver, "F12");
    drive_wait(driver, "picture:cancel", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "!picture:cancel", 10);
    assert_true(drive_is(driver, "picture="));
}

static char *frame_of(const char *film, int number)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/frame-%04d.png", film, number);
    return path;
}

static void film(const char *folder, const char *frames)
{
    drive_key(driver, "shift+F12");
    choose_size("Own size");
    window_type_number(driver, "picture:frames", frames);
    window_type_number(driver, "picture:width", "64");
    window_type_number(driver, "picture:height", "48");
    drive_click(driver, "button:Save film");
    window_choose_path(driver, folder);
}

TEST_WITH(films_go_once_around, start, stop)
{
    /* Nothing in a name is for a shell. */
    const char *whole = window_path("a film; of $HOME"), *part = window_path("stopped");
    film(whole, "4");
    drive_wait(driver, "picture=", 120);
    for (int i = 1; i <= 4; i++)
        assert_png(frame_of(whole, i), 64, 48);
    assert_false(window_exists(frame_of(whole, 5)));
    film(part, "3000");
    for (int i = 0; !window_exists(frame_of(part, 2)); i++) {
        assert_true(i < 600);
        window_pause(0.1);
    }
    drive_click(driver, "picture:stop");
    drive_wait(driver, "picture=", 30);
    assert_false(window_exists(frame_of(part, 3000)));
    assert_png(frame_of(part, 1), 64, 48);
}

TEST_WITH(the_light_is_kept, start, stop)
{
    assert_string_equal(drive_state(driver, "view0_lighting"), "Afternoon");
    drive_key(driver, "shift+l");
    drive_wait(driver, "view0_lighting=Morning", 10);
    drive_click(driver, "button:sun");
    drive_click(driver, "combo:Lighting");
    drive_click(driver, "lighting:Golden hour");
    drive_wait(driver, "view0_lighting=Golden hour", 10);
    drive_key(driver, "Escape");
    drive_wait(driver, "!combo:Lighting", 10);
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 30), 0);
    drive_restart(driver, (const char *const[]){"--no-tour", window_path("mountains.oro"), NULL});
    drive_wait(driver, "view0_lighting=Golden hour", 20);
}

TEST_GROUP(window_make_folder, window_remove_folder);
