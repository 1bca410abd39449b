/* The inspector's widgets with real input: sliders, gradients, profiles. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char document[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
                               "  <world extent=\"10000\" resolution=\"64\"/>\n"
                               "  <node id=\"hills\" type=\"noise\" x=\"40\" y=\"40\"/>\n"
                               "  <node id=\"steps\" type=\"terrace\" version=\"1\" x=\"320\" y=\"40\">\n"
                               "    <in name=\"terrain\" from=\"hills.field\"/>\n"
                               "  </node>\n"
                               "  <node id=\"paint\" type=\"colorize\" x=\"600\" y=\"40\">\n"
                               "    <in name=\"field\" from=\"steps.terrain\"/>\n"
                               "    <in name=\"colours\" value=\"0 #000000, 0.5 #808080, 1 #ffffff\"/>\n"
                               "  </node>\n"
                               "</orograph>\n";

FIXTURE(start)
{
    if (window_make_folder(state) != 0)
        return -1;
    window_open("inspector.oro", document, "nodes=3");
    drive_move(driver, "canvas@0.5,0.9");
    drive_key(driver, "Home");
    return 0;
}

FIXTURE(end)
{
    stop(state);
    return window_remove_folder(state);
}

static void choose(const char *node)
{
    char what[80];
    snprintf(what, sizeof what, "node:%s@0.5,0.1", node);
    drive_click(driver, what);
    snprintf(what, sizeof what, "inspected=%s", node);
    drive_wait(driver, what, 10);
}

/* All of the drag may lie between two frames. */
TEST(quick_drags_are_drags)
{
    choose("steps");
    drive_wait(driver, "value:sharpness=0.7", 10);
    drive_flick(driver, "input:steps.sharpness@0.7,0.5", NULL, "input:steps.sharpness@0.4,0.5");
    drive_wait(driver, "value:sharpness<0.5", 10);
    window_undo_to(driver, "value:sharpness=0.7");
    choose("paint");
    drive_flick(driver, "input:paint.colours@0.5,0.7", NULL, "input:paint.colours@0.7,0.7");
    drive_wait(driver, "value:colours!=0 #000000, 0.5 #808080, 1 #ffffff", 10);
    window_undo_to(driver, "value:colours=0 #000000, 0.5 #808080, 1 #ffffff");
}

TEST(stops_are_typed_and_removed)
{
    choose("paint");
    drive_click(driver, "input:paint.colours@0.5,0.7");
    drive_click(driver, "input:paint.colours.at");
    drive_type(driver, "0.123456");
    drive_key(driver, "Return");
    drive_wait(driver, "value:colours=0 #000000, 0.123456 #808080, 1 #ffffff", 10);
    window_undo_to(driver, "value:colours=0 #000000, 0.5 #808080, 1 #ffffff");
    drive_right_click(driver, "input:paint.colours@0.5,0.7");
    drive_wait(driver, "value:colours=0 #000000, 1 #ffffff", 10);
    assert_false(drive_is(driver, "menu:Copy value")); /* it was not for the row's menu */
    assert_false(drive_is(driver, "input:paint.colours.at"));
    window_undo_to(driver, "value:colours=0 #000000, 0.5 #808080, 1 #ffffff");
}

TEST(points_are_added_typed_and_removed)
{
    choose("steps");
    drive_double_click(driver, "input:steps.profile@0.5,0.2"); /* the second click does not remove it */
    drive_wait(driver, "value:profile!=0 0, 1 1", 10);
    drive_click(driver, "input:steps.profile.x");
    drive_type(driver, "0.25");
    drive_key(driver, "Tab");
    drive_type(driver, "0.75");
    drive_key(driver, "Return");
    drive_wait(driver, "value:profile=0 0, 0.25 0.75, 1 1", 10);
    drive_right_click(driver, "input:steps.profile@0.265,0.26");
    drive_wait(driver, "value:profile=0 0, 1 1", 10);
}

TEST(escape_closes_one_at_a_time)
{
    drive_key(driver, "ctrl+comma");
    drive_wait(driver, "dialog=settings", 10);
    drive_click(driver, "settings:preview");
    drive_key(driver, "Escape");
    drive_wait(driver, "settings:preview", 10); /* the list is gone, and it can be seen again */
    assert_true(drive_is(driver, "dialog=settings"));
    drive_key(driver, "Escape");
    drive_wait(driver, "dialog=", 10);
    drive_right_click(driver, "input:steps.sharpness");
    drive_move(driver, "menu:Link a new node...+0,22"); /* the next one, which opens */
    drive_wait(driver, "menu:hills.field", 10);
    drive_key(driver, "Escape"); /* a menu goes with what it is in: below the pointer it would open again */
    drive_wait(driver, "!menu:hills.field", 10);
    assert_true(drive_is(driver, "!menu:Copy value"));
}

TEST_GROUP(start, end);
