/* Mountains drawn by hand, in the window: a range by one stroke, a valley through it, lines that are gone on
 * with, smoothed and erased, a painted uplift, brushes of the library dropped into the view. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FIXTURE(start)
{
    driver = window_start_mountains("strokes.oro");
    return 0;
}

static const char *const bow[] = {"view:0@0.3,0.75", "view:0@0.4,0.5", "view:0@0.55,0.45", "view:0@0.7,0.25",
                                  NULL};

/* Points of a line: commas of the text, and one more. */
static int points_of(const char *text)
{
    int count = 1;
    for (; *text; text++)
        count += *text == ',' || *text == ';';
    return count;
}

TEST_WITH(a_range_and_a_valley_are_drawn, start, stop)
{
    static const char *const across[] = {"view:0@0.3,0.3", "view:0@0.5,0.5", "view:0@0.75,0.7", NULL};
    drive_click(driver, "button:sketch");
    drive_wait(driver, "sketch-kind", 10);
    drive_stroke(driver, bow, NULL);
    drive_wait(driver, "undo=draw range", 10);
    drive_wait(driver, "inspected=range", 10);
    drive_wait(driver, "nodes=2", 10); /* the number gave way to the range */
    drive_wait(driver, "links=1", 10);
    window_wait_picture(driver);
    assert_in_range(points_of(drive_state(driver, "value:curve")), 3, 14);

    window_choose(driver, "sketch-kind", "Valley");
    drive_stroke(driver, across, NULL);
    drive_wait(driver, "undo=draw valley", 10);
    drive_wait(driver, "nodes=4", 10); /* with the uplift_combine that carves it */
    drive_wait(driver, "links=3", 10);
    drive_wait(driver, "inspected=valley", 10);
    drive_wait(driver, "idle", 60);
    drive_click(driver, "node:uplift_combine");
    drive_wait(driver, "value:method=carve", 10);

    window_undo_to(driver, "nodes=2");
    window_undo_to(driver, "nodes=1");
    assert_string_equal(drive_state(driver, "changed"), "0");
    assert_int_equal(window_redo_all(driver), 2);
    drive_wait(driver, "nodes=4", 10);
}

TEST_WITH(lines_are_gone_on_with_smoothed_and_erased, start, stop)
{
    static const char *const on[] = {"line:0.end", "view:0@0.8,0.4", "view:0@0.85,0.7", NULL};
    static const char *const over[] = {"view:0@0.52,0.4", "view:0@0.58,0.5", NULL};
    char before[400];
    drive_key(driver, "d");
    drive_stroke(driver, bow, NULL);
    drive_wait(driver, "undo=draw range", 10);
    drive_wait(driver, "inspected=range", 10);
    snprintf(before, sizeof before, "value:curve!=%s", drive_state(driver, "value:curve"));

    drive_stroke(driver, on, NULL);
    drive_wait(driver, "undo=extend range", 10);
    drive_wait(driver, before, 10);
    drive_wait(driver, "nodes=2", 10);
    drive_wait(driver, "lines=1", 10);

    snprintf(before, sizeof before, "value:curve!=%s", drive_state(driver, "value:curve"));
    drive_stroke(driver, over, "shift");
    drive_wait(driver, "undo=smooth line", 10);
    drive_wait(driver, before, 10);
    drive_wait(driver, "lines=1", 10);

    drive_stroke(driver, over, "ctrl");
    drive_wait(driver, "undo=erase line", 10);
    drive_wait(driver, "lines=2", 10); /* one left of it, one right */
    assert_non_null(strchr(drive_state(driver, "value:curve"), ';'));

    /* Escape takes a stroke back; what is left of a tool goes with the next Escape. */
    window_undo_to(driver, "undo=smooth line");
    window_undo_to(driver, "undo=extend range");
    window_undo_to(driver, "undo=draw range");
    drive_wait(driver, "lines=1", 10);
    assert_int_equal(window_redo_all(driver), 3);
    drive_wait(driver, "lines=2", 10);
}

TEST_WITH(rivers_and_folds_are_drawn, start, stop)
{
    static const char *const down[] = {"view:0@0.5,0.5", "view:0@0.6,0.65", "view:0@0.65,0.9", NULL};
    drive_click(driver, "button:sketch");
    window_choose(driver, "sketch-kind", "River");
    drive_stroke(driver, down, NULL);
    drive_wait(driver, "undo=draw river", 10);
    drive_click(driver, "title:mountains");
    drive_wait(driver, "value:constraints!=", 10);
    drive_wait(driver, "nodes=1", 10);
    window_choose(driver, "sketch-kind", "Fold axis");
    drive_stroke(driver, bow, NULL);
    drive_wait(driver, "undo=draw fold axis", 10);
    drive_wait(driver, "nodes=4", 10); /* the axis, the folds that follow it, and the belt that they are in */
    drive_wait(driver, "links=4", 10);
    drive_wait(driver, "lines=1", 10);
    drive_stroke(driver, down, NULL);
    drive_wait(driver, "lines=2", 10); /* another axis for the same folds */
    window_choose(driver, "sketch-kind", "Range");
    drive_wait(driver, "lines=0", 10); /* the belt is none */
    window_choose(driver, "sketch-kind", "Fold axis");
    drive_wait(driver, "lines=2", 10);
    window_wait_picture(driver);
    drive_stroke(driver, bow, "ctrl");
    drive_wait(driver, "lines=1", 10);
    drive_stroke(driver, down, "ctrl"); /* the last one: nothing is left to follow */
    drive_wait(driver, "lines=0", 10);
    window_wait_picture(driver);
    drive_wait(driver, "nodes=3", 10);
    window_undo_to(driver, "lines=1");
    window_undo_to(driver, "lines=2");
    window_undo_to(driver, "lines=1");
    window_undo_to(driver, "nodes=1");
    window_undo_to(driver, "changed=0");
}

