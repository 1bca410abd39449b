/* The window opens, shows its menus, and closes. */
#include <stdint.h>
#include <stdlib.h>

#include "tests/editor/window/fixture.h"
#include "tests/support/test.h"

static const char *const no_tour[] = {"--no-tour", NULL};

FIXTURE(start)
{
    driver = drive_start(&(struct drive_options){.args = no_tour, .unpainted = true});
    return 0;
}

TEST_WITH(the_menu_closes_the_window, start, stop)
{
    drive_click(driver, "menu:File");
    drive_click(driver, "menu:quit");
    assert_int_equal(drive_ended(driver, 30), 0);
}

TEST_WITH(keys_close_the_window, start, stop)
{
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 30), 0);
}

TEST_WITH(it_opens_again, start, stop)
{
    drive_click(driver, "menu:File");
    drive_wait(driver, "menu:quit", 30);
    drive_click(driver, "640,400"); /* elsewhere */
    drive_wait(driver, "!menu:quit", 30);
    drive_kill(driver);
    drive_restart(driver, no_tour);
    drive_wait(driver, "menu:File", 30);
    assert_true(drive_stop(driver));
    driver = NULL;
}

/* The start screen finds scripts and graphs by words of theirs. */
TEST_WITH(examples_are_found, start, stop)
{
    if (drive_is(driver, "start=0"))
        drive_fail(driver, "there is no start screen");
    drive_click(driver, "start:scripts");
    drive_wait(driver, "lua:crater_field", 10);
    drive_click(driver, "start:search");
    drive_type(driver, "dunes");
    drive_wait(driver, "lua:dunes", 10);
    assert_true(drive_is(driver, "!lua:crater_field"));
    drive_click(driver, "lua:dunes");
    drive_wait(driver, "node:sand", 20);
    drive_wait(driver, "start=0", 10);
}

/* Dialogs are brought back into a window that was made smaller. */
TEST_WITH(dialogs_stay_inside, start, stop)
{
    enum { WIDTH = 640, HEIGHT = 480 };
    drive_key(driver, "ctrl+comma");
    drive_wait(driver, "window:Settings", 10);
    drive_resize(driver, WIDTH, HEIGHT);
    for (int i = 0; i < 100; i++) {
        struct drive_rect rect = drive_find(driver, "window:Settings");
        if (rect.x >= 0 && rect.y >= 0 && rect.x + rect.w <= WIDTH && rect.y + rect.h <= HEIGHT)
            return;
        window_pause(0.1);
    }
    drive_fail(driver, "the settings lie outside");
}
