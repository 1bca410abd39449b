/* Parts of mountains copied in the window: a range, a valley through it, a region that is pasted twice and
 * turned, a peak; lassos, moves, cuts and what is erased; undone and redone to the byte. */
#include "tests/editor/window/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FIXTURE(start)
{
    driver = window_start_mountains("regions.oro");
    return 0;
}

static void draw_range(void)
{
    static const char *const crest[] = {"view:0@0.3,0.7", "view:0@0.4,0.5", "view:0@0.5,0.45",
                                        "view:0@0.6,0.3", NULL};
    drive_key(driver, "d");
    drive_wait(driver, "sketch-kind", 10);
    drive_stroke(driver, crest, NULL);
    drive_wait(driver, "undo=draw range", 10);
    drive_wait(driver, "inspected=range", 10);
}

/* Presses a key with the pointer over a place, and waits for the step. */
static void press_at(const char *at, const char *key, const char *step)
{
    char what[80];
    snprintf(what, sizeof what, "undo=%s", step);
    drive_move(driver, at);
    drive_key(driver, key);
    drive_wait(driver, what, 10);
}

static void select_part(void)
{
    drive_key(driver, "r");
    drive_wait(driver, "region-shape", 10);
    drive_drag(driver, "view:0@0.38,0.35", "view:0@0.54,0.6", 1, NULL);
    drive_wait(driver, "region=selected", 10);
}

static void save_as(const char *name)
{
    drive_key(driver, "ctrl+s");
    drive_wait(driver, "changed=0", 10);
    window_copy(window_path("regions.oro"), window_path(name));
}

static int places_of(const char *text)
{
    int count = text[0] != '\0';
    for (; *text; text++)
        count += *text == ';';
    return count;
}

TEST_WITH(mountains_are_made_in_ten_actions_and_undone, start, stop)
{
    static const char *const across[] = {"view:0@0.35,0.35", "view:0@0.45,0.5", "view:0@0.6,0.65", NULL};
    save_as("before.oro");
    draw_range();
    window_choose(driver, "sketch-kind", "Valley");
    drive_stroke(driver, across, NULL);
    drive_wait(driver, "undo=draw valley", 10);

    select_part();
    drive_key(driver, "ctrl+c");
    drive_wait(driver, "region=copied", 10);
    press_at("view:0@0.65,0.7", "ctrl+v", "paste region");
    drive_wait(driver, "inspected=copies", 10);
    assert_string_equal(drive_state(driver, "value:places"), "");
    drive_move(driver, "view:0@0.3,0.3");
    drive_key(driver, "ctrl+v");
    drive_wait(driver, "value:places!=", 10);
    assert_int_equal(places_of(drive_state(driver, "value:places")), 1);
    drive_wait(driver, "nodes=5", 10); /* one node has both copies */

    drive_drag(driver, "handle:copies.angle", "handle:copies.angle+60,40", 1, NULL);
    drive_wait(driver, "undo=turn copy", 10);
    drive_wait(driver, "value:angle>5", 10);
    press_at("handle:copies.places.0", "period", "turn copy");
    assert_non_null(strstr(drive_state(driver, "value:places"), " 15 1"));

    drive_key(driver, "d");
    window_choose(driver, "sketch-kind", "Peak");
    drive_click(driver, "view:0@0.5,0.3");
    drive_wait(driver, "undo=draw peak", 10);
    drive_wait(driver, "inspected=mountains", 10);
    drive_wait(driver, "lines=1", 10);
    window_wait_picture(driver);
    save_as("after.oro");

    assert_int_equal(window_undo_all(driver), 7);
    drive_wait(driver, "nodes=1", 10);
    save_as("undone.oro");
    window_assert_same(window_path("before.oro"), window_path("undone.oro"));
    assert_int_equal(window_redo_all(driver), 7);
    save_as("redone.oro");
    window_assert_same(window_path("after.oro"), window_path("redone.oro"));
}

TEST_WITH(copies_are_moved_turned_scaled_and_mirrored, start, stop)
{
    char changed[80];
    draw_range();
    select_part();
    drive_click(driver, "button:copy-region");
    drive_click(driver, "button:paste-region");
    drive_wait(driver, "inspected=copies", 10);
    drive_wait(driver, "handle:copies.to", 10);
    snprintf(changed, sizeof changed, "value:to!=%s", drive_state(driver, "value:to"));
    drive_drag(driver, "handle:copies.to", "handle:copies.to+-30,40", 1, NULL);
    drive_wait(driver, "undo=move copy", 10);
    drive_wait(driver, changed, 10);
    press_at("view:0@0.8,0.8", "m", "mirror copy");
    drive_wait(driver, "value:mirror=true", 10);
    press_at("view:0@0.8,0.8", "bracketright", "scale copy");
    drive_wait(driver, "value:scale=1.1", 10);
    press_at("view:0@0.8,0.8", "comma", "turn copy");
    drive_wait(driver, "value:angle=-15", 10);

    press_at("view:0@0.75,0.3", "ctrl+v", "paste region");
    drive_wait(driver, "value:places!=", 10);
    assert_non_null(strstr(drive_state(driver, "value:places"), " 0 1"));
    press_at("view:0@0.8,0.8", "m", "mirror copy"); /* the newest */
    assert_non_null(strstr(drive_state(driver, "value:places"), " 0 -1"));
    drive_drag(driver, "handle:copies.places.0t", "handle:copies.places.0t+50,20", 1, NULL);
    drive_wait(driver, "undo=turn copy", 10);
    snprintf(changed, sizeof changed, "value:places!=%s", drive_state(driver, "value:places"));
    drive_drag(driver, "handle:copies.places.0", "handle:copies.places.0+-20,20", 1, NULL);
    drive_wait(driver, changed, 10);
    drive_move(driver, "handle:copies.places.0");
    drive_key(driver, "Delete");
    drive_wait(driver, "value:places=", 10);
    window_undo_to(driver, "value:places!=");
}

