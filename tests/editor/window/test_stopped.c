/* What was stopped says so, in the view and in the status line, and goes on when it is told to. */
#include "tests/editor/window/fixture.h"

static void halt(void)
{
    drive_wait(driver, "live=busy", 20);
    drive_move(driver, "view:0");
    drive_key(driver, "Escape");
    drive_wait(driver, "short=stopped", 20);
    drive_wait(driver, "resume:0", 20);
    assert_string_equal(drive_state(driver, "live"), "idle");
}

TEST_WITH(a_stopped_result_can_be_resumed, NULL, stop)
{
    window_write(window_path("long.oro"), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                          "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                                          "  <world resolution=\"512\"/>\n"
                                          "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                                          "  <node id=\"worn\" type=\"fluvial_erosion\" x=\"300\" y=\"40\">\n"
                                          "    <in name=\"terrain\" from=\"hills.field\"/>\n"
                                          "    <in name=\"iterations\" value=\"100000\"/>\n"
                                          "  </node>\n"
                                          "</orograph>\n");
    driver = window_start(window_path("long.oro"));
    halt();
    drive_click(driver, "resume:0");
    halt();
    drive_key(driver, "ctrl+r");
    drive_wait(driver, "live=busy", 20);
    drive_wait(driver, "!resume:0", 20);
    assert_string_equal(drive_state(driver, "changed"), "0");
    halt();
    drive_click(driver, "title:worn"); /* an edit begins anew */
    drive_key(driver, "m");
    drive_wait(driver, "idle", 60);
    assert_string_equal(drive_state(driver, "short"), "");
}

TEST_GROUP(window_make_folder, window_remove_folder);