TEST_WITH(lines_are_drawn_in_depth_and_taken_back, start, stop)
{
    char before[80];
    drive_click(driver, "button:depth");
    drive_wait(driver, "view0_depth=1", 10);
    drive_wait(driver, "sharp=1", 60);
    drive_click(driver, "button:sketch");
    window_choose(driver, "sketch-vary", "By speed");
    drive_stroke(driver, bow, NULL);
    drive_wait(driver, "undo=draw range", 10);
    drive_wait(driver, "inspected=range", 10);
    window_wait_picture(driver);
    /* The hand's speed varies, and with it the width: a fourth number. */
    assert_non_null(strstr(drive_state(driver, "value:curve"), " 0 "));
    drive_wait(driver, "value:radius_profile=0 1, 1 1", 10);
    snprintf(before, sizeof before, "revision=%s", drive_state(driver, "revision"));
    drive_click(driver, "view:0@0.9,0.9"); /* a click is no line */
    drive_wait(driver, before, 10);
    drive_key(driver, "Escape"); /* puts the pen away */
    drive_wait(driver, "!sketch-kind", 10);
}

static void wanted_at(double x, double y)
{
    char *after;
    double got = strtod(drive_state(driver, "value:centre"), &after), south = strtod(after, NULL);
    if (!(got > x - 600 && got < x + 600 && south > y - 600 && south < y + 600))
        drive_fail(driver, "the centre is at %g %g", got, south);
}

TEST_WITH(brushes_are_dropped_where_they_fall, start, stop)
{
    char changed[80];
    drive_click(driver, "palette");
    drive_type(driver, "fold belt");
    drive_drag(driver, "palette:brush_folds.oro", "view:0@0.5,0.5", 1, NULL);
    drive_wait(driver, "undo=drop uplift", 10);
    drive_wait(driver, "inspected=brush_folds", 10);
    drive_wait(driver, "nodes=2", 10);
    drive_wait(driver, "links=1", 10);
    drive_wait(driver, "handle:brush_folds.centre", 10);
    wanted_at(10000, 10000);
    /* It can be moved and turned there. */
    snprintf(changed, sizeof changed, "value:centre!=%s", drive_state(driver, "value:centre"));
    drive_drag(driver, "handle:brush_folds.centre", "handle:brush_folds.centre+40,0", 1, NULL);
    drive_wait(driver, changed, 10);
    drive_drag(driver, "handle:brush_folds.angle", "handle:brush_folds.angle+40,30", 1, NULL);
    drive_wait(driver, "value:angle!=0", 10);
    window_wait_picture(driver);

    /* A preset comes along in the same step, and the next brush lies behind the first. */
    drive_click(driver, "palette");
    drive_key(driver, "ctrl+a");
    drive_type(driver, "zagros");
    drive_drag(driver, "palette:brush_folds/zagros", "view:0@0.3,0.3", 1, NULL);
    drive_wait(driver, "inspected=brush_folds2", 10);
    drive_wait(driver, "value:rate=0.0008", 10);
    drive_wait(driver, "nodes=3", 10);
    drive_wait(driver, "links=2", 10);
    window_undo_to(driver, "nodes=2");
    assert_int_equal(window_undo_all(driver), 3);
    assert_string_equal(drive_state(driver, "changed"), "0");
    assert_int_equal(window_redo_all(driver), 4);
    drive_wait(driver, "nodes=3", 10);
}

TEST_WITH(a_layer_is_painted_as_uplift, start, stop)
{
    drive_click(driver, "button:brush");
    drive_click(driver, "button:new-layer");
    drive_click(driver, "radio:Uplift");
    drive_click(driver, "button:create-layer");
    drive_wait(driver, "undo=new layer", 10);
    drive_wait(driver, "nodes=2", 10);
    drive_wait(driver, "links=1", 10);
    drive_wait(driver, "value:high=0.001", 10);
    window_undo_to(driver, "nodes=1");

    /* A mask becomes one by a click. */
    drive_click(driver, "button:new-layer");
    drive_click(driver, "radio:Mask, 0 to 1");
    drive_click(driver, "button:create-layer");
    drive_wait(driver, "nodes=2", 10);
    drive_wait(driver, "links=0", 10);
    drive_click(driver, "button:raise-layer");
    drive_wait(driver, "undo=layer as uplift", 10);
    drive_wait(driver, "links=2", 10); /* over a remap, which makes it metres a year */
    drive_drag(driver, "view:0@0.4,0.5", "view:0@0.6,0.5", 1, NULL);
    window_wait_picture(driver);
    drive_wait(driver, "!button:raise-layer", 10);
}

TEST_GROUP(window_make_folder, window_remove_folder);