TEST_WITH(regions_are_moved_cut_and_erased, start, stop)
{
    static const char *const around[] = {"view:0@0.4,0.35", "view:0@0.55,0.35", "view:0@0.55,0.6",
                                         "view:0@0.4,0.6",  "view:0@0.4,0.36",  NULL};
    draw_range();
    drive_key(driver, "r");
    window_choose(driver, "region-shape", "Lasso");
    drive_stroke(driver, around, NULL);
    drive_wait(driver, "region=selected", 10);
    drive_drag(driver, "view:0@0.47,0.5", "view:0@0.7,0.6", 1, NULL);
    drive_wait(driver, "undo=move region", 10);
    drive_wait(driver, "value:cut=true", 10);
    assert_string_equal(drive_state(driver, "value:region"), "polygon");
    assert_in_range(places_of(drive_state(driver, "value:polygon")), 1, 1);
    window_wait_picture(driver);

    /* Another selection, cut: the paste brings it back by the same node. */
    window_choose(driver, "region-shape", "Ellipse");
    drive_drag(driver, "view:0@0.3,0.55", "view:0@0.4,0.8", 1, NULL);
    drive_wait(driver, "region=selected", 10);
    press_at("view:0@0.8,0.3", "ctrl+x", "cut region");
    drive_wait(driver, "inspected=copies2", 10);
    drive_wait(driver, "value:paste=false", 10);
    press_at("view:0@0.8,0.3", "ctrl+v", "paste region");
    drive_wait(driver, "value:paste=true", 10);
    drive_wait(driver, "nodes=4", 10);

    drive_drag(driver, "view:0@0.5,0.2", "view:0@0.7,0.45", 1, NULL);
    drive_wait(driver, "region=selected", 10);
    press_at("view:0@0.6,0.3", "Delete", "erase region");
    drive_wait(driver, "inspected=copies3", 10);
    assert_string_equal(drive_state(driver, "value:paste"), "false");
    window_wait_picture(driver);
    assert_int_equal(window_undo_all(driver), 5);
    assert_string_equal(drive_state(driver, "changed"), "0");
}

TEST_WITH(regions_are_copied_in_depth, start, stop)
{
    char changed[80];
    draw_range();
    drive_key(driver, "r");
    drive_key(driver, "3");
    drive_wait(driver, "view0_depth=1", 10);
    window_wait_picture(driver);
    drive_drag(driver, "view:0@0.4,0.45", "view:0@0.55,0.6", 1, NULL);
    drive_wait(driver, "region=selected", 10);
    drive_key(driver, "ctrl+c");
    press_at("view:0@0.6,0.65", "ctrl+v", "paste region");
    drive_wait(driver, "handle:copies.to", 10);
    snprintf(changed, sizeof changed, "value:to!=%s", drive_state(driver, "value:to"));
    drive_drag(driver, "handle:copies.to", "handle:copies.to+30,10", 1, NULL);
    drive_wait(driver, changed, 10);
    window_undo_to(driver, "undo=paste region");
    /* Escape takes a selection back while it is made, and another one puts the tool away. */
    drive_key(driver, "Escape");
    drive_wait(driver, "!region-shape", 10);
}

static long messages(void)
{
    return strtol(drive_state(driver, "messages"), NULL, 10);
}

TEST_WITH(nothing_is_copied_where_there_is_no_uplift, start, stop)
{
    long before = messages();
    select_part();
    drive_move(driver, "view:0@0.7,0.7");
    drive_key(driver, "ctrl+c"); /* its uplift is a mere number */
    assert_int_equal(messages(), before + 1);
    assert_string_equal(drive_state(driver, "region"), "selected");
    drive_key(driver, "ctrl+v");
    drive_key(driver, "Delete");
    assert_int_equal(messages(), before + 3);
    assert_string_equal(drive_state(driver, "undo"), "");
    drive_wait(driver, "nodes=1", 10);
}

TEST_WITH(peaks_are_asked_for_moved_and_raised, start, stop)
{
    char changed[80];
    drive_key(driver, "d");
    window_choose(driver, "sketch-kind", "Peak");
    drive_click(driver, "view:0@0.5,0.5");
    drive_wait(driver, "undo=draw peak", 10);
    drive_wait(driver, "lines=1", 10);
    window_wait_picture(driver);
    drive_drag(driver, "line:0.start", "line:0.start+60,0", 1, NULL);
    drive_wait(driver, "undo=move peak", 10);
    drive_wait(driver, "lines=1", 10);
    drive_key(driver, "d");
    drive_wait(driver, "handle:mountains.constraints.0", 10);
    snprintf(changed, sizeof changed, "value:constraints!=%s", drive_state(driver, "value:constraints"));
    drive_drag(driver, "handle:mountains.constraints.0", "handle:mountains.constraints.0+0,-60", 1, "shift");
    drive_wait(driver, "undo=raise point", 10);
    drive_wait(driver, changed, 10);
    drive_key(driver, "d");
    drive_click_with(driver, "line:0.start", 1, "ctrl");
    drive_wait(driver, "undo=erase line", 10);
    drive_wait(driver, "lines=0", 10);
    assert_string_equal(drive_state(driver, "value:constraints"), "");
    assert_int_equal(window_undo_all(driver), 4);
    assert_string_equal(drive_state(driver, "changed"), "0");
}

TEST_GROUP(window_make_folder, window_remove_folder);
