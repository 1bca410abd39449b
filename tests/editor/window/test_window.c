/* The window opens, shows its menus, and closes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/editor/driver.h"

static const char *const no_tour[] = {"--no-tour", NULL};
static struct driver *driver;

static int start(void **state)
{
    (void)state;
    driver = drive_start(&(struct drive_options){.args = no_tour});
    return 0;
}

static int stop(void **state)
{
    (void)state;
    drive_stop(driver);
    driver = NULL;
    return 0;
}

static void the_menu_closes_the_window(void **state)
{
    (void)state;
    drive_click(driver, "menu:File");
    drive_click(driver, "menu:quit");
    assert_int_equal(drive_ended(driver, 30), 0);
}

static void keys_close_the_window(void **state)
{
    (void)state;
    drive_key(driver, "ctrl+q");
    assert_int_equal(drive_ended(driver, 30), 0);
}

static void it_opens_again(void **state)
{
    (void)state;
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

int main(void)
{
    if (system("command -v Xvfb xdotool > /dev/null") != 0)
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_menu_closes_the_window, start, stop),
        cmocka_unit_test_setup_teardown(keys_close_the_window, start, stop),
        cmocka_unit_test_setup_teardown(it_opens_again, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
