/* The window opens, shows its menus, and closes. */
#include <stdint.h>
#include <stdlib.h>

#include "tests/editor/window/support.h"
#include "tests/support/test.h"

static const char *const no_tour[] = {"--no-tour", NULL};
static struct driver *driver;

FIXTURE(start)
{
    driver = drive_start(&(struct drive_options){.args = no_tour, .unpainted = true});
    return 0;
}

FIXTURE(stop)
{
    drive_stop(driver);
    driver = NULL;
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

TEST_NEEDS(window_can_run);
