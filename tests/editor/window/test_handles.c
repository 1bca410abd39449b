/* Handles in the window: elevations by the knobs in depth, numbers while a handle is dragged, snapping. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char document[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "  <world extent=\"10000\" resolution=\"64\"/>\n"
    "  <node id=\"flat\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
    "  <node id=\"hills\" type=\"stream_power\" x=\"320\" y=\"40\">\n"
    "    <in name=\"terrain\" from=\"flat.field\"/>\n"
    "    <in name=\"iterations\" value=\"2\"/>\n"
    "    <in name=\"constraints\" value=\"3000 5000 700 900; 6000 4000 600, 7000 7000 600\"/>\n"
    "  </node>\n"
    "</orograph>\n";

FIXTURE(start)
{
    if (window_make_folder(state) != 0)
        return -1;
    window_open("handles.oro", document, "nodes=2");
    drive_click(driver, "node:hills@0.5,0.05");
    drive_wait(driver, "inspected=hills", 10);
    window_wait_picture(driver);
    drive_wait(driver, "idle", 60);
    return 0;
}

FIXTURE(end)
{
    stop(state);
    return window_remove_folder(state);
}

/* The numbers of a point: which of "x y elevation radius". */
static double number_of(const char *text, int vertex, int which)
{
    for (; vertex > 0; vertex--)
        text += strcspn(text, ",;") + 1;
    double number = 0;
    for (int i = 0; i <= which; i++) {
        char *end = NULL;
        number = strtod(text, &end);
        text = end;
    }
    return number;
}

static double value(int vertex, int which)
{
    return number_of(drive_state(driver, "value:constraints"), vertex, which);
}

TEST(numbers_are_told_and_ctrl_snaps)
{
    char grabbed[80];
    struct drive_rect at = drive_find(driver, "handle:hills.constraints.1");
    snprintf(grabbed, sizeof grabbed, "%d,%d", at.x + at.w / 2 + 41, at.y + at.h / 2 + 23);
    drive_drag(driver, "handle:hills.constraints.1", grabbed, 1, NULL);
    drive_wait(driver, "undo=move handle", 10);
    assert_non_null(strstr(drive_state(driver, "handle"), "above the ground"));
    assert_true(value(1, 0) != 6000 && value(1, 2) == 600);
    window_undo_to(driver, "value:constraints=3000 5000 700 900; 6000 4000 600, 7000 7000 600");

    /* The key is pressed once the handle is held: with Ctrl, a press on a line adds a point. */
    drive_hold(driver, "handle:hills.constraints.1", grabbed);
    drive_wait(driver, "hint!=", 10);
    assert_non_null(strstr(drive_state(driver, "hint"), "Ctrl snaps to"));
    assert_non_null(strstr(drive_state(driver, "handle"), "moved"));
    snprintf(grabbed, sizeof grabbed, "%d,%d", at.x + at.w / 2 + 48, at.y + at.h / 2 + 28);
    drive_let_go(driver, grabbed, "ctrl");
    drive_wait(driver, "undo=move handle", 10);
    drive_wait(driver, "hint=", 10);
    assert_true((long)value(1, 0) % 100 == 0 && (long)value(1, 1) % 100 == 0);
    window_undo_to(driver, "value:constraints=3000 5000 700 900; 6000 4000 600, 7000 7000 600");
}

TEST(elevations_are_set_upright_in_depth)
{
    drive_move(driver, "view:0");
    assert_false(drive_is(driver, "lift:hills.constraints.0")); /* only in depth */
    drive_key(driver, "3");
    drive_wait(driver, "lift:hills.constraints.0", 20);
    assert_true(drive_is(driver, "lift:hills.constraints.2")); /* of a line, too */
    drive_wait(driver, "idle", 60);
    drive_drag(driver, "lift:hills.constraints.0", "lift:hills.constraints.0+0,-40", 1, NULL);
    drive_wait(driver, "undo=raise point", 10);
    double high = value(0, 2);
    assert_true(high > 800 && value(0, 0) == 3000 && value(0, 1) == 5000 && value(0, 3) == 900);
    drive_wait(driver, "idle", 60);
    /* The knob follows the hand: as far down as it went up. */
    drive_drag(driver, "lift:hills.constraints.0", "lift:hills.constraints.0+0,40", 1, NULL);
    drive_wait(driver, "undo=raise point", 10);
    assert_float_equal(value(0, 2), 700, (high - 700) / 4);
}

TEST_GROUP(start, end);
